"""The search over geometries: who wins, by how much, and that no choice has seen the test."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t as student
from scipy.stats import ttest_1samp
from sklearn.datasets import load_iris
from sklearn.feature_selection import SelectKBest
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from noneuclid import load, save
from noneuclid.curves import Curves
from noneuclid.datasets import make_families, make_spectra
from noneuclid.kernels import Gaussian, Laplacian
from noneuclid.prototypes import GLVQ, RelationalGLVQ
from noneuclid.search import GeometrySearch, usual_geometries, usual_learners
from noneuclid.search.candidates import Candidate, in_geometry
from noneuclid.search.differences import compared, difference, is_clear
from noneuclid.search.racing import Rules, race
from noneuclid.spaces import Lp, Sobolev

SPECTRA = make_spectra(60, random_state=0)
PAIR = {"l2": "l2", "sobolev": Sobolev(spacing="unit")}
TWO = {"estimators": GLVQ(random_state=0), "geometries": PAIR, "cv": 3}


@pytest.fixture(scope="module")
def search():
    return GeometrySearch(**TWO, random_state=0).fit(SPECTRA.X, SPECTRA.labels)


def test_the_geometry_that_sees_the_line_wins(search):
    assert search.best_name_ == "GLVQ, sobolev"
    assert search.task_ == "classification"
    table = pd.DataFrame(search.results_)
    assert table.geometry.tolist() == ["sobolev", "l2"]
    assert table.score[0] > table.score[1] + 0.1
    assert search.summary().startswith("GLVQ, sobolev is best: ")
    assert search.predict(SPECTRA.X).tolist() == search.best_estimator_.predict(SPECTRA.X).tolist()
    assert search.score(SPECTRA.X, SPECTRA.labels) > 0.9
    assert search.classes_.tolist() == np.unique(SPECTRA.labels).tolist()


def test_where_it_looks(search):
    line = (SPECTRA.grid > 865) & (SPECTRA.grid < 915)
    assert search.attention_[line].mean() > 1.5
    assert search.attention_.mean() == pytest.approx(1.0)


def test_it_is_kept_in_files(search, tmp_path):
    save(search, tmp_path / "s.skops")
    again = load(tmp_path / "s.skops")
    assert again.predict(SPECTRA.X).tolist() == search.predict(SPECTRA.X).tolist()


def test_classes_that_are_noise_look_like_noise():
    """Chosen on the samples that judge, the best of many candidates would look better than 1/2."""
    rng = np.random.default_rng(0)
    scores = []
    for seed in range(4):
        X, y = rng.normal(size=(60, 6)), np.arange(60) % 2
        found = GeometrySearch(estimators=SVC(), geometries=["l1", "l2", "linf"], random_state=seed)
        scores.append(found.fit(X, y).score_)
    assert abs(np.mean(scores) - 0.5) < 0.1


def test_differences_are_those_of_a_corrected_test():
    rng = np.random.default_rng(0)
    gaps = rng.normal(0.1, 0.2, 10)
    mean, error, pvalue = difference(gaps, 0.0)  # without overlap: the plain test
    assert pvalue == pytest.approx(ttest_1samp(gaps, 0).pvalue, rel=1e-10)
    assert mean == pytest.approx(gaps.mean())
    assert error == pytest.approx(gaps.std(ddof=1) / np.sqrt(10))
    assert difference(gaps, 1 / 9)[1] > error
    assert difference(np.zeros(3), 0.5) == (0.0, 0.0, 1.0)
    assert np.isnan(difference(np.array([0.3]), 0.5)[2])


def test_rows_of_those_that_met_no_test_part_come_last():
    a, b, c = (Candidate("x", name, None, None) for name in "abc")
    scores = {a: np.full(3, np.nan), b: np.array([0.5, 0.6, 0.7]), c: np.array([0.9, np.nan, 0.8])}
    rows, ordered = compared(b, scores, 0.5)
    np.testing.assert_array_equal(ordered, [scores[b], scores[c], scores[a]])
    assert rows["geometry"].tolist() == ["b", "c", "a"]
    assert rows["folds"].tolist() == [3, 2, 0]
    assert rows["difference"][1] == pytest.approx(0.25)


def test_a_race_drops_the_worst_on_few_samples():
    rules = Rules(2, 3, 10, "accuracy", True, None, 0)
    assert rules.sizes(9, 100) == [33, 100]
    assert rules.sizes(30, 1000) == [37, 111, 333, 1000]
    assert rules.sizes(3, 100) == [100]
    assert Rules(2, 1, 10, "accuracy", True, None, 0).sizes(99, 1000) == [1000]
    spaces = {f"l{p}": Lp(p) for p in (1, 1.25, 1.5, 2, 3)} | {"sobolev": Sobolev(spacing="unit")}
    entered = [Candidate("GLVQ", n, GLVQ(random_state=0), s) for n, s in spaces.items()]
    last = race(entered, SPECTRA.X, np.asarray(SPECTRA.labels), rules)
    assert len(last) == 2
    assert next(iter(last)).geometry == "sobolev"


def test_numbers_as_targets():
    rng = np.random.default_rng(0)
    t = np.linspace(0, 1, 40)
    level, slope = rng.normal(0, 30, (50, 1)), rng.uniform(0.5, 1.5, (50, 1))
    X = level + slope * np.sin(6 * t)
    learners = {"ridge": GridSearchCV(KernelRidge(), {"alpha": [0.01, 0.1]}, cv=3)}
    found = GeometrySearch(estimators=learners, geometries=PAIR, random_state=0)
    found.fit(X, slope.ravel())
    assert found.task_ == "regression"
    assert found.best_name_ == "ridge, sobolev"
    assert found.score_ > 0.8
    assert not hasattr(found, "classes_")


def test_words_and_curves_with_gaps():
    words = make_families(8, n_families=2, random_state=0)
    found = GeometrySearch(cv=2, geometries=["levenshtein", "indel"], random_state=0)
    assert found.fit(words.X, words.labels).kind_ == "sequences"
    assert found.score_ > 0.8
    assert found.attention_ is None
    curves = Curves([(SPECTRA.grid[i % 2 :: 2], x[i % 2 :: 2]) for i, x in enumerate(SPECTRA.X)])
    found = GeometrySearch(**TWO, random_state=0).fit(curves, SPECTRA.labels)
    assert found.best_name_ == "GLVQ, sobolev"
    assert found.predict(curves[:3]).shape == (3,)


def test_learners_are_put_into_geometries():
    X = np.random.default_rng(0).normal(size=(20, 4))
    inside = in_geometry(make_pipeline(StandardScaler(), SVC()), "l1", X).steps[-1][1].kernel
    assert isinstance(inside, Laplacian)
    scaled = StandardScaler().fit_transform(X)
    assert inside.width == Laplacian(width="median", space="l1").resolve(scaled).width
    assert np.linalg.eigvalsh(inside(scaled)).min() > 0
    search = GridSearchCV(GLVQ(), {"n_prototypes": [1, 2]})
    assert in_geometry(search, Lp(1.5), X).estimator.space.p == 1.5
    assert search.estimator.space == "l2"
    assert in_geometry(RelationalGLVQ(), "levenshtein", ["a", "b"]).metric == "levenshtein"
    assert in_geometry(SVC(), Gaussian(width="median"), X).kernel.width > 0


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"estimators": DecisionTreeClassifier()}, "DecisionTreeClassifier does not take the geo"),
        ({"geometries": []}, r"geometries \(=\[\]\) must be \"auto\" or a list or a dictionary"),
        ({"geometries": ["l0"]}, "GLVQ does not take the geometry 'l0'"),
        ({"cv": 1}, r"cv \(=1\) must be an integer, at least 2"),
        ({"kind": "graphs"}, r"kind \(='graphs'\) must be one of"),
    ],
)
def test_what_does_not_fit_is_said_before_any_work(options, sentence):
    given = {"estimators": GLVQ(), "geometries": ["l2"]} | options
    with pytest.raises(ValueError, match=sentence):
        GeometrySearch(**given).fit(SPECTRA.X, SPECTRA.labels)


def test_targets_are_checked():
    with pytest.raises(ValueError, match="the target y is None"):
        GeometrySearch().fit(SPECTRA.X, None)
    with pytest.raises(ValueError, match="60 samples, but y has 59"):
        GeometrySearch().fit(SPECTRA.X, SPECTRA.labels[1:])


def test_usual_parts_fit_together():
    for kind in ("vectors", "curves", "sequences"):
        X = (
            ["ab", "b", "abc"] * 9
            if kind == "sequences"
            else np.random.default_rng(0).normal(size=(27, 20))
        )
        for task in ("classification", "regression"):
            for learner in usual_learners(kind, task, 0).values():
                for part in usual_geometries(kind).values():
                    assert in_geometry(learner, part, X) is not learner


def test_groups_are_not_divided():
    rng = np.random.default_rng(0)
    X = np.repeat(rng.normal(size=(30, 4)), 3, axis=0) + 0.01 * rng.normal(size=(90, 4))
    y, groups = np.repeat(rng.permutation([0, 1] * 15), 3), np.repeat(np.arange(30), 3)
    options = {"estimators": SVC(C=100.0), "geometries": ["l2", "l1"], "random_state": 0}
    assert GeometrySearch(**options).fit(X, y).score_ > 0.95  # replicates leak
    assert GeometrySearch(**options).fit(X, y, groups).score_ < 0.75
    with pytest.raises(ValueError, match=r"groups has shape \(89,\), but there are 90"):
        GeometrySearch(**options).fit(X, y, groups[1:])


@pytest.mark.parametrize(
    ("y", "sentence"),
    [
        (np.zeros(30, int), "y has one class only"),
        (np.r_[np.zeros(28, int), 1, 1], "class 1 has 2 of the samples: nested folds need"),
        (np.linspace(0, 1, 30), "y holds numbers, which GLVQ does not predict"),
    ],
)
def test_what_cannot_be_judged_is_said_before_any_work(y, sentence):
    with pytest.raises(ValueError, match=sentence):
        GeometrySearch(estimators=GLVQ(), geometries=["l2"]).fit(SPECTRA.X[:30], y)
    with pytest.raises(ValueError, match="needs at least 8 samples, not 5"):
        GeometrySearch().fit(SPECTRA.X[:5], [0, 1, 0, 1, 0])


def test_parts_that_are_given_are_those_that_judge():
    X, y = SPECTRA.X, np.asarray(SPECTRA.labels)
    rng = np.random.default_rng(1)
    parts = [tuple(np.split(rng.permutation(60), [40])) for _ in range(3)]
    found = GeometrySearch(**TWO | {"cv": parts}, random_state=0).fit(X, y)
    for k, (train, test) in enumerate(parts):
        for row, name in enumerate(found.results_["geometry"]):
            model = GLVQ(space=PAIR[name], random_state=0).fit(X[train], y[train])
            assert found.split_scores_[row, k] == model.score(X[test], y[test])
    assert found.test_scores_.mean() == found.score_
    with pytest.raises(ValueError, match="cv names sample 60, but there are 60"):
        GeometrySearch(**TWO | {"cv": [([0], [60]), ([1], [2])]}).fit(X, y)
    with pytest.raises(ValueError, match="not indices"):
        GeometrySearch(**TWO | {"cv": [([0.5], [1]), ([1], [2])]}).fit(X, y)


def test_races_on_few_samples_and_winners_on_all():
    seen = []

    class Counting(GLVQ):
        def fit(self, X, y):
            seen.append(len(X))
            return super().fit(X, y)

    y = np.asarray(SPECTRA.labels)
    options = TWO | {"estimators": Counting(random_state=0)}
    GeometrySearch(**options, inner_cv=2, max_samples=20, random_state=0).fit(SPECTRA.X, y)
    assert sorted(set(seen)) == [10, 40, 60]
    assert seen.count(60) == 1
    assert Rules(2, 3, 10, "accuracy", True, None, 0, most=60).sizes(9, 1000) == [20, 60]


@pytest.mark.parametrize("offset", [0.0, 1e4])
def test_the_origin_of_numbers_does_not_matter(offset):
    """Faulty before: kernel ridge has no intercept, and lost against everything far from 0."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3))
    y = np.sin(X[:, 0]) + 0.5 * X[:, 1] + 0.05 * rng.normal(size=80) + offset
    search = GeometrySearch(geometries=["l2"], cv=2, random_state=0).fit(X, y)
    scores = dict(zip(search.results_["learner"], search.results_["score"]))
    assert scores["kernel ridge"] > 0.9
    assert search.best_estimator_.predict(X) == pytest.approx(y, abs=0.7)


