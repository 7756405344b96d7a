"""Kernels that decay as a power of a distance."""

from typing import Self

import numpy as np

from noneuclid._estimator import estimator
from noneuclid._parameters import Positive
from noneuclid.kernels.of_distance import SpaceKernel
from noneuclid.numerics.profiles import RATIONAL, Profile
from noneuclid.spaces import Sobolev
from noneuclid.typing import Array


@estimator
class RationalPower(SpaceKernel):
    r"""The kernel :math:`\kappa(x, y) = (1 + (d(x, y)/width)^q)^{-\alpha}` of a space.

    Distances on all scales count: it decays as a power, not exponentially. A mixture of
    ``PowerExponential`` kernels of all widths, and positive definite where they are: q ≤ 2 in
    Hilbert spaces, q ≤ p in l_p and Sobolev spaces with :math:`1 \le p \le 2`.

    Parameters
    ----------
    power : float, default=1.0
        The exponent q > 0 of the distance.
    alpha : float, default=1.0
        α > 0: how fast the kernel decays.

    References
    ----------
    T. Gneiting and M. Schlather (2004), Stochastic models that separate fractal dimension and the
    Hurst effect.

    Examples
    --------
    >>> RationalPower(space="l1")([[0.0, 0.0]], [[1.0, 1.0]]).round(4)
    array([[0.3333]])
    """

    power: Positive = 1.0
    alpha: Positive = 1.0

    @classmethod
    def examples(cls) -> list[Self]:
        """Return one of l_1, one of l_2, and one that is indefinite."""
        return [
            cls(2.0, "l1"),
            cls(power=1.5, alpha=0.7),
            cls(2.0, "l1", power=2.0),
        ]

    @property
    def _power(self) -> float:
        return float(self.power)

    def _profile(self, T: Array) -> Array:
        T += 1.0
        return np.power(T, -float(self.alpha), out=T)

    def _profile_slope(self, T: Array) -> Array:
        return np.asarray(-self.alpha * (1.0 + T) ** (-self.alpha - 1.0))

    @property
    def _compiled_profile(self) -> Profile:
        return Profile(RATIONAL, 1.0 / self._length / self._length, self._power, self.alpha)


@estimator
class RationalQuadratic(SpaceKernel):
    r"""The kernel :math:`\kappa(x, y) = (1 + d(x, y)^2/(2\alpha\,width^2))^{-\alpha}` of a space.

    A mixture of Gaussians of all widths, and the Gaussian of this width as α grows. Positive
    definite in Hilbert spaces; **indefinite in others**, which ``is_positive_definite`` says.

    Parameters
    ----------
    alpha : float, default=1.0
        α > 0: the smaller, the more widths are mixed.

    References
    ----------
    C. E. Rasmussen and C. K. I. Williams (2006), Gaussian Processes for Machine Learning.

    Examples
    --------
    >>> RationalQuadratic(alpha=0.5)([[0.0]], [[1.0], [3.0]]).round(4)
    array([[0.7071, 0.3162]])
    """

    alpha: Positive = 1.0

    @classmethod
    def examples(cls) -> list[Self]:
        """Return a plain one, one of curves, and one that is indefinite."""
        return [cls(), cls(2.0, Sobolev(spacing="unit"), alpha=0.5), cls(2.0, "l1", alpha=5.0)]

    def _base(self, T: Array) -> Array:
        return np.asarray(1.0 + T / (2.0 * self.alpha))

    def _profile(self, T: Array) -> Array:
        return np.asarray(self._base(T) ** -self.alpha)

    def _profile_slope(self, T: Array) -> Array:
        return np.asarray(-0.5 * self._base(T) ** (-self.alpha - 1.0))

    @property
    def _compiled_profile(self) -> Profile:
        rate = 0.5 / self.alpha / self._length / self._length
        return Profile(RATIONAL, rate, alpha=self.alpha)


@estimator
class InverseMultiquadric(SpaceKernel):
    r"""The kernel :math:`\kappa(x, y) = 1/\sqrt{1 + d(x, y)^2/width^2}` of a space.

    Positive definite in Hilbert spaces; **indefinite in others**, which ``is_positive_definite``
    says. In a Hilbert space a two-sample test with it sees every difference, near and far.

    References
    ----------
    R. L. Hardy (1971), Multiquadric equations of topography and other irregular surfaces.
    C. A. Micchelli (1986), Interpolation of scattered data: distance matrices and conditionally
    positive definite functions.

    Examples
    --------
    >>> InverseMultiquadric(width=2.0)([[0.0]], [[0.0], [2.0]]).round(4)
    array([[1.    , 0.7071]])
    """

    @classmethod
    def examples(cls) -> list[Self]:
        """Return a plain one, one of curves, and one that is indefinite."""
        return [cls(), cls(2.0, Sobolev(weights=(1, 0, 1))), cls(4.0, "l1")]

    def _profile(self, T: Array) -> Array:
        T += 1.0
        np.sqrt(T, out=T)
        return np.divide(1.0, T, out=T)

    def _profile_slope(self, T: Array) -> Array:
        return np.asarray(-0.5 * (1.0 + T) ** -1.5)

    @property
    def _compiled_profile(self) -> Profile:
        return Profile(RATIONAL, 1.0 / self._length / self._length, alpha=0.5)
