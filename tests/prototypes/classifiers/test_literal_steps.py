"""A fit with a constant learning rate is exactly the published sequence of steps."""

import lvq_naive
import numpy as np
import pytest

from noneuclid.prototypes import (
    KernelGLVQ,
    KernelRSLVQ,
    ProximityLVQ,
    RelationalGLVQ,
    RelationalRSLVQ,
)
from noneuclid.proximities import to_dissimilarity

N = 36
LITERAL = {"shuffle": False, "max_epochs": 1, "tol": 0}
CELLS = {
    "kernel glvq": (KernelGLVQ, "glvq", "similarity", "riesz", {"kernel": "precomputed"}),
    "kernel rslvq": (KernelRSLVQ, "rslvq", "similarity", "riesz", {"kernel": "precomputed"}),
    "relational glvq": (
        RelationalGLVQ,
        "glvq",
        "dissimilarity",
        "coordinates",
        {"metric": "precomputed"},
    ),
    "relational rslvq": (
        RelationalRSLVQ,
        "rslvq",
        "dissimilarity",
        "coordinates",
        {"metric": "precomputed"},
    ),
}


def problem(seed):
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1, 2], N // 3)
    X = rng.normal(size=(N, 4)) + 2.0 * np.eye(4)[y]
    S = np.exp(-0.1 * ((X[:, None] - X) ** 2).sum(axis=2))
    labels = np.repeat([0, 1, 2], 2)
    G = rng.random((6, N)) * (y == labels[:, None])
    return X, S, y, labels, G / G.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("cell", CELLS)
@pytest.mark.parametrize("rate", [0.05, 0.6, 3.0, 30.0])
@pytest.mark.parametrize("seed", range(2))
def test_named_cells_equal_the_naive_rule(cell, rate, seed):
    cls, cost, proximity, gradient, source = CELLS[cell]
    _, S, y, labels, G = problem(seed)
    P = S if proximity == "similarity" else to_dissimilarity(S)
    sigma = {"sigma2": 0.3} if cost == "rslvq" else {}
    if gradient == "coordinates":
        rate = rate / N
    expected, kept, large = lvq_naive.epoch(
        P, y, G, labels, cost=cost, proximity=proximity, gradient=gradient, rate=rate, **sigma
    )
    model = cls(**source, **sigma, **LITERAL, n_prototypes=2, init=G, learning_rate=rate).fit(P, y)
    np.testing.assert_allclose(model.coefficients_, expected, rtol=0, atol=1e-10)
    assert model.n_clipped_ == kept
    if gradient == "riesz" and rate == 30.0:
        assert large > 0, "this rate must exercise steps with a_j ≥ 1"


@pytest.mark.parametrize("proximity", ["similarity", "dissimilarity"])
@pytest.mark.parametrize("cost", ["glvq", "rslvq"])
def test_steps_that_clip_everything_keep_the_prototype(cost, proximity):
    """A sample in the middle of a prototype's objects pushes all of its coefficients below 0."""
    y = np.array([1, 0, 0])
    S = np.array([[2.0, 1.0, 1.0], [1.0, 1.0, -1.0], [1.0, -1.0, 1.0]])
    P = S if proximity == "similarity" else to_dissimilarity(S)
    G = np.array([[0.0, 0.5, 0.5], [0.9, 0.1, 0.0]])
    options = {"cost": cost, "proximity": proximity, "gradient": "coordinates", "sigma2": 1.0}
    expected, kept, _ = lvq_naive.epoch(P, y, G, np.array([0, 1]), rate=100.0, **options)
    model = ProximityLVQ(**options, **LITERAL, init=G, learning_rate=100.0).fit(P, y)
    assert kept > 0
    assert model.n_clipped_ == kept
    np.testing.assert_allclose(model.coefficients_, expected, atol=1e-10)


