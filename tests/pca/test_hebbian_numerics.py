"""The compiled online loop does what the generic one does, in every space and under every rule."""

import numpy as np
import pytest

from noneuclid.numerics.hebbian import RESIDUAL, SANGER, SUBSPACE, hebbian_pass
from noneuclid.pca import _online
from noneuclid.pca._online import compiled_form, first_state, show
from noneuclid.spaces import (
    Euclidean,
    GeneralizedLp,
    LeeVerleysen,
    LinearSpace,
    Lp,
    ProductSpace,
    Sobolev,
)
from noneuclid.testing import example_spaces

POWERS = [Euclidean(), *(Lp(p) for p in (1, 1.5, 2.7, 3, np.inf))]
CURVES = [
    space
    for space in example_spaces()
    if isinstance(space, (Sobolev, LeeVerleysen)) and not space.is_hilbert
]
PRODUCTS = [
    ProductSpace([Lp(1), "l2", Lp(2.7)], weights=(1.0, 3.0, 0.5), splits=(1, 4)),
    ProductSpace([Lp(1.5), LeeVerleysen(p=1, tau=0.5)], weights=(1.0, 0.3), splits=(3,)),
    ProductSpace([Sobolev(p=1), Lp(np.inf)], weights=(0.2, 1.0), splits=(4,)),
    ProductSpace([Sobolev(), Lp(3)], splits=(4,)),
]


def taught(space, X, *, rule, rate=None, epochs=2, k=3):
    """States after the compiled and after the generic passes."""
    states = []
    for compiled in (True, False):
        state = first_state(space, X.mean(axis=0), k, np.random.RandomState(0))
        for _ in range(epochs):
            order = np.arange(len(X))[::-1]
            show(space, X, order, state, rule=rule, rate=rate, compiled=compiled)
        states.append(state)
    return states


def assert_equal(fast, slow, tolerance=1e-10):
    assert fast.clock == slow.clock
    np.testing.assert_allclose(fast.W, slow.W, atol=tolerance * np.abs(slow.W).max())
    np.testing.assert_allclose(fast.power, slow.power, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("space", POWERS + CURVES + PRODUCTS, ids=str)
@pytest.mark.parametrize("rule", [SANGER, RESIDUAL, SUBSPACE])
@pytest.mark.parametrize("rate", [None, 1e-3])
def test_compiled_equals_generic(space, rule, rate):
    X = np.random.default_rng(0).normal(size=(30, space.n_features or 7)) + 1.0
    assert compiled_form(space, X.shape[1]) is not None
    assert_equal(*taught(space, X, rule=rule, rate=rate))


def test_rows_whose_images_do_not_fit_at_once(monkeypatch):
    space = Sobolev(p=1, spacing="unit")
    X = np.random.default_rng(2).normal(size=(50, 9))
    whole = taught(space, X, rule=RESIDUAL)[0]
    monkeypatch.setattr(_online, "_IMAGE_BYTES", 9 * 8 * 7)
    parts, simple = taught(space, X, rule=RESIDUAL)
    assert_equal(parts, whole, 1e-13)
    assert_equal(parts, simple)


@pytest.mark.parametrize("space", [s for s in CURVES if s.p < 2], ids=str)
def test_curves_that_are_flat_in_places(space):
    """A derivative that is 0 but for rounding has no sign, on no grid and with no offset."""
    X = np.random.default_rng(3).normal(size=(80, space.n_features or 8)) + 1e3
    X[:, :4] = X[:, :1]
    assert_equal(*taught(space, X, rule=RESIDUAL, epochs=12), 1e-9)


def test_only_what_is_the_gradient_of_the_distance_is_compiled():
    """The other responses have forms of their distances, too."""
    assert compiled_form(GeneralizedLp(1.5), 4) is None
    assert compiled_form(Lp(1e3), 4) is None
    for space in example_spaces():
        if isinstance(space, LinearSpace) and (space.n_features or 6) == 6:
            form = compiled_form(space, 6)
            if form is not None:
                W = np.random.default_rng(0).normal(size=(3, 6))
                back = form.response_rows(form.response_images(W))
                np.testing.assert_allclose(back, W, rtol=1e-13)


@pytest.mark.parametrize(
    ("n", "d", "k"), [(1, 5, 1), (2, 16, 2), (40, 33, 1), (40, 9, 3), (40, 12, 4), (40, 100, 5)]
)
@pytest.mark.parametrize("p", [1, 1.5, 2])
def test_sanger_in_any_shape(p, n, d, k):
    """Odd numbers of components, and widths that do not fill vector registers."""
    rng = np.random.default_rng(1)
    X, space = rng.normal(size=(n, d)), Lp(p)
    X[:, 0] = 0.0
    states = []
    for compiled in (True, False):
        state = first_state(space, np.zeros(d), k, np.random.RandomState(0))
        state.W[:, 0] = 0.0  # sgn(0) = 0
        show(space, X, np.arange(n), state, rule=SANGER, rate=None, compiled=compiled)
        states.append(state)
    np.testing.assert_allclose(states[0].W, states[1].W, atol=1e-11)
    np.testing.assert_allclose(states[0].power, states[1].power, atol=1e-11)


def test_sign_of_zero():
    """A component's entry that is exactly 0 does not answer in l_1."""
    W, power = np.array([[0.0, 1.0]]), np.zeros(1)
    X, order = np.array([[3.0, 2.0], [5.0, 0.0]]), np.array([1, 0])
    hebbian_pass(X, np.zeros(2), order, W, power, clock=0, p=1, rule=SANGER, rate=0.5, horizon=0.0)
    # the first sample has response 0 and moves nothing; the second has response 2
    np.testing.assert_allclose(W, [[0.0 + 0.5 * 2 * 3, 1.0 + 0.5 * 2 * (2 - 2 * 1)]])
