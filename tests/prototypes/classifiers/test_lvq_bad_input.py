"""One clear sentence for every kind of bad input, before any work is done."""

import numpy as np
import pytest
from sklearn.datasets import make_blobs
from sklearn.model_selection import cross_val_score

from noneuclid.prototypes import (
    GLVQ,
    LVQ1,
    LVQ21,
    KernelGLVQ,
    KernelRSLVQ,
    ProximityLVQ,
    RelationalGLVQ,
)

X, Y = make_blobs(30, centers=2, random_state=0)
S = X @ X.T
D = ((X[:, None] - X) ** 2).sum(axis=2)


def precomputed(**params):
    return ProximityLVQ(proximity="dissimilarity", **params)


@pytest.mark.parametrize(
    ("matrix", "sentence"),
    [
        (D + np.triu(np.ones_like(D), 1), "symmetric, but differs .*symmetrize"),
        (D[:, :20], "square matrix .*30, 20"),
        (np.where(np.eye(30) > 0, np.nan, D), "NaN"),
        (S, "diagonal is not zero .*similarity"),
        (D[:25, :25], "25 objects but 30 labels"),
    ],
)
def test_bad_matrices(matrix, sentence):
    with pytest.raises(ValueError, match=sentence):
        precomputed().fit(matrix, Y)


def test_distances_given_as_similarities_are_noticed():
    with pytest.warns(UserWarning, match=r'diagonal is zero .* proximity="dissimilarity"'):
        KernelRSLVQ(kernel="precomputed", random_state=0).fit(D, Y)


def test_rows_of_the_wrong_width():
    model = precomputed(random_state=0).fit(D, Y)
    with pytest.raises(ValueError, match="10 features, but ProximityLVQ is expecting 30"):
        model.predict(D[:, :10])


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"n_prototypes": 16}, "class 0 has 15 objects, fewer than its 16 prototypes"),
        ({"n_prototypes": 0}, r"n_prototypes \(=0\) must be positive integers"),
        ({"n_prototypes": {0: 1}}, r"missing \[1\]"),
        ({"n_prototypes": {0: 1, 1: 1, 7: 2}}, r"not in y \[7\]"),
        ({"init": np.ones((2, 10)) / 10}, r"shape \(2, 10\), but \(2, 30\) is needed"),
        ({"init": np.full((2, 30), np.nan)}, "init contains NaN"),
        ({"init": -np.ones((2, 30)) / 30}, "negative coefficients"),
        ({"init": np.ones((2, 30))}, "must sum to 1 .* sums to 30"),
        ({"init": "best"}, r"init \(='best'\) must be"),
        ({"cost": "svm"}, r"cost \(='svm'\) must be one of"),
        ({"gradient": "up"}, r"gradient \(='up'\) must be one of"),
        ({"constraint": "none"}, 'constraint="none" needs similarities'),
        ({"correction": "snap"}, r"correction \(='snap'\) must be one of"),
        ({"solver": "lbfgs"}, 'use gradient="coordinates"'),
        ({"solver": "lbfgs", "gradient": "coordinates", "cost": "lvq1"}, "heuristic"),
        ({"learning_rate": -1.0}, r"learning_rate \(=-1.0\)"),
        ({"learning_rate": "fast"}, r"learning_rate \(='fast'\)"),
        ({"max_epochs": 0}, r"max_epochs \(=0\) must be an integer, at least 1"),
        ({"batch_size": 2.5}, r"batch_size \(=2.5\)"),
        ({"tol": -1}, r"tol \(=-1\)"),
        ({"cost": "lvq21", "window": 1.5}, r"window \(=1.5\)"),
        ({"cost": "rslvq", "sigma2": 0.0}, "sigma2 .* must be positive"),
        ({"cost": "rslvq", "sigma2": [1.0, 2.0, 3.0]}, "sigma2 .* one number or 2"),
        ({"cost": "rslvq", "sigma2": "auto"}, r"sigma2 \(='auto'\)"),
        ({"cost": "rslvq", "prior": [1.0, -1.0]}, "prior .* must be positive"),
        ({"transfer": "relu"}, r"transfer \(='relu'\)"),
        ({"slope": 0}, r"slope \(=0\)"),
        ({"proximity": "distance"}, r"proximity \(='distance'\)"),
    ],
)
def test_bad_parameters(params, sentence):
    model = precomputed(**{k: v for k, v in params.items() if k != "proximity"})
    model.set_params(**params)
    with pytest.raises(ValueError, match=sentence):
        model.fit(D, Y)
    assert not hasattr(model, "coefficients_")


