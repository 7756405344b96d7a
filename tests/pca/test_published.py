"""Published findings on the benchmark data."""

import numpy as np
import pytest
from sklearn.model_selection import StratifiedGroupKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import benchmark_data
from noneuclid.kernels import Gaussian
from noneuclid.pca import GeneralizedKernelPCA, GeneralizedPCA, HebbianPCA, SubspaceClassifier
from noneuclid.spaces import Lp, Sobolev

pytestmark = pytest.mark.slow


def fat_accuracy(data, space) -> float:
    """Low against high fat on two scores; exact duplicates stay on one side of a split."""
    X, y = data["absorbance"].astype(float), data["fat"].ravel() > 20
    groups = np.unique(X, axis=0, return_inverse=True)[1].ravel()
    scores = HebbianPCA(n_components=2, space=space, random_state=0).fit_transform(X)
    svm = make_pipeline(StandardScaler(), SVC(kernel="linear"))
    folds = [StratifiedGroupKFold(10, shuffle=True, random_state=seed) for seed in range(3)]
    return float(np.mean([cross_val_score(svm, scores, y, groups=groups, cv=f) for f in folds]))


def test_tecator_sobolev_separates_fat():
    """Published: the first-derivative norm W_{1,1} tells low from high fat, l1 does not."""
    data = benchmark_data.load("tecator")
    sobolev = fat_accuracy(data, Sobolev(p=1, spacing="unit"))
    assert sobolev > 0.9
    for space in (Lp(1), Lp(2), Sobolev(p=2, spacing="unit")):
        assert fat_accuracy(data, space) < sobolev - 0.05
    assert fat_accuracy(data, Lp(1)) < 0.72


def test_tecator_weight_of_the_derivative():
    """At spacing 1/99 differences weigh 99 in W_{1,1} and 99² at p = 2; there, 99 does not help."""
    data = benchmark_data.load("tecator")
    assert fat_accuracy(data, Sobolev(p=2, spacing="unit", weights=(1, 1 / 99))) < 0.72
    assert 0.8 < fat_accuracy(data, Sobolev(p=2, spacing="unit")) < 0.9


def test_tecator_spacing_decides():
    """With 100 channels at spacing 1 the derivative hardly counts."""
    data = benchmark_data.load("tecator")
    assert fat_accuracy(data, Sobolev(p=1, spacing=1.0)) < 0.72


@pytest.mark.parametrize("n_dummies", [15, 60, 103])
def test_yale_with_dummy_images(n_dummies):
    """Every robust objective reconstructs the clean faces better than l2, among dummies."""
    faces = benchmark_data.load("yale_32x32")["X"].astype(float)
    dummies = np.random.default_rng(0).integers(0, 2, size=(n_dummies, faces.shape[1])) * 255.0
    X = np.vstack([faces, dummies])
    errors = {
        objective: GeneralizedPCA(n_components=30, objective=objective, tol=1e-6)
        .fit(X)
        .reconstruction_error(faces)
        .mean()
        for objective in ("l2", "l0.5", "l1", "tanh", "sech", "skeleton")
    }
    limit = 0.9 if n_dummies >= 60 else 1.0
    for objective in ("l0.5", "l1", "tanh", "sech", "skeleton"):
        assert errors[objective] < limit * errors["l2"], (objective, errors)


def usps_split(data, seed: int, per_digit: int = 300):
    X, y = (data["X_train"].astype(float) + 1) * 127.5, data["y_train"].ravel().astype(int)
    rng = np.random.default_rng(seed)
    rows = np.concatenate(
        [rng.choice(np.flatnonzero(y == digit), per_digit, replace=False) for digit in range(10)]
    )
    test = (data["X_test"].astype(float) + 1) * 127.5
    return X[rows], y[rows], test, data["y_test"].ravel().astype(int)


@pytest.mark.parametrize("objective", ["l0.5", "l1", "l2", "tanh", "sech"])
def test_usps_without_noise(objective):
    """All objectives classify about 94 % by per-class reconstruction."""
    X, y, test, expected = usps_split(benchmark_data.load("usps_zip"), 0)
    # Where projections on l0.5's components vanish, steps are short, and a thousand may be too few.
    pca = GeneralizedPCA(n_components=30, objective=objective, tol=1e-4, max_iter=5000)
    accuracy = SubspaceClassifier(estimator=pca).fit(X, y).score(test, expected)
    assert 0.925 < accuracy < 0.965


@pytest.mark.parametrize("objective", ["l1", "l2"])
def test_usps_kernel_without_noise(objective):
    """B's kernel exp(−‖x−y‖²/σ²), σ = 2500, is Gaussian(width=σ/√2)."""
    X, y, test, expected = usps_split(benchmark_data.load("usps_zip"), 0)
    kernel = Gaussian(width=2500 / np.sqrt(2))
    pca = GeneralizedKernelPCA(n_components=30, kernel=kernel, objective=objective, tol=1e-4)
    accuracy = SubspaceClassifier(estimator=pca).fit(X, y).score(test, expected)
    assert 0.93 < accuracy < 0.97
