"""Which columns of a table hold names, classes, numbers or sequences."""

import re
from dataclasses import dataclass

import numpy as np

from noneuclid._files import DataError
from noneuclid.datasets._table import (
    INDEX_NAMES,
    LABEL_NAMES,
    SEQUENCE_NAMES,
    Column,
    Table,
    is_missing,
    number,
)
from noneuclid.datasets.content import Content, positions

# A column with this share of numbers is one of numbers with something wrong in it.
_MOSTLY = 0.8
_MOST_CLASSES = 50
# Fewer whole numbers than this may rise one by one by chance.
_FEWEST_COUNTED = 8
# sample_id, "sample id", sampleId, id, and what pandas calls an index it has written.
_IDENTIFIER = re.compile(r"(?i:(.*[\s_.-])?ids?)|.*[a-z]I[Dd]|(?i:unnamed: \d+(\.\d+)*)")


@dataclass
class Roles:
    """Which columns of a table hold what, and what was decided about the others."""

    label: Column | None
    index: Column | None
    sequence: Column | None
    numeric: list[Column]
    notes: list[str]


def roles_of(table: Table, wanted: str | None, kind: str) -> Roles:
    """Give every column its role; ``wanted`` names the column of classes."""
    _refuse_broken_numbers(table, wanted)
    label = _label_column(table, wanted, kind)
    index = _index_column(table, label)
    rest = [column for column in table.columns if column is not label and column is not index]
    identifiers = _identifiers(table, rest, kind)
    rest = [column for column in rest if id(column) not in identifiers]
    sequence = _sequence_column(rest, kind)
    numeric = [column for column in rest if column.is_number and column is not sequence]
    notes = []
    if index is not None and table.has_header and index.name:
        notes.append(f"names from column {index.name!r}")
    if label is not None:
        notes.append(f"classes from column {label.name!r}")
    notes += identifiers.values()
    if sequence is None:
        dropped = [column.name for column in rest if not column.is_number]
        if dropped:
            notes.append(f"text left out: {', '.join(map(repr, dropped[:5]))}")
        if not numeric:
            raise DataError(
                f"{table.file} has no column of numbers: it must hold proximities, curves or "
                "features"
            )
    return Roles(label, index, sequence, numeric, notes)


def from_table(table: Table, wanted: str | None, kind: str) -> Content:
    """What a table holds; ``wanted`` names the column of classes."""
    roles = roles_of(table, wanted, kind)
    content = Content(table.file, notes=roles.notes)
    if roles.index is not None:
        content.names = roles.index.cells
    if roles.label is not None:
        content.labels, content.label_name = roles.label.cells, roles.label.name
    if roles.sequence is not None:
        if kind == "auto" and roles.sequence.name.lower() not in SEQUENCE_NAMES:
            refuse_prose(roles.sequence.cells, table.file)
        content.sequences = roles.sequence.cells
        return content
    content.matrix = np.column_stack([np.asarray(column.numbers) for column in roles.numeric])
    if table.has_header:
        content.features = [column.name for column in roles.numeric]
        content.grid = positions(content.features)
    content.place = lambda row, j: table.place(row, roles.numeric[j])
    return content


def refuse_prose(lines: list[str], file: str) -> None:
    """Raise if the lines are sentences rather than sequences or rows."""
    words = [line.split() for line in lines]
    letters = sum(word[0].isalpha() for line in words for word in line)
    total = sum(map(len, words))
    if total > 2 * len(lines) and letters > 0.7 * total and len({len(w) for w in words}) > 1:
        raise DataError(
            f"{file} looks like prose, not like data: give one row per object, or say "
            "--kind sequences to take every line as a sequence"
        )


def _refuse_broken_numbers(table: Table, wanted: str | None) -> None:
    classes = {wanted.lower()} if wanted is not None else LABEL_NAMES
    for column in table.columns:
        if column.is_number or (table.has_header and column.name.lower() in classes):
            continue
        bad = [k for k, cell in enumerate(column.cells) if number(cell) is None]
        wrong = [k for k in bad if not is_missing(column.cells[k])]
        if wrong and len(table) > 4 and len(bad) <= (1 - _MOSTLY) * len(table):
            raise DataError(
                f"{table.place(wrong[0], column)} holds {column.cells[wrong[0]][:30]!r} where the "
                "others are numbers: correct the cell or remove the row"
            )


