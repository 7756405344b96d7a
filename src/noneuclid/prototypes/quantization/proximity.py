"""Neural gas and self-organising maps of anything that has a similarity or a distance."""

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from noneuclid.prototypes._combination_model import CombinationModel
from noneuclid.prototypes.combinations import Combination, CombinationGeometry
from noneuclid.prototypes.quantization._checks import check_proximity_choices
from noneuclid.prototypes.quantization._quantizer import Clusterer, GasMixin, MapMixin
from noneuclid.prototypes.quantization.annealing import Schedule
from noneuclid.prototypes.quantization.grids import Topology
from noneuclid.prototypes.quantization.starts import combination_plane, given, sampled, spread
from noneuclid.proximities.checks import Proximity
from noneuclid.proximities.corrections import Correction
from noneuclid.typing import Array


class _ProximityQuantizer(CombinationModel, Clusterer):
    """Prototypes are combinations of the training objects."""

    init: Any
    constraint: Any = "affine"

    def _make_geometry(self, X: ArrayLike) -> CombinationGeometry:
        check_proximity_choices(self)
        return self._fit_geometry(X)

    def _start(self, geometry: CombinationGeometry, rng: np.random.RandomState) -> Array:
        m, n = self._n_features_out, geometry.n_samples
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
        return _one_hot(chosen, n)

    def _keep(self, geometry: CombinationGeometry, theta: Combination) -> None:
        # Anew from the coefficients: many steps, or sums of fields, drift apart from them.
        theta = geometry.state(theta.G)
        self._set_coefficients(theta)
        self._prototype_distances = geometry.distances_of_combinations(theta)
        self._set_self_proximity(geometry)
        self.labels_ = geometry.distances(theta).argmin(axis=1)

    def prototype_distances(self) -> Array:
        """Squared distances between all prototypes: (m, m)."""
        check_is_fitted(self)
        return self._prototype_distances

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
        """
        check_is_fitted(self)
        return self._distances(X, self_similarity)

    def quantization_error(self, X: ArrayLike, self_similarity: ArrayLike | None = None) -> float:
        """Mean distance to the nearest prototype (not squared).

        A negative squared distance, of indefinite proximities, counts as zero.

        Parameters
        ----------
        X : as in ``transform``
        self_similarity : array of shape (n_new,), optional
            As in ``transform``.
        """
        check_is_fitted(self)
        nearest = self._distances(X, self_similarity).min(axis=1)
        return float(np.sqrt(np.maximum(nearest, 0.0)).mean())

    def score(self, X: ArrayLike, y: Any = None, self_similarity: ArrayLike | None = None) -> float:
        """Minus the mean squared distance to the nearest prototype.

        Parameters
        ----------
        X : as in ``transform``
        y : ignored
        self_similarity : array of shape (n_new,), optional
            As in ``transform``.
        """
        check_is_fitted(self)
        return -float(self._distances(X, self_similarity).min(axis=1).mean())


def _one_hot(chosen: Any, n: int) -> Array:
    G = np.zeros((len(chosen), n))
    G[np.arange(len(chosen)), chosen] = 1.0
    return G


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


class ProximityNeuralGas(GasMixin, _ProximityQuantizer):
    r"""Neural gas of anything that has a similarity or a distance.

    Prototypes are combinations :math:`w_j = \sum_l\gamma_{jl}\xi_l` of the training objects, with
    :math:`\gamma_{ji} = h_{ij}/\sum_i h_{ij}`, :math:`h_{ij} = e^{-k_{ij}/\lambda}`, and
    :math:`k_{ij}` the rank of prototype j by its distance from object i. On squared Euclidean
    distances this is :class:`NeuralGas`.

    Parameters
    ----------
    n_prototypes : int, default=10
    proximity : {"similarity", "dissimilarity"}, default="similarity"
        What the matrix holds. Dissimilarities are squared-distance-like. It may be indefinite.
    metric : "precomputed", str, Kernel or callable, default="precomputed"
        Where the proximities come from, as in :class:`ProximityLVQ`: the matrix itself, a kernel
        (similarities), or a metric (dissimilarities) of rows or any objects.
    correction : {None, "clip", "flip", "shift", "square"}, default=None
        Make the proximities positive first, see ``SpectrumCorrection``.
    n_landmarks : int, float or None, default=None
        Learn in Nystroem features of so many landmarks (below one: a share of the objects), in
        linear time.
    solver : {"batch", "online"}, default="batch"
        All objects at once, or :math:`\gamma_j \leftarrow \gamma_j + \epsilon h_j(e_i - \gamma_j)`,
        object by object.
    width, final_width, schedule, learning_rate, max_epochs, tol
        As in :class:`NeuralGas`.
    init : {"auto", "random", "kmeans++"} or array of shape (m, n), default="auto"
        ``"auto"``: random objects.
    shuffle : bool, default=True
        Visit the objects in random order (online).
    verbose : bool, default=False
        Show a progress bar.
    random_state : int, RandomState or None, default=None
        For initialisation and order.

    Attributes
    ----------
    coefficients_ : array of shape (m, n)
        Γ, one row per prototype.
    labels_ : array of shape (n,)
        Nearest prototype of each training object.
    support_ : array of int
        Training objects with a non-zero coefficient.
    signature_ : Signature
        Of the training similarities, computed when first asked for.
    landmark_indices_ : array of int
        With ``n_landmarks``; new objects need proximities to these only.
    loss_curve_ : list of float
        Mean cost of every epoch, at its width.
    n_iter_ : int

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

    def __init__(
        self,
        *,
        n_prototypes: int = 10,
        proximity: Proximity = "similarity",
        metric: Any = "precomputed",
        correction: Correction | None = None,
        n_landmarks: int | float | None = None,
        solver: Literal["batch", "online"] = "batch",
        width: float | Literal["auto"] = "auto",
        final_width: float | Literal["auto"] = "auto",
        schedule: Schedule = "geometric",
        learning_rate: float | tuple[float, float] | Literal["auto"] = "auto",
        max_epochs: int = 50,
        tol: float = 1e-6,
        init: str | ArrayLike = "auto",
        shuffle: bool = True,
        verbose: bool = False,
        random_state: Any = None,
    ):
        self.n_prototypes = n_prototypes
        self.proximity = proximity
        self.metric = metric
        self.correction = correction
        self.n_landmarks = n_landmarks
        self.solver = solver
        self.width = width
        self.final_width = final_width
        self.schedule = schedule
        self.learning_rate = learning_rate
        self.max_epochs = max_epochs
        self.tol = tol
        self.init = init
        self.shuffle = shuffle
        self.verbose = verbose
        self.random_state = random_state


