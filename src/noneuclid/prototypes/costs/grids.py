"""Where the units of a map are: rectangular or hexagonal, in the plane or on a torus."""

from typing import Annotated, Any, Literal

import numpy as np

from noneuclid._checks import is_count
from noneuclid._parameters import Rule, check
from noneuclid.typing import Array

Topology = Literal["grid", "hex"]
# Distance between rows of a hexagonal map, whose units are one apart.
_ROW = np.sqrt(3.0) / 2.0


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
