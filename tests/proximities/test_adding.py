"""The pages about a new metric and a new kernel: their code runs, their numbers are right."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = {"metric": 3, "kernel": 5}


def lines_of_code(source, first):
    """Lines from the first definition to the script, without blank ones and docstrings."""
    body = source[source.index(first) : source.index("if __name__")]
    body = re.sub(r'^ *""".*"""\n', "", body, flags=re.MULTILINE)
    return len([line for line in body.splitlines() if line.strip()])


@pytest.mark.parametrize("name", PAGES)
def test_the_page_includes_the_example_and_counts_its_lines(name):
    page = ROOT / "docs" / f"adding_a_{name}.md"
    text = page.read_text(encoding="utf-8")
    example = ROOT / "examples" / f"your_own_{name}.py"
    included = re.findall(r"\{literalinclude\} (\S+)", text)
    assert [(page.parent / path).resolve() for path in included] == [example.resolve()]
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"
    source = example.read_text(encoding="utf-8")
    count = lines_of_code(source, "class " if name == "kernel" else "def ")
    assert f"{count} lines" in text
    assert count <= PAGES[name]


@pytest.mark.parametrize(
    ("name", "said"), [("metric", "belong to lines [0 1]"), ("kernel", "keeps its promises")]
)
def test_the_example_runs(name, said):
    command = [sys.executable, "-W", "error", str(ROOT / "examples" / f"your_own_{name}.py")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert said in done.stdout


def test_names_on_the_page_exist():
    text = (ROOT / "docs" / "adding_a_metric.md").read_text(encoding="utf-8")
    code = re.findall(r"```python\n(.*?)```", text, re.S)
    for block in code:
        exec(compile(block, "adding_a_metric.md", "exec"), {})
