"""Where prototypes start: at combinations of objects of their own class."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from noneuclid.numerics import first_argmax, first_argmin
from noneuclid.numerics.lloyd import relational_lloyd
from noneuclid.numerics.threads import one_blas_thread
from noneuclid.prototypes.geometries.base import Geometry, S
from noneuclid.prototypes.geometries.vectors import VectorGeometry
from noneuclid.prototypes.starts.common import given, kmeans_seeds
from noneuclid.typing import Array, IntArray

_STARTS = 5
_MAX_ITER = 50
# Many clusters of many objects are compiled: one object after the other is added to its own then,
# not zeros to all others. For fewer, that would take longer, and as long as a hundred starts at
# first.
_FEW, _FEW_CLUSTERS = 40_000, 20
_LARGE, _SMALLER = 1e300, 2.0**-20
# So many distances may be copied.
_COPIED = 1 << 22
# A sample to cluster has at least so many objects per cluster.
_PER_CLUSTER = 20
# Share of the class mean in each k-means prototype: small clusters alone overfit.
CLASS_SHARE = 0.3
# Of data in blocks, a start looks at so many samples of all classes together, if they suffice.
_LOOKED_AT = 20_000
_OF_A_CLASS = 1_000


def initial_coefficients(
    init: str | ArrayLike,
    geometry: Geometry[S],
    y: IntArray,
    counts: IntArray,
    rng: np.random.RandomState,
) -> Array:
    """Coefficients (m, n), class by class; ``counts[c]`` prototypes for class c."""
    n, m = len(y), int(counts.sum())
    if not isinstance(init, str):
        return _given(init, (m, n), geometry)
    if init not in _INITS:
        names = ", ".join(f'"{name}"' for name in _INITS)
        raise ValueError(f"init (={init!r}) must be {names} or an array of coefficients")
    return _class_by_class(_INITS[init], geometry, y, counts, rng)


def that_weigh(
    y: IntArray, weights: Array | None, counts: IntArray, classes: np.ndarray
) -> IntArray:
    """The classes of samples, −1 where they have no weight: no prototype starts there.

    Raises ValueError where a class has fewer samples with a weight than prototypes.
    """
    if weights is None or (weights > 0).all():
        return y
    heavy = np.where(weights > 0, y, -1)
    there = np.bincount(heavy[heavy >= 0], minlength=len(counts))
    few = np.flatnonzero(there < counts)
    if len(few) > 0:
        c = few[0]
        raise ValueError(
            f"class {classes.tolist()[c]!r} has {there[c]} samples of positive weight, and "
            f"n_prototypes asks for {counts[c]} of it: leave the class out, or give it weights"
        )
    return heavy


def clusters(geometry: Geometry[S], y: IntArray, counts: IntArray, rng: Any) -> Array:
    """Coefficients (m, n) of the means of clusters of each class."""
    return _class_by_class(_clusters, geometry, y, counts, rng)


def _class_by_class(
    start: Any, geometry: Geometry[S], y: IntArray, counts: IntArray, rng: Any
) -> Array:
    G = np.zeros((int(counts.sum()), len(y)))
    first = 0
    for c, k in enumerate(counts):
        members = np.flatnonzero(y == c)
        G[first : first + k, members] = start(geometry, members, int(k), rng)
        first += int(k)
    return G


def initial_vectors(
    init: str | ArrayLike,
    geometry: VectorGeometry,
    y: IntArray,
    counts: IntArray,
    rng: np.random.RandomState,
) -> Array:
    """Coordinates (m, d), class by class; ``"random"`` draws samples of the class.

    Given ones are taken as they are.
    """
    if not isinstance(init, str):
        return np.asarray(init)
    if init == "random":
        drawn = [rng.permutation(np.flatnonzero(y == c))[:k] for c, k in enumerate(counts)]
        return geometry.X[np.concatenate(drawn)]
    G = initial_coefficients(init, geometry, y, counts, rng)
    if geometry.weights is not None:
        weighted = G * geometry.weights
        total = weighted.sum(axis=1, keepdims=True)
        G = np.where(total > 0, weighted / np.where(total > 0, total, 1.0), G)
    return G @ geometry.X


def sample_size(n_prototypes: int, n_classes: int) -> int:
    """How many samples of each class a start looks at, where samples lie in blocks."""
    fair = min(_OF_A_CLASS, _LOOKED_AT // max(n_classes, 1))
    return max(fair, _PER_CLUSTER * int(n_prototypes))


def _given(init: ArrayLike, shape: tuple[int, int], geometry: Geometry[S]) -> Array:
    G = given(
        init,
        shape,
        "one row per prototype, one column per training object (inside cross-validation the "
        "training objects are fewer)",
    )
    if geometry.constraint == "convex" and (G < 0).any():
        raise ValueError('init has negative coefficients; constraint="convex" allows none')
    sums = G.sum(axis=1, keepdims=True)
    if geometry.constraint != "none" and np.abs(sums - 1).max() > 1e-8:
        raise ValueError(
            f'rows of init must sum to 1 under constraint="{geometry.constraint}"; one sums to '
            f"{sums[np.abs(sums - 1).argmax(), 0]:.6g}"
        )
    return G


def _random(geometry: Geometry[S], members: IntArray, k: int, rng: Any) -> Array:
    """Random weights on all objects of the class."""
    return rng.dirichlet(np.ones(len(members)), size=k)


def _sample(geometry: Geometry[S], members: IntArray, k: int, rng: Any) -> IntArray:
    """Positions of as many members as the geometry gives all mutual distances of."""
    if geometry.largest_block is None:
        return np.arange(len(members))
    limit = max(geometry.largest_block, _PER_CLUSTER * k)
    if len(members) <= limit:
        return np.arange(len(members))
    return np.sort(rng.permutation(len(members))[:limit])


def _cluster_means(labels: IntArray, k: int) -> Array:
    H = (labels == np.arange(k)[:, None]).astype(float)
    return H / np.maximum(H.sum(axis=1, keepdims=True), 1.0)


def _relational_kmeans(D: Array, k: int, starts: int, rng: Any) -> Array:
    """Lloyd's iteration on squared distances alone: d(i, mean) = (Dγ)_i − ½γ'Dγ; best of starts."""
    seeds = np.array([kmeans_seeds(D, k, rng) for _ in range(starts)])
    if D.size > _FEW and k > _FEW_CLUSTERS:
        labels, costs = relational_lloyd(np.ascontiguousarray(D), seeds, _MAX_ITER)
        return _cluster_means(labels[first_argmin(costs)], k)
    return _lloyd(D, seeds)


def _lloyd(D: Array, seeds: IntArray) -> Array:
    """The best of several starts at seeds (starts, k), side by side."""
    starts, k = seeds.shape
    n, names = len(D), np.arange(k)[:, None]
    D = D * _SMALLER if max(D.max(), -D.min()) > _LARGE else D  # sums shall not overflow
    labels, costs = np.full((starts, n), -1), np.empty(starts)
    going = np.arange(starts)  # the starts that still move
    H = np.zeros((starts, k, n))  # who is a member of which cluster
    H[going[:, None], names[:, 0], seeds] = 1.0
    sums, sizes = D[seeds], np.ones((starts, k))  # sums of members' distances: H D
    with one_blas_thread(H.size * n):
        for step in range(1, _MAX_ITER + 1):
            A = sums / sizes[:, :, None]
            A -= (0.5 / sizes * np.einsum("skn,skn->sk", H, A))[:, :, None]
            new = first_argmin(A, axis=1)
            before, H = H, (new[:, None, :] == names).astype(np.float64)
            sizes = H.sum(axis=2)
            if not sizes.all():
                _fill_empty(A, new, H)
                sizes = np.maximum(H.sum(axis=2), 1.0)
            moved = new != labels[going]
            labels[going] = new
            moves = moved.any(axis=1)
            if not moves.all() or step == _MAX_ITER:
                costs[going] = A.min(axis=1).sum(axis=1)
                going, H, before = going[moves], H[moves], before[moves]
                sums, sizes = sums[moves], sizes[moves]
                if not len(going):
                    break
            some = np.flatnonzero(moved.any(axis=0))
            if 2 * len(some) < n and len(some) * n < _COPIED:  # they alone make a difference
                change = H[:, :, some] - before[:, :, some]
                sums = sums + (change.reshape(-1, len(some)) @ D[some]).reshape(H.shape)
            else:
                sums = (H.reshape(-1, n) @ D).reshape(H.shape)
    return _cluster_means(labels[first_argmin(costs)], k)


def _fill_empty(A: Array, new: IntArray, H: np.ndarray) -> None:
    """An empty cluster takes the object that is farthest from its mean; distances A (s, k, n)."""
    for s, j in np.argwhere(~H.any(axis=2)):
        far = first_argmax(A[s, new[s], np.arange(new.shape[1])])
        new[s, far] = j
        H[s, :, far] = np.arange(H.shape[1]) == j


def _kmeans(geometry: Geometry[S], members: IntArray, k: int, rng: Any) -> Array:
    """Best of several class-wise k-means, drawn a little towards the class mean."""
    G = _clusters(geometry, members, k, rng)
    return G if k == 1 else (1 - CLASS_SHARE) * G + CLASS_SHARE / len(members)


def _clusters(geometry: Geometry[S], members: IntArray, k: int, rng: Any) -> Array:
    if k == 1:
        return np.full((1, len(members)), 1 / len(members))
    sample = _sample(geometry, members, k, rng)
    G = _relational_kmeans(geometry.distances_between(members[sample]), k, _STARTS, rng)
    if len(sample) < len(members):
        labels = geometry.nearest_mean(G, members[sample], members)
        labels[sample] = G.argmax(axis=0)  # so that none is empty
        G = _cluster_means(labels, k)
    return G


def _kmedoids(geometry: Geometry[S], members: IntArray, k: int, rng: Any) -> Array:
    """Prototypes that are objects: alternate nearest medoid and best medoid of each cluster."""
    sample = _sample(geometry, members, k, rng)
    D = geometry.distances_between(members[sample])
    found, costs = [], []
    for _ in range(_STARTS):
        medoids = kmeans_seeds(D, k, rng)
        for _ in range(_MAX_ITER):
            labels = first_argmin(D[medoids], axis=0)
            labels[medoids] = np.arange(k)
            groups = [np.flatnonzero(labels == j) for j in range(k)]
            new = np.array([g[first_argmin(D[np.ix_(g, g)].sum(axis=0))] for g in groups])
            if (new == medoids).all():
                break
            medoids = new
        found.append(medoids)
        costs.append(D[medoids].min(axis=0).sum())
    G = np.zeros((k, len(members)))
    G[np.arange(k), sample[found[first_argmin(np.array(costs))]]] = 1.0
    return G


_INITS = {"kmeans": _kmeans, "kmedoids": _kmedoids, "random": _random}
