"""What all quantisers share: from distances to clusters, and how they are learned."""

from abc import abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
    TransformerMixin,
)
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from noneuclid.prototypes.quantization._checks import (
    check_common,
    check_count,
    rate_annealing,
    width_annealing,
)
from noneuclid.prototypes.quantization.annealing import Annealing
from noneuclid.prototypes.quantization.engine import Quantization, batch, online
from noneuclid.prototypes.quantization.grids import Grid
from noneuclid.prototypes.quantization.neighbourhoods import (
    GridNeighbourhood,
    Neighbourhood,
    RankNeighbourhood,
)
from noneuclid.typing import Array, IntArray


class Quantizer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Learning of prototypes without labels, or with few of them.

    A subclass says what its geometry, its neighbourhood and its start are, and gives
    ``_distances(X)`` and ``_relative_distances(X)`` to the prototypes learned.
    """

    solver: Any
    max_epochs: Any
    tol: Any
    shuffle: Any
    verbose: Any
    random_state: Any
    labels_: IntArray
    _final_width: float
    """Default width at the end."""

    @property
    @abstractmethod
    def _n_features_out(self) -> int:
        """Number of prototypes."""

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

    def _rate(self, geometry: Any) -> Annealing:
        return rate_annealing(self)

    def _plan(self) -> tuple[Neighbourhood, Annealing]:
        """Check the parameters, and return the neighbourhood and how it shrinks."""
        check_common(self)
        rate_annealing(self)
        neighbourhood = self._make_neighbourhood()
        return neighbourhood, width_annealing(self, neighbourhood, self._final_width)

    def _begin(self, geometry: Any, rng: np.random.RandomState) -> Any:
        return geometry.state(self._start(geometry, rng))

    def _learn(self, geometry: Any, neighbourhood: Neighbourhood, width: Annealing) -> Self:
        rng = check_random_state(self.random_state)
        theta = self._begin(geometry, rng)
        result = self._solve(geometry, neighbourhood, theta, width, rng)
        self._keep(geometry, result.theta)
        self.loss_curve_ = result.loss_curve
        self.n_iter_ = len(result.loss_curve)
        return self

    def _solve(
        self,
        geometry: Any,
        neighbourhood: Neighbourhood,
        theta: Any,
        width: Annealing,
        rng: np.random.RandomState,
    ) -> Quantization:
        if self.solver == "batch":
            return batch(
                geometry,
                neighbourhood,
                theta,
                width,
                max_epochs=self.max_epochs,
                tol=self.tol,
                verbose=self.verbose,
            )
        return online(
            geometry,
            neighbourhood,
            theta,
            width,
            self._rate(geometry),
            max_epochs=self.max_epochs,
            shuffle=self.shuffle,
            rng=rng,
            verbose=self.verbose,
        )

    def _winners(self, X: ArrayLike) -> IntArray:
        check_is_fitted(self)
        return self._relative_distances(X).argmin(axis=1)

    def quantization_error(self, X: ArrayLike) -> float:
        """Mean distance to the nearest prototype (not squared).

        A negative squared distance, of indefinite proximities, counts as zero.
        """
        check_is_fitted(self)
        return float(np.sqrt(np.maximum(self._distances(X).min(axis=1), 0.0)).mean())


class Clusterer(ClusterMixin, Quantizer):
    """Clusters around prototypes."""

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Learn the prototypes.

        Parameters
        ----------
        X : as the class says
        y : ignored
        """
        neighbourhood, width = self._plan()
        return self._learn(self._make_geometry(X), neighbourhood, width)

    def predict(self, X: ArrayLike) -> IntArray:
        """Index of the nearest prototype."""
        return self._winners(X)

    def score(self, X: ArrayLike, y: Any = None) -> float:
        """Minus the mean squared distance to the nearest prototype."""
        check_is_fitted(self)
        return -float(self._distances(X).min(axis=1).mean())


class GasMixin:
    """Neighbourhood by rank."""

    n_prototypes: Any
    _final_width = 0.01

    @property
    def _n_features_out(self) -> int:
        return int(self.n_prototypes)

    def _make_neighbourhood(self) -> Neighbourhood:
        return RankNeighbourhood(check_count(self.n_prototypes, "n_prototypes"))


class MapMixin:
    """Neighbourhood on a grid."""

    shape: Any
    topology: Any
    toroidal: Any
    grid_: Grid
    _relative_distances: Any
    _final_width = 0.3

    @property
    def _n_features_out(self) -> int:
        return len(self.grid_)

    def _make_neighbourhood(self) -> Neighbourhood:
        self.grid_ = Grid(self.shape, self.topology, self.toroidal)
        return GridNeighbourhood(self.grid_)

    def topographic_error(self, X: ArrayLike) -> float:
        """Share of samples whose two nearest units do not touch on the map.

        Squares touch at their corners too. A map of one unit has no such error.
        """
        check_is_fitted(self)
        D = self._relative_distances(X)
        if D.shape[1] == 1:
            return 0.0
        first, second = np.argpartition(D, 1, axis=1)[:, :2].T
        return 1.0 - float(self.grid_.neighbours[first, second].mean())

    def positions(self, X: ArrayLike) -> Array:
        """Where on the map the samples fall: (n, 2), column and row of their units' centres."""
        check_is_fitted(self)
        return self.grid_.positions[self._relative_distances(X).argmin(axis=1)]
