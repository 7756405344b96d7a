"""Squared distances as radial kernels need them: of rows that are valid already."""

from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np
from scipy.spatial.distance import pdist, squareform

from noneuclid._checks import shown
from noneuclid.numerics import lp_pull, lp_squared_distance, squared_euclidean
from noneuclid.spaces import IncompatibleSpace, KernelMetric, LinearSpace, Space
from noneuclid.typing import Array

# Squared distances below 0 by no more than this share of the largest are rounding.
_ROUNDING = 1e-9
_FEW = 32  # features


class Distances(Protocol):
    """d²(x_i, y_j), its derivatives by y_j, and their sums; ``is_homogeneous``: d(cx, cy) = c d."""

    @property
    def is_homogeneous(self) -> bool: ...

    def squares(self, X: Any, Y: Any) -> Array: ...

    def pairs(self, X: Any) -> Array: ...

    def gradient(self, x: Array, W: Array) -> Array: ...

    def pull(self, X: Array, W: Array, F: Array) -> Array: ...


class _Pairs:
    """Distances whose pairs are the triangle of a matrix."""

    def pairs(self: Any, X: Any) -> Array:
        """d² of every pair of different places, row after row."""
        return np.asarray(squareform(self.squares(X, X), checks=False))


class EuclideanDistances(_Pairs):
    """Those of l_2, by matrix products."""

    is_homogeneous = True

    def squares(self, X: Array, Y: Array) -> Array:
        return squared_euclidean(X, Y)

    def pairs(self, X: Array) -> Array:
        """Without a matrix; of many features a matrix product is faster."""
        return np.asarray(pdist(X, "sqeuclidean")) if X.shape[1] <= _FEW else super().pairs(X)

    def gradient(self, x: Array, W: Array) -> Array:
        return np.asarray(-2.0 * (x - W))

    def pull(self, X: Array, W: Array, F: Array) -> Array:
        return np.asarray(-2.0 * (F.T @ X - F.sum(axis=0)[:, None] * W))


class CityBlockDistances(_Pairs):
    """Those of l_1, compiled."""

    is_homogeneous = True

    def squares(self, X: Array, Y: Array) -> Array:
        return lp_squared_distance(X, Y, 1.0)

    def gradient(self, x: Array, W: Array) -> Array:
        V = x - W
        return np.asarray(-2.0 * np.abs(V).sum(axis=1, keepdims=True) * np.sign(V))

    def pull(self, X: Array, W: Array, F: Array) -> Array:
        return lp_pull(X, W, F, 1.0)


@dataclass(frozen=True)
class SpaceDistances(_Pairs):
    """Those of any space: Euclidean in its chart where there is one, else its own."""

    space: Any

    @property
    def is_homogeneous(self) -> bool:
        return isinstance(self.space, LinearSpace)

    def squares(self, X: Array, Y: Array) -> Array:
        chart = self.space.chart(X.shape[1])
        if chart is None:
            return self._not_negative(self.space.squared_distance(X, Y))
        if not chart.is_positive:
            raise IncompatibleSpace(
                f"a radial kernel needs squared distances that are not negative; {self.space} has "
                "negative ones"
            )
        Z = chart.forth(X)
        return squared_euclidean(Z, Z if Y is X else chart.forth(Y))

    def _not_negative(self, D: Array) -> Array:
        lowest, highest = D.min(initial=0.0), D.max(initial=0.0)
        if lowest < -_ROUNDING * max(highest, -lowest):
            raise IncompatibleSpace(
                "a radial kernel needs squared distances that are not negative; "
                f"{shown(self.space)} has {lowest:.3g}"
            )
        return np.maximum(D, 0.0) if lowest < 0 else D

    def gradient(self, x: Array, W: Array) -> Array:
        return np.asarray(self.space.squared_distance_gradient(x, W))

    def pull(self, X: Array, W: Array, F: Array) -> Array:
        return np.asarray(self.space.pull(X, W, F))


@dataclass(frozen=True)
class KernelDistances(_Pairs):
    """Those that a kernel induces, of rows or objects: k(x, x) − 2k(x, y) + k(y, y)."""

    kernel: Any
    is_homogeneous: ClassVar[bool] = False

    def squares(self, X: Any, Y: Any) -> Array:
        own = self.kernel.diag(X)
        D = np.asarray(-2.0 * self.kernel._evaluate(X, Y))
        D += own[:, None]
        D += own if Y is X else self.kernel.diag(Y)
        if self.kernel.is_positive_definite:  # then below 0 is rounding
            np.maximum(D, 0.0, out=D)
        if Y is X:
            np.fill_diagonal(D, 0.0)
        return D

    def gradient(self, x: Array, W: Array) -> Array:
        return KernelMetric(self.kernel).squared_distance_gradient(x, W)

    def pull(self, X: Array, W: Array, F: Array) -> Array:
        return KernelMetric(self.kernel).pull(X, W, F)


# The short ways of the spaces that kernels are mostly used in.
_SHORT: dict[str, Distances] = {
    "l2": EuclideanDistances(),
    "euclidean": EuclideanDistances(),
    "l1": CityBlockDistances(),
}


def distances_of(space: str | Space, made: Space) -> Distances:
    """The distances of a space: ``made`` is what its name stands for."""
    return (
        _SHORT.get(space, SpaceDistances(made)) if isinstance(space, str) else SpaceDistances(made)
    )
