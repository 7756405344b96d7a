"""Labelled prototypes that are vectors of any space."""

from typing import Annotated, Any, ClassVar, Literal, Self, cast

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import check_random_state

from noneuclid._blocks import in_blocks
from noneuclid._data import check_is_fitted, refuse_other_classes, validate_data, with_weight
from noneuclid._estimator import estimator, learned_anew
from noneuclid._parameters import Folder, Prototypes
from noneuclid.numerics.threads import one_blas_thread
from noneuclid.prototypes.classifiers.base import GRADIENTS, GradientName, PrototypeClassifier
from noneuclid.prototypes.classifiers.blocks import fit_in_blocks
from noneuclid.prototypes.classifiers.deciding import evenly_counted
from noneuclid.prototypes.costs import Cost, Membership
from noneuclid.prototypes.costs.glvq import MarginParameters
from noneuclid.prototypes.costs.rslvq import LearnedMixtureParameters
from noneuclid.prototypes.geometries.base import Gradient
from noneuclid.prototypes.geometries.gaps import enlargement, require_values
from noneuclid.prototypes.geometries.missing import MissingGeometry
from noneuclid.prototypes.geometries.sums import Spread, SummedGeometry
from noneuclid.prototypes.geometries.vectors import VectorGeometry
from noneuclid.prototypes.labels import known_class_indices, sample_weights
from noneuclid.prototypes.solvers.problem import Problem
from noneuclid.prototypes.solvers.sgd import SGD, online_rate
from noneuclid.prototypes.starts.classes import initial_vectors
from noneuclid.prototypes.starts.common import given
from noneuclid.spaces import Chart, Euclidean, IncompatibleSpace, Space, require
from noneuclid.spaces.names import SpaceLike, space_for
from noneuclid.typing import Array, IntArray


