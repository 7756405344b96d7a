"""The one door through which every learner on pairs sees its objects."""

from dataclasses import field
from typing import Any, Literal, Self, cast

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import NotFittedError

from noneuclid._blocks import in_blocks, is_collection, lazily
from noneuclid._estimator import estimator
from noneuclid._parameters import Seed, check_parameters
from noneuclid._sklearn import BaseEstimator
from noneuclid.kernels import Kernel
from noneuclid.numerics.threads import one_blas_thread
from noneuclid.proximities._features import LandmarkFeatures
from noneuclid.proximities._in_blocks import InBlocks, fixed
from noneuclid.proximities._inputs import (
    at_least_two,
    checked_objects,
    is_precomputed,
    tagged,
    training_matrix,
)
from noneuclid.proximities._measures import MetricLike, as_measure, placed
from noneuclid.proximities._sources import Index, Source, copied
from noneuclid.proximities._views import LandmarkView, MatrixView, View
from noneuclid.proximities.charts import RelationChart
from noneuclid.proximities.checks import (
    Proximity,
    check_rows,
    column_names,
    may_be_negative,
    warn_if_distances,
    warn_if_pairs,
)
from noneuclid.proximities.corrections import Correction, SpectrumCorrection
from noneuclid.proximities.landmarks import (
    LandmarkChoice,
    NumberOfLandmarks,
    check_agreement,
    landmark_count,
)
from noneuclid.proximities.spectrum import Signature
from noneuclid.typing import Array, IntArray

# Products of wider blocks of landmarks gain from threads what decompositions of them lose.
_WIDE = 128
# Compiled code takes turns with them, whose threads wait as those of a BLAS do: only products so
# many times as large gain from several.
_IN_TURN = 16


