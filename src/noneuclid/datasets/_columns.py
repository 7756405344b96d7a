"""Which columns of a table hold names, classes, numbers or sequences."""

from collections import Counter
from dataclasses import dataclass, field, replace

import numpy as np

from noneuclid._files import DataError
from noneuclid.datasets._axis import axis_across, axis_down, falling, only_counts, turned
from noneuclid.datasets._bounds import merged_integers, refuse_bounds, refuse_broken_numbers
from noneuclid.datasets._cells import is_missing
from noneuclid.datasets._class_columns import is_index, label_column, names_objects
from noneuclid.datasets._edges import edges, hits, is_edges, is_hits
from noneuclid.datasets._long import are_padded, long_trains
from noneuclid.datasets._table import (
    IDENTIFIER,
    INDEX_NAMES,
    SEQUENCE_NAMES,
    Column,
    Table,
    number,
)
from noneuclid.datasets.content import Content, Wishes
from noneuclid.datasets.kinds import is_proximity_like
from noneuclid.datasets.understanding import (
    CLASSES,
    GROUPS,
    NAMES,
    Ledger,
    Part,
    columns_in_words,
)
from noneuclid.typing import Array

# Names that more rows share, or fewer names, are no replicates.
_MOST_REPLICATES = 12
_FEWEST_OBJECTS = 8
# Two objects and a number.
_EDGE = 3
# Fewer whole numbers than this may rise one by one by chance.
_FEWEST_COUNTED = 8


@dataclass
class Roles:
    """Which columns of a table hold what, and what was decided about the others."""

    label: Column | None
    index: Column | None
    sequence: Column | None
    numeric: list[Column]
    notes: list[str]
    groups: Column | None = None
    grid: Array | None = None
    """Positions of the columns of numbers, if they are points of curves."""
    beside: list[Column] = field(default_factory=list)
    """Other columns of numbers of a table of curves."""
    parts: list[Part] = field(default_factory=list)
    """What every column is taken for."""


def roles_of(table: Table, wishes: Wishes) -> Roles:
    """Give every column its role."""
    kind, ledger = wishes.kind, Ledger(table.columns)
    ignored = [_named(table, name, "--ignore") for name in wishes.ignore]
    groups = _named(table, wishes.groups, "--groups") if wishes.groups else None
    target = _named(table, wishes.target, "--target") if wishes.target else None
    features = _features(table, wishes.columns)
    apart = set(map(id, (*ignored, groups, target)))
    chosen = [column for column in table.columns if id(column) not in apart]
    if not chosen:
        raise DataError(f"{table.file} has no column left: take some out of --ignore")
    table = replace(table, columns=chosen)
    refuse_bounds(table, wishes)
    refuse_broken_numbers(table, wishes.labels)
    apart = set(map(id, features))
    unsettled = replace(table, columns=[column for column in chosen if id(column) not in apart])
    label = None if wishes.target or not unsettled.columns else label_column(unsettled, wishes)
    if wishes.index:
        index: Column | None = _named(unsettled, wishes.index, "--id")
    else:
        index = _index_column(unsettled, label, beside=len(features))
    rest = [column for column in unsettled.columns if column is not label and column is not index]
    identifiers = _identifiers(table, rest, kind)
    rest = [column for column in rest if id(column) not in identifiers]
    sequence = _sequence_column(rest, kind)
    for column in rest:
        name = column.name
        if not column.is_number:
            others = (f"--labels {name!r}", "classes"), (f"--groups {name!r}", "groups")
            ledger.note(column, "left out: text", *others)
    _note_roles(ledger, wishes, label, index, sequence, groups, target)
    for column in ignored:
        ledger.note(column, "left out, as you said")
    for column in table.columns:
        if id(column) in identifiers:
            why = "left out: " + identifiers[id(column)].split(": ")[0].split("' ")[-1]
            ledger.note(column, why, (f"--id {column.name!r}", "names"))
    numeric = [column for column in rest if column.is_number and column is not sequence]
    if features:
        for column in numeric:
            ledger.note(column, "left out: not one of the columns that were named")
        numeric = features
    notes = []
    if index is not None and table.has_header and index.name:
        notes.append(f"names from column {index.name!r}")
    if label is not None:
        notes.append(f"classes from column {label.name!r}")
    if groups is not None:
        notes.append(f"groups from column {groups.name!r}")
    if ignored:
        notes.append(f"ignored: {_listed(ignored)}")
    notes += [*identifiers.values(), *merged_integers(numeric)]
    if sequence is None:
        dropped = [column for column in rest if not column.is_number]
        if dropped:
            notes.append(f"text left out: {_listed(dropped)}")
        if not numeric:
            raise DataError(
                f"{table.file} has no column of numbers: it must hold proximities, curves or "
                "features"
            )
    roles = Roles(label, index, sequence, numeric, notes, groups)
    if sequence is None and table.has_header and kind in ("auto", "curves"):
        _find_axis(roles, wishes)
        for column in roles.beside:
            predict = (f"--target {column.name!r}", "numbers to predict")
            ledger.note(column, "left out: no point of the axis", predict, _ALL_FEATURES)
    roles.parts = ledger.parts()
    return roles


