"""The compiled online loop does what the generic one does, in every l_p and under every rule."""

import numpy as np
import pytest

from noneuclid.numerics.hebbian import RESIDUAL, SANGER, SUBSPACE
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
