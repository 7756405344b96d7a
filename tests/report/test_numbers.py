"""Numbers as targets: read, compared honestly, shown, and predicted with intervals."""

import contextlib
import io
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import root_mean_squared_error

from noneuclid import save
from noneuclid.datasets import DataError, Dataset, read_dataset
from noneuclid.report import Settings, analyze, fit_numbers, render
from noneuclid.report.numbers import outer_splits, regress, row_candidates
from noneuclid.report.prediction import SavedModel

QUICK = Settings(folds=3, repeats=1, quick=True)
RNG = np.random.default_rng(0)
GRID = np.linspace(850, 1050, 30)
FAT = RNG.uniform(1, 30, 48)
SPECTRA = RNG.normal(0, 0.3, (48, 1)) + np.exp(-(((GRID - 950) / 15) ** 2)) * FAT[:, None] / 30


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("numbers") / "spectra.csv"
    frame = pd.DataFrame(SPECTRA, columns=[f"{g:.1f} nm" for g in GRID])
    frame.assign(**{"Fat (%)": FAT, "class": ["a", "b"] * 24}).to_csv(path, index=False)
    return path


@pytest.fixture(scope="module")
def found(file):
    return analyze(read_dataset(file, target="fat (%)"), QUICK)


def test_a_column_of_numbers_is_the_target(file):
    data = read_dataset(file, target="fat (%)")
    assert (data.kind, data.labels, data.X.shape) == ("curves", None, (48, 30))
    np.testing.assert_allclose(data.target, FAT)
    assert "numbers from 1." in data.understood
    assert "numbers to predict from 'Fat (%)'" in data.understood
    np.testing.assert_allclose(eval(data.code).target, FAT)
    np.testing.assert_allclose(data.sample(20).target, FAT[np.isin(FAT, data.sample(20).target)])


@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        ("sugar", r"target: .* has no column 'sugar' \(there are"),
        ("words", "'words' of t.csv holds text where numbers are needed"),
        ("holes", "has no number in 'holes' for '2' nor for 1 more"),
        ("few", r"'few' of t.csv has 2 different values: say labels='few'"),
    ],
)
def test_targets_that_are_none(tmp_path, target, sentence):
    table = pd.DataFrame(RNG.normal(size=(12, 3)), columns=list("uvw"))
    table["words"] = ["many", "few"] * 6
    table["holes"] = [1.0, None, None, *range(9)]
    table["few"] = [1.5, 2.5] * 6
    table = table[[*"uvw", target]] if target in table else table[[*"uvw"]]
    table.to_csv(tmp_path / "t.csv", index=False)
    with pytest.raises(DataError, match=sentence):
        read_dataset(tmp_path / "t.csv", target=target)


def test_classes_that_are_numbers_are_asked_about(file):
    with pytest.raises(DataError, match=r"not classes: say target='Fat \(%\)' to predict"):
        read_dataset(file, labels="Fat (%)")
    with pytest.raises(ValueError, match="labels and target exclude each other"):
        read_dataset(file, labels="class", target="Fat (%)")


def test_models_are_compared_by_their_errors(found):
    scores = {
        name: float(value.split("\xa0")[0].replace("−", "-")) for name, value in found.results
    }
    assert scores["prototypes, Sobolev"] < 0.5 * scores["the mean"]
    assert scores["the mean"] == pytest.approx(FAT.std(), rel=0.2)
    assert "always predicting the mean gives" in found.findings[0]
    assert [section.title for section in found.sections][1:3] == [
        "Which model predicts best?",
        "How well are numbers predicted?",
    ]
    assert "Worst predictions" in render(found)


def test_the_program_gives_the_error_again(found):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(found.code, "page", "exec"), {})
    said = float(re.search(r"RMSE (\S+)", printed.getvalue())[1])
    shown = min(
        float(value.split("\xa0")[0]) for name, value in found.results if "prototypes" in name
    )
    assert said == pytest.approx(shown, rel=0.01)


def test_errors_are_those_of_models_that_have_not_seen_the_objects():
    X = RNG.normal(size=(60, 3))
    y = X[:, 0] + 0.1 * RNG.normal(size=60)
    data = Dataset("vectors", X, target=y)
    candidates = row_candidates(data, QUICK)
    result = regress(candidates, y, QUICK)
    mean = next(score for score in result.scores if score.candidate.name == "the mean")
    by_hand = [
        root_mean_squared_error(y[test], np.full(len(test), y[train].mean()))
        for train, test in result.splits
    ]
    np.testing.assert_allclose(mean.errors, by_hand)
    inside = np.abs(result.predicted - y) <= result.half_width
    assert inside.sum() == np.ceil(61 * 0.9)


def test_a_model_without_a_page(file):
    model, name, error = fit_numbers(read_dataset(file, target="Fat (%)"), QUICK)
    assert name.startswith("prototypes, ")
    assert error < 0.5 * FAT.std()
    assert model.trained_on_["half_width"] > 0


def test_groups_are_not_divided():
    groups = np.repeat(np.arange(10), 3)
    for train, test in outer_splits(30, Settings(folds=4, repeats=2), groups):
        assert not set(groups[train]) & set(groups[test])
    with pytest.raises(DataError, match="all objects belong together"):
        outer_splits(30, QUICK, np.zeros(30))


def test_proximities_and_replicates():
    X = np.repeat(RNG.normal(size=(16, 2)), 2, axis=0) + 0.01 * RNG.normal(size=(32, 2))
    names = [f"S{k}_{r}" for k in range(16) for r in "ab"]
    D = ((X[:, None] - X) ** 2).sum(axis=2)
    data = Dataset("dissimilarity", D, names=names, target=X[:, 0], code="given")
    page = analyze(data, QUICK)
    assert "prototypes" in dict(page.results)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(page.code, "page", "exec"), {"given": data})
    said = float(re.search(r"RMSE (\S+)", printed.getvalue())[1])
    assert said == pytest.approx(float(dict(page.results)["prototypes"].split("\xa0")[0]), rel=0.01)


def test_predictions_come_with_intervals(found, file, tmp_path):
    save(found.model, tmp_path / "m.skops")
    lines, _ = SavedModel(tmp_path / "m.skops").predict_file(file)
    table = pd.read_csv(io.StringIO(lines))
    assert table.columns.tolist() == ["object", "number", "low", "high", "usual", "note"]
    assert ((table.low <= FAT) & (table.high >= FAT)).mean() >= 0.85
    np.testing.assert_allclose(table.high - table.number, found.model.half_width_, rtol=1e-3)
