"""Samples of functions, which are no estimators: one collection, or pairs of two."""

import itertools
from dataclasses import replace
from typing import Any

import numpy as np

from noneuclid._blocks import door
from noneuclid._blocks.blocks import Blocks
from noneuclid._blocks.survey import Look
from noneuclid._data import check_array
from noneuclid.typing import Array


def samples(function: str, X: Any, name: str) -> Blocks:
    """Rows of a dask collection, or of an array as one block, surveyed for a function."""
    lazy = door.is_collection(X)
    look = Look(function, True, False, name)
    if not lazy:
        return Blocks([X], look=look, lazy=False)
    opened = door.opened_rows(X, name)
    return Blocks(opened.blocks, look=replace(look, columns=opened.columns), lazy=True)


def tables(function: str, X: Any, name: str) -> Blocks:
    """The blocks of a DataFrame, on dask or as one block, as they are, counted for a function."""
    lazy = door.is_collection(X)
    blocks = list(X.to_delayed()) if lazy else [X]
    return Blocks(blocks, look=Look(function, False, False, name), lazy=lazy)


def edges(*blocks: Blocks) -> np.ndarray:
    """Where the blocks that have rows begin and end, one collection after the other."""
    sizes = [size for some in blocks for size in some.survey.sizes if size]
    return np.cumsum([0, *sizes])


def paired(X: Blocks, Y: Blocks) -> Blocks:
    """Blocks with rows of X and, as further columns, those of Y, wherever blocks begin."""
    leading = X if X.is_lazy else Y
    pair = door.import_dask().delayed(_pair) if leading.is_lazy else _pair
    of_x, of_y = edges(X), edges(Y)
    blocks = [
        pair(*_across(X, of_x, *rows), *_across(Y, of_y, *rows), *rows)
        for rows in itertools.pairwise(edges(leading).tolist())
    ]
    return leading.replaced(blocks)


def _across(blocks: Blocks, ends: np.ndarray, start: int, stop: int) -> tuple[list[Any], int]:
    """The blocks that have rows from start to stop, and where they begin."""
    if not blocks.is_lazy and len(blocks.raw) == 1:  # of rows in memory only these
        return [blocks.raw[0][start:stop]], start
    first, last = np.searchsorted(ends, start, side="right") - 1, np.searchsorted(ends, stop)
    return blocks.raw[first:last], int(ends[first])


def _pair(X: list[Any], at: int, Y: list[Any], beside: int, start: int, stop: int) -> Array:
    return np.hstack(
        [_between(X, start - at, stop - at), _between(Y, start - beside, stop - beside)]
    )


def _between(pieces: list[Any], start: int, stop: int) -> Array:
    rows = [check_array(piece, dtype=np.float64, ensure_all_finite=False) for piece in pieces]
    return np.concatenate(rows)[start:stop]
