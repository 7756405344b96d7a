"""Kernel components of many objects: products instead of powers, and one matrix at a time."""

import tracemalloc

import numpy as np
import pytest
from scipy import linalg

from noneuclid.kernels import Gaussian
from noneuclid.pca import BanachKernelPCA, GeneralizedKernelPCA, KernelHebbianPCA
from noneuclid.pca.kernel_components import NOT_POSITIVE, _has_factor, leading_right_vectors

N = 400
RNG = np.random.default_rng(0)
ROWS = RNG.normal(size=(N, 5))
KERNEL = Gaussian(width=2.0)


@pytest.mark.parametrize("n", [30, 300])
def test_right_vectors_are_those_of_the_singular_value_decomposition(n):
    K = RNG.normal(size=(n, n)) * 0.95 ** np.arange(n)
    values, vectors = leading_right_vectors(K, 5)
    _, singular, right = linalg.svd(K)
    np.testing.assert_allclose(values, singular[:5] ** 2 / n, rtol=1e-9)
    np.testing.assert_allclose(np.abs(np.sum(right[:5] * vectors.T, axis=1)), 1.0, atol=1e-7)


@pytest.mark.parametrize("rank", [0, 3])
def test_right_vectors_of_too_low_a_rank(rank):
    K = RNG.normal(size=(300, rank)) @ RNG.normal(size=(rank, 300))
    values, vectors = leading_right_vectors(K, 6)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(6), atol=1e-9)
    np.testing.assert_allclose(values[rank:], 0.0, atol=1e-9)


def test_components_of_a_kernel_that_is_not_symmetric():
    K = KERNEL(ROWS) * (1.0 + 0.1 * RNG.random((N, N)))
    given = K.copy()
    model = BanachKernelPCA(kernel="precomputed", n_components=4).fit(K)
    np.testing.assert_array_equal(K, given)  # it is the user's
    centred = K - K.mean(axis=0)
    singular = linalg.svdvals(centred)
    np.testing.assert_allclose(model.explained_variance_, singular[:4] ** 2 / N, rtol=1e-9)
    share = singular[:4] ** 2 / (singular**2).sum()
    np.testing.assert_allclose(model.explained_variance_ratio_, share, rtol=1e-9)


@pytest.mark.parametrize("shift", [0.0, -0.5])
def test_a_look_for_a_factor_leaves_the_matrix_alone(shift):
    K = KERNEL(ROWS) + shift * np.eye(N)
    looked_at = K.copy()
    assert _has_factor(looked_at) == (shift == 0.0)
    np.testing.assert_array_equal(looked_at, K)
    if shift:
        model = GeneralizedKernelPCA(kernel="precomputed", objective="l1")
        with pytest.raises(ValueError, match=NOT_POSITIVE[:20]):
            model.fit(K)


MODELS = {
    "l2": GeneralizedKernelPCA(objective="l2"),
    "l1": GeneralizedKernelPCA(objective="l1", max_iter=3),
    "tanh": GeneralizedKernelPCA(objective="tanh", max_iter=3),
    "Hebbian": KernelHebbianPCA(max_iter=1),
    "Banach": BanachKernelPCA(),
}


@pytest.mark.filterwarnings("ignore")  # they stop early
@pytest.mark.parametrize("kernel", [KERNEL, "precomputed"], ids=["rows", "matrix"])
@pytest.mark.parametrize("name", MODELS)
def test_a_fit_holds_one_matrix(name, kernel):
    model = MODELS[name].set_params(kernel=kernel)
    n = 900
    rows = np.random.default_rng(1).normal(size=(n, 5))
    X = rows if kernel is KERNEL else KERNEL(rows)
    model.fit(X)  # what is compiled or imported is not counted
    tracemalloc.start()
    try:
        model.fit(X)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 1.5 * 8 * n**2


@pytest.mark.parametrize(
    "model",
    [
        GeneralizedKernelPCA(kernel="precomputed", objective="l2"),
        GeneralizedKernelPCA(kernel="precomputed", objective="lp", p=2),
        KernelHebbianPCA(kernel="precomputed", random_state=0),
    ],
    ids=str,
)
def test_matrices_that_are_not_positive_are_refused_by_all(model):
    S = np.tanh(ROWS[:30] @ ROWS[:30].T - 1.0)
    for wrong in (S, -np.eye(12) - 0.1):
        with pytest.raises(ValueError, match=NOT_POSITIVE):
            model.fit(wrong)
    model.fit(KERNEL(ROWS[:30]))


def test_what_centring_makes_positive_has_squared_components():
    """Minus a distance of negative type is positive on differences: Schoenberg."""
    X = ROWS[:30]
    K = -np.abs(X[:, None] - X).sum(axis=2)
    H = np.eye(30) - 1 / 30
    expected = np.linalg.eigvalsh(H @ K @ H)[::-1][:2]
    model = GeneralizedKernelPCA(kernel="precomputed", objective="l2").fit(K)
    np.testing.assert_allclose((model.transform(K) ** 2).sum(axis=0), expected, rtol=1e-8)
