import warnings

import numpy as np
import pytest

from noneuclid.numerics import functional_dual, functional_magnitudes, lee_dual, lp_dual, lp_norm


def central_differences(function, v, step=1e-6):
    return np.array(
        [(function(v + h) - function(v - h)) / (2 * step) for h in step * np.eye(len(v))]
    )


def test_special_exponents_by_hand():
    w = np.array([[3.0, -4.0, 0.0, 4.0]])
    assert lp_dual(w, 2).tolist() == w.tolist()
    assert lp_dual(w, 1).tolist() == [[11.0, -11.0, 0.0, 11.0]]
    assert lp_dual(w, np.inf).tolist() == [[0.0, -2.0, 0.0, 2.0]]  # mean over both largest
    expected = w**3 / np.sqrt((w**4).sum())  # |w|³ sgn(w)/‖w‖²
    np.testing.assert_allclose(lp_dual(w, 4), expected)


@pytest.mark.parametrize("p", [1, 1.5, 2, 3, 1e3, 1e9, 1e300, np.inf])
@pytest.mark.parametrize("scale", [1e-150, 1.0, 1e150])
def test_norm_is_recovered_without_overflow(p, scale):
    W = scale * np.array([[1.0, 1.0, 1.0], [3.0, -2.0, 0.0], [0.0, 0.0, 0.0], [5.0, 5.0, -1.0]])
    with warnings.catch_warnings(), np.errstate(over="raise", divide="raise", invalid="raise"):
        J = lp_dual(W, p)
        squares = np.einsum("ij,ij->i", W / scale, J / scale)
        norms = lp_norm(W, p) / scale
    np.testing.assert_allclose(squares, norms**2, rtol=1e-12)


@pytest.mark.parametrize("p", [1, 1.5, 2, 3])
def test_functional_dual_is_the_gradient(p):
    V = np.random.default_rng(0).normal(size=(20, 7))
    for v, j in zip(V, functional_dual(V, p, 0.7)):
        half_square = lambda u: lp_norm(functional_magnitudes(u[None], 0.7), p)[0] ** 2 / 2  # noqa: E731
        np.testing.assert_allclose(j, central_differences(half_square, v), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("p", [1, 1.5, 2, 4])
@pytest.mark.parametrize("v", [(1, 0, 1), (1, 0, -1), (0, 1, 0), (0, 0, 2, -1), (0, 0, 0), (2, 0)])
def test_functional_dual_at_zeros_is_the_mean_of_the_one_sided_derivatives(p, v):
    v = np.array(v, dtype=float)
    half_square = lambda u: lp_norm(functional_magnitudes(u[None], 1.0), p)[0] ** 2 / 2  # noqa: E731
    expected = central_differences(half_square, v)  # the mean of both sides where there is a kink
    tolerance = 1e-2 if p == 1.5 else 1e-5
    np.testing.assert_allclose(functional_dual(v[None], p, 1.0)[0], expected, atol=tolerance)


@pytest.mark.parametrize("p", [1, 1.5, 2, 2.7, 4, 1e3, 1e9, 1.7e308, np.inf])
@pytest.mark.parametrize("d", [1, 2, 20])
def test_compiled_functional_dual_is_the_simple_one(p, d):
    rng = np.random.default_rng(1)
    V = rng.normal(size=(60, d))
    V[rng.uniform(size=V.shape) < 0.2] = 0.0
    V[:5] *= 1e200
    V[5:9] *= 1e-200
    V[9] = 0.0
    V[10:20] = V[10:20].round()  # several largest magnitudes
    V[20:30] = np.abs(V[20:30])
    simple, compiled = functional_dual(V, p, 0.7), lee_dual(V, p, 0.7)
    size = np.abs(simple).max(axis=1, keepdims=True)
    size[size == 0] = 1.0
    np.testing.assert_allclose(compiled / size, simple / size, atol=1e-13)
