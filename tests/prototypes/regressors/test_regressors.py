"""Prototypes that say numbers: in every space, over every relation, and in all their company."""

import numpy as np
import pytest
from sklearn.datasets import make_friedman1
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import noneuclid
from noneuclid.kernels import Gaussian
from noneuclid.prototypes import (
    ConformalRegressor,
    PrototypeRegressor,
    ProximityRegressor,
    assignment_entropy,
    compact,
    exemplars,
    n_exemplars,
    sparsify,
)
from noneuclid.spaces import IncompatibleSpace, Sobolev
from noneuclid.testing import all_spaces

X, Y = make_friedman1(120, n_features=5, noise=0.1, random_state=0)
D = ((X[:, None] - X) ** 2).sum(axis=2)
NEW, Y_NEW = make_friedman1(200, n_features=5, noise=0.1, random_state=1)
D_NEW = ((NEW[:, None] - X) ** 2).sum(axis=2)


def regressor(**params):
    return PrototypeRegressor(**{"n_prototypes": 6, "random_state": 0, "max_epochs": 60, **params})


def relational(**params):
    given = {"n_prototypes": 6, "proximity": "dissimilarity", "random_state": 0, "max_epochs": 60}
    return ProximityRegressor(**{**given, **params})


@pytest.mark.parametrize("local", ["constant", "linear"])
def test_few_prototypes_predict_better_than_neighbours_and_a_line(local):
    model = regressor(n_prototypes=8, local=local).fit(X, Y)
    line = LinearRegression().fit(X, Y).score(NEW, Y_NEW)
    assert model.score(NEW, Y_NEW) > max(line, 0.75) + 0.05
    assert model.score(NEW, Y_NEW) > KNeighborsRegressor(5).fit(X, Y).score(NEW, Y_NEW)


def test_learning_lowers_the_cost_that_is_reported():
    model = regressor().fit(X, Y)
    assert model.loss_curve_[-1] < 0.5 * model.loss_curve_[0]
    assert (np.diff(model.loss_curve_) < 1e-9).all()
    assert model.n_iter_ == len(model.loss_curve_) - 1
    errors = ((model.predict(X) - Y) ** 2).mean() / Y.var()
    standardised = (model.values_ - Y.mean()) / Y.std()
    nearest = model.transform(X).min(axis=0).mean() / X.var(axis=0).sum()
    priced = errors + model.ridge_ * (standardised**2).sum() + 0.01 * nearest
    assert model.loss_curve_[-1] == pytest.approx(priced, rel=1e-6)


def test_a_prediction_is_what_the_prototypes_say():
    for local in ("constant", "linear"):
        model = regressor(local=local).fit(X, Y)
        P, d = model.assignment(NEW), model.transform(NEW)
        said = np.broadcast_to(model.values_, d.shape)
        if local == "linear":
            gaps = d[:, None, :] - d[:, :, None]
            said = said + np.einsum("jk,ijk->ij", model.slopes_, gaps)
        np.testing.assert_allclose(P.sum(axis=1), 1.0)
        np.testing.assert_allclose(model.predict(NEW), (P * said).sum(axis=1))


SPACES = [space for cls in all_spaces() for space in cls.examples()]


@pytest.mark.parametrize("space", SPACES, ids=repr)
def test_every_space_learns_or_says_why_not(space):
    rng = np.random.default_rng(0)
    sizes = [d for d in (6, 4, 5, 8, 9, 12, 16, 3, 2) if fits(space, d)]
    rows = rng.normal(size=(40, sizes[0])).cumsum(axis=1)
    y = rows[:, 0] - rows[:, -1] ** 2
    model = PrototypeRegressor(n_prototypes=4, space=space, max_epochs=15, random_state=0)
    try:
        model.fit(rows, y)
    except IncompatibleSpace as error:
        assert "PrototypeRegressor" in str(error)  # noqa: PT017
        return
    assert model.loss_curve_[-1] < model.loss_curve_[0]
    assert np.isfinite(model.predict(rows)).all()


def fits(space, d):
    try:
        space.squared_distance(np.zeros((1, d)), np.ones((1, d)))
    except ValueError:
        return False
    return True


