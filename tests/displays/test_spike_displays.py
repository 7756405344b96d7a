import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

from noneuclid.displays import (  # noqa: E402
    ComponentFunctionsDisplay,
    RasterDisplay,
    SpikeScoresDisplay,
)
from noneuclid.spikes import (  # noqa: E402
    MultiNeuronKernel,
    SpikeTrainKernel,
    SpikeTrainPCA,
    jittered_templates,
)


@pytest.fixture(autouse=True)
def close_figures():
    yield
    matplotlib.pyplot.close("all")


@pytest.fixture(scope="module")
def data():
    return jittered_templates(20, random_state=0)


@pytest.fixture(scope="module")
def pca(data):
    return SpikeTrainPCA(2, kernel=SpikeTrainKernel(0.002)).fit(data.trains)


def test_raster_shows_every_event(data):
    display = RasterDisplay.from_trains([*data.trains, []], [*data.labels, 2])
    marks = [len(lines.get_segments()) for lines in display.ax_.collections]
    assert marks == [len(x) for x in data.trains] + [0]
    assert len(display.ax_.get_legend().get_texts()) == 3
    assert display.ax_.get_ylim() == (20.5, -0.5)
    assert RasterDisplay.from_trains([]).ax_ is not None


def test_component_functions(pca):
    display = ComponentFunctionsDisplay.from_estimator(pca)
    assert len(display.axes_) == 2
    for k, ax in enumerate(display.axes_):
        t, xi = ax.lines[-1].get_data()
        np.testing.assert_allclose(xi, pca.component_functions(t)[k])
        assert f"{pca.explained_variance_ratio_[k]:.1%}" in ax.get_title()
    with pytest.raises(ValueError, match="2 components but 1 axes"):
        ComponentFunctionsDisplay.from_estimator(pca, axs=display.axes_[:1])


def test_component_functions_of_several_neurons(data):
    trials = [[train, train + 0.01] for train in data.trains]
    kernel = MultiNeuronKernel(SpikeTrainKernel(0.002))
    fitted = SpikeTrainPCA(2, kernel=kernel).fit(trials)
    display = ComponentFunctionsDisplay.from_estimator(fitted)
    functions = fitted.component_functions(display.t)
    for ax, both in zip(display.axes_, functions):
        drawn = [line.get_ydata() for line in ax.lines[-2:]]
        np.testing.assert_array_equal(drawn, both)


def test_scores(pca, data):
    display = SpikeScoresDisplay.from_estimator(pca, data.trains, data.labels)
    shown = np.vstack([points.get_offsets() for points in display.ax_.collections])
    np.testing.assert_allclose(shown, pca.transform(data.trains))
    assert SpikeScoresDisplay.from_estimator(pca, data.trains).ax_.get_legend() is None
    with pytest.raises(ValueError, match="20 trains but labels of shape"):
        SpikeScoresDisplay.from_estimator(pca, data.trains, [0])
    with pytest.raises(ValueError, match="two components"):
        SpikeScoresDisplay(np.ones((3, 1))).plot()


def test_given_axes_are_used(data):
    ax = matplotlib.pyplot.subplots()[1]
    assert RasterDisplay.from_trains(data.trains, ax=ax).ax_ is ax


def test_matplotlib_is_imported_only_to_draw():
    code = (
        "import sys, noneuclid.displays as d; d.RasterDisplay([[1.0]]);"
        "assert 'matplotlib' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_first_score_of_the_example_tells_the_templates_apart(monkeypatch):
    script = Path(__file__).parents[2] / "examples" / "objects" / "plot_spike_trains.py"
    monkeypatch.setattr("matplotlib.pyplot.show", lambda: None)
    names = runpy.run_path(str(script))
    training, test, pca = names["training"], names["test"], names["pca"]
    score, new = (pca.transform(data.trains)[:, 0] for data in (training, test))
    means = np.array([score[training.labels == k].mean() for k in (0, 1)])
    assert np.all(np.abs(new[:, None] - means).argmin(axis=1) == test.labels)
    assert len(names["figure"].axes) == 3
