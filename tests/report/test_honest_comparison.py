"""Comparisons that replicates, copies and unequal classes cannot mislead."""

import contextlib
import io
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import make_blobs

from noneuclid import save
from noneuclid.datasets import DataError, Dataset, read_dataset
from noneuclid.report import Settings, analyze, fit_best
from noneuclid.report.checking import compare_samples, standardized
from noneuclid.report.comparison import compare, outer_splits, scoring_of
from noneuclid.report.models import row_models
from noneuclid.report.prediction import SavedModel

QUICK = Settings(folds=3, repeats=1, quick=True)


def replicates(named=True):
    """Forty samples, three scans of each, classes by the toss of a coin."""
    rng = np.random.default_rng(0)
    centres = rng.normal(size=(40, 6))
    X = np.repeat(centres, 3, axis=0) + 0.01 * rng.normal(size=(120, 6))
    y = np.repeat(rng.permutation(["a", "b"] * 20), 3)
    names = [f"S{k}_{scan}" for k in range(40) for scan in "abc"]
    return Dataset("vectors", X, y, names if named else [], code="given")


def test_replicates_do_not_let_noise_look_learned():
    """Nearest neighbours know 100 % of the scans of samples that they have seen."""
    found = analyze(replicates(), QUICK)
    scores = dict(found.results)
    assert float(scores["k nearest neighbours"].split()[0]) < 75
    assert "40 objects by 120 names (S0_a, S0_b …), kept together" in found.understood
    misled = dict(analyze(replicates(named=False), QUICK).results)
    assert float(misled["k nearest neighbours"].split()[0]) > 95


def test_no_split_divides_a_group():
    y, groups = np.repeat([0, 1], 30), np.repeat(np.arange(20), 3)
    splits = outer_splits(y, Settings(folds=4, repeats=2), groups)
    assert len(splits) == 8
    for train, test in splits:
        assert not set(groups[train]) & set(groups[test])
        assert len(train) + len(test) == 60
    with pytest.raises(DataError, match="a class has objects of one group only"):
        outer_splits(y, QUICK, np.repeat([0, 1, 2, 3], [30, 10, 10, 10]))


def test_the_program_on_the_page_divides_no_group():
    data = replicates()
    found = analyze(data, QUICK)
    assert "data = kept_together(given)" in found.code
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(found.code, "page", "exec"), {"given": data})
    said = re.search(r"accuracy (\S+ ± \S+ %)", printed.getvalue())[1]
    assert said.replace(" ", "\xa0") in [v.replace(" ", "\xa0") for _, v in found.results]


def test_rare_classes_count_as_much_as_others():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(150, 4))
    y = np.where(np.arange(150) < 9, "rare", "common")
    X[:9, 0] += 0.5
    assert scoring_of(y) == "balanced_accuracy"
    assert scoring_of(np.repeat([0, 1], [10, 14])) == "accuracy"
    data = Dataset("vectors", X, y)
    found = compare(row_models(data, QUICK), y, QUICK)
    assert found.majority == 0.5
    assert max(score.mean for score in found.scores) < 0.85
    page = analyze(data, QUICK)
    assert "of a class on average, of objects it has not seen" in page.findings[0]
    titles = [getattr(block, "title", "") for s in page.sections for block in s.blocks]
    assert "Class by class" in titles


def test_models_are_chosen_without_dividing_groups():
    assert fit_best(replicates(), QUICK)[2] < 0.75
    X, y = make_blobs(60, centers=[[0, 0], [6, 6]], random_state=0)
    assert fit_best(Dataset("vectors", X, y), QUICK)[2] > 0.9


# --- new curves on another axis ---------------------------------------------------------------


GRID = np.linspace(850, 1050, 30)


def curves(grid=GRID, order=slice(None)):
    rng = np.random.default_rng(0)
    y = np.repeat(["low", "high"], 12)
    centres = np.where(y == "low", 920, 980)[:, None] + rng.normal(0, 5, (24, 1))
    X = np.exp(-(((grid - centres) / 40) ** 2))
    rows = [",".join([f"{g:.2f}" for g in grid[order]])]
    rows += [",".join(f"{v:.6f}" for v in row[order]) for row in X]
    return Dataset("curves", X, y, grid=grid, features=[f"{g:.2f}" for g in grid]), "\n".join(rows)


@pytest.fixture(scope="module")
def model():
    data, _ = curves()
    fitted, _, _ = fit_best(data, QUICK)
    found = SavedModel.__new__(SavedModel)
    found.model, found.trained = fitted, fitted.trained_on_
    found.is_matrix, found.kind = False, "curves"
    return found


def test_curves_on_another_axis_are_refused(model, tmp_path):
    path = tmp_path / "new.csv"
    path.write_text(curves(GRID + 250)[1])
    with pytest.raises(DataError, match="30 points from 1100 to 1300, but the model was fitted on"):
        model.predict_file(path, use_labels=False)


