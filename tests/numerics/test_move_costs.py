"""What a move of one prototype would cost, against the cost of the moved set."""

import numpy as np
import pytest
from scipy.special import expit, logsumexp

from noneuclid.numerics.lvq import IDENTITY, SIGMOID, TANH
from noneuclid.numerics.median import glvq_move_costs, rslvq_move_costs

TRANSFERS = {IDENTITY: lambda u: u, SIGMOID: expit, TANH: np.tanh}
LABELS = np.array([0, 0, 1, 1])


def problem(seed):
    rng = np.random.default_rng(seed)
    y = np.arange(12) % 2
    X = rng.normal(size=(12, 2)) + 2.0 * y[:, None]
    D = ((X[:, None] - X) ** 2).sum(axis=2)
    chosen = np.concatenate([np.flatnonzero(y == c)[:2] for c in (0, 1)])
    return D, y, chosen, rng.uniform(0.5, 2.0, size=12)


def glvq(D, y, chosen, weights, transfer, slope):
    own = y[:, None] == LABELS
    plus = np.where(own, D[:, chosen], np.inf).min(axis=1)
    minus = np.where(own, np.inf, D[:, chosen]).min(axis=1)
    mu = (plus - minus) / (plus + minus)
    return (weights * TRANSFERS[transfer](slope * mu)).sum()


def rslvq(D, y, chosen, weights, sigma2, log_prior):
    own = y[:, None] == LABELS
    E = log_prior - D[:, chosen] / sigma2
    right = logsumexp(np.where(own, E, -np.inf), axis=1)
    return (weights * (logsumexp(E, axis=1) - right)).sum()


@pytest.mark.parametrize("transfer", TRANSFERS)
@pytest.mark.parametrize("j", range(4))
@pytest.mark.parametrize("seed", range(2))
def test_glvq_moves(transfer, j, seed):
    D, y, chosen, weights = problem(seed)
    candidates = np.flatnonzero(y == LABELS[j])
    own = y[:, None] == LABELS
    stay = np.arange(4) != j
    P = D[:, chosen]
    right = np.where(own & stay, P, np.inf).min(axis=1)
    wrong = np.where(~own & stay, P, np.inf).min(axis=1)
    mine = own[:, j]
    costs = np.empty(len(candidates))
    glvq_move_costs(
        D,
        candidates,
        mine,
        np.where(mine, right, wrong),
        np.where(mine, wrong, right),
        weights,
        transfer,
        2.0,
        costs,
    )
    for o, cost in zip(candidates, costs):
        moved = chosen.copy()
        moved[j] = o
        assert cost == pytest.approx(glvq(D, y, moved, weights, transfer, 2.0))


@pytest.mark.parametrize("j", range(4))
@pytest.mark.parametrize("scale", [0.01, 1.0, 100.0])  # from hard to soft assignments
def test_rslvq_moves(j, scale):
    D, y, chosen, weights = problem(3)
    sigma2, log_prior = scale * np.array([0.5, 1.0, 1.5, 2.0]), np.log([0.1, 0.2, 0.3, 0.4])
    candidates = np.flatnonzero(y == LABELS[j])
    own = y[:, None] == LABELS
    E = np.where(np.arange(4) != j, log_prior - D[:, chosen] / sigma2, -np.inf)
    costs = np.empty(len(candidates))
    rslvq_move_costs(
        D,
        candidates,
        own[:, j],
        logsumexp(np.where(own, E, -np.inf), axis=1),
        logsumexp(E, axis=1),
        weights,
        sigma2[j],
        log_prior[j],
        costs,
    )
    for o, cost in zip(candidates, costs):
        moved = chosen.copy()
        moved[j] = o
        assert cost == pytest.approx(rslvq(D, y, moved, weights, sigma2, log_prior), rel=1e-9)


def test_a_prototype_alone_in_its_class_has_no_rest():
    D, y, _, weights = problem(4)
    candidates = np.flatnonzero(y == 0)
    other = D[:, np.flatnonzero(y == 1)[0]]
    costs = np.empty(len(candidates))
    mine = y == 0
    rest = np.where(mine, np.inf, other)
    opposite = np.where(mine, other, np.inf)
    # Samples of the other class have the moved prototype alone on their opposite side.
    glvq_move_costs(
        D,
        candidates,
        mine,
        np.where(mine, rest, np.inf),
        np.where(mine, opposite, other),
        weights,
        IDENTITY,
        1.0,
        costs,
    )
    for o, cost in zip(candidates, costs):
        plus = np.where(mine, D[o], other)
        minus = np.where(mine, other, D[o])
        assert cost == pytest.approx((weights * (plus - minus) / (plus + minus)).sum())
