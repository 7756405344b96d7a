import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_iris

import benchmark_data

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
import matplotlib.pyplot  # noqa: E402

from noneuclid.displays import (  # noqa: E402
    ClassMapDisplay,
    ComponentPlanesDisplay,
    HitMapDisplay,
    UMatrixDisplay,
)
from noneuclid.displays.maps import cells  # noqa: E402
from noneuclid.prototypes import (  # noqa: E402
    FuzzyLabelledSOM,
    Grid,
    NeuralGas,
    ProximitySOM,
    SelfOrganizingMap,
)

X, Y = load_iris(return_X_y=True)


@pytest.fixture(autouse=True)
def close_figures():
    yield
    matplotlib.pyplot.close("all")


@pytest.fixture(scope="module", params=["grid", "hex"])
def som(request):
    return SelfOrganizingMap(shape=(4, 5), topology=request.param, max_epochs=10).fit(X)


def area(corners):
    x, y = corners[..., 0], corners[..., 1]
    return 0.5 * np.abs((x * np.roll(y, 1, axis=-1) - y * np.roll(x, 1, axis=-1)).sum(axis=-1))


def test_cells_are_squares_and_real_hexagons_that_touch():
    hexagons = cells(Grid((4, 5), "hex"))
    assert hexagons.shape == (20, 6, 2)
    sides = np.linalg.norm(hexagons - np.roll(hexagons, 1, axis=1), axis=2)
    np.testing.assert_allclose(sides, 1 / np.sqrt(3))
    np.testing.assert_allclose(area(hexagons), np.sqrt(3) / 2)
    shared = {tuple(p) for p in hexagons[0].round(6)} & {tuple(p) for p in hexagons[1].round(6)}
    assert len(shared) == 2  # neighbours share an edge
    squares = cells(Grid((2, 2), "grid"), 0.5)
    np.testing.assert_allclose(area(squares), 0.25)


def polygons(ax, which=0):
    return np.array([path.vertices[:-1] for path in ax.collections[which].get_paths()])


def test_u_matrix(som):
    display = UMatrixDisplay.from_estimator(som)
    np.testing.assert_allclose(polygons(display.ax_), cells(som.grid_))
    W = som.prototypes_
    near = np.flatnonzero(som.grid_.neighbours[7])
    expected = np.linalg.norm(W[near] - W[7], axis=1).mean()
    assert display.ax_.collections[0].get_array()[7] == pytest.approx(expected)
    assert "mean distance" in display.figure_.axes[1].get_ylabel()


def test_u_matrix_of_proximities_is_that_of_the_vectors():
    D = ((X[:, None] - X) ** 2).sum(axis=2)
    params = {"shape": (3, 4), "topology": "hex", "max_epochs": 8}
    heights = UMatrixDisplay.of(SelfOrganizingMap(**params).fit(X)).heights
    for model in (
        ProximitySOM(proximity="dissimilarity", **params).fit(D),
        ProximitySOM(metric="linear", **params).fit(X),
        ProximitySOM(metric="linear", n_landmarks=20, **params).fit(X),
    ):
        np.testing.assert_allclose(UMatrixDisplay.of(model).heights, heights, atol=1e-5)


def test_component_planes(som):
    display = ComponentPlanesDisplay.from_estimator(som, names=list("abcd"), features=[2, 0])
    assert [ax.get_title() for ax in display.axes_] == ["c", "a"]
    shown = display.axes_[0].collections[0].get_array()
    np.testing.assert_array_equal(shown, som.prototypes_[:, 2])
    of_chosen = ComponentPlanesDisplay.from_estimator(som, names=["c", "a"], features=[2, 0])
    assert of_chosen.names == display.names
    with pytest.raises(ValueError, match="names has 3 entries: give one for each of the 4 feat"):
        ComponentPlanesDisplay.from_estimator(som, names=list("abc"), features=[2, 0])
    assert len(ComponentPlanesDisplay.from_estimator(som).axes_) == 4
    with pytest.raises(ValueError, match="4 features but 2 axes"):
        ComponentPlanesDisplay.from_estimator(som, axs=display.axes_)
    D = ((X[:, None] - X) ** 2).sum(axis=2)
    relational = ProximitySOM(shape=(2, 2), proximity="dissimilarity").fit(D)
    with pytest.raises(TypeError, match="ProximitySOM has no features"):
        ComponentPlanesDisplay.from_estimator(relational)


