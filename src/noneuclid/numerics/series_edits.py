r"""Dissimilarities of series by edits: points are matched, left out, split or merged.

The longer series is first, as in :mod:`noneuclid.numerics.warping`, whose band these share. A
number selects the dissimilarity.
"""

import numba
import numpy as np

from noneuclid.numerics._jit import jit
from noneuclid.numerics.warping import band
from noneuclid.typing import Array, IntArray

ERP, EDR, LCSS, MSM, TWE = range(5)


@jit()
def _length(x: Array, i: int, y: Array, j: int) -> float:
    total = 0.0
    for k in range(x.shape[1]):
        gap = x[i, k] - y[j, k]
        total += gap * gap
    length: float = np.sqrt(total)
    return length


@jit()
def _from_number(x: Array, i: int, number: float) -> float:
    total = 0.0
    for k in range(x.shape[1]):
        gap = x[i, k] - number
        total += gap * gap
    length: float = np.sqrt(total)
    return length


@jit()
def _gapped(x: Array, y: Array, reach: int, number: float, real: bool) -> float:
    """Edit distance: with a real penalty, lengths to a number; else ones, and a tolerance."""
    n, m = len(x), len(y)
    above, row = np.full(m + 2, np.inf), np.full(m + 2, np.inf)
    above[0] = 0.0
    for j in range(band(0, n, m, reach)[1] + 1):
        above[j + 1] = above[j] + (_from_number(y, j, number) if real else 1.0)
    for i in range(n):
        first, last = band(i, n, m, reach)
        left_out = _from_number(x, i, number) if real else 1.0
        row[first] = above[0] + left_out if first == 0 else np.inf
        for j in range(first, last + 1):
            apart = _length(x, i, y, j)
            if real:
                gap = _from_number(y, j, number)
            else:
                apart, gap = (0.0 if apart <= number else 1.0), 1.0
            row[j + 1] = min(above[j] + apart, above[j + 1] + left_out, row[j] + gap)
        if last + 2 < m + 2:
            row[last + 2] = np.inf
        above, row = row, above
    cost: float = above[m]
    return cost


@jit()
def _common(x: Array, y: Array, reach: int, tolerance: float) -> float:
    """Length of the longest common subsequence."""
    n, m = len(x), len(y)
    above, row = np.zeros(m + 2), np.zeros(m + 2)
    for i in range(n):
        first, last = band(i, n, m, reach)
        row[first] = 0.0
        for j in range(first, last + 1):
            if _length(x, i, y, j) <= tolerance:
                row[j + 1] = above[j] + 1.0
            else:
                row[j + 1] = max(above[j + 1], row[j])
        if last + 2 < m + 2:
            row[last + 2] = 0.0
        above, row = row, above
    length: float = above[m]
    return length


@jit()
def _split(value: float, one: float, other: float, cost: float) -> float:
    """Price of a point that is split off or merged, between its neighbours or outside of them."""
    if one <= value <= other or other <= value <= one:
        return cost
    return cost + min(abs(value - one), abs(value - other))


@jit()
def _split_or_merged(x: Array, y: Array, k: int, reach: int, cost: float) -> float:
    """Move-split-merge of one channel."""
    n, m = len(x), len(y)
    above, row = np.full(m + 2, np.inf), np.full(m + 2, np.inf)
    for i in range(n):
        first, last = band(i, n, m, reach)
        row[first] = np.inf
        for j in range(first, last + 1):
            best = abs(x[i, k] - y[j, k])
            if i > 0 or j > 0:
                best += above[j]
                if i > 0:
                    up = above[j + 1] + _split(x[i, k], x[i - 1, k], y[j, k], cost)
                    best = min(best, up)
                if j > 0:
                    best = min(best, row[j] + _split(y[j, k], x[i, k], y[j - 1, k], cost))
            row[j + 1] = best
        if last + 2 < m + 2:
            row[last + 2] = np.inf
        above, row = row, above
    total: float = above[m]
    return total


@jit()
def _time_warp_edit(x: Array, y: Array, reach: int, stiffness: float, price: float) -> float:
    n, m = len(x), len(y)
    above, row = np.full(m + 2, np.inf), np.full(m + 2, np.inf)
    above[0] = 0.0
    for i in range(n):
        first, last = band(i, n, m, reach)
        row[first] = np.inf
        # Before the first point every series is zero.
        step = _length(x, i, x, i - 1) if i > 0 else _from_number(x, 0, 0.0)
        for j in range(first, last + 1):
            other = _length(y, j, y, j - 1) if j > 0 else _from_number(y, 0, 0.0)
            if i > 0 and j > 0:
                before = _length(x, i - 1, y, j - 1)
            elif i > 0:
                before = _from_number(x, i - 1, 0.0)
            else:
                before = _from_number(y, j - 1, 0.0) if j > 0 else 0.0
            match = above[j] + _length(x, i, y, j) + before + 2.0 * stiffness * abs(i - j)
            deleted = min(above[j + 1] + step, row[j] + other) + stiffness + price
            row[j + 1] = min(match, deleted)
        if last + 2 < m + 2:
            row[last + 2] = np.inf
        above, row = row, above
    cost: float = above[m]
    return cost


@jit()
def _edited(code: int, x: Array, y: Array, reach: int, p: float, q: float) -> float:
    n, m = len(x), len(y)
    if code == ERP:
        return _gapped(x, y, reach, p, True)
    if code == EDR:
        return _gapped(x, y, reach, p, False) / n
    if code == LCSS:
        return 1.0 - _common(x, y, reach, p) / m
    if code == MSM:
        total = 0.0
        for k in range(x.shape[1]):
            total += _split_or_merged(x, y, k, reach, p)
        return total
    return _time_warp_edit(x, y, reach, p, q)


@jit(parallel=True)
def edited_rows(
    X: Array,
    ends: IntArray,
    Y: Array,
    other_ends: IntArray,
    rows: IntArray,
    same: bool,
    window: float,
    code: int,
    p: float,
    q: float,
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
                out[k, j] = _edited(code, x, y, reach, p, q)
            else:
                out[k, j] = _edited(code, y, x, reach, p, q)
