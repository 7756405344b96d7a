"""How a classifier sees objects through their proximities to landmarks."""

from typing import Any

import numpy as np
from sklearn.utils.validation import validate_data

from noneuclid.kernels import Kernel, as_kernel
from noneuclid.prototypes.features import FeatureGeometry
from noneuclid.proximities import NystroemEmbedding
from noneuclid.proximities.checks import warn_if_distances
from noneuclid.typing import Array


class LandmarkFeatures:
    """Nystroem features of the objects, and the prototypes as vectors among them."""

    W: Array

    def __init__(self, model: Any, metric: Any):
        if model.proximity == "similarity" and callable(metric) and not isinstance(metric, Kernel):
            metric = as_kernel(metric)  # as without landmarks: a function of whole matrices
        self.embedding = NystroemEmbedding(
            n_landmarks=model.n_landmarks,
            proximity=model.proximity,
            landmarks=model.landmarks,
            metric=metric,
            correction=model.correction,
            random_state=model.random_state,
        )

    def fit(self, model: Any, X: Any) -> FeatureGeometry:
        """Features of the training objects, as a geometry."""
        X = _checked(self.embedding, model, X, reset=True)
        model._training_features = self.embedding.fit_transform(X)
        if self.embedding.metric == "precomputed":
            model.n_features_in_ = self.embedding.n_features_in_
            if model.proximity == "similarity" and np.shape(X)[0] == np.shape(X)[1]:
                warn_if_distances(np.asarray(X), "X")
        return self.geometry(model)

    def geometry(self, model: Any) -> FeatureGeometry:
        """The features of the training objects as a geometry."""
        positive = self.embedding.signature_[0]
        return FeatureGeometry(model._training_features, positive, model.constraint)

    def distances_to(self, model: Any, X: Any) -> Array:
        """Distances of new objects to the prototypes; the self-term is that of the features."""
        Z = self.embedding.transform(_checked(self.embedding, model, X, reset=False))
        signs = self.embedding._signs
        own = np.einsum("ik,ik,k->i", Z, Z, signs)
        return own[:, None] - 2.0 * (Z * signs) @ self.W.T + model._q


def _checked(embedding: NystroemEmbedding, model: Any, X: Any, *, reset: bool) -> Any:
    """Rows of a matrix are checked in the name of the classifier, names of columns included."""
    if embedding.metric == "precomputed" or not embedding._takes_rows:
        return X
    return validate_data(
        model, X, dtype=np.float64, reset=reset, ensure_min_samples=2 - (not reset)
    )
