"""Training in Nystroem features: the same steps, in linear time and memory."""

import pickle

import numpy as np
import pytest
from sklearn.datasets import load_digits, load_iris, make_blobs
from sklearn.model_selection import StratifiedShuffleSplit, cross_val_score

import benchmark_data
import noneuclid
from memory import peak_of
from noneuclid.kernels import Gaussian
from noneuclid.numerics import squared_euclidean
from noneuclid.prototypes import (
    KernelGLVQ,
    KernelRSLVQ,
    ProximityLVQ,
    RelationalGLVQ,
    RelationalRSLVQ,
    compact,
    exemplars,
    n_exemplars,
    sparsify,
)
from noneuclid.prototypes.costs import GLVQCost, LVQ21Cost, Membership, RSLVQCost
from noneuclid.prototypes.geometries.combinations import GEOMETRIES
from noneuclid.prototypes.geometries.features import FeatureGeometry
from noneuclid.proximities import (
    NystroemEmbedding,
    SpectrumCorrection,
    nystroem_check,
    symmetrize,
)
from noneuclid.spikes import SpikeTrainKernel, jittered_templates


def problem(seed=0, signs=(1.0, 1.0, -1.0), n=30, m=4):
    rng = np.random.default_rng(seed)
    Z = rng.normal(size=(n, len(signs)))
    Z[n // 2 :, 0] += 3
    G = rng.random((m, n))
    return Z, np.array(signs), G / G.sum(axis=1, keepdims=True), rng


@pytest.mark.parametrize("signs", [(1.0, 1.0, 1.0), (1.0, 1.0, -1.0)])
def test_the_geometry_is_that_of_the_matrix(signs):
    Z, signs, G, rng = problem(signs=signs)
    matrix = GEOMETRIES["similarity"](Z * signs @ Z.T)
    features = FeatureGeometry(Z, int((signs > 0).sum()))
    rows, F = np.array([3, 1, 20]), rng.normal(size=(3, 4))
    A, B = matrix.state(G), features.state(G)
    np.testing.assert_allclose(features.distances(B), matrix.distances(A), atol=1e-10)
    np.testing.assert_allclose(features.distances(B, rows), matrix.distances(A, rows), atol=1e-10)
    np.testing.assert_allclose(features.pull(B, rows, F), matrix.pull(A, rows, F), atol=1e-10)
    np.testing.assert_allclose(features.riesz_pull(B, rows, F), matrix.riesz_pull(A, rows, F))
    assert features.variance() == pytest.approx(matrix.variance())
    assert features.variance(rows) == pytest.approx(matrix.variance(rows))
    members = np.arange(10)
    np.testing.assert_allclose(
        features.distances_between(members), matrix.distances_between(members), atol=1e-10
    )
    means = G[:, rows] / G[:, rows].sum(axis=1, keepdims=True)
    np.testing.assert_array_equal(
        features.nearest_mean(means, rows, members), matrix.nearest_mean(means, rows, members)
    )


@pytest.mark.parametrize(
    ("constraint", "rate"), [("convex", 0.05), ("convex", 3.0), ("affine", 0.05)]
)  # long steps without bounds have no limit to agree on
@pytest.mark.parametrize("cost", [RSLVQCost(sigma2=1.5), GLVQCost(), LVQ21Cost()])
@pytest.mark.parametrize("signs", [(1.0, 1.0, 1.0), (1.0, 1.0, -1.0), (1.0, -1.0, -1.0)])
@pytest.mark.parametrize("m", [4, 7])  # prototypes are taken four at a time
def test_the_compiled_epoch_takes_the_steps_of_the_matrix(constraint, rate, cost, signs, m):
    Z, signs, G, rng = problem(1, signs=signs, m=m)
    who = Membership(np.repeat([0, 1], 15), np.where(np.arange(m) < 2, 0, 1))
    order, step = rng.permutation(30), np.full(30, rate)
    results = []
    for geometry in (
        GEOMETRIES["similarity"](Z * signs @ Z.T, constraint),
        FeatureGeometry(Z, int((signs > 0).sum()), constraint),
    ):
        theta = geometry.state(G)
        counts = geometry.riesz_epoch(theta, who, order, step, cost.code(m))
        results.append((counts, theta.G, geometry.distances(theta)))
    (counts, G1, D1), (counts2, G2, D2) = results
    assert np.abs(G1 - G).max() > 1e-3
    assert counts == counts2
    np.testing.assert_allclose(G2, G1, atol=1e-9)
    np.testing.assert_allclose(D2, D1, atol=1e-8)


@pytest.fixture(scope="module")
def blobs():
    return make_blobs(120, centers=3, n_features=4, cluster_std=2.0, random_state=1)


@pytest.mark.parametrize("cls", [KernelGLVQ, KernelRSLVQ, RelationalGLVQ, RelationalRSLVQ])
def test_all_landmarks_decide_like_the_full_model(cls, blobs):
    X, y = blobs
    full = cls(random_state=0).fit(X, y)
    features = cls(random_state=0, n_landmarks=120).fit(X, y)
    assert (full.predict(X) == features.predict(X)).mean() > 0.95
    assert features.coefficients_.shape == full.coefficients_.shape
    if cls in (KernelGLVQ, KernelRSLVQ):
        np.testing.assert_allclose(features.transform(X), full.transform(X), atol=1e-3)


def test_rows_may_hold_all_objects_or_the_landmarks_only(blobs):
    X, y = blobs
    K = Gaussian(3.0)(X)
    model = KernelRSLVQ(kernel="precomputed", n_landmarks=25, random_state=0).fit(K, y)
    few = K[:, model.landmark_indices_]
    assert few.shape == (120, 25)
    np.testing.assert_allclose(model.predict_proba(few), model.predict_proba(K))
    np.testing.assert_allclose(model.transform(few), model.transform(K))
    direct = KernelRSLVQ(kernel=Gaussian(3.0), n_landmarks=25, random_state=0).fit(X, y)
    np.testing.assert_allclose(direct.predict_proba(X), model.predict_proba(K), atol=1e-6)
    with pytest.raises(ValueError, match="30 features, but"):
        model.predict(K[:, :30])
    assert model.signature_.negative == 0
    assert cross_val_score(model, K, y, cv=3).mean() > 0.8


def test_distances_are_those_of_the_approximation(blobs):
    X, y = blobs
    model = RelationalGLVQ(n_landmarks=6, random_state=0).fit(X, y)  # rank four is reached
    W = model.coefficients_ @ X
    np.testing.assert_allclose(model.transform(X), squared_euclidean(X, W), atol=1e-7)


def test_copies_predict_alike_and_name_exemplars(blobs, tmp_path):
    X, y = blobs
    model = KernelRSLVQ(n_landmarks=20, random_state=0).fit(X, y)
    noneuclid.save(model, tmp_path / "model.skops")
    for other in (pickle.loads(pickle.dumps(model)), noneuclid.load(tmp_path / "model.skops")):
        np.testing.assert_allclose(other.predict_proba(X), model.predict_proba(X))
    assert len(exemplars(model, 3)[0].objects) == 3
    with pytest.raises(ValueError, match="needs no compacting"):
        compact(model)
    with pytest.raises(AttributeError, match="n_landmarks is None"):
        _ = KernelRSLVQ(random_state=0).fit(X, y).landmark_indices_


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"gradient": "coordinates"},
        {"solver": "lbfgs", "gradient": "coordinates"},
        {"init": "kmedoids"},
        {"init": "random"},
    ],
)
def test_every_solver_and_start_runs_in_features(params, blobs):
    X, y = blobs
    model = KernelGLVQ(n_landmarks=20, n_prototypes=2, random_state=0, **params).fit(X, y)
    assert model.score(X, y) > 0.75


