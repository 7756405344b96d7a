"""One clear sentence for every kind of bad input to a learner of vectors."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import make_blobs

from noneuclid.prototypes import GLVQ, GMLVQ, LVQ1, LVQ21, RSLVQ
from noneuclid.spaces import Hilbert, PseudoEuclidean

X, Y = make_blobs(30, centers=2, n_features=3, random_state=0)


@pytest.mark.parametrize(
    ("cls", "params", "sentence"),
    [
        (GLVQ, {"space": "l0.5"}, "p must be at least 1"),
        (GLVQ, {"space": "flat"}, r"space \(='flat'\) must be a Space or one of"),
        (GLVQ, {"space": Hilbert(np.eye(2))}, "X has 3 features, but Hilbert"),
        (GLVQ, {"n_prototypes": 16}, "class 0 has 15 objects, fewer than its 16 prototypes"),
        (GLVQ, {"n_prototypes": 0}, r"n_prototypes \(=0\) must be positive integers"),
        (GLVQ, {"n_prototypes": {0: 1}}, r"missing \[1\]"),
        (GLVQ, {"init": np.ones((2, 2))}, r"init has shape \(2, 2\), but \(2, 3\) is needed"),
        (GLVQ, {"init": np.full((2, 3), np.inf)}, "init contains NaN or infinity"),
        (GLVQ, {"init": "best"}, r"init \(='best'\) must be"),
        (GLVQ, {"gradient": "up"}, r"gradient \(='up'\) must be one of"),
        (GLVQ, {"solver": "adam"}, r"solver \(='adam'\) must be one of"),
        (GLVQ, {"transfer": "relu"}, r"transfer \(='relu'\)"),
        (GLVQ, {"slope": 0, "transfer": "tanh"}, r"slope \(=0\)"),
        (GLVQ, {"learning_rate": -1.0}, r"learning_rate \(=-1.0\)"),
        (GLVQ, {"max_epochs": 0}, r"max_epochs \(=0\) must be an integer, at least 1"),
        (GLVQ, {"batch_size": 2.5}, r"batch_size \(=2.5\)"),
        (GLVQ, {"tol": -1}, r"tol \(=-1\)"),
        (LVQ1, {"solver": "lbfgs"}, "heuristic without a gradient"),
        (LVQ21, {"window": 1.5}, r"window \(=1.5\)"),
        (RSLVQ, {"sigma2": 0.0}, "sigma2 .* must be positive"),
        (RSLVQ, {"sigma2": [1.0, 2.0, 3.0]}, "sigma2 .* one number or 2"),
        (RSLVQ, {"prior": [1.0, -1.0]}, "prior .* must be positive"),
        (GMLVQ, {"rank": 4}, r"rank \(=4\) must be an integer between 1 and 3"),
    ],
)
def test_bad_parameters(cls, params, sentence):
    with pytest.raises(ValueError, match=sentence):
        cls(**params).fit(X, Y)


@pytest.mark.parametrize("cls", [LVQ1, LVQ21, GLVQ, RSLVQ, GMLVQ])
@pytest.mark.parametrize(
    ("data", "labels", "sentence"),
    [
        (np.where(X[0, 0] == X, np.inf, X), Y, "infinity"),
        (X, Y[:20], "30 objects but 20 labels"),
        (X, np.zeros(30), "needs at least two classes; y has only 0.0"),
        (X, ["a", *Y[1:].tolist()], "y mixes text and numbers"),
        (X, np.array(["a", *Y[1:].tolist()], dtype=object), "y mixes text and numbers"),
        (X, np.where(Y == 0, np.nan, 1.0), "y contains NaN"),
        (X, np.linspace(0, 1, 30), "continuous"),
        (X[:1], Y[:1], "minimum of 2 is required"),
        (X[:0], Y[:0], "0 sample"),
        (X[0], Y, "two-dimensional"),
        (X.astype(str), np.full(30, "a"), "two classes"),
    ],
)
def test_bad_data(cls, data, labels, sentence):
    with pytest.raises(ValueError, match=sentence):
        cls().fit(data, labels)


@pytest.mark.parametrize("cls", [LVQ1, LVQ21, GLVQ, RSLVQ, GMLVQ])
def test_one_sample_per_class_is_enough(cls):
    model = cls(random_state=0).fit(X[[0, 1]], [3, 5])
    np.testing.assert_array_equal(model.predict(X[[0, 1]]), [3, 5])
    assert np.isfinite(model.prototypes_).all()


@pytest.mark.parametrize("cls", [LVQ1, LVQ21, GLVQ, RSLVQ, GMLVQ])
def test_constant_data_and_features_do_no_harm(cls):
    constant = np.column_stack([X, np.full(30, 2.0)])
    assert cls(random_state=0).fit(constant, Y).score(constant, Y) > 0.9
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*lies on prototypes of two classes")
        model = cls(random_state=0).fit(np.ones((6, 2)), [0, 1, 0, 1, 0, 1])
    assert np.isfinite(model.transform(np.ones((2, 2)))).all()


def test_wrong_number_of_features_and_unknown_classes():
    model = GLVQ(random_state=0).fit(X, Y)
    with pytest.raises(ValueError, match="X has 2 features, but GLVQ is expecting 3"):
        model.predict(X[:, :2])
    with pytest.raises(ValueError, match="class 5, which is not among"):
        model.partial_fit(X[:2], [0, 5])


def test_negative_distances_are_counted_and_told():
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(40, 3)) * [1.0, 1.0, 2.0]
    y = np.arange(40) % 2
    with pytest.warns(UserWarning, match="GLVQ denominator that was not positive .* RSLVQ avoids"):
        model = GLVQ(space=PseudoEuclidean(signature=(2, 1)), random_state=0).fit(Z, y)
    assert model.n_refused_ > 0


@pytest.mark.parametrize("cls", [LVQ1, LVQ21, GLVQ, RSLVQ, GMLVQ])
def test_values_whose_powers_overflow(cls):
    sentence = r"X holds values up to \de\+20\d, whose powers overflow: rescale X"
    for method in ("fit", "partial_fit"):
        with pytest.raises(ValueError, match=sentence):
            getattr(cls(), method)(1e200 * X, Y)
    with pytest.raises(ValueError, match=sentence):
        cls(max_epochs=1, random_state=0).fit(X, Y).predict(1e200 * X)
    cls(max_epochs=2, random_state=0).fit(1e70 * X, Y)
