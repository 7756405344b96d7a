"""Rows of whole lines of memory."""

import numpy as np
import pytest

from noneuclid.numerics.lines import in_whole_lines
from noneuclid.prototypes.geometries import features
from noneuclid.prototypes.geometries.features import FeatureGeometry


@pytest.mark.parametrize("shape", [(0, 5), (1, 1), (3, 8), (7, 13), (5, 16), (4, 0)])
@pytest.mark.parametrize("order", ["C", "F"])
def test_rows_begin_where_a_line_does(shape, order):
    A = np.asarray(np.random.default_rng(0).normal(size=shape), order=order)
    B = in_whole_lines(A)
    assert B.flags.c_contiguous
    assert B.shape == (shape[0], -(-shape[1] // 8) * 8)
    assert B.ctypes.data % 64 == 0 or B.size == 0
    np.testing.assert_array_equal(B[:, : shape[1]], A)
    np.testing.assert_array_equal(B[:, shape[1] :], 0.0)
    assert not np.shares_memory(A, B)


@pytest.mark.parametrize("positive", [5, 3, 0])
def test_many_features_are_read_where_they_are(positive, monkeypatch):
    Z = np.random.default_rng(1).normal(size=(20, 5))
    rows, of_rows = FeatureGeometry(Z, positive)._rows
    assert rows.shape == (20, 8)
    assert of_rows == (8 if positive == 5 else positive)
    monkeypatch.setattr(features, "_COPIED", 0)
    rows, of_rows = FeatureGeometry(Z, positive)._rows
    assert rows is Z
    assert of_rows == positive
