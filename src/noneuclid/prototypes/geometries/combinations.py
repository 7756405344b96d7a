r"""Prototypes that are combinations of the training objects.

:math:`w_j = \sum_l \gamma_{jl}\xi_l` is a row of the coefficient matrix Γ. Over similarities S the
space of such rows has duality map :math:`J(\gamma) = S\gamma`; nothing else of the objects is
known or needed. The two geometries over a matrix differ in three constants of the distance

.. math:: d(\xi_i, w_j) = c_0 M_{ii} + c_1 (\Gamma M)_{ji} + c_2\,\gamma_j' M \gamma_j.
"""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import linalg
from scipy.sparse.linalg import LinearOperator, eigsh

from noneuclid._memory import require_matrices
from noneuclid.numerics import first_argmin
from noneuclid.numerics.lvq import riesz_epoch, run_epoch
from noneuclid.numerics.pairwise import row_blocks
from noneuclid.numerics.quantization import Table, combination_steps
from noneuclid.prototypes.costs.base import CostCode, Membership
from noneuclid.prototypes.costs.pulls import Pulls, times
from noneuclid.prototypes.geometries.base import Constraint, Geometry
from noneuclid.typing import Array, IntArray

# Matrices up to this size are decomposed wholly.
_SMALL = 300


@dataclass
class Combination:
    """Coefficients Γ, with what is kept up to date beside them.

    ``images`` are the prototypes as the geometry sees them: ΓM over a matrix, vectors ΓZ over
    features. ``squares`` are γ_j' S γ_j, or γ_j' D γ_j over dissimilarities.
    """

    G: Array
    images: Array
    squares: Array

    @property
    def parameters(self) -> Array:
        """The coefficients Γ."""
        return self.G

    def copy(self) -> "Combination":
        """Return an independent copy."""
        return Combination(self.G.copy(order="K"), self.images.copy(), self.squares.copy())


class CombinationGeometry(Geometry[Combination]):
    """Combinations of n objects, whatever is known of them.

    Parameters
    ----------
    constraint : {"convex", "affine", "none"}
        What rows of Γ must satisfy after each step.
    weights : array of shape (n,), optional
        Of the objects, for variances.
    """

    diagonal: Array
    """Self-proximities of the objects."""

    def __init__(self, constraint: Constraint = "convex", weights: Array | None = None):
        self.constraint, self.weights = constraint, weights

    @property
    def n_samples(self) -> int:
        """How many objects there are."""
        return len(self.diagonal)

    @abstractmethod
    def _images(self, G: Array) -> Array:
        """The prototypes as the geometry sees them."""

    @abstractmethod
    def _squares(self, G: Array, images: Array) -> Array:
        """γ_j' M γ_j of coefficients and their images."""

    @abstractmethod
    def _sums(self, pulls: Pulls) -> Array:
        """Images of the sums of objects, weighted by pulls."""

    @abstractmethod
    def distances_of_combinations(self, theta: Combination) -> Array:
        """Squared distances between the prototypes: (m, m)."""

    @abstractmethod
    def principal_axes(self, k: int) -> Array:
        """Unit coefficients (n, ≤ k) of the leading components of the centred similarities.

        Those with a positive eigenvalue, largest first; signs are as they come.
        """

    def state(self, G: Array) -> Combination:
        """Coefficients with their images."""
        G = np.array(G, dtype=np.float64, order="C")
        images = self._images(G)
        return Combination(G, images, self._squares(G, images))

    def move(self, theta: Combination, G: Array) -> None:
        """Set new coefficients; rows that did not change keep their images."""
        changed = (theta.G != G).any(axis=1)
        theta.G[changed] = G[changed]
        theta.images[changed] = self._images(G[changed])
        theta.squares[changed] = self._squares(theta.G[changed], theta.images[changed])

    def all_distances(self) -> Array:
        """Squared distances between all objects."""
        return self.distances_between(np.arange(self.n_samples))

    @staticmethod
    def _require_distances(n: int) -> None:
        what = f"the matrix of distances between {n:,} objects"
        require_matrices(what, n, copies=3.0, instead='use init="random"')

    def riesz_pull(self, theta: Combination, rows: IntArray | slice, F: Array) -> Array:
        """Σ_i F_ij (γ_j − e_i), the Riesz gradient."""
        pull = F.sum(axis=0)[:, None] * theta.G
        pull[:, rows] -= F.T
        return pull

    def centres(self, pulls: Pulls, theta: Combination) -> Combination:
        """γ_ji = h_ij/Σ_i h_ij, the best prototypes for given pulls; one without any stays."""
        mass = pulls.mass
        keep, divisor = mass <= 0, np.where(mass > 0, mass, 1.0)[:, None]
        G, images = np.ascontiguousarray(pulls.dense().T) / divisor, self._sums(pulls) / divisor
        G[keep], images[keep] = theta.G[keep], theta.images[keep]
        return Combination(G, images, self._squares(G, images))

    def step(self, theta: Combination, i: int, pull: Array) -> None:
        """Move prototypes towards one object: γ ← γ + a(e_i − γ)."""
        G = (1.0 - pull[:, None]) * theta.G
        G[:, i] += pull
        self.move(theta, G)

    def settle(self, theta: Combination) -> None:
        """Nothing is left to do after an epoch of steps."""

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

    def stiffness(self, m: int) -> float:
        """The coordinate gradient is the Riesz gradient times M, whose size is about n units."""
        return self.n_samples * self.scale()

    def _shares(self, rows: IntArray | slice) -> Array | None:
        """Weights of some objects, summing to one; None where they are equal."""
        if self.weights is None or not self.weights[rows].any():
            return None
        return self.weights[rows] / self.weights[rows].sum()


