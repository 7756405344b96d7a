r"""Lee and Verleysen's distances and forces between all pairs of rows, compiled.

With :math:`v = x - w` and the loss of two neighbours of opposite sign
:math:`e_k = |v_k||v_{k+1}| / (|v_k| + |v_{k+1}|)` (0 for others) the norm is that of

.. math:: m_k = \tau\bigl(|v_k| - \tfrac12(e_{k-1} + e_k)\bigr)

in l_p. Rows are taken in blocks, as in l_p; `functional_dual` is the simple form of the same.
"""

import math

import numba
import numpy as np

from noneuclid.numerics._jit import jit, suited
from noneuclid.numerics._lanes import flipped, larger, quotient, signed, smaller, where_negative
from noneuclid.numerics._pow import pow_scalar
from noneuclid.numerics.lee_little import little_lee_distance, little_lee_moments
from noneuclid.numerics.lp import LARGE, PARALLEL, ROWS, SMALL, fill_block
from noneuclid.numerics.lp_forces import set_amplitudes, weighted_sum, within_range
from noneuclid.numerics.lp_little import AROUND, is_little
from noneuclid.numerics.lp_pull import (
    FEW,
    fill_columns,
    give_row,
    pulling_rows,
    take_block,
    take_row,
)
from noneuclid.typing import Array

_N_BLOCKS = 16
_TINY = 1e-300


@jit(sums=True, borrows=True)
def _block_magnitudes(C: Array, w: Array, V: Array, R: Array, M: Array) -> float:
    """Differences V and magnitudes M (at τ = 1) of a block of columns; the least difference.

    R is 1 / (|v_k| + |v_(k+1)|) for neighbours of opposite sign, 0 for others. Row k + 1 of V and R
    is that of feature k; rows of zeros are around them. Loops that write one row of few others are
    vectorised.
    """
    d, least = w.size, np.inf
    for k in range(d):
        here = w[k]
        for i in range(C.shape[1]):
            V[k + 1, i] = C[k, i] - here
        for i in range(C.shape[1]):
            least = smaller(least, abs(V[k + 1, i]))
    for k in range(1, d):
        for i in range(C.shape[1]):
            a, b = V[k, i], V[k + 1, i]
            R[k, i] = where_negative(a * b, quotient(1.0, abs(a) + abs(b)))
    for k in range(d):
        for i in range(C.shape[1]):
            lost = abs(V[k, i]) * R[k, i] + abs(V[k + 2, i]) * R[k + 1, i]
            M[k, i] = abs(V[k + 1, i]) * (1.0 - 0.5 * lost)
    return float(least)


@jit(sums=True, borrows=True)
def _block_sums(C: Array, w: Array, p: float, before: Array, own: Array, out: Array) -> None:
    """Σ_k m_k^p of a block of columns at p = 1 or 2, without keeping what they are made of."""
    d = w.size
    for i in range(ROWS):
        own[i], before[i], out[i] = C[0, i] - w[0], 0.0, 0.0
    for k in range(d - 1):
        following = w[k + 1]
        if p == 2.0:
            for i in range(ROWS):
                a, b = own[i], C[k + 1, i] - following
                size = abs(a) * abs(b)
                half = where_negative(a * b, quotient(0.5 * size, abs(a) + abs(b)))
                m = abs(a) - (before[i] + half)
                out[i] += m * m
                before[i], own[i] = half, b
        else:
            for i in range(ROWS):
                a, b = own[i], C[k + 1, i] - following
                size = abs(a) * abs(b)
                half = where_negative(a * b, quotient(0.5 * size, abs(a) + abs(b)))
                out[i] += abs(a) - (before[i] + half)
                before[i], own[i] = half, b
    for i in range(ROWS):
        m = abs(own[i]) - before[i]
        out[i] += m * m if p == 2.0 else m


@jit(sums=True, borrows=True)
def _kept_magnitudes(C: Array, w: Array, M: Array, before: Array) -> None:
    """Magnitudes (at τ = 1) alone; ``before`` is scratch."""
    d = w.size
    before[:] = 0.0
    for k in range(d):
        following = k if k + 1 == d else k + 1  # the last has no neighbour of opposite sign
        here, there = w[k], w[following]
        for i in range(ROWS):
            a, b = C[k, i] - here, C[following, i] - there
            loss = where_negative(a * b, quotient(abs(a) * abs(b), abs(a) + abs(b)))
            M[k, i] = abs(a) - 0.5 * (before[i] + loss)
            before[i] = loss


