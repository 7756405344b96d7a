"""Compiled clustering of distances against the plain form, and against scikit-learn's k-means."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.cluster import KMeans

from noneuclid.numerics import first_argmin
from noneuclid.numerics.lloyd import relational_lloyd
from noneuclid.prototypes.starts.classes import _cluster_means, _lloyd
from noneuclid.prototypes.starts.common import kmeans_seeds


def seeds_of(D, k, starts, seed):
    rng = np.random.RandomState(seed)
    return np.array([kmeans_seeds(D, k, rng) for _ in range(starts)])


@pytest.mark.parametrize(("n", "k"), [(60, 2), (61, 5), (7, 7), (2, 1)])
@pytest.mark.parametrize("kind", ["vectors", "duplicates", "indefinite", "zero"])
def test_the_compiled_form_is_the_plain_one(n, k, kind):
    rng = np.random.default_rng(n)
    X = rng.normal(size=(n, 3))
    X = (
        X[rng.integers(min(n, 3), size=n)] if kind == "duplicates" else X
    )  # some clusters stay empty
    D = cdist(X, X, "sqeuclidean")
    if kind == "indefinite":
        D -= 0.5 * cdist(X[:, :1], X[:, :1], "sqeuclidean") + 1.0
        np.fill_diagonal(D, 0.0)
    D = np.zeros_like(D) if kind == "zero" else D
    seeds = seeds_of(D, k, 4, 0)
    labels, costs = relational_lloyd(D, seeds, 50)
    np.testing.assert_allclose(_cluster_means(labels[first_argmin(costs)], k), _lloyd(D, seeds))


@pytest.mark.parametrize("size", [1e-300, 1.0, 1e303])
def test_sums_of_what_moved_are_those_of_all(size):
    X = np.random.default_rng(4).normal(size=(400, 5))
    D = cdist(X, X, "sqeuclidean")
    seeds = seeds_of(D, 6, 5, 2)
    labels, costs = relational_lloyd(D, seeds, 50)
    expected = _cluster_means(labels[first_argmin(costs)], 6)
    np.testing.assert_allclose(_lloyd(size * D, seeds), expected)


@pytest.mark.parametrize("kind", ["far apart", "duplicates", "zero", "negative"])
def test_seeds_are_those_of_the_choice_of_numpy(kind):
    X = np.random.default_rng(5).normal(size=(30, 2)) * (1e120 if kind == "far apart" else 1.0)
    D = cdist(*2 * [X[np.arange(30) % 4] if kind == "duplicates" else X], "sqeuclidean")
    D = {"zero": 0.0 * D, "negative": D - 2.0}.get(kind, D)
    rng, expected = np.random.RandomState(3), []
    for _ in range(6):
        nearest = np.maximum(D[expected].min(axis=0), 0.0) if expected else np.ones(30)
        nearest[expected] = 0.0
        if not nearest.any():
            nearest = np.where(np.isin(np.arange(30), expected), 0.0, 1.0)
        chance = nearest / nearest.sum()
        expected.append(rng.choice(30, p=chance) if expected else rng.randint(30))
    np.testing.assert_array_equal(kmeans_seeds(D, 6, np.random.RandomState(3)), expected)


def test_clusters_of_vectors_are_those_of_kmeans():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 2)) + 6.0 * np.array([[0, 0], [1, 0], [0, 1]])[np.arange(150) % 3]
    D = cdist(X, X, "sqeuclidean")
    seeds = seeds_of(D, 3, 5, 1)
    labels, costs = relational_lloyd(D, seeds, 50)
    peer = KMeans(3, init=X[seeds[0]], n_init=1).fit(X)
    np.testing.assert_array_equal(labels[0], peer.labels_)
    np.testing.assert_allclose(costs[0], peer.inertia_)
