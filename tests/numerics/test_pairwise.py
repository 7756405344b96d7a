import numpy as np
import pytest
from scipy.spatial.distance import cdist

from noneuclid.numerics import blocked_squared_distance, row_blocks, squared_euclidean
from noneuclid.numerics.pairwise import zero_rounding


@pytest.mark.parametrize(("n", "bytes_per_row", "limit"), [(10, 8, 24), (1, 8, 1), (7, 0, 10)])
def test_blocks_cover_every_row_once(n, bytes_per_row, limit):
    rows = [i for block in row_blocks(n, bytes_per_row, limit) for i in range(n)[block]]
    assert rows == list(range(n))
    assert list(row_blocks(0, 8)) == []


def test_blocks_respect_the_limit():
    assert max(b.stop - b.start for b in row_blocks(100, 8, 80)) == 10


@pytest.mark.parametrize("block_bytes", [1, 500, 10**9])
def test_blocked_distance_does_not_depend_on_the_blocks(block_bytes):
    rng = np.random.default_rng(0)
    X, W = rng.normal(size=(11, 4)), rng.normal(size=(3, 4))
    D = blocked_squared_distance(lambda V: np.abs(V).max(axis=1) ** 2, X, W, block_bytes)
    np.testing.assert_allclose(D, cdist(X, W, "chebyshev") ** 2)


@pytest.mark.parametrize("scale", [1e-150, 1.0, 1e150])
def test_euclidean_is_scipys(scale):
    rng = np.random.default_rng(0)
    X, W = rng.normal(size=(31, 6)), rng.normal(size=(8, 6))
    D = squared_euclidean(scale * X, scale * W) / scale / scale
    np.testing.assert_allclose(D, cdist(X, W, "sqeuclidean"), rtol=1e-10)


@pytest.mark.parametrize("distance", [1e-3, 1e-7, 1e-11, 0.0])
def test_nearly_equal_rows_far_from_the_origin(distance):
    X = 100.0 + np.random.default_rng(0).normal(size=(5, 3))
    W = X + distance * np.array([0.6, 0.8, 0.0])
    exact = ((X[:, None] - W) ** 2).sum(axis=2)
    D = squared_euclidean(X, W)
    np.testing.assert_allclose(np.diag(D), np.diag(exact), rtol=1e-2, atol=1e-26)
    assert (D >= 0).all()


@pytest.mark.parametrize(("n", "d"), [(3, 2), (40, 5), (300, 7), (500, 5), (400, 33)])
@pytest.mark.parametrize("twins", [False, True])
def test_rows_and_themselves_are_symmetric_to_the_last_bit(n, d, twins):
    """Whatever the kernel of the matrix product: that for AVX-512 is not."""
    X = np.random.default_rng(0).normal(size=(n, d))
    if twins:  # pairs that cancel
        X[n // 2 :] = X[: n - n // 2] * (1.0 + 1e-9)
    D = squared_euclidean(X, X)
    np.testing.assert_array_equal(D, D.T)
    np.testing.assert_allclose(D, cdist(X, X, "sqeuclidean"), rtol=1e-9, atol=1e-24)


def test_no_rows_or_columns():
    assert squared_euclidean(np.empty((0, 3)), np.ones((2, 3))).shape == (0, 2)
    assert squared_euclidean(np.ones((2, 0)), np.ones((3, 0))).tolist() == [[0.0] * 3] * 2


def test_rounding_is_set_to_zero_in_few_numbers_as_in_many():
    rng = np.random.default_rng(0)
    D, squares = 1e-15 * rng.normal(size=(3000, 2)), rng.random(3000)
    many, few = D.copy(), D.copy()
    zero_rounding(many, squares, 3)
    for rows in (slice(0, 1500), slice(1500, 3000)):
        zero_rounding(few[rows], squares[rows], 3)
    np.testing.assert_array_equal(few, many)
    assert 0 < (many == 0).sum() < many.size
