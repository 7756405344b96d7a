"""What all prototype classifiers share: from distances to decisions."""

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logsumexp
from sklearn.base import (
    BaseEstimator,
    ClassifierMixin,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from noneuclid.prototypes._labels import (
    class_indices,
    known_class_indices,
    prototype_counts,
    sample_weights,
)
from noneuclid.prototypes.costs import Cost, RSLVQCost
from noneuclid.prototypes.geometry import Geometry, S
from noneuclid.prototypes.solvers import FitResult, Gradient, Task, lbfgs, sgd
from noneuclid.typing import Array, IntArray


def _is_probabilistic(model: "PrototypeClassifier") -> bool:
    if model._is_soft():
        return True
    raise AttributeError(
        f"{type(model).__name__} has no probabilities: only the RSLVQ cost models them"
    )


class PrototypeClassifier(
    ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClassifierMixin, BaseEstimator
):
    """Decisions from distances to labelled prototypes.

    A subclass gives ``_relative_distances(X)``, distances up to a constant per sample, and
    ``_distances(X)``, the distances themselves; after ``fit`` it has ``classes_``,
    ``prototype_labels_`` and ``_cost``.
    """

    _cost: Cost
    _steepness: ClassVar[float] = 2.0
    """An automatic slope of GLVQ times the standard deviation of the margins."""

    def _make_task(
        self, y: ArrayLike, n: int, sample_weight: Any, classes: ArrayLike | None = None
    ) -> tuple[Task, IntArray]:
        """Labels and weights checked, and the number of prototypes of each class.

        Where all ``classes`` are named, some may be without a sample if the start is given.
        """
        if classes is None:
            self.classes_, index = class_indices(y, n, type(self).__name__)
        else:
            self.classes_, _ = class_indices(classes, len(np.asarray(classes)), type(self).__name__)
            index = known_class_indices(y, self.classes_, n)
        free = classes is not None and not isinstance(self.init, str)
        counts = prototype_counts(self.n_prototypes, self.classes_, None if free else index)
        self.prototype_labels_ = np.repeat(self.classes_, counts)
        weights = sample_weights(sample_weight, self.class_weight, self.classes_, index)
        own_of_class = np.repeat(np.arange(len(counts)), counts) == np.arange(len(counts))[:, None]
        return Task(index, own_of_class, weights), counts

    def _solve(
        self,
        geometry: Geometry[S],
        theta: S,
        task: Task,
        gradient: Gradient,
        rng: np.random.RandomState,
    ) -> FitResult[S]:
        if self.solver == "lbfgs":
            return lbfgs(
                geometry,
                self._cost,
                theta,
                task,
                max_epochs=self.max_epochs,
                tol=self.tol,
                verbose=self.verbose,
            )
        return sgd(
            geometry,
            self._cost,
            theta,
            task,
            gradient=gradient,
            learning_rate=self.learning_rate,
            schedule=self.schedule,
            max_epochs=self.max_epochs,
            batch_size=self.batch_size,
            tol=self.tol,
            patience=self.n_iter_no_change,
            shuffle=self.shuffle,
            rng=rng,
            verbose=self.verbose,
            penalty=getattr(self, "sparsity_penalty", 0.0),
        )

    @property
    def _n_features_out(self) -> int:
        return len(self.prototype_labels_)

    @abstractmethod
    def _relative_distances(self, X: ArrayLike) -> Array:
        """d(x_i, w_j) up to a constant per row."""

    @abstractmethod
    def _distances(self, X: ArrayLike, *args: Any) -> Array:
        """d(x_i, w_j)."""

    @abstractmethod
    def _is_soft(self) -> bool:
        """Whether the cost models class probabilities."""

    def _class_scores(self, X: ArrayLike) -> Array:
        """(n, n_classes): log-posteriors, or minus the distance to the nearest prototype."""
        check_is_fitted(self)
        D = self._relative_distances(X)
        of_class = self.prototype_labels_ == self.classes_[:, None]
        if isinstance(self._cost, RSLVQCost):
            E = self._cost.logits(D)
            E = E - logsumexp(E, axis=1, keepdims=True)
            return np.column_stack([logsumexp(E[:, own], axis=1) for own in of_class])
        return np.column_stack([-D[:, own].min(axis=1) for own in of_class])

    def predict(self, X: ArrayLike) -> Array:
        """Class of the nearest prototype, or the most probable one (RSLVQ)."""
        scores = self._class_scores(X)
        return self.classes_[scores.argmax(axis=1)]

    def decision_function(self, X: ArrayLike) -> Array:
        """Evidence per class; for two classes, that of the second against the first.

        RSLVQ: log-odds of each class. Otherwise: by how much the class is nearer than all others.
        """
        scores = self._class_scores(X)
        if len(self.classes_) == 2:
            return scores[:, 1] - scores[:, 0]
        order = np.argsort(scores, axis=1)
        rows = np.arange(len(scores))
        best = scores[rows, order[:, -1]][:, None]
        second = scores[rows, order[:, -2]][:, None]
        is_best = np.arange(scores.shape[1]) == order[:, -1:]
        return scores - np.where(is_best, second, best)

    @available_if(_is_probabilistic)
    def predict_proba(self, X: ArrayLike) -> Array:
        """Posterior probability of each class."""
        P = np.exp(self._class_scores(X))
        return P / P.sum(axis=1, keepdims=True)

    def certainty(self, X: ArrayLike) -> Array:
        """How sure each prediction is, between 0 and 1.

        RSLVQ: the posterior of the predicted class. Otherwise the relative margin
        (d₂ − d₁)/(d₂ + d₁) of the nearest prototype and the nearest one of another class.
        """
        if self._is_soft():
            return self.predict_proba(X).max(axis=1)
        D = self._distances(X)
        of_class = self.prototype_labels_ == self.classes_[:, None]
        nearest = np.sort(np.column_stack([D[:, own].min(axis=1) for own in of_class]), axis=1)
        first, second = np.maximum(nearest[:, 0], 0.0), np.maximum(nearest[:, 1], 0.0)
        total = first + second
        return np.where(total > 0, (second - first) / np.where(total > 0, total, 1.0), 0.0)

    def predict_or_reject(
        self, X: ArrayLike, *, threshold: float = 0.9, reject_label: Any = None
    ) -> Array:
        """Predict where the certainty reaches the threshold, else give the reject label.

        Parameters
        ----------
        X : as for ``predict``
        threshold : float, default=0.9
            Between 0 and 1, compared with :meth:`certainty`.
        reject_label : optional
            Default −1, or ``"reject"`` where the classes are words.
        """
        if not 0 <= threshold <= 1:
            raise ValueError(f"threshold (={threshold}) must lie between 0 and 1")
        labels = self.predict(X)
        if reject_label is None:
            reject_label = -1 if np.issubdtype(self.classes_.dtype, np.number) else "reject"
        if reject_label in self.classes_:
            raise ValueError(
                f"reject_label (={reject_label!r}) is one of the classes: choose another"
            )
        if labels.dtype.kind in "US":
            labels = labels.astype(object)
        return np.where(self.certainty(X) >= threshold, labels, reject_label)
