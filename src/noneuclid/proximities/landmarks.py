"""Proximities to a few landmarks, and how to choose them without the whole matrix."""

from abc import abstractmethod
from collections.abc import Callable
from numbers import Integral, Real
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from noneuclid.kernels import Kernel, as_kernel
from noneuclid.numerics import squared_euclidean
from noneuclid.proximities.objects import landmark_pairwise, object_list
from noneuclid.typing import Array, IntArray

Landmarks = Literal["uniform", "kmeans++", "pivoted"]

# A residual below this share of the largest self-similarity is rounding.
_ROUNDING = 1e-12


class Proximities:
    """A matrix of proximities between n objects, of which only asked-for parts are computed."""

    n: int

    @abstractmethod
    def between(self, rows: IntArray | slice, columns: IntArray) -> Array:
        """The block of these rows and columns."""

    @abstractmethod
    def diagonal(self) -> Array:
        """Proximities of the objects to themselves."""


class MatrixProximities(Proximities):
    """The matrix is given."""

    def __init__(self, P: Array):
        self.P, self.n = P, len(P)

    def between(self, rows: IntArray | slice, columns: IntArray) -> Array:
        """A copy of the block."""
        if isinstance(rows, slice):
            return self.P[rows][:, columns]
        return self.P[np.ix_(rows, columns)]

    def diagonal(self) -> Array:
        """The diagonal."""
        return np.diag(self.P).copy()


class ObjectProximities(Proximities):
    """The objects are given, and a function of two sets of them."""

    def __init__(self, objects: Any, function: "ProximityFunction"):
        self.objects, self.function, self.n = objects, function, len(objects)

    def between(self, rows: IntArray | slice, columns: IntArray) -> Array:
        """One value per pair, computed now."""
        P = self.function(take(self.objects, rows), take(self.objects, columns))
        if self.function.is_named_distance:  # an object is at 0 from itself, less the rounding
            P[np.arange(self.n)[rows][:, None] == columns] = 0.0
        return P

    def diagonal(self) -> Array:
        """One value per object."""
        return self.function.diagonal(self.objects)


class ProximityFunction:
    """A kernel, a named metric or a function of two objects, on whole sets of objects.

    Parameters
    ----------
    metric : str, Kernel or callable
        Similarities: anything ``as_kernel`` accepts by name, a Kernel, or a function of two
        objects. Dissimilarities: a name of ``sklearn.metrics.pairwise_distances``,
        ``"levenshtein"``, or a function of two objects.
    proximity : {"similarity", "dissimilarity"}
    """

    def __init__(self, metric: Any, proximity: str):
        self.proximity = proximity
        self.is_kernel = proximity == "similarity" and isinstance(metric, (str, Kernel))
        self.metric = as_kernel(metric) if self.is_kernel else metric

    @property
    def is_named_distance(self) -> bool:
        """Whether it is a distance given by its name, which is no other than zero of equals."""
        return self.proximity == "dissimilarity" and isinstance(self.metric, str)

    @property
    def takes_rows(self) -> bool:
        """Whether the objects are rows of a matrix."""
        if self.is_kernel:
            return not self.metric.takes_objects
        return isinstance(self.metric, str) and self.metric != "levenshtein"

    def as_objects(self, X: Any) -> Any:
        """Objects that are no rows of a matrix, in a form that takes indices."""
        return self.metric.as_objects(X) if self.is_kernel else object_list(X)

    def resolve(self, objects: Any) -> "ProximityFunction":
        """The same with data-dependent parameters of the kernel fixed."""
        if self.is_kernel:
            return ProximityFunction(self.metric.resolve(objects), self.proximity)
        return self

    def __call__(self, objects: Any, others: Any) -> Array:
        """(n, m) proximities."""
        if self.is_kernel:
            return np.asarray(self.metric(objects, others))
        if self.metric == "sqeuclidean":
            return squared_euclidean(objects, others)
        return landmark_pairwise(objects, others, self.metric)

    def diagonal(self, objects: Any) -> Array:
        """Proximities of the objects to themselves."""
        if self.proximity == "dissimilarity":
            return np.zeros(len(objects))
        if self.is_kernel:
            return np.asarray(self.metric.diag(objects))
        return np.array([float(self.metric(a, a)) for a in objects])


def take(objects: Any, index: IntArray | slice) -> Any:
    """Some of the objects, whether they are an array or a list."""
    if isinstance(objects, list) and not isinstance(index, slice):
        return [objects[i] for i in index]
    return objects[index]


