"""Kernel components of a stream, over a bounded dictionary of landmarks."""

import pickle
import tracemalloc

import numpy as np
import pytest
from scipy.linalg import subspace_angles
from scipy.sparse.linalg import eigsh
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA, KernelPCA

from noneuclid.kernels import FunctionKernel, Gaussian, Linear, Polynomial, SpikeTrainKernel
from noneuclid.numerics.kernel_hebbian import feature_hebbian_pass
from noneuclid.pca import GeneralizedPCA, HebbianPCA, KernelHebbianPCA
from noneuclid.pca._dictionary import Dictionary
from noneuclid.spikes import jittered_templates


def rings(n, seed=0):
    """Two noisy ellipses: kernel PCA with well separated eigenvalues."""
    rng = np.random.default_rng(seed)
    angle, radius = rng.uniform(0, 2 * np.pi, n), rng.choice([1.0, 3.0], n)
    radius += 0.1 * rng.normal(size=n)
    return np.column_stack([2 * radius * np.cos(angle), radius * np.sin(angle)])


def in_batches(model, X, size):
    for start in range(0, len(X), size):
        model.partial_fit(X[start : start + size])
    return model


def feature_angle(model, kernel, X, k):
    """Largest angle, in feature space, to the components of exact kernel PCA of X, in degrees."""
    K = kernel(X)
    K = K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()
    values, vectors = eigsh(K, k=k, which="LA", v0=np.ones(len(K)))
    of_exact = vectors / np.sqrt(values)  # exact components, by the centred objects
    L, beta = model.landmarks_, model.dual_coefficients_
    norms = np.linalg.cholesky(beta.T @ kernel(L) @ beta)
    with_exact = beta.T @ kernel(L, X) @ (of_exact - of_exact.mean(axis=0))
    cosines = np.linalg.svd(np.linalg.solve(norms, with_exact), compute_uv=False)
    return np.degrees(np.arccos(np.clip(cosines.min(), 0, 1)))


class TestAccuracy:
    def test_literal_step(self):
        """One step is W + ε(y z' − LT(yy')W) with ε_i the rate over the component's power."""
        rng = np.random.default_rng(0)
        Z, W, mean = rng.normal(size=(5, 7)), 0.1 * rng.normal(size=(3, 7)), rng.normal(size=7)
        before, power = W.copy(), np.zeros(3)
        params = {"clock": 0, "per_component": True, "rate": 0.1, "horizon": 300.0}
        feature_hebbian_pass(Z, mean, np.array([2]), W, power, **params)
        z = Z[2] - mean
        y = before @ z
        update = np.outer(y, z) - np.tril(np.outer(y, y)) @ before
        np.testing.assert_allclose(W, before + (0.1 / y**2)[:, None] * update, atol=1e-12)

    @pytest.mark.parametrize(
        "kernel", [Gaussian(width=2.0), Linear(), Polynomial(degree=2)], ids=str
    )
    def test_fit_with_a_budget_is_kernel_pca(self, kernel):
        X = load_iris().data
        ours = KernelHebbianPCA(kernel=kernel, budget=100, random_state=0).fit(X)
        exact = KernelPCA(n_components=2, kernel=kernel).fit(X)
        scores, theirs = ours.transform(X), exact.transform(X)
        assert np.degrees(subspace_angles(scores, theirs)).max() < 2
        np.testing.assert_allclose(ours.explained_variance_, exact.eigenvalues_ / 150, rtol=0.01)
        np.testing.assert_allclose((scores**2).mean(axis=0), ours.explained_variance_, rtol=1e-6)
        total = np.trace(kernel(X)) / 150 - kernel(X).mean()
        ratio = exact.eigenvalues_ / 150 / total
        np.testing.assert_allclose(ours.explained_variance_ratio_, ratio, rtol=0.01)

    @pytest.mark.parametrize("size", [20, 4000])
    def test_a_stream_finds_the_components(self, size):
        X, kernel = rings(4000), Gaussian(width=2.0)
        model = KernelHebbianPCA(kernel=kernel, budget=60, random_state=0)
        in_batches(model, X, size)
        assert len(model.landmarks_) == 60
        assert feature_angle(model, kernel, rings(1500, seed=1), 2) < 10

    @pytest.mark.slow
    def test_a_long_stream(self):
        """10⁵ samples: below 5° from exact kernel PCA of 4,000 of them, in less than 200 MB."""
        X, kernel = rings(100_000), Gaussian(width=2.0)
        model = KernelHebbianPCA(kernel=kernel, budget=200, random_state=0)
        model.partial_fit(X[:1000])  # compiled before memory is counted
        tracemalloc.start()
        in_batches(model, X[1000:], 5000)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 200e6
        assert feature_angle(model, kernel, X[::25], 2) < 5

    def test_constant_gain(self):
        X = rings(3000)
        scores = [
            KernelHebbianPCA(kernel="linear", gain=gain, random_state=0).partial_fit(X).transform(X)
            for gain in ("eigenvalue", "constant")
        ]
        exact = PCA(n_components=2).fit_transform(X)
        assert abs(np.corrcoef(scores[0][:, 1], exact[:, 1])[0, 1]) > 0.99
        assert not np.allclose(*scores)

    def test_memory_does_not_grow_with_the_stream(self):
        X = rings(20_000)
        model = KernelHebbianPCA(kernel=Gaussian(2.0), budget=50, random_state=0)
        model.partial_fit(X[:2000])
        tracemalloc.start()
        model.partial_fit(X)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 20_000 * 50 * 8 / 2  # neither all pairs nor all features

    def test_goes_on_after_fit_and_after_pickling(self):
        X = rings(600)
        model = KernelHebbianPCA(kernel=Gaussian(2.0), budget=40, random_state=0).fit(X[:300])
        copy = pickle.loads(pickle.dumps(model))
        first = model.partial_fit(X[300:]).transform(X)
        np.testing.assert_array_equal(copy.partial_fit(X[300:]).transform(X), first)
        assert model._stream.clock > 300

    def test_a_width_is_fixed_on_the_first_objects(self):
        X = rings(400)
        model = KernelHebbianPCA(kernel=Gaussian("median"), random_state=0).partial_fit(X[:200])
        width = model.kernel_.width
        assert model.partial_fit(100 * X[200:]).kernel_.width == width


