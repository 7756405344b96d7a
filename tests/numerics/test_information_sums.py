"""Sums of Gaussians over pairs: the same in turn and at once, for every size, without underflow."""

from itertools import pairwise

import numpy as np
import pytest

from noneuclid.numerics import information
from noneuclid.numerics.information import (
    gaussian_bag_means,
    gaussian_bag_self_means,
    gaussian_log_sums,
    gaussian_log_sums_and_pulls,
    gaussian_log_sums_by_group,
    gaussian_quadratic_form,
    scaled_columns,
)


def points(n, d, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(d, n)), rng.dirichlet(np.ones(n))


def squares(X, Y):
    return ((X[:, :, None] - Y[:, None, :]) ** 2).sum(axis=0)


@pytest.fixture(params=["compiled", "few"])
def few(request, monkeypatch):
    """Both forms whatever the number of pairs: of compiled loops, and of whole matrices."""
    monkeypatch.setattr(information, "_FEW", 0 if request.param == "compiled" else 1 << 40)


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("d", [1, 2, 3, 4, 5, 8])
@pytest.mark.parametrize(("n", "m"), [(1, 1), (15, 17), (33, 1030)])
def test_against_the_matrix_of_pairs(n, m, d):
    (X, a), (Y, b) = points(n, d), points(m, d, seed=1)
    K = np.exp(-squares(X, Y))
    np.testing.assert_allclose(gaussian_log_sums(X, Y, b), np.log(K @ b), rtol=1e-12)
    logs, pulls = gaussian_log_sums_and_pulls(X, Y, b)
    np.testing.assert_allclose(logs, np.log(K @ b), rtol=1e-12)
    mean = (K * b) @ Y.T / (K @ b)[:, None] - X.T
    np.testing.assert_allclose(pulls, mean, rtol=1e-9, atol=1e-12)
    assert gaussian_quadratic_form(X, a) == pytest.approx(a @ np.exp(-squares(X, X)) @ a, rel=1e-13)
    others = np.exp(-squares(Y, Y)) * (1 - np.eye(m)) @ b
    if m > 1:
        left = gaussian_log_sums(Y, Y, b, leave_out=True)
        np.testing.assert_allclose(left, np.log(others), rtol=1e-11)


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("starts", [[0], [0, 1, 30], [0, 16]])
def test_groups_of_points(starts):
    """Each as by itself, near and so far away that its sum underflows."""
    (X, _), (Y, b) = points(9, 3), points(31, 3, seed=1)
    Y[:, starts[-1] :] += 40.0
    found = gaussian_log_sums_by_group(X, Y, b, np.array(starts))
    groups = pairwise([*starts, 31])
    alone = [gaussian_log_sums(X, Y[:, i:j].copy(), b[i:j]) for i, j in groups]
    np.testing.assert_allclose(found, np.transpose(alone), rtol=1e-13)


@pytest.mark.parametrize("d", [1, 4])
def test_threads_do_not_change_a_bit(d, monkeypatch):
    X, a = points(300, d)
    monkeypatch.setattr(information, "_PARALLEL", 0)
    at_once = (
        gaussian_quadratic_form(X, a),
        gaussian_log_sums(X, X, a),
        *gaussian_log_sums_and_pulls(X, X, a),
    )
    monkeypatch.setattr(information, "_PARALLEL", 1 << 40)
    in_turn = (
        gaussian_quadratic_form(X, a),
        gaussian_log_sums(X, X, a),
        *gaussian_log_sums_and_pulls(X, X, a),
    )
    for one, other in zip(at_once, in_turn):
        np.testing.assert_array_equal(one, other)


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("d", [1, 3, 5])
def test_far_points_do_not_underflow(d):
    X, Y = np.zeros((d, 1)), np.full((d, 2000), 100.0)
    Y[:, -1] = 60.0  # the nearest comes in the last block
    b = np.full(2000, 1 / 2000)
    expected = -3600.0 * d - np.log(2000)
    np.testing.assert_allclose(gaussian_log_sums(X, Y, b), expected, rtol=1e-13)
    logs, pulls = gaussian_log_sums_and_pulls(X, Y, b)
    np.testing.assert_allclose(logs, expected, rtol=1e-13)
    np.testing.assert_allclose(pulls, np.full((1, d), 60.0))
    assert gaussian_log_sums(X, Y, np.zeros(2000))[0] == -np.inf
    assert gaussian_log_sums(X, X, np.ones(1), leave_out=True)[0] == -np.inf


@pytest.mark.parametrize("d", [1, 2, 3, 5])
def test_bags_longer_and_shorter_than_a_buffer(d):
    rng = np.random.default_rng(d)
    sizes = np.r_[1, 1500, 3, 1, rng.integers(1, 9, size=300), 1100]
    starts = np.r_[0, np.cumsum(sizes)]
    X, Y = rng.normal(size=(d, starts[-1])), rng.normal(size=(d, 5))
    squares = ((X[:, :, None] - Y[:, None, :]) ** 2).sum(axis=0)
    expected = [np.exp(-part).mean() for part in np.split(squares, starts[1:-1])]
    found = gaussian_bag_means(Y, np.array([0, 5]), X, starts)
    np.testing.assert_allclose(found[0], expected, rtol=1e-13)
    np.testing.assert_allclose(gaussian_bag_means(X, starts, Y, np.array([0, 5])).T, found)
    whole = gaussian_bag_means(X, starts, X, starts)
    np.testing.assert_allclose(gaussian_bag_means(X, starts, X, starts, same=True), whole)


def test_bags():
    X, _ = points(20, 2)
    starts = np.array([0, 3, 4, 20])
    K = np.exp(-squares(X, X))
    bags = [slice(a, b) for a, b in pairwise(starts)]
    means = np.array([[K[p, q].mean() for q in bags] for p in bags])
    same = gaussian_bag_means(X, starts, X, starts, same=True)
    np.testing.assert_allclose(gaussian_bag_means(X, starts, X, starts), means, rtol=1e-13)
    np.testing.assert_allclose(same, means, rtol=1e-13)
    np.testing.assert_allclose(gaussian_bag_self_means(X, starts), np.diag(means), rtol=1e-13)


def test_scaled_columns():
    np.testing.assert_allclose(scaled_columns(np.array([[2.0, 4.0]]), np.sqrt(2)), [[1.0], [2.0]])