def landmark_count(wanted: int | float, n: int) -> int:
    """Return how many landmarks: at most a number, or a share of the objects if below one."""
    if isinstance(wanted, Real) and not isinstance(wanted, (bool, Integral)) and 0 < wanted < 1:
        return max(1, round(float(wanted) * n))
    if not isinstance(wanted, Integral) or isinstance(wanted, bool) or wanted < 1:
        raise ValueError(
            f"n_landmarks (={wanted!r}) must be a positive integer, or a share between 0 and 1"
        )
    return min(int(wanted), n)


def check_indices(landmarks: ArrayLike, n: int) -> IntArray:
    """Return given landmarks as distinct indices of objects, or raise."""
    index = np.asarray(landmarks)
    if index.ndim != 1 or index.size == 0 or not np.issubdtype(index.dtype, np.integer):
        raise ValueError("landmarks must be a name or a non-empty list of integer indices")
    if index.min() < 0 or index.max() >= n:
        raise ValueError(
            f"landmarks holds index {index.max() if index.max() >= n else index.min()}, but there "
            f"are {n} objects, counted from 0"
        )
    if len(np.unique(index)) < len(index):
        raise ValueError("landmarks names an object twice: each may be a landmark once")
    return index


def choose_landmarks(
    method: str | ArrayLike, source: Proximities, m: int, proximity: str, rng: Any
) -> IntArray:
    """Indices of m landmarks; never more than the columns of the landmarks are computed."""
    if not isinstance(method, str):
        return check_indices(method, source.n)
    if method not in _METHODS:
        names = ", ".join(f'"{name}"' for name in _METHODS)
        raise ValueError(f"landmarks (={method!r}) must be {names} or a list of indices")
    return _METHODS[method](source, m, proximity, rng)


def _uniform(source: Proximities, m: int, proximity: str, rng: Any) -> IntArray:
    return rng.permutation(source.n)[:m]


def _column(source: Proximities, j: int) -> Array:
    return source.between(slice(None), np.array([j]))[:, 0]


def _distant(source: Proximities, m: int, proximity: str, rng: Any) -> IntArray:
    """k-means++: the next landmark is drawn with the squared distance to the nearest so far."""
    own = source.diagonal()
    chosen = [int(rng.randint(source.n))]
    nearest = np.full(source.n, np.inf)
    while len(chosen) < m:
        j = chosen[-1]
        d = _column(source, j)
        if proximity == "similarity":
            d = own + own[j] - 2 * d
        nearest = np.minimum(nearest, np.maximum(d, 0.0))
        nearest[chosen] = 0.0
        total = nearest.sum()
        if not total > 0:  # only duplicates are left
            return _fill(chosen, source.n, m, rng)
        chosen.append(int(rng.choice(source.n, p=nearest / total)))
    return np.array(chosen)


def _pivoted(source: Proximities, m: int, proximity: str, rng: Any) -> IntArray:
    """Pivoted Cholesky with signs: the next landmark is the worst approximated object."""
    origin = int(rng.randint(source.n))
    chosen: list[int] = []
    if proximity == "dissimilarity":  # s_ij = ½(d_i0 + d_j0 − d_ij), similarities seen from one
        to_origin = _column(source, origin)
        residual, chosen = to_origin.copy(), [origin]
    else:
        residual = source.diagonal()
    size = np.abs(residual).max(initial=0.0)
    L, signs = np.zeros((source.n, m)), np.zeros(m)
    residual[chosen] = 0.0
    while len(chosen) < m:
        j = int(np.abs(residual).argmax())
        pivot = residual[j]
        if not abs(pivot) > _ROUNDING * size:
            return _fill(chosen, source.n, m, rng)
        column = _column(source, j)
        if proximity == "dissimilarity":
            column = 0.5 * (to_origin + to_origin[j] - column)
        k = len(chosen)
        column = column - (L[:, :k] * signs[:k]) @ L[j, :k]
        L[:, k], signs[k] = column / np.sqrt(abs(pivot)), np.sign(pivot)
        residual -= signs[k] * L[:, k] ** 2
        chosen.append(j)
        residual[chosen] = 0.0
    return np.array(chosen)


def _fill(chosen: list[int], n: int, m: int, rng: Any) -> IntArray:
    """Nothing is left to gain by the rule: the remaining landmarks are drawn."""
    free = np.setdiff1d(np.arange(n), chosen)
    return np.concatenate([np.array(chosen, dtype=int), rng.permutation(free)[: m - len(chosen)]])


_METHODS: dict[str, Callable[[Proximities, int, str, Any], IntArray]] = {
    "uniform": _uniform,
    "kmeans++": _distant,
    "pivoted": _pivoted,
}
