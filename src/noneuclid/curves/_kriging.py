r"""Kriging: a curve as a Gaussian process whose covariance is that of all the curves.

.. math:: x_i(t) = m_i + f_i(t) + \varepsilon, \qquad
    \operatorname{cov}(f(s), f(t)) = v\,(1 + r)e^{-r}, \quad r = \sqrt3\,|s - t|/\ell

Length, variance and noise maximise the likelihood of all curves together; the constant of each
curve is estimated with it (ordinary kriging).
"""

from dataclasses import dataclass

import numpy as np
from scipy import linalg, optimize

from noneuclid.typing import Array

Observed = tuple[Array, Array]
# The likelihood needs no more than these, evenly chosen.
_MOST_CURVES, _MOST_POINTS = 40, 100
# Noise relative to the variance: below, matrices are singular.
_LEAST_NOISE = 1e-8


@dataclass(eq=False)
class Kriging:
    """Covariance of the curves of one channel.

    Attributes
    ----------
    length : float
        Over which values are alike.
    variance, noise : float
        Of the curves about their constants, and of the errors, relative to it.
    """

    length: float
    variance: float
    noise: float

    def predict(self, t: Array, x: Array, points: Array) -> Observed:
        """The best linear unbiased prediction of the curve at points, and its deviation."""
        K = _matern(t, t, self.length) + self.noise * np.eye(len(t))
        factor = linalg.cho_factor(K, lower=True)
        k = _matern(points, t, self.length)
        ones = np.ones(len(t))
        weights = linalg.cho_solve(factor, np.column_stack([ones, x]))
        total = float(weights[:, 0].sum())
        constant = float(weights[:, 1].sum()) / total
        values = constant + k @ (weights[:, 1] - constant * weights[:, 0])
        explained = np.einsum("ij,ji->i", k, linalg.cho_solve(factor, k.T))
        by_constant = (1.0 - k @ weights[:, 0]) ** 2 / total
        spread = self.variance * np.maximum(1.0 - explained + by_constant, 0.0)
        return np.asarray(values), np.sqrt(spread)


def fit_kriging(curves: list[Observed]) -> Kriging:
    """The covariance under which curves are most likely, all of them together."""
    curves = [_thinned(*curves[k]) for k in _evenly(len(curves), _MOST_CURVES)]
    spans = [t[-1] - t[0] for t, _ in curves]
    unit = float(np.max(spans))
    if all(np.ptp(x) == 0 for _, x in curves):  # nothing varies: every length is as good
        return Kriging(unit, 0.0, _LEAST_NOISE)
    starts = [(np.log(0.3 * unit), np.log(1e-4)), (np.log(0.05 * unit), np.log(1e-2))]
    bounds = [(np.log(1e-3 * unit), np.log(10.0 * unit)), (np.log(_LEAST_NOISE), np.log(10.0))]
    found = [
        optimize.minimize(_surprise, start, (curves,), method="Nelder-Mead", bounds=bounds)
        for start in starts
    ]
    best = min(found, key=lambda result: round(float(result.fun), 6))
    length, noise = np.exp(best.x)
    squares, freedom, _ = _sums(curves, length, noise)
    return Kriging(float(length), squares / freedom, float(noise))


def _evenly(n: int, most: int) -> Array:
    return np.unique(np.linspace(0, n - 1, min(n, most)).round().astype(int))


def _thinned(t: Array, x: Array) -> Observed:
    kept = _evenly(len(t), _MOST_POINTS)
    return t[kept], x[kept]


def _matern(s: Array, t: Array, length: float) -> Array:
    r = np.sqrt(3.0) / length * np.abs(s[:, None] - t[None, :])
    return np.asarray((1.0 + r) * np.exp(-r))


def _surprise(logs: Array, curves: list[Observed]) -> float:
    """−2 log restricted likelihood, the variance at its best value."""
    squares, freedom, logs_of = _sums(curves, *np.exp(logs))
    return freedom * float(np.log(max(squares, 1e-300) / freedom)) + logs_of


def _sums(curves: list[Observed], length: float, noise: float) -> tuple[float, int, float]:
    """Σ residuals in their metric, how many are free, and Σ log determinants."""
    squares, freedom, logs = 0.0, 0, 0.0
    for t, x in curves:
        K = _matern(t, t, length) + noise * np.eye(len(t))
        L = linalg.cholesky(K, lower=True)
        one, z = linalg.solve_triangular(L, np.column_stack([np.ones(len(t)), x]), lower=True).T
        squares += float(z @ z - (one @ z) ** 2 / (one @ one))
        freedom += len(t) - 1
        logs += 2.0 * float(np.log(np.diag(L)).sum()) + float(np.log(one @ one))
    return squares, freedom, logs
