"""Bandwidths of RSLVQ that are learned: their slope, known cases, and who refuses them."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris

from noneuclid.prototypes import (
    RSLVQ,
    KernelRSLVQ,
    MatrixRSLVQ,
    MedianLVQ,
    ProximityLVQ,
    RSLVQCost,
    VectorLVQ,
)
from noneuclid.prototypes.costs import Membership
from noneuclid.prototypes.geometries.bandwidths import BandwidthGeometry
from noneuclid.prototypes.geometries.matrices import Freedom, MatrixGeometry
from noneuclid.prototypes.geometries.vectors import VectorGeometry
from noneuclid.prototypes.solvers.problem import Problem
from noneuclid.spaces import Euclidean, Lp, Sobolev

N, M, D = 12, 4, 3
WHO = Membership(np.arange(N) % 2, np.array([0, 0, 1, 1]))


def inner(kind, X):
    if kind == "matrix":
        return MatrixGeometry(X, M, freedom=Freedom(True, 0.2)), 2
    return VectorGeometry(kind, X), 0


@pytest.mark.parametrize("each", [False, True])
@pytest.mark.parametrize("kind", [Euclidean(), Lp(1.5), "matrix"], ids=str)
def test_the_slope_equals_finite_differences(kind, each):
    rng = np.random.default_rng(0)
    geometry, below = inner(kind, rng.normal(size=(N, D)))
    geometry = BandwidthGeometry(geometry, M, each=each)
    P = rng.normal(size=(M + below, D + 1))
    problem = Problem(geometry, RSLVQCost(sigma2=1.3), WHO)
    value, slope, _ = problem.value_and_slope(geometry.state(P))
    for index in np.ndindex(*P.shape):
        step = np.zeros_like(P)
        step[index] = 1e-6
        ends = [problem.value_and_slope(geometry.state(P + s * step))[0] for s in (1, -1)]
        assert slope[index] == pytest.approx((ends[0] - ends[1]) / 2e-6, abs=1e-5)
    bare = RSLVQCost(sigma2=1.3).widened(geometry.widths(P))
    unscaled = Problem(geometry.inner, bare, WHO).value_and_slope(geometry.inner.state(P[:, :D]))
    assert value == pytest.approx(unscaled[0])


@pytest.fixture(scope="module")
def two_clouds():
    """One class narrow, the other wide, around neighbouring places."""
    rng = np.random.default_rng(0)
    y = np.arange(400) % 2
    X = rng.normal(size=(400, 2)) * np.where(y[:, None] == 0, 0.3, 3.0)
    return X, y


@pytest.mark.parametrize("solver", ["lbfgs", "sgd"])
def test_a_wide_and_a_narrow_class_are_told_apart_by_their_bandwidths(solver, two_clouds):
    X, y = two_clouds
    fixed = RSLVQ(random_state=0, solver=solver).fit(X, y)
    model = RSLVQ(sigma2="learn_each", random_state=0, solver=solver, max_epochs=60).fit(X, y)
    assert model.sigma2_.shape == (2,)
    assert model.loss_curve_[-1] < fixed.loss_curve_[-1]
    if solver == "lbfgs":
        assert model.sigma2_[1] > 3 * model.sigma2_[0]
        assert model.score(X, y) > fixed.score(X, y) + 0.1


def test_one_bandwidth_is_where_the_cost_is_lowest(two_clouds):
    rng = np.random.default_rng(1)
    y = np.arange(600) % 2
    X = rng.normal(size=(600, 2)) + 1.5 * y[:, None]
    model = RSLVQ(sigma2="learn", random_state=0, max_epochs=200, tol=1e-9).fit(X, y)
    losses = [
        -np.log(model.predict_proba(X)[np.arange(600), y]).mean()
        for model.cost_.sigma2 in np.array([0.9, 1.0, 1.1]) * model.sigma2_
    ]
    assert losses[1] < min(losses[0], losses[2])


def test_what_was_learned_is_what_predicts():
    X, y = load_iris(return_X_y=True)
    for model in (RSLVQ(), MatrixRSLVQ(), RSLVQ(space=Sobolev()), VectorLVQ(cost=RSLVQCost())):
        for sigma2 in ("learn", "learn_each"):
            name = "cost__sigma2" if type(model) is VectorLVQ else "sigma2"
            model = clone(model).set_params(random_state=0, **{name: sigma2}).fit(X, y)
            loss = -np.log(model.predict_proba(X)[np.arange(150), y]).mean()
            assert loss == pytest.approx(model.loss_curve_[-1], rel=1e-6)
            assert np.shape(model.sigma2_) == (() if sigma2 == "learn" else (3,))
            assert model.score(X, y) > 0.9


def test_streams_go_on_from_the_bandwidth_they_have():
    X, y = load_iris(return_X_y=True)
    model = RSLVQ(sigma2="learn", random_state=0).partial_fit(X, y)
    widths = [model.sigma2_]
    for _ in range(10):
        widths.append(model.partial_fit(X, y).sigma2_)
    assert len(set(widths)) == 11
    assert model.loss_curve_[-1] < model.loss_curve_[0]


def test_blocks_give_what_memory_gives():
    da = pytest.importorskip("dask.array")
    X, y = load_iris(return_X_y=True)
    order = np.random.default_rng(0).permutation(150)
    X, y = X[order], y[order]
    for model in (RSLVQ(sigma2="learn_each"), MatrixRSLVQ(sigma2="learn", max_epochs=5)):
        model.set_params(init=np.array([X[y == c].mean(axis=0) for c in range(3)]), random_state=0)
        there = clone(model).fit(da.from_array(X, chunks=(40, 4)), da.from_array(y, chunks=40))
        here = model.fit(X, y)
        np.testing.assert_allclose(there.sigma2_, here.sigma2_, rtol=1e-5)
        np.testing.assert_allclose(there.prototypes_, here.prototypes_, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("cls", [ProximityLVQ, MedianLVQ])
def test_proximities_refuse_in_a_sentence(cls):
    with pytest.raises(ValueError, match=r"can be learned with prototypes that are vectors only"):
        cls(cost=RSLVQCost(sigma2="learn")).fit(np.eye(4), [0, 0, 1, 1])
    with pytest.raises(ValueError, match=r"sigma2 \(='learn'\) must be positive"):
        KernelRSLVQ(sigma2="learn").fit(np.eye(4), [0, 0, 1, 1])
    with pytest.raises(ValueError, match=r"sigma2 \(='some'\) must be positive .* \"learn\""):
        RSLVQ(sigma2="some").fit(np.eye(4), [0, 0, 1, 1])
