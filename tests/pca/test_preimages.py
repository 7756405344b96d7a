"""Rows for points of feature space: fixed points and learned maps, and what others get wrong."""

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.datasets import load_digits, load_iris, make_blobs
from sklearn.decomposition import PCA
from sklearn.exceptions import ConvergenceWarning
from sklearn.kernel_ridge import KernelRidge

from noneuclid._discovery import all_kernels
from noneuclid.kernels import (
    Gaussian,
    InverseMultiquadric,
    Laplacian,
    Linear,
    MatrixGaussian,
    Polynomial,
    RationalQuadratic,
    SpikeTrainKernel,
)
from noneuclid.pca import GeneralizedKernelPCA, KernelHebbianPCA, _preimages
from noneuclid.spaces import Sobolev, as_space
from noneuclid.spikes import SpikeTrainPCA, jittered_templates

X = load_iris().data
WAYS = ["ridge", "fixed_point"]
RADIAL = [k for cls in all_kernels() for k in cls.examples() if hasattr(k, "attraction")]


def l2(**params):
    return GeneralizedKernelPCA(objective="l2", **params)


def streaming(**params):
    return KernelHebbianPCA(budget=60, random_state=0, **params)


class TestFixedPoint:
    @pytest.mark.parametrize(
        "kernel",
        [
            Gaussian(1.0),
            MatrixGaussian(np.eye(4)),
            Gaussian(1.0, Sobolev()),
            RationalQuadratic(1.0),
            InverseMultiquadric(1.0),
        ],
        ids=str,
    )
    def test_the_image_of_a_row_is_its_own(self, kernel):
        """With all components, a point of feature space is the image of the row itself."""
        rows = X[::10]
        model = l2(n_components=14, kernel=kernel, preimage="fixed_point").fit(rows)
        back = model.inverse_transform(model.transform(rows))
        np.testing.assert_allclose(back, rows, atol=1e-4)

    @pytest.mark.parametrize(
        "model",
        [
            l2(kernel=Gaussian(1.5)),
            l2(kernel=Gaussian(1.5), center=False),
            l2(kernel=Gaussian(1.5), n_landmarks=30, random_state=0),
            GeneralizedKernelPCA(kernel=Gaussian(1.5), objective="l1"),
            KernelHebbianPCA(kernel=Gaussian(1.5), random_state=0),
            streaming(kernel=Gaussian(1.5)),
        ],
        ids=["l2", "uncentred", "landmarks", "l1", "hebbian", "stream"],
    )
    def test_nearest_image_by_an_optimiser(self, model):
        """No point nearby has an image nearer to mean + Σ y w, measured by the model's own scores.

        ‖Φ(z) − P‖² = ‖y(z) − y‖² + what the components do not see of Φ(z).
        """
        model.set_params(preimage="fixed_point").fit(X)
        Y = model.transform(X[::75])
        found = model.inverse_transform(Y)
        rows, kernel = model._spanning_rows(), model.kernel_
        mean = model._mean_weights
        for y, z in zip(Y, found):
            g = mean + model._span_weights @ y

            def height(z, g=g):
                return -float((kernel(z[None, :], rows) @ g)[0])

            better = minimize(height, z, method="Nelder-Mead", options={"xatol": 1e-9})
            assert height(z) <= better.fun + 1e-9
            again = model.transform(z[None, :])[0]  # scores by the same weights: mean and all
            expected = (kernel(z[None, :], rows)[0] - kernel(rows) @ mean) @ model._span_weights
            np.testing.assert_allclose(again, expected, atol=1e-6)

    @pytest.mark.parametrize("kernel", RADIAL, ids=str)
    def test_attraction(self, kernel):
        """∂κ/∂w = 2 attraction · J(x − w) for every kernel that has it."""
        rows, w = X[::40] - X.mean(axis=0), np.array([0.3, -0.2, 0.5, 0.1])
        weights = kernel.attraction(rows, w[None, :])[:, 0]
        if isinstance(kernel, MatrixGaussian):
            dual = (rows - w) @ kernel.omega.T @ kernel.omega
        else:
            dual = as_space(kernel.space).dual(rows - w)
        gradients = np.array([kernel.gradient(x, w[None, :])[0] for x in rows])
        np.testing.assert_allclose(gradients, 2 * weights[:, None] * dual, atol=1e-10)

    def test_denoises(self):
        """Points of a circle with noise: the pre-images lie nearer to it."""
        rng = np.random.default_rng(0)
        angle = rng.uniform(0, 2 * np.pi, 300)
        noisy = np.column_stack([np.cos(angle), np.sin(angle)]) + 0.15 * rng.normal(size=(300, 2))
        model = l2(n_components=4, kernel=Gaussian(0.7), preimage="fixed_point").fit(noisy)
        clean = model.inverse_transform(model.transform(noisy))
        off = [np.abs(np.linalg.norm(rows, axis=1) - 1) for rows in (noisy, clean)]
        assert off[1].mean() < 0.7 * off[0].mean()

    def test_needs_a_kernel_of_a_distance(self):
        for kernel in (Linear(), Polynomial(degree=2), Laplacian(2.0, "l1")):
            model = l2(kernel=kernel, preimage="fixed_point").fit(X)
            with pytest.raises(TypeError, match='use preimage="ridge"'):
                model.inverse_transform(model.transform(X[:3]))

    def test_far_scores_stay_finite(self):
        model = l2(kernel=Gaussian(1.0), preimage="fixed_point").fit(X)
        assert np.isfinite(model.inverse_transform([[100.0, -50.0], [0.0, 0.0]])).all()

    def test_says_when_it_did_not_rest(self, monkeypatch):
        monkeypatch.setattr(_preimages, "_MAX_ITER", 2)
        model = l2(kernel=Gaussian(1.0), preimage="fixed_point").fit(X)
        with pytest.warns(ConvergenceWarning, match="pre-images"):
            model.inverse_transform(model.transform(X[:5]))


