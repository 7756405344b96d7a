"""Features of a positive kernel by pivoted Cholesky decomposition, in blocks."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy import linalg
from scipy.linalg import lapack

from noneuclid._memory import require_matrices
from noneuclid.numerics.threads import one_blas_thread
from noneuclid.numerics.ties import TIE, steady_order
from noneuclid.typing import Array

_BLOCK = 64


class RankTooHigh(ArithmeticError):
    """The matrix has more than ``max_rank`` features."""


def pivoted_features(
    columns: Callable[[NDArray[np.intp]], Array],
    diagonal: Array,
    cutoff: float = 1e-12,
    max_rank: int | None = None,
) -> tuple[Array, NDArray[np.intp]]:
    """Z of shape (n, r) with Z Z' = K up to ``cutoff`` times K's largest diagonal entry.

    ``columns(i)`` gives the columns of K it is asked for; K is never formed. Each block takes
    the rows with the largest rest, so that nearly all work is matrix products. Returns Z and the
    pivots in their order. Raises :class:`RankTooHigh` if the rank exceeds ``max_rank``, or looks
    as if it will once two blocks are done: spectra fall ever more slowly.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(50, 3))
    >>> K = X @ X.T
    >>> Z, pivots = pivoted_features(lambda i: K[:, i], np.diag(K))
    >>> Z.shape, bool(np.allclose(Z @ Z.T, K))
    ((50, 3), True)
    """
    with one_blas_thread(len(diagonal) * _BLOCK * 4 * _BLOCK):
        return _factorised(columns, diagonal, cutoff, max_rank)


def _factorised(
    columns: Callable[[NDArray[np.intp]], Array],
    diagonal: Array,
    cutoff: float,
    max_rank: int | None,
) -> tuple[Array, NDArray[np.intp]]:
    n = len(diagonal)
    rest = diagonal.astype(np.float64, copy=True)
    limit = cutoff * rest.max(initial=0.0)
    Z = np.empty((n, min(n, 4 * _BLOCK)))
    pivots = np.empty(0, dtype=np.intp)
    rank = 0
    while rank < n:
        largest = _largest(rest)
        largest = largest[rest[largest] > limit]
        if len(largest) == 0:
            break
        C = columns(largest) - Z[:, :rank] @ Z[largest, :rank].T
        factor, order, size, _ = lapack.dpstrf(C[largest], tol=limit, lower=1)
        if size == 0:
            break
        kept = order[:size] - 1
        new = linalg.solve_triangular(np.tril(factor)[:size, :size], C[:, kept].T, lower=True).T
        if rank + size > Z.shape[1]:
            wider = min(n, 2 * (rank + size))
            what = f"a factor of rank {wider:,} of {n:,} objects"
            require_matrices(what, n, wider, instead="use n_landmarks=… or a wider kernel")
            Z = np.concatenate([Z, np.empty((n, wider - Z.shape[1]))], axis=1)
        Z[:, rank : rank + size] = new
        rest -= np.einsum("ij,ij->i", new, new)
        rest[largest[kept]] = 0.0
        pivots = np.concatenate([pivots, largest[kept]])
        rank += size
        if max_rank is not None and _expects_more(rank, rest.max(), limit, cutoff, max_rank):
            raise RankTooHigh
    return np.ascontiguousarray(Z[:, :rank]), pivots


def _largest(rest: Array) -> NDArray[np.intp]:
    """The first block of the largest numbers, up to rounding; all may be equal at the start."""
    n = len(rest)
    last = np.partition(rest, max(n - _BLOCK, 0))[max(n - _BLOCK, 0)]
    near = np.flatnonzero(rest >= last - TIE * abs(last))
    return near[steady_order(-rest[near])[:_BLOCK]]


def _expects_more(rank: int, rest: float, limit: float, cutoff: float, max_rank: int) -> bool:
    """Whether the rest, falling on as it did on average, is above the limit at ``max_rank``."""
    if rest <= limit:
        return rank > max_rank
    done = np.log(rest * cutoff / limit) / np.log(cutoff)  # 0 at the start, 1 at the limit
    early = rank < 2 * _BLOCK  # the pivots of the first block are any, if all are equal at first
    return rank > max_rank or (not early and rank > done * max_rank)
