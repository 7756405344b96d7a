"""Meat spectra: what a kernel of the Sobolev distance sees, and one of the Euclidean does not."""

import numpy as np
import pytest
from sklearn.model_selection import StratifiedGroupKFold, cross_val_score
from sklearn.svm import SVC

import benchmark_data
from noneuclid.information import two_sample_test
from noneuclid.kernels import Gaussian
from noneuclid.prototypes import KernelRSLVQ
from noneuclid.spaces import Sobolev

pytestmark = pytest.mark.slow
FIRST, SECOND = Sobolev(spacing="unit"), Sobolev(spacing="unit", weights=(1, 0, 1))


@pytest.fixture(scope="module")
def spectra():
    """Spectra, whether they have much fat, and which of them are the same."""
    data = benchmark_data.load("tecator")
    X = data["absorbance"].astype(float)
    groups = np.unique(X, axis=0, return_inverse=True)[1].ravel()
    return X, (data["fat"].ravel() > 20).astype(int), groups


def accuracy(model, space, share, spectra):
    X, y, groups = spectra
    width = share * Gaussian("median", space).resolve(X).width
    folds = StratifiedGroupKFold(10, shuffle=True, random_state=0)
    model.set_params(kernel=Gaussian(width, space))
    return cross_val_score(model, X, y, groups=groups, cv=folds).mean()


@pytest.mark.parametrize(
    ("make", "l2", "first", "second"),
    [
        (lambda: SVC(C=1000), 0.965, 0.97, 0.985),
        (lambda: KernelRSLVQ(n_prototypes=2, random_state=0), 0.80, 0.94, 0.98),
    ],
    ids=["SVC", "KernelRSLVQ"],
)
def test_derivatives_tell_fat_from_lean(make, l2, first, second, spectra):
    """At one setting for all folds; ``benchmarks/kernels_over_spaces.py`` chooses inside them."""
    assert accuracy(make(), "l2", 2.0, spectra) < l2
    assert accuracy(make(), FIRST, 2.0, spectra) > first
    assert accuracy(make(), SECOND, 2.0, spectra) > second


def test_ten_spectra_of_each_class_are_enough(spectra):
    X, y, _ = spectra
    X, first = np.unique(X, axis=0, return_index=True)
    y = y[first]
    rejected = {"l2": 0, FIRST: 0}
    false = dict(rejected)
    for seed in range(100):
        rng = np.random.default_rng(seed)
        apart = np.r_[tuple(rng.choice(np.flatnonzero(y == c), 10, replace=False) for c in (0, 1))]
        mixed = rng.choice(len(X), 20, replace=False)
        for space in rejected:
            for counts, rows in ((rejected, X[apart]), (false, X[mixed])):
                kernel = Gaussian("median", space).resolve(rows)
                result = two_sample_test(
                    rows[:10], rows[10:], kernel=kernel, n_permutations=199, random_state=seed
                )
                counts[space] += result.pvalue <= 0.05
    assert max(false.values()) <= 12  # at level 5 %, 13 of 100 happen once in a thousand times
    assert rejected[FIRST] > 90
    assert rejected["l2"] < 60
