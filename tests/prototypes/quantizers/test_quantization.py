"""What neural gas and maps must satisfy, whatever the geometry."""

import tracemalloc

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits, make_blobs

from noneuclid.kernels import Gaussian
from noneuclid.numerics import squared_euclidean
from noneuclid.prototypes import (
    Grid,
    NeuralGas,
    ProximityNeuralGas,
    ProximitySOM,
    SelfOrganizingMap,
)
from noneuclid.prototypes.costs.neighbourhoods import GridNeighbourhood, RankNeighbourhood
from noneuclid.prototypes.geometries.combinations import DissimilarityGeometry, SimilarityGeometry
from noneuclid.prototypes.geometries.features import FeatureGeometry
from noneuclid.prototypes.geometries.vectors import VectorGeometry
from noneuclid.prototypes.solvers.annealing import Annealing
from noneuclid.prototypes.solvers.batch import Batch
from noneuclid.prototypes.solvers.online import Online
from noneuclid.spaces import Euclidean, Sobolev

X = make_blobs(150, centers=5, n_features=4, random_state=0)[0]
S, D = X @ X.T, squared_euclidean(X, X)
KINDS = [("similarity", S), ("dissimilarity", D)]
PAIRS = [
    (NeuralGas, ProximityNeuralGas, {"n_prototypes": 9}),
    (SelfOrganizingMap, ProximitySOM, {"shape": (3, 4)}),
    (SelfOrganizingMap, ProximitySOM, {"shape": (4, 3), "topology": "hex"}),
    (SelfOrganizingMap, ProximitySOM, {"shape": (4, 3), "topology": "hex", "toroidal": True}),
]


@pytest.mark.parametrize("solver", ["batch", "online"])
@pytest.mark.parametrize(("proximity", "P"), KINDS, ids=["similarity", "dissimilarity"])
@pytest.mark.parametrize(("vector", "relational", "params"), PAIRS)
def test_proximities_of_vectors_give_the_same_as_vectors(
    vector, relational, params, proximity, P, solver
):
    params = {**params, "solver": solver, "max_epochs": 15, "random_state": 3}
    one = vector(**params).fit(X)
    other = relational(proximity=proximity, **params).fit(P)
    np.testing.assert_allclose(other.coefficients_ @ X, one.prototypes_, atol=1e-8)
    np.testing.assert_allclose(other.coefficients_.sum(axis=1), 1.0)
    np.testing.assert_allclose(other.loss_curve_, one.loss_curve_, rtol=1e-8)
    np.testing.assert_array_equal(other.labels_, one.labels_)
    if proximity == "dissimilarity":
        np.testing.assert_allclose(other.transform(P), one.transform(X), atol=1e-7)
        assert other.quantization_error(P) == pytest.approx(one.quantization_error(X))
    np.testing.assert_array_equal(other.predict(P), one.predict(X))


@pytest.mark.parametrize(("vector", "relational", "params"), PAIRS[:2])
def test_all_landmarks_give_the_same_as_none(vector, relational, params):
    params = {**params, "max_epochs": 12, "random_state": 0}
    for solver in ("batch", "online"):
        whole = relational(proximity="dissimilarity", solver=solver, **params).fit(D)
        low_rank = relational(
            proximity="dissimilarity", n_landmarks=150, solver=solver, **params
        ).fit(D)
        np.testing.assert_allclose(low_rank.coefficients_ @ X, whole.coefficients_ @ X, atol=1e-6)
        np.testing.assert_array_equal(low_rank.predict(D), whole.predict(D))
    few = relational(proximity="dissimilarity", n_landmarks=20, **params).fit(D)
    assert len(few.landmark_indices_) == 20
    np.testing.assert_array_equal(few.predict(D), few.predict(D[:, few.landmark_indices_]))
    assert few.quantization_error(D) < 1.1 * whole.quantization_error(D)


def geometries():
    indefinite = X * [1.0, 1.0, 1.0, 0.0] @ X.T
    return {
        "vectors": (VectorGeometry(Euclidean(), X), X[:6]),
        "sobolev": (VectorGeometry(Sobolev(), X), X[:6]),
        "similarity": (SimilarityGeometry(S, "affine"), np.eye(150)[:6]),
        "singular": (SimilarityGeometry(indefinite, "affine"), np.eye(150)[:6]),
        "dissimilarity": (DissimilarityGeometry(D, "affine"), np.eye(150)[:6]),
        "features": (FeatureGeometry(X.copy(), 4, "affine"), np.eye(150)[:6]),
    }


NEIGHBOURHOODS = {"gas": RankNeighbourhood(6), "map": GridNeighbourhood(Grid((2, 3), "hex"))}


