"""Pages and displays share colours, marks, order of classes and coordinates."""

import re
import subprocess
import sys

import numpy as np
import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

import matplotlib.colors  # noqa: E402
import matplotlib.pyplot  # noqa: E402

from noneuclid.datasets import Dataset  # noqa: E402
from noneuclid.displays import (  # noqa: E402  # noqa: E402
    ComponentFunctionsDisplay,
    EmbeddingDisplay,
    HitMapDisplay,
    RasterDisplay,
    SparsityDisplay,
    SpectrumDisplay,
    maps,
    scaling,
    style,
)
from noneuclid.displays.spikes import time_axis  # noqa: E402
from noneuclid.kernels import SpikeTrainKernel  # noqa: E402
from noneuclid.prototypes import (  # noqa: E402
    FuzzyLabelledSOM,
    KernelRSLVQ,
    ProximityLVQ,
    ProximitySOM,
    SelfOrganizingMap,
    SparsityFront,
)
from noneuclid.proximities import Relation  # noqa: E402
from noneuclid.report import figures  # noqa: E402
from noneuclid.report.matrices import Matrix  # noqa: E402
from noneuclid.report.parts.pictures import embedding_picture  # noqa: E402
from noneuclid.spikes import SpikeTrainPCA  # noqa: E402

X = np.random.default_rng(0).normal(size=(24, 4)) * [3.0, 2.0, 1.0, 0.5]
Y = np.array(["b", "a", "c"] * 8)
WORDS = {"title": "T", "reading": "R.", "how": "H."}


@pytest.fixture(autouse=True)
def close_figures():
    yield
    matplotlib.pyplot.close("all")


def hex_of(colour):
    return matplotlib.colors.to_hex(np.ravel(colour)[:3])


