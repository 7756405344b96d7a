r"""Prototypes that are combinations of Nystroem features.

:math:`w_j = \sum_l\gamma_{jl} z_l` is a vector of low rank r in a pseudo-Euclidean space, so that
distances, gradients and steps cost O(r) instead of O(n):

.. math:: d(\xi_i, w_j) = \tilde k_{ii} - 2\,z_i' I_{pq} w_j + w_j' I_{pq} w_j .
"""

import numpy as np

from noneuclid.numerics.lvq_features import feature_epoch
from noneuclid.numerics.quantization import feature_steps
from noneuclid.prototypes.combinations import Combination, SimilarityGeometry
from noneuclid.prototypes.costs import CostCode
from noneuclid.prototypes.geometry import Constraint
from noneuclid.prototypes.pulls import Pulls
from noneuclid.typing import Array, IntArray


class FeatureGeometry(SimilarityGeometry):
    """Combinations of n feature vectors; the state keeps W = ΓZ where others keep ΓM.

    Coordinate gradients are those of the similarities Z I_pq Z', also where the features stand
    for dissimilarities: along the constraint that the coefficients sum to one both agree.

    Parameters
    ----------
    Z : array of shape (n, r)
        Features, positive directions first.
    positive : int
        How many directions are positive.
    constraint : {"convex", "affine", "none"}
    """

    largest_block = 200

    def __init__(self, Z: Array, positive: int, constraint: Constraint = "convex"):
        self.Z, self.positive, self.constraint = Z, positive, constraint
        self.signs = np.where(np.arange(Z.shape[1]) < positive, 1.0, -1.0)
        self.diagonal = np.einsum("ik,ik,k->i", Z, Z, self.signs)

    def state(self, G: Array) -> Combination:
        """Coefficients with their vectors."""
        G = np.array(G, dtype=np.float64, order="C")
        W = np.ascontiguousarray(G @ self.Z)
        return Combination(G, W, self._squared_norms(W))

    def _squared_norms(self, W: Array) -> Array:
        return np.einsum("jk,jk,k->j", W, W, self.signs)

    def move(self, theta: Combination, G: Array) -> None:
        """Set new coefficients."""
        theta.G[:] = G
        theta.A[:] = G @ self.Z
        theta.q[:] = self._squared_norms(theta.A)

    def distances(self, theta: Combination, rows: IntArray | slice = slice(None)) -> Array:
        """d_ij of the training objects ``rows``: (n, m)."""
        D = self.Z[rows] @ (-2.0 * theta.A * self.signs).T
        D += self.diagonal[rows, None]
        D += theta.q
        return D

    def pull(self, theta: Combination, rows: IntArray | slice, F: Array) -> Array:
        """Σ_i F_ij ∂d_ij/∂γ_j = 2(Σ_i F_ij w_j − (F'Z)_j)' I_pq Z'."""
        pull = F.sum(axis=0)[:, None] * theta.A - F.T @ self.Z[rows]
        return 2.0 * (pull * self.signs) @ self.Z.T

    def distances_of_combinations(self, theta: Combination) -> Array:
        """Squared distances between the prototypes: (m, m)."""
        return theta.q[:, None] + theta.q - 2.0 * (theta.A * self.signs) @ theta.A.T

    def _sums(self, pulls: Pulls) -> Array:
        return pulls.sums(self.Z)

    def _squares(self, G: Array, A: Array) -> Array:
        return self._squared_norms(A)

    def steps(
        self, theta: Combination, order: IntArray, table: Array, by_rank: bool, rate: float
    ) -> float:
        """Move prototypes towards the samples in order, as a neighbourhood's table says.

        Returns the sum of the costs the samples had when they were seen.
        """
        cost = feature_steps(self.Z, self.positive, order, table, by_rank, rate, theta.G, theta.A)
        theta.q[:] = self._squared_norms(theta.A)
        return cost

    def distances_between(self, members: IntArray) -> Array:
        """Squared distances between some objects."""
        Z, own = self.Z[members], self.diagonal[members]
        return own[:, None] + own - 2.0 * (Z * self.signs) @ Z.T

    def nearest_mean(self, G: Array, some: IntArray, members: IntArray) -> IntArray:
        """For each member, the nearest of the means G of ``some`` objects."""
        W = G @ self.Z[some]
        return (self._squared_norms(W) - 2.0 * self.Z[members] @ (W * self.signs).T).argmin(axis=1)

    def variance(self, rows: IntArray | slice = slice(None)) -> float:
        """Mean squared distance of objects from their mean; may be negative if indefinite."""
        mean = self.Z[rows].mean(axis=0)
        return float(self.diagonal[rows].mean() - mean * self.signs @ mean)

    def magnitude(self) -> float:
        """Mean modulus of the self-products."""
        return float(np.abs(self.diagonal).mean())

    def riesz_epoch(
        self,
        theta: Combination,
        y: IntArray,
        own_of_class: np.ndarray,
        order: IntArray,
        step: Array,
        code: CostCode,
    ) -> tuple[int, int]:
        """Prototype steps over all samples in order, compiled; equals the generic path."""
        counts = feature_epoch(
            self.Z,
            self.diagonal,
            self.positive,
            own_of_class,
            y,
            order,
            step,
            self.constraint == "convex",
            *code,
            theta.G,
            theta.A,
            theta.q,
        )
        theta.q[:] = self._squared_norms(theta.A)
        return counts
