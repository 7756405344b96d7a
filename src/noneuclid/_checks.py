"""Checks of parameters: one clear sentence before any work is done.

All take the name first, then the value, and say what was given and what is allowed.
"""

import reprlib
from collections.abc import Sequence
from typing import Any

import numpy as np


def is_number(value: Any) -> bool:
    """Whether it is a number of Python or NumPy, and not a truth value.

    Examples
    --------
    >>> is_number(1.5), is_number(True), is_number("1")
    (True, False, False)
    """
    known = isinstance(value, (int, float, np.integer, np.floating))
    return known and not isinstance(value, (bool, np.timedelta64))


def is_count(value: Any, at_least: int = 1) -> bool:
    """Whether it is an integer of at least so much, and not a truth value."""
    whole = is_number(value) and isinstance(value, (int, np.integer))
    return whole and at_least <= int(value) < 2**63


_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 45


def shown(value: Any) -> str:
    """The value in one short line, for a sentence about it.

    Examples
    --------
    >>> shown("sgd"), shown(np.zeros((20, 3)))
    ("'sgd'", 'array of shape (20, 3)')
    """
    if isinstance(value, np.ndarray) and value.size > 3:
        return f"array of shape {value.shape}"
    return " ".join(_SHORT.repr(value).split())


def check_choice(name: str, value: Any, allowed: Sequence[Any]) -> None:
    """Raise unless the value is one of those allowed.

    Examples
    --------
    >>> check_choice("solver", "newton", ("sgd", "lbfgs"))
    Traceback (most recent call last):
    ...
    ValueError: solver (='newton') must be one of "sgd", "lbfgs"
    """
    simple = value is None or isinstance(value, (str, bool))
    if not simple or value not in allowed:
        names = ", ".join(f'"{a}"' if isinstance(a, str) else repr(a) for a in allowed)
        raise ValueError(f"{name} (={shown(value)}) must be one of {names}")


def check_count(name: str, value: Any, at_least: int = 1) -> int:
    """Return an integer of at least so much, or raise.

    Examples
    --------
    >>> check_count("k", 0)
    Traceback (most recent call last):
    ...
    ValueError: k (=0) must be an integer, at least 1
    """
    if not is_count(value, at_least):
        raise ValueError(f"{name} (={shown(value)}) must be an integer, at least {at_least}")
    return int(value)


def check_positive(name: str, value: Any, *, auto: bool = False) -> None:
    """Raise unless the value is a positive number, or ``"auto"`` where that is allowed.

    Examples
    --------
    >>> check_positive("tol", float("nan"))
    Traceback (most recent call last):
    ...
    ValueError: tol (=nan) must be a positive number
    """
    _check(name, value, is_number(value) and 0 < value < np.inf, "a positive number", auto)


def check_at_least(name: str, value: Any, least: float = 0, *, auto: bool = False) -> None:
    """Raise unless the value is a finite number of at least so much, or an allowed ``"auto"``."""
    good = is_number(value) and least <= value < np.inf
    _check(name, value, good, f"a number, at least {least:g}", auto)


def _check(name: str, value: Any, good: bool, what: str, auto: bool) -> None:
    if not good and not (auto and isinstance(value, str) and value == "auto"):
        either = '"auto" or ' if auto else ""
        raise ValueError(f"{name} (={shown(value)}) must be {either}{what}")


def check_share(name: str, value: Any, *, ends: bool = False) -> None:
    """Raise unless the value is a number between 0 and 1, the ends among them or not."""
    if not (is_number(value) and (0 <= value <= 1 if ends else 0 < value < 1)):
        included = " inclusive" if ends else ""
        raise ValueError(f"{name} (={shown(value)}) must be a number between 0 and 1{included}")
