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
    labels : list of str, optional
        Names of the coordinates, if the bags are tables with names.
    """

    labels: list[str] | None = None  # of bags in files that were written before they had names

    def __init__(self, points: Array, offsets: IntArray, labels: list[str] | None = None):
        self.points = points
        self.offsets = offsets
        self.labels = labels

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __iter__(self) -> Iterator[Array]:
        return (self.points[a:b] for a, b in zip(self.offsets[:-1], self.offsets[1:]))

    def __getitem__(self, which: Any) -> Any:
        if isinstance(which, (int, np.integer)):
            i = range(len(self))[which]
            return self.points[self.offsets[i] : self.offsets[i + 1]]
        chosen = [self[int(i)] for i in np.arange(len(self))[which]]
        return _joined(chosen, self.points.shape[1], self.labels)

    def in_columns_of(self, other: "Bags", names: tuple[str, str] = ("X", "Y")) -> "Bags":
        """These bags with their coordinates in the order of others; raise unless they match."""
        if len(self) == 0 or len(other) == 0:
            return self
        d, e = self.points.shape[1], other.points.shape[1]
        if d != e:
            one, another = names
            raise ValueError(f"the samples of {one} have {d} features and those of {another} {e}")
        if self.labels is None or other.labels is None or self.labels == other.labels:
            return self
        order = _order(self.labels, other.labels, names)
        return Bags(np.ascontiguousarray(self.points[:, order]), self.offsets, other.labels)

    def followed_by(self, other: "Bags") -> "Bags":
        """These bags and then the others."""
        if len(self) == 0 or len(other) == 0:
            return self if len(self) else other
        return _joined([*self, *other.in_columns_of(self, ("Y", "X"))], -1, self.labels)


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
    given = list(X)
    bags = [one_bag(x, f"{name}[{i}]") for i, x in enumerate(given)]
    widths = sorted({bag.shape[1] for bag in bags})
    if len(widths) > 1:
        raise ValueError(f"the bags of {name} have samples of different dimensions: {widths}")
    columns = None
    for i, x in enumerate(given):
        names = list(x.columns) if hasattr(x, "columns") else None
        columns = names if columns is None else columns
        if names is not None and columns is not None and names != columns:
            bags[i] = bags[i][:, _order(names, columns, (f"{name}[{i}]", "the first table"))]
    words = columns is not None and all(isinstance(name, str) for name in columns)
    return _joined(bags, widths[0] if widths else 0, columns if words else None)


def _order(names: list[Any], wanted: list[Any], whose: tuple[str, str]) -> list[int]:
    """Where the wanted columns are."""
    if set(names) != set(wanted) or len(set(names)) != len(names):
        one, other = whose
        raise ValueError(
            f"{one} has the columns {reprlib.repr(names)} and {other} {reprlib.repr(wanted)}: give "
            "all bags the same, each once"
        )
    return [names.index(name) for name in wanted]


def _joined(bags: list[Array], d: int, columns: list[str] | None) -> Bags:
    offsets = np.array(list(accumulate(map(len, bags), initial=0)))
    return Bags(np.concatenate(bags or [np.empty((0, d))]), offsets, columns)


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