@jit(sums=True, borrows=True)
def _block_powers(M: Array, p: float, first: int, P: Array, sums: Array) -> None:
    """m^(p−1) from row ``first`` of P on, and Σ_k m_k^p; at p = ∞ the largest."""
    for i in range(sums.size):
        sums[i] = 0.0
    for k in range(len(M)):
        if p == np.inf:
            for i in range(sums.size):
                sums[i] = larger(sums[i], M[k, i])
        elif p == 2.0:
            for i in range(sums.size):
                P[first + k, i] = M[k, i]
                sums[i] += M[k, i] * M[k, i]
        elif p == 1.0:
            for i in range(sums.size):
                P[first + k, i] = 1.0
                sums[i] += M[k, i]
        else:
            for i in range(sums.size):
                P[first + k, i] = pow_scalar(M[k, i], p - 1.0)
                sums[i] += P[first + k, i] * M[k, i]


def has_powers(*values: float) -> bool | None:
    """Whether p is none of 1 and 2 for some; None where not, so that powers are not compiled.

    Parameters
    ----------
    *values : float

    Returns
    -------
    bool or None
    """
    return any(p not in (1.0, 2.0) for p in values) or None


@jit(borrows=True)
def lee_block(
    C: Array, w: Array, p: float, powers: bool | None, V: Array, M: Array, P: Array, out: Array
) -> None:
    """Squared distances (at τ = 1) of the columns of a block from one row."""
    if p == 1.0 or p == 2.0:
        _block_sums(C, w, p, V[0], M[0], out)
    elif powers is not None:
        _kept_magnitudes(C, w, M, out)
        _block_powers(M, p, 0, P, out)
    for i in range(ROWS):
        if p == np.inf or p == 1.0:
            out[i] *= out[i]
        elif powers is not None and p != 2.0:
            out[i] = pow_scalar(out[i], 2.0 / p)


