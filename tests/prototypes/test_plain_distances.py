"""Dissimilarities stand for squared distances, unless they are said to be plain."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.base import clone

import noneuclid
from noneuclid.prototypes import (
    KernelGLVQ,
    MedianLVQ,
    ProximityLVQ,
    ProximityNeuralGas,
    ProximityRegressor,
    ProximitySOM,
    RelationalGLVQ,
    RelationalRSLVQ,
)

D = {"proximity": "dissimilarity"}
MODELS = [
    ProximityLVQ(**D, max_epochs=5, random_state=0),
    RelationalGLVQ(max_epochs=5, random_state=0),
    RelationalGLVQ(n_landmarks=12, max_epochs=5, random_state=0),
    RelationalRSLVQ(max_epochs=5, random_state=0),
    MedianLVQ(random_state=0),
    ProximityNeuralGas(n_prototypes=3, max_epochs=5, random_state=0, **D),
    ProximitySOM(shape=(2, 2), max_epochs=5, random_state=0, **D),
    ProximityRegressor(n_prototypes=3, random_state=0, **D),
]


@pytest.fixture(scope="module")
def points():
    rng = np.random.default_rng(0)
    y = np.arange(40) % 2
    return rng.normal(size=(40, 3)) + 2.0 * y[:, None], y


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_plain_ones_are_squared_on_entry(model, points, tmp_path):
    X, y = points
    plain = cdist(X, X)
    squared = clone(model).set_params(metric="precomputed").fit(plain[:30, :30] ** 2, y[:30])
    given = clone(model).set_params(metric="precomputed", squared=False)
    given.fit(plain[:30, :30], y[:30])
    computed = clone(model).set_params(metric="euclidean", squared=False).fit(X[:30], y[:30])
    expected = squared.transform(plain[30:, :30] ** 2)
    np.testing.assert_allclose(given.transform(plain[30:, :30]), expected, atol=1e-9)
    np.testing.assert_allclose(computed.transform(X[30:]), expected, atol=1e-6)
    noneuclid.save(given, tmp_path / "model.skops")
    again = noneuclid.load(tmp_path / "model.skops")
    np.testing.assert_allclose(again.transform(plain[30:, :30]), expected, atol=1e-9)


@pytest.mark.parametrize("squared", ["auto", True])
def test_else_they_are_taken_as_they_come(points, squared):
    X, y = points
    plain = cdist(X, X)
    named = RelationalGLVQ(metric="euclidean", squared=squared, random_state=0).fit(X, y)
    given = RelationalGLVQ(metric="precomputed", random_state=0).fit(plain, y)
    np.testing.assert_allclose(named.transform(X), given.transform(plain), atol=1e-9)


def test_what_is_refused(points):
    X, y = points
    with pytest.raises(ValueError, match="squared=False is about distances"):
        ProximityLVQ(squared=False).fit(X @ X.T, y)
    with pytest.raises(ValueError, match=r"squared \(='no'\) must be"):
        RelationalGLVQ(squared="no").fit(X, y)
    with pytest.raises(ValueError, match="takes plain distances, and one is -1"):
        RelationalGLVQ(metric="precomputed", squared=False).fit(-np.ones((40, 40)), y)
    with pytest.raises(ValueError, match="Invalid parameter 'squared'"):
        KernelGLVQ().set_params(squared=False)
