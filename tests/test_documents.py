"""Documents cannot rot: their code runs, and what they quote is what is there."""

import doctest
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from noneuclid.testing import all_spaces, check_space

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "examples" / "your_own_space.py"
DOCUMENTS = [
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "docs/adding_a_space.md",
    "docs/data_files.md",
]


def run_script(path):
    command = [sys.executable, "-W", "error", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_readme_runs():
    options = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False, optionflags=options)
    assert result.attempted > 10
    assert result.failed == 0


def test_readme_shows_every_space():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for cls in all_spaces():
        assert f"| `{cls.__name__}(" in readme, f"README.md does not show {cls.__name__}"


def test_contributing_quotes_the_example_word_for_word():
    blocks = re.findall(
        r"```python\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.S
    )
    assert blocks[0] == EXAMPLE.read_text(encoding="utf-8")


def test_adding_a_space_includes_the_example():
    page = ROOT / "docs" / "adding_a_space.md"
    included = re.findall(r"\{literalinclude\} (\S+)", page.read_text(encoding="utf-8"))
    assert [(page.parent / path).resolve() for path in included] == [EXAMPLE.resolve()]


def test_the_example_takes_15_lines_and_keeps_its_promises():
    source = EXAMPLE.read_text(encoding="utf-8")
    body = source[source.index("class ") : source.index("\n\n\nif __name__")]
    assert len(body.splitlines()) <= 15
    assert "keeps its promises" in run_script(EXAMPLE)


def test_the_example_as_a_module(monkeypatch):
    names = runpy.run_path(str(EXAMPLE), run_name="your_own_space")
    module = type(sys)("your_own_space")
    module.__dict__.update(names)
    monkeypatch.setitem(sys.modules, "your_own_space", module)  # pickle looks it up there
    check_space(names["GroupNorm"](size=3))


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_lead_somewhere(name):
    page = ROOT / name
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), f"{name} links to {target}"
