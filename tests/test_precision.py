"""Delicate formulas against mpmath, with sixty digits, where double precision is most in danger.

The relative error is at most 1e-10, or what rounding the input once in the last place would cost:
the condition of the formula, given beside the case. Powers of p, exponents of e, and densities far
apart are such cases; what underflows does so to the right side.
"""

import mpmath as mp
import numpy as np
import pytest
from sklearn.mixture import GaussianMixture

import campaigns
from noneuclid.information import (
    ParzenClassifier,
    cauchy_schwarz_divergence,
    euclidean_divergence,
    f_correlation,
    information_potential,
    renyi_entropy,
)
from noneuclid.kernels import Gaussian, Laplacian, MatrixGaussian, Polynomial, SpikeTrainKernel
from noneuclid.numerics import exp_nonpositive, squared_euclidean
from noneuclid.numerics.lvq import SIGMOID, TANH, transfer_derivative
from noneuclid.pca.objectives import _NAMED, gaussian, power, skeleton
from noneuclid.prototypes.costs import CrossEntropyCost, GLVQCost, Membership, RSLVQCost
from noneuclid.proximities import NystroemEmbedding, SpectrumCorrection
from noneuclid.spaces import FourierSobolev, Hilbert, LeeVerleysen, Lp, Sobolev

mp.mp.dps = 60
EPS = float(np.finfo(float).eps)
TINY = float(np.finfo(float).tiny)
pytestmark = pytest.mark.trust


def exactly(values):
    """Doubles as they are, with sixty digits."""
    return [mp.mpf(float(v)) for v in np.ravel(values)]


def hold(what, got, expected, rtol=1e-10, atol=0.0):
    """Compare, relative to the right value; below the smallest normal number digits are fewer."""
    got = [float(g) for g in np.ravel(got)]
    right = list(expected) if isinstance(expected, list | tuple) else [expected]
    assert len(got) == len(right)
    bad = []
    for g, r in zip(got, right, strict=True):
        if abs(r) > mp.mpf(2) ** 1024:
            ok = g == float(mp.sign(r)) * float("inf")
        else:
            ok = abs(mp.mpf(g) - r) <= rtol * abs(r) + atol + TINY if np.isfinite(g) else False
        if not ok:
            bad.append(f"{g!r} instead of {mp.nstr(r, 17)}")
    campaigns.record("Numbers", f"{what}, against sixty digits", len(got), len(bad))
    assert not bad, "; ".join(bad[:5])


# --- l_p -----------------------------------------------------------------------------------------

EXPONENTS = (1.0, 1.0 + 1e-12, 1.0001, 1.5, 2.0, 3.0, 50.0, 1e3, 1e6)
ROWS = {
    "plain": [3.0, -1.0, 0.5, 2.5],
    "ties": [1.0, -1.0, 1.0, 1.0 - 1e-9],
    "zeros": [0.0, 2.0, 0.0, -1e-5],
    "one": [0.0, 0.0, -7.0, 0.0],
    "spread": [1e-3, 1.0, 1e3, -1e6],
}
SCALES = (1.0, 1e-150, 1e150)


def mp_norm(v, p):
    return mp.fsum(abs(x) ** mp.mpf(p) for x in v) ** (1 / mp.mpf(p))


@pytest.mark.parametrize("p", EXPONENTS)
@pytest.mark.parametrize("row", ROWS)
def test_lp_norms_duals_and_distances(row, p):
    for scale in SCALES:
        v = np.array(ROWS[row]) * scale
        exact = exactly(v)
        norm = mp_norm(exact, p)
        hold("norms in l_p, p from 1 to 10⁶", Lp(p).norm([v]), norm)
        if norm**2 < mp.mpf(2) ** 1023:
            hold("distances in l_p", Lp(p).squared_distance([v], [np.zeros(4)]), norm**2)
        else:
            with pytest.raises(ValueError, match="beyond the range of floating-point numbers"):
                Lp(p).squared_distance([v], [np.zeros(4)])
        # |w|/‖w‖ to the power p multiplies its rounding error by p.
        dual = [mp.sign(x) * abs(x) ** (mp.mpf(p) - 1) / norm ** (mp.mpf(p) - 2) for x in exact]
        # Entries below the range of numbers relative to the largest are zero.
        hold("duality maps of l_p", Lp(p).dual([v]), dual, max(1e-10, 8 * p * EPS), 1e-300 * scale)


