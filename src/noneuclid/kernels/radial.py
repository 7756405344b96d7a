"""Kernels of a distance: Gaussian, Laplacian, and the Gaussian with a matrix inside."""

from abc import abstractmethod
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from noneuclid._parameters import Matrix
from noneuclid.kernels.base import Kernel
from noneuclid.kernels.widths import Width, fixed_width, median_distance, some_of
from noneuclid.numerics import exp_nonpositive, lp_squared_distance, squared_euclidean
from noneuclid.spaces import Lp, Space
from noneuclid.typing import Array

# A spread below this share of the values is rounding.
_CONSTANT = 1e-13
_NARROWEST = 1e-140


def _rescaled(X: Array, Y: Array, width: float) -> tuple[Array, Array, float]:
    """The same in units of the width, or of as little more as keeps squares within range."""
    size = max(np.abs(X).max(initial=0.0), np.abs(Y).max(initial=0.0))
    unit = max(width, float(size) * _NARROWEST)
    return X / unit, Y / unit, width / unit


class _WidthKernel(Kernel):
    """A kernel with a width that may be left to the data."""

    _metric: Space

    def __init__(self, width: Width = 1.0):
        self.width = width

    @classmethod
    def examples(cls) -> list[Self]:
        """Return a narrow and a wide kernel."""
        return [cls(), cls(width=3.0)]

    @property
    def _length(self) -> float:
        return fixed_width(self, self.width)

    def resolve(self, X: ArrayLike) -> Self:
        """Return the kernel with its width fixed on X.

        ``"scale"`` follows the number of features and their standard deviation over all of X,
        ``"median"`` is the median distance of distinct rows.
        """
        X = self._check(X)
        if not isinstance(self.width, str):
            return self
        width = self._scale(X) if self.width == "scale" else self._median(X)
        return type(self)(**{**self.get_params(deep=False), "width": width})

    def _median(self, X: Array) -> float:
        rows = some_of(X)
        return median_distance(self._metric.squared_distance(rows, rows), self)

    def _scale(self, X: Array) -> float:
        spread = float(X.std()) if X.size else 0.0
        if not spread > _CONSTANT * np.abs(X).max(initial=0.0):
            raise ValueError(f"{self} has no scale on constant data: give a number as width")
        return spread * self._widths_per_spread(X.shape[1])

    @abstractmethod
    def _widths_per_spread(self, n_features: int) -> float:
        """Ratio of ``width="scale"`` and the standard deviation of the data."""

    def __call__(self, X: ArrayLike, Y: ArrayLike | None = None) -> Array:
        """Gram matrix κ(x_i, y_j); of X with itself if Y is None."""
        K = super().__call__(X, Y)
        if Y is None:
            np.fill_diagonal(K, 1.0)
        return K

    def diag(self, X: ArrayLike) -> Array:
        """Return ones: the kernel depends on the difference only."""
        return np.ones(len(self._check(X)))


class Gaussian(_WidthKernel):
    r"""The Gaussian kernel :math:`\kappa(x, y) = \exp(-\|x - y\|^2 / (2\,width^2))`.

    Parameters
    ----------
    width : float, "scale" or "median", default=1.0
        Standard deviation; the two rules are fixed by :meth:`resolve` when a learner fits.

    Examples
    --------
    >>> Gaussian(width=1.0)([[0.0]], [[0.0], [1.0]]).round(4)
    array([[1.    , 0.6065]])
    >>> Gaussian(width="median").resolve([[0.0], [1.0], [3.0]])
    Gaussian(width=2.0)
    """

    _metric = Lp(2)

    def _widths_per_spread(self, n_features: int) -> float:
        return float(np.sqrt(n_features / 2))  # as scikit-learn's gamma="scale"

    def _evaluate(self, X: Array, Y: Array) -> Array:
        width = self._length
        if not _NARROWEST < width < 1.0 / _NARROWEST:  # its square is no number of the machine
            X, Y, width = _rescaled(X, Y, width)
        D = squared_euclidean(X, Y)
        with np.errstate(over="ignore"):  # to infinity, whose exponential is right
            D /= -2.0 * width
            D /= width
        return exp_nonpositive(D, out=D)

    def gradient(self, x: ArrayLike, W: ArrayLike) -> Array:
        """∂κ(x, w_j)/∂w_j = κ(x, w_j) (x − w_j)/width²."""
        x, W = self._check_point(x, W)
        return (self(x[None, :], W).T / self._length / self._length) * (x - W)

    def pull(self, X: ArrayLike, W: ArrayLike, F: ArrayLike) -> Array:
        """Σ_i F_ij ∂κ(x_i, w_j)/∂w_j, by matrix products."""
        X, W, F = self._check_forces(X, W, F)
        H = F * self(X, W) / self._length / self._length
        return H.T @ X - H.sum(axis=0)[:, None] * W