@estimator
class VectorLVQ(PrototypeClassifier):
    r"""Learning vector quantisation of vectors, with any cost, in any space.

    Prototypes :math:`w_j` minimise a cost of the distances :math:`d(x_i, w_j) = \|x_i - w_j\|^2`
    and of who belongs to whom. :class:`GLVQ`, :class:`RSLVQ`, :class:`LVQ1` and :class:`LVQ21` are
    four of its cells. In a Hilbert space the Riesz gradient is the Euclidean one in the
    coordinates of the space's chart, so that is where learning takes place.

    Parameters
    ----------
    space : str or Space, default="l2"
        Geometry of the data: anything ``as_space`` accepts, e.g. ``"l1"``, ``Sobolev(...)``,
        ``PseudoEuclidean(...)`` or ``KernelMetric(kernel)``. In ``"l2"`` missing values (NaN) are
        left out of the distances; ``outlyingness`` makes up for them, and a row without any value
        is not classified.
    gradient : {"auto", "riesz", "coordinates"}, default="auto"
        The step on a sample: along x − w (Riesz: steepest in the norm of the space) or along
        J(x − w) (steepest in the coordinates). ``"auto"`` is Riesz wherever it descends and can be
        followed: in spaces with a norm with ``"sgd"``, in Hilbert spaces with ``"lbfgs"``.
    init : {"kmeans", "kmedoids", "random"} or array of shape (m, d), default="kmeans"
        Class-wise k-means or medoids, samples drawn from the class, or the prototypes themselves,
        class by class in the order of ``classes_``. Of data in blocks (dask), it sees a bounded
        random sample of each class.
    checkpoint : str or path, optional
        A folder that keeps what every pass over the data found. A fit that was interrupted goes
        on from there, and ends as if nothing had happened.

    Attributes
    ----------
    prototypes_ : array of shape (m, d)
        In the data space.
    space_ : Space
        The space, with all that was left to the data fixed.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = VectorLVQ(cost="cross_entropy", random_state=0).fit(X, y)
    >>> model.score(X, y) > 0.9, model.predict_proba(X).shape
    (True, (150, 3))
    """

    space: SpaceLike = "l2"
    gradient: Annotated[str, Literal["auto"] | GradientName] = "auto"
    init: Literal["kmeans", "kmedoids", "random"] | Prototypes = "kmeans"
    solver: Literal["sgd", "lbfgs"] = "lbfgs"
    checkpoint: Folder | None = None

    _learns_bandwidths: ClassVar[bool] = True

    _has_flat_borders: ClassVar[bool] = True  # in a Hilbert space

    @property
    def _why_refused(self) -> str:  # type: ignore[override]
        return (
            f"distances in {self.space_} are negative, or a sample lies on prototypes of two "
            "classes; RSLVQ avoids this"
        )

    # --- learning ---------------------------------------------------------------------------

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Learn the prototypes.

        Parameters
        ----------
        X : array of shape (n, d), or dask array or DataFrame
            Samples. Blocks stay where they lie; ``"lbfgs"`` reads them once per evaluation,
            ``"sgd"`` block after block, in random order unless ``shuffle=False``.
        y : array of shape (n,), or dask array or Series
            Labels.
        sample_weight : array of shape (n,), optional

        Returns
        -------
        self : object
            Fitted.
        """
        self._choose_number(X, y, sample_weight)
        if in_blocks(X, y, sample_weight) or self.checkpoint is not None:
            return self._fit_blocks(X, y, sample_weight)
        rows = self._validate(X, reset=True, at_least=2)
        rows, y, sample_weight = with_weight(rows, y, sample_weight)
        rng = check_random_state(self.random_state)
        with one_blas_thread(rows.size):
            problem, theta = self._begin(rows, y, sample_weight, rng)
        with one_blas_thread(problem.geometry.multiplications(theta)):
            result = self._make_solver(self._gradient).run(problem, theta, rng)
            self._finish(problem.geometry, result.theta)
            self._look_back(rows, problem.who.y, problem.weights)
        self._note(result)
        return self

    def _choose_number(self, X: Any, y: Any, sample_weight: Any) -> None:
        if self._is_open() and not in_blocks(X, y, sample_weight):
            require_values(self._validate(X, reset=True, at_least=2))  # all rows are predicted
        super()._choose_number(X, y, sample_weight)

    def _fit_blocks(self, X: Any, y: Any, sample_weight: Any) -> Self:
        return learned_anew(self, fit_in_blocks, X, y, sample_weight)  # type: ignore[no-any-return]

    def _summed(self, geometry: Any, spread: Spread) -> Any:
        """The geometry of a sample, with the scales of all samples."""
        return SummedGeometry(geometry, spread)

    def _begin(
        self, rows: Array, y: Any, sample_weight: Any, rng: Any, classes: Any = None
    ) -> tuple[Problem[Any], Any]:
        """The problem and the first prototypes; fixes all that depends on the first data."""
        self._set_space(rows)
        who, counts = self._set_classes(y, len(rows), classes)
        weights = self._weights(sample_weight, who.y)
        geometry = self._geometry_of(rows, weights)
        start = self._start(geometry, rows, who, counts, rng)
        geometry, start = self._widened(geometry, start)
        theta = geometry.state(start)
        problem = self._pose(geometry, theta, who, weights)
        self._rate = online_rate(problem, self._online_gradient)
        return problem, theta

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

        Returns
        -------
        self : object
            Fitted.
        """
        if self.class_weight == "balanced":
            raise ValueError(
                'class_weight="balanced" needs all samples at once: give partial_fit a dict'
            )
        self._require_number()
        first = not hasattr(self, "prototypes_")
        rows = self._validate(X, reset=first)
        rng = check_random_state(self.random_state)
        if first:
            rows, y, sample_weight = with_weight(rows, y, sample_weight)
            problem, theta = self._begin(rows, y, sample_weight, rng, classes)
            self.loss_curve_ = [problem.loss(theta)]
            self.n_iter_ = self.n_refused_ = 0
        else:
            refuse_other_classes(self.classes_, classes)
            problem, theta = self._resume(rows, y)
        problem.weights = sample_weights(
            sample_weight, self.class_weight, self.classes_, problem.who.y, scaled=False
        )
        rate = self._rate if self.learning_rate == "auto" else self.learning_rate
        solver = SGD(
            gradient=getattr(self, "_online_gradient", self._gradient),  # files of 0.1 have the one
            learning_rate=rate,
            schedule="constant",
            max_epochs=1,
            batch_size=self.batch_size or 1,
            tol=0.0,
            shuffle=self.shuffle,
        )
        result = solver.run(problem, theta, rng)
        self._finish(problem.geometry, result.theta)
        self._look_back(rows, problem.who.y, problem.weights, beside_earlier=True)
        self.loss_curve_ = [*self.loss_curve_, result.loss_curve[-1]]
        self.n_iter_ += 1
        self.n_refused_ += result.refused
        return self

    def _resume(self, rows: Array, y: Any) -> tuple[Problem[Any], Any]:
        """The problem of some more samples, and the prototypes learned so far."""
        geometry = self._geometry_of(rows)
        index = known_class_indices(y, self.classes_, len(rows))
        who = Membership(index, np.searchsorted(self.classes_, self.prototype_labels_))
        geometry, parameters = self._widened(geometry, self._parameters())
        return Problem(geometry, self.cost_, who), geometry.state(parameters)

    def _look_back(
        self, rows: Array, y: IntArray, weights: Array | None, *, beside_earlier: bool = False
    ) -> None:
        """See how far training samples are from the prototypes that were learned."""
        some = evenly_counted(len(rows), weights)
        telling = some[~np.isnan(rows[some]).all(axis=1)]
        some = telling if len(telling) > 0 else some
        geometry = self._geometry_of(rows[some])
        D = geometry.distances(geometry.state(self._parameters()))
        D *= enlargement(rows[some])
        self._note_training(D, y[some], beside_earlier=beside_earlier)

    def _set_space(self, rows: Array) -> None:
        """Fix the space on the data, and choose the gradients that fit and partial_fit follow."""
        name, wanted, online = type(self).__name__, GRADIENTS.get(self.gradient, "auto"), ""
        space = space_for(self)
        require(space, name, "squared_distance", "pull")
        self.space_ = cast(Space, space.resolve(rows)) if hasattr(space, "resolve") else space
        chart = self.space_.chart(rows.shape[1])
        euclidean = chart is not None and chart.is_positive
        if wanted == "riesz" and not hasattr(space, "dual"):
            raise IncompatibleSpace(
                f'{name} with gradient="riesz" needs a linear space, with `dual`; {space} has '
                'none: use gradient="coordinates"'
            )
        if wanted == "riesz" and self.solver == "lbfgs" and not euclidean:
            raise ValueError(LBFGS_NEEDS_COORDINATES)
        if wanted == "auto":
            descends = hasattr(space, "dual") and "positivity" in space.laws
            online = "riesz" if euclidean or descends else "coordinates"
            wanted = online if euclidean or self.solver == "sgd" else "coordinates"
        self._gradient = cast(Gradient, wanted)
        self._online_gradient = cast(Gradient, online or wanted)

    def _chart(self) -> Chart | None:
        """Where learning takes place: the chart of a Hilbert space, or None for the space."""
        if self._gradient != "riesz":
            return None
        chart = self.space_.chart(self.n_features_in_)
        return chart if chart is not None and chart.is_positive else None

    def _forth(self, X: Array) -> Array:
        chart = self._chart()
        return X if chart is None else chart.forth(X)

    def _back(self, Z: Array) -> Array:
        chart = self._chart()
        return Z if chart is None else chart.back(Z)

    def _geometry_of(self, rows: Array, weights: Array | None = None) -> Any:
        if np.isnan(rows).any():
            return MissingGeometry(rows, weights)
        space = self.space_ if self._chart() is None else Euclidean()
        return VectorGeometry(space, self._forth(rows), weights)

    def _start(
        self, geometry: Any, rows: Array, who: Membership, counts: IntArray, rng: Any
    ) -> Array:
        """The first parameters."""
        init = self.init
        if not isinstance(init, str):
            shape = int(counts.sum()), rows.shape[1]
            init = self._forth(given(init, shape, "one row per prototype"))
        return initial_vectors(init, geometry, who.y, counts, rng)

    def _parameters(self) -> Array:
        """What a geometry takes as the parameters of the fitted prototypes."""
        return self._forth(self.prototypes_)

    def _keep(self, geometry: Any, theta: Any) -> None:
        self.prototypes_ = self._back(theta.parameters)

    # --- deciding ---------------------------------------------------------------------------

    def _relative_distances(self, X: ArrayLike) -> Array:
        return self._distances(X)

    def _distances(self, X: ArrayLike) -> Array:
        check_is_fitted(self)
        rows = self._validate(X, reset=False)
        require_values(rows)
        return VectorGeometry.distances_to(self.space_, rows, self.prototypes_)

    def _whole_distances(self, X: ArrayLike, **known: Any) -> Array:
        D = self._distances(X, **known)
        return D * enlargement(self._validate(X, reset=False)) if self._takes_missing() else D

    def transform(self, X: ArrayLike) -> Array:
        """Squared distances to the prototypes: (n, m).

        Parameters
        ----------
        X : array of shape (n, d)
            Samples.

        Returns
        -------
        array of shape (n, m)
            Squared distances in the space.
        """
        return self._distances(X)

    # --- manners ----------------------------------------------------------------------------

    def _takes_missing(self) -> bool:
        return self.space in ("l2", "euclidean") or isinstance(self.space, Euclidean)

    def _validate(self, X: ArrayLike, *, reset: bool, at_least: int = 1) -> Array:
        rows: Array = validate_data(
            self,
            X,
            dtype=np.float64,
            order="C",
            ensure_all_finite="allow-nan" if self._takes_missing() else True,
            ensure_min_samples=at_least,
            reset=reset,
        )
        return rows

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self._takes_missing()
        return tags


