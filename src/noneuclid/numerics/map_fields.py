r"""Which unit of a map wins every sample, and sums over the samples of each, in blocks.

Heskes' local error of unit k is affine in the sample, since all rows of T have the same total c:

.. math:: \sum_j T_{kj} d(x, w_j) = c\,[x, x] - 2\,\Bigl[x, \sum_j T_{kj} w_j\Bigr]
          + \sum_j T_{kj} [w_j, w_j] .

One product with the smoothed prototypes finds the winners, as if there were no neighbourhood; the
product of all distances with T takes m/d times as long. Of n × m numbers only blocks are held.
"""

from collections.abc import Callable

import numpy as np

from noneuclid.numerics._jit import jit
from noneuclid.numerics.pairwise import row_blocks
from noneuclid.numerics.ties import TIE
from noneuclid.typing import Array, IntArray

_EPS = float(np.finfo(np.float64).eps)
_BLOCK_BYTES = 2**20  # errors of a block stay in the second cache


@jit(sums=True)
def _add_fields(
    E: Array,
    b: Array,
    Z: Array,
    signs: Array,
    total: float,
    rounding: float,
    sums: Array,
    counts: Array,
) -> float:
    """Add the samples of a block to the fields of their winners; returns the sum of their errors.

    The error of unit k is total · [z, z] + E_k + b_k; up to ``rounding`` of the first it is 0,
    unless that is 0, of an indefinite product.
    """
    n, m = E.shape
    cost = 0.0
    for i in range(n):
        square = 0.0
        for k in range(signs.size):
            square += signs[k] * (Z[i, k] * Z[i, k])
        square *= total
        for j in range(m):
            E[i, j] += b[j]
        low = E[i, 0]
        for j in range(1, m):
            low = E[i, j] if E[i, j] < low else low
        limit = low + TIE * abs(low + square)
        zero = rounding * square - square if rounding > 0.0 else -np.inf
        limit = zero if zero > limit else limit
        winner = 0
        for j in range(m):
            if E[i, j] <= limit:
                winner = j
                break
        counts[winner] += 1.0
        for k in range(signs.size):
            sums[winner, k] += Z[i, k]
        if E[i, winner] > zero:
            cost += square + E[i, winner]
    return cost


def map_fields(
    rows: Callable[[slice], Array], n: int, W: Array, T: Array, signs: Array
) -> tuple[float, Array, Array]:
    """Winners of all samples by the local errors Σ_j T_kj d(x, w_j), as sums over each one's.

    Parameters
    ----------
    rows : callable
        Coordinates of some samples, around their middle.
    n : int
        How many samples there are.
    W : array of shape (m, d)
        Prototypes.
    T : array of shape (m, m)
        Neighbourhoods; all rows have the same total.
    signs : array of shape (d,)
        ±1: the product is diagonal.

    Returns
    -------
    cost : float
        Sum of the least errors.
    sums : array of shape (m, d)
        Of the samples that every unit won.
    counts : array of shape (m,)
        How many those are.
    """
    total = float(T[0].sum())
    A = np.ascontiguousarray((-2.0 * signs * (T @ W)).T)
    b = T @ np.einsum("jk,jk,k->j", W, W, signs)
    # As `zero_rounding`: where samples and prototypes coincide, rounding must not decide.
    rounding = (16 + len(signs)) * _EPS if signs.min(initial=1.0) > 0 else 0.0
    cost, sums, counts = 0.0, np.zeros(W.shape), np.zeros(len(W))
    for block in row_blocks(n, 8 * len(W), _BLOCK_BYTES):
        Z = rows(block)
        cost += _add_fields(Z @ A, b, Z, signs, total, rounding, sums, counts)
    return cost, sums, counts


@jit()
def _add_rows(units: IntArray, weights: Array, X: Array, sums: Array) -> None:
    for i in range(units.size):
        j = units[i]
        for k in range(X.shape[1]):
            sums[j, k] += weights[i] * X[i, k]


def sums_by_unit(units: IntArray, weights: Array, X: Array, m: int) -> Array:
    """Σ_i w_i x_i over the rows of every unit.

    Parameters
    ----------
    units : array of int of shape (n,)
        Which unit every row belongs to.
    weights : array of shape (n,)
    X : array of shape (n, d)
    m : int
        Number of units.

    Returns
    -------
    array of shape (m, d)
    """
    sums = np.zeros((m, X.shape[1]))
    _add_rows(units, weights, np.ascontiguousarray(X), sums)
    return sums
