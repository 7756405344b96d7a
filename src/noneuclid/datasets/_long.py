"""Spike trains as tables: one event per row, or one train per row filled up with empty cells."""

import re

import numpy as np

from noneuclid._files import DataError
from noneuclid.datasets._table import LABEL_NAMES, Column, Table, is_missing
from noneuclid.datasets.content import Content, Wishes
from noneuclid.typing import Array

_SOURCES = {
    *[
        "neuron",
        "unit",
        "cell",
        "channel",
        "electrode",
        "cluster",
        "train",
        "source",
        "sender",
        "spiketrain",
    ]
}
_TRIALS = {*["trial", "sweep", "repetition", "repeat", "rep", "segment", "epoch", "run"]}
_TIMES = {
    *["time", "times", "t", "spike", "spiketime", "spiketimes", "timestamp", "timestamps", "event"]
}
# Fewer columns, or rows of fewer lengths, may be features with holes whose rows rise by chance.
_FEWEST_COLUMNS = 4
_FEWEST_LENGTHS = 3
_UNITS = {"s": "s", "sec": "s", "seconds": "s", "ms": "ms", "us": "µs", "µs": "µs", "μs": "µs"}
# neuron_id, unitID, "cell no", trial_number, spike_times, "time (ms)", time_ms
_ID = re.compile(r"[\s_.-]*(?:id|ids|no|nr|num|number|index|idx)$", re.IGNORECASE)
_UNIT = re.compile(r"[\s_.]*[(\[]?\b(s|sec|seconds|ms|us|µs|μs)\b[)\]]?$", re.IGNORECASE)


def long_trains(table: Table, wishes: Wishes) -> Content | None:
    """Trains of a table with one event per row: neuron and time, perhaps trial and class.

    Without being asked, only if there is nothing else in it than what such tables have: other
    columns of numbers may be what the times are about.
    """
    if wishes.kind not in ("auto", "spikes") or not table.has_header or len(table.columns) < 2:
        return None
    time, source, trial = (_called(table, names) for names in (_TIMES, _SOURCES, _TRIALS))
    if time is None or time.numbers is None or (source or trial) is None:
        return None
    keys = [column for column in (source, trial) if column is not None]
    others = [c for c in table.columns if c is not time and not any(c is key for key in keys)]
    others = [c for c in others if c.name.lower() not in map(str.lower, wishes.ignore)]
    if wishes.kind == "auto" and any(c.is_number and not _is_label(c, wishes) for c in others):
        return None
    groups: dict[tuple[str, ...], list[int]] = {}
    for row, key in enumerate(zip(*(column.cells for column in keys))):
        groups.setdefault(key, []).append(row)
    if wishes.kind == "auto" and 2 * len(groups) > len(table):
        return None
    return _content(table, time, keys, others, groups)


def _content(
    table: Table,
    time: Column,
    keys: list[Column],
    others: list[Column],
    groups: dict[tuple[str, ...], list[int]],
) -> Content:
    times = np.asarray(time.numbers)
    bad = np.flatnonzero(~np.isfinite(times))
    if len(bad):
        raise DataError(f"{table.place(int(bad[0]), time)} holds no time: fill it in")
    for column in keys:
        empty = [k for k, cell in enumerate(column.cells) if is_missing(cell)]
        if empty:
            raise DataError(f"{table.place(empty[0], column)} is empty: fill it in")
    rows = list(groups.values())
    names = [" / ".join(key) for key in groups]
    trains = [np.sort(times[chosen]) for chosen in rows]
    content = Content(table.file, trains=trains, kind="spikes", names=names)
    content.units = _unit(time.name)
    by = " and ".join(repr(column.name) for column in keys)
    content.notes.append(f"{len(table)} events at {time.name!r}, one train for every {by}")
    if len(keys) > 1:
        content.other |= {c.name: [c.cells[chosen[0]] for chosen in rows] for c in keys}
        possible = int(np.prod([column.n_distinct for column in keys]))
        if possible > len(rows):
            left = possible - len(rows)
            content.notes.append(f"{left} of {possible} pairs have no event and are left out")
    for column in others:
        values = [{column.cells[k] for k in chosen} for chosen in rows]
        if any(len(value) > 1 for value in values):
            content.notes.append(f"column {column.name!r} left out: it is about events")
            continue
        content.other[column.name] = [value.pop() for value in values]
        if column.name.lower() in LABEL_NAMES:
            content.labels, content.label_name = content.other[column.name], column.name
            content.notes.append(f"classes from column {column.name!r}")
    return content


