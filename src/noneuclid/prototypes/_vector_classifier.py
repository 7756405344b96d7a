"""What all classifiers with prototypes in the data space share: fitting, steps, distances."""

import warnings
from typing import Any, Self, cast

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from noneuclid.prototypes._classifier import PrototypeClassifier
from noneuclid.prototypes._cost_choice import make_cost
from noneuclid.prototypes._labels import known_class_indices, sample_weights
from noneuclid.prototypes._parameters import LBFGS_NEEDS_COORDINATES, check_vector_parameters
from noneuclid.prototypes.geometry import Geometry
from noneuclid.prototypes.initial import given_vectors, initial_vectors
from noneuclid.prototypes.solvers import FitResult, Gradient, Task, online_rate, sgd
from noneuclid.prototypes.vectors import MissingGeometry, VectorGeometry, check_range
from noneuclid.spaces import Euclidean, IncompatibleSpace, Space, as_space
from noneuclid.spaces.base import require
from noneuclid.typing import Array, IntArray


class VectorClassifier(PrototypeClassifier):
    """Labelled prototypes that are vectors of a space. A subclass names its cost.

    In a Hilbert space the Riesz gradient is the Euclidean one in flat coordinates, so that is
    where learning takes place; the prototypes are mapped back afterwards.
    """

    cost: str

    # --- learning ---------------------------------------------------------------------------

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Learn the prototypes.

        Parameters
        ----------
        X : array of shape (n, d)
            Samples.
        y : array of shape (n,)
            Labels.
        sample_weight : array of shape (n,), optional
        """
        rows = self._validate(X, reset=True, at_least=2)
        rng = check_random_state(self.random_state)
        geometry, start, task = self._begin(rows, y, sample_weight, rng)
        result = self._solve(geometry, start, task, self._gradient, rng)
        self._keep(geometry, result)
        self.loss_curve_, self.n_iter_ = result.loss_curve, result.n_iter
        self.n_refused_ = result.refused
        if result.refused:
            warnings.warn(
                f"{result.refused} sample steps had a GLVQ denominator that was not positive and "
                f"were left out: distances in {self.space_} are negative, or a sample lies on "
                "prototypes of two classes; RSLVQ avoids this",
                UserWarning,
                stacklevel=2,
            )
        return self

    def _begin(
        self, rows: Array, y: Any, sample_weight: Any, rng: Any, classes: Any = None
    ) -> tuple[Any, Any, Task]:
        """Geometry, first prototypes and task; fixes all that depends on the first data."""
        self._set_space(rows, check_vector_parameters(self))
        task, counts = self._make_task(y, len(rows), sample_weight, classes)
        geometry = self._geometry_of(rows, task.weights)
        theta = geometry.state(self._start(geometry, rows, task, counts, rng))
        self._cost = make_cost(self, geometry, theta, task)
        self._rate = online_rate(geometry, self._cost, self._gradient, task)
        return geometry, theta, task

    def partial_fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        classes: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Show the samples once; continues after ``fit`` or an earlier ``partial_fit``.

        The steps are those of ``solver="sgd"``, at a constant learning rate. What depends on the
        data (start, bandwidth, slope, the unit of the learning rate) is fixed by the first call.

        Parameters
        ----------
        X : array of shape (n, d)
        y : array of shape (n,)
        classes : array, optional
            All classes, needed in the first call if ``y`` does not show them all. The prototypes
            of a class that is not there start where ``init`` says, so it must be an array.
        sample_weight : array of shape (n,), optional
            Factors of the learning rate, as are the weights of the classes.
        """
        if self.class_weight == "balanced":
            raise ValueError(
                'class_weight="balanced" needs all samples at once: give partial_fit a dict'
            )
        first = not hasattr(self, "prototypes_")
        rows = self._validate(X, reset=first)
        rng = check_random_state(self.random_state)
        if first:
            geometry, theta, task = self._begin(rows, y, sample_weight, rng, classes)
            self.loss_curve_ = [task.value(geometry, self._cost, theta)]
            self.n_iter_ = self.n_refused_ = 0
        else:
            check_vector_parameters(self)
            geometry = self._geometry_of(rows)
            index = known_class_indices(y, self.classes_, len(rows))
            task = Task(index, self.prototype_labels_ == self.classes_[:, None])
            theta = geometry.state(self._parameters())
        task.weights = sample_weights(
            sample_weight, self.class_weight, self.classes_, task.y, scaled=False
        )
        result = sgd(
            geometry,
            self._cost,
            theta,
            task,
            gradient=self._gradient,
            learning_rate=self._rate if self.learning_rate == "auto" else self.learning_rate,
            schedule="constant",
            max_epochs=1,
            batch_size=self.batch_size or 1,
            tol=0.0,
            patience=1,
            shuffle=self.shuffle,
            rng=rng,
            verbose=False,
        )
        self._keep(geometry, result)
        self.loss_curve_ = [*self.loss_curve_, result.loss_curve[-1]]
        self.n_iter_ += 1
        self.n_refused_ += result.refused
        return self

    def _set_space(self, rows: Array, wanted: str) -> None:
        name = type(self).__name__
        space = as_space(self.space)
        require(space, name, "squared_distance", "pull")
        self.space_ = cast(Space, space.resolve(rows)) if hasattr(space, "resolve") else space
        if wanted == "riesz" and not hasattr(space, "dual"):
            raise IncompatibleSpace(
                f'{name} with gradient="riesz" needs a linear space, with `dual`; {space} has '
                'none: use gradient="coordinates"'
            )
        flat = hasattr(space, "flatten")
        if wanted == "riesz" and self.solver == "lbfgs" and not flat:
            raise ValueError(LBFGS_NEEDS_COORDINATES)
        if wanted == "auto":
            descends = hasattr(space, "dual") and "positivity" in space.laws
            online = self.solver == "sgd" and descends
            wanted = "riesz" if flat or online else "coordinates"
        self._gradient = cast(Gradient, wanted)

    @property
    def _is_flat(self) -> bool:
        return self._gradient == "riesz" and hasattr(self.space_, "flatten")

    def _forth(self, X: Array) -> Array:
        return self.space_.flatten(X) if self._is_flat else X  # type: ignore[attr-defined]

    def _back(self, Z: Array) -> Array:
        return self.space_.unflatten(Z) if self._is_flat else Z  # type: ignore[attr-defined]

    def _geometry_of(self, rows: Array, weights: Array | None = None) -> Any:
        if np.isnan(rows).any():
            return MissingGeometry(rows, weights)
        space = Euclidean() if self._is_flat else self.space_
        return VectorGeometry(space, self._forth(rows), weights)

    def _start(self, geometry: Any, rows: Array, task: Task, counts: IntArray, rng: Any) -> Array:
        """The first parameters."""
        init = self.init
        if not isinstance(init, str):
            init = self._forth(given_vectors(init, (int(counts.sum()), rows.shape[1])))
        return initial_vectors(init, geometry, task.y, counts, rng)

    def _parameters(self) -> Array:
        """What a geometry takes as the parameters of the fitted prototypes."""
        return self._forth(self.prototypes_)

    def _keep(self, geometry: Geometry[Any], result: FitResult[Any]) -> None:
        self.prototypes_ = self._back(result.theta.parameters)

    # --- deciding ---------------------------------------------------------------------------

    def _is_soft(self) -> bool:
        return self.cost == "rslvq"

    def _relative_distances(self, X: ArrayLike) -> Array:
        return self._distances(X)

    def _distances(self, X: ArrayLike, *args: Any) -> Array:
        check_is_fitted(self)
        rows = self._validate(X, reset=False)
        return VectorGeometry.distances_to(self.space_, rows, self.prototypes_)

    def transform(self, X: ArrayLike) -> Array:
        """Squared distances to the prototypes: (n, m)."""
        return self._distances(X)

    # --- manners ----------------------------------------------------------------------------

    def _takes_missing(self) -> bool:
        return self.space in ("l2", "euclidean") or isinstance(self.space, Euclidean)

    def _validate(self, X: ArrayLike, *, reset: bool, at_least: int = 1) -> Array:
        rows = validate_data(
            self,
            X,
            dtype=np.float64,
            order="C",
            ensure_all_finite="allow-nan" if self._takes_missing() else True,
            ensure_min_samples=at_least,
            reset=reset,
        )
        return check_range(rows)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self._takes_missing()
        return tags
