"""Sparse neural gases and maps of proximities: their exemplars and their measures."""

import numpy as np
import pytest
from scipy.special import softmax
from sklearn.datasets import make_blobs

import noneuclid
from noneuclid.numerics import squared_euclidean
from noneuclid.prototypes import (
    ProximityNeuralGas,
    ProximitySOM,
    assignment_entropy,
    compact,
    description_length,
    exemplars,
    n_exemplars,
    sparsify,
)

X, Y = make_blobs(60, centers=[[0, 0], [6, 0], [3, 5]], random_state=0)
D = squared_euclidean(X, X)
MODELS = {
    "gas": ProximityNeuralGas(n_prototypes=3, proximity="dissimilarity", random_state=0),
    "map": ProximitySOM(shape=(2, 2), proximity="dissimilarity", random_state=0),
    "clipped": ProximityNeuralGas(
        n_prototypes=3, proximity="dissimilarity", correction="clip", random_state=0
    ),
    "kernel": ProximityNeuralGas(n_prototypes=3, metric="rbf", random_state=0),
    "landmarks": ProximityNeuralGas(
        n_prototypes=3, proximity="dissimilarity", n_landmarks=20, random_state=0
    ),
}
DEGREES = [
    {"method": "nearest", "k": 2},
    {"method": "hull", "k": 3},
    {"method": "omp", "k": 3},
    {"method": "meb", "epsilon": 0.1},
]


def given(name):
    return X if name == "kernel" else D


@pytest.fixture(scope="module", params=list(MODELS))
def name(request):
    return request.param


@pytest.fixture(scope="module")
def full(name):
    return MODELS[name].fit(given(name))


@pytest.mark.parametrize("degree", DEGREES, ids=lambda degree: degree["method"])
def test_every_method_gives_a_usable_quantiser(name, full, degree):
    before = full.coefficients_.copy()
    small = sparsify(full, **degree)
    np.testing.assert_array_equal(full.coefficients_, before)
    assert small.coefficients_.shape == before.shape
    assert n_exemplars(small) <= n_exemplars(full)
    P = given(name)
    np.testing.assert_array_equal(small.labels_, small.predict(P))
    assert small.quantization_error(P) < 3 * full.quantization_error(P)
    assert small.prototype_distances().shape == (len(before),) * 2
    if "k" in degree:
        assert (np.count_nonzero(small.coefficients_, axis=1) <= degree["k"]).all()
    if degree["method"] != "omp":
        np.testing.assert_allclose(small.coefficients_.sum(axis=1), 1.0)


def test_the_nearest_objects_are_averaged_and_no_prototype_is_divided():
    full = MODELS["gas"].fit(D)
    distances = full.transform(D)
    small = sparsify(full, method="nearest", k=2)
    for j, gamma in enumerate(small.coefficients_):
        assert set(np.flatnonzero(gamma)) == set(np.argsort(distances[:, j])[:2])
        np.testing.assert_allclose(gamma[gamma > 0], 0.5)
    W = small.coefficients_ @ X
    np.testing.assert_allclose(small.transform(D), squared_euclidean(X, W), atol=1e-9)


def test_exemplars_are_called_by_the_number_of_their_prototype(full):
    found = exemplars(full, 2)
    assert [f.label for f in found] == list(range(len(full.coefficients_)))
    for f, gamma in zip(found, full.coefficients_):
        assert np.abs(gamma[f.objects[0]]) == pytest.approx(np.abs(gamma).max())


def test_measures_are_those_of_their_formulas():
    full = MODELS["gas"].fit(D)
    assert n_exemplars(full) == np.count_nonzero(full.coefficients_) / 3
    distances = full.transform(D)
    P = softmax(-distances / distances.min(axis=1).mean(), axis=1)
    entropy = -(P * np.log(np.maximum(P, 1e-300))).sum(axis=1).mean() / np.log(3)
    assert assignment_entropy(full, D) == pytest.approx(entropy)
    with pytest.raises(TypeError, match="ProximityNeuralGas has no classes"):
        description_length(full, D, Y)


def test_sparse_maps_are_compacted_and_saved(tmp_path):
    full = MODELS["clipped"].fit(D)
    small = compact(sparsify(full, method="hull", k=2), tolerance=0)
    assert len(small.compact_objects_) <= 6
    few = D[:, small.compact_objects_]
    np.testing.assert_array_equal(small.predict(few), sparsify(full, method="hull", k=2).predict(D))
    noneuclid.save(small, tmp_path / "small.skops")
    back = noneuclid.load(tmp_path / "small.skops")
    np.testing.assert_array_equal(back.predict(few), small.predict(few))
    noneuclid.save(full, tmp_path / "full.skops")
    lost = noneuclid.load(tmp_path / "full.skops")
    with pytest.raises(ValueError, match="pass them as P"):
        sparsify(lost, method="nearest", k=1)
    np.testing.assert_array_equal(
        sparsify(lost, D, method="nearest", k=1).labels_,
        sparsify(full, method="nearest", k=1).labels_,
    )
