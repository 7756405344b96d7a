from decimal import Decimal, localcontext

import numpy as np
import pytest

from noneuclid.numerics import exp_nonpositive
from noneuclid.numerics._exp import exp_scalar
from noneuclid.numerics._jit import jit


def relative_error(x, value):
    with localcontext() as context:
        context.prec = 50
        exact = Decimal(float(x)).exp()
        return abs(float((Decimal(float(value)) - exact) / exact))


def test_against_exact_arithmetic():
    rng = np.random.default_rng(0)
    halves = -np.log(2) * (np.arange(40) + 0.5)  # where the reduced argument is largest
    x = np.concatenate([-708 * rng.random(500), -rng.random(300), halves, [0.0, -708.0, -1e-300]])
    worst = max(relative_error(a, b) for a, b in zip(x, exp_nonpositive(x)))
    assert worst < 1e-15


@pytest.mark.parametrize("size", [1, 1000, 100_000])
def test_against_numpy_for_every_size(size):
    x = np.linspace(-708, 0, size)
    np.testing.assert_allclose(exp_nonpositive(x), np.exp(x), rtol=1e-14)


def test_exactly_zero_below_the_range():
    assert (exp_nonpositive(np.array([-708.0001, -745.0, -1e300, -np.inf])) == 0).all()
    assert exp_nonpositive(np.array([0.0, -0.0])).tolist() == [1.0, 1.0]


def test_keeps_the_shape_and_may_work_in_place():
    x = -np.arange(6.0).reshape(2, 3)
    expected = np.exp(x)
    np.testing.assert_allclose(exp_nonpositive(x.T), expected.T)
    assert exp_nonpositive(np.float64(-1.0)).shape == ()
    assert exp_nonpositive(np.empty((0, 3))).shape == (0, 3)
    assert exp_nonpositive(x, out=x) is x
    np.testing.assert_allclose(x, expected, rtol=1e-15)


def test_refuses_an_output_it_could_not_fill():
    with pytest.raises(ValueError, match=r"C-contiguous array of shape \(2, 3\)"):
        exp_nonpositive(np.zeros((2, 3)), out=np.zeros((3, 2)).T)


@jit(sums=True)
def _sum_of_exp(x):
    total = 0.0
    for k in range(x.size):
        total += exp_scalar(x[k])
    return total


def test_stays_accurate_inside_a_reassociated_sum():
    x = -20 * np.random.default_rng(0).random(10_001)
    assert abs(_sum_of_exp(x) / np.exp(x).sum() - 1) < 1e-13
