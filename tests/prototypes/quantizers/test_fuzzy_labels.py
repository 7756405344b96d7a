"""Neural gas and maps that learn from few labels."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_digits, make_blobs
from sklearn.exceptions import DataConversionWarning

import noneuclid
from noneuclid.kernels import Gaussian
from noneuclid.prototypes import (
    FuzzyLabelledNeuralGas,
    FuzzyLabelledSOM,
    NeuralGas,
    SelfOrganizingMap,
)
from noneuclid.prototypes.costs.grids import Grid
from noneuclid.prototypes.costs.neighbourhoods import GridNeighbourhood, RankNeighbourhood
from noneuclid.prototypes.geometries.labelled import LabelledGeometry, LabelledVectors
from noneuclid.prototypes.geometries.vectors import VectorGeometry
from noneuclid.prototypes.labels import fuzzy_labels
from noneuclid.prototypes.solvers.annealing import Annealing
from noneuclid.prototypes.solvers.batch import Batch
from noneuclid.spaces import Euclidean, KernelMetric, Lp, Sobolev

X, Y = make_blobs(90, centers=3, n_features=4, random_state=0)
FEW = np.where(np.arange(90) % 10 == 0, Y, -1)
MODELS = [
    FuzzyLabelledNeuralGas(n_prototypes=6, random_state=0),
    FuzzyLabelledSOM(shape=(2, 4), topology="hex", random_state=0),
]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("solver", ["batch", "online"])
def test_few_labels_tell_all_classes(model, solver):
    model.set_params(solver=solver, max_epochs=10).fit(X, FEW)
    assert model.score(X, Y) > (0.95 if solver == "batch" else 0.85)
    P = model.predict_proba(X)
    np.testing.assert_allclose(P.sum(axis=1), 1.0)
    np.testing.assert_array_equal(model.classes_[P.argmax(axis=1)], model.predict(X))
    np.testing.assert_array_equal(model.prototype_labels_[model.labels_], model.predict(X))


def geometry(beta):
    classes, L, known = fuzzy_labels(FEW, 90, -1, "test")
    assert classes.tolist() == [0, 1, 2]
    return LabelledGeometry(VectorGeometry(Euclidean(), X), L, known, beta, 7.0), L, known


def test_distances_and_centres_are_the_formula():
    both, L, known = geometry(0.3)
    rng = np.random.default_rng(0)
    theta = LabelledVectors(both.vectors.state(X[:4]), rng.dirichlet(np.ones(3), 4), np.zeros(4))
    beta = 0.3 * known[:, None]
    plain = ((X[:, None] - X[:4]) ** 2).sum(axis=2) / 7.0
    labels = ((L[:, None] - theta.Y) ** 2).sum(axis=2)
    expected = (1 - beta) * plain + beta * labels
    np.testing.assert_allclose(both.distances(theta), expected)
    _, pulls = RankNeighbourhood(4).assign(expected, 1.0)
    H = pulls.dense()
    new = both.centres(pulls, theta)
    weights = H * (1 - beta)
    np.testing.assert_allclose(new.vectors.W, (weights / weights.sum(axis=0)).T @ X)
    weights = H * known[:, None]
    np.testing.assert_allclose(new.Y, (weights / weights.sum(axis=0)).T @ L)


@pytest.mark.parametrize("beta", [0.0, 0.3, 1.0])
@pytest.mark.parametrize(
    ("gradient", "space"),
    [
        ("riesz", Euclidean()),
        ("coordinates", Euclidean()),
        ("riesz", Sobolev()),
        ("riesz", Lp(1.5)),
        ("coordinates", KernelMetric(Gaussian(3.0))),
    ],
    ids=str,
)
@pytest.mark.parametrize(
    "neighbourhood", [RankNeighbourhood(4), GridNeighbourhood(Grid((2, 2)))], ids=["gas", "map"]
)
def test_compiled_steps_equal_those_one_by_one(neighbourhood, gradient, space, beta):
    _, L, known = fuzzy_labels(FEW, 90, -1, "test")
    order, found = np.random.default_rng(0).permutation(90), []
    for compiled in (True, False):
        vectors = VectorGeometry(space, X, gradient=gradient)
        if not compiled:
            vectors.form = vectors.chart = None
        both = LabelledGeometry(vectors, L, known, beta, 7.0)
        theta = both.start(X[:4])
        cost = 0.0
        if compiled:
            cost = both.steps(theta, order, neighbourhood.table(0.7), neighbourhood.by_rank, 0.1)
        else:
            assert not hasattr(both, "steps")
            for i in order:
                d = both.distances(theta, np.array([i]))[0]
                h = neighbourhood.pulls_of(d, 0.7)
                cost += h @ d
                both.step(theta, i, 0.1 * h)
        both.settle(theta)
        found.append((theta.vectors.W, theta.Y, theta.mass, cost))
    for fast, slow in zip(*found):
        np.testing.assert_allclose(fast, slow, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("beta", [0.0, 0.1, 0.5, 1.0])
def test_costs_never_increase_at_a_fixed_neighbourhood(beta):
    both, _, _ = geometry(beta)
    theta = LabelledVectors(both.vectors.state(X[:5]), np.full((5, 3), 1 / 3), np.zeros(5))
    for width in (0.0, 0.5, 2.0):
        fixed = Annealing(width, width, "constant")
        solver = Batch(width=fixed, max_epochs=40, tol=0.0)
        curve = solver.run(both, RankNeighbourhood(5), theta).loss_curve
        assert (np.diff(curve) <= 1e-12).all()
        assert len(curve) > 1


@pytest.mark.parametrize("space", ["l1.5", "linf"])
def test_without_weight_of_labels_a_map_is_the_plain_one_in_any_space(space):
    given = {"shape": (9, 9), "space": space, "random_state": 0, "max_epochs": 12}
    few = FuzzyLabelledSOM(beta=0.0, **given).fit(X, FEW)
    plain = SelfOrganizingMap(**given).fit(X)
    np.testing.assert_allclose(few.prototypes_, plain.prototypes_, atol=1e-9)


def test_without_weight_labels_do_not_move_prototypes():
    few = FuzzyLabelledNeuralGas(n_prototypes=5, beta=0.0, random_state=0).fit(X, FEW)
    plain = NeuralGas(n_prototypes=5, random_state=0).fit(X)
    np.testing.assert_allclose(few.prototypes_, plain.prototypes_, atol=1e-9)
    full = FuzzyLabelledSOM(shape=(2, 3), beta=0.0).fit(X, Y)
    D = full.transform(X)
    shares = np.array([np.bincount(Y[D.argmin(axis=1) == k], minlength=3) for k in range(6)])
    used = shares.sum(axis=1) > 0
    np.testing.assert_array_equal(
        full.label_distributions_.argmax(axis=1)[used], shares.argmax(axis=1)[used]
    )


def test_what_counts_as_missing():
    words = np.array(["red", "green", "blue"])[Y]
    some = np.arange(90) % 5 == 0
    objects = words.astype(object)
    objects[~some] = None
    nans = np.where(some, Y.astype(float), np.nan)
    marked = np.where(some, words, "?")
    reference = FuzzyLabelledNeuralGas(n_prototypes=5, random_state=0)
    numbers = reference.fit(X, np.where(some, Y, -1)).predict(X)
    for y, params in (
        (objects, {}),
        (nans, {}),
        (marked, {"missing_label": "?"}),
        (np.where(some, Y, 99), {"missing_label": 99}),
    ):
        model = FuzzyLabelledNeuralGas(n_prototypes=5, random_state=0, **params).fit(X, y)
        found = model.predict(X)
        if found.dtype.kind in "UO":
            found = np.array([{"red": 0, "green": 1, "blue": 2}[w] for w in found])
        np.testing.assert_array_equal(found, numbers)
    kept = FuzzyLabelledNeuralGas(missing_label=None, random_state=0).fit(X, 2 * (Y > 0) - 1)
    assert kept.classes_.tolist() == [-1, 1]


def test_a_class_that_stands_for_no_label_is_asked_about():
    """Faulty before: of classes -1 and 1 the first one was gone, without a word."""
    y = 2 * (Y > 0) - 1
    sentence = r"one class only, 1, beside missing_label \(=-1\).*: if it is a class, say"
    with pytest.raises(ValueError, match=sentence):
        FuzzyLabelledNeuralGas().fit(X, y)
    with pytest.raises(ValueError, match=sentence):
        FuzzyLabelledNeuralGas().partial_fit(X, y)
    da = pytest.importorskip("dask.array")
    with pytest.raises(ValueError, match=sentence):
        FuzzyLabelledNeuralGas().fit(da.from_array(X, chunks=(20, -1)), da.from_array(y, chunks=20))


def test_labels_may_be_distributions():
    L = np.eye(3)[Y] * 0.8 + 0.2 / 3
    L[1::2] = np.nan
    model = FuzzyLabelledSOM(shape=(2, 3)).fit(X, L)
    assert model.score(X, Y) > 0.95
    assert model.predict_proba(X).min() >= 0.2 / 3 - 1e-9
    gaps = pd.DataFrame(L).astype("Float64")
    np.testing.assert_array_equal(clone(model).fit(X, gaps).predict(X), model.predict(X))
    with pytest.raises(ValueError, match="must be distributions"):
        model.fit(X, 2 * np.nan_to_num(L, nan=1 / 3))
    with pytest.raises(ValueError, match="all labels are missing"):
        model.fit(X, np.full((90, 3), np.nan))


def test_labels_in_parts():
    model = FuzzyLabelledNeuralGas(n_prototypes=6, max_epochs=5, random_state=0)
    model.partial_fit(X[:30], np.full(30, -1), classes=[0, 1, 2])
    for _ in range(6):
        model.partial_fit(X, FEW)
    assert model.n_iter_ == 7
    assert model.score(X, Y) > 0.9
    with pytest.raises(ValueError, match=r"y holds .*7.*not one of the classes"):
        model.partial_fit(X[:2], [0, 7])


@pytest.mark.parametrize(
    ("y", "sentence"),
    [
        (np.full(90, -1), "all labels are missing .*NeuralGas"),
        (np.full(90, np.nan), "all labels are missing"),
        (Y[:50], "90 samples but 50 labels"),
        (np.linspace(0, 1, 90), "continuous"),
        (None, "requires y to be passed"),
    ],
)
def test_bad_labels(y, sentence):
    for model in MODELS:
        with pytest.raises(ValueError, match=sentence):
            model.fit(X, y)


@pytest.mark.parametrize("beta", [-0.1, 1.5, "half", None, True])
def test_bad_weights(beta):
    with pytest.raises(ValueError, match=r"beta \(=.* between 0 and 1"):
        FuzzyLabelledNeuralGas(beta=beta).fit(X, FEW)


def test_columns_warn_and_banach_spaces_learn():
    with pytest.warns(DataConversionWarning):
        FuzzyLabelledNeuralGas(random_state=0).fit(X, FEW[:, None])
    model = FuzzyLabelledNeuralGas(n_prototypes=6, space=Lp(1), max_epochs=8, random_state=0)
    assert model.fit(X, FEW).score(X, Y) > 0.9


def test_ten_percent_of_the_labels_beat_a_majority_on_digits():
    Z, digits = load_digits(return_X_y=True)
    Z = Z / 16
    order = np.random.default_rng(0).permutation(len(Z))
    train, test = order[:1200], order[1200:]
    few = np.where(np.arange(1200) < 120, digits[train], -1)
    for plain, labelled in (
        (SelfOrganizingMap(max_epochs=15), FuzzyLabelledSOM(max_epochs=15)),
        (
            NeuralGas(n_prototypes=100, max_epochs=15, random_state=0),
            FuzzyLabelledNeuralGas(n_prototypes=100, max_epochs=15, random_state=0),
        ),
    ):
        winners = plain.fit(Z[train]).predict(Z[train[:120]])
        classes = np.full(100, np.bincount(digits[train[:120]]).argmax())
        for k in np.unique(winners):
            classes[k] = np.bincount(digits[train[:120]][winners == k]).argmax()
        by_majority = (classes[plain.predict(Z[test])] == digits[test]).mean()
        ours = labelled.fit(Z[train], few).score(Z[test], digits[test])
        assert ours > by_majority + 0.05


def test_copies_behave_alike(tmp_path):
    for model in MODELS:
        model.set_params(solver="batch", max_epochs=10).fit(X, FEW)
        noneuclid.save(model, tmp_path / "model.skops")
        for other in (pickle.loads(pickle.dumps(model)), noneuclid.load(tmp_path / "model.skops")):
            np.testing.assert_array_equal(other.predict_proba(X), model.predict_proba(X))


def test_labels_alone_move_nothing_and_say_so():
    X = np.random.default_rng(0).normal(size=(30, 2))
    with pytest.warns(UserWarning, match="prototypes stay where they start"):
        FuzzyLabelledNeuralGas(n_prototypes=4, beta=1.0, random_state=0).fit(X, X[:, 0] > 0)
