"""Relations and features of objects in dask collections: lazily, by blocks, as in memory."""

import itertools

import dask
import dask.array as da
import dask.bag as db
import numpy as np
import pytest

from noneuclid.kernels import Gaussian
from noneuclid.proximities import NystroemEmbedding, Relation

LEVENSHTEIN = {"metric": "levenshtein", "proximity": "dissimilarity"}
SCHEDULERS = ["synchronous", "threads"]


def words(n, seed=0):
    rng = np.random.default_rng(seed)
    return ["".join(rng.choice(list("abcd"), size=k)) for k in rng.integers(3, 9, size=n)]


def trains(n, seed=0):
    rng = np.random.default_rng(seed)
    return [np.sort(rng.random(k)) for k in rng.integers(1, 6, size=n)]


def rows(n=60, d=3, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


def unlike(a, b):
    return float(abs(len(a) - len(b)) + (a[0] != b[0]))


def graph_distance(a, b):
    return float(len(a["edges"] ^ b["edges"]))


def graphs(n, seed=0):
    rng = np.random.default_rng(seed)
    return [{"edges": frozenset(map(tuple, rng.integers(0, 4, size=(5, 2))))} for _ in range(n)]


def bag(objects, n_blocks=4):
    edges = np.linspace(0, len(objects), n_blocks + 1).astype(int)
    parts = [dask.delayed(objects[a:b]) for a, b in itertools.pairwise(edges)]
    return db.from_delayed(parts)


@pytest.mark.parametrize("scheduler", SCHEDULERS)
@pytest.mark.parametrize("correction", [None, "clip", "flip", "square"])
def test_features_of_a_bag_are_those_in_memory(scheduler, correction):
    objects = words(90)
    model = NystroemEmbedding(n_landmarks=12, correction=correction, random_state=3, **LEVENSHTEIN)
    expected = model.fit(objects).transform(objects)
    indices = model.landmark_indices_
    with dask.config.set(scheduler=scheduler):
        Z = model.fit(bag(objects)).transform(bag(objects))
        assert isinstance(Z, da.Array)
        assert (Z.dtype, Z.shape[1]) == (np.float64, expected.shape[1])
        np.testing.assert_allclose(Z.compute(), expected, rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(model.landmark_indices_, indices)


@pytest.mark.parametrize(
    ("objects", "metric", "proximity"),
    [
        (words(50), unlike, "dissimilarity"),
        (words(50), lambda a, b: float(len(set(a) & set(b))), "similarity"),
        (graphs(50), graph_distance, "dissimilarity"),
        (trains(50), lambda a, b: abs(a.sum() - b.sum()) + abs(len(a) - len(b)), "dissimilarity"),
    ],
    ids=["function", "similarity", "graphs", "trains"],
)
@pytest.mark.parametrize("landmarks", ["uniform", "kmeans++", "pivoted", [5, 40, 2, 33, 17, 8]])
def test_any_objects_and_metric(objects, metric, proximity, landmarks):
    model = NystroemEmbedding(
        n_landmarks=6, metric=metric, proximity=proximity, landmarks=landmarks, random_state=0
    )
    expected = model.fit(objects).transform(objects)
    Z = model.fit(bag(objects)).transform(bag(objects)).compute(scheduler="synchronous")
    np.testing.assert_allclose(Z, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(
    ("metric", "proximity"),
    [
        ("rbf", "similarity"),
        (Gaussian(width=2.0), "similarity"),
        ("cityblock", "dissimilarity"),
        ("seuclidean", "dissimilarity"),
        (lambda a, b: float(np.abs(a - b).max()), "dissimilarity"),
    ],
    ids=["rbf", "kernel", "cityblock", "seuclidean", "function"],
)
def test_rows_of_an_array(metric, proximity):
    X = rows()
    model = NystroemEmbedding(n_landmarks=8, metric=metric, proximity=proximity, random_state=0)
    expected = model.fit(X).transform(X)
    lazy = da.from_array(X, chunks=(25, 3))
    Z = model.fit_transform(lazy)
    assert isinstance(Z, da.Array)
    assert Z.shape == expected.shape
    np.testing.assert_allclose(Z.compute(scheduler="synchronous"), expected, rtol=1e-8, atol=1e-9)
    assert model.n_features_in_ == 3


def test_columns_of_words_and_arrays_of_words():
    pd = pytest.importorskip("pandas")
    import dask.dataframe as dd

    objects = words(40)
    model = NystroemEmbedding(n_landmarks=6, random_state=0, **LEVENSHTEIN)
    expected = model.fit(objects).transform(objects)
    column = dd.from_pandas(pd.DataFrame({"word": objects}), npartitions=3)["word"]
    array = da.from_array(np.array(objects), chunks=15)
    for lazy in (column, array):
        Z = model.fit(lazy).transform(lazy).compute(scheduler="synchronous")
        np.testing.assert_allclose(Z, expected, rtol=1e-9, atol=1e-9)


def test_a_relation_of_a_bag_keeps_its_landmarks_only():
    objects = words(80)
    relation = Relation(n_landmarks=10, random_state=1, **LEVENSHTEIN)
    memory = Relation(n_landmarks=10, random_state=1, **LEVENSHTEIN).fit(objects)
    with dask.config.set(scheduler="synchronous"):
        relation.fit(bag(objects))
        values, own = relation.to(bag(objects))
        vectors = relation.vectors(bag(objects))
        assert all(isinstance(v, da.Array) for v in (values, own, vectors))
        assert relation.n_objects_ == 10
        assert relation.objects_ == [objects[i] for i in memory.landmark_indices_]
        expected = memory.to(objects, memory.landmark_indices_)
        np.testing.assert_allclose(values.compute(), expected[0], rtol=1e-9, atol=1e-9)
        np.testing.assert_array_equal(own.compute(), expected[1])
        np.testing.assert_allclose(vectors.compute(), memory.vectors(objects), atol=1e-9)
        only = relation.to(bag(objects), [2, 0], self_values=False)
        assert only[1] is None
        np.testing.assert_allclose(only[0].compute(), expected[0][:, [2, 0]], atol=1e-9)


def test_nothing_is_computed_before_it_is_asked_for():
    calls = []

    def counted(a, b):
        calls.append(1)
        return float(abs(len(a) - len(b)))

    objects = words(40)
    model = NystroemEmbedding(n_landmarks=5, metric=counted, proximity="dissimilarity")
    with dask.config.set(scheduler="synchronous"):
        model.fit(bag(objects))
        Z = model.transform(bag(objects))
        before = len(calls)
        Z.compute()
    # The block of landmarks, and what shows their noise: pairs of a bounded sample, never all.
    assert before < 40 * 5
    assert len(calls) - before == 40 * 5


def test_a_sample_does_not_depend_on_the_blocks():
    objects = words(5000)
    found = [
        NystroemEmbedding(n_landmarks=7, random_state=4, **LEVENSHTEIN).fit(bag(objects, k))
        for k in (2, 9)
    ]
    np.testing.assert_array_equal(*(model.landmark_indices_ for model in found))
    other = NystroemEmbedding(n_landmarks=7, random_state=5, **LEVENSHTEIN).fit(bag(objects, 2))
    assert set(other.landmark_indices_) != set(found[0].landmark_indices_)


def test_empty_blocks():
    objects = words(30)
    parts = [dask.delayed(p) for p in ([], objects[:11], [], objects[11:], [])]
    model = NystroemEmbedding(n_landmarks=5, random_state=0, **LEVENSHTEIN)
    expected = model.fit(objects).transform(objects)
    lazy = db.from_delayed(parts)
    Z = model.fit(lazy).transform(lazy).compute(scheduler="synchronous")
    np.testing.assert_allclose(Z, expected, rtol=1e-9, atol=1e-9)


def test_what_is_refused():
    lazy = bag(words(20))
    with pytest.raises(ValueError, match="Relation needs n_landmarks for a dask collection"):
        Relation(**LEVENSHTEIN).fit(lazy)
    with pytest.raises(TypeError, match='"precomputed": give the objects'):
        NystroemEmbedding(n_landmarks=3).fit(da.ones((8, 8), chunks=4))
    with pytest.raises(ValueError, match=r"compares strings: found 3.* samples 15 to 19"):
        NystroemEmbedding(
            n_landmarks=3, landmarks=[0, 1, 2], correction="square", **LEVENSHTEIN
        ).fit(bag([*words(19), 3]))
    with pytest.raises(ValueError, match="holds index 20, but there are 20 objects"):
        NystroemEmbedding(n_landmarks=2, landmarks=[1, 20], **LEVENSHTEIN).fit(lazy)
    with pytest.raises(ValueError, match="X has no samples"):
        NystroemEmbedding(n_landmarks=2, **LEVENSHTEIN).fit(bag([], 1))
    matrix = Relation(proximity="dissimilarity").fit(np.ones((4, 4)) - np.eye(4))
    with pytest.raises(TypeError, match="was fitted on a matrix of proximities"):
        matrix.vectors(lazy)
