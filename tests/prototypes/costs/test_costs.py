"""Forces are derivatives of values, whatever the sign of the distances."""

import numpy as np
import pytest
from scipy.special import logsumexp, softmax

from noneuclid.numerics.lvq import sample_forces
from noneuclid.prototypes.costs import (
    Cost,
    CrossEntropyCost,
    GLVQCost,
    LVQ21Cost,
    Membership,
    Outset,
    RSLVQCost,
    as_cost,
)
from noneuclid.prototypes.costs.base import mean_and_deviation
from noneuclid.testing import all_costs

M = 5
COSTS = [example for cls in all_costs() for example in cls.examples()] + [
    LVQ21Cost(window=0.4),
    RSLVQCost(sigma2=np.array([0.3, 0.5, 1.0, 2.0, 0.7])),
    RSLVQCost(sigma2=0.5, prior=np.array([0.1, 0.4, 0.2, 0.2, 0.1])),
]


def problem(seed, shift=0.0):
    rng = np.random.default_rng(seed)
    D = rng.uniform(0.5, 2.0, size=(30, M)) - shift
    who = Membership((rng.random(30) < 0.5).astype(int), np.array([1, 1, 0, 0, 0]))
    return D, who, rng.uniform(0.5, 2.0, size=30)


def resolved(cost, D, who):
    """With its automatic parameters fixed."""
    return cost.resolve(Outset(lambda f: mean_and_deviation(f(D, who), None), who, lambda: 0.5))


@pytest.mark.parametrize("cost", COSTS, ids=str)
@pytest.mark.parametrize("shift", [0.0, 0.8])
@pytest.mark.parametrize("seed", range(3))
def test_forces_equal_finite_differences(cost, shift, seed):
    D, who, weights = problem(seed, shift)
    cost = resolved(cost, D, who)
    F = cost.evaluate(D, who, weights).forces
    step = 1e-6
    for i, j in np.ndindex(*D.shape):
        change = np.zeros_like(D)
        change[i, j] = step
        up, down = (cost.evaluate(D + s * change, who, weights) for s in (1, -1))
        if up.refused != down.refused:
            continue  # a border of GLVQ's guard
        slope = (up.value - down.value) / (2 * step)
        assert F[i, j] == pytest.approx(slope, rel=1e-5, abs=1e-5 * (1 + np.abs(F[i]).max()))


@pytest.mark.parametrize("cost", COSTS, ids=str)
@pytest.mark.parametrize("shift", [0.0, 0.8])
def test_compiled_forces_equal_the_pure_ones(cost, shift):
    D, who, _ = problem(7, shift)
    cost = resolved(cost, D, who)
    code = cost.code(M)
    if code is None:
        assert type(cost).code is Cost.code  # it offers none: the generic path runs
        return
    expected = cost.unit() * cost.evaluate(D, who).forces
    refused = 0
    for d, o, e in zip(D, who.own, expected):
        phi = np.zeros(M)
        refused += not sample_forces(d, o, *code, phi)
        np.testing.assert_allclose(phi, e, rtol=1e-9, atol=1e-12)
    assert refused == cost.evaluate(D, who).refused


@pytest.mark.parametrize("cost", [c for c in COSTS if not c.is_heuristic], ids=str)
def test_compiled_moves_cost_what_the_generic_ones_cost(cost):
    D, who, weights = problem(5)
    cost = resolved(cost, D, who)
    R = np.random.default_rng(0).uniform(0.5, 2.0, size=(20, 30))
    candidates = np.array([0, 3, 19])
    for j in range(M):
        fast = cost.move_costs(D, who, weights, j, R, candidates)
        slow = Cost.move_costs(cost, D, who, weights, j, R, candidates)
        np.testing.assert_allclose(fast, slow, rtol=1e-10)


@pytest.mark.parametrize("cost", COSTS, ids=str)
def test_scores_name_the_class_and_soft_ones_are_distributions(cost):
    D, who, _ = problem(4)
    cost = resolved(cost, D, who)
    scores = cost.class_scores(D, who.of_class)
    assert scores.shape == (30, 2)
    if cost.is_soft:
        np.testing.assert_allclose(np.exp(scores).sum(axis=1), 1.0)
    else:
        nearest = who.classes[D.argmin(axis=1)]
        np.testing.assert_array_equal(scores.argmax(axis=1), nearest)


@pytest.mark.parametrize("cost", COSTS, ids=str)
def test_prototypes_that_stand_for_one_share_its_parameters(cost):
    D, who, _ = problem(6)
    cost = resolved(cost, D, who)
    counts = np.array([1, 2, 1, 3, 1])
    many = Membership(who.y, np.repeat(who.classes, counts))
    twice = cost.spread(counts).class_scores(np.repeat(D, counts, axis=1), many.of_class)
    if np.ndim(getattr(cost, "prior", None)) or not cost.is_soft or cost.name == "cross_entropy":
        np.testing.assert_allclose(twice, cost.class_scores(D, who.of_class))
    assert twice.shape == (30, 2)


@pytest.mark.parametrize("cost", COSTS, ids=str)
def test_resolving_changes_no_parameter_of_the_cost_itself(cost):
    before = {name: np.copy(value) for name, value in cost.get_params().items()}
    D, who, _ = problem(2)
    found = resolved(cost, D, who)
    assert found is not cost
    for name, value in cost.get_params().items():
        np.testing.assert_array_equal(value, before[name])