class Laplacian(_WidthKernel):
    r"""The Laplacian kernel :math:`\kappa(x, y) = \exp(-\|x - y\|_1 / width)`.

    Parameters
    ----------
    width : float, "scale" or "median", default=1.0
        Decay length; the two rules are fixed by :meth:`resolve` when a learner fits.

    Examples
    --------
    >>> Laplacian(width=1.0)([[0.0]], [[0.0], [1.0]]).round(4)
    array([[1.    , 0.3679]])
    """

    _metric = Lp(1)

    def _widths_per_spread(self, n_features: int) -> float:
        return float(n_features)  # an l_1 distance is a sum over the features

    def _evaluate(self, X: Array, Y: Array) -> Array:
        width = self._length
        if not _NARROWEST < width < 1.0 / _NARROWEST:
            X, Y, width = _rescaled(X, Y, width)
        D = lp_squared_distance(X, Y, 1.0)
        np.sqrt(D, out=D)
        with np.errstate(over="ignore"):
            D /= -width
        return exp_nonpositive(D, out=D)

    def gradient(self, x: ArrayLike, W: ArrayLike) -> Array:
        """∂κ(x, w_j)/∂w_j = κ(x, w_j) sgn(x − w_j)/width."""
        x, W = self._check_point(x, W)
        return (self(x[None, :], W).T / self._length) * np.sign(x - W)


class MatrixGaussian(Kernel):
    r"""Gaussian kernel with a matrix inside: :math:`\kappa(x, y) = \exp(-\|\Omega(x - y)\|^2)`.

    Parameters
    ----------
    omega : array of shape (k, d)
        The matrix Ω, of any rank k.

    Examples
    --------
    >>> MatrixGaussian([[1.0, 0.0]])([[0.0, 0.0]], [[1.0, 5.0]]).round(4)
    array([[0.3679]])
    """

    def __init__(self, omega: Matrix):
        self.omega = omega

    @classmethod
    def examples(cls) -> list[Self]:
        """Return a full and a rank-limited matrix."""
        A = 0.5 * np.random.default_rng(0).normal(size=(4, 4))
        return [cls(A), cls(A[:2])]

    @property
    def n_features(self) -> int | None:
        """The number of columns of Ω."""
        return int(np.asarray(self.omega).shape[-1])

    def _omega(self) -> Array:
        return np.asarray(self.omega, dtype=np.float64)

    def _evaluate(self, X: Array, Y: Array) -> Array:
        omega = self._omega()
        D = squared_euclidean(X @ omega.T, Y @ omega.T)
        np.negative(D, out=D)
        return exp_nonpositive(D, out=D)

    def diag(self, X: ArrayLike) -> Array:
        """Return ones: the kernel depends on the difference only."""
        return np.ones(len(self._check(X)))

    def gradient(self, x: ArrayLike, W: ArrayLike) -> Array:
        """∂κ(x, w_j)/∂w_j = 2κ(x, w_j) Ω'Ω(x − w_j)."""
        x, W = self._check_point(x, W)
        omega = self._omega()
        return 2.0 * self(x[None, :], W).T * ((x - W) @ omega.T @ omega)

    def pull(self, X: ArrayLike, W: ArrayLike, F: ArrayLike) -> Array:
        """Σ_i F_ij ∂κ(x_i, w_j)/∂w_j, by matrix products."""
        X, W, F = self._check_forces(X, W, F)
        omega = self._omega()
        H = 2.0 * F * self(X, W)
        return (H.T @ X - H.sum(axis=0)[:, None] * W) @ omega.T @ omega
