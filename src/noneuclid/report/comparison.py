"""Nested cross-validation of several models on the same splits."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.model_selection import (
    RepeatedStratifiedKFold,
    StratifiedGroupKFold,
    StratifiedKFold,
)

from noneuclid._files import BadClasses
from noneuclid.report.candidates import Candidate, InGeometries, Score, Trial
from noneuclid.report.settings import Settings
from noneuclid.search import SampledFolds
from noneuclid.search.differences import is_clear
from noneuclid.typing import Array

__all__ = [
    "Candidate",
    "Comparison",
    "InGeometries",
    "Score",
    "Settings",
    "Trial",
    "compare",
    "inner_cv",
    "outer_folds",
    "outer_splits",
    "scoring_of",
]

# Classes of sizes that differ more than this are judged each for itself.
_UNEQUAL = 1.5
Splitter = Any  # StratifiedKFold, or StratifiedGroupKFold where objects belong together


@dataclass(frozen=True)
class Comparison:
    """All candidates on the same splits."""

    scores: list[Score]
    splits: list[tuple[Array, Array]]
    inner: Splitter
    majority: float
    """What it gives to guess the largest class always."""
    scoring: str = "accuracy"
    groups: Array | None = None
    trial: Trial | None = None

    @property
    def measure(self) -> str:
        """What the scores are called."""
        return self.scoring.replace("_", " ")

    @property
    def ranked(self) -> list[Score]:
        """Best first."""
        return sorted(self.scores, key=lambda score: -score.mean)

    @property
    def best_interpretable(self) -> Score:
        """The best of the models that show prototypes."""
        return next(score for score in self.ranked if score.candidate.interpretable)

    @property
    def best_baseline(self) -> Score:
        """The best of the others."""
        return next(score for score in self.ranked if not score.candidate.interpretable)

    def difference(self, first: Score, second: Score) -> tuple[float, float]:
        """Mean difference of accuracies on the same test sets, and its standard error.

        The standard error is corrected for training sets that overlap (Nadeau and Bengio, 2003):
        var · (1/k + n_test/n_train) over k splits.
        """
        gaps = first.accuracies - second.accuracies
        train, test = self.splits[0]
        factor = 1 / len(gaps) + len(test) / len(train)
        return float(gaps.mean()), float(np.sqrt(gaps.var(ddof=1) * factor))

    def is_clear(self, first: Score, second: Score) -> bool:
        """Whether a difference is more than chance at a level of 5 %, by Student's t."""
        train, test = self.splits[0]
        gaps = first.accuracies - second.accuracies
        return is_clear(gaps, len(test) / len(train))


def scoring_of(y: Array) -> str:
    """Accuracy, or its mean over the classes if their sizes are unequal."""
    counts = np.unique(y, return_counts=True)[1]
    return "balanced_accuracy" if counts.max() > _UNEQUAL * counts.min() else "accuracy"


def _smallest(y: Array, groups: Array | None) -> int:
    """How many objects, or groups of them, the smallest class has."""
    if groups is None:
        return int(np.unique(y, return_counts=True)[1].min())
    return min(len(np.unique(groups[y == label])) for label in np.unique(y))


def outer_folds(y: Array, settings: Settings, groups: Array | None = None) -> int:
    """How many folds; fewer where a class is small."""
    return max(2, min(settings.folds, _smallest(y, groups)))


def outer_splits(
    y: Array, settings: Settings, groups: Array | None = None
) -> list[tuple[Array, Array]]:
    """The splits all candidates are judged on; no group is divided."""
    folds, seed, nothing = outer_folds(y, settings, groups), settings.random_state, np.zeros(len(y))
    if groups is None:
        cv = RepeatedStratifiedKFold(n_splits=folds, n_repeats=settings.repeats, random_state=seed)
        return list(cv.split(nothing, y))
    if _smallest(y, groups) < 2:
        raise BadClasses(
            "a class has objects of one group only, so that it cannot be learned from some and "
            "tested on others: give more"
        )
    repeated = [
        StratifiedGroupKFold(folds, shuffle=True, random_state=seed + r)
        for r in range(settings.repeats)
    ]
    return [split for cv in repeated for split in cv.split(nothing, y, groups)]


def inner_cv(
    y: Array,
    splits: list[tuple[Array, Array]],
    settings: Settings,
    groups: Array | None = None,
) -> Splitter:
    """The folds that choose parameters, inside of every training set."""
    parts = [(y[train], None if groups is None else groups[train]) for train, _ in splits]
    folds = max(2, min(settings.inner_folds, *(_smallest(*part) for part in parts)))
    if len(parts[0][0]) > settings.max_objects:
        return SampledFolds(folds, settings.max_objects, settings.random_state)
    kind = StratifiedKFold if groups is None else StratifiedGroupKFold
    return kind(folds, shuffle=True, random_state=settings.random_state)


def compare(
    candidates: Sequence[Candidate],
    y: Array,
    settings: Settings,
    advance: Callable[[str], None] = lambda what: None,
    groups: Array | None = None,
    expect: Callable[[float], None] | None = None,
) -> Comparison:
    """Judge all candidates by nested cross-validation, and name them after each of their splits."""
    splits = outer_splits(y, settings, groups)
    inner, scoring = inner_cv(y, splits, settings, groups), scoring_of(y)
    trial = Trial(y, splits, inner, settings, scoring, groups, advance)
    if expect is not None:
        expect(sum(candidate.pilot(trial) for candidate in candidates))
    scores = [candidate.judged(trial) for candidate in candidates]
    classes, counts = np.unique(y, return_counts=True)
    majority = float(counts.max() / len(y)) if scoring == "accuracy" else 1 / len(classes)
    return Comparison(scores, splits, inner, majority, scoring, groups, trial)
