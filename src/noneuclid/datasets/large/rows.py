"""Rows of a block in memory, whatever it was read from."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from noneuclid._files import DataError, in_one_sentence
from noneuclid.datasets._table import is_missing, number, numbers_of
from noneuclid.datasets.readers.tables import cells_of
from noneuclid.typing import Array


class Block(ABC):
    """Some rows of a table or an array in storage; small, and any worker can read it."""

    name: str
    """Of the part it lies in, for messages."""
    n_rows: ClassVar[int | None] = None
    """How many rows it has, where that is known without reading them."""

    @abstractmethod
    def read(self, numeric: Sequence[int], words: Sequence[int]) -> "Rows":
        """Columns by their numbers, as numbers and as words."""

    def load(self, numeric: Sequence[int], words: Sequence[int] = ()) -> "Rows":
        """As ``read``; whatever a parser raises becomes one sentence that names the part."""
        with reading(self.name):
            return self.read(numeric, words)


class Rows(ABC):
    """The columns of a block."""

    n: int

    @abstractmethod
    def words(self, column: int, rows: Any = None) -> list[str]:
        """The cells of a column as text, of some rows or all."""

    @abstractmethod
    def numbers(self, columns: Sequence[int]) -> Array:
        """Columns of numbers, NaN where a cell is empty."""

    @abstractmethod
    def place(self, row: int, column: int) -> str:
        """Where a cell is, as a person would look for it."""


@dataclass
class TableRows(Rows):
    """Columns of Arrow, or one word for all rows, by their numbers in the table."""

    n: int
    columns: dict[int, Any]
    names: Sequence[str]
    where: Callable[[int], str]
    """The part and the line of a row."""
    tidy: Callable[[str], str] = str
    """What is done to every word."""

    def words(self, column: int, rows: Any = None) -> list[str]:
        """The cells of a column as words."""
        values = self.columns[column]
        if isinstance(values, str):
            return [values] * (self.n if rows is None else len(rows))
        return [self.tidy(cell) for cell in cells_of(values if rows is None else values.take(rows))]

    def numbers(self, columns: Sequence[int]) -> Array:
        """Columns of numbers."""
        found = np.empty((self.n, len(columns)))
        for k, column in enumerate(columns):
            found[:, k] = self._column(column)
        return found

    def place(self, row: int, column: int) -> str:
        """Where a cell is, for a sentence about it."""
        return f"{self.where(row)}, column {self.names[column]!r}"

    def _column(self, column: int) -> Array:
        values = self.columns[column]
        if not isinstance(values, str):
            import pyarrow as pa

            kind = values.type
            if pa.types.is_floating(kind) or pa.types.is_integer(kind) or pa.types.is_decimal(kind):
                return np.asarray(values.cast(pa.float64(), safe=False).to_numpy())
        cells = self.words(column)
        if all(map(is_missing, cells)):
            return np.full(self.n, np.nan)
        found = numbers_of(cells)
        if found is None:
            bad = (k for k, c in enumerate(cells) if number(c) is None and not is_missing(c))
            row = next(bad)
            raise DataError(
                f"{self.place(row, column)} holds {cells[row][:30]!r} where the others are "
                "numbers: correct the cell or remove the row"
            )
        return found


@dataclass
class ArrayRows(Rows):
    """Rows of an array."""

    values: Array
    name: str
    start: int

    @property
    def n(self) -> int:  # type: ignore[override]
        """How many rows there are."""
        return len(self.values)

    def words(self, column: int, rows: Any = None) -> list[str]:
        """The cells of a column as words."""
        values = self.values[:, column] if rows is None else self.values[rows, column]
        return list(map(str, values.tolist()))

    def numbers(self, columns: Sequence[int]) -> Array:
        """Columns of numbers."""
        if len(columns) == self.values.shape[1]:
            return self.values
        return self.values[:, list(columns)]

    def place(self, row: int, column: int) -> str:
        """Where a cell is, for a sentence about it."""
        return f"{self.name}, row {self.start + row + 1}, column {column + 1}"


@contextmanager
def reading(name: str) -> Iterator[None]:
    """Turn whatever a reader raises into one sentence that names the part."""
    with in_one_sentence(name, "cannot be read"):
        try:
            yield
        except FileNotFoundError:
            raise DataError(
                f"{name} is not there, or not for all workers: every worker of a cluster must see "
                "the data under the same path"
            ) from None


def other_columns(part: str, names: Sequence[str], first: str, wanted: Sequence[str]) -> DataError:
    """The error for a part with other columns than the first."""
    new = [name for name in names if name not in wanted]
    lost = [name for name in wanted if name not in names]
    what = [f"has no column {lost[0]!r}"] if lost else []
    what += [f"has a column {new[0]!r}"] if new else []
    what = what or ["has other columns"]
    return DataError(
        f"{part} {' and '.join(what)}, unlike {first}: every part needs the same columns"
    )
