import numpy as np
import pytest
from scipy import sparse

from noneuclid.numerics import (
    difference_matrix,
    factor_columns,
    factor_gram,
    nystroem_map,
    signed_eigh,
    signed_features,
)


def indefinite(n, rank, seed=0):
    Q = np.linalg.qr(np.random.default_rng(seed).normal(size=(n, n)))[0][:, :rank]
    values = np.linspace(-2, 3.1, rank)
    return (Q * values) @ Q.T


def test_signed_eigh_keeps_signs_and_drops_zeros():
    S = indefinite(12, 6)
    values, vectors = signed_eigh(S, 1e-10)
    assert len(values) == 6
    assert np.sign(values).tolist() == [1, 1, 1, 1, -1, -1]
    for group in (values[values > 0], values[values < 0]):
        assert (np.diff(np.abs(group)) <= 0).all()
    np.testing.assert_allclose((vectors * values) @ vectors.T, S, atol=1e-12)


def test_cutoff_is_absolute_or_relative():
    S = np.diag([100.0, 1.0, -0.5])
    assert len(signed_eigh(S, 0.006)[0]) == 2
    assert len(signed_eigh(S, 0.6, relative=False)[0]) == 2
    assert len(signed_eigh(np.zeros((3, 3)))[0]) == 0


LARGE = 600


def gram_of(values, n=LARGE):
    """A matrix with these eigenvalues beside zero, and their eigenvectors."""
    Q = np.linalg.qr(np.random.default_rng(1).normal(size=(n, len(values))))[0]
    S = (Q * values) @ Q.T
    return (S + S.T) / 2, Q


@pytest.mark.parametrize(
    "values",
    [
        [3.0, 1.0, -2.0, 1e-8],  # the last far below the first, far above the cutoff
        [2.0, 2.0, 2.0, -2.0, -2.0],  # ties, also of moduli
        np.linspace(-1.0, 2.05, 63),
        np.linspace(-1.0, 2.05, 64),
        np.linspace(-1.0, 2.05, 65),  # more than are looked for
        [1.0],
        [],
    ],
)
@pytest.mark.parametrize("unit", [1.0, 1e-200, 1e200])
def test_large_matrices_of_low_rank_are_decomposed_as_others_are(values, unit):
    S, Q = gram_of(np.array(values))
    found, vectors = signed_eigh(unit * S, 1e-10)
    expected = sorted((v for v in values), key=lambda v: (v < 0, -abs(v)))
    np.testing.assert_allclose(found / unit, expected, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(len(found)), atol=1e-13)
    np.testing.assert_allclose((vectors * found / unit) @ vectors.T, S, atol=1e-13)
    np.testing.assert_allclose(vectors @ vectors.T, Q @ Q.T, atol=1e-7)
    everything = signed_eigh(S)  # not by low rank: without a cutoff all of it counts
    kept = np.abs(everything[0]) > 1e-9
    np.testing.assert_allclose(vectors, everything[1][:, kept], atol=1e-6)


@pytest.mark.parametrize("unit", [1.0, 1e-200, 1e200])
@pytest.mark.parametrize("size", [1e-9, 1e-13])
def test_a_little_of_high_rank_beside_low_rank_is_kept(size, unit):
    noise = size * np.random.default_rng(2).normal(size=(LARGE, LARGE))
    S = gram_of(np.array([1.0, -1.0, 2.0]))[0] + noise + noise.T
    values = signed_eigh(unit * S, 1e-12)[0] / unit
    expected = np.linalg.eigvalsh(S)
    expected = expected[np.abs(expected) > 2e-12]
    assert len(values) == len(expected) > 64
    np.testing.assert_allclose(np.sort(values), expected, atol=1e-14)


def test_signed_features_give_the_matrix_back():
    S = indefinite(9, 5)
    Z, signs = signed_features(*signed_eigh(S, 1e-10))
    np.testing.assert_allclose((Z * signs) @ Z.T, S, atol=1e-12)


def test_nystroem_is_exact_where_landmarks_span_the_rank():
    S = indefinite(20, 5)
    M, signs = nystroem_map(S[:8, :8])
    Z = S[:, :8] @ M
    np.testing.assert_allclose((Z * signs) @ Z.T, S, atol=1e-8)


def test_nystroem_is_its_own_formula():
    S = indefinite(20, 20)
    M, signs = nystroem_map(S[:7, :7])
    Z = S[:, :7] @ M
    np.testing.assert_allclose((Z * signs) @ Z.T, S[:, :7] @ np.linalg.pinv(S[:7, :7]) @ S[:7])


@pytest.mark.parametrize("n", [1, 2, 7, 150])
def test_factor_gram_is_cholesky(n):
    A = np.random.default_rng(0).normal(size=(n, n))
    G = A @ A.T + n * np.eye(n)
    G[np.abs(np.subtract.outer(np.arange(n), np.arange(n))) > 2] = 0  # banded, still dominant
    G += 10 * n * np.eye(n)
    factor = factor_gram(G)
    np.testing.assert_allclose(factor.flatten(np.eye(n)), np.linalg.cholesky(G), atol=1e-9)
    np.testing.assert_allclose(factor.unflatten(factor.flatten(A)), A, atol=1e-9)


def test_factor_gram_refuses_indefinite_matrices():
    with pytest.raises(np.linalg.LinAlgError):
        factor_gram(np.array([[1.0, 2.0], [2.0, 1.0]]))


@pytest.mark.parametrize("n", [1, 2, 5, 33, 64, 100])
def test_factor_columns_is_cholesky_of_the_gram_matrix(n):
    D = difference_matrix(np.arange(n) / 3.0) if n > 1 else sparse.csr_array((1, 1))
    T = sparse.csr_array(sparse.vstack([sparse.eye_array(n), D, D @ D]))
    factor = factor_columns(T)
    expected = np.linalg.cholesky((T.T @ T).toarray())
    np.testing.assert_allclose(factor.flatten(np.eye(n)), expected, atol=1e-10)


def test_factor_columns_survives_what_forming_the_gram_matrix_does_not():
    n = 400
    D = difference_matrix(np.linspace(0, 1, n))
    T = sparse.csr_array(sparse.vstack([sparse.eye_array(n), D, D @ D, D @ D @ D, D @ D @ D @ D]))
    with pytest.raises(np.linalg.LinAlgError):
        factor_gram(sparse.csr_array(T.T @ T))
    v = np.sin(np.linspace(0, 6, n))[None]
    flat = factor_columns(T).flatten(v)
    np.testing.assert_allclose((flat**2).sum(), ((T @ v[0]) ** 2).sum(), rtol=1e-6)
