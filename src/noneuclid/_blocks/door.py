"""The door for dask collections: what they are, and their blocks, one sentence for what is none.

Nothing here reads data. What only the data tell is found in the first pass over them
(:meth:`noneuclid._blocks.Blocks.survey`).
"""

import itertools
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from noneuclid._blocks.survey import as_given
from noneuclid._warnings import warn

_INSTALL = 'pip install "noneuclid[dask]"'


def is_collection(X: Any) -> bool:
    """Whether X is a dask collection; dask itself is not imported to find out."""
    dask = sys.modules.get("dask")
    return dask is not None and bool(dask.is_dask_collection(X)) and not hasattr(X, "key")


def in_blocks(*given: Any) -> bool:
    """Whether any of these is a dask collection."""
    return any(is_collection(X) for X in given)


def is_bag(X: Any) -> bool:
    """Whether X is a dask bag: objects, not rows of numbers."""
    bags = sys.modules.get("dask.bag")
    return bags is not None and isinstance(X, bags.Bag)


def holds_objects(X: Any) -> bool:
    """Whether X is a dask bag, or a column or one-dimensional array that is not of numbers."""
    if is_frame(X):
        return X.ndim == 1 and _kinds(X._meta)[0] not in "fiub"
    return is_bag(X) or (is_collection(X) and X.ndim == 1 and X.dtype.kind not in "fiub")


def is_frame(X: Any) -> bool:
    """Whether X is a dask DataFrame or Series."""
    return is_collection(X) and hasattr(X, "map_partitions") and hasattr(X, "to_dask_array")


def import_dask() -> Any:
    """Return the module dask, or say how to install it."""
    try:
        import dask
    except ImportError:
        raise ImportError(f"this needs dask: {_INSTALL}") from None
    return dask


@dataclass
class Opened:
    """Delayed blocks, their lengths as far as they are known, and what a few rows look like."""

    blocks: list[Any]
    sizes: list[float]
    example: Any
    """No rows, or a few: an array or a table with the right columns; None for objects."""

    @property
    def is_counted(self) -> bool:
        """Whether all lengths are known."""
        return not np.isnan(self.sizes).any()

    @property
    def columns(self) -> tuple[Any, ...] | None:
        """Names of the columns of a table."""
        return tuple(self.example.columns) if hasattr(self.example, "columns") else None


def opened_rows(X: Any, name: str = "X") -> Opened:
    """Blocks of rows of a dask array or DataFrame."""
    if is_frame(X):
        blocks = list(X.to_delayed())
        return Opened(blocks, [np.nan] * len(blocks), _example(X._meta))
    if is_bag(X):
        raise TypeError(f"{name} is a dask bag, but rows of numbers are needed: a dask array")
    if X.ndim != 2:
        raise ValueError(
            f"{name} must be two-dimensional, one row per sample, and its shape is {X.shape}"
        )
    if X.dtype.kind not in "fiub":
        raise TypeError(f"{name} must hold numbers, and its dtype is {X.dtype}")
    X = whole_rows(X, name)
    sizes = [float(size) for size in X.chunks[0]]
    if np.isnan(sizes).any():
        warn(f"{name} has blocks of unknown length: they are counted in the first pass")
    return Opened(list(X.to_delayed().ravel()), sizes, np.ones((1, X.shape[1])))


def whole_rows(X: Any, name: str = "X") -> Any:
    """The dask array with all features of a row in one block."""
    if X.ndim == 2 and len(X.chunks[1]) > 1:
        warn(
            f"{name} has its features in {len(X.chunks[1])} blocks: they are joined, for rows are "
            "needed whole; rechunk({1: -1}) does so beforehand"
        )
        X = X.rechunk({1: -1})
    return X


def opened_objects(X: Any, name: str = "X") -> Opened:
    """Blocks of objects of a dask bag or column; of rows, where X is an array or a DataFrame."""
    if not holds_objects(X):
        return opened_rows(X, name)
    blocks = list(X.to_delayed())
    sizes = X.chunks[0] if hasattr(X, "chunks") else [np.nan] * len(blocks)
    return Opened(blocks, [float(size) for size in sizes], None)


def opened_beside(y: Any, first: Opened, name: str) -> list[Any]:
    """Blocks of labels or weights, one beside each block of the samples."""
    if is_frame(y):
        columns = getattr(y, "columns", [name])
        if len(columns) > 1:
            raise ValueError(f"{name} must be one column, and it has {len(columns)}")
        return _as_many(list(y.to_delayed()), first, name)
    if is_bag(y):
        return _as_many(list(y.to_delayed()), first, name)
    if not is_collection(y):
        return _cut(as_given(y), first, name)
    if y.ndim > 2 or (y.ndim == 2 and y.shape[1] > 1 and name != "y"):
        raise ValueError(f"{name} must be one number per sample, and its shape is {y.shape}")
    if y.ndim == 2:
        y = whole_rows(y, name)
    sizes = y.chunks[0]
    if first.is_counted and not np.isnan(sizes).any():
        if sum(sizes) != sum(first.sizes):
            raise ValueError(f"X has {int(sum(first.sizes))} samples, but {name} has {sum(sizes)}")
        if list(sizes) != first.sizes:
            y = y.rechunk({0: tuple(int(size) for size in first.sizes)})
    return _as_many(list(y.to_delayed().ravel()), first, name)


def _as_many(blocks: list[Any], first: Opened, name: str) -> list[Any]:
    if len(blocks) != len(first.blocks):
        raise ValueError(
            f"X has {len(first.blocks)} blocks, but {name} has {len(blocks)}, and their lengths "
            "are not known: give both the same blocks, or call compute_chunk_sizes()"
        )
    return blocks


def _cut(values: np.ndarray, first: Opened, name: str) -> list[Any]:
    if not first.is_counted:
        raise ValueError(
            f"{name} is in memory, and the lengths of the blocks of X are not known: give {name} "
            "as a dask collection too, or call X.compute_chunk_sizes()"
        )
    edges = np.cumsum([0, *map(int, first.sizes)])
    if len(values) != edges[-1]:
        raise ValueError(f"X has {edges[-1]} samples, but {name} has {len(values)}")
    return [values[start:stop] for start, stop in itertools.pairwise(edges)]


def _example(meta: Any) -> Any:
    """One row of ones with the columns of a table, for scikit-learn to look at their names."""
    import pandas as pd

    names: Sequence[Any] = list(meta.columns) if hasattr(meta, "columns") else [meta.name]
    words = [name for name, kind in zip(names, _kinds(meta)) if kind not in "fiub"]
    if words:
        raise TypeError(f"X must hold numbers, and its column {str(words[0])!r} does not")
    return pd.DataFrame(np.ones((1, len(names))), columns=names)


def _kinds(meta: Any) -> list[str]:
    dtypes = list(meta.dtypes) if hasattr(meta, "columns") else [meta.dtype]
    return [getattr(dtype, "kind", "O") for dtype in dtypes]
