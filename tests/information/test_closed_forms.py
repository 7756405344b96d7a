"""What is known without samples: Gaussians, theorems, symmetries."""

import numpy as np
import pytest
from information_naive import V, gram, integral, parzen
from scipy.stats import multivariate_normal
from sklearn.mixture import GaussianMixture

from noneuclid.information import (
    angle,
    cauchy_schwarz_divergence,
    cross_covariance_norm,
    cross_information_potential,
    euclidean_divergence,
    f_correlation,
    geodesic_distance,
    information_potential,
    quadratic_mutual_information,
    renyi_entropy,
)
from noneuclid.kernels import Gaussian, Linear
from noneuclid.kernels.base import FunctionKernel

DIMENSIONS = [1, 2, 3, 5]


def mixture(weights, means, covariances):
    """A fitted mixture, as scikit-learn would have left it."""
    model = GaussianMixture(len(weights), covariance_type="full")
    model.weights_, model.means_ = np.asarray(weights), np.asarray(means, dtype=float)
    model.covariances_ = np.asarray(covariances, dtype=float)
    model.precisions_cholesky_ = np.linalg.cholesky(np.linalg.inv(model.covariances_))
    return model


def gaussian(mean, covariance):
    return mixture([1.0], [mean], [covariance])


def random_gaussian(rng, d):
    A = rng.normal(size=(d, d))
    return rng.normal(size=d), A @ A.T + 0.3 * np.eye(d)


def product(p, q):
    """∫ N(μ, Σ) N(ν, T) = N(μ − ν; 0, Σ + T)."""
    return multivariate_normal(np.zeros(len(p[0])), p[1] + q[1]).pdf(p[0] - q[0])


@pytest.mark.parametrize("d", DIMENSIONS)
def test_products_of_gaussians(d):
    rng = np.random.default_rng(d)
    p, q = random_gaussian(rng, d), random_gaussian(rng, d)
    P, Q = gaussian(*p), gaussian(*q)
    assert cross_information_potential(P, Q) == pytest.approx(product(p, q), rel=1e-12)
    assert information_potential(P) == pytest.approx(product(p, p), rel=1e-12)
    ed = product(p, p) - 2 * product(p, q) + product(q, q)
    assert euclidean_divergence(P, Q) == pytest.approx(ed, rel=1e-10)
    cs = -np.log(product(p, q) / np.sqrt(product(p, p) * product(q, q)))
    assert cauchy_schwarz_divergence(P, Q) == pytest.approx(cs, rel=1e-10)
    assert np.cos(angle(P, Q)) == pytest.approx(np.exp(-cs), rel=1e-10)


@pytest.mark.parametrize("d", DIMENSIONS)
def test_entropy_of_a_gaussian(d):
    """H₂ = ½ log((4π)^d |Σ|)."""
    mean, covariance = random_gaussian(np.random.default_rng(d), d)
    expected = 0.5 * (d * np.log(4 * np.pi) + np.linalg.slogdet(covariance)[1])
    assert renyi_entropy(gaussian(mean, covariance)) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("d", DIMENSIONS)
def test_gaussians_of_one_covariance(d):
    """D_CS is a quarter of the squared Mahalanobis distance."""
    rng = np.random.default_rng(d)
    (mean, covariance), shift = random_gaussian(rng, d), rng.normal(size=d)
    expected = shift @ np.linalg.solve(covariance, shift) / 4
    found = cauchy_schwarz_divergence(
        gaussian(mean, covariance), gaussian(mean + shift, covariance)
    )
    assert found == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("rho", [0.0, 0.3, -0.8])
def test_information_of_a_correlated_gaussian(rho):
    joint = np.array([[1.0, rho], [rho, 1.0]])
    model = gaussian(np.zeros(2), joint)
    zero = np.zeros(2)
    VJ, VC, VM = (
        product((zero, a), (zero, b))
        for a, b in ((joint, joint), (joint, np.eye(2)), (np.eye(2), np.eye(2)))
    )
    ed = quadratic_mutual_information(model, split=1)
    assert ed == pytest.approx(VJ - 2 * VC + VM, rel=1e-9, abs=1e-15)
    cs = quadratic_mutual_information(model, kind="cs", split=1)
    assert cs == pytest.approx(-np.log(VC / np.sqrt(VJ * VM)), rel=1e-9, abs=1e-15)
    assert (cs == pytest.approx(0.0, abs=1e-12)) is (rho == 0.0)


def test_a_component_without_weight_is_no_component():
    p = mixture([0.4, 0.6, 0.0], [[0.0], [1.0], [50.0]], np.ones((3, 1, 1)))
    q = mixture([0.4, 0.6], [[0.0], [1.0]], np.ones((2, 1, 1)))
    assert information_potential(p) == pytest.approx(information_potential(q), rel=1e-14)
    assert euclidean_divergence(p, q) == pytest.approx(0.0, abs=1e-15)


