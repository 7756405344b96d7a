import numpy as np
import pytest

from noneuclid.numerics import (
    first_argmax,
    first_argmin,
    fix_signs,
    fix_vectors,
    level,
    signed_eigh,
    steady_order,
)
from noneuclid.numerics.cholesky import pivoted_features
from noneuclid.numerics.pairwise import zero_rounding
from noneuclid.numerics.quantization import rank_rows
from noneuclid.prototypes.costs.neighbourhoods import RankNeighbourhood, _nearest

NOISE = [0.0, 1e-15, -1e-15, 1e-12, -1e-12]


@pytest.mark.parametrize("noise", NOISE)
@pytest.mark.parametrize("size", [1e-200, 1.0, -3.0, 1e200])
def test_the_first_of_equals_is_chosen_whatever_the_last_bits_say(noise, size):
    row = size * np.array([2.0, 1.0, 1.0 + noise, 2.0]) * np.sign(size)
    lowest = 1 if size > 0 else 0
    assert first_argmin(np.sign(size) * row) == lowest
    assert first_argmax(-np.sign(size) * row) == lowest
    D = np.sign(size) * np.array([row, row[::-1]])
    np.testing.assert_array_equal(first_argmin(D), [lowest, lowest])
    np.testing.assert_array_equal(first_argmin(D.T, axis=0), [lowest, lowest])