def test_nothing_shared_needs_matplotlib():
    code = (
        "import sys, noneuclid.report, noneuclid.displays.scaling, noneuclid.displays.style; "
        "sys.exit('matplotlib' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_colours_and_shapes_differ():
    assert len(set(style.COLOURS)) == len(set(style.SHAPES)) == len(set(style.MARKERS)) == 8
    pairs = {(style.colour(k), style.shape(k)) for k in range(64)}
    assert len(pairs) == 64
    assert style.marker(8) == style.MARKERS[1]


def test_classes_have_the_same_colours_on_pages_and_in_displays():
    page = figures.scatter(X[:, :2], list("x" * 24), Y, axes=("x", "y"), **WORDS)
    drawn = dict(
        zip(page.data["classes"], [re.search(r'fill="(#\w+)"', m)[1] for m, _ in page.legend])
    )
    display = EmbeddingDisplay(X[:, :2], Y).plot()
    for points in display.ax_.collections:
        assert hex_of(points.get_facecolor()) == drawn[points.get_label()]
    raster = RasterDisplay([np.array([0.1])] * 24, Y).plot()
    assert [hex_of(lines.get_color()) for lines in raster.ax_.collections] == [drawn[y] for y in Y]


def test_spectra_have_the_same_colours():
    values = np.array([3.0, 1.0, -2.0])
    page = figures.spectrum_figure(values, reading="R.", how="H.")
    display = SpectrumDisplay(values).plot()
    assert [hex_of(lines.get_color()) for lines in display.ax_.collections] == [
        style.POSITIVE,
        style.NEGATIVE,
    ]
    assert f'fill="{style.POSITIVE}"' in page.svg
    assert f'fill="{style.NEGATIVE}"' in page.svg


@pytest.mark.parametrize("proximity", ["similarity", "dissimilarity"])
def test_objects_lie_at_the_same_places(proximity):
    S = X * [1, 1, -1, 1] @ X.T
    d = np.diag(S)
    P = S if proximity == "similarity" else d[:, None] - 2 * S + d
    G = np.full((1, 24), 1 / 24)
    display = EmbeddingDisplay.from_matrix(P, Y, proximity=proximity, coefficients=G)
    data = Dataset(proximity, P, Y)
    found = scaling.scale_matrix(Matrix(P, proximity).S, G)
    page = embedding_picture(data, found, None)
    np.testing.assert_allclose(found.prototypes, display.prototypes, atol=1e-9)
    for k, axis in enumerate("xy"):
        own, drawn = display.points[:, k], np.array(page.data[axis])
        assert abs(np.corrcoef(own, drawn)[0, 1]) == pytest.approx(1.0, abs=1e-5)
    share = display.shares.sum()
    assert f"shows {100 * share:.1f}\xa0% of the spectrum" in page.reading


def test_sparse_versions_have_the_same_names():
    from noneuclid.prototypes.sparse.front import SparsityPoint

    points = [SparsityPoint(m, 1, 1.0, 0.5, None) for m in style.SPARSE_METHODS]
    display = SparsityDisplay.from_front(SparsityFront(points, {}))
    names = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert names[1:] == list(style.SPARSE_METHODS.values())


def test_the_time_axis_is_that_of_the_display():
    trains = [np.array([0.1, 0.4]), np.array([0.2]), np.array([0.3, 0.35])]
    pca = SpikeTrainPCA(1, kernel=SpikeTrainKernel(0.05)).fit(trains)
    display = ComponentFunctionsDisplay.from_estimator(pca)
    np.testing.assert_allclose(display.t, time_axis(trains, 0.05))
    assert display.t[0] == pytest.approx(0.1 - 0.15)


# --- numbers from models, by their public side only -----------------------------------------------


def test_relations_are_scaled_as_their_matrices():
    G = np.eye(24)[:2]
    relation = Relation("linear").fit(X)
    whole = scaling.scale_relation(relation, G)
    matrix = scaling.scale_matrix(X @ X.T, G)
    np.testing.assert_allclose(whole.points, matrix.points, atol=1e-8)
    few = scaling.scale_relation(Relation("linear", n_landmarks=12, random_state=0).fit(X), G)
    np.testing.assert_allclose(np.abs(few.points), np.abs(matrix.points), atol=1e-6)


def test_a_model_from_a_file_needs_its_proximities_again(tmp_path):
    import noneuclid

    S = X @ X.T
    model = ProximityLVQ(random_state=0).fit(S, Y)
    noneuclid.save(model, tmp_path / "m.skops")
    loaded = noneuclid.load(tmp_path / "m.skops")
    again = EmbeddingDisplay.from_estimator(loaded, S)
    np.testing.assert_allclose(again.points, EmbeddingDisplay.from_estimator(model).points)
    assert list(again.labels) == list(Y)


def test_spectra_of_models_are_those_after_the_correction():
    S = X * [1, 1, -1, 1] @ X.T
    model = ProximityLVQ(correction="clip", random_state=0).fit(S, Y)
    assert SpectrumDisplay.from_estimator(model).signature.negative == 0
    landmarks = KernelRSLVQ(kernel="linear", n_landmarks=8, random_state=0).fit(X, Y)
    with pytest.raises(ValueError, match=r"use SpectrumDisplay\.from_matrix"):
        SpectrumDisplay.from_estimator(landmarks)


def test_new_samples_on_maps():
    som = SelfOrganizingMap(shape=(2, 3), max_epochs=3, random_state=0).fit(X)
    np.testing.assert_array_equal(maps.winners(som, X), som.predict(X))
    np.testing.assert_array_equal(HitMapDisplay.from_estimator(som, X[:5]).hits.sum(), 5)
    fuzzy = FuzzyLabelledSOM(shape=(2, 3), max_epochs=3, random_state=0).fit(X, Y)
    np.testing.assert_array_equal(maps.winners(fuzzy, X), fuzzy.labels_)
    S = X @ X.T
    relational = ProximitySOM(shape=(2, 3), max_epochs=3, random_state=0).fit(S)
    np.testing.assert_array_equal(maps.winners(relational, S), relational.labels_)


def test_shares_of_classes_in_units():
    classes, shares = maps.class_shares(np.array([0, 0, 2]), ["b", "a", "b"], 3)
    assert classes == ["a", "b"]
    np.testing.assert_allclose(shares, [[0.5, 0.5], [0.0, 0.0], [0.0, 1.0]])
