"""Prototypes of objects in dask collections: those of the fit in memory, wherever objects lie."""

import itertools
import pickle

import dask
import dask.array as da
import dask.bag as db
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris

from clusters import two_processes
from noneuclid._blocks import Journal
from noneuclid._blocks.passes import Pass
from noneuclid.kernels import Gaussian
from noneuclid.prototypes import (
    KernelGLVQ,
    KernelRSLVQ,
    MedianLVQ,
    ProximityLVQ,
    RelationalGLVQ,
    RelationalRSLVQ,
)
from noneuclid.prototypes.geometries.landmarks import FrameGeometry
from noneuclid.prototypes.solvers.lbfgs import LBFGS
from noneuclid.prototypes.solvers.problem import Problem
from noneuclid.proximities import NystroemEmbedding, register_metric

SAID = ("predict", "predict_proba", "decision_function", "transform", "certainty")


def words(n=120, seed=0):
    """Words of three families, in random order."""
    rng = np.random.default_rng(seed)
    families = ["abababababab", "ccddccddccdd", "aaaabbbbcccc"]
    y = rng.integers(3, size=n)
    X = []
    for c in y:
        letters = np.array(list(families[c]))
        changed = rng.random(len(letters)) < 0.3
        letters[changed] = rng.choice(list("abcd"), size=changed.sum())
        X.append("".join(letters[: rng.integers(8, 13)]))
    return X, np.array(["one", "two", "three"])[y]


def iris():
    X, y = load_iris(return_X_y=True)
    order = np.random.RandomState(0).permutation(len(X))
    return X[order], y[order]


def bag(objects, n_blocks=4):
    objects = list(objects)
    edges = np.linspace(0, len(objects), n_blocks + 1).astype(int)
    return db.from_delayed([dask.delayed(objects[a:b]) for a, b in itertools.pairwise(edges)])


def rows(X, y, size=40):
    return da.from_array(X, chunks=(size, X.shape[1])), da.from_array(y, chunks=size)


@pytest.fixture(autouse=True)
def synchronous():
    with dask.config.set(scheduler="synchronous"):
        yield


def vectors(model):
    return model._combined.vectors


def assert_same(model, other, rtol=1e-8):
    size = np.abs(vectors(other)).max()
    np.testing.assert_allclose(vectors(model), vectors(other), rtol=rtol, atol=rtol * size)
    np.testing.assert_allclose(model.loss_curve_, other.loss_curve_, rtol=1e-8)


EVERY_TENTH = np.arange(0, 150, 10)


@pytest.mark.parametrize("learner", [KernelGLVQ, KernelRSLVQ])
@pytest.mark.parametrize("constraint", ["convex", "affine", "none"])
def test_riesz_steps_are_those_in_memory(learner, constraint):
    X, y = iris()
    model = learner(
        kernel=Gaussian(2.0),
        n_landmarks=15,
        landmarks=EVERY_TENTH,
        constraint=constraint,
        shuffle=False,
        max_epochs=12,
    )
    assert_same(clone(model).fit(*rows(X, y)), model.fit(X, y))


@pytest.mark.parametrize(
    "model",
    [
        RelationalGLVQ(metric="cityblock", constraint="affine"),
        RelationalRSLVQ(metric="cityblock", constraint="affine", correction="clip"),
        KernelGLVQ(kernel=Gaussian(2.0), constraint="affine", gradient="coordinates"),
        KernelGLVQ(kernel=Gaussian(2.0), constraint="none", gradient="coordinates"),
        ProximityLVQ(
            metric="cityblock",
            proximity="dissimilarity",
            cost="cross_entropy",
            constraint="affine",
            gradient="coordinates",
            correction="flip",
        ),
    ],
    ids=["glvq", "rslvq", "kernel affine", "kernel free", "cross entropy"],
)
def test_quasi_newton_descent_is_that_in_memory(model):
    X, y = iris()
    model = clone(model).set_params(
        n_landmarks=15, landmarks=EVERY_TENTH, solver="lbfgs", max_epochs=10
    )
    assert_same(clone(model).fit(*rows(X, y)), model.fit(X, y))


@pytest.mark.parametrize("learner", [RelationalGLVQ, RelationalRSLVQ])
def test_convex_coefficients_are_those_in_memory_if_all_are_landmarks(learner):
    X, y = iris()
    model = learner(
        metric="cityblock",
        n_landmarks=150,
        landmarks=np.arange(150),
        n_prototypes=2,
        solver="lbfgs",
        max_epochs=10,
        random_state=0,
    )
    lazy = clone(model).fit(*rows(X, y))
    assert_same(lazy, model.fit(X, y))
    np.testing.assert_allclose(lazy.coefficients_, model.coefficients_, atol=1e-8)


