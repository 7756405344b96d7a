"""What all quantisers share: parameters, how they are learned, from distances to clusters."""

from abc import abstractmethod
from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import check_random_state

from noneuclid._checks import is_number
from noneuclid._data import check_is_fitted
from noneuclid._estimator import estimator
from noneuclid._parameters import (
    Count,
    NotNegative,
    Prototypes,
    Rule,
    Seed,
    Verbose,
    is_pair,
)
from noneuclid._sklearn import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
    TransformerMixin,
)
from noneuclid.numerics import first_argmin
from noneuclid.numerics.threads import one_blas_thread
from noneuclid.prototypes.costs.grids import Grid, Shape, Topology
from noneuclid.prototypes.costs.neighbourhoods import (
    GridNeighbourhood,
    Neighbourhood,
    RankNeighbourhood,
)
from noneuclid.prototypes.solvers.annealing import Annealing, Schedule
from noneuclid.prototypes.solvers.batch import Batch, Quantization
from noneuclid.prototypes.solvers.online import Online
from noneuclid.typing import Array, IntArray


def _is_rate(value: Any) -> bool:
    return is_number(value) and 0 < value <= 1


_Rate = Annotated[
    float | tuple[float, float],
    Rule(
        "a number above 0 and at most 1, or two of them, the first and the last",
        lambda rate: _is_rate(rate) or is_pair(rate, _is_rate),
    ),
]


