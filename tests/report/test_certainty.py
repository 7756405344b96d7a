"""Certainties hold on objects that no model has seen, and strangers are noted."""

import csv

import numpy as np
import pytest
from sklearn.datasets import make_blobs

from noneuclid import save
from noneuclid.datasets import Dataset, make_families, make_indefinite
from noneuclid.prototypes import GLVQ, ProximityLVQ
from noneuclid.report import Settings, analyze, fit_best
from noneuclid.report.calibration import (
    Calibration,
    calibrated,
    certainty,
    coverage,
    thoughts,
    usual_limit,
)
from noneuclid.report.numbers import SHARE
from noneuclid.report.prediction import SavedModel

QUICK = Settings(folds=5, repeats=1, quick=True)


def mixture(n, seed, rare=0.5):
    rng = np.random.default_rng(seed)
    y = (rng.uniform(size=n) < rare).astype(int)
    return rng.normal(size=(n, 3)) + 1.4 * y[:, None] * [1, 0, 0], y


def splits(n, k=5):
    parts = np.array_split(np.random.default_rng(0).permutation(n), k)
    return [(np.setdiff1d(np.arange(n), part), part) for part in parts]


@pytest.mark.parametrize("rare", [0.5, 0.15])
def test_likely_classes_hold_the_right_one_as_often_as_they_say(rare):
    """Classes overlap: GLVQ is right on three of four only, and the sets on nine of ten."""
    X, y = mixture(300, 0, rare)
    new, truth = mixture(4000, 1, rare)
    model = GLVQ(random_state=0).fit(X, y)
    known, _ = calibrated(model, X, y, splits(300))
    assert known.by_class == (rare < 0.5)
    p = known.p_values(thoughts(model, new))
    for level in (0.8, 0.9, 0.95):
        inside = known.likely(p, level)[np.arange(4000), truth]
        # The level itself varies with the 300 held-out scores: se √(0.09 / 300) = 0.017.
        assert abs(inside.mean() - level) < 0.05
        if known.by_class:
            assert abs(inside[truth == 1].mean() - level) < 0.12
    sure = certainty(p) >= 0.9
    assert 0.2 < sure.mean() < 1.0
    wrong = model.predict(new) != truth
    assert (wrong & sure).mean() < 0.13


def test_p_values_are_those_of_the_definition():
    rng = np.random.default_rng(0)
    known = Calibration(np.array(["a", "b"]), rng.normal(size=30), np.arange(30) % 2, True)
    a = rng.normal(size=(5, 2))
    for i in range(5):
        for c in range(2):
            pool = known.scores[known.index == c]
            assert known.p_values(a)[i, c] == (1 + (pool >= a[i, c]).sum()) / (1 + len(pool))


def test_coverage_compares_every_object_with_the_others_only():
    rng = np.random.default_rng(1)
    n = 40
    a, index = rng.normal(size=(n, 2)), np.arange(n) % 2
    for by_class in (False, True):
        known = Calibration(np.arange(2), a[np.arange(n), index], index, by_class)
        (found,) = coverage(known, a, [0.9])
        right = 0
        for i in range(n):
            others = np.delete(known.scores, i)
            if by_class:
                others = others[np.delete(index, i) == index[i]]
            right += (1 + (others >= known.scores[i]).sum()) / (1 + len(others)) > 0.1 + 1e-12
        assert found.right == pytest.approx(right / n)


def rows_of(text):
    return list(csv.DictReader(text.splitlines()))


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    folder = tmp_path_factory.mktemp("table")
    X, y = make_blobs(80, centers=[[0, 0], [6, 0]], random_state=0)
    data = Dataset("vectors", X, np.array(["a", "b"])[y], features=["ph", "salt"])
    model, _, _ = fit_best(data, QUICK)
    save(model, folder / "m.skops")
    return SavedModel(folder / "m.skops"), X, folder