def test_convex_coefficients_of_landmarks_are_those_of_one_block():
    X, y = words()
    model = RelationalRSLVQ(metric="levenshtein", n_landmarks=20, solver="lbfgs", random_state=0)
    start = clone(model).set_params(max_epochs=1).fit(bag(X), bag(y))
    model.set_params(max_epochs=15).fit(bag(X), bag(y))
    chart = model.relation_.chart
    A, positive = chart.Z, chart.signature[0]
    geometry = FrameGeometry(model.relation_.vectors(X), A, positive)
    G = np.zeros((3, 20))
    for j, label in enumerate(model.prototype_labels_):
        members = model.training_labels() == label
        G[j, members] = 1 / members.sum()
    who = model._set_classes(y, len(y))[0]
    result = LBFGS(max_epochs=15).run(Problem(geometry, model.cost_, who), geometry.state(G))
    np.testing.assert_allclose(model.coefficients_, result.theta.G, atol=1e-7)
    np.testing.assert_allclose(model.loss_curve_, result.loss_curve, rtol=1e-8)
    assert model.loss_curve_[-1] < start.loss_curve_[-1] < model.loss_curve_[0]
    assert (model.coefficients_ >= 0).all()


@pytest.mark.parametrize("weighted", ["samples", "classes", "both"])
def test_weights_count_as_in_memory(weighted):
    X, y = iris()
    weights = None if weighted == "classes" else np.random.default_rng(0).random(150)
    model = KernelRSLVQ(
        kernel=Gaussian(2.0),
        n_landmarks=15,
        landmarks=EVERY_TENTH,
        constraint="affine",
        gradient="coordinates",
        solver="lbfgs",
        max_epochs=8,
        class_weight=None if weighted == "samples" else {0: 1.0, 1: 3.0, 2: 0.5},
    )
    lazy = None if weights is None else da.from_array(weights, chunks=40)
    assert_same(clone(model).fit(*rows(X, y), lazy), model.fit(X, y, weights))


# --- what lies where ---------------------------------------------------------------------------


@pytest.mark.parametrize("solver", ["sgd", "lbfgs"])
def test_what_is_said_of_a_bag_is_what_is_said_in_memory(solver):
    X, y = words()
    model = RelationalRSLVQ(metric="levenshtein", n_landmarks=20, solver=solver, random_state=0)
    model.fit(bag(X), bag(y))
    assert model.score(X, y) > 0.9
    assert model.coefficients_.shape == (3, 20)
    assert set(model.support_) <= set(range(20))
    assert model.relation_.objects_ == [X[i] for i in model.landmark_indices_]
    np.testing.assert_array_equal(model.training_labels(), y[model.landmark_indices_])
    for name in SAID:
        said = getattr(model, name)(bag(X))
        expected = getattr(model, name)(X)
        assert isinstance(said, da.Array), name
        assert said.dtype == expected.dtype
        if expected.dtype.kind == "f":  # a BLAS may round products of fewer rows otherwise
            np.testing.assert_allclose(said.compute(), expected, rtol=1e-11, err_msg=name)
        else:
            np.testing.assert_array_equal(said.compute(), expected, err_msg=name)
    assert model.score(bag(X), bag(y)).compute() == model.score(X, y)


def test_a_model_of_a_list_says_the_same_of_bags():
    X, y = words()
    for n_landmarks in (None, 20):
        model = RelationalRSLVQ(metric="levenshtein", n_landmarks=n_landmarks, random_state=0)
        model.fit(X, y)
        np.testing.assert_array_equal(model.predict(bag(X)).compute(), model.predict(X))


def test_labels_may_be_an_array_a_bag_or_a_column():
    import dask.dataframe as dd
    import pandas as pd

    X, y = words()
    model = RelationalGLVQ(metric="levenshtein", n_landmarks=12, max_epochs=3, random_state=0)
    table = dd.from_pandas(pd.DataFrame({"word": X, "family": y}), npartitions=4)
    of_array = clone(model).fit(bag(X), da.from_array(y, chunks=30))
    of_column = clone(model).fit(table["word"], table["family"])
    of_bag = clone(model).fit(bag(X, 3).map(str.lower), bag(y, 3))
    for other in (of_column, of_bag):
        np.testing.assert_array_equal(of_array.landmark_indices_, other.landmark_indices_)
    np.testing.assert_array_equal(vectors(of_array), vectors(of_column))


