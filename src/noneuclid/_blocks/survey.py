"""The first pass over blocks: what there is in them, or what is wrong with one of them."""

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import joblib
import numpy as np

from noneuclid._data import check_array, check_labels, check_range, is_absent
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
    columns: tuple[Any, ...] | None = None
    """Names of the columns that every block of a table must have, in this order."""


def part_of(X: Any, y: Any, weights: Any, start: int, rows: bool) -> Part:
    if rows and not (type(X) is np.ndarray and X.dtype == np.float64 and X.flags.c_contiguous):
        X = check_array(X, dtype=np.float64, order="C", ensure_all_finite=False)
    elif not (rows or isinstance(X, (list, np.ndarray)) or hasattr(X, "columns")):
        X = list(X)
    labels = None if y is None else column(y)
    return Part(X, labels, None if weights is None else np.asarray(weights, float).ravel(), start)


def column(y: Any) -> np.ndarray:
    """Labels or targets of a block, one or one row per sample."""
    values = as_given(y)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values.ravel()
    if values.dtype != object:
        return values
    if values.ndim > 1 or _are_alike(values):
        return np.array(values.tolist())
    return _objects([np.nan if v is not None and is_absent(v) else v for v in values])


def as_given(y: Any) -> np.ndarray:
    """Labels as an array: gaps, and numbers beside text, which numpy writes as text, stay."""
    if np.ma.is_masked(y):
        values = np.array(y.data, dtype=object)
        values[np.ma.getmaskarray(y)] = None
        return values
    if not isinstance(y, (list, tuple)) or any(_is_row(v) for v in y):
        return np.asarray(y)
    found = _objects(y)
    return np.asarray(y) if _are_alike(found) else found


def _is_row(label: Any) -> bool:
    return isinstance(label, (list, tuple, np.ndarray)) and np.ndim(label) > 0


def _objects(values: Sequence[Any]) -> np.ndarray:
    found = np.empty(len(values), dtype=object)
    found[:] = values
    return found


def _are_alike(labels: np.ndarray) -> bool:
    """Whether no label is absent, and all are text or none is."""
    kinds = {isinstance(label, str) for label in labels}
    return len(kinds) < 2 and not any(map(is_absent, labels))


class Found(NamedTuple):
    """What there is in a block that is all right."""

    size: int
    total: Array | None
    largest: float
    """The largest modulus."""
    labels: dict[Any, int]
    masses: dict[Any, float]
    marks: Any
    kinds: frozenset[bool]
    """Whether there is text among the labels, and whether there is anything else."""


def surveyed(X: Any, y: Any, weights: Any, k: int, look: Look) -> Any:
    """What there is in a block, or what is wrong with it."""
    try:
        return _found(X, y, weights, k, look)
    except (ValueError, TypeError) as error:
        return type(error)(str(error))


def _found(X: Any, y: Any, weights: Any, k: int, look: Look) -> Found:
    X = X if hasattr(X, "__len__") else list(X)
    n = len(X)
    for values, name in ((y, "y"), (weights, "sample_weight")):
        if values is not None and len(values) != n:
            raise ValueError(f"block {k} has {n} samples, but {len(values)} of {name}")
    if n == 0:
        return Found(0, None, 0.0, {}, {}, None, frozenset())
    total, largest, rows = None, 0.0, None
    if look.rows:
        _refuse_other_columns(X, k, look)
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
        known = _in_block(k, lambda: check_labels(column(y), look.learner))
        names, index, counts = np.unique(known, return_inverse=True, return_counts=True)
        labels = dict(zip(names.tolist(), counts.tolist()))
        if mass is not None:
            masses = dict(zip(names.tolist(), np.bincount(index, mass).tolist()))
    marks = _marks(X if rows is None else rows, y, mass, k) if look.marks else None
    return Found(n, total, largest, labels, masses, marks, _kinds(y))


def _kinds(y: Any) -> frozenset[bool]:
    values = np.empty(0) if y is None else column(y)
    if values.dtype != object:
        return frozenset([values.dtype.kind == "U"] if values.size else [])
    return frozenset(isinstance(v, str) for v in values.ravel() if not is_absent(v))


def _marks(X: Any, y: Any, mass: Array | None, k: int) -> dict[str, Any]:
    """Sums with weights that differ from sample to sample, so that their order counts."""
    r = np.random.default_rng(k).uniform(0.5, 1.5, size=len(X))
    marks: dict[str, Any] = {
        "X": r @ X if isinstance(X, np.ndarray) and X.dtype != object else _hashed(X)
    }
    if mass is not None:
        marks["weights"] = float(r @ mass)
    if y is not None:
        values = column(y)
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


def _refuse_other_columns(X: Any, k: int, look: Look) -> None:
    """Raise for a block whose columns, which are taken by their places, are others."""
    if look.columns is None or not hasattr(X, "columns") or tuple(X.columns) == look.columns:
        return
    wrong = [name for name in X.columns if name not in look.columns]
    lost = [name for name in look.columns if name not in X.columns]
    what = f"has the column {str(wrong[0])!r}" if wrong else "has its columns in another order"
    what = f"has no column {str(lost[0])!r}" if lost else what
    raise ValueError(
        f"block {k} of {look.name} {what}: give every block the columns of the collection, "
        "in their order"
    )


def _refuse_infinite(rows: Array, total: Array, k: int, look: Look) -> None:
    if np.isfinite(total).all() or np.isfinite(rows).all():
        return
    i = int(np.flatnonzero(~np.isfinite(rows).all(axis=1))[0])
    what = "NaN, a missing value" if np.isnan(rows[i]).any() else "infinity"
    raise ValueError(
        f"Input {look.name} contains {what}, in row {i} of block {k}, which {look.learner} does "
        "not take in blocks: fill it, or leave out the row"
    )


def check_together(found: list[Found], look: Look) -> None:
    """Raise for what no block can know alone."""
    name = look.name
    if sum(part.size for part in found) == 0:
        raise ValueError(f"{name} has no samples, and {look.learner} needs some")
    if len(frozenset().union(*(part.kinds for part in found))) > 1:
        raise ValueError("y mixes text and numbers: labels must be of one type")
    widths = {len(part.total) for part in found if part.total is not None}
    if len(widths) > 1:
        raise ValueError(f"blocks of {name} have different numbers of features: {sorted(widths)}")
    if look.rows:
        largest = max(part.largest for part in found)
        check_range(np.array([[largest]]), name)


def known_together(found: list[Found]) -> Survey:
    """What all blocks have together."""
    labels: Counter[Any] = Counter()
    masses: Counter[Any] = Counter()
    total = None
    for part in found:
        labels.update(part.labels)
        masses.update(part.masses)
        if part.total is not None:
            total = part.total if total is None else total + part.total
    weighted = dict(sorted(masses.items())) if masses else None
    marks = [part.marks for part in found if part.marks is not None]
    return Survey(
        [part.size for part in found], total, dict(sorted(labels.items())), weighted, marks
    )
