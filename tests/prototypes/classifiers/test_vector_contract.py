"""Learners of vectors among scikit-learn's tools: pipelines, grids, tables, files."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import noneuclid
from noneuclid._discovery import all_estimators
from noneuclid.kernels import Gaussian
from noneuclid.prototypes import (
    GLVQ,
    GMLVQ,
    GRLVQ,
    LGMLVQ,
    LVQ1,
    LVQ21,
    RSLVQ,
    MatrixRSLVQ,
    VectorLVQ,
)
from noneuclid.spaces import KernelMetric, Lp, Sobolev

LEARNERS = [cls for cls in all_estimators() if issubclass(cls, VectorLVQ)]


def test_all_learners_are_found():
    matrices = {GMLVQ, GRLVQ, LGMLVQ, MatrixRSLVQ}
    assert {LVQ1, LVQ21, GLVQ, RSLVQ, VectorLVQ} | matrices == set(LEARNERS)


@pytest.fixture(scope="module")
def iris():
    X, y = load_iris(return_X_y=True)
    return StandardScaler().fit_transform(X), y


@pytest.mark.parametrize("cls", LEARNERS)
def test_pipelines_and_cross_validation(cls, iris):
    model = make_pipeline(StandardScaler(), cls(n_prototypes=2, random_state=0))
    assert cross_val_score(model, *iris, cv=3).mean() > 0.9


def test_grid_search_reaches_into_the_space(iris):
    X, y = iris
    exponents = [1, 1.5, 3]
    grid = GridSearchCV(GLVQ(space=Lp(2), random_state=0), {"space__p": exponents}, cv=3)
    grid.fit(X, y)
    direct = [
        cross_val_score(GLVQ(space=Lp(p), random_state=0), X, y, cv=3).mean() for p in exponents
    ]
    np.testing.assert_allclose(grid.cv_results_["mean_test_score"], direct)
    assert grid.best_params_["space__p"] == exponents[int(np.argmax(direct))]
    assert len(set(direct)) == 3  # so that the best is one of its own
    t = np.linspace(0, 1, 30)
    rng = np.random.default_rng(0)
    level = rng.normal(scale=3.0, size=(60, 1))
    frequency = np.repeat([[2.0], [3.0]], 30, axis=0)
    curves = level + np.sin(2 * np.pi * frequency * t) + rng.normal(scale=0.1, size=(60, 30))
    grid = GridSearchCV(
        RSLVQ(space=Sobolev(spacing="unit"), random_state=0),
        {"space__weights": [(1.0,), (1.0, 1.0), (1.0, 0.0, 1e-3)]},
        cv=3,
    ).fit(curves, frequency.ravel())
    assert grid.best_score_ > 0.95


@pytest.mark.parametrize("cls", LEARNERS)
def test_copies_predict_alike(cls, iris, tmp_path):
    X, y = iris
    # One space of each kind: left to the data, flattened, as it is.
    space = {GLVQ: KernelMetric(Gaussian(width="scale")), RSLVQ: Sobolev()}.get(cls, "l2")
    model = cls(space=space, random_state=0).fit(X, y)
    again = clone(model).fit(X, y)
    noneuclid.save(model, tmp_path / "model.skops")
    copies = (again, pickle.loads(pickle.dumps(model)), noneuclid.load(tmp_path / "model.skops"))
    for other in copies:
        np.testing.assert_array_equal(other.transform(X), model.transform(X))
        np.testing.assert_array_equal(other.predict(X), model.predict(X))
    copies[2].partial_fit(X, y)
    assert copies[2].n_iter_ == model.n_iter_ + 1


def test_data_frames_words_and_names_of_columns(iris):
    pandas = pytest.importorskip("pandas")
    X, y = iris
    frame = pandas.DataFrame(X, columns=list("abcd"))
    words = np.array(["setosa", "versicolor", "virginica"])[y]
    model = RSLVQ(random_state=0).fit(frame, pandas.Series(words))
    assert list(model.feature_names_in_) == list("abcd")
    assert (model.predict(frame) == words).mean() > 0.9
    model.set_output(transform="pandas")
    assert list(model.transform(frame).columns) == ["rslvq0", "rslvq1", "rslvq2"]


@pytest.mark.parametrize("cls", LEARNERS)
def test_every_parameter_is_documented(cls):
    for name in cls._get_param_names():
        assert f"\n{name} : " in cls.__doc__, f"{cls.__name__} does not document {name}"
