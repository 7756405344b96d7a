"""NumPy's files, npy and npz, never pickles, and MATLAB's up to version 7."""

from typing import Any

import numpy as np

from noneuclid._files import DataError, check_file
from noneuclid._memory import require_memory
from noneuclid._npy import read_npy, read_npz
from noneuclid.datasets._axis import is_monotone, put_rising
from noneuclid.datasets._class_columns import tell_the_same
from noneuclid.datasets._matlab import matlab_arrays
from noneuclid.datasets._table import words_of
from noneuclid.datasets.content import Content
from noneuclid.datasets.readers.base import DataFile, Reader
from noneuclid.datasets.understanding import Ambiguous, which_column
from noneuclid.kernels.trains import as_trains

# What arrays of several are called, by their role.
_TABLES: dict[str | None, tuple[str, ...]] = {
    "similarity": ("similarity", "similarities", "s", "k", "kernel", "gram"),
    "dissimilarity": ("dissimilarity", "dissimilarities", "d", "distance", "distances", "dist"),
    "curves": ("curves", "spectra", "absorbance", "signals", "series"),
    None: ("x", "data", "features", "x_train"),
}
_PROXIMITIES = ("similarity", "dissimilarity")
_LABELS = ("labels", "label", "y", "classes", "class", "target", "targets", "y_train")
_NAMES = ("names", "ids", "objects", "index")
_GRID = ("grid", "wavelengths", "wavelength", "t", "time", "times", "positions")
_FEATURES = ("feature_names", "features", "columns", "variables")
_SEQUENCES = ("sequences", "strings", "words", "seqs")
_TIMES = ("times", "spike_times", "spikes")


class NpyReader(Reader):
    """One array: words are sequences, numbers a table with one row per object."""

    suffixes = (".npy",)

    def read(self, file: DataFile) -> Content:
        array = read_npy(file.path)
        if array.ndim == 1 and array.dtype.kind in "US":
            return Content(file.name, sequences=words_of(array))
        if array.dtype.kind not in "biuf":
            raise DataError(f"{file.name} holds {array.dtype} where real numbers are expected")
        if array.ndim != 2:
            raise DataError(f"{file.name} has {array.ndim} dimensions: give one row per object")
        return Content(file.name, np.array(array, dtype=np.float64))


class NpzReader(Reader):
    """Several arrays; their names say what they are."""

    suffixes = (".npz",)

    def read(self, file: DataFile) -> Content:
        return _from_arrays(read_npz(file.path), file)


class MatlabReader(Reader):
    """Several arrays; their names say what they are. Cells of numbers are spike trains."""

    suffixes = (".mat",)

    def read(self, file: DataFile) -> Content:
        require_memory(file.name, 4 * check_file(file.path), "save a part of it")
        return _from_arrays(matlab_arrays(file.path.read_bytes(), file.name), file)


def _from_arrays(arrays: dict[str, Any], file: DataFile) -> Content:
    """Give every array its role by its name."""
    if not arrays:
        raise DataError(f"{file.name} is empty: it must hold an array with one row per object")
    content = _objects(arrays, file.name)
    n, arrays = len(content.objects), {k: v for k, v in arrays.items() if isinstance(v, np.ndarray)}
    content.other = {name: v for name, v in arrays.items() if v.shape == (n,)}
    called = {name: v for name, v in arrays.items() if name.lower() in _LABELS}
    content.other |= {name: v.ravel() for name, v in called.items() if v.shape == (n, 1)}
    usual = [name for name in content.other if file.labels is None and name in called]
    if file.wishes.use_labels and file.wishes.target is None:
        _refuse_contradiction({name: content.other[name] for name in usual}, file.name)
    if not usual:
        _refuse_other_lengths(arrays, n, file)
    for name in [file.labels] if file.labels in content.other else usual[:1]:
        content.labels, content.label_name = content.other[name], name
        content.notes.append(f"classes from {name!r}")
    if file.wishes.groups is not None:
        content.groups = _groups(content, file.wishes.groups)
    for name in [name for name in content.other if name.lower() in _NAMES][:1]:
        content.names = words_of(content.other[name])
    if content.matrix is not None and content.kind not in _PROXIMITIES:
        rows = {k: v for k, v in arrays.items() if v.shape == content.matrix.shape[1:]}
        for name, value in rows.items():
            is_number = value.dtype.kind in "biuf"
            if name.lower() in _GRID and is_number and is_monotone(value.astype(float)):
                content.grid = np.asarray(value, dtype=np.float64)
                content.notes.append(f"positions from {name!r}")
            if name.lower() in _FEATURES and value.dtype.kind in "US":
                content.features = words_of(value)
        put_rising(content)
    return content


