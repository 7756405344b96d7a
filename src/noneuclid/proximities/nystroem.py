"""Nystroem features: vectors of low rank from the proximities to a few landmarks."""

from typing import Annotated, Any, Literal, Self, cast

from numpy.typing import ArrayLike
from sklearn.base import clone

from noneuclid._blocks import Blocks, in_blocks
from noneuclid._checks import is_number
from noneuclid._data import check_is_fitted
from noneuclid._estimator import estimator
from noneuclid._parameters import Rule, Seed, check_parameters
from noneuclid._sklearn import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from noneuclid.proximities._features import LandmarkFeatures
from noneuclid.proximities._in_blocks import fit_features, landmarks_of, measure_in_blocks
from noneuclid.proximities._inputs import (
    at_least_two,
    checked_objects,
    is_precomputed,
    training_matrix,
)
from noneuclid.proximities._measures import MetricLike, as_measure, placed
from noneuclid.proximities._sources import Source
from noneuclid.proximities.checks import Proximity, check_rows, column_names, may_be_negative
from noneuclid.proximities.landmarks import LandmarkChoice, NumberOfLandmarks, check_agreement
from noneuclid.proximities.registry import Carried
from noneuclid.proximities.relation import Relation
from noneuclid.spaces import PseudoEuclidean
from noneuclid.typing import Array, IntArray

_DEFAULT = 100
_Cutoff = Annotated[
    float, Rule("a number, at least 0 and below 1", lambda c: is_number(c) and 0 <= c < 1)
]


