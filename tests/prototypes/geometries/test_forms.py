"""Compiled learning outside of Hilbert spaces, beside its simple forms."""

import numpy as np
import pytest
from sklearn.base import clone

from noneuclid.kernels import Gaussian, Laplacian
from noneuclid.prototypes import NeuralGas
from noneuclid.prototypes.costs.base import Membership
from noneuclid.prototypes.costs.grids import Grid
from noneuclid.prototypes.costs.kohonen import LVQ1Cost
from noneuclid.prototypes.costs.neighbourhoods import GridNeighbourhood, RankNeighbourhood
from noneuclid.prototypes.costs.pulls import Pulls, Won
from noneuclid.prototypes.geometries.centres import (
    Samples,
    Trail,
    better_centres,
    stepped_centres,
    steps_worth_it,
)
from noneuclid.prototypes.geometries.vectors import VectorGeometry
from noneuclid.prototypes.solvers.problem import FitResult, Problem
from noneuclid.prototypes.solvers.sgd import SGD
from noneuclid.spaces import KernelMetric, LeeVerleysen, Lp, ProductSpace, Sobolev
from noneuclid.spaces.forms import LpForm
from noneuclid.testing import example_spaces

LINEAR = [Lp(1), Lp(1.5), Lp(2.3), Lp(3), Lp(np.inf), LeeVerleysen(), LeeVerleysen(p=1, tau=0.5)]
LINEAR += [Sobolev(p=1), Sobolev(p=1.5, weights=(1, 0.5, 0.2)), Sobolev(p=3, spacing="unit")]
LINEAR += [
    ProductSpace([Lp(1), Sobolev(p=1.5), "l2"], weights=(1.0, 0.5, 2.0), splits=(2, 4)),
    ProductSpace([Sobolev(), LeeVerleysen(p=1, tau=0.5)], splits=(3,)),
    ProductSpace([Lp(np.inf), "l2"], splits=(1,)),
]
KERNELS = [
    space
    for space in example_spaces()
    if isinstance(space, KernelMetric) and space.compiled_form(6) is not None
]
KERNELS += [KernelMetric(Laplacian(3.0, LINEAR[-3])), KernelMetric(Gaussian(3.0, LINEAR[-1]))]
SPACES = [*LINEAR, *KERNELS]
# Spaces in which steps along the gradient are taken on the images.
WITH_SLOPES = [space for space in SPACES if space.compiled_form(6).has_slopes]


