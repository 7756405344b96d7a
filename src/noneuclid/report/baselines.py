"""What people would use instead: the baselines that scikit-learn has in parts only."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.cross_decomposition import PLSRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline

from noneuclid.proximities import Relation, describe_metric
from noneuclid.proximities.checks import Proximity
from noneuclid.typing import Array


class _DiscriminantPLS(ClassifierMixin, BaseEstimator):
    """PLS-DA: partial least squares of the classes' indicators; the largest one is predicted."""

    def __init__(self, n_components: int = 2):
        self.n_components = n_components

    def fit(self, X: Array, y: Any) -> Self:
        """Regress the indicators on the rows, which are centred, and not scaled."""
        self.classes_, index = np.unique(y, return_inverse=True)
        k = min(self.n_components, len(X) - 1, X.shape[1])
        self.regression_ = PLSRegression(k, scale=False).fit(X, np.eye(len(self.classes_))[index])
        return self

    def predict(self, X: Array) -> Array:
        """The class of the largest indicator."""
        return np.asarray(self.classes_[self.regression_.predict(X).argmax(axis=1)])


class _DistancesIn(TransformerMixin, BaseEstimator):
    """Rows as their distances to the training rows in a space."""

    def __init__(self, space: Any = None):
        self.space = space

    def fit(self, X: Array, y: Any = None) -> Self:
        """Keep the rows."""
        self.rows_ = X
        return self

    def transform(self, X: Array) -> Array:
        """Squared distances to them."""
        return np.maximum(self.space.squared_distance(X, self.rows_), 0.0)


class _DistancesBy(TransformerMixin, BaseEstimator):
    """Objects as their dissimilarities to the training objects, by a metric or a kernel."""

    def __init__(self, metric: Any = None):
        self.metric = metric

    def fit(self, X: Any, y: Any = None) -> Self:
        """Keep the objects."""
        kind: Proximity = "similarity"
        if isinstance(self.metric, str):
            kind = describe_metric(self.metric).proximity
        self.relation_ = Relation(metric=self.metric, proximity=kind).fit(X)
        return self

    def transform(self, X: Any) -> Array:
        """Dissimilarities to them: d = s(x, x) + s(w, w) − 2 s(x, w) of similarities."""
        values, own = self.relation_.to(X)
        if self.relation_.proximity == "similarity":
            values = np.asarray(own)[:, None] + self.relation_.diagonal - 2.0 * values
        return np.maximum(values, 0.0)


def discriminant_pls() -> BaseEstimator:
    """PLS-DA, with a parameter ``n_components``."""
    return _DiscriminantPLS()


def neighbours_in(space: Any) -> Pipeline:
    """Nearest neighbours in a space, with parameters ``distances__space``, ``knn__n_neighbors``."""
    return _neighbours(_DistancesIn(space))


def neighbours_by(metric: Any) -> Pipeline:
    """Nearest neighbours by a metric of objects."""
    return _neighbours(_DistancesBy(metric))


def _neighbours(distances: Any) -> Pipeline:
    nearest = KNeighborsClassifier(metric="precomputed")
    return Pipeline([("distances", distances), ("knn", nearest)])


def distances_by(metric: Any, objects: Any, new: Any) -> Array:
    """Dissimilarities of new objects to others."""
    return np.asarray(_DistancesBy(metric).fit(objects).transform(new))