@pytest.mark.parametrize("near", NEIGHBOURHOODS)
@pytest.mark.parametrize("name", list(geometries()))
def test_costs_never_increase_at_a_fixed_neighbourhood(name, near):
    geometry, start = geometries()[name]
    for width in (0.0, 0.01, 0.4, 1.0, 4.0):
        fixed = Annealing(width, width, "constant")
        solver = Batch(width=fixed, max_epochs=60, tol=0.0)
        result = solver.run(geometry, NEIGHBOURHOODS[near], geometry.state(start))
        steps = np.diff(result.loss_curve)
        assert len(steps) > 0
        assert (steps <= 1e-12 * result.loss_curve[0]).all()
        assert len(result.loss_curve) < 60  # and it arrives


class OneByOne:
    """The geometry without its compiled steps."""

    def __init__(self, geometry):
        self.geometry = geometry
        self.n_samples = geometry.n_samples
        self.distances, self.step = geometry.distances, geometry.step

    def settle(self, theta):
        """Nothing is left to do."""


@pytest.mark.parametrize("near", NEIGHBOURHOODS)
@pytest.mark.parametrize("name", list(geometries()))
def test_compiled_steps_are_the_literal_ones(name, near):
    geometry, start = geometries()[name]
    results = []
    for how in (geometry, OneByOne(geometry)):
        solver = Online(width=Annealing(3.0, 0.05), rate=Annealing(0.5, 0.05), max_epochs=2)
        rng = np.random.RandomState(0)
        result = solver.run(how, NEIGHBOURHOODS[near], geometry.state(start), rng)
        results.append(
            (geometry.distances(result.theta), result.theta.parameters, result.loss_curve)
        )
    np.testing.assert_allclose(results[0][0], results[1][0], atol=1e-9)
    np.testing.assert_allclose(results[0][1], results[1][1], atol=1e-10)
    np.testing.assert_allclose(results[0][2], results[1][2], rtol=1e-9)


def test_a_step_is_the_published_one():
    start = X[:3].copy()
    model = NeuralGas(
        n_prototypes=3,
        solver="online",
        init=start,
        width=2.0,
        schedule="constant",
        learning_rate=0.3,
        max_epochs=1,
        shuffle=False,
    ).fit(X[10:12])
    W = start.copy()
    for x in X[10:12]:
        ranks = np.argsort(np.argsort(((x - W) ** 2).sum(axis=1)))
        W += 0.3 * np.exp(-ranks / 2.0)[:, None] * (x - W)
    np.testing.assert_allclose(model.prototypes_, W, rtol=1e-12)


@pytest.mark.parametrize(
    "model",
    [
        NeuralGas(n_prototypes=5, max_epochs=4, shuffle=False, random_state=0),
        SelfOrganizingMap(shape=(2, 3), max_epochs=4, shuffle=False, random_state=0),
    ],
)
def test_partial_fit_goes_along_the_same_annealing(model):
    whole = type(model)(**{**model.get_params(), "solver": "online"}).fit(X)
    for _ in range(4):
        model.partial_fit(X)
    np.testing.assert_allclose(model.prototypes_, whole.prototypes_, atol=1e-10)
    np.testing.assert_allclose(model.loss_curve_, whole.loss_curve_)
    assert model.n_iter_ == 4
    before = model.prototypes_.copy()
    model.partial_fit(X[:10])  # beyond the end: small steps, of the nearest only
    moved = (model.prototypes_ != before).any(axis=1)
    assert 0 < moved.sum() <= 6
    assert np.abs(model.prototypes_ - before).max() < 0.2
    assert len(model.labels_) == 10


def test_neural_gas_reaches_what_k_means_reaches():
    Z = load_digits().data / 16
    ours = NeuralGas(n_prototypes=100, random_state=0).fit(Z)
    means = KMeans(100, n_init=1, random_state=0).fit(Z)
    assert -ours.score(Z) < 1.1 * means.inertia_ / len(Z)
    assert ours.quantization_error(Z) < 1.1 * np.sqrt((means.transform(Z) ** 2).min(axis=1)).mean()
    at_zero = NeuralGas(
        n_prototypes=100, schedule="constant", width=0.0, init=means.cluster_centers_
    ).fit(Z)
    assert -at_zero.score(Z) <= means.inertia_ / len(Z) + 1e-9


def test_maps_keep_neighbours_together():
    rng = np.random.default_rng(0)
    square = rng.random((800, 2))
    for topology in ("grid", "hex"):
        for solver in ("batch", "online"):
            model = SelfOrganizingMap(
                shape=(8, 8), topology=topology, solver=solver, random_state=0
            ).fit(square)
            assert model.topographic_error(square) < 0.1
            assert model.quantization_error(square) < 0.07
    angles = rng.random(600) * 2 * np.pi
    ring = np.column_stack([np.cos(angles), np.sin(angles)])
    torus = SelfOrganizingMap(shape=(1, 20), toroidal=True, random_state=0).fit(ring)
    phases = np.unwrap(np.arctan2(*torus.prototypes_.T))
    assert abs(abs(phases[-1] - phases[0]) - 2 * np.pi * 19 / 20) < 0.2


