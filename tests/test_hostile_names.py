"""Names from files reach terminals, pages and figures letter by letter, wherever they appear."""

import ast
import csv
import html
import io
import re
import unicodedata
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

pytest.importorskip("typer")

from typer.testing import CliRunner

from noneuclid import _terminal
from noneuclid._text import sentence, visible
from noneuclid.cli import app
from noneuclid.datasets import DataError, Dataset, make_contaminated, read_dataset
from noneuclid.displays import ClassMapDisplay, EmbeddingDisplay, PrototypeDisplay, RasterDisplay
from noneuclid.displays.style import written
from noneuclid.report import render

NAMES = (
    "\x1b[31mred\x1b]0;title\x07",
    "\x9b31m\x85",
    "</script><img src=x onerror=alert(1)>",
    "\" onload='alert(2)' x=\"&amp;",
    "{{ 7 * 7 }}{% for %}",
    "abc\u202etxt.exe\u2066",
    "a\u200bb\ufeff\u200f",
    "line\nbreak\r\u2028end\u2029",
    "[bold red]x[/bold red] :smile: [/]",
    "$\\frac{1}{0}$ $",
    "'); raise SystemExit #",
    "_hidden",
    "=1+1\\",
    "\udcff\x00end",
)
N = 28
RNG = np.random.default_rng(0)
OBJECTS = [f"{NAMES[i % len(NAMES)]}{i}" for i in range(N)]
LABELS = [NAMES[0], NAMES[2]] * (N // 2)
POINTS = RNG.normal(size=(N, len(NAMES))) + 2 * (np.arange(N) % 2)[:, None]
FILE = "d\x1b[31m<b>\u202e[bold]{{x}}'.npz"


def has_shape(text):
    """Whether everything in a text is a line end or can be seen."""
    return all(c == "\n" or c.isprintable() or unicodedata.category(c) == "Zs" for c in text)


def words(values):
    return np.array([value.rstrip("\0") for value in values])


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with files of every kind that are called, and call things, as badly as can be."""
    monkeypatch.chdir(tmp_path)
    try:
        named = {"names": words(OBJECTS), "y": words(LABELS)}
        np.savez(FILE, X=POINTS, feature_names=words(NAMES), **named)
    except OSError:
        pytest.skip("the file system takes no such names")
    D = np.linalg.norm(POINTS[:, None] - POINTS[None], axis=2)
    np.savez(f"matrix{FILE}", D=D, **named)
    times = [np.sort(RNG.uniform(size=8)) for _ in range(N)]
    offsets = np.arange(0, 8 * N + 1, 8)
    np.savez(f"trains{FILE}", times=np.concatenate(times), offsets=offsets, **named)
    return tmp_path


def run(*arguments):
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert has_shape(result.stdout), result.stdout
    assert has_shape(result.stderr), result.stderr
    assert result.exit_code in (0, 2), result.stderr
    return result


class Page(HTMLParser):
    """All elements with their attributes, and the texts outside of scripts and styles."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.texts = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.texts.append(data)


KNOWN = set(
    re.findall(
        r"\w+",
        "html head meta title link style body header footer main article section nav ul li a p h1 "
        "h2 h3 div details summary dl dt dd figure figcaption table thead tbody tr th td span "
        "button script svg g path polyline circle rect polygon text desc strong pre code",
    )
)


def check_page(text):
    assert has_shape(text)
    page = Page(text)
    tags = {tag for tag, _ in page.elements}
    assert tags <= KNOWN, tags - KNOWN
    for tag, attributes in page.elements:
        assert not [name for name in attributes if name.startswith("on")], (tag, attributes)
        assert tag == "link" or "src" not in attributes
    assert "49" not in re.findall(r"7 \* 7|49(?= *\{%)", text)
    return page


ANALYSES = {
    "rows with classes": [FILE],
    "rows without": [FILE, "--no-labels"],
    "matrix": [f"matrix{FILE}"],
    "trains": [f"trains{FILE}"],
}


@pytest.mark.parametrize("what", ANALYSES)
def test_analyze(what, folder):
    arguments = ANALYSES[what]
    result = run("analyze", *arguments, "--quick", "--splits", 2, "-o", "page.html")
    assert result.exit_code == 0, result.stderr
    assert visible(FILE) in result.stdout
    text = (folder / "page.html").read_text(encoding="utf-8")
    check_page(text)
    plain = html.unescape(text)
    assert (
        f"<title>{html.escape(visible(arguments[0]), quote=True)}".replace("&#x27;", "&#39;")
        in text
    )
    for name in OBJECTS[: len(NAMES)]:  # all objects are in a figure
        shown = visible(name.rstrip("\0"))
        inside = shown.replace("\\", "\\\\").replace('"', '\\"')
        for c in "<>&":
            inside = inside.replace(c, f"\\u{ord(c):04x}")
        assert inside in text or shown in plain, name
    code = plain[plain.index("<code>") + 6 : plain.index("</code>")]
    calls = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call)]
    read = next(call for call in calls if getattr(call.func, "id", "") == "read_dataset")
    assert ast.literal_eval(read.args[0]) == arguments[0]
    assert "SystemExit" not in {node.func.id for node in calls if hasattr(node.func, "id")}


