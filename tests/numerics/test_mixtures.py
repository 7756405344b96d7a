"""Compiled costs of robust soft LVQ against the plain form."""

import numpy as np
import pytest

from noneuclid.prototypes.costs import Membership, RSLVQCost, rslvq


@pytest.mark.parametrize("sigma2", [0.3, np.array([0.1, 0.5, 2.0, 1.0, 0.2])])
@pytest.mark.parametrize("prior", [None, np.array([0.1, 0.2, 0.3, 0.2, 0.2])])
@pytest.mark.parametrize("size", [1.0, 1e5, 1e-9])  # 1e5: own prototypes beyond the range of exp
def test_compiled_costs_are_the_plain_ones(sigma2, prior, size, monkeypatch):
    rng = np.random.default_rng(0)
    D = size * (rng.random((40, 5)) - 0.1)
    who = Membership(rng.integers(3, size=40), np.array([0, 0, 1, 2, 2]))
    cost = RSLVQCost(sigma2=sigma2, prior=prior)
    plain = cost.per_sample(D, who)
    monkeypatch.setattr(rslvq, "_FEW", 0)
    for distances in (D, np.asfortranarray(D)):
        compiled = cost.per_sample(distances, who)
        np.testing.assert_allclose(compiled.values, plain.values, rtol=1e-11, atol=1e-12)
        np.testing.assert_allclose(compiled.forces, plain.forces, rtol=1e-9, atol=1e-12)


def test_distances_that_are_not_finite_give_no_number(monkeypatch):
    monkeypatch.setattr(rslvq, "_FEW", 0)
    D = np.array([[1.0, np.nan], [1.0, 2.0]])
    values = RSLVQCost(sigma2=1.0).per_sample(D, Membership(np.array([0, 1]), np.arange(2))).values
    assert np.isnan(values[0])
    assert np.isfinite(values[1])
