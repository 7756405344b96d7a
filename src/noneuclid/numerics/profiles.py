r"""Kernels that are functions f of a distance, :math:`\kappa = f(t)`, :math:`t = (c\,d^2)^{q/2}`.

Two shapes are all there are: :math:`f(t) = e^{-t}` and :math:`f(t) = (1 + t)^{-\alpha}`. The
gradient of the distance :math:`2 - 2\kappa` is that of :math:`d^2`, times :math:`-2\kappa'` where

.. math:: \kappa' = \frac{\partial\kappa}{\partial d^2} = f'(t)\,\frac q2\,\frac t{d^2} .

Where rows coincide and q < 2 the kernel has a kink, and its derivative counts as 0.
"""

import math

import numpy as np

from noneuclid.numerics._exp import exp_nonpositive, exp_scalar
from noneuclid.numerics._jit import jit
from noneuclid.numerics.lp import power
from noneuclid.typing import Array

EXPONENTIAL, RATIONAL = 0, 1


class Profile:
    """The function f, and how its argument comes from a squared distance.

    Parameters
    ----------
    shape : int
        ``EXPONENTIAL`` or ``RATIONAL``.
    rate : float
        Of squared distances.
    q : float, default=2.0
        Power of the distance.
    alpha : float, default=1.0
        Of the rational shape.

    Examples
    --------
    >>> Profile(RATIONAL, 1.0).values(np.array([[0.0, 1.0]]))
    array([[1. , 0.5]])
    """

    def __init__(self, shape: int, rate: float, q: float = 2.0, alpha: float = 1.0):
        self.shape, self.rate, self.q, self.alpha = shape, float(rate), float(q), float(alpha)

    @property
    def code(self) -> Array:
        """The same as numbers, for compiled learning."""
        return np.array([self.shape, self.rate, self.q, self.alpha])

    @property
    def _is_laplacian(self) -> bool:
        return self.shape == EXPONENTIAL and self.q == 1

    def _arguments(self, D: Array) -> Array:
        """t of squared distances, in place; below 0 is rounding."""
        with np.errstate(over="ignore"):  # to infinity, where f is right
            T = np.maximum(D, 0.0, out=D)
            T *= self.rate
            if self.q == 2:
                return T
            return np.sqrt(T, out=T) if self.q == 1 else np.power(T, 0.5 * self.q, out=T)

    def _f(self, T: Array) -> Array:
        if self.shape == EXPONENTIAL:
            return exp_nonpositive(T, factor=-1.0)
        if self.alpha == 0.5:
            return np.asarray(1.0 / np.sqrt(1.0 + T))
        return np.asarray(1.0 / (1.0 + T) if self.alpha == 1 else (1.0 + T) ** -self.alpha)

    def values(self, D: Array) -> Array:
        """κ of squared distances, which are overwritten."""
        return self._f(self._arguments(D))

    def values_and_falls(self, D: Array) -> tuple[Array, Array]:
        """κ, and how steeply it falls with the squared distance: −κ'; overwrites D."""
        T = self._arguments(D if self.q == 2 or self._is_laplacian else D.copy())
        values = self._f(T)
        if self._is_laplacian:  # t / d² is c / t
            falls = np.zeros(T.shape)
            np.divide(values, T, out=falls, where=T > 0.0)
            falls *= 0.5 * self.rate
            return values, falls
        if self.q == 2:
            falls = self.rate * values
            return values, falls if self.shape == EXPONENTIAL else self.alpha * falls / (1.0 + T)
        falls = values if self.shape == EXPONENTIAL else self.alpha * values / (1.0 + T)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            falls = 0.5 * self.q * falls * (T / D)
        return values, np.where((D > 0) & (values > 0), falls, 0.0)


@jit()
def value_and_fall(D: float, code: Array) -> tuple[float, float]:
    """The same of one squared distance, compiled."""
    shape, rate, q, alpha = code[0], code[1], code[2], code[3]
    t = rate * D
    if q == 1.0:
        t = math.sqrt(t)
    elif q != 2.0:
        t = power(t, 0.5 * q)
    if shape == EXPONENTIAL:
        value = exp_scalar(-t)
        fall = value
    else:
        value = 1.0 / math.sqrt(1.0 + t) if alpha == 0.5 else (1.0 + t) ** -alpha
        fall = alpha * value / (1.0 + t)
    if q == 2.0:
        return value, rate * fall
    if not (D > 0.0 and value > 0.0):
        return value, 0.0
    return value, 0.5 * q * fall * (t / D)
