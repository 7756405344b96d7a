r"""Cyclic diagonals of Gram matrices, :math:`K_{i,\,(i+o) \bmod n}` for offsets o, as rows.

Shifting all objects round by one shifts every diagonal by one: what a permutation test sums over
pairs of objects is then a correlation of rows. Offsets up to n/2 are enough for a symmetric matrix.
"""

import numba
import numpy as np

from noneuclid.numerics._exp import exp_block
from noneuclid.numerics._jit import jit
from noneuclid.typing import Array, IntArray

_PARALLEL = 1 << 22  # for fewer products, waking the threads takes longer than the work
_COLUMNS = 1024  # exponents stay in the first-level cache until they are powers


@jit()
def _first_square(x: Array, y: Array, u: Array) -> None:
    for j in range(u.size):
        v = x[j] - y[j]
        u[j] = -v * v


@jit()
def _add_square(x: Array, y: Array, u: Array) -> None:
    for j in range(u.size):
        v = x[j] - y[j]
        u[j] -= v * v


@jit()
def _gaussian_row(X: Array, offset: int, out: Array) -> None:
    for start in range(0, out.size, _COLUMNS):
        stop = min(start + _COLUMNS, out.size)
        part = out[start:stop]
        _first_square(X[0, start:stop], X[0, start + offset : stop + offset], part)
        for k in range(1, X.shape[0]):
            _add_square(X[k, start:stop], X[k, start + offset : stop + offset], part)
        exp_block(part, 1.0)


@jit(nogil=True)
def _gaussian_rows(X: Array, first: int, out: Array) -> None:
    for c in range(out.shape[0]):
        _gaussian_row(X, first + c, out[c])


def gaussian_diagonals(around: Array, first: int, last: int) -> Array:
    """exp(−|x_i − x_{i+o}|²) for offsets o from ``first`` to before ``last``, one per row.

    ``around`` holds the columns x_1 … x_n twice, so that no offset leaves it: shape (d, 2n), in
    units of √2 width.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.array([[0.0, 1.0, 3.0]])
    >>> gaussian_diagonals(np.hstack([x, x]), 0, 2).round(3)
    array([[1.   , 1.   , 1.   ],
           [0.368, 0.018, 0.   ]])
    """
    out = np.empty((last - first, around.shape[1] // 2))
    _gaussian_rows(around, first, out)  # a few rows at a time: threads would mostly wait
    return out


@jit(sums=True)
def _dot(x: Array, y: Array) -> float:
    total = 0.0
    for i in range(x.size):
        total += x[i] * y[i]
    return total


@jit()
def _multiply(x: Array, y: Array) -> None:
    """x ← x y; of three arrays of which two are one the compiler would take number by number."""
    for i in range(x.size):
        x[i] *= y[i]


@jit()
def _products_of_row(rows: Array, shifts: IntArray, product: Array, out: Array) -> None:
    n, last = product.size, rows.shape[0] - 1
    for b in range(shifts.shape[0]):
        product[:] = rows[0, :n]
        for j in range(1, last):
            k = shifts[b, j]
            _multiply(product, rows[j, k : k + n])
        k = shifts[b, last]
        out[b] = _dot(product, rows[last, k : k + n])


@jit()
def _products_in_turn(rows: Array, shifts: IntArray, out: Array) -> None:
    product = np.empty(rows.shape[2] // 2)
    for c in range(rows.shape[0]):
        _products_of_row(rows[c], shifts, product, out[c])


@jit(parallel=True)
def _products_at_once(rows: Array, shifts: IntArray, out: Array) -> None:
    n = rows.shape[2] // 2
    for c in numba.prange(rows.shape[0]):
        _products_of_row(rows[c], shifts, np.empty(n), out[c])


def shifted_products(diagonals: Array, shifts: IntArray, weights: Array) -> Array:
    """Σ_c weights_c Σ_i Π_j A_j[c, i + k_bj] for every row k_b of shifts; the first is not shifted.

    ``diagonals`` has shape (d, c, n), ``shifts`` (B, d).

    Examples
    --------
    >>> import numpy as np
    >>> A = np.arange(6.0).reshape(2, 1, 3)  # 0 1 2 and 3 4 5
    >>> shifted_products(A, np.array([[0, 0], [0, 1]]), np.ones(1))
    array([14., 11.])
    """
    rows = np.ascontiguousarray(np.concatenate([diagonals, diagonals], axis=2).transpose(1, 0, 2))
    out = np.empty((rows.shape[0], len(shifts)))
    multiply = _products_at_once if rows.size * len(shifts) > _PARALLEL else _products_in_turn
    multiply(rows, np.ascontiguousarray(shifts, dtype=np.int64), out)
    return np.asarray(weights @ out)
