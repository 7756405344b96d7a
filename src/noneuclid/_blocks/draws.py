"""Bounded samples of all blocks, which do not depend on where blocks begin."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from noneuclid._blocks.survey import Part
from noneuclid.typing import Array

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


class Drawn(NamedTuple):
    """Some of all samples, in their order."""

    X: Any
    y: np.ndarray | None
    weights: Array | None
    rows: np.ndarray
    """Their numbers among all samples."""


def lots(seed: int, start: int, n: int) -> np.ndarray:
    """A pseudo-random number for each of n samples by its number (splitmix64)."""
    with np.errstate(over="ignore"):
        z = np.arange(start, start + n, dtype=np.uint64) + np.uint64(1)
        z = z * _GOLDEN + np.uint64(seed) * np.uint64(0xD1B54A32D192ED03)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return np.asarray(z ^ (z >> np.uint64(31)))


def taken(X: Any, rows: Any) -> Any:
    return X[rows] if isinstance(X, np.ndarray) else [X[i] for i in rows]


def _least(lot: np.ndarray, y: np.ndarray | None, most: int, per_class: bool) -> np.ndarray:
    """Positions of the samples with the least lots, of each class or of all, in their order."""
    order = np.argsort(lot, kind="stable")
    if not per_class or y is None:
        return np.sort(order[:most])
    chosen = [order[y[order] == name][:most] for name in np.unique(y)]
    return np.sort(np.concatenate(chosen))


@dataclass(frozen=True)
class Draw:
    most: int
    per_class: bool

    def __call__(self, part: Part, seed: int) -> tuple[Any, ...]:
        lot = lots(seed, part.start, len(part))
        rows = _least(lot, part.y, self.most, self.per_class)
        beside = (None if v is None else v[rows] for v in (part.y, part.weights))
        return taken(part.X, rows), part.start + rows, *beside, lot[rows]


@dataclass(frozen=True)
class Pick:
    def __call__(self, part: Part, wanted: np.ndarray) -> tuple[Any, ...]:
        inside = (wanted >= part.start) & (wanted < part.start + len(part))
        rows = np.sort(wanted[inside]) - part.start
        beside = (None if v is None else v[rows] for v in (part.y, part.weights))
        return taken(part.X, rows), part.start + rows, *beside, np.zeros(len(rows), np.uint64)


@dataclass(frozen=True)
class Merge:
    most: int
    per_class: bool

    def __call__(self, drawn: list[tuple[Any, ...]]) -> tuple[Any, ...]:
        X, rows, y, weights, lot = (_joined(list(values)) for values in zip(*drawn))
        kept = _least(lot, y, self.most, self.per_class)
        beside = (None if v is None else v[kept] for v in (y, weights))
        return taken(X, kept), rows[kept], *beside, lot[kept]


def _joined(values: list[Any]) -> Any:
    if values[0] is None:
        return None
    if isinstance(values[0], np.ndarray):
        return np.concatenate(values)
    return [value for block in values for value in block]
