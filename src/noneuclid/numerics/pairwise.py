"""Pairs of rows, in blocks that fit the cache or the memory."""

from collections.abc import Callable, Iterator

import numpy as np

from noneuclid.numerics._jit import jit
from noneuclid.numerics.threads import one_blas_thread
from noneuclid.typing import Array

_BLOCK_BYTES = 32 * 2**20


def row_blocks(n_rows: int, bytes_per_row: int, block_bytes: int = _BLOCK_BYTES) -> Iterator[slice]:
    """Slices over ``n_rows`` rows, each of about ``block_bytes``.

    Parameters
    ----------
    n_rows : int
        Rows in all.
    bytes_per_row : int
        What a row needs.
    block_bytes : int
        What a block may need; one row is always allowed.

    Yields
    ------
    slice
        Neighbouring rows.
    """
    size = max(1, block_bytes // max(bytes_per_row, 1))
    for start in range(0, n_rows, size):
        yield slice(start, min(start + size, n_rows))


def blocked_squared_distance(
    squared_norm: Callable[[Array], Array], X: Array, W: Array, block_bytes: int = _BLOCK_BYTES
) -> Array:
    """d_ij = squared_norm(x_i − w_j) for any translation-invariant squared norm.

    Parameters
    ----------
    squared_norm : callable
        Takes an array of shape (k, d) and returns one of shape (k,).
    X : array of shape (n, d)
        Rows.
    W : array of shape (m, d)
        Rows.
    block_bytes : int
        Memory for differences.

    Returns
    -------
    array of shape (n, m)
        Squared distances.
    """
    D = np.empty((len(X), len(W)))
    for rows in row_blocks(len(X), W.size * 8, block_bytes):
        V = X[rows, None, :] - W[None, :, :]
        D[rows] = squared_norm(V.reshape(-1, V.shape[2])).reshape(V.shape[:2])
    return D


_EPS = float(np.finfo(np.float64).eps)
# For so few numbers nothing is compiled: that would take longer than a thousand passes here.
_LITTLE = 1 << 17
_FEWER = 1 << 11
# For more pairs than this, passes over the memory count.
_MUCH = 1 << 17
# Rows and columns of a square that a cache holds twice.
_TILE = 32
# So small products no BLAS computes on several threads.
_ONE_THREAD = 1 << 16
# Below this share of |x|² + |w|² the expanded square has lost ten of its sixteen digits.
_CANCELLED = 1e-6


def squared_euclidean(X: Array, W: Array) -> Array:
    """Squared Euclidean distances by one matrix product, right also for nearly equal rows.

    The expansion ``|x|² − 2⟨x, w⟩ + |w|²`` loses all digits where x ≈ w. The origin is moved to the
    middle of W, and pairs that still cancel are computed from their difference.

    Parameters
    ----------
    X : array of shape (n, d)
        Rows.
    W : array of shape (m, d)
        Rows.

    Returns
    -------
    array of shape (n, m)
        Squared distances, none negative; symmetric to the last bit where W is X.
    """
    if W.size == 0 or X.size == 0:
        return np.zeros((len(X), len(W)))
    if len(W) == 1:  # nothing is saved by expanding
        apart = X - W
        return np.asarray(np.einsum("ij,ij->i", apart, apart)[:, None])
    if len(X) * W.size <= _FEWER:  # from the differences themselves, in two steps
        pairs = X[:, None, :] - W
        return np.asarray(np.einsum("ijk,ijk->ij", pairs, pairs))
    origin = W.mean(axis=0)
    U, V = X - origin, W - origin
    uu = np.einsum("ij,ij->i", U, U)
    vv = np.einsum("ij,ij->i", V, V)
    if W is X and len(X) ** 2 <= _MUCH:
        D = _product(U, U.T)  # symmetric on every processor, as no product of two arrays is
        D *= -2.0
    else:
        D = _product(U, (-2.0 * V).T)
    if D.size > _MUCH:
        _complete(D, uu, vv, np.ascontiguousarray(X), np.ascontiguousarray(W), W is X)
        return D
    size = np.add.outer(uu, vv)
    D += size
    size *= _CANCELLED
    i, j = np.divmod(np.flatnonzero(size >= D), len(W))
    for few in row_blocks(len(i), X.shape[1] * 8):
        # of the rows as they came: one that is far away moves the origin, and rounds
        apart = X[i[few]] - W[j[few]]
        D[i[few], j[few]] = np.einsum("ij,ij->i", apart, apart)
    return D


@jit()
def _complete(D: Array, uu: Array, vv: Array, X: Array, W: Array, is_symmetric: bool) -> None:
    """The same for many pairs, in one pass over them, or over those above the diagonal."""
    n, m = D.shape
    for i in range(n):
        square, cancelled, first = uu[i], 0, i if is_symmetric else 0
        for j in range(first, m):
            size = square + vv[j]
            D[i, j] += size
            cancelled += D[i, j] <= _CANCELLED * size
        if cancelled > 0:
            for j in range(first, m):
                if D[i, j] <= _CANCELLED * (square + vv[j]):
                    total = 0.0
                    for k in range(X.shape[1]):
                        total += (X[i, k] - W[j, k]) * (X[i, k] - W[j, k])
                    D[i, j] = total
    if is_symmetric:
        _mirror(D)


@jit()
def _mirror(D: Array) -> None:
    """What is above the diagonal also below it; square by square, as both stay in the cache."""
    n = len(D)
    for top in range(0, n, _TILE):
        for left in range(top, n, _TILE):
            for i in range(top, min(top + _TILE, n)):
                for j in range(max(left, i + 1), min(left + _TILE, n)):
                    D[j, i] = D[i, j]


def _product(A: Array, B: Array) -> Array:
    """A B; compiled code follows, from which threads of a BLAS that wait would take the cores."""
    multiplications = len(A) * B.size
    if multiplications < _ONE_THREAD:
        return np.asarray(A @ B)
    with one_blas_thread(multiplications):
        return np.asarray(A @ B)


@jit()
def _zero_below(D: Array, limits: Array) -> None:
    for i in range(len(D)):
        for j in range(D.shape[1]):
            D[i, j] = D[i, j] if D[i, j] > limits[i] else 0.0


def zero_rounding(D: Array, squares: Array, dim: int) -> None:
    """Expanded squares of x_i − w_j that are rounding of |x_i|², set to 0 in place.

    Where vectors coincide, rounding would say which one is nearest.
    """
    limits = (16 + dim) * _EPS * squares
    if D.size > _LITTLE:
        _zero_below(D, limits)
    else:
        np.copyto(D, 0.0, where=limits[:, None] >= D)


def mirrored(K: Array) -> Array:
    """The upper triangle, also below the diagonal."""
    upper: Array = np.triu(K)
    upper += np.triu(K, 1).T
    return upper
