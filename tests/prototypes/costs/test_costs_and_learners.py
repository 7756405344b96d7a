"""Every cost in every learner that takes one: nothing is registered anywhere."""

import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV

import noneuclid
from noneuclid.kernels import Gaussian
from noneuclid.prototypes import (
    GLVQ,
    GMLVQ,
    RSLVQ,
    GLVQCost,
    KernelRSLVQ,
    LVQ21Cost,
    MedianLVQ,
    ProximityLVQ,
    RSLVQCost,
    VectorLVQ,
    compact,
    fit_sparse,
    n_exemplars,
    sparsify,
)
from noneuclid.testing import all_costs, check_cost

X, Y = load_iris(return_X_y=True)
X = (X - X.mean(axis=0)) / X.std(axis=0)
COSTS = all_costs()
NAMES = [cls.name for cls in COSTS]
SOFT = [cls.name for cls in COSTS if cls.is_soft]
LEARNERS = {
    "vectors": lambda cost: VectorLVQ(cost=cost, solver="sgd"),
    "vectors, l1": lambda cost: VectorLVQ(cost=cost, space="l1", solver="sgd"),
    "matrix": lambda cost: GMLVQ(cost=cost, solver="sgd"),
    "similarities": lambda cost: ProximityLVQ(cost=cost, metric="rbf"),
    "coordinates": lambda cost: ProximityLVQ(cost=cost, metric="rbf", gradient="coordinates"),
    "landmarks": lambda cost: ProximityLVQ(cost=cost, metric="rbf", n_landmarks=25),
    "dissimilarities": lambda cost: ProximityLVQ(
        cost=cost, metric="sqeuclidean", proximity="dissimilarity"
    ),
}


@pytest.mark.parametrize("cls", COSTS)
def test_every_cost_keeps_its_promises(cls):
    for cost in cls.examples():
        check_cost(cost)


@pytest.mark.parametrize("cost", NAMES)
@pytest.mark.parametrize("learner", LEARNERS)
def test_every_cost_in_every_learner(learner, cost):
    model = LEARNERS[learner](cost).set_params(random_state=0, n_prototypes=2).fit(X, Y)
    assert model.score(X, Y) > 0.85
    assert model.cost_.name == cost
    assert hasattr(model, "predict_proba") == (cost in SOFT)
    if cost in SOFT:
        np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)
        best = model.classes_[model.predict_proba(X).argmax(axis=1)]
        np.testing.assert_array_equal(best, model.predict(X))
    assert ((model.certainty(X) >= 0) & (model.certainty(X) <= 1)).all()
    assert min(model.loss_curve_) <= model.loss_curve_[0]


@pytest.mark.parametrize("cls", [cls for cls in COSTS if not cls.is_heuristic])
@pytest.mark.parametrize("learner", [VectorLVQ(), GMLVQ(), MedianLVQ(metric="sqeuclidean")])
def test_costs_with_a_gradient_are_minimised(learner, cls):
    model = clone(learner).set_params(cost=cls.name, random_state=0).fit(X, Y)
    assert model.loss_curve_[-1] < model.loss_curve_[0] or len(model.loss_curve_) == 2
    assert (np.diff(model.loss_curve_) <= 1e-9).all()
    assert model.score(X, Y) > 0.85


@pytest.mark.parametrize("cls", [cls for cls in COSTS if cls.is_heuristic])
def test_heuristics_are_refused_where_a_value_is_needed(cls):
    with pytest.raises(ValueError, match='heuristic without a gradient: use solver="sgd"'):
        VectorLVQ(cost=cls.name).fit(X, Y)
    with pytest.raises(ValueError, match="must not be a heuristic"):
        MedianLVQ(cost=cls.name, metric="sqeuclidean").fit(X, Y)


@pytest.mark.parametrize("cost", NAMES)
def test_every_cost_can_be_sparse_compact_and_saved(cost, tmp_path):
    model = ProximityLVQ(cost=cost, metric="rbf", random_state=0, max_epochs=5).fit(X, Y)
    small = sparsify(model, method="nearest", k=2)
    assert n_exemplars(small) <= 2
    assert small.score(X, Y) > 0.6
    np.testing.assert_array_equal(compact(model).predict(X), model.predict(X))
    noneuclid.save(model, tmp_path / "model.skops")
    again = noneuclid.load(tmp_path / "model.skops")
    np.testing.assert_allclose(again.transform(X), model.transform(X))
    np.testing.assert_array_equal(again.predict(X), model.predict(X))


def test_named_cells_are_cells_of_the_cube():
    pairs = [
        (GLVQ(random_state=0), VectorLVQ(cost=GLVQCost(transfer="auto"), random_state=0)),
        (RSLVQ(random_state=0), VectorLVQ(cost="rslvq", random_state=0)),
        (KernelRSLVQ(random_state=0), ProximityLVQ(cost="rslvq", metric="rbf", random_state=0)),
        (
            ProximityLVQ(transfer="tanh", slope=2.0, metric="rbf", random_state=0),
            ProximityLVQ(cost=GLVQCost(transfer="tanh", slope=2.0), metric="rbf", random_state=0),
        ),
    ]
    for one, other in pairs:
        np.testing.assert_array_equal(one.fit(X, Y).transform(X), other.fit(X, Y).transform(X))


def test_a_cost_as_an_object_is_searched_over_and_stays_as_it_is():
    model = VectorLVQ(cost=RSLVQCost(sigma2=0.5), random_state=0)
    search = GridSearchCV(model, {"cost__sigma2": [1e-3, 1.0]}, cv=3).fit(X, Y)
    assert search.best_params_["cost__sigma2"] in (1e-3, 1.0)
    cost = RSLVQCost()
    model = VectorLVQ(cost=cost, random_state=0).fit(X, Y)
    assert cost.sigma2 == "scale"
    assert model.cost_.sigma2 == model.sigma2_ > 0
    before = model.predict_proba(X)
    cost.set_params(sigma2=1e-6)
    np.testing.assert_array_equal(model.predict_proba(X), before)