def test_a_hilbert_space_is_its_chart():
    curves = np.random.default_rng(0).normal(size=(50, 20)).cumsum(axis=1)
    y = np.diff(curves, axis=1).std(axis=1)
    space = Sobolev(spacing="unit")
    Z = space.chart(20).forth(curves)
    params = {"n_prototypes": 4, "random_state": 0}
    inside = PrototypeRegressor(space=space, **params).fit(curves, y)
    flat = PrototypeRegressor(**params).fit(Z, y)
    np.testing.assert_allclose(inside.predict(curves), flat.predict(Z), rtol=1e-6)
    np.testing.assert_allclose(inside.values_, flat.values_, rtol=1e-5)


# --- over relations -------------------------------------------------------------------------


def test_affine_combinations_over_distances_are_vectors():
    """Both start at the same clusters; combinations of all samples reach every vector."""
    free = {"max_epochs": 1, "tol": 0.0}
    vectors, objects = (
        regressor(**free).fit(X, Y),
        relational(constraint="affine", **free).fit(D, Y),
    )
    assert objects.loss_curve_[0] == pytest.approx(vectors.loss_curve_[0], rel=1e-9)
    assert relational(constraint="affine").fit(D, Y).score(D_NEW, Y_NEW) > 0.8


@pytest.mark.parametrize("local", ["constant", "linear"])
def test_similarities_and_their_distances_agree(local):
    S = X @ X.T
    given = {"local": local, "max_epochs": 20}
    a = relational(**given).fit(D, Y)
    b = relational(proximity="similarity", **given).fit(S, Y)
    np.testing.assert_allclose(a.predict(D_NEW), b.predict(NEW @ X.T), rtol=1e-3)


def test_every_source_of_the_same_numbers():
    matrix = relational().fit(D, Y)
    named = relational(metric="sqeuclidean").fit(X, Y)
    function = relational(metric=lambda a, b: float(((a - b) ** 2).sum())).fit(X, Y)
    for other in (named, function):
        np.testing.assert_allclose(other.predict(NEW), matrix.predict(D_NEW), rtol=1e-6)
    landmarks = relational(metric="sqeuclidean", n_landmarks=20).fit(X, Y)
    assert len(landmarks.landmark_indices_) == 20
    np.testing.assert_allclose(landmarks.predict(NEW), matrix.predict(D_NEW), atol=2.0)
    assert landmarks.score(NEW, Y_NEW) > 0.7


def test_kernels_and_strings():
    kernel = ProximityRegressor(n_prototypes=6, metric=Gaussian(1.0), random_state=0).fit(X, Y)
    assert kernel.score(NEW, Y_NEW) > 0.6
    words = ["a" * k + "b" * (9 - k) for k in range(10)]
    model = relational(metric="levenshtein", n_prototypes=3).fit(words, np.arange(10.0))
    assert model.score(words, np.arange(10.0)) > 0.95
    assert model.predict(["aaabbbbbb"]) == pytest.approx([3.0], abs=1.0)


def test_indefinite_proximities_and_their_corrections():
    rng = np.random.default_rng(0)
    E = rng.normal(size=(120, 120))
    P = D + 0.3 * np.abs(E + E.T)
    np.fill_diagonal(P, 0.0)
    for correction in (None, "clip", "flip"):
        model = relational(correction=correction, max_epochs=20).fit(P, Y)
        assert model.signature_.negative > 10
        assert model.score(P, Y) > 0.3


def test_sparse_and_compact_regressors_know_their_values_anew():
    model = relational().fit(D, Y)
    for method, k in (("nearest", 2), ("hull", 5)):
        small = sparsify(model, method=method, k=k)
        assert n_exemplars(small) <= k
        assert small.score(D, Y) > 0.6
        dense = compact(small)
        np.testing.assert_allclose(
            dense.predict(D_NEW[:, small.support_]), small.predict(D_NEW), rtol=1e-10
        )
        P = small.assignment(D)
        A = P.T @ P / 120 + small.ridge_ * np.eye(P.shape[1])
        values = Y.mean() + np.linalg.solve(A, P.T @ (Y - Y.mean()) / 120)
        np.testing.assert_allclose(small.values_, values, rtol=1e-6)
    assert len(model.values_) == 6, "the model stays as it was"
    assert 0 <= assignment_entropy(model, D) <= 1
    said = exemplars(model, 2)
    assert [found.label for found in said] == model.values_.tolist()


