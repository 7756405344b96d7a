"""Datasets of what is in memory: arrays, tables, sequences, spike trains, curves."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypedDict, Unpack

import numpy as np
from scipy.sparse import issparse
from scipy.spatial.distance import squareform
from sklearn.utils.multiclass import type_of_target

from noneuclid._files import in_one_sentence
from noneuclid._memory import require_memory
from noneuclid.curves import Curves, as_curves
from noneuclid.datasets._columns import from_table
from noneuclid.datasets._table import Column, Table
from noneuclid.datasets.content import Content, Wishes
from noneuclid.datasets.dataset import KINDS, DataError, Dataset
from noneuclid.datasets.readers.neo_files import trains_of
from noneuclid.datasets.reading import read_dataset, understood
from noneuclid.kernels.names import did_you_mean
from noneuclid.kernels.trains import as_trains

_MEMORY = "data"


class Said(TypedDict, total=False):
    """What else can be said about data, see :func:`read_dataset`."""

    symmetrize: bool
    use_labels: bool
    axis: str
    ignore: str | Sequence[str]
    index: str | None
    case: str
    missing: str | float | None
    squared: bool | None
    decimal: str
    units: str | None
    format: str
    sheet: str | int | None


def as_dataset(
    data: Any,
    y: Any = None,
    *,
    labels: Any = None,
    target: Any = None,
    groups: Any = None,
    names: Sequence[str] | None = None,
    kind: str = "auto",
    **said: Unpack[Said],
) -> Dataset:
    """A dataset of a file, or of what is in memory.

    Parameters
    ----------
    data : str, Path, Dataset, DataFrame, array, Curves, neo's Block or Segment, or list
        A file for :func:`read_dataset`; a table whose columns are understood as those of a file;
        rows or proximities; a list of strings, or of spike trains, each an array of times.
    y : array of shape (n,), optional
        Classes, or numbers to be predicted: fractions are numbers, words and whole numbers are
        classes. Values that have the index of the table in another order are put in its order, as
        are those of ``labels``, ``target`` and ``groups``.
    labels, target, groups : str or array of shape (n,), optional
        Classes, numbers to be predicted, and what tells which objects belong together: a column of
        the table or file, or the values.
    names : sequence of str, optional
        Of the objects; by default those of the index of a table.
    kind : "auto" or a kind of :class:`Dataset`, default="auto"
        By default what the numbers look like.
    **said
        Further parameters of :func:`read_dataset`: ``ignore``, ``index``, ``missing`` …

    Returns
    -------
    Dataset

    Raises
    ------
    DataError
        With one sentence that says what is wrong with the data.

    Examples
    --------
    >>> as_dataset(["ACGT", "ACGA", "TTTT", "TTTA"], y=["a", "a", "b", "b"])
    <Dataset data: 4 sequences of 4 letters, 2 classes (a: 2, b: 2)>
    >>> as_dataset([[0.0, 0.5], [1.0, 0.25], [2.0, 0.75]], y=[0.1, 0.3, 0.2]).target
    array([0.1, 0.3, 0.2])
    """
    refuse_unknown(said, "as_dataset", ("labels", "target", "groups", "names", "kind"))
    answers = {"labels": labels, "target": target, "groups": groups}
    answers[_role(y, labels, target)] = y if y is not None else answers[_role(y, labels, target)]
    if answers["labels"] is not None and answers["target"] is not None:
        raise ValueError("labels and target exclude each other: classes, or numbers")
    arrays = {role: _values(role, given) for role, given in answers.items() if _is_array(given)}
    notes = _aligned(data, answers, arrays)
    words = {role: _word(given) for role, given in answers.items() if role not in arrays}
    if isinstance(data, Dataset):
        for name in [*said, *(["kind"] if kind not in ("auto", data.kind) else [])]:
            raise ValueError(
                f"{name} tells how to understand data: a Dataset is understood already, say it "
                "where that is read or made"
            )
        return _changed(data, arrays, words, names)
    if isinstance(data, (str, os.PathLike)):
        found = read_dataset(Path(data), kind=kind, **words, **said)  # type: ignore[arg-type]
        return _changed(found, arrays, {}, names)
    found = _in_memory(data, arrays, words, names, kind, said)
    return replace(found, notes=(*found.notes, *notes))


def refuse_unknown(said: Any, whose: str, others: Sequence[str]) -> None:
    """Raise if something is said that nobody understands, by what the caller is called."""
    known = sorted({*Said.__annotations__, *others})
    for name in said:
        if name not in known:
            near = did_you_mean(name, known)
            raise TypeError(f"{whose} has no parameter {name!r}, but {', '.join(known)}{near}")


def _role(y: Any, labels: Any, target: Any) -> str:
    """Whether answers are classes or numbers."""
    if y is None:
        return "labels"
    if labels is not None or target is not None:
        raise ValueError("y is given twice: leave it out, or labels and target")
    if isinstance(y, str):
        raise ValueError(
            f"y (={y!r}) is the name of a column: say labels={y!r} if it holds classes, "
            f"target={y!r} if numbers are to be predicted"
        )
    values = np.asarray(y)
    if values.dtype.kind == "f" and np.isnan(values).any():
        raise DataError("y has no value for some objects: fill them in, or leave them out")
    is_number = values.dtype.kind == "f" and type_of_target(np.ravel(values)) == "continuous"
    return "target" if is_number else "labels"


def _is_array(given: Any) -> bool:
    return given is not None and not isinstance(given, (str, os.PathLike))


def _word(given: Any) -> str | None:
    return None if given is None else os.fspath(given)


def _values(role: str, given: Any) -> np.ndarray:
    values = np.asarray(given)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        raise DataError(f"{role} has the shape {values.shape}: give one value per object")
    return values


def _aligned(data: Any, answers: dict[str, Any], arrays: dict[str, np.ndarray]) -> list[str]:
    """Put values in the order of the objects where both have the same index, and say so."""
    wanted, notes = _keys(data), []
    for role in arrays if wanted else ():
        keys = _keys(answers[role])
        place = {key: i for i, key in enumerate(keys)}
        # Other keys, or some of them twice, do not tell what belongs together.
        if keys != wanted and len(place) == len(keys) == len(wanted) and set(wanted) == set(place):
            arrays[role] = arrays[role][[place[key] for key in wanted]]
            notes.append(f"{role} put in the order of the rows, by their index")
    return notes


def _keys(given: Any) -> list[Any]:
    """The index of a table or of its values, as pandas has it; nothing of others."""
    index = getattr(given, "index", None)
    is_index = hasattr(index, "is_unique")  # a list has a method of that name
    return list(index) if index is not None and is_index else []


def _require_length(values: Any, n: int, what: str) -> None:
    if len(values) != n:
        raise DataError(f"there are {len(values)} {what} for {n} objects: give one per object")


# --- what is there already --------------------------------------------------------------------


def _changed(
    data: Dataset, arrays: dict[str, np.ndarray], words: dict[str, Any], names: Any
) -> Dataset:
    """The dataset with other answers, which are checked as those of a file are."""
    for role, word in words.items():
        if word is not None:
            raise ValueError(f"{role} (={word!r}) names a column: a dataset has none, give values")
    if not arrays and names is None:
        return data
    content, wishes = Content(data.source), Wishes()
    content.names = data.names if names is None else list(map(str, names))
    for role, values in {**arrays, "names": content.names}.items():
        _require_length(values, len(data), role)
    answered = _answered(content, wishes, arrays)
    with in_one_sentence(data.source):
        found = _answers(content, answered, arrays)
    return replace(data, names=content.names, code="", **found)


def _answers(content: Content, wishes: Wishes, arrays: dict[str, np.ndarray]) -> dict[str, Any]:
    from noneuclid.datasets._labels import as_labels
    from noneuclid.datasets._targets import target_of

    names = list(content.names or [])
    found: dict[str, Any] = {}
    if "labels" in arrays:
        found = {"labels": as_labels(arrays["labels"], "labels", content.file, names)}
        found["target"] = None
    if wishes.target is not None:
        found = {"target": target_of(content, wishes.target, names), "labels": None}
    if "groups" in arrays:
        found["groups"] = np.asarray(content.groups)
    return found


def _answered(content: Content, wishes: Wishes, arrays: dict[str, np.ndarray]) -> Wishes:
    """Put answers beside the objects, and say what they are called."""
    if "labels" in arrays:
        content.labels, content.label_name = arrays["labels"], "labels"
        wishes = replace(wishes, labels="labels")
    if "target" in arrays:
        content.other["target"] = arrays["target"]
        wishes = replace(wishes, target="target")
    if "groups" in arrays:
        content.groups = arrays["groups"].tolist()
    return wishes


# --- what is in memory ------------------------------------------------------------------------


def _in_memory(
    data: Any,
    arrays: dict[str, np.ndarray],
    words: dict[str, Any],
    names: Any,
    kind: str,
    said: Any,
) -> Dataset:
    if kind != "auto" and kind not in KINDS:
        raise ValueError(f'kind (={kind!r}) must be "auto" or one of {KINDS}')
    symmetrize, use_labels = said.pop("symmetrize", False), said.pop("use_labels", True)
    missing = said.pop("missing", None)
    wishes = Wishes(kind=kind, missing=None if missing is None else str(missing), **words)
    ignore = said.pop("ignore", ())
    wishes = replace(wishes, ignore=(ignore,) if isinstance(ignore, str) else tuple(ignore), **said)
    with in_one_sentence(_MEMORY):
        # Columns that could be classes are none if classes are given.
        apart = "labels" if {"labels", "target"} & set(arrays) else wishes.labels
        content = _content(data, replace(wishes, labels=apart))
        n = len(content.objects)
        if not n:
            raise DataError("data are empty: give one row per object")
        for role, values in arrays.items():
            _require_length(values, n, role)
        if names is not None:
            _require_length(names, n, "names")
            content.names = list(map(str, names))
        wishes = _answered(content, wishes, arrays)
        found = understood(Path(_MEMORY), content, wishes, symmetrize, use_labels)
    if "target" in arrays:
        notes = tuple(note for note in found.notes if not note.startswith("numbers to predict"))
        found = replace(found, notes=notes, target_name="")
    given = "".join(f", {role}={role}" for role in arrays)
    given += "".join(f", {role}={word!r}" for role, word in words.items() if word is not None)
    given += replace(wishes, target=None, groups=None).in_code
    return replace(found, code=f"as_dataset(objects{given}, kind={found.kind!r})")


def _content(data: Any, wishes: Wishes) -> Content:
    """What the objects are."""
    if hasattr(data, "columns") and hasattr(data, "__getitem__"):
        return from_table(_table(data), wishes)
    if hasattr(data, "segments") or hasattr(data, "spiketrains"):  # as neo has them
        return trains_of(data, _MEMORY)
    if isinstance(data, Curves) or (wishes.kind == "curves" and _are_pairs(data)):
        return _curves(as_curves(data))
    if issparse(data):
        require_memory("the dense form of the data", 8 * int(np.prod(data.shape)), "give fewer")
        data = data.toarray()
    if wishes.kind == "spikes" or _are_trains(data):
        return Content(_MEMORY, trains=list(as_trains(data, _MEMORY)), kind="spikes")
    values = np.asarray(data)
    if values.ndim == 1 and values.dtype.kind in "UO" and all(isinstance(v, str) for v in data):
        return Content(_MEMORY, sequences=[str(word) for word in data])
    if values.dtype.kind not in "biuf":
        raise DataError(
            f"data of type {type(data).__name__} hold {values.dtype} where numbers are needed: "
            "give a file, a table, an array, or a list of strings or of spike trains"
        )
    if values.ndim == 1 and wishes.kind == "dissimilarity":  # all pairs, as scipy's pdist has them
        values = squareform(values)
    if values.ndim != 2:
        raise DataError(f"data have {values.ndim} dimensions: give one row per object")
    return Content(_MEMORY, np.array(values, dtype=np.float64))


def _are_trains(data: Any) -> bool:
    """Whether a list holds arrays of times: of different lengths, or with ``times``."""
    if isinstance(data, np.ndarray) or not isinstance(data, (list, tuple)) or not len(data):
        return False
    if all(hasattr(train, "times") for train in data):
        return True
    if any(isinstance(train, str) or np.ndim(train) != 1 for train in data):
        return False
    return len({len(train) for train in data}) > 1


def _are_pairs(data: Any) -> bool:
    return isinstance(data, (list, tuple)) and all(
        isinstance(curve, tuple) and len(curve) == 2 for curve in data
    )


def _curves(curves: Curves) -> Content:
    """Curves on one grid; those that were observed elsewhere are put on one."""
    if curves.n_channels > 1:
        raise DataError(f"curves have {curves.n_channels} channels: give them one at a time")
    grid = curves.grid()
    if grid is not None:
        return Content(_MEMORY, curves.matrix(), kind="curves", grid=grid)
    found = curves.to_grid()
    content = Content(_MEMORY, found.rows, kind="curves", grid=np.ravel(found.positions))
    content.notes.append(f"put on one grid ({curves.method})")
    return content


def _table(data: Any) -> Table:
    """The columns of a table, its index first where it has names."""
    index = getattr(data, "index", None)
    columns = []
    if index is not None and not np.array_equal(np.asarray(index), np.arange(len(data))):
        columns.append(Column(str(index.name or "index"), list(map(str, index))))
    for j, name in enumerate(data.columns):
        cells = data.iloc[:, j] if hasattr(data, "iloc") else data[name]
        columns.append(Column(str(name), [_cell(value) for value in cells]))
    if not columns or not len(columns[0].cells):
        raise DataError("data are empty: give one row per object")
    return Table(_MEMORY, columns, True)


def _cell(value: Any) -> str:
    """The text of a cell; nothing where nothing is in it."""
    if value is None or type(value).__name__ == "NAType":  # of pandas, whose comparisons fail
        return ""
    return str(value) if value == value else ""
