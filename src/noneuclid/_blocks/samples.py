"""Samples of functions, which are no estimators: one collection, or pairs of two."""

import copy
import itertools
from typing import Any

import numpy as np

from noneuclid._blocks import door
from noneuclid._blocks.blocks import Blocks, Part, _Look
from noneuclid.typing import Array


def samples(function: str, X: Any, name: str) -> Blocks:
    """Rows of a dask collection, or of an array as one block, surveyed for a function."""
    lazy = door.is_collection(X)
    blocks = door.opened_rows(X, name).blocks if lazy else [X]
    return Blocks(blocks, look=_Look(function, True, False, name), lazy=lazy)


def tables(function: str, X: Any, name: str) -> Blocks:
    """The blocks of a DataFrame, on dask or as one block, as they are, counted for a function."""
    lazy = door.is_collection(X)
    blocks = list(X.to_delayed()) if lazy else [X]
    return Blocks(blocks, look=_Look(function, False, False, name), lazy=lazy)


def edges(*blocks: Blocks) -> np.ndarray:
    """Where the blocks that have rows begin and end, one collection after the other."""
    sizes = [size for some in blocks for size in some.survey.sizes if size]
    return np.cumsum([0, *sizes])


def paired(X: Blocks, Y: Blocks) -> Blocks:
    """Blocks with rows of X, and as many of Y as y, wherever the blocks of either begin."""
    leading = X if X._lazy else Y
    both = copy.copy(leading)
    of_x, of_y = edges(X), edges(Y)
    both._parts = [
        both._call(_pair, _across(X, of_x, *rows), _across(Y, of_y, *rows), *rows)
        for rows in itertools.pairwise(edges(leading).tolist())
    ]
    return both


def _across(blocks: Blocks, ends: np.ndarray, start: int, stop: int) -> list[Any]:
    """The parts that have rows from start to stop; of rows in memory, only these."""
    if not blocks._lazy:
        return [Part(_between(blocks._parts, start, stop), None, None, start)]
    first, last = np.searchsorted(ends, start, side="right") - 1, np.searchsorted(ends, stop)
    return blocks._parts[first:last]


def _between(parts: list[Part], start: int, stop: int) -> Array:
    pieces = [part.X[max(start - part.start, 0) : max(stop - part.start, 0)] for part in parts]
    return pieces[0] if len(pieces) == 1 else np.concatenate(pieces)


def _pair(X: list[Part], Y: list[Part], start: int, stop: int) -> Part:
    return Part(_between(X, start, stop), _between(Y, start, stop), None, start)
