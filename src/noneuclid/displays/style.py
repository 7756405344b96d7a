"""What every figure shares, on pages and in matplotlib: colours, marks, names, order of classes."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from noneuclid._data import is_absent
from noneuclid._text import visible
from noneuclid.typing import IntArray

# All at least 4.5 : 1 on white, told apart by colour-blind readers together with the shapes.
COLOURS = ("#0b62a4", "#b85c00", "#00755a", "#a03b7c", "#6b5d00", "#00708a", "#b3261e", "#555555")
SHAPES = ("circle", "square", "triangle", "diamond", "down", "cross", "plus", "hexagon")
# The same shapes as matplotlib calls them.
MARKERS = "os^DvXPh"
POSITIVE, NEGATIVE, ZERO = COLOURS[0], COLOURS[1], "#a6a6a6"
QUIET = "#555555"


class _NoLabel(str):
    """A name that is no name: a class of the data may be called the same."""

    __slots__ = ()
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other

    def __reduce__(self) -> str:
        return "NO_LABEL"


NO_LABEL = _NoLabel("no label")
EMPTY = "#eef1f4"
SPARSE_METHODS = {
    "full": "full model",
    "nearest": "nearest objects",
    "hull": "largest coefficients",
    "omp": "matching pursuit",
    "meb": "enclosing balls",
    "training": "sparse training",
}


def colour(k: int) -> str:
    """The colour of class k.

    Examples
    --------
    >>> colour(0) == colour(8) == COLOURS[0]
    True
    """
    return COLOURS[k % len(COLOURS)]


def shape(k: int) -> str:
    """The shape of the mark of class k; shapes go round slower than colours.

    Examples
    --------
    >>> shape(0), shape(8)
    ('circle', 'square')
    """
    return SHAPES[(k + k // len(COLOURS)) % len(SHAPES)]


def marker(k: int) -> str:
    """The same for matplotlib."""
    return MARKERS[SHAPES.index(shape(k))]


def written(name: object) -> str:
    r"""A name of the data as matplotlib shows it letter by letter.

    Dollars would begin a formula, and what begins with an underscore is left out of legends.

    Examples
    --------
    >>> written("$x$"), written("_a\n")
    ('\\$x\\$', '\u200a_a\\n')
    """
    text = visible(name).replace("$", r"\$")
    return f"\u200a{text}" if text.startswith("_") else text


def class_order(
    labels: ArrayLike | None, n: int, what: str = "objects"
) -> tuple[list[Any], IntArray]:
    """The classes in the order in which figures number them, and the number of every object's.

    Parameters
    ----------
    labels : array of shape (n,), optional
        None and NaN are no labels: those objects are in a class of their own, the last.
    n : int
        How many objects there are.
    what : str, default="objects"
        What they are called if the labels are not as many.

    Examples
    --------
    >>> class_order(["b", "a", "b"], 3)
    (['a', 'b'], array([1, 0, 1]))
    >>> class_order(["b", None, "a"], 3)
    (['a', 'b', 'no label'], array([1, 2, 0]))
    """
    if labels is None:
        return [], np.zeros(n, dtype=int)
    # As objects: numpy would write gaps in a list of text down as text.
    names = np.asarray(labels, dtype=object if isinstance(labels, (list, tuple)) else None)
    if names.shape != (n,):
        raise ValueError(f"there are {n} {what} but labels of shape {names.shape}")
    gone = np.array([names.dtype.kind in "Of" and is_absent(name) for name in names], dtype=bool)
    known = np.array(names[~gone].tolist()) if names.dtype == object else names[~gone]
    classes, codes = np.unique(known, return_inverse=True)
    if not gone.any():
        return classes.tolist(), codes
    all_codes = np.full(n, len(classes))
    all_codes[~gone] = codes
    return [*classes.tolist(), NO_LABEL], all_codes


def class_colour(k: int, name: Any) -> str:
    """The colour of class k, or grey for what has no label."""
    return ZERO if name is NO_LABEL else colour(k)