class TestDictionary:
    def test_coordinates_reproduce_the_kernel_of_landmarks(self):
        X, kernel = rings(300), Gaussian(1.0)
        dictionary = Dictionary.empty(kernel, X).grown(X, 300)
        Z = dictionary.coordinates(X)
        np.testing.assert_allclose(Z @ Z.T, kernel(X), atol=1e-6)  # all that is new is there
        few = Dictionary.empty(kernel, X).grown(X, 20)
        L = few.coordinates(few.objects)
        np.testing.assert_allclose(L @ L.T, kernel(few.objects), atol=1e-10)

    def test_change_is_the_projection(self):
        """A combination of old landmarks, projected by least squares on the new ones."""
        X, kernel = rings(200), Gaussian(2.0)
        old = Dictionary.empty(kernel, X).grown(X[:100], 30)
        new = Dictionary.empty(kernel, X).grown(X[100:], 25)
        a = np.random.default_rng(0).normal(size=30)
        z = old.factor.T @ a  # coordinates of Σ a_i φ(x_i)
        b = np.linalg.solve(kernel(new.objects), kernel(new.objects, old.objects) @ a)
        np.testing.assert_allclose(old.change(new) @ z, new.factor.T @ b, atol=1e-5)

    def test_a_low_rank_needs_few_landmarks(self):
        X = np.random.default_rng(0).normal(size=(500, 3))
        model = KernelHebbianPCA(kernel="linear", random_state=0).partial_fit(X)
        assert len(model.landmarks_) == 3

    def test_follows_a_stream_that_changes(self):
        near, far = rings(3000), rings(3000, seed=1) + 50.0
        kernel = Gaussian(2.0)
        model = KernelHebbianPCA(kernel=kernel, budget=50, random_state=0).partial_fit(near)
        in_batches(model, far, 500)
        there = (model.landmarks_ > 25).all(axis=1)
        assert 0.2 < there.mean() < 1.0  # the old places are not forgotten
        dictionary = model._stream.dictionary
        missed = 1.0 - (dictionary.coordinates(far) ** 2).sum(axis=1)
        assert missed.mean() < 0.2

    def test_a_steady_stream_keeps_its_landmarks(self):
        X = np.random.default_rng(0).normal(size=(3000, 10))
        model = KernelHebbianPCA(kernel=Gaussian(3.0), budget=50, random_state=0)
        before = model.partial_fit(X[:1000]).landmarks_
        np.testing.assert_array_equal(model.partial_fit(X[1000:]).landmarks_, before)


