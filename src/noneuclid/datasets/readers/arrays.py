"""NumPy's files, npy and npz, never pickles, and MATLAB's up to version 7."""

import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from noneuclid.datasets.content import Content
from noneuclid.datasets.dataset import DataError
from noneuclid.datasets.readers.base import DataFile, Reader
from noneuclid.kernels.trains import as_trains

_PICKLE = "object arrays, which could run code when read: save numbers or strings instead"
_DAMAGED = (OSError, EOFError, NotImplementedError, zipfile.BadZipFile, zlib.error)
# What scipy raises for files that are cut off or were never any.
_NO_MATLAB = (ValueError, TypeError, LookupError, OSError, EOFError, OverflowError, zlib.error)

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
        array = _load(file.path)
        if array.ndim == 1 and array.dtype.kind in "US":
            return Content(file.name, sequences=array.astype(str).tolist())
        if array.dtype.kind not in "biuf":
            raise DataError(f"{file.name} holds {array.dtype} where real numbers are expected")
        if array.ndim != 2:
            raise DataError(f"{file.name} has {array.ndim} dimensions: give one row per object")
        return Content(file.name, np.array(array, dtype=np.float64))


class NpzReader(Reader):
    """Several arrays; their names say what they are."""

    suffixes = (".npz",)

    def read(self, file: DataFile) -> Content:
        if not zipfile.is_zipfile(file.path):
            raise DataError(f"{file.name} is not an npz file: save it with numpy.savez")
        arrays = {}
        with _load(file.path) as archive:
            for name in archive.files:
                try:
                    arrays[name] = archive[name]
                except ValueError:
                    raise DataError(f"{file.name}: {name!r} holds {_PICKLE}") from None
                except _DAMAGED:
                    raise DataError(f"{file.name} is damaged: save it once more") from None
        return _from_arrays(arrays, file)


class MatlabReader(Reader):
    """Several arrays; their names say what they are. Cells of numbers are spike trains."""

    suffixes = (".mat",)

    def read(self, file: DataFile) -> Content:
        from scipy.io import loadmat
        from scipy.io.matlab import MatReadError

        remedy = "save it with save(…, '-v7')"
        try:
            found = loadmat(file.path)
        except NotImplementedError:
            raise DataError(f"{file.name} is a MATLAB 7.3 file: {remedy}") from None
        except (MatReadError, *_NO_MATLAB):
            raise DataError(f"{file.name} is not a MATLAB file: {remedy}") from None
        arrays = {name: _plain(found[name]) for name in found if not name.startswith("__")}
        return _from_arrays(arrays, file)


def _load(path: Path) -> Any:
    try:
        return np.load(path, allow_pickle=False)
    except (ValueError, *_DAMAGED) as error:
        if "pickle" in str(error) and path.read_bytes()[:6] == b"\x93NUMPY":
            raise DataError(f"{path.name} holds {_PICKLE}") from None
        raise DataError(f"{path.name} is not a NumPy file: save it with numpy.save") from None


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


def _from_arrays(arrays: dict[str, Any], file: DataFile) -> Content:
    """Give every array its role by its name."""
    if not arrays:
        raise DataError(f"{file.name} is empty: it must hold an array with one row per object")
    content = _objects(arrays, file.name)
    n, arrays = len(content.objects), {k: v for k, v in arrays.items() if isinstance(v, np.ndarray)}
    content.other = {name: v for name, v in arrays.items() if v.shape == (n,)}
    usual = [name for name in content.other if file.labels is None and name.lower() in _LABELS]
    for name in [file.labels] if file.labels in content.other else usual[:1]:
        content.labels, content.label_name = content.other[name], name
        content.notes.append(f"classes from {name!r}")
    for name in [name for name in content.other if name.lower() in _NAMES][:1]:
        content.names = [str(value) for value in content.other[name]]
    if content.matrix is not None and content.kind not in _PROXIMITIES:
        rows = {k: v for k, v in arrays.items() if v.shape == content.matrix.shape[1:]}
        for name, value in rows.items():
            if name.lower() in _GRID and (np.diff(value) > 0).all():
                content.grid = np.asarray(value, dtype=np.float64)
                content.notes.append(f"positions from {name!r}")
            if name.lower() in _FEATURES and value.dtype.kind in "US":
                content.features = [str(feature) for feature in value]
    return content


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
    tables = {n: v for n, v in arrays.items() if v.ndim == 2 and v.dtype.kind in "biuf"}
    if not tables:
        words = [v for v in arrays.values() if v.ndim == 1 and v.dtype.kind in "US"]
        if len(words) == 1:
            return Content(file, sequences=words[0].astype(str).tolist())
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
