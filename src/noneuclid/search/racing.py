"""Successive halving: all candidates on few samples, the better ones on more."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    StratifiedGroupKFold,
    StratifiedKFold,
)
from sklearn.utils import check_random_state

from noneuclid.search.candidates import Candidate
from noneuclid.search.judging import SampleParts, judged, take
from noneuclid.typing import Array, IntArray


@dataclass(frozen=True)
class Rules:
    """How a race is run.

    Parameters
    ----------
    folds : int
        Of the cross-validation that judges candidates.
    factor : int
        One of so many goes on to a set of so many times more samples; 1: all go on to all samples.
    min_samples : int
        The first set has no fewer.
    scoring : str
    is_classification : bool
    n_jobs : int or None
    random_state : RandomState or int or None
    most : int or None
        The last set has no more.
    """

    folds: int
    factor: int
    min_samples: int
    scoring: str
    is_classification: bool
    n_jobs: int | None
    random_state: Any
    most: int | None = None

    def splits(self, y: Array, groups: Any = None) -> list[tuple[IntArray, IntArray]]:
        """Folds of samples with targets y: fewer where a class is small; no group is divided."""
        rng, nothing = check_random_state(self.random_state), np.zeros(len(y))
        if groups is not None:
            kind = StratifiedGroupKFold if self.is_classification else GroupKFold
            folds = max(2, min(self.folds, _fewest_groups(y, groups, self.is_classification)))
            cv = kind(folds, shuffle=True, random_state=rng.randint(2**31))
            return list(cv.split(nothing, y, groups))
        if not self.is_classification:
            folds = max(2, min(self.folds, len(y)))
            return list(KFold(folds, shuffle=True, random_state=rng).split(nothing))
        smallest = int(np.unique(y, return_counts=True)[1].min())
        folds = max(2, min(self.folds, smallest))
        return list(StratifiedKFold(folds, shuffle=True, random_state=rng).split(nothing, y))

    def sizes(self, n_candidates: int, n: int) -> list[int]:
        """How many samples every round sees; the last one all, or as many as are allowed."""
        sizes = [min(n, self.most or n)]
        while self.factor > 1 and n_candidates > self.factor ** len(sizes):
            fewer = sizes[0] // self.factor
            if fewer < self.min_samples:
                break
            sizes.insert(0, fewer)
        return sizes


def _fewest_groups(y: Array, groups: Any, by_class: bool) -> int:
    """How many groups there are, or a class has."""
    parts = [groups[y == label] for label in np.unique(y)] if by_class else [groups]
    return min(len(np.unique(part)) for part in parts)


def race(
    candidates: Sequence[Candidate],
    X: Any,
    y: Array,
    rules: Rules,
    groups: Any = None,
) -> dict[Candidate, float]:
    """The candidates that came to the last round, and their scores there, best first."""
    alive = list(candidates)
    sizes = rules.sizes(len(alive), len(y))
    order = _drawn(y, rules)
    scores: list[float] = []
    for k, size in enumerate(sizes):
        rows = np.sort(order[:size])
        X_here, y_here = take(X, rows), y[rows]
        splits = rules.splits(y_here, None if groups is None else groups[rows])
        judge, parts = Parallel(n_jobs=rules.n_jobs), SampleParts(X_here, y_here, splits)
        scores = judge(delayed(judged)(one, parts, rules.scoring) for one in alive)
        best = np.argsort(-np.asarray(scores), kind="stable")
        kept = len(alive) if k == len(sizes) - 1 else -(-len(alive) // rules.factor)
        alive, scores = [alive[i] for i in best[:kept]], [scores[i] for i in best[:kept]]
    return dict(zip(alive, scores))


def _drawn(y: Array, rules: Rules) -> IntArray:
    """An order whose beginnings have the classes in proportion."""
    rng = check_random_state(rules.random_state)
    order = rng.permutation(len(y))
    if not rules.is_classification:
        return order
    place = np.empty(len(y))
    for label in np.unique(y):
        own = np.flatnonzero(y[order] == label)
        place[own] = (np.arange(len(own)) + 0.5) / len(own)
    return order[np.argsort(place, kind="stable")]
