"""From a relation to a geometry, and from coefficients to distances of new objects."""

import copy
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from noneuclid.prototypes.geometries.base import Constraint
from noneuclid.prototypes.geometries.combinations import (
    GEOMETRIES,
    Combination,
    CombinationGeometry,
)
from noneuclid.prototypes.geometries.features import FeatureGeometry
from noneuclid.proximities import Relation
from noneuclid.typing import Array, IntArray


def combinations_of(
    relation: Relation, constraint: Constraint = "none", weights: Array | None = None
) -> CombinationGeometry:
    """Combinations of the training objects of a relation: of vectors, if it has landmarks."""
    if relation.n_landmarks is not None:
        chart = relation.chart
        return FeatureGeometry(chart.Z, chart.signature[0], constraint, weights)
    return GEOMETRIES[relation.proximity](relation.matrix, constraint, weights)


class Combined:
    """Prototypes that are combinations of the objects of a relation, seen by new objects.

    Parameters
    ----------
    relation : Relation
        Fitted.
    geometry : CombinationGeometry
        Made of it.
    theta : Combination
        The prototypes.
    """

    def __init__(self, relation: Relation, geometry: CombinationGeometry, theta: Combination):
        self.relation, self.G, self.squares = relation, theta.G, theta.squares
        self.vectors = theta.images if isinstance(geometry, FeatureGeometry) else None
        self.signs = geometry.signs if isinstance(geometry, FeatureGeometry) else None
        values = geometry.diagonal
        constant = np.ptp(values) <= 1e-12 * np.abs(values).max()
        self.self_value = values[:1].copy() if constant else None

    @property
    def support(self) -> IntArray:
        """Training objects with a non-zero coefficient."""
        return np.flatnonzero((self.G != 0).any(axis=0))

    @property
    def knows_distances(self) -> bool:
        """Whether distances of new objects need no self-similarities that only users know."""
        precomputed = self.relation.is_precomputed and self.relation.proximity == "similarity"
        return self.vectors is not None or not precomputed or self.self_value is not None

    def relative_distances(self, X: Any) -> Array:
        """d(ξ_i, w_j) up to a constant per object, for which no self-similarity is needed.

        X was checked by the model, here and in :meth:`distances`.
        """
        if self.vectors is not None:
            return self._vector_distances(X)
        G, columns = self._supporting()
        rows, self_values = self.relation.to_checked(X, columns)
        return self._distances(rows, 0.0 if self_values is None else self_values, G)

    def distances(self, X: Any, self_similarity: ArrayLike | None = None) -> Array:
        """d(ξ_i, w_j) of new objects; their self-similarities, where nothing else tells them."""
        if self.vectors is not None:
            return self._vector_distances(X)
        G, columns = self._supporting()
        rows, self_values = self.relation.to_checked(X, columns)
        if self_similarity is not None:
            self_values = np.asarray(self_similarity, dtype=float)
        if self_values is None and self.relation.proximity == "similarity":
            self_values = self.self_value
            if self_values is None:
                raise ValueError(
                    "distances need the self-similarities of the new objects, and those of the "
                    "training objects differ: pass self_similarity=..."
                )
        return self._distances(rows, 0.0 if self_values is None else self_values, G)

    def _supporting(self) -> tuple[Array, IntArray | None]:
        """Coefficients of the objects of the support, and these; None if they are all."""
        used = self.G.any(axis=0)
        if used.all():
            return self.G, None
        columns = np.flatnonzero(used)
        return self.G[:, columns], columns

    def _distances(self, rows: Array, self_values: Array | float, G: Array) -> Array:
        geometry = GEOMETRIES[self.relation.proximity]
        return geometry.distances_to(rows, self_values, G, self.squares)

    def _vector_distances(self, X: Any) -> Array:
        """The self-term is that of the features."""
        assert self.vectors is not None
        assert self.signs is not None
        Z, signs = self.relation.vectors(X), self.signs
        squares = np.einsum("ik,ik,k->i", Z, Z, signs)
        return squares[:, None] - 2.0 * (Z * signs) @ self.vectors.T + self.squares

    def restrict(self, columns: IntArray) -> "Combined":
        """The same prototypes over a few of the objects, which hold all of their support."""
        small = copy.copy(self)
        small.relation = self.relation.restrict(columns)
        small.G = np.ascontiguousarray(self.G[:, columns])
        return small