def test_curves_the_other_way_round_or_with_more_points_are_put_right(model, tmp_path):
    path = tmp_path / "new.csv"
    path.write_text(curves()[1])
    wanted = model.predict_file(path, use_labels=False)[0]
    said = [line.split(",")[1] for line in wanted.splitlines()[1:]]
    assert said.count("low") == said.count("high") == 12
    path.write_text(curves(order=slice(None, None, -1))[1])
    assert model.predict_file(path, use_labels=False)[0] == wanted
    more = np.sort(np.concatenate([GRID, [800.0, 1100.0]]))
    path.write_text(curves(more)[1])
    assert model.predict_file(path, use_labels=False)[0] == wanted


# --- two samples, and plain distances ----------------------------------------------------------


def test_columns_of_two_samples_count_alike():
    """In their own units, the column of largest numbers decides alone."""
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(2, 120, 4))
    Y[:, :2] += 0.6
    units = np.array([1.0, 1.0, 1e4, 1e4])
    names = ["ph", "salt", "noise", "dust"]
    one, other = (Dataset("vectors", Z * units, features=names) for Z in (X, Y))
    result, _, moved = compare_samples(one, other, None, 199, 0)
    assert result.pvalue == 0.005
    assert moved == ["ph", "salt"]
    assert compare_samples(one, other, None, 199, 0, raw=True)[0].pvalue > 0.1
    same, _, nothing = compare_samples(one, Dataset("vectors", X[::-1] * units), None, 199, 0)
    assert same.pvalue > 0.5
    assert nothing == []


def test_blocks_of_dask_are_standardised_alike():
    da = pytest.importorskip("dask.array")
    X, Y = np.random.default_rng(0).normal(size=(2, 50, 3)) * [1.0, 100.0, 0.0]
    wanted = standardized(X, Y)
    lazy = standardized(da.from_array(X, chunks=(20, 3)), da.from_array(Y, chunks=(20, 3)))
    for a, b in zip(wanted, lazy):
        np.testing.assert_allclose(b.compute(), a, atol=1e-12)
    np.testing.assert_allclose(np.vstack(wanted)[:, :2].std(axis=0), 1.0)


@pytest.fixture
def distances(tmp_path):
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(24, 3)) + 4.0 * np.repeat(np.eye(2, 3), 12, axis=0)
    D = np.sqrt(((Z[:, None] - Z) ** 2).sum(axis=2))
    np.savetxt(tmp_path / "d.csv", D, delimiter=",")
    (tmp_path / "y.txt").write_text("\n".join(["a"] * 12 + ["b"] * 12))
    return tmp_path / "d.csv", D


def test_plain_distances_are_squared_if_they_are_called_so(distances):
    path, D = distances
    assert "taken as squared distances (--plain: squares them)" in read_dataset(path).understood
    data = read_dataset(path, squared=False)
    np.testing.assert_allclose(data.X, D**2)
    assert "plain distances, squared" in data.understood
    np.testing.assert_allclose(eval(data.code).X, D**2)
    assert read_dataset(path, squared=True).notes == ()


def test_new_distances_are_squared_as_those_of_training(distances, tmp_path):
    path, D = distances
    data = read_dataset(path, labels="y.txt", squared=False)
    fitted, _, _ = fit_best(data, QUICK)
    save(fitted, tmp_path / "m.skops")
    lines, _ = SavedModel(tmp_path / "m.skops").predict_file(path, use_labels=False)
    said = [line.split(",")[1] for line in lines.splitlines()[1:]]
    assert said == fitted.predict(D**2).tolist()


def test_what_is_said_of_two_readings_agrees_with_the_table(distances):
    path, _ = distances
    found = analyze(read_dataset(path), QUICK)
    table = next(
        block
        for section in found.sections
        for block in section.blocks
        if getattr(block, "title", "") == "Two ways to read the numbers"
    )
    assert table.reading.startswith("Both readings are as near to Euclidean, but distances need")
    assert "(3 instead of 23)" in table.reading


def test_models_of_hits_and_pairs_predict_from_such_files(tmp_path):
    files = Path(__file__).parents[1] / "files"
    y = np.array(["a", "b"] * 4)
    for name in ("blast.tsv", "edges.tsv"):
        data = replace(read_dataset(files / name), labels=y)
        fitted, _, _ = fit_best(data, QUICK)
        save(fitted, tmp_path / "m.skops")
        lines, _ = SavedModel(tmp_path / "m.skops").predict_file(files / name)
        table = [line.split(",")[:2] for line in lines.splitlines()[1:]]
        assert [row[0] for row in table] == data.names
        assert [row[1] for row in table] == fitted.predict(data.X).tolist()
