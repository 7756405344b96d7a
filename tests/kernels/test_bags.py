"""The kernel of distributions on bags of samples."""

import numpy as np
import pytest
from sklearn.decomposition import KernelPCA
from sklearn.model_selection import cross_val_score
from sklearn.svm import SVC

import noneuclid
from noneuclid.information import (
    cauchy_schwarz_divergence,
    cross_information_potential,
    euclidean_divergence,
)
from noneuclid.kernels import CrossInformationPotential
from noneuclid.kernels.bags import Bags, as_bags
from noneuclid.prototypes import KernelGLVQ, KernelRSLVQ, compact


def bags(n=12, d=2, seed=0):
    rng = np.random.default_rng(seed)
    return [rng.normal(size=(size, d)) for size in rng.integers(1, 9, size=n)]


@pytest.mark.parametrize("d", [1, 2, 3, 5])
def test_values_are_potentials_and_distances_divergences(d):
    X, Y = bags(5, d), bags(4, d, seed=1)
    kernel = CrossInformationPotential(0.6)
    expected = [[cross_information_potential(x, y, 0.6) for y in Y] for x in X]
    np.testing.assert_allclose(kernel(X, Y), expected, rtol=1e-10)
    np.testing.assert_allclose(kernel(X), kernel(X, X), rtol=1e-12)
    expected = [[euclidean_divergence(x, y, 0.6) for y in Y] for x in X]
    np.testing.assert_allclose(kernel.squared_distance(X, Y), expected, rtol=1e-8, atol=1e-15)
    assert (np.diag(kernel.squared_distance(X)) == 0).all()
    cosines = CrossInformationPotential(0.6, normalize=True)(X, Y)
    expected = [[np.exp(-cauchy_schwarz_divergence(x, y, 0.6)) for y in Y] for x in X]
    np.testing.assert_allclose(cosines, expected, rtol=1e-9)


def test_far_apart_bags_have_no_product():
    K = CrossInformationPotential(1.0, normalize=True)([[[0.0]], [[1e6]]])
    np.testing.assert_array_equal(K, np.eye(2))


@pytest.mark.parametrize(("scale", "size"), [(1e-3, "large"), (10.0, "small")])
def test_hundreds_of_dimensions_need_unit_vectors(scale, size):
    X = [scale * bag for bag in bags(4, 784)]
    kernel = CrossInformationPotential().resolve(X)
    for function in (kernel, kernel.diag, kernel.squared_distance):
        with pytest.raises(ValueError, match=f"in 784 dimensions are too {size}.*normalize=True"):
            function(X)
    K = CrossInformationPotential(normalize=True).resolve(X)(X)
    np.testing.assert_allclose(np.diag(K), 1.0)
    assert (K > 0.1).all()


def test_width_follows_the_data():
    X = bags()
    kernel = CrossInformationPotential("median").resolve(X)
    points = np.concatenate(X)
    distances = np.linalg.norm(points[:, None] - points[None], axis=2)[
        np.triu_indices(len(points), 1)
    ]
    assert kernel.width == pytest.approx(np.median(distances[distances > 0]))
    assert kernel.resolve(X) is kernel
    with pytest.raises(ValueError, match=r"depends on the data: call resolve\(X\) first"):
        CrossInformationPotential()(X)


def test_forms_of_bags():
    X = np.random.default_rng(0).normal(size=(4, 3, 2))
    kernel = CrossInformationPotential(1.0)
    ragged = np.empty(4, dtype=object)
    ragged[:] = list(X)
    for form in (list(X), ragged, as_bags(X), [x.tolist() for x in X]):
        np.testing.assert_array_equal(kernel(form), kernel(X))
    chosen = as_bags(X)[[2, 0]]
    assert isinstance(chosen, Bags)
    np.testing.assert_array_equal(chosen[0], X[2])
    np.testing.assert_array_equal(as_bags(X)[-1], X[3])


def test_bad_bags():
    kernel = CrossInformationPotential(1.0)
    for value, error, sentence in (
        ([[[0.0]], np.empty((0, 1))], ValueError, r"X\[1\] is empty"),
        ([[[0.0]], [[np.nan]]], ValueError, r"X\[1\] holds NaN"),
        ([[[0.0]], [[0.0, 1.0]]], ValueError, r"different dimensions: \[1, 2\]"),
        ([[0.0, 1.0]], ValueError, r"X\[0\] must be an array of samples, \(n, d\)"),
        ([[["a"]]], TypeError, r"X\[0\] must be an array of samples"),
        (np.ones((3, 2)), ValueError, "single bag"),
        (3.0, TypeError, "must be a list of bags"),
    ):
        with pytest.raises(error, match=sentence):
            kernel(value)
    with pytest.raises(ValueError, match="X have 1 features and those of Y 2"):
        kernel([[[0.0]]], [[[0.0, 1.0]]])
    for width in (0, -1.0, "wide", np.nan, True):
        with pytest.raises(ValueError, match=r"width .* must be a positive number"):
            CrossInformationPotential(width)([[[0.0]]])


# --- learners -------------------------------------------------------------------------------


def spreads(n=40, seed=0):
    """Bags of equal means that differ in spread only: their means tell nothing."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return [rng.normal(0, 1.0 + label, size=(rng.integers(20, 40), 2)) for label in y], y


@pytest.mark.parametrize("cls", [KernelRSLVQ, KernelGLVQ])
def test_prototypes_of_distributions(cls, tmp_path):
    X, y = spreads()
    test, truth = spreads(seed=1)
    model = cls(kernel=CrossInformationPotential(0.5, normalize=True), random_state=0).fit(X, y)
    assert model.score(test, truth) >= 0.95
    noneuclid.save(model, tmp_path / "model.skops")
    for other in (compact(model), noneuclid.load(tmp_path / "model.skops")):
        np.testing.assert_allclose(other.transform(test), model.transform(test), atol=1e-12)
    assert cls(kernel=CrossInformationPotential(), random_state=0).fit(X, y).score(X, y) > 0.9


def test_support_vector_machines_take_bags_as_they_are():
    X, y = spreads()
    test, truth = spreads(seed=1)
    model = SVC(kernel=CrossInformationPotential(0.5, normalize=True)).fit(X, y)
    assert model.score(test, truth) >= 0.95
    scores = cross_val_score(
        SVC(kernel=CrossInformationPotential(0.5, normalize=True), C=10), X, y, cv=3
    )
    assert scores.mean() > 0.9


def test_kernel_pca_takes_the_matrix():
    X, y = spreads()
    K = CrossInformationPotential(0.5, normalize=True)(X)
    score = KernelPCA(1, kernel="precomputed").fit_transform(K)[:, 0]
    sides = score[y == 0], score[y == 1]
    assert max(map(min, sides)) > min(map(max, sides))


@pytest.mark.parametrize("normalize", [False, True])
def test_far_from_zero_nothing_is_lost(normalize):
    rng = np.random.default_rng(0)
    far = [2.0**23 + rng.integers(-512, 512, size=(n, 2)) / 256 for n in (3, 4, 5)]
    near = [bag - 2.0**23 for bag in far]
    kernel = CrossInformationPotential(0.37, normalize=normalize)
    np.testing.assert_allclose(kernel(far), kernel(near), rtol=1e-13)
    np.testing.assert_allclose(kernel(far[:1], far[1:]), kernel(near[:1], near[1:]), rtol=1e-13)
    np.testing.assert_allclose(kernel.diag(far), kernel.diag(near), rtol=1e-13)
