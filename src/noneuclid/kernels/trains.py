"""Event sequences in one form: all times in a flat array, and where each train begins."""

import reprlib
from collections.abc import Iterator
from itertools import accumulate
from numbers import Real
from typing import Any

import numpy as np
from scipy.sparse import issparse

from noneuclid._data import check_range, too_large
from noneuclid.kernels._last import Remembers
from noneuclid.typing import Array, IntArray

# Times whose squares sum to less are within any range.
_MODERATE = 1e50


class Trains(Remembers):
    """Sorted event times of several trains; takes indices and slices as a list does.

    Parameters
    ----------
    times : array
        Train after train.
    offsets : array of int
        Train i is ``times[offsets[i]:offsets[i + 1]]``.
    unit : str, optional
        Of the times, where the data said it.
    """

    def __init__(self, times: Array, offsets: IntArray, unit: str | None = None):
        self.times = times
        self.offsets = offsets
        self.unit = unit

    def __setstate__(self, state: dict[str, Any]) -> None:
        # Compiled code trusts the offsets, and a file may say anything.
        checked = _from_offsets((state["times"], state["offsets"]), "what was saved")
        self.times, self.offsets, self.unit = checked.times, checked.offsets, state.get("unit")

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __iter__(self) -> Iterator[Array]:
        return (self.times[a:b] for a, b in zip(self.offsets[:-1], self.offsets[1:]))

    def __getitem__(self, which: Any) -> Any:
        if isinstance(which, (int, np.integer)):
            i = range(len(self))[which]
            return self.times[self.offsets[i] : self.offsets[i + 1]]
        chosen = [self[int(i)] for i in np.arange(len(self))[which]]
        return _joined(chosen, self.unit)

    def followed_by(self, other: "Trains") -> "Trains":
        """These trains and then the others; raise if they say they have different units."""
        check_units(self, other)
        times = np.concatenate([self.times, other.times])
        offsets = np.concatenate([self.offsets, other.offsets[1:] + self.offsets[-1]])
        return Trains(times, offsets, self.unit if len(self) else other.unit)

    @property
    def counts(self) -> IntArray:
        """Number of events of each train."""
        return np.diff(self.offsets)


def is_one_train(X: Any) -> bool:
    """Whether X is a single train, not several."""
    if isinstance(X, (Trains, tuple)):
        return False
    if hasattr(X, "times") or hasattr(X, "magnitude"):
        return np.ndim(_plain(X)) == 1
    if isinstance(X, np.ndarray):
        return X.ndim == 1 and X.dtype != object
    return isinstance(X, list) and len(X) > 0 and all(isinstance(x, Real) for x in X)


def as_trains(X: Any, name: str = "X") -> Trains:
    """Return event sequences in one form, or raise with one sentence.

    Parameters
    ----------
    X : list, array or tuple
        A list of 1-d arrays or of objects with ``times`` or ``magnitude`` (as those of neo,
        quantities and pint), a 2-d array whose rows are trains, or the pair (times, offsets) as a
        tuple. Unsorted trains are sorted; equal and negative times are legal, and so are trains
        without events.

    Examples
    --------
    >>> trains = as_trains([[0.3, 0.1], []])
    >>> trains.times, trains.offsets
    (array([0.1, 0.3]), array([0, 2, 2]))
    """
    if isinstance(X, Trains):
        return X
    if isinstance(X, tuple):
        return _from_offsets(X, name)
    if is_one_train(X):
        raise ValueError(f"{name} is a single train: give a list of trains, [train]")
    if issparse(X):
        raise TypeError(f"{name} is a sparse matrix: give a list of trains")
    if hasattr(X, "columns"):  # whose columns would be taken for trains
        raise TypeError(f"{name} is a table: give a list of trains, one per row")
    if hasattr(X, "__array__") and not np.iterable(X):
        X = np.asarray(X)
    if isinstance(X, str) or not np.iterable(X):
        raise TypeError(f"{name} must be a list of trains, not {type(X).__name__}")
    objects = list(X)
    trains = [_one(x, f"{name}[{i}]") for i, x in enumerate(objects)]
    return _joined(trains, _common_unit(objects, name))


def check_units(X: Trains, Y: Trains, names: tuple[str, str] = ("X", "Y")) -> None:
    """Raise if two collections say they have different units."""
    if len(X) and len(Y):
        refuse_other_unit(X, Y.unit, names)


