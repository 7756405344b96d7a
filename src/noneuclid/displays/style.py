"""What every figure shares, on pages and in matplotlib: colours, marks, names, order of classes."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from noneuclid._text import visible
from noneuclid.typing import IntArray

# All at least 4.5 : 1 on white, told apart by colour-blind readers together with the shapes.
COLOURS = ("#0b62a4", "#b85c00", "#00755a", "#a03b7c", "#6b5d00", "#00708a", "#b3261e", "#555555")
SHAPES = ("circle", "square", "triangle", "diamond", "down", "cross", "plus", "hexagon")
# The same shapes as matplotlib calls them.
MARKERS = "os^DvXPh"
POSITIVE, NEGATIVE, ZERO = COLOURS[0], COLOURS[1], "#a6a6a6"
QUIET = "#555555"
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
    n : int
        How many objects there are.
    what : str, default="objects"
        What they are called if the labels are not as many.

    Examples
    --------
    >>> class_order(["b", "a", "b"], 3)
    (['a', 'b'], array([1, 0, 1]))
    """
    if labels is None:
        return [], np.zeros(n, dtype=int)
    names = np.asarray(labels)
    if names.shape != (n,):
        raise ValueError(f"there are {n} {what} but labels of shape {names.shape}")
    classes, codes = np.unique(names, return_inverse=True)
    return classes.tolist(), codes
