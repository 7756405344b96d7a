r"""Dissimilarities of series that bend the axis of time.

All are least costs of a path from the first points of two series to their last ones, found cell by
cell, in a band around the diagonal:

.. math:: g_{ij} = w_{|i-j|}\,\|x_i - y_j\|^2
                   + \min(g_{i-1,j-1},\; g_{i-1,j} + \omega,\; g_{i,j-1} + \omega) .

Weights w all one and a penalty ω of zero make dynamic time warping. The longer series is first, so
that the band moves by at most one column per row and the result does not depend on the order.

A cell has to wait for the one before it. So one series meets several others of one length at once,
in the lanes of two vectors, which do not wait for one another: that takes about as long as one
of them would.
"""

from typing import Any

import numba
import numpy as np

from noneuclid.numerics._jit import jit
from noneuclid.numerics._vectors import (
    LANES,
    add_multiple,
    add_number,
    add_product,
    difference,
    load,
    repeated,
    smaller_ones,
    store,
    zeros,
)
from noneuclid.typing import Array, IntArray

TOGETHER = 2 * LANES
"""How many series another one meets at once."""


@jit()
def band(i: int, n: int, m: int, reach: int) -> tuple[int, int]:
    """First and last column of row i that a path may visit; n ≥ m."""
    middle = int(i * (m - 1) / (n - 1) + 0.5) if n > 1 else 0
    return max(0, middle - reach), min(m - 1, middle + reach)


@jit()
def _squared(x: Array, i: int, y: Array, j: int) -> float:
    total = 0.0
    for k in range(x.shape[1]):
        gap = x[i, k] - y[j, k]
        total += gap * gap
    return total


@jit()
def _weights(longest: int, steepness: float) -> Array:
    weights = np.ones(longest)
    if steepness >= 0:
        for k in range(longest):
            weights[k] = 1.0 / (1.0 + np.exp(-steepness * (k - longest / 2)))
    return weights


@jit(inline=True)
def _squared_gaps(L: Array, i: int, S: Array, j: int, channels: int, lane: int) -> Any:
    total = zeros()
    for k in range(channels):
        a = load(L, (i * channels + k) * TOGETHER + lane)
        gap = difference(a, load(S, (j * channels + k) * TOGETHER + lane))
        total = add_product(total, gap, gap)
    return total


@jit()
def _warped(
    L: Array,
    n: int,
    S: Array,
    m: int,
    channels: int,
    reach: int,
    weights: Array,
    penalty: float,
    g: Array,
) -> None:
    """Costs of pairs of series of n ≥ m points, number by number one of each pair after the other.

    They are the last numbers of ``g`` then, whose column j is at j + 1: before the first point
    nothing is paid. A row takes the place of the one above, of which what is needed is kept.
    """
    for k in range((m + 1) * TOGETHER):
        g[k] = np.inf if k >= TOGETHER else 0.0
    for i in range(n):
        first, last = band(i, n, m, reach)
        place = first * TOGETHER
        corner, other_corner = load(g, place), load(g, place + LANES)
        left, other_left = repeated(np.inf), repeated(np.inf)
        store(g, place, left)
        store(g, place + LANES, other_left)
        for j in range(first, last + 1):
            place, weight = (j + 1) * TOGETHER, weights[abs(i - j)]
            above, other_above = load(g, place), load(g, place + LANES)
            best = smaller_ones(corner, add_number(smaller_ones(above, left), penalty))
            left = add_multiple(best, weight, _squared_gaps(L, i, S, j, channels, 0))
            store(g, place, left)
            best = smaller_ones(
                other_corner, add_number(smaller_ones(other_above, other_left), penalty)
            )
            other_left = add_multiple(best, weight, _squared_gaps(L, i, S, j, channels, LANES))
            store(g, place + LANES, other_left)
            corner, other_corner = above, other_above


@jit()
def _pack(values: Array, start: int, stop: int, length: int, lane: int, out: Array) -> None:
    """A series among the others that it goes with; a short one ends with its last point."""
    channels = values.shape[1]
    for i in range(length):
        for k in range(channels):
            out[(i * channels + k) * TOGETHER + lane] = values[min(start + i, stop - 1), k]