def test_many_samples_estimate_the_smoothed_density():
    """The Parzen estimate of N(0, 1) is that of N(0, 1 + σ²), up to the pairs of equal samples."""
    rng = np.random.default_rng(0)
    X, s, n = rng.normal(size=(4000, 1)), 0.5, 4000
    own = 1 / np.sqrt(4 * np.pi * s**2)
    expected = (1 - 1 / n) / np.sqrt(4 * np.pi * (1 + s**2)) + own / n
    assert information_potential(X, s) == pytest.approx(expected, rel=0.02)


@pytest.mark.parametrize("d", [1, 2])
def test_divergences_by_quadrature(d):
    rng = np.random.default_rng(d)
    X, Y, s, t = rng.normal(size=(6, d)), rng.normal(size=(5, d)) + 0.5, 0.6, 0.9
    p, q = parzen(X, s), parzen(Y, t)
    pp, pq, qq = (integral(lambda u, a=a, b=b: a(u) * b(u), d) for a, b in ((p, p), (p, q), (q, q)))
    found = cauchy_schwarz_divergence(X, Y, (s, t))
    assert found == pytest.approx(-np.log(pq / np.sqrt(pp * qq)), rel=1e-8)
    assert angle(X, Y, (s, t)) == pytest.approx(np.arccos(pq / np.sqrt(pp * qq)), rel=1e-7)
    assert renyi_entropy(Y, t) == pytest.approx(-np.log(qq), rel=1e-10)


# --- symmetries -----------------------------------------------------------------------------------


def samples(seed, d=3, n=12, m=9):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)), 0.7 + rng.normal(size=(m, d))


@pytest.mark.parametrize("seed", range(3))
def test_nothing_depends_on_place_or_direction(seed):
    X, Y = samples(seed)
    rng = np.random.default_rng(seed)
    Q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    moved = [Z @ Q + 5.0 for Z in (X, Y)]
    for function in (euclidean_divergence, cauchy_schwarz_divergence, angle):
        assert function(*moved, 0.8) == pytest.approx(function(X, Y, 0.8), rel=1e-9)
        assert function(Y, X, 0.8) == pytest.approx(function(X, Y, 0.8), rel=1e-12)


@pytest.mark.parametrize("c", [1e-3, 2.0, 1e4])
def test_scaled_data_scale_the_potential(c):
    """A density scales by c^{-d}, its square's integral too; D_CS does not change."""
    X, Y = samples(0)
    found = information_potential(c * X, c * 0.8, log=True)
    assert found == pytest.approx(information_potential(X, 0.8, log=True) - 3 * np.log(c), rel=1e-9)
    found = cauchy_schwarz_divergence(c * X, c * Y, c * 0.8)
    assert found == pytest.approx(cauchy_schwarz_divergence(X, Y, 0.8), rel=1e-9)


def test_weights_are_repetitions():
    X, Y = samples(1)
    counts = np.array([3, 1, 0, 2, 1, 1, 0, 1, 2, 1, 4, 1])
    weights = counts / counts.sum()
    expected = information_potential(np.repeat(X, counts, axis=0), 0.8)
    assert information_potential(X, 0.8, weights) == pytest.approx(expected, rel=1e-12)
    expected = euclidean_divergence(np.repeat(X, counts, axis=0), Y, 0.8)
    assert euclidean_divergence(X, Y, 0.8, (weights, None)) == pytest.approx(expected, rel=1e-10)


