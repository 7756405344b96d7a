import numpy as np
import pytest

from noneuclid.spaces import LeeVerleysen, Lp


def naive_norm(v, p, tau):
    total = 0.0
    for k in range(len(v)):
        magnitude = 0.0
        for neighbour in (k - 1, k + 1):
            inside = 0 <= neighbour < len(v)
            if inside and v[k] * v[neighbour] < 0:
                magnitude += tau / 2 * v[k] ** 2 / (abs(v[k]) + abs(v[neighbour]))
            else:
                magnitude += tau / 2 * abs(v[k])
        total += magnitude**p
    return total ** (1 / p)


@pytest.mark.parametrize("p", [1, 1.5, 2, 4])
def test_norm_by_a_naive_loop(p):
    rng = np.random.default_rng(0)
    V = np.vstack([rng.normal(size=(20, 7)), rng.integers(-1, 2, size=(20, 7))])
    expected = [naive_norm(v, p, 0.3) for v in V]
    np.testing.assert_allclose(LeeVerleysen(p=p, tau=0.3).norm(V), expected)


@pytest.mark.parametrize("p", [1, 2, 3])
def test_equals_lp_iff_no_adjacent_signs_are_opposite(p):
    V = np.random.default_rng(0).integers(-2, 3, size=(500, 5)).astype(float)
    opposite = (V[:, 1:] * V[:, :-1] < 0).any(axis=1)
    ours, plain = LeeVerleysen(p=p, tau=0.7).norm(V), 0.7 * Lp(p).norm(V)
    equal = np.isclose(ours, plain, rtol=1e-12)
    assert (equal == ~opposite).all()
    assert (ours <= plain * (1 + 1e-12)).all()


def test_the_triangle_inequality_fails_at_p_2():
    space = LeeVerleysen(p=2)
    whole = space.norm([[2.0, 0.0]])[0]
    parts = space.norm([[1.0, 0.3], [1.0, -0.3]]).sum()
    assert whole == pytest.approx(2.0)
    assert parts == pytest.approx(1.948, abs=5e-4)
    assert "triangle" not in space.laws
    assert "cauchy_schwarz" not in space.laws


def test_a_norm_at_p_1():
    assert {"triangle", "cauchy_schwarz"} <= LeeVerleysen(p=1).laws


def test_derivative_at_zero_beside_equal_signs_by_hand():
    """At p = 1, ‖(1, e, 1)‖ = 2 + e to first order from both sides."""
    assert LeeVerleysen(p=1).dual([[1.0, 0.0, 1.0]]).tolist() == [[2.0, 2.0, 2.0]]


@pytest.mark.parametrize("p", [1, 1.5, 2, 4, np.inf])
@pytest.mark.parametrize("unit", [1.0, 1e-90, 1e90, 1e-110])
def test_many_distances_are_those_of_the_norm(p, unit):
    rng = np.random.default_rng(4)
    X, W = rng.normal(size=(400, 8)), rng.normal(size=(30, 8))
    X[:5], W[0], W[1] = W[:5], W[2], 0.0
    X[7] = 1e-40 * rng.normal(size=8)  # beside W[1], powers of it vanish
    space = LeeVerleysen(p=p, tau=0.5)
    expected = space.norm((X[:, None] - W).reshape(-1, 8)).reshape(400, 30)
    found = np.sqrt(space.squared_distance(unit * X, unit * W)) / unit
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-100)
