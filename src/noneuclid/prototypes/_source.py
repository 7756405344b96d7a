"""Where proximities come from: a given matrix, a kernel, a metric, or a function of two objects."""

import copy
from typing import Any

import numpy as np
from sklearn.metrics import pairwise_distances
from sklearn.utils.validation import validate_data

from noneuclid.kernels import as_kernel
from noneuclid.numerics import squared_euclidean
from noneuclid.proximities import landmark_pairwise, pairwise
from noneuclid.proximities.checks import check_proximities, check_rows, warn_if_distances
from noneuclid.proximities.objects import object_list
from noneuclid.typing import Array, IntArray


class ProximitySource:
    """Proximities between training objects, and of new objects to some of them."""

    def __init__(self, proximity: str, metric: Any):
        self.proximity = proximity
        self.metric = metric
        self.objects: Any = None

    @property
    def is_precomputed(self) -> bool:
        """Whether X is the matrix itself."""
        return isinstance(self.metric, str) and self.metric == "precomputed"

    @property
    def _takes_objects(self) -> bool:
        """Whether the objects are anything, not rows of a matrix."""
        if self.proximity == "similarity":
            return False
        return callable(self.metric) or self.metric == "levenshtein"

    def fit(self, estimator: Any, X: Any) -> Array:
        """Proximities between all training objects."""
        self._refuse_words(X)
        if self.is_precomputed:
            P = check_proximities(X, self.proximity, "X")
            estimator.n_features_in_ = len(P)
            if self.proximity == "similarity":
                warn_if_distances(P, "X")
            return P
        if self.proximity == "similarity" and as_kernel(self.metric).takes_objects:
            self.kernel = as_kernel(self.metric).resolve(X)
            self.objects = self.kernel.as_objects(X)
            if len(self.objects) == 0:
                raise ValueError("X is empty: there is nothing to learn from")
            return check_proximities(self.kernel(self.objects), self.proximity, "the Gram matrix")
        if self._takes_objects:
            self.objects = object_list(X)
            return check_proximities(pairwise(self.objects, self.metric), self.proximity, "X")
        X = validate_data(estimator, X, dtype=np.float64, ensure_min_samples=2)
        self.objects = X
        if self.proximity == "similarity":
            self.kernel = as_kernel(self.metric).resolve(X)
            return check_proximities(self.kernel(X), self.proximity, "the Gram matrix")
        return check_proximities(self._named(X, X), self.proximity, "X")

    def _refuse_words(self, X: Any) -> None:
        """Words have no proximities but those of a function of two, or of a name for that."""
        if not isinstance(self.metric, str) or self._takes_objects:
            return
        if isinstance(X, (list, tuple)) and X and isinstance(X[0], str):
            raise ValueError(
                f"X holds words, and {self.metric!r} takes numbers: give a function of two objects "
                'as metric, or proximity="dissimilarity" and metric="levenshtein"'
            )

    def rows(self, estimator: Any, X: Any, columns: IntArray) -> tuple[Array, Array | None]:
        """Proximities of new objects to the training objects ``columns``, and to themselves."""
        if self.is_precomputed:
            R = check_rows(X, estimator.n_features_in_, type(estimator).__name__)
            return R[:, columns], None
        if self._takes_objects:
            landmarks = [self.objects[j] for j in columns]
            return landmark_pairwise(object_list(X), landmarks, self.metric), None
        if self.proximity == "dissimilarity" or not self.kernel.takes_objects:
            X = validate_data(estimator, X, dtype=np.float64, reset=False)
        if self.proximity == "similarity":
            return self.kernel(X, self.objects[columns]), self.kernel.diag(X)
        return self._named(X, self.objects[columns]), None

    def restrict(self, columns: IntArray) -> "ProximitySource":
        """The same source over some of the training objects."""
        other = copy.copy(self)
        if not self.is_precomputed:
            objects = self.objects
            if isinstance(objects, list):
                other.objects = [objects[j] for j in columns]
            else:
                other.objects = objects[columns]
        return other

    def _named(self, X: Array, Y: Array) -> Array:
        if self.metric == "sqeuclidean":
            return squared_euclidean(X, Y)
        return pairwise_distances(X, Y, metric=self.metric)
