"""check_cost passes right costs and fails wrong ones, each for its own reason."""

import inspect
from typing import NamedTuple

import numpy as np
import pytest
from scipy.special import expit, log_softmax
from sklearn.base import BaseEstimator, clone

from noneuclid.numerics import lvq
from noneuclid.prototypes.costs import CostCode
from noneuclid.testing import all_costs, check_cost


class Evaluation(NamedTuple):
    value: float
    forces: np.ndarray
    refused: int = 0


class Hinge(BaseEstimator):
    """Σ softplus((d₊ − d₋)/σ) of the nearest right and wrong prototypes: a right cost."""

    is_heuristic = False
    is_soft = False
    per_distance = False

    def __init__(self, sigma=1.0):
        self.sigma = sigma

    def per_sample(self, D, who):
        rows = np.arange(len(D))
        right = np.where(who.own, D, np.inf).argmin(axis=1)
        wrong = np.where(who.own, np.inf, D).argmin(axis=1)
        u = (D[rows, right] - D[rows, wrong]) / self.sigma
        F = np.zeros_like(D)
        F[rows, right] = expit(u) / self.sigma
        F[rows, wrong] = -expit(u) / self.sigma
        return np.logaddexp(0.0, u), F

    def evaluate(self, D, who, weights=None):
        values, F = self.per_sample(D, who)
        weights = np.ones(len(D)) if weights is None else weights
        return Evaluation(float(weights @ values), weights[:, None] * F)

    def class_scores(self, D, of_class):
        return np.column_stack([-D[:, own].min(axis=1) for own in of_class])


class SoftMin(Hinge):
    """Cross-entropy of a softmax over prototypes' classes; automatic width, soft scores."""

    is_soft = True

    def __init__(self, sigma="scale"):
        self.sigma = sigma

    def resolve(self, outset):
        sigma = float(np.mean(outset.distances())) if self.sigma == "scale" else self.sigma
        return clone(self).set_params(sigma=sigma)

    def class_scores(self, D, of_class):
        return log_softmax(super().class_scores(D, of_class) / self.sigma, axis=1)

    def per_sample(self, D, who):
        rows, log_p = np.arange(len(D)), self.class_scores(D, who.of_class)
        F = np.zeros_like(D)
        for c, own in enumerate(who.of_class):
            j = np.where(own, D, np.inf).argmin(axis=1)
            F[rows, j] = ((who.y == c) - np.exp(log_p[:, c])) / self.sigma
        return -log_p[rows, who.y], F


class Winner(Hinge):
    """±d of the winner, as LVQ1: a heuristic with compiled code."""

    is_heuristic = True

    def per_sample(self, D, who):
        rows, winner = np.arange(len(D)), D.argmin(axis=1)
        sign = np.where(who.own[rows, winner], 1.0, -1.0)
        F = np.zeros_like(D)
        F[rows, winner] = sign
        return sign * D[rows, winner], F

    def code(self, n_prototypes):
        return CostCode(reward=1.0)


class Relative(Hinge):
    """(d₊ − d₋)/(d₊ + d₋), as GLVQ: forces are reciprocal distances; moves have a short cut."""

    per_distance = True

    def per_sample(self, D, who):
        rows = np.arange(len(D))
        right = np.where(who.own, D, np.inf).argmin(axis=1)
        wrong = np.where(who.own, np.inf, D).argmin(axis=1)
        plus, minus = D[rows, right], D[rows, wrong]
        total = np.where(plus + minus > 0, plus + minus, 1.0)
        F = np.zeros_like(D)
        F[rows, right] = 2.0 * (minus / total) / total
        F[rows, wrong] = -2.0 * (plus / total) / total
        F[plus + minus <= 0] = 0.0
        return (plus - minus) / total, F

    def code(self, n_prototypes):
        return CostCode(transfer=lvq.IDENTITY, slope=1.0)

    def move_costs(self, D, who, weights, j, R, candidates):
        moved = np.array(
            [np.where(np.arange(D.shape[1]) == j, R[k][:, None], D) for k in candidates]
        )
        return np.array([self.evaluate(M, who, weights).value for M in moved])


@pytest.mark.parametrize(
    "cost", [Hinge(), Hinge(0.3), SoftMin(), SoftMin(2.0), Winner(), Relative()]
)
def test_right_costs_pass(cost):
    check_cost(cost)


class WrongForces(Hinge):
    def per_sample(self, D, who):
        values, F = super().per_sample(D, who)
        return values, 1.01 * F


class ForgetsAForce(Hinge):
    def per_sample(self, D, who):
        values, F = super().per_sample(D, who)
        return values, np.maximum(F, 0.0)


class TakesTheMean(Hinge):
    def evaluate(self, D, who, weights=None):
        found = super().evaluate(D, who, weights)
        return Evaluation(found.value / len(D), found.forces / len(D))


class IgnoresWeights(Hinge):
    def evaluate(self, D, who, weights=None):
        return super().evaluate(D, who)


class WeighsValuesOnly(Hinge):
    def evaluate(self, D, who, weights=None):
        found = super().evaluate(D, who, weights)
        return Evaluation(found.value, super().evaluate(D, who).forces)


