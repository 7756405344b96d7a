"""What every model over proximities shares: from objects to distances from combinations."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from noneuclid.prototypes._landmark_features import LandmarkFeatures
from noneuclid.prototypes._source import ProximitySource
from noneuclid.prototypes.combinations import GEOMETRIES, Combination, CombinationGeometry
from noneuclid.proximities import Signature, SpectrumCorrection, signature
from noneuclid.typing import Array, IntArray

# Kept in memory for `signature_` and `sparsify`, but too large for a file.
_NOT_SAVED = ("_training", "_training_features")


class CombinationModel(BaseEstimator):
    """Prototypes that are combinations of objects known by their proximities.

    A subclass has the parameters ``proximity``, ``metric``, ``correction``, ``n_landmarks`` and
    ``random_state``, and ``constraint``.
    """

    proximity: Any
    metric: Any
    correction: Any
    n_landmarks: Any
    landmarks: Any = "uniform"
    constraint: Any
    n_features_in_: int
    _features: LandmarkFeatures | None
    _correction: SpectrumCorrection | None
    _source: ProximitySource

    def _fit_geometry(self, X: ArrayLike) -> CombinationGeometry:
        self._source = ProximitySource(self.proximity, self._metric())
        self._correction = self._features = None
        if self.n_landmarks is not None:
            self._features = LandmarkFeatures(self, self._metric())
            return self._features.fit(self, X)
        P = self._training = self._source.fit(self, X)
        if self.correction is not None:
            self._correction = SpectrumCorrection(method=self.correction, proximity=self.proximity)
            P = self._correction.fit_transform(P)
        return GEOMETRIES[self.proximity](np.ascontiguousarray(P), self.constraint)

    def _metric(self) -> Any:
        return self.metric

    def _set_coefficients(self, theta: Combination) -> None:
        self.coefficients_ = theta.G
        self._q = theta.q
        if self._features is not None:
            self._features.W = theta.A
        self.support_ = np.flatnonzero((theta.G != 0).any(axis=0))

    def _set_self_proximity(self, geometry: CombinationGeometry) -> None:
        values = geometry.diagonal
        constant = np.ptp(values) <= 1e-12 * np.abs(values).max()
        self._self_proximity = values[:1].copy() if constant else None

    @property
    def landmark_indices_(self) -> IntArray:
        """The landmarks among the training objects, with ``n_landmarks`` only."""
        if self._features is None:
            raise AttributeError("there are no landmarks: n_landmarks is None")
        return self._features.embedding.landmark_indices_

    @property
    def signature_(self) -> Signature:
        """Signature of the training similarities; kept in memory only, not when saved."""
        check_is_fitted(self, "coefficients_")
        if self._features is not None:
            positive, negative = self._features.embedding.signature_
            return Signature(positive, negative, self.coefficients_.shape[1] - positive - negative)
        if "_signature" not in self.__dict__:
            if "_training" not in self.__dict__:
                raise AttributeError("signature_ was not asked for before the model was saved")
            S = GEOMETRIES[self.proximity].similarities(self._training)
            self._signature = signature(S)
        return self._signature

    def _rows(self, X: ArrayLike) -> tuple[Array, Array | None, Array]:
        """Corrected proximities of new objects to the support, self-proximities, coefficients."""
        everything = self._correction is not None
        columns = np.arange(self.coefficients_.shape[1]) if everything else self.support_
        rows, own = self._source.rows(self, X, columns)
        if self._correction is not None:
            if own is not None and self.proximity == "similarity":
                own = self._correction.transform_self(rows, own)
            rows = self._correction.transform(rows)
        return rows, own, self.coefficients_[:, columns]

    def _relative_distances(self, X: ArrayLike) -> Array:
        if self._features is not None:
            return self._features.distances_to(self, X)
        rows, own, G = self._rows(X)
        return self._geometry.distances_to(rows, 0.0 if own is None else own, G, self._q)

    @property
    def _geometry(self) -> type[CombinationGeometry]:
        return GEOMETRIES[self.proximity]

    def _distances(self, X: ArrayLike, self_similarity: ArrayLike | None = None) -> Array:
        check_is_fitted(self)
        if self._features is not None:
            return self._features.distances_to(self, X)
        rows, own, G = self._rows(X)
        if self_similarity is not None:
            own = np.asarray(self_similarity, dtype=float)
        if own is None and self._geometry.constants[0] != 0:
            own = self._self_proximity
            if own is None:
                raise ValueError(
                    "distances need the self-similarities of the new objects, and those of the "
                    "training objects differ: pass self_similarity=..."
                )
        return self._geometry.distances_to(rows, 0.0 if own is None else own, G, self._q)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = (
            isinstance(self._metric(), str) and self._metric() == "precomputed"
        )
        return tags

    def __getstate__(self) -> dict[str, Any]:
        state = super().__getstate__()
        return {name: value for name, value in state.items() if name not in _NOT_SAVED}
