r"""How strongly a sample pulls each prototype: by rank (neural gas) or on a grid (maps).

Both minimise :math:`\sum_i\sum_j h_{ij} d(x_i, w_j)` over the pulls h for given prototypes: neural
gas over the orders of a fixed sequence :math:`e^{-k/\lambda}`, a map over the unit k whose row
:math:`T_{kj} = e^{-g(k, j)^2/2\sigma^2}` the sample follows (Heskes). So pulls and prototypes in
turn never increase that cost.
"""

from typing import ClassVar, Protocol

import numpy as np
from scipy import sparse

from noneuclid.numerics._types import Array, IntArray
from noneuclid.prototypes.pulls import Pulls
from noneuclid.prototypes.quantization.grids import Grid

# exp(-40): beside a one, lost in rounding, even a thousand times.
_NOTHING = 40.0
# Here exp underflows; from this width on that is so for all but the winner.
_UNDERFLOW = 750.0
_NO_WIDTH = 1e-3


class Neighbourhood(Protocol):
    """What both kinds of learners ask."""

    by_rank: ClassVar[bool]

    def widest(self) -> float:
        """A width that lets every sample pull every prototype."""

    def assign(self, D: Array, width: float) -> tuple[Array, Pulls]:
        """Cost Σ_j h_ij d_ij of every sample, and the pulls, best for the distances."""

    def table(self, width: float) -> Array:
        """What the compiled steps look up."""

    def pulls_of(self, d: Array, width: float) -> Array:
        """h_j of one sample."""


class RankNeighbourhood:
    """Neural gas: h = exp(−rank/λ).

    Parameters
    ----------
    m : int
        Number of prototypes.
    """

    by_rank: ClassVar[bool] = True

    def __init__(self, m: int):
        self.m = m

    def widest(self) -> float:
        """Half of the prototypes."""
        return max(self.m / 2.0, 0.5)

    def _h(self, ranks: IntArray | Array, width: float) -> Array:
        if width < _NO_WIDTH:
            return (ranks == 0).astype(float)
        return np.exp(-np.minimum(ranks / width, _UNDERFLOW))

    def assign(self, D: Array, width: float) -> tuple[Array, Pulls]:
        """Ranks of all distances, or of as many as count."""
        k = min(self.m, int(_NOTHING * width) + 1)
        if k < self.m // 4:
            order = _nearest(D, k)
            if len(np.unique(order)) == self.m:  # every prototype is among the nearest somewhere
                return self._sparse(D, order, width)
        order = np.argsort(D, axis=1)
        h = self._h(np.arange(self.m), width)
        values = np.take_along_axis(D, order, axis=1) @ h
        ranks = np.empty(D.shape)
        np.put_along_axis(ranks, order, np.arange(float(self.m))[None, :], axis=1)
        ranks -= ranks.min(axis=0)  # else a prototype that is never near would pull with zeros
        return values, Pulls(self._h(ranks, width))

    def _sparse(self, D: Array, order: IntArray, width: float) -> tuple[Array, Pulls]:
        n, k = order.shape
        h = self._h(np.arange(k), width)
        ranks = np.broadcast_to(np.arange(k), (n, k))
        best = np.full(self.m, k)
        np.minimum.at(best, order.ravel(), ranks.ravel())
        H = self._h(ranks - best[order], width)
        rows = sparse.csr_array(
            (H.ravel(), order.ravel(), np.arange(0, n * k + 1, k)), shape=(n, self.m)
        )
        return np.take_along_axis(D, order, axis=1) @ h, Pulls(rows)

    def table(self, width: float) -> Array:
        """h over the ranks that count, as one row."""
        k = min(self.m, int(_NOTHING * width) + 1)
        return self._h(np.arange(k), width)[None, :]

    def pulls_of(self, d: Array, width: float) -> Array:
        """h_j of one sample."""
        h = np.empty(self.m)
        h[np.argsort(d)] = self._h(np.arange(self.m), width)
        return h


def _nearest(D: Array, k: int) -> IntArray:
    """Indices of the k least distances of each row, in order."""
    if k == 1:
        return D.argmin(axis=1)[:, None]
    some = np.argpartition(D, k - 1, axis=1)[:, :k]
    order = np.argsort(np.take_along_axis(D, some, axis=1), axis=1)
    return np.take_along_axis(some, order, axis=1)


class GridNeighbourhood:
    """Maps: h = exp(−g²/2σ²), g the distance on the grid to the unit of least local error."""

    by_rank: ClassVar[bool] = False

    def __init__(self, grid: Grid):
        self.grid = grid
        # Few different distances: exp of those only.
        self._squares, self._where = np.unique(grid.squared_distances, return_inverse=True)

    def widest(self) -> float:
        """Half of the larger side."""
        return self.grid.radius

    def _exponents(self, width: float) -> Array:
        if width < _NO_WIDTH:
            return np.where(self._squares == 0, 0.0, _UNDERFLOW)
        return self._squares / (2.0 * width * width)

    def _T(self, width: float) -> Array:
        return np.exp(-self._exponents(width))[self._where].reshape(2 * (len(self.grid),))

    def assign(self, D: Array, width: float) -> tuple[Array, Pulls]:
        """Unit of least local error of each sample, and its row of T."""
        n, m = D.shape
        errors = D if width < _NO_WIDTH else D @ self._T(width)
        winner = errors.argmin(axis=1)
        fields = sparse.csr_array((np.ones(n), winner, np.arange(n + 1)), shape=(n, m))
        return errors[np.arange(n), winner], Pulls(fields, self._mixture(winner, width))

    def _mixture(self, winner: IntArray, width: float) -> Array:
        """T with the largest entry of each column that a winner uses scaled to one.

        Far from all winners T underflows; its ratios, which are all that counts, do not.
        """
        m = len(self.grid)
        used = np.unique(winner)
        nearest = self.grid.squared_distances[used].min(axis=0)
        extra = np.maximum(self.grid.squared_distances - nearest, 0.0)
        if width < _NO_WIDTH:
            T = (extra == 0).astype(float)
        else:
            T = np.exp(-np.minimum(extra / (2.0 * width * width), _UNDERFLOW))
        T[np.setdiff1d(np.arange(m), used)] = 0.0
        return T

    def table(self, width: float) -> Array:
        """T; one column tells the compiled steps that there is no neighbourhood."""
        T = self._T(width)
        off = T[~np.eye(len(T), dtype=bool)]
        return np.ones((len(T), 1)) if off.max(initial=0.0) < np.exp(-_NOTHING) else T

    def pulls_of(self, d: Array, width: float) -> Array:
        """h_j of one sample."""
        T = self._T(width)
        return T[(T @ d).argmin()]
