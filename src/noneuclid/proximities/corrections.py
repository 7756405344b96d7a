"""Making indefinite proximities positive, for new objects too."""

from typing import Any, ClassVar, Literal, Self, cast

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg

from noneuclid._data import check_is_fitted
from noneuclid._estimator import as_fitted, estimator
from noneuclid._memory import require_matrices
from noneuclid._sklearn import BaseEstimator, TransformerMixin
from noneuclid.proximities._few_columns import FewColumns, Spectrum
from noneuclid.proximities.checks import (
    PairwiseInput,
    Proximity,
    check_proximities,
    check_rows,
    column_names,
    largest_modulus,
    may_be_negative,
)
from noneuclid.proximities.conversions import centred_similarity_rows, to_dissimilarity
from noneuclid.proximities.spectrum import count_signs
from noneuclid.typing import Array, IntArray

Correction = Literal["clip", "flip", "shift", "square"]
CORRECTIONS = ("clip", "flip", "shift", "square")
# How many further matrices of its size correcting one takes, at most at the same time.
CORRECTING = {"similarity": 3.0, "dissimilarity": 5.0}
# An eigenvalue below this share of the largest is rounding: its direction says nothing.
_NOISE = 1e-12


def corrected_spectrum(values: Array, method: str) -> Array:
    """What a correction makes of the eigenvalues of a matrix of similarities.

    Examples
    --------
    >>> corrected_spectrum(np.array([-1.0, 3.0]), "shift")
    array([0., 4.])
    """
    shift = float(values.min(initial=0.0))
    return {
        "clip": np.maximum(values, 0.0),
        "flip": np.abs(values),
        "square": values**2,
        "shift": values - min(shift, 0.0),
    }[method]


