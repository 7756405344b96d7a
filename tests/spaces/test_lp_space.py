import numpy as np
import pytest

from noneuclid.spaces import Euclidean, GeneralizedLp, Lp


@pytest.fixture
def rows():
    return np.random.default_rng(0).normal(size=(8, 5))


def test_lp_2_is_euclidean(rows):
    for method in ("product", "squared_distance"):
        expected = getattr(Euclidean(), method)(rows, rows[:3])
        np.testing.assert_allclose(getattr(Lp(2), method)(rows, rows[:3]), expected, atol=1e-12)
    np.testing.assert_allclose(Lp(2).norm(rows), np.linalg.norm(rows, axis=1))
    assert Lp(2).is_hilbert
    assert not Lp(3).is_hilbert


def test_product_is_the_textbook_formula(rows):
    p, w = 3.5, rows[0]
    norm = (np.abs(w) ** p).sum() ** (1 / p)
    expected = [(x * np.abs(w) ** (p - 1) * np.sign(w)).sum() / norm ** (p - 2) for x in rows]
    np.testing.assert_allclose(Lp(p).product(rows, w[None])[:, 0], expected)


def test_the_limits_of_p_are_continuous(rows):
    np.testing.assert_allclose(Lp(1 + 1e-9).product(rows, rows), Lp(1).product(rows, rows), 1e-6)
    near = Lp(1e4).norm(rows)
    np.testing.assert_allclose(near, Lp(np.inf).norm(rows), rtol=1e-3)


def test_infinity_shares_the_response_among_the_largest():
    space = Lp(np.inf)
    assert space.product([[1.0, 2.0, 3.0]], [[-5.0, 5.0, 1.0]]).tolist() == [[2.5]]
    assert space.dual([[0.0, 0.0]]).tolist() == [[0.0, 0.0]]


def test_generalized_product_and_its_norm(rows):
    p = 3
    space = GeneralizedLp(p)
    expected = rows @ (np.abs(rows) ** (p - 1) * np.sign(rows)).T
    np.testing.assert_allclose(space.product(rows, rows), expected)
    np.testing.assert_allclose(space.norm(rows), np.diag(expected) ** (1 / p))
    np.testing.assert_allclose(
        space.squared_distance(rows, rows), Lp(p).squared_distance(rows, rows)
    )
    np.testing.assert_allclose(
        space.squared_distance_gradient(rows[0], rows),
        Lp(p).squared_distance_gradient(rows[0], rows),
    )
    np.testing.assert_allclose(space.dual(-2 * rows), -(2.0 ** (p - 1)) * space.dual(rows))


def test_hoelder_is_attained_on_parallel_rows(rows):
    space, p = GeneralizedLp(3), 3
    x, w = rows[:1], 2.5 * rows[:1]
    left = np.abs(space.product(x, w)) ** p
    right = space.product(x, x) * space.product(w, w) ** (p - 1)
    np.testing.assert_allclose(left, right)