class TestRidge:
    def test_penalty_is_that_of_kernel_ridge_regression(self):
        """The map is a linear one plus scikit-learn's KernelRidge on what that leaves."""
        model = l2(n_components=3, kernel=Gaussian(1.5), preimage_penalty=0.01).fit(X)
        T = model.transform(X)
        design = np.column_stack([np.ones(len(T)), T])
        linear = np.linalg.lstsq(design, X, rcond=None)[0]
        D = ((T[:, None] - T[None, :]) ** 2).sum(axis=2)
        apart = D[np.triu_indices(len(T), 1)]
        gamma = 0.5 / np.median(apart[apart > 1e-14 * apart.max()])
        ridge = KernelRidge(alpha=0.01, kernel="rbf", gamma=gamma).fit(T, X - design @ linear)
        Y = T[::7] + 0.01
        expected = np.column_stack([np.ones(len(Y)), Y]) @ linear + ridge.predict(Y)
        np.testing.assert_allclose(model.inverse_transform(Y), expected, atol=1e-8)

    def test_auto_penalty_is_the_least_left_out(self):
        """Leave-one-out errors by leaving rows out, one by one."""
        rng = np.random.default_rng(0)
        T = rng.normal(size=(25, 2))
        rest = np.sin(3 * T) + 0.1 * rng.normal(size=(25, 2))
        K = np.exp(-((T[:, None] - T[None, :]) ** 2).sum(axis=2))
        values, vectors = np.linalg.eigh(K)

        def error(penalty):
            total = 0.0
            for i in range(25):
                others = np.delete(np.arange(25), i)
                A = K[np.ix_(others, others)] + penalty * np.eye(24)
                total += np.square(rest[i] - K[i, others] @ np.linalg.solve(A, rest[others])).sum()
            return total

        penalties = _preimages._PENALTIES * values.mean()
        best = penalties[np.argmin([error(p) for p in penalties])]
        assert _preimages._least_left_out(values, vectors, rest) == pytest.approx(best)

    def test_digits(self):
        """The map learned from the training rows reconstructs new rows."""
        D = load_digits().data
        model = l2(n_components=20, kernel=Gaussian("median")).fit(D[::4])
        new = D[1::4]
        lost = np.square(new - model.inverse_transform(model.transform(new))).sum()
        assert lost < 0.35 * np.square(new - D[::4].mean(axis=0)).sum()


