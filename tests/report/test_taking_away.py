"""What people take away: figures for papers, tables of numbers, a folder of everything."""

import csv
import io
import json
import os
import re
import runpy
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from small_analyses import DATA, QUICK, analysed

from noneuclid import load
from noneuclid.datasets import DataError, as_dataset
from noneuclid.displays.fonts import families_with
from noneuclid.displays.style import written
from noneuclid.report import Analysis, Figure, Section, Table, analyze
from noneuclid.report import export as export_module
from noneuclid.report._numbers import difference, number, percent, plus_minus, read_cell
from noneuclid.report.export import MARKER, check_export, files_of
from noneuclid.report.figures import Series, lines
from noneuclid.report.program import program


@pytest.fixture(scope="module")
def numbers():
    """Curves with a number to predict, from memory."""
    data = DATA["curves"]()
    y = data.X[:, 3] + data.X[:, 20] + 0.1 * np.random.default_rng(0).normal(size=len(data))
    names = {"title": "Meat", "x_label": "wavelength (nm)", "y_label": "absorbance"}
    return analyze(replace(data, labels=None), y, settings=QUICK, **names)


@pytest.fixture(scope="module")
def groups():
    return analyze(replace(DATA["sequences"](), labels=None), settings=QUICK)


def section_of(found, kind):
    return [block for s in found.sections for block in s.blocks if block.type == kind]


# --- numbers --------------------------------------------------------------------------------------


def test_cells_remember_their_numbers():
    assert read_cell(number(1 / 3)) == (1 / 3, None)
    assert read_cell(percent(0.12345)) == (0.12345, None)
    assert read_cell(plus_minus(0.91234, 0.0312)) == (0.91234, 0.0312)
    assert read_cell(difference(-1.25, 0.5)) == (-1.25, 0.5)
    assert read_cell("1,234.5") == (1234.5, None)
    assert read_cell("12.5\xa0±\xa02.5\xa0%") == pytest.approx((0.125, 0.025))
    assert np.isnan(read_cell("–")[0])
    assert read_cell("(3, 2, 0)") is None


def test_tables_hold_numbers(found):
    """Every column that the page aligns as numbers is one of numbers, except for triples."""
    for name, block in zip(found.tables, section_of(found, "table")):
        frame = found.table(name)
        assert len(frame) == len(block.rows)
        for j in block.numeric:
            column = frame[block.columns[j]]
            if not str(block.rows[0][j]).startswith("("):
                assert pd.api.types.is_numeric_dtype(column), (name, block.columns[j])


def test_accuracies_are_shares_with_all_their_digits():
    found = analysed("curves")
    models = found.table("All models").set_index("model")
    for name, shown in (row for row in found.results if row[0] in models.index):
        accuracy, sd = models.loc[name, ["accuracy", "accuracy ±"]]
        assert f"{100 * accuracy:.1f}\xa0±\xa0{100 * sd:.1f}\xa0%" == shown
    best = models["accuracy"].max()
    assert best == models["accuracy"].iloc[0]
    np.testing.assert_allclose(
        models["to the best (points)"].iloc[1:],
        100 * (models["accuracy"] - best).iloc[1:],
    )


def test_predictions_are_those_of_the_table_of_errors():
    found = analysed("curves")
    frame = found.table("predictions")
    assert len(frame) == len(found.data)
    crossed = pd.crosstab(frame["class"], frame["predicted"])
    shown = found.table("true and predicted classes").iloc[:, 1:].to_numpy()
    np.testing.assert_array_equal(crossed.reindex(columns=crossed.index, fill_value=0), shown)
    assert (frame["recognised"] == (frame["class"] == frame["predicted"])).all()


def test_typical_objects_and_groups(groups):
    members = groups.table("groups")
    assert members["object"].tolist() == groups.data.names
    counts = groups.table("The groups and their objects")["sequences"]
    assert members["group"].value_counts().sort_index().tolist() == counts.tolist()
    typical = groups.table("typical objects")
    first = typical[typical["rank"] == 1].set_index("prototype")["object"]
    nearest = members.loc[members.groupby("group")["dissimilarity"].idxmin()].set_index("group")
    assert nearest["object"].tolist() == first.tolist()


