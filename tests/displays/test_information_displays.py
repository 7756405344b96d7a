import subprocess
import sys
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
def test_the_example_classifies_distributions(tmp_path):
    script = Path(__file__).parents[2] / "examples" / "bags_of_samples.py"
    command = [sys.executable, "-W", "error", str(script), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    averages, svc, lvq = (float(line[-4:]) for line in done.stdout.splitlines()[:3])
    assert averages < 0.6
    assert min(svc, lvq) > 0.95
    assert len(list(tmp_path.glob("*.png"))) == 2
