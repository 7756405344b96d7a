"""Arrays in storage, npy files and zarr arrays: blocks are slices of rows."""

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from noneuclid._files import DataError, check_file
from noneuclid._npy import npy_header
from noneuclid.datasets.large.rows import ArrayRows, Block, reading

_ZARR = ("zarr.json", ".zarray", ".zgroup")


def is_zarr(path: Path) -> bool:
    """Whether a folder is an array of zarr, or says so."""
    return path.is_dir() and (
        path.suffix.lower() == ".zarr" or any((path / name).is_file() for name in _ZARR)
    )


@dataclass(frozen=True)
class ArrayBlock(Block):
    """Rows of an array."""

    path: Path
    name: str
    mapping: "_Mapping | None"
    start: int
    n_rows: int  # type: ignore[misc]

    def read(self, numeric: Sequence[int], words: Sequence[int]) -> ArrayRows:
        """These columns of these rows."""
        rows = slice(self.start, self.start + self.n_rows)
        array = _zarr(self.path) if self.mapping is None else self.mapping.open(self.path)
        if array.shape[0] < rows.stop:
            raise DataError(f"{self.name} has become shorter: start again")
        return ArrayRows(np.array(array[rows], dtype=np.float64), self.name, self.start)


def array_blocks(path: Path, most: int) -> tuple[list[ArrayBlock], int]:
    """Slices of about so many bytes as numbers of 8 bytes, and the number of columns."""
    with reading(path.name):
        mapping = None if is_zarr(path) else _mapping(path)
        array = _zarr(path) if mapping is None else mapping.open(path)
    if array.dtype.kind not in "biuf":
        raise DataError(f"{path.name} holds {array.dtype} where real numbers are expected")
    if array.ndim != 2:
        raise DataError(f"{path.name} has {array.ndim} dimensions: give one row per object")
    n, width = (int(size) for size in array.shape)
    if not n or not width:
        raise DataError(f"{path.name} is empty: it must hold one row per object")
    step = max(1, most // (8 * width))
    if mapping is None and step > int(array.chunks[0]):  # no chunk is read twice
        step -= step % int(array.chunks[0])
    full = Path(os.path.abspath(path))
    blocks = [ArrayBlock(full, path.name, mapping, k, min(step, n - k)) for k in range(0, n, step)]
    return blocks, width


@dataclass(frozen=True)
class _Mapping:
    """Where the numbers of an npy file lie: its header is parsed once, not by every worker."""

    length: int
    offset: int
    shape: tuple[int, ...]
    is_fortran: bool
    dtype: Any

    def open(self, path: Path) -> Any:
        if check_file(path) != self.length:
            raise DataError(f"{path.name} has changed: start again")
        order: Literal["F", "C"] = "F" if self.is_fortran else "C"
        return np.memmap(path, self.dtype, "r", self.offset, self.shape, order)


def _mapping(path: Path) -> _Mapping:
    length = check_file(path)
    with path.open("rb") as file:
        shape, is_fortran, dtype = npy_header(file, length, path.name, path.name)
        if 0 in shape:  # which cannot be mapped
            raise DataError(f"{path.name} is empty: it must hold one row per object")
        if file.tell() + math.prod(shape) * dtype.itemsize > length:
            raise DataError(f"{path.name} is cut off: save it once more")
        return _Mapping(length, file.tell(), shape, is_fortran, dtype)


def _zarr(path: Path) -> Any:
    try:
        import zarr
    except ImportError:
        raise DataError(f"{path.name} needs zarr: pip install zarr") from None
    if not any((path / name).is_file() for name in _ZARR):
        raise DataError(f"{path.name} is no zarr array: it has neither zarr.json nor .zarray")
    found = zarr.open(store=os.fspath(path), mode="r")
    if not hasattr(found, "shape"):
        inside = ", ".join(sorted(name for name, _ in found.arrays())[:8]) or "none"
        raise DataError(
            f"{path.name} is a group of zarr arrays ({inside}): give the path of one of them"
        )
    return found