def test_predicted_numbers_have_intervals_and_the_name_of_the_target(tmp_path):
    rows = np.random.default_rng(0).normal(size=(40, 3))
    table = pd.DataFrame(rows, columns=["a", "b", "fat (%)"])
    found = analyze(table, target="fat (%)", settings=QUICK)
    frame = found.table("predictions")
    np.testing.assert_allclose(frame["fat (%)"], rows[:, 2])
    inside = (frame["lower"] <= frame["fat (%)"]) & (frame["fat (%)"] <= frame["upper"])
    assert 0.9 <= inside.mean() < 1
    axes = found.figure("Predicted and true fat (%)").axes[0]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("fat (%), true", "fat (%), predicted")
    assert ">fat (%), true</text>" in section_of(found, "figure")[1].svg


def test_names_are_found_in_any_case_and_unknown_ones_named(found):
    for name in found.figures:
        assert found.figure(name.upper().replace(" ", "-")) is not None
    with pytest.raises(ValueError, match="there is no table 'hurz': choose from '"):
        found.table("hurz")
    twice = replace(found, sections=[*found.sections, *found.sections])
    assert len(set(twice.tables)) == len(twice.tables) > len(found.tables)


# --- figures --------------------------------------------------------------------------------------


def test_figures_of_papers_show_what_the_page_shows(found):
    for name, block in zip(found.figures, section_of(found, "figure")):
        figure = found.figure(name, width=100)
        assert figure.get_size_inches()[0] == pytest.approx(100 / 25.4)
        ax = figure.axes[0]
        texts = set(re.findall(r'class="label"[^>]*>([^<]*)<', block.svg))
        assert {t for t in (ax.get_xlabel(), ax.get_ylabel()) if t} == texts, name
        legends = [text.get_text() for one in figure.legends for text in one.get_texts()]
        assert legends == [text for _, text in block.legend]


def test_lines_of_papers_are_where_those_of_the_page_are():
    found = analysed("curves")
    block = section_of(found, "figure")[0]
    ax = found.figure(found.figures[0]).axes[0]
    texts = re.findall(r'<polyline points="([^"]*)"', block.svg)
    drawn = [np.array([[float(v) for v in p.split(",")] for p in text.split()]) for text in texts]
    lines = [line for line in ax.lines if len(line.get_xdata()) > 2]
    assert len(lines) == len(drawn)
    for mine, theirs in zip(lines, drawn):
        x, y = np.asarray(mine.get_xydata()).T
        for values, places in ((x, theirs[:, 0]), (y, -theirs[:, 1])):
            slope, shift = np.polyfit(values, places, 1)
            np.testing.assert_allclose(slope * values + shift, places, atol=0.2)
            assert slope > 0


def test_axes_are_called_as_asked_for(numbers):
    ax = numbers.figure("The curves and their means").axes[0]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("wavelength (nm)", "absorbance")
    assert numbers.title == "Meat"
    trains = DATA["spikes"]()
    with pytest.raises(DataError, match="y axis is for curves, not for spike trains"):
        analyze(trains, y_label="rate")


def test_a_drawing_that_only_the_page_knows():
    drawing = Figure("Mine", '<svg class="plot" viewBox="0 0 9 9"></svg>', "Reading.", "How.")
    found = Analysis("A", "b", [], [Section("S", [drawing])], "print(1)")
    with pytest.raises(ValueError, match="the figure 'Mine' is known as SVG only"):
        found.figure("mine")
    files = files_of(found)
    assert b'xmlns="http://www.w3.org/2000/svg"' in files["figures/01-mine.svg"]
    assert "figures/01-mine.pdf" not in files


def test_letters_come_from_another_installed_font():
    """Matplotlib's own STIX has circled letters that its DejaVu has not."""
    series = [Series("Ⓐ", np.arange(3.0))]
    said = {"axes": ("x", "y"), "title": "T", "reading": "R.", "how": "H."}
    figure = lines(np.arange(3.0), series, **said)
    plain = lines(np.arange(3.0), [Series("A", np.arange(3.0))], **said)
    made = [Analysis("A", "b", [], [Section("S", [one])], "print(1)") for one in (figure, plain)]
    files, others = map(files_of, made)  # warnings are errors: none is given
    assert "font" not in files["contents.txt"].decode()
    assert files["figures/01-t.svg"] != others["figures/01-t.svg"]
    assert "STIXGeneral" in families_with("Ⓐ")
    assert families_with("\U0010fffd") == []  # of the last private plane: nobody's letter


