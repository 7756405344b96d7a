"""Features by a Cholesky factor against those along eigenvectors: the same products."""

import numpy as np
import pytest

from noneuclid.kernels import Gaussian, Linear
from noneuclid.numerics import nystroem_map, triangular_map
from noneuclid.proximities import NystroemEmbedding, Relation


@pytest.fixture
def X():
    return np.random.default_rng(0).normal(size=(80, 5))


@pytest.mark.parametrize("m", [1, 2, 20])
def test_both_maps_give_the_same_products(X, m):
    K = Gaussian(width=1.0)(X)
    M, (along, signs) = triangular_map(K[:m, :m]), nystroem_map(K[:m, :m])
    assert (signs == 1).all()
    np.testing.assert_array_equal(M, np.triu(M))
    Z, of_axes = K[:, :m] @ M, K[:, :m] @ along
    np.testing.assert_allclose(Z @ Z.T, of_axes @ of_axes.T, rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    "K",
    [
        np.array([[1.0, 2.0], [2.0, 1.0]]),
        np.ones((3, 3)),
        -np.eye(2),
        np.zeros((2, 2)),
        np.diag([1.0, 1e-11]),
        np.array([[1.0, 1.0 - 1e-12], [1.0 - 1e-12, 1.0]]),
    ],
    ids=["indefinite", "of rank 1", "negative", "zero", "nearly of rank 1", "nearly equal"],
)
def test_what_has_no_good_factor_has_none(K):
    assert triangular_map(K) is None


@pytest.mark.parametrize("scale", [1e-150, 1.0, 1e150])
def test_the_size_of_similarities_is_no_matter(X, scale):
    K = Gaussian(width=1.0)(X)
    np.testing.assert_allclose(triangular_map(scale * K) * np.sqrt(scale), triangular_map(K))


def test_relations_have_the_similarities_of_an_embedding(X):
    """Where the factor is good it is used, and features of new objects are by the same map."""
    chosen = {"n_landmarks": 20, "random_state": 0}
    relation = Relation(Gaussian(width=1.0), proximity="similarity", **chosen).fit(X)
    embedding = NystroemEmbedding(metric=Gaussian(width=1.0), proximity="similarity", **chosen)
    V = embedding.fit_transform(X)
    features = relation._fitted.features
    assert features._is_triangular
    assert not embedding._features._is_triangular
    np.testing.assert_array_equal(relation.landmark_indices_, embedding.landmark_indices_)
    np.testing.assert_allclose(relation.chart.similarities(), V @ V.T, rtol=0, atol=1e-10)
    new = X[:7] + 0.1
    products = relation.to(new)[0]
    np.testing.assert_allclose(products, embedding.transform(new) @ V.T, rtol=0, atol=1e-10)
    rows = features.proximities(new)
    np.testing.assert_allclose(features(rows), rows @ features.map, rtol=0, atol=1e-10)


@pytest.mark.parametrize("kernel", [Linear(), Gaussian(width=300.0)])
def test_of_low_rank_features_are_along_axes(X, kernel):
    """A kernel of rank 5, and one that is nearly constant: both have fewer than 20 directions."""
    relation = Relation(kernel, proximity="similarity", n_landmarks=20, random_state=0).fit(X)
    assert not relation._fitted.features._is_triangular
    assert relation.chart.Z.shape[1] < 20
    np.testing.assert_allclose(relation.chart.similarities(), kernel(X), rtol=0, atol=1e-6)
