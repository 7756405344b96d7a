"""Nested cross-validation of several models on the same splits."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import (
    GridSearchCV,
    RepeatedStratifiedKFold,
    StratifiedKFold,
    cross_val_score,
)

from noneuclid.report._numbers import plus_minus
from noneuclid.typing import Array


@dataclass(frozen=True)
class Settings:
    """How much work an analysis does.

    Parameters
    ----------
    folds, repeats : int
        Of the outer cross-validation: accuracies are means over folds × repeats test sets.
    inner_folds : int
        Of the inner one, which chooses parameters.
    random_state : int
        Decides all splits and starts.
    quick : bool
        Try fewer parameters.
    max_objects : int
        A larger dataset is represented by a random sample of this size.
    metric : str
        The distance between sequences.
    """

    folds: int = 5
    repeats: int = 2
    inner_folds: int = 3
    random_state: int = 0
    quick: bool = False
    max_objects: int = 800
    metric: str = "levenshtein"


@dataclass(frozen=True)
class Candidate:
    """A model, the parameters to choose from, and the data in the form it takes."""

    name: str
    estimator: Any
    grid: dict[str, list[Any]]
    X: Any
    interpretable: bool = False
    code: str = ""
    """The Python expression for the estimator, where its own text does not do."""


@dataclass(frozen=True)
class Score:
    """Accuracies of one candidate on the test sets of all splits."""

    candidate: Candidate
    accuracies: Array

    @property
    def mean(self) -> float:
        """Mean accuracy."""
        return float(self.accuracies.mean())

    @property
    def sd(self) -> float:
        """Standard deviation over the test sets."""
        return float(self.accuracies.std())

    def __str__(self) -> str:
        return plus_minus(self.mean, self.sd)


@dataclass(frozen=True)
class Comparison:
    """All candidates on the same splits."""

    scores: list[Score]
    splits: list[tuple[Array, Array]]
    inner: StratifiedKFold
    majority: float
    """Share of the largest class."""

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


def outer_folds(y: Array, settings: Settings) -> int:
    """How many folds; fewer where a class is small."""
    return max(2, min(settings.folds, int(np.unique(y, return_counts=True)[1].min())))


def outer_splits(y: Array, settings: Settings) -> list[tuple[Array, Array]]:
    """The splits all candidates are judged on."""
    cv = RepeatedStratifiedKFold(
        n_splits=outer_folds(y, settings),
        n_repeats=settings.repeats,
        random_state=settings.random_state,
    )
    return list(cv.split(np.zeros(len(y)), y))


def inner_cv(y: Array, splits: list[tuple[Array, Array]], settings: Settings) -> StratifiedKFold:
    """The folds that choose parameters, inside of every training set."""
    smallest = min(int(np.unique(y[train], return_counts=True)[1].min()) for train, _ in splits)
    folds = max(2, min(settings.inner_folds, smallest))
    return StratifiedKFold(folds, shuffle=True, random_state=settings.random_state)


def search(candidate: Candidate, inner: StratifiedKFold) -> GridSearchCV:
    """The candidate with its parameters chosen by the inner folds."""
    return GridSearchCV(clone(candidate.estimator), candidate.grid, cv=inner)


def compare(
    candidates: Sequence[Candidate],
    y: Array,
    settings: Settings,
    advance: Callable[[str], None] = lambda what: None,
) -> Comparison:
    """Judge all candidates by nested cross-validation, and name them after each of their splits."""
    splits = outer_splits(y, settings)
    inner = inner_cv(y, splits, settings)
    scores = []
    for candidate in candidates:
        accuracies = []
        for split in splits:
            chosen = search(candidate, inner)
            accuracies.append(cross_val_score(chosen, candidate.X, y, cv=[split])[0])
            advance(candidate.name)
        scores.append(Score(candidate, np.array(accuracies)))
    majority = float(np.unique(y, return_counts=True)[1].max() / len(y))
    return Comparison(scores, splits, inner, majority)