def test_names_of_the_data_are_letters_in_figures(monkeypatch):
    """Formulas, hidden letters and those of other scripts; what a font has not is told."""
    odd = ["$x_", "_a", r"$\frac{", "波長", "a\nb\x1b[31m"]
    figure = lines(
        np.arange(3.0),
        [Series(name, np.arange(3.0) * k) for k, name in enumerate(odd)],
        axes=(odd[0], odd[2]),
        vertical=(1.0, odd[4]),
        title="..//<Odd>\\",
        reading="Reading.",
        how="How.",
    )
    monkeypatch.setattr(export_module, "families_with", lambda letters: [])
    with pytest.warns(UserWarning, match="no installed font has.*波"):
        files = files_of(Analysis("A", "b", [], [Section("S", [figure])], "print(1)"))
    assert {"figures/01-odd.svg", "figures/01-odd.pdf", "figures/01-odd.png"} < set(files)
    assert "no installed font has: 波 長" in files["contents.txt"].decode()
    texts = figure.drawn().legends[0].get_texts()
    assert [text.get_text() for text in texts] == [written(name) for name in odd]


# --- notebooks and terminals ----------------------------------------------------------------------


class Checked(HTMLParser):
    """Markup whose elements all end, and that runs and fetches nothing."""

    def __init__(self, text):
        super().__init__()
        self.open, self.seen = [], set()
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attributes):
        assert tag not in ("script", "img", "link", "iframe", "style")
        assert not attributes
        self.open.append(tag)
        self.seen.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_notebooks_and_terminals(found):
    Checked(found._repr_html_())
    Checked(found.data._repr_html_())
    assert len(found._repr_html_()) < 5000
    shown = repr(found)
    assert shown.splitlines()[0] == found.title
    assert all(finding in shown for finding in found.findings)
    assert repr(found.data) == f"<Dataset {found.data.understood}>"
    assert len(found.data._repr_html_()) < 3000


def test_names_of_the_data_are_text_in_notebooks():
    evil = "<script>alert(1)</script>\x1b[31m"
    data = replace(DATA["vectors"](), names=[evil] * 60, source=evil)
    Checked(data._repr_html_())
    found = Analysis(evil, evil, [evil], [Section(evil, [])], evil, [(evil, evil)])
    Checked(found._repr_html_())
    assert "\x1b" not in repr(found) + found._repr_html_() + repr(data)


# --- the folder -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def exported(numbers, tmp_path_factory):
    return numbers.export(tmp_path_factory.mktemp("folder") / "mine")


def test_everything_is_in_the_folder(numbers, exported):
    names = {path.relative_to(exported).as_posix() for path in exported.rglob("*")}
    assert {
        "report.html",
        "reproduce.py",
        "model.skops",
        "predictions.csv",
        "typical-objects.csv",
    } < names
    for k in range(1, len(numbers.figures) + 1):
        kinds = {name.rpartition(".")[2] for name in names if name.startswith(f"figures/{k:02d}-")}
        assert kinds == {"svg", "pdf", "png"}
    tables = [name for name in names if name.startswith("tables/")]
    assert len(tables) == len(section_of(numbers, "table"))
    contents = (exported / "contents.txt").read_text()
    for block in section_of(numbers, "figure"):
        assert block.how in contents
    frame = pd.read_csv(exported / "predictions.csv", dtype={"predicted": str})
    told = frame["predicted"].astype(
        float
    )  # every digit, as older releases of pandas do not read it
    np.testing.assert_array_equal(told, numbers.table("predictions")["predicted"])
    model = load(exported / "model.skops")
    np.testing.assert_allclose(model.predict(numbers.data.X), numbers.model.predict(numbers.data.X))


def test_figures_are_fit_for_papers(exported):
    pdf = next(exported.glob("figures/01-*.pdf")).read_bytes()
    assert b"/FontFile2" in pdf  # TrueType, inside of the file
    assert b"/Type3" not in pdf
    assert b"/Subtype /Image" not in pdf
    svg = next(exported.glob("figures/01-*.svg")).read_text()
    assert "<image" not in svg
    assert "<text" not in svg  # letters are drawn: no font is missing elsewhere
    width = float(re.search(r'<svg [^>]*width="([\d.]+)pt"', svg)[1])
    assert width == pytest.approx(89 / 25.4 * 72, abs=0.1)
    png = next(exported.glob("figures/01-*.png")).read_bytes()
    assert int.from_bytes(png[16:20], "big") == round(89 / 25.4 * 600)


