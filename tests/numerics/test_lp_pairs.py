import numpy as np
import pytest
from scipy.spatial.distance import cdist

from noneuclid.numerics import lp_dual, lp_norm, lp_pull, lp_squared_distance
from noneuclid.numerics.lp import compiled_squared_distance
from noneuclid.numerics.lp_little import is_little, little_moments, little_squared_distance
from noneuclid.numerics.lp_pull import _largest_moduli, compiled_moments

EXPONENTS = [1, 1.1, 1.5, 2, 2.5, 3, 4, 7.5, 40, np.inf]


@pytest.fixture
def pair():
    rng = np.random.default_rng(0)
    return rng.normal(size=(23, 9)), rng.normal(size=(5, 9))


def scipy_squared(X, W, p):
    metric = {"metric": "chebyshev"} if p == np.inf else {"metric": "minkowski", "p": p}
    return cdist(X, W, **metric) ** 2


@pytest.mark.parametrize("p", EXPONENTS)
def test_distances_are_scipys(pair, p):
    np.testing.assert_allclose(lp_squared_distance(*pair, p), scipy_squared(*pair, p), rtol=1e-12)


@pytest.mark.parametrize("p", EXPONENTS)
@pytest.mark.parametrize("scale", [1e-150, 1e-60, 1e60, 1e150])
def test_huge_and_tiny_differences(pair, p, scale):
    X, W = pair
    D = lp_squared_distance(scale * X, scale * W, p) / scale / scale
    np.testing.assert_allclose(D, scipy_squared(X, W, p), rtol=1e-10)


@pytest.mark.parametrize("p", EXPONENTS)
def test_mixed_scales_within_a_row(p):
    X = np.array([[1e150, 1.0, 1e-150], [1e-200, 0.0, 0.0], [0.0, 0.0, 0.0]])
    D = lp_squared_distance(X, np.zeros((1, 3)), p)
    np.testing.assert_allclose(D, [[1e300], [0.0], [0.0]], rtol=1e-12)


