"""Prototypes as vectors: distances, gradients and steps in every space there is."""

import numpy as np
import pytest

from noneuclid.prototypes.costs import GLVQCost, LVQ1Cost, LVQ21Cost, Membership, RSLVQCost
from noneuclid.prototypes.costs.pulls import Pulls
from noneuclid.prototypes.geometries.base import has_compiled_epoch, has_riesz_gradient
from noneuclid.prototypes.geometries.missing import MissingGeometry
from noneuclid.prototypes.geometries.vectors import VectorGeometry
from noneuclid.prototypes.solvers.lbfgs import LBFGS
from noneuclid.prototypes.solvers.problem import FitResult, Problem
from noneuclid.prototypes.solvers.sgd import SGD
from noneuclid.spaces import Euclidean, KernelMetric, Lp, PseudoEuclidean, Sobolev
from noneuclid.testing import example_points, example_spaces

SPACES = example_spaces()
BILINEAR = [space for space in SPACES if space.laws >= {"symmetry", "additivity"}]
HILBERT = [space for space in SPACES if hasattr(space, "flatten")]
COSTS = [LVQ1Cost(), LVQ21Cost(), GLVQCost(transfer="sigmoid", slope=2.0), RSLVQCost(sigma2=0.7)]


def problem(space, seed=0, n=12, m=4):
    rng = np.random.default_rng(seed)
    X, W = example_points(space, rng, n), example_points(space, rng, m)
    F = rng.normal(size=(3, m))
    return X, W, np.array([0, 5, 7]), F, Membership(np.arange(n) % 2, np.array([0, 0, 1, 1]))


def slopes(value, at, step=1e-6):
    """Central differences, NaN where two step sizes disagree: a kink is near."""
    estimates = []
    for h in (2 * step, step):
        slope = np.zeros_like(at)
        for index in np.ndindex(*at.shape):
            change = np.zeros_like(at)
            change[index] = h
            slope[index] = (value(at + change) - value(at - change)) / (2 * h)
        estimates.append(slope)
    coarse, fine = estimates
    return np.where(np.abs(coarse - fine) <= 1e-5 * (1e-3 + np.abs(fine).max()), fine, np.nan)


def assert_slopes(got, expected):
    smooth = np.isfinite(expected)
    assert smooth.mean() > 0.5
    size = np.abs(expected[smooth]).max() + 1e-3
    np.testing.assert_allclose(got[smooth] / size, expected[smooth] / size, atol=1e-4)


@pytest.mark.parametrize("space", SPACES)
def test_distances_are_those_of_the_space(space):
    X, W, rows, _, _ = problem(space)
    geometry = VectorGeometry(space, X)
    expected = space.squared_distance(X, W)
    size = np.abs(expected).max()
    theta = geometry.state(W)
    np.testing.assert_allclose(geometry.distances(theta) / size, expected / size, atol=1e-9)
    np.testing.assert_allclose(geometry.distances(theta, rows), geometry.distances(theta)[rows])
    np.testing.assert_allclose(geometry.distances_to(space, X, W), expected)
    moved = geometry.state(W + 1.0)
    geometry.move(moved, W)
    np.testing.assert_array_equal(geometry.distances(moved), geometry.distances(theta))


@pytest.mark.parametrize("space", SPACES)
def test_pull_equals_finite_differences(space):
    X, W, rows, F, _ = problem(space, 1)
    geometry = VectorGeometry(space, X)
    expected = slopes(lambda W: (F * geometry.distances(geometry.state(W), rows)).sum(), W)
    assert_slopes(geometry.pull(geometry.state(W), rows, F), expected)


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("cost", [GLVQCost(transfer="tanh"), RSLVQCost(sigma2=2.0)], ids=str)
def test_full_gradient_equals_finite_differences(space, cost):
    X, W, _, _, who = problem(space, 2)
    geometry = VectorGeometry(space, X)

    def evaluate(W):
        theta = geometry.state(W)
        return theta, cost.evaluate(geometry.distances(theta), who)

    theta, evaluation = evaluate(W)
    if not np.isfinite(evaluation.value) or evaluation.refused:
        pytest.skip("GLVQ's denominator is not positive here")
    got = geometry.pull(theta, slice(None), evaluation.forces)
    assert_slopes(got, slopes(lambda W: evaluate(W)[1].value, W))


