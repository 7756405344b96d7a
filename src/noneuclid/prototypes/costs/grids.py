"""Where the units of a map are: rectangular or hexagonal, in the plane or on a torus."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any, Literal

import numpy as np
from scipy.interpolate import CubicSpline

from noneuclid._checks import is_count
from noneuclid._parameters import Rule, check
from noneuclid.typing import Array, IntArray

Topology = Literal["grid", "hex"]
# Distance between rows of a hexagonal map, whose units are one apart.
_ROW = np.sqrt(3.0) / 2.0
# A cubic spline has at least so many knots; some units serve for all if they are no more than this
# share of them.
_LEAST_KNOTS, _SOME = 4, 0.5


@dataclass(frozen=True)
class Coarse:
    """Some units of a map, and those between them by cubic splines across and along its rows.

    Attributes
    ----------
    units : array of int of shape (r,)
        Which they are, row by row.
    across, along : arrays of shape (rows, q) and (columns, r / q)
        What a row takes from those that have such units, and a column.
    """

    units: IntArray
    across: Array
    along: Array

    def spread(self, values: Array) -> Array:
        """What is known of these units, (r, k), for all of them: (m, k)."""
        (rows, q), (columns, _), k = self.across.shape, self.along.shape, values.shape[1]
        on_rows = self.along @ values.reshape(q, -1, k)
        return (self.across @ on_rows.reshape(q, -1)).reshape(rows * columns, k)


@lru_cache(maxsize=64)
def _knots(length: int, n_knots: int, toroidal: bool) -> tuple[IntArray, Array]:
    """Evenly spread units of a row, and the cubic splines that are 1 at one of them."""
    end = length if toroidal else length - 1
    knots = np.round(np.linspace(0, end, n_knots, endpoint=not toroidal)).astype(np.intp)
    values = np.eye(n_knots)
    if n_knots < length and toroidal:
        spline = CubicSpline([*knots, length], [*values, values[0]], bc_type="periodic")
        values = spline(np.arange(length))
    elif n_knots < length:
        values = CubicSpline(knots, values)(np.arange(length))
    knots.flags.writeable = values.flags.writeable = False  # they are kept
    return knots, values


class Grid:
    r"""Units of a map, row by row, at distance one from their neighbours.

    Parameters
    ----------
    shape : (int, int)
        Rows and columns.
    topology : {"grid", "hex"}
        Squares, or hexagons with every other row shifted by half a unit.
    toroidal : bool
        Whether opposite edges are joined.

    Examples
    --------
    >>> Grid((2, 3), "hex").positions.round(2).tolist()
    [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [0.5, 0.87], [1.5, 0.87], [2.5, 0.87]]
    >>> Grid((1, 4), "grid", toroidal=True).squared_distances[0]
    array([0., 1., 4., 1.])
    """

    def __init__(self, shape: tuple[int, int], topology: Topology = "grid", toroidal: bool = False):
        self.shape = check_shape(shape)
        if topology not in ("grid", "hex"):
            raise ValueError(f'topology (={topology!r}) must be "grid" or "hex"')
        self.topology, self.toroidal = topology, bool(toroidal)
        rows, columns = self.shape
        if toroidal and topology == "hex" and rows % 2 and rows > 1:
            raise ValueError(
                f"shape (={shape}) must have an even number of rows for a hexagonal torus: "
                "shifted rows alternate"
            )
        row, column = np.divmod(np.arange(rows * columns), columns)
        self.positions: Array = np.column_stack([column, row]).astype(float)
        self.period = np.array([float(columns), float(rows)])
        if topology == "hex":
            self.positions[:, 0] += 0.5 * (row % 2)
            self.positions[:, 1] *= _ROW
            self.period[1] *= _ROW
        self.squared_distances = self._squared_distances()

    def __len__(self) -> int:
        return len(self.positions)

    @property
    def words(self) -> str:
        """What map it is, in a sentence."""
        return f"a {'torus' if self.toroidal else 'map'} of {self.shape} ({self.topology})"

    def is_like(self, other: "Grid") -> bool:
        """Whether units have the same places.

        Parameters
        ----------
        other : Grid
            The grid to compare with.

        Returns
        -------
        bool
        """
        return self.words == other.words

    def _squared_distances(self) -> Array:
        V = np.abs(self.positions[:, None] - self.positions)
        if self.toroidal:
            V = np.minimum(V, np.abs(self.period - V))
        # Equal distances shall be equal numbers: their table is short then.
        return np.round((V**2).sum(axis=2), 9)

    @property
    def squared_distances_by_axis(self) -> tuple[Array, Array] | None:
        """Those between rows, and those within one, whose sums they are; None on hexagons."""
        rows, columns = self.shape
        if self.topology == "hex" and rows > 1:
            return None
        return (
            self.squared_distances[::columns, ::columns],
            self.squared_distances[:columns, :columns],
        )

    def coarse(self, spacing: float) -> Coarse | None:
        """Some units, from which what changes slowly over the map follows for all.

        Parameters
        ----------
        spacing : float
            About how far apart they are.

        Returns
        -------
        Coarse or None
            None on hexagons, and where those units would be more than half of all.

        Examples
        --------
        >>> grid = Grid((1, 9))
        >>> some = grid.coarse(3.0)
        >>> some.units.tolist()
        [0, 3, 5, 8]
        >>> some.spread(grid.positions[some.units])[:, 0].round(6).tolist()
        [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]
        """
        if self.topology == "hex" and self.shape[0] > 1:
            return None
        counts = [
            min(length, max(_LEAST_KNOTS, int(np.ceil((length - 1) / spacing)) + 1))
            for length in self.shape
        ]
        if counts[0] * counts[1] > _SOME * len(self):
            return None
        (rows, across), (columns, along) = (
            _knots(length, count, self.toroidal) for length, count in zip(self.shape, counts)
        )
        units = (rows[:, None] * self.shape[1] + columns).ravel()
        return Coarse(units, across, along)

    @property
    def neighbours(self) -> np.ndarray:
        """(m, m): which units touch, at a corner included."""
        reach = 1.01 if self.topology == "hex" else 2.01
        return (self.squared_distances < reach) & ~np.eye(len(self), dtype=bool)

    @property
    def radius(self) -> float:
        """Half of the larger side: a neighbourhood of this width spans the map."""
        return max(float(max(self.shape)) / 2.0, 1.0)


def _is_shape(value: Any) -> bool:
    pair = isinstance(value, (tuple, list, np.ndarray)) and np.shape(value) == (2,)
    return pair and all(map(is_count, value))


Shape = Annotated[tuple[int, int], Rule("two positive integers, (rows, columns)", _is_shape)]


def check_shape(shape: Any) -> tuple[int, int]:
    """Return rows and columns, or raise."""
    check("shape", shape, Shape)
    return int(shape[0]), int(shape[1])
