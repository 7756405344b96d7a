r"""Online neural gas and self-organising maps, one sample at a time, compiled.

Every sample pulls prototype j by a share :math:`a_j = \epsilon h_j` of the way,

.. math:: w_j \leftarrow w_j + a_j (x - w_j),

where h depends on the distances only. Neural gas: a table h over the ranks. Maps: row of the
winner :math:`\arg\min_k \sum_j T_{kj} d_j` in the table T over pairs of units, which is given
transposed, as a product of what is along and across the rows of the map:

.. math:: T_{kj} = A_{k_1 j_1} B_{k_2 j_2}, \qquad
          \sum_j T_{kj} d_j = \sum_{j_1} A_{k_1 j_1} \sum_{j_2} B_{k_2 j_2} d_{j_1 j_2} .

With r rows of c units that takes rc(r + c) products instead of (rc)². A table that is no such
product has A = 1 and one long row. Tables stay fixed during a call.
"""

from typing import Literal

import numpy as np

from noneuclid.numerics._jit import jit
from noneuclid.numerics._lanes import LANES, small_product, where_negative
from noneuclid.numerics._prefetch import ask_ahead
from noneuclid.numerics.lvq import _SCALE_LOW, _axpby, scale_row
from noneuclid.numerics.lvq_vectors import signed_distance
from noneuclid.numerics.ties import TIE, first_least
from noneuclid.typing import Array, IntArray

Table = tuple[Array, Array]
"""A' and B'. By rank: anything, and h in one row. No neighbourhood at all: 1, and m rows of 1."""
ByRank = Literal[True] | None
"""Ranks or the winner decide: only what belongs to the one of them is compiled."""
SHORTEST_ROW = LANES
"""Units a row of the map needs for its table to be such a product."""
# A pull below this moves no digit.
_NO_PULL = 1e-17
# So few ranks are found one after the other; among so few prototypes, by comparing all pairs.
_FEW = 8
_PAIRS = 600
# So few numbers are ranked by NumPy.
_LITTLE = 1 << 12


@jit(sums=True)
def _largest_modulus(d: Array) -> float:
    top = 0.0
    for j in range(d.size):
        size = abs(d[j])
        top = size if size > top else top
    return top


@jit()
def _rising(d: Array, order: IntArray, spare: IntArray) -> None:
    """Indices that sort numbers, by merging: numba's own sorts take seconds to compile."""
    m = d.size
    for j in range(m):
        order[j] = j
    width = 1
    while width < m:
        for start in range(0, m, 2 * width):
            middle, stop = min(start + width, m), min(start + 2 * width, m)
            i, j = start, middle
            for k in range(start, stop):
                if i < middle and (j == stop or d[order[i]] <= d[order[j]]):
                    spare[k] = order[i]
                    i += 1
                else:
                    spare[k] = order[j]
                    j += 1
        for k in range(m):
            order[k] = spare[k]
        width *= 2


@jit()
def _set_ranks_in_runs(d: Array, ranks: Array, turn: int) -> None:
    """Ranks in runs of numbers that are equal up to rounding."""
    m = d.size
    order, length, seen = np.empty(m, np.int64), np.empty(m, np.int64), np.zeros(m, np.int64)
    _rising(d, order, length)
    start = 0
    for k in range(1, m + 1):
        last = d[order[k - 1]]
        if k == m or d[order[k]] > last + TIE * abs(last):  # here ends a run of equals
            for i in range(start, k):
                ranks[order[i]] = start
            length[start] = k - start
            start = k
    for j in range(m):  # within a run, by index
        start = int(ranks[j])
        ranks[j] = start + (seen[start] - turn) % length[start]
        seen[start] += 1


@jit()
def _set_ranks(d: Array, ranks: Array, turn: int, low: Array) -> None:
    """ranks[j] = how many distances are smaller; those equal up to rounding stay in order.

    ``turn`` lets each run of equals begin so many places later, and end with those before; ``low``
    is scratch.
    """
    m = d.size
    if m <= _PAIRS:
        margin = TIE * _largest_modulus(d)
        for j in range(m):
            low[j] = d[j] - margin
            ranks[j] = 0.0
        for k in range(0, m - 3, 4):
            d0, d1, d2, d3 = d[k], d[k + 1], d[k + 2], d[k + 3]
            for j in range(m):
                first = (1.0 if d0 < low[j] else 0.0) + (1.0 if d1 < low[j] else 0.0)
                ranks[j] += first + ((1.0 if d2 < low[j] else 0.0) + (1.0 if d3 < low[j] else 0.0))
        for k in range(m - m % 4, m):
            dk = d[k]
            for j in range(m):
                ranks[j] += 1.0 if dk < low[j] else 0.0
        total = 0.0
        for j in range(m):
            total += ranks[j]
        if total == 0.5 * m * (m - 1):  # no two may be equal
            return
    _set_ranks_in_runs(d, ranks, turn)


