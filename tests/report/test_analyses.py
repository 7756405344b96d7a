"""What analyses say is right: against known answers, and against the code they print."""

import contextlib
import io
import re
from dataclasses import replace

import numpy as np
import pytest
from sklearn.model_selection import cross_val_score
from small_analyses import DATA, QUICK, analysed

from noneuclid.datasets import (
    DataError,
    make_contaminated,
    make_families,
    make_spectra,
)
from noneuclid.report import Figure, Settings, Table, analyze, edit_distances
from noneuclid.report.comparison import Candidate, Comparison, Score, compare
from noneuclid.spaces import Euclidean, Sobolev, attention


def titles(found):
    return [section.title for section in found.sections]


def test_every_section_has_something(found):
    for section in found.sections:
        assert section.blocks
        for block in section.blocks:
            if isinstance(block, (Figure, Table)):
                assert block.title
                assert block.how.endswith(".")
            if isinstance(block, Figure):
                assert block.reading.endswith(".")
    assert all(finding.endswith(".") for finding in found.findings)


def test_the_code_gives_the_same_accuracy(kind, found):
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(found.code, "report", "exec"), {})
    printed = re.search(r"accuracy (\S+ ± \S+ %)", output.getvalue())[1]
    own = [v for name, v in found.results if "LVQ" in name]
    assert printed == own[0].replace("\xa0", " ")


def test_models_can_be_used(kind, found):
    data = DATA[kind]()
    assert (found.model.predict(data.X) == data.labels).mean() > 0.8
    assert found.model.trained_on_["kind"] == kind


def test_the_same_settings_give_the_same_analysis(kind, found):
    again = analyze(DATA[kind](), QUICK)
    assert again.results == found.results
    assert again.sections == found.sections


# --- proximities ----------------------------------------------------------------------------------


def test_sections_of_proximities():
    assert titles(analysed("similarity")) == [
        "What the matrix is like",
        "Would fewer comparisons do?",
        "Which model classifies best?",
        "The model and its prototypes",
        "How sure are predictions?",
        "How few exemplars will do?",
    ]


def test_edit_distances_agree_with_the_definition():
    def edits(a, b):
        row = list(range(len(b) + 1))
        for i, x in enumerate(a, 1):
            new = [i]
            for j, y in enumerate(b, 1):
                new.append(min(row[j] + 1, new[-1] + 1, row[j - 1] + (x != y)))
            row = new
        return row[-1]

    words = make_families(3, n_families=2).X
    expected = [[edits(a, b) for b in words] for a in words]
    np.testing.assert_array_equal(edit_distances(words), expected)
    assert (edit_distances(words, "indel") >= expected).all()
    with pytest.raises(ValueError, match="metric"):
        edit_distances(words, "cosine")


# --- comparison -----------------------------------------------------------------------------------


def test_comparison_uses_the_same_splits_and_chooses_inside():
    from sklearn.neighbors import KNeighborsClassifier

    data = make_contaminated(60, n_outliers=0)
    settings = Settings(folds=3, repeats=2)
    one = Candidate("a", KNeighborsClassifier(), {"n_neighbors": [1, 5]}, data.X)
    other = Candidate("b", KNeighborsClassifier(5), {}, data.X, interpretable=True)
    found = compare([one, other], data.labels, settings)
    assert len(found.splits) == 6
    expected = cross_val_score(KNeighborsClassifier(5), data.X, data.labels, cv=found.splits)
    np.testing.assert_array_equal(found.scores[1].accuracies, expected)
    assert found.best_interpretable.candidate is other
    assert found.best_baseline.candidate is one
    assert found.majority == 0.5


def test_difference_with_corrected_error():
    splits = [(np.arange(8), np.arange(8, 10))] * 4
    a, b = (Score(None, np.array(x)) for x in ([0.9, 0.8, 0.9, 1.0], [0.8, 0.8, 0.7, 1.0]))
    gap, error = Comparison([a, b], splits, None, 0.5).difference(a, b)
    assert gap == pytest.approx(0.075)
    assert error == pytest.approx(np.sqrt(np.var([0.1, 0, 0.2, 0], ddof=1) * (1 / 4 + 2 / 8)))


