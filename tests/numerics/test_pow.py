import mpmath
import numpy as np
import pytest

from noneuclid.numerics._jit import jit
from noneuclid.numerics._pow import (
    inverse_fifth_root,
    inverse_third_root,
    pow_scalar,
    root_by_products,
)


@jit()
def powers(x, p, out):
    for i in range(x.size):
        out[i] = pow_scalar(x[i], p)


@jit()
def roots(x, halves, thirds, fifths):
    for i in range(x.size):
        halves[i] = 1.0 / root_by_products(x[i])
        thirds[i] = inverse_third_root(x[i])
        fifths[i] = inverse_fifth_root(x[i])


def of(x, p):
    x = np.asarray(x, dtype=float)
    out = np.empty_like(x)
    powers(x, float(p), out)
    return out


@pytest.mark.parametrize("p", [0.1, 1 / 3, 1.1, 2.5, 7.3])
def test_powers_to_the_last_digits_over_the_whole_range(p):
    x = np.exp(np.random.default_rng(0).uniform(-90, 90, size=4000))
    assert np.max(np.abs(of(x, p) / np.power(x, p) - 1)) <= (3 + p) * np.finfo(float).eps


@pytest.mark.parametrize("exponent", range(-12, 13))
def test_powers_of_two_and_their_roots(exponent):
    np.testing.assert_allclose(of([4.0**exponent], 0.5), 2.0**exponent, rtol=4e-16)
    np.testing.assert_allclose(of([2.0**exponent], 3.0), 8.0**exponent, rtol=4e-16)


def test_roots_to_the_last_digits_over_the_whole_range():
    x = np.exp(np.random.default_rng(0).uniform(-650, 650, size=2000))
    x[:900] = 2.0 ** np.linspace(-15, 15, 900)  # every mantissa, every rest of the exponent
    found = np.empty((3, 2000))
    roots(x, *found)
    for b, some in zip((2, 3, 5), found):
        expected = [float(mpmath.root(1 / mpmath.mpf(u), b)) for u in x]
        np.testing.assert_allclose(some, expected, rtol=4 * np.finfo(float).eps)


def test_the_root_of_zero():
    assert root_by_products(0.0) == 0.0


def test_ends_of_the_range():
    np.testing.assert_array_equal(of([0.0, 5e-324, 1e-200, 1.0, 1e200], 2.5), [0, 0, 0, 1, np.inf])
