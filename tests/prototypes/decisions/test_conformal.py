"""Sets and intervals that hold the right answer: against their definition, and by counting."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyRegressor
from sklearn.frozen import FrozenEstimator
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from benchmark_data import load
from noneuclid.pca import SubspaceClassifier
from noneuclid.prototypes import (
    GLVQ,
    RSLVQ,
    ConformalClassifier,
    ConformalRegressor,
    KernelGLVQ,
    MedianLVQ,
    ProximityLVQ,
    RelationalGLVQ,
    RelationalRSLVQ,
)
from noneuclid.prototypes.classifiers import PrototypeClassifier
from noneuclid.prototypes.decisions.ranks import fewest, n_exceeding, upper_quantile
from noneuclid.testing import all_estimators

RNG = np.random.default_rng(0)
Y = np.arange(120) % 3
X = RNG.normal(size=(120, 4)) + 1.2 * np.eye(3, 4)[Y]
NEW = RNG.normal(size=(40, 4)) + 1.2 * np.eye(3, 4)[np.arange(40) % 3]
CLASSIFIERS = [cls for cls in all_estimators() if issubclass(cls, PrototypeClassifier)]


def objects_for(cls):
    """A model that takes rows, quick to learn."""
    model = cls(max_epochs=3, random_state=0)
    return (
        model.set_params(metric="sqeuclidean", proximity="dissimilarity")
        if cls in (MedianLVQ, ProximityLVQ)
        else model
    )


# --- ranks --------------------------------------------------------------------------------------


@given(n=st.integers(1, 400), parts=st.integers(1, 99))
def test_the_quantile_is_the_smallest_rank_that_covers(n, parts):
    """In whole numbers, where nothing is rounded: k/(n+1) ≥ 1 − parts/100."""
    k = next((k for k in range(1, n + 1) if 100 * k >= (100 - parts) * (n + 1)), None)
    assert n_exceeding(n, parts / 100) == (0 if k is None else n + 1 - k)
    assert (k is None) == (n < fewest(parts / 100))
    values = np.random.default_rng(n).permutation(n) + 1.0
    assert upper_quantile(values, parts / 100) == (np.inf if k is None else k)


# --- sets ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("conditional", [False, True])
def test_sets_are_their_definition(conditional):
    model = ConformalClassifier(
        RSLVQ(random_state=0), alpha=0.2, class_conditional=conditional, random_state=1
    ).fit(X, Y)
    held = model.calibration_indices_
    assert sorted([*held, *model.training_indices_]) == list(range(120))
    assert len(held) == 30
    inner = RSLVQ(random_state=0).fit(X[model.training_indices_], Y[model.training_indices_])
    a = 1.0 - inner.predict_proba(X[held])[np.arange(30), Y[held]]
    expected = np.empty((40, 3))
    for i, probabilities in enumerate(inner.predict_proba(NEW)):
        for c in range(3):
            pool = a[Y[held] == c] if conditional else a
            expected[i, c] = (1 + sum(pool >= 1.0 - probabilities[c] - 1e-12)) / (len(pool) + 1)
    np.testing.assert_allclose(model.p_values(NEW), expected)
    np.testing.assert_array_equal(model.predict_set(NEW), expected > 0.2)
    np.testing.assert_array_equal(model.predict_set(NEW, alpha=0.4), expected > 0.4)
    np.testing.assert_array_equal(model.predict(NEW), inner.predict(NEW))
    np.testing.assert_array_equal(model.classes_, [0, 1, 2])


@pytest.mark.parametrize("cls", CLASSIFIERS)
def test_every_prototype_classifier_has_sets(cls):
    model = ConformalClassifier(objects_for(cls), random_state=0).fit(X, Y)
    sets, p = model.predict_set(NEW), model.p_values(NEW)
    np.testing.assert_array_equal(sets, p > 0.1)
    assert sets.any(axis=1).mean() > 0.8
    assert not sets.all()
    # the predicted class is the most credible one
    best = p[np.arange(40), np.searchsorted(model.classes_, model.predict(NEW))]
    np.testing.assert_array_equal(best, p.max(axis=1))


@pytest.mark.parametrize(
    "inner",
    [
        LogisticRegression(),
        SVC(),
        SVC(decision_function_shape="ovo", break_ties=False),
        SubspaceClassifier(),
        make_pipeline(StandardScaler(), GLVQ(random_state=0)),
    ],
)
def test_any_classifier_with_scores_will_do(inner):
    sets = ConformalClassifier(inner, random_state=0).fit(X[Y < 2], Y[Y < 2]).predict_set(NEW)
    assert sets.shape == (40, 2)
    if not isinstance(inner, SVC):
        model = ConformalClassifier(inner, random_state=0).fit(X, Y)
        assert (model.predict_set(NEW).sum(axis=1) >= 1).mean() > 0.8


def test_the_scores_of_glvq_are_its_margins():
    model = GLVQ(n_prototypes=2, random_state=0).fit(X, Y)
    D = cdist(NEW, model.prototypes_, "sqeuclidean")
    for c in range(3):
        own = D[:, model.prototype_labels_ == c].min(axis=1)
        other = D[:, model.prototype_labels_ != c].min(axis=1)
        np.testing.assert_allclose(model.nonconformity(NEW)[:, c], (own - other) / (own + other))


# --- proximities --------------------------------------------------------------------------------


@pytest.mark.parametrize("extra", [{}, {"n_landmarks": 20}])
@pytest.mark.parametrize("cls", [RelationalGLVQ, RelationalRSLVQ])
def test_proximities_are_cut_as_objects_are(cls, extra):
    """A matrix of distances gives what the objects themselves give: nothing held out is seen."""
    by_objects = ConformalClassifier(cls(random_state=0, **extra), random_state=0).fit(X, Y)
    inner = cls(metric="precomputed", random_state=0, **extra)
    by_matrix = ConformalClassifier(inner, random_state=0).fit(cdist(X, X, "sqeuclidean"), Y)
    expected, rows = by_objects.p_values(NEW), cdist(NEW, X, "sqeuclidean")
    np.testing.assert_allclose(by_matrix.p_values(rows), expected)
    np.testing.assert_array_equal(by_matrix.predict(rows), by_objects.predict(NEW))
    few = rows[:, by_matrix.training_indices_]
    np.testing.assert_allclose(by_matrix.p_values(few), expected)
    held_out = by_matrix.calibration_indices_
    rows[:, held_out] = 1e3 * RNG.random((len(rows), len(held_out)))
    np.testing.assert_allclose(by_matrix.p_values(rows), expected)
    with pytest.raises(ValueError, match="7 features, but ConformalClassifier is expecting 120"):
        by_matrix.predict_set(rows[:, :7])


def test_similarities_without_self_similarities():
    """Distances are known up to a constant per object, and their differences suffice."""
    inner = ProximityLVQ(random_state=0)
    model = ConformalClassifier(inner, random_state=0).fit(X @ X.T, Y)
    as_vectors = ConformalClassifier(KernelGLVQ(kernel="linear", random_state=0), random_state=0)
    as_vectors.fit(X, Y)
    np.testing.assert_array_equal(model.predict(NEW @ X.T), as_vectors.predict(NEW))
    W = as_vectors.estimator_.coefficients_ @ X[model.training_indices_]  # one of each class
    D = cdist(NEW, W, "sqeuclidean")
    others = np.array([np.delete(D, c, axis=1).min(axis=1) for c in range(3)]).T
    np.testing.assert_allclose(
        model.estimator_.nonconformity((NEW @ X.T)[:, model.training_indices_]),
        D - others,
        atol=1e-9,
    )
    assert model.predict_set(NEW @ X.T).any(axis=1).mean() > 0.8


def test_words():
    rng = np.random.default_rng(0)
    words = ["".join(rng.permutation(list("aaaaaabb" if k % 2 else "abbbbbbb"))) for k in range(60)]
    inner = RelationalGLVQ(metric="levenshtein", random_state=0)
    model = ConformalClassifier(inner, random_state=0).fit(words, np.arange(60) % 2)
    sets = model.predict_set([*words, "aaabaaab", "bbbbabbb"])
    assert not sets[:-2][np.arange(60), np.arange(60) % 2 - 1].any()
    assert sets[-2:].tolist() == [[False, True], [True, False]]


def test_what_cannot_be_cut_is_refused():
    D = cdist(X, X, "sqeuclidean")
    given = ProximityLVQ(proximity="dissimilarity", n_landmarks=3, landmarks=[0, 1, 2])
    with pytest.raises(ValueError, match="landmarks of the estimator are indices"):
        ConformalClassifier(given).fit(D, Y)
    with pytest.raises(ValueError, match="init of the estimator are indices"):
        ConformalClassifier(MedianLVQ(init=np.array([0, 1, 2]))).fit(D, Y)
    with pytest.raises(ValueError, match=r"square matrix .* \(120, 30\)"):
        ConformalClassifier(ProximityLVQ()).fit(D[:, :30], Y)


# --- held-out data of one's own -----------------------------------------------------------------


@pytest.mark.parametrize("frozen", [False, True])
def test_a_fitted_estimator_may_be_given(frozen):
    fitted = GLVQ(random_state=0).fit(X[:60], Y[:60])
    inner = FrozenEstimator(fitted) if frozen else fitted
    model = ConformalClassifier(inner, calibration="prefit").fit(X[60:], Y[60:])
    a = fitted.nonconformity(X[60:])[np.arange(60), Y[60:]]
    if not frozen:
        assert model.estimator_ is fitted
        np.testing.assert_array_equal(model.calibration_scores_, a)
    D = cdist(X[:60], X[:60])
    known = ProximityLVQ(proximity="dissimilarity", random_state=0).fit(D, Y[:60])
    model = ConformalClassifier(known, calibration="prefit").fit(cdist(X[60:], X[:60]), Y[60:])
    assert model.predict_set(cdist(NEW, X[:60])).shape == (40, 3)
    with pytest.raises(ValueError, match="fitted, and this GLVQ is not"):
        ConformalClassifier(GLVQ(), calibration="prefit").fit(X, Y)


def test_too_few_held_out_samples_are_named():
    with pytest.raises(ValueError, match=r"only 5 of the samples .* alpha \(=0.1\) needs 9"):
        ConformalClassifier().fit(X[:20], Y[:20])
    labels = np.where(np.arange(120) < 20, "rare", "often")
    with pytest.raises(ValueError, match="only 5 of the samples of class 'rare'"):
        ConformalClassifier(class_conditional=True).fit(X, labels)
    model = ConformalClassifier().fit(X, labels)
    with pytest.raises(ValueError, match=r"alpha \(=0.01\) needs 99"):
        model.predict_set(X, alpha=0.01)
    with pytest.raises(ValueError, match=r"alpha \(=1.5\) must be a number between 0 and 1"):
        model.predict_set(X, alpha=1.5)
    with pytest.raises(ValueError, match="n_samples = 1"):
        ConformalClassifier().fit(X[:1], Y[:1])
    known = GLVQ(random_state=0).fit(X, Y)
    with pytest.raises(
        ValueError, match="n_samples = 0: ConformalClassifier needs samples to hold"
    ):
        ConformalClassifier(known, calibration="prefit").fit(X[:0], Y[:0])


@pytest.mark.parametrize("labels", [[0, 1, 2], [7, *Y[1:]]])
def test_a_class_of_one_sample_has_none_to_hold_out(labels):
    model = ConformalClassifier(class_conditional=True, random_state=0)
    with pytest.raises(ValueError, match=r"only 0 of the samples of class [07] are held out"):
        model.fit(X[: len(labels)], labels)


@pytest.mark.parametrize("alpha", [5e-324, 1e-300])
def test_a_tiny_alpha_is_named(alpha):
    for model in (ConformalClassifier(random_state=0), ConformalRegressor(random_state=0)):
        ask = model.fit(X, Y)
        with pytest.raises(ValueError, match=r"alpha \(=.*\) needs 9223372036854775807: "):
            getattr(ask, "predict_set", getattr(ask, "predict_interval", None))(NEW, alpha=alpha)
        with pytest.raises(ValueError, match=r"alpha \(=.*\) needs 9223372036854775807: "):
            model.set_params(alpha=alpha).fit(X, Y)


@pytest.mark.parametrize("inner", [None, LogisticRegression()])
def test_data_that_cannot_be_cut_are_refused_whatever_the_estimator(inner):
    import pandas as pd

    model = ConformalClassifier(inner, random_state=0)
    with pytest.raises(ValueError, match="X is None: give a row"):
        model.fit(None, Y)
    with pytest.raises(ValueError, match="X has two columns called 'b'"):
        model.fit(pd.DataFrame(X, columns=list("abbc")), Y)
    with pytest.raises(ValueError, match="X is None: give a row"):
        model.fit(X, Y).predict_set(None)


def test_a_class_that_is_held_out_altogether_is_in_no_set():
    labels = np.where(np.arange(120) == 7, 9, Y)
    seeds = (s for s in range(50) if 7 in np.random.RandomState(s).permutation(120)[:30])
    with pytest.warns(UserWarning, match="class 9 has no sample in the part"):
        model = ConformalClassifier(random_state=next(seeds)).fit(X, labels)
    np.testing.assert_array_equal(model.classes_, [0, 1, 2, 9])
    assert not model.predict_set(NEW)[:, 3].any()
    assert np.isinf(model.calibration_scores_).sum() == 1


@pytest.mark.parametrize("conditional", [False, True])
@pytest.mark.parametrize("inner", [GLVQ(random_state=0), LinearDiscriminantAnalysis()])
def test_a_class_that_a_fitted_estimator_does_not_know_is_in_no_set(inner, conditional):
    """A third of the held-out samples is infinitely odd: all that is known is in every set."""
    known = Y < 2
    fitted = clone(inner).fit(X[known], Y[known])
    model = ConformalClassifier(fitted, calibration="prefit", class_conditional=conditional)
    with pytest.warns(UserWarning, match="class 2 has no sample .* it will be in no set"):
        model.fit(X, Y)
    sets = model.predict_set(NEW)
    assert not sets[:, 2].any()
    np.testing.assert_array_equal(sets, model.p_values(NEW) > 0.1)
    if conditional:  # what is not known leaves the others as they are
        alone = ConformalClassifier(fitted, calibration="prefit", class_conditional=True)
        np.testing.assert_array_equal(sets[:, :2], alone.fit(X[known], Y[known]).predict_set(NEW))
    else:
        assert sets[:, :2].all()


def test_classifiers_without_scores_are_refused():
    from sklearn.linear_model import RidgeClassifier
    from sklearn.svm import LinearSVC

    class Oracle(LinearDiscriminantAnalysis):
        predict_proba = decision_function = property()  # neither is there

    assert ConformalClassifier(RidgeClassifier()).fit(X, Y).predict_set(NEW).shape == (40, 3)
    assert ConformalClassifier(LinearSVC()).fit(X, Y).predict_set(NEW).shape == (40, 3)
    with pytest.raises(ValueError, match=r"estimator \(=Oracle\) must have predict_proba"):
        ConformalClassifier(Oracle()).fit(X, Y)
    with pytest.raises(ValueError, match="must be a classifier"):
        ConformalClassifier(Ridge()).fit(X, Y)


# --- intervals ----------------------------------------------------------------------------------


def test_intervals_are_their_definition():
    rows, y = load_diabetes(return_X_y=True)
    model = ConformalRegressor(Ridge(0.1), alpha=0.2, random_state=0).fit(rows[:200], y[:200])
    learned, held = model.training_indices_, model.calibration_indices_
    inner = Ridge(0.1).fit(rows[learned], y[learned])
    errors = np.sort(np.abs(y[held] - inner.predict(rows[held])))
    radius = errors[int(np.ceil(51 * 0.8)) - 1]
    expected = inner.predict(rows[200:])[:, None] + [-radius, radius]
    np.testing.assert_allclose(model.predict_interval(rows[200:]), expected)
    np.testing.assert_allclose(model.predict(rows[200:]), inner.predict(rows[200:]))


def test_intervals_from_precomputed_kernels():
    rows, y = load_diabetes(return_X_y=True)
    rows, y = 20 * rows[:150], y[:150]
    by_rows = ConformalRegressor(KernelRidge(kernel="rbf", gamma=0.1), random_state=0)
    by_rows.fit(rows[:100], y[:100])
    K = np.exp(-0.1 * cdist(rows, rows, "sqeuclidean"))
    by_matrix = ConformalRegressor(KernelRidge(kernel="precomputed"), random_state=0)
    by_matrix.fit(K[:100, :100], y[:100])
    expected = by_rows.predict_interval(rows[100:])
    np.testing.assert_allclose(by_matrix.predict_interval(K[100:, :100]), expected)


def test_targets_that_are_none():
    with pytest.raises(ValueError, match="y contains NaN"):
        ConformalRegressor().fit(X, np.where(Y == 0, np.nan, Y))
    with pytest.raises(ValueError, match="must be a regressor"):
        ConformalRegressor(GLVQ()).fit(X, Y)
    with pytest.raises(ValueError, match="only 3 of the samples are held out"):
        ConformalRegressor().fit(X[:12], Y[:12])


def test_what_the_default_ridge_would_take_without_a_word():
    model = ConformalRegressor(random_state=0).fit(X, Y)
    masked = np.ma.MaskedArray(X, X > 2)
    for rows, sentence in [
        (1e160 * X, "powers overflow: rescale X"),
        (masked, "masked entries"),
        (np.full(X.shape, np.datetime64("2020-01-01")), "X holds times"),
        (np.where(X > 2, np.nan, X), "missing values that ConformalRegressor does not take"),
        (csr_array(1e160 * X), "powers overflow: rescale X"),
    ]:
        for ask in (model.predict, lambda rows: ConformalRegressor().fit(rows, Y)):
            with pytest.raises((ValueError, TypeError), match=sentence):
                ask(rows)
    with pytest.raises(ValueError, match="powers overflow: rescale y"):
        ConformalRegressor().fit(X, 1e300 * Y)
    expected = model.predict_interval(NEW)
    np.testing.assert_allclose(model.predict_interval(NEW.astype(str)), expected)
    sparse = ConformalRegressor(random_state=0).fit(csr_array(X), Y)
    np.testing.assert_allclose(sparse.predict_interval(csr_array(NEW)), expected, rtol=1e-3)


def test_frames_with_words_reach_a_pipeline_as_they_are():
    import pandas as pd
    from sklearn.compose import make_column_transformer
    from sklearn.preprocessing import OneHotEncoder

    frame = pd.DataFrame({"word": np.array(list("abc"))[Y], "number": X[:, 0]})
    inner = make_pipeline(
        make_column_transformer((OneHotEncoder(), ["word"]), remainder="passthrough"), Ridge()
    )
    model = ConformalRegressor(inner, random_state=0).fit(frame, Y)
    np.testing.assert_allclose(model.predict(frame), Y, atol=0.1)


def test_constant_targets_have_narrow_intervals():
    model = ConformalRegressor(random_state=0).fit(X, np.full(120, 0.1))
    np.testing.assert_allclose(model.predict_interval(NEW), 0.1)


# --- coverage -----------------------------------------------------------------------------------


def test_coverage_is_what_theory_says():
    """Without ties, ⌈(n+1)(1−α)⌉/(n+1) on average: 300 draws of 39 held-out and 200 new samples."""
    rng, inner = np.random.default_rng(1), GLVQ(random_state=0).fit(X, Y)
    held, hit = [], []
    for _ in range(300):
        y = rng.integers(3, size=239)
        rows = rng.normal(size=(239, 4)) + 1.2 * np.eye(3, 4)[y]
        model = ConformalClassifier(inner, alpha=0.1, calibration="prefit").fit(rows[:39], y[:39])
        held.append(model.predict_set(rows[39:])[np.arange(200), y[39:]].mean())
        line = ConformalRegressor(Ridge().fit(X, Y), calibration="prefit").fit(rows[:39], y[:39])
        low, high = line.predict_interval(rows[39:]).T
        hit.append(((low <= y[39:]) & (y[39:] <= high)).mean())
    for coverage in (held, hit):  # 36/40, and its standard error is about 0.003
        assert abs(np.mean(coverage) - 0.9) < 4 * np.std(coverage) / np.sqrt(300)


def tables():
    """Two tables and two matrices of proximities: X, y, classifier."""
    wine, cancer = load_wine(return_X_y=True), load_breast_cancer(return_X_y=True)
    scaled = make_pipeline(StandardScaler(), GLVQ(random_state=0))
    voting, protein = load("voting"), load("protein_dissimilarity")
    few = {"n_prototypes": 1, "max_epochs": 5, "random_state": 0}
    return {
        "wine": (*wine, scaled),
        "cancer": (*cancer, scaled),
        "voting": (*arrays_of(voting), ProximityLVQ(**few)),
        "protein": (*arrays_of(protein), ProximityLVQ(proximity="dissimilarity", **few)),
    }


def arrays_of(archive):
    square = next(v for v in archive.values() if v.ndim == 2 and v.shape[0] == v.shape[1])
    return square, archive["labels"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["wine", "cancer", "voting", "protein"])
@pytest.mark.parametrize("conditional", [False, True])
def test_coverage_over_200_splits(name, conditional):
    """90 ± 1.5 % of new objects; at least 1 − α of every class where that is asked for."""
    P, y, inner = tables()[name]
    alpha = 0.2 if conditional else 0.1  # the least of the classes has 30 objects
    classes, index = np.unique(y, return_inverse=True)
    covered = np.zeros((200, len(classes), 2))
    for seed in range(200):
        rng = np.random.RandomState(seed)
        order = rng.permutation(len(y))
        new, old = order[: len(y) // 4], order[len(y) // 4 :]
        pairwise = P.shape[0] == P.shape[1]
        rows = P[np.ix_(old, old)] if pairwise else P[old]
        model = ConformalClassifier(
            inner, alpha=alpha, calibration=0.5, class_conditional=conditional, random_state=seed
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.fit(rows, y[old])
        sets = model.predict_set(P[np.ix_(new, old)] if pairwise else P[new])
        right = sets[np.arange(len(new)), index[new]]
        for c in range(len(classes)):
            covered[seed, c] = right[index[new] == c].sum(), (index[new] == c).sum()
    share = covered[..., 0].sum() / covered[..., 1].sum()
    if conditional:
        by_class = covered.sum(axis=0)
        assert (by_class[:, 0] / by_class[:, 1] > 0.785).all()
    else:
        assert abs(share - 0.9) < 0.015


def test_coverage_of_tied_errors_is_not_lost_to_rounding():
    rng = np.random.default_rng(0)
    inside = []
    for seed in range(60):
        y, new = rng.choice([0.1, 0.7], size=(2, 80))
        model = ConformalRegressor(DummyRegressor(), alpha=0.1, random_state=seed)
        low, high = model.fit(np.zeros((80, 1)), y).predict_interval(np.zeros((80, 1))).T
        inside.append((low <= new) & (new <= high))
    assert np.mean(inside) >= 0.9