def test_parameters_beside_a_cost_that_has_its_own_are_refused():
    model = ProximityLVQ(cost=GLVQCost(), transfer="tanh", metric="rbf")
    with pytest.raises(ValueError, match=r"transfer \(='tanh'\) is a parameter of the cost"):
        model.fit(X, Y)
    ProximityLVQ(cost=LVQ21Cost(window=0.2), metric="rbf", random_state=0).fit(X, Y)


@pytest.mark.parametrize(
    ("cost", "message"),
    [
        ("hinge", r"cost \(='hinge'\) must be one of"),
        (3, r"cost \(=3\) must be one of .* or a Cost"),
        (GLVQCost(transfer="linear"), r"transfer \(='linear'\) must be one of"),
        (GLVQCost(slope=-1), r'slope \(=-1\) must be "auto" or a positive number'),
        (LVQ21Cost(window=1.5), r"window \(=1.5\) must be a number between 0 and 1"),
        (RSLVQCost(sigma2="auto"), r"sigma2 \(='auto'\) must be positive .*\"scale\""),
        (RSLVQCost(sigma2=[1.0, 2.0]), r"sigma2 .* must be positive, one number or 3 of them"),
        (RSLVQCost(prior=[1.0, -2.0, 1.0]), r"prior .* must be positive"),
    ],
)
def test_costs_that_make_no_sense(cost, message):
    solver = "sgd" if isinstance(cost, LVQ21Cost) else "lbfgs"
    with pytest.raises(ValueError, match=message):
        VectorLVQ(cost=cost, solver=solver).fit(X, Y)


# --- faults that were found -----------------------------------------------------------------


@pytest.mark.parametrize("n_landmarks", [None, 30])
@pytest.mark.parametrize("metric", ["rbf", "sqeuclidean"])
def test_sample_weights_reach_the_automatic_bandwidth_over_proximities(metric, n_landmarks):
    """A weight of zero leaves a sample out, and twice the weight is the sample twice."""
    kind = "similarity" if metric == "rbf" else "dissimilarity"
    metric = Gaussian(width=2.0) if metric == "rbf" else metric
    params = {"cost": "rslvq", "metric": metric, "proximity": kind, "max_epochs": 1}
    params |= {"n_landmarks": n_landmarks, "random_state": 0}
    rng = np.random.default_rng(0)
    weights = rng.integers(1, 4, size=150).astype(float)
    weighted = ProximityLVQ(**params).fit(X, Y, sample_weight=weights)
    plain = ProximityLVQ(**params).fit(X, Y)
    assert weighted.sigma2_ != pytest.approx(plain.sigma2_, rel=1e-6)
    if n_landmarks is None:
        times = weights.astype(int)
        repeated = ProximityLVQ(**params).fit(np.repeat(X, times, axis=0), np.repeat(Y, times))
        assert weighted.sigma2_ == pytest.approx(repeated.sigma2_)


def test_sparsify_leaves_its_input_alone(tmp_path):
    S = Gaussian(width=2.0)(X)
    model = ProximityLVQ(n_landmarks=20, random_state=0).fit(S, Y)
    noneuclid.save(model, tmp_path / "model.skops")
    lost = noneuclid.load(tmp_path / "model.skops")
    with pytest.raises(ValueError, match="pass them as P"):
        sparsify(lost, method="hull", k=2)
    small = sparsify(lost, S, method="hull", k=2)
    assert n_exemplars(small) <= 2
    with pytest.raises(ValueError, match="pass them as P"):
        sparsify(lost, method="hull", k=2)  # what was passed before was not kept


def test_warnings_point_at_the_line_that_called():
    rng = np.random.default_rng(0)
    A = rng.normal(size=(40, 40))
    S, y = A + A.T, np.arange(40) % 2
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ProximityLVQ(random_state=0, max_epochs=3).fit(S, y)
        fit_sparse(KernelRSLVQ(random_state=0), X, Y, n_exemplars=20, max_fits=2)
    refused = [w for w in caught if "denominator" in str(w.message)]
    assert refused
    assert {w.filename for w in refused} == {__file__}


def test_what_is_learned_does_not_follow_the_space_or_kernel_given():
    from noneuclid.spaces import Lp

    space, kernel = Lp(1.0), Gaussian(width=1.0)
    vectors = GLVQ(space=space, random_state=0).fit(X, Y)
    kernels = KernelRSLVQ(kernel=kernel, random_state=0).fit(X, Y)
    before = vectors.transform(X), kernels.transform(X)
    space.set_params(p=2.0)
    kernel.set_params(width=9.0)
    vectors.set_params(space__p=3.0)
    kernels.set_params(kernel__width=0.1)
    np.testing.assert_array_equal(vectors.transform(X), before[0])
    np.testing.assert_array_equal(kernels.transform(X), before[1])


def test_distances_between_all_objects_over_features_are_those_of_the_features():
    from noneuclid.prototypes.geometries.features import FeatureGeometry

    rng = np.random.default_rng(0)
    Z = rng.normal(size=(12, 3))
    signs = np.array([1.0, 1.0, -1.0])
    expected = ((Z[:, None] - Z) ** 2 * signs).sum(axis=2)
    np.testing.assert_allclose(FeatureGeometry(Z, 2).all_distances(), expected, atol=1e-12)