class TestOddStreams:
    def test_trains(self):
        trains = jittered_templates(40, random_state=0).trains
        kernel = SpikeTrainKernel(0.01)
        model = KernelHebbianPCA(kernel=kernel, budget=30, random_state=0)
        model.partial_fit(trains[:30]).partial_fit(trains[30:])
        assert len(model.landmarks_) == 30
        exact = KernelHebbianPCA(kernel=kernel, n_components=1, random_state=0).fit(trains)
        ours = model.transform(trains)[:, 0]
        assert abs(np.corrcoef(ours, exact.transform(trains)[:, 0])[0, 1]) > 0.95

    @pytest.mark.parametrize("way", ["fit", "partial_fit"])
    def test_constant_data(self, way):
        model = KernelHebbianPCA(kernel=Gaussian(1.0), budget=9, random_state=0)
        getattr(model, way)(np.ones((6, 3)))
        np.testing.assert_allclose(model.transform(np.ones((2, 3))), 0, atol=1e-12)
        assert (model.explained_variance_ratio_ == 0).all()

    def test_more_components_than_directions(self):
        X = np.random.default_rng(0).normal(size=(50, 2))
        model = KernelHebbianPCA(n_components=4, kernel="linear", random_state=0).partial_fit(X)
        assert (model.transform(X)[:, 2:] == 0).all()

    @pytest.mark.parametrize("scale", [1e-8, 1e8])
    def test_scale_of_the_data(self, scale):
        X = rings(500)
        models = [
            KernelHebbianPCA(kernel="linear", random_state=0).partial_fit(c * X) for c in (1, scale)
        ]
        np.testing.assert_allclose(models[1].transform(scale * X), scale * models[0].transform(X))

    def test_nothing_there(self):
        with pytest.raises(ValueError, match="kernel matrix is zero"):
            KernelHebbianPCA(kernel="linear").partial_fit(np.zeros((5, 2)))

    def test_precomputed(self):
        with pytest.raises(ValueError, match="landmarks are chosen among objects"):
            KernelHebbianPCA(kernel="precomputed").partial_fit(np.eye(4))

    def test_indefinite(self):
        X = np.random.default_rng(0).normal(size=(40, 3))
        with pytest.raises(ValueError, match="not positive semi-definite"):
            KernelHebbianPCA(kernel=Polynomial(degree=3, coef0=-2.0)).partial_fit(X)

    def test_asymmetric(self):
        X = np.random.default_rng(0).normal(size=(40, 3))
        kernel = FunctionKernel(lambda X, Y: X @ (Y + 1).T)
        with pytest.raises(ValueError, match=r"symmetric|not positive"):
            KernelHebbianPCA(kernel=kernel).partial_fit(X)

    def test_too_many_components(self):
        with pytest.raises(ValueError, match=r"n_components \(=9\) must be at most"):
            KernelHebbianPCA(n_components=9, budget=5).partial_fit(rings(30))
        with pytest.raises(ValueError, match="budget"):
            KernelHebbianPCA(budget=0).partial_fit(rings(30))


@pytest.mark.parametrize(
    "model",
    [HebbianPCA(random_state=0), GeneralizedPCA(random_state=0), KernelHebbianPCA(random_state=0)],
)
def test_what_a_stream_cannot_go_on_from_is_said(model):
    X = np.random.default_rng(0).normal(size=(40, 4)) * [4, 2, 1, 0.5]
    model.fit(X)
    with pytest.warns(UserWarning, match="begins a new stream, and forgets what fit has learned"):
        model.partial_fit(X)
    model.partial_fit(X)  # from itself it goes on without a word
    assert not hasattr(model, "explained_variance_ratio_") or model.n_iter_ == 1


def test_shares_of_all_samples_before_are_not_those_of_a_stream():
    X = np.random.default_rng(0).normal(size=(40, 4)) * [4, 2, 1, 0.5]
    model = HebbianPCA(solver="online", random_state=0).fit(X)
    assert hasattr(model, "explained_variance_ratio_")
    assert not hasattr(model.partial_fit(10 * X[:, ::-1]), "explained_variance_ratio_")
