"""Principal components of event sequences."""

from numbers import Integral
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.extmath import svd_flip
from sklearn.utils.validation import check_is_fitted

from noneuclid.kernels import SpikeTrainKernel
from noneuclid.kernels.trains import Trains
from noneuclid.spikes.intensities import smoothed
from noneuclid.spikes.widths import select_width
from noneuclid.typing import Array

# Eigenvalues below this share of the largest are rounding.
_ZERO = 1e-10


class SpikeTrainPCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    r"""Principal component analysis of spike trains, in the space of their intensities.

    With the centred Gram matrix :math:`\tilde I` of the trains and its eigenvectors b, scaled to
    :math:`b'\tilde I b = 1`, the scores are :math:`\tilde I b`, and the principal components are
    functions of time,

    .. math:: \xi(t) = \sum_i b_i(\hat\lambda_i(t) - \bar\lambda(t)), \qquad \int\xi^2 = 1 .

    Parameters
    ----------
    n_components : int, default=2
        Number of components.
    kernel : SpikeTrainKernel, optional
        Default: Gaussian smoothing with the width of ``select_width``.

    Attributes
    ----------
    explained_variance_ : array of shape (n_components,)
        Variance ρ/n of the scores on the training trains, ρ the eigenvalue.
    explained_variance_ratio_ : array of shape (n_components,)
        Its share in the variance of all trains.
    eigenvalues_ : array of shape (n,)
        All eigenvalues ρ of the centred Gram matrix, largest first.
    dual_coefficients_ : array of shape (n, n_components)
        The vectors b.
    kernel_ : SpikeTrainKernel
        The kernel used.

    References
    ----------
    A. R. C. Paiva, I. Park and J. C. Príncipe (2009), A reproducing kernel Hilbert space framework
    for spike train signal processing. Neural Computation 21.

    Examples
    --------
    >>> from noneuclid.spikes import jittered_templates
    >>> data = jittered_templates(50, random_state=0)
    >>> pca = SpikeTrainPCA(2, kernel=SpikeTrainKernel(0.002)).fit(data.trains)
    >>> score = pca.transform(data.trains)[:, 0]
    >>> sides = score[data.labels == 0], score[data.labels == 1]
    >>> bool(sides[0].max() < sides[1].min() or sides[1].max() < sides[0].min())
    True
    """

    eigenvalues_: Array
    dual_coefficients_: Array
    explained_variance_: Array
    explained_variance_ratio_: Array
    kernel_: SpikeTrainKernel
    _trains: Trains
    _mean_column: Array
    _mean: float

    def __init__(self, n_components: int = 2, *, kernel: SpikeTrainKernel | None = None):
        self.n_components = n_components
        self.kernel = kernel

    @property
    def _n_features_out(self) -> int:
        return self.dual_coefficients_.shape[1]

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the components.

        Parameters
        ----------
        X : list of 1-d arrays, or one of the other forms of ``SpikeTrainKernel``
        y : ignored
        """
        self._fit(X)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Array:
        """Learn the components and return the scores of the training trains."""
        return self._centred(self._fit(X)) @ self.dual_coefficients_

    def _fit(self, X: Any) -> Array:
        k = self.n_components
        if not isinstance(k, Integral) or isinstance(k, bool) or int(k) < 1:
            raise ValueError(f"n_components (={k!r}) must be an integer, at least 1")
        if self.kernel is not None and not isinstance(self.kernel, SpikeTrainKernel):
            raise TypeError(f"kernel (={self.kernel!r}) must be a SpikeTrainKernel")
        if self.kernel is None:
            self.kernel_ = SpikeTrainKernel(select_width(X).width)
        else:
            self.kernel_ = self.kernel
        self._trains = self.kernel_.as_objects(X)
        n = len(self._trains)
        if n < 2:
            raise ValueError(f"SpikeTrainPCA needs at least two trains; there are {n}")
        I = self.kernel_(self._trains)  # noqa: E741 - the letter of the equations
        self._mean_column, self._mean = I.mean(axis=0), float(I.mean())
        rho, B = np.linalg.eigh(self._centred(I))
        rho, B = np.maximum(rho[::-1], 0.0), B[:, ::-1]
        n_positive = int((rho > _ZERO * rho[0]).sum()) if rho[0] > _ZERO * self._mean else 0
        if k > n_positive:
            raise ValueError(
                f"n_components (={k}) is more than the {n_positive} directions in which the "
                f"{n} trains differ"
            )
        B, _ = svd_flip(B[:, :k], None)
        self.eigenvalues_ = rho
        self.dual_coefficients_ = B / np.sqrt(rho[:k])
        self.explained_variance_ = rho[:k] / n
        self.explained_variance_ratio_ = rho[:k] / rho.sum()
        return I

    def _centred(self, rows: Array) -> Array:
        """Products of centred trains: rows of the Gram matrix, both means taken away."""
        return rows - self._mean_column - rows.mean(axis=1, keepdims=True) + self._mean

    def transform(self, X: Any) -> Array:
        """Scores of trains; new ones are centred with the mean of the training trains."""
        check_is_fitted(self, "dual_coefficients_")
        return self._centred(self.kernel_(X, self._trains)) @ self.dual_coefficients_

    def component_functions(self, t: ArrayLike) -> Array:
        """ξ(t), the principal components as functions of time, of shape (n_components, k)."""
        check_is_fitted(self, "dual_coefficients_")
        rates = smoothed(self._trains, t, self.kernel_)
        return self.dual_coefficients_.T @ (rates - rates.mean(axis=0))

    def mean_intensity(self, t: ArrayLike) -> Array:
        """λ̄(t), the mean intensity of the training trains."""
        check_is_fitted(self, "dual_coefficients_")
        return smoothed(self._trains, t, self.kernel_).mean(axis=0)

    def reconstruct(self, scores: ArrayLike, t: ArrayLike) -> Array:
        """Intensities λ̄(t) + Σ_k score_k ξ_k(t), of shape (n, len(t)), from scores."""
        check_is_fitted(self, "dual_coefficients_")
        values = np.asarray(scores, dtype=np.float64)
        if values.ndim != 2 or values.shape[1] != self._n_features_out:
            raise ValueError(
                f"scores must have {self._n_features_out} columns, one per component; their shape "
                f"is {values.shape}"
            )
        return self.mean_intensity(t) + values @ self.component_functions(t)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        return tags
