"""Learners in geometries, judged on parts of the data.

What stands before the learner of a pipeline knows nothing of geometries: it is learned once per
part, and its rows are handed to the learner in all of them. Scores are those of
``cross_val_score``.
"""

from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.metrics import get_scorer
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import Pipeline

from noneuclid.search.candidates import Candidate, in_geometry, steps_before
from noneuclid.typing import Array, IntArray


def take(X: Any, rows: IntArray) -> Any:
    """Some of the samples, whatever holds them."""
    if hasattr(X, "iloc"):
        return X.iloc[rows]
    return [X[i] for i in rows] if isinstance(X, list | tuple) else X[rows]


def divided(estimator: Any) -> tuple[list[Any], Any]:
    """The steps of a pipeline before its last one, and that; of others, no steps and all of it.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from sklearn.svm import SVC
    >>> divided(make_pipeline(StandardScaler(), SVC()))
    ([StandardScaler()], SVC())
    >>> divided(SVC())
    ([], SVC())
    """
    if type(estimator) is not Pipeline or estimator.memory is not None:
        return [], estimator
    before, last = steps_before(estimator), estimator.steps[-1][1]
    plain = all(hasattr(step, "transform") for step in before) and hasattr(last, "fit")
    return (before, last) if plain else ([], estimator)


class SampleParts:
    """Training and test parts of samples, as they come to the learner of a candidate.

    Parameters
    ----------
    X : array, list or DataFrame
        All samples.
    y : array
        Their classes or numbers, which some steps of a pipeline learn from.
    splits : list of (array of int, array of int)
        Which are for training, and which for testing.
    """

    def __init__(self, X: Any, y: Array, splits: Any):
        self.X, self.y, self.splits = X, y, splits
        self._known: dict[tuple[int, int], Any] = {}

    def whole(self, one: Candidate) -> Any:
        """All samples."""
        return self._remembered(one, -1)

    def pair(self, one: Candidate, k: int) -> tuple[Any, Any]:
        """The training and the test part of a split."""
        found: tuple[Any, Any] = self._remembered(one, k)
        return found

    def _remembered(self, one: Candidate, k: int) -> Any:
        key = id(one.estimator), k  # the same object in all geometries
        if key not in self._known:
            before, _ = divided(one.estimator)
            if k < 0:
                self._known[key] = _through(before, self.y, self.X)[0]
            else:
                parts = (take(self.X, rows) for rows in self.splits[k])
                y = self.y[self.splits[k][0]]
                self._known[key] = tuple(_through(before, y, *parts))
        return self._known[key]


def _through(steps: list[Any], y: Array, *parts: Any) -> list[Any]:
    """What copies of the steps, learned from the first part, make of all parts."""
    rows = list(parts)
    for step in steps:
        learned = clone(step)
        rows = [learned.fit_transform(rows[0], y), *map(learned.transform, rows[1:])]
    return rows


def placed(one: Candidate, rows: Any, y: Array) -> Any:
    """The learner of a candidate in its geometry; widths that are left to data are of rows."""
    return in_geometry(divided(one.estimator)[1], one.part, rows, y)


def judged(one: Candidate, parts: SampleParts, scoring: str) -> float:
    """Mean score over the splits."""
    y = parts.y
    try:
        learner = placed(one, parts.whole(one), y)
        found = []
        for k, (train, test) in enumerate(parts.splits):
            rows, others = parts.pair(one, k)
            fitted = clone(learner).fit(rows, y[train])
            found.append(score(fitted, others, y[test], scoring))
    except Exception:  # scikit-learn says what happened, and goes on where it can
        whole = one.on(parts.X, y)
        found = cross_val_score(whole, parts.X, y, cv=parts.splits, scoring=scoring)
    return float(np.mean(found))


def score(fitted: Any, X: Any, y: Array, scoring: str) -> float:
    """The score of a model on samples; accuracy without scikit-learn's long look at labels."""
    if scoring == "accuracy":
        answers = np.asarray(fitted.predict(X))
        if answers.shape == y.shape and answers.dtype.kind == y.dtype.kind:
            return float(np.mean(answers == y))
    return float(get_scorer(scoring)(fitted, X, y))
