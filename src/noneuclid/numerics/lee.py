r"""Lee and Verleysen's distances and forces between all pairs of rows, compiled.

With :math:`v = x - w` and the loss of two neighbours of opposite sign
:math:`e_k = |v_k||v_{k+1}| / (|v_k| + |v_{k+1}|)` (0 for others) the norm is that of

.. math:: m_k = \tau\bigl(|v_k| - \tfrac12(e_{k-1} + e_k)\bigr)

in l_p. Rows are taken in blocks, as in l_p; `functional_dual` is the simple form of the same.
"""

import numba
import numpy as np

from noneuclid.numerics._jit import jit
from noneuclid.numerics._lanes import larger, quotient, signed, where_negative
from noneuclid.numerics._pow import pow_scalar
from noneuclid.numerics.lp import LARGE, PARALLEL, ROWS, SMALL, fill_block
from noneuclid.numerics.lp_pull import FEW, fill_columns, pulling_rows, take_block
from noneuclid.typing import Array

_N_BLOCKS = 16
# Smaller differences, as a share of a sample's mean one, do not bend the cost more than this one.
_AROUND = 0.3
_NOTHING = 5e-324  # the smallest number above 0
_TINY = 1e-300


@jit(sums=True)
def _block_magnitudes(C: Array, w: Array, V: Array, M: Array, before: Array) -> None:
    """Differences V and magnitudes M (at τ = 1) of a block of columns; ``before`` is scratch."""
    d = w.size
    before[:] = 0.0
    for k in range(d):
        last = k + 1 == d
        following = k if last else k + 1  # the last one has no neighbour of opposite sign
        for i in range(ROWS):
            a, b = C[k, i] - w[k], C[following, i] - w[following]
            loss = where_negative(a * b, quotient(abs(a) * abs(b), abs(a) + abs(b)))
            V[k, i] = a
            M[k, i] = abs(a) - 0.5 * (before[i] + loss)
            before[i] = loss


@jit(sums=True)
def _block_powers(M: Array, p: float, P: Array, sums: Array) -> None:
    """m^(p−1), and Σ_k m_k^p; at p = ∞ the largest."""
    sums[:] = 0.0
    for k in range(len(M)):
        if p == np.inf:
            for i in range(ROWS):
                sums[i] = larger(sums[i], M[k, i])
        elif p == 2.0:
            for i in range(ROWS):
                P[k, i] = M[k, i]
                sums[i] += M[k, i] * M[k, i]
        elif p == 1.0:
            for i in range(ROWS):
                P[k, i] = 1.0
                sums[i] += M[k, i]
        else:
            for i in range(ROWS):
                P[k, i] = pow_scalar(M[k, i], p - 1.0)
                sums[i] += P[k, i] * M[k, i]


@jit()
def lee_block(C: Array, w: Array, p: float, V: Array, M: Array, P: Array, out: Array) -> None:
    """Squared distances (at τ = 1) of the columns of a block from one row."""
    _block_magnitudes(C, w, V, M, out)
    _block_powers(M, p, P, out)
    for i in range(ROWS):
        if p == np.inf or p == 1.0:
            out[i] *= out[i]
        elif p != 2.0:
            out[i] = pow_scalar(out[i], 2.0 / p)


@jit(parallel=True)
def _squared_distance(X: Array, W: Array, p: float, D: Array) -> None:
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
            lee_block(C, W[j], p, V, M, P, out)
            for i in range(count):
                D[block * ROWS + i, j] = out[i]


def lee_squared_distance(X: Array, W: Array, p: float, tau: float) -> Array:
    """Squared Lee–Verleysen distances between rows of moderate size, for 1 ≤ p ≤ ∞."""
    D = np.empty((len(X), len(W)))
    _squared_distance(np.ascontiguousarray(X), np.ascontiguousarray(W), float(p), D)
    D *= tau * tau
    return D