class ProximitySOM(MapMixin, _ProximityQuantizer):
    r"""Self-organising map of anything that has a similarity or a distance.

    Prototypes are combinations :math:`w_j = \sum_l\gamma_{jl}\xi_l` of the training objects, with
    :math:`\gamma_{ji} = T_{k(i)j}/\sum_i T_{k(i)j}`, where k(i) is the unit of least local error of
    object i. On squared Euclidean distances this is :class:`SelfOrganizingMap`.

    Parameters
    ----------
    shape : (int, int), default=(10, 10)
        Rows and columns of the map. It may have more units than there are objects.
    topology : {"grid", "hex"}, default="grid"
        Units are squares with 8 neighbours, or hexagons with 6.
    toroidal : bool, default=False
        Join opposite edges, so that no unit is at one.
    proximity : {"similarity", "dissimilarity"}, default="similarity"
        What the matrix holds. Dissimilarities are squared-distance-like. It may be indefinite.
    metric, correction, n_landmarks
        As in :class:`ProximityNeuralGas`.
    solver : {"batch", "online"}, default="batch"
        All objects at once, or object by object.
    width, final_width, schedule, learning_rate, max_epochs, tol
        As in :class:`SelfOrganizingMap`.
    init : {"auto", "pca", "random", "kmeans++"} or array of shape (m, n), default="auto"
        ``"auto"``: in the plane of the first two principal components of the similarities; for a
        torus, random objects.
    shuffle : bool, default=True
        Visit the objects in random order (online).
    verbose : bool, default=False
        Show a progress bar.
    random_state : int, RandomState or None, default=None
        For initialisation and order.

    Attributes
    ----------
    coefficients_ : array of shape (rows · columns, n)
        Γ, one row per unit, row by row of the map.
    grid_ : Grid
        The units' positions, distances and neighbours.
    labels_ : array of shape (n,)
        Nearest unit of each training object.
    support_, signature_, landmark_indices_, loss_curve_, n_iter_
        As in :class:`ProximityNeuralGas`.

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

    def __init__(
        self,
        *,
        shape: tuple[int, int] = (10, 10),
        topology: Topology = "grid",
        toroidal: bool = False,
        proximity: Proximity = "similarity",
        metric: Any = "precomputed",
        correction: Correction | None = None,
        n_landmarks: int | float | None = None,
        solver: Literal["batch", "online"] = "batch",
        width: float | Literal["auto"] = "auto",
        final_width: float | Literal["auto"] = "auto",
        schedule: Schedule = "geometric",
        learning_rate: float | tuple[float, float] | Literal["auto"] = "auto",
        max_epochs: int = 50,
        tol: float = 1e-6,
        init: str | ArrayLike = "auto",
        shuffle: bool = True,
        verbose: bool = False,
        random_state: Any = None,
    ):
        self.shape = shape
        self.topology = topology
        self.toroidal = toroidal
        self.proximity = proximity
        self.metric = metric
        self.correction = correction
        self.n_landmarks = n_landmarks
        self.solver = solver
        self.width = width
        self.final_width = final_width
        self.schedule = schedule
        self.learning_rate = learning_rate
        self.max_epochs = max_epochs
        self.tol = tol
        self.init = init
        self.shuffle = shuffle
        self.verbose = verbose
        self.random_state = random_state