def test_the_program_reads_the_data_again(numbers, exported, monkeypatch, capsys):
    """Data that were in no file are in the folder, and the program finds them there."""
    monkeypatch.chdir(exported)
    runpy.run_path("reproduce.py")
    best = numbers.table("All models").set_index("what it is").loc["prototypes"].iloc[0]
    assert f"RMSE {best['error (RMSE)']:.4g}" in capsys.readouterr().out


@pytest.mark.parametrize("kind", [str, object, int])
def test_the_program_keeps_groups_together_as_the_analysis_did(kind, tmp_path, monkeypatch):
    """Groups that were an array in memory are in the folder, and used again."""
    rng = np.random.default_rng(0)
    which = np.repeat(np.arange(12), 3)
    X = 2.0 * rng.normal(size=(12, 3))[which] + rng.normal(size=(36, 3)) + (which % 2)[:, None]
    data = as_dataset(X, np.array(["a", "b"])[which % 2], groups=which.astype(kind))
    code = program([f"data = {data.code}", "print(data.groups)"])
    found = Analysis("A", "b", [], [], code, data=data)
    for name, content in files_of(found).items():
        (tmp_path / name).write_bytes(content)
    monkeypatch.chdir(tmp_path)
    again = runpy.run_path("reproduce.py")["data"]
    assert again.groups.tolist() == data.groups.tolist()
    assert (again.X == X).all()


def test_the_same_analysis_gives_the_same_files(groups):
    part = replace(groups, sections=groups.sections[1:2])  # one figure
    first, second = files_of(part), files_of(part)
    moving = "report.html"  # which has the day
    assert {k: v for k, v in first.items() if k != moving} == {
        k: v for k, v in second.items() if k != moving
    }


SMALL = Analysis(
    "A", "b", ["c"], [Section("S", [Table("T", ["x"], [["1"]], "H.", numeric=(0,))])], "print(1)"
)


def test_earlier_exports_are_replaced_and_nothing_else(tmp_path):
    folder = tmp_path / "mine"
    SMALL.export(folder)
    SMALL.export(folder)  # its own
    assert os.listdir(tmp_path) == ["mine"]
    (folder / "thesis.tex").write_text("work of years")
    with pytest.raises(DataError, match=r"holds what no export wrote \(thesis.tex\).*force=True"):
        SMALL.export(folder)
    replace(SMALL, sections=[]).export(folder, force=True)
    assert (folder / "thesis.tex").read_text() == "work of years"
    assert not (folder / "tables").exists()
    (folder / "thesis.tex").unlink()
    (folder / "report.html").write_text("changed by hand")
    with pytest.raises(DataError, match=r"\(report.html\)"):
        SMALL.export(folder)
    other = tmp_path / "other"
    other.mkdir()
    SMALL.export(other)  # empty
    (other / MARKER).write_text("no JSON")
    with pytest.raises(DataError, match="holds what no export wrote"):
        SMALL.export(other)


def test_places_that_cannot_be_written_are_refused_before_the_work(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("text")
    monkeypatch.chdir(tmp_path)
    for place, why in (
        ("file", "is a file"),
        ("no/such", "there is no folder"),
        (".", "is in use"),
        ("..", "is in use"),
    ):
        with pytest.raises(DataError, match=why):
            check_export(place, force=True)
    with pytest.raises(DataError, match="cannot be 5 mm wide: say 40 to 500 mm"):
        check_export("new", width=5)
    assert os.listdir(tmp_path) == ["file"]


def test_an_interrupted_export_leaves_the_old_one(tmp_path, monkeypatch):
    folder = tmp_path / "mine"
    SMALL.export(folder)
    before = {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file()}

    def fail(*places):
        raise KeyboardInterrupt

    monkeypatch.setattr(export_module.os, "rename", fail)
    with pytest.raises(KeyboardInterrupt):
        replace(SMALL, code="print(2)").export(folder)
    monkeypatch.undo()
    assert os.listdir(tmp_path) == ["mine"]
    assert {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file()} == before
    assert sorted(json.loads(before[MARKER])["files"]) == [
        "contents.txt",
        "report.html",
        "reproduce.py",
        "tables/01-t.csv",
    ]


def test_tables_are_readable_by_others(groups):
    text = files_of(replace(groups, sections=[]))["groups.csv"].decode()
    rows = list(csv.reader(io.StringIO(text)))
    assert rows[0] == ["object", "group", "dissimilarity"]
    assert len(rows) == len(groups.data) + 1


def test_the_page_is_saved(tmp_path):
    SMALL.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text().startswith("<!DOCTYPE html>")