def test_areas_are_proportional_to_hits(som):
    display = HitMapDisplay.from_estimator(som, counts=True)
    hits = np.bincount(som.labels_, minlength=20)
    np.testing.assert_array_equal(display.hits, hits)
    areas = area(polygons(display.ax_, 1))
    np.testing.assert_allclose(areas / areas.max(), hits / hits.max(), atol=1e-9)
    assert sorted(t.get_text() for t in display.ax_.texts) == sorted(str(k) for k in hits if k)
    some = HitMapDisplay.from_estimator(som, X[:7])
    assert some.hits.sum() == 7


def test_class_maps(som):
    names = np.array(["setosa", "versicolor", "virginica"])[Y]
    display = ClassMapDisplay.from_estimator(som, names)
    winners = som.labels_
    unit = winners[0]
    expected = [(names[winners == unit] == c).mean() for c in display.classes]
    np.testing.assert_allclose(display.shares[unit], expected)
    assert [t.get_text() for t in display.ax_.get_legend().get_texts()] == list(display.classes)
    colours = display.ax_.collections[0].get_facecolor()
    assert len(colours) == 20
    fuzzy = FuzzyLabelledSOM(shape=(3, 3), max_epochs=5).fit(X, Y)
    assert ClassMapDisplay.from_estimator(fuzzy).shares is fuzzy.label_distributions_
    many = ClassMapDisplay.from_estimator(som, np.arange(150) % 9)
    assert len(many.ax_.get_legend().get_texts()) == 9
    with pytest.raises(ValueError, match="give the labels"):
        ClassMapDisplay.from_estimator(som)
    with pytest.raises(ValueError, match="150 samples but labels of shape"):
        ClassMapDisplay.from_estimator(som, [0, 1])


def test_only_maps_are_drawn():
    with pytest.raises(TypeError, match="NeuralGas is not a map"):
        UMatrixDisplay.from_estimator(NeuralGas(n_prototypes=2, max_epochs=2).fit(X))


def test_given_axes_are_used(som):
    ax = matplotlib.pyplot.subplots()[1]
    assert UMatrixDisplay.from_estimator(som, ax=ax, colorbar=False).ax_ is ax
    assert len(ax.figure.axes) == 1
    low, high = ax.get_ylim()
    assert low > high  # the first row is on top


def test_the_example_needs_its_data():
    script = Path(__file__).parents[2] / "examples" / "tecator_som.py"
    done = subprocess.run(
        [sys.executable, str(script), "nowhere"], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 1
    assert "tecator.npz is not there" in done.stderr


@pytest.mark.slow
def test_the_map_of_spectra_is_ordered_by_fat(tmp_path):
    root = Path(__file__).parents[2]
    folder = benchmark_data.path_of("tecator").parent
    command = [sys.executable, "-W", "error", str(root / "examples" / "tecator_som.py")]
    figure = tmp_path / "map.png"
    done = subprocess.run([*command, folder, figure], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    shares = [float(line[28:].split("%")[0]) for line in done.stdout.splitlines()[:2]]
    assert shares[1] > 90
    assert shares[1] > shares[0] + 25
    assert figure.stat().st_size > 10_000


def test_names_beside_features_are_those_of_the_planes_drawn():
    som = SelfOrganizingMap(shape=(2, 3), random_state=0).fit(X[:, :3])
    names = ["third", "second", "first"]
    display = ComponentPlanesDisplay.from_estimator(som, features=[2, 1, 0], names=names)
    assert [ax.get_title() for ax in display.axes_] == names
    np.testing.assert_array_equal(display.values[:, 0], som.prototypes_[:, 2])
    usual = ComponentPlanesDisplay.from_estimator(som, features=[2, 1, 0])
    assert usual.names == ["feature 2", "feature 1", "feature 0"]