class TestKnownFailures:
    """What scikit-learn's KernelPCA.inverse_transform got, or gets, wrong."""

    @pytest.mark.parametrize("kernel", [Linear(), Gaussian(2.0), Polynomial(degree=2)], ids=str)
    def test_the_mean_comes_back(self, kernel):
        """Issue 16654: reconstructions had mean zero."""
        rows = make_blobs(100, n_features=2, centers=[[1, 1]], random_state=0)[0]
        model = l2(kernel=kernel).fit(rows)
        back = model.inverse_transform(model.transform(rows))
        np.testing.assert_allclose(back.mean(axis=0), rows.mean(axis=0), atol=0.01)

    def test_a_linear_kernel_is_pca(self):
        """Issue 18902: the linear kernel did not agree with PCA."""
        landmarks = {"n_landmarks": 40, "random_state": 0}
        for model, worse in ((l2(kernel="linear"), 1.001), (l2(kernel="linear", **landmarks), 1.2)):
            ours = model.fit(X)
            pca = PCA(n_components=2).fit(X)
            expected = pca.inverse_transform(pca.transform(X))
            back = ours.inverse_transform(ours.transform(X))
            assert np.square(back - X).sum() < worse * np.square(expected - X).sum()
        ours = l2(kernel="linear", preimage_penalty=1e12).fit(X)  # the linear map alone
        np.testing.assert_allclose(ours.inverse_transform(ours.transform(X)), expected, atol=1e-6)

    def test_a_small_penalty_interpolates(self):
        """Issue 18902: the penalty was added to predictions, too."""
        rows = np.random.default_rng(0).normal(size=(30, 3))
        model = l2(n_components=10, kernel=Gaussian(1.0), preimage_penalty=1e-10).fit(rows)
        np.testing.assert_allclose(model.inverse_transform(model.transform(rows)), rows, atol=1e-5)

    @pytest.mark.parametrize("preimage", WAYS)
    def test_a_width_from_the_data_is_that_width(self, preimage):
        """Issues 13099, 26280: gamma=None and gamma=1/n_features had other pre-images."""
        ruled = l2(kernel=Gaussian("scale"), preimage=preimage).fit(X)
        given = l2(kernel=Gaussian(ruled.kernel_.width), preimage=preimage).fit(X)
        Y = ruled.transform(X[:9])
        np.testing.assert_array_equal(ruled.inverse_transform(Y), given.inverse_transform(Y))

    @pytest.mark.parametrize("preimage", WAYS)
    @pytest.mark.parametrize("scale", [1e-6, 1e6])
    def test_the_unit_of_the_data_does_not_matter(self, preimage, scale):
        """A penalty of 1 is much or little, as eigenvalues are."""
        models = [l2(kernel=Gaussian("scale"), preimage=preimage).fit(c * X) for c in (1, scale)]
        back = [m.inverse_transform(m.transform(c * X)) for m, c in zip(models, (1, scale))]
        np.testing.assert_allclose(back[1] / scale, back[0], atol=1e-4)

    @pytest.mark.parametrize("preimage", WAYS)
    def test_components_without_variance(self, preimage):
        """Issue 12141: eigenvalues of zero gave infinities."""
        rows = np.repeat(X[::50], 5, axis=0)
        model = l2(n_components=10, kernel=Gaussian(1.0), preimage=preimage).fit(rows)
        back = model.inverse_transform(model.transform(rows))
        np.testing.assert_allclose(back, rows, atol=1e-3)


class TestRefusals:
    def test_trains(self):
        trains = jittered_templates(10, random_state=0).trains
        for model in (
            SpikeTrainPCA(2, kernel=SpikeTrainKernel(0.01)),
            l2(kernel=SpikeTrainKernel(0.01)),
        ):
            with pytest.raises(TypeError, match="inverse_transform needs rows of numbers"):
                model.fit(trains).inverse_transform(np.zeros((1, 2)))

    def test_precomputed(self):
        model = l2(kernel="precomputed").fit(Gaussian(1.0)(X))
        with pytest.raises(TypeError, match="a precomputed kernel has none"):
            model.inverse_transform(np.zeros((1, 2)))

    @pytest.mark.parametrize("preimage", WAYS)
    def test_constant_data(self, preimage):
        rows = np.ones((8, 3))
        model = streaming(kernel=Gaussian(1.0), preimage=preimage).fit(rows)
        np.testing.assert_allclose(model.inverse_transform(np.zeros((2, 2))), np.ones((2, 3)))

    def test_wrong_width(self):
        with pytest.raises(ValueError, match="X has 3 columns, but there are 2 components"):
            l2(kernel=Gaussian(1.0)).fit(X).inverse_transform(np.zeros((1, 3)))