def data(n=70, m=5, d=6, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    F = rng.uniform(size=(n, m)) * (rng.uniform(size=(n, m)) < 0.7)
    F[:, 1] = 0.0
    F[5, 1] = 2.0  # few pull this one: those of several blocks are taken together
    return X, X[:m] + 0.1 * rng.normal(size=(m, d)), F


@pytest.mark.parametrize("unit", [1.0, 2.0**-40])
@pytest.mark.parametrize("space", SPACES, ids=str)
def test_distances_costs_and_slopes_are_those_of_the_space(space, unit):
    X, W, F = data()
    if isinstance(space, KernelMetric):
        space = clone(space).set_params(kernel__width=unit * space.kernel.width)
    X, W = unit * X, unit * W
    form = space.compiled_form(X.shape[1]).in_unit_of(X)
    Z, V = form.images(X), form.images(W)
    np.testing.assert_allclose(form.rows(V), W, rtol=1e-13)
    D = space.squared_distance(X, W)
    np.testing.assert_allclose(form.squared_distance(Z, V), D, rtol=1e-11)
    costs, slopes, curves = form.moments(Z, V, F)
    np.testing.assert_allclose(costs, (F * D).sum(axis=0), rtol=1e-11)
    expected = space.pull(X, W, F)
    np.testing.assert_allclose(slopes, expected, rtol=1e-9, atol=1e-11 * np.abs(expected).max())
    assert (curves >= 0).all()


@pytest.mark.parametrize("p", [2.3, 2.5, 3])
def test_curvatures_are_derivatives_of_slopes(p):
    X, W, F = data()
    form, step = Lp(p).compiled_form(6), 1e-6
    curves = form.moments(X, W, F)[2]
    for k in range(6):
        move = step * np.eye(6)[k]
        change = form.moments(X, W + move, F)[1] - form.moments(X, W - move, F)[1]
        np.testing.assert_allclose(curves[:, k], change[:, k] / (2 * step), rtol=1e-4)


@pytest.mark.parametrize(
    ("gradient", "space"),
    [*(("riesz", space) for space in LINEAR), *(("coordinates", space) for space in WITH_SLOPES)],
    ids=str,
)
def test_compiled_epochs_equal_the_generic_ones(gradient, space):
    X, W, _ = data()
    who = Membership(np.arange(len(X)) % 5, np.arange(5))
    order, found = np.random.default_rng(1).permutation(len(X)), []
    for compiled in (True, False):
        geometry = VectorGeometry(space, X)
        if not compiled:
            geometry.form = None
        result = FitResult(geometry.state(W), [])
        solver, problem = SGD(gradient=gradient), Problem(geometry, LVQ1Cost(), who)
        assert (solver._code(problem) is not None) == compiled
        solver.epoch(problem, result, 0.05, 1, order)
        found.append(result.theta.W)
    np.testing.assert_allclose(*found, atol=1e-10)


@pytest.mark.parametrize(
    ("gradient", "space"),
    [
        *(("riesz", space) for space in LINEAR),
        *(("coordinates", space) for space in [*WITH_SLOPES, Lp(2)]),
    ],
    ids=str,
)
def test_compiled_steps_equal_those_one_by_one(gradient, space):
    X, W, _ = data()
    order, neighbourhood = np.arange(len(X)), RankNeighbourhood(5)
    geometry = VectorGeometry(space, X, gradient=gradient)
    theta = geometry.state(W)
    geometry.steps(theta, order, neighbourhood.table(1.0), True, 0.1)
    geometry.settle(theta)
    slow = VectorGeometry(space, X, gradient=gradient)
    slow.form = slow.chart = None
    expected = slow.state(W)
    for i in order:
        d = slow.distances(expected, np.array([i]))[0]
        slow.step(expected, i, 0.1 * neighbourhood.pulls_of(d, 1.0))
    np.testing.assert_allclose(theta.W, expected.W, atol=1e-10)


@pytest.mark.parametrize("space", SPACES, ids=str)
def test_centres_are_as_good_as_those_of_quasi_newton_descent(space):
    X, W, F = data(n=120)
    F = F / F.sum(axis=0)
    geometry = VectorGeometry(space, X)
    theta, slow = geometry.state(W), W
    for _ in range(12):
        theta = geometry.centres(Pulls(F), theta)
    for _ in range(4):
        slow = better_centres(
            lambda W: geometry.costs(W, F),
            lambda W: geometry.pull(geometry.state(W), slice(None), F),
            slow,
            F.T @ X,
            1.0,
        )
    assert (geometry.costs(theta.W, F) <= 1.01 * geometry.costs(slow, F) + 1e-3).all()


@pytest.mark.parametrize("n_steps", [1, 2, 4])
@pytest.mark.parametrize("p", [1.0, 1.5, np.inf])
def test_steps_to_centres_keep_their_distances_and_never_get_worse(p, n_steps):
    rng = np.random.default_rng(3)
    X, W = rng.normal(size=(80, 4)), rng.normal(size=(9, 4))
    form = LpForm(p)
    F = rng.random((80, 9)) ** 8
    F /= F.sum(axis=0)
    trail = Trail.begin(W)
    for _ in range(4):
        field = Samples(form, X, Pulls(F), form.squared_distance(X, W))
        before = field.costs_at(field.D)
        V, trail = stepped_centres(field, before, W, F.T @ X, trail, n_steps, lasting=form.lasting)
        np.testing.assert_allclose(field.D, form.squared_distance(X, V), rtol=1e-12)
        assert (field.costs_at(field.D) <= before * (1 + 1e-14)).all()
        W = V


@pytest.mark.parametrize("p", [1.0, 1.5, np.inf])
def test_offsets_that_no_longer_fit_are_given_up_at_the_last_width(p):
    rng = np.random.default_rng(3)
    X, W = rng.normal(size=(80, 4)), rng.normal(size=(9, 4))
    form, F = LpForm(p), np.full((80, 9), 1 / 80)
    F[:, :5] = np.eye(80, 5)  # one sample each pulls the first five
    found = []
    for passing in (True, False):
        field = Samples(form, X, Pulls(F), form.squared_distance(X, W))
        before = field.costs_at(field.D)
        trail = Trail(np.ones_like(W), np.ones(9))
        V, trail = stepped_centres(field, before, W, F.T @ X, trail, 1, passing=passing)
        np.testing.assert_allclose(field.D, form.squared_distance(X, V), rtol=1e-12)
        np.testing.assert_allclose(trail.offsets, V - F.T @ X, atol=1e-12)
        found.append(np.abs(V - F.T @ X).max(axis=1))
    assert (found[0] > 0.01).all()
    assert (found[1][:5] == 0).all()
    assert (found[1][5:] == found[0][5:]).all()  # of many samples: not doubted


@pytest.mark.parametrize(
    ("copies", "space"),
    [(3, space) for space in SPACES] + [(1, space) for space in (*LINEAR[:5], *KERNELS[:2])],
    ids=str,
)
def test_prototypes_as_many_as_different_samples_are_all_of_them(copies, space):
    X = np.random.default_rng(0).normal(size=(6, 20))
    model = NeuralGas(n_prototypes=12, space=space, random_state=0).fit(
        np.repeat(X, copies, axis=0)
    )
    D = space.squared_distance(X, model.prototypes_)
    assert D.min(axis=1).max() <= 1e-12 * D.max()


@pytest.mark.parametrize("space", SPACES, ids=str)
def test_samples_taken_unit_by_unit_do_what_they_do_in_any_order(space):
    X, W, _ = data(n=150)
    neighbourhood = GridNeighbourhood(Grid((1, len(W))))
    form = VectorGeometry(space, X).form
    Z = form.images(X)
    _, pulls = neighbourhood.assign(form.squared_distance(Z, form.images(W)), 0.7)
    assert isinstance(pulls.fields, Won)
    in_order = Samples(form, Z, pulls, np.zeros((150, len(W))))
    as_they_are = Samples(form, Z, Pulls(pulls.shares()), np.zeros((150, len(W))))
    assert in_order.share == as_they_are.share
    np.testing.assert_allclose(in_order.costs(W), as_they_are.costs(W), rtol=1e-10)
    for found, expected in zip(
        in_order.moments(W, curved=True), as_they_are.moments(W, curved=True)
    ):
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


def test_while_a_neighbourhood_shrinks_weak_pulls_move_nothing():
    X, W, _ = data(n=150)
    form, neighbourhood = LpForm(1.5), GridNeighbourhood(Grid((1, len(W))))
    _, pulls = neighbourhood.assign(form.squared_distance(X, W), 0.3)
    D = np.zeros((150, len(W)))
    exact = Samples(form, X, pulls, D).moments(W, curved=False)
    pulls.passing = True
    hasty = Samples(form, X, pulls, D)
    assert np.count_nonzero(hasty._in_order[1]) < np.count_nonzero(pulls.shares())
    for found, expected in zip(hasty.moments(W, curved=False)[:2], exact[:2]):
        np.testing.assert_allclose(found, expected, atol=1e-3 * np.abs(expected).max())


def test_maps_take_more_steps_where_fewer_samples_pull():
    assert [steps_worth_it(share, 2) for share in (1.0, 0.4, 0.05)] == [1, 2, 4]
    assert [steps_worth_it(share, 1) for share in (1.0, 0.4, 0.05)] == [1, 1, 1]


@pytest.mark.parametrize("p", [1.0, 1.5, 2.0])
def test_slopes_where_samples_share_numbers_with_prototypes(p):
    """Blocks with differences of 0 take another way than those without."""
    rng = np.random.default_rng(4)
    X, F = rng.integers(-2, 3, size=(70, 6)).astype(float), rng.uniform(size=(70, 5))
    W = np.vstack([X[:3], rng.normal(size=(2, 6))])
    space = LeeVerleysen(p=p)
    form = space.compiled_form(6)
    expected = [-2.0 * F[:, j] @ space.dual(X - W[j]) for j in range(5)]
    for curved in (False, True):
        slopes = form.moments(form.images(X), form.images(W), F, curved=curved)[1]
        np.testing.assert_allclose(slopes, expected, atol=1e-11)
