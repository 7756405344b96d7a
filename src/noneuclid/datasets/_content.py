"""What a reader found in a file, before it is decided what it means."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from noneuclid.typing import Array


@dataclass
class Content:
    """Candidates for a dataset: one of ``matrix``, ``trains`` and ``sequences`` is there."""

    file: str
    matrix: Array | None = None
    trains: list[Array] | None = None
    sequences: list[str] | None = None
    hint: str | None = None
    """The kind, where names in the file tell it."""
    names: list[str] | None = None
    features: list[str] | None = None
    grid: Array | None = None
    labels: Any = None
    label_name: str = ""
    other: dict[str, Any] = field(default_factory=dict)
    """What else has one value per object, by name."""
    notes: list[str] = field(default_factory=list)
    place: Callable[[int, int], str] | None = None
    """Where an entry of the matrix is in the file."""

    def where(self, row: int, column: int) -> str:
        """Where an entry of the matrix is, as a person would look for it."""
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
