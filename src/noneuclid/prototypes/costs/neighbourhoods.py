r"""How strongly a sample pulls each prototype: by rank (neural gas) or on a grid (maps).

Both minimise :math:`\sum_i\sum_j h_{ij} d(x_i, w_j)` over the pulls h for given prototypes: neural
gas over the orders of a fixed sequence :math:`e^{-k/\lambda}`, a map over the unit k whose row
:math:`T_{kj} = c_k e^{-g(k, j)^2/2\sigma^2}` the sample follows (Heskes). So pulls and prototypes
in turn never increase that cost.
"""

from typing import ClassVar, Protocol

import numpy as np
from scipy import sparse

from noneuclid.numerics import first_argmin, steady_order
from noneuclid.numerics.map_winners import map_winners
from noneuclid.numerics.quantization import SHORTEST_ROW, Table, rank_rows
from noneuclid.numerics.ties import TIE
from noneuclid.prototypes.costs.grids import Coarse, Grid
from noneuclid.prototypes.costs.pulls import Pulls, Won
from noneuclid.typing import Array, IntArray

# exp(-40): beside a one, lost in rounding, even a thousand times.
_NOTHING = 40.0
# Here exp underflows; from this width on that is so for all but the winner.
_UNDERFLOW = 750.0
_NO_WIDTH = 1e-3
_TINY = 1e-200
_ONE = np.ones((1, 1))
# Units this many widths apart tell how far those between them are from their means.
_SPACING = 1.2
# For fewer distances nothing is compiled.
_LITTLE = 1 << 16


class Neighbourhood(Protocol):
    """What both kinds of learners ask."""

    by_rank: ClassVar[bool]

    def __len__(self) -> int:
        """Number of prototypes."""

    def widest(self) -> float:
        """A width that lets every sample pull every prototype."""

    def assign(self, D: Array, width: float) -> tuple[Array, Pulls]:
        """Cost Σ_j h_ij d_ij of every sample, and the pulls, best for the distances."""

    def coarse(self, width: float) -> Coarse | None:
        """Prototypes from which the others follow, as long as that width makes them alike."""

    def mixed(self, counts: Array, width: float) -> Array | None:
        """The mixture of all pulls, from the masses of the fields; None where there is none."""

    def smoothing(self, width: float) -> Array | None:
        """T where the winner is the least of Σ_j T_kj d_ij, and all rows have the same total."""

    def table(self, width: float) -> Table:
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

    def __len__(self) -> int:
        return self.m

    def widest(self) -> float:
        """Half of the prototypes."""
        return max(self.m / 2.0, 0.5)

    def _h(self, ranks: IntArray | Array, width: float) -> Array:
        if width < _NO_WIDTH:
            return (ranks == 0).astype(float)
        return np.exp(-np.minimum(ranks / width, _UNDERFLOW))

    @staticmethod
    def _log_h(ranks: Array, width: float) -> Array:
        """Logarithms of h, which do not underflow."""
        return -ranks / max(width, _NO_WIDTH**2)

    def mixed(self, counts: Array, width: float) -> None:
        """Pulls are no mixtures here."""
        return

    def smoothing(self, width: float) -> None:
        """Ranks depend on the distances themselves."""
        return

    def coarse(self, width: float) -> None:
        """No prototype has neighbours of its own."""
        return

    def assign(self, D: Array, width: float) -> tuple[Array, Pulls]:
        """Ranks of all distances, or of as many as count."""
        k = min(self.m, int(_NOTHING * width) + 1)
        if k < self.m // 4:
            order = _nearest(D, k)
            if len(np.unique(order)) == self.m:  # every prototype is among the nearest somewhere
                return self._sparse(D, order, width)
        ranks = np.empty(D.shape)
        rank_rows(np.ascontiguousarray(D), ranks)
        best = ranks.min(axis=0)
        h = self._h(np.arange(self.m), width)
        H = h[ranks.astype(np.intp)]
        values = np.einsum("ij,ij->i", H, D)
        far = h[best.astype(np.intp)] < _TINY  # its pulls underflow; their ratios do not
        H[:, far] = self._h(ranks[:, far] - best[far], width)
        return values, Pulls(H, log_factors=self._log_h(np.where(far, best, 0), width))

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
        factors = self._log_h(best, width)
        return np.take_along_axis(D, order, axis=1) @ h, Pulls(rows, log_factors=factors)

    def table(self, width: float) -> Table:
        """h over the ranks that count, as one row."""
        k = min(self.m, int(_NOTHING * width) + 1)
        return _ONE, self._h(np.arange(k), width)[None, :]

    def pulls_of(self, d: Array, width: float) -> Array:
        """h_j of one sample."""
        h = np.empty(self.m)
        h[steady_order(d)] = self._h(np.arange(self.m), width)
        return h