def test_one_class_only():
    with pytest.raises(ValueError, match="at least two classes; y has only"):
        precomputed().fit(D, np.zeros(30))


def test_regression_targets_are_refused():
    with pytest.raises(ValueError, match="continuous"):
        precomputed().fit(D, np.linspace(0, 1, 30))


def test_given_coefficients_inside_cross_validation_say_why():
    init = np.zeros((2, 30))
    init[0, np.flatnonzero(Y == 0)[0]] = init[1, np.flatnonzero(Y == 1)[0]] = 1.0
    with pytest.raises(ValueError, match="inside cross-validation"):
        cross_val_score(precomputed(init=init), D, Y, cv=3, error_score="raise")


def test_weights_must_leave_something():
    with pytest.raises(ValueError, match="at least one non-zero"):
        precomputed().fit(D, Y, sample_weight=np.zeros(30))


def test_negative_glvq_denominators_are_counted_and_told_once():
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(40, 4))
    indefinite = Z * np.array([1, 1, -1, -1.0]) @ Z.T
    y = np.repeat([0, 1], 20)
    with pytest.warns(UserWarning, match="denominator .* correction") as caught:
        model = KernelGLVQ(kernel="precomputed", n_prototypes=3, random_state=0).fit(indefinite, y)
    assert len(caught) == 1
    assert model.n_refused_ > 0
    assert np.isfinite(model.decision_function(indefinite)).all()


def test_distances_ask_for_self_similarities():
    model = KernelGLVQ(kernel="precomputed", random_state=0).fit(S + 40 * np.eye(30), Y)
    rows = S[:5]
    model.predict(rows)
    with pytest.raises(ValueError, match="self_similarity"):
        model.transform(rows)
    distances = model.transform(rows, self_similarity=np.diag(S)[:5])
    W = model.coefficients_ @ X
    expected = ((X[:5, None] - W) ** 2).sum(axis=2)
    extra = 40 * (model.coefficients_**2).sum(axis=1)
    np.testing.assert_allclose(distances, expected + extra, rtol=1e-9)


def test_rejection_needs_sensible_arguments():
    model = RelationalGLVQ(random_state=0).fit(X, Y)
    with pytest.raises(ValueError, match=r"threshold \(=2\) must be a number between 0 and 1"):
        model.predict_or_reject(X, threshold=2)
    with pytest.raises(ValueError, match="one of the classes"):
        model.predict_or_reject(X, reject_label=1)


def test_tiny_huge_duplicated_and_constant_data():
    for scale in (1e-150, 1e100):
        model = RelationalGLVQ(metric="precomputed", random_state=0).fit(scale * D, Y)
        assert model.score(scale * D, Y) > 0.9
    twice = np.vstack([X, X])
    assert RelationalGLVQ(random_state=0, n_prototypes=3).fit(twice, np.r_[Y, Y]).score(X, Y) > 0.9
    with pytest.warns(UserWarning, match="denominator"):
        flat = RelationalGLVQ(random_state=0).fit(np.ones((6, 2)), [0, 0, 0, 1, 1, 1])
    assert np.isfinite(flat.coefficients_).all()
    two = RelationalGLVQ(random_state=0).fit([[0.0], [1.0]], ["a", "b"])
    assert two.predict([[0.1], [0.9]]).tolist() == ["a", "b"]


@pytest.mark.parametrize(
    "model", [RelationalGLVQ(metric="euclidean"), RelationalGLVQ(), KernelGLVQ()], ids=str
)
def test_words_need_a_function_of_two(model):
    with pytest.raises(ValueError, match=r"X holds words.*levenshtein"):
        model.fit(["ab", "ac", "xy", "xz"], [0, 0, 1, 1])


@pytest.mark.parametrize("model", [LVQ1, LVQ21, GLVQ])
def test_rates_that_fling_prototypes_away_are_refused(model):
    rows = np.random.default_rng(0).normal(size=(24, 4))
    options = {"solver": "sgd"} if model is GLVQ else {}
    with pytest.raises(ValueError, match=r"learning_rate \(=1e\+300\) is too large"):
        model(learning_rate=1e300, random_state=0, **options).fit(rows, np.arange(24) % 2)
