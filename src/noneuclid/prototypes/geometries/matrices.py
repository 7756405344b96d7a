r"""Prototypes with a matrix: the metric is learned together with them.

.. math:: d(x, w) = \|\Omega(x - w)\|^2 \qquad\text{or}\qquad
          d(x, w) = 2 - 2\,\kappa_\Omega(x, w), \quad \kappa_\Omega = e^{-\|\Omega(x - w)\|^2}

The parameters are the prototypes W (m, d) with the rows of Ω (k, d) below them, so that a solver
moves both at once. A diagonal Ω is one row. Matrices of one's own for every prototype are in
:mod:`~noneuclid.prototypes.geometries.local_matrices`.
"""

from dataclasses import dataclass

import numpy as np

from noneuclid.prototypes.geometries.base import Geometry
from noneuclid.prototypes.geometries.degeneracy import degeneracy, diagonal_degeneracy
from noneuclid.prototypes.geometries.vectors import VectorGeometry
from noneuclid.spaces import Euclidean
from noneuclid.typing import Array, IntArray

# Ω moves slower than the prototypes: they must be able to follow.
SLOWER = 0.1
# Unit of steps of an Ω whose size is learned: longer ones run into single samples at once.
_FREE_UNIT = 0.3


@dataclass
class Matrix:
    """Prototypes and Ω, with the mapped prototypes ΩW' beside them."""

    parameters: Array
    m: int
    mapped: Array

    @property
    def W(self) -> Array:
        """The prototypes."""
        return self.parameters[: self.m]

    @property
    def omega(self) -> Array:
        """The matrix Ω."""
        return self.parameters[self.m :]

    def copy(self) -> "Matrix":
        """Return an independent copy."""
        return Matrix(self.parameters.copy(), self.m, self.mapped.copy())


@dataclass(frozen=True)
class Freedom:
    """What Ω may become.

    Parameters
    ----------
    size : bool
        Whether the size of Ω is learned. It does not matter to costs of relative distances: there
        Ω is scaled to trace(Ω'Ω) = 1. Costs with a bandwidth need it.
    regularization : float
        What a degenerate Ω costs, see :func:`~.degeneracy.degeneracy`.
    """

    size: bool = False
    regularization: float = 0.0


