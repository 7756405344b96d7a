"""The forms in which people have curves, each opened to plain observations."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from noneuclid._checks import shown
from noneuclid.curves._points import Flat
from noneuclid.typing import Array

_TABLE = ("id", "time", "value")


def opened(data: Any) -> Flat:
    """Observations of curves in any of the known forms, or raise."""
    for knows, opens in _FORMS:
        if knows(data):
            return opens(data)
    raise TypeError(
        f"curves (={shown(data)}) must be a list of (times, values) pairs, an array of shape "
        "(curve, channel, time), a table with the columns id, time and value, or Curves"
    )


def numbers_of(values: Any, what: str) -> Array:
    """An array of numbers, masked ones as NaN, or raise."""
    kind = getattr(getattr(values, "dtype", None), "kind", "")
    if kind in ("M", "m"):
        raise TypeError(f"{what} holds dates: give numbers, such as seconds since the first")
    try:
        array = np.ma.asarray(values) if np.ma.isMaskedArray(values) else np.asarray(values)
        if array.dtype.kind in ("c", "M", "m"):
            raise TypeError(f"it holds {array.dtype}")
        if array.dtype.kind in ("U", "S") or (array.dtype.kind == "b"):
            raise ValueError(f"it holds {shown(array.ravel()[:1].tolist())}")
        return np.ma.filled(np.ma.asarray(array, dtype=np.float64), np.nan)
    except (TypeError, ValueError) as error:
        reason = " ".join(str(error).split())
        kind_of = TypeError if isinstance(error, TypeError) else ValueError
        raise kind_of(f"{what} must hold numbers: {reason[:120]}") from None


# --- arrays -----------------------------------------------------------------------------------


def of_array(X: Any, grid: Any = None) -> Flat:
    """Rows (curve, time), or (curve, channel, time), on one grid; NaN where nothing is known."""
    values = numbers_of(X, "X")
    if values.ndim == 2:
        values = values[:, None, :]
    if values.ndim != 3:
        raise ValueError(
            "curves in an array are (curve, time) or (curve, channel, time), and its shape is "
            f"{values.shape}"
        )
    n, channels, length = values.shape
    t = np.arange(length, dtype=np.float64) if grid is None else numbers_of(grid, "grid")
    if t.shape != (length,):
        raise ValueError(f"grid must be {length} times, one per column; its shape is {t.shape}")
    i, c, k = np.indices(values.shape).reshape(3, -1)
    return Flat(i, c, t[k], values.ravel(), n, channels)


def _of_grid(data: Any) -> Flat:
    """scikit-fda's ``FDataGrid``: (curve, time, channel)."""
    points = data.grid_points
    if len(points) != 1:
        raise ValueError(f"curves have one axis, and these functions have {len(points)}")
    return of_array(np.moveaxis(np.asarray(data.data_matrix), 2, 1), points[0])


def _of_irregular(data: Any) -> Flat:
    """scikit-fda's ``FDataIrregular``: all points one after the other, and where curves begin."""
    points, values = (np.asarray(part, dtype=np.float64) for part in (data.points, data.values))
    points, values = points.reshape(len(points), -1), values.reshape(len(values), -1)
    if points.shape[1] != 1:
        raise ValueError(f"curves have one axis, and these functions have {points.shape[1]}")
    starts = np.asarray(data.start_indices)
    curves = np.searchsorted(starts, np.arange(len(points)), side="right") - 1
    channels = values.shape[1]
    return Flat(
        np.repeat(curves, channels),
        np.tile(np.arange(channels), len(points)),
        np.repeat(points[:, 0], channels),
        values.ravel(),
        len(starts),
        channels,
    )


# --- lists ------------------------------------------------------------------------------------


def _of_list(data: Any) -> Flat:
    curves = [_channels(k, curve) for k, curve in enumerate(data)]
    widths = [len(channels) for channels in curves]
    for k, width in enumerate(widths):
        if width != widths[0]:
            raise ValueError(
                f"curve {k} has {width} channels and curve 0 has {widths[0]}: all need as many"
            )
    parts = [(k, c, t, x) for k, curve in enumerate(curves) for c, (t, x) in enumerate(curve)]
    sizes = [len(t) for *_, t, _ in parts]
    return Flat(
        np.repeat([k for k, *_ in parts], sizes).astype(np.int64),
        np.repeat([c for _, c, *_ in parts], sizes).astype(np.int64),
        np.concatenate([t for *_, t, _ in parts]) if parts else np.empty(0),
        np.concatenate([x for *_, x in parts]) if parts else np.empty(0),
        len(curves),
        widths[0] if widths else 1,
    )


def _channels(k: int, curve: Any) -> list[tuple[Array, Array]]:
    """Times and values of each channel of one curve."""
    if isinstance(curve, np.ndarray) and curve.ndim == 2:  # as aeon has them: (channel, time)
        values = numbers_of(curve, f"curve {k}")
        return [(np.arange(values.shape[1], dtype=np.float64), row) for row in values]
    if not isinstance(curve, (tuple, list)) or len(curve) != 2:
        raise ValueError(
            f"curve {k} (={shown(curve)}) must be a pair (times, values), or an array of shape "
            "(channel, time)"
        )
    times, rows = _rows(curve[0], f"the times of curve {k}"), _rows(curve[1], f"curve {k}")
    if len(times) == 1:
        times = times * len(rows)
    if len(times) != len(rows):
        raise ValueError(f"curve {k} has {len(rows)} channels, and times of {len(times)}")
    for c, (t, x) in enumerate(zip(times, rows)):
        if len(t) != len(x):
            channel = f" in channel {c} (channels are rows)" if len(rows) > 1 else ""
            raise ValueError(f"curve {k} has {len(x)} values for {len(t)} times{channel}")
    return list(zip(times, rows))


def _rows(values: Any, what: str) -> list[Array]:
    """One array per channel, which may have other lengths."""
    nested = (list, tuple, np.ndarray)
    if isinstance(values, (list, tuple)) and any(isinstance(row, nested) for row in values):
        rows = [numbers_of(row, what) for row in values]
    else:
        array = numbers_of(values, what)
        rows = list(array) if array.ndim == 2 else [array]
    if not rows or any(row.ndim != 1 for row in rows):
        raise ValueError(f"{what} must be numbers in a row, or rows of them, one per channel")
    return rows


# --- tables -----------------------------------------------------------------------------------


def of_table(table: Any, id: str, time: str, value: str, channel: str | None) -> Flat:  # noqa: A002
    """One observation per row of a table."""
    names = [str(name) for name in getattr(table, "columns", table)]
    for name in filter(None, (id, time, value, channel)):
        if name not in names:
            raise ValueError(f"the table has no column {name!r}: it has {', '.join(names[:12])}")
    lengths = {name: len(table[name]) for name in filter(None, (id, time, value, channel))}
    if len(set(lengths.values())) > 1:
        found = ", ".join(f"{name!r} {length}" for name, length in lengths.items())
        raise ValueError(f"the columns of the table have different numbers of rows: {found}")
    ids, curves = _numbered(_column(table, id), id)
    channels = [None], np.zeros(len(curves), dtype=np.int64)
    if channel is not None:
        channels = _numbered(_column(table, channel), channel)
    return Flat(
        curves,
        channels[1],
        numbers_of(_column(table, time), f"column {time!r}"),
        numbers_of(_column(table, value), f"column {value!r}"),
        len(ids),
        len(channels[0]),
        np.asarray(ids),
    )


def _column(table: Any, name: str) -> np.ndarray:
    values = table[name]
    return values.to_numpy() if hasattr(values, "to_numpy") else np.asarray(values)


def _numbered(names: Any, column: str) -> tuple[list[Any], np.ndarray]:
    """Different names in the order in which they come, and the number of each row's."""
    known: dict[Any, int] = {}
    numbers = np.empty(len(names), dtype=np.int64)
    for row, name in enumerate(names.tolist()):
        if name is None or name != name:
            raise ValueError(f"column {column!r} has no entry in row {row}: every row needs one")
        numbers[row] = known.setdefault(name, len(known))
    return list(known), numbers


def _is_long(data: Any) -> bool:
    return hasattr(data, "columns")


def _of_long(data: Any) -> Flat:
    channel = "channel" if "channel" in list(data.columns) else None
    return of_table(data, *_TABLE, channel)


def _are_arrays(data: Any) -> bool:
    return isinstance(data, np.ndarray) and data.dtype != object


_Form = tuple[Callable[[Any], bool], Callable[[Any], Flat]]
_FORMS: Iterable[_Form] = (
    (lambda data: hasattr(data, "flat_points"), lambda data: data.flat_points()),
    (lambda data: hasattr(data, "data_matrix") and hasattr(data, "grid_points"), _of_grid),
    (lambda data: hasattr(data, "start_indices") and hasattr(data, "points"), _of_irregular),
    (_is_long, _of_long),
    (_are_arrays, of_array),
    (lambda data: isinstance(data, (list, tuple, np.ndarray)), _of_list),
)