@pytest.mark.parametrize("space", HILBERT)
def test_riesz_step_in_flat_coordinates_is_the_euclidean_one(space):
    X, W, rows, F, _ = problem(space, 3)
    curved, flat = VectorGeometry(space, X), VectorGeometry(Euclidean(), space.flatten(X))
    step = W - 0.1 * curved.riesz_pull(curved.state(W), rows, F)
    theta = flat.state(space.flatten(W))
    expected = theta.W - 0.1 * flat.riesz_pull(theta, rows, F)
    np.testing.assert_allclose(space.flatten(step), expected, rtol=1e-7, atol=1e-7)
    half_gradient = 0.5 * flat.pull(theta, rows, F)
    np.testing.assert_allclose(flat.riesz_pull(theta, rows, F), half_gradient)


@pytest.mark.parametrize("space", BILINEAR)
def test_coordinate_gradient_is_twice_the_dual_of_the_riesz_gradient(space):
    X, W, rows, F, _ = problem(space, 4)
    geometry = VectorGeometry(space, X)
    theta = geometry.state(W)
    riesz = sum(F[k][:, None] * (W - X[i]) for k, i in enumerate(rows))
    np.testing.assert_allclose(geometry.riesz_pull(theta, rows, F), riesz, atol=1e-12)
    np.testing.assert_allclose(geometry.pull(theta, rows, F), 2 * space.dual(riesz), rtol=1e-9)


@pytest.mark.parametrize("space", BILINEAR)
@pytest.mark.parametrize("cost", COSTS, ids=str)
def test_compiled_epoch_equals_the_generic_one(space, cost):
    X, W, _, _, who = problem(space, 5, n=30)
    geometry = VectorGeometry(space, X)
    weights = np.random.default_rng(0).uniform(0.5, 2.0, size=30)
    order = np.random.default_rng(1).permutation(30)
    compiled, generic = geometry.state(W), geometry.state(W)
    refused, _ = geometry.riesz_epoch(compiled, who, order, 0.05 * weights, cost.code(4))
    result = FitResult(generic, [])
    for i in order:
        D = geometry.distances(generic, np.array([i]))
        evaluation = cost.evaluate(D, who.rows(np.array([i])), weights[[i]])
        pull = geometry.riesz_pull(generic, np.array([i]), cost.unit() * evaluation.forces)
        geometry.move(generic, generic.W - 0.05 * pull)
        result.refused += evaluation.refused
    assert refused == result.refused
    size = np.abs(generic.W).max()
    np.testing.assert_allclose(compiled.W / size, generic.W / size, atol=1e-8)
    np.testing.assert_allclose(compiled.Z, geometry.state(compiled.W).Z, atol=1e-8)


def test_spaces_without_a_compiled_epoch_step_all_the_same():
    X, W, _, _, who = problem(Lp(1.5))
    geometry = VectorGeometry(Lp(1.5), X)
    geometry.form = None
    assert not has_compiled_epoch(geometry)
    theta, order = geometry.state(W), np.array([3, 1, 8])
    solver = SGD(gradient="riesz", learning_rate=0.1)
    solver.epoch(Problem(geometry, LVQ1Cost(), who), FitResult(theta, []), 0.1, 1, order)
    expected = W.copy()
    for i in order:
        j = Lp(1.5).squared_distance(X[i : i + 1], expected)[0].argmin()
        sign = 1.0 if who.own[i, j] else -1.0
        expected[j] += 0.1 * sign * (X[i] - expected[j])
    np.testing.assert_allclose(theta.W, expected)


def test_kernel_metrics_have_no_riesz_gradient():
    for space in (s for s in SPACES if isinstance(s, KernelMetric)):
        geometry = VectorGeometry(space, problem(space)[0])
        assert not has_riesz_gradient(geometry)
        assert not has_compiled_epoch(geometry)


def centres(geometry, H, W, rounds=20):
    """Where centres come to rest: each call goes on from the last."""
    theta = geometry.state(W)
    for _ in range(rounds):
        theta = geometry.centres(Pulls(H), theta)
    return theta.W


@pytest.mark.parametrize("space", SPACES)
def test_centres_are_minima(space):
    X, W, _, _, _ = problem(space, 6)
    geometry = VectorGeometry(space, X)
    H = np.random.default_rng(0).uniform(size=(12, 4))
    H[:, 3] = 0.0
    found = centres(geometry, H, W)
    np.testing.assert_allclose(found[3], W[3], rtol=1e-13)

    def cost(W):
        return (H * geometry.distances(geometry.state(W))).sum()

    if space in BILINEAR:
        expected = H[:, :3].T @ X / H[:, :3].sum(axis=0)[:, None]
        np.testing.assert_allclose(found[:3], expected)
    if "positivity" in space.laws or isinstance(space, KernelMetric):
        rng = np.random.default_rng(1)
        best = cost(found)
        assert (
            best <= cost(np.vstack([H[:, :3].T @ X / H[:, :3].sum(axis=0)[:, None], W[3]])) + 1e-9
        )
        for _ in range(20):  # kinks of l_1 and l_∞ leave a little
            assert best <= cost(found + rng.normal(scale=0.05, size=found.shape)) + 1e-3 * abs(best)


