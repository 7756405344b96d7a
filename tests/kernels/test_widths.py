"""Widths that are left to the data, beside their definitions."""

import numpy as np
import pytest

from noneuclid.kernels import Gaussian, Laplacian
from noneuclid.spaces import Sobolev


@pytest.mark.parametrize(("n", "d"), [(2, 3), (3, 1), (40, 20), (41, 50)])
@pytest.mark.parametrize("space", ["l2", "l1", Sobolev(p=1.5), Sobolev()])
def test_medians_are_those_of_distinct_rows(n, d, space):
    X = np.random.default_rng(n).normal(size=(n, d)) + 100.0
    if n > 2:
        X[-1] = X[0]
    kernel = Laplacian("median", space)
    D = kernel.squared_distance(X)[np.triu_indices(n, 1)]
    expected = np.median(np.sqrt(D[D > 0]))
    assert kernel.resolve(X).width == pytest.approx(expected, rel=1e-12)


def test_the_median_of_the_squares_is_taken_of_roots():
    """Of two squares in the middle the mean of the roots, not the root of the mean."""
    X = np.array([[0.0], [1.0], [3.0], [9.0]])  # distances 1, 2, 3, 6, 8, 9
    assert Gaussian("median").resolve(X).width == 4.5
