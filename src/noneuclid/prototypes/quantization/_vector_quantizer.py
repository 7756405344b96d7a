"""Quantisers of vectors in any space."""

from numbers import Integral
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from noneuclid.prototypes.quantization._checks import rate_annealing
from noneuclid.prototypes.quantization._quantizer import Clusterer, Quantizer
from noneuclid.prototypes.quantization.annealing import Annealing
from noneuclid.prototypes.quantization.engine import online_epoch
from noneuclid.prototypes.quantization.neighbourhoods import Neighbourhood
from noneuclid.prototypes.quantization.starts import given, sampled, spread, vector_plane
from noneuclid.prototypes.quantization.vectors import QuantizedVectors
from noneuclid.prototypes.vectors import check_range
from noneuclid.spaces import Space, as_space, require
from noneuclid.typing import Array

_GRADIENTS = ("auto", "riesz", "coordinates")


class VectorQuantizer(Quantizer):
    """Prototypes are vectors; ``space_`` is the space with everything fixed that data decide."""

    space: Any
    gradient: Any
    init: Any
    prototypes_: Array
    space_: Space

    def _resolved_space(self, X: Array) -> Space:
        space = as_space(self.space)
        require(space, type(self).__name__, "squared_distance")
        return space.resolve(X) if hasattr(space, "resolve") else space

    def _validate(self, X: ArrayLike, *, reset: bool) -> Array:
        return check_range(validate_data(self, X, dtype=np.float64, order="C", reset=reset))

    def _make_geometry(self, X: ArrayLike) -> QuantizedVectors:
        rows = self._validate(X, reset=True)
        self.space_ = self._resolved_space(rows)
        return self._geometry_of(rows)

    def _geometry_of(self, X: Array) -> QuantizedVectors:
        if self.gradient not in _GRADIENTS:
            raise ValueError(f"gradient (={self.gradient!r}) must be one of {_GRADIENTS}")
        gradient = self.gradient
        if gradient == "auto":
            gradient = "riesz" if hasattr(self.space_, "dual") else "coordinates"
        elif gradient == "riesz":
            require(self.space_, f'{type(self).__name__}(gradient="riesz")', "dual")
        return QuantizedVectors(self.space_, X, gradient)

    def _start(self, geometry: Any, rng: np.random.RandomState) -> Array:
        m, (n, d) = self._n_features_out, geometry.X.shape
        init = self.init
        if not isinstance(init, str):
            return given(init, (m, d), "one row per prototype, one column per feature")
        grid = getattr(self, "grid_", None)
        if init == "auto":
            init = "random" if grid is None or grid.toroidal else "pca"
        if init == "random":
            return geometry.X[sampled(m, n, rng)]
        if init == "kmeans++":
            return geometry.X[spread(geometry, m, rng)]
        if init == "pca" and grid is not None:
            if geometry.chart is None:
                return vector_plane(geometry.X, grid)
            return geometry._unflat(vector_plane(geometry.Z, grid))
        names = '"auto", "random", "kmeans++"' + (', "pca"' if grid is not None else "")
        raise ValueError(f"init (={self.init!r}) must be {names} or an array of prototypes")

    def _rate(self, geometry: QuantizedVectors) -> Annealing:
        unit = 2.0 * geometry.coordinate_size() if geometry.gradient == "coordinates" else 1.0
        return rate_annealing(self, unit)

    def _keep(self, geometry: Any, theta: Any) -> None:
        self.prototypes_ = theta.W
        self.labels_ = geometry.distances(theta).argmin(axis=1)

    def _call(self, X: ArrayLike) -> tuple[QuantizedVectors, bool]:
        """The samples of one call of ``partial_fit``, and whether it is the first."""
        if not hasattr(self, "prototypes_"):
            return self._make_geometry(X), True
        return self._geometry_of(self._validate(X, reset=False)), False

    def _go_on(
        self, geometry: Any, neighbourhood: Neighbourhood, width: Annealing, first: bool
    ) -> Self:
        """One epoch over the samples of a call."""
        rng = self._rng_of_call()
        if first:
            theta = self._begin(geometry, rng)
            self.loss_curve_, self.n_iter_ = [], 0
        else:
            theta = self._resume(geometry)
        n = geometry.n_samples
        order = rng.permutation(n) if self.shuffle else np.arange(n)
        rate = self._rate(geometry)
        loss = online_epoch(
            geometry, neighbourhood, theta, width, rate, order, self.n_iter_, self.max_epochs
        )
        self._keep(geometry, theta)
        self.loss_curve_.append(loss)
        self.n_iter_ += 1
        return self

    def _resume(self, geometry: Any) -> Any:
        return geometry.state(self.prototypes_)

    def _rng_of_call(self) -> np.random.RandomState:
        """A different order in every call, also for a number as ``random_state``."""
        seed = self.random_state
        if isinstance(seed, Integral):
            seed = (int(seed) + getattr(self, "n_iter_", 0)) % 2**32
        return check_random_state(seed)

    def _distances(self, X: ArrayLike) -> Array:
        rows = self._validate(X, reset=False)
        return self.space_.squared_distance(rows, self.prototypes_)  # type: ignore[attr-defined]

    def prototype_distances(self) -> Array:
        """Squared distances between all prototypes: (m, m)."""
        check_is_fitted(self)
        W = self.prototypes_
        return self.space_.squared_distance(W, W)  # type: ignore[attr-defined]

    def transform(self, X: ArrayLike) -> Array:
        """Squared distances to the prototypes."""
        check_is_fitted(self)
        return self._distances(X)


class VectorClusterer(VectorQuantizer, Clusterer):
    """Clusters of vectors, which may come in parts."""

    def partial_fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Learn from some more samples, one step each.

        The first call starts the prototypes on its samples. Every call counts as one epoch of
        ``max_epochs`` in the annealing; later ones stay at its end.

        Parameters
        ----------
        X : array of shape (n, d)
        y : ignored
        """
        neighbourhood, width = self._plan()
        geometry, first = self._call(X)
        return self._go_on(geometry, neighbourhood, width, first)
