"""How far the decisions of a prototype classifier can be relied on."""

from collections.abc import Mapping
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from noneuclid._checks import check_share, shown
from noneuclid._data import check_is_fitted
from noneuclid._parameters import InvalidParameter, numbers
from noneuclid.numerics.ties import TIE
from noneuclid.prototypes.rejection import class_thresholds
from noneuclid.prototypes.scores import lead_of_others, log_odds
from noneuclid.typing import Array, IntArray

# Of so many training samples at most distances are looked at again, so many are kept, and of so
# many what streams add to.
_MOST_LOOKED_AT, _MOST_KEPT, _MOST_NOTED = 10_000, 1_000, 500
# Default risk on the training samples, and default threshold of probabilities.
_RISK, _PROBABLE = 0.05, 0.9


def evenly(n: int, most: int = _MOST_LOOKED_AT) -> IntArray:
    """At most so many of n, evenly spread, the first and the last among them."""
    if n <= most:
        return np.arange(n)
    return np.unique(np.linspace(0, n - 1, most).round().astype(int))


def evenly_counted(n: int, weights: Array | None) -> IntArray:
    """The same of those samples that have a weight."""
    if weights is None or weights.all() or not weights.any():
        return evenly(n)
    counted = np.flatnonzero(weights)
    return np.asarray(counted[evenly(len(counted))])


