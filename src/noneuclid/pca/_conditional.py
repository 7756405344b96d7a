r"""Random functions known by few and noisy observations each.

.. math:: x_{ij} = f_i(t_{ij}) + \varepsilon_{ij}, \qquad
    f_i = \mu + \sum_k \xi_{ik}\phi_k, \quad \operatorname{var}\xi_{ik} = \lambda_k, \quad
    \operatorname{var}\varepsilon = \sigma^2

What is known of :math:`f_i` is its distribution given the observations: scores are conditional
expectations.
"""

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from scipy import linalg

from noneuclid.numerics import fix_vectors
from noneuclid.pca._functions import Functions, Sample
from noneuclid.pca._likelihood import Loadings, climb
from noneuclid.pca._moments import moments
from noneuclid.typing import Array

# Random directions beside those that are asked for: what they hold would else count as noise.
_MORE = 5
# Noise at the start, at least this share of the variance: the likelihood finds the rest.
_FIRST_NOISE = 0.02
# What differs from the mean by less does not vary.
_ROUNDING = 1e-20
_CONSTANT = 1e-14


@dataclass(eq=False)
class Process:
    """A random function with noise.

    Attributes
    ----------
    functions : Functions
    mean : array of shape (size,)
    axes : array of shape (q, size)
        Eigenfunctions of the covariance, orthonormal in the product.
    variances : array of shape (q,)
    noise : array of shape (n_channels,)
        Variances of the errors.
    n_iter : int
        Steps that the likelihood took.
    """

    functions: Functions
    mean: Array
    axes: Array
    variances: Array
    noise: Array
    n_iter: int = 0

    def given(self, sample: Sample) -> tuple[Array, Array]:
        r"""Means and covariances of the scores of each curve, given what was observed of it.

        .. math:: V = (\Lambda^{-1} + \Phi'\Phi/\sigma^2)^{-1}, \qquad
                  m = V\Phi'(x-\mu)/\sigma^2

        Parameters
        ----------
        sample : Sample

        Returns
        -------
        means : array of shape (n, q)
        covariances : array of shape (n, q, q)
        """
        B = self.functions.design(sample.times, sample.channels)
        inverse = 1.0 / np.sqrt(self.noise[sample.channels])
        root = np.sqrt(self.variances)
        F = inverse[:, None] * (B @ self.axes.T) * root
        r = inverse * (sample.values - B @ self.mean)
        q, bounds = len(root), sample.bounds()
        means, covariances = np.empty((sample.n, q)), np.empty((sample.n, q, q))
        for i, (start, stop) in enumerate(pairwise(bounds)):
            inner = np.eye(q) + F[start:stop].T @ F[start:stop]
            factor = linalg.cho_factor(inner, lower=True)
            means[i] = root * linalg.cho_solve(factor, F[start:stop].T @ r[start:stop])
            covariances[i] = root[:, None] * linalg.cho_solve(factor, np.diag(root))
        return means, (covariances + covariances.transpose(0, 2, 1)) / 2


def fit_process(functions: Functions, sample: Sample, k: int, smoothing: float | None) -> Process:
    """The process whose curves a sample are most likely.

    It starts from smoothed moments, and climbs the penalised likelihood from there: the moments
    see the noise as a small difference of large numbers only. For the same reason the values are
    taken about the overall mean of their channel, and in units of their spread.

    Parameters
    ----------
    functions : Functions
    sample : Sample
    k : int
        Number of components that are asked for.
    smoothing : float or None
        Weight of the roughness; None: as the data suggest.
    """
    levels, scales = _levels_and_scales(functions, sample)
    unit = scales[functions.of_channel()]
    centred = sample.values - levels[sample.channels]
    scaled = replace(sample, values=centred / scales[sample.channels])
    B = functions.design(sample.times, sample.channels)
    start = _start(functions, scaled, B, k)
    found = climb(functions, scaled, B, start, smoothing)
    axes, variances = _axes(functions.gram(), unit * found.A)
    mean = functions.constants(levels) + unit * found.mean
    return Process(functions, mean, axes, variances, found.noise * scales**2, found.n_iter)


def _levels_and_scales(functions: Functions, sample: Sample) -> tuple[Array, Array]:
    """Mean and spread of the values of each channel: channels may have different units."""
    parts = [sample.values[sample.channels == c] for c in range(len(functions.bases))]
    levels = np.array([part.mean() if len(part) else 0.0 for part in parts])
    spreads = np.array([part.std() if len(part) else 0.0 for part in parts])
    # Constant values have a spread, too, of rounding: their unit is their size.
    spreads = np.where(spreads > _CONSTANT * np.abs(levels), spreads, np.abs(levels))
    return levels, np.where(spreads > 0, spreads, 1.0)


def _start(functions: Functions, sample: Sample, B: Array, k: int) -> Loadings:
    """Mean, random directions and noise, from smoothed moments."""
    beta, theta = moments(functions, sample, B)
    L = linalg.cholesky(functions.scaled(0), lower=True)
    values, vectors = linalg.eigh(L.T @ theta @ L)
    values, vectors = np.maximum(values[::-1], 0.0), vectors[:, ::-1]
    q = min(k + _MORE, len(values))
    # A direction without variance never gets any: the likelihood decides, from a little of it.
    sizes = np.sqrt(np.maximum(values[:q], 1e-4 * values[0]))
    A = sizes[:, None] * linalg.solve_triangular(L, vectors[:, :q], lower=True, trans="T").T
    r = sample.values - B @ beta
    if r @ r <= _ROUNDING * len(r):  # the values are of unit size
        A = np.zeros_like(A)
    rest = r**2 - np.einsum("ij,jk,ik->i", B, theta, B)
    noise = np.empty(len(functions.bases))
    for c in range(len(noise)):
        there = sample.channels == c
        seen = float(np.mean(rest[there])) if there.any() else 0.0
        size = float(np.mean(r[there] ** 2)) if there.any() else 0.0
        noise[c] = max(seen, _FIRST_NOISE * size, 1e-100)
    return Loadings(beta, A, noise)


def _axes(G: Array, A: Array) -> tuple[Array, Array]:
    """Eigenfunctions of the covariance A'A in the product G, and their variances."""
    L = linalg.cholesky(G, lower=True)
    _, singular, vectors = linalg.svd(A @ L, full_matrices=False)
    vectors = fix_vectors(singular**2, vectors.T)
    axes = linalg.solve_triangular(L, vectors, lower=True, trans="T").T
    return np.asarray(axes), singular**2
