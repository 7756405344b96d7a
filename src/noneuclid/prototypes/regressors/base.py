"""What all prototype regressors share: parameters, learning, and from distances to numbers."""

from abc import abstractmethod
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from noneuclid._data import check_is_fitted, check_sample_weight
from noneuclid._estimator import estimator
from noneuclid._parameters import Count, NotNegative, Seed, Verbose
from noneuclid._sklearn import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    RegressorMixin,
    TransformerMixin,
)
from noneuclid.numerics.threads import one_blas_thread
from noneuclid.prototypes.costs.regression import (
    LocalModels,
    SoftRegressionCost,
    SoftRegressionParameters,
    Targets,
)
from noneuclid.prototypes.geometries.base import Geometry, S
from noneuclid.prototypes.solvers.lbfgs import LBFGS
from noneuclid.prototypes.solvers.problem import FitResult, Problem
from noneuclid.prototypes.targets import TargetScale, check_targets
from noneuclid.typing import Array

_COST_PARAMETERS = ("local", "sigma2", "ridge", "fidelity")


@estimator
class SoftRegressor(
    SoftRegressionParameters,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
    RegressorMixin,
    BaseEstimator,
):
    """Numbers from distances to prototypes, each of which says one.

    A subclass gives ``_relative_distances(X)``, distances up to a constant per sample, and
    ``_distances(X)``, the distances themselves.

    Parameters
    ----------
    n_prototypes : int, default=10
        How many there are.
    max_epochs : int, default=100
        Iterations of the quasi-Newton descent.
    tol : float, default=1e-6
        Stop when an iteration lowers the cost by no more than this share; 0: never.
    verbose : bool or int, default=False
        Show a progress bar.
    random_state : int, RandomState or None, default=None
        For the start.

    Attributes
    ----------
    values_ : array of shape (m,) or (m, t)
        What each prototype says, in the unit of y.
    slopes_ : array of shape (m, m) or (m, m, t)
        With ``local="linear"``: prototype j says ``values_[j]`` plus the sum over k of
        ``slopes_[j, k]`` times the difference of the squared distances to prototypes k and j.
    cost_ : SoftRegressionCost
        The cost, with bandwidth and ridge fixed.
    loss_curve_ : list of float
        Cost at the start, then after every iteration: the mean squared error as a share of the
        variance of the targets, plus the prices of ridge and fidelity.
    n_iter_ : int
    """

    n_prototypes: Count = 10
    max_epochs: Count = 100
    tol: NotNegative = 1e-6
    verbose: Verbose = False
    random_state: Seed = None

    # --- learning ---------------------------------------------------------------------------

    def _set_targets(self, y: Any, n: int, sample_weight: Any) -> tuple[Targets, Array | None]:
        """Targets checked and standardised, and weights of mean one, or None."""
        name = type(self).__name__
        numbers = check_targets(y, n, name)
        weights = None
        if sample_weight is not None:
            weights = check_sample_weight(sample_weight, n)
            weights = weights * (n / weights.sum())
        self._require_samples(n if weights is None else int(np.count_nonzero(weights)))
        self._scale = TargetScale.of(numbers, weights, name)
        return Targets(self._scale.forth(numbers), self.n_prototypes), weights

    def _require_samples(self, n: int) -> None:
        if n < self.n_prototypes:
            raise ValueError(
                f"n_prototypes (={self.n_prototypes}) must be at most the number of samples (of "
                f"positive weight), which is {n}: n_samples={n}"
            )

    def _learn(self, geometry: Geometry[S], theta: S, targets: Targets, weights: Array | None) -> S:
        """Lower the cost from the first prototypes on."""
        cost = SoftRegressionCost(**{name: getattr(self, name) for name in _COST_PARAMETERS})
        D = geometry.distances(theta)
        self.cost_ = cost.resolve(D, targets, weights, geometry.scale())
        problem: Problem[S] = Problem(geometry, cast(Any, self.cost_), cast(Any, targets), weights)
        solver = LBFGS(max_epochs=self.max_epochs, tol=self.tol, verbose=self.verbose)
        with one_blas_thread(geometry.multiplications(theta)):
            result: FitResult[S] = solver.run(problem, theta)
        self.loss_curve_, self.n_iter_ = result.loss_curve, result.n_iter
        return result.theta

    def _keep_models(self, models: LocalModels) -> None:
        """Keep the local models, in the unit of the targets."""
        self._models = models
        self.values_ = self._scale.back(models.values)
        self.__dict__.pop("slopes_", None)
        if models.slopes is not None:
            slopes = models.slopes * self._scale.deviation
            self.slopes_ = slopes[..., 0] if self._scale.single else slopes

    # --- predicting -------------------------------------------------------------------------

    @property
    def sigma2_(self) -> float:
        """Bandwidth of the soft assignment."""
        check_is_fitted(self, "cost_")
        return float(self.cost_.sigma2)

    @property
    def ridge_(self) -> float:
        """Penalty on values and slopes."""
        check_is_fitted(self, "cost_")
        return float(self.cost_.ridge)

    @property
    def _n_features_out(self) -> int:
        return len(self.values_)

    @property
    def _exemplar_labels(self) -> Array:
        return self.values_

    @abstractmethod
    def _relative_distances(self, X: ArrayLike) -> Array:
        """d(x_i, w_j) up to a constant per row."""

    @abstractmethod
    def _distances(self, X: ArrayLike) -> Array:
        """d(x_i, w_j)."""

    def predict(self, X: ArrayLike) -> Array:
        """Sum of what the prototypes say, each as much as the sample is assigned to it.

        Parameters
        ----------
        X : as for ``fit``

        Returns
        -------
        array of shape (n,) or (n, t)
        """
        check_is_fitted(self)
        D = self._relative_distances(X)
        return self._scale.back(self._models.predict(self.cost_.assignment(D), D))

    def assignment(self, X: ArrayLike) -> Array:
        """How much every prototype has to say about every sample; rows sum to one.

        Parameters
        ----------
        X : as for ``predict``

        Returns
        -------
        array of shape (n, m)
        """
        check_is_fitted(self)
        return self.cost_.assignment(self._relative_distances(X))

    def assignment_logits(self, X: ArrayLike) -> Array:
        """Logarithms of :meth:`assignment`, up to a constant per sample.

        Parameters
        ----------
        X : as for ``predict``

        Returns
        -------
        array of shape (n, m)
        """
        check_is_fitted(self)
        return self.cost_.assignment_logits(self._relative_distances(X))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags
