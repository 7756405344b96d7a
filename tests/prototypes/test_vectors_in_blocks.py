"""Prototypes from dask collections are those of the same samples in memory."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

from noneuclid._blocks import Journal
from noneuclid.kernels import Gaussian
from noneuclid.pca import HebbianPCA
from noneuclid.prototypes import (
    GLVQ,
    GMLVQ,
    GRLVQ,
    LGMLVQ,
    LVQ1,
    LVQ21,
    RSLVQ,
    FuzzyLabelledNeuralGas,
    FuzzyLabelledSOM,
    MatrixRSLVQ,
    NeuralGas,
    SelfOrganizingMap,
    VectorLVQ,
)
from noneuclid.spaces import Hilbert, KernelMetric, LeeVerleysen, Sobolev

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")

RNG = np.random.default_rng(1)
N, D = 400, 5
Y = RNG.integers(0, 3, size=N)
X = RNG.normal(size=(N, D)) + 2 * np.eye(3, D)[Y] + 5
W = RNG.random(N)
FEW = np.where(RNG.random(N) < 0.2, Y, -1)
CHUNKS = (100, 0, 170, 130)
ROWS = da.from_array(X, chunks=(CHUNKS, (D,)))
INIT = X[[np.flatnonzero(c == Y)[0] for c in range(3)]]
GRAM = np.eye(D) + 0.3
SPACES = [
    "l2",
    "l1",
    "l1.5",
    "linf",
    Sobolev(),
    Hilbert(GRAM),
    LeeVerleysen(),
    KernelMetric(Gaussian()),
]


def beside(values):
    return da.from_array(values, chunks=(CHUNKS,))


def assert_same(one, other, rtol=1e-8):
    for name in ("prototypes_", "omega_", "label_distributions_", "loss_curve_"):
        if hasattr(one, name):
            a, b = np.asarray(getattr(one, name)), np.asarray(getattr(other, name))
            np.testing.assert_allclose(a, b, rtol=rtol, atol=rtol * np.abs(b).max(), err_msg=name)
    assert one.n_iter_ == other.n_iter_


CLASSIFIERS = [
    *(GLVQ(space=space, max_epochs=8) for space in SPACES),
    *(RSLVQ(space=space, max_epochs=8) for space in SPACES[:-1]),
    GLVQ(class_weight="balanced"),
    GLVQ(class_weight={0: 1.0, 1: 2.0, 2: 0.5}),
    GMLVQ(max_epochs=10),
    GMLVQ(rank=2, max_epochs=10),
    GMLVQ(kernel=True, max_epochs=5),
    GMLVQ(space=Sobolev(), max_epochs=5),
    GMLVQ(regularization=0.1, max_epochs=5),
    GRLVQ(max_epochs=5),
    LGMLVQ(max_epochs=5),
    LGMLVQ(per="class", rank=2, cost="rslvq", max_epochs=5),
    MatrixRSLVQ(max_epochs=5),
    VectorLVQ(cost="cross_entropy"),
    GLVQ(transfer="tanh", slope=2.0),
]


@pytest.mark.parametrize("model", CLASSIFIERS, ids=repr)
@pytest.mark.parametrize("weighted", [False, True])
def test_classifiers_are_those_in_memory(model, weighted):
    model = clone(model).set_params(init=INIT, random_state=0)
    weights = (W,) if weighted else ()
    in_memory = clone(model).fit(X, Y, *weights)
    model.fit(ROWS, beside(Y), *map(beside, weights))
    assert_same(model, in_memory)
    if hasattr(in_memory, "predict_proba"):
        assert model.sigma2_ == pytest.approx(in_memory.sigma2_, rel=1e-9)
    assert model._rate == pytest.approx(in_memory._rate, rel=1e-9)


QUANTIZERS = [
    NeuralGas(n_prototypes=6),
    NeuralGas(n_prototypes=6, max_epochs=4, space="l1"),
    NeuralGas(n_prototypes=6, space=Sobolev(), max_epochs=10),
    NeuralGas(n_prototypes=40, max_epochs=30),
    NeuralGas(n_prototypes=6, schedule="constant", final_width=0.0, width=0.5, tol=1e-3),
    SelfOrganizingMap(shape=(3, 4)),
    SelfOrganizingMap(shape=(9, 9), topology="hex", final_width=0.05),
    SelfOrganizingMap(shape=(2, 3), space="l1.5", max_epochs=3),
    SelfOrganizingMap(shape=(9, 9), space="l1.5", max_epochs=12),
    SelfOrganizingMap(shape=(9, 9), space="linf", max_epochs=9),
    SelfOrganizingMap(shape=(9, 9), space=KernelMetric(Gaussian(2.0)), max_epochs=9),
    FuzzyLabelledNeuralGas(n_prototypes=6),
    FuzzyLabelledNeuralGas(n_prototypes=4, space="l1", max_epochs=3),
    FuzzyLabelledSOM(shape=(3, 3)),
    FuzzyLabelledSOM(shape=(8, 8), space="l1.5", max_epochs=9),
]


@pytest.mark.parametrize("model", QUANTIZERS, ids=repr)
def test_quantizers_are_those_in_memory(model):
    size = getattr(model, "n_prototypes", None) or int(np.prod(model.shape))
    model = clone(model).set_params(init=X[:size], random_state=0)
    assert_same(clone(model).fit(ROWS, beside(FEW)), clone(model).fit(X, FEW))


def test_labels_of_maps_may_be_words_in_some_blocks_only():
    words = np.where(FEW < 0, "", np.array(["a", "b", "c"])[FEW])
    words[:300] = ""
    model = FuzzyLabelledSOM(shape=(3, 3), missing_label="", random_state=0)
    found = clone(model).fit(ROWS, beside(words))
    assert_same(found, clone(model).fit(X, words))
    assert found.classes_.tolist() == sorted(set(words[300:]) - {""})
    with pytest.raises(ValueError, match="all labels are missing"):
        clone(model).fit(ROWS, beside(np.full(N, "")))


STOCHASTIC = [
    LVQ1(),
    LVQ21(),
    GLVQ(solver="sgd"),
    RSLVQ(solver="sgd"),
    GMLVQ(solver="sgd"),
    LGMLVQ(solver="sgd"),
    GLVQ(solver="sgd", space="l1", gradient="coordinates"),
    GLVQ(solver="sgd", learning_rate=0.01, shuffle=False, max_epochs=3),
]


@pytest.mark.parametrize("model", STOCHASTIC, ids=repr)
def test_stochastic_steps_go_block_after_block(model):
    model = clone(model).set_params(random_state=0)
    in_memory = clone(model).fit(X, Y)
    model.fit(ROWS, beside(Y))
    first = model.prototypes_
    with dask.config.set(scheduler="synchronous"):
        np.testing.assert_array_equal(model.fit(ROWS, beside(Y)).prototypes_, first)
    assert model.score(X, Y) > in_memory.score(X, Y) - 0.05


def test_without_shuffling_blocks_change_nothing():
    model = GLVQ(
        solver="sgd", learning_rate=0.01, shuffle=False, max_epochs=3, init=INIT, random_state=0
    )
    assert_same(clone(model).fit(ROWS, beside(Y)), clone(model).fit(X, Y))


@pytest.mark.parametrize(
    "model",
    [
        GLVQ(n_prototypes=3),
        RSLVQ(n_prototypes={0: 1, 1: 2, 2: 4}),
        NeuralGas(n_prototypes=5),
        SelfOrganizingMap(shape=(3, 3)),
    ],
    ids=repr,
)
def test_starts_do_not_depend_on_blocks(model):
    model = clone(model).set_params(random_state=3)
    one = clone(model).fit(ROWS, beside(Y))
    other = clone(model).fit(da.from_array(X, chunks=(97, D)), beside(Y))
    assert_same(one, other)


def test_everything_after_fit_is_lazy():
    model = RSLVQ(random_state=0).fit(ROWS, beside(Y))
    for method in ("predict", "predict_proba", "decision_function", "transform", "certainty"):
        said, expected = getattr(model, method)(ROWS), getattr(model, method)(X)
        assert isinstance(said, da.Array), method
        assert said.shape == expected.shape
        assert said.dtype == expected.dtype
        np.testing.assert_allclose(said.compute(), expected, rtol=1e-12)
    assert float(model.score(ROWS, beside(Y))) == pytest.approx(model.score(X, Y))
    weighted = model.score(ROWS, beside(Y), beside(W))
    assert float(weighted) == pytest.approx(model.score(X, Y, W))
    gas = NeuralGas(n_prototypes=4, random_state=0)
    assigned = gas.fit_predict(ROWS)
    np.testing.assert_array_equal(assigned.compute(), gas.predict(X))
    assert float(gas.score(ROWS)) == pytest.approx(gas.score(X))
    assert not hasattr(gas, "labels_")
    assert gas.fit_transform(ROWS).shape == (N, 4)


def test_pipelines_of_our_steps():
    pipeline = make_pipeline(HebbianPCA(n_components=3), GLVQ(random_state=0))
    in_memory = clone(pipeline).fit(X, Y)
    pipeline.fit(ROWS, beside(Y))
    np.testing.assert_allclose(
        pipeline[-1].prototypes_, in_memory[-1].prototypes_, rtol=1e-6, atol=1e-6
    )
    said = pipeline.predict(ROWS)
    assert isinstance(said, da.Array)
    np.testing.assert_array_equal(said.compute(), pipeline.predict(X))
    assert float(pipeline.score(ROWS, beside(Y))) == pytest.approx(pipeline.score(X, Y))


def test_dask_ml_wrappers():
    wrappers = pytest.importorskip("dask_ml.wrappers")
    rows, labels = da.from_array(X, chunks=(150, D)), da.from_array(Y, chunks=150)
    after = wrappers.ParallelPostFit(GLVQ(random_state=0)).fit(X, Y)
    np.testing.assert_array_equal(after.predict(rows).compute(), after.predict(X))
    parts = wrappers.Incremental(GLVQ(random_state=0), shuffle_blocks=False)
    parts.fit(rows, labels, classes=[0, 1, 2])
    assert float(parts.score(rows, labels)) > 0.7


# --- interrupted work -------------------------------------------------------------------------

LEARNERS = [
    GLVQ(n_prototypes=2),
    GMLVQ(max_epochs=5),
    GLVQ(solver="sgd", max_epochs=4),
    NeuralGas(n_prototypes=4, max_epochs=6),
    NeuralGas(n_prototypes=4, max_epochs=2, space="l1"),
    FuzzyLabelledSOM(shape=(2, 2), max_epochs=5),
]


@pytest.mark.parametrize("model", LEARNERS, ids=repr)
@pytest.mark.parametrize("seed", [0, None])
def test_interrupted_fits_go_on(model, seed, tmp_path, monkeypatch):
    model = clone(model).set_params(random_state=seed, checkpoint=tmp_path)
    ask, asked = Journal.ask, []

    def interrupted(self, *args, **kwargs):
        if len(asked) == 6:
            raise KeyboardInterrupt
        asked.append(args)
        return ask(self, *args, **kwargs)

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "ask", interrupted)
        with pytest.raises(KeyboardInterrupt):
            model.fit(ROWS, beside(FEW % 3))
    assert len(list(tmp_path.glob("*.npz"))) == 6

    read = []

    def watched(self, *args, **kwargs):
        found = ask(self, *args, **kwargs)
        read.append(self.n_read)
        return found

    monkeypatch.setattr(Journal, "ask", watched)
    model.fit(ROWS, beside(FEW % 3))
    assert read[-1] == 5  # all but the survey, which tells whether these are the same data
    found = model.prototypes_
    again = clone(model).fit(ROWS, beside(FEW % 3))  # all from the journal
    np.testing.assert_array_equal(again.prototypes_, found)
    if seed is not None:
        whole = clone(model).set_params(checkpoint=None).fit(ROWS, beside(FEW % 3))
        np.testing.assert_array_equal(whole.prototypes_, found)


def test_checkpoints_of_arrays_in_memory(tmp_path):
    model = GLVQ(init=INIT, random_state=0)
    found = clone(model).set_params(checkpoint=tmp_path / "deep" / "folder").fit(X, Y)
    assert_same(found, clone(model).fit(X, Y))
    assert list((tmp_path / "deep" / "folder").glob("*.npz"))
