"""Potentials and divergences against double sums, integrals, finite differences and bounds."""

import warnings

import numpy as np
import pytest
from information_naive import V, integral, parzen
from scipy.stats import gaussian_kde
from sklearn.mixture import BayesianGaussianMixture, GaussianMixture

from noneuclid.information import (
    angle,
    bandwidth,
    cauchy_schwarz_divergence,
    cross_information_potential,
    euclidean_divergence,
    geodesic_distance,
    information_potential,
    renyi_entropy,
)
from noneuclid.information._widths import log_likelihood
from noneuclid.kernels import Gaussian

WEIGHTED = pytest.mark.parametrize("weighted", [False, True], ids=["equal", "weighted"])


def samples(d, weighted=False, n=23, m=17, seed=0):
    rng = np.random.default_rng(seed)
    X, Y = rng.normal(size=(n, d)), rng.normal(0.5, 1.3, size=(m, d))
    a, b = (rng.dirichlet(np.ones(k)) if weighted else None for k in (n, m))
    return X, Y, a, b


@WEIGHTED
@pytest.mark.parametrize("width", [0.7, (0.7, 0.4)], ids=str)
@pytest.mark.parametrize("d", [1, 2, 3, 4, 5])
def test_every_quantity_is_its_double_sum(d, width, weighted):
    X, Y, a, b = samples(d, weighted)
    s, t = width if isinstance(width, tuple) else (width, width)
    pp, pq, qq = V(X, X, s, s, a, a), V(X, Y, s, t, a, b), V(Y, Y, t, t, b, b)
    close = {"rel": 1e-10, "abs": 0}
    assert information_potential(X, s, a) == pytest.approx(pp, **close)
    assert cross_information_potential(X, Y, width, (a, b)) == pytest.approx(pq, **close)
    assert renyi_entropy(X, s, a) == pytest.approx(-np.log(pp), **close)
    assert euclidean_divergence(X, Y, width, (a, b)) == pytest.approx(pp - 2 * pq + qq, **close)
    cs = -np.log(pq / np.sqrt(pp * qq))
    assert cauchy_schwarz_divergence(X, Y, width, (a, b)) == pytest.approx(cs, **close)
    assert angle(X, Y, width, (a, b)) == pytest.approx(np.arccos(pq / np.sqrt(pp * qq)), **close)


@pytest.mark.parametrize("d", [1, 3, 6])
def test_long_sums_cross_every_block(d):
    X, Y, a, b = samples(d, True, n=2600, m=1100)
    K = Gaussian(0.9 * np.sqrt(2))(X, Y) / (2 * np.pi * 2 * 0.81) ** (d / 2)
    assert cross_information_potential(X, Y, 0.9, (a, b)) == pytest.approx(a @ K @ b, rel=1e-11)
    K = Gaussian(0.9 * np.sqrt(2))(X) / (2 * np.pi * 2 * 0.81) ** (d / 2)
    assert information_potential(X, 0.9, a) == pytest.approx(a @ K @ a, rel=1e-11)


def test_divergence_is_the_integral_of_the_squared_difference():
    for d in (1, 2):
        X, Y, a, b = samples(d, True, n=5, m=4)
        p, q = parzen(X, 0.6, a), parzen(Y, 0.9, b)
        expected = integral(lambda x, p=p, q=q: (p(x) - q(x)) ** 2, d)
        assert euclidean_divergence(X, Y, (0.6, 0.9), (a, b)) == pytest.approx(expected, rel=1e-8)


