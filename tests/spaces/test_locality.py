"""Where geometries look: parts add up to the norm, and shares to the number of positions."""

import tracemalloc

import numpy as np
import pytest

from noneuclid.datasets import make_spectra
from noneuclid.kernels import Gaussian
from noneuclid.spaces import (
    Euclidean,
    GeneralizedLp,
    Hilbert,
    IncompatibleSpace,
    KernelMetric,
    LeeVerleysen,
    Lp,
    Sobolev,
    attention,
    local_parts,
)

DATA = make_spectra(30, n_points=40)
V = DATA.X[:6] - DATA.X[6:12]
SPACES = [
    Euclidean(),
    Lp(1),
    Lp(3),
    GeneralizedLp(3),
    LeeVerleysen(p=1),
    Hilbert(np.diag(np.arange(1.0, 41.0))),
    Sobolev(spacing="unit"),
    Sobolev(p=1.5, weights=(1, 0.5, 0.2)),
    Sobolev(p=np.inf),
    Sobolev(grid=np.linspace(0, 1, 40) ** 2),
]


@pytest.mark.parametrize("space", SPACES, ids=str)
def test_parts_add_up_to_the_squared_norm(space):
    parts = local_parts(space, V)
    assert parts.shape == V.shape
    np.testing.assert_allclose(parts.sum(axis=1), space.squared_norm(V), rtol=1e-9)


@pytest.mark.parametrize("space", SPACES, ids=str)
def test_shares_are_one_on_average(space):
    assert attention(space, DATA.X, DATA.labels).mean() == pytest.approx(1.0)


def test_sobolev_parts_are_local_and_positive():
    space = Sobolev(spacing="unit")
    t = np.linspace(0, 1, 40)
    expected = np.gradient(t) * (V**2 + np.gradient(V, t, axis=1) ** 2)
    np.testing.assert_allclose(local_parts(space, V), expected, rtol=1e-9)
    assert (expected >= 0).all()
    assert (V * space.dual(V)).min() < 0  # the terms of the product are not


def test_zero_has_no_parts():
    for space in (Sobolev(), Sobolev(p=1), Euclidean()):
        assert not local_parts(space, np.zeros((1, 5))).any()


def test_one_pair_has_its_own_shares():
    pair, v = DATA.X[:2], DATA.X[0] - DATA.X[1]
    np.testing.assert_allclose(attention("l2", pair), 40 * v**2 / (v**2).sum())


def test_only_curves_of_different_classes_are_compared():
    X = np.array([[0.0, 0.0], [0.0, 9.0], [1.0, 0.0], [1.0, 9.0]])
    np.testing.assert_allclose(attention("l1", X[[0, 2]], ["a", "b"]), [2.0, 0.0])
    shares = attention("l1", X, ["a", "a", "b", "b"])
    assert shares[0] > attention("l1", X)[0]


def test_the_same_seed_gives_the_same_shares():
    one, same, other = (attention("l2", DATA.X, random_state=s) for s in (1, 1, 2))
    np.testing.assert_array_equal(one, same)
    assert (one != other).any()


def test_what_cannot_be_looked_at():
    with pytest.raises(IncompatibleSpace, match="local_parts needs a space with `dual`"):
        attention(KernelMetric(Gaussian()), DATA.X)
    with pytest.raises(ValueError, match="30 curves but labels of shape"):
        attention("l2", DATA.X, ["a"])
    with pytest.raises(ValueError, match="nothing to look at"):
        attention("l2", np.ones((4, 3)))
    with pytest.raises(ValueError, match="nothing to look at"):
        attention("l2", DATA.X, ["a"] * 30)
    with pytest.raises(ValueError, match=r"n_pairs \(=0\)"):
        attention("l2", DATA.X, n_pairs=0)


def test_only_the_pairs_that_count_are_held():
    """Of 3,200 pairs with 20,000 positions each, the differences alone would take half a GB."""
    X = np.random.default_rng(0).normal(size=(10, 20_000))
    tracemalloc.start()
    try:
        attention("l1", X)
        assert tracemalloc.get_traced_memory()[1] < 3e8
    finally:
        tracemalloc.stop()
