r"""Prototypes that are combinations of the training objects.

:math:`w_j = \sum_l \gamma_{jl}\xi_l` is a row of the coefficient matrix Γ. Over similarities S the
space of such rows has duality map :math:`J(\gamma) = S\gamma`; nothing else of the objects is
known or needed. The two geometries differ in three constants of the distance

.. math:: d(\xi_i, w_j) = c_0 M_{ii} + c_1 (\Gamma M)_{ji} + c_2\,\gamma_j' M \gamma_j.
"""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from noneuclid.numerics.lvq import riesz_epoch
from noneuclid.numerics.quantization import combination_steps
from noneuclid.prototypes.costs import CostCode
from noneuclid.prototypes.geometry import Constraint, Geometry
from noneuclid.prototypes.pulls import Pulls, times
from noneuclid.proximities import to_similarity
from noneuclid.typing import Array, IntArray


@dataclass
class Combination:
    """Coefficients with what is kept up to date beside them: A = Γ M and q_j = γ_j' M γ_j."""

    G: Array
    A: Array
    q: Array

    @property
    def parameters(self) -> Array:
        """The coefficients Γ."""
        return self.G

    def copy(self) -> "Combination":
        """Return an independent copy."""
        return Combination(self.G.copy(), self.A.copy(), self.q.copy())


