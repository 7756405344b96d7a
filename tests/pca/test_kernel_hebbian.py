"""KernelHebbianPCA and BanachKernelPCA against the exact eigenproblems."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA, KernelPCA
from sklearn.exceptions import ConvergenceWarning

from noneuclid.kernels import BanachGaussian, Gaussian, Linear, SemiInnerProduct
from noneuclid.numerics.kernel_hebbian import kernel_hebbian_pass
from noneuclid.pca import BanachKernelPCA, KernelHebbianPCA
from noneuclid.spaces import Lp


def correlations(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    return np.array([abs(np.corrcoef(a, b)[0, 1]) for a, b in zip(A.T, B.T)])


class TestKernelHebbian:
    def test_literal_step(self):
        """One step is A + ε(y e_t' − LT(yy')A), ε_i the rate over the component's power."""
        rng = np.random.default_rng(0)
        B = rng.normal(size=(12, 12))
        K, A = B @ B.T, 0.1 * rng.normal(size=(3, 12))
        before, power = A.copy(), np.zeros(3)
        params = {"clock": 0, "per_component": True, "rate": 0.1, "horizon": 300.0}
        kernel_hebbian_pass(K, np.array([4]), A, power, **params)
        y = before @ K[4]
        unit = np.zeros(12)
        unit[4] = 1.0
        step = 0.1 / y**2  # the first sample's own response is the first estimate of the power
        update = np.outer(y, unit) - np.tril(np.outer(y, y)) @ before
        np.testing.assert_allclose(A, before + step[:, None] * update, atol=1e-12)
        np.testing.assert_allclose(power, y**2)

    @pytest.mark.parametrize("kernel", [Gaussian(width=2.0), Linear()])
    def test_limit_is_kernel_pca(self, kernel):
        X = load_iris().data
        ours = KernelHebbianPCA(n_components=2, kernel=kernel, random_state=0).fit(X)
        exact = KernelPCA(n_components=2, kernel=kernel).fit(X)
        assert correlations(ours.transform(X), exact.transform(X)).min() > 0.9995
        new = X[:20] + 0.05
        difference = np.abs(ours.transform(new)) - np.abs(exact.transform(new))
        assert np.abs(difference).max() < 0.02 * np.abs(exact.transform(X)).max()
        expected = exact.eigenvalues_ / len(X)
        np.testing.assert_allclose(ours.explained_variance_, expected, rtol=0.01)

    def test_gain_speeds_up_trailing_components(self):
        rng = np.random.default_rng(0)
        X = rng.normal(size=(200, 4)) * [10, 1, 0.5, 0.2]
        exact = PCA(n_components=2).fit_transform(X)
        reached = {}
        for gain in ("eigenvalue", "constant"):
            model = KernelHebbianPCA(kernel="linear", gain=gain, max_iter=5, random_state=0)
            with pytest.warns(ConvergenceWarning, match="raise max_iter"):
                model.fit(X)
            reached[gain] = correlations(model.transform(X), exact)[1]
        assert reached["eigenvalue"] > 0.99 > 0.9 > reached["constant"]

    def test_precomputed(self):
        X = load_iris().data
        kernel = Gaussian(width=2.0)
        direct = KernelHebbianPCA(kernel=kernel, random_state=0).fit(X)
        precomputed = KernelHebbianPCA(kernel="precomputed", random_state=0).fit(kernel(X))
        np.testing.assert_allclose(
            precomputed.transform(kernel(X[:9], X)), direct.transform(X[:9]), atol=1e-10
        )

    def test_constant_data(self):
        model = KernelHebbianPCA(kernel=Gaussian(), random_state=0).fit(np.ones((6, 3)))
        assert np.isfinite(model.transform(np.eye(3))).all()
        assert (model.explained_variance_ratio_ == 0).all()

    def test_bad_gain(self):
        with pytest.raises(ValueError, match="must be one of"):
            KernelHebbianPCA(gain="fast").fit(load_iris().data)


