r"""Online neural gas and self-organising maps, one sample at a time, compiled.

Every sample pulls prototype j by a share :math:`a_j = \epsilon h_j` of the way,

.. math:: w_j \leftarrow w_j + a_j (x - w_j),

where h depends on the distances only. Neural gas: a table h over the ranks. Maps: row of the
winner :math:`\arg\min_k \sum_j T_{kj} d_j` in the table T over pairs of units. Both tables stay
fixed during a call.
"""

import numpy as np

from noneuclid.numerics._jit import jit
from noneuclid.numerics._types import Array, IntArray
from noneuclid.numerics.lvq import _SCALE_LOW, _axpby

# A pull below this moves no digit.
_NO_PULL = 1e-17
# So few ranks are found faster one after the other than by sorting.
_FEW = 8


@jit()
def _rank_pulls(d: Array, h: Array, rate: float, a: Array) -> float:
    """a_j = ε h[rank_j]; ``h`` ends where its pulls would move nothing. d is scratch afterwards."""
    a[:] = 0.0
    cost = 0.0
    if h.size <= _FEW:
        for k in range(h.size):
            j = np.argmin(d)
            a[j] = rate * h[k]
            cost += h[k] * d[j]
            d[j] = np.inf
    else:
        order = np.argsort(d)
        for k in range(h.size):
            a[order[k]] = rate * h[k]
            cost += h[k] * d[order[k]]
    return cost


@jit(sums=True)
def _local_error(T: Array, k: int, d: Array) -> float:
    total = 0.0
    for j in range(d.size):
        total += T[k, j] * d[j]
    return total


@jit()
def _map_pulls(d: Array, T: Array, rate: float, a: Array) -> float:
    """a_j = ε T[winner, j], the winner having the least local error (Heskes)."""
    winner, least = 0, np.inf
    for k in range(d.size):
        error = _local_error(T, k, d)
        if error < least:
            winner, least = k, error
    for j in range(d.size):
        a[j] = rate * T[winner, j]
    return least


@jit()
def _pulls(d: Array, table: Array, by_rank: bool, rate: float, a: Array) -> float:
    """Set the pulls of one sample, and return its cost Σ_j h_j d_j."""
    if by_rank:
        cost = _rank_pulls(d, table[0], rate, a)
    elif table.shape[1] == 1:  # a neighbourhood of no width: the winner is the nearest
        winner = np.argmin(d)
        a[:] = 0.0
        a[winner] = rate
        cost = d[winner]
    else:
        cost = _map_pulls(d, table, rate, a)
    for j in range(a.size):
        if a[j] < _NO_PULL:
            a[j] = 0.0
    return cost


@jit(sums=True)
def _pull_and_measure(W: Array, j: int, a: float, X: Array, last: int, i: int) -> float:
    """Move w_j towards sample ``last``, and return its squared distance to sample i."""
    total = 0.0
    if a == 0.0:
        for k in range(W.shape[1]):
            v = X[i, k] - W[j, k]
            total += v * v
    else:
        for k in range(W.shape[1]):
            w = W[j, k] + a * (X[last, k] - W[j, k])
            W[j, k] = w
            v = X[i, k] - w
            total += v * v
    return total


@jit()
def vector_steps(
    X: Array, order: IntArray, table: Array, by_rank: bool, rate: float, W: Array
) -> float:
    """Steps of Euclidean prototypes W over the samples in ``order``, in place.

    A step and the distances of the next one share a pass over W. Returns the sum of the costs
    the samples had when they were seen.
    """
    m = len(W)
    d, a = np.empty(m), np.zeros(m)
    cost = 0.0
    last = order[0]
    for i in order:
        for j in range(m):
            d[j] = _pull_and_measure(W, j, a[j], X, last, i)
        cost += _pulls(d, table, by_rank, rate, a)
        last = i
    for j in range(m):
        _pull_and_measure(W, j, a[j], X, last, last)
    return cost


@jit()
def _pull_coefficients(G: Array, scale: Array, j: int, i: int, a: float) -> None:
    """γ_j ← (1 − a)γ_j + a e_i, where γ_j is kept as a scale times a row: O(1)."""
    s = (1.0 - a) * scale[j]
    if s < _SCALE_LOW:
        G[j] *= s
        scale[j] = s = 1.0
    scale[j] = s
    G[j, i] += a / s


@jit()
def combination_steps(
    M: Array,
    c: Array,
    order: IntArray,
    table: Array,
    by_rank: bool,
    rate: float,
    G: Array,
    A: Array,
    q: Array,
) -> float:
    """Steps of combinations of objects (see :mod:`noneuclid.numerics.lvq`), in place."""
    m = len(G)
    d, a, scale = np.empty(m), np.empty(m), np.ones(m)
    cost = 0.0
    for i in order:
        for j in range(m):
            d[j] = c[0] * M[i, i] + c[1] * A[j, i] + c[2] * q[j]
        cost += _pulls(d, table, by_rank, rate, a)
        for j in range(m):
            if a[j] > 0.0:
                s = 1.0 - a[j]
                q[j] = s * s * q[j] + 2.0 * s * a[j] * A[j, i] + a[j] * a[j] * M[i, i]
                _axpby(s, A[j], a[j], M[i])
                _pull_coefficients(G, scale, j, i, a[j])
    for j in range(m):
        G[j] *= scale[j]
    return cost


@jit(sums=True)
def _signed_distance(Z: Array, i: int, W: Array, j: int, positive: int) -> float:
    plus = minus = 0.0
    for k in range(positive):
        v = Z[i, k] - W[j, k]
        plus += v * v
    for k in range(positive, Z.shape[1]):
        v = Z[i, k] - W[j, k]
        minus += v * v
    return plus - minus


@jit()
def feature_steps(
    Z: Array,
    positive: int,
    order: IntArray,
    table: Array,
    by_rank: bool,
    rate: float,
    G: Array,
    W: Array,
) -> float:
    """Steps of combinations of feature vectors, the first ``positive`` directions positive."""
    m = len(G)
    d, a, scale = np.empty(m), np.empty(m), np.ones(m)
    cost = 0.0
    for i in order:
        for j in range(m):
            d[j] = _signed_distance(Z, i, W, j, positive)
        cost += _pulls(d, table, by_rank, rate, a)
        for j in range(m):
            if a[j] > 0.0:
                _axpby(1.0 - a[j], W[j], a[j], Z[i])
                _pull_coefficients(G, scale, j, i, a[j])
    for j in range(m):
        G[j] *= scale[j]
    return cost