def _is_label(column: Column, wishes: Wishes) -> bool:
    name = column.name.lower()
    return name == wishes.labels.lower() if wishes.labels else name in LABEL_NAMES


def _called(table: Table, names: set[str]) -> Column | None:
    """The column with one of these names, whatever is around it."""
    for column in table.columns:
        if _core(column.name) in names:
            return column
    return None


def _core(name: str) -> str:
    """The word a name is about, in the singular: ``unit`` of ``unit_id``, ``time`` of ``t_ms``."""
    core = _ID.sub("", _UNIT.sub("", name.strip().replace("_", " ")).strip())
    core = re.sub(r"(?<=[a-z])(ID|Id|No|Nr)$", "", core)
    core = re.sub(r"[\s_.-]+", "", core).lower()
    return core if core in _TIMES else core.removesuffix("s")


def _unit(name: str) -> str | None:
    found = _UNIT.search(name.replace("_", " "))
    return _UNITS[found[1].lower()] if found and found.start() else None


# --- one train per row ------------------------------------------------------------------------


def are_padded(X: Array, names: list[str] | None) -> bool:
    """Whether rows hold rising numbers and then nothing, as many as each has: spike trains.

    Columns with names that mean something are features with holes; rows that become longer or
    shorter one by one are a triangle of proximities.
    """
    holes = np.isnan(X)
    lengths = holes.sum(axis=1)
    if X.shape[1] < _FEWEST_COLUMNS or len(np.unique(lengths)) < _FEWEST_LENGTHS:
        return False
    if 2 * (lengths > 0).sum() < len(X) or not (names is None or _count_on(names)):
        return False
    if set(np.abs(np.diff(lengths)).tolist()) == {1}:
        return False
    if (holes[:, :-1] & ~holes[:, 1:]).any():  # a number after an empty cell
        return False
    return not bool((X[:, 1:] < X[:, :-1]).any())


def _count_on(names: list[str]) -> bool:
    """Whether names are one word with numbers that count, or such numbers alone."""
    found = [re.fullmatch(r"(.*?)(\d{1,9})", name) for name in names]
    parts = [(one[1], int(one[2])) for one in found if one]
    words, numbers = {word for word, _ in parts}, [number for _, number in parts]
    return len(parts) == len(names) and len(words) == 1 and set(np.diff(numbers).tolist()) <= {1}


def as_trains_of_rows(content: Content, *, asked: bool) -> None:
    """Have the rows of a table be trains, if they look so, or if the user said so."""
    X = content.matrix
    if X is None or content.grid is not None or content.kind is not None:
        return
    if not asked and not are_padded(X, content.features):
        return
    holes = np.isnan(X)
    for i, row in enumerate(X):
        times = row[~holes[i]]
        falls = times[1:] < times[:-1]
        if falls.any():
            j = int(np.flatnonzero(falls)[0]) + 1
            raise DataError(
                f"{content.where(i, j)} holds {times[j]:g} after {times[j - 1]:g}: times of a "
                "train rise; if rows are filled up with zeros, leave those cells empty"
            )
    content.trains, content.kind = [row[~hole] for row, hole in zip(X, holes)], "spikes"
    content.matrix = content.features = content.place = None
    if holes.any():
        content.notes.append("rows of rising numbers, filled up with empty cells: spike trains")
