"""Tables of text with a delimiter, parquet files, and folders of curves."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from noneuclid._files import DataError, check_file, require_plausible
from noneuclid.datasets._axis import falling
from noneuclid.datasets._columns import from_table
from noneuclid.datasets._table import Column, Table, decode, parse_table, text_of
from noneuclid.datasets.content import Content
from noneuclid.datasets.readers.base import DataFile, Reader
from noneuclid.typing import Array, IntArray

# What pandas calls an index without a name.
UNNAMED = re.compile(r"__index_level_\d+__")
_CURVES = (".csv", ".tsv", ".txt")
# Positions of one axis, however many digits a program writes.
_CLOSE = 1e-6


class DelimitedReader(Reader):
    """Comma, semicolon, tab or ``|``; points or commas in numbers; any usual encoding."""

    suffixes = (".csv", ".tsv")
    formats = ("csv", "tsv", "blast", "edges")

    def read(self, file: DataFile) -> Content:
        table = parse_table(file.text(), file.name, file.wishes.decimal)
        return from_table(table, file.wishes)


class ParquetReader(Reader):
    """A table with its index."""

    suffixes = (".parquet",)

    def read(self, file: DataFile) -> Content:
        try:
            import pyarrow as pa
        except ImportError:
            raise DataError(f'{file.name} needs pyarrow: pip install "noneuclid[cli]"') from None
        try:
            found = _arrow_table(file)
        except (pa.ArrowException, OSError) as error:
            raise DataError(
                f"{file.name} is not a parquet file, or damaged: save it with to_parquet"
            ) from error
        if not found.num_rows or not found.num_columns:
            raise DataError(f"{file.name} is empty: it must hold one row per object")
        return from_table(arrow_columns(found, file.name), file.wishes)


def arrow_columns(found: Any, file: str) -> Table:
    """Arrow's table as one of text, an index of pandas first."""
    from pyarrow import types

    for name, column in zip(found.column_names, found.columns):
        if types.is_nested(column.type):
            raise DataError(f"{file}: {name!r} holds lists: save one value per row")
    index = index_of(found.schema)
    columns = [
        Column("index" if UNNAMED.fullmatch(name) else name, cells_of(cells))
        for name, cells in zip(found.column_names, found.columns)
    ]
    order = sorted(range(len(columns)), key=lambda j: found.column_names[j] not in index)
    return Table(file, [columns[j] for j in order], True)


def index_of(schema: Any) -> list[str]:
    """The columns in which pandas has saved an index."""
    try:
        about = schema.pandas_metadata or {}
    except ValueError:  # no JSON
        about = {}
    return [name for name in about.get("index_columns", ()) if isinstance(name, str)]


def cells_of(column: Any) -> list[str]:
    """The cells as text; a word that occurs often is one object."""
    if not hasattr(column.type, "value_type"):
        return list(map(_text, column.to_pylist()))
    found: list[str] = []
    for chunk in column.chunks:
        words = [*map(_text, chunk.dictionary.to_pylist()), ""]
        found += [words[-1 if k is None else k] for k in chunk.indices.to_pylist()]
    return found


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        return text_of(value)
    return "" if value is None or value != value else str(value)


def _arrow_table(file: DataFile) -> Any:
    """The table; what its description promises is compared with the length of the file first."""
    from pyarrow import parquet

    length = check_file(file.path)
    with parquet.ParquetFile(file.path) as opened:
        about = opened.metadata
        columns = [opened.schema.column(j) for j in range(about.num_columns)]
        for column in columns:
            if column.max_repetition_level:
                raise DataError(f"{file.name}: {column.path!r} holds lists: save one value per row")
        groups = [about.row_group(k) for k in range(about.num_row_groups)]
        rows = max(about.num_rows, sum(group.num_rows for group in groups))
        size = max(8 * rows * len(columns), sum(group.total_byte_size for group in groups))
        require_plausible(file.name, length, size, "save it as npy")
        texts = [column.path for column in columns if column.physical_type == "BYTE_ARRAY"]
    # A word that occurs often is kept once: in the file it takes no room either.
    with parquet.ParquetFile(file.path, read_dictionary=texts) as opened:
        return opened.read()