def test_empty_blocks_and_a_class_that_one_block_has():
    X, y = words(90)
    rare, labels = [*X, "zzzzzzzz"], [*y, "rare"]
    cuts = [0, 0, 40, 40, 91]
    lazy, classes = (
        db.from_delayed([dask.delayed(v[a:b]) for a, b in itertools.pairwise(cuts)])
        for v in (rare, labels)
    )
    model = KernelGLVQ(
        kernel=lambda a, b: float(len(set(a) & set(b))), n_landmarks=8, random_state=0
    )
    model.fit(lazy, classes)
    assert "rare" in model.training_labels()
    assert 90 in model.landmark_indices_
    assert len(model.landmark_indices_) == 8
    assert list(model.classes_) == ["one", "rare", "three", "two"]
    assert model.predict(lazy).compute()[-1] == "rare"


def test_any_objects():
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=60)
    graphs = [
        {"edges": {(int(i), int(j)) for i, j in rng.integers(2 + 2 * c, size=(6, 2))}} for c in y
    ]
    trains = [np.sort(rng.random(3 + 5 * c)) for c in y]

    def apart(a, b):
        return float(len(a["edges"] ^ b["edges"]))

    def counts(a, b):
        return float((len(a) - len(b)) ** 2)

    for objects, metric in ((graphs, apart), (trains, counts)):
        model = RelationalGLVQ(metric=metric, n_landmarks=10, random_state=0)
        model.fit(bag(objects), bag(y))
        assert model.score(bag(objects), bag(y)).compute() > 0.9


def test_every_proximity_is_computed_once():
    X, y = words()
    calls = []

    def apart(a, b):
        calls.append(1)
        return float(abs(len(a) - len(b)) + sum(p != q for p, q in zip(a, b)))

    model = ProximityLVQ(
        metric=apart, proximity="dissimilarity", correction="clip", n_landmarks=10, cost="rslvq"
    )
    model.fit(bag(X), bag(y))
    assert model.n_iter_ > 3
    assert len(calls) == 120 * 10 + 2 * 10 * 10  # those between landmarks: their block, features


def test_only_landmarks_parameters_and_sums_come_here(monkeypatch):
    from dask.sizeof import sizeof

    X, y = words(8000)
    sizes = []
    values = Pass.values

    def watched(run, nodes):
        found = values(run, nodes)
        sizes.append(sizeof(list(found)))
        return found

    monkeypatch.setattr(Pass, "values", watched)
    model = KernelRSLVQ(kernel=_common, n_landmarks=10, max_epochs=2, random_state=0)
    model.fit(bag(X, 8), bag(y, 8))
    assert len(sizes) > 5
    # 2000 words are looked at; features of all samples are 8000 × 10 numbers.
    assert max(sizes) < 2000 * 150
    assert sorted(sizes)[-3] < 10_000


def _common(a, b):
    return float(sum(p == q for p, q in zip(a, b)))


# --- files -------------------------------------------------------------------------------------


def test_a_loaded_model_knows_its_landmarks():
    X, y = words()
    model = RelationalGLVQ(metric="levenshtein", n_landmarks=12, random_state=0)
    loaded = pickle.loads(pickle.dumps(model.fit(bag(X), bag(y))))
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    assert loaded.relation_.objects_ == model.relation_.objects_
    assert loaded.training_cost() == model.training_cost()


class _Interrupted(Exception):
    pass


@pytest.mark.parametrize(
    "model",
    [
        KernelRSLVQ(kernel=_common, random_state=None),
        RelationalGLVQ(metric="levenshtein", solver="lbfgs", random_state=0),
    ],
    ids=["sgd", "lbfgs"],
)
@pytest.mark.parametrize("where", ["bag", "list"])
def test_an_interrupted_fit_goes_on(model, where, tmp_path, monkeypatch):
    X, y = words()
    data = (bag(X), bag(y)) if where == "bag" else (X, y)
    model = clone(model).set_params(n_landmarks=10, max_epochs=6)
    whole = clone(model).set_params(checkpoint=tmp_path / "whole").fit(*data)
    if model.random_state is None:  # a journal has the seed it began with
        (tmp_path / "parts").mkdir()
        head = (tmp_path / "whole" / "fit.json").read_text()
        (tmp_path / "parts" / "fit.json").write_text(head)
    ask, asked = Journal.ask, []

    def interrupted(*args, **kwargs):
        asked.append(1)
        if len(asked) == 8:
            raise _Interrupted
        return ask(*args, **kwargs)

    parts = clone(model).set_params(checkpoint=tmp_path / "parts")
    with monkeypatch.context() as patch:
        patch.setattr(Journal, "ask", interrupted)
        with pytest.raises(_Interrupted):
            parts.fit(*data)
    parts.fit(*data)
    np.testing.assert_array_equal(vectors(parts), vectors(whole))
    assert parts.loss_curve_ == whole.loss_curve_


# --- refusals ----------------------------------------------------------------------------------


