"""Neural gas and self-organising maps whose prototypes are objects of the training set."""

from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike

from noneuclid._estimator import estimator
from noneuclid._parameters import Indices
from noneuclid.prototypes.geometries.medians import MedianGeometry, Medians
from noneuclid.prototypes.quantizers.base import Gas, Map
from noneuclid.prototypes.quantizers.proximity import ProximityClusterer
from noneuclid.prototypes.starts.common import one_hot
from noneuclid.proximities.checks import Proximity
from noneuclid.typing import Array, IntArray


@estimator
class _MedianQuantizer(ProximityClusterer):
    """Prototypes are training objects.

    Parameters
    ----------
    proximity : {"similarity", "dissimilarity"}, default="dissimilarity"
        What the proximities are. Nothing is assumed of them but that they are symmetric.
    init : {"auto", "random", "kmeans++"} or array of int of shape (m,), default="auto"
        ``"auto"``: random objects; or the indices of objects.

    Attributes
    ----------
    prototype_indices_ : array of int of shape (m,)
        Which training objects the prototypes are: different ones; only a map that has more units
        than there are objects repeats some.
    coefficients_ : array of shape (m, n)
        A one per row, so that everything that takes a quantiser of proximities takes this too.
    """

    proximity: Proximity = "dissimilarity"
    init: Literal["auto", "random", "kmeans++"] | Indices = "auto"

    # What only prototypes between objects have.
    solver: ClassVar[Literal["batch"]] = "batch"  # type: ignore[misc]
    learning_rate: ClassVar[Literal["auto"]] = "auto"  # type: ignore[misc]
    shuffle: ClassVar[bool] = True  # type: ignore[misc]
    n_landmarks: ClassVar[None] = None  # type: ignore[misc]
    landmarks: ClassVar[str] = "uniform"  # type: ignore[misc]
    _instead: ClassVar[str] = "use ProximityNeuralGas with n_landmarks=…"

    @property
    def prototype_indices_(self) -> IntArray:
        """Which training objects the prototypes are."""
        return self.coefficients_.argmax(axis=1)

    def _make_geometry(self, X: ArrayLike) -> Any:
        return MedianGeometry(super()._make_geometry(X))

    def _start(self, geometry: Any, rng: np.random.RandomState) -> Array:
        if isinstance(self.init, str):
            return super()._start(geometry.objects, rng)
        n = geometry.n_samples
        return one_hot(_given_objects(self.init, self._n_wanted, n), n)

    def _keep(self, geometry: Any, theta: Any) -> None:
        if isinstance(theta, Medians):  # not of a model that was made sparse
            n, geometry = geometry.n_samples, geometry.objects
            theta = geometry.state(one_hot(theta.chosen, n))
        super()._keep(geometry, theta)


def _given_objects(init: ArrayLike, m: int, n: int) -> IntArray:
    chosen = np.asarray(init)
    if chosen.shape != (m,):
        raise ValueError(
            f"init must be {m} indices of training objects, one per prototype; its shape is "
            f"{chosen.shape}"
        )
    if chosen.min() < 0 or chosen.max() >= n:
        raise ValueError(f"init must hold indices from 0 to {n - 1}")
    return chosen


@estimator
class MedianNeuralGas(_MedianQuantizer, Gas):
    r"""Neural gas whose prototypes are training objects.

    .. math:: \min_{w_j\in\{\xi_1,\dots,\xi_n\}}\sum_i\sum_j e^{-k_{ij}/\lambda}\,d(\xi_i, w_j),

    with :math:`k_{ij}` the rank of prototype j by its distance from object i: ranks for the
    prototypes and the generalised median for the ranks, in turn, while :math:`\lambda` shrinks.
    No two prototypes are the same object, as they would never part again. Nothing is assumed of
    the proximities but that they are symmetric, and a prototype is an object to look at. At the
    end of the annealing this is k-medoids.

    Parameters
    ----------
    width : float or "auto", default="auto"
        :math:`\lambda` at the start; ``"auto"``: half the number of prototypes.

    References
    ----------
    M. Cottrell, B. Hammer, A. Hasenfuß and T. Villmann (2006), Batch and median neural gas. Neural
    Networks 19.

    Examples
    --------
    >>> words = ["ACGTACGT", "ACGTACGA", "ACGTCCGT", "TTGACCAA", "TTGACCAT", "TTGGCCAA"]
    >>> model = MedianNeuralGas(n_prototypes=2, metric="levenshtein", random_state=0).fit(words)
    >>> sorted(words[i] for i in model.prototype_indices_)
    ['ACGTACGT', 'TTGACCAA']
    """

    def _start(self, geometry: Any, rng: np.random.RandomState) -> Array:
        if self.n_prototypes > geometry.n_samples:
            raise ValueError(
                f"n_prototypes (={self.n_prototypes}) must be at most "
                f"n_samples={geometry.n_samples}, the number of objects: no two prototypes are the "
                "same object"
            )
        return super()._start(geometry, rng)


@estimator
class MedianSOM(_MedianQuantizer, Map):
    r"""Self-organising map whose prototypes are training objects.

    .. math:: \min_{w_j\in\{\xi_1,\dots,\xi_n\}}\sum_i\min_k\sum_j T_{kj}\,d(\xi_i, w_j),

    with the neighbourhood T of :class:`SelfOrganizingMap`: the unit of least local error for
    every object and the generalised median for every unit, in turn, while the width shrinks.
    Nothing is assumed of the proximities but that they are symmetric.

    Parameters
    ----------
    init : {"auto", "pca", "random", "kmeans++"} or array of int of shape (m,), default="auto"
        ``"auto"``: the objects nearest to the plane of the first two principal components of the
        similarities; for a torus, random objects. Or the indices of objects.

    References
    ----------
    T. Kohonen and P. Somervuo (2002), How to make large self-organizing maps for nonvectorial
    data. Neural Networks 15.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.metrics import pairwise_distances
    >>> X, y = load_iris(return_X_y=True)
    >>> D = pairwise_distances(X, metric="cityblock")
    >>> model = MedianSOM(shape=(3, 5), random_state=0).fit(D)
    >>> model.topographic_error(D) < 0.4
    True
    """

    init: Literal["auto", "pca", "random", "kmeans++"] | Indices = "auto"
