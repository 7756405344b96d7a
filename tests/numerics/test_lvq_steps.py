"""Compiled steps of prototypes against the formulas, written with whole arrays."""

import numpy as np
import pytest
from scipy.special import expit, logsumexp

from noneuclid.numerics.lvq import (
    GUARD,
    IDENTITY,
    SIGMOID,
    TANH,
    find_moves,
    riesz_epoch,
    run_epoch,
    sample_forces,
    step_coefficients,
    transfer_derivative,
)
from noneuclid.numerics.lvq_features import feature_epoch
from noneuclid.numerics.lvq_vectors import vector_epoch

TRANSFERS = {
    IDENTITY: lambda u: u,
    SIGMOID: expit,
    TANH: np.tanh,
}
OWN = np.array([True, False, True, False, False])
# Which parameters each cost has tells it: those of GLVQ, LVQ2.1 and RSLVQ.
LVQ1, LVQ21, GLVQ, RSLVQ = COSTS = ["LVQ1", "LVQ21", "GLVQ", "RSLVQ"]


def choice(cost, transfer, slope, window, sigma2, log_prior):
    """Arguments of compiled code."""
    glvq = (transfer, slope) if cost == GLVQ else (None, None)
    soft = (sigma2, log_prior) if cost == RSLVQ else (None, None)
    return 1.0 if cost == LVQ1 else None, *glvq, window if cost == LVQ21 else None, *soft


def forces(d, own, cost, transfer=IDENTITY, slope=1.0, window=0.3, sigma2=None, log_prior=None):
    m = len(d)
    phi = np.full(m, np.nan)
    sigma2 = np.ones(m) if sigma2 is None else sigma2
    log_prior = np.zeros(m) if log_prior is None else log_prior
    parameters = choice(cost, transfer, slope, window, sigma2, log_prior)
    accepted = sample_forces(np.array(d, dtype=float), own, *parameters, phi)
    return phi, accepted


def slopes(function, d, h=1e-6):
    """Derivatives by central differences."""
    units = h * np.eye(len(d))
    return np.array([(function(d + unit) - function(d - unit)) / (2 * h) for unit in units])


# --- forces ---------------------------------------------------------------------------------


@pytest.mark.parametrize("transfer", TRANSFERS)
@pytest.mark.parametrize("slope", [0.5, 1.0, 4.0])
def test_transfer_derivatives_equal_differences(transfer, slope):
    F = TRANSFERS[transfer]
    for mu in (-0.9, -0.1, 0.0, 0.4):
        expected = (F(slope * (mu + 1e-6)) - F(slope * (mu - 1e-6))) / 2e-6
        assert transfer_derivative(mu, transfer, slope) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("transfer", TRANSFERS)
@pytest.mark.parametrize("seed", range(3))
def test_glvq_forces_are_the_gradient_of_its_cost(transfer, seed):
    d = np.random.default_rng(seed).uniform(0.5, 3.0, size=5)

    def cost(d):
        plus, minus = d[OWN].min(), d[~OWN].min()
        return TRANSFERS[transfer](2.0 * (plus - minus) / (plus + minus))

    phi, accepted = forces(d, OWN, GLVQ, transfer, slope=2.0)
    assert accepted
    np.testing.assert_allclose(phi, slopes(cost, d), atol=1e-7)
    assert np.count_nonzero(phi) == 2


@pytest.mark.parametrize("seed", range(3))
def test_rslvq_forces_are_the_gradient_of_its_cost(seed):
    rng = np.random.default_rng(seed)
    d, sigma2 = rng.uniform(0.5, 3.0, size=5), rng.uniform(0.5, 2.0, size=5)
    log_prior = np.log(rng.dirichlet(np.ones(5)))

    def cost(d):
        E = log_prior - d / sigma2
        return logsumexp(E) - logsumexp(E[OWN])

    phi, accepted = forces(d, OWN, RSLVQ, sigma2=sigma2, log_prior=log_prior)
    assert accepted
    np.testing.assert_allclose(phi / sigma2, slopes(cost, d), atol=1e-7)
    assert phi.sum() == pytest.approx(0.0, abs=1e-12)  # as much is pulled as is pushed


@pytest.mark.parametrize("away", [30.0, 440.0, 461.0, 480.0, 700.0, 750.0, 2000.0])
def test_rslvq_forces_where_all_own_prototypes_are_far_away(away):
    d = np.array([away, 1.0, away + 1.0, 2.0, 3.0])
    phi, _ = forces(d, OWN, RSLVQ)
    own, others = np.exp(-np.array([0.0, 1.0])), np.exp(-np.array([1.0, 2.0, 3.0]))
    np.testing.assert_allclose(phi[OWN], own / own.sum(), rtol=1e-9)
    np.testing.assert_allclose(phi[~OWN], -others / others.sum(), rtol=1e-9)


def test_lvq1_pulls_the_nearest_if_it_is_right_and_pushes_it_otherwise():
    np.testing.assert_array_equal(forces([1.0, 2, 3, 4, 5], OWN, LVQ1)[0], [1, 0, 0, 0, 0])
    np.testing.assert_array_equal(forces([3.0, 2, 3, 1, 5], OWN, LVQ1)[0], [0, 0, 0, -1, 0])