@estimator
class Quantizer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    r"""Learning of prototypes without labels, or with few of them.

    A subclass says what its geometry, its neighbourhood and its start are, and gives
    ``_distances(X)`` and ``_relative_distances(X)`` to the prototypes learned.

    Parameters
    ----------
    schedule : {"geometric", "linear", "constant"}, default="geometric"
        How the width goes from start to end.
    learning_rate : float, (float, float) or "auto", default="auto"
        :math:`\epsilon` of online learning, constant or from first to last. ``"auto"``: from 0.5
        to 0.01.
    max_epochs : int, default=50
        Passes over the data.
    tol : float, default=1e-6
        With a constant width, stop when the cost falls by no more than this share of itself.
    shuffle : bool, default=True
        Visit the samples in random order (online).
    verbose : bool or int, default=False
        Show a progress bar.
    random_state : int, RandomState or None, default=None
        For initialisation and order.

    Attributes
    ----------
    labels_ : array of shape (n,)
        Nearest prototype of each training sample.
    loss_curve_ : list of float
        Mean cost of every epoch, at its width.
    n_iter_ : int
    """

    solver: Literal["batch", "online"] = "batch"
    width: Literal["auto"] | NotNegative = "auto"
    final_width: Literal["auto"] | NotNegative = "auto"
    schedule: Schedule = "geometric"
    learning_rate: Literal["auto"] | _Rate = "auto"
    max_epochs: Count = 50
    tol: NotNegative = 1e-6
    init: Literal["auto", "random", "kmeans++"] | Prototypes = "auto"
    shuffle: bool = True
    verbose: Verbose = False
    random_state: Seed = None

    _final_width: ClassVar[float]
    """Default width at the end."""

    @property
    @abstractmethod
    def _n_features_out(self) -> int:
        """Number of prototypes."""

    @property
    @abstractmethod
    def _n_wanted(self) -> int:
        """How many the parameters ask for."""

    def _refuse_other_number(self) -> None:
        """Raise if parameters were changed since so many prototypes were learned."""
        there = getattr(self, "prototypes_", None)
        if there is not None and len(there) != self._n_wanted:
            raise ValueError(
                f"this {type(self).__name__} has learned {len(there)} prototypes, and its "
                f"parameters ask for {self._n_wanted} now: call fit, or set them back"
            )

    @abstractmethod
    def _make_neighbourhood(self) -> Neighbourhood:
        """By rank or on a grid."""

    @abstractmethod
    def _make_geometry(self, X: ArrayLike) -> Any:
        """Where the samples are."""

    @abstractmethod
    def _start(self, geometry: Any, rng: np.random.RandomState) -> Array:
        """Parameters of the prototypes to begin with."""

    @abstractmethod
    def _keep(self, geometry: Any, theta: Any) -> None:
        """Set the attributes that hold the prototypes, and ``labels_``."""

    @abstractmethod
    def _distances(self, X: ArrayLike) -> Array:
        """d(x_i, w_j)."""

    def _relative_distances(self, X: ArrayLike) -> Array:
        """d(x_i, w_j) up to a constant per sample."""
        return self._distances(X)

    # --- parameters -------------------------------------------------------------------------

    def _check_params(self) -> None:
        """Raise for parameters that do not go together, before any work is done."""
        for name, value in (("width", self.width), ("final_width", self.final_width)):
            if value == 0 and self.schedule == "geometric":
                raise ValueError(
                    f'{name} (=0) must be positive for schedule="geometric": no factor leads from '
                    'or to zero; use "linear" or "constant"'
                )

    def _width(self, neighbourhood: Neighbourhood) -> Annealing:
        """The neighbourhood's width over the training."""
        start = neighbourhood.widest() if self.width == "auto" else float(self.width)
        auto = self.final_width == "auto"
        end = min(self._final_width, start) if auto else float(self.final_width)
        return Annealing(start, end, self.schedule)

    def _rate(self, unit: float = 1.0) -> Annealing:
        """The learning rate over the training; ``unit`` divides the automatic one."""
        rate = self.learning_rate
        if isinstance(rate, str) and rate == "auto":
            return Annealing(0.5 / unit, 0.01 / unit, "geometric")
        pair = isinstance(rate, (tuple, list)) and len(rate) == 2
        numbers: Any = rate if pair else (rate, rate)
        start, end = map(float, numbers)
        return Annealing(start, end, self.schedule if pair else "constant")

    def _unit_of_steps(self, geometry: Any) -> float:
        """How much longer a step of rate one is than the difference it goes along."""
        return 1.0

    def _batch(self, neighbourhood: Neighbourhood) -> Batch:
        return Batch(
            width=self._width(neighbourhood),
            max_epochs=self.max_epochs,
            tol=self.tol,
            verbose=self.verbose,
        )

    def _online(self, neighbourhood: Neighbourhood, geometry: Any) -> Online:
        return Online(
            width=self._width(neighbourhood),
            rate=self._rate(self._unit_of_steps(geometry)),
            max_epochs=self.max_epochs,
            shuffle=self.shuffle,
            verbose=self.verbose,
        )

    # --- learning ---------------------------------------------------------------------------

    def _begin(self, geometry: Any, rng: np.random.RandomState) -> Any:
        return geometry.state(self._start(geometry, rng))

    def _descend(
        self, geometry: Any, neighbourhood: Neighbourhood, theta: Any, rng: np.random.RandomState
    ) -> Quantization[Any]:
        if self.solver == "batch":
            return self._batch(neighbourhood).run(geometry, neighbourhood, theta)
        online = self._online(neighbourhood, geometry)
        return online.run(geometry, neighbourhood, theta, rng)

    def _learn(self, geometry: Any, neighbourhood: Neighbourhood) -> Self:
        rng = check_random_state(self.random_state)
        n = geometry.n_samples
        width = getattr(self, "n_features_in_", n)  # objects are combined, all of them
        with one_blas_thread(n * width * len(neighbourhood)):
            theta = self._begin(geometry, rng)
        with one_blas_thread(geometry.multiplications(theta)):
            result = self._descend(geometry, neighbourhood, theta, rng)
            self._keep(geometry, result.theta)
        self.loss_curve_ = result.loss_curve
        self.n_iter_ = len(result.loss_curve)
        return self

    # --- deciding ---------------------------------------------------------------------------

    def _winners(self, X: ArrayLike) -> IntArray:
        check_is_fitted(self)
        return first_argmin(self._relative_distances(X))

    def quantization_error(self, X: ArrayLike) -> float:
        """Mean distance to the nearest prototype (not squared).

        A negative squared distance, of indefinite proximities, counts as zero.

        Parameters
        ----------
        X : as for ``predict``
            Samples, or proximities.

        Returns
        -------
        float
            In the unit of the data.
        """
        check_is_fitted(self)
        return float(np.sqrt(np.maximum(self._distances(X).min(axis=1), 0.0)).mean())


