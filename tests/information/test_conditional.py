"""Divergence of conditional laws: plain sums, quadrature of Gaussians, limits."""

import numpy as np
import pytest
from scipy.integrate import quad

from noneuclid.information import (
    cauchy_schwarz_divergence,
    conditional_cauchy_schwarz_divergence,
)
from noneuclid.kernels import Gaussian

rng = np.random.default_rng(0)
P = rng.normal(size=(20, 2)), rng.normal(size=(20, 1))
Q = rng.normal(size=(15, 2)), rng.normal(0.5, 1.0, size=(15, 1))


def test_the_sums_are_those_of_the_equation():
    sigma, tau = 0.8, 0.5
    k, l = Gaussian(np.sqrt(2) * sigma), Gaussian(np.sqrt(2) * tau)  # noqa: E741

    def term(A, B, C, D):
        K, L, own = k(A, C), l(B, D), k(A)
        return np.sum((K * L).sum(axis=1) / own.sum(axis=1) / K.sum(axis=1))

    cross = np.log(term(*P, *Q)) + np.log(term(*Q, *P))
    expected = 0.5 * (np.log(term(*P, *P)) + np.log(term(*Q, *Q)) - cross)
    found = conditional_cauchy_schwarz_divergence(P, Q, (sigma, tau))
    assert found == pytest.approx(expected, rel=1e-10)
    assert conditional_cauchy_schwarz_divergence(Q, P, (sigma, tau)) == pytest.approx(found)
    assert conditional_cauchy_schwarz_divergence(P, P, 0.5) == pytest.approx(0, abs=1e-12)


def test_without_conditions_it_is_the_divergence():
    constant = np.ones((20, 1)), np.ones((15, 1))
    found = conditional_cauchy_schwarz_divergence((constant[0], P[1]), (constant[1], Q[1]), 0.5)
    assert found == pytest.approx(cauchy_schwarz_divergence(P[1], Q[1], 0.5))


def test_quadrature_of_gaussians():
    """y = f(x) + noise for x uniform on [0, 1]: integrals over x of Gaussian overlaps."""
    n, tau, s, t = 3000, 0.1, 0.3, 0.5
    g = np.random.default_rng(1)
    x, z = g.random((2, n, 1))
    y, v = np.sin(3 * x) + s * g.normal(size=(n, 1)), 0.5 * z + t * g.normal(size=(n, 1))

    def overlap(f, variance):
        density = lambda u: np.exp(-(f(u) ** 2) / (2 * variance)) / np.sqrt(variance)  # noqa: E731
        return quad(density, 0, 1)[0]

    w = 2 * tau**2  # the variance of the window κ
    cross = overlap(lambda u: np.sin(3 * u) - 0.5 * u, s**2 + t**2 + w)
    within = overlap(lambda u: 0.0, 2 * s**2 + w) * overlap(lambda u: 0.0, 2 * t**2 + w)
    expected = -np.log(cross / np.sqrt(within))
    found = conditional_cauchy_schwarz_divergence((x, y), (z, v), (0.02, tau))
    assert found == pytest.approx(expected, rel=0.06)


def test_the_law_of_x_does_not_matter_but_that_of_y_does():
    g = np.random.default_rng(2)
    x, z = g.random((1000, 1)), g.beta(2, 2, size=(1000, 1))
    noise = 0.2 * g.normal(size=(3, 1000, 1))
    width = (0.05, 0.1)
    same = conditional_cauchy_schwarz_divergence((x, x + noise[0]), (z, z + noise[1]), width)
    other = conditional_cauchy_schwarz_divergence((x, x + noise[0]), (z, z**2 + noise[2]), width)
    assert abs(same) < 0.02
    assert other > 5 * abs(same)
    assert conditional_cauchy_schwarz_divergence((x, x), (z, 1 - z)) > 0.1  # by Silverman's rule


def test_far_samples_and_bad_input():
    far = conditional_cauchy_schwarz_divergence(P, (Q[0] + 1e3, Q[1] + 1e3), 0.1)
    assert np.isfinite(far)
    assert far > 1e5
    for first, second, sentence in (
        (P[0], Q, r"first must be a pair \(X, Y\)"),
        ((P[0], P[1][1:]), Q, "X has 20 samples and Y has 19"),
        (P, (Q[1], Q[1]), "X has 2 features and Y has 1"),
        (P, (Q[0], np.full((15, 1), np.nan)), "Y of second contains NaN"),
    ):
        with pytest.raises(ValueError, match=sentence):
            conditional_cauchy_schwarz_divergence(first, second)
    with pytest.raises(ValueError, match="width"):
        conditional_cauchy_schwarz_divergence(P, Q, -1.0)
