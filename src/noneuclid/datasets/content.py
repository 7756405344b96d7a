"""What a reader found in a file, before it is decided what it means."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from noneuclid.typing import Array


@dataclass
class Content:
    """What a file holds: one of ``matrix``, ``trains`` and ``sequences``, and what is about them.

    Parameters
    ----------
    file : str
        Name of the file, for messages.
    matrix : array of shape (n, d), optional
        A table of numbers: proximities, curves or vectors. NaN where there is a hole.
    trains : list of arrays, optional
        Times of events, one array per object.
    sequences : list of str, optional
        One string per object.
    kind : str, optional
        The kind of :class:`Dataset`, where the format or names in the file tell it; without it,
        :func:`guess_kind` looks at the numbers.
    names : list of str, optional
        Names of the objects.
    features : list of str, optional
        Names of the columns of ``matrix``.
    grid : array of shape (d,), optional
        Positions of the columns, if they are points of curves.
    labels : sequence, optional
        Classes of the objects.
    label_name : str
        What the file calls them.
    other : dict
        What else has one value per object, by name: ``labels=`` may choose it.
    notes : list of str
        Decisions taken while reading.
    place : function of two numbers, optional
        Where an entry of the matrix is in the file, in words, by its row and column.
    """

    file: str
    matrix: Array | None = None
    trains: list[Array] | None = None
    sequences: list[str] | None = None
    kind: str | None = None
    names: list[str] | None = None
    features: list[str] | None = None
    grid: Array | None = None
    labels: Any = None
    label_name: str = ""
    other: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    asymmetry: float = 0.0
    """Of a matrix that was made symmetric, before."""
    place: Callable[[int, int], str] | None = None

    @property
    def objects(self) -> Any:
        """The one of ``matrix``, ``trains`` and ``sequences`` that is there."""
        there = [x for x in (self.matrix, self.trains, self.sequences) if x is not None]
        if len(there) != 1:
            raise ValueError(
                f"{self.file}: a reader must find one of matrix, trains and sequences, "
                f"not {len(there)}"
            )
        return there[0]

    def where(self, row: int, column: int) -> str:
        """Where an entry of the matrix is, as a person would look for it; both count from 0."""
        if self.place is not None:
            return self.place(row, column)
        return f"{self.file}, row {row + 1}, column {column + 1}"


def positions(names: list[str]) -> Array | None:
    """The names of columns as rising numbers, if they are."""
    try:
        values = np.array(names, dtype=np.float64)
    except ValueError:
        return None
    rising = len(values) > 1 and np.isfinite(values).all() and (np.diff(values) > 0).all()
    return values if rising else None