def test_lvq21_moves_a_pair_within_the_window_only():
    inside, outside = [1.0, 1.2, 9, 9, 9], [1.0, 9.0, 9, 9, 9]
    np.testing.assert_array_equal(forces(inside, OWN, LVQ21)[0], [1, -1, 0, 0, 0])
    np.testing.assert_array_equal(forces(outside, OWN, LVQ21)[0], np.zeros(5))
    # The ratio of distances, not of their squares: √(1/9) = 1/3 > (1 − w)/(1 + w) for w > ½.
    np.testing.assert_array_equal(forces(outside, OWN, LVQ21, window=0.51)[0], [1, -1, 0, 0, 0])
    np.testing.assert_array_equal(forces(outside, OWN, LVQ21, window=0.49)[0], np.zeros(5))
    for nothing in ([0.0, 1.0, 9, 9, 9], [-1.0, 1.0, 9, 9, 9]):  # no ratio of such distances
        np.testing.assert_array_equal(forces(nothing, OWN, LVQ21)[0], np.zeros(5))


def test_glvq_refuses_sums_that_are_no_denominator():
    assert not forces([-1.0, 1.0, 9, 9, 9], OWN, GLVQ)[1]
    assert not forces([0.0, 0.0, 9, 9, 9], OWN, GLVQ)[1]
    nearly = (1 + GUARD) / (1 - GUARD)
    assert not forces([-1.0, nearly * 0.999, 9, 9, 9], OWN, GLVQ)[1]
    assert forces([-1.0, nearly * 1.001, 9, 9, 9], OWN, GLVQ)[1]


# --- coefficients ---------------------------------------------------------------------------


@pytest.mark.parametrize("a", [-5.0, -0.5, -0.01, 0.0, 0.01, 0.5, 0.99, 1.0, 3.0])
@pytest.mark.parametrize("gamma", [0.0, 0.01, 0.4, 0.99])
@pytest.mark.parametrize("convex", [True, False])
def test_a_step_is_clipped_and_normalised(a, gamma, convex):
    row = np.array([gamma, 0.3 * (1 - gamma), 0.7 * (1 - gamma)])
    expected = (1 - a) * row + a * np.array([1.0, 0.0, 0.0])
    if convex:
        expected = np.maximum(expected, 0.0)
        expected /= expected.sum()
    H, scale = row[:, None] / 4.0, np.array([4.0])
    s, b = step_coefficients(H, scale, 0, 0, a, convex)
    np.testing.assert_allclose(s * row + b * np.array([1.0, 0.0, 0.0]), expected, atol=1e-12)
    np.testing.assert_allclose(scale[0] * H[:, 0], expected, atol=1e-12)


def test_a_prototype_that_is_one_object_is_not_pushed_off_it():
    s, b = step_coefficients(np.array([[1.0], [0.0]]), np.ones(1), 0, 0, -0.5, True)
    assert s + b == 1.0  # away from itself is nowhere
    # All but rounding is one object, and the step would leave nothing of it.
    H, scale = np.array([[1.0 - 1e-15], [1e-15]]), np.ones(1)
    assert step_coefficients(H, scale, 0, 0, -1e17, True) == (1.0, 0.0)
    np.testing.assert_array_equal(scale * H[:, 0], [1.0 - 1e-15, 1e-15])


def test_steps_of_no_length_or_away_from_nothing_move_nothing():
    steps = np.array([1e-16, -1e-16, -0.5, 0.5, -0.5, 2e-15])
    H = np.array([[0.0, 0.0, 0.0, 0.0, 0.1, 0.0]])
    moves = np.empty(7, dtype=np.intp)
    assert moves[: find_moves(steps, H, 0, True, moves)].tolist() == [3, 4, 5]
    assert moves[: find_moves(steps, H, 0, False, moves)].tolist() == [2, 3, 4, 5]
    assert find_moves(np.zeros(6), H, 0, False, moves) == 0


@pytest.mark.parametrize("a", [0.97, -29.0])
def test_lazy_scales_do_not_overflow_or_vanish(a):
    H, scale = np.random.default_rng(0).random((4, 1)), np.ones(1)
    expected = H[:, 0].copy()
    for step in range(200):
        i = step % 4
        assert step_coefficients(H, scale, i, 0, a, False) == (1.0 - a, a)
        expected *= 1.0 - a
        expected[i] += a
        if expected.max() > 1e100:
            expected /= 1e100
            H /= 1e100
    assert 1e-81 < abs(scale[0]) < 1e81
    np.testing.assert_allclose(scale * H[:, 0], expected, rtol=1e-9)


@pytest.mark.parametrize("a", [1.0, 2.5])
def test_a_step_that_leaves_nothing_sets_the_row(a):
    H, scale = np.array([[0.2], [0.8]]), np.array([3.0])
    assert step_coefficients(H, scale, 1, 0, a, True) == (0.0, 1.0)
    np.testing.assert_array_equal(scale * H[:, 0], [0.0, 1.0])


# --- whole passes ---------------------------------------------------------------------------


