"""What a classifier would cost if one of its prototypes were another object, compiled.

Only the distances of that prototype change. So for a candidate o the cost is a sum over samples of
one distance D[o, i] beside numbers that stay.
"""

import math

import numpy as np

from noneuclid.numerics._jit import jit
from noneuclid.numerics.lvq import GUARD, SIGMOID, TANH
from noneuclid.typing import Array, IntArray


@jit(inline=True)
def _transfer(mu: float, transfer: int, slope: float) -> float:
    if transfer == SIGMOID:
        return 1.0 / (1.0 + math.exp(-slope * mu))
    return math.tanh(slope * mu)


@jit(sums=True)
def _identity_cost(row: Array, signs: Array, rest: Array, other: Array, weights: Array) -> float:
    """Σ_i weight · μ, as one loop without branches."""
    total = 0.0
    for i in range(row.size):
        d = min(rest[i], row[i])
        size = d + other[i]
        good = size > GUARD * (abs(d) + abs(other[i]))
        mu = signs[i] * (d - other[i]) / (size if good else 1.0)
        total += weights[i] * (mu if good else 1.0)
    return total


@jit()
def glvq_move_costs(
    D: Array,
    candidates: IntArray,
    own: np.ndarray,
    rest: Array,
    other: Array,
    weights: Array,
    transfer: int,
    slope: float,
    costs: Array,
) -> None:
    """GLVQ's cost for every candidate.

    ``rest`` is the distance to the nearest of the prototypes that stay, of the moved one's class
    for its own samples and of the other classes for the others; ``other`` is the distance to the
    nearest prototype on the opposite side.
    """
    signs = np.empty(own.size)
    for i in range(own.size):
        signs[i] = 1.0 if own[i] else -1.0
    for c in range(candidates.size):
        row = D[candidates[c]]
        if transfer != SIGMOID and transfer != TANH:
            costs[c] = slope * _identity_cost(row, signs, rest, other, weights)
            continue
        total = 0.0
        for i in range(row.size):
            d = min(rest[i], row[i])
            size = d + other[i]
            mu = 1.0
            if size > GUARD * (abs(d) + abs(other[i])):
                mu = signs[i] * (d - other[i]) / size
            total += weights[i] * _transfer(mu, transfer, slope)
        costs[c] = total


@jit(inline=True)
def _log_add(a: float, b: float) -> float:
    """log(exp a + exp b)."""
    high, low = (a, b) if a > b else (b, a)
    return high if low - high < -50.0 else high + math.log1p(math.exp(low - high))


@jit()
def rslvq_move_costs(
    D: Array,
    candidates: IntArray,
    own: np.ndarray,
    rest_own: Array,
    rest_all: Array,
    weights: Array,
    sigma2: float,
    log_prior: float,
    costs: Array,
) -> None:
    """RSLVQ's cost for every candidate.

    ``rest_own`` and ``rest_all`` are the log-sums over the prototypes that stay, of the sample's
    class and of all.
    """
    for c in range(candidates.size):
        row = D[candidates[c]]
        total = 0.0
        for i in range(row.size):
            e = log_prior - row[i] / sigma2
            right = _log_add(rest_own[i], e) if own[i] else rest_own[i]
            total += weights[i] * (_log_add(rest_all[i], e) - right)
        costs[c] = total
