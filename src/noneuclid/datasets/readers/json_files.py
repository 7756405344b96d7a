"""JSON: records, one record per line, columns, rows, or lists of numbers and words."""

import json
from itertools import pairwise
from typing import Any

import numpy as np

from noneuclid._files import DataError, check_file
from noneuclid._memory import require_memory
from noneuclid.datasets._columns import from_table, names_and_classes
from noneuclid.datasets._layout import Grid
from noneuclid.datasets._table import LABEL_NAMES, Column, Table, table_of
from noneuclid.datasets.content import Content
from noneuclid.datasets.readers.base import DataFile, Reader
from noneuclid.datasets.understanding import Ambiguous, columns_or_rows
from noneuclid.kernels.trains import as_trains

# An empty record of three bytes becomes an object of 64, and more when it has an entry.
_OBJECTS = 48
# What comes first in an object of objects, by the format a user names: whether it is the columns.
_FIRST = {"json-columns": True, "json-rows": False}
_SHAPES = "a list of records, one record per line, or an object of columns"


class JsonReader(Reader):
    """A table as pandas, R or a database saves it, a matrix, sequences, or spike trains."""

    suffixes = (".json", ".jsonl", ".ndjson")
    formats = ("json", *_FIRST)

    def read(self, file: DataFile) -> Content:
        require_memory(file.name, _OBJECTS * check_file(file.path), "save it as parquet")
        found = _without_wrapping(_parsed(file.text(), file.name), file.name)
        if isinstance(found, dict):
            return _table(_from_object(found, file), file)
        if not isinstance(found, list) or not found:
            raise DataError(f"{file.name} holds no data: give {_SHAPES}")
        if all(isinstance(one, dict) for one in found):
            return _table(_from_records(found, file.name), file)
        if all(isinstance(one, list) for one in found):
            return _from_lists(found, file)
        if all(isinstance(one, str) for one in found):
            return Content(file.name, sequences=found)
        raise DataError(f"{file.name} holds values of several sorts: give {_SHAPES}")


def _parsed(text: str, file: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) < 2 or "Extra data" not in error.msg:
            raise DataError(
                f"{file}, line {error.lineno} is no JSON ({error.msg}): correct it"
            ) from None
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                found.append(json.loads(line, object_pairs_hook=_unique))
            except json.JSONDecodeError as error:
                raise DataError(f"{file}, line {number} is no JSON: {error.msg}") from None
    return found


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in found if names.count(name) > 1)
        raise ValueError(f"an object has {twice[:40]!r} twice: give every column a name of its own")
    return found


def _without_wrapping(found: Any, file: str) -> Any:
    """What is inside of an object around the table: ``{"data": […]}``, or pandas' forms of it."""
    if not isinstance(found, dict):
        return found
    if isinstance(found.get("data"), list) and set(found) <= {"columns", "index", "data"}:
        rows, columns = found["data"], found.get("columns")
        if not isinstance(columns, list):
            return rows
        if not all(isinstance(row, list) and len(row) == len(columns) for row in rows):
            raise DataError(f'{file}: every row of "data" needs as many values as "columns"')
        names, index = list(map(str, columns)), found.get("index")
        if isinstance(index, list) and len(index) == len(rows) and _tells(index):
            return [dict(zip(["", *names], [name, *row])) for name, row in zip(index, rows)]
        return [dict(zip(names, row)) for row in rows]
    inside = [value for name, value in found.items() if _is_records(value) and name != "schema"]
    others = [value for name, value in found.items() if isinstance(value, (list, dict))]
    if len(inside) == 1 and (len(others) == 1 or "schema" in found):
        return inside[0]
    return found


def _is_records(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, dict) for one in value)


def _from_records(records: list[dict[str, Any]], file: str) -> dict[str, list[Any]]:
    names = list(dict.fromkeys(name for record in records for name in record))
    require_memory(f"the table of {file}", 64 * len(names) * len(records), "save it as parquet")
    return {name: [record.get(name) for record in records] for name in names}


def _from_object(found: dict[str, Any], opened: DataFile) -> dict[str, list[Any]]:
    """Columns by their names, or pandas' object of objects."""
    file = opened.name
    if found and all(isinstance(value, dict) for value in found.values()):
        return _from_objects(found, file, _FIRST.get(opened.wishes.format.lower()))
    lists = {name: value for name, value in found.items() if isinstance(value, list)}
    if not lists:
        raise DataError(f"{file} holds no table: give {_SHAPES}")
    n = max(map(len, lists.values()))
    for name, value in lists.items():
        if len(value) != n:
            raise DataError(
                f"{file}: {name!r} has {len(value)} values where another column has {n}: give "
                f"{_SHAPES}"
            )
    return lists


