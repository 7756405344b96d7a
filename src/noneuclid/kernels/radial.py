"""Kernels that decay exponentially with a distance, and the Gaussian with a matrix inside."""

from dataclasses import field
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.metaestimators import available_if

from noneuclid._estimator import estimator
from noneuclid._parameters import Matrix, Positive
from noneuclid.kernels.base import Kernel
from noneuclid.kernels.of_distance import RadialKernel, SpaceKernel, differentiable
from noneuclid.numerics import exp_nonpositive, squared_euclidean
from noneuclid.numerics.profiles import EXPONENTIAL, Profile
from noneuclid.spaces import FourierSobolev, LeeVerleysen, Lp, Sobolev
from noneuclid.spaces.names import SpaceLike
from noneuclid.typing import Array

# Rates between this and its inverse are as good as their widths; beyond, they lose digits.
_LEAST = 1e-300
# A spread below this share of the values is rounding.
_CONSTANT = 1e-13


def _spread_of_entries(X: Array, kernel: Kernel) -> float:
    spread = float(X.std()) if X.size else 0.0
    if not spread > _CONSTANT * np.abs(X).max(initial=0.0):
        raise ValueError(f"{kernel} has no scale on constant data: give a number as width")
    return spread


class GaussianProfile(RadialKernel):
    """f(t) = exp(−t/2) of t = (d/width)²."""

    def _profile(self, T: Array) -> Array:
        T *= -0.5
        return exp_nonpositive(T, out=T)

    def _log_profile(self, T: Array) -> Array:
        return -0.5 * T

    def _profile_slope(self, T: Array) -> Array:
        return -0.5 * self._profile(T.copy())

    def _values(self, D: Array, width: float) -> Array:
        with np.errstate(over="ignore"):  # to infinity, whose exponential is right
            rate = 0.5 / width / width
            if _LEAST < rate < 1.0 / _LEAST:
                return exp_nonpositive(D, out=D, factor=-rate)
            D /= -2.0 * width
            D /= width
        return exp_nonpositive(D, out=D)

    def _forces(self, X: Array, W: Array, F: Array | float) -> Array:
        return -0.5 * F * self._evaluate(X, W) / self._length / self._length


@estimator
class Gaussian(GaussianProfile, SpaceKernel):
    r"""The Gaussian kernel :math:`\kappa(x, y) = \exp(-d(x, y)^2 / (2\,width^2))` of a space.

    Positive definite in Hilbert spaces (l2, Sobolev and Fourier–Sobolev spaces at p = 2, any Gram
    matrix) and over the metric of a positive kernel, by Schoenberg's theorem; **indefinite in
    others**, such as l1: ``is_positive_definite`` says so. Support vector machines and Gaussian
    processes rely on it; for l_p with p < 2 take ``Laplacian`` or ``PowerExponential``.

    Parameters
    ----------
    width : float, "scale" or "median", default=1.0
        Standard deviation, in the unit of the distance. ``"median"`` is the median distance of
        distinct rows. ``"scale"`` is scikit-learn's in l2, :math:`\gamma = 1/(d\,\mathrm{var})`;
        in other spaces half the root mean squared distance of different rows, which is the same
        for n rows if features have mean 0, but for a factor of :math:`\sqrt{n/(n - 1)}`. Both are
        fixed by :meth:`resolve` when a learner fits.

    References
    ----------
    I. J. Schoenberg (1938), Metric spaces and positive definite functions.

    Examples
    --------
    >>> Gaussian(width=1.0)([[0.0]], [[0.0], [1.0]]).round(4)
    array([[1.    , 0.6065]])
    >>> Gaussian(width="median").resolve([[0.0], [1.0], [3.0]])
    Gaussian(width=2.0)

    Curves that differ in shape, at equal Euclidean distance from zero:

    >>> from noneuclid.spaces import Sobolev
    >>> flat, steep = [1.0, 1.0, 1.0, 1.0], [1.0, -1.0, 1.0, -1.0]
    >>> Gaussian(2.0, Sobolev(spacing="unit"))([[0.0] * 4], [flat, steep]).round(4)
    array([[0.8465, 0.0421]])
    >>> Gaussian(space="l2").is_positive_definite, Gaussian(space="l1").is_positive_definite
    (True, False)
    """

    @classmethod
    def examples(cls) -> list[Self]:
        """Return narrow and wide ones, one of curves, and one that is indefinite."""
        return [
            cls(),
            cls(width=3.0),
            cls(4.0, Sobolev(spacing="unit")),
            cls(2.0, FourierSobolev()),
            cls(2.0, "l1"),
        ]

    @property
    def _compiled_profile(self) -> Profile:
        return Profile(EXPONENTIAL, 0.5 / self._length / self._length)

    def _scale(self, X: Array) -> float:
        chart = self._space.chart(X.shape[1])
        if chart is not None and chart.is_identity:  # as scikit-learn's gamma="scale"
            return _spread_of_entries(X, self) * float(np.sqrt(X.shape[1] / 2))
        return float(super()._scale(X) / np.sqrt(2.0))


