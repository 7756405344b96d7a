import numpy as np
import pytest

from noneuclid.kernels import Gaussian, Linear, Polynomial, SemiInnerProduct
from noneuclid.spaces import Euclidean, KernelMetric


@pytest.fixture
def rows():
    return np.random.default_rng(0).normal(size=(7, 4))


def test_linear_kernel_gives_the_euclidean_metric(rows):
    space = KernelMetric(Linear())
    expected = Euclidean().squared_distance(rows, rows)
    np.testing.assert_allclose(space.squared_distance(rows, rows), expected, atol=1e-12)
    np.testing.assert_allclose(
        space.squared_distance_gradient(rows[0], rows), 2 * (rows - rows[0]), atol=1e-12
    )


def test_gaussian_metric_by_formula(rows):
    D = Euclidean().squared_distance(rows, rows)
    expected = 2 - 2 * np.exp(-D / (2 * 1.7**2))
    space = KernelMetric(Gaussian(1.7))
    np.testing.assert_allclose(space.squared_distance(rows, rows), expected, atol=1e-12)
    np.testing.assert_allclose(space.product(rows, rows), Gaussian(1.7)(rows))


def test_indefinite_kernels_keep_negative_squares():
    kernel = Polynomial(degree=3, coef0=-2.0, gamma=1.0)
    x, w = np.sqrt([[0.5]]), np.sqrt([[1.5]])
    expected = (0.5 - 2) ** 3 - 2 * (np.sqrt(0.75) - 2) ** 3 + (1.5 - 2) ** 3
    assert expected < 0
    np.testing.assert_allclose(KernelMetric(kernel).squared_distance(x, w), [[expected]])


class Cosine:
    """Any object will do: no base class, no `pull`."""

    def __call__(self, X, Y=None):
        return np.cos(X[:, :1] - (X if Y is None else Y)[:, :1].T)

    def diag(self, X):
        return np.ones(len(X))

    def gradient(self, x, W):
        gradient = np.zeros_like(W)
        gradient[:, 0] = np.sin(x[0] - W[:, 0])
        return gradient


def test_takes_any_object_with_the_three_methods(rows):
    space = KernelMetric(Cosine())
    F = np.random.default_rng(1).normal(size=(7, 3))
    expected = 2 - 2 * np.cos(rows[:, :1] - rows[:3, :1].T)
    np.testing.assert_allclose(space.squared_distance(rows, rows[:3]), expected, atol=1e-15)
    pull = (-2 * F * np.sin(rows[:, :1] - rows[:3, :1].T)).sum(axis=0)
    np.testing.assert_allclose(space.pull(rows, rows[:3], F)[:, 0], pull)
    assert space.resolve(rows) is space


def test_resolve_fixes_the_kernel(rows):
    space = KernelMetric(Gaussian("median"))
    with pytest.raises(ValueError, match="resolve"):
        space.squared_distance(rows, rows)
    width = space.resolve(rows).kernel.width
    distances = np.sqrt(Euclidean().squared_distance(rows, rows)[np.triu_indices(7, 1)])
    assert width == pytest.approx(np.median(distances))


def test_refuses_kernels_without_a_metric(rows):
    with pytest.raises(TypeError, match="needs a kernel with `__call__`; 'rbf' has none"):
        KernelMetric("rbf").squared_distance(rows, rows)
    with pytest.raises(TypeError, match="`gradient`"):
        KernelMetric(SemiInnerProduct("l2")).squared_distance(rows, rows)
    asymmetric = Cosine()
    asymmetric.is_symmetric = False
    with pytest.raises(ValueError, match="symmetric"):
        KernelMetric(asymmetric).squared_distance(rows, rows)