# --- curves and vectors ---------------------------------------------------------------------------


def test_sobolev_looks_at_the_line_and_recognises_it():
    found = analysed("curves")
    results = {name: float(v.split("\xa0")[0]) for name, v in found.results if "%" in v}
    assert results["GLVQ, Sobolev"] > 70  # the geometry is chosen by halves of 18 curves
    section = next(s for s in found.sections if s.title == "Which geometry suits the curves?")
    table = next(block for block in section.blocks if isinstance(block, Table))
    assert table.rows[0][0] == "Sobolev"
    scores = {row[0]: float(row[2].split("\xa0")[0]) for row in table.rows}
    assert scores["Sobolev"] > scores["Euclidean"] + 20
    data = make_spectra(60)
    near = (data.grid > 865) & (data.grid < 915)
    assert attention(Sobolev(spacing="unit"), data.X, data.labels)[near].sum() > 0.4 * len(near)
    assert attention(Euclidean(), data.X, data.labels)[near].sum() < 0.3 * len(near)


def test_outliers_are_ranked_first():
    table = next(
        block
        for section in analysed("vectors").sections
        for block in section.blocks
        if isinstance(block, Table) and "far from the others" in block.title
    )
    assert {row[0] for row in table.rows[:4]} == {f"outlier {k}" for k in (1, 2, 3, 4)}


def test_relevances_name_the_features_that_count():
    figure = next(
        block
        for section in analysed("vectors").sections
        for block in section.blocks
        if isinstance(block, Figure) and block.title == "Relevance of the features"
    )
    assert re.match(r"Most important: feature [12] ", figure.reading)


# --- without classes ------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["similarity", "sequences", "curves", "vectors", "spikes"])
def test_groups_without_classes(kind):
    """Faulty before: spike trains lost the sentence about their groups."""
    found = analyze(replace(DATA[kind](), labels=None), QUICK)
    assert "Groups without classes" in titles(found)
    assert "A map" in titles(found)
    assert found.model is None
    about = [sentence for sentence in found.findings if re.search(r"form \d groups", sentence)]
    assert len(about) == 1
    section = next(s for s in found.sections if s.title == "Groups without classes")
    assert section.lead == about[0]


def test_the_order_of_findings_and_sections_without_classes():
    spikes = analyze(replace(DATA["spikes"](), labels=None), QUICK)
    assert [sentence.split()[0] for sentence in spikes.findings] == ["Smoothed", "The"]
    assert titles(spikes) == [
        "The spike trains",
        "Components as functions of time",
        "Groups without classes",
        "A map",
        "What the matrix is like",
    ]
    rows = analyze(replace(DATA["vectors"](), labels=None), QUICK)
    assert [name for name, _ in rows.results] == [
        "angle of components",
        "outliers",
        "groups",
        "silhouette",
        "stability",
    ]
    assert titles(rows)[2:] == ["Components, with and without outliers", "Outliers, ranked"]


def test_groups_are_the_families():
    data = make_families(12, n_families=3, mutation=0.1, gaps=0.05)
    found = analyze(replace(data, labels=None), QUICK)
    assert ("groups", "3") in found.results
    table = next(
        block
        for section in found.sections
        for block in section.blocks
        if isinstance(block, Table) and block.prototypes
    )
    assert [row[1] for row in table.rows] == ["12", "12", "12"]
    for row in table.rows:
        assert len({name.split("-")[0] for name in row[2].split(", ")}) == 1


# --- what cannot be analysed ----------------------------------------------------------------------


def test_too_few_objects():
    with pytest.raises(DataError, match="needs at least 8"):
        analyze(make_spectra(6))
    data = make_families(3, n_families=4)
    with pytest.raises(DataError, match="class alder has 3"):
        analyze(data)


def test_large_data_are_sampled():
    found = analyze(make_contaminated(200), replace(QUICK, max_objects=50))
    assert "sample" not in found.understood
    assert "learned from" in found.table("All models").columns
