r"""Dissimilarities of series that bend the axis of time.

All are least costs of a path from the first points of two series to their last ones, found cell by
cell, in a band around the diagonal:

.. math:: g_{ij} = w_{|i-j|}\,\|x_i - y_j\|^2
                   + \min(g_{i-1,j-1},\; g_{i-1,j} + \omega,\; g_{i,j-1} + \omega) .

Weights w all one and a penalty ω of zero make dynamic time warping. The longer series is first, so
that the band moves by at most one column per row and the result does not depend on the order.
"""

import numba
import numpy as np

from noneuclid.numerics._jit import jit
from noneuclid.typing import Array, IntArray


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


@jit()
def _warped(x: Array, y: Array, reach: int, steepness: float, penalty: float) -> float:
    n, m = len(x), len(y)
    weights = _weights(n, steepness)
    above, row = np.full(m + 2, np.inf), np.full(m + 2, np.inf)
    above[0] = 0.0  # column j is at j + 1: before the first point nothing is paid
    for i in range(n):
        first, last = band(i, n, m, reach)
        row[first] = np.inf
        for j in range(first, last + 1):
            best = min(above[j], min(above[j + 1], row[j]) + penalty)
            row[j + 1] = best + weights[abs(i - j)] * _squared(x, i, y, j)
        if last + 2 < m + 2:
            row[last + 2] = np.inf
        above, row = row, above
    cost: float = above[m]
    return cost


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
    for k in numba.prange(rows.size):
        i = rows[k]
        x = X[ends[i] : ends[i + 1]]
        for j in range(i if same else 0, other_ends.size - 1):
            y = Y[other_ends[j] : other_ends[j + 1]]
            reach = int(window * min(len(x), len(y)))
            if len(x) >= len(y):
                out[k, j] = _warped(x, y, reach, steepness, penalty)
            else:
                out[k, j] = _warped(y, x, reach, steepness, penalty)


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
