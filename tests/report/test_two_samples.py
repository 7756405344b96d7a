"""Two samples of objects known by their proximities: level, power, and what is refused."""

from dataclasses import replace

import numpy as np
import pytest

from noneuclid.datasets import DataError, Dataset
from noneuclid.information import two_sample_test
from noneuclid.proximities import pairwise
from noneuclid.report.two_samples import compare_any, compare_classes


def words(rng, n, letters="ACGT", length=12):
    return Dataset("sequences", ["".join(rng.choice(list(letters), length)) for _ in range(n)])


def rejections(test, draws=60):
    return sum(test(np.random.default_rng(k), k) < 0.05 for k in range(draws))


def test_sequences_of_one_distribution_keep_the_level():
    def pvalue(rng, k):
        return compare_any(words(rng, 12), words(rng, 12), None, 99, k)[0].pvalue

    assert rejections(pvalue) <= 8  # more than that of 60 at 5 %: once in 120


def test_sequences_of_other_letters_are_told_apart():
    def pvalue(rng, k):
        return compare_any(words(rng, 12), words(rng, 12, "AAACGT"), None, 99, k)[0].pvalue

    assert rejections(pvalue, 20) >= 8
    found = compare_any(
        words(np.random.default_rng(0), 12), words(np.random.default_rng(1), 12, "AC"), None, 99, 0
    )
    assert found[0].pvalue == 0.01


def test_the_statistic_is_that_of_the_clipped_kernel():
    rng = np.random.default_rng(3)
    one, other = words(rng, 9), words(rng, 7, "AACGT")
    D = pairwise([*one.X, *other.X], "levenshtein")
    width = np.sqrt(np.median(D[np.triu_indices(16, 1)]))
    values, vectors = np.linalg.eigh(np.exp(-D / (2 * width**2)))
    K = (vectors * np.maximum(values, 0)) @ vectors.T
    expected = K[:9, :9].mean() - 2 * K[:9, 9:].mean() + K[9:, 9:].mean()
    found, used, _ = compare_any(one, other, None, 99, 0)
    assert used == pytest.approx(width)
    assert found.statistic == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("kind", ["similarity", "dissimilarity"])
def test_a_matrix_is_compared_as_the_rows_it_is_of(kind):
    rng = np.random.default_rng(5)
    X = np.vstack([rng.normal(size=(15, 3)), rng.normal(size=(10, 3)) + 0.8])
    labels = np.repeat(["before", "later"], [15, 10])
    D = ((X[:, None] - X) ** 2).sum(axis=-1)
    if kind == "dissimilarity":
        data = Dataset("dissimilarity", D, labels=labels)
        found, width, _ = compare_classes(data, 1.5, 99, 0)
        expected = two_sample_test(X[:15], X[15:], kernel=_gaussian(1.5), n_permutations=99)
    else:
        data = Dataset("similarity", np.exp(-D / 4.5), labels=labels)
        found, width, _ = compare_classes(data, None, 99, 0)
        expected = two_sample_test(X[:15], X[15:], kernel=_gaussian(1.5), n_permutations=99)
    assert width == (1.5 if kind == "dissimilarity" else None)
    assert found.statistic == pytest.approx(expected.statistic, rel=1e-8)
    assert found.pvalue < 0.05
    shuffled = replace(data, labels=np.random.default_rng(0).permutation(labels))
    assert compare_classes(shuffled, width, 99, 0)[0].pvalue > 0.05


def _gaussian(width):
    from noneuclid.kernels import Gaussian

    return Gaussian(width)


def test_two_classes_of_rows_curves_and_trains_are_two_files():
    rng = np.random.default_rng(7)
    X = rng.normal(size=(30, 20)).cumsum(axis=1)
    labels = np.arange(30) % 2
    for kind in ("vectors", "curves"):
        data = Dataset(kind, X + labels[:, None], labels=labels)
        one, other = (Dataset(kind, data.X[labels == k]) for k in (0, 1))
        whole = compare_classes(data, None, 99, 0)
        assert whole[0].pvalue == compare_any(one, other, None, 99, 0)[0].pvalue
    trains = Dataset("spikes", [np.sort(rng.uniform(0, 1 + 9 * (k % 2), 30)) for k in range(20)])
    trains = replace(trains, labels=np.arange(20) % 2)
    assert compare_classes(trains, 0.3, 99, 0)[0].pvalue <= 0.02


def test_what_cannot_be_compared_is_refused():
    sequences, rows = words(np.random.default_rng(0), 8), Dataset("vectors", np.eye(8))
    with pytest.raises(DataError, match="must be of one kind"):
        compare_any(sequences, rows, None, 99, 0)
    with pytest.raises(DataError, match=r"own objects only: give one matrix .* say with labels"):
        compare_any(Dataset("similarity", np.eye(8)), rows, None, 99, 0)
    with pytest.raises(DataError, match="has no classes: two are compared"):
        compare_classes(sequences, None, 99, 0)
    with pytest.raises(DataError, match="has 4 classes"):
        compare_classes(replace(rows, labels=np.arange(8) % 4), None, 99, 0)
    with pytest.raises(DataError, match="similarities are a kernel already"):
        compare_classes(Dataset("similarity", np.eye(8), labels=np.arange(8) % 2), 1.0, 99, 0)
    with pytest.raises(DataError, match=r"all sequences of .* are equal"):
        compare_any(*[Dataset("sequences", ["A"] * 5)] * 2, None, 99, 0)
    with pytest.raises(DataError, match="width=-1 must be a positive number"):
        compare_any(sequences, sequences, -1.0, 99, 0)
    with pytest.raises(DataError, match="no distance 'nonsense' of sequences"):
        compare_any(sequences, sequences, None, 99, 0, metric="nonsense")
    grids = np.arange(20.0), np.arange(20.0) + 100
    one, other = (Dataset("curves", np.eye(20), grid=grid) for grid in grids)
    with pytest.raises(DataError, match=r"from 0 to 19 .* from 100 to 119: .* the same axis"):
        compare_any(one, other, None, 99, 0)
    named = replace(one, features=[f"{x:g}" for x in grids[0]])
    written = replace(one, features=[f"{x:.1f} nm" for x in grids[0]])
    assert compare_any(named, written, None, 99, 0)[0].pvalue > 0.05
