"""Forces are derivatives of values, whatever the sign of the distances."""

import numpy as np
import pytest
from scipy.special import logsumexp, softmax

from noneuclid.numerics.lvq import sample_forces
from noneuclid.prototypes.costs import GLVQCost, LVQ1Cost, LVQ21Cost, RSLVQCost

M = 5
COSTS = [
    LVQ1Cost(),
    LVQ21Cost(window=0.4),
    GLVQCost(),
    GLVQCost("sigmoid", slope=3.0),
    GLVQCost("tanh"),
    RSLVQCost(0.5),
    RSLVQCost(np.array([0.3, 0.5, 1.0, 2.0, 0.7])),
    RSLVQCost(0.5, prior=np.array([0.1, 0.4, 0.2, 0.2, 0.1])),
]


def problem(seed, shift=0.0):
    rng = np.random.default_rng(seed)
    D = rng.uniform(0.5, 2.0, size=(30, M)) - shift
    own = np.array([True, True, False, False, False]) == (rng.random(30) < 0.5)[:, None]
    return D, own, rng.uniform(0.5, 2.0, size=30)


@pytest.mark.parametrize("cost", COSTS, ids=str)
@pytest.mark.parametrize("shift", [0.0, 0.8])
@pytest.mark.parametrize("seed", range(3))
def test_forces_equal_finite_differences(cost, shift, seed):
    D, own, weights = problem(seed, shift)
    F = cost.evaluate(D, own, weights).forces
    step = 1e-6
    for i, j in np.ndindex(*D.shape):
        change = np.zeros_like(D)
        change[i, j] = step
        up, down = (cost.evaluate(D + s * change, own, weights) for s in (1, -1))
        if up.refused != down.refused:
            continue  # a border of GLVQ's guard
        slope = (up.value - down.value) / (2 * step)
        assert F[i, j] == pytest.approx(slope, rel=1e-5, abs=1e-5 * (1 + np.abs(F[i]).max()))


@pytest.mark.parametrize("cost", COSTS, ids=str)
@pytest.mark.parametrize("shift", [0.0, 0.8])
def test_compiled_forces_equal_the_pure_ones(cost, shift):
    D, own, _ = problem(7, shift)
    expected = cost.unit() * cost.evaluate(D, own).forces
    code = cost.code(M)
    refused = 0
    for d, o, e in zip(D, own, expected):
        phi = np.zeros(M)
        refused += not sample_forces(d, o, *code, phi)
        np.testing.assert_allclose(phi, e, rtol=1e-9, atol=1e-12)
    assert refused == cost.evaluate(D, own).refused


def test_glvq_is_the_published_formula():
    D = np.array([[1.0, 3.0]])
    evaluation = GLVQCost().evaluate(D, np.array([[True, False]]))
    assert evaluation.value == pytest.approx(-0.5)
    np.testing.assert_allclose(evaluation.forces, [[2 * 3 / 16, -2 * 1 / 16]])


def test_rslvq_forces_sum_to_zero_and_survive_far_prototypes():
    D = np.array([[1e6, 2e6, 0.0], [0.0, 1.0, 1e9]])
    own = np.array([[True, True, False], [True, True, False]])
    evaluation = RSLVQCost(1e-3).evaluate(D, own)
    assert np.isfinite(evaluation.value)
    np.testing.assert_allclose(evaluation.forces.sum(axis=1), 0.0, atol=1e-9)
    assert evaluation.forces[0, 0] == pytest.approx(1 / 1e-3)


@pytest.mark.parametrize("offset", [0.0, 300.0, 560.0, 650.0, 1000.0])  # past the range of exp
def test_rslvq_is_a_difference_of_soft_maxima(offset):
    D, own, weights = problem(1)
    D = D + offset * own
    cost = RSLVQCost(np.array([0.3, 0.5, 1.0, 2.0, 0.7]), prior=np.full(5, 0.2))
    E = cost.logits(D)
    inside = np.where(own, E, -np.inf)
    expected = weights @ (logsumexp(E, axis=1) - logsumexp(inside, axis=1))
    evaluation = cost.evaluate(D, own, weights)
    assert evaluation.value == pytest.approx(expected, rel=1e-12)
    F = (softmax(inside, axis=1) - softmax(E, axis=1)) / cost.sigma2 * weights[:, None]
    np.testing.assert_allclose(evaluation.forces, F, rtol=1e-10, atol=1e-14)


def test_glvq_guard_refuses_and_counts():
    D = np.array([[-1.0, 0.5], [0.0, 0.0], [1.0, 2.0]])
    evaluation = GLVQCost().evaluate(D, np.array([[True, False]] * 3))
    assert evaluation.refused == 2
    assert (evaluation.forces[:2] == 0).all()
    assert (evaluation.forces[2] != 0).all()


def test_lvq21_moves_only_inside_its_window():
    own = np.array([[True, False]] * 3)
    D = np.array([[1.0, 1.2], [1.0, 9.0], [-1.0, 1.0]])
    F = LVQ21Cost(window=0.3).evaluate(D, own).forces
    np.testing.assert_array_equal(F, [[1, -1], [0, 0], [0, 0]])


def test_automatic_slope_puts_margins_on_the_steep_part():
    D, own, _ = problem(3)
    cost = GLVQCost("sigmoid").with_automatic_slope(D, own)
    plus = np.where(own, D, np.inf).min(axis=1)
    minus = np.where(own, np.inf, D).min(axis=1)
    assert cost.slope == pytest.approx(2 / np.std((plus - minus) / (plus + minus)))
    assert GLVQCost("identity").with_automatic_slope(D, own).slope == 1.0
