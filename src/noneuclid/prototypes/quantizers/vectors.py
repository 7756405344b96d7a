"""Quantisers of vectors in any space: neural gas and self-organising maps."""

from numbers import Integral
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import check_random_state

from noneuclid._blocks import Blocks, in_blocks
from noneuclid._data import check_is_fitted, validate_data
from noneuclid._estimator import estimator, learned_anew
from noneuclid._parameters import Folder
from noneuclid.numerics.threads import one_blas_thread
from noneuclid.prototypes.costs.neighbourhoods import Neighbourhood
from noneuclid.prototypes.geometries.vectors import VectorGeometry
from noneuclid.prototypes.quantizers.base import Clusterer, Gas, Map, Quantizer
from noneuclid.prototypes.quantizers.blocks import fit_in_blocks
from noneuclid.prototypes.starts.common import given
from noneuclid.prototypes.starts.samples import sampled, spread, vector_plane
from noneuclid.spaces import Space, require
from noneuclid.spaces.names import SpaceLike, space_for
from noneuclid.typing import Array


@estimator
class VectorQuantizer(Quantizer):
    """Prototypes are vectors.

    Parameters
    ----------
    space : str or Space, default="l2"
        Anything ``as_space`` accepts.
    gradient : {"auto", "riesz", "coordinates"}, default="auto"
        Online steps along :math:`x - w` or along :math:`J(x - w)`. The first tend to means of
        samples, the second to minimisers of the cost; they agree in Hilbert spaces. ``"auto"``:
        the first, where differences make sense.
    init : {"auto", "random", "kmeans++"} or array of shape (m, d), default="auto"
        ``"auto"``: random samples. Of data in blocks (dask), it sees a bounded random sample.
    checkpoint : str or path, optional
        A folder that keeps what every pass over the data found. A fit that was interrupted goes
        on from there, and ends as if nothing had happened.

    Attributes
    ----------
    prototypes_ : array of shape (m, d)
    space_ : Space
        With everything fixed that is left to the data.
    """

    space: SpaceLike = "l2"
    gradient: Literal["auto", "riesz", "coordinates"] = "auto"
    checkpoint: Folder | None = None

    def _validate(self, X: ArrayLike, *, reset: bool) -> Array:
        return np.asarray(validate_data(self, X, dtype=np.float64, order="C", reset=reset))

    def _make_geometry(self, X: ArrayLike) -> VectorGeometry:
        rows = self._validate(X, reset=True)
        self._set_space(rows)
        return self._geometry_of(rows)

    def _set_space(self, rows: Array) -> None:
        """Fix the space on the data."""
        space = space_for(self)
        require(space, type(self).__name__, "squared_distance")
        self.space_: Space = space.resolve(rows) if hasattr(space, "resolve") else space

    def _geometry_of(self, X: Array) -> VectorGeometry:
        gradient = self.gradient
        if gradient == "auto":
            gradient = "riesz" if hasattr(self.space_, "dual") else "coordinates"
        elif gradient == "riesz":
            require(self.space_, f'{type(self).__name__}(gradient="riesz")', "dual")
        return VectorGeometry(self.space_, X, gradient=gradient)

    def _start(self, geometry: VectorGeometry, rng: np.random.RandomState) -> Array:
        m, (n, d) = self._n_wanted, geometry.X.shape
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
            with one_blas_thread(geometry.X.size):
                if geometry.chart is None or geometry.chart.is_identity:
                    return vector_plane(geometry.X, grid)
                return geometry.from_chart(vector_plane(geometry.Z, grid))
        names = '"auto", "random", "kmeans++"' + (', "pca"' if grid is not None else "")
        raise ValueError(f"init (={self.init!r}) must be {names} or an array of prototypes")

    def _unit_of_steps(self, geometry: Any) -> float:
        return 2.0 * geometry.coordinate_size() if geometry.gradient == "coordinates" else 1.0

    def _keep(self, geometry: Any, theta: Any) -> None:
        self._keep_state(theta)
        self.labels_ = geometry.nearest(theta)

    # --- in blocks --------------------------------------------------------------------------

    def _fit_blocks(self, X: Any, y: Any = None) -> Self:
        self.__dict__.pop("labels_", None)  # as many as samples: predict says them block by block
        return learned_anew(self, fit_in_blocks, X, y)  # type: ignore[no-any-return]

    def _keep_state(self, theta: Any) -> None:
        self.prototypes_ = theta.W

    def _geometry_beside(self, X: Array, y: Any) -> Any:
        """The geometry of some samples, with their labels where there are any."""
        return self._geometry_of(X)

    def _look_at_labels(self, blocks: Blocks, variance: float) -> None:
        """Fix what depends on the labels of all samples."""

    def _give_prior(self, theta: Any) -> None:
        """Have prototypes begin with what all labels say."""

    # --- in parts ---------------------------------------------------------------------------

    def _call(self, X: ArrayLike) -> tuple[VectorGeometry, bool]:
        """The samples of one call of ``partial_fit``, and whether it is the first."""
        if not hasattr(self, "prototypes_"):
            return self._make_geometry(X), True
        return self._geometry_of(self._validate(X, reset=False)), False

    def _go_on(self, geometry: Any, neighbourhood: Neighbourhood, first: bool) -> Self:
        """One epoch over the samples of a call."""
        rng = self._rng_of_call()
        if first:
            theta = self._begin(geometry, rng)
            self.loss_curve_, self.n_iter_ = [], 0
        else:
            theta = self._resume(geometry)
        online = self._online(neighbourhood, geometry)
        loss = online.epoch(geometry, neighbourhood, theta, self.n_iter_, rng)
        self._keep(geometry, theta)
        self.loss_curve_ = [
            *self.loss_curve_,
            loss,
        ]  # a new list: an interrupt must not see it grow
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

    # --- deciding ---------------------------------------------------------------------------

    def _distances(self, X: ArrayLike) -> Array:
        rows = self._validate(X, reset=False)
        return self.space_.squared_distance(rows, self.prototypes_)  # type: ignore[attr-defined]

    def prototype_distances(self) -> Array:
        """Squared distances between all prototypes: (m, m).

        Returns
        -------
        array of shape (m, m)
            Squared distances between prototypes.
        """
        check_is_fitted(self)
        W = self.prototypes_
        return self.space_.squared_distance(W, W)  # type: ignore[attr-defined]

    def transform(self, X: ArrayLike) -> Array:
        """Squared distances to the prototypes.

        Parameters
        ----------
        X : array of shape (n, d)
            Samples.

        Returns
        -------
        array of shape (n, m)
            Squared distances to the prototypes.
        """
        check_is_fitted(self)
        return self._distances(X)


