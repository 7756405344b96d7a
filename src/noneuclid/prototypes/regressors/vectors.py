"""Prototypes that are vectors of any space, and say numbers."""

from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import check_random_state

from noneuclid._data import check_is_fitted, validate_data, with_weight
from noneuclid._estimator import estimator
from noneuclid._parameters import Prototypes
from noneuclid.numerics.threads import one_blas_thread
from noneuclid.prototypes.geometries.vectors import VectorGeometry
from noneuclid.prototypes.regressors.base import SoftRegressor
from noneuclid.prototypes.starts.classes import clusters, initial_vectors
from noneuclid.prototypes.starts.common import given
from noneuclid.spaces import Chart, Euclidean, Space, require
from noneuclid.spaces.names import SpaceLike, space_for
from noneuclid.typing import Array


@estimator
class PrototypeRegressor(SoftRegressor):
    r"""Numbers predicted by a few prototypes, in any space.

    Every prototype :math:`w_j` has a value :math:`b_j`, or a linear function around it; a sample
    is assigned softly, and gets the mean of what the prototypes say:

    .. math:: \hat y(x) = \sum_j p_j(x)\,b_j, \qquad
              p_j(x) = \frac{e^{-\|x - w_j\|^2/\sigma^2}}{\sum_k e^{-\|x - w_k\|^2/\sigma^2}} .

    Prototypes minimise the squared error by quasi-Newton descent; values and slopes are the best
    ones at every step, in closed form. See
    :class:`~noneuclid.prototypes.costs.regression.SoftRegressionCost` for the whole cost.

    Parameters
    ----------
    space : str or Space, default="l2"
        Geometry of the data: anything ``as_space`` accepts, e.g. ``"l1"``, ``Sobolev(...)`` or
        ``KernelMetric(kernel)``.
    init : {"kmeans", "kmedoids", "random"} or array of shape (m, d), default="kmeans"
        Means or medoids of clusters, samples drawn at random, or the prototypes themselves.

    Attributes
    ----------
    prototypes_ : array of shape (m, d)
        In the data space.
    space_ : Space
        The space, with all that was left to the data fixed.

    Notes
    -----
    The cost is not convex, and quasi-Newton steps magnify rounding, by up to ten times each. Where
    the samples hardly determine a model (``local="linear"`` has m² slopes), a long descent may
    end at other prototypes on a processor that rounds otherwise, as it does from another start.

    References
    ----------
    M. I. Jordan and R. A. Jacobs (1994), Hierarchical mixtures of experts and the EM algorithm.
    Neural Computation 6. G. H. Golub and V. Pereyra (1973), The differentiation of
    pseudo-inverses and nonlinear least squares problems whose variables separate.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.linspace(0.0, 6.0, 60)[:, None]
    >>> y = np.sin(X[:, 0])
    >>> model = PrototypeRegressor(n_prototypes=5, random_state=0).fit(X, y)
    >>> model.score(X, y) > 0.99
    True
    """

    space: SpaceLike = "l2"
    init: Literal["kmeans", "kmedoids", "random"] | Prototypes = "kmeans"

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Learn prototypes and what they say.

        Parameters
        ----------
        X : array of shape (n, d)
        y : array of shape (n,) or (n, t)
            Numbers; several columns are predicted by the same prototypes.
        sample_weight : array of shape (n,), optional

        Returns
        -------
        self
        """
        rows = self._validate(X, reset=True, at_least=2)
        rows, y, sample_weight = with_weight(rows, y, sample_weight)
        targets, weights = self._set_targets(y, len(rows), sample_weight)
        self._set_space(rows)
        geometry = self._geometry_of(rows, weights)
        with one_blas_thread(rows.size * int(self.n_prototypes)):
            theta = geometry.state(self._start(geometry, check_random_state(self.random_state)))
            theta = self._learn(geometry, theta, targets, weights)
            self.prototypes_ = self._back(theta.parameters)
            D = VectorGeometry.distances_to(self.space_, rows, self.prototypes_)
            self._keep_models(self.cost_.models(D, targets, weights))
        return self

    def _set_space(self, rows: Array) -> None:
        """Fix the space on the data."""
        space = space_for(self)
        require(space, type(self).__name__, "squared_distance", "pull")
        self.space_: Space = space.resolve(rows) if hasattr(space, "resolve") else space

    def _chart(self) -> Chart | None:
        """Where learning takes place: the chart of a Hilbert space, or None for the space."""
        chart = self.space_.chart(self.n_features_in_)
        return chart if chart is not None and chart.is_positive else None

    def _back(self, Z: Array) -> Array:
        chart = self._chart()
        return Z if chart is None else chart.back(Z)

    def _geometry_of(self, rows: Array, weights: Array | None) -> VectorGeometry:
        chart = self._chart()
        if chart is None:
            return VectorGeometry(self.space_, rows, weights)
        return VectorGeometry(Euclidean(), chart.forth(rows), weights)

    def _start(self, geometry: VectorGeometry, rng: np.random.RandomState) -> Array:
        """The first prototypes, where samples have a weight."""
        m, n = self.n_prototypes, geometry.n_samples
        if not isinstance(self.init, str):
            what = "one row per prototype, one column per feature"
            W, chart = given(self.init, (m, self.n_features_in_), what), self._chart()
            return W if chart is None else chart.forth(W)
        # Samples without a weight are of a class of their own, which has no prototype.
        away = np.zeros(n, dtype=int) if geometry.weights is None else geometry.weights <= 0
        group, counts = np.asarray(away, dtype=int), np.array([m])
        if self.init == "kmeans":
            return clusters(geometry, group, counts, rng) @ geometry.X
        return initial_vectors(self.init, geometry, group, counts, rng)

    # --- predicting -------------------------------------------------------------------------

    def _relative_distances(self, X: ArrayLike) -> Array:
        return self._distances(X)

    def _distances(self, X: ArrayLike) -> Array:
        check_is_fitted(self)
        rows = self._validate(X, reset=False)
        return VectorGeometry.distances_to(self.space_, rows, self.prototypes_)

    def transform(self, X: ArrayLike) -> Array:
        """Squared distances to the prototypes.

        Parameters
        ----------
        X : array of shape (n, d)

        Returns
        -------
        array of shape (n, m)
        """
        return self._distances(X)

    def _validate(self, X: ArrayLike, *, reset: bool, at_least: int = 1) -> Array:
        rows: Array = validate_data(
            self, X, dtype=np.float64, order="C", ensure_min_samples=at_least, reset=reset
        )
        return rows