@jit(sums=True)
def _add_beside(V: Array, P: Array, k: int, u: int, J: Array) -> None:
    """What neighbour u does to the derivative at k, in units of the outer derivative."""
    for i in range(ROWS):
        a, b = V[k, i], V[u, i]
        both = P[k, i] + P[u, i]
        share = where_negative(a * b, quotient(abs(b), abs(a) + abs(b)))
        # Beside b a zero, which grows on one side only: half of each one-sided derivative.
        side = where_negative(-abs(b), where_negative(abs(a) - _NOTHING, 0.25 * both))
        J[k, i] += signed(side, b) - signed(0.5 * share * share * both, a)


@jit(sums=True)
def _block_dual(V: Array, P: Array, J: Array) -> None:
    """The duality map up to τ² and the factor S^((2−p)/p)."""
    d = len(V)
    for k in range(d):
        for i in range(ROWS):
            J[k, i] = where_negative(-abs(V[k, i]), signed(P[k, i], V[k, i]))
        if k > 0:
            _add_beside(V, P, k, k - 1, J)
        if k + 1 < d:
            _add_beside(V, P, k, k + 1, J)


@jit(sums=True)
def _add_moments(V: Array, J: Array, a: Array, near: Array, slope: Array, curve: Array) -> None:
    for k in range(len(V)):
        total, bend = 0.0, 0.0
        for i in range(ROWS):
            total -= a[i] * J[k, i]
            bend += a[i] * quotient(abs(J[k, i]), larger(abs(V[k, i]), near[i]))
        slope[k] += total
        if curve.size > 0:
            curve[k] += bend


@jit()
def _block_moments(
    C: Array,
    f: Array,
    w: Array,
    p: float,
    scratch: Array,
    lanes: Array,
    slope: Array,
    curve: Array,
) -> float:
    V, M, P, J = scratch[0], scratch[1], scratch[2], scratch[3]
    sums, a, near = lanes[0], lanes[1], lanes[2]
    _block_magnitudes(C, w, V, M, lanes[3])
    _block_powers(M, p, P, sums)
    _block_dual(V, P, J)
    cost, share = 0.0, 1.0 / w.size
    for i in range(ROWS):
        near[i] = _AROUND * pow_scalar(sums[i] * share, 1.0 / p) + _TINY
        a[i] = pow_scalar(sums[i], abs(2.0 - p) / p)
        a[i] = 2.0 * f[i] * (a[i] if p < 2.0 else quotient(1.0, a[i]))
    for i in range(ROWS):
        if not SMALL < sums[i] < LARGE:
            a[i] = 0.0
        cost += 0.5 * a[i] * sums[i]
    _add_moments(V, J, a, near, slope, curve)
    return cost


@jit()
def _pull_rows(
    X: Array, W: Array, F: Array, p: float, cost: Array, slope: Array, curve: Array
) -> None:
    (n, d), m = X.shape, W.shape[0]
    C, f, scratch = np.empty((d, ROWS)), np.empty(ROWS), np.empty((4, d, ROWS))
    lanes = np.empty((4, ROWS))
    rows, later = np.empty(ROWS, dtype=np.int64), np.zeros((n // ROWS + 1, m), dtype=np.bool_)
    for start in range(0, n, ROWS):
        for j in range(m):
            pulling = take_block(F, j, start, rows, f)
            if j == 0:
                fill_columns(X, rows, C)
            if pulling < FEW:
                later[start // ROWS, j] = pulling > 0
            else:
                cost[j] += _block_moments(C, f, W[j], p, scratch, lanes, slope[j], curve[j])
    for j in range(m):
        start = pulling_rows(F, j, 0, later, rows, f)
        while start >= 0:
            fill_columns(X, rows, C)
            cost[j] += _block_moments(C, f, W[j], p, scratch, lanes, slope[j], curve[j])
            start = pulling_rows(F, j, start, later, rows, f)


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
    X, W, F = (np.ascontiguousarray(a) for a in (X, W, F.T))
    n_blocks = _N_BLOCKS if len(X) * W.size > PARALLEL else 1
    costs, slopes = np.zeros((n_blocks, len(W))), np.zeros((n_blocks, *W.shape))
    curves = np.zeros((n_blocks, len(W), W.shape[1] if curved else 0))
    _pull(X, W, F, float(p), costs, slopes, curves)
    unit = tau * tau
    return unit * costs.sum(axis=0), unit * slopes.sum(axis=0), unit * curves.sum(axis=0)