class TestBanach:
    @pytest.mark.parametrize("space", [Lp(1), Lp(1.5), Lp(3)], ids=str)
    def test_solves_its_eigenproblem(self, space):
        X = load_iris().data - 3.0
        model = BanachKernelPCA(n_components=3, kernel=SemiInnerProduct(space)).fit(X)
        K = space.product(X, X)
        K = K - K.mean(axis=0)
        alpha = model.dual_coefficients_
        left = K.T @ K @ alpha / len(X)
        np.testing.assert_allclose(left, alpha * model.explained_variance_, atol=1e-8)
        np.testing.assert_allclose(alpha.T @ alpha, np.eye(3), atol=1e-10)
        np.testing.assert_allclose(model.transform(X), K @ alpha, atol=1e-9)

    def test_new_rows_by_hand(self):
        X = load_iris().data - 3.0
        space = Lp(1.5)
        model = BanachKernelPCA(kernel=SemiInnerProduct(space)).fit(X[:100])
        gamma = space.product(X[100:], X[:100]) - space.product(X[:100], X[:100]).mean(axis=0)
        np.testing.assert_allclose(
            model.transform(X[100:]), gamma @ model.dual_coefficients_, atol=1e-9
        )

    def test_linear_kernel_on_centred_data_is_pca(self):
        X = load_iris().data
        X = X - X.mean(axis=0)
        ours = BanachKernelPCA(n_components=3).fit_transform(X)
        assert correlations(ours, PCA(n_components=3).fit_transform(X)).min() > 1 - 1e-9

    def test_precomputed_may_be_asymmetric(self):
        X = load_iris().data - 3.0
        kernel = SemiInnerProduct("l1")
        direct = BanachKernelPCA(kernel=kernel).fit(X)
        precomputed = BanachKernelPCA(kernel="precomputed").fit(kernel(X))
        rows = kernel(X[:5] + 0.1, X)
        np.testing.assert_allclose(
            precomputed.transform(rows), direct.transform(X[:5] + 0.1), atol=1e-8
        )
        with pytest.raises(ValueError, match="square"):
            BanachKernelPCA(kernel="precomputed").fit(np.ones((4, 3)))

    def test_constant_data(self):
        model = BanachKernelPCA(kernel=SemiInnerProduct("l1")).fit(np.ones((6, 3)))
        np.testing.assert_allclose(model.transform(np.ones((2, 3))), 0, atol=1e-12)
        assert (model.explained_variance_ratio_ == 0).all()


class TestBanachHebbian:
    @pytest.mark.parametrize(
        "kernel",
        [SemiInnerProduct("l1.5"), SemiInnerProduct("l1"), BanachGaussian(width=2.0)],
        ids=str,
    )
    def test_rests_at_the_eigenvectors(self, kernel):
        """Sanger's rule with M = K'K/n: scores and variances of the eigenproblem."""
        X = load_iris().data
        X = X - X.mean(axis=0)
        exact = BanachKernelPCA(kernel=kernel).fit(X)
        ours = BanachKernelPCA(kernel=kernel, solver="hebbian", random_state=0).fit(X)
        assert correlations(ours.transform(X), exact.transform(X)).min() > 0.999
        np.testing.assert_allclose(ours.explained_variance_, exact.explained_variance_, rtol=0.02)
        np.testing.assert_allclose(np.linalg.norm(ours.dual_coefficients_, axis=0), 1.0)

    def test_constant_data(self):
        model = BanachKernelPCA(kernel=SemiInnerProduct("l1"), solver="hebbian", random_state=0)
        np.testing.assert_allclose(model.fit(np.ones((6, 3))).transform(np.ones((2, 3))), 0)

    def test_says_when_it_did_not_rest(self):
        model = BanachKernelPCA(solver="hebbian", max_iter=1, random_state=0)
        with pytest.warns(ConvergenceWarning, match="raise max_iter"):
            model.fit(load_iris().data)
