"""npy, npz, MATLAB and parquet files."""

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from noneuclid.datasets._columns import from_table
from noneuclid.datasets._content import Content
from noneuclid.datasets._table import Column, Table
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
_PICKLE = "object arrays, which could run code when read: save numbers or strings instead"


def read_npy(path: Path) -> Content:
    """One array."""
    return _one(_load_numpy(path), path.name)


def read_npz(path: Path, wanted: str | None) -> Content:
    """Several arrays; their names say what they are."""
    if not zipfile.is_zipfile(path):
        raise DataError(f"{path.name} is not an npz file: save it with numpy.savez")
    file = _load_numpy(path)
    with file:
        arrays = {}
        for name in file.files:
            try:
                arrays[name] = file[name]
            except ValueError:
                raise DataError(f"{path.name}: {name!r} holds {_PICKLE}") from None
    return _several(arrays, path.name, wanted)


def _load_numpy(path: Path) -> Any:
    try:
        return np.load(path, allow_pickle=False)
    except ValueError as error:
        if "pickle" in str(error) and path.read_bytes()[:6] == b"\x93NUMPY":
            raise DataError(f"{path.name} holds {_PICKLE}") from None
        raise DataError(f"{path.name} is not a NumPy file: save it with numpy.save") from None
    except (OSError, EOFError, zipfile.BadZipFile):
        raise DataError(f"{path.name} is not a NumPy file: save it with numpy.save") from None


def read_mat(path: Path, wanted: str | None) -> Content:
    """A MATLAB file up to version 7."""
    from scipy.io import loadmat
    from scipy.io.matlab import MatReadError

    try:
        file = loadmat(path)
    except NotImplementedError:
        raise DataError(f"{path.name} is a MATLAB 7.3 file: save it with save(…, '-v7')") from None
    except (MatReadError, ValueError, TypeError, OSError, EOFError):
        raise DataError(f"{path.name} is not a MATLAB file: save it with save(…, '-v7')") from None
    arrays = {name: _plain(value) for name, value in file.items() if not name.startswith("__")}
    return _several(arrays, path.name, wanted)


def _plain(value: Any) -> Any:
    """Without MATLAB's second dimension; cells become lists."""
    if sparse.issparse(value):
        return value.toarray()
    if value.dtype == object:
        cells = [np.squeeze(cell) for cell in value.ravel()]
        if all(cell.dtype.kind == "U" for cell in cells):
            return np.array([str(cell) for cell in cells])
        return [np.atleast_1d(cell) for cell in cells]
    if value.dtype.kind == "U":
        return np.array([str(cell).rstrip() for cell in value.ravel()])
    return value.ravel() if value.ndim == 2 and 1 in value.shape else value


def read_parquet(path: Path, wanted: str | None, kind: str) -> Content:
    """A table with its index."""
    try:
        import pandas as pd
        import pyarrow as pa
    except ImportError:
        raise DataError(
            f'{path.name} needs pandas and pyarrow: pip install "noneuclid[cli]"'
        ) from None
    try:
        frame = pd.read_parquet(path)
    except (pa.ArrowException, OSError, ValueError):
        raise DataError(f"{path.name} is not a parquet file: save it with to_parquet") from None
    if frame.empty:
        raise DataError(f"{path.name} is empty: it must hold one row per object")
    if not isinstance(frame.index, pd.RangeIndex):
        frame = frame.reset_index(names=frame.index.name or "index")
    columns = [
        Column(
            str(name), ["" if missing else str(cell) for cell, missing in zip(cells, cells.isna())]
        )
        for name, cells in frame.items()
    ]
    return from_table(Table(path.name, columns, True), wanted, kind)


def _one(array: Any, file: str) -> Content:
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


def _several(arrays: dict[str, Any], file: str, wanted: str | None) -> Content:
    if not arrays:
        raise DataError(f"{file} is empty: it must hold an array with one row per object")
    content = _objects(arrays, file)
    n = _count(content)
    for name, value in arrays.items():
        if not isinstance(value, list) and value.ndim == 1 and len(value) == n:
            content.other[name] = value
    found = [name for name in content.other if name.lower() in _LABELS]
    if wanted in content.other:
        found = [str(wanted)]
    if found and (wanted is None or wanted == found[0]):
        content.labels, content.label_name = content.other[found[0]], found[0]
        content.notes.append(f"classes from {found[0]!r}")
    named = [name for name in content.other if name.lower() in _NAMES]
    if named:
        content.names = [str(name) for name in content.other[named[0]]]
    if content.matrix is not None and content.hint not in ("similarity", "dissimilarity"):
        _find_grid(content, arrays)
        _find_features(content, arrays)
    return content


def _count(content: Content) -> int:
    for objects in (content.matrix, content.trains, content.sequences):
        if objects is not None:
            return len(objects)
    return 0


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
        return Content(file, trains=trains, hint="spikes")
    for name, value in arrays.items():
        if isinstance(value, list):
            return Content(file, trains=[np.sort(v.astype(float)) for v in value], hint="spikes")
        if name.lower() in _SEQUENCES and value.dtype.kind in "US":
            return Content(file, sequences=value.astype(str).tolist(), hint="sequences")
    tables = {n: v for n, v in arrays.items() if np.ndim(v) == 2 and v.dtype.kind in "biuf"}
    if not tables:
        words = [n for n, v in arrays.items() if np.ndim(v) == 1 and v.dtype.kind in "US"]
        if len(words) == 1:
            return Content(file, sequences=arrays[words[0]].astype(str).tolist())
        raise DataError(
            f"{file} holds {', '.join(arrays)}, none of which is a table of numbers with one row "
            "per object"
        )
    for known, hint in ((_SIMILARITY, "similarity"), (_DISSIMILARITY, "dissimilarity")):
        for name in known:
            if name in lower and lower[name] in tables:
                matrix = tables[lower[name]]
                if matrix.shape[0] == matrix.shape[1]:
                    return Content(file, _matrix(matrix, file, lower[name]), hint=hint)
    for known, kind in ((_CURVES, "curves"), (_ROWS, None)):
        for name in known:
            if name in lower and lower[name] in tables:
                chosen = lower[name]
                return _noted(
                    Content(file, _matrix(tables[chosen], file, chosen), hint=kind), chosen, tables
                )
    chosen = max(tables, key=lambda name: tables[name].size)
    return _noted(Content(file, _matrix(tables[chosen], file, chosen)), chosen, tables)


def _noted(content: Content, chosen: str, tables: dict[str, Any]) -> Content:
    if len(tables) > 1:
        content.notes.append(f"rows from {chosen!r}")
    return content
