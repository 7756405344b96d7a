"""Compiled steps of neural gas and maps against the formulas, sample by sample."""

import numpy as np
import pytest

from noneuclid.numerics.quantization import (
    combination_steps,
    feature_steps,
    rank_rows,
    vector_steps,
)


def neighbourhood(kind, m, rng):
    """(table, whether it is one of ranks)."""
    if kind == "few ranks":
        return (ONE, np.exp(-np.arange(3.0) / 0.7)[None]), True
    if kind == "all ranks":
        return (ONE, np.exp(-np.arange(float(m)) / 2.0)[None]), True
    if kind == "winner":
        return (ONE, np.ones((m, 1))), False
    return (ONE, map_table(m, rng)), False


def map_table(m, rng):
    distance = np.abs(np.subtract.outer(np.arange(m), np.arange(m)))
    return np.ascontiguousarray(np.exp(-(distance**2) / 2.0) * rng.uniform(0.5, 1, (m, m)))


ONE = np.ones((1, 1))
KINDS = ["few ranks", "all ranks", "winner", "map"]


def pulls(d, table, by_rank):
    """h_j of one sample, and its cost."""
    m, table = len(d), np.kron(*table)
    h = np.zeros(m)
    if by_rank:
        ranks = np.argsort(np.argsort(d, kind="stable"), kind="stable")
        full = np.r_[table[0], np.zeros(max(m - table.shape[1], 0))]
        h = full[ranks]
        return h, h @ d
    if table.shape[1] == 1:
        h[d.argmin()] = 1.0
        return h, d.min()
    errors = d @ table
    return table[:, errors.argmin()], errors.min()


@pytest.mark.parametrize("m", [1, 3, 4, 9, 700])
@pytest.mark.parametrize("equal", [False, True])
def test_ranks_are_those_of_sorting(m, equal):
    rng = np.random.default_rng(m)
    D = rng.integers(0, 3, size=(5, m)).astype(float) if equal else rng.normal(size=(5, m))
    ranks = np.full((5, m), -1.0)
    rank_rows(D, ranks)
    for d, r in zip(D, ranks):
        np.testing.assert_array_equal(np.sort(r), np.arange(m))  # each once, also among equals
        assert (np.diff(d[np.argsort(r)]) >= 0).all()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dim", [1, 3, 4, 7])
@pytest.mark.parametrize("m", [4, 9, 10])
def test_steps_of_vectors(kind, dim, m):
    rng = np.random.default_rng(dim)
    X, W = rng.normal(size=(12, dim)), rng.normal(size=(m, dim))
    table, by_rank = neighbourhood(kind, m, rng)
    order = rng.permutation(12)
    V = W.T.copy()
    total = vector_steps(X, np.zeros(X.shape[1]), order, table, by_rank or None, 0.2, V)
    expected = 0.0
    for i in order:
        h, cost = pulls(((X[i] - W) ** 2).sum(axis=1), table, by_rank)
        expected += cost
        W = W + 0.2 * h[:, None] * (X[i] - W)
    np.testing.assert_allclose(V.T, W, atol=1e-12)
    assert total == pytest.approx(expected)


@pytest.mark.parametrize("shape", [(2, 4), (4, 5), (3, 6), (10, 10), (5, 7), (7, 11), (2, 40)])
def test_steps_on_a_grid_whose_table_is_a_product(shape):
    rng = np.random.default_rng(1)
    m, n = shape[0] * shape[1], 100
    X, W = rng.normal(size=(n, 5)), rng.normal(size=(m, 5))
    table = map_table(shape[0], rng), map_table(shape[1], rng)
    order, V, whole = rng.permutation(n), W.T.copy(), W.T.copy()
    origin = rng.normal(size=5)
    total = vector_steps(X + origin, origin, order, table, None, 0.2, V)
    one_row = ONE, np.kron(*table)
    assert total == pytest.approx(vector_steps(X, np.zeros(5), order, one_row, None, 0.2, whole))
    np.testing.assert_allclose(V, whole, atol=1e-12)
    expected = 0.0
    for i in order:
        h, cost = pulls(((X[i] - W) ** 2).sum(axis=1), table, False)
        expected += cost
        W = W + 0.2 * h[:, None] * (X[i] - W)
    np.testing.assert_allclose(V.T, W, atol=1e-12)
    assert total == pytest.approx(expected)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("signs", [(1, 1, 1), (1, 1, 1, -1)], ids=["definite", "indefinite"])
def test_steps_of_combinations_are_those_of_their_vectors(kind, signs):
    rng = np.random.default_rng(5)
    signs, n, m = np.array(signs, dtype=float), 12, 6
    Z, G0 = rng.normal(size=(n, len(signs))), rng.dirichlet(np.ones(n), size=m)
    table, by_rank = neighbourhood(kind, m, rng)
    order = rng.permutation(n)
    G, expected = G0.copy(), 0.0
    for i in order:
        h, cost = pulls(((Z[i] - G @ Z) ** 2 * signs).sum(axis=1), table, by_rank)
        expected += cost
        G = G + 0.3 * h[:, None] * (np.eye(n)[i] - G)

    S = Z * signs @ Z.T
    S = (S + S.T) / 2
    D = np.diag(S)[:, None] - 2 * S + np.diag(S)
    for M, c in ((S, [1.0, -2.0, 1.0]), (D, [0.0, 1.0, -0.5])):
        got = G0.copy()
        A, q = got @ M, np.einsum("ji,ik,jk->j", got, M, got)
        total = combination_steps(
            np.ascontiguousarray(M), np.array(c), order, table, by_rank or None, 0.3, got, A, q
        )
        np.testing.assert_allclose(got, G, atol=1e-11)
        np.testing.assert_allclose(A, got @ M, atol=1e-9)
        np.testing.assert_allclose(q, np.einsum("ji,ik,jk->j", got, M, got), atol=1e-9)
        assert total == pytest.approx(expected)

    got, W = G0.copy(), G0 @ Z
    total = feature_steps(Z, int((signs > 0).sum()), order, table, by_rank or None, 0.3, got, W)
    np.testing.assert_allclose(got, G, atol=1e-11)
    np.testing.assert_allclose(W, G @ Z, atol=1e-11)
    assert total == pytest.approx(expected)


def test_steps_all_the_way_forget_what_was():
    """A rate of one replaces the winner again and again: its lazy scale becomes zero."""
    Z = np.random.default_rng(0).normal(size=(6, 2))
    G, W = np.full((1, 6), 1 / 6), Z.mean(axis=0)[None].copy()
    order = np.arange(6)
    feature_steps(Z, 2, order, (ONE, ONE), None, 1.0, G, W)
    np.testing.assert_array_equal(G, np.eye(6)[[5]])
    np.testing.assert_allclose(W, Z[[5]], atol=1e-12)


def test_pulls_too_small_to_see_move_nothing():
    X, V = np.array([[1.0, 2.0]]), np.zeros((2, 3))
    table = ONE, np.array([[1.0, 1e-20, 1e-30]])
    vector_steps(X, np.zeros(X.shape[1]), np.array([0]), table, True, 0.5, V)
    assert np.count_nonzero(V.any(axis=0)) == 1
