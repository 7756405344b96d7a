"""Outlyingness: known outliers, its formula, and what it does not depend on."""

import numpy as np
import pytest

from noneuclid.datasets import make_contaminated
from noneuclid.pca import outlyingness, robust_components

RNG = np.random.default_rng(0)


def test_outliers_are_found_and_turn_the_classical_component():
    data = make_contaminated(150, n_outliers=4)
    found = robust_components(data.X)
    assert set(found.outliers) == {146, 147, 148, 149}
    assert found.angle > 45
    assert np.abs(found.plain.components_[0, -1]) > 0.95
    order = found.outlyingness[found.outliers]
    assert (np.diff(order) <= 0).all()


def test_the_larger_of_both_distances():
    X = RNG.normal(size=(60, 4)) * [5.0, 3.0, 1.0, 0.5]
    found = robust_components(X)
    Z = found.scaler.transform(X)

    def robust(v):
        away = np.abs(v - np.median(v, axis=0))
        return away / (1.4826 * np.median(away, axis=0))

    off = robust(found.robust.reconstruction_error(Z))
    within = np.sqrt((robust(found.robust.transform(Z)) ** 2).sum(axis=1))
    np.testing.assert_allclose(found.outlyingness, np.maximum(off, within))


def test_normal_data_have_hardly_any():
    found = robust_components(RNG.normal(size=(400, 5)))
    assert len(found.outliers) <= 2
    assert np.median(found.outlyingness) < 2


def test_units_and_origin_do_not_matter():
    X = RNG.normal(size=(50, 3))
    np.testing.assert_allclose(outlyingness(X), outlyingness(100 * X + 7), rtol=1e-6)


def test_outliers_off_and_within_the_plane_are_both_found():
    X = np.column_stack([RNG.normal(size=(80, 2)) * [9, 4], 0.1 * RNG.normal(size=80)])
    X[0] += [0, 0, 5.0]
    X[1] += [200.0, 0, 0]
    assert set(np.argsort(-outlyingness(X))[:2]) == {0, 1}


def test_few_columns_and_rows_leave_fewer_components():
    assert len(robust_components(RNG.normal(size=(30, 2))).robust.components_) == 1
    assert len(robust_components(RNG.normal(size=(30, 5)), n_components=3).plain.components_) == 3
    with pytest.raises(ValueError, match="minimum of 2 is required"):
        outlyingness([[1.0, 2.0]])


def test_a_cutoff_decides_what_counts():
    X = RNG.normal(size=(60, 3))
    few, many = (robust_components(X, cutoff=c) for c in (5.0, 1.5))
    assert len(few.outliers) < len(many.outliers)
    np.testing.assert_array_equal(few.outlyingness, many.outlyingness)


def test_bad_parameters():
    X = RNG.normal(size=(20, 3))
    with pytest.raises(ValueError, match=r"cutoff \(=0\) must be a positive number"):
        robust_components(X, cutoff=0)
    with pytest.raises(ValueError, match=r"n_components \(=0\)"):
        outlyingness(X, n_components=0)


def test_what_is_far_from_rows_that_are_mostly_equal():
    """Faulty before: more than half of equal rows made every row usual."""
    rng = np.random.default_rng(0)
    X = np.zeros((100, 3))
    X[60:] = rng.poisson(3, size=(40, 3))
    X[7] = [2e5, 3e5, 1e5]
    found = robust_components(X)
    assert found.outliers[0] == 7
    assert found.outlyingness[7] > 3 * np.delete(found.outlyingness, 7).max()
    assert (outlyingness(np.ones((10, 3))) == 0).all()


def test_rows_of_zeros_and_ones_are_usual():
    """Faulty before: distances were counted in units of rounding."""
    X = np.random.default_rng(0).integers(0, 2, (100, 4)).astype(float)
    assert len(robust_components(X).outliers) == 0
