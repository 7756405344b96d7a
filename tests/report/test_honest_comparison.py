"""Comparisons that replicates, copies and unequal classes cannot mislead."""

import contextlib
import io
import re

import numpy as np
import pytest
from sklearn.datasets import make_blobs

from noneuclid.datasets import DataError, Dataset
from noneuclid.report import Settings, analyze, fit_best
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
    assert "40 objects by 120 names (S0_a, S0_b …), kept together" in str(found)
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
    assert wanted.count("low") == wanted.count("high") == 12
    path.write_text(curves(order=slice(None, None, -1))[1])
    assert model.predict_file(path, use_labels=False)[0] == wanted
    more = np.sort(np.concatenate([GRID, [800.0, 1100.0]]))
    path.write_text(curves(more)[1])
    assert model.predict_file(path, use_labels=False)[0] == wanted
