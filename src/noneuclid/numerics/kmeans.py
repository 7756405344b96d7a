"""k-means from squared distances alone, compiled."""

import numpy as np

from noneuclid.numerics._jit import jit
from noneuclid.numerics._types import Array, IntArray


@jit(sums=True)
def _to_means(D: Array, labels: IntArray, k: int, A: Array) -> None:
    """A_ji = (Dγ_j)_i − ½γ_j'Dγ_j with the mean γ_j of the objects labelled j (< 0: of none)."""
    A[:] = 0.0
    counts = np.zeros(k)
    for label in labels:
        if label >= 0:
            counts[label] += 1.0
    for i in range(D.shape[0]):
        j = labels[i]
        if j >= 0:
            for c in range(D.shape[1]):
                A[j, c] += D[i, c]
    inner = np.zeros(k)
    for i in range(D.shape[0]):
        j = labels[i]
        if j >= 0:
            inner[j] += A[j, i]
    for j in range(k):
        size = max(counts[j], 1.0)
        for c in range(D.shape[1]):
            A[j, c] = A[j, c] / size - 0.5 * inner[j] / (size * size)


@jit()
def relational_kmeans(D: Array, seeds: IntArray, max_iter: int) -> tuple[float, IntArray]:
    """Lloyd's iteration from k objects on, with d(i, mean) = (Dγ)_i − ½γ'Dγ.

    Returns the sum of the distances to the nearest mean, and the clusters. An empty cluster takes
    the object that is farthest from its mean.
    """
    n, k = D.shape[0], seeds.size
    labels = np.full(n, -1)
    labels[seeds] = np.arange(k)
    A, nearest, counts = np.empty((k, n)), np.empty(n), np.empty(k, dtype=np.int64)
    for iteration in range(max_iter):
        _to_means(D, labels, k, A)
        changed = iteration == 0
        counts[:] = 0
        for i in range(n):
            best = 0
            for j in range(1, k):
                if A[j, i] < A[best, i]:
                    best = j
            changed = changed or labels[i] != best
            labels[i], nearest[i] = best, A[best, i]
            counts[best] += 1
        for j in range(k):
            if counts[j] == 0:
                far = int(np.argmax(nearest))
                labels[far], nearest[far] = j, -np.inf
                changed = True
        if not changed:
            break
    total = 0.0
    for i in range(n):
        lowest = A[0, i]
        for j in range(1, k):
            lowest = min(lowest, A[j, i])
        total += lowest
    return total, labels
