"""Making indefinite proximities positive, for new objects too."""

from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from noneuclid.proximities.checks import Proximity, check_proximities, check_rows
from noneuclid.proximities.conversions import centred_similarity_rows, to_dissimilarity
from noneuclid.proximities.spectrum import count_signs
from noneuclid.typing import Array

Correction = Literal["clip", "flip", "shift", "square"]
_METHODS = ("clip", "flip", "shift", "square")
# An eigenvalue below this share of the largest is rounding: its direction says nothing.
_NOISE = 1e-12


class SpectrumCorrection(TransformerMixin, BaseEstimator):
    r"""Turn an indefinite matrix of proximities into a positive semi-definite one.

    With :math:`S = Q\Lambda Q'`:

    ============ ============================ ==================================================
    ``"clip"``   :math:`\max(\Lambda, 0)`     negative directions are noise: drop them
    ``"flip"``   :math:`|\Lambda|`            negative directions carry information: keep them
    ``"square"`` :math:`\Lambda^2`            rows of S are features; their inner products
    ``"shift"``  :math:`\Lambda-\lambda_{min}` only self-similarities change
    ============ ============================ ==================================================

    The first three are linear maps of the rows (:math:`Q\,1[\Lambda>0]\,Q'`,
    :math:`Q\,\mathrm{sgn}(\Lambda)\,Q'` and :math:`S`), so the rows of new objects, their
    similarities to the training objects, are mapped alike. Under ``"shift"`` new rows stay as
    they are.

    Parameters
    ----------
    method : {"clip", "flip", "shift", "square"}, default="clip"
        What to do with negative eigenvalues.
    proximity : {"similarity", "dissimilarity"}, default="similarity"
        Dissimilarities are double-centred, corrected, and converted back.

    Attributes
    ----------
    eigenvalues_ : array of shape (n,)
        Of the training similarities, largest first.
    signature_ : Signature
        Their signs.

    References
    ----------
    Y. Chen, E. K. Garcia, M. R. Gupta, A. Rahimi and L. Cazzanti (2009), Similarity-based
    classification: concepts and algorithms.

    Examples
    --------
    >>> SpectrumCorrection(method="flip").fit_transform([[0.0, 2.0], [2.0, 0.0]]).round(12)
    array([[2., 0.],
           [0., 2.]])
    """

    def __init__(
        self,
        *,
        method: Correction = "clip",
        proximity: Proximity = "similarity",
    ):
        self.method = method
        self.proximity = proximity

    def fit(self, S: ArrayLike, y: Any = None) -> Self:
        """Decompose the training proximities.

        Parameters
        ----------
        S : array of shape (n, n)
            Proximities between the training objects.
        y : ignored
        """
        self._fit(S)
        return self

    def fit_transform(self, S: ArrayLike, y: Any = None) -> Array:
        """Correct the training matrix itself."""
        P = self._fit(S)
        return self._corrected_training(P)

    def transform(self, S: ArrayLike) -> Array:
        """Correct rows of proximities to the training objects.

        The training matrix itself is recognised and gives what ``fit_transform`` gives.

        Parameters
        ----------
        S : array of shape (n_new, n)
        """
        check_is_fitted(self)
        R = check_rows(S, self.n_features_in_, type(self).__name__)
        if self._is_training(R):
            return self._corrected_training(self._training)
        if self.proximity == "similarity":
            return self._map(R)
        rows = centred_similarity_rows(R, self._column_means)
        own = R.mean(axis=1) - self._column_means.mean() / 2
        corrected_own = self.transform_self(rows, own)
        return corrected_own[:, None] - 2 * self._map(rows) + self._corrected_diagonal

    def transform_self(self, S: ArrayLike, own: ArrayLike) -> Array:
        """Self-similarities of new objects after the correction.

        Parameters
        ----------
        S : array of shape (n_new, n)
            *Similarities* to the training objects, before the correction.
        own : array of shape (n_new,)
            Self-similarities before the correction.
        """
        check_is_fitted(self)
        R = check_rows(S, self.n_features_in_, type(self).__name__)
        own = np.asarray(own, dtype=float)
        if self.method == "square":
            return np.einsum("ij,ij->i", R, R)
        if self.method == "shift":
            return own - self._shift
        # |z₋|² of the pseudo-Euclidean embedding z = r Q |Λ|^(-1/2)
        negative = self._values < -_NOISE * np.abs(self._values).max()
        Z = R @ self._vectors[:, negative] / np.sqrt(-self._values[negative])
        share = 1.0 if self.method == "clip" else 2.0
        return own + share * np.einsum("ij,ij->i", Z, Z)

    def _is_training(self, R: Array) -> bool:
        """Whether these are the training rows, up to the rounding that symmetrising removes."""
        T = self._training
        return R.shape == T.shape and bool(np.abs(R - T).max() <= 1e-8 * np.abs(T).max())

    def _fit(self, S: ArrayLike) -> Array:
        if self.method not in _METHODS:
            raise ValueError(f"method (={self.method!r}) must be one of {_METHODS}")
        P = check_proximities(S, self.proximity, "S")
        self.n_features_in_ = len(P)
        self._training = P
        self._column_means = P.mean(axis=0)
        if self.proximity == "dissimilarity":
            P = centred_similarity_rows(P, self._column_means)
        self._similarities = P
        self._values, self._vectors = linalg.eigh(P)
        self.eigenvalues_ = self._values[::-1]
        self.signature_ = count_signs(self.eigenvalues_)
        self._shift = min(self._values[0], 0.0)
        self._corrected_diagonal = np.diag(self._correct(P)).copy()
        return self._training

    def _correct(self, S: Array) -> Array:
        """The corrected matrix of training similarities."""
        if self.method == "shift":
            return S - self._shift * np.eye(len(S))
        corrected = self._map(S)
        return (corrected + corrected.T) / 2

    def _corrected_training(self, P: Array) -> Array:
        S = self._similarities if self.proximity == "dissimilarity" else P
        corrected = self._correct(S)
        return to_dissimilarity(corrected) if self.proximity == "dissimilarity" else corrected

    def _map(self, rows: Array) -> Array:
        if self.method == "shift":
            return rows.copy()
        if self.method == "square":
            return rows @ self._similarities
        signs = np.sign(self._values)
        signs[np.abs(self._values) <= _NOISE * np.abs(self._values).max()] = 0.0
        factors = np.maximum(signs, 0.0) if self.method == "clip" else signs
        return (rows @ self._vectors * factors) @ self._vectors.T

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = True
        return tags
