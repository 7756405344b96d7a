r"""Prototypes that are combinations of feature vectors.

:math:`w_j = \sum_l\gamma_{jl} z_l` is a vector of low rank r in a pseudo-Euclidean space, so that
distances, gradients and steps cost O(r) instead of O(n):

.. math:: d(\xi_i, w_j) = \tilde k_{ii} - 2\,z_i' I_{pq} w_j + w_j' I_{pq} w_j .
"""

from functools import cached_property

import numpy as np
from scipy import linalg

from noneuclid.numerics import first_argmin
from noneuclid.numerics.lines import in_whole_lines
from noneuclid.numerics.lvq import run_epoch
from noneuclid.numerics.lvq_features import feature_epoch
from noneuclid.numerics.quantization import Table, feature_steps
from noneuclid.prototypes.costs.base import CostCode, Membership
from noneuclid.prototypes.costs.pulls import Pulls
from noneuclid.prototypes.geometries.base import Constraint
from noneuclid.prototypes.geometries.combinations import Combination, CombinationGeometry
from noneuclid.typing import Array, IntArray

# Features of so many bytes are copied to rows of whole lines for steps sample by sample.
_COPIED = 2**28


class FeatureGeometry(CombinationGeometry):
    """Combinations of n feature vectors; their images are the vectors W = ΓZ.

    Coordinate gradients are those of the similarities Z I_pq Z', also where the features stand
    for dissimilarities: along the constraint that the coefficients sum to one both agree.

    Parameters
    ----------
    Z : array of shape (n, r)
        Features, positive directions first.
    positive : int
        How many directions are positive.
    constraint, weights
        As for every geometry of combinations.
    """

    largest_block = 200
    takes_questions_meanwhile = True

    def __init__(
        self,
        Z: Array,
        positive: int,
        constraint: Constraint = "convex",
        weights: Array | None = None,
    ):
        super().__init__(constraint, weights)
        self.Z, self.positive = Z, positive
        self.signs = np.where(np.arange(Z.shape[1]) < positive, 1.0, -1.0)
        self.diagonal = self._squared_norms(Z)

    def multiplications(self, theta: Combination) -> int:
        """Of features, which are few, not of coefficients."""
        return self.n_samples * theta.images.size

    def _squared_norms(self, W: Array) -> Array:
        return np.einsum("jk,jk,k->j", W, W, self.signs)

    def _images(self, G: Array) -> Array:
        return np.ascontiguousarray(G @ self.Z)

    def _squares(self, G: Array, images: Array) -> Array:
        return self._squared_norms(images)

    def _sums(self, pulls: Pulls) -> Array:
        return pulls.sums(self.Z)

    def distances(self, theta: Combination, rows: IntArray | slice = slice(None)) -> Array:
        """d_ij of the training objects ``rows``: (n, m)."""
        D = self.Z[rows] @ (-2.0 * theta.images * self.signs).T
        D += self.diagonal[rows, None]
        D += theta.squares
        return D

    def distances_between(self, members: IntArray) -> Array:
        """Squared distances between some objects."""
        self._require_distances(len(members))
        Z, squares = self.Z[members], self.diagonal[members]
        D = (-2.0 * Z * self.signs) @ Z.T
        D += squares
        D += squares[:, None]
        return D

    def distances_of_combinations(self, theta: Combination) -> Array:
        """Squared distances between the prototypes: (m, m)."""
        W, q = theta.images, theta.squares
        return q[:, None] + q - 2.0 * (W * self.signs) @ W.T

    def nearest_mean(self, G: Array, some: IntArray, members: IntArray) -> IntArray:
        """For each member, the nearest of the means G of ``some`` objects."""
        W = G @ self.Z[some]
        return first_argmin(self._squared_norms(W) - 2.0 * self.Z[members] @ (W * self.signs).T)

    def principal_axes(self, k: int) -> Array:
        """Left singular vectors of the centred features of positive directions."""
        Z = (self.Z - self.Z.mean(axis=0))[:, : self.positive]
        scores, sizes, _ = linalg.svd(Z, full_matrices=False)
        return scores[:, :k][:, sizes[:k] > 1e-12 * max(sizes.max(initial=0.0), 1e-300)]

    def pull(self, theta: Combination, rows: IntArray | slice, F: Array) -> Array:
        """Σ_i F_ij ∂d_ij/∂γ_j = 2(Σ_i F_ij w_j − (F'Z)_j)' I_pq Z'."""
        pull = F.sum(axis=0)[:, None] * theta.images - F.T @ self.Z[rows]
        return 2.0 * (pull * self.signs) @ self.Z.T

    def steps(
        self, theta: Combination, order: IntArray, table: Table, by_rank: bool, rate: float
    ) -> float:
        """Move prototypes towards the samples in order, as a neighbourhood's table says.

        Returns the sum of the costs the samples had when they were seen.
        """
        W = theta.images
        cost = feature_steps(self.Z, self.positive, order, table, by_rank or None, rate, theta.G, W)
        theta.squares[:] = self._squared_norms(W)
        return cost

    def variance(self, rows: IntArray | slice = slice(None)) -> float:
        """Mean squared distance of objects from their mean; may be negative if indefinite."""
        shares = self._shares(rows)
        if shares is None:
            mean, square = self.Z[rows].mean(axis=0), self.diagonal[rows].mean()
        else:
            mean, square = shares @ self.Z[rows], shares @ self.diagonal[rows]
        return float(square - mean * self.signs @ mean)

    def magnitude(self) -> float:
        """Mean modulus of the self-products."""
        return float(np.abs(self.diagonal).mean())

    def riesz_epoch(
        self, theta: Combination, who: Membership, order: IntArray, step: Array, code: CostCode
    ) -> tuple[int, int]:
        """Prototype steps over all samples in order, compiled; equals the generic path."""
        theta.G = np.asfortranarray(theta.G)  # what a sample asks for lies together, and stays so
        convex, products = self.constraint == "convex", np.empty((2, len(theta.G)))
        Z, positive = self._rows
        problem = Z, self.diagonal, positive, who.of_class, who.y, order, step, convex
        W = theta.images if Z is self.Z else in_whole_lines(theta.images)
        counts = run_epoch(feature_epoch, (*problem, *code), theta.G, W, theta.squares, *products)
        theta.images[:] = W[:, : self.Z.shape[1]]
        theta.squares[:] = self._squared_norms(theta.images)
        return counts

    @cached_property
    def _rows(self) -> tuple[Array, int]:
        """Features as steps sample by sample read them soonest, and how many are positive."""
        if self.Z.nbytes > _COPIED:
            return self.Z, self.positive
        Z = in_whole_lines(self.Z)
        return Z, Z.shape[1] if self.positive == self.Z.shape[1] else self.positive
