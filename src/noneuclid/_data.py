"""The door for tables of numbers: scikit-learn's checks, and one sentence for what is none.

:func:`check_array` and :func:`validate_data` take what scikit-learn's functions of these names do.
What those let in without a word, although it is no number, or a number that is not there, is
refused, and what they say in paragraphs is said in one sentence.
"""

from typing import Any, NoReturn

import numpy as np
from sklearn.utils import validation

from noneuclid.typing import Array

# Squares of smaller values, relative to which sixteen digits are kept, are no normal numbers.
_LEAST = 1e-140
_MOST = float(np.finfo(np.float64).max)
_LONGEST = 200


def check_array(X: Any, *, input_name: str = "X", **options: Any) -> Array:
    """Return a matrix of numbers, or raise; as scikit-learn's function of this name."""
    given = _entered(X, input_name, options)
    try:
        checked: Array = validation.check_array(given, input_name=input_name, **options)
    except (TypeError, ValueError) as error:
        _refuse(error, X, input_name, options.get("estimator"))
    return checked


def validate_data(owner: Any, X: Any, y: Any = "no_validation", **options: Any) -> Any:
    """Return rows of numbers (and labels), or raise; as scikit-learn's function of this name.

    Rows whose squares are beyond the range of numbers are refused, too; new ones (``reset=False``)
    may be tiny.
    """
    if options.get("skip_check_array"):
        return validation.validate_data(owner, X, y, **options)
    given = _entered(X, "X", options)
    try:
        checked = validation.validate_data(owner, given, y, **options)
    except (TypeError, ValueError) as error:
        _refuse(error, X, "X", owner)
    rows = checked[0] if isinstance(checked, tuple) else checked
    check_range(rows, tiny=not options.get("reset", True))
    return checked


def check_range(X: Array, name: str = "X", *, tiny: bool = False) -> Array:
    """Return X, or raise if sums of squared differences overflow, or all of them vanish.

    Parameters
    ----------
    X : array of numbers; NaN and infinity are not its concern
    name : str, default="X"
    tiny : bool, default=False
        Whether tiny values are all right, as beside others that are not.
    """
    size = max(X.size, 1)
    if X.flags.c_contiguous:  # a sum of squares settles nearly all cases in one reading
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            total = float(np.vdot(X, X)) * 16.0 * size
        if 16.0 * size**2 * _LEAST**2 < total < _MOST:
            return X
    with np.errstate(invalid="ignore"):
        largest = float(np.abs(X).max(initial=0.0, where=np.isfinite(X)))
    if largest > np.sqrt(_MOST / (16.0 * size)):
        raise ValueError(
            f"{name} holds values up to {largest:.0e}, whose squared distances overflow: rescale it"
        )
    if 0.0 < largest < _LEAST and not tiny:
        raise ValueError(
            f"{name} holds values up to {largest:.0e} only, whose squared distances vanish: "
            "rescale it"
        )
    return X


def all_finite(values: Any) -> bool:
    """Whether all numbers are finite; their sum tells in one reading, unless it overflows."""
    with np.errstate(over="ignore", invalid="ignore"):
        total = np.sum(values)
    return bool(np.isfinite(total) or np.isfinite(values).all())


def _entered(X: Any, name: str, options: dict[str, Any]) -> Any:
    """What scikit-learn may look at: no masks, no times, no two columns of one name."""
    if np.ma.isMaskedArray(X):
        mask = np.ma.getmaskarray(X)
        if not mask.any():
            return X.data
        if options.get("ensure_all_finite") == "allow-nan":
            return X.astype(np.float64).filled(np.nan)
        raise ValueError(
            f"{name} has {int(mask.sum())} masked entries, and missing values are not taken here: "
            "fill them, or leave out their rows"
        )
    if getattr(getattr(X, "dtype", None), "kind", "") in ("M", "m"):
        raise TypeError(f"{name} holds times: give numbers, such as seconds since the first")
    names = getattr(X, "columns", None)
    if names is not None and len(set(names)) < len(names):
        twice = next(name for k, name in enumerate(names) if name in names[:k])
        raise ValueError(f"{name} has two columns called {twice!r}: give each its own name")
    return X


def _refuse(error: Exception, X: Any, name: str, owner: Any) -> NoReturn:
    """Say in one sentence what scikit-learn, numpy or pandas say in many."""
    words = str(error)
    if "contains NaN" in words and "Input y" not in words:
        who = "" if owner is None else f"{type(owner).__name__} takes no missing values, "
        advice = getattr(owner, "_advice_on_missing", "fill them, or leave out their rows")
        raise ValueError(f"Input {name} contains NaN: {who}{advice}") from None
    if "Complex data not supported" in words:
        raise ValueError(
            f"Complex data not supported: {name} holds complex numbers, give their parts or moduli"
        ) from None
    if "Expected 2D array" in words or "Found array with dim" in words:
        shape = np.shape(X)
        raise ValueError(
            f"{name} must be two-dimensional, one row per sample, and its shape is {shape}. "
            f"Reshape your data: {name}.reshape(-1, 1) is one feature, {name}.reshape(1, -1) one "
            "sample"
        ) from None
    if "inhomogeneous" in words:
        raise ValueError(f"{name} has rows of different lengths: it must be a table") from None
    if "convert string" in words or "must be a string or" in words or "promoted" in words:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"{name} must hold numbers: {_first_line(words)}") from None
    if "\n" in words or len(words) > _LONGEST:
        raise type(error)(_first_line(words)) from None
    raise error


def _first_line(words: str) -> str:
    line = words.strip().splitlines()[0]
    return line if len(line) <= _LONGEST else line[:_LONGEST] + " …"
