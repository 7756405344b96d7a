r"""A bounded set of landmarks that learns along with a stream of objects.

Objects are seen by their projection on the span of the landmarks in the feature space of a kernel.
With the Cholesky factor :math:`LL' = K_{DD}` of their kernel matrix,

.. math:: z(x) = L^{-1}k_D(x), \qquad z(x)'z(y) \approx k(x, y), \qquad
          r(x) = k(x, x) - \|z(x)\|^2

are its coordinates and what they miss. Objects that the landmarks miss join them while there is
room (Engel, Mannor and Meir 2004), and after that only if the stream changed: if it is missed by
more than the landmarks would miss one another. They are a sample of the stream, not its extremes:
components follow where most objects are.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg

from noneuclid.numerics import first_argmin
from noneuclid.numerics.cholesky import pivoted_features
from noneuclid.proximities.checks import check_square
from noneuclid.typing import Array, IntArray

# An object is new if the landmarks miss more than this share of the largest k(x, x).
_NEW = 1e-9
# The stream changed if so many times as much is missed of it as of the landmarks themselves.
_CHANGED = 1.5
# At most this share of the landmarks is replaced at a time.
_REPLACED = 0.1
# Rounding; what is missed by less than minus this share belongs to no positive kernel.
_NEGATIVE = 1e-6


class NotPositive(ValueError):
    """A kernel that should be positive is not."""


@dataclass(frozen=True, eq=False)
class Dictionary:
    """Landmarks, and the factor of their kernel matrix. It never changes; it is replaced."""

    kernel: Any
    objects: Any
    factor: Array
    """L, lower triangular."""
    usual: float = 0.0
    """What the other landmarks would miss of each, in the mean."""

    @classmethod
    def empty(cls, kernel: Any, objects: Any) -> "Dictionary":
        """No landmarks yet, of the kind of the objects."""
        return cls(kernel, objects[np.arange(0)], np.zeros((0, 0)))

    def __len__(self) -> int:
        return len(self.factor)

    def coordinates(self, objects: Any) -> Array:
        """The projections z on the span of the landmarks."""
        if len(self) == 0:
            return np.zeros((len(objects), 0))
        K = self.kernel(objects, self.objects)
        solved = linalg.solve_triangular(self.factor, K.T, lower=True, check_finite=False)
        return np.ascontiguousarray(solved.T)

    def grown(self, objects: Any, budget: int) -> "Dictionary":
        """The dictionary that knows these objects too, as well as so many landmarks can."""
        Z, own = self.coordinates(objects), np.asarray(self.kernel.diag(objects))
        missed = own - np.einsum("ij,ij->i", Z, Z)
        largest = float(np.abs(own).max(initial=0.0))
        if missed.min(initial=0.0) < -_NEGATIVE * largest:
            raise NotPositive
        limit, spare = _NEW * largest, budget - len(self)
        if spare == 0:
            limit, spare = max(self.usual, limit), max(int(_REPLACED * budget), 1)
            if missed.mean() <= _CHANGED * limit:
                return self
        candidates = np.flatnonzero(missed > limit)
        if len(candidates) == 0:
            return self
        new = self._independent(objects, Z, _spread(candidates, spare), limit)
        gone = self._dispensable(len(new)) if len(self) == budget else []
        return self._of(np.delete(np.arange(len(self)), gone), objects[new])

    def _independent(self, objects: Any, Z: Array, candidates: IntArray, limit: float) -> IntArray:
        """Those of the candidates that are new to each other too."""
        rest = self.kernel(objects[candidates]) - Z[candidates] @ Z[candidates].T
        missed = np.diag(rest)
        _, pivots = pivoted_features(
            lambda i, j: rest[i][:, j], missed, cutoff=limit / float(missed.max())
        )
        return candidates[np.sort(pivots)]

    def _dispensable(self, n: int) -> list[int]:
        """So many landmarks, each the one that those left would miss least."""
        P, left, gone = _inverse(self.factor), np.arange(len(self)), []
        for _ in range(n):
            i = int(first_argmin(1.0 / np.diag(P)[None, :])[0])
            gone.append(int(left[i]))
            P = P - np.outer(P[:, i], P[i]) / P[i, i]
            P, left = np.delete(np.delete(P, i, axis=0), i, axis=1), np.delete(left, i)
        return gone

    def _of(self, kept: IntArray, new: Any) -> "Dictionary":
        objects = _joined(self.kernel, self.objects[kept], new)
        K = check_square(self.kernel(objects), "the Gram matrix")
        try:
            factor = linalg.cholesky(K, lower=True)
        except linalg.LinAlgError:
            raise NotPositive from None
        usual = float((1.0 / np.diag(_inverse(factor))).mean())
        return Dictionary(self.kernel, objects, factor, usual)

    def change(self, other: "Dictionary") -> Array:
        """T that takes coordinates here to those of the projection on another dictionary."""
        if len(self) == 0:
            return np.zeros((len(other), 0))
        among = other.coordinates(self.objects)
        return np.asarray(linalg.solve_triangular(self.factor, among, lower=True).T)


def _inverse(factor: Array) -> Array:
    """The inverse of LL'."""
    root = linalg.solve_triangular(factor, np.eye(len(factor)), lower=True)
    return np.asarray(root.T @ root)


def _spread(candidates: IntArray, n: int) -> IntArray:
    """At most n of them, evenly spread."""
    if len(candidates) <= n:
        return candidates
    return np.asarray(candidates[np.linspace(0, len(candidates) - 1, n).astype(int)])


def _joined(kernel: Any, some: Any, others: Any) -> Any:
    """Both, in the form the kernel gives its objects."""
    if isinstance(some, np.ndarray):
        return np.concatenate([some, others])
    return kernel.joined(some, others)
