"""Prototypes among vectors some of whose values are missing."""

import numpy as np

from noneuclid.prototypes.costs.pulls import Pulls
from noneuclid.prototypes.geometries.vectors import VectorGeometry, Vectors, observed_distances
from noneuclid.spaces import Euclidean
from noneuclid.typing import Array, IntArray


class MissingGeometry(VectorGeometry):
    r"""Vectors with missing values: distances are sums over the features a sample has.

    .. math:: d(x, w) = \sum_{k: x_k\,\text{is there}} (x_k - w_k)^2

    For a mixture of Gaussians, as RSLVQ models it, that is the distribution of what is there.
    """

    def __init__(self, X: Array, weights: Array | None = None):
        missing = np.isnan(X)
        self.there = (~missing).astype(float)
        count = self.there.sum(axis=0)
        means = np.where(missing, 0.0, X).sum(axis=0) / np.where(count == 0, 1.0, count)
        # Distances lose fewer digits around the middle.
        self.middle = means
        self.known = np.where(missing, 0.0, X - means)
        self.squares = (self.known**2).sum(axis=1)
        super().__init__(Euclidean(), np.where(missing, means, X), weights)

    def _make_chart(self) -> None:
        return None

    def _make_form(self) -> None:
        return None

    def distances(self, theta: Vectors, rows: IntArray | slice = slice(None)) -> Array:
        """d_ij of the training samples ``rows``, over the features they have: (n, m)."""
        W = theta.W - self.middle
        return observed_distances(self.known[rows], self.there[rows], W, self.squares[rows])

    def pull(self, theta: Vectors, rows: IntArray | slice, F: Array) -> Array:
        """Σ_i F_ij ∂d_ij/∂w_j, the coordinate gradient."""
        return 2.0 * self.riesz_pull(theta, rows, F)

    def riesz_pull(self, theta: Vectors, rows: IntArray | slice, F: Array) -> Array:
        """Σ_i F_ij (w_j − x_i), the Riesz gradient."""
        return (F.T @ self.there[rows]) * (theta.W - self.middle) - F.T @ self.known[rows]

    def centres(self, pulls: Pulls, theta: Vectors) -> Vectors:
        """Weighted means of what is there; where nothing is, a prototype stays."""
        H = pulls.dense()
        count = H.T @ self.there
        means = self.middle + H.T @ self.known / np.where(count > 0, count, 1.0)
        return self.state(np.where(count > 0, means, theta.W))