@estimator
class Clusterer(ClusterMixin, Quantizer):
    """Clusters around prototypes."""

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Learn the prototypes.

        Parameters
        ----------
        X : as the class says
        y : ignored

        Returns
        -------
        self : object
            Fitted.
        """
        neighbourhood = self._make_neighbourhood()
        return self._learn(self._make_geometry(X), neighbourhood)

    def fit_predict(self, X: ArrayLike, y: Any = None) -> IntArray:
        """Learn the prototypes; index of the nearest one to each sample.

        Parameters
        ----------
        X : as for ``fit``
        y : ignored

        Returns
        -------
        array of int of shape (n,)
            Index of the nearest prototype of each sample.
        """
        self.fit(X, y)
        return self.labels_ if hasattr(self, "labels_") else self.predict(X)

    def predict(self, X: ArrayLike) -> IntArray:
        """Index of the nearest prototype.

        Parameters
        ----------
        X : as for ``fit``
            Samples, or proximities of new objects.

        Returns
        -------
        array of int of shape (n,)
            Indices.
        """
        return self._winners(X)

    def score(self, X: ArrayLike, y: Any = None) -> float:
        """Minus the mean squared distance to the nearest prototype.

        Parameters
        ----------
        X : as for ``fit``
        y : ignored

        Returns
        -------
        float
            Larger is better.
        """
        check_is_fitted(self)
        return -float(self._distances(X).min(axis=1).mean())


@estimator
class Gas(Quantizer):
    r"""Neighbourhood by rank.

    Parameters
    ----------
    n_prototypes : int, default=10
        How many prototypes.
    solver : {"batch", "online"}, default="batch"
        All samples at once, :math:`w_j = \sum_i h_{ij}x_i/\sum_i h_{ij}` (outside of Hilbert spaces
        the minimiser, by descent); or :math:`w_j \leftarrow w_j + \epsilon h_j(x - w_j)`, sample
        by sample.
    width : float or "auto", default="auto"
        :math:`\lambda` at the start; ``"auto"``: half the number of prototypes.
    final_width : float or "auto", default="auto"
        :math:`\lambda` at the end; ``"auto"``: 0.01, winner takes all.
    """

    n_prototypes: Count = 10

    _final_width: ClassVar[float] = 0.01

    @property
    def _n_wanted(self) -> int:
        return int(self.n_prototypes)

    @property
    def _n_features_out(self) -> int:
        there = getattr(self, "prototypes_", getattr(self, "coefficients_", None))
        return self._n_wanted if there is None else len(there)

    def _make_neighbourhood(self) -> Neighbourhood:
        return RankNeighbourhood(int(self.n_prototypes))


@estimator
class Map(Quantizer):
    r"""Neighbourhood on a grid.

    Parameters
    ----------
    shape : (int, int), default=(10, 10)
        Rows and columns of the map. It may have more units than there are samples.
    topology : {"grid", "hex"}, default="grid"
        Units are squares with 8 neighbours, or hexagons with 6.
    toroidal : bool, default=False
        Join opposite edges, so that no unit is at one.
    solver : {"batch", "online"}, default="batch"
        All samples at once, or :math:`w_j \leftarrow w_j + \epsilon T_{kj}(x - w_j)`, sample by
        sample.
    width : float or "auto", default="auto"
        :math:`\sigma` at the start; ``"auto"``: half of the larger side.
    final_width : float or "auto", default="auto"
        :math:`\sigma` at the end; ``"auto"``: 0.3. More keeps the map smoother, less brings its
        units nearer to the data.

    Attributes
    ----------
    grid_ : Grid
        The units' positions, distances and neighbours.
    """

    shape: Shape = (10, 10)
    topology: Topology = "grid"
    toroidal: bool = False
    init: Literal["auto", "pca", "random", "kmeans++"] | Prototypes = "auto"

    _final_width: ClassVar[float] = 0.3

    @property
    def _n_wanted(self) -> int:
        return len(Grid(self.shape, self.topology, self.toroidal))

    def _refuse_other_number(self) -> None:
        super()._refuse_other_number()
        grid = getattr(self, "grid_", None) if hasattr(self, "prototypes_") else None
        if grid is not None and not grid.is_like(Grid(self.shape, self.topology, self.toroidal)):
            raise ValueError(
                f"this {type(self).__name__} has learned {grid.words}, and its parameters ask for "
                "another map now: call fit, or set them back"
            )

    @property
    def _n_features_out(self) -> int:
        return len(self.grid_)

    def _make_neighbourhood(self) -> Neighbourhood:
        self.grid_ = Grid(self.shape, self.topology, self.toroidal)
        return GridNeighbourhood(self.grid_)

    def topographic_error(self, X: ArrayLike) -> float:
        """Share of samples whose two nearest units do not touch on the map.

        Squares touch at their corners too. A map of one unit has no such error.

        Parameters
        ----------
        X : as for ``predict``
            Samples, or proximities.

        Returns
        -------
        float
            Between 0 and 1.
        """
        check_is_fitted(self)
        D = self._relative_distances(X)
        if D.shape[1] == 1:
            return 0.0
        first = first_argmin(D)
        D[np.arange(len(D)), first] = np.inf
        second = first_argmin(D)
        return 1.0 - float(self.grid_.neighbours[first, second].mean())

    def positions(self, X: ArrayLike) -> Array:
        """Where on the map the samples fall: (n, 2), column and row of their units' centres.

        Parameters
        ----------
        X : as for ``predict``
            Samples, or proximities.

        Returns
        -------
        array of shape (n, 2)
            In units of the distance of neighbours.
        """
        check_is_fitted(self)
        return self.grid_.positions[self._winners(X)]
