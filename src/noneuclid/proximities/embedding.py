"""Vectors whose (indefinite) inner products are the given similarities."""

from typing import Any, ClassVar, Self, cast

import numpy as np
from numpy.typing import ArrayLike

from noneuclid._data import check_is_fitted
from noneuclid._estimator import as_fitted, estimator
from noneuclid._memory import require_matrices
from noneuclid._parameters import Count
from noneuclid._sklearn import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from noneuclid.numerics import signed_eigh, signed_features, steady_order
from noneuclid.proximities.charts import sign_counts
from noneuclid.proximities.checks import (
    PairwiseInput,
    Proximity,
    check_proximities,
    check_rows,
    column_names,
    may_be_negative,
)
from noneuclid.proximities.conversions import centred_similarity_rows
from noneuclid.spaces import PseudoEuclidean
from noneuclid.typing import Array

# How many further matrices of its size embedding one takes, at most at the same time.
EMBEDDING = 4.0
# Directions below this share of the largest eigenvalue are rounding.
_NOISE = 1e-10


@estimator
class PseudoEuclideanEmbedding(
    PairwiseInput, ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator
):
    r"""Embed objects into a pseudo-Euclidean space that reproduces their proximities.

    With :math:`S = Q\Lambda Q'` the objects are the rows of :math:`Q|\Lambda|^{1/2}`, and
    :math:`S = Z I_{pq} Z'`. Positive directions come first. On dissimilarities this is classical
    scaling without the assumption that they are Euclidean.

    Parameters
    ----------
    n_components : int or None, default=None
        Keep that many directions of largest modulus; None keeps all but rounding.
    proximity : {"similarity", "dissimilarity"}, default="similarity"
        What the matrix holds. Dissimilarities are squared-distance-like.

    Attributes
    ----------
    embedding_ : array of shape (n, k)
        The training objects.
    signature_ : (int, int)
        Numbers of positive and negative directions.
    space_ : PseudoEuclidean
        The space the embedding lives in.
    eigenvalues_ : array of shape (k,)
        Of the directions kept.

    References
    ----------
    L. Goldfarb (1985), A new approach to pattern recognition.

    Examples
    --------
    >>> D = [[0.0, 1.0, 4.0], [1.0, 0.0, 1.0], [4.0, 1.0, 0.0]]  # squares of distances on a line
    >>> model = PseudoEuclideanEmbedding(proximity="dissimilarity").fit(D)
    >>> model.signature_, abs(model.embedding_[:, 0]).round(6)
    ((1, 0), array([1., 0., 1.]))
    """

    n_components: Count | None = None
    proximity: Proximity = "similarity"

    _kept: ClassVar[tuple[str, ...]] = ("proximity",)
    _instead: ClassVar[str] = "use NystroemEmbedding"
    _signed = True  # unless it is known otherwise: files of older models do not tell
    _names = cast("list[str] | None", None)

    def fit(self, P: ArrayLike, y: Any = None) -> Self:
        """Embed the training objects.

        Parameters
        ----------
        P : array of shape (n, n)
            Proximities between the training objects.
        y : ignored

        Returns
        -------
        self : object
            Fitted.
        """
        P, self._names = check_proximities(P, self.proximity), column_names(P)
        what = f"the embedding of {len(P):,} objects"
        require_matrices(what, len(P), copies=EMBEDDING, instead=self._instead)
        k = self.n_components
        if k is not None and k > len(P):
            raise ValueError(f"n_components (={k!r}) must be an integer from 1 to {len(P)}")
        self.n_features_in_, self._signed = len(P), may_be_negative(P, self.proximity)
        self._column_means = P.mean(axis=0)
        values, vectors = signed_eigh(self._similarities(P), _NOISE)
        if k is not None and k < len(values):
            kept = np.sort(steady_order(-np.abs(values))[:k])
            values, vectors = values[kept], vectors[:, kept]
        self.embedding_, signs = signed_features(values, vectors)
        self.eigenvalues_ = values
        self.signature_ = sign_counts(signs)
        self._map = vectors * (signs / np.sqrt(np.abs(values)))
        self._n_features_out = len(values)
        return self

    @property
    def space_(self) -> PseudoEuclidean:
        """The space the embedding lives in."""
        return PseudoEuclidean(signature=self.signature_)

    def fit_transform(self, P: ArrayLike, y: Any = None) -> Array:
        """Embed the training objects and return their coordinates.

        Parameters
        ----------
        P : array of shape (n, n)
            Proximities between training objects.
        y : ignored
            For scikit-learn.

        Returns
        -------
        array of shape (n, n_components_)
            Coordinates.
        """
        return self.fit(P).embedding_

    def transform(self, P: ArrayLike) -> Array:
        """Embed new objects by their proximities to the training objects.

        Parameters
        ----------
        P : array of shape (n_new, n)

        Returns
        -------
        array of shape (n, n_components_)
            Coordinates.
        """
        check_is_fitted(self)
        name = type(self).__name__
        rows = check_rows(P, self.n_features_in_, name, signed=self._signed, names=self._names)
        return self._similarities(rows) @ self._map

    def _similarities(self, rows: Array) -> Array:
        if as_fitted(self, "proximity") == "similarity":
            return rows
        return centred_similarity_rows(rows, self._column_means)
