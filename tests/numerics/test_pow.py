import numpy as np
import pytest

from noneuclid.numerics._jit import jit
from noneuclid.numerics._pow import pow_scalar


@jit()
def powers(x, p, out):
    for i in range(x.size):
        out[i] = pow_scalar(x[i], p)


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


def test_ends_of_the_range():
    np.testing.assert_array_equal(of([0.0, 5e-324, 1e-200, 1.0, 1e200], 2.5), [0, 0, 0, 1, np.inf])