def test_fit_and_predict(folder):
    run("fit", FILE, "--quick", "--model", "GLVQ", "-o", "m.skops")
    result = run("predict", "m.skops", FILE, "-o", "out.csv")
    assert result.exit_code == 0, result.stderr
    assert f"agree with the classes in {visible(FILE)}" in result.stderr
    with open("out.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    names = [name.replace("\udcff", "\\udcff") for name in words(OBJECTS).tolist()]
    assert [row[0] for row in rows[1:]] == names  # data stay as they are, where that is possible


def test_predictions_on_a_screen_hide_nothing(monkeypatch):
    lines = f"object,class\n{NAMES[0]},a\n"
    for is_screen, expected in ((True, visible(lines, keep="\n")), (False, lines)):
        stream = io.StringIO()
        stream.isatty = lambda is_screen=is_screen: is_screen
        monkeypatch.setattr(_terminal.sys, "stdout", stream)
        _terminal.show_data(lines)
        assert stream.getvalue() == expected


def test_check_and_compare(folder):
    for arguments in (["check", FILE], ["compare", FILE, FILE, "--permutations", "99"]):
        result = run(*arguments)
        assert result.exit_code == 0, result.stderr
        assert visible(FILE) in result.stdout


ERRORS = {
    "no file": ["analyze", f"no{FILE}"],
    "no column": ["analyze", FILE, "--labels", NAMES[0]],
    "no model": ["fit", FILE, "--model", NAMES[5]],
    "no metric": ["analyze", "words.txt", "--metric", NAMES[0]],
    "no folder": ["analyze", FILE, "-o", f"{NAMES[0].replace('/', '')}/page.html"],
    "not this kind": ["check", f"trains{FILE}", "--kind", "curves"],
    "no model file": ["predict", FILE, FILE],
    "unlike samples": ["compare", FILE, f"trains{FILE}"],
    "one argument too many": ["analyze", FILE, f"matrix{FILE}"],
    "no such option": ["analyze", FILE, f"--{NAMES[0]}"],
    "no such command": [NAMES[0]],
    "no such kind": ["analyze", FILE, "--kind", NAMES[5]],
    "no number": ["analyze", FILE, "--seed", NAMES[0]],
}


@pytest.mark.parametrize("what", ERRORS)
def test_errors(what, folder):
    (folder / "words.txt").write_text("CAT\nCART\nDOG\n" * 5)
    result = run(*ERRORS[what])
    assert result.exit_code == 2
    if what != "no number":  # whose message does not repeat it
        assert "\\x1b" in result.stderr or "\\u202e" in result.stderr
    assert "Traceback" not in result.output


def test_errors_of_the_system(capsys):
    for error in (OSError(2, "No such file", FILE), RuntimeError(NAMES[0]), DataError(NAMES[7])):
        with pytest.raises(_terminal.typer.Exit):
            _terminal.guarded(lambda error=error: (_ for _ in ()).throw(error))()
        said = capsys.readouterr().err
        assert has_shape(said)
        assert said.count("\n") == 1


def test_tables_and_bars(capsys):
    _terminal.show([(name, name) for name in NAMES], ("name", "value"))
    _terminal.say(NAMES[8])
    said = capsys.readouterr().out
    assert has_shape(said)
    assert "[bold red]x[/bold red] :smile: [/]" in said
    bar = _terminal.TextColumn("{task.description:<26}", markup=False)

    class Task:
        description = visible(NAMES[8])

    assert bar.render(Task()).plain.startswith(NAMES[8])


# --- everywhere else ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_one_name_in_every_message(name, tmp_path):
    """Cells, columns and labels in the errors of reading: one line in which nothing is hidden."""
    header = np.array([name, "v", "w"])
    bad = POINTS[:, :3].copy()
    bad[3, 0] = np.nan
    for arrays in (
        {"X": bad, "feature_names": header},
        {name or "x": np.zeros(3)},
        {"X": POINTS, "y": np.array([name] * N)},
        {"X": POINTS, "y": np.array([*[""] * 3, *LABELS[3:]]), "names": np.array([name] * N)},
    ):
        path = tmp_path / "d.npz"
        np.savez(
            path,
            **{
                k.replace("/", "|").replace("\0", "").encode("utf-8", "replace").decode(): v
                for k, v in arrays.items()
            },
        )
        with pytest.raises(DataError) as refused:
            read_dataset(path)
        assert has_shape(str(refused.value))
        assert "\n" not in str(refused.value)


def test_what_was_understood_and_long_sentences():
    data = Dataset("vectors", POINTS, np.array(LABELS), source=FILE, notes=NAMES)
    assert has_shape(data.understood)
    assert "\n" not in data.understood
    long = sentence("x.csv holds " + "y" * 10_000 + ": remove it")
    assert len(long) < 700
    assert long.startswith("x.csv holds y")
    assert long.endswith("y: remove it")


@pytest.mark.filterwarnings("ignore:Glyph")
def test_figures_show_names_letter_by_letter():
    plt = pytest.importorskip("matplotlib.pyplot")
    from noneuclid.prototypes import SelfOrganizingMap

    labels, names = np.array(LABELS), [NAMES[9]] * N
    labels[:4] = "_hidden"
    som = SelfOrganizingMap(shape=(2, 2), random_state=0).fit(POINTS)
    shown = [
        ClassMapDisplay.from_estimator(som, labels),
        RasterDisplay.from_trains([[0.1, 0.2]] * N, labels),
        EmbeddingDisplay(POINTS[:, :2], labels, exemplars=[0, 1]).plot(names=names),
        PrototypeDisplay(POINTS[:3], labels[[0, 5, 6]], grid=np.arange(len(NAMES))).plot(),
    ]
    for display in shown:
        display.figure_.canvas.draw()  # a formula that is none would raise here
        texts = [text.get_text() for text in display.ax_.get_legend().get_texts()]
        assert all(map(has_shape, texts))
        for label in np.unique(labels).tolist():
            assert any(text.endswith(written(label)) for text in texts), (texts, label)
        plt.close(display.figure_)


def test_a_page_with_every_name_everywhere():
    from noneuclid.report import Analysis, Fact, Facts, Section, Settings, Table, analyze
    from noneuclid.report.figures import scatter

    blocks = []
    for name in NAMES:
        drawn = {"title": name, "axes": (name, name), "reading": name, "how": name}
        blocks += [
            scatter(
                POINTS[:4, :2], [name] * 4, np.array([name, "b"] * 2), extra=[name] * 4, **drawn
            ),
            Table(name, [name], [[name]], name, name),
            Facts([Fact(name, name, name)]),
        ]
    many = list(NAMES)
    text = render(
        Analysis("\n".join(many), "x", many, [Section("s", blocks, "x")], "1", notes=many)
    )
    text.encode("utf-8")
    page = check_page(text)
    assert sum(tag == "script" for tag, _ in page.elements) == len(NAMES) + 1
    data = replace(make_contaminated(40), labels=None, names=[f"{NAMES[5]}{i}" for i in range(40)])
    check_page(render(analyze(data, Settings(folds=2, repeats=1, quick=True))))
