"""Radial kernels of the distance of any space."""

import pickle

import numpy as np
import pytest
from scipy import integrate
from scipy.spatial.distance import cdist
from sklearn.base import clone

import noneuclid
from noneuclid.kernels import (
    Gaussian,
    InverseMultiquadric,
    Laplacian,
    Linear,
    Polynomial,
    PowerExponential,
    RationalPower,
    RationalQuadratic,
    Schoenberg,
)
from noneuclid.spaces import (
    Euclidean,
    FourierSobolev,
    GeneralizedLp,
    Hilbert,
    IncompatibleSpace,
    KernelMetric,
    LeeVerleysen,
    LinearSpace,
    Lp,
    PseudoEuclidean,
    Sobolev,
)

SPACES = [
    Euclidean(),
    Hilbert(np.diag([1.0, 4.0, 0.5, 2.0, 1.0])),
    Lp(1),
    Lp(1.5),
    Lp(np.inf),
    GeneralizedLp(1.5),
    Sobolev(spacing="unit"),
    Sobolev(p=1.5, weights=(1, 0.3, 0.1)),
    FourierSobolev(order=0.5),
    LeeVerleysen(p=1),
]

# Values by the letter of the formula: d is the distance, w = 1.3.
FORMULAS = [
    (Gaussian, {}, lambda d: np.exp(-(d**2) / (2 * 1.3**2))),
    (Laplacian, {}, lambda d: np.exp(-d / 1.3)),
    (PowerExponential, {"power": 0.7}, lambda d: np.exp(-((d / 1.3) ** 0.7))),
    (InverseMultiquadric, {}, lambda d: 1 / np.sqrt(1 + (d / 1.3) ** 2)),
    (RationalQuadratic, {"alpha": 0.6}, lambda d: (1 + d**2 / (1.2 * 1.3**2)) ** -0.6),
    (RationalPower, {"power": 1.5, "alpha": 2.0}, lambda d: (1 + (d / 1.3) ** 1.5) ** -2.0),
]
RADIAL = [kernel for kernel, _, _ in FORMULAS]


@pytest.fixture
def rows():
    rng = np.random.default_rng(0)
    return rng.normal(size=(9, 5)), rng.normal(size=(4, 5))


@pytest.mark.parametrize("space", SPACES, ids=repr)
@pytest.mark.parametrize(("kernel", "params", "formula"), FORMULAS)
def test_by_the_norms_of_differences(kernel, params, formula, space, rows):
    X, Y = rows
    d = np.array([space.norm(x - Y) for x in X])
    np.testing.assert_allclose(kernel(1.3, space, **params)(X, Y), formula(d), rtol=1e-12)


@pytest.mark.parametrize(
    ("short", "spaces"), [("l2", [Euclidean(), Lp(2), Hilbert(np.eye(5))]), ("l1", [Lp(1)])]
)
@pytest.mark.parametrize("kernel", RADIAL)
def test_short_ways_lead_to_the_same(kernel, short, spaces, rows):
    X, W = rows
    W = np.vstack([W, X[:1]])  # one pair that coincides
    F = np.random.default_rng(1).normal(size=(9, 5))
    named = kernel(1.3, short)
    for space in spaces:
        given = kernel(1.3, space)
        np.testing.assert_allclose(given(X, W), named(X, W), rtol=1e-13)
        np.testing.assert_allclose(given.gradient(X[0], W), named.gradient(X[0], W), atol=1e-13)
        np.testing.assert_allclose(given.pull(X, W, F), named.pull(X, W, F), atol=1e-13)
        assert given.laws == named.laws


# --- positive definiteness ------------------------------------------------------------------

HILBERT = [Euclidean(), Hilbert(np.diag([1.0, 3.0])), Sobolev(), FourierSobolev(), Lp(2)]


@pytest.mark.parametrize("kernel", [k(power=2.0) if hasattr(k, "power") else k() for k in RADIAL])
def test_hilbert_spaces_are_always_right(kernel):
    for space in HILBERT:
        assert clone(kernel).set_params(space=space).is_positive_definite