@pytest.mark.parametrize("noise", NOISE)
@pytest.mark.parametrize("m", [1, 7, 30])
def test_few_rows_are_ranked_as_many(noise, m):
    rng = np.random.default_rng(1)
    D = rng.integers(-4, 5, size=(6000 // m, m)) + noise * rng.random((6000 // m, m))
    many, few = np.empty(D.shape), np.empty(D.shape)
    rank_rows(D, many)
    half = len(D) // 2
    rank_rows(D[:half], few[:half])
    np.testing.assert_array_equal(few[:half], many[:half])
    assert (np.sort(many, axis=1) == np.arange(m)).all()


@pytest.mark.parametrize("noise", NOISE)
def test_few_and_many_numbers_are_decided_alike(noise):
    rng = np.random.default_rng(0)
    D = rng.integers(5, size=(2000, 6)) + noise * rng.random((2000, 6))
    np.testing.assert_array_equal(first_argmin(D), [first_argmin(row) for row in D])


@pytest.mark.parametrize("seed", range(3))
def test_clear_differences_are_decided_as_numpy_does(seed):
    D = np.random.default_rng(seed).normal(size=(4, 5, 6))
    for axis in range(3):
        np.testing.assert_array_equal(first_argmin(D, axis), D.argmin(axis))
        np.testing.assert_array_equal(first_argmax(D, axis), D.argmax(axis))
    np.testing.assert_array_equal(steady_order(D[0, 0]), np.argsort(D[0, 0]))
    np.testing.assert_array_equal(level(D), D)
    assert first_argmin(np.array([1.0, 1.0 - 1e-6])) == 1


def test_infinite_numbers_are_no_ties():
    assert first_argmin(np.array([np.inf, 5.0, np.inf, 3.0])) == 3
    assert first_argmin(np.full(3, np.inf)) == 0
    assert first_argmin(np.array([0.0, -0.0, 1.0])) == 0


def test_a_far_outlier_makes_no_ties_of_the_others():
    assert first_argmin(np.array([1e30, 1e-2, 1e-3])) == 2


@pytest.mark.parametrize("noise", NOISE)
def test_orders_and_levels_do_not_depend_on_the_last_bits(noise):
    values = np.array([3.0, 1.0 + noise, 2.0, 1.0, 3.0 - noise, 1.0])
    np.testing.assert_array_equal(steady_order(values), [1, 3, 5, 2, 0, 4])
    np.testing.assert_array_equal(steady_order(values, turn=1), [3, 5, 1, 2, 4, 0])
    np.testing.assert_array_equal(steady_order(-values), [0, 4, 2, 1, 3, 5])
    assert len(set(level(values))) == 3
    assert steady_order(np.empty(0)).shape == level(np.empty(0)).shape == (0,)


@pytest.mark.parametrize("m", [6, 700])
@pytest.mark.parametrize("noise", NOISE)
def test_ranks_of_equals_take_turns_from_row_to_row(noise, m):
    d = np.arange(1.0, m + 1)
    d[4] = d[1] * (1 + noise)
    ranks = np.empty((3, m))
    rank_rows(np.tile(d, (3, 1)), ranks)
    for i in range(3):
        np.testing.assert_array_equal(np.argsort(ranks[i]), steady_order(d, turn=i))
    assert ranks[0, 1] == ranks[1, 4] == 1
    assert ranks[0, 4] == ranks[1, 1] == 2


@pytest.mark.parametrize("noise", NOISE)
def test_the_nearest_few_are_the_same_also_where_the_next_is_as_near(noise):
    D = np.array([[5.0, 1.0, 2.0, 2.0 + noise, 2.0 - noise, 9.0]])
    np.testing.assert_array_equal(_nearest(D, 2), [[1, 2]])
    np.testing.assert_array_equal(_nearest(D, 3), [[1, 2, 3]])


def test_coinciding_prototypes_of_a_batch_gas_are_pulled_differently():
    D = np.random.default_rng(0).uniform(1, 2, size=(9, 4))[:, [0, 0, 1, 2, 3, 3]]
    _, pulls = RankNeighbourhood(6).assign(D, 3.0)
    H = pulls.dense()
    assert np.ptp(H[:, 0] / H[:, 1]) > 0.1
    assert np.ptp(H[:, 4] / H[:, 5]) > 0.1


@pytest.mark.parametrize("seed", range(4))
def test_a_repeated_eigenvalue_has_the_same_vectors_from_every_basis(seed):
    rng = np.random.default_rng(seed)
    Q = np.linalg.qr(rng.normal(size=(9, 9)))[0]
    values = np.array([5.0, 2.0, 2.0, 2.0, 1.0, 1.0, -1.0, -1.0, -4.0])
    turned = Q.copy()
    for run in (slice(1, 4), slice(4, 6), slice(6, 8)):
        k = run.stop - run.start
        turned[:, run] = Q[:, run] @ np.linalg.qr(rng.normal(size=(k, k)))[0]
    one, other = fix_vectors(values, Q), fix_vectors(values * (1 + 1e-15), turned)
    np.testing.assert_allclose(one, other, atol=1e-12)
    np.testing.assert_allclose((one * values) @ one.T, (Q * values) @ Q.T, atol=1e-12)
    np.testing.assert_array_equal(fix_vectors(np.arange(9.0), Q), fix_signs(Q))


def test_a_circle_of_objects_has_one_embedding():
    n = 12
    angle = 2 * np.pi * np.arange(n) / n
    S = np.cos(angle[:, None] - angle)  # every eigenvalue twice
    expected = signed_eigh(S, 1e-10)[1]
    assert expected.shape == (n, 2)
    noise = 1e-15 * np.random.default_rng(0).normal(size=(20, n, n))
    for E in noise:
        np.testing.assert_allclose(signed_eigh(S + E + E.T, 1e-10)[1], expected, atol=1e-12)


def test_the_pivots_of_a_kernel_of_ones_on_the_diagonal_are_the_first_rows():
    X = np.arange(300.0)[:, None] / 10
    K = np.exp(-((X - X.T) ** 2))
    chosen = []
    for diagonal in (np.diag(K), np.diag(K) * (1 - 1e-15 * (np.arange(300) % 3))):
        chosen.append(pivoted_features(lambda i, j: K[i][:, j], diagonal, cutoff=1e-6)[1])
    np.testing.assert_array_equal(chosen[0], chosen[1])
    assert chosen[0][:10].max() < 64  # those that tell more than rounding of the first 64
    assert chosen[0][0] == 0


def test_rounding_of_coinciding_vectors_is_zero_and_nothing_else_is():
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(50, 7))
    squares = (Z**2).sum(axis=1)
    D = squares[:, None] + squares - 2 * Z @ Z.T
    exact = ((Z[:, None] - Z) ** 2).sum(axis=2)
    zero_rounding(D, squares, 7)
    assert (np.diag(D) == 0).all()
    np.testing.assert_allclose(D, exact, rtol=1e-12)


@pytest.mark.parametrize("noise", NOISE)
@pytest.mark.parametrize("n", [5, 900])
def test_the_nearest_of_tied_rows_are_the_first_of_all_in_order(noise, n):
    rng = np.random.default_rng(2)
    D = rng.integers(1, 9, size=(n, 24)) + noise * rng.random((n, 24))
    D[::3] = rng.random(D[::3].shape)  # some rows without ties
    for k in (2, 5):
        expected = [steady_order(d, turn=i)[:k] for i, d in enumerate(D)]
        np.testing.assert_array_equal(_nearest(D, k), expected)
