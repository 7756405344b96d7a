"""What a parameter may be, said once: its annotation is its check.

``n_init: Count = 1`` and ``solver: Literal["sgd", "lbfgs"] = "sgd"`` say to the reader, to mypy and
to ``fit`` what is allowed. The decorator ``estimator`` has every ``fit`` begin with
:func:`check_parameters`. What parameters have to do with each other is said by a method
``_check_params`` of the class; those of its bases are asked first, without ``super()``.
"""

import functools
import inspect
import os
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import numpy as np
from numpy.typing import ArrayLike

from noneuclid._checks import is_count, is_number, shown
from noneuclid._sklearn import BaseEstimator


class InvalidParameter(ValueError, TypeError):
    """A parameter is not what it may be."""


@dataclass(frozen=True)
class Rule:
    """Values that a parameter may have: in words that follow "must be", and as a test."""

    words: str
    holds: Callable[[Any], bool]

    def __repr__(self) -> str:
        return self.words


@dataclass(frozen=True)
class Made:
    """Whatever a function accepts, which says itself what it refuses, and makes a part of it."""

    by: Callable[[Any], Any]

    def __repr__(self) -> str:
        return f"what {self.by.__name__} accepts"


Rules = tuple[Rule | Made, ...]
F = TypeVar("F", bound=Callable[..., Any])


def numbers(value: Any) -> np.ndarray | None:
    """The value as an array of real numbers, or None if it is none."""
    try:
        array = np.asarray(value)
    except (TypeError, ValueError):
        return None
    return array if array.dtype.kind in "iuf" and not np.ma.is_masked(value) else None


def _plain(value: Any) -> float:
    """The number as Python has it: a bound may be beyond float16, and an int beyond all floats."""
    try:
        return float(value)
    except OverflowError:
        return np.inf if value > 0 else -np.inf


def _within(low: float, high: float, *, ends: bool = False) -> Callable[[Any], bool]:
    def holds(value: Any) -> bool:
        if not is_number(value):
            return False
        size = _plain(value)
        return low <= size <= high if ends else low < size < high

    return holds


def _is_seed(value: Any) -> bool:
    known = value is None or isinstance(value, np.random.RandomState)
    return known or (is_count(value, 0) and value < 2**32)


def is_array(value: Any) -> bool:
    """Whether these are several numbers, in whatever form."""
    array = numbers(value)
    return array is not None and array.ndim > 0


def _is_matrix(value: Any) -> bool:
    array = numbers(value)
    return array is not None and array.ndim == 2 and array.size > 0 and np.isfinite(array).all()


def are_positive(value: Any) -> bool:
    """Whether these are positive finite numbers in a row, at least one of them."""
    array = numbers(value)
    if array is None or array.ndim != 1 or len(array) == 0:
        return False
    return bool(np.isfinite(array).all() and (array > 0).all())


def is_indices(value: Any) -> bool:
    """Whether these are integers, at least one of them."""
    array = numbers(value)
    return array is not None and array.ndim == 1 and array.size > 0 and array.dtype.kind in "iu"


def is_pair(value: Any, holds: Callable[[Any], bool]) -> bool:
    """Whether these are two of the kind."""
    return isinstance(value, (tuple, list)) and len(value) == 2 and all(map(holds, value))


def _is_path(text: str) -> bool:
    return bool(text.strip()) and "\0" not in text


Count = Annotated[int, Rule("an integer, at least 1", is_count)]
Folder = Annotated[
    str | os.PathLike[str],
    Rule("the path of a folder", lambda v: isinstance(v, (str, os.PathLike)) and _is_path(str(v))),
]
Whole = Annotated[int, Rule("an integer, at least 0", lambda k: is_count(k, 0))]
Positive = Annotated[float, Rule("a positive number", _within(0.0, np.inf))]
NotNegative = Annotated[
    float, Rule("a number, at least 0", lambda v: is_number(v) and 0 <= _plain(v) < np.inf)
]
# Squares of these, and of their reciprocals, are numbers of the machine.
_LOWEST, _HIGHEST = 1e-150, 1e150
Width = Annotated[
    float,
    Rule("a positive number (from 1e-150 to 1e150)", _within(_LOWEST, _HIGHEST, ends=True)),
]
AtLeastOne = Annotated[
    float, Rule("a number, at least 1", lambda v: is_number(v) and 1 <= _plain(v) < np.inf)
]
Finite = Annotated[float, Rule("a number", _within(-np.inf, np.inf))]
Share = Annotated[float, Rule("a number between 0 and 1", _within(0.0, 1.0))]
ClosedShare = Annotated[float, Rule("a number between 0 and 1 inclusive", _within(0, 1, ends=True))]
Seed = Annotated[
    int | np.random.RandomState | None,
    Rule("None, a non-negative integer below 2**32 or a numpy RandomState", _is_seed),
]
GeneratorSeed = Annotated[
    int | np.random.Generator | None,
    Rule(
        "None, a non-negative integer or a numpy Generator",
        lambda v: v is None or isinstance(v, np.random.Generator) or is_count(v, 0),
    ),
]
Verbose = Annotated[
    bool, Rule("True or False", lambda v: isinstance(v, (bool, np.bool_)) or is_count(v, 0))
]
Numbers = Annotated[ArrayLike, Rule("an array of numbers", is_array)]
Matrix = Annotated[ArrayLike, Rule("a matrix of finite numbers", _is_matrix)]
Prototypes = Annotated[ArrayLike, Rule("an array of prototypes", is_array)]
Coefficients = Annotated[ArrayLike, Rule("an array of coefficients", is_array)]
Indices = Annotated[ArrayLike, Rule("an array of indices", is_indices)]