def _nearest(D: Array, k: int) -> IntArray:
    """Indices of the k least distances of each row, fewer than all, in order."""
    if k == 1:
        return first_argmin(D)[:, None]
    some = np.argpartition(D, k, axis=1)[:, : k + 1]  # the next one too: it may be as near
    nearest = np.take_along_axis(D, some, axis=1)
    by_distance = np.argsort(nearest, axis=1)
    order = np.take_along_axis(some, by_distance, axis=1)
    nearest = np.take_along_axis(nearest, by_distance, axis=1)
    equals = np.diff(nearest, axis=1) <= TIE * np.abs(nearest[:, :-1])
    tied = np.flatnonzero(equals.any(axis=1))
    if len(tied):
        ranks = np.empty((len(tied), D.shape[1]))
        rank_rows(np.ascontiguousarray(D[tied]), ranks, tied)
        order[tied] = np.argsort(ranks, axis=1)[:, : k + 1]
    return order[:, :k]


def _of_equal_totals(T: Array) -> Array:
    """Rows with the same total, none of them larger than before."""
    totals = T.sum(axis=1, keepdims=True)
    return np.asarray(T * (totals.min() / totals))


def _cut(T: Array) -> Array:
    """T without what is lost in rounding: subnormal numbers are slow."""
    return np.where(np.exp(-_NOTHING) > T, 0.0, T)


class GridNeighbourhood:
    """Maps: h = c_k exp(−g²/2σ²), g the distance on the grid to the unit k of least local error.

    c_k gives all units the same total (Heskes): else those at the edge, with few neighbours, would
    win everything as long as the neighbourhood is wide.
    """

    by_rank: ClassVar[bool] = False

    def __init__(self, grid: Grid):
        self.grid = grid
        # Few different distances: exp of those only.
        self._squares, self._where = np.unique(grid.squared_distances, return_inverse=True)
        self._where = self._where.reshape(grid.squared_distances.shape)

    def __len__(self) -> int:
        return len(self.grid)

    def widest(self) -> float:
        """Half of the larger side."""
        return self.grid.radius

    def _T(self, width: float) -> Array:
        if width < _NO_WIDTH:
            return np.eye(len(self.grid))
        T = np.exp(-np.minimum(self._squares / (2.0 * width * width), _UNDERFLOW))[self._where]
        return _of_equal_totals(T)

    def assign(self, D: Array, width: float) -> tuple[Array, Pulls]:
        """Unit of least local error of each sample, and its row of T."""
        n, m = D.shape
        T, factors = self._T(width), self._factors(width)
        if D.size <= _LITTLE or factors is None:
            errors = D if width < _NO_WIDTH else D @ T.T
            winner = first_argmin(errors)
            least = errors[np.arange(n), winner]
        else:
            winner, least = map_winners(D, factors)
        return least, Pulls(Won(winner, m, np.ones(n)), self._mixture(T, winner, width))

    def _factors(self, width: float) -> Table | None:
        """Factors of T', across and along the rows of the map, where there are any."""
        squares = self.grid.squared_distances_by_axis
        if squares is None or self.grid.shape[1] < SHORTEST_ROW or width < _NO_WIDTH:
            return None
        across, along = (
            np.exp(-np.minimum(axis / (2.0 * width * width), _UNDERFLOW)) for axis in squares
        )
        return (
            np.ascontiguousarray(_of_equal_totals(across).T),
            np.ascontiguousarray(_of_equal_totals(along).T),
        )

    def smoothing(self, width: float) -> Array:
        """T."""
        return self._T(width)

    def coarse(self, width: float) -> Coarse | None:
        """Units so far apart that what changes slowly over the width is known between them."""
        return self.grid.coarse(_SPACING * width) if width >= _NO_WIDTH else None

    def mixed(self, counts: Array, width: float) -> Array:
        """T for units that won so many samples each."""
        return self._mixture(self._T(width), np.flatnonzero(counts), width)

    def _mixture(self, T: Array, winner: IntArray, width: float) -> Array:
        """T, its columns scaled so that the nearest winner does not underflow.

        Far from all winners T does; its ratios, which are all that counts, do not.
        """
        used = np.flatnonzero(np.bincount(winner, minlength=len(T)))
        lost = T[used].max(axis=0) < _TINY
        if not lost.any():
            return T
        squares = self.grid.squared_distances[:, lost]
        extra = np.maximum(squares - squares[used].min(axis=0), 0.0)
        T = T.copy()
        if width < _NO_WIDTH:
            T[:, lost] = extra == 0
        else:
            own = np.diag(T)[:, None]
            T[:, lost] = own * np.exp(-np.minimum(extra / (2.0 * width * width), _UNDERFLOW))
        return T

    def table(self, width: float) -> Table:
        """T' as a product; one column tells the compiled steps that there is no neighbourhood."""
        m = len(self.grid)
        if width < _NO_WIDTH or m == 1 or self._squares[1] > 2.0 * _NOTHING * width * width:
            return _ONE, np.ones((m, 1))
        factors = self._factors(width) or (_ONE, np.ascontiguousarray(self._T(width).T))
        return _cut(factors[0]), _cut(factors[1])

    def pulls_of(self, d: Array, width: float) -> Array:
        """h_j of one sample."""
        T = self._T(width)
        return T[first_argmin(T @ d)]
