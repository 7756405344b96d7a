"""Certainty, rejection and novelty of prototype classifiers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from scipy.stats import binom
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.metrics.pairwise import nan_euclidean_distances
from sklearn.preprocessing import StandardScaler

import noneuclid
from noneuclid.prototypes import (
    GLVQ,
    GMLVQ,
    RSLVQ,
    KernelGLVQ,
    MedianLVQ,
    ProximityLVQ,
    RelationalGLVQ,
    choose_thresholds,
    compact,
    sparsify,
)
from noneuclid.prototypes.classifiers import PrototypeClassifier
from noneuclid.prototypes.rejection import NEVER, least_threshold, upper_bound
from noneuclid.testing import all_estimators

RNG = np.random.default_rng(0)
Y = np.arange(120) % 3
X = RNG.normal(size=(120, 4)) + 1.5 * np.eye(3, 4)[Y]
CLASSIFIERS = [cls for cls in all_estimators() if issubclass(cls, PrototypeClassifier)]


def fitted(cls):
    model = cls(max_epochs=3, random_state=0)
    if cls in (MedianLVQ, ProximityLVQ):
        model.set_params(metric="sqeuclidean", proximity="dissimilarity")
    return model.fit(X, Y)


# --- thresholds -----------------------------------------------------------------------------------


@given(
    sure=st.lists(st.sampled_from([0.0, 0.1, 0.2, 0.3, 0.5, 0.8, 1.0]), max_size=12),
    seed=st.integers(0, 100),
    risk=st.sampled_from([0.0, 0.1, 0.25, 0.5]),
)
def test_no_lower_threshold_would_do(sure, seed, risk):
    """Against all thresholds there are."""
    sure = np.array(sure)
    right = np.random.default_rng(seed).random(len(sure)) < 0.6
    found = least_threshold(sure, right, risk)

    def share(t):
        accepted = sure >= t
        return (~right)[accepted].mean() if accepted.any() else 0.0

    if found < NEVER:
        assert share(found) <= risk + 1e-12
        assert found == 0 or (sure >= found).any()
    lower = [t for t in np.unique(sure) if t < found]
    assert all(share(t) > risk for t in lower)


def test_the_bound_is_that_of_binomial_tails():
    for wrong, n, delta in ((0, 30, 0.05), (3, 40, 0.1), (7, 9, 0.01)):
        p = upper_bound(wrong, n, delta)
        assert binom.cdf(wrong, n, p) == pytest.approx(delta)
    assert upper_bound(5, 5, 0.1) == 1.0


def test_a_bound_that_holds_with_high_probability():
    """Errors rise as certainty falls; in 9 of 10 draws at least the true risk is below 10 %."""
    held = []
    for seed in range(200):
        rng = np.random.default_rng(seed)
        sure = rng.random(400)
        right = rng.random(400) < 0.6 + 0.4 * sure
        t = least_threshold(sure, right, 0.1, delta=0.1)
        held.append(t == NEVER or 0.4 * (1 - (1 + t) / 2) <= 0.1)
    assert np.mean(held) >= 0.9
    assert least_threshold(np.ones(5), np.ones(5, dtype=bool), 0.1, delta=0.1) == NEVER


@pytest.mark.parametrize("delta", [None, 0.1])
def test_the_wanted_risk_is_met_for_every_class(delta):
    rows, y = load_breast_cancer(return_X_y=True)
    rows = StandardScaler().fit_transform(rows)[:, :6]
    order = np.random.default_rng(0).permutation(len(y))
    train, held = order[:150], order[150:]
    for model in (GLVQ(random_state=0), RSLVQ(random_state=0), LogisticRegression()):
        model.fit(rows[train], y[train])
        least = choose_thresholds(model, rows[held], y[held], risk=0.05, delta=delta)
        assert list(least) == [0, 1]
        if hasattr(model, "certainty"):
            said = model.predict_or_reject(rows[held], threshold=least)
            assert (said != -1).mean() > 0.3
            for c in (0, 1):
                assert (y[held] != c)[said == c].sum() <= 0.05 * (said == c).sum()
            as_array = model.predict_or_reject(rows[held], threshold=list(least.values()))
            np.testing.assert_array_equal(said, as_array)


def test_labels_that_the_model_does_not_know():
    model = GLVQ(random_state=0).fit(X, Y)
    for labels, first in ((Y + 10, "10"), (Y.astype(str), "'0'")):
        with pytest.raises(
            ValueError, match=rf"y holds no class of the model, but {first}, .*1, 2"
        ):
            choose_thresholds(model, X, labels)
    some = np.where(np.arange(120) < 5, 9, Y)  # errors, like others
    assert choose_thresholds(model, X, some, risk=0.3)[0] < NEVER


def test_too_few_samples_for_a_bound_are_named_once():
    model = GLVQ(random_state=0).fit(X, Y)
    with pytest.warns(UserWarning, match="too few samples for risk .*: class 0 is pred") as said:
        least = choose_thresholds(model, X[:12], Y[:12], risk=0.05, delta=0.1)
    assert len(said) == 1
    assert "3 of 3 classes" in str(said[0].message)
    assert set(least.values()) == {NEVER}
    assert least_threshold(np.empty(0), np.empty(0, dtype=bool), 0.1, delta=0.1) == NEVER
    assert least_threshold(np.empty(0), np.empty(0, dtype=bool), 0.1) == 0.0


def test_bad_thresholds_are_named():
    model = GLVQ(random_state=0).fit(X, Y)
    with pytest.raises(ValueError, match=r"threshold \(=\[0.1, 0.2\]\) must be .* 3 classes"):
        model.predict_or_reject(X, threshold=[0.1, 0.2])
    with pytest.raises(ValueError, match="threshold has no entry of class 2"):
        model.predict_or_reject(X, threshold={0: 0.1, 1: 0.1})
    with pytest.raises(ValueError, match=r"threshold \(=2\) must be a number between 0 and 1"):
        model.predict_or_reject(X, threshold=2)
    with pytest.raises(ValueError, match=r"risk \(=2\)"):
        choose_thresholds(model, X, Y, risk=2)
    with pytest.raises(TypeError, match="must have certainty or predict_proba"):
        choose_thresholds(RidgeClassifier().fit(X, Y), X, Y)
    with pytest.raises(ValueError, match="inconsistent"):
        choose_thresholds(model, X, Y[:5])


def test_what_is_predicted_well_is_not_rejected():
    """0.9 of the relative margin, the default it was, rejected all of wine."""
    rows, y = load_wine(return_X_y=True)
    rows = StandardScaler().fit_transform(rows)
    model = GLVQ(random_state=0).fit(rows[::2], y[::2])
    assert (model.predict_or_reject(rows, threshold=0.9) == -1).all()
    said = model.predict_or_reject(rows[1::2])
    assert (said == y[1::2]).mean() > 0.95
    # where classes overlap, those between them are rejected, and those that are left are right
    model = GLVQ(random_state=0).fit(X, Y)
    said, certain = model.predict_or_reject(X), model.certainty(X)
    assert 0.05 < (said == -1).mean() < 0.8
    assert (said == Y)[said != -1].mean() >= 0.95 > model.score(X, Y)
    assert certain[said == -1].mean() < certain[said != -1].mean()
    assert (RSLVQ(random_state=0).fit(X, Y).predict_or_reject(X) == -1).any()


def test_words_are_rejected_in_words():
    names = np.array(["a", "b", "c"])[Y]
    model = GLVQ(random_state=0).fit(X, names)
    said = model.predict_or_reject(X, threshold={"a": NEVER, "b": 0.0, "c": 0.0})
    assert set(said) == {"reject", "b", "c"}


# --- certainty where distances are not known --------------------------------------------------


def test_similarities_without_self_similarities_have_a_certainty():
    model = ProximityLVQ(random_state=0).fit(X @ X.T, Y)
    same = KernelGLVQ(kernel="linear", random_state=0).fit(X, Y)
    sure = model.certainty(X @ X.T)
    assert ((sure >= 0) & (sure <= 1)).all()
    W = same.coefficients_ @ X
    D = np.sort(cdist(X, W, "sqeuclidean"), axis=1)
    typical = np.median(D[:, 0] + D[:, 1])
    np.testing.assert_allclose(sure, np.minimum((D[:, 1] - D[:, 0]) / typical, 1.0), atol=1e-9)
    assert (model.predict_or_reject(X @ X.T) == Y).mean() > 0.2
    with pytest.raises(ValueError, match="self-similarities"):
        model.outlyingness(X @ X.T)
    far = model.outlyingness(X @ X.T, self_similarity=(X**2).sum(axis=1))
    np.testing.assert_allclose(far, same.outlyingness(X))


# --- novelty --------------------------------------------------------------------------------------


@pytest.mark.parametrize("cls", CLASSIFIERS)
def test_outlyingness_counts_training_objects_that_are_nearer(cls):
    model = fitted(cls)
    nearest = model.transform(X).min(axis=1)
    expected = [(nearest < d - 1e-9 * np.abs(nearest).max()).mean() for d in nearest]
    np.testing.assert_allclose(model.outlyingness(X), expected)
    strange = X[:5] + 100.0
    bounded = cls.__name__ in ("KernelGLVQ", "KernelRSLVQ")  # all are far in a Gaussian's space
    assert (model.outlyingness(strange) >= (0.9 if bounded else 1.0)).all()


@pytest.mark.parametrize("params", [{}, {"n_landmarks": 15}])
def test_novel_objects_among_proximities(params):
    words = ["abcabcab", "abcabcaa", "abcabccb", "bcdbcdbc", "bcdbcdbb", "bcdbcddc"] * 6
    y = np.tile([0, 0, 0, 1, 1, 1], 6)
    model = RelationalGLVQ(metric="levenshtein", random_state=0, **params).fit(words, y)
    assert model.outlyingness(["zzzzzzzzzzzz"])[0] == 1.0
    assert model.outlyingness(["abcabcab"])[0] < 0.9
    P = cdist(X, X, "sqeuclidean")
    given = ProximityLVQ(proximity="dissimilarity", random_state=0, **params).fit(P, Y)
    assert (given.outlyingness(cdist(X[:3] + 50.0, X, "sqeuclidean")) == 1.0).all()


def test_what_is_kept_is_bounded_and_saved(tmp_path):
    rng = np.random.default_rng(0)
    many, y = rng.normal(size=(20_000, 2)), rng.integers(2, size=20_000)
    model = GLVQ(random_state=0, max_epochs=2).fit(many, y)
    assert len(model.nearest_distances_) == 1_000
    nearest = np.sort(model.transform(many).min(axis=1))
    exact = np.searchsorted(nearest, nearest) / len(nearest)
    assert (
        np.abs(
            model.outlyingness(many)[np.argsort(model.transform(many).min(axis=1))] - exact
        ).max()
        < 0.02
    )
    noneuclid.save(model, tmp_path / "model.skops")
    again = noneuclid.load(tmp_path / "model.skops")
    np.testing.assert_array_equal(again.outlyingness(many[:50]), model.outlyingness(many[:50]))
    del again.nearest_distances_
    with pytest.raises(AttributeError, match="earlier version"):
        again.outlyingness(many)


def test_other_prototypes_have_other_distances():
    D = cdist(X, X, "sqeuclidean")
    model = ProximityLVQ(proximity="dissimilarity", random_state=0).fit(D, Y)
    few = sparsify(model, k=1)
    nearest = np.sort(few.transform(D).min(axis=1))
    np.testing.assert_allclose(few.nearest_distances_, nearest, atol=1e-9)
    small = compact(few)
    np.testing.assert_array_equal(small.nearest_distances_, few.nearest_distances_)


def test_online_and_in_blocks():
    da = pytest.importorskip("dask.array")
    model = GLVQ(random_state=0, solver="sgd").partial_fit(X, Y)
    assert (model.outlyingness(X + 100.0) == 1.0).all()
    lazy = GLVQ(random_state=0).fit(da.from_array(X, chunks=(40, 4)), da.from_array(Y, chunks=40))
    said = lazy.outlyingness(da.from_array(X + 100.0, chunks=(40, 4)))
    assert (said.compute() == 1.0).all()
    assert GMLVQ(random_state=0).fit(X, Y).outlyingness(X).max() < 1


# --- gaps -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("cls", [GLVQ, RSLVQ])
def test_gaps_make_nothing_typical(cls):
    """A squared distance over some features stands for one over all, as scikit-learn has it."""
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(300, 8)) + 3.0 * np.eye(3, 8)[np.arange(300) % 3]
    y = np.arange(300) % 3
    model = cls(random_state=0).fit(rows, y)
    gaps = np.where(rng.random(rows.shape) < 0.5, np.nan, rows)
    gaps[:, 0] = rows[:, 0]  # no row is empty
    nearest = nan_euclidean_distances(gaps, model.prototypes_, squared=True).min(axis=1)
    share = (model.nearest_distances_ < nearest[:, None]).mean(axis=1)
    np.testing.assert_allclose(model.outlyingness(gaps), share, atol=1.5 / 300)  # of ties
    assert model.outlyingness(gaps).mean() > 0.35  # 0.1 over what is there alone
    learned = cls(random_state=0).fit(gaps, y)
    assert abs(learned.outlyingness(gaps).mean() - 0.5) < 0.01
    assert np.median(learned.nearest_distances_) > 0.6 * np.median(model.nearest_distances_)


def test_a_row_without_any_value_is_refused():
    model, rows = GLVQ(random_state=0).fit(X, Y), X[:4].copy()
    rows[1, :3] = rows[2] = np.nan
    decisions = (
        *(model.predict, model.transform, model.certainty, model.decision_function),
        *(model.outlyingness, model.nonconformity, model.predict_or_reject),
    )
    for decide in decisions:
        with pytest.raises(ValueError, match="row 2 of X holds nothing but NaN"):
            decide(rows)
        assert len(decide(rows[:2])) == 2
    with pytest.raises(ValueError, match="row 2 of X holds nothing but NaN"):
        RSLVQ(random_state=0).fit(X, Y).predict_proba(rows)


def test_learning_passes_over_rows_without_any_value():
    rows = np.vstack([X, np.full((12, 4), np.nan)])
    y = np.append(Y, np.arange(12) % 3)
    model = RSLVQ(random_state=0).fit(rows, y)
    assert len(model.nearest_distances_) == 120
    assert model.nearest_distances_.min() > 0
    with pytest.raises(ValueError, match="row 120 of X holds nothing but NaN"):
        GLVQ(n_prototypes="auto", random_state=0).fit(rows, y)


@pytest.mark.parametrize(
    ("classes", "reject_label", "expected"),
    [
        (np.array([0, 255], dtype=np.uint8), None, -1),
        (np.array([0, 1], dtype=np.int8), 300, 300),
        (np.array([False, True]), None, "reject"),
        (np.array([0, 1]), "no", "no"),
        (np.array(["2020-01-01", "2020-01-02"], dtype="datetime64[D]"), None, "reject"),
        (np.array([0, 2**63], dtype=np.uint64), None, -1),
        (np.array(["a", "b"]), None, "reject"),
    ],
    ids=str,
)
def test_answers_hold_classes_and_the_reject_label_as_they_are(classes, reject_label, expected):
    model = GLVQ(random_state=0).fit(X, classes[np.minimum(Y, 1)])
    options = {} if reject_label is None else {"reject_label": reject_label}
    none = model.predict_or_reject(X, threshold=1.0, **options)
    assert set(none.tolist()) == {expected}
    every = model.predict_or_reject(X, threshold=0.0, **options)
    assert every.tolist() == list(model.predict(X).astype(every.dtype))
    assert set(every.tolist()) == set(classes.astype(every.dtype).tolist())


def test_a_stream_of_single_samples_remembers_the_earlier_ones():
    order = np.random.default_rng(0).permutation(len(X))
    model = GLVQ(random_state=0).partial_fit(X[order[:30]], Y[order[:30]])
    for i in order[30:]:
        model.partial_fit(X[i : i + 1], Y[i : i + 1])
    assert len(model.nearest_distances_) == len(X)
    assert (model.outlyingness(X) > 0.99).mean() < 0.05
    once = GLVQ(random_state=0).fit(X, Y)
    before = len(once.nearest_distances_)
    assert len(once.partial_fit(X[:1], Y[:1]).nearest_distances_) == before + 1


def test_samples_without_weight_tell_nothing_of_new_ones():
    rng = np.random.default_rng(1)
    more, labels = 9 * rng.normal(size=(300, 4)), rng.integers(0, 3, 300)
    weights = np.r_[np.ones(len(X)), np.zeros(300)]
    given = np.vstack([X, more]), np.r_[Y, labels], weights
    alone, beside = GLVQ(init=X[:3]).fit(X, Y), GLVQ(init=X[:3]).fit(*given)
    np.testing.assert_allclose(beside.transform(X), alone.transform(X), rtol=1e-6)
    np.testing.assert_allclose(beside.reject_thresholds_, alone.reject_thresholds_, atol=1e-6)
    np.testing.assert_allclose(beside.outlyingness(3 * X), alone.outlyingness(3 * X), atol=0.02)
    relational = RelationalGLVQ(random_state=0).fit(*given)
    assert len(relational.nearest_distances_) == len(X)
    assert len(sparsify(relational, method="hull", k=2).nearest_distances_) == len(X)


def test_thresholds_are_of_the_certainty_that_is_known_of_new_objects():
    """Self-similarities of new objects are not known from a matrix: leads are compared."""
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(200, 2)) * rng.gamma(1, 2, size=(200, 1))
    y = (rows[:, 0] + rng.normal(size=200) > 0).astype(int)
    for kernel, P in (("precomputed", rows @ rows.T), ("linear", rows)):
        model = KernelGLVQ(kernel=kernel, random_state=0).fit(P, y)
        said = model.predict_or_reject(P)
        assert 0.05 < (said != -1).mean() < 0.95
        for c in (0, 1):
            assert (y[said == c] != c).mean() <= 0.05
        assert 0.0 <= model.certainty(P).min() <= model.certainty(P).max() <= 1.0