@jit()
def _rank_rows(D: Array, ranks: Array, turns: IntArray) -> None:
    low = np.empty(D.shape[1])
    for i in range(len(D)):
        _set_ranks(D[i], ranks[i], turns[i], low)


def rank_rows(D: Array, ranks: Array, turns: IntArray | None = None) -> None:
    """Ranks of the entries within each row; for few of them nothing is compiled.

    Equals take turns from row to row: prototypes that coincide would stay together for ever if
    the same one came first for every sample. ``turns`` are the numbers of the rows, if they are
    some of others.
    """
    turns = np.arange(len(D)) if turns is None else turns
    if D.size > _LITTLE:
        _rank_rows(D, ranks, turns)
        return
    order = np.argsort(D, axis=1, kind="stable")
    np.put_along_axis(ranks, order, np.arange(float(D.shape[1]))[None, :], axis=1)
    rising = np.take_along_axis(D, order, axis=1)
    tied = rising[:, 1:] <= rising[:, :-1] + TIE * np.abs(rising[:, :-1])
    for i in np.flatnonzero(tied.any(axis=1)):
        run = np.concatenate([[0], np.cumsum(~tied[i])])
        first = np.searchsorted(run, run)  # where the run of each place begins
        for start in np.unique(first):
            members = np.sort(order[i, first == start])
            ranks[i, np.roll(members, -turns[i])] = start + np.arange(len(members))


@jit(inline=True)
def _strong(pull: float) -> float:
    """A pull, or 0 if it moves nothing."""
    return where_negative(_NO_PULL - pull, pull)


@jit()
def _rank_pulls(d: Array, h: Array, rate: float, ranks: Array, a: Array) -> float:
    """a_j = ε h[rank_j]; ``h`` ends where its pulls would move nothing. d is scratch afterwards."""
    cost = 0.0
    if h.size <= _FEW:
        a[:] = 0.0
        for k in range(h.size):
            j = first_least(d)
            a[j] = _strong(rate * h[k])
            cost += h[k] * d[j]
            d[j] = np.inf
    else:
        _set_ranks(d, ranks, 0, a)
        a[:] = 0.0
        for j in range(d.size):
            k = int(ranks[j])
            if k < h.size:
                a[j] = _strong(rate * h[k])
                cost += h[k] * d[j]
    return cost


@jit()
def _local_errors(d: Array, T: Array, e: Array) -> None:
    """e_k = Σ_j T[j, k] d_j."""
    m = d.size
    e[:] = 0.0
    for j in range(0, m - 3, 4):  # four at a time: e is read and written less often
        d0, d1, d2, d3 = d[j], d[j + 1], d[j + 2], d[j + 3]
        for k in range(m):
            e[k] += (d0 * T[j, k] + d1 * T[j + 1, k]) + (d2 * T[j + 2, k] + d3 * T[j + 3, k])
    for j in range(m - m % 4, m):
        for k in range(m):
            e[k] += d[j] * T[j, k]


@jit(inline=True)
def local_errors_on_grid(d: Array, rows: Array, columns: Array, e: Array, spare: Array) -> None:
    """The same for T = rows ⊗ columns: first along the rows of the grid, then across them."""
    n_rows, length = len(rows), len(columns)
    small_product(d, 0, length, 1, length, columns, spare, n_rows, length)
    small_product(rows, 0, 1, n_rows, n_rows, spare, e, n_rows, length)


@jit(inline=True)
def _map_pulls(d: Array, table: Table, rate: float, e: Array, a: Array) -> float:
    """a_j = ε T[j, winner], the winner k having the least local error Σ_j T[j, k] d_j (Heskes).

    ``d`` is scratch afterwards: what is read and written in the same place, or not, by a choice,
    would be a masked store, which takes some processors as long as ten others.
    """
    rows, columns = table
    n_rows, length = len(rows), len(columns)
    if n_rows == 1:
        _local_errors(d, columns, e)
        winner = first_least(e)
        for j in range(length):
            a[j] = _strong(rate * columns[j, winner])
        return float(e[winner])
    local_errors_on_grid(d, rows, columns, e, a)
    winner = first_least(e)
    error = float(e[winner])
    across, along = winner // length, winner % length
    for x in range(length):
        e[x] = rate * columns[x, along]
    small_product(rows, across, n_rows, 0, 1, e, d, n_rows, length)
    for j in range(a.size):
        a[j] = _strong(d[j])
    return error


@jit(inline=True)
def _pulls(d: Array, table: Table, by_rank: ByRank, rate: float, e: Array, a: Array) -> float:
    """Set the pulls of one sample, and return its cost Σ_j h_j d_j; d is scratch afterwards."""
    columns = table[1]
    if by_rank is not None:
        cost = _rank_pulls(d, columns[0], rate, e, a)
    elif columns.shape == (d.size, 1):  # a neighbourhood of no width: the winner is the nearest
        winner = first_least(d)
        a[:] = 0.0
        a[winner] = rate
        cost = float(d[winner])
    else:
        cost = _map_pulls(d, table, rate, e, a)
    return cost