@pytest.mark.parametrize("p", EXPONENTS)
def test_pull_is_the_sum_of_duals(pair, p):
    X, W = pair
    X[0] = W[0]  # a pair without difference exerts no force
    F = np.random.default_rng(1).normal(size=(len(X), len(W)))
    F[:, 2] = 0
    naive = np.zeros_like(W)
    for i, x in enumerate(X):
        for j, w in enumerate(W):
            naive[j] += -2 * F[i, j] * lp_dual((x - w)[None], p)[0]
    np.testing.assert_allclose(lp_pull(X, W, F, p), naive, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("p", [1, 1.5])
def test_declared_noise_exerts_no_force(p):
    x, w = np.array([[1.0, 2.0, 3.0]]), np.array([[1.0 - 1e-13, 2.0, 2.0]])
    loud = lp_pull(x, w, np.ones((1, 1)), p)  # more than rounding, unless somebody says so
    quiet = lp_pull(x, w, np.ones((1, 1)), p, (np.full(3, 1e-13), np.ones(1), np.ones(1)))
    assert loud[0, 0] != 0
    assert quiet[0, 0] == 0
    np.testing.assert_allclose(quiet[0, 1:], loud[0, 1:])


@pytest.mark.parametrize("p", [1, 1.1, 1.5])
@pytest.mark.parametrize("scale", [1e-200, 1.0, 1e200])
def test_the_last_bit_exerts_no_force(p, scale):
    # 0.1 + 0.2 falls upon 0.3 but for the last bit: which side it is on, rounding decides.
    x, w = scale * np.array([[0.3, 1.0, 0.5]]), scale * np.array([[0.1 + 0.2, 0.5, 0.5]])
    assert x[0, 0] != w[0, 0]
    with np.errstate(over="ignore"):  # the cost beside, where nothing is compiled
        found = lp_pull(x, w, np.ones((1, 1)), p)
    assert found[0, 0] == found[0, 2] == 0
    assert found[0, 1] == pytest.approx(-scale)


def test_views_and_read_only_arrays_are_fine(pair):
    X, W = pair
    frozen = X.copy()
    frozen.flags.writeable = False
    expected = scipy_squared(X, W, 1.5)
    np.testing.assert_allclose(lp_squared_distance(frozen, W, 1.5), expected)
    np.testing.assert_allclose(
        lp_squared_distance(np.asfortranarray(X)[::2], W, 1.5), expected[::2]
    )
    assert lp_pull(frozen, W, np.asfortranarray(expected), 1.5).shape == W.shape


@pytest.mark.parametrize("p", [1, 1.5, 3, np.inf])
def test_many_rows_in_parallel_are_few_rows_in_turn(p):
    rng = np.random.default_rng(0)
    X, W, F = rng.normal(size=(1500, 9)), rng.normal(size=(7, 9)), rng.normal(size=(1500, 7))
    in_turn = [compiled_squared_distance(X[i : i + 100], W, p) for i in range(0, 1500, 100)]
    # Of one sum numba before 0.61 makes other steps in parallel code.
    np.testing.assert_allclose(lp_squared_distance(X, W, p), np.vstack(in_turn), rtol=4e-15)
    pulls = [lp_pull(X[i : i + 100], W, F[i : i + 100], p) for i in range(0, 1500, 100)]
    np.testing.assert_allclose(lp_pull(X, W, F, p), np.sum(pulls, axis=0), rtol=1e-9)


@pytest.mark.parametrize("p", EXPONENTS)
def test_few_rows_without_compiled_code_are_the_same(pair, p):
    X, W = pair
    F = np.random.default_rng(1).normal(size=(len(X), len(W)))
    X[0] = W[0]
    sizes = np.ones(len(X)), np.ones(len(W))
    assert is_little(*F.shape, 9)
    D = compiled_squared_distance(X, W, p)
    np.testing.assert_allclose(little_squared_distance(X, W, p), D, rtol=1e-13)
    for noise in (np.zeros(9), np.full(9, 0.05)):
        for curved in (False, True):
            own = little_moments(X, W, F, p, (noise, *sizes), curved=curved)
            compiled = compiled_moments(X, W, F, p, (noise, *sizes), curved)
            for little, other in zip(own, compiled):
                np.testing.assert_allclose(little, other, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("p", [1.5, 3, 40])
def test_few_rows_beyond_the_range_are_left_to_compiled_code(pair, p):
    X, W = pair
    F = np.ones((len(X), len(W)))
    noise = np.zeros(9), np.ones(len(X)), np.ones(len(W))
    for scale in (1e-250, 1e250):
        assert little_squared_distance(scale * X, scale * W, p) is None
        assert little_moments(scale * X, scale * W, F, p, noise, curved=True) is None


@pytest.mark.parametrize("p", EXPONENTS)
def test_no_rows(p):
    assert lp_squared_distance(np.empty((0, 3)), np.ones((2, 3)), p).shape == (0, 2)
    assert (lp_pull(np.empty((0, 3)), np.ones((2, 3)), np.empty((0, 2)), p) == 0).all()


@pytest.mark.parametrize("p", EXPONENTS)
def test_norm_is_numpys(pair, p):
    expected = np.linalg.norm(pair[0], ord=p, axis=1)
    np.testing.assert_allclose(lp_norm(pair[0], p), expected, rtol=1e-13)


@pytest.mark.parametrize("shape", [(0, 3), (1, 3), (63, 1), (64, 2), (65, 5), (1000, 20), (128, 0)])
def test_largest_moduli_of_rows_side_by_side(shape):
    X = np.random.default_rng(0).normal(size=shape)
    expected = np.abs(X).max(axis=0, initial=0.0)
    for rows in (X, -X, np.abs(X), np.asfortranarray(X)):
        np.testing.assert_array_equal(_largest_moduli(rows), expected)
