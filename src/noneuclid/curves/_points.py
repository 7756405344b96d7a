"""Observations of curves, packed: sorted, checked, and without those that are missing."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from noneuclid.typing import Array, IntArray

Repeated = Literal["refuse", "mean"]


@dataclass(eq=False)
class Flat:
    """Observations as they came: a time and a value of a channel of a curve, in any order.

    Attributes
    ----------
    curves, channels : arrays of int, of shape (n_points,)
    times, values : arrays of shape (n_points,)
    n_curves, n_channels : int
    ids : array of shape (n_curves,), or None
        What the curves are called.
    """

    curves: IntArray
    channels: IntArray
    times: Array
    values: Array
    n_curves: int
    n_channels: int = 1
    ids: Any = None


@dataclass(eq=False)
class Packed:
    """Observations sorted by curve, channel and time.

    Attributes
    ----------
    times, values : arrays of shape (n_points,)
    offsets : array of int, of shape (n_curves · n_channels + 1,)
        Channel c of curve i is ``offsets[i * n_channels + c]`` up to the next.
    """

    times: Array
    values: Array
    offsets: IntArray


def packed(flat: Flat, repeated: Repeated) -> Packed:
    """Sort observations, or raise for those that make no curves."""
    if flat.n_curves == 0:
        raise ValueError("there are no curves: at least one is needed")
    _check_numbers(flat)
    there = ~np.isnan(flat.values)
    t, x = flat.times[there], flat.values[there]
    key: IntArray = flat.curves[there] * flat.n_channels + flat.channels[there]
    _check_counts(key, flat)
    order = np.lexsort((t, key))
    key, t, x = key[order], t[order], x[order]
    again = np.flatnonzero((np.diff(key) == 0) & (np.diff(t) == 0))
    if len(again) and repeated == "refuse":
        at = again[0]
        raise ValueError(
            f"{_named(key[at], flat)} has two values at time {t[at]:g}: give each time once, or "
            'repeated="mean" to take the mean of such values'
        )
    if len(again):
        key, t, x = _averaged(key, t, x)
        _check_counts(key, flat)
    counts = np.bincount(key, minlength=flat.n_curves * flat.n_channels)
    return Packed(t, x, np.concatenate([[0], np.cumsum(counts)]))


def _named(key: int, flat: Flat) -> str:
    curve, channel = divmod(int(key), flat.n_channels)
    return f"curve {curve}" + (f", channel {channel}," if flat.n_channels > 1 else "")


def _check_numbers(flat: Flat) -> None:
    for numbers, bad, what in (
        (flat.times, ~np.isfinite(flat.times), "a time that is not a finite number"),
        (flat.values, np.isinf(flat.values), "an infinite value"),
    ):
        if bad.any():
            at = int(np.argmax(bad))
            raise ValueError(f"curve {flat.curves[at]} has {what} ({numbers[at]})")


def _check_counts(key: IntArray, flat: Flat) -> None:
    """Every curve needs two observations of some channel, else it is a point."""
    counts = np.bincount(key, minlength=flat.n_curves * flat.n_channels)
    counts = counts.reshape(flat.n_curves, flat.n_channels).max(axis=1)
    if (counts == 0).any():
        raise ValueError(
            f"curve {int(np.argmin(counts))} has no observed value: all of it is missing"
        )
    if (counts == 1).any():
        raise ValueError(
            f"curve {int(np.argmax(counts == 1))} has one point: a curve needs at least two"
        )


def _averaged(key: IntArray, t: Array, x: Array) -> tuple[IntArray, Array, Array]:
    """One observation per time: the mean of those there are."""
    first = np.concatenate([[True], (np.diff(key) > 0) | (np.diff(t) > 0)])
    starts = np.flatnonzero(first)
    sizes = np.diff(np.append(starts, len(t)))
    return key[first], t[first], np.add.reduceat(x, starts) / sizes
