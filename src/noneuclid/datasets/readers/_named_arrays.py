"""Several arrays whose names say what they are, as in npz and MATLAB files."""

from typing import Any

import numpy as np

from noneuclid.datasets.content import Content
from noneuclid.datasets.dataset import DataError
from noneuclid.kernels.trains import as_trains

_SIMILARITY: tuple[str, ...] = ("similarity", "similarities", "s", "k", "kernel", "gram")
_DISSIMILARITY = ("dissimilarity", "dissimilarities", "d", "distance", "distances", "dist")
_CURVES: tuple[str, ...] = ("curves", "spectra", "absorbance", "signals", "series")
_ROWS = ("x", "data", "features", "x_train")
_LABELS = ("labels", "label", "y", "classes", "class", "target", "targets", "y_train")
_NAMES = ("names", "ids", "objects", "index")
_GRID = ("grid", "wavelengths", "wavelength", "t", "time", "times", "positions")
_FEATURES = ("feature_names", "features", "columns", "variables")
_SEQUENCES = ("sequences", "strings", "words", "seqs")
_TIMES = ("times", "spike_times", "spikes")


def from_array(array: Any, file: str) -> Content:
    """One array: words are sequences, numbers a table."""
    if array.ndim == 1 and array.dtype.kind in "US":
        return Content(file, sequences=array.astype(str).tolist())
    return Content(file, _matrix(array, file, ""))


def _matrix(array: Any, file: str, name: str) -> Any:
    what = f"{file}: {name!r}" if name else file
    if array.dtype.kind not in "biuf":
        raise DataError(f"{what} holds {array.dtype} where real numbers are expected")
    if array.ndim != 2:
        raise DataError(f"{what} has {array.ndim} dimensions: give one row per object")
    return np.array(array, dtype=np.float64)


def from_arrays(arrays: dict[str, Any], file: str, labels: str | None) -> Content:
    """Give every array its role by its name."""
    if not arrays:
        raise DataError(f"{file} is empty: it must hold an array with one row per object")
    content = _objects(arrays, file)
    n = len(content.objects)
    for name, value in arrays.items():
        if not isinstance(value, list) and value.ndim == 1 and len(value) == n:
            content.other[name] = value
    found = [name for name in content.other if name.lower() in _LABELS]
    if labels in content.other:
        found = [str(labels)]
    if found and (labels is None or labels == found[0]):
        content.labels, content.label_name = content.other[found[0]], found[0]
        content.notes.append(f"classes from {found[0]!r}")
    named = [name for name in content.other if name.lower() in _NAMES]
    if named:
        content.names = [str(name) for name in content.other[named[0]]]
    if content.matrix is not None and content.kind not in ("similarity", "dissimilarity"):
        _find_grid(content, arrays)
        _find_features(content, arrays)
    return content


def _find_grid(content: Content, arrays: dict[str, Any]) -> None:
    d = content.matrix.shape[1] if content.matrix is not None else 0
    for name, value in arrays.items():
        if name.lower() in _GRID and np.shape(value) == (d,) and (np.diff(value) > 0).all():
            content.grid = np.asarray(value, dtype=np.float64)
            content.notes.append(f"positions from {name!r}")


def _find_features(content: Content, arrays: dict[str, Any]) -> None:
    d = content.matrix.shape[1] if content.matrix is not None else 0
    for name, value in arrays.items():
        if name.lower() in _FEATURES and np.shape(value) == (d,) and value.dtype.kind in "US":
            content.features = [str(feature) for feature in value]


def _objects(arrays: dict[str, Any], file: str) -> Content:
    """The array that holds the objects."""
    lower = {name.lower(): name for name in arrays}
    times = [lower[name] for name in _TIMES if name in lower]
    if times and "offsets" in lower:
        try:
            trains = list(as_trains((arrays[times[0]], arrays[lower["offsets"]]), file))
        except (ValueError, TypeError) as error:
            raise DataError(f"{file}: {error}") from None
        return Content(file, trains=trains, kind="spikes")
    for name, value in arrays.items():
        if isinstance(value, list):
            return Content(file, trains=[np.sort(v.astype(float)) for v in value], kind="spikes")
        if name.lower() in _SEQUENCES and value.dtype.kind in "US":
            return Content(file, sequences=value.astype(str).tolist(), kind="sequences")
    tables = {n: v for n, v in arrays.items() if np.ndim(v) == 2 and v.dtype.kind in "biuf"}
    if not tables:
        words = [n for n, v in arrays.items() if np.ndim(v) == 1 and v.dtype.kind in "US"]
        if len(words) == 1:
            return Content(file, sequences=arrays[words[0]].astype(str).tolist())
        raise DataError(
            f"{file} holds {', '.join(arrays)}, none of which is a table of numbers with one row "
            "per object"
        )
    for known, kind in ((_SIMILARITY, "similarity"), (_DISSIMILARITY, "dissimilarity")):
        for name in known:
            if name in lower and lower[name] in tables:
                matrix = tables[lower[name]]
                if matrix.shape[0] == matrix.shape[1]:
                    return Content(file, _matrix(matrix, file, lower[name]), kind=kind)
    for known, what in ((_CURVES, "curves"), (_ROWS, None)):
        for name in known:
            if name in lower and lower[name] in tables:
                chosen = lower[name]
                return _noted(
                    Content(file, _matrix(tables[chosen], file, chosen), kind=what), chosen, tables
                )
    chosen = max(tables, key=lambda name: tables[name].size)
    return _noted(Content(file, _matrix(tables[chosen], file, chosen)), chosen, tables)


def _noted(content: Content, chosen: str, tables: dict[str, Any]) -> Content:
    if len(tables) > 1:
        content.notes.append(f"rows from {chosen!r}")
    return content