def refuse_other_unit(X: Trains, unit: str | None, names: tuple[str, str]) -> None:
    """Raise if trains say they have another unit than something else."""
    if X.unit != unit:
        one, other = names
        raise ValueError(
            f"{one} has times in {_say(X.unit)} and {other} in {_say(unit)}: use one unit"
        )


def _joined(trains: list[Array], unit: str | None) -> Trains:
    offsets = np.array(list(accumulate(map(len, trains), initial=0)))
    return Trains(np.concatenate([np.empty(0), *trains]), offsets, unit)


def _plain(train: Any) -> Any:
    """The numbers of an object that carries a unit."""
    times = train.times if hasattr(train, "times") else train
    return times.magnitude if hasattr(times, "magnitude") else times


def _one(train: Any, name: str) -> Array:
    if np.ma.is_masked(train):
        raise ValueError(f"{name} has masked entries: leave them out of the train")
    try:
        given = np.asarray(_plain(train))
    except ValueError:  # lists of different lengths
        raise _no_train(train, name) from None
    times = _numbers(given, train, name)
    if times.ndim != 1:
        raise ValueError(f"{name} must be a 1-d array of event times; its shape is {times.shape}")
    return _sorted(times, name)


def _numbers(given: Any, whole: Any, name: str) -> Array:
    """Times as floats; words, dates and complex numbers, which would become such, are refused."""
    if given.dtype.kind == "b":
        raise TypeError(
            f"{name} holds truth values, as of bins of time: give the times of its events, such as "
            "np.flatnonzero(bins) times the length of a bin"
        )
    if given.dtype.kind not in "iufO":
        raise _no_train(whole, name)
    try:
        return np.array(given, dtype=np.float64)
    except OverflowError:
        raise too_large(name) from None
    except (TypeError, ValueError):
        raise _no_train(whole, name) from None


def _no_train(train: Any, name: str) -> TypeError:
    shown = reprlib.repr(train)
    return TypeError(f"{name} must be a 1-d array of event times, not {shown}")


def _sorted(times: Array, name: str) -> Array:
    if not np.isfinite(times).all():
        raise ValueError(f"{name} holds NaN or infinity where an event time is expected")
    if not np.vdot(times, times) < _MODERATE:
        check_range(times, name, tiny=True)
    return times if (times[1:] >= times[:-1]).all() else np.sort(times)


def _from_offsets(pair: tuple[Any, ...], name: str) -> Trains:
    if any(np.ma.is_masked(part) for part in pair):
        raise ValueError(f"{name} has masked entries: leave them out of the trains")
    parts = (np.asarray(_plain(part)) for part in pair)
    times, offsets = parts if len(pair) == 2 else (None, None)
    if times is None or offsets is None or times.ndim != 1 or offsets.ndim != 1:
        raise ValueError(f"{name} as a tuple means (times, offsets); several trains are a list")
    right = len(offsets) > 0 and np.issubdtype(offsets.dtype, np.integer)
    if not right or offsets[0] != 0 or offsets[-1] != len(times) or (np.diff(offsets) < 0).any():
        raise ValueError(
            f"the offsets of {name} must be integers that rise from 0 to the number of times "
            f"(={len(times)}); several trains are a list, not a tuple"
        )
    pieces = np.split(_numbers(times, pair[0], name), offsets[1:-1])[: len(offsets) - 1]
    trains = [_sorted(x, f"{name}[{i}]") for i, x in enumerate(pieces)]
    return _joined(trains, unit_of(pair[0]))


def unit_of(train: Any) -> str | None:
    """The unit of times, or of the object that has them, if one of them says so."""
    for times in (getattr(train, "times", train), train):
        for what in ("dimensionality", "units"):
            if hasattr(times, what):
                return str(getattr(times, what))
    return None


def _say(unit: str | None) -> str:
    return "no unit" if unit is None else unit


def _common_unit(objects: list[Any], name: str) -> str | None:
    units = list(dict.fromkeys(map(unit_of, objects)))
    if len(units) > 1:
        found = ", ".join(map(_say, units))
        raise ValueError(f"the trains of {name} have different units ({found}): use one unit")
    return units[0] if units else None