class Pass:
    """A problem, and one pass over it with the formulas of the module."""

    def __init__(self, seed, signs, cost, convex=False, transfer=IDENTITY):
        rng = np.random.default_rng(seed)
        n, m = 14, 4
        self.signs = np.array(signs, dtype=float)
        self.Z = rng.normal(size=(n, len(signs)))
        self.y = np.arange(n) % 2
        self.own_of_class = np.array([[True, True, False, False], [False, False, True, True]])
        self.order = rng.permutation(n)
        self.step = 0.1 * rng.uniform(0.5, 1.5, size=n)
        self.G = rng.dirichlet(np.ones(n), size=m)
        self.cost, self.convex, self.transfer = cost, convex, transfer
        self.sigma2, self.log_prior = rng.uniform(1, 2, size=m), np.log(np.full(m, 0.25))

    @property
    def parameters(self):
        return self.cost, self.transfer, 1.5, 0.3, self.sigma2, self.log_prior

    def distances(self, i, W):
        return ((self.Z[i] - W) ** 2 * self.signs).sum(axis=1)

    def expected(self):
        """Coefficients after the pass, and how many samples were refused."""
        G, refused = self.G.copy(), 0
        for i in self.order:
            own = self.own_of_class[self.y[i]]
            d = self.distances(i, G @ self.Z)
            phi, accepted = forces(d, own, *self.parameters)
            refused += not accepted
            if accepted:
                a = (self.step[i] * phi)[:, None]
                G = (1 - a) * G + a * np.eye(len(self.Z))[i]
                if self.convex:
                    G = np.maximum(G, 0.0)
                    G /= G.sum(axis=1, keepdims=True)
        return G, refused


@pytest.mark.parametrize("cost", COSTS)
@pytest.mark.parametrize("convex", [True, False])
@pytest.mark.parametrize("signs", [(1, 1, 1), (1, 1, 1, 1, -1)], ids=["definite", "indefinite"])
@pytest.mark.parametrize("kind", ["similarity", "dissimilarity"])
def test_passes_over_proximities_are_the_formula(cost, convex, signs, kind):
    given = Pass(1, signs, cost, convex)
    S = given.Z * given.signs @ given.Z.T
    if kind == "similarity":
        M, c = S, np.array([1.0, -2.0, 1.0])
    else:
        M = np.diag(S)[:, None] - 2 * S + np.diag(S)
        c = np.array([0.0, 1.0, -0.5])
    M = np.ascontiguousarray((M + M.T) / 2)
    G = given.G.copy()
    A, q = G @ M, np.einsum("ji,ik,jk->j", G, M, G)
    samples = given.own_of_class, given.y, given.order, given.step, convex
    refused, _ = run_epoch(riesz_epoch, (M, c, *samples, *choice(*given.parameters)), G, A, q)
    expected, expected_refused = given.expected()
    assert refused == expected_refused
    np.testing.assert_allclose(G, expected, atol=1e-10)
    np.testing.assert_allclose(A, G @ M, atol=1e-9)  # what is kept beside stays right
    np.testing.assert_allclose(q, np.einsum("ji,ik,jk->j", G, M, G), atol=1e-9)


@pytest.mark.parametrize("cost", COSTS)
@pytest.mark.parametrize("convex", [True, False])
@pytest.mark.parametrize("signs", [(1, 1, 1), (1, 1, 1, 1, -1)], ids=["definite", "indefinite"])
def test_passes_over_features_are_the_formula(cost, convex, signs):
    given = Pass(2, signs, cost, convex)
    G = given.G.copy()
    W = G @ given.Z
    q = (W**2 * given.signs).sum(axis=1)
    features = given.Z, (given.Z**2 * given.signs).sum(axis=1), int((given.signs > 0).sum())
    samples = given.own_of_class, given.y, given.order, given.step, convex
    problem = *features, *samples, *choice(*given.parameters)
    refused, _ = run_epoch(feature_epoch, problem, G, W, q, *np.empty((2, len(G))))
    expected, expected_refused = given.expected()
    assert refused == expected_refused
    np.testing.assert_allclose(G, expected, atol=1e-10)
    np.testing.assert_allclose(W, G @ given.Z, atol=1e-9)
    np.testing.assert_allclose(q, (W**2 * given.signs).sum(axis=1), atol=1e-9)


@pytest.mark.parametrize("cost", COSTS)
@pytest.mark.parametrize("transfer", TRANSFERS)
@pytest.mark.parametrize("signs", [(1, 1, 1), (1, 1, 1, 1, -1)], ids=["definite", "indefinite"])
def test_passes_over_vectors_are_the_formula(cost, transfer, signs):
    given = Pass(3, signs, cost, transfer=transfer)
    W = given.G @ given.Z
    refused = vector_epoch(
        given.Z,
        int((given.signs > 0).sum()),
        given.own_of_class,
        given.y,
        given.order,
        given.step,
        *choice(*given.parameters),
        W,
    )
    expected, expected_refused = given.expected()
    assert refused == expected_refused
    np.testing.assert_allclose(W, expected @ given.Z, atol=1e-10)
