"""MATLAB files up to version 7."""

import zlib
from typing import Any

import numpy as np
from scipy import sparse

from noneuclid.datasets.content import Content
from noneuclid.datasets.dataset import DataError
from noneuclid.datasets.readers._named_arrays import from_arrays
from noneuclid.datasets.readers.base import DataFile, Reader

# What scipy raises for files that are cut off or were never any.
_DAMAGED = (ValueError, TypeError, LookupError, OSError, EOFError, OverflowError, zlib.error)


class MatlabReader(Reader):
    """Several arrays; their names say what they are."""

    suffixes = (".mat",)

    def read(self, file: DataFile) -> Content:
        """Read all variables; cells of numbers are spike trains."""
        from scipy.io import loadmat
        from scipy.io.matlab import MatReadError

        try:
            variables = loadmat(file.path)
        except NotImplementedError:
            raise DataError(
                f"{file.name} is a MATLAB 7.3 file: save it with save(…, '-v7')"
            ) from None
        except (MatReadError, *_DAMAGED):
            raise DataError(
                f"{file.name} is not a MATLAB file: save it with save(…, '-v7')"
            ) from None
        arrays = {
            name: _plain(value) for name, value in variables.items() if not name.startswith("__")
        }
        return from_arrays(arrays, file.name, file.labels)


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