def test_objects_are_compared_with_landmarks_only():
    words = ["a" * (1 + i % 7) for i in range(150)] + ["b" * (1 + i % 7) for i in range(150)]
    calls = []

    def metric(a, b):
        calls.append(1)
        return float((a[0] != b[0]) * 5 + abs(len(a) - len(b)))

    y = np.repeat([0, 1], 150)
    model = RelationalGLVQ(metric=metric, n_landmarks=12, random_state=0).fit(words, y)
    assert len(calls) <= 300 * 12 + 12 * 12 + 24 * 24  # and some others, to see what is noise
    calls.clear()
    assert model.predict(["aaa", "bb"]).tolist() == [0, 1]
    assert len(calls) == 2 * 12


@pytest.mark.parametrize("proximity", ["similarity", "dissimilarity"])
def test_columns_of_the_landmarks_are_enough(proximity, blobs):
    X, y = blobs
    P = Gaussian(3.0)(X) if proximity == "similarity" else squared_euclidean(X, X)
    landmarks = np.arange(0, 120, 5)
    params = {"proximity": proximity, "n_landmarks": 24, "landmarks": landmarks}
    full = ProximityLVQ(random_state=0, **params).fit(P, y)
    slab = ProximityLVQ(random_state=0, **params).fit(P[:, landmarks], y)
    np.testing.assert_array_equal(slab.landmark_indices_, landmarks)
    np.testing.assert_allclose(slab.coefficients_, full.coefficients_, atol=1e-12)
    np.testing.assert_array_equal(slab.predict(P[:, landmarks]), full.predict(P))
    with pytest.raises(ValueError, match="120 features, but"):
        slab.predict(P)
    with pytest.raises(ValueError, match="give the square matrix of all proximities, or the ind"):
        ProximityLVQ(proximity=proximity, n_landmarks=24).fit(P[:, landmarks], y)


