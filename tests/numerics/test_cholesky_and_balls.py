"""Features by pivoted Cholesky, and enclosing balls: what they promise for any matrix."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from noneuclid.kernels import Gaussian
from noneuclid.numerics import threads
from noneuclid.numerics.cholesky import RankTooHigh, pivoted_features
from noneuclid.numerics.meb import enclosing_ball


def features(K, **options):
    return pivoted_features(lambda i, j: K[i][:, j], np.diag(K), **options)


@pytest.mark.parametrize(("n", "rank"), [(5, 1), (40, 7), (200, 90), (150, 150)])
def test_features_of_low_rank_are_exact(n, rank):
    X = np.random.default_rng(rank).normal(size=(n, rank))
    K = X @ X.T
    Z, pivots = features(K)
    assert Z.shape == (n, rank)
    assert len(np.unique(pivots)) == rank
    np.testing.assert_allclose(Z @ Z.T, K, atol=1e-9 * np.abs(K).max())
    np.testing.assert_allclose(Z[pivots[0]] @ Z[pivots[0]], K[pivots[0], pivots[0]])


@pytest.mark.parametrize("cutoff", [1e-2, 1e-5, 1e-9])
def test_the_rest_is_below_the_cutoff(cutoff):
    X = np.random.default_rng(0).normal(size=(120, 2))
    K = 7.0 * np.exp(-cdist(X, X, "sqeuclidean"))
    Z, _ = features(K, cutoff=cutoff)
    rest = K - Z @ Z.T
    assert np.abs(rest).max() <= cutoff * 7.0 * (1 + 1e-9) + 1e-12
    assert np.linalg.eigvalsh(rest).min() >= -1e-9  # what is left is positive, too
    assert len(Z.T) < 120


@pytest.mark.parametrize(("d", "width"), [(1, 0.5), (1, 2.0), (2, 0.5), (2, 1.0), (3, 0.5)])
def test_smooth_kernels_of_many_rows_are_known_to_the_last_digits(d, width):
    """The first rows of such a kernel tell so much of each other that rounding is left of some."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1200, d)) @ rng.normal(size=(d, 20))
    squares = cdist(X, X, "sqeuclidean")
    K = np.exp(-squares / (2.0 * width**2 * np.median(squares)))
    Z, _ = features(K)
    assert np.abs(K - Z @ Z.T).max() <= 1.01e-12


def test_copies_and_zeros_need_no_features_of_their_own():
    X = np.repeat(np.random.default_rng(0).normal(size=(4, 3)), 5, axis=0)
    Z, _ = features(X @ X.T)
    assert Z.shape == (20, 3)
    Z, pivots = features(np.zeros((6, 6)))
    assert Z.shape == (6, 0)
    assert len(pivots) == 0


def test_a_rank_that_is_too_high_is_noticed():
    X = np.random.default_rng(0).normal(size=(60, 9))
    K = X @ X.T
    assert features(K, max_rank=9)[0].shape == (60, 9)
    with pytest.raises(RankTooHigh):
        features(K, max_rank=8)
    # A spectrum that hardly falls is given up before all of it is done.
    asked = []

    def entries(i, j):
        asked.extend(i)
        return np.eye(2000)[i][:, j]

    with pytest.raises(RankTooHigh):
        pivoted_features(entries, np.ones(2000), max_rank=1500)
    assert len(asked) < 1500


@pytest.mark.parametrize("spread", [100.0, 300.0])
@pytest.mark.parametrize("seed", range(3))
def test_features_of_clusters_far_apart_are_as_exact_as_the_kernel(spread, seed):
    """Of rounding in the kernel's values, some 10⁻¹⁰, not half an entry is made."""
    rng = np.random.default_rng(seed)
    X = (spread * rng.normal(size=(5, 3)))[rng.integers(5, size=800)]
    X = X + 0.3 * rng.normal(size=X.shape)
    kernel = Gaussian(width=1.0)
    Z, _ = pivoted_features(lambda i, j: kernel(X[i], X[j]), kernel.diag(X))
    K = np.exp(-((X[:, None] - X[None]) ** 2).sum(axis=2) / 2)
    assert np.abs(Z @ Z.T - K).max() < 1e-6


def test_features_of_many_samples_take_all_threads_where_products_are_large(monkeypatch):
    X = np.random.default_rng(0).normal(size=(300, 120))
    K = X @ X.T
    few = features(K)[0]
    monkeypatch.setattr(threads, "_WORTH_THREADS", 1 << 18)  # after the first block
    many = features(K)[0]
    assert few.shape == many.shape == (300, 120)
    for Z in (few, many):
        np.testing.assert_allclose(Z @ Z.T, K, atol=1e-11 * K.max())


@pytest.mark.parametrize("share", [0.3, 1.0])
def test_features_of_a_smooth_kernel_are_exact(share):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 1)) @ rng.normal(size=(1, 20))
    kernel = Gaussian(width=share * Gaussian(width="median").resolve(X).width)
    Z, _ = pivoted_features(lambda i, j: kernel(X[i], X[j]), kernel.diag(X))
    K = np.exp(-((X[:, None] - X[None]) ** 2).sum(axis=2) / (2 * kernel.width**2))
    assert np.abs(Z @ Z.T - K).max() < 4e-12


def test_the_ball_of_a_few_points_is_known():
    for points, centre, radius in (
        ([[0.0, 0.0], [2.0, 0.0]], [1.0, 0.0], 1.0),
        ([[0.0, 0.0], [2.0, 0.0], [1.0, 0.5]], [1.0, 0.0], 1.0),  # the third lies inside
        ([[0.0, 0.0], [4.0, 0.0], [0.0, 3.0]], [2.0, 1.5], 2.5),  # Thales
        ([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(0.75)]], [0.5, np.sqrt(1 / 12)], np.sqrt(1 / 3)),
        ([[3.0, 4.0]], [3.0, 4.0], 0.0),
        ([[3.0, 4.0], [3.0, 4.0]], [3.0, 4.0], 0.0),
    ):
        X = np.array(points)
        alpha, radius2 = enclosing_ball(X @ X.T, 1e-12, 100_000)
        assert alpha.min() >= 0
        assert alpha.sum() == pytest.approx(1.0)
        np.testing.assert_allclose(alpha @ X, centre, atol=1e-5)
        assert np.sqrt(radius2) == pytest.approx(radius, abs=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_no_point_lies_outside_and_no_smaller_ball_holds_all(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(30, 3))
    alpha, radius2 = enclosing_ball(X @ X.T, 1e-9, 100_000)
    reach = ((X - alpha @ X) ** 2).sum(axis=1)
    assert reach.max() <= radius2 * (1 + 1e-6)
    # Only points on the surface carry weight, and any other centre is farther from one of them.
    np.testing.assert_allclose(reach[alpha > 1e-6], radius2, rtol=1e-4)
    for other in alpha @ X + 0.1 * rng.normal(size=(20, 3)):
        assert ((X - other) ** 2).sum(axis=1).max() >= radius2 * (1 - 1e-9)
