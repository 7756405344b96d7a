"""Every space with every vector quantiser, batch and online."""

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.datasets import make_blobs

from noneuclid.kernels import Gaussian, Polynomial
from noneuclid.numerics import first_argmin
from noneuclid.prototypes import NeuralGas, SelfOrganizingMap
from noneuclid.prototypes.costs.neighbourhoods import GridNeighbourhood, RankNeighbourhood
from noneuclid.prototypes.geometries.vectors import VectorGeometry
from noneuclid.spaces import (
    IncompatibleSpace,
    KernelMetric,
    LeeVerleysen,
    Lp,
    PseudoEuclidean,
    Sobolev,
)
from noneuclid.testing import example_spaces

# Two metrics of kernels stand for all: their distances are checked elsewhere.
SPACES = [space for space in example_spaces() if not isinstance(space, KernelMetric)]
SPACES += [KernelMetric(Gaussian()), KernelMetric(Polynomial())]
MODELS = [NeuralGas(n_prototypes=4), SelfOrganizingMap(shape=(2, 2), topology="hex")]


def points(space, n=18):
    d = space.n_features or 6
    return make_blobs(n, centers=3, n_features=d, cluster_std=0.3, random_state=0)[0] / 5


@pytest.mark.parametrize("solver", ["batch", "online"])
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("space", SPACES)
def test_every_cell_learns(space, model, solver):
    X = points(space)
    params = {**model.get_params(), "space": space, "solver": solver, "random_state": 0}
    fitted = type(model)(**{**params, "max_epochs": 3}).fit(X)
    assert fitted.prototypes_.shape == (4, X.shape[1])
    assert np.isfinite(fitted.prototypes_).all()
    D = space.squared_distance(X, fitted.prototypes_)
    np.testing.assert_allclose(fitted.transform(X), D)
    np.testing.assert_array_equal(fitted.predict(X), first_argmin(D))
    if "positivity" in space.laws:  # one prototype in the middle does worse
        one = space.squared_distance(X, X.mean(axis=0)[None, :]).mean()
        assert -fitted.score(X) < one


@pytest.mark.parametrize("p", [1, 1.5, 3, np.inf])
def test_centres_outside_of_hilbert_spaces_beat_means_and_never_get_worse(p):
    rng = np.random.default_rng(0)
    X = rng.standard_t(2, size=(60, 5))
    geometry = VectorGeometry(Lp(p), X)
    theta = geometry.state(X[:3])
    _, pulls = RankNeighbourhood(3).assign(geometry.distances(theta), 1.0)
    H = pulls.dense()
    means = geometry.state((H / H.sum(axis=0)).T @ X)

    def cost(state):
        return (H * geometry.distances(state)).sum(axis=0)

    before, once = cost(theta), cost(geometry.centres(pulls, theta))
    assert (once <= before).all()
    assert (once < cost(means)).all()
    assert (cost(geometry.centres(pulls, geometry.state(X[:3]))) <= once + 1e-12).all()
    again = geometry.centres(pulls, theta)
    for _ in range(3):
        better = geometry.centres(pulls, again)
        assert (cost(better) <= cost(again) + 1e-12).all()
        again = better


def test_costs_never_increase_in_banach_spaces():
    X = np.random.default_rng(1).standard_t(3, size=(30, 4))
    for space in (Lp(1), Sobolev(p=1.5)):
        for model in (
            NeuralGas(n_prototypes=4, space=space, random_state=0),
            SelfOrganizingMap(shape=(2, 3), space=space, random_state=0),
        ):
            model.set_params(schedule="constant", width=0.7, max_epochs=6, tol=0.0).fit(X)
            assert (np.diff(model.loss_curve_) <= 1e-12 * model.loss_curve_[0]).all()


BENT = [Lp(1), Lp(1.5), Lp(3), Lp(np.inf), Sobolev(p=1.5), LeeVerleysen()]


