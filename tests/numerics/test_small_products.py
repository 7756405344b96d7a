"""Products of small matrices in registers, and hints to the memory, against NumPy."""

import numpy as np
import pytest

from noneuclid.numerics._jit import jit
from noneuclid.numerics._lanes import LANES, small_product
from noneuclid.numerics._prefetch import ask_ahead, ask_for_row


@jit()
def product(A, start, down, along, n, B, out, rows, length):
    small_product(A, start, down, along, n, B, out, rows, length)


@pytest.mark.parametrize("rows", range(1, 10))
@pytest.mark.parametrize("length", [LANES, LANES + 1, 2 * LANES, 11, 12, 13, 25])
@pytest.mark.parametrize("n", [1, 3, 8])
def test_products_are_those_of_matrices_and_nothing_else_is_written(rows, length, n):
    rng = np.random.default_rng(rows + length + n)
    A, B = rng.normal(size=(rows, n)), rng.normal(size=(n, length))
    out = np.full((rows + 1, length), np.nan)
    product(A, 0, n, 1, n, B, out, rows, length)
    np.testing.assert_allclose(out[:rows], A @ B, rtol=1e-13, atol=1e-13)
    assert np.isnan(out[rows]).all()


def test_factors_may_lie_in_columns_or_be_one_number_per_row():
    rng = np.random.default_rng(0)
    A, B = rng.normal(size=(5, 7)), rng.normal(size=(5, 6))
    out = np.empty((7, 6))
    product(A, 0, 1, 7, 5, B, out, 7, 6)
    np.testing.assert_allclose(out, A.T @ B, rtol=1e-13, atol=1e-13)
    few = np.empty((5, 6))
    product(A, 3, 7, 0, 1, B, few, 5, 6)  # the fourth column times the first row
    np.testing.assert_allclose(few, np.outer(A[:, 3], B[0]), rtol=1e-15)


@jit()
def sum_while_asking(X, order):
    total = 0.0
    for t in range(order.size):
        ask_ahead(X, order, t)
        ask_for_row(X, order[t])
        for k in range(X.shape[1]):
            total += X[order[t], k]
    return total


@pytest.mark.parametrize("width", [1, 8, 13])
@pytest.mark.parametrize("n", [1, 3, 40])
def test_asking_for_rows_changes_nothing(n, width):
    X = np.random.default_rng(n).normal(size=(n, width))
    before = X.copy()
    assert sum_while_asking(X, np.arange(n)[::-1].copy()) == pytest.approx(X.sum())
    np.testing.assert_array_equal(X, before)