@jit()
def _warp_row(
    X: Array,
    start: int,
    stop: int,
    Y: Array,
    ends: IntArray,
    order: IntArray,
    earliest: int,
    window: float,
    steepness: float,
    penalty: float,
    k: int,
    out: Array,
) -> None:
    """Fill ``out[k]`` with the costs of one series and those of Y from the earliest one on.

    ``order`` sorts them by length: those of one length go together, the last of them several times
    if they are too few. Without a band or weights, which depend on both lengths, so do others: what
    comes behind the end of a series does not change its cost.
    """
    n, channels, longest = stop - start, X.shape[1], stop - start
    for j in order:
        longest = max(longest, ends[j + 1] - ends[j])
    mixed = window >= 1.0 and steepness < 0.0
    one = np.empty(n * channels * TOGETHER)
    others, g = np.empty(longest * channels * TOGETHER), np.empty((longest + 1) * TOGETHER)
    group, size = np.empty(TOGETHER, dtype=np.intp), 0
    for lane in range(TOGETHER):
        _pack(X, start, stop, n, lane, one)
    for t in range(order.size):
        j = order[t]
        m = ends[j + 1] - ends[j]
        if j >= earliest:
            group[size] = j
            size += 1
        is_last = t + 1 == order.size
        if not is_last and not mixed:
            following = order[t + 1]
            is_last = ends[following + 1] - ends[following] != m
        if size == 0 or (size < TOGETHER and not is_last):
            continue
        m = ends[group[size - 1] + 1] - ends[group[size - 1]]  # the longest of them
        for lane in range(TOGETHER):
            member = group[min(lane, size - 1)]
            _pack(Y, ends[member], ends[member + 1], m, lane, others)
        weights = _weights(max(n, m), steepness)
        if mixed:
            _warped(one, n, others, m, channels, max(n, m), weights, penalty, g)
        elif n >= m:
            _warped(one, n, others, m, channels, int(window * m), weights, penalty, g)
        else:
            _warped(others, m, one, n, channels, int(window * n), weights, penalty, g)
        for lane in range(size):
            member = group[lane]
            columns = ends[member + 1] - ends[member] if mixed else min(n, m)
            out[k, member] = g[columns * TOGETHER + lane]
        size = 0


@jit()
def _shaped(x: Array, y: Array, a: Array, b: Array, reach: int) -> float:
    """Cost of the points along the path that is best for the shapes a, b around them."""
    n, m = len(x), len(y)
    above, row = np.full(m + 2, np.inf), np.full(m + 2, np.inf)
    paid_above, paid = np.full(m + 2, np.inf), np.full(m + 2, np.inf)
    above[0] = paid_above[0] = 0.0
    for i in range(n):
        first, last = band(i, n, m, reach)
        row[first] = paid[first] = np.inf
        for j in range(first, last + 1):
            best, cost = above[j], paid_above[j]
            # Of equally good shapes the points that cost less: no order of two series counts.
            if above[j + 1] < best or (above[j + 1] == best and paid_above[j + 1] < cost):
                best, cost = above[j + 1], paid_above[j + 1]
            if row[j] < best or (row[j] == best and paid[j] < cost):
                best, cost = row[j], paid[j]
            row[j + 1] = best + _squared(a, i, b, j)
            paid[j + 1] = cost + _squared(x, i, y, j)
        if last + 2 < m + 2:
            row[last + 2] = paid[last + 2] = np.inf
        above, row = row, above
        paid_above, paid = paid, paid_above
    total: float = paid_above[m]
    return total


@jit(parallel=True)
def _warp_rows(
    X: Array,
    ends: IntArray,
    Y: Array,
    other_ends: IntArray,
    order: IntArray,
    rows: IntArray,
    same: bool,
    window: float,
    steepness: float,
    penalty: float,
    out: Array,
) -> None:
    for k in numba.prange(rows.size):
        i = rows[k]
        _warp_row(
            X,
            ends[i],
            ends[i + 1],
            Y,
            other_ends,
            order,
            i if same else 0,
            window,
            steepness,
            penalty,
            k,
            out,
        )


def warped_rows(
    X: Array,
    ends: IntArray,
    Y: Array,
    other_ends: IntArray,
    rows: IntArray,
    same: bool,
    window: float,
    steepness: float,
    penalty: float,
    out: Array,
) -> None:
    """Fill ``out[k]`` with the costs of series ``rows[k]`` of X and all of Y, or the later ones."""
    order = np.argsort(np.diff(other_ends), kind="stable")
    limits = window, steepness, penalty
    _warp_rows(X, ends, Y, other_ends, order, rows, same, *limits, out)


@jit(parallel=True)
def shaped_rows(
    X: Array,
    A: Array,
    ends: IntArray,
    Y: Array,
    B: Array,
    other_ends: IntArray,
    rows: IntArray,
    same: bool,
    window: float,
    out: Array,
) -> None:
    """The same along the paths that are best for the shapes A and B."""
    for k in numba.prange(rows.size):
        i = rows[k]
        x, a = X[ends[i] : ends[i + 1]], A[ends[i] : ends[i + 1]]
        for j in range(i if same else 0, other_ends.size - 1):
            y, b = Y[other_ends[j] : other_ends[j + 1]], B[other_ends[j] : other_ends[j + 1]]
            reach = int(window * min(len(x), len(y)))
            if len(x) >= len(y):
                out[k, j] = _shaped(x, y, a, b, reach)
            else:
                out[k, j] = _shaped(y, x, b, a, reach)