def smooth_map(space, X, widths=(4.5, 4.0, 3.0, 2.5)):
    """A geometry and a neighbourhood, and prototypes that a wide one has made smooth."""
    model = SelfOrganizingMap(shape=(9, 9), space=space, max_epochs=8, random_state=0).fit(X)
    geometry, neighbourhood = VectorGeometry(model.space_, X), GridNeighbourhood(model.grid_)
    theta = geometry.state(model.prototypes_)
    for width in widths:
        theta = geometry.centres(geometry.meet(neighbourhood, theta, width)[1], theta)
    return geometry, neighbourhood, theta


@pytest.mark.parametrize("space", BENT, ids=str)
def test_some_units_of_a_wide_map_tell_where_the_others_go(space):
    """While the neighbourhood shrinks: nearly as far as if all were asked, and never up."""
    X = np.random.default_rng(2).normal(size=(300, 5)) * [4, 3, 1, 1, 1]
    geometry, neighbourhood, theta = smooth_map(space, X, widths=(4.5, 4.0))
    for width in (3.0, 2.5):
        exact, pulls = geometry.meet(neighbourhood, theta, width)
        same, some = geometry.meet(neighbourhood, theta, width, passing=True)
        assert same == exact
        assert pulls.coarse is None
        assert len(some.coarse.units) < 81 / 2
        F = pulls.shares()
        told, asked = geometry.centres(some, theta), geometry.centres(pulls, theta)
        before, of_told, of_asked = (geometry.costs(W, F) for W in (theta.W, told.W, asked.W))
        assert (of_told <= before * (1 + 1e-4)).all()  # weak pulls are not counted
        assert (before - of_told).sum() > 0.75 * (before - of_asked).sum()
        np.testing.assert_allclose(told.trail.D, geometry.distances(geometry.state(told.W)))
        theta = asked


@pytest.mark.parametrize("space", BENT, ids=str)
def test_units_of_a_wide_map_that_are_told_wrongly_are_asked_themselves(space):
    """Far outliers and tight clusters make neighbours unlike each other."""
    rng = np.random.default_rng(0)
    clusters = np.repeat(10 * rng.normal(size=(3, 5)), 40, axis=0)
    spoilt = rng.normal(size=(120, 5))
    spoilt[:5] *= 1e4
    for X in (clusters + 0.01 * rng.normal(size=(120, 5)), spoilt):
        geometry, neighbourhood, theta = smooth_map(space, X, widths=())
        for width in (4.5, 4.0, 3.5, 3.0, 2.5, 2.2, 2.0):
            pulls = geometry.meet(neighbourhood, theta, width, passing=True)[1]
            F, before = pulls.shares(), theta
            theta = geometry.centres(pulls, theta)
            old, new = geometry.costs(before.W, F), geometry.costs(theta.W, F)
            assert (new <= old * (1 + 1e-3)).all()
        assert new.sum() <= 1.05 * geometry.costs(F.T @ X, F).sum()
    assert not theta.trail.is_smooth


@pytest.mark.parametrize("space", ["linf", "l1", "l1.5", "l3"])
def test_one_far_outlier_ruins_no_map(space):
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(60, 5)), np.full((1, 5), 1e6)])
    model = SelfOrganizingMap(shape=(9, 9), space=space, random_state=0).fit(X)
    assert -model.score(X[:60]) < 0.5 * -model.score(rng.normal(size=(60, 5)))
    assert -model.score(X[60:]) < 100


@pytest.mark.parametrize("space", BENT, ids=str)
def test_the_last_width_of_a_map_is_taken_exactly(space, monkeypatch):
    """Also where it is a wide one, or where there is only one epoch."""
    X, seen = np.random.default_rng(2).normal(size=(200, 5)), []
    centres = VectorGeometry.centres

    def spied(self, pulls, theta):
        seen.append((pulls.passing, pulls.coarse is not None))
        return centres(self, pulls, theta)

    monkeypatch.setattr(VectorGeometry, "centres", spied)

    def epochs(**parameters):
        seen.clear()
        model = SelfOrganizingMap(shape=(9, 9), space=space, random_state=0, **parameters).fit(X)
        D = model.space_.squared_distance(X, model.prototypes_)
        np.testing.assert_array_equal(model.labels_, D.argmin(axis=1))
        return model.loss_curve_, list(seen)

    assert epochs(max_epochs=1)[1] == [(False, False)]
    assert epochs(final_width=3.0, max_epochs=3)[1] == [(True, True), (True, True), (False, False)]
    same = {"width": 3.0, "final_width": 3.0, "max_epochs": 8, "tol": 0.0}
    curve, how = epochs(**same)
    assert set(how) == {(False, False)}
    assert (np.diff(curve) <= 1e-12 * curve[0]).all()
    assert epochs(**same, schedule="constant")[0] == curve


