"""How sure predictions are: by objects that the model had not seen, not by its own word."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline
from sklearn.utils.metaestimators import _safe_split

from noneuclid.prototypes.decisions.ranks import fewest, n_at_least, n_exceeding
from noneuclid.typing import Array, IntArray

# Sets of likely classes hold the right one for this share of objects.
LEVEL = 0.9
# Objects farther from all prototypes than this share of the held-out ones are called unlike them.
USUAL = 0.99
# A range may be left by this share of its width.
_SLACK = 0.1
_UNEQUAL = 1.5


@dataclass(frozen=True)
class Calibration:
    r"""What objects that were held out say about predictions.

    Every object is judged by a model that was fitted without its fold. How badly it thinks of the
    class c of an object, :math:`a(x, c)`, is compared with how badly the right classes of the n
    held-out objects fared:

    .. math:: p_c(x) = \frac{1 + \#\{i : a_i \ge a(x, c)\}}{n + 1},

    the i running over objects of class c only where classes are unequal (cross-conformal
    prediction: Vovk, 2015). The certainty of a prediction is one less the p-value of the next
    class: at that level it is the only likely one.
    """

    classes: Array
    scores: Array
    """(n,): how badly the right class of every held-out object fared."""
    index: IntArray
    """(n,): which class that is."""
    by_class: bool
    """Whether every class is compared with its own objects."""
    nearest: Array | None = None
    """(n,): distance of every held-out object to the nearest prototype, if it is known."""

    def p_values(self, a: Array) -> Array:
        """How usual every class would be, for objects of which it is thought so: (m, k)."""
        return np.column_stack([self._p(a[:, c], self._pool(c)) for c in range(a.shape[1])])

    def _pool(self, c: int) -> Array:
        own = self.scores[self.index == c] if self.by_class else self.scores
        return np.sort(own)

    @staticmethod
    def _p(a: Array, pool: Array) -> Array:
        return (1 + n_at_least(a, pool)) / (1 + len(pool))

    def likely(self, p: Array, level: float = LEVEL) -> Any:
        """Which classes are likely: (m, k) of bool; the right one is for that share of objects."""
        return p > 1 - level + 1e-12

    def usualness(self, distances: Array) -> Array:
        """Share of held-out objects that are at least as far from all prototypes: (m,)."""
        assert self.nearest is not None
        return self._p(distances, np.sort(self.nearest))

    def to_dict(self) -> dict[str, Any]:
        """What a model file keeps."""
        return {
            "scores": self.scores,
            "index": self.index,
            "by_class": self.by_class,
            "nearest": self.nearest,
        }

    @classmethod
    def from_dict(cls, kept: dict[str, Any], classes: Array) -> "Calibration":
        """What was kept, of a model with these classes."""
        return cls(classes, **kept)


def certainty(p: Array) -> Array:
    """One less the second largest p-value of every row.

    Examples
    --------
    >>> certainty(np.array([[0.7, 0.02], [0.5, 0.4]]))
    array([0.98, 0.6 ])
    """
    return np.asarray(1.0 - np.sort(p, axis=1)[:, -2])


def learner_of(model: Any, X: Any) -> tuple[Any, Any]:
    """The last step of a pipeline, and the objects as it sees them."""
    if isinstance(model, Pipeline):
        return model[-1], model[:-1].transform(X)
    return model, X


def thoughts(model: Any, X: Any) -> Array:
    """How badly a model thinks of every class: (m, k)."""
    learner, rows = learner_of(model, X)
    return np.asarray(learner.nonconformity(rows))


def distances(model: Any, X: Any) -> Array | None:
    """Distances to the nearest prototype; None where a matrix of similarities does not say."""
    learner, rows = learner_of(model, X)
    known = getattr(learner, "_knows_distances", lambda: True)
    if not known():
        return None
    try:
        return np.asarray(learner.transform(rows).min(axis=1))
    except (AttributeError, ValueError):  # similarities of new objects to themselves are unknown
        return None


def held_out(model: Any, X: Any, y: Array, splits: Sequence[tuple[Array, Array]]) -> Any:
    """Thoughts about all classes, and distances, of every object by a model without its fold.

    Objects that are in no test set, or whose class is in no training set, are left out.
    """
    classes, rows, a, near = np.asarray(model.classes_), [], [], []
    for training, test in splits:
        fitted = clone(model)
        X_train, y_train = _safe_split(fitted, X, y, training)
        X_test, _ = _safe_split(fitted, X, y, test, training)
        fitted.fit(X_train, y_train)
        own = thoughts(fitted, X_test)
        every = np.full((len(own), len(classes)), np.inf)
        every[:, np.searchsorted(classes, fitted.classes_)] = own
        far = distances(fitted, X_test)
        rows.append(test)
        a.append(every)
        near.append(np.full(len(own), np.nan) if far is None else far)
    return np.concatenate(rows), np.vstack(a), np.concatenate(near)


def calibrated(
    model: Any, X: Any, y: Array, splits: Sequence[tuple[Array, Array]]
) -> tuple[Calibration, Array]:
    """What objects that were held out say, and the thoughts about all classes of each: (n, k)."""
    y = np.asarray(y)
    rows, a, near = held_out(model, X, y, splits)
    classes = np.asarray(model.classes_)
    index = np.searchsorted(classes, y[rows])
    counts = np.bincount(index, minlength=len(classes))
    by_class = counts.min() >= fewest(1 - LEVEL) and counts.max() > _UNEQUAL * counts.min()
    scores = a[np.arange(len(rows)), index]
    nearest = None if np.isnan(near).any() else near
    return Calibration(classes, scores, index, bool(by_class), nearest), a


@dataclass(frozen=True)
class Coverage:
    """Sets of likely classes of held-out objects, at one level."""

    level: float
    right: float
    """Share of sets that hold the right class."""
    single: float
    """Share of sets of one class."""
    empty: float
    size: float
    """Mean number of classes in a set."""


def coverage(found: Calibration, a: Array, levels: Sequence[float]) -> list[Coverage]:
    """Sets of the held-out objects, each compared with the others only."""
    n, k = a.shape
    p = np.empty((n, k))
    for c in range(k):
        pool = np.sort(found.scores[found.index == c] if found.by_class else found.scores)
        inside = found.index == c if found.by_class else np.ones(n, dtype=bool)
        # Its own score is one of the pool, and is not counted.
        own = inside & (n_at_least(a[:, c], pool) > 0) & (found.scores >= a[:, c])
        size = len(pool) - inside
        p[:, c] = (1 + n_at_least(a[:, c], pool) - own) / (1 + size)
    out = []
    for level in levels:
        sets = found.likely(p, level)
        right = sets[np.arange(n), found.index]
        sizes = sets.sum(axis=1)
        one, none = float((sizes == 1).mean()), float((sizes == 0).mean())
        out.append(Coverage(level, float(right.mean()), one, none, float(sizes.mean())))
    return out


# --- ranges of the training data --------------------------------------------------------------


def ranges(X: Array) -> dict[str, Array]:
    """The lowest and the highest value of every column."""
    X = np.asarray(X, dtype=np.float64)
    return {"low": np.nanmin(X, axis=0), "high": np.nanmax(X, axis=0)}


def beyond(X: Array, low: Array, high: Array) -> Any:
    """Which values leave the range by more than a tenth of its width: (n, d) of bool.

    Examples
    --------
    >>> beyond(np.array([[0.5, 0.5], [1.05, 9.0]]), np.zeros(2), np.ones(2)).tolist()
    [[False, False], [False, True]]
    """
    slack = _SLACK * (high - low) + 1e-9 * np.maximum(np.abs(low), np.abs(high))
    X = np.asarray(X, dtype=np.float64)
    return (low - slack > X) | (high + slack < X)


def usual_limit(nearest: Array) -> float:
    """The distance to the nearest prototype above which an object is called unlike all others."""
    above = n_exceeding(len(nearest), 1 - USUAL)
    rising = np.sort(nearest)
    # Of fewer held-out objects than the level asks for, none may be farther than all of them.
    return float(rising[len(rising) - above]) if above > 0 else float(rising[-1]) * 1.5
