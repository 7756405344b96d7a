"""What all prototype classifiers share: parameters, learning, and from distances to decisions."""

from abc import abstractmethod
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.metaestimators import available_if

from noneuclid._blocks import Blocks
from noneuclid._data import check_is_fitted
from noneuclid._estimator import estimator
from noneuclid._parameters import (
    Coefficients,
    Count,
    NotNegative,
    Positive,
    Seed,
    Verbose,
)
from noneuclid._sklearn import (
    BaseEstimator,
    ClassifierMixin,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
)
from noneuclid._warnings import warn
from noneuclid.numerics import first_argmax
from noneuclid.prototypes.classifiers.choices import ChoosesItself
from noneuclid.prototypes.classifiers.deciding import Deciding
from noneuclid.prototypes.costs import Cost, CostLike, Membership, Outset
from noneuclid.prototypes.costs.base import mean_and_deviation
from noneuclid.prototypes.geometries.base import Geometry, Gradient, S
from noneuclid.prototypes.labels import (
    CountPerClass,
    WeightPerClass,
    class_indices,
    known_class_indices,
    prototype_counts,
    sample_weights,
)
from noneuclid.prototypes.solvers.blocks import BlockProblem, Locally, averages
from noneuclid.prototypes.solvers.lbfgs import LBFGS
from noneuclid.prototypes.solvers.problem import FitResult, Problem, Solver
from noneuclid.prototypes.solvers.sgd import SGD
from noneuclid.typing import Array, IntArray, LabelArray

GRADIENTS: dict[str, Gradient] = {
    "riesz": "riesz",
    "prototypes": "riesz",
    "coordinates": "coordinates",
    "coefficients": "coordinates",
}
GradientName = Annotated[str, Literal["riesz", "prototypes", "coordinates", "coefficients"]]


def _is_probabilistic(classifier: "PrototypeClassifier") -> bool:
    if classifier._is_soft():
        return True
    raise AttributeError(
        f"{type(classifier).__name__} has no probabilities: its cost does not model them, "
        "as that of RSLVQ does"
    )


