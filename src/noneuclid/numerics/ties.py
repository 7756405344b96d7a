"""Choices that are the same on every machine.

Which of two equal numbers is the smaller one is decided by their last bit, and with it by the
processor: numbers that agree up to rounding count as equal here, and the first of them wins.
"""

import numpy as np

from noneuclid.numerics._jit import jit
from noneuclid.typing import Array, IntArray

# Numbers that agree to this share of themselves are equal. Rounding, and what a few hundred steps
# of learning make of it, stays below; who is chosen among such equals costs nobody anything.
TIE = 1e-10
# For so few numbers nothing is compiled.
_FEW = 1 << 12


@jit(sums=True, borrows=True)
def first_least(d: Array) -> int:
    """Index of the first of the least numbers, up to rounding."""
    low = d[0]
    for j in range(1, d.size):
        low = d[j] if d[j] < low else low
    limit = low + TIE * abs(low)
    for j in range(d.size):
        if d[j] <= limit:
            return j
    return 0


@jit(sums=True, borrows=True)
def _first_least_of_rows(D: Array, found: IntArray) -> None:
    m = D.shape[1]  # no view of a row: counting and freeing it costs as much as the search
    for i in range(len(D)):
        low = D[i, 0]
        for j in range(1, m):
            low = D[i, j] if D[i, j] < low else low
        limit = low + TIE * abs(low)
        for j in range(m):
            if D[i, j] <= limit:
                found[i] = j
                break


def _first_least(numbers: list[float]) -> int:
    """The same of a few numbers, which arrays are slow for."""
    low = min(numbers)
    limit = low + TIE * abs(low)
    return next((j for j, number in enumerate(numbers) if number <= limit), 0)


def first_argmin(D: Array, axis: int = -1) -> IntArray:
    """Index of the least number along an axis; of those equal up to rounding, the first.

    Parameters
    ----------
    D : array
        Numbers.
    axis : int, default=-1
        Along which to look.

    Returns
    -------
    array of int
        Indices.

    Examples
    --------
    >>> import numpy as np
    >>> first_argmin(np.array([[3.0, 1.0 + 1e-15, 1.0], [2.0, 5.0, 0.0]]))
    array([1, 2])
    """
    D = np.asarray(D, dtype=np.float64)
    axis %= max(D.ndim, 1)
    is_last = axis == D.ndim - 1
    if 0 < D.size <= _FEW:
        if is_last and D.ndim == 2 and len(D) == 1:
            return np.array([_first_least(D[0].tolist())])
        low = D.min(axis=axis, keepdims=True)
        return np.asarray((low + TIE * np.abs(low) >= D).argmax(axis=axis))
    D = D if is_last else np.moveaxis(D, axis, -1)
    rows = np.ascontiguousarray(D).reshape(-1, D.shape[-1])
    found = np.zeros(len(rows), dtype=np.intp)
    if rows.shape[1]:
        _first_least_of_rows(rows, found)
    return found.reshape(D.shape[:-1])


def first_argmax(D: Array, axis: int = -1) -> IntArray:
    """Index of the largest number along an axis; of those equal up to rounding, the first.

    Parameters
    ----------
    D : array
        Numbers.
    axis : int, default=-1
        Along which to look.

    Returns
    -------
    array of int
        Indices.

    Examples
    --------
    >>> import numpy as np
    >>> int(first_argmax(np.array([1.0, 2.0, 2.0 + 1e-15])))
    1
    """
    return first_argmin(-np.asarray(D), axis)


def steady_order(values: Array, turn: int = 0) -> IntArray:
    """Indices that sort numbers, rising; those equal up to rounding keep their order.

    ``turn`` lets each run of equals begin so many places later, and end with those before.

    Parameters
    ----------
    values : array of shape (n,)
        Numbers.
    turn : int, default=0
        By how many places runs of equals are turned.

    Returns
    -------
    array of int of shape (n,)
        Indices.

    Examples
    --------
    >>> import numpy as np
    >>> steady_order(np.array([1.0 + 1e-15, 3.0, 1.0, 0.0]))
    array([3, 0, 2, 1])
    >>> steady_order(np.array([1.0 + 1e-15, 3.0, 1.0, 0.0]), turn=1)
    array([3, 2, 0, 1])
    """
    values = np.asarray(values, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    rising = values[order]
    apart = np.diff(rising) > TIE * np.minimum(np.abs(rising[1:]), np.abs(rising[:-1]))
    starts = np.flatnonzero(np.concatenate([[True], apart])[: len(values)])
    for start, stop in zip(starts, [*starts[1:], len(values)]):
        if stop - start > 1:
            order[start:stop] = np.roll(np.sort(order[start:stop]), -turn)
    return order


def level(values: Array) -> Array:
    """The numbers, those equal up to rounding of the largest made equal: their ranks are shared.

    Parameters
    ----------
    values : array of shape (n,)
        Numbers.

    Returns
    -------
    array of shape (n,)
        Each moved by rounding at most.

    Examples
    --------
    >>> import numpy as np
    >>> level(np.array([1e-16, 2.0, 0.0, 2.0 - 1e-15])).tolist()
    [0.0, 1.999999999999999, 0.0, 1.999999999999999]
    """
    values = np.asarray(values, dtype=np.float64)
    order = np.argsort(values, axis=None, kind="stable")
    rising = values.ravel()[order]
    apart = np.diff(rising) > TIE * np.abs(rising).max(initial=0.0)
    first = np.flatnonzero(np.concatenate([[True], apart])[: len(rising)])
    levelled = np.empty(rising.shape)
    levelled[order] = np.repeat(rising[first], np.diff([*first, len(rising)]))
    return levelled.reshape(values.shape)