@estimator
class SpectrumCorrection(PairwiseInput, TransformerMixin, BaseEstimator):
    r"""Turn an indefinite matrix of proximities into a positive semi-definite one.

    With :math:`S = Q\Lambda Q'`:

    ============ ============================== ================================================
    ``"clip"``   :math:`\max(\Lambda, 0)`       negative directions are noise: drop them
    ``"flip"``   :math:`|\Lambda|`              negative directions carry information: keep them
    ``"square"`` :math:`\Lambda^2`              rows of S are features; their inner products
    ``"shift"``  :math:`\Lambda-\lambda_{\min}` only self-similarities change
    ============ ============================== ================================================

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

    method: Correction = "clip"
    proximity: Proximity = "similarity"

    _signed = True  # unless it is known otherwise: files of older models do not tell
    _names = cast("list[str] | None", None)
    _kept: ClassVar[tuple[str, ...]] = ("method", "proximity")
    _instead: ClassVar[str] = (
        "use NystroemEmbedding, or a learner with n_landmarks=…, which take a correction too"
    )

    def fit(self, S: ArrayLike, y: Any = None) -> Self:
        """Decompose the training proximities.

        Parameters
        ----------
        S : array of shape (n, n)
            Proximities between the training objects.
        y : ignored

        Returns
        -------
        self : object
            Fitted.
        """
        P, self._names = check_proximities(S, self.proximity, "S"), column_names(S)
        copies = CORRECTING[self.proximity]
        what = f"the correction of {len(P):,} × {len(P):,} proximities"
        require_matrices(what, len(P), copies=copies, instead=self._instead)
        self.n_features_in_, self._signed = len(P), may_be_negative(P, self.proximity)
        self._training, self._column_means = P, P.mean(axis=0)
        self._values, self._vectors = linalg.eigh(self._similarities(P))
        self.eigenvalues_ = self._values[::-1]
        self.signature_ = count_signs(self.eigenvalues_)
        return self

    @property
    def _method(self) -> Correction:
        return cast(Correction, as_fitted(self, "method"))

    @property
    def _proximity(self) -> Proximity:
        return cast(Proximity, as_fitted(self, "proximity"))

    def fit_transform(self, S: ArrayLike, y: Any = None) -> Array:
        """Correct the training matrix itself.

        Parameters
        ----------
        S : array of shape (n, n)
            Similarities between training objects.
        y : ignored
            For scikit-learn.

        Returns
        -------
        array of shape (n, n)
            Corrected, symmetric.
        """
        return self.fit(S)._corrected_training()

    def transform(self, S: ArrayLike) -> Array:
        """Correct rows of proximities to the training objects.

        The training matrix itself is recognised and gives what ``fit_transform`` gives.

        Parameters
        ----------
        S : array of shape (n_new, n)

        Returns
        -------
        array of the shape of S
            Corrected.
        """
        check_is_fitted(self)
        name = type(self).__name__
        R = check_rows(S, self.n_features_in_, name, signed=self._signed, names=self._names)
        T = self._training  # up to the rounding that symmetrising removes
        if R.shape == T.shape and largest_modulus(R - T) <= 1e-8 * largest_modulus(T):
            return self._corrected_training()
        return self.of_new(R)

    def of_new(self, R: Array) -> Array:
        """The same of rows of new objects, whatever they are: each by itself.

        Parameters
        ----------
        R : array of shape (n_new, n)

        Returns
        -------
        array of the shape of R
        """
        rows = self._similarities(R)
        if self._proximity == "similarity":
            return self._map(rows)
        own = R.mean(axis=1) - self._column_means.mean() / 2
        corrected = self._vectors**2 @ corrected_spectrum(self._values, self._method)
        return self.transform_self(rows, own)[:, None] - 2 * self._map(rows) + corrected

    def transform_self(self, S: ArrayLike, own: ArrayLike) -> Array:
        """Self-similarities of new objects after the correction.

        Parameters
        ----------
        S : array of shape (n_new, n)
            *Similarities* to the training objects, before the correction.
        own : array of shape (n_new,)
            Self-similarities before the correction.

        Returns
        -------
        array of shape (n,)
            Corrected similarities of the objects to themselves.
        """
        check_is_fitted(self)
        R = check_rows(S, self.n_features_in_, type(self).__name__)
        own = np.asarray(own, dtype=float)
        if self._method == "square":
            return np.einsum("ij,ij->i", R, R)
        gain = corrected_spectrum(self._values, self._method) - self._values
        if self._method == "shift":
            return own + gain[0]
        # |z₋|² of the pseudo-Euclidean embedding z = r Q |Λ|^(-1/2)
        negative = self._values < -_NOISE * np.abs(self._values).max()
        Z = R @ self._vectors[:, negative] / np.sqrt(-self._values[negative])
        return own + np.einsum("ij,ij,j->i", Z, Z, gain[negative] / -self._values[negative])

    @property
    def given(self) -> Array:
        """The training proximities, before the correction."""
        check_is_fitted(self)
        return self._training

    @property
    def spectrum(self) -> Spectrum:
        """The training similarities, decomposed, and what the correction makes of them."""
        check_is_fitted(self)
        corrected = corrected_spectrum(self._values, self._method)
        return Spectrum(self._values, self._vectors, corrected)

    def restrict(self, columns: IntArray) -> FewColumns:
        """The correction as far as proximities to a few of the training objects tell it.

        Parameters
        ----------
        columns : array of int

        Returns
        -------
        FewColumns
            Takes rows of proximities to those objects only. It is exact where they span the
            vectors of all others, and for ``"shift"``; else the nearest there is.
        """
        spectrum = self.spectrum
        few = Spectrum(spectrum.values, spectrum.vectors[columns], spectrum.corrected)
        blocks = {
            "training": self._training[np.ix_(columns, columns)],
            "means": self._column_means[columns],
            "given": few.part(few.values),
            "corrected": few.part(few.corrected),
            "modulus": few.part(np.abs(few.values)),
            "turned": few.part(few.turned),
        }
        return FewColumns(self._method, self._proximity, blocks, self.eigenvalues_, self.signature_)

    def _similarities(self, rows: Array) -> Array:
        if self._proximity == "similarity":
            return rows
        return centred_similarity_rows(rows, self._column_means)

    def _corrected_training(self) -> Array:
        S = self._map(self._similarities(self._training))
        if self._method == "shift":
            S -= min(self._values[0], 0.0) * np.eye(len(S))
        else:
            S = (S + S.T) / 2
        return to_dissimilarity(S) if self._proximity == "dissimilarity" else S

    def _map(self, rows: Array) -> Array:
        """r Q f(Λ)Λ⁺ Q': what makes the corrected similarities of the given ones."""
        if self._method == "shift":
            return rows.copy()
        known = np.abs(self._values) > _NOISE * np.abs(self._values).max()
        factors = np.zeros(len(known))
        factors[known] = corrected_spectrum(self._values, self._method)[known] / self._values[known]
        return (rows @ self._vectors * factors) @ self._vectors.T
