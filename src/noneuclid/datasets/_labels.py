"""Classes from a column, an array or a file of their own."""

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from noneuclid._files import BadClasses, DataError
from noneuclid._npy import read_npy, read_npz
from noneuclid.datasets._class_columns import names_objects
from noneuclid.datasets._table import (
    LABEL_NAMES,
    Column,
    Table,
    decode,
    number,
    parse_table,
    words_of,
)
from noneuclid.datasets.content import Content
from noneuclid.datasets.understanding import Ambiguous, which_column
from noneuclid.typing import Array

MOST_CLASSES = 100
_MOST_ASKED = 9
_LONGEST = 1000
_AROUND = ' \t,;|"'
_NO_CLASS = ["", "nan", "na", "none"]
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}")
_POINT_ZERO = re.compile(r"(0|-?[1-9][0-9]{0,17})\.0*")
_FRACTION = re.compile(r"[+-]?[0-9]*\.[0-9]*[1-9][0-9]*([eE][+-]?[0-9]+)?|.*[0-9][eE]-[0-9]+")


def labels_from_file(path: Path, content: Content, n: int, column: str | None = None) -> Any:
    """One label per line, a table with a column of them (and one of names), npy or npz.

    Notes of the content tell how the labels found their objects.
    """
    in_file = n if content.kept is None else content.n_in_file
    how = "taken row by row"
    if path.suffix.lower() in (".npy", ".npz"):
        values = _from_numpy(path)
    else:
        table, blank = _label_table(path)
        key, names, shared = _key_of(table, content, column)
        classes = _class_column(table, key, column)
        values = classes.cells
        if key is not None:
            content.notes += [f"matched by column {key.name!r}"] * shared
            return _by_name(table, key.cells, values, names, content)
        counts = _row_numbers(table, classes, in_file) if content.names is None else None
        if counts is not None:
            values = [values[i] for i in np.argsort(np.asarray(counts.numbers))]
            how = f"matched by the row numbers in its column {counts.name!r}"
        elif len(table.columns) > 1 and (content.names is not None or shared):
            how = f"no name of {path.name} occurs in the data: taken row by row"
        if counts is None:
            values = _without_header(_with_gaps(table, values, blank), table.has_header, in_file)
    if len(values) != in_file:
        empty = sum(isinstance(value, str) and not value for value in values)
        lines = f", {empty} of them empty," if empty else ""
        raise DataError(
            f"{path.name} holds {len(values)} labels{lines} for the {in_file} objects of "
            f"{content.file}: give one per object"
        )
    content.notes.append(how)
    return values if content.kept is None else [values[i] for i in content.kept]


def _with_gaps(table: Table, values: list[str], blank: list[int]) -> list[str]:
    """Labels, and nothing for every empty line among them: the lines below are not moved up."""
    if not table.lines:
        return values
    inside = [k for k in blank if table.lines[0] < k < table.lines[-1]]
    by_line = sorted([*zip(table.lines, values), *((k, "") for k in inside)])
    return [value for _, value in by_line]


def _without_header(values: list[str], has_header: bool, n: int) -> list[str]:
    """Labels below a header that was not seen as one: a name of classes, or one line too many."""
    first, *others = values
    if has_header or first in others:
        return values
    return others if first.casefold() in LABEL_NAMES or len(values) == n + 1 else values


def _key_of(
    table: Table, content: Content, wanted: str | None
) -> tuple[Column | None, list[str], bool]:
    """The column that tells objects, what the data have for it, and if other columns are shared."""
    names = content.names or []
    key = _key_column(table, names)
    if key is not None:
        return key, names, False
    there = {name.casefold(): list(map(str, cells)) for name, cells in content.other.items()}
    shared = [c for c in _beside_classes(table, wanted) if c.name.casefold() in there]
    # Of several, one that is called an identifier, or else one without repetitions.
    shared.sort(key=lambda c: (not names_objects(c), c.n_distinct < len(table)))
    for column in shared:
        cells = there[column.name.casefold()]
        if set(cells) & set(column.cells):
            return column, cells, True
    return None, [], bool(shared)