@estimator
class Laplacian(SpaceKernel):
    r"""The Laplacian kernel :math:`\kappa(x, y) = \exp(-d(x, y) / width)` of a space.

    Positive definite wherever the distance itself is of negative type: in l_p and Sobolev spaces
    with :math:`1 \le p \le 2`, with Lee and Verleysen's norm at p = 1 (the integral of a modulus),
    in Hilbert spaces; not claimed beyond p = 2, where it fails from three dimensions on.

    Parameters
    ----------
    width : float, "scale" or "median", default=1.0
        Decay length, in the unit of the distance. ``"median"`` is the median distance of distinct
        rows. ``"scale"`` is the number of features times their standard deviation in l1, in other
        spaces the standard deviation of the data there, :math:`\sqrt{\overline{d^2}/2}`. Both are
        fixed by :meth:`resolve` when a learner fits.

    References
    ----------
    I. J. Schoenberg (1938), Metric spaces and positive definite functions. L. E. Dor (1976),
    Potentials and isometric embeddings in L_1.

    Examples
    --------
    >>> Laplacian(width=1.0)([[0.0]], [[0.0], [1.0]]).round(4)
    array([[1.    , 0.3679]])
    >>> [Laplacian(space=space).is_positive_definite for space in ("l1", "l1.5", "l2", "l3")]
    [True, True, True, False]
    """

    space: SpaceLike = field(default="l1", kw_only=False)

    @classmethod
    def examples(cls) -> list[Self]:
        """Return narrow and wide ones, curves, and one that is indefinite."""
        return [
            cls(),
            cls(width=3.0),
            cls(2.0, "l2"),
            cls(2.0, LeeVerleysen(p=1)),
            cls(2.0, Sobolev(p=1.5)),
            cls(2.0, "linf"),
        ]

    @property
    def _power(self) -> float:
        return 1.0

    def _scale(self, X: Array) -> float:
        if isinstance(self._space, Lp) and self._space.p == 1:  # a sum over the features
            return _spread_of_entries(X, self) * float(X.shape[1])
        return super()._scale(X)

    def _profile(self, T: Array) -> Array:
        np.negative(T, out=T)
        return exp_nonpositive(T, out=T)

    def _log_profile(self, T: Array) -> Array:
        return -T

    @available_if(differentiable)  # type: ignore[untyped-decorator]
    def gradient(self, x: ArrayLike, W: ArrayLike) -> Array:
        """∂κ(x, w_j)/∂w_j = κ(x, w_j) J(x − w_j)/(width ‖x − w_j‖); sgn(x − w_j) for J/‖·‖ in l1.

        Parameters
        ----------
        x : array of shape (d,)
        W : array of shape (m, d)

        Returns
        -------
        gradients : array of shape (m, d)
        """
        if self.space != "l1" or self._power != 1:
            return np.asarray(super().gradient(x, W))
        x, W = self._check_point(x, W)
        return (self._evaluate(x[None, :], W).T / self._length) * np.sign(x - W)

    def _profile_slope(self, T: Array) -> Array:
        return -self._profile(T.copy())

    @property
    def _compiled_profile(self) -> Profile:
        return Profile(EXPONENTIAL, 1.0 / self._length / self._length, self._power)


