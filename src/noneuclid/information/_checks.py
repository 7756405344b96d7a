"""What the functions here ask of widths, weights and levels: one sentence before any work."""

import sys
import warnings
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_array

from noneuclid.typing import Array

# Weights whose sum is nearer to one than this were meant to sum to one.
_ROUNDED = 1e-6


def check_choice(name: str, value: Any, allowed: tuple[str, ...]) -> None:
    """Raise unless the value is one of the names allowed."""
    if not isinstance(value, str) or value not in allowed:
        names = ", ".join(f'"{choice}"' for choice in allowed)
        raise ValueError(f"{name} (={value!r}) must be one of {names}")


def is_number(value: Any) -> bool:
    """Whether the value is a real number, not a truth value."""
    return isinstance(value, (Real, np.number)) and not isinstance(value, (bool, np.bool_))


def check_width(width: Any, name: str = "width") -> float:
    """Return the width as a float; raise unless it is a positive number."""
    if not is_number(width) or not 0 < float(width) < np.inf:
        raise ValueError(f"{name} (={width!r}) must be a positive number")
    return float(width)


def check_widths(width: Any) -> tuple[float | None, float | None]:
    """Return a width for each of two arguments, from one number or a pair; None where absent."""
    pair = width if isinstance(width, (tuple, list)) else (width, width)
    if len(pair) != 2:
        raise ValueError(f"width (={width!r}) must be one number or a pair, one per argument")
    first, second = (None if w is None else check_width(w) for w in pair)
    return first, second


def check_weights(weights: ArrayLike | None, n: int, name: str = "weights") -> Array:
    """Return n weights that sum to one; others are normalised, with a warning that says so."""
    if weights is None:
        return np.full(n, 1.0 / n)
    values = np.array(weights, dtype=np.float64)
    if values.shape != (n,):
        raise ValueError(f"{name} must be {n} numbers, one per sample; its shape is {values.shape}")
    if not np.isfinite(values).all() or (values < 0).any():
        raise ValueError(f"{name} must be finite and not negative: they are shares of the samples")
    total = float(values.sum())
    if not 0 < total < np.inf:
        raise ValueError(f"{name} sum to {total}: at least one must be positive")
    if abs(total - 1.0) > _ROUNDED:
        warnings.warn(
            f"{name} sum to {total:.6g}, not to one: they were divided by their sum",
            UserWarning,
            stacklevel=4,
        )
    return values / total


def weight_pair(weights: Any) -> tuple[Any, Any]:
    """Return the weights of two arguments, from None or a pair."""
    if weights is None:
        return None, None
    if not isinstance(weights, tuple) or len(weights) != 2:
        raise ValueError("weights must be a tuple of two, for X and for Y; either may be None")
    return weights


def is_dask(X: Any) -> bool:
    """Whether X is a dask array; dask itself is not imported to find out."""
    module = sys.modules.get("dask.array")
    return module is not None and isinstance(X, module.Array)


def check_rows(X: Any, name: str = "X", *, least: int = 1) -> Array:
    """Return samples as rows of a C-ordered float array; raise for NaN and too few of them."""
    rows: Array = check_array(X, dtype=np.float64, order="C", ensure_min_samples=0, input_name=name)
    if len(rows) < least:
        count = {1: "one sample", 2: "two samples"}.get(least, f"{least} samples")
        raise ValueError(f"{name} must hold at least {count}; it has {len(rows)}")
    return rows


def align_columns(X: Any, Y: Any) -> Any:
    """Return Y with the columns in the order of X, if both are tables; raise if names differ."""
    if not (hasattr(X, "columns") and hasattr(Y, "columns")):
        return Y
    names, others = list(X.columns), list(Y.columns)
    if names == others:
        return Y
    if set(names) != set(others):
        odd = sorted(map(str, set(names) ^ set(others)))
        raise ValueError(f"only one of the two tables has the columns {', '.join(odd)}")
    return Y[names]


def check_same_features(d: int, other: int) -> None:
    """Raise unless two arguments have the same dimension."""
    if d != other:
        raise ValueError(f"X has {d} features and Y has {other}: they must agree")


def check_tolerance(low_rank: Any) -> float:
    """Return the tolerance of a low-rank approximation."""
    if not is_number(low_rank) or not 0 < float(low_rank) < 1:
        raise ValueError(f"low_rank (={low_rank!r}) must be a tolerance between 0 and 1")
    return float(low_rank)


def check_level(level: Any) -> float:
    """Return the level of a test."""
    if not is_number(level) or not 0 < float(level) < 1:
        raise ValueError(f"level (={level!r}) must lie between 0 and 1")
    return float(level)


def check_permutations(n_permutations: Any, level: Any, n_tests: int = 1) -> tuple[int, float]:
    """Return the number of permutations and the level, if the first can reach the second."""
    level = check_level(level)
    whole = isinstance(n_permutations, Integral) and not isinstance(n_permutations, bool)
    if not whole or n_permutations < 1:
        raise ValueError(f"n_permutations (={n_permutations!r}) must be a positive integer")
    needed = int(np.ceil(n_tests / level * (1 - 1e-12))) - 1
    if n_permutations < needed:
        among = f" among {n_tests} tests" if n_tests > 1 else ""
        raise ValueError(
            f"n_permutations (={n_permutations}) is too few for level {level}{among}: the "
            f"smallest p-value would be {1 / (1 + n_permutations):.3g}; use at least {needed}"
        )
    return int(n_permutations), level