@estimator
class Relation(InBlocks, BaseEstimator):
    r"""Objects known by their similarities or dissimilarities to each other.

    Wherever the numbers come from, a matrix, a kernel, a named metric, a function of two objects,
    or a few columns of landmarks, a fitted relation gives similarities S between its training
    objects,

    .. math:: S = -\tfrac12 H D H \;\text{ for dissimilarities}, \qquad
              S \leftarrow Q f(\Lambda) Q' \;\text{ with a correction}, \qquad
              S = Z I_{pq} Z' \;\text{ in its chart},

    and proximities of new objects to them, corrected alike. With landmarks it *is* a set of
    vectors, :math:`S \approx K_{nm}K_{mm}^+K_{mn} = ZI_{pq}Z'`, and nothing of size n×n is made.

    Parameters
    ----------
    metric : "precomputed", str, Kernel or callable, default="precomputed"
        Where proximities come from: X is their matrix; a name that
        :func:`noneuclid.proximities.metrics` lists; a kernel (similarities); or a function of two
        objects (a function of whole matrices is ``FunctionKernel(function)``).
    proximity : {"similarity", "dissimilarity"}, default="similarity"
        What the metric gives. Dissimilarities are squared-distance-like.
    correction : {None, "clip", "flip", "shift", "square"}, default=None
        What to do with negative eigenvalues, as :class:`SpectrumCorrection` says. With landmarks:
        of the approximation, and not ``"shift"``.
    n_landmarks : int, float or None, default=None
        Approximate by the proximities to so many landmarks, a number below one being a share of
        the objects; None takes all proximities.
    landmarks : {"uniform", "kmeans++", "pivoted"} or array of int, default="uniform"
        How landmarks are chosen, as :class:`NystroemEmbedding` says, or ``n_landmarks`` indices.
    squared : {"auto", True, False}, default="auto"
        False: dissimilarities are plain distances, and are squared on entry. Otherwise they are
        taken as they come, for squared distances: those of ``"euclidean"`` or ``"levenshtein"``
        too.
    random_state : int, RandomState or None, default=None
        For the choice of landmarks.

    Attributes
    ----------
    n_objects_ : int
        How many training objects there are.
    objects_ : rows, list or None
        The training objects; None if the matrix was given.
    metric_ : str, Kernel or callable
        The metric with all that depends on data fixed.
    matrix : array of shape (n, n)
        Corrected proximities of the relation's own kind, without landmarks.
    diagonal : array of shape (n,)
        Self-similarities of the training objects.
    chart : RelationChart
        Vectors of the training objects, with signs.
    is_positive : bool
        Whether no eigenvalue of the similarities is below −1e-8 of the largest modulus.
    eigenvalues_ : array of shape (n,)
        Of the training similarities, before a correction of all of them, largest first.
    signature_ : Signature
        Their signs.
    landmark_indices_ : array of shape (m,)
        The landmarks among the training objects; of a dask collection, their numbers among all
        of its objects.

    Notes
    -----
    The matrix of a precomputed relation, and the objects of one with landmarks, are kept in memory
    but not in files; :meth:`recall` gives them back.

    Examples
    --------
    >>> words = ["cat", "cart", "dog", "dot"]
    >>> relation = Relation("levenshtein", proximity="dissimilarity").fit(words)
    >>> relation.to(["cut"])[0]
    array([[1., 2., 3., 2.]])
    >>> relation.block([0], [1, 2]), relation.chart.signature
    (array([[ 0.375, -0.625]]), (3, 0))
    >>> relation.restrict([0, 2]).to(["cut"])[0]
    array([[1., 3.]])
    """

    metric: MetricLike = field(default="precomputed", kw_only=False)
    proximity: Proximity = "similarity"
    correction: Correction | None = None
    n_landmarks: NumberOfLandmarks | None = None
    landmarks: LandmarkChoice = "uniform"
    squared: Literal["auto"] | bool = "auto"
    random_state: Seed = None

    _signed = True  # unless it is known otherwise: files of older models do not tell
    _names = cast("list[str] | None", None)

    def fit(self, X: Any, y: Any = None) -> Self:
        """Take the training objects.

        Parameters
        ----------
        X : array of shape (n, n), or n objects, or a dask bag, array, Series or DataFrame
            The proximities or the objects, as ``metric`` says; with given ``landmarks`` also the
            (n, m) proximities to those. Of a dask collection of objects, which takes
            ``n_landmarks``, only the landmarks are kept: they are the training objects then.
        y : ignored

        Returns
        -------
        Relation
            Itself.
        """
        if in_blocks(X):
            return self._fit_blocks(X)
        names = column_names(X) if self.is_precomputed else None
        X = self.checked(X, self, reset=True)
        measure = None
        if self.is_precomputed:
            self.metric_ = self.metric
            self.n_features_in_, self._names = X.shape[1], names
            plain = self.squared is False  # which are refused when they are squared
            self._signed = plain or may_be_negative(X, self.proximity)
            self.__dict__.pop("feature_names_in_", None)
        else:
            if self.n_landmarks is not None:
                at_least_two(X)
            elif len(X) == 0:
                raise ValueError("X is empty: there is nothing to learn from")
            warn_if_pairs(X)
            measure = as_measure(placed(self.metric, self), self.proximity).resolve(X)
            self.metric_ = fixed(measure)
            if self.n_landmarks is None and isinstance(X, np.ndarray):
                X = X.copy()  # who changes the rows later must not change the model
        source = Source(X, measure, plain=self.squared is False)
        self._view = self._fit_view(source)
        self.n_objects_, self.objects_ = source.n, source.objects
        if self.is_precomputed and self.proximity == "similarity" and source.n == source.n_columns:
            warn_if_distances(X, "X")
        return self

    def _check_params(self) -> None:
        if not self.is_precomputed:
            measure = as_measure(self.metric, self.proximity)
            if isinstance(measure, Kernel):
                check_parameters(measure)
        check_agreement(self.n_landmarks, self.landmarks)
        if self.n_landmarks is not None:
            LandmarkFeatures(self.proximity, self.correction)
        if self.squared is False and self.proximity == "similarity":
            raise ValueError("squared=False is about distances, and proximity is 'similarity'")

    def _fit_view(self, source: Source) -> View:
        if self.n_landmarks is None:
            return MatrixView(source, self.proximity, self.correction)
        features = LandmarkFeatures(self.proximity, self.correction, along_axes=False)
        m = landmark_count(self.n_landmarks, source.n)
        with one_blas_thread(source.n * m * min(m, _WIDE) // _IN_TURN):
            rows = features.fit(source, self.n_landmarks, self.landmarks, self.random_state)
            return LandmarkView(source, features, rows)

    # --- what it takes ----------------------------------------------------------------------

    @property
    def is_precomputed(self) -> bool:
        """Whether X is the matrix itself."""
        return is_precomputed(self.metric)

    @property
    def takes_rows(self) -> bool:
        """Whether the objects are rows of a numeric table."""
        return not self.is_precomputed and not as_measure(self.metric, self.proximity).takes_objects

    def checked(self, X: Any, owner: Any, *, reset: bool = False) -> Any:
        """Return what fits this relation, checked in the name of an owner, or raise.

        Parameters
        ----------
        X : array, list
            Rows of proximities, rows of a table, or objects, as ``metric`` says.
        owner : BaseEstimator
            Whose ``n_features_in_`` and ``feature_names_in_`` are compared, or set.
        reset : bool, default=False
            Whether these are the training objects.

        Returns
        -------
        array, or sequence of objects
            As the relation takes them.
        """
        if not self.is_precomputed:
            measure = self._fitted.source.measure if not reset else None
            measure = measure or as_measure(self.metric, self.proximity)
            objects = checked_objects(X, measure, owner, reset=reset, least=2 if reset else 1)
            if reset and owner is not self:  # it will be fitted on rows, which have no times
                self.metric = placed(self.metric, owner)
            return objects
        if reset:
            return training_matrix(X, self.n_landmarks)
        view = self._fitted
        width = view.features.width(X) if isinstance(view, LandmarkView) else self.n_objects_
        name = type(owner).__name__
        return check_rows(X, width, name, signed=self._signed, names=self._names)

    # --- what a fitted relation knows -------------------------------------------------------

    @property
    def matrix(self) -> Array:
        """Corrected proximities between all training objects, without landmarks."""
        view = self._fitted
        if not isinstance(view, MatrixView):
            raise AttributeError("there is no matrix of all proximities with n_landmarks")
        return view.matrix

    def block(self, rows: Any, columns: Any) -> Array:
        """Similarities between some training objects, after the correction.

        Parameters
        ----------
        rows, columns : arrays of int, or slices

        Returns
        -------
        array of shape (n_rows, n_columns)
            Similarities.
        """
        return self._fitted.block(*map(_index, (rows, columns)))

    @property
    def diagonal(self) -> Array:
        """Self-similarities of the training objects, after the correction."""
        return self._fitted.diagonal

    def dot(self, G: ArrayLike) -> Array:
        """G S for coefficients G of shape (m, n) or (n,).

        Parameters
        ----------
        G : array of shape (m, n) or (n,)
            Coefficients.

        Returns
        -------
        array of shape (m, n)
            Their products with the similarities.
        """
        return self._fitted.dot(np.asarray(G, dtype=np.float64))

    @property
    def is_positive(self) -> bool:
        """Whether no eigenvalue of the similarities is below −1e-8 of the largest modulus."""
        return self._fitted.is_positive

    @property
    def chart(self) -> RelationChart:
        """Vectors of the training objects: features from landmarks, or the full embedding."""
        return self._fitted.chart

    @property
    def eigenvalues_(self) -> Array:
        """Of the training similarities before a correction of all of them, largest first."""
        return self._fitted.eigenvalues

    @property
    def signature_(self) -> Signature:
        """Signs of the eigenvalues of the training similarities."""
        return self._fitted.signature

    @property
    def spectrum_correction_(self) -> SpectrumCorrection | None:
        """The correction of all proximities; None without one, with landmarks, or of a few."""
        correction = getattr(self._fitted, "correction", None)
        return correction if isinstance(correction, SpectrumCorrection) else None

    @property
    def landmark_indices_(self) -> IntArray:
        """The landmarks among the training objects, with ``n_landmarks`` only."""
        view = self._fitted
        if not isinstance(view, LandmarkView):
            raise AttributeError("there are no landmarks: n_landmarks is None")
        return view.features.indices

    def training(self) -> Any:
        """What the relation was fitted on: the objects, or the matrix if it is at hand.

        Returns
        -------
        array of shape (n, n), or sequence of objects
            As they were given.
        """
        view = self._fitted
        if isinstance(view, MatrixView) and view.is_as_given:
            return view.matrix
        return view.source.known

    # --- new objects ------------------------------------------------------------------------

    def to(
        self, X: Any, columns: Any = None, *, owner: Any = None, self_values: bool = True
    ) -> tuple[Array, Array | None]:
        """Proximities of new objects to training objects, corrected, and to themselves.

        Parameters
        ----------
        X : array of shape (n_new, n), or n_new objects, or a dask collection of such
            Of a dask collection, dask arrays are returned, which compute block by block.
        columns : array of int, optional
            Only to these training objects.
        owner : estimator, optional
            In whose name X is checked; by default the relation's own.
        self_values : bool, default=True
            Whether those are asked for.

        Returns
        -------
        values : array of shape (n_new, len(columns))
            Of the relation's own kind.
        self_values : array of shape (n_new,), or None
            Proximities of the new objects to themselves; None where a matrix does not say.
        """
        columns = None if columns is None else np.asarray(columns)
        if is_collection(X):
            own = lazily(self, "_own_values", X) if self_values else None
            return lazily(self, "_values", X, columns), own
        return self._fitted.to(self.checked(X, owner or self), columns, self_values)

    def to_checked(self, X: Any, columns: IntArray | None) -> tuple[Array, Array | None]:
        """As :meth:`to`, of what :meth:`checked` returned, and of each object by itself.

        Under ``correction="shift"``, whoever is new has no shifted proximity to any object, while
        :meth:`to` recognises the training matrix as a whole.

        Parameters
        ----------
        X : array, or sequence of objects
        columns : array of int, or None
            Only to these training objects.

        Returns
        -------
        values : array of shape (n_new, len(columns))
        self_values : array of shape (n_new,), or None
        """
        return self._fitted.to(X, columns, recognise=False)

    def vectors(self, X: Any, *, owner: Any = None) -> Array:
        """Coordinates of new objects in the chart; checked in the name of an owner, if given.

        Parameters
        ----------
        X : as for ``fit``
            Proximities of new objects to the training objects or landmarks, or the objects.
        owner : object, optional
            The learner, whose name an error gives.

        Returns
        -------
        array of shape (n, r)
            Coordinates.
        """
        if is_collection(X):
            return lazily(self, "vectors", X)  # type: ignore[no-any-return]
        return self._fitted.vectors(self.checked(X, owner or self))

    # --- other relations --------------------------------------------------------------------

    def restrict(self, columns: Any) -> "Relation":
        """The same relation over some of the training objects: what a sparse model needs.

        A precomputed relation then takes rows of proximities to those only. Corrected proximities,
        which mix those to all objects, are exact under ``"shift"`` or where the few span the
        vectors of all others, and the nearest that their proximities tell otherwise; see
        ``compact``.

        Parameters
        ----------
        columns : array of int

        Returns
        -------
        Relation
        """
        view = self._fitted
        if not isinstance(view, MatrixView):
            raise ValueError(
                "a relation with n_landmarks needs no restriction: it takes proximities to its "
                f"{len(self.landmark_indices_)} landmarks as they are"
            )
        return self._with(view.restrict(np.asarray(columns)))

    def recall(self, P: Any) -> "Relation":
        """A copy that has its training proximities at hand again.

        Parameters
        ----------
        P : array of shape (n, n)
            Proximities between the training objects, as ``fit`` took them; with landmarks also
            those to the landmarks only, or the objects.

        Returns
        -------
        Relation
            This one stays as it is.
        """
        view = self._fitted
        given = self.checked(P, self) if isinstance(view, LandmarkView) else P
        return self._with(view.recall(given))

    def _with(self, view: View) -> "Relation":
        changed = {"_view": view, "n_objects_": view.source.n, "objects_": view.source.objects}
        if self.is_precomputed and isinstance(view, MatrixView):
            changed["n_features_in_"] = view.source.n
        return copied(self, **changed)

    @property
    def _fitted(self) -> View:
        if "_view" not in self.__dict__:
            raise NotFittedError("this Relation is not fitted yet: call fit first")
        return self._view

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()
        view = state.get("_view")
        if isinstance(view, LandmarkView) and view.source is not view.features.landmarks:
            state = {**state, "objects_": None}  # landmarks stand in for the objects
        return state

    def __sklearn_is_fitted__(self) -> bool:
        return "_view" in self.__dict__

    def __sklearn_tags__(self) -> Any:
        return tagged(super().__sklearn_tags__(), self)


def _index(which: Any) -> Index:
    return which if isinstance(which, slice) else np.asarray(which)