@pytest.mark.parametrize("cost", ["glvq", "rslvq"])
@pytest.mark.parametrize("proximity", ["similarity", "dissimilarity"])
@pytest.mark.parametrize("gradient", ["riesz", "coordinates"])
@pytest.mark.parametrize("constraint", ["convex", "affine", "none"])
def test_the_whole_cube_equals_the_naive_rule(cost, proximity, gradient, constraint):
    if proximity == "dissimilarity" and constraint == "none":
        return  # refused, see test_lvq_bad_input
    _, S, y, labels, G = problem(3)
    P = S if proximity == "similarity" else to_dissimilarity(S)
    options = {
        "cost": cost,
        "proximity": proximity,
        "gradient": gradient,
        "constraint": constraint,
        "sigma2": 0.5,
    }
    rate = 0.2 if gradient == "riesz" else 0.02
    expected, _, _ = lvq_naive.epoch(P, y, G, labels, rate=rate, **options)
    model = ProximityLVQ(**options, **LITERAL, n_prototypes=2, init=G, learning_rate=rate).fit(P, y)
    np.testing.assert_allclose(model.coefficients_, expected, atol=1e-10)


@pytest.mark.parametrize("cost", ["glvq", "rslvq"])
def test_linear_kernel_moves_as_the_vector_rule(cost):
    X, _, y, labels, G = problem(5)
    W = G @ X
    rate = 0.1
    for x, label in zip(X, y):
        phi = lvq_naive.forces(cost, ((x - W) ** 2).sum(axis=1), labels == label, sigma2=2.0)
        W = W + rate * phi[:, None] * (x - W)
    model = ProximityLVQ(
        cost=cost,
        metric="linear",
        constraint="none",
        sigma2=2.0,
        n_prototypes=2,
        init=G,
        learning_rate=rate,
        **LITERAL,
    ).fit(X, y)
    np.testing.assert_allclose(model.coefficients_ @ X, W, atol=1e-10)


@pytest.mark.parametrize("cost", ["glvq", "rslvq", "lvq1", "lvq21"])
@pytest.mark.parametrize("proximity", ["similarity", "dissimilarity"])
@pytest.mark.parametrize("constraint", ["convex", "affine"])
def test_compiled_epoch_equals_the_generic_path(cost, proximity, constraint):
    """Batches of one through matrix products and through rank-one changes, many epochs."""
    from noneuclid.prototypes.costs import (
        GLVQCost,
        LVQ1Cost,
        LVQ21Cost,
        Membership,
        RSLVQCost,
    )
    from noneuclid.prototypes.geometries.combinations import GEOMETRIES

    _, S, y, labels, G = problem(8)
    P = S if proximity == "similarity" else to_dissimilarity(S)
    costs = {
        "glvq": GLVQCost(transfer="tanh"),
        "rslvq": RSLVQCost(sigma2=0.2),
        "lvq1": LVQ1Cost(),
        "lvq21": LVQ21Cost(),
    }
    geometry = GEOMETRIES[proximity](P, constraint)
    fast, slow = geometry.state(G), geometry.state(G)
    who = Membership(y, labels)
    order = np.random.default_rng(0).permutation(N)
    for _ in range(5):
        step = np.full(N, 0.3)
        geometry.riesz_epoch(fast, who, order, step, costs[cost].code(6))
        for i in order:
            row = np.array([i])
            evaluation = costs[cost].evaluate(geometry.distances(slow, row), who.rows(row))
            phi = costs[cost].unit() * evaluation.forces
            direction = geometry.riesz_pull(slow, np.array([i]), phi)
            geometry.move(slow, geometry.project(slow.G - 0.3 * direction, slow.G)[0])
    np.testing.assert_allclose(fast.G, slow.G, atol=1e-10)
    np.testing.assert_allclose(fast.images, slow.G @ P, atol=1e-10)
    np.testing.assert_allclose(fast.squares, np.einsum("jl,jl->j", slow.G @ P, slow.G), atol=1e-10)
