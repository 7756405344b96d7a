r"""Coordinates in which a bilinear product is diagonal.

Where the duality map is linear, :math:`[x, w] = x'Gw` with a symmetric G, and there are
coordinates z of x and v of w with

.. math:: [x, w] = \sum_k s_k z_k v_k, \qquad s_k = \pm 1 .

It is the only flattening there is: prototypes, quantisers and components all learn in them.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from noneuclid.numerics.linalg import signed_eigh
from noneuclid.typing import Array


@dataclass(frozen=True, eq=False)
class Chart:
    """Coordinates in which a product is diagonal.

    Attributes
    ----------
    forth : callable
        Rows of the space to their coordinates, (n, d) → (n, k): linear, and unchecked.
    back : callable
        The inverse.
    signs : array of shape (k,)
        +1 first, then −1.

    Examples
    --------
    >>> from noneuclid.spaces import Hilbert
    >>> chart = Hilbert([[4.0, 0.0], [0.0, 9.0]]).chart(2)
    >>> Z = chart.forth(np.array([[1.0, 1.0]]))
    >>> Z, chart.back(Z), chart.signs, chart.positive
    (array([[2., 3.]]), array([[1., 1.]]), array([1., 1.]), 2)
    """

    forth: Callable[[Array], Array]
    back: Callable[[Array], Array]
    signs: Array

    @property
    def positive(self) -> int:
        """How many coordinates count positively; they come first."""
        return int((self.signs > 0).sum())

    @property
    def is_positive(self) -> bool:
        """Whether the coordinates are Euclidean ones."""
        return self.positive == len(self.signs)

    @property
    def is_identity(self) -> bool:
        """Whether the coordinates are those of the space itself."""
        return self.forth is as_it_is


def as_it_is(X: Array) -> Array:
    """The same array, not a copy."""
    return X


def diagonal_chart(signs: Array) -> Chart:
    """The chart of a product that is diagonal already."""
    return Chart(as_it_is, as_it_is, signs)


def eigen_chart(G: Array) -> Chart:
    """The chart of a symmetric matrix of any signature; null directions are dropped."""
    values, vectors = signed_eigh(G)
    root = np.sqrt(np.abs(values))
    return Chart(_Times(vectors * root), _Times((vectors / root).T), np.sign(values))


@dataclass(frozen=True, eq=False)
class _Times:
    """Rows times a matrix; no closure, so that a space can be saved with its charts."""

    M: Array

    def __call__(self, X: Array) -> Array:
        return np.asarray(X @ self.M)
