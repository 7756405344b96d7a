"""Features of a positive kernel by pivoted Cholesky decomposition, in blocks."""

import contextlib
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import blas, lapack

from noneuclid._memory import require_matrices
from noneuclid.numerics.threads import one_blas_thread, worth_threads
from noneuclid.numerics.ties import TIE, steady_order
from noneuclid.typing import Array

_BLOCK = 64
# Of a block only those rows are taken that the others before them leave more of than this share of
# the largest rest: what the next to nothing of a row tells of the others is mostly rounding.
_TELLING = 1e-2
_ALL = slice(None)

Entries = Callable[[NDArray[np.intp], NDArray[np.intp] | slice], Array]
"""Rows i and columns j of a matrix."""


class RankTooHigh(ArithmeticError):
    """The matrix has more than ``max_rank`` features."""


def pivoted_features(
    entries: Entries,
    diagonal: Array,
    cutoff: float = 1e-12,
    max_rank: int | None = None,
) -> tuple[Array, NDArray[np.intp]]:
    """Z of shape (n, r) with Z Z' = K up to ``cutoff`` times K's largest diagonal entry.

    That is of the entries as they are given: those of a kernel have a rounding of their own, which
    where samples are hundreds of widths apart becomes some hundred times as much in the product.
    ``entries(i, j)`` gives the rows i of K, or their columns j if these are no ``slice(None)``; K
    is never formed. Of the rows with the largest rest, those that tell most of each other are found
    first, so that nearly all work is matrix products, and none in vain. Returns Z and the
    pivots in their order. Raises :class:`RankTooHigh` if the rank exceeds ``max_rank``, or looks
    as if it will once two blocks are done: spectra fall ever more slowly.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(50, 3))
    >>> K = X @ X.T
    >>> Z, pivots = pivoted_features(lambda i, j: K[i][:, j], np.diag(K))
    >>> Z.shape, bool(np.allclose(Z @ Z.T, K))
    ((50, 3), True)
    """
    with contextlib.ExitStack() as while_products_are_small:
        while_products_are_small.enter_context(one_blas_thread(0))
        return _factorised(entries, diagonal, cutoff, max_rank, while_products_are_small)


def _factorised(
    entries: Entries,
    diagonal: Array,
    cutoff: float,
    max_rank: int | None,
    while_products_are_small: contextlib.ExitStack,
) -> tuple[Array, NDArray[np.intp]]:
    n = len(diagonal)
    rest = diagonal.astype(np.float64, copy=True)
    limit = cutoff * rest.max(initial=0.0)
    Z = np.empty((min(n, 4 * _BLOCK), n))  # a feature is a row: every product here reads rows
    pivots = np.empty(0, dtype=np.intp)
    rank = 0
    while rank < n:
        largest = _largest(rest)
        largest = largest[rest[largest] > limit]
        if len(largest) == 0:
            break
        known = Z[:rank, largest]
        among = entries(largest, largest) - known.T @ known
        telling = max(limit, _TELLING * float(rest.max()))
        factor, order, size, _ = lapack.dpstrf(among, tol=telling, lower=1)
        if size == 0:
            break
        kept = order[:size] - 1
        if worth_threads(rank * size * n):
            while_products_are_small.close()
        C = known[:, kept].T @ Z[:rank]
        np.subtract(entries(largest[kept], _ALL), C, out=C)
        # In LAPACK's order the transpose of C is what there is, and is solved in its place.
        new = blas.dtrsm(
            1.0, factor[:size, :size], C.T, side=1, lower=1, trans_a=1, overwrite_b=1
        ).T
        if rank + size > len(Z):
            wider = min(n, 2 * (rank + size))
            what = f"a factor of rank {wider:,} of {n:,} objects"
            require_matrices(what, n, wider, instead="use n_landmarks=… or a wider kernel")
            Z = np.concatenate([Z, np.empty((wider - len(Z), n))])
        Z[rank : rank + size] = new
        rest -= np.einsum("ij,ij->j", new, new)
        rest[largest[kept]] = 0.0
        pivots = np.concatenate([pivots, largest[kept]])
        rank += size
        if max_rank is not None and _expects_more(rank, rest.max(), limit, cutoff, max_rank):
            raise RankTooHigh
    return np.ascontiguousarray(Z[:rank].T), pivots


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