def test_steps_of_pipelines_do_nothing_or_learn_from_y():
    """Faulty before: other words than ours, and y was said to be missing."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(90, 8)), np.arange(90) % 3
    X[:, 2] += 2 * y
    geometries = {"geometries": ["l1", "l2"], "cv": 2, "random_state": 0}
    idle = Pipeline([("nothing", "passthrough"), ("learner", GLVQ(random_state=0))])
    assert GeometrySearch(estimators=idle, **geometries).fit(X, y).score_ > 0.6
    choosing = make_pipeline(SelectKBest(k=1), GLVQ(random_state=0))
    order = np.argsort(y, kind="stable")
    search = GeometrySearch(estimators=choosing, **geometries).fit(X[order], y[order])
    assert search.best_estimator_[0].get_support().tolist() == [k == 2 for k in range(8)]
    cv = [(train, test) for train, test in StratifiedKFold(2).split(X, y)]
    given = GeometrySearch(estimators=choosing, geometries=["l2"], cv=cv, random_state=0)
    alone = cross_val_score(choosing, X, y, cv=cv)
    np.testing.assert_array_equal(given.fit(X, y).split_scores_[0], alone)


def test_metrics_of_other_learners_may_have_names_of_spaces():
    X, y = np.random.default_rng(0).normal(size=(60, 2)), np.arange(60) % 2
    X[:, 0] += 3 * y
    names = ["euclidean", "manhattan", "l1"]
    model = KNeighborsClassifier()
    search = GeometrySearch(estimators=model, geometries=names, cv=2, random_state=0).fit(X, y)
    assert search.best_estimator_.metric in names


@pytest.mark.parametrize(
    ("gaps", "pvalue"), [([1.0, 1.0], 0.5), ([-0.2] * 5, 0.0625), ([0.0, 0.0], 1.0)]
)
def test_equal_gaps_are_judged_by_their_signs(gaps, pvalue):
    """Student's t would say p = 0 of two test parts on which one object decided."""
    assert difference(np.array(gaps), 0.25)[2] == pytest.approx(pvalue)


def test_the_error_counts_the_parts_that_both_met():
    gaps = np.array([0.0, -1 / 30])
    mean, error, pvalue = difference(gaps, 0.25)
    assert error == pytest.approx(np.sqrt((1 / 2 + 0.25) * gaps.var(ddof=1)))
    assert pvalue == pytest.approx(2 * student.sf(abs(mean / error), 1))
    assert not is_clear(gaps, 0.25)
    assert is_clear(np.array([0.1, 0.11, 0.09, 0.1, 0.12]), 0.25)


def test_test_parts_are_not_seen_and_groups_stay_together():
    X, y = load_iris(return_X_y=True)
    every, half = np.arange(150), np.arange(0, 150, 2)
    with pytest.raises(ValueError, match=r"cv\[0\] tests on samples that it learns from"):
        GeometrySearch(cv=[(every, every), (every, every)]).fit(X, y)
    parts = [(half, half + 1), (half + 1, half)]
    with pytest.raises(ValueError, match=r"cv\[0\] divides a group"):
        GeometrySearch(cv=parts).fit(X, y, groups=every // 2)
