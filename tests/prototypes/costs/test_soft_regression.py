"""The cost of numbers: forces, closed forms and the choice of its parameters."""

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from sklearn.linear_model import LinearRegression, Ridge

from noneuclid.prototypes.costs.regression import LocalModels, SoftRegressionCost, Targets

RNG = np.random.default_rng(0)
N, M = 12, 3
every_example = pytest.mark.parametrize("cost", SoftRegressionCost.examples(), ids=repr)


def drawn(t=1, seed=0):
    rng = np.random.default_rng(seed)
    return rng.gamma(2.0, size=(N, M)), Targets(rng.normal(size=(N, t)), M), rng.uniform(size=N)


@every_example
@pytest.mark.parametrize("t", [1, 2])
@pytest.mark.parametrize("weighted", [False, True])
def test_forces_are_derivatives_though_values_are_solved_for(cost, t, weighted):
    D, targets, weights = drawn(t)
    weights = weights if weighted else None

    def value(d):
        return cost.evaluate(d.reshape(D.shape), targets, weights).value

    expected = approx_fprime(D.ravel(), value, 1e-6).reshape(D.shape)
    np.testing.assert_allclose(
        cost.evaluate(D, targets, weights).forces, expected, atol=1e-4 * np.abs(expected).max()
    )


def naive_prediction(D, values, slopes, sigma2):
    """One sample, one prototype at a time."""
    said = np.zeros(len(D))
    for i, d in enumerate(D):
        p = np.exp(-d / sigma2)
        for j in range(len(d)):
            here = values[j] + sum(slopes[j, k] * (d[k] - d[j]) for k in range(len(d)))
            said[i] += p[j] / p.sum() * here
    return said


def test_predictions_are_the_formula():
    D, _, _ = drawn()
    values, slopes = RNG.normal(size=(M, 1)), RNG.normal(size=(M, M, 1))
    P = SoftRegressionCost(sigma2=0.8).assignment(D)
    got = LocalModels(values, slopes).predict(P, D)[:, 0]
    np.testing.assert_allclose(got, naive_prediction(D, values[:, 0], slopes[..., 0], 0.8))
    constant = LocalModels(values).predict(P, D)[:, 0]
    np.testing.assert_allclose(constant, naive_prediction(D, values[:, 0], 0 * slopes[..., 0], 0.8))


def test_values_are_those_of_ridge_regression_on_assignments():
    D, targets, weights = drawn()
    cost = SoftRegressionCost(sigma2=0.8, ridge=0.05, fidelity=0.0)
    P = cost.assignment(D)
    ridge = Ridge(alpha=0.05 * N, fit_intercept=False).fit(P, targets.y, sample_weight=weights)
    models = cost.models(D, targets, weights)
    np.testing.assert_allclose(models.values[:, 0], np.ravel(ridge.coef_), rtol=1e-8)


def test_the_value_is_the_least_of_all_models():
    D, targets, weights = drawn()
    cost = SoftRegressionCost(sigma2=0.8, ridge=0.01, local="linear", fidelity=0.0)
    best, P = cost.models(D, targets, weights), cost.assignment(D)

    def value(models):
        errors = models.predict(P, D) - targets.y
        size = (models.values**2).sum() + (models.slopes**2).sum()
        return weights @ errors[:, 0] ** 2 + N * 0.01 * size

    assert value(best) == pytest.approx(cost.evaluate(D, targets, weights).value)
    for _ in range(10):
        other = LocalModels(
            best.values + 0.01 * RNG.normal(size=(M, 1)),
            best.slopes + 0.01 * RNG.normal(size=(M, M, 1)),
        )
        assert value(other) > value(best)


def test_local_models_of_distances_are_linear_functions_of_vectors():
    """Where the product is bilinear, also an indefinite one, of the span of the prototypes."""
    X, W = RNG.normal(size=(30, 2)), RNG.normal(size=(M, 2))
    for signs in (np.array([1.0, 1.0]), np.array([1.0, -1.0])):
        D = np.einsum("ijk,k->ij", (X[:, None] - W) ** 2, signs)
        said = LocalModels(np.ones((M, 1)), RNG.normal(size=(M, M, 1))).at(D, 0)
        for j in range(M):
            assert LinearRegression().fit(X, said[:, j]).score(X, said[:, j]) > 1 - 1e-10


def test_a_constant_per_sample_changes_nothing():
    D, targets, _ = drawn()
    for cost in SoftRegressionCost.examples():
        cost = cost.set_params(fidelity=0.0)
        moved = D + 5.0 * RNG.normal(size=(N, 1))
        assert cost.evaluate(moved, targets).value == pytest.approx(cost.evaluate(D, targets).value)


def test_the_choice_is_that_of_generalised_cross_validation():
    D, targets, _ = drawn(seed=3)
    chosen = SoftRegressionCost().resolve(D, targets, None, unit=2.0)
    best = (np.inf, None, None)
    for sigma2 in 2.0 * 2.0 ** np.arange(-6, 1):
        P = SoftRegressionCost(sigma2=sigma2).assignment(D)
        for ridge in 10.0 ** np.arange(-4.0, 1.5, 0.5):
            H = P @ np.linalg.solve(P.T @ P + N * ridge * np.eye(M), P.T)
            errors = targets.y - H @ targets.y
            score = (errors**2).mean() / (1 - np.trace(H) / N) ** 2
            best = min(best, (score, sigma2, ridge))
    assert (chosen.sigma2, chosen.ridge) == pytest.approx(best[1:])
    assert chosen.unit == 2.0


def test_what_is_given_is_kept_and_nothing_is_changed():
    D, targets, _ = drawn()
    cost = SoftRegressionCost(sigma2=0.3, ridge=0.0)
    before = repr(cost)
    chosen = cost.resolve(D, targets, None, unit=1.0)
    assert (chosen.sigma2, chosen.ridge) == (0.3, 0.0)
    assert repr(cost) == before


def test_fidelity_pulls_prototypes_to_their_nearest_sample_of_positive_weight():
    D, targets, weights = drawn()
    weights[D[:, 0].argmin()] = 0.0
    with_it = SoftRegressionCost(sigma2=1.0, ridge=0.1, fidelity=0.6, unit=2.0)
    without = SoftRegressionCost(sigma2=1.0, ridge=0.1, fidelity=0.0, unit=2.0)
    a, b = (cost.evaluate(D, targets, weights) for cost in (with_it, without))
    nearest = np.where(weights[:, None] > 0, D, np.inf).min(axis=0)
    assert a.value - b.value == pytest.approx(N * 0.6 * nearest.mean() / 2.0)
    assert (np.count_nonzero(a.forces - b.forces, axis=0) == 1).all()


def test_prototypes_without_a_sample_and_without_a_ridge():
    """A column of zeros leaves the equations singular; the rest is solved all the same."""
    D = np.column_stack([drawn()[0], np.full(N, 1e6)])
    targets = Targets(RNG.normal(size=(N, 1)), M + 1)
    cost = SoftRegressionCost(sigma2=0.5, ridge=0.0, fidelity=0.0)
    models = cost.models(D, targets)
    assert np.isfinite(models.values).all()
    assert models.values[-1, 0] == pytest.approx(0.0, abs=1e-6)


def test_parameters_are_checked():
    with pytest.raises(ValueError, match=r'sigma2 \(=-1\) must be "auto" or a positive number'):
        SoftRegressionCost(sigma2=-1).check()