_ALL_FEATURES = ("--kind vectors", "all numbers are features")


def _note_roles(
    ledger: Ledger,
    wishes: Wishes,
    label: Column | None,
    index: Column | None,
    sequence: Column | None,
    groups: Column | None,
    target: Column | None,
) -> None:
    if wishes.use_labels:
        ledger.note(label, "classes", *CLASSES)
    else:
        ledger.note(label, "left out: classes, which are not used")
    ledger.note(index, "names of the objects", *NAMES)
    ledger.note(sequence, "sequences")
    ledger.note(groups, "groups, kept together in cross-validation", *GROUPS)
    ledger.note(target, "numbers to predict", ("--target COLUMN", "another column"))


def _features(table: Table, names: tuple[str, ...]) -> list[Column]:
    """The columns of features that were named, in that order; none unless all are there, once."""
    by_name = {column.name: column for column in table.columns}
    times = Counter(column.name for column in table.columns)
    if not table.has_header or any(times[name] != 1 for name in names):
        return []
    found = [by_name[name] for name in names]
    for column in found:
        if not any(cell.strip() for cell in column.cells):  # which of itself is no column at all
            column.numbers, column.is_number = np.full(len(column.cells), np.nan), True
        if not column.is_number:
            raise DataError(
                f"{table.file}: column {column.name!r} holds text: it must hold numbers"
            )
    return found


def _named(table: Table, name: str, option: str) -> Column:
    """The column of a name, in any case."""
    alike = [column for column in table.columns if column.name.lower() == name.lower()]
    exact = [column for column in alike if column.name == name]
    if not alike:
        known = ", ".join(column.name for column in table.columns[:8])
        more = ", …" if len(table.columns) > 8 else ""
        raise DataError(f"{option}: {table.file} has no column {name!r} (there are {known}{more})")
    return (exact or alike)[0]


def _listed(columns: list[Column]) -> str:
    more = f" and {len(columns) - 5} more" if len(columns) > 5 else ""
    return ", ".join(repr(column.name) for column in columns[:5]) + more


def _find_axis(roles: Roles, wishes: Wishes) -> None:
    """Have the columns of numbers be points of curves, in the order of the axis, if they are."""
    numeric, names = roles.numeric, [column.name for column in roles.numeric]
    if wishes.axis in ("down", "none"):
        return
    X = np.column_stack([np.asarray(column.numbers) for column in numeric])
    match = roles.index is not None and roles.index.cells == names
    if wishes.kind == "auto" and is_proximity_like(X, names_match=match):
        return
    axis = axis_across(names, X)
    if wishes.axis == "auto" and wishes.kind == "auto" and are_padded(X, names):
        return  # spike_1, spike_2 … of trains of different lengths
    if axis is None:
        if wishes.axis == "across":
            raise DataError(
                "--axis across: the names of the columns are no numbers that rise or fall; leave "
                "--axis out, or correct the header"
            )
        return
    on_axis = set(axis.columns.tolist())
    roles.numeric, roles.grid = [numeric[j] for j in axis.columns], axis.values
    roles.beside = [column for j, column in enumerate(numeric) if j not in on_axis]
    if axis.falls:
        roles.notes.append(falling(axis.values[::-1]))
    if roles.beside:
        roles.notes.append(f"beside the axis, left out: {_listed(roles.beside)}")


def from_table(table: Table, wishes: Wishes) -> Content:
    """What a table holds."""
    content = _from_pairs(table, wishes) or long_trains(table, wishes)
    if content is None:
        content = _from_columns(table, wishes)
    content.notes[:0] = table.notes
    return content


def _from_pairs(table: Table, wishes: Wishes) -> Content | None:
    """Hits of a search or pairs of objects, if that is what the table lists."""
    kind, form = wishes.kind, wishes.format.lower()
    if form == "blast" and not is_hits(table):
        raise DataError(
            f"{table.file} is no table of hits: two names, ten numbers of which the last is the "
            "bit score, and no header are needed (-outfmt 6)"
        )
    if form == "edges" and len(table.columns) != _EDGE:
        raise DataError(f"{table.file} is no list of pairs: two names and a number are needed")
    if kind in ("auto", "similarity") and form in ("auto", "blast") and is_hits(table):
        return hits(table)
    if kind in ("auto", "similarity", "dissimilarity") and (
        form == "edges" or (form == "auto" and is_edges(table))
    ):
        return edges(table, wishes)
    return None


