"""Widths of kernels that may be left to the data."""

from typing import Any, Literal

import numpy as np

from noneuclid._parameters import Positive
from noneuclid.typing import Array

Width = Positive | Literal["scale", "median"]

# Statistics of pairwise distances over more objects than this hardly change and cost the square.
_OBJECTS = 1000


def fixed_width(kernel: Any, width: Width) -> float:
    """Return the width as a number, or raise if a rule has not met data yet."""
    if isinstance(width, str):
        raise ValueError(
            f"{kernel} depends on the data: call resolve(X) first, or give a number as width"
        )
    return float(width)


def some_of(objects: Any) -> Any:
    """At most a thousand of the objects, evenly spread over their order."""
    if len(objects) <= _OBJECTS:
        return objects
    return objects[np.linspace(0, len(objects) - 1, _OBJECTS).astype(int)]


def median_distance(squares: Array, kernel: Any) -> float:
    """The median distance of objects that differ, from the squares of all pairs, which move."""
    positive = _positive(squares, kernel)
    half = len(positive) // 2
    positive.partition(
        half
    )  # squares are in the order of roots: only those in the middle are taken
    upper = np.sqrt(positive[half])
    return float(upper if len(positive) % 2 else (np.sqrt(positive[:half].max()) + upper) / 2.0)


def spread(squares: Array, kernel: Any) -> float:
    r"""The standard deviation of data in their own distance, :math:`\sqrt{\overline{d^2}/2}`.

    In a Hilbert space that is the root mean squared distance from the mean, of n − 1 for n rows.
    """
    return float(np.sqrt(_positive(squares, kernel).sum() / (2 * len(squares))))


def _positive(squares: Array, kernel: Any) -> Array:
    positive = squares if squares.min(initial=np.inf) > 0 else squares[squares > 0]
    if len(positive) == 0:
        raise ValueError(f"{kernel} needs at least two distinct rows to find its width")
    return positive