LBFGS_NEEDS_COORDINATES = (
    'solver="lbfgs" follows the coordinate gradient: use gradient="coordinates"'
)


@estimator
class GLVQ(MarginParameters, VectorLVQ):
    r"""Generalised learning vector quantisation, in any space.

    Prototypes minimise relative distance differences,

    .. math:: \sum_i F(\mu_i), \qquad
              \mu = \frac{d(x, w_+) - d(x, w_-)}{d(x, w_+) + d(x, w_-)},

    with :math:`w_+` the nearest prototype of the sample's class and :math:`w_-` that of any other.

    References
    ----------
    A. Sato and K. Yamada (1996), Generalized learning vector quantization.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> GLVQ(space="l1", random_state=0).fit(X, y).score(X, y) > 0.9
    True
    """

    cost: ClassVar[str | Cost] = "glvq"  # type: ignore[misc]


@estimator
class RSLVQ(LearnedMixtureParameters, VectorLVQ):
    r"""Robust soft learning vector quantisation, in any space, with class probabilities.

    Prototypes maximise the likelihood ratio of a mixture of Gaussians,

    .. math:: \sum_i \log\frac{\sum_{j: c_j = y_i} P(j)\,e^{-d(x_i, w_j)/\sigma^2}}
                                {\sum_j P(j)\,e^{-d(x_i, w_j)/\sigma^2}}.

    Attributes
    ----------
    sigma2_ : float or array
        The bandwidth.

    References
    ----------
    S. Seo and K. Obermayer (2003), Soft learning vector quantization.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = RSLVQ(random_state=0).fit(X, y)
    >>> model.predict_proba(X[:1]).round(2)
    array([[1., 0., 0.]])
    """

    cost: ClassVar[str | Cost] = "rslvq"  # type: ignore[misc]
