"""What the functions here ask of widths, weights and samples: one sentence before any work."""

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from noneuclid._checks import check_share
from noneuclid._data import check_array, check_range
from noneuclid._parameters import Width, check
from noneuclid._warnings import warn
from noneuclid.typing import Array

# Weights whose sum is nearer to one than this were meant to sum to one.
_ROUNDED = 1e-6


def check_width(width: Any) -> float:
    """Return the width as a float; raise unless it is a positive number."""
    check("width", width, Width)
    return float(width)


def as_pair(width: Any) -> tuple[Any, Any]:
    """Return what is said of the widths of two arguments, from one of them or a pair."""
    pair = width if isinstance(width, (tuple, list)) else (width, width)
    if len(pair) != 2:
        raise ValueError(f"width (={width!r}) must be one width, or a pair: one per argument")
    return pair[0], pair[1]


def check_widths(width: Any) -> tuple[float | None, float | None]:
    """Return a width for each of two arguments, from one number or a pair; None where absent."""
    first, second = (None if w is None else check_width(w) for w in as_pair(width))
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
        warn(f"{name} sum to {total:.6g}, not to one: they were divided by their sum")
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


def as_column(X: Any) -> Any:
    """Return n numbers of a variable as one column; whatever is no such array as it is."""
    if getattr(X, "ndim", None) != 1:
        return X
    return (X if isinstance(X, np.ndarray) else np.asarray(X))[:, None]


def check_rows(X: Any, name: str = "X", *, least: int = 1) -> Array:
    """Return samples as rows of a C-ordered float array; raise for NaN and too few of them."""
    rows: Array = check_array(X, dtype=np.float64, order="C", ensure_min_samples=0, input_name=name)
    check_enough(rows, name, least)
    return check_range(rows, name, tiny=True)


def check_enough(samples: Any, name: str, least: int = 2) -> None:
    """Raise unless there are so many samples."""
    if len(samples) < least:
        count = {1: "one sample", 2: "two samples"}[least]
        raise ValueError(f"{name} must hold at least {count}; it has {len(samples)}")


def check_same_columns(names: Sequence[Any], others: Sequence[Any]) -> None:
    """Raise unless two tables have columns of the same names, in whatever order."""
    if set(names) != set(others):
        odd = sorted(map(str, set(names) ^ set(others)))
        raise ValueError(f"only one of the two tables has the columns {', '.join(odd)}")


def check_names(names: Sequence[Any], others: Sequence[Any]) -> list[Any]:
    """Return the names of the columns of two tables; raise unless they are the same, each once."""
    check_same_columns(names, others)
    if len(set(names)) != len(names):
        raise ValueError("the tables have columns of the same name: rename them")
    return list(names)


def align_columns(X: Any, Y: Any) -> Any:
    """Return Y with the columns in the order of X, if both are tables; raise if names differ."""
    if not (hasattr(X, "columns") and hasattr(Y, "columns")):
        return Y
    names, others = list(X.columns), list(Y.columns)
    check_same_columns(names, others)
    return Y if names == others else Y[names]


def check_same_features(d: int, other: int) -> None:
    """Raise unless two arguments have the same dimension."""
    if d != other:
        raise ValueError(f"X has {d} features and Y has {other}: they must agree")


def check_pairs(X: Any, Y: Any) -> None:
    """Raise unless two variables have as many samples."""
    if len(X) != len(Y):
        raise ValueError(f"X has {len(X)} samples and Y has {len(Y)}: they must be pairs")


def check_low_rank(low_rank: Any, *, return_gradient: bool = False) -> None:
    """Raise unless it is None or a tolerance; features of low rank have no gradient."""
    if low_rank is not None:
        check_share("low_rank", low_rank)
        if return_gradient:
            raise ValueError("return_gradient and low_rank cannot be combined")
