"""Documents cannot rot: their code runs, and what they quote is what is there."""

import ast
import doctest
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from noneuclid import testing
from noneuclid.kernels.of_distance import RadialKernel
from noneuclid.testing import all_kernels, all_readers, all_spaces, check_space

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "examples" / "your_own_space.py"
READER = ROOT / "examples" / "your_own_reader.py"
EXTENDING = ROOT / "docs" / "extending.md"
MADE = ("docs/api/", "docs/gallery/")  # written by `make docs`
PAGES = [page.relative_to(ROOT).as_posix() for page in sorted((ROOT / "docs").rglob("*.md"))]
PAGES = [name for name in PAGES if not name.startswith(MADE)]
DOCUMENTS = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", *PAGES]
WITH_DOCTESTS = [name for name in DOCUMENTS if ">>> " in (ROOT / name).read_text("utf-8")]


def run_script(path):
    command = [sys.executable, "-W", "error", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", WITH_DOCTESTS)
def test_every_line_of_the_pages_runs(name):
    options = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    result = doctest.testfile(str(ROOT / name), module_relative=False, optionflags=options)
    assert result.attempted > 0
    assert result.failed == 0


def test_blocks_of_python_are_run():
    """Doctests run here; blocks without a prompt are quoted from examples, or have tests."""
    elsewhere = ("docs/adding_", "docs/numbers_as_targets.md", "CONTRIBUTING.md")
    elsewhere += ("docs/literature/data.md",)  # reads files that readers bring
    for name in DOCUMENTS:
        if not name.startswith(elsewhere):
            blocks = re.findall(r"```python\n(.*?)```", (ROOT / name).read_text("utf-8"), re.S)
            assert all(block.startswith(">>> ") for block in blocks), name


def test_the_page_about_widths_has_every_radial_kernel():
    text = (ROOT / "docs" / "widths.md").read_text(encoding="utf-8")
    for kernel in all_kernels():
        if issubclass(kernel, RadialKernel):
            assert f"| `{kernel.__name__}(" in text, f"the page has no row of {kernel.__name__}"


def test_the_guide_shows_every_space():
    page = (ROOT / "docs" / "guide" / "spaces.md").read_text(encoding="utf-8")
    for cls in all_spaces():
        assert f"| `{cls.__name__}(" in page, f"the guide does not show {cls.__name__}"


def test_readme_is_a_landing_page():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(readme.splitlines()) <= 120
    assert "    make demo " in readme
    assert "    make test " in readme


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


def test_adding_a_file_reader_includes_the_example():
    page = ROOT / "docs" / "adding_a_file_reader.md"
    assert example_of(page) == READER.read_text(encoding="utf-8")
    assert "4 objects with a dissimilarity matrix" in run_script(READER)


# --- extending ------------------------------------------------------------------------------------


def example_of(page):
    """The file a page includes first, or else its first block of Python."""
    text = page.read_text(encoding="utf-8")
    included = re.search(r"\{literalinclude\} (\S+\.py)", text)
    if included:
        return (page.parent / included[1]).read_text(encoding="utf-8")
    return re.search(r"```python\n(.*?)```", text, re.S)[1]


def written_lines(source):
    """Lines of what a person has to write: no imports, no docstring, no sample data, no demo."""
    kinds = (ast.ClassDef, ast.FunctionDef, ast.Expr, ast.Assign)
    nodes = [node for node in ast.parse(source).body if isinstance(node, kinds)]
    nodes = [node for node in nodes if not isinstance(getattr(node, "value", None), ast.Constant)]
    starts = [
        min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
        for node in nodes
    ]
    return sum(node.end_lineno - start + 1 for node, start in zip(nodes, starts))


def rows_of_extending():
    """Page, claimed lines and check of every row of the table."""
    rows = [line.split("|")[1:-1] for line in EXTENDING.read_text("utf-8").splitlines()]
    rows = [[cell.strip() for cell in row] for row in rows if row and "](" in row[0]]
    return [(re.search(r"\((\S+)\)", row[0])[1], row[3], row[4]) for row in rows]


PARTS = ["space", "kernel", "metric", "cost", "objective", "file_reader", "report_part"]
ALL_THERE = all((EXTENDING.parent / page).exists() for page, _, _ in rows_of_extending())


def test_extending_lists_all_seven_parts():
    pages = [page for page, _, _ in rows_of_extending()]
    assert [re.sub(r"adding_an?_|\.md", "", page) for page in pages] == PARTS


@pytest.mark.parametrize(("page", "claimed", "check"), rows_of_extending())
def test_extending_counts_the_lines_of_the_examples(page, claimed, check):
    """A ? is allowed as long as some page is missing; then every number must be right."""
    if not (EXTENDING.parent / page).exists():
        pytest.skip(f"{page} is not there yet")
    lines = written_lines(example_of(EXTENDING.parent / page))
    assert claimed == str(lines) or (claimed == "?" and not ALL_THERE), f"{page}: {lines} lines"


@pytest.mark.parametrize("check", sorted({check for _, _, check in rows_of_extending()}))
def test_extending_names_checks_that_are_there(check):
    name = re.match(r"`(\w+)\(", check)
    assert name is None or callable(getattr(testing, name[1]))


def test_what_counts_as_written():
    source = (
        '"""Doc."""\nimport numpy as np\n\n@decorator\nclass Part:\n    x = 1\n\n'
        "    def f(self):\n        return 2\n\n\ndef g(a):\n    return a\n\n"
        'register("g", g)\nFILE = "sample"\npart = Part()\n'
        'if __name__ == "__main__":\n    print(g(1))\n'
    )
    assert written_lines(source) == 6 + 2 + 1 + 1


def test_every_ending_is_documented():
    page = (ROOT / "docs" / "data_files.md").read_text(encoding="utf-8")
    for reader in all_readers():
        # Not those that examples register, if they ran before.
        home, name = type(reader).__module__, type(reader).__name__
        is_ours = home.startswith("noneuclid.") and hasattr(sys.modules[home], name)
        if is_ours and not reader.is_fallback:
            assert all(f"`{suffix}`" in page for suffix in reader.suffixes), reader.suffixes


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_lead_somewhere(name):
    page = ROOT / name
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
        later = name == "docs/extending.md" and not ALL_THERE and target.startswith("adding_")
        if not target.startswith("http") and not later:
            assert (page.parent / target).exists(), f"{name} links to {target}"


@pytest.mark.slow
def test_the_tables_of_learners_and_geometries_are_those_of_today():
    script = ROOT / "docs" / "make_tables.py"
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