def test_mean_discrepancy_is_the_euclidean_divergence():
    X, Y, _, _ = samples(2)
    k = Gaussian(np.sqrt(2) * 0.8)
    mmd2 = k(X).mean() - 2 * k(X, Y).mean() + k(Y).mean()
    peak = 1 / (2 * np.pi * 2 * 0.64)
    assert euclidean_divergence(X, Y, 0.8) == pytest.approx(peak * mmd2, rel=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_signs_and_zeros(seed):
    X, Y, a, b = samples(2, True, seed=seed)
    assert euclidean_divergence(X, Y, 0.5, (a, b)) > 0
    assert cauchy_schwarz_divergence(X, Y, 0.5, (a, b)) > 0
    assert 0 <= euclidean_divergence(X, X[::-1], 0.5) < 1e-15
    assert 0 <= cauchy_schwarz_divergence(X, X[::-1], 0.5) < 1e-14
    assert 0 <= angle(X, X[::-1], 0.5) < 1e-6


# --- mixtures -------------------------------------------------------------------------------


def mixture(d, kind, seed=0, cls=GaussianMixture):
    rng = np.random.default_rng(seed)
    X = np.vstack([rng.normal(-1, 0.6, size=(60, d)), rng.normal(1.5, 1, size=(60, d)) + seed])
    X[:, -1] += 0.5 * X[:, 0]
    return cls(n_components=2, covariance_type=kind, random_state=0, max_iter=500).fit(X)


KINDS = pytest.mark.parametrize("kind", ["full", "tied", "diag", "spherical"])


@KINDS
@pytest.mark.parametrize("d", [1, 2])
def test_mixtures_equal_numerical_integration(d, kind):
    f, g = mixture(d, kind), mixture(d, kind, seed=1)

    def density(model):
        return lambda x: np.exp(model.score_samples(x))

    p, q = density(f), density(g)
    assert information_potential(f) == pytest.approx(integral(lambda x: p(x) ** 2, d), rel=1e-8)
    cross = integral(lambda x: p(x) * q(x), d)
    assert cross_information_potential(f, g) == pytest.approx(cross, rel=1e-8)
    ed = integral(lambda x: (p(x) - q(x)) ** 2, d)
    assert euclidean_divergence(f, g) == pytest.approx(ed, rel=1e-7)
    X, _, a, _ = samples(d, True, n=4)
    sample = parzen(X, 0.7, a)
    mixed = integral(lambda x: p(x) * sample(x), d)
    assert cross_information_potential(f, X, 0.7, (None, a)) == pytest.approx(mixed, rel=1e-8)
    assert cross_information_potential(X, f, 0.7, (a, None)) == pytest.approx(mixed, rel=1e-8)


def test_a_sample_is_a_mixture_with_one_component_each():
    X, Y, _, _ = samples(3, n=6)
    model = GaussianMixture(6, covariance_type="spherical")
    model.weights_, model.means_, model.covariances_ = np.full(6, 1 / 6), X, np.full(6, 0.25)
    model.precisions_cholesky_ = 1 / np.sqrt(model.covariances_)
    assert cauchy_schwarz_divergence(model, Y, 0.5) == pytest.approx(
        cauchy_schwarz_divergence(X, Y, 0.5), rel=1e-12
    )
    bayesian = mixture(2, "full", cls=BayesianGaussianMixture)
    assert renyi_entropy(bayesian) > 0


# --- gradients ------------------------------------------------------------------------------

GRADIENTS = {
    "potential": lambda X, Y, a, b, **k: information_potential(X, 0.6, a, **k),
    "log potential": lambda X, Y, a, b, **k: information_potential(X, 0.6, a, log=True, **k),
    "entropy": lambda X, Y, a, b, **k: renyi_entropy(X, 0.6, a, **k),
    "cross": lambda X, Y, a, b, **k: cross_information_potential(X, Y, (0.6, 0.9), (a, b), **k),
    "ed": lambda X, Y, a, b, **k: euclidean_divergence(X, Y, (0.6, 0.9), (a, b), **k),
    "cs": lambda X, Y, a, b, **k: cauchy_schwarz_divergence(X, Y, 0.6, (a, b), **k),
    "to a mixture": lambda X, Y, a, b, **k: cauchy_schwarz_divergence(
        X, mixture(X.shape[1], "full"), 0.6, (a, None), **k
    ),
}


def assert_gradient(function, X, tolerance=1e-7):
    value, gradient = function(X, return_gradient=True)
    assert value == pytest.approx(function(X), rel=1e-11)
    expected = np.empty_like(X)
    for index in np.ndindex(X.shape):
        step = np.zeros_like(X)
        step[index] = 1e-5
        expected[index] = (function(X + step) - function(X - step)) / 2e-5
    np.testing.assert_allclose(gradient, expected, atol=tolerance * np.abs(expected).max())


@WEIGHTED
@pytest.mark.parametrize("d", [1, 3])
@pytest.mark.parametrize("name", GRADIENTS)
def test_information_forces_are_derivatives(name, d, weighted):
    X, Y, a, b = samples(d, weighted, n=7, m=5)
    assert_gradient(lambda Z, **k: GRADIENTS[name](Z, Y, a, b, **k), X)


def test_forces_on_far_samples_do_not_underflow():
    X, Y = np.zeros((1, 2)), np.full((1, 2), 500.0)
    value, gradient = cauchy_schwarz_divergence(X, Y, 1.0, return_gradient=True)
    assert value == pytest.approx(2 * 500.0**2 / 4, rel=1e-12)
    np.testing.assert_allclose(gradient, [[-250.0, -250.0]])


# --- angles ---------------------------------------------------------------------------------


def test_geodesic_distance():
    X, Y, _, _ = samples(3)
    k0 = (4 * np.pi * 0.49) ** -1.5
    K = k0 * Gaussian(np.sqrt(2) * 0.7)(X, Y)
    np.testing.assert_allclose(geodesic_distance(X, Y, width=0.7), np.sqrt(k0) * np.arccos(K / k0))
    assert (np.diag(geodesic_distance(X, width=0.7)) == 0).all()
    tiny = geodesic_distance([[0.0]], [[1e-9]], width=1.0)[0, 0]  # where arccos gives 0
    assert tiny == pytest.approx((4 * np.pi) ** -0.25 * 1e-9 / np.sqrt(2), rel=1e-6)
    D = geodesic_distance(X, width=0.7)  # a metric: the triangle inequality holds
    assert (D[:, None, :] <= D[:, :, None] + D[None, :, :] + 1e-12).all()


# --- low rank -------------------------------------------------------------------------------


@pytest.mark.parametrize("tolerance", [1e-2, 1e-4, 1e-8])
@pytest.mark.parametrize("width", [0.3, 1.5])
def test_low_rank_keeps_its_bound(width, tolerance):
    X, Y, a, b = samples(2, True, n=150, m=120)
    peak = 1 / (4 * np.pi * width**2)
    V, W = (information_potential(X, width, a, low_rank=t) for t in (None, tolerance))
    assert -1e-15 <= V - W <= tolerance * peak
    V, W = (cross_information_potential(X, Y, width, (a, b), low_rank=t) for t in (None, tolerance))
    assert abs(V - W) <= tolerance * peak
    V, W = (euclidean_divergence(X, Y, width, (a, b), low_rank=t) for t in (None, tolerance))
    assert abs(V - W) <= 4 * tolerance * peak
    if tolerance < 1e-4:
        V, W = (cauchy_schwarz_divergence(X, Y, width, low_rank=t) for t in (None, tolerance))
        assert pytest.approx(V, abs=1e3 * tolerance) == W
        assert renyi_entropy(X, width, low_rank=tolerance) == pytest.approx(renyi_entropy(X, width))


def test_low_rank_saves_work():
    from noneuclid.information._low_rank import gaussian_features

    X = np.random.default_rng(0).normal(size=(3000, 2))
    assert gaussian_features(X, 1.0, 1e-6).shape[1] < 200


# --- dask -----------------------------------------------------------------------------------


@WEIGHTED
def test_dask_arrays_give_the_same_in_blocks(weighted):
    da = pytest.importorskip("dask.array")
    X, Y, a, b = samples(3, weighted, n=50, m=40)
    dX, dY = da.from_array(X, chunks=(30, 2)), da.from_array(Y, chunks=(25, -1))
    assert information_potential(dX, 0.5, a) == pytest.approx(information_potential(X, 0.5, a))
    for function in (cross_information_potential, euclidean_divergence, cauchy_schwarz_divergence):
        expected = function(X, Y, (0.5, 0.6), (a, b))
        for pair in ((dX, dY), (dX, Y), (X, dY)):
            assert function(*pair, (0.5, 0.6), (a, b)) == pytest.approx(expected, rel=1e-11)
        gradient = function(dX, dY, 0.5, (a, b), return_gradient=True)[1]
        np.testing.assert_allclose(gradient, function(X, Y, 0.5, (a, b), return_gradient=True)[1])
    low = euclidean_divergence(dX, dY, 0.5, low_rank=1e-10)
    assert low == pytest.approx(euclidean_divergence(X, Y, 0.5), rel=1e-6)


def test_dask_blocks_are_streamed_and_checked():
    da = pytest.importorskip("dask.array")
    X = np.random.default_rng(0).normal(size=(40, 2))
    held = []

    def look(block):
        held.append(len(block))
        return block

    lazy = da.from_array(X, chunks=(10, 2)).map_blocks(look, dtype=float, meta=np.empty((0, 2)))
    information_potential(lazy, 0.5)
    assert max(held) == 10
    unknown = da.from_array(X, chunks=(10, 2))
    unknown = unknown[unknown[:, 0] > -10]
    assert information_potential(unknown, 0.5) == pytest.approx(information_potential(X, 0.5))
    X[33, 1] = np.nan
    with pytest.raises(ValueError, match="Input X contains NaN"):
        information_potential(da.from_array(X, chunks=(10, 2)), 0.5)
    with pytest.raises(ValueError, match="X must be a 2-d array"):
        information_potential(da.ones(10), 0.5)
    with pytest.raises(ValueError, match="at least one sample"):
        information_potential(da.ones((0, 2)), 0.5)


# --- widths ---------------------------------------------------------------------------------


def test_silverman_is_that_of_scipy():
    X = np.random.default_rng(0).normal(size=(200, 1))
    expected = gaussian_kde(X[:, 0], "silverman").factor * X.std(ddof=1)
    assert bandwidth(X) == pytest.approx(expected)
    assert bandwidth(3 * np.hstack([X, -X])) == pytest.approx(3 * X.std(ddof=1) * 200 ** (-1 / 6))


def test_leave_one_out_is_the_likeliest_width():
    X = np.random.default_rng(0).normal(size=(80, 2))
    best = bandwidth(X, "loo")
    D = ((X[:, None] - X[None]) ** 2).sum(-1)

    def naive(h):
        K = np.exp(-D / (2 * h**2)) / (2 * np.pi * h**2)
        return np.log((K.sum(1) - K.diagonal()) / 79).mean()

    assert log_likelihood(X, 0.5) == pytest.approx(naive(0.5), rel=1e-12)
    assert all(naive(best) >= naive(best * factor) for factor in (0.5, 0.9, 0.99, 1.01, 1.1, 2))
    assert np.isfinite(log_likelihood(X, 1e-4))  # in log space: naive gives -inf
    assert bandwidth(100 * X, "loo") == pytest.approx(100 * best, rel=1e-2)


def test_median_width():
    X = np.random.default_rng(0).normal(size=(50, 3))
    distances = np.linalg.norm(X[:, None] - X[None], axis=2)[np.triu_indices(50, 1)]
    assert bandwidth(X, "median") == pytest.approx(np.median(distances))


# --- bad input ------------------------------------------------------------------------------

X, Y = np.arange(6.0).reshape(3, 2), np.arange(4.0).reshape(2, 2)


@pytest.mark.parametrize("width", [0, -1.0, np.nan, np.inf, "wide", True, (1.0, 0.0)], ids=str)
def test_widths_must_be_positive(width):
    with pytest.raises(ValueError, match=r"width .* must be a positive number"):
        euclidean_divergence(X, Y, width)


def test_other_bad_widths():
    with pytest.raises(ValueError, match="one width, or a pair"):
        euclidean_divergence(X, Y, (1.0, 1.0, 1.0))
    with pytest.raises(ValueError, match="X holds samples: give the width"):
        information_potential(X)


def test_weights_are_normalised_and_it_is_said():
    with pytest.warns(UserWarning, match="weights sum to 6, not to one: they were divided"):
        value = information_potential(X, 1.0, [1.0, 2.0, 3.0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert information_potential(X, 1.0, [1 / 6, 1 / 3, 1 / 2]) == pytest.approx(value)
    for weights, sentence in (
        ([0.5, 0.5], r"weights must be 3 numbers.*shape is \(2,\)"),
        ([1.0, -1.0, 1.0], "finite and not negative"),
        ([np.nan, 0.5, 0.5], "finite and not negative"),
        ([0.0, 0.0, 0.0], "at least one must be positive"),
    ):
        with pytest.raises(ValueError, match=sentence):
            information_potential(X, 1.0, weights)
    with pytest.raises(ValueError, match="weights must be a tuple of two"):
        euclidean_divergence(X, Y, 1.0, [0.2, 0.3, 0.5])
    with pytest.raises(ValueError, match="weights of Y must be 2 numbers"):
        euclidean_divergence(X, Y, 1.0, (None, [1.0]))
    one_is_zero = information_potential(X, 1.0, [0.0, 0.5, 0.5])
    assert one_is_zero == pytest.approx(information_potential(X[1:], 1.0))


def test_strange_samples():
    with pytest.raises(ValueError, match="X has 2 features and Y has 1: they must agree"):
        euclidean_divergence(X, Y[:, :1], 1.0)
    with pytest.raises(ValueError, match="Input Y contains NaN"):
        euclidean_divergence(X, np.full((2, 2), np.nan), 1.0)
    with pytest.raises(ValueError, match="at least one sample; it has 0"):
        information_potential(X[:0], 1.0)
    with pytest.raises(ValueError, match="two-dimensional"):
        information_potential(X[0], 1.0)
    with pytest.raises(ValueError, match="X has 2 features and Y has 3"):
        geodesic_distance(X, np.ones((2, 3)), width=1.0)


def test_one_sample_has_a_potential_but_no_width():
    assert information_potential(X[:1], 0.5) == pytest.approx(1 / np.pi)
    with pytest.raises(ValueError, match="at least two samples; it has 1"):
        bandwidth(X[:1])
    with pytest.raises(ValueError, match="all rows of X are equal"):
        bandwidth(np.full((7, 2), 0.1))
    with pytest.raises(ValueError, match="repeated rows"):
        bandwidth(np.repeat(X, 2, axis=0), "loo")
    with pytest.raises(ValueError, match=r'method \(=\'best\'\) must be one of "silverman"'):
        bandwidth(X, "best")


def test_far_apart_samples_in_log_space():
    far = X + 1e4
    assert cross_information_potential(X, far, 1.0) == 0.0
    assert cross_information_potential(X, far, 1.0, log=True) == pytest.approx(-4.9987e7, rel=1e-3)
    D = cauchy_schwarz_divergence(X[:1], far[:1], 1.0)
    assert pytest.approx(2e8 / 4, rel=1e-12) == D
    assert np.isfinite(cauchy_schwarz_divergence(X, far, 1e-3))
    assert angle(X, far, 1.0) == pytest.approx(np.pi / 2)
    assert euclidean_divergence(X, far, 1.0) == pytest.approx(
        information_potential(X, 1.0) + information_potential(far, 1.0)
    )


def test_what_cannot_be_combined():
    model = mixture(2, "full")
    for call, sentence in (
        (lambda: information_potential(X, 1.0, low_rank=2.0), "between 0 and 1"),
        (lambda: information_potential(model, low_rank=0.1), "needs samples, not a mixture"),
        (lambda: information_potential(model, return_gradient=True), "needs samples"),
        (lambda: information_potential(model, None, [1.0]), "has weights of its own"),
        (lambda: renyi_entropy(X, 1.0, low_rank=0.1, return_gradient=True), "cannot be combined"),
        (lambda: euclidean_divergence(X, Y, (1.0, 2.0), low_rank=0.1), "one width for both"),
        (lambda: cauchy_schwarz_divergence(X, X + 99, 1.0, low_rank=0.1), "lower it"),
        (
            lambda: euclidean_divergence(X, Y, 1.0, low_rank=0.1, return_gradient=True),
            "cannot be combined",
        ),
    ):
        with pytest.raises(ValueError, match=sentence):
            call()
    with pytest.raises(ValueError, match="not fitted"):
        information_potential(GaussianMixture(2))


@pytest.mark.parametrize("function", [information_potential, renyi_entropy])
def test_one_sample_has_one_width(function):
    with pytest.raises(ValueError, match=r"width \(=\(0.3, 5.0\)\) must be a positive number"):
        function([[0.0], [1.0]], (0.3, 5.0))
