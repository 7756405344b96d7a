"""Kernels of curves in Sobolev geometry, in every learner that takes a kernel."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.decomposition import KernelPCA
from sklearn.kernel_approximation import Nystroem
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC, SVR

import noneuclid
from noneuclid.datasets import make_spectra
from noneuclid.information import f_correlation, two_sample_test
from noneuclid.kernels import Gaussian, InverseMultiquadric, Laplacian, PowerExponential
from noneuclid.pca import GeneralizedKernelPCA, KernelHebbianPCA
from noneuclid.prototypes import GLVQ, KernelGLVQ, KernelRSLVQ
from noneuclid.proximities import NystroemEmbedding
from noneuclid.spaces import KernelMetric, LeeVerleysen, Sobolev

SPACE = Sobolev(spacing="unit")


@pytest.fixture(scope="module")
def curves():
    data = make_spectra(60, random_state=0)
    return data.X, np.unique(data.labels, return_inverse=True)[1]


@pytest.fixture(scope="module")
def kernel(curves):
    return Gaussian("median", SPACE).resolve(curves[0])


@pytest.fixture(scope="module")
def gram(curves, kernel):
    """By the norms of differences, one by one."""
    D = np.array([SPACE.squared_norm(x - curves[0]) for x in curves[0]])
    return np.exp(-D / (2 * kernel.width**2))


LEARNERS = {
    "SVC": (SVC(), "decision_function"),
    "SVR": (SVR(), "predict"),
    "KernelRidge": (KernelRidge(alpha=0.1), "predict"),
    "KernelPCA": (KernelPCA(3), "transform"),
    "KernelRSLVQ": (KernelRSLVQ(random_state=0, max_epochs=5), "decision_function"),
    "KernelGLVQ": (KernelGLVQ(random_state=0, max_epochs=5), "decision_function"),
    "GeneralizedKernelPCA": (GeneralizedKernelPCA(n_components=2, random_state=0), "transform"),
    "KernelHebbianPCA": (KernelHebbianPCA(n_components=2, random_state=0), "transform"),
}


@pytest.mark.parametrize("name", LEARNERS)
def test_as_with_the_gram_matrix(name, curves, kernel, gram):
    learner, method = LEARNERS[name]
    X, y = curves
    direct = clone(learner).set_params(kernel=kernel).fit(X, y)
    given = clone(learner).set_params(kernel="precomputed").fit(gram, y)
    expected, found = getattr(given, method)(gram), getattr(direct, method)(X)
    if name == "KernelPCA":  # the sign of a component is free
        found, expected = np.abs(found), np.abs(expected)
    np.testing.assert_allclose(found, expected, atol=1e-5 * np.abs(expected).max())


def test_nystroem_features(curves, kernel, gram):
    features = Nystroem(kernel=kernel, n_components=60, random_state=0).fit_transform(curves[0])
    np.testing.assert_allclose(features @ features.T, gram, atol=1e-6)
    ours = NystroemEmbedding(n_landmarks=60, metric=kernel).fit_transform(curves[0])
    np.testing.assert_allclose(ours @ ours.T, gram, atol=1e-6)


def test_rules_are_fixed_by_our_learners_and_in_searches(curves):
    X, y = curves
    space = Sobolev(spacing="unit")
    model = KernelRSLVQ(kernel=Gaussian("median", space), random_state=0).fit(X, y)
    fitted = model.relation_.metric_
    assert isinstance(fitted.width, float)
    space.set_params(weights=(1, 5))  # the parameter, not the fitted model
    assert fitted.space.weights == (1, 1)
    grid = {"kernel__space__weights": [(1, 0), (1, 1)], "kernel__width": ["median", "scale"]}
    search = GridSearchCV(KernelGLVQ(kernel=Gaussian(space=Sobolev(spacing="unit"))), grid, cv=2)
    search.fit(X, y)
    assert search.best_params_["kernel__space__weights"] == (1, 1)


def test_grid_search_over_the_exponent_of_the_space(curves):
    X, y = curves
    powers = PowerExponential(5.0, Sobolev(p=1, spacing="unit"), power=1.0)
    grid = {"kernel__space__p": [1, 1.5, 2], "kernel__width": [1e-4, 5.0]}
    search = GridSearchCV(make_pipeline(SVC(kernel=powers)), _in_pipeline(grid), cv=2).fit(X, y)
    assert len(set(search.cv_results_["mean_test_score"])) > 1
    assert search.best_params_["svc__kernel__width"] == 5.0
    assert powers.space.p == 1


def _in_pipeline(grid):
    return {f"svc__{name}": values for name, values in grid.items()}


def test_prototypes_in_the_metric_of_the_kernel(curves, tmp_path):
    X, y = curves
    for kernel in (Gaussian("median", SPACE), Laplacian("median", LeeVerleysen(p=1))):
        model = GLVQ(space=KernelMetric(kernel), random_state=0, max_epochs=20).fit(X, y)
        assert isinstance(model.space_.kernel.width, float)
        assert model.prototypes_.shape == (3, X.shape[1])
        noneuclid.save(model, tmp_path / "model.skops")
        again = noneuclid.load(tmp_path / "model.skops")
        np.testing.assert_array_equal(again.predict(X), model.predict(X))
    assert (
        GLVQ(space=KernelMetric(Gaussian("median", SPACE)), random_state=0).fit(X, y).score(X, y)
        > 0.9
    )


def test_tests_of_dependence_and_of_two_samples(curves, kernel, gram):
    X, y = curves
    result = two_sample_test(X[y == 0], X[y == 1], kernel=kernel, random_state=0)
    expected = gram[y == 0][:, y == 0].mean() + gram[y == 1][:, y == 1].mean()
    expected -= 2 * gram[y == 0][:, y == 1].mean()
    assert result.statistic == pytest.approx(expected, rel=1e-6)
    assert result.pvalue < 0.01
    assert 0 < f_correlation(X, X + 1.0, kernel, regularization=0.1) <= 1


def test_indefinite_kernels_are_no_secret(curves):
    X, y = curves
    kernel = Gaussian("median", "l1").resolve(X)
    assert not kernel.is_positive_definite
    model = KernelGLVQ(kernel=Gaussian("median", "linf"), random_state=0).fit(X, y)
    assert model.signature_.negative > 0


@pytest.mark.parametrize("rule", ["median", "scale"])
def test_wide_tails(curves, rule):
    X, y = curves
    imq = InverseMultiquadric(rule, SPACE).resolve(X)
    assert SVC(kernel=imq, C=100).fit(X, y).score(X, y) > 0.9
