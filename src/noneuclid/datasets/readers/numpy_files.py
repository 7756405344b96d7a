"""NumPy's files: npy and npz, never pickles."""

import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from noneuclid.datasets.content import Content
from noneuclid.datasets.dataset import DataError
from noneuclid.datasets.readers._named_arrays import from_array, from_arrays
from noneuclid.datasets.readers.base import DataFile, Reader

_PICKLE = "object arrays, which could run code when read: save numbers or strings instead"
_DAMAGED = (OSError, EOFError, NotImplementedError, zipfile.BadZipFile, zlib.error)


class NpyReader(Reader):
    """One array."""

    suffixes = (".npy",)

    def read(self, file: DataFile) -> Content:
        """Take rows for objects."""
        return from_array(_load(file.path), file.name)


class NpzReader(Reader):
    """Several arrays; their names say what they are."""

    suffixes = (".npz",)

    def read(self, file: DataFile) -> Content:
        """Read all arrays."""
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
        return from_arrays(arrays, file.name, file.labels)


def _load(path: Path) -> Any:
    try:
        return np.load(path, allow_pickle=False)
    except ValueError as error:
        if "pickle" in str(error) and path.read_bytes()[:6] == b"\x93NUMPY":
            raise DataError(f"{path.name} holds {_PICKLE}") from None
        raise DataError(f"{path.name} is not a NumPy file: save it with numpy.save") from None
    except _DAMAGED:
        raise DataError(f"{path.name} is not a NumPy file: save it with numpy.save") from None
