"""Prototypes that are training objects: against exhaustive search, and as an estimator."""

from itertools import product

import numpy as np
import pytest
from sklearn.datasets import load_iris, make_blobs

import noneuclid
from noneuclid.kernels import Gaussian
from noneuclid.numerics import squared_euclidean
from noneuclid.prototypes import MedianLVQ, compact, exemplars
from noneuclid.prototypes.costs import GLVQCost, Membership, RSLVQCost

X, Y = make_blobs(36, centers=3, n_features=2, cluster_std=2.5, random_state=1)
D = squared_euclidean(X, X)
COSTS = [
    ({"cost": "glvq", "transfer": "identity"}, GLVQCost()),
    (
        {"cost": "glvq", "transfer": "sigmoid", "slope": 3.0},
        GLVQCost(transfer="sigmoid", slope=3.0),
    ),
    ({"cost": "glvq", "transfer": "tanh", "slope": 2.0}, GLVQCost(transfer="tanh", slope=2.0)),
    ({"cost": "rslvq", "sigma2": 4.0}, RSLVQCost(sigma2=4.0)),
]


def cost_of(cost, chosen, weights=None):
    who = Membership(Y, Y[np.asarray(chosen)])
    return cost.evaluate(D[:, chosen], who, weights).value / len(Y)


@pytest.mark.parametrize(("params", "cost"), COSTS)
@pytest.mark.parametrize("n_prototypes", [1, 2])
def test_no_single_move_is_better(params, cost, n_prototypes):
    weights = np.random.default_rng(0).random(36) + 0.5
    weights *= 36 / weights.sum()
    for sample_weight in (None, weights):
        model = MedianLVQ(n_prototypes=n_prototypes, random_state=0, **params)
        model.fit(D, Y, sample_weight=sample_weight)
        chosen = model.prototype_indices_
        assert (Y[chosen] == model.prototype_labels_).all()
        reached = cost_of(cost, chosen, sample_weight)
        assert model.loss_curve_[-1] == pytest.approx(reached)
        assert (np.diff(model.loss_curve_) <= 1e-12).all()
        for j in range(len(chosen)):
            for o in np.flatnonzero(Y[chosen[j]] == Y):
                moved = chosen.copy()
                moved[j] = o
                assert cost_of(cost, moved, sample_weight) >= reached - 1e-9


@pytest.mark.parametrize(("params", "cost"), COSTS)
def test_some_start_finds_the_best_of_all_choices(params, cost):
    members = [np.flatnonzero(c == Y) for c in range(3)]
    best = min(cost_of(cost, np.array(choice)) for choice in product(*members))
    reached = [
        MedianLVQ(init="random", random_state=seed, **params).fit(D, Y).loss_curve_[-1]
        for seed in range(8)
    ]
    assert min(reached) == pytest.approx(best)


def test_two_prototypes_never_share_an_object():
    for cost in ("glvq", "rslvq"):
        model = MedianLVQ(cost=cost, n_prototypes=4, random_state=0).fit(D, Y)
        assert len(set(model.prototype_indices_)) == 12


def test_distances_are_those_to_the_objects():
    model = MedianLVQ(n_prototypes=2, random_state=0).fit(D, Y)
    np.testing.assert_array_equal(model.transform(D), D[:, model.prototype_indices_])
    np.testing.assert_array_equal(np.sort(model.prototype_indices_), model.support_)
    small = compact(model)
    np.testing.assert_array_equal(small.predict(D[:, model.support_]), model.predict(D))
    assert [e.objects for e in exemplars(model, 1)] == [[i] for i in model.prototype_indices_]


def test_similarities_metrics_and_probabilities():
    kernel = Gaussian(width=3.0)
    induced = 2 - 2 * kernel(X)
    np.fill_diagonal(induced, 0.0)
    by_kernel = MedianLVQ(proximity="similarity", metric=kernel, random_state=0).fit(X, Y)
    by_distance = MedianLVQ(random_state=0).fit(induced, Y)
    np.testing.assert_array_equal(by_kernel.prototype_indices_, by_distance.prototype_indices_)
    soft = MedianLVQ(cost="rslvq", metric="sqeuclidean", random_state=0).fit(X, Y)
    np.testing.assert_allclose(soft.predict_proba(X).sum(axis=1), 1.0)


def test_words_and_accuracy():
    iris, species = load_iris(return_X_y=True)
    model = MedianLVQ(metric="cityblock", n_prototypes=2, random_state=0).fit(iris, species)
    assert model.score(iris, species) > 0.93


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"cost": "lvq1"}, r"cost \(='lvq1'\) must not be a heuristic"),
        ({"init": "kmeans"}, r"init \(='kmeans'\) must be"),
        ({"init": [0, 1]}, "init must be 3 indices"),
        ({"init": [0.0, 1.0, 2.0]}, r"init \(=\[0.0, 1.0, 2.0\]\) must be .* an array of indices"),
        ({"init": [0, 1, 36]}, "init must hold indices from 0 to 35"),
        ({"init": [0, 0, 0]}, r"object of another class"),
        ({"n_prototypes": 13}, "fewer than its 13 prototypes"),
    ],
)
def test_bad_parameters(params, sentence):
    with pytest.raises(ValueError, match=sentence):
        MedianLVQ(**params).fit(D, Y)


def test_given_objects_are_where_it_starts():
    start = [int(np.flatnonzero(c == Y)[3]) for c in range(3)]
    model = MedianLVQ(init=start).fit(D, Y)
    assert model.cost_.transfer == "sigmoid"
    assert model.loss_curve_[0] == pytest.approx(cost_of(model.cost_, np.array(start)))


def test_constant_and_duplicated_objects():
    with np.errstate(all="raise"):
        flat = MedianLVQ(random_state=0).fit(np.zeros((6, 6)), [0, 0, 0, 1, 1, 1])
    assert set(flat.predict(np.zeros((2, 6)))) <= {0, 1}
    twice = np.r_[0:36, 0:36]
    model = MedianLVQ(n_prototypes=2, random_state=0).fit(D[np.ix_(twice, twice)], Y[twice])
    assert np.isfinite(model.loss_curve_).all()


def test_it_comes_back_from_a_file(tmp_path):
    model = MedianLVQ(metric="sqeuclidean", random_state=0).fit(X, Y)
    noneuclid.save(model, tmp_path / "model.skops")
    back = noneuclid.load(tmp_path / "model.skops")
    np.testing.assert_array_equal(back.predict(X), model.predict(X))
    np.testing.assert_array_equal(back.prototype_indices_, model.prototype_indices_)