class PrefersTheFirst(Hinge):
    """The first prototype counts twice."""

    def evaluate(self, D, who, weights=None):
        D = D * (1.0 + (np.arange(D.shape[1]) == 0))
        found = super().evaluate(D, who, weights)
        return Evaluation(found.value, found.forces * (1.0 + (np.arange(D.shape[1]) == 0)))


class PrefersAClass(Hinge):
    def evaluate(self, D, who, weights=None):
        weights = np.ones(len(D)) if weights is None else weights
        return super().evaluate(D, who, weights * (1.0 + (who.y == 0)))


class Overflows(Hinge):
    def per_sample(self, D, who):
        values, F = super().per_sample(D, who)
        return np.log1p(np.exp(np.minimum(values, 1e308))), F


class ChangesDistances(Hinge):
    def evaluate(self, D, who, weights=None):
        found = super().evaluate(D, who, weights)
        D *= 1.0 + 1e-15
        D += 1e-9
        return found


class ForcesOfOneColumn(Hinge):
    def evaluate(self, D, who, weights=None):
        found = super().evaluate(D, who, weights)
        return Evaluation(found.value, found.forces.sum(axis=1))


class ValuePerSample(Hinge):
    def evaluate(self, D, who, weights=None):
        values, F = self.per_sample(D, who)
        return Evaluation(values, F)


class RefusesTooMany(Hinge):
    def evaluate(self, D, who, weights=None):
        return super().evaluate(D, who, weights)._replace(refused=len(D) + 1)


class ScoresPerPrototype(Hinge):
    def class_scores(self, D, of_class):
        return -D


class ScoresAreDistances(Hinge):
    def class_scores(self, D, of_class):
        return -super().class_scores(D, of_class)


class NotLogProbabilities(Hinge):
    is_soft = True


class InfiniteScores(Hinge):
    def class_scores(self, D, of_class):
        return super().class_scores(D, of_class) - np.inf


class ClaimsReciprocal(Hinge):
    per_distance = True


class ForgotReciprocal(Relative):
    per_distance = False


class OtherCode(Winner):
    def code(self, n_prototypes):
        return CostCode(window=0.3)


class OtherMoves(Relative):
    def move_costs(self, D, who, weights, j, R, candidates):
        return super().move_costs(D, who, np.ones_like(weights), j, R, candidates)


class ResolvesItself(SoftMin):
    def resolve(self, outset):
        self.sigma = 1.0
        return self


class ResolveChangesBoth(SoftMin):
    def resolve(self, outset):
        found = super().resolve(outset)
        self.sigma = found.sigma
        return found


class NotReproducible(Hinge):
    def __init__(self, sigma=1.0):
        self.sigma = sigma
        self._noise = np.random.default_rng().random()

    def per_sample(self, D, who):
        values, F = super().per_sample(D, who)
        return (1 + self._noise) * values, (1 + self._noise) * F


WRONG = [
    (WrongForces(), "forces differs from finite differences"),
    (ForgetsAForce(), "forces differs from finite differences"),
    (TakesTheMean(), "not a sum over samples"),
    (IgnoresWeights(), "weights do not weigh the values"),
    (WeighsValuesOnly(), "weights do not weigh the forces"),
    (PrefersTheFirst(), "depends on the order of prototypes"),
    (PrefersAClass(), "depends on the order of classes"),
    (Overflows(), "not finite for huge distances"),
    (ChangesDistances(), "changes the distances it is given"),
    (ForcesOfOneColumn(), r"forces of shape \(9,\) for distances of shape \(9, 5\)"),
    (ValuePerSample(), "the value is no number"),
    (RefusesTooMany(), "refused 10 of 9 samples"),
    (ScoresPerPrototype(), r"class_scores of shape \(9, 5\), not \(samples, classes\)"),
    (ScoresAreDistances(), "a class scores less when its prototypes come nearer"),
    (NotLogProbabilities(), "is soft; its scores are no log-probabilities"),
    (InfiniteScores(), "class_scores are not finite"),
    (ClaimsReciprocal(), "claims forces that are reciprocal distances; they are not"),
    (ForgotReciprocal(), "does not claim per_distance, which holds"),
    (OtherCode(), "compiled forces differ"),
    (OtherMoves(), "move_costs differ from the values"),
    (ResolvesItself(), "resolve must return a copy"),
    (ResolveChangesBoth(), "resolve must not change the cost itself"),
    (NotReproducible(), "clone of .* computes something else"),
]


@pytest.mark.parametrize(("cost", "sentence"), WRONG, ids=lambda v: type(v).__name__)
def test_wrong_costs_fail_with_a_sentence(cost, sentence):
    with pytest.raises(AssertionError, match=sentence):
        check_cost(cost)


def test_it_wants_an_instance():
    for given in (Hinge, "glvq", 3.0):
        with pytest.raises(TypeError, match="check_cost takes an instance of Cost, not"):
            check_cost(given)


def is_protocol():
    from noneuclid.prototypes.costs import Cost

    return getattr(Cost, "_is_protocol", False)


@pytest.mark.skipif(is_protocol(), reason="costs are not parts yet")
def test_every_cost_of_the_package():
    found = all_costs()
    assert {"GLVQCost", "RSLVQCost", "LVQ1Cost", "LVQ21Cost"} <= {cls.__name__ for cls in found}
    for cls in found:
        assert not inspect.isabstract(cls)
        for cost in cls.examples():
            check_cost(cost)
