"""Which column of a table holds the classes."""

from collections.abc import Sequence

import numpy as np

from noneuclid._files import DataError
from noneuclid.datasets._table import IDENTIFIER, INDEX_NAMES, LABEL_NAMES, Column, Table
from noneuclid.datasets.content import Wishes
from noneuclid.datasets.understanding import Ambiguous, which_column

_MOST_CLASSES = 50
_MOST_ASKED = 9
# Names of columns of classes, the surest first; of one row, the last column counts.
_SUREST = (("label", "labels", "class", "classes"), ("target",), ("y",))


def label_column(table: Table, wishes: Wishes) -> Column | None:
    """The column of classes, if there is one; raises if there may be several."""
    wanted, kind = wishes.labels, wishes.kind
    if wanted is not None:
        alike = [c for c in table.columns if c.name.lower() == wanted.lower()]
        exact = [c for c in alike if c.name == wanted]
        return _only(exact or alike, table)
    if table.has_header:
        named = _surest([c for c in table.columns if c.name.lower() in LABEL_NAMES])
        if named and len({c.name.lower() for c in named}) == 1:
            return _only([c for c in named if c.name == named[-1].name], table)
        if named:
            return _only_candidate(table, named, wishes)
    elif kind != "sequences" and _starts_with_classes(table):
        return table.columns[0]
    few = max(2, len(table) // 3)
    words = [c for c in table.columns if not c.is_number and 2 <= c.n_distinct <= few]
    words = [c for c in words if not (table.has_header and names_objects(c))]
    return _only_candidate(table, words, wishes)


def _surest(named: list[Column]) -> list[Column]:
    """Those of several columns of classes whose names leave the least doubt."""
    for names in _SUREST:
        found = [column for column in named if column.name.lower() in names]
        if found:
            return found
    return named


def _only_candidate(table: Table, columns: list[Column], wishes: Wishes) -> Column | None:
    """The only column that may be the classes, or says the same as all others that may."""
    if len({tuple(column.cells) for column in columns}) > 1 and wishes.use_labels:
        words = f"{table.file} has several columns that may be the classes"
        names = [column.name for column in columns]
        listed = ", ".join(map(repr, names[:_MOST_ASKED]))
        raise Ambiguous(
            f"{words} ({listed}): say which with --labels COLUMN",
            which_column(words, names[:_MOST_ASKED]),
        )
    return columns[-1] if columns else None


def names_objects(column: Column) -> bool:
    """Whether a column is called as one that tells which object it is."""
    name = column.name.lower()
    return bool(name and (name in INDEX_NAMES or IDENTIFIER.fullmatch(column.name)))


def tell_the_same(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether each class of the one is a class of the other, by whatever name."""
    return len(set(zip(one, other))) == len(set(one)) == len(set(other))


def is_index(column: Column) -> bool:
    """Whether it is what pandas writes first: whole numbers, all different, without a name."""
    different = column.n_distinct == len(column.cells)
    return not column.name and different and all(map(str.isdecimal, column.cells))


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
