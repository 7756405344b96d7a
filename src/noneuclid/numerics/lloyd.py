"""Lloyd's iteration on a matrix of squared distances, compiled."""

import numpy as np

from noneuclid.numerics._jit import jit
from noneuclid.numerics.ties import TIE
from noneuclid.typing import Array, IntArray


@jit(sums=True)
def _add_row(A: Array, j: int, D: Array, i: int) -> None:
    for o in range(D.shape[1]):
        A[j, o] += D[i, o]


@jit(sums=True)
def _lower_row(A: Array, j: int, factor: float, by: float) -> None:
    for o in range(A.shape[1]):
        A[j, o] = factor * A[j, o] - by


@jit()
def _distances_to_means(D: Array, labels: IntArray, size: IntArray, A: Array) -> None:
    """d(o, mean j) = (Dγ_j)_o − ½γ_j'Dγ_j, where γ_j shares 1 among the members of cluster j."""
    k, n = A.shape
    for j in range(k):
        size[j] = 0
        for o in range(n):
            A[j, o] = 0.0
    for i in range(n):
        if labels[i] >= 0:  # seeds alone are there at first
            size[labels[i]] += 1
            _add_row(A, labels[i], D, i)
    for j in range(k):
        within = 0.0
        for i in range(n):
            within += A[j, i] if labels[i] == j else 0.0
        count = max(size[j], 1)
        _lower_row(A, j, 1.0 / count, 0.5 * within / (count * count))


@jit()
def _assign(A: Array, new: IntArray, size: IntArray) -> None:
    """The nearest mean of every object; of those equal up to rounding, the first."""
    k, n = A.shape
    for j in range(k):
        size[j] = 0
    for i in range(n):
        low = A[0, i]
        for j in range(1, k):
            low = min(low, A[j, i])
        limit, nearest = low + TIE * abs(low), 0
        while A[nearest, i] > limit:
            nearest += 1
        new[i] = nearest
        size[nearest] += 1


@jit()
def _farthest(A: Array, labels: IntArray) -> int:
    """The object farthest from its mean; of those equal up to rounding, the first."""
    n, top = labels.size, -np.inf
    for i in range(n):
        top = max(top, A[labels[i], i])
    limit = top - TIE * abs(top)
    for i in range(n):
        if A[labels[i], i] >= limit:
            return i
    return 0


@jit()
def relational_lloyd(D: Array, seeds: IntArray, max_iter: int) -> tuple[IntArray, Array]:
    """Clusters of n objects from several sets of seeds.

    Parameters
    ----------
    D : array of shape (n, n)
        Squared distances.
    seeds : array of int of shape (starts, k)
        The objects at which the means begin.
    max_iter : int
        At most so many steps.

    Returns
    -------
    labels : array of int of shape (starts, n)
        The cluster of every object.
    costs : array of shape (starts,)
        Sums of squared distances from the means.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.array([0.0, 1.0, 5.0, 6.0])
    >>> labels, costs = relational_lloyd((x[:, None] - x) ** 2, np.array([[0, 1]]), 10)
    >>> labels, costs
    (array([[0, 0, 1, 1]]), array([1.]))
    """
    starts, k = seeds.shape
    n = len(D)
    A, size, new = np.empty((k, n)), np.empty(k, dtype=np.intp), np.empty(n, dtype=np.intp)
    labels, costs = np.full((starts, n), -1), np.zeros(starts)
    for s in range(starts):
        for j in range(k):
            labels[s, seeds[s, j]] = j
        for step in range(max_iter):
            _distances_to_means(D, labels[s], size, A)
            _assign(A, new, size)
            for j in range(k):
                if size[j] == 0:  # an empty cluster takes the farthest object
                    far = _farthest(A, new)
                    new[far] = j
                    size[j] = 1
            same = step > 0
            for i in range(n):
                same = same and new[i] == labels[s, i]
                labels[s, i] = new[i]
            if same:
                break
        for i in range(n):
            low = A[0, i]
            for j in range(1, k):
                low = min(low, A[j, i])
            costs[s] += low
    return labels, costs