@pytest.mark.parametrize("p", EXPONENTS)
def test_lp_distances_of_far_rows_that_are_near_each_other(p):
    x, w = np.array([1e8, -1e8, 3.0]), np.array([1e8 + 2**-20, -1e8, 3.0 + 2**-30])
    exact = [a - b for a, b in zip(exactly(x), exactly(w), strict=True)]
    hold("distances in l_p", Lp(p).squared_distance([x], [w]), mp_norm(exact, p) ** 2)


def test_euclidean_distances_beside_one_row_that_is_far_away():
    X = np.array([[1.5, 0.0], [1.0, 1e-9]])
    W = np.array([[1.25, 0.0], [1e16, 0.0], [1.0, 0.0]])
    right = [
        mp.fsum((a - b) ** 2 for a, b in zip(exactly(x), exactly(w), strict=True))
        for x in X
        for w in W
    ]
    hold("squared Euclidean distances", squared_euclidean(X, W), right)


@pytest.mark.parametrize("p", [1.0, 1.5, 2.0, 3.0, 50.0])
@pytest.mark.parametrize(
    "v", [[0.0, 0.0, 1.0, 0.0], [1.0, -1.0, 1e-8, 0.0], [0.0, -1e-200, 1e-200, 3e-200], [1e150, -1]]
)
def test_functional_norms_where_neighbours_are_zero(p, v):
    exact, n = exactly(v), len(v)

    def part(k, j):
        if not 0 <= j < n or exact[k] * exact[j] >= 0:
            return abs(exact[k]) / 2
        return exact[k] ** 2 / (abs(exact[k]) + abs(exact[j])) / 2

    right = mp_norm([part(k, k - 1) + part(k, k + 1) for k in range(n)], p)
    hold("the functional norm of Lee and Verleysen", LeeVerleysen(p=p).norm([v]), right)
    assert np.isfinite(LeeVerleysen(p=p).dual([v])).all()
    np.testing.assert_array_equal(LeeVerleysen(p=p).dual(np.zeros((1, n))), 0.0)


# --- exponentials --------------------------------------------------------------------------------


def test_the_exponential_function():
    x = -np.concatenate([[0.0, 5e-324, 1e-300, 1e-17], np.logspace(-12, np.log10(744), 400)])
    hold("the compiled exponential function", exp_nonpositive(x), [mp.exp(v) for v in exactly(x)])
    np.testing.assert_array_equal(exp_nonpositive(np.array([-800.0, -1e300, -np.inf])), 0.0)


@pytest.mark.parametrize("width", [1e-300, 1e-150, 1e-3, 1.0, 37.0, 1e150, 1e300])
@pytest.mark.parametrize("lag", [0.0, 1e-3, 1.0, 20.0, 37.0, 1e3])
def test_kernels_at_any_lag_and_width(lag, width):
    x, y = np.array([[0.5 * width, 0.0]]), np.array([[(0.5 + lag) * width, lag * width]])
    v = [a - b for a, b in zip(exactly(x), exactly(y), strict=True)]
    w, what = mp.mpf(width), "kernels, narrow, wide and far apart"
    u = mp.fsum(t * t for t in v) / (2 * w * w)
    # A relative error of the exponent is an absolute one of the logarithm.
    hold(what, Gaussian(width)(x, y), mp.exp(-u), max(1e-10, 16 * EPS * float(u)))
    u = mp.fsum(map(abs, v)) / w
    hold(what, Laplacian(width)(x, y), mp.exp(-u), max(1e-10, 16 * EPS * float(u)))
    if 1e-100 < width < 1e100:
        u = mp.fsum(t * t for t in v) / (w * w)
        kernel = MatrixGaussian(np.eye(2) / width)
        hold(what, kernel(x, y), mp.exp(-u), max(1e-10, 16 * EPS * float(u)))


@pytest.mark.parametrize("degree", [1, 3, 51])
def test_polynomial_kernels(degree):
    x, y = np.array([[1.5, -2.0]]), np.array([[0.25, 3.0]])
    base = mp.fsum(a * b for a, b in zip(exactly(x), exactly(y), strict=True)) / 2 + 1
    hold("kernels, narrow, wide and far apart", Polynomial(degree=degree)(x, y), base**degree)


