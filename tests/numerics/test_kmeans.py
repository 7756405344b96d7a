import numpy as np
import pytest
from sklearn.cluster import KMeans

from noneuclid.numerics import squared_euclidean
from noneuclid.numerics.kmeans import relational_kmeans


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("k", [1, 2, 5])
def test_relational_kmeans_is_kmeans(seed, k):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 3)) + 3 * rng.integers(0, 2, size=(40, 1))
    seeds = rng.choice(40, k, replace=False)
    inertia, labels = relational_kmeans(squared_euclidean(X, X), seeds, 100)
    expected = KMeans(k, init=X[seeds], n_init=1, max_iter=100, tol=0, algorithm="lloyd").fit(X)
    assert inertia == pytest.approx(expected.inertia_)
    np.testing.assert_array_equal(labels, expected.labels_)


def test_empty_clusters_take_the_farthest_object():
    X = np.array([[0.0], [0.0], [0.0], [1.0], [9.0]])
    _, labels = relational_kmeans(squared_euclidean(X, X), np.array([0, 1, 2]), 100)
    assert set(labels) == {0, 1, 2}
    assert (labels[4] != labels[:4]).all()


def test_indefinite_distances_end():
    Z = np.random.default_rng(0).normal(size=(30, 4))
    S = Z * [1, 1, -1, -1] @ Z.T
    D = np.diag(S)[:, None] + np.diag(S) - 2 * S
    inertia, labels = relational_kmeans(D, np.array([0, 1, 2]), 50)
    assert np.isfinite(inertia)
    assert set(labels) == {0, 1, 2}
