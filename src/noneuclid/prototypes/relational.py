"""What every model over a relation shares: its parameters, its coefficients, distances to them."""

import copy
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from noneuclid._data import check_is_fitted
from noneuclid._estimator import estimator
from noneuclid._sklearn import BaseEstimator, TransformerMixin
from noneuclid.prototypes.geometries.combinations import Combination, CombinationGeometry
from noneuclid.prototypes.geometries.relational import Combined
from noneuclid.proximities import Relation, RelationMixin
from noneuclid.proximities.checks import Proximity
from noneuclid.proximities.corrections import Correction
from noneuclid.proximities.landmarks import LandmarkChoice, NumberOfLandmarks
from noneuclid.proximities.relation import MetricLike
from noneuclid.typing import Array, IntArray


@estimator
class RelationalModel(RelationMixin, TransformerMixin, BaseEstimator):
    """Prototypes that are combinations of objects known by a relation.

    Parameters
    ----------
    proximity : {"similarity", "dissimilarity"}, default="similarity"
        What the proximities are; they may be indefinite. Dissimilarities stand for squared
        distances, see ``squared``.
    metric : "precomputed", str, Kernel or callable, default="precomputed"
        Where they come from. By default X *is* the matrix; new objects come as rows of proximities
        to the training objects. Otherwise a kernel or its name (similarities), a name of
        ``noneuclid.proximities.metrics()`` (dissimilarities), or a function of two objects.
    correction : {None, "clip", "flip", "shift", "square"}, default=None
        Make the proximities positive first, see ``SpectrumCorrection``. It is learned from the
        training objects only, so cross-validation stays honest. ``"shift"`` changes nothing but
        self-similarities, and whatever is predicted counts as new: also a training object.
    n_landmarks : int, float or None, default=None
        Learn in Nystroem features of so many landmarks (below one: a share of the objects), in
        linear time. A ``correction`` is then that of the approximated proximities.
    landmarks : {"uniform", "kmeans++", "pivoted"} or array of int, default="uniform"
        How they are chosen, see ``NystroemEmbedding``. If ``n_landmarks`` indices are given, a
        precomputed X may hold their columns only.
    squared : {"auto", True, False}, default="auto"
        Whether dissimilarities are squared distances already. Prototypes are means, and means
        minimise *squared* distances: a dissimilarity is taken for one as it comes, so that
        ``metric="euclidean"`` or ``"levenshtein"`` learns in the geometry of the square root of
        that distance (``"sqeuclidean"`` in that of the distance itself). ``False`` squares every
        number on entry, those of new objects too. ``"auto"`` and ``True`` take them as they come.

    Attributes
    ----------
    coefficients_ : array of shape (m, n)
        Γ, one row per prototype.
    relation_ : Relation
        The training objects, and what relates them.
    support_ : array of int
        Training objects with a non-zero coefficient.
    signature_ : Signature
        Of the training similarities, computed when first asked for.
    landmark_indices_ : array of int
        With ``n_landmarks``; new objects need proximities to these only.
    """

    proximity: Proximity = "similarity"
    metric: MetricLike = "precomputed"
    correction: Correction | None = None
    n_landmarks: NumberOfLandmarks | None = None
    landmarks: LandmarkChoice = "uniform"
    squared: Literal["auto"] | bool = "auto"

    divides_prototypes: ClassVar[bool] = True
    """Whether several prototypes may take the place of one, when a model is made sparse."""

    def _metric(self) -> Any:
        return self.metric

    def _make_relation(self) -> Relation:
        return Relation(
            metric=self._metric(),
            proximity=self.proximity,
            correction=self.correction,
            n_landmarks=self.n_landmarks,
            landmarks=self.landmarks,
            squared=self.squared,
            random_state=getattr(self, "random_state", None),
        )

    def _fit_relation(self, X: Any) -> Relation:
        self._forget_origin()
        return super()._fit_relation(X)

    def _forget_origin(self) -> None:
        """Drop what says of which model this one is a smaller one: it is fitted anew."""
        for name in ("_n_original", "compact_objects_", "compact_bound_", "compact_error_"):
            self.__dict__.pop(name, None)

    def _combine(self, geometry: CombinationGeometry, theta: Combination) -> Combination:
        """Keep prototypes, and return them with products anew: many steps drift apart from them."""
        theta = geometry.state(theta.G)
        self._combined = Combined(self.relation_, geometry, theta)
        self.coefficients_ = self._combined.G
        self.support_: IntArray = self._combined.support
        return theta

    def restricted(self, columns: IntArray) -> Self:
        """The model over a few training objects, among them those of its support.

        Parameters
        ----------
        columns : array of int

        Returns
        -------
        model of the same kind
        """
        check_is_fitted(self)
        small = copy.copy(self)
        small._combined = self._combined.restrict(columns)
        small.relation_, small.coefficients_ = small._combined.relation, small._combined.G
        small.support_ = small._combined.support
        if small.relation_.is_precomputed:
            small.n_features_in_ = len(columns)
        before = getattr(self, "compact_objects_", None)
        small.compact_objects_ = np.asarray(columns) if before is None else before[columns]  # type: ignore[attr-defined]
        return small

    def _relative_distances(self, X: ArrayLike) -> Array:
        return self._combined.relative_distances(self._checked(X))

    def _distances(self, X: ArrayLike, self_similarity: ArrayLike | None = None) -> Array:
        check_is_fitted(self)
        return self._combined.distances(self._checked(X), self_similarity)

    def _knows_distances(self) -> bool:
        """Whether distances of new objects are known, not only their differences."""
        return self._combined.knows_distances

    def transform(self, X: ArrayLike, self_similarity: ArrayLike | None = None) -> Array:
        """Distances (squared-distance-like) to the prototypes.

        Parameters
        ----------
        X : array of shape (n_new, n), or n_new objects
            With ``n_landmarks`` also (n_new, m), in the order of ``landmark_indices_``.
        self_similarity : array of shape (n_new,), optional
            For precomputed similarities: those of the new objects with themselves, after the
            correction if there is one. Not needed where they are constant on the training
            objects, as for normalised kernels, nor with ``n_landmarks``.

        Returns
        -------
        array of shape (n_new, m)
        """
        return np.asarray(self._distances(X, self_similarity))
