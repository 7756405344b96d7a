"""The literature: records, pages and rules belong together; small versions run."""

import importlib
import json
import sys
from pathlib import Path

import numpy as np
import pytest

from benchmark_data import load, path_of

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "literature"


def module(name):
    """A module of the folder."""
    found = sys.modules.get(name)
    if found is None or Path(found.__file__).parent != FOLDER:
        sys.modules.pop(name, None)
        sys.path.insert(0, str(FOLDER))
        found = importlib.import_module(name)
        sys.path.remove(str(FOLDER))
    return found


def test_all_59_items_are_listed_once_and_have_a_script():
    items = module("_items").ITEMS
    counts = {letter: sum(item.source == letter for item in items) for letter in "ABCE"}
    assert counts == {"A": 14, "B": 26, "C": 15, "E": 4}
    assert len({item.id for item in items}) == 59
    index = (ROOT / "docs" / "literature" / "index.md").read_text(encoding="utf-8")
    for item in items:
        assert f"#{item.id.lower()})" in index, f"the index does not show {item.id}"


def test_pages_are_those_of_the_records():
    for name, text in module("render").pages().items():
        page = ROOT / "docs" / "literature" / name
        assert page.read_text(encoding="utf-8") == text, "run python literature/render.py"


def test_every_figure_of_the_sources_is_drawn():
    """But for the faces themselves, which are not ours to show."""
    module("figures")
    named = {item.id for item in module("_items").ITEMS if "figure" in item.id}
    assert set(module("_drawing").DRAWINGS) == named - {"A-figure-3"}


@pytest.mark.parametrize("item", ["A-figure-7", "C-figure-4.2", "E-figure-9.4"])
def test_drawings_name_their_axes(item, tmp_path):
    module("figures").draw(tmp_path, [item])
    assert (tmp_path / f"{item}.svg").stat().st_size > 1000
    record = json.loads((FOLDER / "records" / f"{item}.json").read_text(encoding="utf-8"))
    figure = module("_drawing").DRAWINGS[item].draw(record, module("_experiment").published(item))
    assert all(ax.get_ylabel() for ax in figure.axes)
    assert figure.axes[-1].get_xlabel()


def test_published_values_stand_where_they_were_printed():
    """The open diamonds of figure 11 of source A are the two printed accuracies."""
    module("figures")
    printed = module("_experiment").published("A-figure-11")
    path = FOLDER / "records" / "A-figure-11.json"
    record = json.loads(path.read_text(encoding="utf-8"))
    figure = module("_drawing").DRAWINGS["A-figure-11"].draw(record, printed)
    marks = {line.get_label(): line.get_xdata() for ax in figure.axes for line in ax.lines}
    assert marks["published"].tolist() == [float(row["accuracy"]) for row in printed.values()]


def test_records_and_published_numbers_belong_to_items():
    known = module("_items").BY_ID
    for folder, ending in (("records", "json"), ("published", "csv")):
        for path in (FOLDER / folder).glob(f"*.{ending}"):
            assert path.stem in known, f"{path.name} belongs to no table or figure"


@pytest.mark.parametrize("path", sorted((FOLDER / "records").glob("*.json")), ids=lambda p: p.stem)
def test_a_record_says_how_it_was_made(path):
    record = json.loads(path.read_text(encoding="utf-8"))
    assert record["item"] == path.stem
    assert record["setting"] == "full"
    assert record["protocol"]
    assert {"python", "noneuclid", "numpy"} <= set(record["versions"])
    assert record["seconds"] >= 0
    assert record["date"]
    printed = module("_experiment").published(path.stem)
    rows = set(printed) & set(record["cells"])
    assert rows or not printed, "no row of the record has the name of a published one"
    for row in rows:
        assert set(printed[row]) & set(record["cells"][row])
    for row in record["cells"].values():
        assert all(np.isfinite(cell["value"]) for cell in row.values())


@pytest.mark.parametrize(
    ("ours", "error", "printed", "better", "expected"),
    [
        (95.30, 0.10, "95.46", "higher", "reached"),
        (95.20, 0.10, "95.46", "higher", "worse"),
        (95.80, 0.10, "95.46", "higher", "better"),
        (95.80, 0.10, "95.46", "lower", "worse"),
        (45.004, None, "45.00", "same", "reached"),
        (45.006, None, "45.00", "same", "worse"),
        (float("nan"), 0.1, "45", "higher", "worse"),
    ],
)
def test_a_number_is_judged_by_two_standard_errors(ours, error, printed, better, expected):
    assert module("_verdict").of_number(ours, error, printed, better) == expected


def record(values, claims=(), not_comparable=""):
    cells = {"row": {f"c{k}": {"value": v, "error": 0.5, "n": 4} for k, v in enumerate(values)}}
    claims = [{"claim": "", "holds": holds, "by": ""} for holds in claims]
    return {"cells": cells, "claims": claims, "not_comparable": not_comparable}


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (None, "not run"),
        (record([0.0] * 10), "reached"),
        (record([0.0] * 9 + [-9.0]), "reached"),  # one in ten may be off by chance
        (record([0.0] * 8 + [-9.0] * 2), "worse"),
        (record([9.0] * 6 + [0.0] * 4), "better"),
        (record([0.0], claims=[False]), "worse"),
        (record([0.0], claims=["erratum"]), "reached"),
        (record([-9.0], not_comparable="other data"), "not comparable"),
        (record([]), "not comparable"),
    ],
)
def test_a_table_is_judged_by_its_numbers(made, expected):
    item = module("_items").Item("A-figure-0", "", "", "higher")
    printed = {"row": {f"c{k}": "0.0" for k in range(10)}}
    assert module("_verdict").of_item(item, made, printed) == expected


