"""Bags of samples in one form: all points in a flat array, and where each bag begins."""

import reprlib
from collections.abc import Iterator
from itertools import accumulate
from typing import Any

import numpy as np

from noneuclid._data import all_finite
from noneuclid.kernels._last import Remembers
from noneuclid.typing import Array, IntArray


class Bags(Remembers):
    """Points of several bags; takes indices and slices as a list does.

    Parameters
    ----------
    points : array of shape (n, d)
        Bag after bag.
    offsets : array of int
        Bag i is ``points[offsets[i]:offsets[i + 1]]``.
    """

    def __init__(self, points: Array, offsets: IntArray):
        self.points = points
        self.offsets = offsets

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __iter__(self) -> Iterator[Array]:
        return (self.points[a:b] for a, b in zip(self.offsets[:-1], self.offsets[1:]))

    def __getitem__(self, which: Any) -> Any:
        if isinstance(which, (int, np.integer)):
            i = range(len(self))[which]
            return self.points[self.offsets[i] : self.offsets[i + 1]]
        return _joined([self[int(i)] for i in np.arange(len(self))[which]], self.points.shape[1])


def as_bags(X: Any, name: str = "X") -> Bags:
    """Return bags of samples in one form, or raise with one sentence.

    Parameters
    ----------
    X : list of arrays of shape (n_i, d), or array of shape (n, n_i, d)

    Examples
    --------
    >>> bags = as_bags([[[0.0, 1.0]], [[2.0, 3.0], [4.0, 5.0]]])
    >>> bags.points.shape, bags.offsets.tolist()
    ((3, 2), [0, 1, 3])
    """
    if isinstance(X, Bags):
        return X
    if isinstance(X, str) or not np.iterable(X):
        raise TypeError(f"{name} must be a list of bags of samples, not {type(X).__name__}")
    if isinstance(X, np.ndarray) and X.dtype != object and X.ndim == 2:
        raise ValueError(f"{name} is a single bag: give a list of bags, [bag]")
    bags = [one_bag(x, f"{name}[{i}]") for i, x in enumerate(X)]
    widths = sorted({bag.shape[1] for bag in bags})
    if len(widths) > 1:
        raise ValueError(f"the bags of {name} have samples of different dimensions: {widths}")
    return _joined(bags, widths[0] if widths else 0)


def _joined(bags: list[Array], d: int) -> Bags:
    offsets = np.array(list(accumulate(map(len, bags), initial=0)))
    return Bags(np.concatenate([np.empty((0, d)), *bags]), offsets)


def one_bag(bag: Any, name: str) -> Array:
    """Return the samples of one bag, checked."""
    if np.ma.is_masked(bag):
        raise ValueError(f"{name} has masked entries: leave out their samples")
    try:
        given = np.asarray(bag)
        if given.dtype.kind not in "biuf":  # words and complex numbers would become floats
            raise TypeError
    except (TypeError, ValueError):
        shown = reprlib.repr(bag)
        raise TypeError(f"{name} must be an array of samples, (n, d), not {shown}") from None
    if given.ndim != 2 or given.shape[1] == 0:
        raise ValueError(f"{name} must be an array of samples, (n, d); its shape is {given.shape}")
    if len(given) == 0:
        raise ValueError(f"{name} is empty: a distribution needs at least one sample")
    points = np.ascontiguousarray(given, dtype=np.float64)
    if not all_finite(points):
        raise ValueError(f"{name} holds NaN or infinity")
    return points
