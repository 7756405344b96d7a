"""The one door through which every learner on pairs sees its objects."""

import contextlib
from dataclasses import field
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, clone
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from noneuclid._checks import check_choice
from noneuclid._estimator import estimator
from noneuclid.proximities.charts import RelationChart
from noneuclid.proximities.checks import (
    Proximity,
    check_kind,
    check_proximities,
    check_rows,
    check_square,
    warn_if_distances,
)
from noneuclid.proximities.corrections import CORRECTIONS, Correction
from noneuclid.proximities.features import LandmarkFeatures, at_least_two, choose
from noneuclid.proximities.landmarks import Landmarks, landmark_count
from noneuclid.proximities.measures import as_measure
from noneuclid.proximities.sources import MatrixSource, ObjectSource, Source, SquaredSource, copied
from noneuclid.proximities.spectrum import Signature
from noneuclid.proximities.views import LandmarkView, MatrixView, View
from noneuclid.typing import Array, IntArray


@estimator
class Relation(BaseEstimator):
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
        How landmarks are chosen, as :class:`NystroemEmbedding` says, or their indices.
    squared : {"auto", True, False}, default="auto"
        False: dissimilarities are plain distances, and are squared on entry. Otherwise they are
        taken as they come.
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
    signature_ : Signature
        Signs of the eigenvalues of the training similarities, before a correction of all of them.
    landmark_indices_ : array of shape (m,)
        The landmarks among the training objects.

    Notes
    -----
    The matrix of a precomputed relation is kept in memory but not in files; :meth:`recall` gives
    it back.

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

    metric: Any = field(default="precomputed", kw_only=False)
    proximity: Proximity = "similarity"
    correction: Correction | None = None
    n_landmarks: int | float | None = None
    landmarks: Landmarks | ArrayLike = "uniform"
    squared: Literal["auto"] | bool = "auto"
    random_state: Any = None

    # --- what is asked before and by fit ----------------------------------------------------

    @property
    def is_precomputed(self) -> bool:
        """Whether X is the matrix itself."""
        return isinstance(self.metric, str) and self.metric == "precomputed"

    @property
    def takes_rows(self) -> bool:
        """Whether the objects are rows of a numeric table."""
        return not self.is_precomputed and as_measure(self.metric, self.proximity).takes_rows

    def fit(self, X: Any, y: Any = None) -> Self:
        """Take the training objects.

        Parameters
        ----------
        X : array of shape (n, n), or n objects
            The proximities or the objects, as ``metric`` says; with given ``landmarks`` also the
            (n, m) proximities to those.
        y : ignored
        """
        self._check_parameters()
        source = self._source(self.checked(X, self, reset=True))
        if self.squared is False:
            source = SquaredSource(source)
        self._view = self._fit_view(source)
        self.n_objects_ = source.n
        self.objects_ = source.objects
        if self.is_precomputed and self.proximity == "similarity" and source.n == source.n_columns:
            warn_if_distances(source.within(), "X")
        return self

    def _check_parameters(self) -> None:
        check_kind(self.proximity)
        check_choice("squared", self.squared, ("auto", True, False))
        if self.squared is False and self.proximity == "similarity":
            raise ValueError("squared=False is about distances, and proximity is 'similarity'")
        if self.n_landmarks is None:
            check_choice("correction", self.correction, (None, *CORRECTIONS))
        else:
            landmark_count(self.n_landmarks, 1)

    def _source(self, X: Any) -> Source:
        if self.is_precomputed:
            self.metric_ = self.metric
            self.n_features_in_ = X.shape[1]
            return MatrixSource(X)
        measure = as_measure(clone(self.metric, safe=False), self.proximity)
        if not measure.takes_rows and self.n_landmarks is not None:
            at_least_two(X)
        elif len(X) == 0:
            raise ValueError("X is empty: there is nothing to learn from")
        self._measure = measure.resolve(X)
        self.metric_ = self._measure.metric
        return ObjectSource(X, self._measure)

    def _fit_view(self, source: Source) -> View:
        if self.n_landmarks is None:
            return MatrixView(source, self.proximity, self.correction)
        features = LandmarkFeatures(self.proximity, self.correction)
        rng = check_random_state(self.random_state)
        chosen = choose(source, self.n_landmarks, self.landmarks, self.proximity, rng)
        features.fit(source, *chosen)
        return LandmarkView(source, features)

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
        """
        return self._fitted.block(_index(rows), _index(columns))

    @property
    def diagonal(self) -> Array:
        """Self-similarities of the training objects, after the correction."""
        return self._fitted.diagonal

    def dot(self, G: ArrayLike) -> Array:
        """G S for coefficients G of shape (m, n) or (n,)."""
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
    def signature_(self) -> Signature:
        """Signs of the eigenvalues of the training similarities."""
        return self._fitted.signature

    @property
    def landmark_indices_(self) -> IntArray:
        """The landmarks among the training objects, with ``n_landmarks`` only."""
        view = self._fitted
        if not isinstance(view, LandmarkView):
            raise AttributeError("there are no landmarks: n_landmarks is None")
        return view.features.indices

    # --- new objects ------------------------------------------------------------------------

    def to(self, X: Any, columns: Any = None) -> tuple[Array, Array | None]:
        """Proximities of new objects to training objects, corrected, and to themselves.

        Parameters
        ----------
        X : array of shape (n_new, n), or n_new objects
        columns : array of int, optional
            Only to these training objects.

        Returns
        -------
        values : array of shape (n_new, len(columns))
            Of the relation's own kind.
        self_values : array of shape (n_new,), or None
            Proximities of the new objects to themselves; None where a matrix does not say.
        """
        view = self._fitted
        return view.to(self.checked(X, self), None if columns is None else np.asarray(columns))

    def vectors(self, X: Any) -> Array:
        """Coordinates of new objects in the chart."""
        view = self._fitted
        return view.vectors(self.checked(X, self))

    # --- other relations --------------------------------------------------------------------

    def restrict(self, columns: Any) -> "Relation":
        """The same relation over some of the training objects: what a sparse model needs.

        A precomputed relation then takes rows of proximities to those only.
        """
        view = self._fitted
        if not isinstance(view, MatrixView):
            raise ValueError(
                "a relation with n_landmarks needs no restriction: it takes proximities to its "
                f"{len(self.landmark_indices_)} landmarks as they are"
            )
        if view.correction is not None:
            raise ValueError(
                f"a relation with correction (={self.correction!r}) cannot be restricted: the "
                "corrected proximities depend on those to all training objects"
            )
        return self._with(view.restrict(np.asarray(columns)))

    def recall(self, P: Any) -> "Relation":
        """A copy that has its training proximities at hand again.

        Parameters
        ----------
        P : array of shape (n, n)
            Proximities between the training objects, as ``fit`` took them; with landmarks also
            those to the landmarks only, or the objects.
        """
        view = self._fitted
        if isinstance(view, LandmarkView):
            return self._with(view.recall(self.checked(P, self)))
        P = check_proximities(P, self.proximity)
        return self._with(view.recall(P if self.squared is not False else P**2))

    def _with(self, view: View) -> "Relation":
        changed = {"_view": view, "n_objects_": view.source.n, "objects_": view.source.objects}
        if self.is_precomputed and isinstance(view, MatrixView):
            changed["n_features_in_"] = view.source.n
        other: Relation = copied(self, **changed)
        return other

    # --- checks -----------------------------------------------------------------------------

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
        """
        if self.is_precomputed:
            return self._checked_proximities(X, type(owner).__name__, reset)
        measure = as_measure(self.metric, self.proximity) if reset else self._measure
        if measure.takes_rows:
            self._refuse_words(X)
            least = 2 if reset else 1
            return validate_data(owner, X, dtype=np.float64, reset=reset, ensure_min_samples=least)
        if reset:  # objects have no features to count
            owner.__dict__.pop("n_features_in_", None)
            owner.__dict__.pop("feature_names_in_", None)
        return measure.as_objects(X)

    def _checked_proximities(self, X: Any, learner: str, reset: bool) -> Array:
        if reset:
            self._refuse_words(X)
        if reset and self.n_landmarks is not None:
            return check_array(X, dtype=np.float64, ensure_min_samples=2, input_name="X")
        if reset:
            return check_square(X, "X")
        view = self._fitted
        width = view.features.width(X) if isinstance(view, LandmarkView) else self.n_objects_
        return check_rows(X, width, learner)

    def _refuse_words(self, X: Any) -> None:
        """Words have no proximities but those of a function of two, or of a name for that."""
        if isinstance(X, (list, tuple)) and X and isinstance(X[0], str):
            raise ValueError(
                f"X holds words, and {self.metric!r} takes numbers: give a function of two objects "
                'as metric, or proximity="dissimilarity" and metric="levenshtein"'
            )

    @property
    def _fitted(self) -> View:
        check_is_fitted(self, "_view")
        return self._view

    def __sklearn_tags__(self) -> Any:
        return tagged(super().__sklearn_tags__(), self)


def tagged(tags: Any, relation: Relation) -> Any:
    """scikit-learn's tags of what knows its objects by a relation."""
    tags.input_tags.pairwise = relation.is_precomputed
    with contextlib.suppress(TypeError, ValueError):  # a metric nobody knows: fit will say so
        tags.input_tags.two_d_array = relation.is_precomputed or relation.takes_rows
    return tags


def _index(which: Any) -> IntArray | slice:
    return which if isinstance(which, slice) else np.asarray(which)