def test_what_is_refused():
    X, y = words(30)
    lazy, labels = bag(X), bag(y)
    with pytest.raises(ValueError, match="KernelGLVQ needs n_landmarks for a dask collection"):
        KernelGLVQ(kernel=_common).fit(lazy, labels)
    with pytest.raises(ValueError, match="needs n_landmarks for a dask collection or a checkpoint"):
        KernelGLVQ(kernel=_common, checkpoint="nowhere").fit(X, y)
    with pytest.raises(TypeError, match='"precomputed": give the objects'):
        ProximityLVQ(n_landmarks=3).fit(da.ones((9, 9), chunks=3), da.arange(9, chunks=3) % 2)
    with pytest.raises(ValueError, match='use gradient="coordinates"'):
        KernelGLVQ(kernel=_common, n_landmarks=5, sparsity_penalty=0.1).fit(lazy, labels)
    words_of = {"metric": "levenshtein", "random_state": 0}
    with pytest.raises(ValueError, match="X has 4 blocks, but y has 3"):
        RelationalGLVQ(n_landmarks=5, **words_of).fit(lazy, bag(y, 3))
    with pytest.raises(ValueError, match="block 0 has 7 samples, but 8 of y"):
        RelationalGLVQ(n_landmarks=5, **words_of).fit(lazy, bag([*y, *y[:2]]))
    with pytest.raises(ValueError, match="must be at least the number of prototypes"):
        RelationalGLVQ(n_landmarks=4, n_prototypes=2, **words_of).fit(lazy, labels)
    missing = np.flatnonzero(y != "two")[:6]
    with pytest.raises(ValueError, match="class 'two' has 0 landmarks, fewer than its 1"):
        RelationalGLVQ(n_landmarks=6, landmarks=missing, **words_of).fit(lazy, labels)
    with pytest.raises(ValueError, match="has 1 objects, fewer than its 2 prototypes"):
        RelationalGLVQ(n_landmarks=9, n_prototypes=2, **words_of).fit(
            lazy, bag(["only", *["other"] * 29])
        )
    with pytest.raises(ValueError, match="needs at least two classes"):
        RelationalGLVQ(n_landmarks=5, **words_of).fit(lazy, bag(["same"] * 30))
    with pytest.raises(TypeError, match="MedianLVQ does not take dask collections"):
        MedianLVQ(metric="levenshtein").fit(lazy, labels)


# --- processes ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cluster():
    yield from two_processes()


def everywhere(cluster, function):
    """What it gives on one thread, on several, and on two processes."""
    with cluster.as_current(), dask.config.set(scheduler="distributed"):
        far = function()
    for scheduler in ("synchronous", "threads"):
        with dask.config.set(scheduler=scheduler):
            yield far, function()


@pytest.mark.parametrize(
    "model",
    [
        KernelRSLVQ(kernel=_common, n_prototypes=2),
        RelationalRSLVQ(metric="levenshtein", correction="clip", constraint="affine"),
        *(
            pytest.param(model, marks=pytest.mark.slow)
            for model in [
                RelationalGLVQ(metric="levenshtein"),
                RelationalRSLVQ(metric="levenshtein", solver="lbfgs"),
            ]
        ),
    ],
)
def test_the_same_on_threads_and_processes(cluster, model):
    X, y = words(300)
    model = clone(model).set_params(n_landmarks=12, max_epochs=4, random_state=1)

    def learned():
        fitted = clone(model).fit(bag(X, 5), bag(y, 5))
        said = fitted.predict(bag(X, 5)).compute()
        return [vectors(fitted), fitted.coefficients_, np.array(fitted.loss_curve_), said]

    for far, near in everywhere(cluster, learned):
        for one, other in zip(far, near):
            np.testing.assert_array_equal(one, other)


def test_a_registered_name_works_in_other_processes(cluster):
    X, y = words(100)
    register_metric("unlike_in_blocks", lambda a, b: float(abs(len(a) - len(b)) + (a[0] != b[0])))
    register_metric("common_in_blocks", lambda a, b: float(len(set(a) & set(b))), "similarity")
    unlike = {"metric": "unlike_in_blocks", "proximity": "dissimilarity"}

    def learned():
        embedding = NystroemEmbedding(n_landmarks=6, correction="flip", random_state=0, **unlike)
        model = KernelGLVQ(kernel="common_in_blocks", n_landmarks=8, random_state=0)
        model.fit(bag(X), bag(y))
        return [
            embedding.fit(bag(X)).transform(bag(X)).compute(),
            embedding.fit(X).transform(bag(X)).compute(),
            model.score(bag(X), bag(y)).compute(),
        ]

    for far, near in everywhere(cluster, learned):
        for one, other in zip(far, near):
            np.testing.assert_array_equal(one, other)
