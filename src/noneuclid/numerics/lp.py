"""Distances between all pairs of rows in l_p, compiled.

Rows are taken in blocks, transposed: the loops run over the samples of a block, whose number is
fixed, so that they are vectorised whatever the number of features. A plain power sum is tried
first; only where it leaves the range of floating-point numbers is the pair evaluated again at unit
scale. Threads own fixed blocks of rows, so the number of threads does not change a single bit.
"""

import math

import numba
import numpy as np

from noneuclid.numerics._jit import jit
from noneuclid.numerics._lanes import larger
from noneuclid.numerics._pow import (
    inverse_fifth_root,
    inverse_third_root,
    pow_scalar,
    root_by_products,
)
from noneuclid.numerics.lp_little import is_little, little_squared_distance
from noneuclid.typing import Array

SMALL, LARGE = 1e-280, 1e280  # power sums within are trusted as they are
TINIEST = 1e-300  # differences below have no squared norm but 0
ROWS = 32  # of a block: their columns stay in the nearest cache
PARALLEL = 1 << 16  # for fewer differences, waking the threads takes longer than the work


@jit(inline=True, sums=True)
def power(u: float, e: float) -> float:
    """u^e for u ≥ 0; the exponents people use need no power, which is five times slower."""
    if e == 0.0:
        return 1.0
    if e == 0.5:
        return math.sqrt(u)
    if e == 1.0:
        return u
    if e == 1.5:
        return u * math.sqrt(u)
    if e == 2.0:
        return u * u
    if e == 2.5:
        return u * u * math.sqrt(u)
    if e == 3.0:
        return u * u * u
    if e == 4.0:
        return (u * u) * (u * u)
    return pow_scalar(u, e)


@jit(sums=True, borrows=True)
def largest_difference(x: Array, w: Array) -> float:
    """max_k |x_k − w_k|."""
    largest = 0.0
    for k in range(x.size):
        largest = larger(largest, abs(x[k] - w[k]))
    return largest


@jit(sums=True, borrows=True)
def unit_power_sum(x: Array, w: Array, p: float, largest: float) -> float:
    """Σ_k (|x_k − w_k|/largest)^p."""
    total, unit = 0.0, 1.0 / largest
    for k in range(x.size):
        total += power(abs(x[k] - w[k]) * unit, p)
    return total


@jit(sums=True, borrows=True)
def sums_of_moduli(C: Array, w: Array, out: Array) -> None:
    """Four features at a time: the sums are read and written less often."""
    d = w.size
    for k in range(0, d - 3, 4):
        a, b, c, e = w[k], w[k + 1], w[k + 2], w[k + 3]
        for i in range(ROWS):
            out[i] += (abs(C[k, i] - a) + abs(C[k + 1, i] - b)) + (
                abs(C[k + 2, i] - c) + abs(C[k + 3, i] - e)
            )
    for k in range(d - d % 4, d):
        for i in range(ROWS):
            out[i] += abs(C[k, i] - w[k])


@jit(sums=True, borrows=True)
def largest_moduli(C: Array, w: Array, out: Array) -> None:
    """The larger of out_i and max_k |c_ki − w_k|."""
    d = w.size
    for k in range(0, d - 3, 4):
        a, b, c, e = w[k], w[k + 1], w[k + 2], w[k + 3]
        for i in range(ROWS):
            s = larger(abs(C[k, i] - a), abs(C[k + 1, i] - b))
            t = larger(abs(C[k + 2, i] - c), abs(C[k + 3, i] - e))
            out[i] = larger(out[i], larger(s, t))
    for k in range(d - d % 4, d):
        for i in range(ROWS):
            out[i] = larger(out[i], abs(C[k, i] - w[k]))


@jit(inline=True, sums=True)
def _sums_of_powers(C: Array, w: Array, p: float, out: Array) -> None:
    for k in range(w.size):
        for i in range(ROWS):
            out[i] += power(abs(C[k, i] - w[k]), p)


@jit(sums=True, borrows=True)
def _sums_of_half_powers(C: Array, w: Array, p: float, out: Array) -> None:
    """out_i += Σ_k |c_ki − w_k|^p at p = 1.5 and 2.5, every third root by products."""
    d, once = w.size, p == 1.5  # one loop for both, for the time it takes to compile
    for k in range(0, d - 2, 3):
        a, b, c = w[k], w[k + 1], w[k + 2]
        for i in range(ROWS):
            s, t, u = abs(C[k, i] - a), abs(C[k + 1, i] - b), abs(C[k + 2, i] - c)
            first = (s if once else s * s) * math.sqrt(s)
            second = (t if once else t * t) * root_by_products(t)
            out[i] += first + (second + (u if once else u * u) * math.sqrt(u))
    for k in range(d - d % 3, d):
        for i in range(ROWS):
            u = abs(C[k, i] - w[k])
            out[i] += (u if once else u * u) * math.sqrt(u)


@jit(sums=True, borrows=True)
def _sums_of_any_powers(C: Array, w: Array, p: float, out: Array) -> None:
    """The same for other p; small whole ones have a loop of their own."""
    if p == 3.0:
        _sums_of_powers(C, w, 3.0, out)
    elif p == 4.0:
        _sums_of_powers(C, w, 4.0, out)
    else:
        for k in range(w.size):
            for i in range(ROWS):
                out[i] += pow_scalar(abs(C[k, i] - w[k]), p)


