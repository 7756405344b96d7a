"""The first pass over blocks: what there is in them, or what is wrong with one of them."""

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import joblib
import numpy as np

from noneuclid._data import check_array, check_labels, check_range
from noneuclid.typing import Array


@dataclass(frozen=True)
class Part:
    """A block of samples: rows of numbers or objects, and what stands beside them."""

    X: Any
    y: np.ndarray | None
    weights: Array | None
    start: int
    """Number of the first sample among all."""

    def __len__(self) -> int:
        return len(self.X)

    def __sizeof__(self) -> int:
        """What a cluster counts as the memory of a block; of objects it cannot be known."""
        there = (self.X, self.y, self.weights)
        return 100 + sum(getattr(values, "nbytes", sys.getsizeof(values)) for values in there)


@dataclass
class Survey:
    """What the first pass finds."""

    sizes: list[int]
    total: Array | None = None
    """Σ_i x_i."""
    labels: dict[Any, int] = field(default_factory=dict)
    """How many samples have each label."""
    masses: dict[Any, float] | None = None
    """The total weight of the samples of each label, where they have weights."""
    marks: list[Any] = field(default_factory=list)
    """By which samples in their order are known again, up to rounding, if that was asked for."""

    @property
    def n(self) -> int:
        """How many samples there are."""
        return int(sum(self.sizes))


@dataclass(frozen=True)
class Look:
    """What the first pass looks for, and in whose name it refuses."""

    learner: str
    rows: bool
    labels: bool
    name: str = "X"
    marks: bool = False


def part_of(X: Any, y: Any, weights: Any, start: int, rows: bool) -> Part:
    if rows and not (type(X) is np.ndarray and X.dtype == np.float64 and X.flags.c_contiguous):
        X = check_array(X, dtype=np.float64, order="C", ensure_all_finite=False)
    elif not (rows or isinstance(X, (list, np.ndarray)) or hasattr(X, "columns")):
        X = list(X)
    labels = None if y is None else _column(y)
    return Part(X, labels, None if weights is None else np.asarray(weights, float).ravel(), start)


def _column(y: Any) -> np.ndarray:
    values = np.asarray(list(y) if isinstance(y, (list, tuple)) else y)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values.ravel()
    return np.array(values.tolist()) if values.dtype == object else values


def surveyed(X: Any, y: Any, weights: Any, k: int, look: Look) -> Any:
    """What there is in a block, or what is wrong with it."""
    try:
        return _found(X, y, weights, k, look)
    except (ValueError, TypeError) as error:
        return type(error)(str(error))


def _found(X: Any, y: Any, weights: Any, k: int, look: Look) -> tuple[Any, ...]:
    """Length, sum, largest modulus, labels, weight and marks of a block that is all right."""
    X = X if hasattr(X, "__len__") else list(X)
    n = len(X)
    for values, name in ((y, "y"), (weights, "sample_weight")):
        if values is not None and len(values) != n:
            raise ValueError(f"block {k} has {n} samples, but {len(values)} of {name}")
    if n == 0:
        return 0, None, 0.0, {}, {}, None
    total, largest, rows = None, 0.0, None
    if look.rows:
        rows = check_array(
            X, dtype=np.float64, order="C", ensure_all_finite=False, input_name=look.name
        )
        total = rows.sum(axis=0)
        _refuse_infinite(rows, total, k, look)
        largest = float(np.abs(rows).max(initial=0.0))
    labels: dict[Any, int] = {}
    masses: dict[Any, float] = {}
    mass = _weights(weights, k)
    if look.labels:
        known = _in_block(k, lambda: check_labels(_column(y), look.learner))
        names, index, counts = np.unique(known, return_inverse=True, return_counts=True)
        labels = dict(zip(names.tolist(), counts.tolist()))
        if mass is not None:
            masses = dict(zip(names.tolist(), np.bincount(index, mass).tolist()))
    marks = _marks(X if rows is None else rows, y, mass, k) if look.marks else None
    return n, total, largest, labels, masses, marks


def _marks(X: Any, y: Any, mass: Array | None, k: int) -> dict[str, Any]:
    """Sums with weights that differ from sample to sample, so that their order counts."""
    r = np.random.default_rng(k).uniform(0.5, 1.5, size=len(X))
    marks: dict[str, Any] = {
        "X": r @ X if isinstance(X, np.ndarray) and X.dtype != object else _hashed(X)
    }
    if mass is not None:
        marks["weights"] = float(r @ mass)
    if y is not None:
        values = _column(y)
        if values.dtype.kind == "f":
            absent = np.isnan(values)
            marks["y"] = r @ np.where(absent, 0.0, values), r @ absent
        else:
            names, index = np.unique(values.astype(str), return_inverse=True)
            marks["y"] = dict(zip(names.tolist(), np.bincount(index.ravel(), r).tolist()))
    return marks


def _hashed(objects: Any) -> str:
    try:
        return str(joblib.hash(list(objects)))
    except Exception:  # of objects that cannot be written down nothing is known
        return ""


def _weights(weights: Any, k: int) -> Array | None:
    if weights is None:
        return None
    values = np.asarray(weights, dtype=np.float64).ravel()
    if not (np.isfinite(values).all() and (values >= 0).all()):
        raise ValueError(
            f"sample_weight must be finite and not negative, and in block {k} it is not"
        )
    return values


def _in_block(k: int, check: Callable[[], Any]) -> Any:
    try:
        return check()
    except ValueError as error:
        raise ValueError(f"block {k}: {error}") from None


def _refuse_infinite(rows: Array, total: Array, k: int, look: Look) -> None:
    if np.isfinite(total).all() or np.isfinite(rows).all():
        return
    i = int(np.flatnonzero(~np.isfinite(rows).all(axis=1))[0])
    what = "NaN, a missing value" if np.isnan(rows[i]).any() else "infinity"
    raise ValueError(
        f"Input {look.name} contains {what}, in row {i} of block {k}, which {look.learner} does "
        "not take in blocks: fill it, or leave out the row"
    )


def check_together(found: list[Any], look: Look) -> None:
    """Raise for what no block can know alone."""
    name = look.name
    if sum(size for size, *_ in found) == 0:
        raise ValueError(f"{name} has no samples, and {look.learner} needs some")
    kinds = {isinstance(label, str) for _, _, _, labels, *_ in found for label in labels}
    if len(kinds) > 1:
        raise ValueError("y mixes text and numbers: labels must be of one type")
    widths = {len(total) for size, total, *_ in found if size and total is not None}
    if len(widths) > 1:
        raise ValueError(f"blocks of {name} have different numbers of features: {sorted(widths)}")
    if look.rows:
        largest = max(part[2] for part in found)
        check_range(np.array([[largest]]), name)


def known_together(found: list[Any]) -> Survey:
    """What all blocks have together."""
    labels: Counter[Any] = Counter()
    masses: Counter[Any] = Counter()
    total = None
    for size, part, _, counts, weights, _ in found:
        labels.update(counts)
        masses.update(weights)
        if size and part is not None:
            total = part if total is None else total + part
    weighted = dict(sorted(masses.items())) if masses else None
    marks = [mark for *_, mark in found if mark is not None]
    return Survey(
        [size for size, *_ in found], total, dict(sorted(labels.items())), weighted, marks
    )