@estimator
class PowerExponential(Laplacian):
    r"""The kernel :math:`\kappa(x, y) = \exp(-(d(x, y)/width)^q)` of a space.

    Between ``Laplacian`` (q = 1) and a Gaussian (q = 2, of width :math:`width/\sqrt2`). Positive
    definite where :math:`d^q` is of negative type: q ≤ 2 in Hilbert spaces, q ≤ p in l_p and
    Sobolev spaces with :math:`1 \le p \le 2`. The nearer q is to 0, the rougher are the functions
    that a learner finds.

    Parameters
    ----------
    width : float, "scale" or "median", default=1.0
        In the unit of the distance. ``"median"`` is the median distance of distinct rows,
        ``"scale"`` their standard deviation in the space, :math:`\sqrt{\overline{d^2}/2}`; both are
        fixed by :meth:`resolve` when a learner fits.
    power : float, default=1.0
        The exponent q > 0.

    References
    ----------
    I. J. Schoenberg (1938), Metric spaces and positive definite functions. J. Bretagnolle,
    D. Dacunha-Castelle and J.-L. Krivine (1966), Lois stables et espaces L^p.

    Examples
    --------
    >>> kernel = PowerExponential(space="l1.5", power=1.5)
    >>> kernel([[0.0, 0.0]], [[1.0, 1.0]]).round(4), kernel.is_positive_definite
    (array([[0.1353]]), True)
    >>> kernel.set_params(power=1.6).is_positive_definite
    False
    """

    space: SpaceLike = field(default="l2", kw_only=False)
    power: Positive = 1.0

    @classmethod
    def examples(cls) -> list[Self]:
        """Return what is allowed in l_p, less than that, and more."""
        return [cls(2.0, "l1.5", power=1.5), cls(power=0.5), cls(2.0, "l1", power=1.5)]

    @property
    def _power(self) -> float:
        return float(self.power)

    def _scale(self, X: Array) -> float:
        return super(Laplacian, self)._scale(X)


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

    def _exponents(self, X: Array, Y: Array) -> Array:
        omega = self._omega()
        D = squared_euclidean(X @ omega.T, Y @ omega.T)
        return np.negative(D, out=D)

    def _evaluate(self, X: Array, Y: Array) -> Array:
        D = self._exponents(X, Y)
        return exp_nonpositive(D, out=D)

    def log_values(self, X: Any, Y: Any = None) -> Array:
        """−‖Ω(x − y)‖² of all pairs, also where κ is too small a number.

        Parameters
        ----------
        X : array of shape (n, d)
        Y : array of shape (m, d), optional
            By default X itself.

        Returns
        -------
        array of shape (n, m)
        """
        return self._exponents(*self._check_pair(X, Y))

    def diag(self, X: ArrayLike) -> Array:
        """Return ones: the kernel depends on the difference only."""
        return np.ones(len(self._check(X)))

    def attraction(self, X: ArrayLike, W: ArrayLike) -> Array:
        """−∂κ/∂d² = κ of all pairs, d² = ‖Ω(x − w)‖²: weights of a mean that a pre-image is.

        Parameters
        ----------
        X : array of shape (n, d)
        W : array of shape (m, d)

        Returns
        -------
        weights : array of shape (n, m)
        """
        return self(X, W)

    def gradient(self, x: ArrayLike, W: ArrayLike) -> Array:
        """∂κ(x, w_j)/∂w_j = 2κ(x, w_j) Ω'Ω(x − w_j).

        Parameters
        ----------
        x : array of shape (d,)
            One point.
        W : array of shape (m, d)
            Points at which the derivative is taken.

        Returns
        -------
        array of shape (m, d)
            A gradient per row of W.
        """
        x, W = self._check_point(x, W)
        omega = self._omega()
        return 2.0 * self(x[None, :], W).T * ((x - W) @ omega.T @ omega)

    def pull(self, X: ArrayLike, W: ArrayLike, F: ArrayLike) -> Array:
        """Σ_i F_ij ∂κ(x_i, w_j)/∂w_j, by matrix products.

        Parameters
        ----------
        X : array of shape (n, d)
            Samples.
        W : array of shape (m, d)
            Prototypes.
        F : array of shape (n, m)
            Forces: the derivative of a cost with respect to every pair.

        Returns
        -------
        array of shape (m, d)
            The gradient of the cost with respect to W.
        """
        X, W, F = self._check_forces(X, W, F)
        omega = self._omega()
        H = 2.0 * F * self(X, W)
        return (H.T @ X - H.sum(axis=0)[:, None] * W) @ omega.T @ omega