class MatrixCombinations(CombinationGeometry):
    """Combinations over a symmetric matrix M of proximities.

    Parameters
    ----------
    M : array of shape (n, n)
    constraint, weights
        As for every geometry of combinations.
    """

    constants: ClassVar[tuple[float, float, float]]

    def __init__(self, M: Array, constraint: Constraint = "convex", weights: Array | None = None):
        super().__init__(constraint, weights)
        self.M, self.diagonal = M, np.diag(M).copy()

    def _images(self, G: Array) -> Array:
        return times(G, self.M)

    def _squares(self, G: Array, images: Array) -> Array:
        return np.einsum("jl,jl->j", G, images)

    def _sums(self, pulls: Pulls) -> Array:
        return pulls.sums(self.M)

    def distances(self, theta: Combination, rows: IntArray | slice = slice(None)) -> Array:
        """d_ij of the training objects ``rows``: (n, m)."""
        c0, c1, c2 = self.constants
        return c0 * self.diagonal[rows, None] + c1 * theta.images[:, rows].T + c2 * theta.squares

    @classmethod
    def distances_to(cls, rows: Array, self_values: Array | float, G: Array, q: Array) -> Array:
        """d_ij of new objects with proximities ``rows`` to the objects, and to themselves."""
        c0, c1, c2 = cls.constants
        return c0 * np.reshape(self_values, (-1, 1)) + c1 * rows @ G.T + c2 * q

    def distances_between(self, members: IntArray) -> Array:
        """Squared distances between some objects, from either kind of proximity."""
        return self._distances(self.M[np.ix_(members, members)], self.diagonal[members])

    def all_distances(self) -> Array:
        """Squared distances between all objects; dissimilarities are not copied."""
        c0, c1, _ = self.constants
        return self.M if c0 == 0 and c1 == 1 else self._distances(self.M, self.diagonal)

    def _distances(self, M: Array, diagonal: Array) -> Array:
        c0, c1, _ = self.constants
        self._require_distances(len(M))
        return c0 * (diagonal[:, None] + diagonal) + c1 * M

    def distances_of_combinations(self, theta: Combination) -> Array:
        """Squared distances between the prototypes: (m, m)."""
        products = -0.5 * self.constants[1] * theta.G @ theta.images.T
        squares = np.diag(products)
        return squares[:, None] + squares - (products + products.T)

    def nearest_mean(self, G: Array, some: IntArray, members: IntArray) -> IntArray:
        """For each member, the nearest of the means G of ``some`` objects."""
        A = G @ self.M[np.ix_(some, members)]
        q = np.einsum("jl,jl->j", G @ self.M[np.ix_(some, some)], G)
        _, c1, c2 = self.constants
        return first_argmin(c1 * A.T + c2 * q)

    def principal_axes(self, k: int) -> Array:
        """Eigenvectors of the centred similarities, which are minus half of dissimilarities."""
        n, factor = self.n_samples, -0.5 * self.constants[1]

        def centred(V: Array) -> Array:
            V = V - V.mean(axis=0)
            V = factor * (self.M @ V)
            return V - V.mean(axis=0)

        if n <= _SMALL:
            values, vectors = linalg.eigh(centred(np.eye(n)))
        else:
            operator = LinearOperator((n, n), matvec=centred, matmat=centred, dtype=float)
            v0 = np.random.RandomState(0).normal(size=n)
            values, vectors = eigsh(operator, k=k, which="LA", v0=v0)
        order = np.argsort(values)[::-1][:k]
        positive = values[order] > 1e-12 * np.abs(values).max(initial=1e-300)
        return np.asarray(vectors[:, order[positive]])

    def pull(self, theta: Combination, rows: IntArray | slice, F: Array) -> Array:
        """Σ_i F_ij ∂d_ij/∂γ_j, the coordinate gradient: −c₁(Σ_i F_ij Γ M − F'M)."""
        factor = -self.constants[1]
        return factor * (F.sum(axis=0)[:, None] * theta.images - times(F.T, self.M, rows))

    def steps(
        self, theta: Combination, order: IntArray, table: Table, by_rank: bool, rate: float
    ) -> float:
        """Move prototypes towards the samples in order, as a neighbourhood's table says.

        Returns the sum of the costs the samples had when they were seen.
        """
        constants, state = np.array(self.constants), (theta.G, theta.images, theta.squares)
        return combination_steps(self.M, constants, order, table, by_rank or None, rate, *state)

    def variance(self, rows: IntArray | slice = slice(None)) -> float:
        """Mean squared distance of objects from their mean; may be negative if indefinite."""
        c0, c1, c2 = self.constants
        block, shares = self.M[rows][:, rows], self._shares(rows)
        if shares is None:
            return float(c0 * self.diagonal[rows].mean() + (c1 + c2) * block.mean())
        return float(c0 * shares @ self.diagonal[rows] + (c1 + c2) * shares @ block @ shares)

    def magnitude(self) -> float:
        """Mean modulus of the proximities."""
        blocks = row_blocks(len(self.M), self.M[:1].nbytes)
        return float(sum(np.abs(self.M[rows]).sum() for rows in blocks) / self.M.size)

    def riesz_epoch(
        self, theta: Combination, who: Membership, order: IntArray, step: Array, code: CostCode
    ) -> tuple[int, int]:
        """Prototype steps over all samples in order, compiled; equals the generic path."""
        constants, convex = np.array(self.constants), self.constraint == "convex"
        problem = self.M, constants, who.of_class, who.y, order, step, convex, *code
        return run_epoch(riesz_epoch, problem, theta.G, theta.images, theta.squares)


class SimilarityGeometry(MatrixCombinations):
    """d = s_ii − 2(ΓS)_ji + γ'Sγ, for any coefficients."""

    constants = (1.0, -2.0, 1.0)


class DissimilarityGeometry(MatrixCombinations):
    """d = (ΓD)_ji − ½γ'Dγ, for coefficients that sum to one."""

    constants = (0.0, 1.0, -0.5)


GEOMETRIES: dict[str, type[MatrixCombinations]] = {
    "similarity": SimilarityGeometry,
    "dissimilarity": DissimilarityGeometry,
}
