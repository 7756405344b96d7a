"""Curves on grids and in bases, against formulas and other libraries."""

from dataclasses import fields

import numpy as np
import pytest
from scipy.interpolate import make_smoothing_spline
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import Matern, WhiteKernel

from noneuclid.curves import CurveGrid, Curves, InBasis, OnGrid


def waves(n=8, points=40, noise=0.0, seed=0):
    rng = np.random.default_rng(seed)
    pairs = []
    for _ in range(n):
        t = np.concatenate([[0.0], np.sort(rng.uniform(size=points - 2)), [1.0]])
        phase = rng.uniform(0, 2 * np.pi)
        pairs.append((t, np.sin(2 * np.pi * t + phase) + noise * rng.normal(size=points), phase))
    return Curves([pair[:2] for pair in pairs]), np.array([pair[2] for pair in pairs])


@pytest.mark.parametrize(
    ("method", "bound"), [("linear", 0.1), ("spline", 0.02), ("kriging", 0.02)]
)
def test_methods_find_the_function(method, bound):
    curves, phases = waves()
    grid = np.linspace(0, 1, 50)
    found = curves.to_grid(grid, method=method)
    truth = np.sin(2 * np.pi * grid + phases[:, None])
    assert np.abs(found.rows - truth).max() < bound
    assert found.error.shape == (8,)


def test_error_is_what_interpolation_loses():
    curves = Curves([([0, 1, 2], [0.0, 3.0, 0.0]), ([0, 2], [1.0, 1.0])])
    found = curves.to_grid([0.0, 2.0])
    np.testing.assert_allclose(found.error, [np.sqrt(9 / 3), 0.0])


def test_kriging_is_a_gaussian_process():
    """With the parameters found, the same as scikit-learn's up to the constant of the curve."""
    curves, _ = waves(noise=0.1)
    grid = np.linspace(0, 1, 30)
    found = curves.to_grid(grid, method="kriging")
    from noneuclid.curves.grids import make_grid

    model = make_grid(curves, grid, "kriging").models[0]
    t, x = curves[0]
    kernel = Matern(model.length, nu=1.5) + WhiteKernel(model.noise)
    K = kernel(t[:, None])
    one = np.ones(len(t))
    constant = one @ np.linalg.solve(K, x) / (one @ np.linalg.solve(K, one))
    process = GaussianProcessRegressor(kernel, optimizer=None).fit(t[:, None], x - constant)
    np.testing.assert_allclose(found.rows[0], process.predict(grid[:, None]) + constant, atol=1e-6)
    assert 0.03 < np.sqrt(model.variance * model.noise) < 0.3  # the noise was 0.1
    assert found.uncertainty.shape == found.rows.shape
    assert (found.uncertainty > 0).all()


def test_kriging_of_constant_curves():
    curves = Curves([([0.0, 1.0, 2.0], [3.0, 3.0, 3.0])] * 2)
    np.testing.assert_allclose(curves.to_grid(4, method="kriging").rows, 3.0)


def test_default_grids():
    t = np.array([0.0, 0.2, 0.7, 1.0])
    same = Curves([(t, t), (t, -t)])
    np.testing.assert_array_equal(same.to_grid().positions[0], t)
    gaps = Curves.from_array([[1.0, 2.0, np.nan, 4.0], [1.0, 2.0, 3.0, 4.0]], grid=t)
    np.testing.assert_array_equal(gaps.to_grid().positions[0], t)
    curves, _ = waves(points=20)
    np.testing.assert_allclose(curves.to_grid().positions[0], np.linspace(0, 1, 20))
    assert curves.to_grid(7).rows.shape == (8, 7)


def test_channels_of_other_lengths_are_side_by_side():
    t, s = np.linspace(0, 1, 5), np.linspace(10, 20, 7)
    curves = Curves([([t, s], [t, s])] * 3)
    found = curves.to_grid()
    assert found.rows.shape == (3, 12)
    np.testing.assert_allclose(found.rows[0], np.concatenate([t, s]))
    with pytest.raises(ValueError, match="other numbers of points"):
        _ = found.array
    equal = Curves([(t, np.stack([t, -t]))] * 3).to_grid(4)
    assert equal.array.shape == (3, 2, 4)


def test_smoothing_by_cross_validation_is_as_good_as_a_smoothing_spline():
    """Both choose by GCV; ours has one weight for all curves, and the truth decides."""
    curves, phases = waves(n=6, points=60, noise=0.3)
    found = curves.to_basis("bspline", n_basis=25)
    grid = np.linspace(0, 1, 101)
    truth = np.sin(2 * np.pi * grid + phases[:, None])
    ours = np.sqrt(np.mean((found.evaluate(grid) - truth) ** 2))
    theirs = [make_smoothing_spline(*curves[k])(grid) for k in range(6)]
    assert ours < 1.2 * np.sqrt(np.mean((np.array(theirs) - truth) ** 2))
    assert 0.2 < np.median(found.error) < 0.35  # what is left is the noise


def test_bases_reproduce_what_they_hold():
    t = np.linspace(-1, 2, 30)
    curves = Curves([(t, 1 + t - t**2), (t, 2 * t**2)])
    found = curves.to_basis("monomial", n_basis=3, smoothing=0.0)
    assert found.error.max() < 1e-6
    np.testing.assert_allclose(
        found.evaluate([0.5], derivative=1), [[1 - 2 * 0.5], [4 * 0.5]], atol=1e-6
    )


def test_few_points_per_curve_do_not_break_cross_validation():
    curves, _ = waves(points=5, noise=0.1)
    found = curves.to_basis(n_basis=15)
    assert np.isfinite(found.coefficients[0]).all()
    assert np.abs(found.evaluate(np.linspace(0, 1, 50))).max() < 10


T = np.linspace(0, 1, 5)


@pytest.mark.parametrize(
    ("curves", "points", "sentence"),
    [
        ([(T, T), (T + 2, T)], None, "no common range: curve 0 ends at 1, and curve 1 begins at 2"),
        ([(T, T), (T, T)], 1, "at least 2"),
        ([(T, T), (T, T)], [0.5, 0.1], "increase"),
        ([(T, T), (T, T)], [0.5, 1.5], "was observed from 0 to 1"),
        ([(T, T), (T, T)], "all", "must be a number of points"),
        ([([T, T], [T, T])] * 2, [[0, 1], [0, 1], [0, 1]], "those of 3 channels"),
        ([([T, T], [T, T * np.nan])] * 2, None, "channel 1 of curve 0 has no observed value"),
    ],
)
def test_bad_grids_in_one_sentence(curves, points, sentence):
    with pytest.raises(ValueError, match=sentence):
        Curves(curves).to_grid(points)


def test_little_in_common_is_told():
    curves = Curves([(10 * T, T), (10 * T + 8, T)])
    with pytest.warns(UserWarning, match="only 2 of 10 observations"):
        curves.to_grid()


def test_bad_bases():
    curves, _ = waves()
    with pytest.raises(ValueError, match="basis"):
        curves.to_basis("wavelet")
    with pytest.raises(ValueError, match="smoothing"):
        curves.to_basis(smoothing=-1.0)
    with pytest.raises(ValueError, match="n_basis"):
        curves.to_basis(n_basis=0)


@pytest.mark.parametrize("made", [CurveGrid, InBasis, OnGrid])
def test_what_is_handed_out_is_described(made):
    text = made.__doc__.split("Parameters\n")[1]
    assert all(f"    {field.name} : " in text for field in fields(made))