def test_cross_entropy_is_that_of_the_nearest_prototypes():
    D, who, weights = problem(3)
    who = Membership(np.arange(30) % 3, np.array([0, 1, 2, 2, 1]))
    nearest = np.column_stack(
        [D[:, [0]].min(axis=1), D[:, [1, 4]].min(axis=1), D[:, [2, 3]].min(1)]
    )
    expected = -weights @ np.log(softmax(-nearest / 0.7, axis=1)[np.arange(30), who.y])
    assert CrossEntropyCost(sigma2=0.7).evaluate(D, who, weights).value == pytest.approx(expected)


def test_costs_are_found_by_name_and_users_costs_too():
    class Hinge(Cost):
        name = "hinge_of_the_test"

        def per_sample(self, D, who):
            return D.sum(axis=1), np.ones_like(D)

    assert isinstance(as_cost("hinge_of_the_test"), Hinge)
    with pytest.raises(ValueError, match=r"cost \(='nothing'\) must be one of .*\"rslvq\""):
        as_cost("nothing")
    given = GLVQCost(transfer="tanh")
    assert as_cost(given) is not given


def test_membership_of_some_samples_is_a_part_of_that_of_all():
    who = Membership(np.array([0, 1, 1, 2]), np.array([0, 0, 1, 2]))
    part = who.rows(np.array([2, 3]))
    np.testing.assert_array_equal(part.own, who.own[[2, 3]])
    np.testing.assert_array_equal(part.of_class, who.of_class)
    assert who.own.tolist()[1] == [False, False, True, False]


def test_glvq_is_the_published_formula():
    D = np.array([[1.0, 3.0]])
    evaluation = GLVQCost().evaluate(D, Membership(np.array([0]), np.array([0, 1])))
    assert evaluation.value == pytest.approx(-0.5)
    np.testing.assert_allclose(evaluation.forces, [[2 * 3 / 16, -2 * 1 / 16]])


def test_rslvq_forces_sum_to_zero_and_survive_far_prototypes():
    D = np.array([[1e6, 2e6, 0.0], [0.0, 1.0, 1e9]])
    who = Membership(np.zeros(2, dtype=int), np.array([0, 0, 1]))
    evaluation = RSLVQCost(sigma2=1e-3).evaluate(D, who)
    assert np.isfinite(evaluation.value)
    np.testing.assert_allclose(evaluation.forces.sum(axis=1), 0.0, atol=1e-9)
    assert evaluation.forces[0, 0] == pytest.approx(1 / 1e-3)


@pytest.mark.parametrize("offset", [0.0, 300.0, 560.0, 650.0, 1000.0])  # past the range of exp
def test_rslvq_is_a_difference_of_soft_maxima(offset):
    D, who, weights = problem(1)
    own = who.own
    D = D + offset * own
    cost = RSLVQCost(sigma2=np.array([0.3, 0.5, 1.0, 2.0, 0.7]), prior=np.full(5, 0.2))
    E = cost.logits(D)
    inside = np.where(own, E, -np.inf)
    expected = weights @ (logsumexp(E, axis=1) - logsumexp(inside, axis=1))
    evaluation = cost.evaluate(D, who, weights)
    assert evaluation.value == pytest.approx(expected, rel=1e-12)
    F = (softmax(inside, axis=1) - softmax(E, axis=1)) / cost.sigma2 * weights[:, None]
    np.testing.assert_allclose(evaluation.forces, F, rtol=1e-10, atol=1e-14)


def test_glvq_guard_refuses_and_counts():
    D = np.array([[-1.0, 0.5], [0.0, 0.0], [1.0, 2.0]])
    evaluation = GLVQCost().evaluate(D, Membership(np.zeros(3, dtype=int), np.array([0, 1])))
    assert evaluation.refused == 2
    assert (evaluation.forces[:2] == 0).all()
    assert (evaluation.forces[2] != 0).all()


def test_lvq21_moves_only_inside_its_window():
    who = Membership(np.zeros(3, dtype=int), np.array([0, 1]))
    D = np.array([[1.0, 1.2], [1.0, 9.0], [-1.0, 1.0]])
    F = LVQ21Cost(window=0.3).evaluate(D, who).forces
    np.testing.assert_array_equal(F, [[1, -1], [0, 0], [0, 0]])


def test_automatic_slope_puts_margins_on_the_steep_part():
    D, who, _ = problem(3)
    automatic = GLVQCost(transfer="sigmoid", slope="auto")
    plus = np.where(who.own, D, np.inf).min(axis=1)
    minus = np.where(who.own, np.inf, D).min(axis=1)
    spread = np.std((plus - minus) / (plus + minus))
    assert resolved(automatic, D, who).slope == pytest.approx(2 / spread)
    assert resolved(GLVQCost(slope="auto"), D, who).slope == 1.0
    chosen = resolved(GLVQCost(transfer="auto"), D, who)
    assert (chosen.transfer, chosen.slope) == ("sigmoid", pytest.approx(2 / spread))
    literal = GLVQCost(transfer="auto").resolve(
        Outset(lambda f: mean_and_deviation(f(D, who), None), who, literal=True)
    )
    assert (literal.transfer, literal.slope) == ("identity", 1.0)