@pytest.mark.parametrize("landmarks", ["kmeans++", "pivoted"])
def test_landmarks_may_be_chosen(landmarks, blobs):
    X, y = blobs
    model = KernelRSLVQ(n_landmarks=8, landmarks=landmarks, random_state=0).fit(X, y)
    width = model.relation_.metric_
    expected = NystroemEmbedding(
        n_landmarks=8, landmarks=landmarks, metric=width, random_state=0
    ).fit(X)
    np.testing.assert_array_equal(model.landmark_indices_, expected.landmark_indices_)
    assert model.score(X, y) > 0.75


def test_kernels_of_objects_have_landmarks_too(tmp_path):
    data = jittered_templates(60, random_state=0)
    test = jittered_templates(40, templates=data.templates, random_state=1)
    model = KernelRSLVQ(kernel=SpikeTrainKernel(0.002), n_landmarks=20, random_state=0)
    model.fit(data.trains, data.labels)
    assert model.score(test.trains, test.labels) > 0.9
    K = SpikeTrainKernel(0.002)(data.trains)
    same = KernelRSLVQ(kernel="precomputed", n_landmarks=20, random_state=0).fit(K, data.labels)
    np.testing.assert_allclose(model.coefficients_, same.coefficients_, atol=1e-8)
    noneuclid.save(model, tmp_path / "model.skops")
    back = noneuclid.load(tmp_path / "model.skops")
    np.testing.assert_array_equal(back.predict(test.trains), model.predict(test.trains))
    assert n_exemplars(sparsify(model, method="omp", k=3)) <= 3
    for landmarks in ("kmeans++", "pivoted"):
        model.set_params(landmarks=landmarks).fit(data.trains, data.labels)
        assert model.score(test.trains, test.labels) > 0.9
    check = nystroem_check(
        data.trains, metric=SpikeTrainKernel(0.002), n_landmarks=20, random_state=0
    )
    assert -1 <= check.rho_pairwise <= 1
    with pytest.raises(ValueError, match="X is a single train"):
        model.predict(data.trains[0])


@pytest.mark.parametrize("n_landmarks", [None, 3])
def test_one_word_is_no_list_of_letters(n_landmarks):
    model = RelationalGLVQ(metric="levenshtein", n_landmarks=n_landmarks, random_state=0)
    with pytest.raises(TypeError, match="X must be a list of objects, not one str: give"):
        model.fit("abcdef", [0, 1, 0, 1, 0, 1])
    model.fit(["cat", "cart", "dog", "dig"], [0, 0, 1, 1])
    with pytest.raises(TypeError, match="X must be a list of objects, not one str"):
        model.predict("cat")


