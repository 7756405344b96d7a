"""The compiled online loop does what the generic one does, in every l_p and under every rule."""

import numpy as np
import pytest

from noneuclid.numerics.hebbian import RESIDUAL, SANGER, SUBSPACE, hebbian_pass
from noneuclid.pca._online import first_state, show
from noneuclid.spaces import Lp


@pytest.mark.parametrize("p", [1, 1.5, 2, 2.7, 3, np.inf])
@pytest.mark.parametrize("rule", [SANGER, RESIDUAL, SUBSPACE])
@pytest.mark.parametrize("rate", [None, 1e-3])
def test_compiled_equals_generic(p, rule, rate):
    rng = np.random.default_rng(0)
    X, space = rng.normal(size=(60, 7)) + 1.0, Lp(p)
    states = []
    for compiled in (True, False):
        state = first_state(space, X.mean(axis=0), 3, np.random.RandomState(0))
        for _ in range(2):
            order = np.arange(60)[::-1]
            show(space, X, order, state, rule=rule, rate=rate, compiled=compiled)
        states.append(state)
    fast, slow = states
    assert fast.clock == slow.clock == 120
    np.testing.assert_allclose(fast.W, slow.W, atol=1e-10)
    np.testing.assert_allclose(fast.power, slow.power, atol=1e-10)


@pytest.mark.parametrize(("n", "d", "k"), [(1, 5, 1), (2, 16, 2), (40, 33, 1), (40, 100, 5)])
@pytest.mark.parametrize("p", [1, 1.5, 2])
def test_sanger_in_any_shape(p, n, d, k):
    """Odd numbers of components and widths that do not fill vector registers."""
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