@jit(parallel=True)
def _squared_distance(X: Array, W: Array, p: float, powers: bool | None, D: Array) -> None:
    for block in numba.prange((X.shape[0] + ROWS - 1) // ROWS):
        shape = (X.shape[1], ROWS)
        C, V, M, P, out = (
            np.empty(shape),
            np.empty(shape),
            np.empty(shape),
            np.empty(shape),
            np.empty(ROWS),
        )
        count = fill_block(X, block * ROWS, C)
        for j in range(W.shape[0]):
            lee_block(C, W[j], p, powers, V, M, P, out)
            for i in range(count):
                D[block * ROWS + i, j] = out[i]


def lee_squared_distance(X: Array, W: Array, p: float, tau: float) -> Array:
    """Squared Lee–Verleysen distances between rows of moderate size, for 1 ≤ p ≤ ∞."""
    if is_little(len(X), len(W), X.shape[1]):
        D = little_lee_distance(X, W, float(p))
    else:
        D = np.empty((len(X), len(W)))
        evaluate = suited(_squared_distance, 2 * len(X) * W.size)
        evaluate(np.ascontiguousarray(X), np.ascontiguousarray(W), float(p), has_powers(p), D)
    if tau != 1.0:
        D *= tau * tau
    return D


@jit(inline=True, sums=True)
def _dual(V: Array, R: Array, P: Array, k: int, i: int) -> float:
    """The duality map at k, up to τ² and the factor S^((2−p)/p)."""
    left, v, right = V[k, i], V[k + 1, i], V[k + 2, i]
    own = P[k + 1, i]
    left_both, right_both = own + P[k, i], own + P[k + 2, i]
    from_left, from_right = abs(left) * R[k, i], abs(right) * R[k + 1, i]
    loss = from_left * from_left * left_both + from_right * from_right * right_both
    there = where_negative(-abs(v), 1.0)
    slope = signed(there, v) * (own - 0.5 * loss)
    # Beside another a zero, which grows on one side only: half of each one-sided derivative.
    side = signed(1.0, left) * where_negative(-abs(left), left_both)
    side += signed(1.0, right) * where_negative(-abs(right), right_both)
    return float(slope + (1.0 - there) * (0.25 * side))


@jit(inline=True, sums=True)
def _dual_without_zeros(V: Array, R: Array, P: Array, k: int, i: int) -> float:
    """The same where no difference of the block is 0, in a third of the operations."""
    own, v = P[k + 1, i], V[k + 1, i]
    from_left, from_right = V[k, i] * R[k, i], V[k + 2, i] * R[k + 1, i]
    loss = from_left * from_left * (own + P[k, i]) + from_right * from_right * (own + P[k + 2, i])
    return float(flipped(own - 0.5 * loss, v))


@jit(sums=True)
def _block_slopes(V: Array, R: Array, P: Array, a: Array, zeros: bool, slope: Array) -> None:
    for k in range(slope.size):
        total = 0.0
        if zeros:
            for i in range(a.size):
                total += a[i] * _dual(V, R, P, k, i)
        else:
            for i in range(a.size):
                total += a[i] * _dual_without_zeros(V, R, P, k, i)
        slope[k] += total


@jit(sums=True)
def _block_slopes_and_bends(
    V: Array, R: Array, P: Array, a: Array, near: Array, zeros: bool, slope: Array, curve: Array
) -> None:
    """The slopes, and how steeply they change, about."""
    for k in range(slope.size):
        total, bend = 0.0, 0.0
        if zeros:
            for i in range(a.size):
                dual = _dual(V, R, P, k, i)
                total += a[i] * dual
                bend -= a[i] * quotient(abs(dual), larger(abs(V[k + 1, i]), near[i]))
        else:
            for i in range(a.size):
                dual = _dual_without_zeros(V, R, P, k, i)
                total += a[i] * dual
                bend -= a[i] * quotient(abs(dual), larger(abs(V[k + 1, i]), near[i]))
        slope[k] += total
        curve[k] += bend


@jit()
def _set_near(sums: Array, d: int, p: float, near: Array) -> None:
    """A share of the mean magnitude of every sample."""
    share = quotient(1.0, d)
    if p == 2.0:
        for i in range(ROWS):
            near[i] = AROUND * math.sqrt(sums[i] * share) + _TINY
    else:
        for i in range(ROWS):
            near[i] = AROUND * pow_scalar(sums[i] * share, 1.0 / p) + _TINY


@jit()
def _pull_rows(
    X: Array, W: Array, F: Array, p: float, cost: Array, slope: Array, curve: Array
) -> None:
    """As that of l_p: nothing here is a part of an array, which would have to be counted."""
    (n, d), m = X.shape, W.shape[0]
    C, M, f = np.empty((d, ROWS)), np.empty((d, ROWS)), np.empty(ROWS)
    V, R, P = np.zeros((d + 2, ROWS)), np.zeros((d + 2, ROWS)), np.zeros((d + 2, ROWS))
    sums, a, near = np.empty(ROWS), np.empty(ROWS), np.empty(ROWS)
    w, s, c = np.empty(d), np.zeros(d), np.zeros(curve.shape[1])
    rows, later = np.empty(ROWS, dtype=np.int64), np.zeros((n // ROWS + 1, m), dtype=np.bool_)
    n_blocks = (n + ROWS - 1) // ROWS
    # Block by block what many samples of it pull; then, prototype by prototype, all that is left.
    for turn in range(n_blocks * m + m):
        together, j = turn < n_blocks * m, turn % m
        start = turn // m * ROWS if together else 0
        while start >= 0:
            if together:
                pulling = take_block(F, j, start, rows, f)
                if j == 0:
                    fill_columns(X, rows, C)
                following = -1
                if pulling < FEW:
                    later[start // ROWS, j] = pulling > 0
                    break
            else:
                following = pulling_rows(F, j, start, later, rows, f)
                if following < 0:
                    break
                fill_columns(X, rows, C)
            take_row(W, j, w)
            zeros = _block_magnitudes(C, w, V, R, M) == 0.0
            _block_powers(M, p, 1, P, sums)
            set_amplitudes(sums, f, p, near, a)
            if not within_range(sums):
                for i in range(ROWS):
                    if not SMALL < sums[i] < LARGE:
                        a[i] = 0.0
            cost[j] -= 0.5 * weighted_sum(a, sums)
            if c.size > 0:
                _set_near(sums, d, p, near)
                _block_slopes_and_bends(V, R, P, a, near, zeros, s, c)
            else:
                _block_slopes(V, R, P, a, zeros, s)
            give_row(s, slope, j)
            give_row(c, curve, j)
            start = following


@jit(parallel=True)
def _pull(
    X: Array, W: Array, F: Array, p: float, costs: Array, slopes: Array, curves: Array
) -> None:
    n, n_blocks = X.shape[0], slopes.shape[0]
    for b in numba.prange(n_blocks):
        rows = slice(b * n // n_blocks, (b + 1) * n // n_blocks)
        _pull_rows(X[rows], W, F[:, rows], p, costs[b], slopes[b], curves[b])


def lee_moments(
    X: Array, W: Array, F: Array, p: float, tau: float, *, curved: bool = True
) -> tuple[Array, Array, Array]:
    """Σ_i F_ij d(x_i, w_j) for finite p, its gradient, and how steeply that changes, about."""
    little = is_little(len(X), len(W), X.shape[1])
    moments = little_lee_moments if little else compiled_lee_moments
    costs, slopes, curves = moments(X, W, F, float(p), curved=curved)
    unit = tau * tau
    return unit * costs, unit * slopes, unit * curves


def compiled_lee_moments(
    X: Array, W: Array, F: Array, p: float, *, curved: bool
) -> tuple[Array, Array, Array]:
    """The same at τ = 1, for many rows."""
    X, W, F = (np.ascontiguousarray(a) for a in (X, W, F.T))
    n_blocks = min(_N_BLOCKS, -(-len(X) // ROWS)) if len(X) * W.size > PARALLEL else 1
    costs, slopes = np.zeros((n_blocks, len(W))), np.zeros((n_blocks, *W.shape))
    curves = np.zeros((n_blocks, len(W), W.shape[1] if curved else 0))
    suited(_pull, 2 * len(X) * W.size)(X, W, F, p, costs, slopes, curves)
    return costs.sum(axis=0), slopes.sum(axis=0), curves.sum(axis=0)