class MatrixGeometry(Geometry[Matrix]):
    r"""Vectors with the distance :math:`\|\Omega(x - w)\|^2`, and Ω among the parameters.

    Parameters
    ----------
    X : array of shape (n, d)
    m : int
        Number of prototypes: the other rows of the parameters are those of Ω.
    spread : float, optional
        Variance of the data, where X is only a part of them.
    weights : array of shape (n,), optional
        Of the samples, for means and variances.
    freedom : Freedom, optional
    """

    steepness = 1.0  # a matrix follows single samples too easily
    bandwidth_share = 1.0  # a wide start: the size of Ω narrows it where that helps

    def __init__(
        self,
        X: Array,
        m: int,
        spread: float | None = None,
        weights: Array | None = None,
        freedom: Freedom | None = None,
    ):
        self.m, self.weights, self.freedom = m, weights, freedom or Freedom()
        self.plain = VectorGeometry(Euclidean(), X, weights)
        self.X, self.origin = self.plain.Z, self.plain.origin
        self.spread = self.plain.scale() if spread is None else spread
        self._seen: tuple[Array, Array] | None = None

    @property
    def n_samples(self) -> int:
        """How many samples there are."""
        return len(self.X)

    def state(self, parameters: Array) -> Matrix:
        """Prototypes and Ω."""
        P = np.array(parameters, dtype=np.float64, order="C")
        return Matrix(P, self.m, self._map(P[: self.m] - self.origin, P[self.m :]))

    def move(self, theta: Matrix, parameters: Array) -> None:
        """Set new parameters."""
        theta.parameters[:] = parameters
        theta.mapped = self._map(theta.W - self.origin, theta.omega)

    def project(self, parameters: Array, previous: Array) -> tuple[Array, int]:
        """Scale Ω to trace(Ω'Ω) = 1, unless its size is learned."""
        parameters = parameters.copy()
        parameters[self.m :] = self.scaled(parameters[self.m :])
        return parameters, 0

    def scaled(self, omega: Array) -> Array:
        """Ω of trace one, or as it is if its size is learned."""
        size = float(np.linalg.norm(omega))
        return omega if self.freedom.size or size == 0 else omega / size

    # --- what a matrix does; a diagonal one does it faster ------------------------------------

    @staticmethod
    def _map(V: Array, omega: Array) -> Array:
        """Rows Ωv."""
        return V @ omega.T

    @staticmethod
    def _map_back(A: Array, omega: Array) -> Array:
        """Rows Ω'a."""
        return A @ omega

    @staticmethod
    def _outer(A: Array, V: Array) -> Array:
        """Σ_i a_i v_i', as far as Ω has such entries."""
        return A.T @ V

    @staticmethod
    def _degeneracy(omega: Array) -> tuple[float, Array]:
        return degeneracy(omega)

    # --- distances and their slopes -----------------------------------------------------------

    def _mapped(self, theta: Matrix, rows: IntArray | slice) -> Array:
        """ΩX' of some samples; that of all is remembered until Ω changes."""
        if not isinstance(rows, slice):
            return self._map(self.X[rows], theta.omega)
        if self._seen is None or not np.array_equal(self._seen[0], theta.omega):
            self._seen = theta.omega.copy(), self._map(self.X, theta.omega)
        return self._seen[1][rows]

    def distances(self, theta: Matrix, rows: IntArray | slice = slice(None)) -> Array:
        """d_ij of the training samples ``rows``: (n, m)."""
        return mapped_distances(self._mapped(theta, rows), theta.mapped)

    def pull(self, theta: Matrix, rows: IntArray | slice, F: Array) -> Array:
        r"""Σ_i F_ij ∂d_ij/∂(W, Ω).

        .. math:: 2\sum_i F_{ij}\,\Omega'\Omega(w_j - x_i) \quad\text{and}\quad
                  2\sum_{ij} F_{ij}\,\Omega(x_i - w_j)(x_i - w_j)'
        """
        turn, away = self._turn(theta, rows, F)
        return 2.0 * np.vstack([-self._map_back(away, theta.omega), turn])

    def _turn(self, theta: Matrix, rows: IntArray | slice, F: Array) -> tuple[Array, Array]:
        """Σ_ij F_ij Ω(x_i − w_j)(x_i − w_j)', and Σ_i F_ij Ω(x_i − w_j)."""
        A, B = self._mapped(theta, rows), theta.mapped
        of_samples = F.sum(axis=1)[:, None] * A
        of_samples -= F @ B
        of_prototypes = F.T @ A - F.sum(axis=0)[:, None] * B
        turn = self._outer(of_samples, self.X[rows])
        return turn - self._outer(of_prototypes, theta.W - self.origin), of_prototypes

    def riesz_pull(self, theta: Matrix, rows: IntArray | slice, F: Array) -> Array:
        """Σ_i F_ij (w_j − x_i) for the prototypes; Ω follows its gradient, in units of the data."""
        towards = F.sum(axis=0)[:, None] * (theta.W - self.origin) - F.T @ self.X[rows]
        turn, _ = self._turn(theta, rows, F)
        return np.vstack([towards, SLOWER / self.spread * turn])

    def own_cost(self, theta: Matrix) -> tuple[float, Array] | None:
        """What a degenerate Ω costs, and the slope of that."""
        strength = self.freedom.regularization
        if strength == 0:
            return None
        slope = np.zeros_like(theta.parameters)
        value, slope[self.m :] = self._degeneracy(theta.omega)
        return strength * value, strength * slope

    def riesz_slope(self, slope: Array) -> Array:
        """Slopes in the units of :meth:`riesz_pull`, which are half as long."""
        return 0.5 * SLOWER / self.spread * slope

    # --- scales -------------------------------------------------------------------------------

    @property
    def _first(self) -> float:
        """Squared distances under the first matrix of all, over Euclidean ones."""
        return 1.0 if self.freedom.size else 1.0 / self.X.shape[1]

    def variance(self, rows: IntArray | slice = slice(None)) -> float:
        """That of the samples under the first matrix of all: the identity, scaled."""
        return self._first * self.plain.variance(rows)

    def magnitude(self) -> float:
        """The variance of all samples under that matrix."""
        return self._first * self.spread

    def units(self, n_rows: int) -> Array:
        """One per row: prototypes reach as far as the data, Ω as far as its size."""
        units = np.full((n_rows, 1), self.plain.units(self.m))
        units[self.m :] = self._size_of_omega()
        return units

    def _size_of_omega(self) -> float:
        return _FREE_UNIT if self.freedom.size else 1.0

    def stiffness(self, m: int) -> float:
        """Samples per prototype, times the size of Ω'Ω."""
        return len(self.X) / m

    def distances_between(self, members: IntArray) -> Array:
        """Squared Euclidean distances between some samples."""
        return self.plain.distances_between(members)

    def nearest_mean(self, G: Array, some: IntArray, members: IntArray) -> IntArray:
        """For each member, the nearest of the means G of ``some`` samples."""
        return self.plain.nearest_mean(G, some, members)


