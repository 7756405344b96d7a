"""One chart: coordinates in which a linear duality map's product is diagonal."""

import numpy as np
import pytest
from sklearn.base import clone

from noneuclid.kernels import Gaussian
from noneuclid.spaces import (
    Chart,
    Euclidean,
    FourierSobolev,
    Hilbert,
    KernelMetric,
    LeeVerleysen,
    LinearSpace,
    Lp,
    PseudoEuclidean,
    Sobolev,
)
from noneuclid.testing import check_space, example_points, example_spaces

RNG = np.random.default_rng(0)


class Indefinite(LinearSpace):
    """A symmetric, indefinite product that is not diagonal."""

    laws = frozenset({"linearity", "homogeneity", "symmetry", "additivity"})
    G = np.array([[0.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 3.0]])

    def dual(self, V):
        return V @ self.G

    @property
    def n_features(self):
        return 3


@pytest.mark.parametrize("space", example_spaces(), ids=str)
def test_the_product_is_diagonal_with_positive_signs_first(space):
    X, W = (example_points(space, np.random.default_rng(seed), n) for seed, n in ((0, 9), (1, 4)))
    chart = space.chart(X.shape[1])
    bilinear = space.laws >= {"symmetry", "additivity"}
    assert (chart is not None) == (bilinear and isinstance(space, LinearSpace))
    if chart is None:
        return
    assert isinstance(chart, Chart)
    assert (np.diff(chart.signs) <= 0).all()
    assert set(chart.signs) <= {-1.0, 1.0}
    assert chart.positive == (chart.signs == 1).sum()
    assert chart.is_positive == space.is_hilbert
    Z, V = chart.forth(X), chart.forth(W)
    np.testing.assert_allclose(
        Z @ np.diag(chart.signs) @ V.T, space.product(X, W), rtol=1e-9, atol=1e-9
    )
    np.testing.assert_allclose(chart.back(Z), X, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("space", [Euclidean(), Lp(2), PseudoEuclidean(signature=(2, 1))], ids=str)
def test_a_diagonal_product_needs_no_copy(space):
    X = RNG.normal(size=(5, 3))
    chart = space.chart(3)
    assert chart.forth(X) is X
    assert chart.back(X) is X
    assert chart.is_identity


def test_pseudo_euclidean_signs_are_its_signature():
    chart = PseudoEuclidean(signature=(2, 3)).chart(5)
    np.testing.assert_array_equal(chart.signs, [1, 1, -1, -1, -1])
    assert chart.positive == 2
    assert not chart.is_positive


def test_an_indefinite_matrix_by_its_eigenvalues():
    chart = Indefinite().chart(3)
    values = np.linalg.eigvalsh(Indefinite.G)
    assert chart.positive == (values > 0).sum()
    lengths = (chart.forth(np.eye(3)) ** 2).sum(axis=0)  # λ along each direction, by modulus
    np.testing.assert_allclose(np.sort(lengths), np.sort(np.abs(values)))
    X = RNG.normal(size=(6, 3))
    np.testing.assert_allclose(chart.back(chart.forth(X)), X)
    assert not chart.is_identity


@pytest.mark.parametrize(
    "space",
    [Sobolev(), Sobolev(weights=(1, 0, 4)), FourierSobolev(order=1.5), Euclidean()],
    ids=str,
)
def test_flatten_is_the_chart(space):
    X = RNG.normal(size=(4, 12))
    chart = space.chart(12)
    np.testing.assert_array_equal(space.flatten(X), chart.forth(X))
    np.testing.assert_array_equal(space.unflatten(X), chart.back(X))


def test_a_cholesky_factor_flattens_a_gram_matrix():
    A = RNG.normal(size=(5, 5))
    G = A @ A.T + np.eye(5)
    Z = Hilbert(G).chart(5).forth(np.eye(5))
    np.testing.assert_allclose(Z, np.linalg.cholesky(G), atol=1e-12)


@pytest.mark.parametrize(
    "space", [Lp(1), Lp(3), LeeVerleysen(), Sobolev(p=1.5), KernelMetric(Gaussian())], ids=str
)
def test_no_chart_where_the_product_is_not_bilinear(space):
    assert space.chart(4) is None


def test_the_wrong_dimension_is_refused():
    with pytest.raises(ValueError, match=r"X has 5 features, but .* takes 4"):
        PseudoEuclidean(signature=(3, 1)).chart(5)


def test_a_chart_is_made_once_and_anew_when_a_parameter_changes():
    space = Sobolev(weights=(1, 1))
    before = space.chart(10)
    assert space.chart(10) is before
    space.set_params(weights=(1, 9))
    X = np.eye(10)
    expected = clone(space).chart(10).forth(X)
    np.testing.assert_array_equal(space.chart(10).forth(X), expected)
    assert not np.allclose(before.forth(X), expected)


class WrongChart(Indefinite):
    def _chart(self, d):
        chart = super()._chart(d)
        return Chart(chart.forth, chart.back, np.ones(d))


class WrongWayBack(Indefinite):
    def _chart(self, d):
        chart = super()._chart(d)
        return Chart(chart.forth, chart.forth, chart.signs)


@pytest.mark.parametrize(
    ("space", "sentence"), [(WrongChart(), "keep products"), (WrongWayBack(), "way back")]
)
def test_check_space_sees_a_wrong_chart(space, sentence):
    with pytest.raises(AssertionError, match=sentence):
        check_space(space)
