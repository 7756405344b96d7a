"""Wasserstein costs of bags: linear programmes, closed forms, and their company."""

import sys

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.stats import wasserstein_distance
from sklearn.model_selection import GridSearchCV

import noneuclid
from noneuclid.prototypes import RelationalGLVQ
from noneuclid.proximities import Wasserstein, describe_metric, metrics, pairwise


def bags(d, seed=0, sizes=(3, 5, 4, 1)):
    rng = np.random.default_rng(seed)
    return [rng.normal(size=(n, d)) for n in sizes]


def programme(x, y, p):
    """The definition, solved by another solver."""
    n, m = len(x), len(y)
    costs = np.linalg.norm(x[:, None] - y, axis=2) ** p
    rows = np.kron(np.eye(n), np.ones(m))
    columns = np.kron(np.ones(n), np.eye(m))
    sums = np.r_[np.full(n, 1 / n), np.full(m, 1 / m)]
    return linprog(costs.ravel(), A_eq=np.vstack([rows, columns]), b_eq=sums).fun


@pytest.mark.parametrize("d", [1, 2])
@pytest.mark.parametrize("p", [1.0, 2.0, 3.0])
def test_the_definition(d, p):
    if d > 1:
        pytest.importorskip("ot")
    X, Y = bags(d), bags(d, seed=1)
    expected = [[programme(x, y, p) for y in Y] for x in X]
    np.testing.assert_allclose(Wasserstein(p).between(X, Y), expected, atol=1e-9)
    D = Wasserstein(p).between(X)
    np.testing.assert_allclose(D, Wasserstein(p).between(X, list(X)), atol=1e-12)
    np.testing.assert_array_equal(np.diag(D), 0.0)


def test_one_dimension_is_that_of_scipy():
    x, y = bags(1, sizes=(17, 30))
    got = Wasserstein(1.0)(x, y)
    assert got == pytest.approx(wasserstein_distance(x[:, 0], y[:, 0]), rel=1e-12)


def test_a_shift_costs_its_square():
    pytest.importorskip("ot")
    x = bags(2)[1]
    assert Wasserstein()(x, x + np.array([3.0, 4.0])) == pytest.approx(25.0)


def test_company(tmp_path, capsys):
    pytest.importorskip("ot")
    rng = np.random.default_rng(0)
    y = np.arange(24) % 2
    X = [(1 + c) * rng.normal(size=(rng.integers(10, 20), 2)) for c in y]
    assert "wasserstein" in metrics("dissimilarity", kind="bags")
    assert describe_metric("wasserstein").proximity == "dissimilarity"
    for options in ({}, {"n_landmarks": 8}):
        model = RelationalGLVQ(metric="wasserstein", random_state=0, max_epochs=10, **options)
        assert model.fit(X, y).score(X, y) > 0.8
        noneuclid.save(model, tmp_path / "model.skops")
        back = noneuclid.load(tmp_path / "model.skops")
        np.testing.assert_array_equal(back.predict(X), model.predict(X))
    model = RelationalGLVQ(metric=Wasserstein(), random_state=0, max_epochs=3)
    search = GridSearchCV(model, {"metric__p": [1.0, 2.0]}, cv=2).fit(X, y)
    assert search.best_score_ > 0.6
    assert pairwise(X, "wasserstein", verbose=True).shape == (24, 24)
    assert "bags [" in capsys.readouterr().err


def test_bad_input(monkeypatch):
    with pytest.raises(ValueError, match=r"p \(=0.5\) must be a number, at least 1"):
        Wasserstein(0.5).between(bags(1))
    with pytest.raises(ValueError, match="the samples of X have 1 features and those of Y 2"):
        Wasserstein().between(bags(1), bags(2))
    with pytest.raises(ValueError, match=r"X\[0\] is empty"):
        Wasserstein().between([np.empty((0, 2))])
    monkeypatch.setitem(sys.modules, "ot", None)
    with pytest.raises(ImportError, match=r'pip install "noneuclid\[transport\]"'):
        Wasserstein().between(bags(2))
    assert Wasserstein().between(bags(1)).shape == (4, 4), "one dimension needs nothing"