def test_strangers_are_noted(table):
    saved, X, folder = table
    new = np.vstack([X[:20], [[3.0, 40.0]], [[60.0, 0.0]]])
    np.savetxt(folder / "x.csv", new, delimiter=",", header="ph,salt", comments="")
    text, said = saved.predict_file(folder / "x.csv")
    rows = rows_of(text)
    assert rows[20]["note"] == (
        "far from all prototypes; beyond the range of the training data in salt"
    )
    assert rows[21]["note"].endswith("in ph")
    assert float(rows[20]["usual"]) < 0.02
    assert sum(bool(row["note"]) for row in rows[:20]) <= 1
    assert said.endswith("of 22 objects are unlike those of training: see note")
    assert all(float(row["certainty"]) > 0.9 for row in rows[:20])
    assert {row["likely"] for row in rows[:20]} <= {"a", "b", "none", "a | b"}


def test_models_of_similarities_are_sure_or_not(tmp_path):
    """Faulty before: no certainty, and no reason."""
    data = make_indefinite(60)
    model, _, _ = fit_best(data, QUICK)
    save(model, tmp_path / "m.skops")
    np.save(tmp_path / "x.npy", data.X)
    rows = rows_of(SavedModel(tmp_path / "m.skops").predict_file(tmp_path / "x.npy")[0])
    assert all(0 <= float(row["certainty"]) <= 1 for row in rows)
    assert np.mean([float(row["certainty"]) for row in rows]) > 0.5


def test_words_unlike_all_others_are_noted(tmp_path):
    data = make_families(20, n_families=3, mutation=0.1)
    model, _, _ = fit_best(data, QUICK)
    save(model, tmp_path / "m.skops")
    answers = SavedModel(tmp_path / "m.skops").answers(["x", "y"], [data.X[0], "Z" * 200])
    assert answers["note"] == ["", "far from all prototypes"]


def test_the_page_says_how_sure_predictions_are():
    X, y = mixture(120, 0)
    found = analyze(Dataset("vectors", X, y), QUICK)
    section = next(s for s in found.sections if s.title == "How sure are predictions?")
    for row in section.blocks[0].rows:
        level, right = (float(cell.split("\xa0")[0]) for cell in row[:2])
        assert abs(level - right) < 6
    assert "calibration" in found.model.trained_on_


def test_numbers_beyond_the_training_data_are_noted():
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(60, 2))
    data = Dataset("vectors", X, target=X[:, 0] + 0.05 * rng.normal(size=60), features=["u", "v"])
    found = analyze(data, QUICK)
    saved = SavedModel.__new__(SavedModel)
    saved.model, saved.trained = found.model, found.model.trained_on_
    saved.is_matrix, saved.kind = False, "vectors"
    answers = saved.answers(["a", "b"], np.array([[0.5, 0.5], [0.5, 7.0]]))
    assert answers["note"][0] == ""
    assert answers["note"][1].endswith("beyond the range of the training data in v")
    new = rng.uniform(size=(2000, 2))
    truth = new[:, 0] + 0.05 * rng.normal(size=2000)
    told = saved.answers([""] * 2000, new)
    low, high = (np.array(told[name], dtype=float) for name in ("low", "high"))
    assert abs(((low <= truth) & (truth <= high)).mean() - SHARE) < 0.1


def test_the_limit_of_what_is_usual():
    assert usual_limit(np.arange(1.0, 200.0)) == 198.0  # two of 199 may be farther
    assert usual_limit(np.arange(1.0, 11.0)) == 15.0


def test_precomputed_proximities_are_cut_in_rows_and_columns():
    data = make_indefinite(40)
    y = np.asarray(data.labels)
    model = ProximityLVQ(random_state=0).fit(data.X, y)
    known, a = calibrated(model, data.X, y, splits(40))
    train, test = splits(40)[0]
    fitted = ProximityLVQ(random_state=0).fit(data.X[np.ix_(train, train)], y[train])
    np.testing.assert_allclose(a[: len(test)], fitted.nonconformity(data.X[np.ix_(test, train)]))
    assert known.nearest is None  # similarities of new objects to themselves are unknown
