"""Neural gas and self-organising maps of anything that has a similarity or a distance."""

import copy
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from noneuclid._data import check_is_fitted
from noneuclid._estimator import estimator
from noneuclid.numerics import first_argmin
from noneuclid.prototypes.geometries.base import Constraint
from noneuclid.prototypes.geometries.combinations import Combination, CombinationGeometry
from noneuclid.prototypes.geometries.relational import combinations_of
from noneuclid.prototypes.quantizers.base import Clusterer, Gas, Map, Quantizer
from noneuclid.prototypes.relational import RelationalModel
from noneuclid.prototypes.starts.common import given, one_hot
from noneuclid.prototypes.starts.samples import combination_plane, sampled, spread
from noneuclid.proximities import Relation
from noneuclid.typing import Array, IntArray


@estimator
class ObjectQuantizer(RelationalModel, Quantizer):
    """Prototypes are combinations of the training objects.

    Parameters
    ----------
    init : {"auto", "random", "kmeans++"} or array of shape (m, n), default="auto"
        ``"auto"``: random objects.
    """

    constraint: ClassVar[Constraint] = "affine"
    divides_prototypes: ClassVar[bool] = False

    def _make_geometry(self, X: ArrayLike) -> CombinationGeometry:
        return combinations_of(self._fit_relation(X), self.constraint)

    def _start(self, geometry: CombinationGeometry, rng: np.random.RandomState) -> Array:
        m, n = self._n_wanted, geometry.n_samples
        init = self.init
        if not isinstance(init, str):
            return _given_coefficients(init, m, n, self.proximity)
        grid = getattr(self, "grid_", None)
        if init == "auto":
            init = "random" if grid is None or grid.toroidal else "pca"
        if init == "pca" and grid is not None:
            return combination_plane(geometry, grid)
        if init not in ("random", "kmeans++"):
            names = '"auto", "random", "kmeans++"' + (', "pca"' if grid is not None else "")
            raise ValueError(f"init (={self.init!r}) must be {names} or an array of coefficients")
        chosen = sampled(m, n, rng) if init == "random" else spread(geometry, m, rng)
        return one_hot(chosen, n)

    def _keep(self, geometry: CombinationGeometry, theta: Combination) -> None:
        self._combine(geometry, theta)
        theta = geometry.state(theta.G)
        self._prototype_distances = geometry.distances_of_combinations(theta)
        self.labels_ = first_argmin(geometry.distances(theta))

    def prototype_distances(self) -> Array:
        """Squared distances between all prototypes: (m, m).

        Returns
        -------
        array of shape (m, m)
            Squared distances between prototypes.
        """
        check_is_fitted(self)
        return self._prototype_distances

    # --- with other coefficients ------------------------------------------------------------

    @property
    def _exemplar_labels(self) -> IntArray:
        """Prototypes without labels are called by their numbers."""
        return np.arange(len(self.coefficients_))

    def prototype_members(self) -> list[IntArray]:
        """The training objects a prototype may be made of: all.

        Returns
        -------
        list of arrays of int
            One per prototype.
        """
        check_is_fitted(self)
        m, n = self.coefficients_.shape
        return [np.arange(n)] * m

    def with_coefficients(
        self, G: Array, counts: IntArray | None = None, relation: Relation | None = None
    ) -> Self:
        """The model with other coefficients; it stays as it is itself.

        Parameters
        ----------
        G : array of shape (m, n)
            Coefficients of the new prototypes, one for each.
        counts : ignored
            A prototype without a label is not divided.
        relation : Relation, optional
            The relation with its training proximities at hand, where the model lost them.

        Returns
        -------
        model of the same kind
        """
        check_is_fitted(self)
        geometry = combinations_of(self.relation_ if relation is None else relation)
        small = copy.copy(self)
        small._keep(geometry, geometry.state(G))
        return small

    def assignment_logits(self, X: ArrayLike) -> Array:
        """Log-weight −d/d̄ of every prototype, d̄ the mean distance to the nearest.

        Parameters
        ----------
        X : as for ``predict``

        Returns
        -------
        array of shape (n_new, m)
        """
        D = self._distances(X)
        return -D / max(float(D.min(axis=1).mean()), 1e-300)

    def quantization_error(self, X: ArrayLike, self_similarity: ArrayLike | None = None) -> float:
        """Mean distance to the nearest prototype (not squared).

        A negative squared distance, of indefinite proximities, counts as zero.

        Parameters
        ----------
        X : as in ``transform``
        self_similarity : array of shape (n_new,), optional
            As in ``transform``.

        Returns
        -------
        float
            In the unit of the distances.
        """
        check_is_fitted(self)
        nearest = self._distances(X, self_similarity).min(axis=1)
        return float(np.sqrt(np.maximum(nearest, 0.0)).mean())


