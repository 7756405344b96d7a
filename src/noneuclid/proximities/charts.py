"""Vectors with signs: where objects known by a relation have coordinates."""

from dataclasses import dataclass

import numpy as np

from noneuclid.spaces import PseudoEuclidean
from noneuclid.typing import Array, IntArray


@dataclass(frozen=True)
class RelationChart:
    """Coordinates Z of objects in which their similarities are :math:`Z I_{pq} Z'`.

    Parameters
    ----------
    Z : array of shape (n, k)
        The objects.
    signs : array of shape (k,)
        +1 for the positive directions, which come first, then −1.

    Examples
    --------
    >>> chart = RelationChart(np.array([[1.0, 2.0], [0.0, 1.0]]), np.array([1.0, -1.0]))
    >>> chart.similarities()
    array([[-3., -2.],
           [-2., -1.]])
    """

    Z: Array
    signs: Array

    @property
    def signature(self) -> tuple[int, int]:
        """Numbers of positive and negative directions."""
        return sign_counts(self.signs)

    @property
    def space(self) -> PseudoEuclidean:
        """The space the vectors live in."""
        return PseudoEuclidean(signature=self.signature)

    @property
    def diagonal(self) -> Array:
        """z_i' I_pq z_i."""
        return self.squares(self.Z)

    def squares(self, Z: Array) -> Array:
        """z' I_pq z of any vectors of the chart.

        Parameters
        ----------
        Z : array of shape (m, r)
            Coordinates.

        Returns
        -------
        array of shape (m,)
            Squared norms, negative ones included.
        """
        return np.einsum("ik,ik,k->i", Z, Z, self.signs)

    def similarities(
        self, rows: IntArray | slice = slice(None), columns: IntArray | slice = slice(None)
    ) -> Array:
        """z_i' I_pq z_j of some objects.

        Parameters
        ----------
        rows, columns : array of int
            Indices of objects.

        Returns
        -------
        array of shape (n_rows, n_columns)
            As the coordinates give them.
        """
        return (self.Z[rows] * self.signs) @ self.Z[columns].T

    def dot(self, G: Array) -> Array:
        """G Z I_pq Z', for coefficients (m, n) or (n,).

        Parameters
        ----------
        G : array of shape (m, n)
            Coefficients.

        Returns
        -------
        array of shape (m, n)
            Products of the combinations with all objects.
        """
        return ((G @ self.Z) * self.signs) @ self.Z.T


def sign_counts(signs: Array) -> tuple[int, int]:
    """Numbers of positive and negative signs."""
    return int((signs > 0).sum()), int((signs < 0).sum())
