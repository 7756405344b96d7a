"""Warping and edit dissimilarities: the printed recursions, their theorems, and their company."""

import itertools

import numpy as np
import pytest
import series_naive as naive
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score

import noneuclid
from noneuclid.curves import Curves
from noneuclid.prototypes import (
    ProximityRegressor,
    RelationalGLVQ,
    RelationalRSLVQ,
    compact,
    sparsify,
)
from noneuclid.proximities import (
    DTW,
    AmercingDTW,
    CommonSubsequence,
    DerivativeDTW,
    EditRealPenalty,
    EditRealSequence,
    MoveSplitMerge,
    Relation,
    ShapeDTW,
    TimeWarpEdit,
    WeightedDTW,
    as_series,
    describe_metric,
    landmark_pairwise,
    metrics,
    nystroem_check,
    pairwise,
)

CASES = {
    "dtw": (DTW(), naive.dtw, {}),
    "ddtw": (DerivativeDTW(), naive.ddtw, {}),
    "wdtw": (WeightedDTW(g=0.3), naive.dtw, {"g": 0.3}),
    "adtw": (AmercingDTW(penalty=0.4), naive.dtw, {"penalty": 0.4}),
    "shape_dtw": (ShapeDTW(reach=2), naive.shape_dtw, {"reach": 2}),
    "erp": (EditRealPenalty(gap=0.3), naive.erp, {"gap": 0.3}),
    "edr": (EditRealSequence(epsilon=0.5), naive.edr, {"epsilon": 0.5}),
    "lcss": (CommonSubsequence(epsilon=0.5), naive.lcss, {"epsilon": 0.5}),
    "msm": (MoveSplitMerge(cost=0.4), naive.msm, {"cost": 0.4}),
    "twe": (
        TimeWarpEdit(stiffness=0.05, penalty=0.3),
        naive.twe,
        {"stiffness": 0.05, "penalty": 0.3},
    ),
}
every_metric = pytest.mark.parametrize("name", list(CASES))
RNG = np.random.default_rng(0)


def ragged(channels=1, lengths=(6, 9, 9, 4, 13), seed=0):
    rng = np.random.default_rng(seed)
    return [rng.normal(size=(channels, n)) for n in lengths]


def bumps(n, length=40, seed=0):
    """Two kinds of series, one bump or two of them, early or late."""
    rng = np.random.default_rng(seed)
    t, y = np.linspace(0, 1, length), np.arange(n) % 2
    at, gap = rng.uniform(0.25, 0.5, size=n), rng.uniform(0.2, 0.3, size=n)
    one = np.exp(-(((t - at[:, None]) / 0.06) ** 2))
    two = np.exp(-(((t - at[:, None] - gap[:, None]) / 0.06) ** 2))
    return one + y[:, None] * two + 0.05 * rng.normal(size=(n, length)), y


def test_all_have_names_and_words():
    assert set(metrics(kind="series")) == set(CASES)
    for name, (metric, _, _) in CASES.items():
        known = describe_metric(name)
        assert (known.proximity, known.kind) == ("dissimilarity", "series")
        assert type(known.function) is type(metric)


@every_metric
@pytest.mark.parametrize("channels", [1, 2])
@pytest.mark.parametrize("window", [None, 0.0, 0.25, 0.6])
def test_the_recursion_that_is_printed(name, channels, window):
    metric, expected, parameters = CASES[name]
    X = ragged(channels)
    got = clone(metric).set_params(window=window).between(X)
    for i, a in enumerate(X):
        for j, b in enumerate(X):
            assert got[i, j] == pytest.approx(expected(a, b, window, **parameters), abs=1e-12)