@estimator
class ProximityClusterer(ObjectQuantizer, Clusterer):
    """Clusters of objects around combinations of them."""

    def score(self, X: ArrayLike, y: Any = None, self_similarity: ArrayLike | None = None) -> float:
        """Minus the mean squared distance to the nearest prototype.

        Parameters
        ----------
        X : as in ``transform``
        y : ignored
        self_similarity : array of shape (n_new,), optional
            As in ``transform``.

        Returns
        -------
        float
            Minus the mean squared distance to the nearest prototype.
        """
        check_is_fitted(self)
        return -float(self._distances(X, self_similarity).min(axis=1).mean())


def _given_coefficients(init: ArrayLike, m: int, n: int, proximity: str) -> Array:
    what = "one row per prototype, one column per training object"
    G = given(init, (m, n), what)
    sums = G.sum(axis=1)
    if proximity == "dissimilarity" and np.abs(sums - 1).max() > 1e-8:
        raise ValueError(
            "rows of init must sum to 1: distances from dissimilarities hold for such "
            f"coefficients only; one sums to {sums[np.abs(sums - 1).argmax()]:.6g}"
        )
    return G


@estimator
class ProximityNeuralGas(Gas, ProximityClusterer):
    r"""Neural gas of anything that has a similarity or a distance.

    Prototypes are combinations :math:`w_j = \sum_l\gamma_{jl}\xi_l` of the training objects, with
    :math:`\gamma_{ji} = h_{ij}/\sum_i h_{ij}`, :math:`h_{ij} = e^{-k_{ij}/\lambda}`, and
    :math:`k_{ij}` the rank of prototype j by its distance from object i. On squared Euclidean
    distances this is :class:`NeuralGas`.

    References
    ----------
    B. Hammer and A. Hasenfuss (2010), Topographic mapping of large dissimilarity data sets.

    Examples
    --------
    >>> words = ["ACGTACGT", "ACGTACGA", "ACGTCCGT", "TTGACCAA", "TTGACCAT", "TTGGCCAA"]
    >>> model = ProximityNeuralGas(
    ...     n_prototypes=2, proximity="dissimilarity", metric="levenshtein", random_state=0
    ... ).fit(words)
    >>> model.labels_[:3] == model.labels_[3:]
    array([False, False, False])
    """


@estimator
class ProximitySOM(Map, ProximityClusterer):
    r"""Self-organising map of anything that has a similarity or a distance.

    Prototypes are combinations :math:`w_j = \sum_l\gamma_{jl}\xi_l` of the training objects, with
    :math:`\gamma_{ji} = T_{k(i)j}/\sum_i T_{k(i)j}`, where k(i) is the unit of least local error of
    object i. On squared Euclidean distances this is :class:`SelfOrganizingMap`.

    Parameters
    ----------
    init : {"auto", "pca", "random", "kmeans++"} or array of shape (m, n), default="auto"
        ``"auto"``: in the plane of the first two principal components of the similarities; for a
        torus, random objects.

    Attributes
    ----------
    coefficients_ : array of shape (rows · columns, n)
        Γ, one row per unit, row by row of the map.

    References
    ----------
    B. Hammer and A. Hasenfuss (2010), Topographic mapping of large dissimilarity data sets.
    M. Olteanu and N. Villa-Vialaneix (2015), On-line relational and multiple relational SOM.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.metrics import pairwise_distances
    >>> X, y = load_iris(return_X_y=True)
    >>> D = pairwise_distances(X, metric="cityblock")
    >>> model = ProximitySOM(shape=(4, 6), proximity="dissimilarity", random_state=0).fit(D)
    >>> model.topographic_error(D) < 0.15
    True
    """