@pytest.mark.parametrize("smoothing", ["gaussian", "exponential", "alpha", "rectangular"])
@pytest.mark.parametrize("lag", [0.0, 1e-8, 0.5, 1.0, 1.0 - 1e-12, 5.0, 40.0, 700.0, 1e6])
def test_kernels_of_spike_trains_at_any_lag(smoothing, lag):
    """The product of two smoothed events, by the integral of the smoothing functions."""
    width = 1.0
    got = float(SpikeTrainKernel(width, smoothing=smoothing)([[0.0]], [[lag]])[0, 0])
    t = mp.mpf(lag)
    right = {
        "gaussian": mp.exp(-t * t / 4) / (2 * mp.sqrt(mp.pi)),
        "exponential": mp.exp(-t) / 2,
        "alpha": mp.exp(-t) * (1 + t) / 4,
        "rectangular": max(1 - t, mp.mpf(0)),
    }[smoothing]
    scale = float(SpikeTrainKernel(width, smoothing=smoothing)([[0.0]])[0, 0])
    at_zero = {"gaussian": 1 / (2 * mp.sqrt(mp.pi)), "exponential": 0.5, "alpha": 0.25}
    right = right / at_zero.get(smoothing, 1) * scale
    # Gaussian tails are left out where they are below the rounding of the largest value.
    tail = 4.1e-16 * scale if smoothing == "gaussian" else 0.0
    hold("kernels of spike trains at any lag", [got], right, max(1e-10, 8 * EPS * lag), tail)


# --- densities -----------------------------------------------------------------------------------


def log_normal(x, variance, d=1):
    return -mp.fsum(t * t for t in x) / (2 * variance) - mp.mpf(d) / 2 * mp.log(
        2 * mp.pi * variance
    )


def log_mean(logs):
    top = max(logs)
    return top + mp.log(mp.fsum(mp.exp(v - top) for v in logs) / len(logs))


def log_potential(X, Y, width):
    d, variance = X.shape[1], 2 * mp.mpf(width) ** 2
    pairs = [(exactly(x), exactly(y)) for x in X for y in Y]
    lags = [[a - b for a, b in zip(x, y, strict=True)] for x, y in pairs]
    return log_mean([log_normal(v, variance, d) for v in lags])


RNG = np.random.default_rng(0)