class RelevanceGeometry(MatrixGeometry):
    r"""A diagonal Ω, kept as one row: :math:`d(x, w) = \sum_k \omega_k^2 (x_k - w_k)^2`."""

    @staticmethod
    def _map(V: Array, omega: Array) -> Array:
        return V * omega

    @staticmethod
    def _map_back(A: Array, omega: Array) -> Array:
        return A * omega

    @staticmethod
    def _outer(A: Array, V: Array) -> Array:
        return np.einsum("ik,ik->k", A, V)[None, :]

    @staticmethod
    def _degeneracy(omega: Array) -> tuple[float, Array]:
        return diagonal_degeneracy(omega)


class KernelMatrixGeometry(MatrixGeometry):
    r"""The distance of the kernel :math:`\kappa_\Omega`; here the size of Ω is the width."""

    def scaled(self, omega: Array) -> Array:
        """Ω as it is."""
        return omega

    def _size_of_omega(self) -> float:
        return 1.0 / self.plain.units(self.m)

    def distances(self, theta: Matrix, rows: IntArray | slice = slice(None)) -> Array:
        """2 − 2 exp(−‖Ω(x_i − w_j)‖²)."""
        D = super().distances(theta, rows)
        return -2.0 * np.expm1(-D)

    def pull(self, theta: Matrix, rows: IntArray | slice, F: Array) -> Array:
        """The chain rule: ∂(2 − 2e^{−d})/∂d = 2e^{−d}."""
        return super().pull(theta, rows, self._inner(theta, rows, F))

    def riesz_pull(self, theta: Matrix, rows: IntArray | slice, F: Array) -> Array:
        """As without a kernel, with the forces on the distance inside it."""
        return super().riesz_pull(theta, rows, self._inner(theta, rows, F))

    def _inner(self, theta: Matrix, rows: IntArray | slice, F: Array) -> Array:
        return F * (2.0 * np.exp(-super().distances(theta, rows)))

    def variance(self, rows: IntArray | slice = slice(None)) -> float:
        """About one: distances lie between 0 and 2."""
        return 1.0


def mapped_distances(A: Array, B: Array) -> Array:
    """‖a_i − b_j‖² of mapped samples and prototypes, by one matrix product."""
    D = A @ (-2.0 * B).T
    D += np.einsum("ik,ik->i", A, A)[:, None]
    D += np.einsum("jk,jk->j", B, B)
    return np.maximum(D, 0.0, out=D)
