"""Prototypes that are combinations of objects, and say numbers."""

import copy
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import check_random_state

from noneuclid._data import check_is_fitted
from noneuclid._estimator import estimator
from noneuclid._parameters import Coefficients
from noneuclid.prototypes.costs.regression import Targets
from noneuclid.prototypes.geometries.base import Constraint
from noneuclid.prototypes.geometries.combinations import CombinationGeometry
from noneuclid.prototypes.geometries.relational import combinations_of
from noneuclid.prototypes.regressors.base import SoftRegressor
from noneuclid.prototypes.relational import RelationalModel
from noneuclid.prototypes.starts.classes import clusters, initial_coefficients
from noneuclid.proximities import Relation
from noneuclid.typing import Array, IntArray


@estimator
class ProximityRegressor(RelationalModel, SoftRegressor):
    r"""Numbers predicted by a few prototypes of anything that has a similarity or a distance.

    Prototypes are combinations :math:`w_j = \sum_l\gamma_{jl}\xi_l` of the training objects, each
    with a value :math:`b_j` or a linear function around it. An object is assigned softly, and gets
    the mean of what the prototypes say:

    .. math:: \hat y(\xi) = \sum_j p_j(\xi)\,b_j, \qquad
              p_j(\xi) = \frac{e^{-d(\xi, w_j)/\sigma^2}}{\sum_k e^{-d(\xi, w_k)/\sigma^2}},

    with the relational distance :math:`d(\xi_i, w_j) = (D\gamma_j)_i - \tfrac12\gamma_j'D\gamma_j`
    or :math:`s_{ii} - 2(S\gamma_j)_i + \gamma_j'S\gamma_j`. On squared distances of a space it
    is :class:`PrototypeRegressor` there, with prototypes inside the data.

    Parameters
    ----------
    constraint : {"convex", "affine", "none"}, default="convex"
        Coefficients are non-negative and sum to one; sum to one; or are free (similarities only).
    init : {"kmeans", "kmedoids", "random"} or array of shape (m, n), default="kmeans"
        Means or medoids of clusters, random weights on all objects, or coefficients.

    References
    ----------
    B. Hammer and A. Hasenfuss (2010), Topographic mapping of large dissimilarity data sets.
    M. I. Jordan and R. A. Jacobs (1994), Hierarchical mixtures of experts and the EM algorithm.

    Examples
    --------
    >>> words = ["a", "aa", "aaa", "aaaa", "aaaaa", "aaaaaa"]
    >>> model = ProximityRegressor(
    ...     n_prototypes=3, metric="levenshtein", proximity="dissimilarity", random_state=0
    ... ).fit(words, [1, 2, 3, 4, 5, 6])
    >>> model.score(words, [1, 2, 3, 4, 5, 6]) > 0.9
    True
    """

    constraint: Constraint = "convex"
    init: Literal["kmeans", "kmedoids", "random"] | Coefficients = "kmeans"

    def _check_params(self) -> None:
        if self.proximity == "dissimilarity" and self.constraint == "none":
            raise ValueError(
                'constraint="none" needs similarities: distances from dissimilarities hold for '
                'coefficients that sum to one, so use "affine" or "convex"'
            )

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Learn prototypes and what they say.

        Parameters
        ----------
        X : array of shape (n, n) or (n, m), or n objects
            Proximities between all training objects; to the ``landmarks`` only; or the objects.
        y : array of shape (n,) or (n, t)
            Numbers; several columns are predicted by the same prototypes.
        sample_weight : array of shape (n,), optional

        Returns
        -------
        self
        """
        relation = self._fit_relation(X)
        targets, weights = self._set_targets(y, relation.n_objects_, sample_weight)
        geometry = combinations_of(relation, self.constraint, weights)
        theta = geometry.state(self._start(geometry, check_random_state(self.random_state)))
        theta = self._learn(geometry, theta, targets, weights)
        self._y, self._weights = targets.y, weights
        self._settle(geometry, theta.parameters)
        return self

    def _settle(self, geometry: CombinationGeometry, G: Array) -> None:
        """Keep prototypes, and the best values and slopes for them."""
        theta = geometry.state(G)
        self._combine(geometry, theta)
        targets = Targets(self._y, len(G))
        D = geometry.distances(theta)
        self._keep_models(self.cost_.models(D, targets, self._weights))

    def _start(self, geometry: CombinationGeometry, rng: np.random.RandomState) -> Array:
        """The first coefficients, of objects that have a weight."""
        n, weights, counts = geometry.n_samples, geometry.weights, np.array([self.n_prototypes])
        if not isinstance(self.init, str):
            return initial_coefficients(self.init, geometry, np.zeros(n, dtype=int), counts, rng)
        # Objects without a weight are of a class of their own, which has no prototype.
        group = np.zeros(n, dtype=int) if weights is None else (weights <= 0).astype(int)
        if self.init == "kmeans":
            return clusters(geometry, group, counts, rng)
        return initial_coefficients(self.init, geometry, group, counts, rng)

    # --- with other coefficients ------------------------------------------------------------

    def prototype_members(self) -> list[IntArray]:
        """The training objects that each prototype may be made of: all of them.

        Returns
        -------
        list of arrays of int
        """
        check_is_fitted(self)
        return [np.arange(len(self._y))] * len(self.coefficients_)

    def with_coefficients(
        self, G: Array, counts: IntArray | None = None, relation: Relation | None = None
    ) -> Self:
        """The regressor with other prototypes, and the best values for them.

        Parameters
        ----------
        G : array of shape (m', n)
            Coefficients of the new prototypes; equal ones are joined.
        counts : ignored
        relation : Relation, optional
            The relation with its training proximities at hand, where the model lost them.

        Returns
        -------
        ProximityRegressor
            It stays as it is itself.
        """
        check_is_fitted(self)
        if hasattr(self, "compact_objects_"):
            if np.array_equal(G, self.coefficients_):
                return copy.copy(self)
            raise ValueError(
                "a compact model has forgotten most of the numbers it was fitted to, and new "
                "prototypes need them: sparsify first, then compact"
            )
        small = copy.copy(self)
        small._n_original = getattr(self, "_n_original", len(self.coefficients_))  # type: ignore[attr-defined]
        _, first = np.unique(G, axis=0, return_index=True)
        small._settle(
            combinations_of(self.relation_ if relation is None else relation), G[np.sort(first)]
        )
        return small

    def restricted(self, columns: IntArray) -> Self:
        """The regressor over a few training objects, among them those of its support.

        Returns
        -------
        ProximityRegressor
        """
        small = super().restricted(columns)
        small._y = self._y[columns]
        small._weights = None if self._weights is None else self._weights[columns]
        return small