class FolderReader(Reader):
    """Curves, one file each: the last column of every csv, tsv or txt file, sorted by name.

    The first column, where there are two, is the axis, which all must share; points are put in the
    order in which it rises.
    """

    formats = ("folder",)

    def recognises(self, file: DataFile) -> bool:
        return file.path.is_dir()

    def read(self, file: DataFile) -> Content:
        files = sorted(f for f in file.path.iterdir() if f.suffix.lower() in _CURVES)
        if not files:
            raise DataError(f"{file.name} is a folder without csv, tsv or txt files of curves")
        curves = [_curve(part) for part in files]
        length, grid = len(curves[0].values), curves[0].axis
        for part, curve in zip(files, curves):
            if len(curve.values) != length:
                raise DataError(
                    f"{part.name} has {len(curve.values)} points where {files[0].name} has "
                    f"{length}: curves need one common grid"
                )
            _refuse_other_axis(part.name, curve.axis, files[0].name, grid)
        X = np.array([curve.values for curve in curves])
        names = [part.stem for part in files]
        content = Content(file.name, X, kind="curves", grid=grid, names=names)
        content.notes += _notes_on_order(curves)
        content.place = lambda row, j: f"{files[row].name}, point {curves[row].order[j] + 1}"
        return content


@dataclass
class _Curve:
    """A curve in the order in which its axis rises, and where its points are in the file."""

    values: Array
    axis: Array | None
    order: IntArray


def _curve(part: Path) -> _Curve:
    """The curve of a file: its last column, by its first one if there are two."""
    table = parse_table(decode(part), part.name)
    first, last = table.columns[0], table.columns[-1]
    if last.numbers is None:
        raise DataError(f"{part.name} must hold numbers in its last column, one per line")
    if first is last or first.numbers is None:
        return _Curve(last.numbers, None, np.arange(len(last.numbers)))
    holes = np.flatnonzero(~np.isfinite(first.numbers))
    if len(holes):
        where = table.place(int(holes[0]), first)
        raise DataError(f"{where} is empty or infinite: the axis needs a number for every point")
    order = np.argsort(first.numbers, kind="stable")
    return _Curve(last.numbers[order], first.numbers[order], order)


def _refuse_other_axis(name: str, axis: Array | None, first: str, grid: Array | None) -> None:
    """Raise unless a curve has the axis of the first one, or both have none."""
    if axis is None or grid is None:
        if axis is not grid:
            with_axis, without = (first, name) if axis is None else (name, first)
            raise DataError(
                f"{without} has no axis of numbers in a first column, but {with_axis} has: export "
                "all curves with their axis, or all without"
            )
    elif not np.allclose(axis, grid, rtol=_CLOSE, atol=_CLOSE * np.abs(grid).max()):
        raise DataError(
            f"{name} runs from {axis[0]:g} to {axis[-1]:g}{_inside(axis, grid)}, but {first} from "
            f"{grid[0]:g} to {grid[-1]:g}: export all on one axis"
        )


def _inside(axis: Array, grid: Array) -> str:
    """Where axes with the same ends differ."""
    if f"{axis[0]:g} {axis[-1]:g}" != f"{grid[0]:g} {grid[-1]:g}":
        return ""
    k = int(np.abs(axis - grid).argmax())
    return f" and has {axis[k]:g} where the other has {grid[k]:g}"


def _notes_on_order(curves: list[_Curve]) -> list[str]:
    """What is said of curves whose points were put in another order."""
    grid = curves[0].axis
    moved = [curve.order for curve in curves if (curve.order[:-1] > curve.order[1:]).any()]
    if grid is None or not moved:
        return []
    if len(moved) == len(curves) and all((order[:-1] > order[1:]).all() for order in moved):
        return [falling(grid[::-1])]
    return [f"points of {len(moved)} of {len(curves)} curves put in the rising order of their axis"]
