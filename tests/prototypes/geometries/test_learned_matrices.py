"""Diagonal, shared and local matrices: distances, slopes, and what degenerate ones cost."""

import numpy as np
import pytest

from noneuclid.prototypes.costs import GLVQCost, Membership, RSLVQCost
from noneuclid.prototypes.geometries.degeneracy import degeneracy, diagonal_degeneracy
from noneuclid.prototypes.geometries.local_matrices import LocalMatrixGeometry
from noneuclid.prototypes.geometries.matrices import Freedom, MatrixGeometry, RelevanceGeometry
from noneuclid.prototypes.solvers.problem import Problem

EACH, BY_CLASS = np.arange(4), np.array([0, 0, 1, 1])
D, M, N = 5, 4, 15


def finite_differences(value, parameters, step=1e-6):
    slope = np.zeros_like(parameters)
    for index in np.ndindex(*parameters.shape):
        moved = np.zeros_like(parameters)
        moved[index] = step
        slope[index] = (value(parameters + moved) - value(parameters - moved)) / (2 * step)
    return slope


def case(kind, freedom, seed=0):
    """A geometry, its parameters, and the matrix of every prototype as the formula has it."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(N, D)) + 2.0
    W = rng.normal(size=(M, D)) + 2.0
    if kind == "diagonal":
        omega = 0.3 + rng.uniform(size=(1, D))
        omegas = np.tile(np.diag(omega[0]), (M, 1, 1))
        return RelevanceGeometry(X, M, freedom=freedom), X, W, omega, omegas
    if kind == "shared":
        omega = rng.normal(size=(3, D))
        return MatrixGeometry(X, M, freedom=freedom), X, W, omega, np.tile(omega, (M, 1, 1))
    of, rank = (BY_CLASS, 4) if kind == "by class" else (EACH, 2)
    each = rng.normal(size=(of.max() + 1, rank, D))
    sizes = 1.0 if freedom.size else np.linalg.norm(each, axis=(1, 2), keepdims=True)
    geometry = LocalMatrixGeometry(of, X, M, freedom=freedom)
    return geometry, X, W, each.reshape(-1, D), (each / sizes)[of]


KINDS = ["diagonal", "shared", "each", "by class"]
FREEDOMS = [Freedom(), Freedom(size=True), Freedom(regularization=0.3)]
ROWS = [slice(None), np.array([0, 7, 9])]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("freedom", FREEDOMS, ids=str)
@pytest.mark.parametrize("rows", ROWS, ids=["all", "some"])
def test_distances_are_those_of_the_formula(kind, freedom, rows):
    geometry, X, W, omega, omegas = case(kind, freedom)
    expected = np.empty((N, M))
    for j in range(M):
        expected[:, j] = (((X - W[j]) @ omegas[j].T) ** 2).sum(axis=1)
    theta = geometry.state(np.vstack([W, omega]))
    np.testing.assert_allclose(geometry.distances(theta, rows), expected[rows], atol=1e-12)
    moved = geometry.state(np.vstack([W, omega]) + 1.0)
    geometry.move(moved, theta.parameters)
    copied = moved.copy()
    geometry.move(moved, theta.parameters + 1.0)
    np.testing.assert_allclose(geometry.distances(copied, rows), expected[rows], atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("freedom", FREEDOMS[:2], ids=str)
@pytest.mark.parametrize("rows", ROWS, ids=["all", "some"])
def test_pulls_equal_finite_differences(kind, freedom, rows):
    geometry, X, W, omega, _ = case(kind, freedom, seed=1)
    rng = np.random.default_rng(2)
    F = rng.normal(size=(len(X[rows]), M)) * (rng.uniform(size=(len(X[rows]), M)) < 0.7)
    P = np.vstack([W, omega])

    def value(P):
        return (F * geometry.distances(geometry.state(P), rows)).sum()

    got = geometry.pull(geometry.state(P), rows, F)
    np.testing.assert_allclose(got, finite_differences(value, P), atol=2e-6)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("cost", "size"),
    [(GLVQCost(transfer="sigmoid", slope=2.0), False), (RSLVQCost(sigma2=3.0), True)],
    ids=["glvq", "rslvq"],
)
def test_the_whole_cost_with_its_regulariser_has_the_slope_of_finite_differences(kind, cost, size):
    geometry, _, W, omega, _ = case(kind, Freedom(size, 0.3), seed=3)
    problem = Problem(geometry, cost, Membership(np.arange(N) % 2, BY_CLASS))
    P = np.vstack([W, omega])

    def value(P):
        return problem.value_and_slope(geometry.state(P))[0]

    slope = problem.value_and_slope(geometry.state(P))[1]
    np.testing.assert_allclose(slope, finite_differences(value, P), atol=2e-5)
    assert problem.loss(geometry.state(P)) == pytest.approx(value(P) / N)


@pytest.mark.parametrize("kind", KINDS)
def test_riesz_pulls_are_straight_and_turn_matrices_down_their_slope(kind):
    geometry, X, W, omega, _ = case(kind, Freedom(size=True), seed=4)
    rng = np.random.default_rng(5)
    rows = np.array([2, 3, 11])
    F = rng.normal(size=(3, M))
    theta = geometry.state(np.vstack([W, omega]))
    got = geometry.riesz_pull(theta, rows, F)
    towards = [(F[:, j, None] * (W[j] - X[rows])).sum(axis=0) for j in range(M)]
    np.testing.assert_allclose(got[:M], towards, atol=1e-12)
    spread = ((X - X.mean(axis=0)) ** 2).sum(axis=1).mean()
    slower = 0.1 / spread * geometry.pull(theta, rows, F)[M:] / 2
    np.testing.assert_allclose(got[M:], slower, atol=1e-12)


def test_degeneracy_is_the_published_one_up_to_a_constant():
    rng = np.random.default_rng(0)
    for k in (1, 3, 5):
        A, B = (m / np.linalg.norm(m) for m in rng.normal(size=(2, k, D)))
        published = [-0.5 * np.linalg.slogdet(m @ m.T)[1] for m in (A, B)]
        got = degeneracy(A)[0] - degeneracy(B)[0]
        assert got == pytest.approx(published[0] - published[1])
        assert degeneracy(7.0 * A)[0] == pytest.approx(degeneracy(A)[0])
        slope = finite_differences(lambda m: degeneracy(m)[0], A)
        np.testing.assert_allclose(degeneracy(A)[1], slope, atol=1e-6)


def test_degeneracy_is_zero_where_all_directions_count_alike():
    Q = np.linalg.qr(np.random.default_rng(1).normal(size=(D, D)))[0]
    value, slope = degeneracy(3.0 * Q[:3])
    assert value == pytest.approx(0.0, abs=1e-12)
    np.testing.assert_allclose(slope, 0.0, atol=1e-12)
    flat = Q[:3].copy()
    flat[2] = flat[1]
    value, slope = degeneracy(flat)
    assert 20 < value < 100
    assert np.isfinite(slope).all()
    assert degeneracy(np.zeros((2, 3)))[0] == 0.0


def test_of_a_diagonal_matrix_it_is_that_of_the_whole_one():
    w = np.array([[0.5, -1.5, 2.0, 0.1]])
    value, slope = diagonal_degeneracy(w)
    whole, whole_slope = degeneracy(np.diag(w[0]))
    assert value == pytest.approx(whole)
    np.testing.assert_allclose(slope[0], np.diag(whole_slope))


def test_one_matrix_for_all_prototypes_is_the_shared_one():
    geometry, X, W, omega, _ = case("shared", Freedom(regularization=0.2), seed=6)
    of = np.zeros(M, dtype=int)
    local = LocalMatrixGeometry(of, X, M, freedom=Freedom(regularization=0.2))
    who, cost = Membership(np.arange(N) % 2, BY_CLASS), GLVQCost(transfer="tanh")
    P = np.vstack([W, omega / np.linalg.norm(omega)])
    results = [Problem(g, cost, who).value_and_slope(g.state(P))[:2] for g in (geometry, local)]
    assert results[0][0] == pytest.approx(results[1][0])
    np.testing.assert_allclose(results[0][1], results[1][1], atol=1e-10)


def test_a_diagonal_matrix_has_the_diagonal_of_the_slope():
    geometry, X, W, omega, _ = case("diagonal", Freedom(size=True), seed=7)
    whole = MatrixGeometry(X, M, freedom=Freedom(size=True))
    F = np.random.default_rng(8).normal(size=(N, M))
    few = geometry.pull(geometry.state(np.vstack([W, omega])), slice(None), F)
    all_ = whole.pull(whole.state(np.vstack([W, np.diag(omega[0])])), slice(None), F)
    np.testing.assert_allclose(few[:M], all_[:M], atol=1e-10)
    np.testing.assert_allclose(few[M], np.diag(all_[M:]), atol=1e-10)


@pytest.mark.parametrize("kind", ["each", "by class"])
def test_every_local_matrix_is_brought_to_trace_one(kind):
    geometry, _, W, omega, _ = case(kind, Freedom())
    P, _ = geometry.project(np.vstack([W, omega]), W)
    sizes = (P[M:].reshape(len(np.unique(geometry.of)), -1) ** 2).sum(axis=1)
    np.testing.assert_allclose(sizes, 1.0)
    free, _, W, omega, _ = case(kind, Freedom(size=True))
    np.testing.assert_array_equal(free.project(np.vstack([W, omega]), W)[0][M:], omega)