class Deciding:
    """Certainty, rejection, novelty; for classifiers with distances to prototypes."""

    classes_: Any
    nearest_distances_: Array
    reject_thresholds_: Array

    def _note_training(self: Any, D: Array, y: IntArray, *, beside_earlier: bool = False) -> None:
        """Keep what training samples have to say about new ones.

        Parameters
        ----------
        D : array of shape (n, m)
            Distances of some training samples to all prototypes.
        y : array of int of shape (n,)
            Indices of their classes.
        beside_earlier : bool
            Whether they are few more samples of a stream, the last of which count.
        """
        by_class = self._least_by_class(D)
        predicted = np.argmin(by_class, axis=1)
        two = np.sort(by_class, axis=1)[:, :2]
        noted = np.column_stack([two, predicted, predicted == y])
        if beside_earlier:
            earlier = getattr(self, "_noted", noted[:0])
            noted = np.vstack([earlier[len(earlier) - max(_MOST_NOTED - len(noted), 0) :], noted])
        self._noted = noted[evenly(len(noted), _MOST_NOTED)]
        self._conclude(noted[:, :2], noted[:, 2].astype(int), noted[:, 3].astype(bool))

    def _conclude(self: Any, two: Array, predicted: IntArray, right: Array) -> None:
        """What is usual, and how sure is sure enough, from distances to the two nearest classes."""
        rising = np.sort(two[:, 0])
        self.nearest_distances_ = rising[evenly(len(rising), _MOST_KEPT)]
        self._typical_total = float(np.median(np.maximum(two, 0.0).sum(axis=1)))
        if not self._is_soft():
            lead = two[:, 1] - two[:, 0]
            sure = _relative_margin(two) if self._knows_distances() else self._relative_lead(lead)
            k = len(self.classes_)
            self.reject_thresholds_ = class_thresholds(sure, predicted, right, k, _RISK)

    def _relative_lead(self: Any, lead: Array) -> Array:
        """(d₂ − d₁) over what d₂ + d₁ usually is."""
        total = getattr(self, "_typical_total", 0.0)
        return np.asarray(lead / total if total > 0 else (lead > 0) * 1.0)

    def _least_by_class(self: Any, D: Array) -> Array:
        """Distances to the nearest prototype of each class: (n, n_classes)."""
        return np.column_stack([D[:, of_class].min(axis=1) for of_class in self._of_class])

    def _knows_distances(self) -> bool:
        """Whether distances of new objects are known, not only their differences."""
        return True

    def _whole_distances(self: Any, X: ArrayLike, **known: Any) -> Array:
        """Distances to all prototypes, as large for objects with gaps as for whole ones."""
        return np.asarray(self._distances(X, **known))

    def certainty(self: Any, X: ArrayLike) -> Array:
        """How sure each prediction is, between 0 and 1.

        Soft costs: the posterior of the predicted class. Otherwise the relative margin
        (d₂ − d₁)/(d₂ + d₁) of the nearest prototype and the nearest one of another class; where
        only differences of distances are known (precomputed similarities whose diagonal is
        not constant), d₂ + d₁ is the median of the training objects.

        Parameters
        ----------
        X : as for ``predict``

        Returns
        -------
        array of shape (n,)
        """
        check_is_fitted(self)
        return np.minimum(self._sureness(X), 1.0)

    def _sureness(self: Any, X: ArrayLike) -> Array:
        """The same, without an upper end where leads are compared with what is usual."""
        if self._is_soft():
            return np.asarray(self.predict_proba(X).max(axis=1))
        if self._knows_distances():
            return _relative_margin(self._least_by_class(self._distances(X)))
        scores = np.sort(self._class_scores(X), axis=1)
        return np.asarray(self._relative_lead(scores[:, -1] - scores[:, -2]))

    def nonconformity(self: Any, X: ArrayLike) -> Array:
        r"""How badly each class fits: what :class:`ConformalClassifier` makes sets of classes of.

        .. math:: a(x, c) = \frac{d_c - d_{\neg c}}{d_c + d_{\neg c}}

        of the distances to the nearest prototype of the class and of any other; soft costs: minus
        the log-odds of the class. Where distances are known up to a constant only (precomputed
        similarities whose diagonal is not constant), it is the numerator.

        Parameters
        ----------
        X : as for ``predict``

        Returns
        -------
        array of shape (n, n_classes)
            The lower, the better; below 0 for the predicted class at most.
        """
        check_is_fitted(self)
        if self._is_soft():
            return -log_odds(self._class_scores(X))
        if not self._knows_distances():
            return lead_of_others(self._class_scores(X))
        own = np.maximum(self._least_by_class(self._distances(X)), 0.0)
        lead = lead_of_others(-own)  # d_c less that of the nearest other
        total = 2.0 * own - lead
        return np.where(total > 0, lead / np.where(total > 0, total, 1.0), 0.0)

    def outlyingness(self: Any, X: ArrayLike, **known: Any) -> Array:
        """How unlike all training objects each object is, between 0 and 1.

        It is the share of training objects that are nearer to their nearest prototype than the
        object is to its own: 1 if all of them are. So of objects like the training objects about
        one in a hundred is above 0.99, and whatever is far from everything is, however
        certain its prediction. Where values are missing, a squared distance over those that are
        there counts as one over all of them, in proportion.

        Parameters
        ----------
        X : as for ``predict``
        **known
            ``self_similarity=…`` where ``transform`` needs it.

        Returns
        -------
        array of shape (n,)

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from noneuclid.prototypes import GLVQ
        >>> X, y = load_iris(return_X_y=True)
        >>> model = GLVQ(random_state=0).fit(X, y)
        >>> bool(model.outlyingness(X).mean() < 0.51), model.outlyingness(10 * X[:2])
        (True, array([1., 1.]))
        """
        check_is_fitted(self)
        if "nearest_distances_" not in self.__dict__:
            raise AttributeError(
                f"this {type(self).__name__} was fitted by an earlier version, which did not keep "
                "distances of training objects: fit it again"
            )
        nearest = self._whole_distances(X, **known).min(axis=1)
        rising = self.nearest_distances_
        slack = TIE * np.abs(rising).max(initial=0.0)
        return np.searchsorted(rising, nearest - slack, side="left") / len(rising)

    def predict_or_reject(
        self: Any,
        X: ArrayLike,
        *,
        threshold: float | ArrayLike | Mapping[Any, float] | None = None,
        reject_label: Any = None,
    ) -> Array:
        """Predict where the certainty reaches the threshold, else give the reject label.

        Parameters
        ----------
        X : as for ``predict``
        threshold : float, array of shape (n_classes,), dict, or None, default=None
            Compared with :meth:`certainty`: one number between 0 and 1, or one for each predicted
            class, as :func:`choose_thresholds` finds them for a wanted risk on held-out data.
            None: 0.9 where the certainty is a probability (soft costs), else
            ``reject_thresholds_``, which leave at most 5 % errors among the training objects that
            each class accepts.
        reject_label : optional
            Default −1, or ``"reject"`` where the classes are no numbers.

        Returns
        -------
        array of shape (n,)
            Of a type that holds both, classes and reject label, as they are.
        """
        check_is_fitted(self)
        least = self._thresholds(threshold)
        labels = self.predict(X)
        if reject_label is None:
            reject_label = -1 if np.issubdtype(self.classes_.dtype, np.number) else "reject"
        if any(reject_label == label for label in self.classes_.tolist()):
            raise ValueError(
                f"reject_label (={reject_label!r}) is one of the classes: choose another"
            )
        sure = self._sureness(X) >= least[np.searchsorted(self.classes_, labels)]
        answers = labels.astype(_type_of_both(self.classes_, reject_label))
        answers[~sure] = reject_label
        return np.asarray(answers)

    def _thresholds(self: Any, threshold: Any) -> Array:
        """A threshold for every class."""
        k = len(self.classes_)
        if threshold is None:
            own = None if self._is_soft() else getattr(self, "reject_thresholds_", None)
            return np.full(k, _PROBABLE) if own is None else np.asarray(own)
        if isinstance(threshold, Mapping):
            missing = [c for c in self.classes_.tolist() if c not in threshold]
            if missing:
                raise InvalidParameter(f"threshold has no entry of class {missing[0]!r}")
            threshold = [threshold[c] for c in self.classes_.tolist()]
        if np.ndim(threshold) == 0:
            check_share("threshold", threshold, ends=True)
            return np.full(k, float(threshold))
        least = numbers(threshold)
        if least is None or least.shape != (k,) or not (least >= 0).all():
            raise InvalidParameter(
                f"threshold (={shown(threshold)}) must be a number between 0 and 1, or one for "
                f"each of the {k} classes"
            )
        return least.astype(np.float64)


def _type_of_both(classes: Any, reject_label: Any) -> np.dtype[Any]:
    """Of labels and the reject label: −1 among unsigned bytes would be the class 255."""
    number = isinstance(reject_label, Real) and not isinstance(reject_label, bool)
    if number and classes.dtype.kind in "iuf":
        both = np.promote_types(classes.dtype, np.min_scalar_type(reject_label))  # type: ignore[arg-type]
        if (classes.astype(both) == classes).all():  # not so for integers beyond 2**53 as floats
            return both
    return np.dtype(object)


def _relative_margin(by_class: Array) -> Array:
    """(d₂ − d₁)/(d₂ + d₁) of the two least distances; 0 where both are."""
    first, second = np.maximum(np.sort(by_class, axis=1)[:, :2], 0.0).T
    total = first + second
    return np.where(total > 0, (second - first) / np.where(total > 0, total, 1.0), 0.0)
