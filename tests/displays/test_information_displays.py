import runpy
from pathlib import Path

import numpy as np
import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

from noneuclid.displays import PermutationDisplay  # noqa: E402
from noneuclid.information import two_sample_test  # noqa: E402


@pytest.fixture(autouse=True)
def close_figures():
    yield
    matplotlib.pyplot.close("all")


def test_a_result_draws_itself():
    X, Y = np.random.default_rng(0).normal(size=(2, 30, 1))
    result = two_sample_test(X, Y, n_permutations=99, random_state=0)
    display = result.plot()
    assert isinstance(display, PermutationDisplay)
    assert sum(bar.get_height() for bar in display.ax_.patches) == 99
    assert display.ax_.lines[0].get_xdata()[0] == result.statistic
    assert f"p = {result.pvalue:.3g}" in display.ax_.get_legend().get_texts()[1].get_text()
    ax = matplotlib.pyplot.subplots()[1]
    assert PermutationDisplay.from_result(result, ax=ax, bins=5).ax_ is ax


@pytest.mark.slow
def test_the_example_classifies_distributions(monkeypatch):
    script = Path(__file__).parents[2] / "examples" / "objects" / "plot_bags_of_samples.py"
    monkeypatch.setattr("matplotlib.pyplot.show", lambda: None)
    names = runpy.run_path(str(script))
    test, truth = names["test"], names["truth"]
    assert names["rule"].score(names["moments"](test), truth) < 0.6
    assert min(names[model].score(test, truth) for model in ("svc", "lvq")) > 0.95
