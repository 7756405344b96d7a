"""A matrix learned for classification, in the kernel of components: Lange et al. (2014), 4.4."""

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.decomposition import PCA, KernelPCA
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import benchmark_data
from noneuclid.pca import HebbianPCA, KernelHebbianPCA
from noneuclid.prototypes import GMLVQ
from noneuclid.spaces import KernelMetric


def learned_kernel(X, y):
    """κ_Ω with the matrix that GMLVQ learns inside its distance."""
    return GMLVQ(kernel=True, random_state=0).fit(X, y).to_kernel()


def separation(scores, y):
    """Cross-validated accuracy of a line in the plane of two scores, each of deviation one."""
    folds = StratifiedKFold(10, shuffle=True, random_state=0)
    return cross_val_score(SVC(kernel="linear"), scores / scores.std(axis=0), y, cv=folds).mean()


@pytest.fixture(scope="module")
def wine():
    X, y = load_wine(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    noise = 3.0 * np.random.default_rng(0).normal(size=(len(X), 6))
    return np.column_stack([X, noise]), y


def test_from_the_classifier_to_the_projection(wine):
    X, y = wine
    kernel = learned_kernel(X, y)
    omega = kernel.omega
    K = np.exp(-(((X[:, None] - X[None]) @ omega.T) ** 2).sum(axis=2))
    model = KernelHebbianPCA(kernel=kernel, n_components=2, random_state=0).fit(X)
    scores = model.transform(X)
    exact = KernelPCA(2, kernel="precomputed").fit_transform(K)
    for ours, theirs in zip(scores.T, exact.T):
        assert abs(np.corrcoef(ours, theirs)[0, 1]) > 0.999
    assert separation(scores, y) > separation(PCA(2).fit_transform(X), y) + 0.05


def test_eigenvectors_in_the_data_space(wine):
    """The rule (2.5) with κ_Ω itself: components that can be drawn, as in the figures."""
    X, y = wine
    space = KernelMetric(learned_kernel(X, y))
    model = HebbianPCA(n_components=2, space=space, random_state=0, max_iter=50).fit(X)
    assert model.components_.shape == (2, X.shape[1])
    assert np.isfinite(model.transform(X)).all()
    noise = np.abs(model.components_[0][13:]).max()
    assert noise < np.abs(model.components_[0][:13]).max()


@pytest.mark.slow
def test_pima_separates_slightly_better_than_euclidean():
    data = benchmark_data.load("pima_diabetes")
    X, y = StandardScaler().fit_transform(data["X"].astype(float)), data["y"].ravel()
    model = KernelHebbianPCA(kernel=learned_kernel(X, y), n_components=2, random_state=0)
    by_kernel = separation(model.fit_transform(X), y)
    assert by_kernel > separation(PCA(2).fit_transform(X), y)
    assert by_kernel > 0.74