@every_metric
@pytest.mark.parametrize("window", [None, 0.3])
def test_many_series_of_few_or_many_lengths(name, window):
    """Series of one length are compared together, as many at once as there is room for."""
    metric, expected, parameters = CASES[name]
    rng = np.random.default_rng(3)
    X = ragged(2, np.concatenate([rng.integers(3, 6, size=24), rng.integers(3, 15, size=9)]))
    got = clone(metric).set_params(window=window).between(X)
    rest = clone(metric).set_params(window=window).between(X[5:7], X)
    np.testing.assert_array_equal(rest, got[5:7])
    for i, j in rng.integers(len(X), size=(60, 2)):
        wanted = expected(X[i], X[j], window, **parameters)
        assert got[i, j] == pytest.approx(wanted, abs=1e-12)


# Numbers that aeon 1.6.0 gives for these series. It starts ERP and EDR from other borders.
AEON = {
    ("dtw", 1, None): [58.8970843514, 71.9816206007, 4.02849251768],
    ("dtw", 2, 0.2): [794.611350572, 14.6605191041, 913.546477682],
    ("ddtw", 1, None): [9.41467522973, 6.5507642441, 2.4676105078],
    ("wdtw", 1, None): [9.14242017745, 10.582249486, 0.622668898988],
    ("wdtw", 2, 0.2): [144.957391851, 3.08903896791, 166.654194713],
    ("adtw", 1, None): [63.1290319912, 75.2894754212, 6.03260126705],
    ("adtw", 2, 0.2): [794.611350572, 16.2605191041, 913.546477682],
    ("shape_dtw", 1, None): [63.333955343, 79.3670527777, 4.58243221763],
    ("shape_dtw", 2, 0.2): [794.611350572, 20.3129337268, 913.546477682],
    ("lcss", 1, None): [0.666666666667, 0.666666666667, 0.166666666667],
    ("lcss", 2, 0.2): [1.0, 0.8, 1.0],
    ("msm", 1, None): [13.8209687217, 14.9727030635, 7.06159060375],
    ("msm", 2, 0.2): [36.4314203499, 14.2806781618, 36.6808506134],
    ("twe", 1, None): [19.2822857564, 20.6159130253, 11.9450468884],
    ("twe", 2, 0.2): [30.8719910614, 21.0358761713, 30.0806099329],
}


@pytest.mark.parametrize("case", AEON)
def test_the_numbers_of_aeon(case):
    name, channels, window = case
    rng = np.random.default_rng(5)
    X = rng.normal(size=(3, 1, 12)).cumsum(axis=2), rng.normal(size=(3, 2, 10)).cumsum(axis=2)
    D = clone(CASES[name][0]).set_params(window=window).between(X[channels - 1])
    np.testing.assert_allclose(D[np.triu_indices(3, 1)], AEON[case], rtol=1e-9)


@every_metric
def test_pairs_blocks_and_order_do_not_matter(name):
    metric = CASES[name][0]
    X = ragged(lengths=(6, 9, 9, 4, 13, 5, 7))
    D = metric.between(X)
    np.testing.assert_array_equal(D, D.T)
    np.testing.assert_allclose(np.diag(D), 0.0, atol=1e-12)
    np.testing.assert_allclose(metric.between(X[:3], X), D[:3], rtol=1e-12)
    np.testing.assert_allclose(metric.between(X[::-1])[::-1, ::-1], D, rtol=1e-12)
    assert metric(X[0], X[1]) == pytest.approx(D[0, 1])
    assert (D >= 0).all()


@pytest.mark.parametrize("name", ["erp", "msm", "twe"])
def test_metrics_satisfy_the_triangle_inequality(name):
    D = CASES[name][0].between(ragged(lengths=(5, 6, 6, 7, 4, 8, 5, 6), seed=3))
    assert (D[:, None, :] <= D[:, :, None] + D[None] + 1e-10).all()


