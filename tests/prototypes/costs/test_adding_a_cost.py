"""The page on adding a cost: its code runs, and a cost is as short as it says."""

import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

from noneuclid.prototypes import CrossEntropyCost
from noneuclid.testing import all_costs

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "adding_a_cost.md"
EXAMPLE = ROOT / "examples" / "your_own_cost.py"


def test_the_page_includes_the_example():
    included = re.findall(r"\{literalinclude\} (\S+)", PAGE.read_text(encoding="utf-8"))
    assert [(PAGE.parent / path).resolve() for path in included] == [EXAMPLE.resolve()]


def test_the_example_is_minimised_by_four_learners():
    command = [sys.executable, "-W", "error", str(EXAMPLE)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    scores = [float(line.split(": ")[1]) for line in done.stdout.splitlines()]
    assert len(scores) == 4
    assert min(scores) > 0.9


def test_a_cost_of_the_package_is_at_most_40_lines_and_nothing_names_it_elsewhere():
    assert len(inspect.getsource(CrossEntropyCost).splitlines()) <= 40
    assert CrossEntropyCost in all_costs()
    home = ROOT / "src" / "noneuclid"
    naming = {
        path.relative_to(home).as_posix()
        for path in home.rglob("*.py")
        if "CrossEntropyCost" in path.read_text(encoding="utf-8")
    }
    doors = {"prototypes/__init__.py", "prototypes/costs/__init__.py"}  # so that users find it
    assert naming == {"prototypes/costs/cross_entropy.py"} | doors


@pytest.mark.parametrize("needed", ["per_sample", "is_heuristic", "is_soft", "resolve", "code"])
def test_the_page_explains_what_a_cost_may_say(needed):
    assert f"`{needed}" in PAGE.read_text(encoding="utf-8")