class CombinationGeometry(Geometry[Combination]):
    """Combinations over a symmetric matrix M of proximities.

    Parameters
    ----------
    M : array of shape (n, n)
    constraint : {"convex", "affine", "none"}
        What rows of Γ must satisfy after each step.
    """

    constants: ClassVar[tuple[float, float, float]]

    @staticmethod
    @abstractmethod
    def similarities(M: Array) -> Array:
        """The similarities a matrix of this kind implies."""

    def __init__(self, M: Array, constraint: Constraint = "convex"):
        self.M = M
        self.diagonal = np.diag(M).copy()
        self.constraint = constraint

    def state(self, G: Array) -> Combination:
        """Coefficients with their products."""
        G = np.array(G, dtype=np.float64, order="C")
        A = times(G, self.M)
        return Combination(G, A, np.einsum("jl,jl->j", G, A))

    def move(self, theta: Combination, G: Array) -> None:
        """Set new coefficients; rows that did not change keep their products."""
        changed = (theta.G != G).any(axis=1)
        theta.G[changed] = G[changed]
        theta.A[changed] = times(G[changed], self.M)
        theta.q[changed] = np.einsum("jl,jl->j", theta.G[changed], theta.A[changed])

    def distances(self, theta: Combination, rows: IntArray | slice = slice(None)) -> Array:
        """d_ij of the training objects ``rows``: (n, m)."""
        c0, c1, c2 = self.constants
        return c0 * self.diagonal[rows, None] + c1 * theta.A[:, rows].T + c2 * theta.q

    @classmethod
    def distances_to(cls, rows: Array, own: Array | float, G: Array, q: Array) -> Array:
        """d_ij of new objects with proximities ``rows`` and self-proximities ``own``."""
        c0, c1, c2 = cls.constants
        return c0 * np.reshape(own, (-1, 1)) + c1 * rows @ G.T + c2 * q

    def distances_between(self, members: IntArray) -> Array:
        """Squared distances between some objects, from either kind of proximity."""
        c0, c1, _ = self.constants
        M, diagonal = self.M[np.ix_(members, members)], self.diagonal[members]
        return c0 * (diagonal[:, None] + diagonal) + c1 * M

    def all_distances(self) -> Array:
        """Squared distances between all objects; dissimilarities are not copied."""
        c0, c1, _ = self.constants
        if c0 == 0 and c1 == 1:
            return self.M
        return c0 * (self.diagonal[:, None] + self.diagonal) + c1 * self.M

    def nearest_mean(self, G: Array, some: IntArray, members: IntArray) -> IntArray:
        """For each member, the nearest of the means G of ``some`` objects."""
        A = G @ self.M[np.ix_(some, members)]
        q = np.einsum("jl,jl->j", G @ self.M[np.ix_(some, some)], G)
        _, c1, c2 = self.constants
        return (c1 * A.T + c2 * q).argmin(axis=1)

    def pull(self, theta: Combination, rows: IntArray | slice, F: Array) -> Array:
        """Σ_i F_ij ∂d_ij/∂γ_j, the coordinate gradient: −c₁(Σ_i F_ij Γ M − F'M)."""
        factor = -self.constants[1]
        return factor * (F.sum(axis=0)[:, None] * theta.A - times(F.T, self.M, rows))

    def riesz_pull(self, theta: Combination, rows: IntArray | slice, F: Array) -> Array:
        """Σ_i F_ij (γ_j − e_i), the Riesz gradient."""
        pull = F.sum(axis=0)[:, None] * theta.G
        pull[:, rows] -= F.T
        return pull

    @property
    def n_samples(self) -> int:
        """How many objects there are."""
        return len(self.diagonal)

    def centres(self, pulls: Pulls, theta: Combination) -> Combination:
        """γ_ji = h_ij/Σ_i h_ij, the best prototypes for given pulls; one without any stays."""
        mass = pulls.mass
        keep, divisor = mass <= 0, np.where(mass > 0, mass, 1.0)[:, None]
        G, A = np.ascontiguousarray(pulls.dense().T) / divisor, self._sums(pulls) / divisor
        G[keep], A[keep] = theta.G[keep], theta.A[keep]
        return Combination(G, A, self._squares(G, A))

    def distances_of_combinations(self, theta: Combination) -> Array:
        """Squared distances between the prototypes: (m, m)."""
        c1 = self.constants[1]
        products = -0.5 * c1 * theta.G @ theta.A.T
        own = np.diag(products)
        return own[:, None] + own - (products + products.T)

    def _sums(self, pulls: Pulls) -> Array:
        return pulls.sums(self.M)

    def _squares(self, G: Array, A: Array) -> Array:
        return np.einsum("jl,jl->j", G, A)

    def steps(
        self, theta: Combination, order: IntArray, table: Array, by_rank: bool, rate: float
    ) -> float:
        """Move prototypes towards the samples in order, as a neighbourhood's table says.

        Returns the sum of the costs the samples had when they were seen.
        """
        constants = np.array(self.constants)
        return combination_steps(
            self.M, constants, order, table, by_rank, rate, theta.G, theta.A, theta.q
        )

    def project(self, G: Array, previous: Array) -> tuple[Array, int]:
        """Restore the constraint; a row that would be clipped wholly keeps its old value."""
        if self.constraint != "convex":
            return G, 0
        G = np.maximum(G, 0.0)
        total = G.sum(axis=1, keepdims=True)
        gone = total[:, 0] <= 0
        G = np.where(gone[:, None], previous, G / np.where(gone[:, None], 1.0, total))
        return G, int(gone.sum())

    def tangent(self, gradient: Array, G: Array) -> Array:
        """The gradient along the constraint.

        Convex: through the division by the sum, which at Σγ = 1 takes γ'g off each component.
        Affine: without its mean.
        """
        if self.constraint == "convex":
            return gradient - np.einsum("jl,jl->j", G, gradient)[:, None]
        if self.constraint == "affine":
            return gradient - gradient.mean(axis=1, keepdims=True)
        return gradient

    def variance(self, rows: IntArray | slice = slice(None)) -> float:
        """Mean squared distance of objects from their mean; may be negative if indefinite."""
        c0, c1, c2 = self.constants
        block = self.M[rows][:, rows]
        return float(c0 * self.diagonal[rows].mean() + (c1 + c2) * block.mean())

    def magnitude(self) -> float:
        """Mean modulus of the proximities."""
        return float(np.abs(self.M).mean())

    def stiffness(self, m: int) -> float:
        """The coordinate gradient is the Riesz gradient times M, whose size is about n units."""
        return len(self.diagonal) * self.scale()

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
        return riesz_epoch(
            self.M,
            np.array(self.constants),
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


class SimilarityGeometry(CombinationGeometry):
    """d = s_ii − 2(ΓS)_ji + γ'Sγ, for any coefficients."""

    constants = (1.0, -2.0, 1.0)

    @staticmethod
    def similarities(M: Array) -> Array:
        """M itself."""
        return M


class DissimilarityGeometry(CombinationGeometry):
    """d = (ΓD)_ji − ½γ'Dγ, for coefficients that sum to one."""

    constants = (0.0, 1.0, -0.5)

    @staticmethod
    def similarities(M: Array) -> Array:
        """The centred similarities behind the dissimilarities."""
        return to_similarity(M)


GEOMETRIES: dict[str, type[CombinationGeometry]] = {
    "similarity": SimilarityGeometry,
    "dissimilarity": DissimilarityGeometry,
}
