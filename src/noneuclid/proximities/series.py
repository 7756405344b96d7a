"""Series of any length and of several channels in one form: all points in a flat array."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from noneuclid._data import check_range, too_large
from noneuclid.curves import Curves
from noneuclid.typing import Array, IntArray


class Series:
    """Points of several series, one after the other; takes indices and slices as a list does.

    Parameters
    ----------
    values : array of shape (number of all points, n_channels)
    offsets : array of int
        Series i is ``values[offsets[i]:offsets[i + 1]]``.
    """

    def __init__(self, values: Array, offsets: IntArray):
        self.values, self.offsets = values, offsets

    def __setstate__(self, state: dict[str, Any]) -> None:
        # Compiled code trusts the offsets, and a file may say anything.
        values = np.ascontiguousarray(state["values"], dtype=np.float64)
        offsets = np.asarray(state["offsets"])
        right = values.ndim == 2 and offsets.ndim == 1 and len(offsets) > 0
        right = right and offsets.dtype.kind in "iu" and offsets[0] == 0
        if not right or offsets[-1] != len(values) or (np.diff(offsets) < 0).any():
            raise ValueError("the offsets of saved series must rise from 0 to their points")
        self.values, self.offsets = values, offsets.astype(np.int64)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __iter__(self) -> Iterator[Array]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, which: Any) -> Any:
        if isinstance(which, (int, np.integer)):
            i = range(len(self))[which]
            return self.values[self.offsets[i] : self.offsets[i + 1]].T
        return joined([self[int(i)].T for i in np.arange(len(self))[which]], self.n_channels)

    @property
    def n_channels(self) -> int:
        """How many numbers there are at every time."""
        return int(self.values.shape[1])

    @property
    def lengths(self) -> IntArray:
        """Number of points of each series."""
        return np.diff(self.offsets)


def joined(parts: list[Array], n_channels: int) -> Series:
    """Series of given points (time, channel)."""
    offsets = np.cumsum([0, *map(len, parts)], dtype=np.int64)
    values = np.concatenate([np.empty((0, n_channels)), *parts])
    return Series(np.ascontiguousarray(values), offsets)


def as_series(X: Any, name: str = "X") -> Series:
    """Return series in one form, or raise with one sentence.

    Parameters
    ----------
    X : list, array or Curves
        A list of series, each an array of shape (time,) or (channel, time); an array of shape
        (series, time) or (series, channel, time); a data frame with one series per row; or
        ``Curves``, of which the order of the points counts, not their times. Text of numbers is
        read as these.
    name : str, default="X"
        What errors call it.

    Returns
    -------
    Series

    Examples
    --------
    >>> series = as_series([[1.0, 2.0, 3.0], [4.0, 5.0]])
    >>> series.lengths, series.n_channels
    (array([3, 2]), 1)
    """
    if isinstance(X, Series):
        return X
    if isinstance(X, Curves):
        return _of_curves(X, name)
    if hasattr(X, "columns") and hasattr(X, "to_numpy"):
        X = X.to_numpy()
    if isinstance(X, (str, bytes)) or not np.iterable(X):
        raise TypeError(f"{name} must be a list of series, not one {type(X).__name__}")
    given = list(X)
    if given and all(np.ndim(x) == 0 for x in given):
        raise ValueError(f"{name} is a single series: give a list of series, [series]")
    parts = [_one(x, f"{name}[{i}]") for i, x in enumerate(given)]
    channels = sorted({part.shape[1] for part in parts})
    if len(channels) > 1:
        found = " and ".join(map(str, channels[:2]))
        raise ValueError(f"the series of {name} have {found} channels: all must have as many")
    return joined(parts, channels[0] if channels else 1)


def _one(series: Any, name: str) -> Array:
    """Points (time, channel) of one series."""
    if np.ma.is_masked(series):
        raise ValueError(f"{name} has masked entries: fill the gaps, as Curves.to_grid does")
    try:
        numbers = np.asarray(series)
        if numbers.dtype.kind not in "biufOUS":  # complex numbers and dates would become floats
            raise TypeError
        points = np.array(numbers, dtype=np.float64)
    except OverflowError:
        raise too_large(name) from None
    except (TypeError, ValueError):
        raise TypeError(
            f"{name} must be a series of numbers, of shape (time,) or (channel, time)"
        ) from None
    if points.ndim not in (1, 2):
        raise ValueError(f"{name} must have shape (time,) or (channel, time), not {points.shape}")
    points = np.atleast_2d(points).T
    if len(points) == 0:
        raise ValueError(f"{name} has no points: leave it out")
    if not np.isfinite(points).all():
        raise ValueError(
            f"{name} holds NaN or infinity: fill the gaps, as Curves.to_grid does, or cut it there"
        )
    return check_range(points, name, tiny=True)


def _of_curves(curves: Curves, name: str) -> Series:
    parts = []
    for k, counts in enumerate(curves.n_points):
        if (counts != counts[0]).any():
            raise ValueError(
                f"{name}[{k}] has channels of {counts.min()} and {counts.max()} points: put them "
                "on one grid with Curves.to_grid"
            )
        channels = [curves.observed(k, channel)[1] for channel in range(curves.n_channels)]
        parts.append(_one(np.array(channels), f"{name}[{k}]"))
    return joined(parts, curves.n_channels)
