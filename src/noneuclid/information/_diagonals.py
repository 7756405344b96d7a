"""Kernel values of one variable, as diagonals of its Gram matrix in whatever order of the samples.

A permutation test that shifts samples round a circle needs nothing else, and none of these holds
the whole matrix unless it is given or its values are dear.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from noneuclid._memory import require_matrices
from noneuclid.kernels import Gaussian, Kernel
from noneuclid.numerics.diagonals import gaussian_diagonals
from noneuclid.numerics.information import scaled_columns
from noneuclid.typing import Array, IntArray

# Beyond so many coordinates, distances are better had from products of matrices.
_FEW_COORDINATES = 32
_TILE = 32  # the fewest rows of a tile of kernel values
_HELD = 1024  # a Gram matrix of so many objects may stay in memory
_FEWER = "use fewer samples, or a kernel of rows"


class Diagonals(ABC):
    """Some kernels on the same n samples; their labels are the kernels, or "precomputed"."""

    n: int
    labels: tuple[Any, ...]
    takes_threads = False
    """Whether several threads may ask at once: not where kernels of others are called."""

    @abstractmethod
    def between(self, first: int, last: int, order: IntArray) -> Iterator[Array]:
        """κ(x_i, x_{i+o}) for these offsets o, in this order: one array (o, i) per kernel.

        An array may be overwritten when the next is asked for.
        """


class GaussianDiagonals(Diagonals):
    """Gaussians of falling widths; each the square of the one before, or a power 2^k of it.

    Parameters
    ----------
    X : array of shape (n, d)
    width : float
        The widest.
    squarings : int
        How often the values are squared from one width to the next: once halves width².
    count : int
        Number of widths.
    """

    def __init__(self, X: Array, width: float, *, squarings: int = 1, count: int = 1):
        self.n, self.squarings = len(X), squarings
        self.labels = tuple(Gaussian(width * 2.0 ** (-0.5 * squarings * k)) for k in range(count))
        few = X.shape[1] <= _FEW_COORDINATES
        self.points = scaled_columns(X, width, X[0]) if few else None
        self.tiles = None if few else of_kernel(Gaussian(width), X)
        self.takes_threads = self.tiles is None or self.tiles.takes_threads
        self._held: tuple[Any, Any] = None, None

    def _widest(self, first: int, last: int, order: IntArray) -> Array:
        if self.points is not None:
            return gaussian_diagonals(self._around(order), first, last)
        assert self.tiles is not None
        return next(self.tiles.between(first, last, order))

    def _around(self, order: IntArray) -> Array:
        """The points on the circle, twice round; asked for again and again in the same order."""
        known, around = self._held
        if known is not order:
            assert self.points is not None
            points = self.points[:, order]
            around = np.concatenate([points, points], axis=1)
            self._held = order, around  # both at once: another thread may look
        return np.asarray(around)

    def between(self, first: int, last: int, order: IntArray) -> Iterator[Array]:
        """Return the diagonals of every width in turn."""
        K = self._widest(first, last, order)
        yield K
        for _ in self.labels[1:]:
            for _ in range(self.squarings):
                np.square(K, out=K)
            yield K


class GramDiagonals(Diagonals):
    """A Gram matrix that is there."""

    takes_threads = True

    def __init__(self, K: Array, label: Kernel | str = "precomputed"):
        self.n, self.K, self.labels = len(K), K, (label,)

    def between(self, first: int, last: int, order: IntArray) -> Iterator[Array]:
        """Return the diagonals of the matrix."""
        around = np.arange(self.n) + np.arange(first, last)[:, None]
        yield self.K[order, order[around % self.n]]


class KernelDiagonals(Diagonals):
    """A kernel of rows, evaluated tile by tile."""

    def __init__(self, kernel: Kernel, rows: Any):
        self.n, self.kernel, self.rows, self.labels = len(rows), kernel, rows, (kernel,)

    def between(self, first: int, last: int, order: IntArray) -> Iterator[Array]:
        """Return the diagonals, cut out of tiles of kernel values."""
        out = np.empty((last - first, self.n))
        height = max(_TILE, last - first)  # then at most half of a tile is cut off
        for start in range(0, self.n, height):
            stop = min(start + height, self.n)
            columns = np.arange(start + first, stop + last - 1) % self.n
            tile = self.kernel(self.rows[order[start:stop]], self.rows[order[columns]])
            tile = np.ascontiguousarray(tile)
            down, right = tile.strides
            skew = as_strided(tile, (stop - start, last - first), (down + right, right))
            out[:, start:stop] = skew.T
        yield out


class Together(Diagonals):
    """Several kernels on the same samples, one after the other."""

    def __init__(self, parts: list[Diagonals]):
        self.n, self.parts = parts[0].n, parts
        self.labels = tuple(label for part in parts for label in part.labels)
        self.takes_threads = all(part.takes_threads for part in parts)

    def between(self, first: int, last: int, order: IntArray) -> Iterator[Array]:
        """Return the diagonals of all kernels in turn."""
        for part in self.parts:
            yield from part.between(first, last, order)


def of_kernel(kernel: Kernel, objects: Any) -> Diagonals:
    """A kernel on objects: held as a matrix if its values are dear or the objects are few."""
    n = len(objects)
    if not kernel.takes_objects and n > _HELD:
        return KernelDiagonals(kernel, objects)
    require_matrices(f"the Gram matrix of {n:,} objects", n, instead=_FEWER)
    return GramDiagonals(kernel(objects), kernel)
