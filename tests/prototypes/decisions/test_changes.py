"""Smallest changes of class: against a general solver, a fine grid, and their definition."""

import warnings

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.datasets import load_iris

from noneuclid.kernels import Gaussian
from noneuclid.prototypes import GLVQ, GMLVQ, LVQ1, RSLVQ, KernelGLVQ, smallest_change
from noneuclid.spaces import Hilbert, IncompatibleSpace, KernelMetric, PseudoEuclidean, Sobolev

RNG = np.random.default_rng(0)
Y = np.arange(60) % 3
X = RNG.normal(size=(60, 5)) + 2 * np.eye(3, 5)[Y]
A = RNG.normal(size=(5, 5))
GRAM = A @ A.T + np.eye(5)
MODELS = [
    GLVQ(n_prototypes=2, random_state=0),
    LVQ1(n_prototypes=2, random_state=0),
    GLVQ(n_prototypes=2, space=Hilbert(GRAM), random_state=0),
    GLVQ(n_prototypes=3, space=Sobolev(), random_state=0),
    GLVQ(n_prototypes=2, space=Sobolev(), gradient="coordinates", random_state=0),
]


def by_slsqp(model, x, j):
    """The same problem, as it stands, in the coordinates of the data."""
    W, M = model.prototypes_, model.space_.product(np.eye(5), np.eye(5))
    others = W[model.prototype_labels_ != model.prototype_labels_[j]]

    def squares(V):
        return np.einsum("ij,jk,ik->i", V, M, V)

    found = minimize(
        lambda v: squares((v - x)[None, :])[0],
        W[j],
        method="SLSQP",
        jac=lambda v: 2 * M @ (v - x),
        constraints={"type": "ineq", "fun": lambda v: squares(v - others) - squares(v - W[[j]])},
        options={"maxiter": 300, "ftol": 1e-12},
    )
    return np.sqrt(found.fun)


@pytest.mark.parametrize("model", MODELS)
def test_no_smaller_change_would_do(model):
    model.fit(X, Y)
    change = smallest_change(model, X[:4])
    predicted = model.predict(X[:4])
    np.testing.assert_array_equal(model.predict(change.points), change.classes)
    assert (change.classes != predicted).all()
    lengths = model.space_.norm(change.points - X[:4])
    np.testing.assert_allclose(change.distances, lengths, rtol=1e-7)
    for i in range(4):
        wanted = np.flatnonzero(model.prototype_labels_ != predicted[i])
        best = min(by_slsqp(model, X[i], j) for j in wanted)
        assert change.distances[i] == pytest.approx(best, rel=2e-4)


def test_against_all_points_of_a_plane():
    iris, y = load_iris(return_X_y=True)
    model = GLVQ(n_prototypes=2, random_state=0).fit(iris[:, 2:], y)
    axes = np.linspace(-1, 9, 801), np.linspace(-2, 4, 481)
    grid = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)
    classes = model.predict(grid)
    for target in (None, 2):
        change = smallest_change(model, iris[:60:6, 2:], target=target)
        for x, length in zip(iris[:60:6, 2:], change.distances):
            own = model.predict(x[None])[0]
            there = grid[classes != own] if target is None else grid[classes == target]
            assert np.linalg.norm(there - x, axis=1).min() == pytest.approx(length, abs=0.02)


def test_a_target_of_ones_own():
    model = GLVQ(random_state=0).fit(X, Y)
    change = smallest_change(model, X, target=1)
    np.testing.assert_array_equal(model.predict(change.points), 1)
    stay = model.predict(X) == 1
    np.testing.assert_array_equal(change.points[stay], X[stay])
    np.testing.assert_array_equal(change.distances[stay], 0)
    # with one prototype per class and two classes, the border is one plane
    two = GLVQ(random_state=0).fit(X[Y < 2], Y[Y < 2])
    w, v = two.prototypes_
    distances = np.abs((X - (w + v) / 2) @ (w - v)) / np.linalg.norm(w - v)
    np.testing.assert_allclose(smallest_change(two, X).distances, distances, rtol=1e-3, atol=1e-4)


def test_more_features_than_samples_and_other_units():
    wide = np.hstack([X, RNG.normal(size=(60, 300))])
    model = GLVQ(n_prototypes=2, random_state=0).fit(wide, Y)
    change = smallest_change(model, wide[:5])
    np.testing.assert_array_equal(model.predict(change.points), change.classes)
    for unit in (1e-8, 1e8):
        other = GLVQ(n_prototypes=2, init=unit * model.prototypes_, max_epochs=1, random_state=0)
        other.fit(unit * wide, Y)
        change = smallest_change(other, unit * wide[:5])
        np.testing.assert_array_equal(other.predict(change.points), change.classes)


def test_where_borders_are_no_planes():
    for space in ("l1", PseudoEuclidean(signature=(3, 2)), KernelMetric(Gaussian(3.0))):
        model = GLVQ(space=space, solver="sgd", gradient="coordinates", max_epochs=2)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.fit(X, Y)
        with pytest.raises(IncompatibleSpace, match="needs a Hilbert space"):
            smallest_change(model, X)
    with pytest.raises(TypeError, match="most probable ones"):
        smallest_change(RSLVQ().fit(X, Y), X)
    for model in (GMLVQ(), KernelGLVQ()):
        with pytest.raises(TypeError, match="has others"):
            smallest_change(model.fit(X, Y), X)
    model = GLVQ().fit(X, Y)
    with pytest.raises(ValueError, match=r"target \(=7\) must be one of the classes \[0, 1, 2\]"):
        smallest_change(model, X, target=7)
    with pytest.raises(ValueError, match="NaN"):
        smallest_change(model, np.where(X > 2, np.nan, X))
    with pytest.raises(ValueError, match=r"overshoot \(=0\)"):
        smallest_change(model, X, overshoot=0)
