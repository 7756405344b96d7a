"""The best model of prototypes: how it was found, and what it says about every object."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import Pipeline

from noneuclid.prototypes import sparsity_front
from noneuclid.report.comparison import Candidate, Comparison, Score, Settings, compare
from noneuclid.report.figures import Prototypes
from noneuclid.typing import Array, IntArray

_KS = (1, 2, 3, 5, 10)
# Sparse training, too, would take longer than all else.
_METHODS = ("nearest", "hull", "omp", "meb")


@dataclass(frozen=True)
class Classified:
    """The best model of prototypes, fitted on all objects."""

    comparison: Comparison
    model: Any
    parameters: dict[str, Any]
    """Those that cross-validation chose."""
    y: Array
    predicted: Array
    """Class of every object, predicted by models that have not seen it."""
    distances: Array
    """(n, m): squared, to the prototypes."""
    splits: list[tuple[Array, Array]]
    """Those of the predictions: the first repetition of the outer folds."""

    @property
    def recalls(self) -> dict[Any, float]:
        """Share of every class that is recognised."""
        right = self.predicted == self.y
        return {label: float(right[self.y == label].mean()) for label in np.unique(self.y)}

    @property
    def score(self) -> Score:
        """Its accuracies."""
        return self.comparison.best_interpretable

    @property
    def name(self) -> str:
        """What the model is called."""
        return self.score.candidate.name

    @property
    def learner(self) -> Any:
        """The model without the scaling before it."""
        return self.model[-1] if isinstance(self.model, Pipeline) else self.model

    @property
    def labels(self) -> list[str]:
        """Class of every prototype."""
        return [str(label) for label in self.learner.prototype_labels_]

    @property
    def prototypes(self) -> Array:
        """Of rows, in the units of the data."""
        W = self.learner.prototypes_
        return self.model[:-1].inverse_transform(W) if isinstance(self.model, Pipeline) else W

    @cached_property
    def nearest(self) -> IntArray:
        """The prototype every object is nearest to."""
        return self.distances.argmin(axis=1)

    @cached_property
    def typical(self) -> list[list[int]]:
        """The objects of its own class nearest to every prototype."""
        return typical_objects(self.distances, self.learner.prototype_labels_, self.y)

    def drawn(
        self, places: Array, weights: Array | None = None, rows: IntArray | None = None
    ) -> Prototypes:
        """The prototypes at their places in a figure of all objects, or of some."""
        rows = np.arange(len(self.y)) if rows is None else rows
        D, y, nearest = self.distances[rows], self.y[rows], self.nearest[rows]
        typical = typical_objects(D, self.learner.prototype_labels_, y)
        own = D[np.arange(len(rows)), nearest]
        return Prototypes(places, self.labels, weights, nearest, own, typical)


def classify(
    candidates: Sequence[Candidate],
    y: Array,
    settings: Settings,
    advance: Callable[[str], None] = lambda what: None,
    groups: Array | None = None,
    expect: Callable[[float], None] | None = None,
) -> Classified:
    """Compare models by nested cross-validation, and refit the best one of prototypes."""
    comparison = compare(candidates, y, settings, advance, groups, expect)
    best = comparison.best_interpretable.candidate
    assert comparison.trial is not None
    fitted, parameters = best.refitted(comparison.trial)
    advance("best model")
    first = comparison.splits[: len(comparison.splits) // settings.repeats]
    predicted = cross_val_predict(clone(fitted), best.X, y, cv=first)
    advance("best model")
    distances = _training_distances(fitted, best.X)
    return Classified(comparison, fitted, parameters, y, predicted, distances, first)


def _training_distances(fitted: Any, X: Array) -> Array:
    if getattr(fitted, "proximity", "") != "similarity":
        return fitted.transform(X)
    # New objects' similarities to themselves are unknown; those of the training objects are not.
    return fitted.transform(X, self_similarity=fitted.relation_.diagonal)


def typical_objects(D: Array, labels: Array, y: Array, k: int = 4) -> list[list[int]]:
    """The k objects nearest to every prototype among those of its class."""
    found = []
    for j, label in enumerate(labels):
        members = np.flatnonzero(y == label)
        found.append(members[np.argsort(D[members, j], kind="stable")[:k]].tolist())
    return found


@dataclass(frozen=True)
class SparsePoint:
    """Mean accuracy of a sparse version over the test sets."""

    method: str
    k: int | None
    n_exemplars: float
    accuracy: float
    sd: float


@dataclass(frozen=True)
class SparseVersions:
    """Sparse versions of a model, measured on the same test sets."""

    points: list[SparsePoint]
    skipped: dict[str, str]
    """Methods that do not apply, and why."""
    n_test_sets: int

    @property
    def full(self) -> SparsePoint:
        """The model as it is."""
        return next(point for point in self.points if point.method == "full")

    @property
    def recommended(self) -> SparsePoint:
        """The fewest exemplars within one standard error of the full model, or else the best."""
        sparse = [point for point in self.points if point.method != "full"]
        enough = self.full.accuracy - self.full.sd / np.sqrt(self.n_test_sets)
        good = [point for point in sparse if point.accuracy >= enough - 1e-12]
        if not good:
            return max(sparse, key=lambda point: (point.accuracy, -point.n_exemplars))
        return min(good, key=lambda point: (point.n_exemplars, -point.accuracy))


def sparse_versions(found: Classified, P: Array) -> SparseVersions:
    """Make the model sparse in every training set, and measure it on the test sets."""
    measured: dict[tuple[str, int | None], list[tuple[float, float]]] = {}
    skipped: dict[str, str] = {}
    y = found.y
    for train, test in found.splits:
        fitted = clone(found.model).fit(P[np.ix_(train, train)], y[train])
        front = sparsity_front(
            fitted, P[np.ix_(test, train)], y[test], ks=_KS, epsilons=(), methods=_METHODS
        )
        skipped |= front.skipped
        for point in front.points:
            key = (point.method, point.k)
            measured.setdefault(key, []).append((point.n_exemplars, point.accuracy))
    points = []
    for (method, k), values in measured.items():
        (size, mean), sd = np.mean(values, axis=0).tolist(), float(np.std(values, axis=0)[1])
        points.append(SparsePoint(method, k, size, mean, sd))
    return SparseVersions(points, skipped, len(found.splits))