def _from_objects(
    found: dict[str, dict[str, Any]], file: str, of_columns: bool | None
) -> dict[str, list[Any]]:
    """Columns of an object of objects, as the user, names or values tell which of both they are."""
    inner = list(dict.fromkeys(name for value in found.values() for name in value))
    if of_columns is None:
        of_columns = _are_columns_first(found, inner)
    if of_columns is None:
        raise Ambiguous(
            f"{file} holds an object of objects, and nothing tells whether columns or rows come "
            "first: save it with orient='records', or say --format json-columns or json-rows",
            columns_or_rows(list(found)),
        )
    rows = inner if of_columns else list(found)
    if of_columns:
        columns = {name: [value.get(row) for row in inner] for name, value in found.items()}
    else:
        columns = _from_records(list(found.values()), file)
    return {"": rows, **columns} if _tells(rows) else columns


def _are_columns_first(found: dict[str, dict[str, Any]], inner: list[str]) -> bool | None:
    """Whether the outer names are those of columns, not of rows; None if nothing tells."""
    if _count(inner) or sorted(inner) == sorted(found):
        return True
    if _count(list(found)):
        return False
    known = LABEL_NAMES - {"y"}  # which is a coordinate, too
    outer_named, inner_named = (any(n.lower() in known for n in names) for names in (found, inner))
    if outer_named != inner_named:
        return outer_named
    across: dict[str, list[Any]] = {name: [] for name in inner}
    for one in found.values():
        for name, value in one.items():
            across[name].append(value)
    outer_alike = all(_of_one_sort(list(one.values())) for one in found.values())
    inner_alike = all(map(_of_one_sort, across.values()))
    return None if outer_alike == inner_alike else outer_alike


def _of_one_sort(values: list[Any]) -> bool:
    """Whether values may be those of one column: all words, or none."""
    return len({isinstance(value, str) for value in values if value is not None}) < 2


def _tells(index: list[Any]) -> bool:
    """Whether an index says more than which row it is."""
    return list(map(str, index)) != list(map(str, range(len(index))))


def _count(names: list[str]) -> bool:
    """Whether names are whole numbers, as pandas has them for rows."""
    return all(name.isdecimal() and len(name) < 12 for name in names)


def _text(value: Any, file: str) -> str:
    if value is None:
        return ""
    if isinstance(value, (list, dict)):
        raise DataError(f"{file} has objects or lists in several columns: give one value per cell")
    return str(value).strip() if isinstance(value, (str, bool)) else repr(value)


def _table(columns: dict[str, list[Any]], file: DataFile) -> Content:
    """What columns hold; one of lists of numbers is that of curves, spike trains or rows."""
    lists = [name for name, values in columns.items() if all(isinstance(v, list) for v in values)]
    if len(lists) == 1 and columns[lists[0]]:
        return _with_lists(columns, lists[0], file)
    cells = {name: [_text(value, file.name) for value in v] for name, v in columns.items()}
    if not cells or not next(iter(cells.values())):
        raise DataError(f"{file.name} is empty: it must hold one row per object")
    table = Table(file.name, [Column(name, values) for name, values in cells.items()], True)
    return from_table(table, file.wishes)


def _with_lists(columns: dict[str, list[Any]], name: str, file: DataFile) -> Content:
    content = _numbers(columns.pop(name), file)
    content.other = {key: [_text(v, file.name) for v in values] for key, values in columns.items()}
    table = Table(
        file.name, [Column(key, list(cells)) for key, cells in content.other.items()], True
    )
    content.notes.append(f"rows from {name!r}")
    if table.columns:
        names_and_classes(table, content, file.wishes)
    return content


def _from_lists(rows: list[list[Any]], file: DataFile) -> Content:
    """A list of rows: of numbers, or with a header and words as a table has them."""
    if all(_is_number(value) for row in rows for value in row):
        return _numbers(rows, file)
    cells = [[_text(value, file.name) for value in row] for row in rows]
    grid = Grid(cells, list(range(1, len(rows) + 1)))
    return from_table(table_of(grid, file.name, decimal=file.wishes.decimal), file.wishes)


def _is_number(value: Any) -> bool:
    return value is None or (isinstance(value, (int, float)) and not isinstance(value, bool))


def _numbers(rows: list[list[Any]], file: DataFile) -> Content:
    """A matrix, or trains if the rows have different lengths and rise."""
    for i, row in enumerate(rows):
        if not all(_is_number(value) for value in row):
            raise DataError(f"{file.name}: row {i + 1} must hold numbers only")
    try:
        values = [[np.nan if v is None else float(v) for v in row] for row in rows]
    except OverflowError:
        raise DataError(f"{file.name} holds a number that is too large") from None
    rising = all(b >= a for row in values for a, b in pairwise(row))
    if len({len(row) for row in rows}) > 1:
        if file.kind not in ("auto", "spikes") or not rising:
            raise DataError(
                f"{file.name} has rows of {min(map(len, rows))} to {max(map(len, rows))} numbers: "
                "every row needs the same number, or the rising times of a train"
            )
        return Content(file.name, trains=list(as_trains(values, file.name)), kind="spikes")
    return Content(file.name, np.array(values, dtype=np.float64).reshape(len(values), -1))
