import numpy as np
import pytest
from scipy.integrate import trapezoid
from scipy.signal import savgol_filter

from noneuclid.numerics import difference_matrix, quadrature_weights, savgol_matrix


@pytest.mark.parametrize("n", [2, 3, 4, 30])
def test_derivative_is_numpys_gradient_on_any_grid(n):
    rng = np.random.default_rng(n)
    grid, f = np.cumsum(0.1 + rng.random(n)), rng.normal(size=n)
    np.testing.assert_allclose(difference_matrix(grid) @ f, np.gradient(f, grid), atol=1e-12)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_savitzky_golay_is_scipys(order):
    f = np.random.default_rng(0).normal(size=21)
    matrix = savgol_matrix(21, order, 0.3, 7, 3)
    expected = savgol_filter(f, 7, 3, deriv=order, delta=0.3)
    np.testing.assert_allclose(matrix @ f, expected, rtol=1e-9, atol=1e-9)


def test_uniform_grids_have_no_weight_in_the_middle():
    matrix = difference_matrix(np.linspace(0.1, 0.7, 12)).toarray()
    assert (np.diag(matrix)[1:-1] == 0).all()
    assert (matrix[1:-1].sum(axis=1) == 0).all()


def test_trapezoid_integrates_broken_lines_exactly():
    rng = np.random.default_rng(0)
    grid, f = np.cumsum(0.1 + rng.random(12)), rng.normal(size=12)
    assert np.isclose(quadrature_weights(grid, "trapezoid") @ f, trapezoid(f, grid))


def test_rectangle_gives_every_point_one_step():
    assert quadrature_weights(np.array([0.0, 0.5, 1.0]), "rectangle").tolist() == [0.5, 0.5, 0.5]
