"""What may be given to a search over geometries."""

from collections.abc import Callable
from typing import Annotated, Any, Literal

from sklearn.metrics import get_scorer_names

from noneuclid._checks import is_count
from noneuclid._parameters import Rule
from noneuclid.kernels import Kernel
from noneuclid.spaces import Space


def _each(value: Any, holds: Callable[[Any], bool]) -> bool:
    """Whether it is a list or a dictionary of names, not empty, of the kind."""
    if isinstance(value, dict):
        return bool(value) and all(isinstance(k, str) and holds(v) for k, v in value.items())
    return isinstance(value, list | tuple) and bool(value) and all(map(holds, value))


def _learns(value: Any) -> bool:
    return all(hasattr(value, name) for name in ("fit", "get_params")) and not _is_class(value)


def _is_part(value: Any) -> bool:
    known = isinstance(value, Space | Kernel) or callable(value)
    return (isinstance(value, str) and bool(value)) or (known and not _is_class(value))


def _is_class(value: Any) -> bool:
    return isinstance(value, type)


def _is_scoring(value: Any) -> bool:
    return isinstance(value, str) and value in get_scorer_names()


def _is_split(value: Any) -> bool:
    return isinstance(value, list | tuple) and len(value) == 2


Folds = Annotated[int, Rule("an integer, at least 2", lambda k: is_count(k, 2))]
Splits = Annotated[
    Any,
    Rule("an integer, at least 2", lambda k: is_count(k, 2)),
    Rule(
        "a list of two pairs or more of indices, of training and test parts",
        lambda v: isinstance(v, list | tuple) and len(v) > 1 and all(map(_is_split, v)),
    ),
]
Learners = Annotated[
    Any,
    Literal["auto"],
    Rule("an estimator, a list or a dictionary of them", lambda v: _learns(v) or _each(v, _learns)),
]
Parts = Annotated[
    Any,
    Literal["auto"],
    Rule(
        "a list or a dictionary of spaces, kernels, metrics or their names",
        lambda v: _each(v, _is_part),
    ),
]
Scoring = Annotated[Any, Rule("a name of a score of scikit-learn", _is_scoring), None]
Jobs = Annotated[
    Any, Rule("an integer other than 0", lambda k: is_count(k, -(2**15)) and k != 0), None
]


def named(things: Any) -> dict[str, Any]:
    """Learners or geometries by their names."""
    if isinstance(things, dict):
        return things
    several = things if isinstance(things, list | tuple) else [things]
    found: dict[str, Any] = {}
    for one in several:
        name = one if isinstance(one, str) else type(one).__name__
        while name in found:
            name = repr(one) if repr(one) not in found else f"{name}'"
        found[name] = one
    return found