@pytest.mark.parametrize("space", SPACES)
def test_lbfgs_descends_in_every_space(space):
    X, _, _, _, who = problem(space, 7, n=16)
    geometry = VectorGeometry(space, X)
    start = geometry.state(X[:4] + 0.0)
    cost = RSLVQCost(sigma2=0.2 * geometry.scale())
    result = LBFGS(max_epochs=5, tol=0).run(Problem(geometry, cost, who), start)
    assert (np.diff(result.loss_curve) <= 1e-12).all()
    assert result.loss_curve[-1] < result.loss_curve[0]
    assert np.isfinite(result.theta.W).all()


def test_scales_are_variances():
    X = np.random.default_rng(0).normal(size=(50, 3)) * [1.0, 2.0, 3.0]
    y = np.arange(50) % 2
    geometry = VectorGeometry(Euclidean(), X)
    assert geometry.variance() == pytest.approx(X.var(axis=0).sum())
    within = np.mean([X[y == c].var(axis=0).sum() for c in (0, 1)])
    assert geometry.scale_within(y) == pytest.approx(within)
    signed = VectorGeometry(PseudoEuclidean(signature=(1, 2)), X)
    assert signed.variance() == pytest.approx(X.var(axis=0) @ [1, -1, -1])
    assert signed.scale() > 0


# --- missing values -------------------------------------------------------------------------


def incomplete(seed=0, n=20, d=4):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    X[rng.random(X.shape) < 0.3] = np.nan
    return X, rng.normal(size=(3, d)), rng


def test_missing_values_are_left_out_of_the_distance():
    X, W, _ = incomplete()
    expected = np.nansum((X[:, None] - W) ** 2, axis=2)
    geometry = MissingGeometry(X)
    np.testing.assert_allclose(geometry.distances(geometry.state(W)), expected)
    np.testing.assert_allclose(VectorGeometry.distances_to(Euclidean(), X, W), expected)


def test_gradients_with_missing_values_equal_finite_differences():
    X, W, rng = incomplete(1)
    geometry = MissingGeometry(X)
    rows, F = np.array([0, 3, 7, 8]), rng.normal(size=(4, 3))
    expected = slopes(lambda W: (F * geometry.distances(geometry.state(W), rows)).sum(), W)
    assert_slopes(geometry.pull(geometry.state(W), rows, F), expected)


def test_without_missing_values_the_two_geometries_agree():
    X, W, rng = incomplete(2)
    X = np.nan_to_num(X)
    F, rows = rng.normal(size=(20, 3)), slice(None)
    whole, missing = VectorGeometry(Euclidean(), X), MissingGeometry(X)
    a, b = whole.state(W), missing.state(W)
    np.testing.assert_allclose(missing.distances(b), whole.distances(a))
    np.testing.assert_allclose(missing.pull(b, rows, F), whole.pull(a, rows, F))
    H = rng.uniform(size=(20, 3))
    np.testing.assert_allclose(centres(missing, H, W, 1), centres(whole, H, W, 1))
    assert missing.scale() == pytest.approx(whole.scale())


def test_sobolev_starts_flat():
    space = Sobolev(spacing="unit")
    X = np.random.default_rng(0).normal(size=(10, 20))
    geometry = VectorGeometry(space, X)
    assert geometry.chart is not None
    np.testing.assert_allclose(geometry.Z + geometry.origin, space.flatten(X))


@pytest.mark.parametrize("unit", [1e-20, 1e8])
@pytest.mark.parametrize("p", [1, 3])
def test_centres_do_not_depend_on_the_unit(p, unit):
    rng = np.random.default_rng(0)
    X, H = rng.normal(size=(40, 3)), rng.random((40, 2))
    expected = centres(VectorGeometry(Lp(p), X), H, X[:2])
    assert np.abs(expected - (H / H.sum(axis=0)).T @ X).max() > 1e-3  # it is no mean
    found = centres(VectorGeometry(Lp(p), unit * X), H, unit * X[:2]) / unit
    np.testing.assert_allclose(found, expected, rtol=1e-6)