def test_a_misprint_is_judged_by_what_was_meant():
    verdict, items = module("_verdict"), module("_items")
    printed = {"row": {"c0": "50", "c1": "50"}}
    meant = {("row", "c0"): "0.0", ("row", "c1"): ""}
    item = items.Item("A-figure-0", "", "", "higher", meant)
    assert verdict.of_cells(item, record([0.0, 0.0]), printed) == {("row", "c0"): "reached"}


def test_misprints_name_cells_that_are_printed():
    items, records = module("_items"), module("_experiment")
    for item in items.ITEMS:
        for row, column in item.misprints:
            assert column in records.published(item.id)[row]


def test_averages_that_are_printed_are_those_of_their_columns():
    """A number typed wrongly would show; so does every misprint of the source."""
    for item in module("_items").ITEMS:
        printed = module("_experiment").published(item.id)
        for column, average in printed.pop("Average", {}).items():
            if average:
                values = [
                    item.misprints.get((row, column), printed[row][column]) for row in printed
                ]
                meant = float(item.misprints.get(("Average", column), average))
                assert np.mean([float(v) for v in values]) == pytest.approx(meant, abs=0.0151)


@pytest.mark.parametrize(
    ("count", "ours", "theirs"),
    [
        ("B-table-2.6", "B-table-2.5", "B-table-2.5"),
        ("B-table-3.11", "B-table-3.10", "B-table-3.5"),
    ],
)
def test_winning_counts_that_are_printed_are_those_of_their_tables(count, ours, theirs):
    published = module("_experiment").published
    a, b = published(ours), published(theirs)
    for row, cells in published(count).items():
        for column, printed in cells.items():
            gains = [float(a[t][column]) - float(b[t][row]) for t in a if t != "Average"]
            assert np.sign(gains).sum() == int(printed)


def test_a_small_experiment_runs_and_is_kept(tmp_path):
    found = module("a_toy").figures("reduced")
    kept = module("_experiment").keep("A-figure-1", found["A-figure-1"], "reduced", 0.1, tmp_path)
    assert json.loads((tmp_path / "A-figure-1.json").read_text(encoding="utf-8")) == kept
    assert kept["cells"]["angle (degrees), p = 1"]["value"]["value"] == pytest.approx(45, abs=0.01)


EXPERIMENTS = [
    ("e_spikes", "figures", ()),
    ("a_tecator", "figures", ("tecator",)),
    ("a_faces", "figures", ("yale_32x32",)),
    ("a_pima", "figures", ("pima_diabetes",)),
    ("b_usps", "linear", ("usps_zip",)),
    ("b_usps", "kernel", ("usps_zip",)),
    ("b_usps", "thresholds", ("usps_zip",)),
    ("b_yale", "linear", ("yale_32x32",)),
    ("b_yale", "kernel", ("yale_32x32",)),
    ("b_mnist", "linear", ("mnist",)),
    ("b_mnist", "kernel", ("mnist",)),
    ("b_uci", "linear", ("iris", "car_evaluation")),
    ("b_uci", "kernel", ("iris", "car_evaluation")),
    ("b_uci", "letter", ("letter_recognition",)),
    ("c_proximities", "spectra", ("aural_sonar", "voting", "protein_similarity")),
    ("c_proximities", "errors", ("aural_sonar",)),
    ("c_landmarks", "landmarks", ("aural_sonar",)),
    ("c_sparse", "tables", ("aural_sonar",)),
    ("c_sparse", "places", ("aural_sonar", "voting")),
    ("c_sparse", "curves", ("aural_sonar",)),
    ("c_berlin", "figures", ("vbb_berlin_rail_lines",)),
]


@pytest.mark.slow
@pytest.mark.parametrize(("script", "experiment", "data"), EXPERIMENTS)
def test_the_small_versions_run(script, experiment, data):
    for name in data:
        path_of(name)
    found = getattr(module(script), experiment)("reduced")
    known = module("_items").BY_ID
    for item, result in found.items():
        assert known[item].script == script
        assert result.protocol
        assert all(np.isfinite(c["value"]) for row in result.cells.values() for c in row.values())


@pytest.mark.slow
def test_the_protein_page_tells_the_truth():
    from noneuclid.proximities import signature, symmetrize

    S = symmetrize(load("protein_similarity")["similarity"])
    D = load("protein_dissimilarity")["dissimilarity"]
    pairs = np.triu_indices(len(S), 1)
    lost = np.abs((D - 13.64 * (1 - S))[pairs] - 10) < 0.1
    assert (lost.sum(), len(lost)) == (1509, 22578)
    assert tuple(signature(S)) == (170, 40, 3)
    assert tuple(signature(1 - D / 13.64)) == (210, 0, 3)
    values, vectors = np.linalg.eigh(S)
    below = values < 0
    assert -values[below].sum() / np.abs(values).sum() == pytest.approx(0.20, abs=0.005)
    weight = np.abs((vectors[:, below] * values[below]) @ vectors[:, below].T)[pairs]
    assert lost[np.argsort(-weight)[:1509]].mean() == pytest.approx(0.74, abs=0.01)