def test_precomputed_proximities_are_sliced_in_cross_validation():
    scores = cross_val_score(relational(max_epochs=20), D, Y, cv=3)
    same = cross_val_score(relational(metric="sqeuclidean", max_epochs=20), X, Y, cv=3)
    np.testing.assert_allclose(scores, same, rtol=1e-5)
    assert min(scores) > 0.5


# --- company --------------------------------------------------------------------------------


def test_grid_search_over_the_geometry_too():
    search = GridSearchCV(
        make_pipeline(StandardScaler(), regressor(max_epochs=10)),
        {
            "prototyperegressor__space": ["l1", "l2"],
            "prototyperegressor__n_prototypes": [2, 6],
            "prototyperegressor__local": ["constant", "linear"],
        },
        cv=2,
    ).fit(X, Y)
    assert search.best_score_ > 0.5


@pytest.mark.parametrize("precomputed", [False, True])
def test_intervals_hold_their_share_of_new_samples(precomputed):
    model = relational(max_epochs=20) if precomputed else regressor(max_epochs=20)
    data, new = (D, D_NEW) if precomputed else (X, NEW)
    conformal = ConformalRegressor(model, alpha=0.2, random_state=0).fit(data, Y)
    low, high = conformal.predict_interval(new).T
    assert 0.65 < ((low <= Y_NEW) & (high >= Y_NEW)).mean() < 0.95
    assert np.median(high - low) < 0.8 * np.ptp(Y)


def test_several_targets_share_their_prototypes():
    both = np.column_stack([Y, 100.0 - 3.0 * Y])
    model, one = regressor().fit(X, both), regressor().fit(X, Y)
    assert model.values_.shape == (6, 2)
    np.testing.assert_allclose(model.predict(NEW)[:, 0], one.predict(NEW), rtol=1e-6)
    np.testing.assert_allclose(model.predict(NEW)[:, 1], 100.0 - 3.0 * one.predict(NEW), rtol=1e-6)
    linear = regressor(local="linear", n_prototypes=3).fit(X, both)
    assert linear.slopes_.shape == (3, 3, 2)
    assert relational().fit(D, both).predict(D_NEW).shape == (200, 2)


def test_the_unit_of_targets_and_data_does_not_matter():
    model = regressor().fit(X, Y)
    for scale, shift in ((1e-6, 0.0), (1e6, 3e6)):
        other = regressor().fit(X * 1e3, Y * scale + shift)
        np.testing.assert_allclose(
            other.predict(NEW * 1e3), model.predict(NEW) * scale + shift, rtol=1e-4
        )


def test_weights():
    heavy = np.where(X[:, 0] > 0.5, 1.0, 0.0)
    some = X[:, 0] > 0.5
    a = regressor().fit(X, Y, sample_weight=heavy)
    b = regressor().fit(X[some], Y[some])
    assert a.score(X[some], Y[some]) == pytest.approx(b.score(X[some], Y[some]), abs=0.05)
    np.testing.assert_allclose(
        regressor().fit(X, Y, sample_weight=np.full(120, 7.0)).predict(NEW),
        regressor().fit(X, Y).predict(NEW),
        rtol=1e-6,
    )
    c = relational(metric="sqeuclidean").fit(X, Y, sample_weight=heavy)
    assert c.score(X[some], Y[some]) > 0.6


def test_starts():
    for init in ("kmeans", "kmedoids", "random", X[:6]):
        assert regressor(init=init).fit(X, Y).score(X, Y) > 0.7
    for init in ("kmeans", "kmedoids", "random", np.eye(6, 120)):
        assert relational(init=init).fit(D, Y).score(D, Y) > 0.6


def test_repeated_rows_and_one_prototype():
    rows, y = np.repeat(X[:5], 6, axis=0), np.repeat(Y[:5], 6)
    assert regressor(n_prototypes=10).fit(rows, y).score(rows, y) > 0.9
    mean = regressor(n_prototypes=1).fit(X, Y)
    np.testing.assert_allclose(mean.predict(NEW), Y.mean())