@estimator
class PrototypeClassifier(
    Deciding,
    ChoosesItself,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
    ClassifierMixin,
    BaseEstimator,
):
    """Decisions from distances to labelled prototypes.

    A subclass gives ``_relative_distances(X)``, distances up to a constant per sample, and
    ``_distances(X)``, the distances themselves.

    Parameters
    ----------
    cost : str or Cost, default="glvq"
        What is minimised: ``"glvq"``, ``"rslvq"``, ``"cross_entropy"``, ``"lvq1"``, ``"lvq21"``, or
        an object such as ``GLVQCost(transfer="sigmoid")``, which brings its own parameters;
        ``noneuclid.prototypes.costs.costs()`` lists them all.
    n_prototypes : int, dict or "auto", default=1
        Per class; a dict gives one number per class. ``"auto"`` begins with one and grows, to ten
        at most, as long as the error in five stratified folds falls by more than the standard
        error of the fall: about fifteen fits.
    gradient : {"riesz", "coordinates"}, default="riesz"
        Move the prototypes (Riesz) or their coordinates. ``"prototypes"`` and ``"coefficients"``
        mean the same.
    solver : {"sgd", "lbfgs"}, default="sgd"
        Stochastic gradient descent, which compiles its steps on first use, or quasi-Newton descent
        in matrix products.
    learning_rate : float or "auto", default="auto"
        Of ``"sgd"``. A number is taken literally, and every step is the published one; ``"auto"``
        needs no tuning and keeps the best state.
    schedule : {None, "constant", "linear"}, default=None
        How the learning rate changes over the epochs; by default a number stays constant.
    max_epochs : int, default=30
        Passes over the data, or iterations of ``"lbfgs"``.
    batch_size : int, optional
        Samples per step of ``"sgd"``. Default one, more where steps are not compiled.
    tol : float, default=1e-4
        Stop when the cost has not fallen by this share for ``n_iter_no_change`` epochs; 0: never.
    n_iter_no_change : int, default=5
        Patience of the early stopping.
    shuffle : bool, default=True
        Visit the samples in random order.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes.
    verbose : bool or int, default=False
        Show a progress bar.
    random_state : int, RandomState or None, default=None
        For initialisation and order.

    Attributes
    ----------
    prototype_labels_ : array of shape (m,)
        Class by class, in the order of ``classes_``.
    classes_ : array
    cost_ : Cost
        The cost, with all that was left to the data fixed.
    loss_curve_ : list of float
        Mean cost (share of errors, if it is a heuristic) at the initialisation, then after every
        epoch.
    n_iter_ : int
    nearest_distances_ : array
        Of training objects to their nearest prototype, rising: what ``outlyingness`` compares
        with. At most 1,000, evenly spread; of data in blocks, those of a bounded sample.
    reject_thresholds_ : array of shape (n_classes,)
        What ``predict_or_reject`` asks for by default, where the cost is not soft.
    n_prototypes_ : int
        The number of prototypes per class that was chosen, if it was ``"auto"``.
    validation_errors_ : dict
        Share of errors in the folds, by number of prototypes per class; with ``"auto"`` only.
    """

    cost: CostLike = "glvq"
    n_prototypes: CountPerClass = 1
    gradient: GradientName = "riesz"
    init: Literal["kmeans", "kmedoids", "random"] | Coefficients = "kmeans"
    solver: Literal["sgd", "lbfgs"] = "sgd"
    learning_rate: Literal["auto"] | Positive = "auto"
    schedule: Literal["constant", "linear"] | None = None
    max_epochs: Count = 30
    batch_size: Count | None = None
    tol: NotNegative = 1e-4
    n_iter_no_change: Count = 5
    shuffle: bool = True
    class_weight: WeightPerClass | None = None
    verbose: Verbose = False
    random_state: Seed = None

    _why_refused: ClassVar[str] = ""
    _advice_on_missing: ClassVar[str] = '; GLVQ and RSLVQ with space="l2" pass over gaps'

    # --- parameters -------------------------------------------------------------------------

    def _check_params(self) -> None:
        """Raise ValueError for parameters that do not go together, before any work is done."""
        cost = self._make_cost()
        if self.solver == "lbfgs" and cost.is_heuristic:
            raise ValueError(
                f'cost (={cost.name!r}) is a heuristic without a gradient: use solver="sgd"'
            )

    def _make_solver(self, gradient: Gradient) -> Solver:
        if self.solver == "lbfgs":
            return LBFGS(max_epochs=self.max_epochs, tol=self.tol, verbose=self.verbose)
        return SGD(
            gradient=gradient,
            learning_rate=self.learning_rate,
            schedule=self.schedule,
            max_epochs=self.max_epochs,
            batch_size=self.batch_size,
            tol=self.tol,
            patience=self.n_iter_no_change,
            shuffle=self.shuffle,
            verbose=self.verbose,
        )

    # --- learning ---------------------------------------------------------------------------

    def _set_classes(
        self, y: ArrayLike, n: int, classes: ArrayLike | None = None
    ) -> tuple[Membership, IntArray]:
        """Labels checked, who belongs to whom, and the number of prototypes of each class.

        Where all ``classes`` are named, some may be without a sample if the start is given.
        """
        name = type(self).__name__
        if classes is None:
            self.classes_, index = class_indices(y, n, name)
        else:
            self.classes_, _ = class_indices(classes, len(np.asarray(classes)), name)
            index = known_class_indices(y, self.classes_, n)
        free = classes is not None and not isinstance(self.init, str)
        counts = prototype_counts(self._wanted(), self.classes_, None if free else index)
        self.prototype_labels_ = np.repeat(self.classes_, counts)
        return Membership(index, np.repeat(np.arange(len(counts)), counts)), counts

    def _weights(self, sample_weight: Any, y: IntArray) -> Array | None:
        return sample_weights(sample_weight, self.class_weight, self.classes_, y)

    def _pose(
        self, geometry: Geometry[S], theta: S, who: Membership, weights: Array | None
    ) -> Problem[S]:
        """What a solver is to solve, with everything fixed that the cost leaves to the data."""
        self.cost_ = self._resolved_cost(
            lambda f: mean_and_deviation(f(geometry.distances(theta), who), weights), who, geometry
        )
        return Problem(geometry, self.cost_, who, weights)

    def _pose_blocks(
        self, blocks: Blocks, locally: Locally, geometry: Any, theta: Any, who: Membership
    ) -> Any:
        """The same where samples lie in blocks; of ``who`` only the prototypes are known."""
        average = averages(blocks, locally, theta.parameters)
        self.cost_ = self._resolved_cost(average, who, geometry)
        return BlockProblem(blocks, locally, geometry, self.cost_, who)

    def _resolved_cost(self, average: Any, who: Membership, geometry: Any) -> Cost:
        outset = Outset(
            average,
            who,
            lambda: geometry.bandwidth_share * geometry.scale_within(who.y),
            self.solver == "sgd" and self.learning_rate != "auto",
            geometry.steepness,
        )
        return self._make_cost().resolve(outset)

    def _note(self, result: FitResult[S]) -> None:
        """Set what is told of the learning, and warn of samples that were left out."""
        self.loss_curve_, self.n_iter_ = result.loss_curve, result.n_iter
        self.n_refused_ = result.refused
        self._warn_of_refused()

    def _warn_of_refused(self) -> None:
        if self.n_refused_:
            warn(
                f"{self.n_refused_} sample steps had a GLVQ denominator that was not positive and "
                f"were left out: {self._why_refused}"
            )

    # --- deciding ---------------------------------------------------------------------------

    @property
    def sigma2_(self) -> float | Array:
        """Bandwidth of a soft cost."""
        check_is_fitted(self, "cost_")
        return self.cost_.sigma2  # type: ignore[attr-defined, no-any-return]

    @property
    def _n_features_out(self) -> int:
        return len(self.prototype_labels_)

    @property
    def _exemplar_labels(self) -> Array:
        return self.prototype_labels_

    @property
    def _of_class(self) -> np.ndarray:
        return self.prototype_labels_ == self.classes_[:, None]

    @abstractmethod
    def _relative_distances(self, X: ArrayLike) -> Array:
        """d(x_i, w_j) up to a constant per row."""

    @abstractmethod
    def _distances(self, X: ArrayLike) -> Array:
        """d(x_i, w_j)."""

    def _class_scores(self, X: ArrayLike) -> Array:
        """(n, n_classes): log-posteriors, or minus the distance to the nearest prototype."""
        check_is_fitted(self)
        return self.cost_.class_scores(self._relative_distances(X), self._of_class)

    def predict(self, X: ArrayLike) -> LabelArray:
        """Class of the nearest prototype, or the most probable one where the cost is soft.

        Parameters
        ----------
        X : as for ``fit``

        Returns
        -------
        array of shape (n,)
        """
        scores = self._class_scores(X)
        return self.classes_[first_argmax(scores)]

    def decision_function(self, X: ArrayLike) -> Array:
        """Evidence per class; for two classes, that of the second against the first.

        Soft costs: log-odds of each class. Otherwise: by how much it is nearer than all others.

        Parameters
        ----------
        X : array of shape (n, d), or proximities of n objects
            What ``fit`` takes.

        Returns
        -------
        array of shape (n, n_classes), or (n,) for two classes
            In the order of ``classes_``.
        """
        scores = self._class_scores(X)
        if len(self.classes_) == 2:
            return scores[:, 1] - scores[:, 0]
        order = np.argsort(scores, axis=1)
        rows = np.arange(len(scores))
        best = scores[rows, order[:, -1]][:, None]
        second = scores[rows, order[:, -2]][:, None]
        is_best = np.arange(scores.shape[1]) == order[:, -1:]
        return scores - np.where(is_best, second, best)

    @available_if(_is_probabilistic)
    def predict_proba(self, X: ArrayLike) -> Array:
        """Posterior probability of each class.

        Parameters
        ----------
        X : array of shape (n, d), or proximities of n objects
            What ``fit`` takes.

        Returns
        -------
        array of shape (n, n_classes)
            In the order of ``classes_``; rows sum to one.
        """
        P = np.exp(self._class_scores(X))
        return P / P.sum(axis=1, keepdims=True)