def test_the_l1_centre_of_one_coordinate_resists_an_outlier():
    X = np.r_[np.zeros(9), np.full(9, 1.0), 100.0][:, None]
    centre = NeuralGas(n_prototypes=1, space="l1", max_epochs=3).fit(X).prototypes_[0, 0]
    assert centre == pytest.approx(X.mean())  # in one dimension all norms agree
    wide = np.column_stack([X[:, 0], np.zeros((19, 3))])
    wide[:9, 1] = 1.0
    one = NeuralGas(n_prototypes=1, space="l1", max_epochs=50).fit(wide)

    def cost(w):
        return (np.abs(wide - w).sum(axis=1) ** 2).mean()

    # The minimum of a convex function with kinks, by a method that needs no gradient.
    best = min(
        minimize(cost, start, method="Powell", options={"xtol": 1e-9, "ftol": 1e-13}).fun
        for start in (wide.mean(axis=0), np.median(wide, axis=0), one.prototypes_[0])
    )
    assert -one.score(wide) == pytest.approx(cost(one.prototypes_[0]))
    assert -one.score(wide) <= 1.001 * best
    assert best < 0.999 * cost(wide.mean(axis=0))


def test_coordinate_steps_agree_with_the_gradient():
    X = points(Lp(1.5))
    for space in (Lp(1.5), Sobolev(spacing="unit")):
        start = X[:2]
        model = NeuralGas(
            n_prototypes=2,
            space=space,
            solver="online",
            gradient="coordinates",
            init=start,
            learning_rate=0.01,
            width=1.0,
            schedule="constant",
            max_epochs=1,
            shuffle=False,
        ).fit(X[5:6])
        d = space.squared_distance(X[5:6], start)[0]
        h = np.exp(-np.argsort(np.argsort(d)))
        expected = start + 2 * 0.01 * h[:, None] * space.dual(X[5] - start)
        np.testing.assert_allclose(model.prototypes_, expected, rtol=1e-10)


def test_kernel_metrics_are_resolved_and_have_no_riesz_steps():
    X = points(Lp(2))
    model = NeuralGas(
        n_prototypes=3, space=KernelMetric(Gaussian(width="scale")), solver="online", max_epochs=1
    ).fit(X)
    assert isinstance(model.space_.kernel.width, float)
    with pytest.raises(IncompatibleSpace, match=r'gradient="riesz".*dual'):
        model.set_params(gradient="riesz").fit(X)


def test_indefinite_spaces_are_quantised_by_means():
    X = points(PseudoEuclidean(signature=(4, 2)))
    model = NeuralGas(n_prototypes=2, space=PseudoEuclidean(signature=(4, 2)), random_state=0).fit(
        X
    )
    last = RankNeighbourhood(2).assign(model.transform(X), 0.01)[1].dense()
    np.testing.assert_allclose(model.prototypes_, (last / last.sum(axis=0)).T @ X, atol=1e-6)


@pytest.mark.parametrize("unit", [2.0**-60, 2.0**30])
@pytest.mark.parametrize("p", [1, 3])
def test_the_unit_of_the_data_does_not_matter(p, unit):
    points = np.random.default_rng(0).normal(size=(60, 3))
    model = NeuralGas(n_prototypes=4, space=Lp(p), max_epochs=6, random_state=0)
    expected = model.fit(points).prototypes_
    got = model.fit(unit * points).prototypes_ / unit
    np.testing.assert_allclose(got, expected, rtol=1e-9)
