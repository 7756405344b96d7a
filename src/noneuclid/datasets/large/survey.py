"""Two passes over all blocks before anything is learned: what the columns are, and what they hold.

The first pass counts rows and draws some of them, by which the columns get their roles as those of
a table that is read as a whole. The second one looks at every number and every class.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from noneuclid._blocks.passes import computed
from noneuclid._files import DataError
from noneuclid.datasets._columns import counts_on, roles_of
from noneuclid.datasets._labels import MOST_CLASSES, as_labels, no_class
from noneuclid.datasets._table import Column, Table, is_missing, number, numbers_of
from noneuclid.datasets.content import Content, Wishes
from noneuclid.datasets.kinds import guess_kind
from noneuclid.datasets.large.opening import Source
from noneuclid.datasets.large.rows import Block, Rows
from noneuclid.datasets.reading import LARGEST
from noneuclid.typing import Array

# So many rows tell what the columns are.
_SEEN = 4096
# Fewer numbers among words are nothing strange.
_FEWEST_ALIKE = 5
_ROWS = ("vectors", "curves")


@dataclass(frozen=True)
class Columns:
    """The numbers of the columns that hold something."""

    numeric: tuple[int, ...]
    label: int | None = None
    index: int | None = None


@dataclass
class Outline:
    """What a source holds, before its numbers were looked at."""

    columns: Columns
    kind: Any
    sizes: list[int]
    features: list[str] | None = None
    grid: Array | None = None
    notes: list[str] = field(default_factory=list)
    label_name: str = ""


def outlined(source: Source, wishes: Wishes) -> Outline:
    """The first pass."""
    kind = wishes.kind
    if kind not in ("auto", *_ROWS):
        raise DataError(
            f"{source.name} is read by blocks, which must hold rows of numbers, not {kind}: give "
            "less data, or leave --kind out"
        )
    per = -(-_SEEN // len(source.blocks)) + 1
    looked = _each(_looked, source, per)
    sizes = [n for n, _ in looked]
    n = sum(sizes)
    if not n:
        raise DataError(f"{source.name} is empty: it must hold one row per object")
    seen = [rows for _, rows in looked]
    if not source.is_table:
        columns = Columns(tuple(range(source.width)))
        outline = Outline(columns, kind, sizes, notes=list(source.notes))
        X = np.vstack(seen)
    else:
        outline, X = _of_table(source, seen, sizes, wishes)
    d = len(outline.columns.numeric)
    if d < 2:
        raise DataError(f"{source.name} has one column of numbers: two or more are needed")
    if kind == "auto":
        if n == d:
            raise DataError(
                f"{source.name} has as many rows as columns of numbers, {n}: proximities cannot be "
                "read by blocks; say --kind vectors if these are rows of features"
            )
        X = X[:-1] if len(X) == d else X
        outline.kind = guess_kind(X, has_grid=outline.grid is not None)
    if outline.kind != "curves":
        outline.grid = None
    return outline


def _of_table(
    source: Source, seen: list[Any], sizes: list[int], wishes: Wishes
) -> tuple[Outline, Array]:
    """Roles of the columns, by the rows that were drawn."""
    names = source.names or [f"column {j + 1}" for j in range(source.width)]
    cells = [[cell for _, rows in seen for cell in rows[j]] for j in range(source.width)]
    columns = [Column(*both) for both in zip(names, cells)]
    table = _SeenTable(source.name, columns, bool(source.names), seen=seen, blocks=source.blocks)
    roles = roles_of(table, wishes)
    if roles.sequence is not None:
        raise DataError(
            f"{source.name} holds sequences, in column {roles.sequence.name!r}: by blocks rows of "
            "numbers are read; give one file that fits into memory"
        )
    table.refuse_mixed([roles.label, roles.index])
    at = {id(column): j for j, column in enumerate(table.columns)}
    numeric = tuple(at[id(column)] for column in roles.numeric)
    label, index = (None if c is None else at[id(c)] for c in (roles.label, roles.index))
    outline = Outline(Columns(numeric, label, index), wishes.kind, sizes)
    outline.notes = [*source.notes, *roles.notes]
    if source.names:
        outline.features = [names[j] for j in numeric]
        outline.grid = roles.grid
    if label is not None:
        outline.label_name = names[label]
    return outline, np.column_stack([np.asarray(column.numbers) for column in roles.numeric])


@dataclass
class _SeenTable(Table):
    """Rows that were drawn, and where they are."""

    seen: list[Any] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)

    def place(self, row: int, column: Column) -> str:
        """Where a cell is, as a person would look for it."""
        k, i = [(k, i) for k, (drawn, _) in enumerate(self.seen) for i in drawn][row]
        j = next(j for j, one in enumerate(self.columns) if one is column)
        return self.blocks[k].load((), (j,)).place(int(i), j)

    def refuse_mixed(self, known: Sequence[Column | None]) -> None:
        """Raise for a column with numbers in one part and words in another; not for those known."""
        for j, column in enumerate(self.columns):
            if column.is_number or any(column is one for one in known):
                continue
            parts: dict[bool, str] = {}
            for (_, cells), block in zip(self.seen, self.blocks):
                there = [cell for cell in cells[j] if not is_missing(cell)]
                if len(there) >= _FEWEST_ALIKE:
                    parts.setdefault(numbers_of(there) is not None, block.name)
            if len(set(parts.values())) > 1:
                raise DataError(
                    f"{parts[False]} holds words in column {column.name!r}, where {parts[True]} "
                    "holds numbers: every part needs the same kind of column"
                )


def _looked(block: Block, k: int, per: int, is_table: bool, width: int) -> tuple[int, Any]:
    """How many rows a block has, and some of them: cells of every column, or numbers."""
    rows = block.load((), range(width)) if is_table else block.load(range(width))
    n = rows.n
    drawn = np.sort(np.random.default_rng([per, k]).permutation(n)[:per])
    if not is_table:
        return n, rows.numbers(range(width))[drawn]
    return n, (drawn, [rows.words(j, drawn) for j in range(width)])


def _each(function: Any, source: Source, per: int) -> Sequence[Any]:
    import dask

    call = dask.delayed(function, pure=False)
    width, is_table = source.width, source.is_table
    return computed([call(b, k, per, is_table, width) for k, b in enumerate(source.blocks)])


# --- the second pass --------------------------------------------------------------------------


@dataclass
class Seen:
    """What is in the blocks of a source."""

    words: dict[str, int]
    """Classes as they are written, and how many rows have them."""
    counting: list[int]
    """Columns of numbers that count the rows."""


def surveyed(source: Source, outline: Outline) -> Seen:
    """Look at all numbers and classes; refuse what cannot be used, with its place."""
    import dask

    call = dask.delayed(_numbers_and_classes, pure=False)
    columns = outline.columns
    found = computed([call(block, columns, outline.label_name) for block in source.blocks])
    words: Counter[str] = Counter()
    for *_, counts in found:
        words.update(counts)
    starts = np.cumsum([0, *outline.sizes])
    d = len(columns.numeric)
    counting, first = np.ones(d, dtype=bool), None
    highest = np.zeros(d)
    for start, (values, steps, largest, _) in zip(starts, found):
        if values is None:
            continue
        first = values if first is None else first
        counting &= steps & (values == first + start)
        highest = np.maximum(highest, largest)
    _refuse_tiny(source, outline, highest)
    assert first is not None
    names = outline.features or ["column"] * d
    left_out = [
        k
        for k in np.flatnonzero(counting).tolist()
        if counts_on(first[k], sum(outline.sizes), names[k])
    ]
    return Seen(dict(sorted(words.items())), left_out if source.is_table else [])


def _numbers_and_classes(block: Block, columns: Columns, name: str) -> tuple[Any, ...]:
    """First numbers, which of them count on, the largest ones, and the classes of a block."""
    label = () if columns.label is None else (columns.label,)
    rows = block.load(columns.numeric, label)
    if not rows.n:
        return None, None, None, {}
    X = rows.numbers(columns.numeric)
    largest = np.abs(X).max(axis=0)
    if not (largest <= LARGEST).all():  # or NaN
        _refuse(rows, X, columns)
    steps = (X - np.arange(rows.n)[:, None] == X[0]).all(axis=0)
    counts: dict[str, int] = {}
    if columns.label is not None:
        counts = _classes(rows, columns.label, name)
    return X[0], steps, largest, counts


def _classes(rows: Rows, column: int, name: str) -> dict[str, int]:
    cells = [cell.strip() for cell in rows.words(column)]
    counts = Counter(cells)
    if len(counts) > 100 * MOST_CLASSES:  # no block sends back more than that
        counts = Counter(dict(counts.most_common(100 * MOST_CLASSES)))
    for word in counts:
        if no_class(word):
            place = rows.place(cells.index(word), column)
            raise NoClass(f"{place} has no class: fill it in or remove it")
    return dict(counts)


class NoClass(DataError):
    """A row without a class: a reason not to learn from it, but not one not to predict it."""


def _refuse(rows: Rows, X: Array, columns: Columns) -> None:
    bad = np.argwhere(~(np.abs(X) <= LARGEST))
    row, k = (int(i) for i in bad[0])
    place, value = rows.place(row, columns.numeric[k]), X[row, k]
    if np.isfinite(value):
        raise DataError(
            f"{place} holds {value:.3g}, whose square is too large a number: use other units"
        )
    what = "is empty" if np.isnan(value) else "is infinite"
    raise DataError(f"{place} {what}: fill it in, or remove the row")


def _refuse_tiny(source: Source, outline: Outline, highest: Array) -> None:
    for k in np.flatnonzero((highest > 0) & (highest < 1 / LARGEST)):
        name = outline.features[k] if outline.features else str(outline.columns.numeric[k] + 1)
        raise DataError(
            f"{source.name}: column {name!r} holds {highest[k]:.3g} at the most, whose square is "
            "too small a number: use other units"
        )


# --- classes ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Classes:
    """Classes as they are written in a source, and as they are learned."""

    words: tuple[str, ...]
    labels: np.ndarray

    def of(self, cells: Sequence[str]) -> np.ndarray:
        """The classes of some cells."""
        at = {word: k for k, word in enumerate(self.words)}
        return self.labels[[at[cell.strip()] for cell in cells]]


def classes_of(counts: dict[str, int], name: str, source: str) -> Classes:
    """Whole numbers, if all classes are, or words; as of a table that is read as a whole."""
    words = list(counts)
    by_value: dict[float, str] = {}
    for word in words:
        value = None if is_missing(word) else number(word)
        if value is not None and by_value.setdefault(value, word) != word:
            raise DataError(
                f"{source}: {name!r} holds the class {by_value[value]!r} in some rows and "
                f"{word!r} in others: write it in one way"
            )
    # As many of each as tell classes from numbers: a few are enough, and all could be too many.
    few = np.repeat(np.array(words), [min(n, 200) for n in counts.values()])
    as_labels(few.tolist(), name, source, [""] * len(few))
    labels = as_labels([w for w in words for _ in range(2)], name, source, [""] * 2 * len(words))
    return Classes(tuple(words), labels[::2])


def from_file(path: Any, source: Source, n: int, has_names: bool) -> np.ndarray:
    """Classes of a file of their own, one per row of the data."""
    from noneuclid.datasets._labels import label_columns, labels_from_file

    if has_names and label_columns(path) > 1:
        raise DataError(
            f"{path.name} has names beside its classes, but data that are read by blocks are taken "
            "row by row: give one class per row, or a column of the parts"
        )
    values = labels_from_file(path, Content(source.name), n)
    return as_labels(values, path.name, path.name, [str(i + 1) for i in range(n)])