def test_reductions():
    X = np.random.default_rng(1).normal(size=(6, 10))
    squares = ((X[:, None] - X) ** 2).sum(axis=2)
    np.testing.assert_allclose(DTW(window=0.0).between(X), squares)
    np.testing.assert_allclose(AmercingDTW(penalty=1e9).between(X), squares)
    np.testing.assert_allclose(AmercingDTW(penalty=0.0).between(X), DTW().between(X))
    np.testing.assert_allclose(2.0 * WeightedDTW(g=0.0).between(X), DTW().between(X))
    np.testing.assert_allclose(ShapeDTW(reach=0).between(X), DTW().between(X))
    moved = X + RNG.normal(size=(1, 1))
    np.testing.assert_allclose(DerivativeDTW().between(moved), DerivativeDTW().between(X))
    np.testing.assert_allclose(MoveSplitMerge().between(moved), MoveSplitMerge().between(X))
    wider = [DTW(window=w).between(X) for w in (0.0, 0.2, 0.5, 1.0)]
    assert all((b <= a + 1e-12).all() for a, b in itertools.pairwise(wider))


def test_repeated_points_cost_nothing_to_warp():
    x = RNG.normal(size=8)
    assert DTW()(x, np.repeat(x, 3)) == pytest.approx(0.0)
    assert MoveSplitMerge(cost=0.5)(x, np.repeat(x, 2)) == pytest.approx(0.5 * 8)


def test_every_form_of_series():
    X = np.random.default_rng(1).normal(size=(4, 7))
    D = DTW().between(X)
    curves = Curves.from_array(X)
    for form in (X.tolist(), list(X), X[:, None, :], [x[None] for x in X], curves, as_series(X)):
        np.testing.assert_array_equal(DTW().between(form), D)
    np.testing.assert_array_equal(DTW().between(curves[[2, 0]], curves), D[[2, 0]])
    several = as_series(ragged(2))
    assert several.n_channels == 2
    np.testing.assert_array_equal(several[[3, 1]][0], several[3])
    assert [len(part.T) for part in several] == several.lengths.tolist()


def test_what_is_left_to_the_data():
    X, _ = bumps(20)
    spread = X.std()
    assert EditRealSequence().resolve(X).epsilon == pytest.approx(spread / 4)
    assert AmercingDTW().resolve(X).penalty == pytest.approx((np.diff(X, axis=1) ** 2).mean())
    with pytest.raises(ValueError, match=r"depends on the data: call resolve\(X\)"):
        CommonSubsequence().between(X)
    relation = Relation("lcss", proximity="dissimilarity").fit(X)
    assert relation.metric_.epsilon == pytest.approx(spread / 4)


# --- company --------------------------------------------------------------------------------


@every_metric
def test_learners_take_every_name(name):
    X, y = bumps(24)
    model = RelationalGLVQ(metric=name, max_epochs=10, random_state=0).fit(X, y)
    assert model.score(X, y) > 0.6
    assert sum(model.signature_) == 24


def test_prototypes_of_exemplars_landmarks_and_corrections(tmp_path):
    X, y = bumps(80)
    new, y_new = bumps(60, seed=1)
    metric = DTW(window=0.3)
    model = RelationalGLVQ(metric=metric, n_prototypes=2, random_state=0).fit(X, y)
    assert model.score(new, y_new) > 0.95
    small = compact(sparsify(model, method="nearest", k=1))
    assert len(small.support_) <= 4
    assert small.score(new, y_new) > 0.9
    for options in ({"n_landmarks": 15}, {"correction": "clip"}):
        other = RelationalRSLVQ(metric=metric, random_state=0, **options).fit(X, y)
        assert other.score(new, y_new) > 0.85
    noneuclid.save(small, tmp_path / "model.skops")
    back = noneuclid.load(tmp_path / "model.skops")
    np.testing.assert_array_equal(back.predict(new), small.predict(new))


def test_landmarks_make_no_matrix_of_all_pairs(monkeypatch):
    X, y = bumps(60)
    sizes = []
    whole = DTW.between

    def counted(self, X, Y=None, **options):
        D = whole(self, X, Y, **options)
        sizes.append(D.size)
        return D

    monkeypatch.setattr(DTW, "between", counted)
    RelationalGLVQ(metric="dtw", n_landmarks=6, random_state=0, max_epochs=2).fit(X, y)
    # Columns of landmarks, and a few pairs that show their noise.
    assert sum(sizes) < 60 * 60 / 4
    sizes.clear()
    assert landmark_pairwise(X, X[:3], "dtw").shape == (60, 3)
    assert sizes == [180]


