"""Distances and gradients of combinations against vectors and finite differences."""

import numpy as np
import pytest

from noneuclid.prototypes.costs import Membership, RSLVQCost
from noneuclid.prototypes.geometries.combinations import GEOMETRIES
from noneuclid.prototypes.solvers.lbfgs import LBFGS
from noneuclid.prototypes.solvers.problem import Problem
from noneuclid.proximities import to_dissimilarity


def problem(seed=0, indefinite=False):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(12, 3))
    signs = np.array([1.0, 1.0, -1.0]) if indefinite else np.ones(3)
    G = rng.random((4, 12))
    return X, signs, X * signs @ X.T, G / G.sum(axis=1, keepdims=True), rng


@pytest.mark.parametrize("proximity", GEOMETRIES)
@pytest.mark.parametrize("indefinite", [False, True])
def test_distances_are_those_of_the_vectors(proximity, indefinite):
    X, signs, S, G, _ = problem(indefinite=indefinite)
    P = S if proximity == "similarity" else to_dissimilarity(S)
    geometry = GEOMETRIES[proximity](P)
    expected = ((X[:, None] - G @ X) ** 2 * signs).sum(axis=2)
    np.testing.assert_allclose(geometry.distances(geometry.state(G)), expected, atol=1e-12)
    rows = np.array([3, 1])
    np.testing.assert_allclose(geometry.distances(geometry.state(G), rows), expected[rows])
    new = geometry.distances_to(P[rows], np.diag(P)[rows], G, geometry.state(G).squares)
    np.testing.assert_allclose(new, expected[rows], atol=1e-12)


@pytest.mark.parametrize("proximity", GEOMETRIES)
@pytest.mark.parametrize("indefinite", [False, True])
def test_pull_equals_finite_differences(proximity, indefinite):
    _, _, S, G, rng = problem(1, indefinite)
    P = S if proximity == "similarity" else to_dissimilarity(S)
    geometry = GEOMETRIES[proximity](P)
    rows = np.array([0, 5, 7])
    F = rng.normal(size=(3, 4))

    def value(G):
        return (F * geometry.distances(geometry.state(G), rows)).sum()

    slope = np.zeros_like(G)
    for index in np.ndindex(*G.shape):
        step = np.zeros_like(G)
        step[index] = 1e-6
        slope[index] = (value(G + step) - value(G - step)) / 2e-6
    np.testing.assert_allclose(geometry.pull(geometry.state(G), rows, F), slope, atol=1e-6)


def test_riesz_pull_is_the_gradient_the_gram_matrix_turns_into_the_coordinate_one():
    _, _, S, G, rng = problem(2)
    geometry = GEOMETRIES["similarity"](S)
    rows, F = np.array([2, 3, 9]), rng.normal(size=(3, 4))
    theta = geometry.state(G)
    riesz = geometry.riesz_pull(theta, rows, F)
    np.testing.assert_allclose(2 * riesz @ S, geometry.pull(theta, rows, F), atol=1e-12)


def test_variance_is_that_of_the_vectors():
    X, _, S, _, _ = problem(3)
    expected = X.var(axis=0).sum()
    for proximity, P in (("similarity", S), ("dissimilarity", to_dissimilarity(S))):
        assert GEOMETRIES[proximity](P).variance() == pytest.approx(expected)
        y = np.repeat([0, 1], 6)
        within = (X[:6].var(axis=0).sum() + X[6:].var(axis=0).sum()) / 2
        assert GEOMETRIES[proximity](P).scale_within(y) == pytest.approx(within)


@pytest.mark.parametrize("constraint", ["convex", "affine", "none"])
def test_lbfgs_descends_and_keeps_the_constraint(constraint):
    _, _, S, G, _ = problem(4)
    geometry = GEOMETRIES["similarity"](S, constraint)
    y = np.repeat([0, 1], 6)
    who = Membership(y, np.array([0, 0, 1, 1]))
    problem_ = Problem(geometry, RSLVQCost(sigma2=1.0), who)
    result = LBFGS(max_epochs=30, tol=0).run(problem_, geometry.state(G))
    curve = np.array(result.loss_curve)
    assert (np.diff(curve) <= 1e-12).all()
    assert curve[-1] < 0.7 * curve[0]
    found = result.theta.G
    if constraint != "none":
        np.testing.assert_allclose(found.sum(axis=1), 1.0)
    if constraint == "convex":
        assert (found >= 0).all()