@pytest.mark.parametrize("p", [1, 1.3, 1.7, 2])
@pytest.mark.parametrize("space", [Lp, GeneralizedLp, lambda p: Sobolev(p=p)])
@pytest.mark.parametrize("kernel", [PowerExponential, RationalPower])
def test_powers_up_to_p(p, space, kernel):
    assert kernel(space=space(p), power=p).is_positive_definite
    assert kernel(space=space(p), power=0.2).is_positive_definite
    assert not kernel(space=space(p), power=p + 0.01).is_positive_definite


@pytest.mark.parametrize(
    "kernel",
    [
        Gaussian(5.0, "l1"),
        Gaussian(5.0, "l1.5"),
        Gaussian(5.0, "l3"),
        Laplacian(5.0, "l3"),
        Laplacian(5.0, "linf"),
        Laplacian(5.0, Sobolev(p=np.inf)),
        Laplacian(5.0, LeeVerleysen(p=2)),
        InverseMultiquadric(5.0, "l1"),
        RationalQuadratic(5.0, "l1"),
        PowerExponential(5.0, "l1", power=1.2),
        PowerExponential(5.0, "l2", power=2.5),
    ],
    ids=repr,
)
def test_what_is_not_claimed_fails(kernel):
    assert not kernel.is_positive_definite
    corners = np.random.default_rng(0).integers(-1, 2, size=(60, 6)).astype(float)
    lowest = np.linalg.eigvalsh(kernel(corners))[0]
    assert lowest < -1e-6


def test_lee_verleysens_first_norm_is_an_integral_of_a_modulus():
    """So it is a part of L_1, and the Laplacian over it is positive definite."""
    v = np.random.default_rng(0).normal(size=(3, 7))
    t = np.linspace(0, 6, 600_001)
    modulus = [integrate.trapezoid(np.abs(np.interp(t, np.arange(7), row)), t) for row in v]
    ends = (np.abs(v[:, 0]) + np.abs(v[:, -1])) / 2
    np.testing.assert_allclose(LeeVerleysen(p=1).norm(v), modulus + ends, rtol=1e-6)
    assert Laplacian(space=LeeVerleysen(p=1)).is_positive_definite
    assert not Gaussian(space=LeeVerleysen(p=1)).is_positive_definite


def test_the_metric_of_a_kernel_is_that_of_a_hilbert_space(rows):
    X, Y = rows
    nested = Gaussian(1.3, KernelMetric(Polynomial(degree=2)))
    assert nested.is_positive_definite
    np.testing.assert_allclose(nested(X, Y), Schoenberg(Polynomial(degree=2), 1.3)(X, Y))
    assert not Gaussian(1.3, KernelMetric(Polynomial(coef0=-1.0))).is_positive_definite


# --- widths ---------------------------------------------------------------------------------


@pytest.mark.parametrize("space", SPACES, ids=repr)
def test_median_and_scale_in_the_distance_of_the_space(space, rows):
    X = np.vstack([rows[0], rows[0][:1]])  # equal rows do not count for the median
    X = X - X.mean(axis=0)
    D = np.array([space.norm(x - X) for x in X])[np.triu_indices(10, 1)]
    median, spread = np.median(D[D > 0]), np.sqrt((D**2).mean() / 2)
    for kernel in RADIAL:
        assert kernel("median", space).resolve(X).width == pytest.approx(median)
    assert InverseMultiquadric("scale", space).resolve(X).width == pytest.approx(spread)
    if not (isinstance(space, LinearSpace) and space.is_hilbert):
        return
    found = Gaussian("scale", space).resolve(X).width
    expected = spread / np.sqrt(2)
    if space.chart(5).is_identity:  # scikit-learn's, of the sample's deviation
        expected = np.sqrt(5 / 2) * X.std()
    assert found == pytest.approx(expected)


def test_scale_of_centred_features_is_that_of_l2():
    X = np.random.default_rng(0).normal(size=(400, 6))
    X -= X.mean(axis=0)
    by_entries = Gaussian("scale").resolve(X).width
    by_distances = Gaussian("scale", Hilbert(np.eye(6))).resolve(X).width
    assert by_distances == pytest.approx(by_entries * np.sqrt(400 / 399))