def _beside_classes(table: Table, wanted: str | None) -> list[Column]:
    """The columns with a name that are not the classes, as far as that is clear."""
    if not table.has_header or len(table.columns) < 2:
        return []
    with suppress(Ambiguous):
        classes = _class_column(table, None, wanted)
        return [column for column in table.columns if column is not classes]
    return list(table.columns)


def _row_numbers(table: Table, classes: Column, n: int) -> Column | None:
    """The column that numbers the rows of the data, if it has them in another order."""
    found = []
    for column in table.columns:
        numbers = column.numbers
        if column is classes or numbers is None or len(numbers) != n:
            continue
        for first in (0, 1):
            if np.array_equal(numbers, first + np.arange(n)):  # which says that it is row by row
                return None
            if np.array_equal(np.sort(numbers), first + np.arange(n)):
                found.append(column)
    return found[0] if found else None


def _key_column(table: Table, names: list[str]) -> Column | None:
    """The column that has the names of the objects, in capitals or small letters."""
    if len(table.columns) < 2:
        return None
    known = set(map(str.casefold, names))
    shared = [len(known & set(map(str.casefold, column.cells))) for column in table.columns]
    best = int(np.argmax(shared))
    return table.columns[best] if shared[best] else None


def _class_column(table: Table, key: Column | None, wanted: str | None) -> Column:
    """The column that was named, is called class or the like, or is the only one that may be it."""
    others = [column for column in table.columns if column is not key]
    names = [column.name.lower() for column in others]
    if wanted is not None:
        if wanted.lower() not in names:
            known = ", ".join(column.name for column in others[:8])
            raise DataError(f"{table.file} has no column {wanted!r} (there are {known})")
        return others[names.index(wanted.lower())]
    if len(others) == 1:
        return others[0]
    called = [column for column, name in zip(others, names) if name in LABEL_NAMES]
    if called:
        return called[-1]
    n = len(table)
    few = [c for c in others if 2 <= c.n_distinct <= min(MOST_CLASSES, max(2, n // 2))]
    if len(few) != 1:
        found = ", ".join(column.name for column in (few or others)[:5])
        words = f"{table.file} has several columns that may be the classes"
        names = [column.name for column in few or others]
        raise Ambiguous(
            f"{words} ({found}): say which with --labels {table.file}:COLUMN",
            which_column(words, names[:_MOST_ASKED], f"{table.file}:"),
        )
    return few[0]


def label_columns(path: Path) -> int:
    """How many columns a file of classes has."""
    return 1 if path.suffix.lower() in (".npy", ".npz") else len(_label_table(path)[0].columns)


def no_class(word: str) -> bool:
    """Whether a word says that there is no class."""
    return word.lower() in _NO_CLASS


def _by_name(
    table: Table, keys: list[str], values: list[str], names: list[str], content: Content
) -> list[str]:
    """The class of every name; where a name is not there letter by letter, in another case."""
    if keys == names:  # rows of one name may differ in their classes then
        return values
    by_name: dict[str, str] = {}
    for key, value in zip(keys, values):
        if by_name.setdefault(key, value) != value:
            raise DataError(
                f"{table.file} gives {key!r} the classes {by_name[key]!r} and {value!r}: "
                "keep one of them"
            )
    if not all(name in by_name for name in names):
        folded = _in_any_case(by_name, names)
        if folded is not None:
            content.notes.append("names matched in capitals or small letters")
            return folded
    missing = [name for name in names if name not in by_name]
    if missing:
        more = f" nor for {len(missing) - 1} more" if len(missing) > 1 else ""
        raise DataError(f"{table.file} has no class for {missing[0]!r}{more}: add a line for it")
    return [by_name[name] for name in names]


def _in_any_case(by_name: dict[str, str], names: list[str]) -> list[str] | None:
    """The classes of names that differ in case only; None if some are missing or ambiguous."""
    folded = {name.casefold(): value for name, value in by_name.items()}
    if len(folded) < len(by_name) or len(set(map(str.casefold, names))) < len(set(names)):
        return None
    if not all(name.casefold() in folded for name in names):
        return None
    return [folded[name.casefold()] for name in names]


def _label_table(path: Path) -> tuple[Table, list[int]]:
    """The table of a file of labels, and its empty lines, which are no rows of it."""
    text = decode(path)
    lines = text.splitlines()
    blank = [k for k, line in enumerate(lines, 1) if not line.strip(_AROUND)]
    if lines and not any(c in line for line in lines for c in '\t,;"'):
        text = "\n".join(f'"{line.strip()}"' for line in lines)  # a label may hold blanks
    table = parse_table(text, path.name)
    rows = set(table.lines)
    return table, [k for k in blank if k not in rows]


def _from_numpy(path: Path) -> Any:
    arrays = {"": read_npy(path)} if path.suffix.lower() == ".npy" else read_npz(path)
    usual = {name: array for name, array in arrays.items() if name.lower() in LABEL_NAMES}
    if len(arrays) != 1 and len(usual) != 1:
        found = ", ".join(arrays) or "nothing"
        raise DataError(f"{path.name} holds {found}: save one array of labels in it")
    (array,) = (usual or arrays).values()
    if array.dtype.kind not in "biufUS":
        raise DataError(f"{path.name} holds {array.dtype} where labels are expected: save words")
    return np.ravel(array)


def _whole(words: Array) -> Array:
    """Words as integers, unless that would make two of them one or change how one is written."""
    for form in (_INTEGER, _POINT_ZERO):
        if all(map(form.fullmatch, words.tolist())):
            return np.array([int(word.split(".")[0]) for word in words.tolist()], np.int64)
    return words


def as_labels(values: Any, name: str, file: str, names: list[str]) -> Array:
    """Classes as whole numbers, if they all are, or as words."""
    given = words_of(np.ravel(values)) if isinstance(values, np.ndarray) else map(str, values)
    cells = [cell.strip() for cell in given]
    if max(map(len, cells), default=0) > _LONGEST:
        raise BadClasses(
            f"{file}: {name!r} holds texts of more than {_LONGEST} letters, not classes: name "
            "another column with --labels"
        )
    words = np.array(cells, dtype=str)
    empty = np.flatnonzero(np.isin(np.char.lower(words), _NO_CLASS))
    if len(empty):
        raise DataError(
            f"{file}: object {names[empty[0]]!r} has no class in {name!r}: fill it in or remove it"
        )
    fraction = next(filter(_FRACTION.fullmatch, words.tolist()), None)
    numbers = [number(word) for word in words.tolist()]
    if fraction is not None and None not in numbers and np.isfinite(np.array(numbers, float)).all():
        raise DataError(
            f"{file}: {name!r} holds numbers like {fraction}, not classes: say --target {name!r} "
            "to predict numbers, or name another column with --labels"
        )
    labels = _whole(words)
    found = np.unique(labels)
    if len(found) < 2:
        raise BadClasses(
            f"{file}: all objects have the class {found[0]!s}: at least two classes are needed"
        )
    if len(found) > min(MOST_CLASSES, max(2, len(labels) // 2)):
        raise BadClasses(
            f"{file}: {name!r} holds {len(found)} classes for {len(labels)} objects: name another "
            f"column with --labels, or say --target {name!r} if they are numbers"
        )
    return labels


def label_place(
    wanted: str, data: Path, file: str, known: list[str] | None
) -> tuple[Path, str | None]:
    """The file of classes, and its column where one is named: ``classes.csv:variety``."""
    there, _, column = wanted.rpartition(":")
    if there and column and any(os.path.isfile(p) for p in (Path(there), data.parent / there)):
        return label_file(there, data, file, known), column
    return label_file(wanted, data, file, known), None


def label_file(wanted: str, data: Path, file: str, known: list[str] | None) -> Path:
    """The file of classes, from here or from beside the data; ``known`` are columns there are."""
    for path in (Path(wanted), data.parent / wanted):
        if os.path.isfile(path):
            return path
    known = known or []
    more = ", …" if len(known) > 8 else ""
    there = f" (there are {', '.join(known[:8])}{more})" if known else ""
    raise DataError(
        f"{file} has no column {wanted!r}{there}, and there is no file of that name either"
    )
