"""Relation: every method against naive formulas, wherever the numbers come from."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

from noneuclid.kernels import CrossInformationPotential, Gaussian, SpikeTrainKernel
from noneuclid.proximities import (
    NystroemEmbedding,
    PseudoEuclideanEmbedding,
    Relation,
    Signature,
    SpectrumCorrection,
    signature,
    spectrum,
    symmetrize,
    to_dissimilarity,
    to_similarity,
)

CORRECTIONS = [None, "clip", "flip", "shift", "square"]
KINDS = ["similarity", "dissimilarity"]
N, NEW = 14, 4
RNG = np.random.default_rng(0)


def indefinite(n, seed=0, signs=(3.0, 2.0, 1.0, 1.0, -1.0, -2.0)):
    X = np.random.default_rng(seed).normal(size=(n, len(signs)))
    return symmetrize(X * np.array(signs) @ X.T)


FULL = indefinite(N + NEW)
WORDS = ["cat", "cart", "dog", "dot", "card", "cord", "word", "world", "old", "cold"]
ROWS = RNG.normal(size=(N + NEW, 3))
TRAINS = [RNG.uniform(0, 3, size=size) for size in RNG.integers(1, 7, size=N + NEW)]
BAGS = [RNG.normal(size=(size, 2)) for size in RNG.integers(1, 6, size=N + NEW)]


def matrices(proximity):
    """Training matrix, rows of new objects, and whole matrix."""
    P = FULL if proximity == "similarity" else symmetrize(to_dissimilarity(FULL))
    return P[:N, :N], P[N:, :N], P


def letters(a, b):
    return float(len(set(a) ^ set(b)))


def shared(a, b):
    return float(len(set(a) & set(b)))


def rows_distance(a, b):
    return float(((a - b) ** 2).sum())


def rows_product(a, b):
    return float(a @ b)


# (metric, proximity, objects, naive function of two of them)
MEASURED = {
    "levenshtein": ("levenshtein", "dissimilarity", WORDS, None),
    "function": (letters, "dissimilarity", WORDS, letters),
    "similar": (shared, "similarity", WORDS, shared),
    "sqeuclidean": ("sqeuclidean", "dissimilarity", ROWS, rows_distance),
    "cityblock": ("cityblock", "dissimilarity", ROWS, lambda a, b: np.abs(a - b).sum()),
    "rows": (rows_distance, "dissimilarity", ROWS, rows_distance),
    "products": (rows_product, "similarity", ROWS, rows_product),
    "linear": ("linear", "similarity", ROWS, rows_product),
    "gaussian": (
        Gaussian(2.0),
        "similarity",
        ROWS,
        lambda a, b: np.exp(-((a - b) ** 2).sum() / 8.0),
    ),
    "trains": (SpikeTrainKernel(0.5), "similarity", TRAINS, None),
    "bags": (CrossInformationPotential(1.0), "similarity", BAGS, None),
}


def naive(name, objects, others):
    metric, _, _, function = MEASURED[name]
    if function is not None:
        return np.array([[function(a, b) for b in others] for a in objects])
    if name == "levenshtein":
        return Relation(metric, proximity="dissimilarity").fit(others).to(objects)[0]
    return metric(objects, others)


def take(objects, index):
    return objects[index] if isinstance(objects, np.ndarray) else [objects[i] for i in index]


@pytest.mark.filterwarnings("ignore:X is given as similarities")  # it is given distances
@parametrize_with_checks(
    [
        Relation(),
        Relation("rbf"),
        Relation("euclidean", proximity="dissimilarity", correction="clip"),
        Relation("rbf", n_landmarks=5, random_state=0),
    ]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


# --- a matrix that is given -----------------------------------------------------------------


def expected_matrix(P, proximity, correction):
    if correction is None:
        return P
    S = P if proximity == "similarity" else -0.5 * centred(P)
    values, Q = np.linalg.eigh(S)
    corrected = {
        "clip": np.maximum(values, 0),
        "flip": np.abs(values),
        "shift": values - values.min(),
        "square": values**2,
    }[correction]
    S = Q * corrected @ Q.T
    d = np.diag(S)
    return S if proximity == "similarity" else d[:, None] - 2 * S + d


def centred(D):
    H = np.eye(len(D)) - 1.0 / len(D)
    return H @ D @ H


@pytest.mark.parametrize("correction", CORRECTIONS)
@pytest.mark.parametrize("proximity", KINDS)
def test_numbers_between_training_objects(proximity, correction):
    P, _, _ = matrices(proximity)
    relation = Relation(proximity=proximity, correction=correction).fit(P)
    M = expected_matrix(P, proximity, correction)
    S = M if proximity == "similarity" else -0.5 * centred(M)
    np.testing.assert_allclose(relation.matrix, M, atol=1e-9)
    assert relation.matrix.flags.c_contiguous
    rows, columns = np.array([3, 1, 1]), np.array([0, 7])
    np.testing.assert_allclose(relation.block(rows, columns), S[np.ix_(rows, columns)], atol=1e-9)
    np.testing.assert_allclose(relation.block([2], slice(None)), S[[2]], atol=1e-9)
    np.testing.assert_allclose(relation.block(slice(2, 5), slice(None)), S[2:5], atol=1e-9)
    np.testing.assert_allclose(relation.diagonal, np.diag(S), atol=1e-9)
    G = np.random.default_rng(1).normal(size=(5, N))
    np.testing.assert_allclose(relation.dot(G), G @ S, atol=1e-8)
    np.testing.assert_allclose(relation.dot(G[0].tolist()), G[0] @ S, atol=1e-8)
    assert relation.is_positive == (correction is not None)
    assert relation.n_objects_ == relation.n_features_in_ == N
    assert relation.objects_ is None
    assert relation.metric_ == "precomputed"
    raw = P if proximity == "similarity" else to_similarity(P)
    assert relation.signature_ == signature(raw)
    np.testing.assert_allclose(relation.eigenvalues_, spectrum(raw), atol=1e-9)


@pytest.mark.parametrize("correction", CORRECTIONS)
@pytest.mark.parametrize("proximity", KINDS)
def test_numbers_of_new_objects_are_corrected_alike(proximity, correction):
    P, new, _ = matrices(proximity)
    relation = Relation(proximity=proximity, correction=correction).fit(P)
    values, own = relation.to(new)
    if correction is None:
        np.testing.assert_array_equal(values, new)
    else:
        corrected = SpectrumCorrection(method=correction, proximity=proximity).fit(P)
        np.testing.assert_array_equal(values, corrected.transform(new))
    np.testing.assert_array_equal(relation.to(new, [5, 0])[0], values[:, [5, 0]])
    if proximity == "similarity":
        assert own is None
    else:
        np.testing.assert_array_equal(own, np.zeros(NEW))
    np.testing.assert_allclose(relation.to(P)[0], relation.matrix, atol=1e-9)


@pytest.mark.parametrize("correction", CORRECTIONS)
@pytest.mark.parametrize("proximity", KINDS)
def test_the_chart_reproduces_similarities_old_and_new(proximity, correction):
    P, new, whole = matrices(proximity)
    relation = Relation(proximity=proximity, correction=correction).fit(P)
    chart = relation.chart
    everything = np.arange(N)
    S = relation.block(everything, everything)
    np.testing.assert_allclose(chart.similarities(), S, atol=1e-8)
    np.testing.assert_allclose(chart.Z * chart.signs @ chart.Z.T, S, atol=1e-8)
    assert (np.diff(chart.signs) <= 0).all(), "positive directions come first"
    np.testing.assert_allclose(chart.diagonal, relation.diagonal, atol=1e-8)
    np.testing.assert_allclose(chart.space.product(chart.Z, chart.Z), S, atol=1e-8)
    np.testing.assert_allclose(relation.vectors(P), chart.Z, atol=1e-8)
    if correction is None:
        reference = PseudoEuclideanEmbedding(proximity=proximity).fit(P)
        np.testing.assert_array_equal(chart.Z, reference.embedding_)
        np.testing.assert_allclose(relation.vectors(new), reference.transform(new), atol=1e-10)
        assert chart.signature == reference.signature_
        V = relation.vectors(new)  # of low rank, so that new objects lie in the chart as well
        if proximity == "similarity":
            np.testing.assert_allclose((V * chart.signs) @ V.T, whole[N:, N:], atol=1e-8)
        else:
            D = chart.space.squared_distance(V, V)
            np.testing.assert_allclose(D, whole[N:, N:], atol=1e-8)


def test_self_similarities_of_new_objects_follow_the_correction():
    P, new, whole = matrices("similarity")
    lookup = {i: whole[i] for i in range(N + NEW)}
    for method in ("clip", "flip", "square", "shift"):
        relation = Relation(lambda a, b: lookup[a][b], correction=method).fit(list(range(N)))
        values, own = relation.to(list(range(N, N + NEW)))
        reference = SpectrumCorrection(method=method).fit(P)
        np.testing.assert_allclose(values, reference.transform(new), atol=1e-9)
        np.testing.assert_allclose(own, reference.transform_self(new, np.diag(whole)[N:]))
        if method != "shift":  # of low rank: the vectors say the same
            V = relation.vectors(list(range(N, N + NEW)))
            np.testing.assert_allclose(relation.chart.squares(V), own, atol=1e-8)


# --- landmarks ------------------------------------------------------------------------------


@pytest.mark.parametrize("landmarks", ["uniform", "kmeans++", "pivoted", [0, 3, 5, 6, 9, 10, 13]])
@pytest.mark.parametrize("correction", [None, "clip", "flip", "square"])
@pytest.mark.parametrize("proximity", KINDS)
def test_landmarks_are_those_of_the_nystroem_embedding(proximity, correction, landmarks):
    P, new, _ = matrices(proximity)
    params = {
        "proximity": proximity,
        "correction": correction,
        "n_landmarks": 7,
        "landmarks": landmarks,
        "random_state": 3,
    }
    relation, embedding = Relation(**params).fit(P), NystroemEmbedding(**params)
    Z = embedding.fit_transform(P)
    np.testing.assert_array_equal(relation.landmark_indices_, embedding.landmark_indices_)
    np.testing.assert_array_equal(relation.chart.Z, Z)
    np.testing.assert_array_equal(relation.vectors(new), embedding.transform(new))
    columns = embedding.landmark_indices_
    np.testing.assert_array_equal(relation.vectors(new[:, columns]), embedding.transform(new))
    positive, negative = embedding.signature_
    assert relation.signature_ == Signature(positive, negative, N - positive - negative)
    assert relation.is_positive == (negative == 0)
    signs = np.repeat([1.0, -1.0], [positive, negative])
    S = Z * signs @ Z.T
    np.testing.assert_allclose(relation.block([1, 2], [3]), S[[1, 2]][:, [3]], atol=1e-10)
    np.testing.assert_allclose(relation.diagonal, np.diag(S), atol=1e-10)
    np.testing.assert_allclose(relation.eigenvalues_, spectrum(S), atol=1e-9)
    G = np.random.default_rng(1).normal(size=(2, N))
    np.testing.assert_allclose(relation.dot(G), G @ S, atol=1e-9)
    np.testing.assert_allclose(relation.dot(G[0]), G[0] @ S, atol=1e-9)
    V = embedding.transform(new)
    values, own = relation.to(new, [4, 2])
    products = V * signs @ Z[[4, 2]].T
    if proximity == "similarity":
        np.testing.assert_allclose(values, products, atol=1e-10)
        np.testing.assert_allclose(own, (V**2) @ signs, atol=1e-10)
    else:
        D = ((V**2) @ signs)[:, None] - 2 * products + (Z[[4, 2]] ** 2) @ signs
        np.testing.assert_allclose(values, D, atol=1e-9)
        np.testing.assert_array_equal(own, np.zeros(NEW))


def test_a_random_state_is_drawn_from_once():
    P = matrices("similarity")[0]
    first, second = np.random.RandomState(7), np.random.RandomState(7)
    relation = Relation(n_landmarks=5, random_state=first).fit(P)
    embedding = NystroemEmbedding(n_landmarks=5, random_state=second).fit(P)
    np.testing.assert_array_equal(relation.landmark_indices_, embedding.landmark_indices_)
    assert first.randint(1000) == second.randint(1000)


def test_columns_of_landmarks_are_enough():
    P, new, _ = matrices("dissimilarity")
    chosen = [1, 4, 8, 12, 3, 7, 0]
    params = {"proximity": "dissimilarity", "n_landmarks": 7, "landmarks": chosen}
    full, slab = Relation(**params).fit(P), Relation(**params).fit(P[:, chosen])
    assert slab.n_objects_ == N
    assert slab.n_features_in_ == 7
    np.testing.assert_array_equal(slab.chart.Z, full.chart.Z)
    np.testing.assert_array_equal(slab.to(new[:, chosen])[0], full.to(new)[0])
    with pytest.raises(ValueError, match="14 features, but Relation is expecting 7"):
        slab.to(new)
    with pytest.raises(ValueError, match="give the square matrix of all proximities, or the ind"):
        Relation(n_landmarks=7).fit(P[:, chosen])


def test_exact_once_the_landmarks_reach_the_rank():
    for proximity in KINDS:
        P, new, _ = matrices(proximity)
        full = Relation(proximity=proximity).fit(P)
        few = Relation(proximity=proximity, n_landmarks=10, random_state=0).fit(P)
        np.testing.assert_allclose(few.to(P)[0], P, atol=1e-7)
        np.testing.assert_allclose(few.to(new)[0], full.to(new)[0], atol=1e-7)


# --- where numbers come from ----------------------------------------------------------------


@pytest.mark.parametrize("name", MEASURED)
def test_measured_relations_equal_the_naive_matrix(name):
    metric, proximity, objects, _ = MEASURED[name]
    old, new = take(objects, range(7)), take(objects, range(7, 10))
    relation = Relation(metric, proximity=proximity).fit(old)
    P, rows = naive(name, old, old), naive(name, new, old)
    np.testing.assert_allclose(relation.matrix, P, atol=1e-12)
    values, own = relation.to(new)
    np.testing.assert_allclose(values, rows, atol=1e-12)
    np.testing.assert_allclose(own, np.diag(naive(name, new, new)), atol=1e-12)
    np.testing.assert_allclose(relation.to(new, [4, 1])[0], rows[:, [4, 1]], atol=1e-12)
    S = P if proximity == "similarity" else to_similarity(P)
    np.testing.assert_allclose(relation.block([0, 5], [2]), S[[0, 5]][:, [2]], atol=1e-12)
    assert relation.takes_rows == (isinstance(metric, (str, Gaussian)) and objects is ROWS)
    assert not relation.is_precomputed
    assert hasattr(relation, "n_features_in_") == (objects is ROWS)
    if objects is ROWS:
        with pytest.raises(ValueError, match="X has 2 features, but Relation is expecting 3"):
            relation.to(ROWS[:2, :2])
    assert len(relation.objects_) == 7


@pytest.mark.parametrize("correction", [None, "clip"])
@pytest.mark.parametrize("name", MEASURED)
def test_objects_and_their_matrix_give_one_relation(name, correction):
    metric, proximity, objects, _ = MEASURED[name]
    old, new = take(objects, range(7)), take(objects, range(7, 10))
    P, rows = naive(name, old, old), naive(name, new, old)
    params = {"proximity": proximity, "correction": correction, "random_state": 1}
    for landmarks in ({}, {"n_landmarks": 4}, {"n_landmarks": 0.6, "landmarks": "kmeans++"}):
        relation = Relation(metric, **params, **landmarks).fit(old)
        given = Relation(**params, **landmarks).fit(P)
        everything = np.arange(7)
        np.testing.assert_allclose(
            relation.block(everything, everything), given.block(everything, everything), atol=1e-9
        )
        np.testing.assert_allclose(relation.to(new)[0], given.to(rows)[0], atol=1e-9)
        if landmarks:
            np.testing.assert_array_equal(relation.landmark_indices_, given.landmark_indices_)
        V, W = relation.vectors(new), given.vectors(rows)
        np.testing.assert_allclose(
            V * relation.chart.signs @ V.T, W * given.chart.signs @ W.T, atol=1e-8
        )


@pytest.mark.parametrize("name", MEASURED)
def test_restricted_relations_know_fewer_objects(name):
    metric, proximity, objects, _ = MEASURED[name]
    old, new = take(objects, range(7)), take(objects, range(7, 10))
    relation = Relation(metric, proximity=proximity).fit(old)
    kept = np.array([5, 2, 3])
    small = relation.restrict(kept)
    assert small.n_objects_ == 3
    np.testing.assert_allclose(small.to(new)[0], relation.to(new, kept)[0], atol=1e-14)
    np.testing.assert_allclose(small.matrix, naive(name, take(old, kept), take(old, kept)))
    assert relation.n_objects_ == 7
    assert relation.matrix.shape == (7, 7)
    assert (len(small.objects_), len(relation.objects_)) == (3, 7)


def test_restricted_matrices_take_shorter_rows():
    P, new, _ = matrices("dissimilarity")
    kept = [5, 2, 3]
    small = Relation(proximity="dissimilarity").fit(P).restrict(kept)
    np.testing.assert_array_equal(small.to(new[:, kept])[0], new[:, kept])
    np.testing.assert_array_equal(small.matrix, P[np.ix_(kept, kept)])
    np.testing.assert_allclose(small.block([0], [1, 2]), to_similarity(small.matrix)[[0]][:, 1:])
    assert small.n_features_in_ == 3
    with pytest.raises(ValueError, match="14 features, but Relation is expecting 3"):
        small.to(new)
    with pytest.raises(ValueError, match=r"n_landmarks needs no restriction: .* its 4 landmarks"):
        Relation(n_landmarks=4).fit(FULL).restrict([0])


def test_plain_distances_are_squared_on_entry():
    D = np.sqrt(((ROWS[:, None] - ROWS) ** 2).sum(axis=2))
    old, new = ROWS[:N], ROWS[N:]
    params = {"proximity": "dissimilarity"}
    squares = Relation("sqeuclidean", **params).fit(old)
    for relation, rows in (
        (Relation("euclidean", squared=False, **params).fit(old), new),
        (Relation(squared=False, **params).fit(D[:N, :N]), D[N:, :N]),
        (Relation(lambda a, b: np.linalg.norm(a - b), squared=False, **params).fit(old), new),
        (Relation("euclidean", squared=False, n_landmarks=6, **params).fit(old), new),
        (Relation(squared=False, n_landmarks=6, **params).fit(D[:N, :N]), D[N:, :N]),
    ):
        np.testing.assert_allclose(relation.to(rows)[0], squares.to(new)[0], atol=1e-9)
        if relation.n_landmarks is None:
            np.testing.assert_allclose(relation.diagonal, squares.diagonal, atol=1e-9)
    again = Relation(squared=False, **params).fit(D[:N, :N]).recall(D[:N, :N])
    np.testing.assert_allclose(again.matrix, squares.matrix, atol=1e-12)
    for squared in ("auto", True):
        as_they_come = Relation("euclidean", squared=squared, **params).fit(old)
        np.testing.assert_allclose(as_they_come.matrix, D[:N, :N], atol=1e-12)
    with pytest.raises(ValueError, match="plain distances, and one is -1"):
        Relation(squared=False, **params).fit([[0.0, -1.0], [-1.0, 0.0]])
    with pytest.raises(ValueError, match="squared=False is about distances"):
        Relation(squared=False).fit(FULL)
    with pytest.raises(ValueError, match=r"squared \(='no'\) must be \"auto\" or"):
        Relation(squared="no", **params).fit(D)


def test_a_kernel_is_asked_for_no_more_than_is_wanted():
    shapes = []

    class Watched(Gaussian):
        def __call__(self, X, Y=None):
            K = super().__call__(X, Y)
            shapes.append(K.shape)
            return K

    relation = Relation(Watched(2.0)).fit(ROWS)
    assert shapes == []
    column = relation.block(slice(None), [3])
    np.testing.assert_array_equal(relation.diagonal, np.ones(len(ROWS)))
    assert shapes == [(len(ROWS), 1)]
    np.testing.assert_allclose(relation.matrix[:, [3]], column)
    relation.block([1], [2])
    assert shapes == [(len(ROWS), 1), (len(ROWS), len(ROWS))]


# --- copies ---------------------------------------------------------------------------------


def test_changing_a_kernel_after_fit_changes_nothing():
    for landmarks in ({}, {"n_landmarks": 5, "random_state": 0}):
        relation = Relation(Gaussian(2.0), **landmarks).fit(ROWS[:N])
        before = relation.to(ROWS[N:])[0]
        relation.set_params(metric__width=0.1)
        np.testing.assert_array_equal(relation.to(ROWS[N:])[0], before)
        assert relation.metric_.width == 2.0
        assert relation.fit(ROWS[:N]).metric_.width == 0.1


def test_data_dependent_parameters_are_fixed_by_fit():
    width = Relation("rbf").fit(ROWS).metric_.width
    assert width == Gaussian("scale").resolve(ROWS).width
    assert Relation("rbf", n_landmarks=5).fit(ROWS).metric_.width == width


@pytest.mark.parametrize("name", ["seuclidean", "mahalanobis"])
def test_metrics_that_depend_on_data_do_so_on_the_training_data(name):
    old, new = ROWS[:N], 100.0 * ROWS[N:]
    C = np.cov(old.T) if name == "mahalanobis" else np.diag(old.var(axis=0, ddof=1))
    V = new[:, None] - old
    expected = np.sqrt(np.einsum("ijk,kl,ijl->ij", V, np.linalg.inv(C), V))
    for landmarks in ({}, {"n_landmarks": 8, "random_state": 0}):
        relation = Relation(name, proximity="dissimilarity", **landmarks).fit(old)
        if not landmarks:
            np.testing.assert_allclose(relation.to(new)[0], expected)
            np.testing.assert_allclose(relation.to(new, [3])[0], expected[:, [3]])
        assert relation.vectors(new).shape[0] == NEW
    with pytest.raises(ValueError, match="covariance of full rank, and that of X has rank 1 of 2"):
        Relation("mahalanobis", proximity="dissimilarity").fit(np.outer([1.0, 2, 4], [1, 2]))


def test_clones_and_parameters():
    relation = Relation("levenshtein", proximity="dissimilarity", n_landmarks=3)
    assert repr(clone(relation)) == repr(relation)
    assert list(relation.get_params()) == [
        "correction",
        "landmarks",
        "metric",
        "n_landmarks",
        "proximity",
        "random_state",
        "squared",
    ]
    assert clone(Relation(Gaussian(2.0))).get_params()["metric__width"] == 2.0
    with pytest.raises(TypeError):
        Relation("rbf", "similarity")


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("correction", ["clip", "flip", "square"])
def test_landmarks_that_span_everything_correct_as_all_objects_do(correction, seed):
    X = np.random.default_rng(0).normal(size=(40, 5))
    D = to_dissimilarity((X * [3, 2, 1, -1, -2]) @ X.T)
    given = {"proximity": "dissimilarity", "correction": correction, "random_state": seed}
    few, every = Relation(n_landmarks=10, **given).fit(D), np.arange(40)
    S = few.block(every, every)
    own = np.diag(S)
    expected = Relation(**given).fit(D).matrix
    np.testing.assert_allclose(own[:, None] + own - 2 * S, expected, atol=1e-8 * expected.max())
