"""One loop for rows of a matrix and for products: the same components."""

import numpy as np
import pytest

from noneuclid.pca._ascent import Rows, ascend
from noneuclid.pca._climbing import climb_convex, farthest, start_signs
from noneuclid.pca._gram_ascent import Products, gram_ascend
from noneuclid.pca.objectives import make_objective

LIMITS = {"n_init": 2, "max_iter": 2000, "tol": 1e-10}
CONVEX = ["l1", "l1.5", "tanh", "sech", "tanh2", "sigmoid", "skeleton"]


def samples(seed=0, n=50, d=6):
    X = np.random.default_rng(seed).standard_t(3, size=(n, d)) * np.linspace(2, 1, d)
    return X - X.mean(axis=0)


@pytest.mark.parametrize("name", CONVEX)
def test_rows_and_products_agree(name):
    X, objective = samples(), make_objective(name, a=0.7)
    by_rows = ascend(X, 3, objective, rng=np.random.RandomState(0), **LIMITS)
    by_products = gram_ascend(X @ X.T, 3, objective, rng=np.random.RandomState(0), **LIMITS)
    np.testing.assert_allclose(X.T @ by_products.components, by_rows.components.T, atol=1e-7)
    assert by_products.curve[-1] == pytest.approx(by_rows.curve[-1], rel=1e-10)
    assert by_rows.converged
    assert by_products.converged


@pytest.mark.parametrize("name", CONVEX)
@pytest.mark.parametrize("landscape", ["rows", "products"])
def test_steps_of_a_landscape(name, landscape):
    """Totals, steps, distances and deflation against the formulas."""
    X, objective = samples(1), make_objective(name, a=0.7)
    land = Rows(X, objective) if landscape == "rows" else Products(X @ X.T, objective)
    rest, vector = X, (lambda w: w) if landscape == "rows" else (lambda w: X.T @ w.alpha)
    for _ in range(2):
        i = farthest(land.left)
        np.testing.assert_allclose(land.left, (rest**2).sum(axis=1), atol=1e-9)
        (w,) = land.starts(np.array([i]))
        v = rest.T @ np.eye(len(X))[i] / np.linalg.norm(rest[i])
        o = rest @ v
        np.testing.assert_allclose(land.projections(w), o, atol=1e-10)
        assert land.total(w) == pytest.approx(objective.value(np.abs(o)).sum())
        g = rest.T @ (objective.slope(np.abs(o)) * np.sign(o))
        new = land.step(w)
        np.testing.assert_allclose(land.projections(new), rest @ g / np.linalg.norm(g), atol=1e-9)
        assert land.distance(new, w) == pytest.approx(np.linalg.norm(g / np.linalg.norm(g) - v))
        land.take(new)
        unit = g / np.linalg.norm(g)
        rest = rest - np.outer(rest @ unit, unit)
    if landscape == "rows":
        assert vector(new) is new


def test_products_return_coefficients_of_the_matrix_itself():
    X, objective = samples(2), make_objective("l1")
    K = X @ X.T
    B = gram_ascend(K, 3, objective, rng=np.random.RandomState(0), **LIMITS).components
    np.testing.assert_allclose(B.T @ K @ B, np.eye(3), atol=1e-9)


def test_what_has_no_direction_left_is_filled():
    X, objective = np.outer(np.arange(-2.0, 3.0), [1.0, 1.0, 0.0]), make_objective("l1")
    by_rows = ascend(X, 2, objective, rng=np.random.RandomState(0), **LIMITS).components
    np.testing.assert_allclose(by_rows @ by_rows.T, np.eye(2), atol=1e-12)
    found = gram_ascend(X @ X.T, 2, objective, rng=np.random.RandomState(0), **LIMITS)
    np.testing.assert_array_equal(found.components[:, 1], np.zeros(5))


@pytest.mark.parametrize("land", ["rows", "products"])
def test_a_stall_beside_a_better_point_is_left(land):
    """Along (1, 0) the second pair projects to exactly 0, where sgn gives it no weight."""
    X = np.array([[2.0, 0.0], [-2.0, 0.0], [0.0, 1.9], [0.0, -1.9]])
    objective = make_objective("l1")
    place = Rows(X, objective) if land == "rows" else Products(X @ X.T, objective)
    (start,) = place.starts(np.array([0]))
    ((w, curve, converged),) = place.ended([climb_convex(place, start, 100, 1e-10)])
    assert converged
    assert curve[-1] > curve[0]
    assert np.abs(place.projections(w)).sum() == pytest.approx(2 * np.hypot(2.0, 1.9))


@pytest.mark.parametrize("noise", [0.0, 1e-14, -1e-14])
def test_equal_norms_are_broken_by_index(noise):
    assert farthest(np.array([1.0, 2.0, 2.0 * (1 + noise), 0.5])) == 1


def test_start_signs_put_the_farthest_sample_on_the_positive_side():
    X = samples(3)
    W = np.linalg.svd(X, full_matrices=False)[2][:3]
    signs = start_signs(X @ W.T, (X**2).sum(axis=1))
    left = X
    for w, sign in zip(W, signs):
        assert sign * float(left[np.argmax((left**2).sum(axis=1))] @ w) > 0
        left = left - np.outer(left @ w, w)
