"""Lee and Verleysen's forces between all pairs: of few rows, of many, and one by one."""

import numpy as np
import pytest

from noneuclid.numerics import functional_dual, functional_magnitudes, lp_norm
from noneuclid.numerics.lee import compiled_lee_moments, lee_moments, lee_squared_distance
from noneuclid.numerics.lee_little import little_lee_moments

EXPONENTS = [1.0, 1.3, 1.5, 2.0, 3.0, 6.5]


@pytest.fixture
def pair():
    """Integers, so that many differences are 0, and numbers that cross it."""
    rng = np.random.default_rng(0)
    X = np.vstack([rng.integers(-2, 3, size=(40, 7)), rng.normal(size=(23, 7))])
    W = np.vstack([rng.integers(-2, 3, size=(3, 7)), rng.normal(size=(2, 7)), X[:1]])
    return X.astype(float), W.astype(float)


def one_by_one(X, W, F, p):
    """Costs and slopes by the simple forms of the norm and of its duality map."""
    costs, slopes = np.zeros(len(W)), np.zeros(W.shape)
    for j, w in enumerate(W):
        V = X - w
        costs[j] = F[:, j] @ lp_norm(functional_magnitudes(V, 1.0), p) ** 2
        slopes[j] = -2.0 * F[:, j] @ functional_dual(V, p, 1.0)
    return costs, slopes


@pytest.mark.parametrize("p", EXPONENTS)
@pytest.mark.parametrize("moments", [little_lee_moments, compiled_lee_moments])
def test_forces_are_those_of_all_pairs_one_by_one(pair, p, moments):
    X, W = pair
    F = np.random.default_rng(1).normal(size=(len(X), len(W)))
    costs, slopes = one_by_one(X, W, F, p)
    found = moments(X, W, F, p, curved=False)
    np.testing.assert_allclose(found[0], costs, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(found[1], slopes, rtol=1e-10, atol=1e-10)
    assert found[2].shape == (len(W), 0)


@pytest.mark.parametrize("p", EXPONENTS)
def test_curvatures_of_few_rows_are_the_compiled_ones(pair, p):
    X, W = pair
    F = np.random.default_rng(1).random(size=(len(X), len(W)))
    few = little_lee_moments(X, W, F, p, curved=True)
    many = compiled_lee_moments(X, W, F, p, curved=True)
    for own, other in zip(few, many):
        np.testing.assert_allclose(own, other, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("p", [*EXPONENTS, np.inf])
def test_distances_of_few_and_of_many_rows(pair, p):
    X, W = pair
    expected = np.array([lp_norm(functional_magnitudes(X - w, 0.5), p) ** 2 for w in W]).T
    few = lee_squared_distance(X, W, p, 0.5)
    many = lee_squared_distance(np.tile(X, (20, 1)), W, p, 0.5)
    np.testing.assert_allclose(few, expected, rtol=1e-10, atol=1e-14)
    np.testing.assert_allclose(many[: len(X)], expected, rtol=1e-10, atol=1e-14)


def test_the_step_of_the_grid_scales_all(pair):
    X, W = pair
    F = np.ones((len(X), len(W)))
    for one, two in zip(lee_moments(X, W, F, 2.0, 1.0), lee_moments(X, W, F, 2.0, 2.0)):
        np.testing.assert_allclose(4.0 * one, two)


@pytest.mark.parametrize("p", EXPONENTS)
def test_no_rows_and_one_column(p):
    assert (
        little_lee_moments(np.empty((0, 3)), np.ones((2, 3)), np.empty((0, 2)), p, curved=True)[1]
        == 0
    ).all()
    narrow = little_lee_moments(
        np.array([[3.0]]), np.array([[1.0]]), np.ones((1, 1)), p, curved=True
    )
    assert narrow[0] == pytest.approx(4.0)
    assert narrow[1] == pytest.approx(-4.0)
