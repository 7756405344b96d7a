"""Models of vectors in the plane they learned, and curves where they were measured."""

import matplotlib as mpl
import numpy as np
import pytest

from noneuclid import GLVQ, GMLVQ, Sobolev
from noneuclid.displays import EmbeddingDisplay, PrototypeDisplay

mpl.use("Agg")
X = np.random.default_rng(0).normal(size=(40, 5))
Y = np.where(X[:, 0] > 0, "a", "b")


def test_gmlvq_is_drawn_in_the_plane_of_its_matrix():
    model = GMLVQ(max_epochs=5).fit(X, Y)
    display = EmbeddingDisplay.from_estimator(model, X, Y)
    np.testing.assert_allclose(display.points, model.project(X))
    np.testing.assert_allclose(display.prototypes, model.project(model.prototypes_))
    values, vectors = np.linalg.eigh(model.omega_.T @ model.omega_)  # independently
    plane = X @ vectors[:, :-3:-1] * np.sqrt(np.maximum(values[:-3:-1], 0))
    np.testing.assert_allclose(np.abs(display.points), np.abs(plane), atol=1e-8)
    assert "prototype" in display.ax_.get_legend_handles_labels()[1]


def test_what_has_no_plane_says_so():
    with pytest.raises(TypeError, match=r"GLVQ learns neither .*: use PrototypeDisplay"):
        EmbeddingDisplay.from_estimator(GLVQ(max_epochs=1).fit(X, Y), X)
    with pytest.raises(ValueError, match="GMLVQ did not keep its training rows: pass them as P"):
        EmbeddingDisplay.from_estimator(GMLVQ(max_epochs=1).fit(X, Y))


def test_curves_are_drawn_where_they_were_measured():
    grid = np.array([850.0, 852, 854, 858, 860])
    of_space = GLVQ(space=Sobolev(grid=grid), max_epochs=1).fit(X, Y)
    (line, *_) = PrototypeDisplay.from_estimator(of_space).ax_.lines
    np.testing.assert_array_equal(line.get_xdata(), grid)
    pandas = pytest.importorskip("pandas")
    named = GLVQ(max_epochs=1).fit(pandas.DataFrame(X, columns=list(map(str, grid))), Y)
    (line, *_) = PrototypeDisplay.from_estimator(named).ax_.lines
    np.testing.assert_array_equal(line.get_xdata(), grid)
    plain = PrototypeDisplay.from_estimator(GLVQ(max_epochs=1).fit(X, Y))
    np.testing.assert_array_equal(plain.ax_.lines[0].get_xdata(), np.arange(5))
    other = PrototypeDisplay.from_estimator(of_space, grid=grid + 1)
    np.testing.assert_array_equal(other.ax_.lines[0].get_xdata(), grid + 1)