@estimator
class VectorClusterer(VectorQuantizer, Clusterer):
    """Clusters of vectors, which may come in parts."""

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Learn the prototypes.

        Parameters
        ----------
        X : array of shape (n, d), or dask array or DataFrame
            Blocks stay where they lie, and are read once per epoch, more often outside of Hilbert
            spaces. ``labels_`` is not set then: ``predict`` says them lazily.
        y : ignored
        """
        if in_blocks(X) or self.checkpoint is not None:
            return self._fit_blocks(X)
        return super().fit(X)

    def partial_fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Learn from some more samples, one step each.

        The first call starts the prototypes on its samples. Every call counts as one epoch of
        ``max_epochs`` in the annealing; later ones stay at its end.

        Parameters
        ----------
        X : array of shape (n, d)
        y : ignored

        Returns
        -------
        self : object
            Fitted.
        """
        self._refuse_other_number()
        neighbourhood = self._make_neighbourhood()
        geometry, first = self._call(X)
        return self._go_on(geometry, neighbourhood, first)


@estimator
class NeuralGas(Gas, VectorClusterer):
    r"""Quantisation of vectors by neural gas, in any space.

    Every sample pulls all prototypes, the nearest most:

    .. math:: \min_w \sum_i\sum_j e^{-k_{ij}/\lambda}\,\|x_i - w_j\|^2 ,

    where :math:`k_{ij}` is the rank of prototype j by its distance from sample i. The range
    :math:`\lambda` shrinks, so that the prototypes first spread over the data together and hardly
    depend on where they start. At its end neural gas is k-means.

    References
    ----------
    T. Martinetz, S. Berkovich and K. Schulten (1993), "Neural-gas" network for vector quantization
    and its application to time-series prediction. M. Cottrell, B. Hammer, A. Hasenfuß and
    T. Villmann (2006), Batch and median neural gas.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = NeuralGas(n_prototypes=3, random_state=0).fit(X)
    >>> model.quantization_error(X) < 0.7
    True
    """


@estimator
class SelfOrganizingMap(Map, VectorClusterer):
    r"""Map of vectors on which neighbours are alike, in any space.

    Heskes' variant, which has a cost:

    .. math:: \min_w \sum_i \min_k \sum_j T_{kj}\,\|x_i - w_j\|^2, \qquad
              T_{kj} = c_k e^{-g(k, j)^2/2\sigma^2},

    where g is the distance of two units on the map, and :math:`c_k` gives all units the same
    total. The width :math:`\sigma` shrinks.

    Parameters
    ----------
    init : {"auto", "pca", "random", "kmeans++"} or array of shape (m, d), default="auto"
        ``"auto"``: in the plane of the first two principal components; for a torus, random samples.

    Attributes
    ----------
    prototypes_ : array of shape (rows · columns, d)
        Row by row.

    References
    ----------
    T. Kohonen (1995), Self-Organizing Maps. T. Heskes (1999), Energy functions for self-organizing
    maps.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = SelfOrganizingMap(shape=(4, 6), topology="hex", random_state=0).fit(X)
    >>> model.quantization_error(X) < 0.4, model.topographic_error(X) < 0.3
    (True, True)
    """