def _refuse_contradiction(called: dict[str, Any], file: str) -> None:
    """Raise if arrays that are called as classes are do not divide the objects alike."""
    names = list(called)
    for name in names[1:]:
        one, other = words_of(called[names[0]]), words_of(called[name])
        # Codes of the same classes are others, as 0, 1 and 1, 2, or "no" and "yes".
        if one != other and (set(one) == set(other) or not tell_the_same(one, other)):
            words = f"{file} has several arrays that may be the classes"
            raise Ambiguous(
                f"{words} ({', '.join(map(repr, names))}), and {names[0]!r} and {name!r} "
                "contradict each other: say which with --labels NAME",
                which_column(words, names),
            )


def _refuse_other_lengths(arrays: dict[str, Any], n: int, file: DataFile) -> None:
    """Raise if an array is called as classes are, but has not one entry per object."""
    wishes = file.wishes
    if wishes.labels is not None or wishes.target is not None or not wishes.use_labels:
        return
    for name, value in arrays.items():
        if name.lower() in _LABELS and value.ndim == 1 and not _lists(value):
            raise DataError(
                f"{file.name}: {name!r} has {len(value)} entries for {n} objects: give one class "
                "per object, or another name if these are no classes"
            )


def _lists(values: Any) -> bool:
    """Whether an array may list what classes there are, or be positions, and so be no classes."""
    if values.dtype.kind in "biuf":
        return len(values) < 2 or is_monotone(values.astype(float))
    return len(set(values.tolist())) == len(values)


def _groups(content: Content, name: str) -> Any:
    """The array that tells which objects belong together."""
    if name not in content.other:
        known = ", ".join(content.other) or "none"
        raise DataError(
            f"{content.file} has no array {name!r} with one entry per object for --groups; those "
            f"that have: {known}"
        )
    content.notes.append(f"groups from {name!r}")
    return content.other[name]


def _objects(arrays: dict[str, Any], file: str) -> Content:
    """The array that holds the objects."""
    lower = {name.lower(): name for name in arrays}
    times = [lower[name] for name in _TIMES if name in lower]
    if times and "offsets" in lower:
        return _trains((arrays[times[0]], arrays[lower["offsets"]]), file, "it")
    for name, value in arrays.items():
        if isinstance(value, list):
            return _trains(value, file, name)
        if name.lower() in _SEQUENCES and value.dtype.kind in "US":
            return Content(file, sequences=words_of(value), kind="sequences")
    tables = {n: v for n, v in arrays.items() if v.ndim == 2 and v.dtype.kind in "biuf"}
    if not tables:
        words = [v for v in arrays.values() if v.ndim == 1 and v.dtype.kind in "US"]
        if len(words) == 1:
            return Content(file, sequences=words_of(words[0]))
        raise DataError(
            f"{file} holds {', '.join(arrays)}, none of which is a table of numbers with one row "
            "per object"
        )
    square = {name for name, v in tables.items() if v.shape[0] == v.shape[1]}
    known = [
        (kind, lower[name])
        for kind, names in _TABLES.items()
        for name in names
        if lower.get(name) in (square if kind in _PROXIMITIES else tables)
    ]
    kind, chosen = known[0] if known else (None, max(tables, key=lambda name: tables[name].size))
    content = Content(file, np.array(tables[chosen], dtype=np.float64), kind=kind)
    if len(tables) > 1 and kind not in _PROXIMITIES:
        content.notes.append(f"rows from {chosen!r}")
    return content


def _trains(given: Any, file: str, name: str) -> Content:
    try:
        return Content(file, trains=list(as_trains(given, name)), kind="spikes")
    except (ValueError, TypeError) as error:
        raise DataError(f"{file}: {error}") from None
