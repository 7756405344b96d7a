"""Bases of functions φ_j on an interval: Fourier, B-splines, monomials.

``evaluate`` gives derivatives φ_j^(order)(t_i), of shape (len(t), size).
"""

from typing import Any

import numpy as np
from numpy.polynomial import legendre
from scipy.interpolate import BSpline

from noneuclid.typing import Array


class Fourier:
    """1, cos, sin, cos … of the interval's period, orthonormal on it."""

    def __init__(self, low: float, high: float, size: int):
        self.low, self.length, self.size = low, high - low, size
        self.pieces = np.linspace(low, high, 2 * size + 2)

    def evaluate(self, t: Array, order: int = 0) -> Array:
        """Derivatives shift the phase by a quarter and multiply by the frequency."""
        values = np.empty((len(t), self.size))
        values[:, 0] = 0.0 if order else 1.0 / np.sqrt(self.length)
        for j in range(1, self.size):
            omega = 2 * np.pi * ((j + 1) // 2) / self.length
            phase = omega * (t - self.low) - (np.pi / 2 if j % 2 == 0 else 0.0)
            wave = np.cos(phase + order * np.pi / 2)
            values[:, j] = omega**order * wave * np.sqrt(2.0 / self.length)
        return values

    def constant(self) -> Array:
        """Coefficients of the function 1."""
        return np.sqrt(self.length) * np.eye(self.size)[0]


class Monomial:
    """Powers of the position scaled to [−1, 1]."""

    def __init__(self, low: float, high: float, size: int):
        self.middle, self.half, self.size = (low + high) / 2, (high - low) / 2, size
        self.pieces = np.array([low, high])

    def evaluate(self, t: Array, order: int = 0) -> Array:
        """Derivatives by the power rule."""
        u = (t - self.middle) / self.half
        values = np.zeros((len(t), self.size))
        for j in range(order, self.size):
            factor = float(np.prod(np.arange(j - order + 1, j + 1)))
            values[:, j] = factor * u ** (j - order) / self.half**order
        return values

    def constant(self) -> Array:
        """Coefficients of the function 1."""
        return np.eye(self.size)[0]


class Splines:
    """B-splines of degree 3, or less if there are few, on uniform knots."""

    def __init__(self, low: float, high: float, size: int):
        self.size = size
        self.degree = min(3, size - 1)
        self.pieces = np.linspace(low, high, size - self.degree + 1)
        ends = np.full(self.degree, low), np.full(self.degree, high)
        self.knots = np.concatenate([ends[0], self.pieces, ends[1]])

    def evaluate(self, t: Array, order: int = 0) -> Array:
        """Derivatives above the degree vanish."""
        if order > self.degree:
            return np.zeros((len(t), self.size))
        splines = BSpline(self.knots, np.eye(self.size), self.degree)
        return np.asarray(splines(t, nu=order))

    def constant(self) -> Array:
        """Coefficients of the function 1: splines sum to it."""
        return np.ones(self.size)


Basis = Fourier | Monomial | Splines
_BASES: dict[str, Any] = {"bspline": Splines, "fourier": Fourier, "monomial": Monomial}
SIZES = {"bspline": 15, "fourier": 11, "monomial": 5}


def make_basis(name: str, n_basis: int | None, n_points: int, domain: tuple[float, float]) -> Basis:
    """The basis of that name on an interval, by default no larger than the number of points."""
    if n_basis is None:
        n_basis = min(SIZES[name], n_points)
    made: Basis = _BASES[name](*domain, int(n_basis))
    return made


def inner_products(basis: Basis, order: int = 0) -> Array:
    """∫ φ_j^(order) φ_k^(order): Gauss–Legendre on every piece, exact for polynomials there."""
    nodes, weights = legendre.leggauss(max(8, basis.size if len(basis.pieces) == 2 else 8))
    left, right = basis.pieces[:-1, None], basis.pieces[1:, None]
    t = ((right - left) / 2 * nodes + (right + left) / 2).ravel()
    q = ((right - left) / 2 * weights).ravel()
    values = basis.evaluate(t, order)
    return np.asarray(values.T @ (q[:, None] * values))
