"""NumPy's files: npy and npz, never pickles."""

import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from noneuclid.datasets.content import Content
from noneuclid.datasets.dataset import DataError
from noneuclid.datasets.readers._named_arrays import from_array, from_arrays
from noneuclid.datasets.readers.base import Reader

_PICKLE = "object arrays, which could run code when read: save numbers or strings instead"


class NpyReader(Reader):
    """One array."""

    suffixes = (".npy",)

    def read(self, path: Path, labels: str | None, kind: str) -> Content:
        """Take rows for objects."""
        return from_array(_load(path), path.name)


class NpzReader(Reader):
    """Several arrays; their names say what they are."""

    suffixes = (".npz",)

    def read(self, path: Path, labels: str | None, kind: str) -> Content:
        """Read all arrays."""
        if not zipfile.is_zipfile(path):
            raise DataError(f"{path.name} is not an npz file: save it with numpy.savez")
        arrays = {}
        with _load(path) as file:
            for name in file.files:
                try:
                    arrays[name] = file[name]
                except ValueError:
                    raise DataError(f"{path.name}: {name!r} holds {_PICKLE}") from None
        return from_arrays(arrays, path.name, labels)


def _load(path: Path) -> Any:
    try:
        return np.load(path, allow_pickle=False)
    except ValueError as error:
        if "pickle" in str(error) and path.read_bytes()[:6] == b"\x93NUMPY":
            raise DataError(f"{path.name} holds {_PICKLE}") from None
        raise DataError(f"{path.name} is not a NumPy file: save it with numpy.save") from None
    except (OSError, EOFError, zipfile.BadZipFile):
        raise DataError(f"{path.name} is not a NumPy file: save it with numpy.save") from None