def test_the_quick_check_of_landmarks_sees_few_pairs():
    X, _ = bumps(60)
    found = nystroem_check(
        X, metric=DTW(window=0.2), proximity="dissimilarity", n_landmarks=10, random_state=0
    )
    assert 0 <= found.rho_pairwise <= 1


def test_windows_are_searched_and_numbers_predicted():
    X, y = bumps(40)
    search = GridSearchCV(
        RelationalGLVQ(metric=DTW(), max_epochs=5, random_state=0),
        {"metric__window": [0.0, 0.3]},
        cv=2,
    ).fit(X, y)
    assert search.best_params_["metric__window"] in (0.0, 0.3)
    area = X.sum(axis=1)
    model = ProximityRegressor(
        n_prototypes=4, metric="erp", proximity="dissimilarity", max_epochs=20, random_state=0
    )
    assert cross_val_score(model, X, area, cv=3).mean() > 0.5


def test_progress_is_shown(capsys, monkeypatch):
    monkeypatch.setattr(DTW, "_cells", 100)
    X, _ = bumps(6, length=10)
    D = pairwise(X, "dtw", verbose=True)
    assert "series [" in capsys.readouterr().err
    np.testing.assert_array_equal(D, DTW().between(X))


# --- bad input ------------------------------------------------------------------------------

BAD = {
    "NaN": ([[1.0, np.nan], [1.0, 2.0]], r"X\[0\] holds NaN or infinity: fill the gaps"),
    "empty": ([[1.0, 2.0], []], r"X\[1\] has no points"),
    "words": ([["a", "b"], ["c", "d"]], r"X\[0\] must be a series of numbers"),
    "one series": ([1.0, 2.0, 3.0], "X is a single series: give a list of series"),
    "channels": ([np.ones((1, 4)), np.ones((2, 4))], "have 1 and 2 channels"),
    "a cube": ([np.ones((2, 2, 4))], r"X\[0\] must have shape"),
    "a word": ("abc", "X must be a list of series, not one str"),
    "masked": ([np.ma.array([1.0, 2.0], mask=[True, False])], r"X\[0\] has masked entries"),
    "huge": ([[1e300, 1.0]], r"X\[0\] holds values up to"),
}


@pytest.mark.parametrize("what", BAD)
def test_bad_series_are_named(what):
    X, words = BAD[what]
    with pytest.raises((ValueError, TypeError), match=words) as caught:
        DTW().between(X)
    assert "\n" not in str(caught.value)


def test_text_of_numbers_is_read_as_these():
    X = [["1.5", "2"], ["3", "4"]]
    for text in (X, np.array(X, dtype=object), np.array(X, dtype="S")):
        np.testing.assert_array_equal(as_series(text).values.ravel(), [1.5, 2, 3, 4])


def test_bad_parameters_and_partners():
    X = ragged()
    with pytest.raises(ValueError, match=r"window \(=1.5\) must be"):
        DTW(window=1.5).between(X)
    with pytest.raises(ValueError, match="X has series of 1 channels and Y of 2"):
        DTW().between(X, ragged(2))
    with pytest.raises(ValueError, match=r"needs slopes, and X\[1\] has fewer than 3 points"):
        DerivativeDTW().between([[1.0, 2.0, 3.0], [1.0, 2.0]])
    with pytest.raises(ValueError, match="channels of"):
        DTW().between(Curves([([[0, 1], [0, 1, 2]], [[1.0, 2.0], [1.0, 2.0, 3.0]])]))


def test_files_with_wrong_offsets_are_refused():
    series = as_series(ragged())
    state = {"values": series.values, "offsets": series.offsets + 1}
    with pytest.raises(ValueError, match="offsets"):
        object.__new__(type(series)).__setstate__(state)