def test_positions_are_those_of_the_winners():
    model = SelfOrganizingMap(shape=(3, 4), topology="hex", random_state=0).fit(X)
    np.testing.assert_array_equal(model.positions(X), model.grid_.positions[model.labels_])


def test_topographic_error_counts_by_hand():
    model = SelfOrganizingMap(
        shape=(1, 3), init=[[0.0], [10.0], [1.0]], width=0.0, schedule="constant", max_epochs=1
    ).fit([[0.0], [10.0], [1.0]])
    # 0.4: nearest units 0 and 2, which do not touch; 9: units 1 and 2, which do.
    assert model.topographic_error([[0.4], [9.0]]) == 0.5
    single = SelfOrganizingMap(shape=(1, 1)).fit(X)
    assert single.topographic_error(X) == 0.0
    np.testing.assert_allclose(single.prototypes_, X.mean(axis=0)[None])


def test_kernels_and_corrections():
    kernel = Gaussian(width=3.0)
    direct = ProximityNeuralGas(n_prototypes=5, metric=kernel, random_state=0).fit(X)
    given = ProximityNeuralGas(n_prototypes=5, random_state=0).fit(kernel(X))
    np.testing.assert_allclose(direct.coefficients_, given.coefficients_)
    np.testing.assert_allclose(direct.transform(X), given.transform(kernel(X)), atol=1e-12)
    signs = np.array([1, 1, 1, -1.0])
    indefinite = X * signs @ X.T
    clipped = ProximityNeuralGas(n_prototypes=5, correction="clip", random_state=0).fit(indefinite)
    assert (np.diff(clipped.loss_curve_)[-5:] <= 1e-9).all()
    assert tuple(clipped.signature_)[:2] == (3, 1)
    raw = ProximityNeuralGas(n_prototypes=5, random_state=0).fit(indefinite)
    assert np.isfinite(raw.coefficients_).all()
    assert (raw.predict(indefinite) == raw.labels_).all()


def test_objects_with_a_metric():
    words = ["ACGTACGT", "ACGTACGA", "ACGTCCGT", "TTGACCAA", "TTGACCAT", "TTGGCCAA"]
    params = {"proximity": "dissimilarity", "random_state": 0}
    by_name = ProximitySOM(shape=(1, 2), metric="levenshtein", **params).fit(words)
    assert len(set(by_name.labels_[:3])) == len(set(by_name.labels_[3:])) == 1
    assert by_name.labels_[0] != by_name.labels_[3]
    by_length = ProximityNeuralGas(n_prototypes=2, metric=differing_letters, **params).fit(words)
    assert by_length.predict(["ACGTACCC"])[0] == by_length.labels_[0]


def differing_letters(a, b):
    return float(sum(x != y for x, y in zip(a, b)))


@pytest.mark.parametrize(
    "model", [ProximityNeuralGas(n_prototypes=5), ProximitySOM(shape=(2, 3))], ids=repr
)
def test_errors_of_objects_with_unequal_self_similarities(model):
    model.set_params(random_state=0).fit(S[:100, :100])
    rows, own = S[100:, :100], np.diag(S)[100:]
    for method in (model.score, model.quantization_error):
        with pytest.raises(ValueError, match="pass self_similarity="):
            method(rows)
    nearest = squared_euclidean(X[100:], model.coefficients_ @ X[:100]).min(axis=1)
    assert model.score(rows, self_similarity=own) == pytest.approx(-nearest.mean())
    error = model.quantization_error(rows, self_similarity=own)
    assert error == pytest.approx(np.sqrt(nearest).mean())


def test_many_more_prototypes_than_samples():
    model = NeuralGas(n_prototypes=200, random_state=0).fit(X[:50])
    assert model.quantization_error(X[:50]) < 1e-6


@pytest.mark.parametrize("solver", ["batch", "online"])
def test_maps_of_many_samples_hold_neither_all_distances_nor_another_copy(solver):
    X = np.random.default_rng(0).normal(size=(50_000, 4))
    model = SelfOrganizingMap(solver=solver, max_epochs=1, random_state=0).fit(X[:2000])
    tracemalloc.start()
    try:
        model.fit(X)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    # Blocks of a few megabytes, and of every sample its winner, place in the order and scores;
    # all distances take 40 megabytes.
    assert peak < 16e6 + 5 * 8 * len(X)