@jit()
def vector_steps(
    X: Array, origin: Array, order: IntArray, table: Table, by_rank: ByRank, rate: float, V: Array
) -> float:
    """Steps of Euclidean prototypes over the samples in ``order``, in place.

    Samples are counted from ``origin``, as the prototypes are. Those are the *columns* of V: then
    the innermost loops run over all of them, and need no sums. A step and the distances of the
    next one share a pass over V. Returns the sum of the costs the samples had when they were seen.
    """
    dim, m = V.shape
    d, e, a = np.empty(m), np.empty(m), np.zeros(m)
    now, last = np.empty(dim), np.zeros(dim)
    cost = 0.0
    for s in range(order.size):
        ask_ahead(X, order, s)
        for k in range(dim):
            now[k] = X[order[s], k] - origin[k]
        d[:] = 0.0
        for k in range(0, dim - 3, 4):  # four at a time: d and a are read and written less often
            x0, x1, x2, x3 = now[k], now[k + 1], now[k + 2], now[k + 3]
            y0, y1, y2, y3 = last[k], last[k + 1], last[k + 2], last[k + 3]
            for j in range(m):
                v0 = V[k, j] + a[j] * (y0 - V[k, j])
                v1 = V[k + 1, j] + a[j] * (y1 - V[k + 1, j])
                v2 = V[k + 2, j] + a[j] * (y2 - V[k + 2, j])
                v3 = V[k + 3, j] + a[j] * (y3 - V[k + 3, j])
                V[k, j], V[k + 1, j], V[k + 2, j], V[k + 3, j] = v0, v1, v2, v3
                first = (x0 - v0) * (x0 - v0) + (x1 - v1) * (x1 - v1)
                d[j] += first + ((x2 - v2) * (x2 - v2) + (x3 - v3) * (x3 - v3))
        for k in range(dim - dim % 4, dim):
            x, y = now[k], last[k]
            for j in range(m):
                v = V[k, j] + a[j] * (y - V[k, j])
                V[k, j] = v
                d[j] += (x - v) * (x - v)
        cost += _pulls(d, table, by_rank, rate, e, a)
        for k in range(dim):
            last[k] = now[k]
    for k in range(dim):
        for j in range(m):
            V[k, j] += a[j] * (last[k] - V[k, j])
    return cost


@jit()
def _pull_coefficients(G: Array, scale: Array, j: int, i: int, a: float) -> None:
    """γ_j ← (1 − a)γ_j + a e_i, where γ_j is kept as a scale times a row: O(1)."""
    s = (1.0 - a) * scale[j]
    if s < _SCALE_LOW:
        scale_row(G, j, s)
        scale[j] = s = 1.0
    scale[j] = s
    G[j, i] += a / s


@jit()
def combination_steps(
    M: Array,
    c: Array,
    order: IntArray,
    table: Table,
    by_rank: ByRank,
    rate: float,
    G: Array,
    A: Array,
    q: Array,
) -> float:
    """Steps of combinations of objects (see :mod:`noneuclid.numerics.lvq`), in place."""
    m = len(G)
    d, e, a, scale = np.empty(m), np.empty(m), np.empty(m), np.ones(m)
    cost = 0.0
    for i in order:
        for j in range(m):
            d[j] = c[0] * M[i, i] + c[1] * A[j, i] + c[2] * q[j]
        cost += _pulls(d, table, by_rank, rate, e, a)
        for j in range(m):
            if a[j] > 0.0:
                s = 1.0 - a[j]
                q[j] = s * s * q[j] + 2.0 * s * a[j] * A[j, i] + a[j] * a[j] * M[i, i]
                _axpby(s, A[j], a[j], M[i])
                _pull_coefficients(G, scale, j, i, a[j])
    for j in range(m):
        scale_row(G, j, scale[j])
    return cost


@jit()
def feature_steps(
    Z: Array,
    positive: int,
    order: IntArray,
    table: Table,
    by_rank: ByRank,
    rate: float,
    G: Array,
    W: Array,
) -> float:
    """Steps of combinations of feature vectors, the first ``positive`` directions positive."""
    m = len(G)
    d, e, a, scale = np.empty(m), np.empty(m), np.empty(m), np.ones(m)
    cost = 0.0
    for s in range(order.size):
        i = order[s]
        ask_ahead(Z, order, s)
        for j in range(m):
            d[j] = signed_distance(Z, i, W, j, positive)
        cost += _pulls(d, table, by_rank, rate, e, a)
        for j in range(m):
            if a[j] > 0.0:
                _axpby(1.0 - a[j], W[j], a[j], Z[i])
                _pull_coefficients(G, scale, j, i, a[j])
    for j in range(m):
        scale_row(G, j, scale[j])
    return cost