def test_spaces_with_something_left_to_the_data_are_resolved(rows):
    X, _ = rows
    open_space = KernelMetric(Gaussian("median"))
    fixed = Laplacian("median", open_space).resolve(X)
    inner = fixed.space.kernel.width
    assert inner == pytest.approx(np.median(cdist(X, X)[np.triu_indices(9, 1)]))
    assert isinstance(fixed.width, float)
    assert open_space.kernel.width == "median"
    assert Laplacian(2.0, open_space).resolve(X).space.kernel.width == inner


@pytest.mark.parametrize("rule", ["scale", "median"])
def test_equal_curves_have_no_width(rule):
    with pytest.raises(ValueError, match="needs at least two distinct rows"):
        Gaussian(rule, Sobolev()).resolve(np.ones((3, 4)))


def test_extreme_widths_and_sizes(rows):
    X, _ = rows
    for space in (Sobolev(), Lp(1.5), LeeVerleysen(p=1)):
        for size in (1e-200, 1e-100, 1e100, 1e200):
            for kernel in RADIAL:
                plain, moved = kernel(1.3, space)(X), kernel(1.3 * size, space)(size * X)
                np.testing.assert_allclose(moved, plain, rtol=1e-10)
        far = Gaussian(1e-100, space)(X)
        np.testing.assert_array_equal(far, np.eye(9))
    metric = KernelMetric(Linear())
    np.testing.assert_array_equal(Gaussian(1e-200, metric)(X), np.eye(9))


# --- parameters -----------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", RADIAL)
def test_negative_squared_distances_are_refused(kernel):
    X = np.random.default_rng(0).normal(size=(5, 3))
    with pytest.raises(IncompatibleSpace, match="not negative; PseudoEuclidean"):
        kernel(1.0, PseudoEuclidean(signature=(2, 1)))(X)
    with pytest.raises(IncompatibleSpace, match="not negative; KernelMetric"):
        kernel(1.0, KernelMetric(Polynomial(degree=2, coef0=-50.0)))(X)
    assert kernel(1.0, PseudoEuclidean(signature=(3, 0)))(X).shape == (5, 5)


BAD = [
    (Gaussian(space="l0.5"), r"l0.5.*p must be at least 1"),
    (Gaussian(space=3), r"space \(=3\) must be a name or a Space"),
    (Laplacian(space=Lp(0.5)), r"p \(=0.5\) must be at least 1"),
    (PowerExponential(power=0), r"power \(=0\) must be a positive number"),
    (RationalQuadratic(alpha=-1), r"alpha \(=-1\) must be a positive number"),
    (RationalPower(alpha="a"), r"alpha \(='a'\) must be a positive number"),
    (InverseMultiquadric(width="wide"), r"width \(='wide'\)"),
    (Gaussian(width_bounds=(2, 1)), r"width_bounds \(=\(2, 1\)\) must be \"fixed\" or a pair"),
    (Gaussian(width_bounds="free"), r"width_bounds \(='free'\)"),
    (Schoenberg(Linear(), width_bounds=3), r"width_bounds \(=3\)"),
    (Gaussian(space=Sobolev(grid=[0.0, 1.0, 3.0])), r"X has 2 features, but Gaussian.* takes 3"),
]


@pytest.mark.parametrize(("kernel", "message"), BAD)
def test_bad_parameters(kernel, message):
    with pytest.raises((TypeError, ValueError), match=f"(?s){message}"):
        kernel(np.ones((3, 2)))


def test_clone_set_params_save_and_earlier_pickles(rows, tmp_path):
    X, _ = rows
    kernel = Gaussian(1.5, Sobolev(p=2, spacing="unit"))
    copy = clone(kernel).set_params(space__weights=(1, 3), width=2.0)
    assert kernel.space.weights == (1, 1)
    assert not np.allclose(copy(X), kernel(X))
    noneuclid.save(kernel, tmp_path / "kernel.skops")
    np.testing.assert_array_equal(noneuclid.load(tmp_path / "kernel.skops")(X), kernel(X))
    old = pickle.loads(pickle.dumps(Laplacian(2.0)))
    del old.__dict__["space"], old.__dict__["width_bounds"]  # as kernels were before
    np.testing.assert_array_equal(old(X), Laplacian(2.0)(X))
