r"""Prototypes with matrices of their own, each its own or one per class.

.. math:: d(x, w_j) = \|\Omega_{g(j)}(x - w_j)\|^2

The parameters are the prototypes W (m, d) with the rows of all matrices, k each, below them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from noneuclid.numerics import row_blocks
from noneuclid.prototypes.geometries.degeneracy import degeneracy
from noneuclid.prototypes.geometries.matrices import (
    SLOWER,
    Freedom,
    Matrix,
    MatrixGeometry,
    mapped_distances,
)
from noneuclid.typing import Array, IntArray


@dataclass
class LocalMatrices(Matrix):
    """Prototypes and all Ω_g, as they act: of trace one unless their sizes are learned."""

    omegas: Array
    """(n_matrices, k, d)"""
    sizes: Array
    """What the parameters were divided by."""

    def copy(self) -> "LocalMatrices":
        """Return an independent copy."""
        arrays = self.mapped.copy(), self.omegas.copy(), self.sizes.copy()
        return LocalMatrices(self.parameters.copy(), self.m, *arrays)


class LocalMatrixGeometry(MatrixGeometry):
    r"""Vectors with a matrix for every prototype, or for those of a class together.

    The sizes of the matrices say something beside each other. Unless they are learned, distances
    are those of :math:`\Omega_g/\|\Omega_g\|`, so that every matrix has trace one at every moment.

    Parameters
    ----------
    of : array of int, shape (m,)
        The matrix of every prototype.
    X, m, spread, weights, freedom
        As for one matrix.
    """

    def __init__(
        self,
        of: IntArray,
        X: Array,
        m: int,
        spread: float | None = None,
        weights: Array | None = None,
        freedom: Freedom | None = None,
    ):
        super().__init__(X, m, spread, weights, freedom)
        self.of = of
        self._members = [np.flatnonzero(of == g) for g in range(int(of.max()) + 1)]

    def state(self, parameters: Array) -> LocalMatrices:  # type: ignore[override]
        """Prototypes and matrices."""
        P = np.array(parameters, dtype=np.float64, order="C")
        return LocalMatrices(P, self.m, *self._acting(P))

    def move(self, theta: LocalMatrices, parameters: Array) -> None:  # type: ignore[override]
        """Set new parameters."""
        theta.parameters[:] = parameters
        theta.mapped, theta.omegas, theta.sizes = self._acting(theta.parameters)

    def _acting(self, P: Array) -> tuple[Array, Array, Array]:
        """Mapped prototypes, the matrices as they act, and what they were divided by."""
        omegas = P[self.m :].reshape(len(self._members), -1, P.shape[1])
        sizes = np.linalg.norm(omegas, axis=(1, 2))
        sizes = np.where((sizes > 0) & (not self.freedom.size), sizes, 1.0)
        omegas = omegas / sizes[:, None, None]
        W = P[: self.m] - self.origin
        mapped = np.empty((self.m, omegas.shape[1]))
        for members, omega in zip(self._members, omegas):
            mapped[members] = W[members] @ omega.T
        return mapped, omegas, sizes

    def scaled(self, omega: Array) -> Array:
        """All matrices below each other, each of trace one unless sizes are learned."""
        if self.freedom.size:
            return omega
        each = omega.reshape(len(self._members), -1)
        sizes = np.linalg.norm(each, axis=1, keepdims=True)
        return (each / np.where(sizes > 0, sizes, 1.0)).reshape(omega.shape)

    def distances(self, theta: LocalMatrices, rows: IntArray | slice = slice(None)) -> Array:  # type: ignore[override]
        """d_ij of the training samples ``rows``: (n, m)."""
        return local_distances(self.X[rows], theta.omegas, theta.mapped, self._members)

    def pull(self, theta: LocalMatrices, rows: IntArray | slice, F: Array) -> Array:  # type: ignore[override]
        r"""Σ_i F_ij ∂d_ij/∂(W, Ω).

        .. math:: 2\sum_i F_{ij}\,\Omega_{g(j)}'\Omega_{g(j)}(w_j - x_i)
                  \quad\text{and}\quad
                  2\sum_{j: g(j) = g}\sum_i F_{ij}\,\Omega_g(x_i - w_j)(x_i - w_j)'

        Where sizes are not learned, the latter only across Ω, over its size.
        """
        towards, turns = np.empty_like(theta.W), np.empty_like(theta.omegas)
        for g, members, drift, turn in self._by_matrix(theta, rows, F):
            omega = theta.omegas[g]
            towards[members], turns[g] = drift @ omega.T @ omega, turn
        if not self.freedom.size:
            along = np.einsum("gkd,gkd->g", turns, theta.omegas)
            turns = (turns - along[:, None, None] * theta.omegas) / theta.sizes[:, None, None]
        return 2.0 * np.vstack([towards, turns.reshape(-1, theta.W.shape[1])])

    def riesz_pull(self, theta: LocalMatrices, rows: IntArray | slice, F: Array) -> Array:  # type: ignore[override]
        """Σ_i F_ij (w_j − x_i) for the prototypes; matrices follow their gradient."""
        towards, turns = np.empty_like(theta.W), np.empty_like(theta.omegas)
        for g, members, drift, turn in self._by_matrix(theta, rows, F):
            towards[members], turns[g] = drift, turn
        turns *= SLOWER / self.spread
        return np.vstack([towards, turns.reshape(-1, theta.W.shape[1])])

    def _by_matrix(
        self, theta: LocalMatrices, rows: IntArray | slice, F: Array
    ) -> Iterator[tuple[int, IntArray, Array, Array]]:
        """Of every matrix: its prototypes, Σ_i F_ij (w_j − x_i), and the pull on the matrix.

        Samples without a force are passed over: for GLVQ those are most.
        """
        X, W = self.X[rows], theta.W - self.origin
        for g, members in enumerate(self._members):
            forces = F[:, members]
            felt = forces.any(axis=1)
            forces, V, w = forces[felt], X if felt.all() else X[felt], W[members]
            drift = forces.sum(axis=0)[:, None] * w - forces.T @ V
            yield g, members, drift, _turn(theta.omegas[g], V, w, forces)

    def own_cost(self, theta: LocalMatrices) -> tuple[float, Array] | None:  # type: ignore[override]
        """What degenerate matrices cost on average, and the slope of that."""
        strength = self.freedom.regularization
        if strength == 0:
            return None
        slope = np.zeros_like(theta.parameters)
        omegas = theta.omega.reshape(theta.omegas.shape)
        values, slopes = zip(*map(degeneracy, omegas))
        slope[self.m :] = np.concatenate(slopes)
        return strength * float(np.mean(values)), strength / len(omegas) * slope


def local_distances(X: Array, omegas: Array, mapped: Array, members: Sequence[IntArray]) -> Array:
    """‖Ω_g(j)(x_i − w_j)‖², with the prototypes mapped; some rows at a time."""
    D = np.empty((len(X), len(mapped)))
    for rows in row_blocks(len(X), 8 * omegas.shape[1]):
        for omega, js in zip(omegas, members):
            D[rows, js] = mapped_distances(X[rows] @ omega.T, mapped[js])
    return D


def _turn(omega: Array, V: Array, w: Array, F: Array) -> Array:
    """Σ_ij F_ij Ω(v_i − w_j)(v_i − w_j)'."""
    weighted, back = F.sum(axis=1)[:, None] * V, F.T @ V
    (k, d), n = omega.shape, len(V)
    by_rows = 2 * n * k < (n + k) * d  # fewer products than by way of d × d
    turn = (weighted @ omega.T).T @ V if by_rows else omega @ (weighted.T @ V)
    turn -= (omega @ back.T) @ w
    turn -= (omega @ w.T) @ (back - F.sum(axis=0)[:, None] * w)
    return turn