def test_products_obey_cauchy_and_schwarz():
    for seed in range(10):
        X, Y = samples(seed, d=2)
        cross = cross_information_potential(X, Y, 0.5)
        assert 0 < cross**2 <= information_potential(X, 0.5) * information_potential(Y, 0.5)
        assert cross == pytest.approx(V(X, Y, 0.5, 0.5), rel=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_distances_and_angles_obey_the_triangle_inequality(seed):
    rng = np.random.default_rng(seed)
    parts = [rng.normal(size=(6, 2)) + shift for shift in rng.normal(size=(3, 2))]

    def distance(X, Y):
        return np.sqrt(euclidean_divergence(X, Y, 0.7))

    def between(X, Y):
        return angle(X, Y, 0.7)

    for d in (distance, between):
        a, b, c = (d(parts[i], parts[j]) for i, j in ((0, 1), (1, 2), (0, 2)))
        assert c <= a + b + 1e-12
        assert a <= b + c + 1e-12


def test_geodesics_are_longer_than_chords_and_shorter_than_a_quarter_circle():
    X, Y = samples(0, d=2)
    D = geodesic_distance(X, Y, width=0.6)
    top = 1 / (4 * np.pi * 0.6**2)  # κ(0) in two dimensions
    kappa = np.array([[V(x[None], y[None], 0.6, 0.6) for y in Y] for x in X])
    chords = np.sqrt(2 * top - 2 * kappa)
    assert (chords - 1e-12 <= D).all()
    assert (np.sqrt(top) * np.pi / 2 + 1e-12 >= D).all()
    np.testing.assert_allclose(np.cos(D / np.sqrt(top)), kappa / top, atol=1e-12)


# --- dependence -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_information_is_the_trace_of_centred_matrices(seed):
    rng = np.random.default_rng(seed)
    X, Y = rng.normal(size=(10, 2)), rng.normal(size=(10, 1))
    K, L, H = gram(X, 0.7), gram(Y, 0.4), np.eye(10) - 0.1
    expected = np.trace(K @ H @ L @ H) / 100
    assert quadratic_mutual_information(X, Y, (0.7, 0.4)) == pytest.approx(expected, rel=1e-9)
    assert cross_covariance_norm(X, Y, (0.7, 0.4)) == pytest.approx(np.sqrt(expected), rel=1e-9)


def root(K):
    values, vectors = np.linalg.eigh(K)
    return vectors * np.sqrt(np.maximum(values, 0))


def test_the_operator_norm_is_the_largest_covariance():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(15, 1))
    Y = X**2 + 0.1 * rng.normal(size=(15, 1))
    H = np.eye(15) - 1 / 15
    M = root(gram(X, 0.5)).T @ H @ root(gram(Y, 0.5)) / 15
    expected = np.linalg.svd(M, compute_uv=False)[0]
    found = cross_covariance_norm(X, Y, 0.5, norm="operator")
    assert found == pytest.approx(expected, rel=1e-7)


def test_nothing_depends_on_a_constant():
    X, constant = np.random.default_rng(0).normal(size=(20, 2)), np.ones((20, 1))
    for kind in ("ed", "cs"):
        found = quadratic_mutual_information(X, constant, 0.5, kind)
        assert found == pytest.approx(0.0, abs=1e-14)
    assert f_correlation(X, constant, Gaussian(1.0)) == pytest.approx(0.0, abs=1e-12)


def test_measures_do_not_see_the_order_of_the_pairs():
    rng = np.random.default_rng(0)
    X, Y, order = rng.normal(size=(20, 2)), rng.normal(size=(20, 1)), rng.permutation(20)
    for measure in (
        lambda A, B: quadratic_mutual_information(A, B, 0.5),
        lambda A, B: quadratic_mutual_information(A, B, 0.5, "cs"),
        lambda A, B: cross_covariance_norm(A, B, 0.5),
        lambda A, B: f_correlation(A, B, Gaussian(1.0)),
    ):
        assert measure(X[order], Y[order]) == pytest.approx(measure(X, Y), rel=1e-9)
        assert measure(Y, X) == pytest.approx(measure(X, Y), rel=1e-9)


@pytest.mark.parametrize("regularization", [1e-3, 0.02, 1.0])
def test_correlations_shrink_with_the_regularisation(regularization):
    X = np.random.default_rng(0).normal(size=(40, 1))
    found = f_correlation(X, X, Gaussian(1.0), regularization)
    stronger = f_correlation(X, X, Gaussian(1.0), 2 * regularization)
    assert 0 < stronger < found < 1
    # Of a variable with itself it is the square of the largest λ/(λ + nκ/2).
    K = np.exp(-((X - X.T) ** 2) / 2)
    H = np.eye(40) - 1 / 40
    largest = np.linalg.eigvalsh(H @ K @ H)[-1]
    expected = (largest / (largest + 20 * regularization)) ** 2
    assert found == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("n", [100, 501])
@pytest.mark.parametrize("low_rank", [None, 1e-3])
def test_functions_need_a_positive_kernel(n, low_rank):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 6))
    Y = X + rng.normal(size=(n, 6))
    for kernel in (Gaussian(2.0, "linf"), FunctionKernel(lambda A, B: np.tanh(A @ B.T - 1.0))):
        with pytest.raises(ValueError, match=r"is not a positive kernel.*take a kernel that is"):
            f_correlation(X, Y, kernel, low_rank=low_rank)
    inner = FunctionKernel(lambda A, B: A @ B.T)  # which nobody claims to be positive
    expected = f_correlation(X, Y, Linear(), low_rank=low_rank)
    assert f_correlation(X, Y, inner, low_rank=low_rank) == pytest.approx(expected, rel=1e-6)


def test_a_constant_among_many_samples():
    X = np.random.default_rng(0).normal(size=(600, 8))
    assert f_correlation(X, np.zeros((600, 1)), Gaussian(1.0)) == 0.0
