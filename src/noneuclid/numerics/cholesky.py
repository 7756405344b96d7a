"""Features of a positive kernel by pivoted Cholesky decomposition, in blocks."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy import linalg
from scipy.linalg import lapack

from noneuclid.numerics._types import Array

_BLOCK = 64


def pivoted_features(
    columns: Callable[[NDArray[np.intp]], Array], diagonal: Array, cutoff: float = 1e-12
) -> tuple[Array, NDArray[np.intp]]:
    """Z of shape (n, r) with Z Z' = K up to ``cutoff`` times K's largest diagonal entry.

    ``columns(i)`` gives the columns of K it is asked for; K is never formed. Each block takes
    the rows with the largest rest, so that nearly all work is matrix products. Returns Z and the
    pivots in their order.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(50, 3))
    >>> K = X @ X.T
    >>> Z, pivots = pivoted_features(lambda i: K[:, i], np.diag(K))
    >>> Z.shape, bool(np.allclose(Z @ Z.T, K))
    ((50, 3), True)
    """
    n = len(diagonal)
    rest = diagonal.astype(np.float64, copy=True)
    limit = cutoff * rest.max(initial=0.0)
    Z = np.empty((n, min(n, 4 * _BLOCK)))
    pivots = np.empty(0, dtype=np.intp)
    rank = 0
    while rank < n:
        largest = np.argpartition(rest, max(n - _BLOCK, 0))[-_BLOCK:]
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
            Z = np.concatenate([Z, np.empty((n, min(n, 2 * (rank + size)) - Z.shape[1]))], axis=1)
        Z[:, rank : rank + size] = new
        rest -= np.einsum("ij,ij->i", new, new)
        rest[largest[kept]] = 0.0
        pivots = np.concatenate([pivots, largest[kept]])
        rank += size
    return np.ascontiguousarray(Z[:, :rank]), pivots