def _label_column(table: Table, wanted: str | None, kind: str) -> Column | None:
    if wanted is not None:
        alike = [c for c in table.columns if c.name.lower() == wanted.lower()]
        exact = [c for c in alike if c.name == wanted]
        return _only(exact or alike, table)
    if table.has_header:
        named = [c for c in table.columns if c.name.lower() in LABEL_NAMES]
        if named:
            return _only([c for c in named if c.name == named[-1].name], table)
    elif kind != "sequences" and _starts_with_classes(table):
        return table.columns[0]
    few = max(2, len(table) // 3)
    words = [c for c in table.columns if not c.is_number and 2 <= c.n_distinct <= few]
    words = [c for c in words if not (table.has_header and _IDENTIFIER.fullmatch(c.name))]
    return words[-1] if words else None


def _only(alike: list[Column], table: Table) -> Column | None:
    """The column of classes; several of one name must say the same."""
    if any(column.cells != alike[0].cells for column in alike):
        raise DataError(
            f"{table.file} has {len(alike)} columns {alike[0].name!r} that differ: rename all but "
            "one of them"
        )
    return alike[-1] if alike else None


def _starts_with_classes(table: Table) -> bool:
    """As the UCR archive has it: an integer class, then the values of a curve."""
    first, rest = table.columns[0], table.columns[1:]
    if len(rest) < 8 or first.numbers is None or np.isnan(first.numbers).any():
        return False
    whole = (first.numbers == first.numbers.round()).all()
    few = 2 <= first.n_distinct <= min(_MOST_CLASSES, len(table) // 2)
    fractions = any((c.numbers != c.numbers.round()).any() for c in rest if c.numbers is not None)
    return bool(whole and few and fractions and len(table) != len(rest) + 1)


def _index_column(table: Table, label: Column | None) -> Column | None:
    first, *others = table.columns
    if not others or first is label:
        return None
    others = [c for c in others if c is not label]
    distinct = [c for c in (first, *others) if c.n_distinct == len(table)]
    unique = any(c is first for c in distinct)
    if table.has_header:
        named = [c for c in distinct if _IDENTIFIER.fullmatch(c.name)]
        if named and (first.is_number or not unique):
            return next((c for c in named if not c.is_number), named[0])
        if first.name.lower() in INDEX_NAMES and unique:
            return first
    if first.numbers is None:
        return first if unique and others else None
    counting = np.array_equal(np.diff(first.numbers), np.ones(len(table) - 1))
    square = len(others) == len(table)
    return first if counting and square and first.numbers[0] in (0, 1) else None


def _identifiers(table: Table, columns: list[Column], kind: str) -> dict[int, str]:
    """Columns of numbers that say which object it is, by their id, and why they are left out."""
    if kind in ("similarity", "dissimilarity"):
        return {}
    numeric = [column for column in columns if column.is_number]
    square = len(numeric) == len(table)  # distances of points on a line count, too
    found = {}
    for column in numeric:
        if _counts_rows(column) and not square and number(column.name) is None:
            found[id(column)] = f"column {column.name!r} counts the rows: left out"
        elif table.has_header and _IDENTIFIER.fullmatch(column.name):
            found[id(column)] = f"column {column.name!r} names the objects: left out"
    return found


def _counts_rows(column: Column) -> bool:
    numbers = np.asarray(column.numbers)
    rising = np.array_equal(numbers, numbers[0] + np.arange(len(numbers)))
    return rising and counts_on(numbers[0], len(numbers), "")


def counts_on(first: float, n: int, name: str) -> bool:
    """Whether n numbers that rise one by one from the first count rows, rather than by chance."""
    return bool(n >= _FEWEST_COUNTED and first in (0, 1) and number(name) is None)


def _sequence_column(columns: list[Column], kind: str) -> Column | None:
    if kind not in ("auto", "sequences"):
        return None
    named = [column for column in columns if column.name.lower() in SEQUENCE_NAMES]
    if named:
        return named[0]
    words = [column for column in columns if not column.is_number]
    if kind == "sequences" and len(columns) == 1:  # several columns of numbers are no sequences
        words = columns
    if kind == "auto" and len(words) < len(columns):
        return None
    return max(words, key=lambda c: sum(map(len, c.cells)), default=None)