def check_parameters(thing: Any) -> None:
    """Raise unless all parameters of an object, and of the objects among them, are allowed.

    Examples
    --------
    >>> from noneuclid.spaces import Lp
    >>> check_parameters(Lp(0.5))
    Traceback (most recent call last):
    ...
    noneuclid._parameters.InvalidParameter: p (=0.5) must be at least 1
    """
    for name, rules in allowed(type(thing)).items():  # type: ignore[arg-type]
        check_value(name, getattr(thing, name), rules)
    for check in _checks(type(thing)):  # type: ignore[arg-type]
        check(thing)


# Parameters that were found to be allowed, of things that are asked again and again.
_SEEN: set[Any] = set()
_MOST_SEEN = 1 << 12
_SIMPLE = frozenset((float, int, str, bool, type(None)))


def check_parameters_once(thing: Any) -> None:
    """As :func:`check_parameters`, for parts: the same numbers and words are looked at once only.

    What a part remembers of itself, under names that begin with an underscore, is no parameter.
    """
    key: list[Any] = [type(thing)]
    for name, value in vars(thing).copy().items():  # another thread may remember something now
        if name[0] != "_":
            kind: Any = type(value)
            if kind is tuple:
                kind = tuple(map(type, value))
                simple = _SIMPLE.issuperset(kind)
            else:
                simple = kind in _SIMPLE
            if not simple:
                check_parameters(thing)
                return
            key += (name, value, kind)
    seen = tuple(key)
    if seen in _SEEN:
        return
    check_parameters(thing)
    if len(_SEEN) >= _MOST_SEEN:
        _SEEN.clear()
    _SEEN.add(seen)


def check_value(name: str, value: Any, rules: Rules) -> None:
    """Raise unless one of the rules allows the value, and what it stands for is allowed itself."""
    made = value
    if not any(rule.holds(value) for rule in rules if isinstance(rule, Rule)):
        makers = [rule for rule in rules if isinstance(rule, Made)]
        if not makers:
            raise InvalidParameter(f"{name} (={shown(value)}) must be {_words(rules)}")
        made = makers[0].by(value)
    if isinstance(made, BaseEstimator):
        check_parameters(made)


def checked(function: F) -> F:
    """Have a function begin with a look at the arguments whose annotations say what is allowed."""
    signature, rules = inspect.signature(function), allowed(function)

    @functools.wraps(function)
    def begin(*args: Any, **kwargs: Any) -> Any:
        for name, value in signature.bind(*args, **kwargs).arguments.items():
            if name in rules:
                check_value(name, value, rules[name])
        return function(*args, **kwargs)

    return begin  # type: ignore[return-value]


def check(name: str, value: Any, kind: Any) -> None:
    """Raise unless an annotation such as ``Positive`` or ``Literal["a", "b"] | None`` allows it.

    Examples
    --------
    >>> check("width", -1.0, Literal["auto"] | Positive)
    Traceback (most recent call last):
    ...
    noneuclid._parameters.InvalidParameter: width (=-1.0) must be "auto" or a positive number
    """
    check_value(name, value, _rules(kind) or ())


def _words(rules: Rules) -> str:
    words = [rule.words for rule in rules if isinstance(rule, Rule)]
    if len(words) > 1 and all(isinstance(rule, _Literal) for rule in rules):
        return "one of " + ", ".join(words)
    return " or ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


@functools.cache
def _checks(cls: type) -> list[Callable[[Any], None]]:
    """What a class and its bases say of parameters together: every class adds to it."""
    own = (vars(base).get("_check_params") for base in reversed(cls.__mro__))
    return [check for check in own if check is not None]


@functools.cache
def allowed(cls: Any) -> dict[str, Rules]:
    """What every parameter of a class or a function may be; those that may be anything left out."""
    parameters = inspect.signature(cls).parameters.values()
    # Of a class, help() shows a signature without them.
    start = getattr(cls, "__init__", None) if isinstance(cls, type) else None
    kinds = getattr(start, "__annotations__", {})
    found = {p.name: _rules(kinds.get(p.name, p.annotation)) for p in parameters}
    return {name: rules for name, rules in found.items() if rules is not None}


class _Literal(Rule):
    """One word, None, True or False."""


def _literal(word: Any) -> _Literal:
    words = f'"{word}"' if isinstance(word, str) else repr(word)
    simple = str if isinstance(word, str) else type(word)
    return _Literal(words, lambda value: isinstance(value, simple) and value == word)


def _rules(annotation: Any) -> Rules | None:
    """What an annotation allows; None if anything.

    In ``Annotated[Any, Literal["auto"] | Positive]`` the second says what is allowed, and the
    first is what type checkers shall believe.
    """
    if isinstance(annotation, Rule | Made):
        return (annotation,)
    if get_origin(annotation) is Annotated:
        own = [_rules(part) or () for part in annotation.__metadata__]
        return sum(own, ()) or _rules(get_args(annotation)[0])
    if get_origin(annotation) in (Union, types.UnionType):
        parts = [_rules(part) for part in get_args(annotation)]
        return None if None in parts else tuple(rule for part in parts for rule in part or ())
    if get_origin(annotation) is Literal:
        return tuple(map(_literal, get_args(annotation)))
    if annotation in (None, type(None)):
        return (_literal(None),)
    if annotation is bool:
        return (Rule("True or False", lambda value: isinstance(value, (bool, np.bool_))),)
    if isinstance(annotation, type) and annotation.__module__.startswith("noneuclid."):
        words = f"{'an' if annotation.__name__[0] in 'AEIOU' else 'a'} {annotation.__name__}"
        return (Rule(words, lambda value: isinstance(value, annotation)),)
    return None