Exponents = tuple[bool | None, bool | None, bool | None, bool | None]
"""Whether p is 1, ∞, one and a half or two and a half, or another; what is None is not compiled,
which takes seconds."""
_ROOTS = 1.5, 2.5


def exponents(*values: float) -> Exponents:
    """Which there are among some, for `block_sums`.

    Parameters
    ----------
    *values : float

    Returns
    -------
    tuple of four
    """
    some = set(values)
    roots, others = some & set(_ROOTS), some - {1.0, np.inf, *_ROOTS}
    return 1.0 in some or None, np.inf in some or None, bool(roots) or None, bool(others) or None


@jit(borrows=True)
def block_sums(
    C: Array,
    w: Array,
    p: float,
    moduli: bool | None,
    maxima: bool | None,
    roots: bool | None,
    powers: bool | None,
    out: Array,
) -> None:
    """out_i = Σ_k |c_ki − w_k|^p, or the largest at p = ∞, for p among those that are there."""
    for i in range(ROWS):
        out[i] = 0.0
    if maxima is not None and p == np.inf:
        largest_moduli(C, w, out)
    elif moduli is not None and p == 1.0:
        sums_of_moduli(C, w, out)
    elif roots is not None and (p == 1.5 or p == 2.5):
        _sums_of_half_powers(C, w, p, out)
    elif powers is not None:
        _sums_of_any_powers(C, w, p, out)


@jit(borrows=True)
def squared_norms(
    sums: Array, p: float, roots: bool | None, powers: bool | None, out: Array
) -> None:
    """Squared norms from the sums of powers."""
    if p == np.inf or p == 1.0:
        for i in range(sums.size):
            out[i] = sums[i] * sums[i]
    elif roots is not None and p == 1.5:
        for i in range(sums.size):
            norm = sums[i] * inverse_third_root(sums[i])
            out[i] = norm * norm
    elif roots is not None and p == 2.5:
        for i in range(sums.size):
            out[i] = sums[i] * inverse_fifth_root(sums[i])
    elif powers is not None:
        for i in range(sums.size):
            out[i] = pow_scalar(sums[i], 2.0 / p)


@jit(borrows=True)
def exact_square(x: Array, w: Array, p: float) -> float:
    """Squared distance of a pair at unit scale."""
    largest = largest_difference(x, w)
    if not largest > TINIEST:
        return 0.0
    norm = largest * unit_power_sum(x, w, p, largest) ** (1.0 / p)
    return float(norm * norm)


@jit(borrows=True)
def fill_block(X: Array, start: int, C: Array) -> int:
    """Columns c_i = x_(start+i), the last row again and again at the end; how many are new."""
    count: int = min(ROWS, X.shape[0] - start)
    for i in range(ROWS):
        row = start + min(i, count - 1)
        for k in range(X.shape[1]):
            C[k, i] = X[row, k]
    return count


@jit()
def _distance_block(
    X: Array,
    start: int,
    W: Array,
    p: float,
    moduli: bool | None,
    maxima: bool | None,
    roots: bool | None,
    powers: bool | None,
    D: Array,
) -> None:
    C, sums, squares = np.empty((X.shape[1], ROWS)), np.empty(ROWS), np.empty(ROWS)
    count = fill_block(X, start, C)
    for j in range(W.shape[0]):
        block_sums(C, W[j], p, moduli, maxima, roots, powers, sums)
        squared_norms(sums, p, roots, powers, squares)
        if maxima is not None:  # needs no care: so few operations count
            for i in range(count):
                D[start + i, j] = squares[i]
        else:
            for i in range(count):
                fine = SMALL < sums[i] < LARGE
                D[start + i, j] = squares[i] if fine else exact_square(X[start + i], W[j], p)


@jit(parallel=True)
def _squared_distance(
    X: Array,
    W: Array,
    p: float,
    moduli: bool | None,
    maxima: bool | None,
    roots: bool | None,
    powers: bool | None,
    D: Array,
) -> None:
    for block in numba.prange((X.shape[0] + ROWS - 1) // ROWS):
        _distance_block(X, block * ROWS, W, p, moduli, maxima, roots, powers, D)


def lp_squared_distance(X: Array, W: Array, p: float) -> Array:
    """Squared l_p distances between the rows of X and of W, 1 ≤ p ≤ ∞.

    Parameters
    ----------
    X : array of shape (n, d)
        Rows.
    W : array of shape (m, d)
        Rows.
    p : float
        From 1 to infinity.

    Returns
    -------
    array of shape (n, m)
        Squared distances.
    """
    if len(X) < len(W):  # the blocks are of the longer side
        return (
            np.ascontiguousarray(lp_squared_distance(W, X, p).T)
            if len(X)
            else np.empty((0, len(W)))
        )
    if is_little(len(X), len(W), X.shape[1]):
        found = little_squared_distance(X, W, p)
        if found is not None:
            return found
    return compiled_squared_distance(X, W, p)


def compiled_squared_distance(X: Array, W: Array, p: float) -> Array:
    """The same for many rows.

    Parameters
    ----------
    X : array of shape (n, d)
        At least one row.
    W : array of shape (m, d)
        Rows.
    p : float
        From 1 to infinity.

    Returns
    -------
    array of shape (n, m)
        Squared distances.
    """
    D = np.empty((len(X), len(W)))
    parallel = len(X) * W.size > PARALLEL
    evaluate = _squared_distance if parallel else _squared_distance.in_turn  # type: ignore[attr-defined]
    evaluate(np.ascontiguousarray(X), np.ascontiguousarray(W), float(p), *exponents(p), D)
    return D