def test_memory_grows_with_the_features_not_the_matrix():
    X, y = make_blobs(6000, centers=2, n_features=5, random_state=0)
    model = KernelRSLVQ(kernel=Gaussian(3.0), n_landmarks=30, max_epochs=2, random_state=0)
    assert peak_of(lambda: model.fit(X, y)) < 0.15 * 8 * 6000**2


def test_many_objects_start_from_a_sample():
    X, y = make_blobs(5000, centers=2, n_features=3, random_state=0)
    for init in ("kmeans", "kmedoids"):
        model = KernelGLVQ(n_landmarks=20, n_prototypes=3, init=init, max_epochs=2, random_state=0)
        assert model.fit(X, y).score(X, y) > 0.95


def test_digits_lose_little_accuracy():
    X, y = load_digits(return_X_y=True)
    X = X / 16
    scores = [
        KernelRSLVQ(n_prototypes=2, n_landmarks=n, random_state=0)
        .fit(X[::2], y[::2])
        .score(X[1::2], y[1::2])
        for n in (None, 200)
    ]
    assert scores[1] > scores[0] - 0.02


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"n_landmarks": 0}, r"n_landmarks \(=0\) must be a positive integer"),
        ({"n_landmarks": "many"}, r"n_landmarks \(='many'\)"),
        ({"n_landmarks": 5, "correction": "shift"}, 'use "clip", "flip" or "square"'),
        ({"landmarks": [0, 1]}, "set it to their number"),
        ({"n_landmarks": 5, "landmarks": "best"}, r"landmarks \(='best'\) must be"),
        ({"n_landmarks": 2, "landmarks": [0, 500]}, "index 500, but there are 120 objects"),
    ],
)
def test_bad_parameters(params, sentence, blobs):
    X, y = blobs
    with pytest.raises(ValueError, match=sentence):
        ProximityLVQ(metric="rbf", **params).fit(X, y)


def test_more_landmarks_than_objects_take_all(blobs):
    X, y = blobs
    model = KernelRSLVQ(n_landmarks=5000, random_state=0).fit(X, y)
    assert len(model.landmark_indices_) == 120


@pytest.mark.parametrize(
    ("name", "k", "correction", "splits"),
    [
        ("aural_sonar", 5, "clip", 30),  # 20 objects to test on: few splits say little
        ("voting", 10, "clip", 10),
        ("protein_similarity", 5, "flip", 10),
    ],
)
def test_a_quarter_of_the_landmarks_loses_at_most_three_points(name, k, correction, splits):
    data = benchmark_data.load(name)
    S, y = symmetrize(data["similarity"]), data["labels"]
    errors = []
    for train, test in StratifiedShuffleSplit(splits, test_size=0.2, random_state=0).split(S, y):
        P, Q = (S[np.ix_(part, train)] for part in (train, test))
        corrected = SpectrumCorrection(method=correction).fit(P)
        K, R = corrected.transform(P), corrected.transform(Q)
        params = {"kernel": "precomputed", "n_prototypes": k, "random_state": 0}
        full, quarter = (KernelRSLVQ(n_landmarks=n, **params) for n in (None, 0.25))
        without_matrix = KernelRSLVQ(n_landmarks=0.25, correction=correction, **params)
        errors.append(
            [
                1 - full.fit(K, y[train]).score(R, y[test]),
                1 - quarter.fit(K, y[train]).score(R, y[test]),
                1 - without_matrix.fit(P, y[train]).score(Q, y[test]),
            ]
        )
    full, quarter, without_matrix = np.mean(errors, axis=0)
    assert quarter <= full + 0.03
    assert without_matrix <= full + 0.06  # the correction sees the landmarks' columns only


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_rounding_of_named_distances_is_no_distance_of_an_object_from_itself(metric):
    X, y = load_iris(return_X_y=True)
    model = RelationalGLVQ(metric=metric, n_landmarks=20, random_state=0).fit(X, y)
    assert model.score(X, y) > 0.9