@estimator
class NystroemEmbedding(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    r"""Features of rank at most m that reproduce proximities approximately, in linear time.

    From the proximities of all n objects to m landmarks,

    .. math:: \tilde K = K_{nm} K_{mm}^{+} K_{mn} = Z\,I_{pq}\,Z', \qquad
              Z = K_{nm}\,Q|\Lambda|^{-1/2}, \quad K_{mm} = Q\Lambda Q',

    for kernels and for indefinite similarities. Dissimilarities are double-centred on the
    landmarks first (landmark multidimensional scaling), so that *squared distances* of the
    features approximate them. Exact if the landmarks reach the rank of the whole matrix. No n×n
    matrix is ever made, and of one that is given only the columns of the landmarks are read.

    Parameters
    ----------
    n_landmarks : int or float, default=100
        At most so many; a number below one is a share of the objects.
    proximity : {"similarity", "dissimilarity"}, default="similarity"
        What the proximities are. Dissimilarities are squared-distance-like.
    landmarks : {"uniform", "kmeans++", "pivoted"} or array of int, default="uniform"
        Drawn uniformly; far from each other; those that are approximated worst so far (pivoted
        Cholesky); or the indices themselves, of which a changed ``n_landmarks`` is the number.
    metric : "precomputed", str, Kernel or callable, default="precomputed"
        Where proximities come from: X itself; a kernel (similarities); a name that
        :func:`noneuclid.proximities.metrics` lists; or a function of two objects.
    correction : {None, "clip", "flip", "square"}, default=None
        Make the approximation positive: its negative eigenvalues are dropped, turned, or all of
        them squared. This is the correction of the whole spectrum of the approximation, which a
        matrix of its rank gives exactly, in O(n m²).
    cutoff : float or "auto", default="auto"
        Eigenvalues of the landmark block below this share of the largest are dropped, so that
        duplicated landmarks do no harm. ``"auto"`` is 1e-10, or more if some objects beyond the
        landmarks, at most 100, show that eigenvalues near zero do harm: proximities between
        them are approximated better without (never so if the proximities are positive or of low
        rank, nor known if X holds the columns of landmarks only). With a correction, and a block
        that is indefinite and of full rank, it is half the modulus of its lowest eigenvalue:
        smaller ones, of either sign, are noise, which their inverses would blow up.
    random_state : int, RandomState or None, default=None
        For the choice of landmarks.

    Attributes
    ----------
    landmark_indices_ : array of shape (m,)
        Their numbers among all objects.
    signature_ : (int, int)
        Numbers of positive and negative directions; the positive columns come first.
    space_ : PseudoEuclidean
        The space the features live in.

    References
    ----------
    C. Williams and M. Seeger (2001), Using the Nyström method to speed up kernel machines.
    V. de Silva and J. Tenenbaum (2004), Sparse multidimensional scaling using landmark points.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).normal(size=(50, 3))
    >>> S = X * [1, 1, -1] @ X.T  # indefinite, of rank three
    >>> model = NystroemEmbedding(n_landmarks=5, random_state=0)
    >>> Z = model.fit_transform(S)
    >>> model.signature_, np.allclose(model.space_.product(Z, Z), S)
    ((2, 1), True)
    """

    n_landmarks: NumberOfLandmarks = _DEFAULT
    proximity: Proximity = "similarity"
    landmarks: LandmarkChoice = "uniform"
    metric: MetricLike = "precomputed"
    correction: Literal["clip", "flip", "square"] | None = None
    cutoff: Literal["auto"] | _Cutoff = "auto"
    random_state: Seed = None

    _signed = True  # unless it is known otherwise: files of older models do not tell
    _names = cast("list[str] | None", None)

    def _check_params(self) -> None:
        check_parameters(Relation(self.metric, proximity=self.proximity))
        if self.n_landmarks != _DEFAULT:  # who gives landmarks need not count them
            check_agreement(self.n_landmarks, self.landmarks)

    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Choose the landmarks and learn the map of their proximities to features.

        Parameters
        ----------
        X : array of shape (n, n) or (n, m), or n objects, or a dask bag, array, Series, DataFrame
            All proximities; or those to the landmarks only, if ``landmarks`` holds their indices
            (column k belongs to landmark k); or the objects, as ``metric`` says. Landmarks of a
            dask collection of objects are chosen among a bounded random sample of it, and what a
            metric leaves to the data is fixed on that; a correction is that of all its objects.
        y : ignored

        Returns
        -------
        self : object
            Fitted.
        """
        if in_blocks(X):
            return self._fit_blocks(X)
        self._fit(X, everyone=False)
        return self

    def fit_transform(self, X: ArrayLike, y: Any = None) -> Array:
        """Fit, and return the features of all objects.

        Parameters
        ----------
        X : as for ``fit``
            Proximities or objects.
        y : ignored
            For scikit-learn.

        Returns
        -------
        array of shape (n, r)
            Features.
        """
        source, rows = self._fit(X, everyone=True)
        return self._features.embed(source, rows)

    def _fit(self, X: Any, *, everyone: bool) -> tuple[Source, Array | None]:
        features = LandmarkFeatures(self.proximity, self.correction, self.cutoff)
        if is_precomputed(self.metric):
            P = training_matrix(X, self.n_landmarks)
            self.n_features_in_ = P.shape[1]
            self._signed, self._names = may_be_negative(P, self.proximity), column_names(X)
            source = Source(P)
        else:
            measure = as_measure(clone(self.metric, safe=False), self.proximity)
            objects = checked_objects(X, measure, self, reset=True)
            measure = as_measure(placed(self.metric, self), self.proximity)
            if measure.takes_objects:
                at_least_two(objects)
            source = Source(objects, measure.resolve(objects))
        chosen = self.n_landmarks, self.landmarks, self.random_state
        rows = features.fit(source, *chosen, everyone)
        self._features = features
        self._n_features_out = len(features.signs)
        return source, rows

    def _fit_blocks(self, X: Any) -> Self:
        measure = measure_in_blocks(self, self)
        blocks = Blocks.of_objects(self, X)
        self._features = LandmarkFeatures(self.proximity, self.correction, self.cutoff)
        fit_features(self._features, blocks, landmarks_of(blocks, self, measure, self))
        self._n_features_out = len(self._features.signs)
        return self

    def _example_objects(self) -> Any:
        return list(self._fitted.landmarks.objects[:1])

    def _carried(self) -> Carried:
        return Carried(self, self._fitted.landmarks.measure)

    def transform(self, X: ArrayLike) -> Array:
        """Features of new objects.

        Parameters
        ----------
        X : array of shape (n_new, n) or (n_new, m), or n_new objects, or a dask collection
            Proximities to all training objects or to the landmarks only, or objects. Features of
            a dask collection are a dask array, which computes them block by block.

        Returns
        -------
        array of shape (n, r)
            Features.
        """
        check_is_fitted(self)
        features = self._features
        if features.landmarks.measure is None:
            width, name = features.width(X), type(self).__name__
            rows = check_rows(X, width, name, signed=self._signed, names=self._names)
            return features.of_new(rows)
        return features.of_new(checked_objects(X, features.landmarks.measure, self, reset=False))

    @property
    def landmark_indices_(self) -> IntArray:
        """The landmarks among the training objects."""
        return self._fitted.indices

    @property
    def signature_(self) -> tuple[int, int]:
        """Numbers of positive and negative directions."""
        return self._fitted.signature

    @property
    def space_(self) -> PseudoEuclidean:
        """The space the features live in."""
        return PseudoEuclidean(signature=self.signature_)

    @property
    def _fitted(self) -> LandmarkFeatures:
        if "_features" not in self.__dict__:
            raise AttributeError(f"this {type(self).__name__} is not fitted yet")
        return self._features

    def __sklearn_is_fitted__(self) -> bool:
        return "_features" in self.__dict__

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = is_precomputed(self.metric)
        return tags