def _from_columns(table: Table, wishes: Wishes) -> Content:
    kind, notes = wishes.kind, list[str]()
    if wishes.axis == "down" and not axis_down(table, asked=True):
        raise DataError(
            f"--axis down: the first column of {table.file} must hold numbers that rise or fall, "
            "and all others curves"
        )
    if wishes.axis == "down" or (
        wishes.axis == "auto" and kind in ("auto", "curves") and axis_down(table)
    ):
        first, *others = [column.name for column in table.columns]
        notes.append(f"the axis runs down column {first!r}: one curve per column")
        table = turned(table)
        standing = _standing(first, others)
    else:
        standing = None
    roles = roles_of(table, wishes)
    content = Content(table.file, notes=notes + roles.notes, parts=standing or roles.parts)
    if table.has_header:
        content.other = {column.name: column.cells for column in table.columns}
    if roles.groups is None and table.has_header and kind not in ("similarity", "dissimilarity"):
        roles.groups = _repeated_names(table, roles)
        if roles.groups is not None:
            name = roles.groups.name
            content.notes.append(f"rows of one {name!r} kept together in cross-validation")
            together = " (and rows of one name are kept together)"
            mine = f"column {name!r}"
            content.parts = [
                replace(part, taken_for=part.taken_for + together) if part.what == mine else part
                for part in content.parts
            ]
    if roles.groups is not None:
        content.groups = _groups_of(roles.groups, content.file)
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
        content.grid = roles.grid
    content.place = lambda row, j: table.place(row, roles.numeric[j])
    return content


def names_and_classes(table: Table, content: Content, wishes: Wishes) -> None:
    """What columns beside the objects say of them, where the numbers are not in the table."""
    label = None if wishes.target else label_column(table, wishes)
    first = table.columns[0]
    index = _named(table, wishes.index, "--id") if wishes.index else None
    differs = first is not label and first.n_distinct == len(table)
    if index is None and differs and (names_objects(first) or not first.is_number):
        index = first
    if index is not None:
        content.names = index.cells
        content.notes.append(f"names from column {index.name!r}")
    if label is not None:
        content.labels, content.label_name = label.cells, label.name
        content.notes.append(f"classes from column {label.name!r}")
    if wishes.groups:
        content.groups = _groups_of(_named(table, wishes.groups, "--groups"), content.file)


def _groups_of(column: Column, file: str) -> list[str]:
    empty = [k for k, cell in enumerate(column.cells) if is_missing(cell)]
    if empty:
        raise DataError(
            f"{file}: column {column.name!r}, the groups, is empty for {len(empty)} objects, the "
            f"first of them object {empty[0] + 1}: fill in a name, one of its own if it is alone"
        )
    return column.cells


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


def _standing(first: str, others: list[str]) -> list[Part]:
    """What the columns of a table are that has one curve in each."""
    across = ("--axis across", "one curve per row")
    return [
        Part(f"column {first!r}", "the axis of curves", (across, ("--axis none", "no axis"))),
        Part(columns_in_words(others), "curves, one per column", (across,)),
    ]


def _repeated_names(table: Table, roles: Roles) -> Column | None:
    """The column of names that several rows share: replicates of the same object."""
    apart = (roles.label, roles.index, roles.sequence)
    for column in table.columns:
        if not names_objects(column) or any(column is one for one in apart):
            continue
        most = max(Counter(column.cells).values())
        if _FEWEST_OBJECTS <= column.n_distinct < len(table) and most <= _MOST_REPLICATES:
            return column
    return None


def _index_column(table: Table, label: Column | None, *, beside: int) -> Column | None:
    """The column of names, if there is one; ``beside`` it are so many that are features anyway."""
    if len(table.columns) + beside < 2 or not table.columns or table.columns[0] is label:
        return None
    first, *others = table.columns
    others = [c for c in others if c is not label]
    distinct = [c for c in (first, *others) if c.n_distinct == len(table)]
    unique = any(c is first for c in distinct)
    if table.has_header:
        named = [c for c in distinct if IDENTIFIER.fullmatch(c.name)]
        if named and (first.is_number or not unique):
            return next((c for c in named if not c.is_number), named[0])
        if first.name.lower() in INDEX_NAMES and unique:
            return first
    if first.numbers is None:
        return first if unique and (others or beside) else None
    square = len(others) + beside == len(table)
    return first if square and only_counts(first.numbers) else None


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
        elif table.has_header and IDENTIFIER.fullmatch(column.name):
            found[id(column)] = f"column {column.name!r} names the objects: left out"
        elif table.has_header and column is table.columns[0] and is_index(column):
            found[id(column)] = "the first column, without a name, is an index: left out"
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