@pytest.mark.parametrize("width", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("apart", [0.5, 10.0, 60.0, 1e4, 1e9])
@pytest.mark.parametrize("d", [1, 3, 400])
def test_divergences_of_samples_far_apart(d, apart, width):
    X, Y = RNG.normal(size=(4, d)) * width, (RNG.normal(size=(5, d)) + apart) * width
    pp, pq, qq = (log_potential(*pair, width) for pair in ((X, X), (X, Y), (Y, Y)))
    what = "potentials and divergences of densities far apart"
    hold(what, information_potential(X, width, log=True), pp, 1e-12)
    hold(what, renyi_entropy(X, width), -pp, 1e-12)
    size = float(abs(pp) + abs(pq) + abs(qq))
    cs = (pp + qq) / 2 - pq
    hold(what, cauchy_schwarz_divergence(X, Y, width), cs, 1e-10, 8 * EPS * size)
    ed = mp.exp(pp) - 2 * mp.exp(pq) + mp.exp(qq)
    if abs(mp.log(ed)) < 700:
        hold(what, euclidean_divergence(X, Y, width), ed, 1e-10, 64 * EPS * float(mp.exp(pp)))


def fitted_mixture(weights, means, variances):
    """A mixture as scikit-learn would have fitted it."""
    mixture = GaussianMixture(len(weights), covariance_type="spherical")
    mixture.weights_, mixture.means_ = np.array(weights), np.array(means, float)[:, None]
    mixture.covariances_ = np.array(variances, float)
    mixture.precisions_cholesky_ = 1 / np.sqrt(mixture.covariances_)
    mixture.n_features_in_ = 1
    return mixture


@pytest.mark.parametrize("apart", [1.0, 50.0, 1e6])
@pytest.mark.parametrize("variance", [1e-6, 1.0])
def test_divergences_of_mixtures_far_apart(variance, apart):
    first = [(0.25, 0.0, 1.0), (0.75, 2.0, variance)]
    second = [(0.5, apart, variance), (0.5, apart + 1.0, 2.0)]

    def product(f, g):
        terms = [
            mp.log(a * b) + log_normal([mp.mpf(m) - mp.mpf(n)], mp.mpf(s) + mp.mpf(t))
            for a, m, s in f
            for b, n, t in g
        ]
        return log_mean(terms) + mp.log(len(terms))

    pp, pq, qq = (product(*pair) for pair in ((first, first), (first, second), (second, second)))
    got = cauchy_schwarz_divergence(
        *(fitted_mixture(*zip(*m, strict=True)) for m in (first, second))
    )
    what = "potentials and divergences of densities far apart"
    hold(what, got, (pp + qq) / 2 - pq, 1e-10)


@pytest.mark.parametrize("distance", [0.0, 3.0, 100.0, 1e5])
def test_posteriors_of_parzen_windows_far_from_all_samples(distance):
    X, y = np.array([[0.0], [1.0], [4.0], [5.5]]), np.array([0, 0, 1, 1])
    model = ParzenClassifier(0.5, rule="map").fit(X, y)
    logs = [
        log_mean([log_normal([mp.mpf(distance) - t], mp.mpf("0.25")) for t in exactly(X[y == c])])
        for c in (0, 1)
    ]
    total = log_mean(logs) + mp.log(2)
    got = model.predict_log_proba([[distance]])
    hold("posteriors far from all samples", got, [v - total for v in logs], 1e-10, 1e-10)


# --- costs ---------------------------------------------------------------------------------------

DISTANCES = {
    "near": [0.0, 1.0, 2.0, 3.0],
    "far": [1e5, 1e5 + 1.0, 1e5 + 0.5, 1e5 + 7.0],
    "wrong": [9.0, 8.0, 1e-3, 5.0],
    "huge": [1e200, 2e200, 3e200, 1.5e200],
}


@pytest.mark.parametrize("sigma2", [1e-6, 1e-2, 1.0, 1e4])
@pytest.mark.parametrize("kind", DISTANCES)
def test_posteriors_and_forces_of_soft_costs(kind, sigma2):
    d, classes = exactly(DISTANCES[kind]), np.array([0, 0, 1, 1])
    who, D = Membership(np.array([0]), classes), np.array([DISTANCES[kind]])
    e = [-v / mp.mpf(sigma2) for v in d]
    total, own = (log_mean(part) + mp.log(len(part)) for part in (e, e[:2]))
    size = float(max(abs(v) for v in e))
    cost, what = RSLVQCost(sigma2=sigma2), "soft assignments, narrow and far from all prototypes"
    value, forces = cost.per_sample(D, who)[:2]
    hold(what, value, total - own, 1e-10, 1e-15 + 8 * EPS * size)
    right = [(mp.exp(v - own) if j < 2 else 0) - mp.exp(v - total) for j, v in enumerate(e)]
    rounding = 4 * EPS * size  # of a logit: an error of the probability as large
    scaled = [v / mp.mpf(sigma2) for v in right]
    if rounding < 1e-2:
        hold(what, forces, scaled, max(1e-10, rounding), (1e-15 + rounding) / sigma2)
    assert np.isfinite(forces).all()
    assert np.isfinite(CrossEntropyCost(sigma2=sigma2).per_sample(D, who)[1]).all()


@pytest.mark.parametrize("slope", [0.1, 1.0, 40.0, 300.0])
@pytest.mark.parametrize("transfer", ["identity", "sigmoid", "tanh"])
@pytest.mark.parametrize(
    "pair", [(0.0, 1.0), (1.0, 0.0), (1.0, 1.0), (1e-160, 3e-160), (1e150, 2e149)]
)
def test_margins_and_their_forces(pair, transfer, slope):
    D, who = np.array([pair]), Membership(np.array([0]), np.array([0, 1]))
    plus, minus = exactly(pair)
    total = plus + minus
    u = mp.mpf(slope) * (plus - minus) / total
    value, slope_at = {
        "identity": (u, mp.mpf(1)),
        "sigmoid": (1 / (1 + mp.exp(-u)), 1 / (2 * mp.cosh(u / 2)) ** 2),
        "tanh": (mp.tanh(u), mp.sech(u) ** 2),
    }[transfer]
    found = GLVQCost(transfer=transfer, slope=slope).per_sample(D, who)
    hold("margins and steep transfer functions", found.values, value, 1e-10, 1e-15)
    factor = 2 * mp.mpf(slope) * slope_at / total**2
    rtol = max(1e-10, 8 * EPS * slope)
    hold(
        "margins and steep transfer functions", found.forces, [minus * factor, -plus * factor], rtol
    )
    code = {"sigmoid": SIGMOID, "tanh": TANH}.get(transfer)
    if code is not None:
        got = transfer_derivative(float((plus - minus) / total), code, slope)
        hold("margins and steep transfer functions", got, mp.mpf(slope) * slope_at, rtol)


def test_two_distances_of_zero_are_no_margin():
    who = Membership(np.array([0]), np.array([0, 1]))
    found = GLVQCost().per_sample(np.zeros((1, 2)), who)
    assert found.values[0] == 1.0
    assert found.refused == 1
    np.testing.assert_array_equal(found.forces, 0.0)


# --- objectives ----------------------------------------------------------------------------------

ARGUMENTS = np.concatenate([np.logspace(-9, 3, 60), [0.0, 0.0999999, 0.1, 0.1000001, 0.9999, 1.0]])
OBJECTIVES = {
    "tanh": (lambda u: mp.log(mp.cosh(u)), mp.tanh),
    "sech": (lambda u: 3 * u - 6 * mp.atan(mp.tanh(u / 2)), lambda u: 3 - 3 * mp.sech(u)),
    "tanh2": (lambda u: 2 * (u - mp.tanh(u)), lambda u: 2 * mp.tanh(u) ** 2),
    "sigmoid": (lambda u: 4 * mp.log(mp.cosh(u / 2)), lambda u: 2 * mp.tanh(u / 2)),
    "tanh_sech": (lambda u: 2 - 2 * mp.sech(u), lambda u: 2 * mp.tanh(u) * mp.sech(u)),
    "cosine": (
        lambda u: u - 2 / mp.pi * mp.sin(mp.pi * u / 2),
        lambda u: 1 - mp.cos(mp.pi * u / 2),
    ),
    "l1": (lambda u: u, lambda u: mp.mpf(1)),
    "l2": (lambda u: u * u / 2, lambda u: u),
}


def test_all_named_objectives_are_compared():
    assert set(OBJECTIVES) == set(_NAMED)


@pytest.mark.parametrize("name", OBJECTIVES)
def test_objectives_and_their_slopes(name):
    # A wave of argument u has rounding errors of u in its phase; near its zeros they are all.
    u = ARGUMENTS[ARGUMENTS < 1.9] if name == "cosine" else ARGUMENTS
    for got, right in zip((_NAMED[name].value, _NAMED[name].slope), OBJECTIVES[name], strict=True):
        rtol = np.where(u > 1, 1e-10, 1e-11).max() if name != "tanh_sech" else 1e-10
        hold("objectives of components", got(u), [right(v) for v in exactly(u)], rtol)


@pytest.mark.parametrize("p", [0.5, 1.0001, 7.5])
def test_families_of_objectives(p):
    u = np.logspace(-8, 1, 20)
    exact, q = exactly(u), mp.mpf(p)
    what = "objectives of components"
    hold(what, power(p).value(u), [v**q / q for v in exact])
    hold(what, power(p).slope(u), [v ** (q - 1) for v in exact])
    hold(what, gaussian(p).value(u[:-4]), [mp.gammainc(1 / q, 0, v**q) / q for v in exact[:-4]])
    hold(what, skeleton(p).slope(u), [min(v, q) for v in exact])


# --- nearly singular matrices --------------------------------------------------------------------


@pytest.mark.parametrize("smallest", [1e-2, 1e-6, 1e-10])
def test_products_and_charts_of_nearly_singular_gram_matrices(smallest):
    A = np.array([[1.0, 1.0 - smallest], [1.0 - smallest, 1.0]])
    x, w = np.array([[1.0, -1.0]]), np.array([[0.5, -0.25]])
    G, a, b = exactly(A), exactly(x), exactly(w)

    def product(s, t):
        return mp.fsum(s[i] * G[2 * i + j] * t[j] for i in range(2) for j in range(2))

    lag = [s - t for s, t in zip(a, b, strict=True)]
    space, what, condition = Hilbert(A), "nearly singular Gram matrices", 8 * EPS / smallest
    hold(what, space.product(x, w), product(a, b), max(1e-10, condition))
    hold(what, space.squared_norm(x), product(a, a), max(1e-10, condition))
    hold(what, space.squared_distance(x, w), product(lag, lag), max(1e-10, condition))
    np.testing.assert_allclose(space.unflatten(space.flatten(x)), x, rtol=max(1e-10, condition))


@pytest.mark.parametrize("noise", [1e-4, 1e-8, 1e-13])
def test_landmarks_that_are_nearly_the_same(noise):
    """Nyström's map divides by eigenvalues: those that are rounding must not speak."""
    X = np.array([[0.0], [1.0], [1.0 + noise], [2.0], [3.5]])
    K = Gaussian(2.0)(X)
    Z = NystroemEmbedding(n_landmarks=5, landmarks=[0, 1, 2, 3, 4]).fit_transform(K)
    hold("nearly singular Gram matrices", Z @ Z.T, exactly(K), 1e-9, 1e-9)
    clipped = SpectrumCorrection().fit_transform(K)
    hold("nearly singular Gram matrices", clipped, exactly(K), 1e-10, 1e-14)


@pytest.mark.parametrize("width", [0.3, 3.0, 100.0])
@pytest.mark.parametrize("regularization", [1e-3, 1e-1])
def test_kernel_correlations_of_nearly_singular_matrices(regularization, width):
    """The largest generalized eigenvalue, by the inverse of the regularised matrices."""
    X, Y = (
        np.array([[0.0], [0.3], [1.0], [1.5], [2.5]]),
        np.array([[0.1], [1.0], [0.7], [2.0], [2.1]]),
    )
    n = len(X)
    H = mp.eye(n) - mp.ones(n) / n

    def shrunk(Z):
        K = mp.matrix(n, n)
        for i in range(n):
            for j in range(n):
                lag = mp.mpf(float(Z[i, 0])) - mp.mpf(float(Z[j, 0]))
                K[i, j] = mp.exp(-(lag**2) / (2 * mp.mpf(width) ** 2))
        K = H * K * H
        return K, mp.inverse(K + mp.eye(n) * n * mp.mpf(regularization) / 2)

    (K, Ki), (L, Li) = shrunk(X), shrunk(Y)
    # ρ² is the largest eigenvalue of (K + r)⁻¹K (L + r)⁻¹L' …, as that of a symmetric product.
    M = Ki * K * Li * L * L * Li * K * Ki
    values = mp.eigsy((M + M.T) / 2, eigvals_only=True)
    right = mp.sqrt(max(values))
    got = f_correlation(X, Y, kernel=Gaussian(width), regularization=regularization)
    hold("nearly singular Gram matrices", got, right, 1e-8)


# --- derivatives of high order -------------------------------------------------------------------


@pytest.mark.parametrize("order", [0.0, 0.5, 3.0, 20.0, 60.0])
def test_sobolev_norms_of_high_order(order):
    """Rounding of the transform, an ε of |v|, is multiplied by the largest symbol m(π)."""
    t = np.arange(16)
    v = np.sin(2 * np.pi * t / 16) + 0.25 * (-1.0) ** t
    exact, right = exactly(v), mp.mpf(0)
    for k in range(16):
        z = mp.fsum(x * mp.expjpi(mp.mpf(-2 * k * j) / 16) for j, x in enumerate(exact))
        omega = 2 * mp.pi * min(k, 16 - k) / 16
        right += (1 + omega**2) ** mp.mpf(order) * abs(z) ** 2 / 16
    got = FourierSobolev(order=order).squared_norm([v])
    hold("Sobolev norms of high order", got, right, max(1e-10, 64 * EPS * (1 + order)))


@pytest.mark.parametrize("p", [1.0, 2.0, 50.0])
@pytest.mark.parametrize("highest", [1, 3, 6])
def test_sobolev_norms_with_many_derivatives(highest, p):
    rows = np.array([[1.0, 3.0, -2.0, 0.5, 0.25, 8.0, 1.0]])
    space = Sobolev(p=p, weights=(1.0,) * (highest + 1), spacing=0.125)
    T = space._stack(7).toarray()
    stacked = [mp.fsum(a * b for a, b in zip(exactly(r), exactly(rows), strict=True)) for r in T]
    got = space.norm(rows)
    hold("Sobolev norms of high order", got, mp_norm(stacked, p), 1e-10)
