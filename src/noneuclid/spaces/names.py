"""Spaces by name."""

import re
from typing import Annotated, Any

from sklearn.base import clone

from noneuclid._checks import shown
from noneuclid._parameters import Made
from noneuclid.spaces.base import IncompatibleSpace, Space
from noneuclid.spaces.hilbert import Euclidean
from noneuclid.spaces.linear import LinearSpace
from noneuclid.spaces.lp import Lp
from noneuclid.spaces.sobolev import Sobolev

_LP = re.compile(r"l(\d+(?:\.\d+)?|inf)")


def as_space(space: str | Space) -> Space:
    """Return the space itself, or the one a name stands for.

    ``"l2"`` or ``"euclidean"``, ``"l1"``, ``"l1.5"``, ``"linf"`` …, ``"sobolev"``.

    Parameters
    ----------
    space : str or Space
        A name or a space.

    Returns
    -------
    Space
        Itself if it is one already.

    Examples
    --------
    >>> as_space("l1.5")
    Lp(p=1.5)
    >>> as_space("l2")
    Euclidean()
    """
    if isinstance(space, Space):
        return space
    if not isinstance(space, str):
        raise TypeError(f"space (={shown(space)}) must be a name or a Space")
    if space in ("l2", "euclidean"):
        return Euclidean()
    if space == "sobolev":
        return Sobolev()
    match = _LP.fullmatch(space)
    if match is None:
        raise ValueError(
            f'space (={shown(space)}) must be a Space or one of "l2", "l1", "l1.5" (any p), '
            '"linf", "euclidean", "sobolev"'
        )
    p = float(match[1])
    if p < 1:
        raise ValueError(f"space (={space!r}): p must be at least 1")
    return Lp(int(p) if p.is_integer() else p)


def space_for(owner: Any) -> Space:
    """The space of a learner's own, on the grid of the curves it was given, if there is one.

    Parameters
    ----------
    owner : estimator
        With a parameter ``space``; ``curve_grid_`` is the grid.

    Returns
    -------
    Space
    """
    space: Space = clone(as_space(owner.space))
    grid = getattr(owner, "curve_grid_", None)
    return space if grid is None else space.on_grid(grid.positions)


def hilbert_space_for(owner: Any, instead: str = "HebbianPCA takes any") -> LinearSpace:
    """The space of a learner's own that needs a Hilbert space, or a sentence that says why not.

    Parameters
    ----------
    owner : estimator
        With a parameter ``space``.
    instead : str
        What to do in other spaces.

    Returns
    -------
    LinearSpace
        A copy, whose chart is Euclidean.
    """
    space = space_for(owner)
    if not (isinstance(space, LinearSpace) and space.is_hilbert):
        raise IncompatibleSpace(
            f"{type(owner).__name__} needs a Hilbert space, and {space} is none: {instead}"
        )
    return space


SpaceLike = Annotated[str | Space, Made(as_space)]