def test_files(tmp_path):
    for model, data, new in (
        (regressor(local="linear", space=Sobolev()), X, NEW),
        (relational(), D, D_NEW),
        (relational(metric="sqeuclidean", n_landmarks=10), X, NEW),
    ):
        noneuclid.save(model.fit(data, Y), tmp_path / "model.skops")
        back = noneuclid.load(tmp_path / "model.skops")
        np.testing.assert_array_equal(back.predict(new), model.predict(new))


# --- bad input ------------------------------------------------------------------------------

BAD = {
    "constant": (np.full(120, 3.5), r"y is constant \(=3.5\)"),
    "nan": (np.where(np.arange(120) == 7, np.nan, Y), "Input y contains NaN, first at sample 7"),
    "infinity": (np.where(np.arange(120) == 7, np.inf, Y), "Input y contains infinity"),
    "text": (np.where(Y > 10, "high", "low"), r"y holds text \('(low|high)'\)"),
    "text among numbers": ([*Y[:-1].tolist(), "n/a"], r"y holds text \('n/a'\)"),
    "none": (None, "requires y to be passed"),
    "short": (Y[:-2], "there are 120 samples but 118 targets in y"),
    "masked": (np.ma.array(Y, mask=Y > 20), "y has masked entries"),
    "constant column": (np.column_stack([Y, np.ones(120)]), r"column 1 of y is constant \(=1\)"),
    "huge": (Y * 1e300, "y holds values up to"),
    "times": (np.arange(120).astype("datetime64[s]"), "y holds times"),
    "cube": (np.ones((120, 2, 2)), "y must have one or two dimensions"),
}


@pytest.mark.parametrize("model", [regressor(), relational()], ids=["vectors", "objects"])
@pytest.mark.parametrize("what", BAD)
def test_bad_targets_are_named_in_one_sentence(model, what):
    y, words = BAD[what]
    with pytest.raises((ValueError, TypeError), match=words) as caught:
        model.fit(X if isinstance(model, PrototypeRegressor) else D, y)
    assert "\n" not in str(caught.value)
    assert not hasattr(model, "values_")


def test_bad_parameters():
    with pytest.raises(ValueError, match=r"n_prototypes \(=200\) must be at most the number"):
        regressor(n_prototypes=200).fit(X, Y)
    with pytest.raises(ValueError, match="init has shape"):
        regressor(init=X[:2]).fit(X, Y)
    with pytest.raises(ValueError, match='constraint="none" needs similarities'):
        relational(constraint="none").fit(D, Y)
    with pytest.raises(ValueError, match="at least one non-zero"):
        regressor().fit(X, Y, sample_weight=np.zeros(120))


@pytest.mark.parametrize("local", ["constant", "linear"])
@pytest.mark.parametrize("space", ["l2", "l1"])
def test_first_steps_hang_on_no_last_bit(space, local):
    # Another processor rounds otherwise; a tie or a threshold would let it go elsewhere.
    rng = np.random.default_rng(0)
    X = np.round(rng.normal(size=(45, 6)), 1)  # rows with many differences of zero
    y = X[:, 0] - X[:, 1] ** 2
    few = {"n_prototypes": 4, "max_epochs": 5, "random_state": 0, "space": space, "local": local}
    usual = PrototypeRegressor(**few).fit(X, y)
    for _ in range(3):
        rounded = X * (1.0 + 1e-15 * rng.normal(size=X.shape))
        other = PrototypeRegressor(**few).fit(rounded, y)
        np.testing.assert_allclose(other.prototypes_, usual.prototypes_, atol=1e-7)
        np.testing.assert_allclose(other.predict(X), usual.predict(X), atol=1e-7)


@pytest.mark.parametrize("local", ["constant", "linear"])
def test_samples_without_weight_change_nothing(local):
    rng = np.random.default_rng(0)
    rows, targets = (
        np.vstack([X, 9 * rng.normal(size=(300, 5))]),
        np.r_[Y, 9 * rng.normal(size=300)],
    )
    weights = np.r_[np.ones(len(X)), np.zeros(300)]
    alone = regressor(local=local, init=X[:6]).fit(X, Y)
    beside = regressor(local=local, init=X[:6]).fit(rows, targets, sample_weight=weights)
    assert beside.ridge_ == alone.ridge_
    assert beside.sigma2_ == pytest.approx(alone.sigma2_)
    np.testing.assert_allclose(beside.predict(NEW), alone.predict(NEW), rtol=1e-4)
