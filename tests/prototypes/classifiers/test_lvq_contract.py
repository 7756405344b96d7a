"""Learners on proximities among scikit-learn's tools: cross-validation, grids, tables."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import noneuclid
from noneuclid.kernels import Gaussian
from noneuclid.numerics import squared_euclidean
from noneuclid.prototypes import (
    KernelGLVQ,
    KernelRSLVQ,
    RelationalGLVQ,
    RelationalRSLVQ,
    compact,
)

NAMED = [KernelGLVQ, KernelRSLVQ, RelationalGLVQ, RelationalRSLVQ]


@pytest.fixture(scope="module")
def iris():
    X, y = load_iris(return_X_y=True)
    return StandardScaler().fit_transform(X), y


@pytest.mark.parametrize("cls", NAMED)
def test_precomputed_equals_the_metric_inside_cross_validation(cls, iris):
    X, y = iris
    name = "kernel" if cls in (KernelGLVQ, KernelRSLVQ) else "metric"
    inside = Gaussian(width=2.0) if name == "kernel" else "sqeuclidean"
    P = Gaussian(width=2.0)(X) if name == "kernel" else squared_euclidean(X, X)
    direct = cross_val_predict(cls(**{name: inside}, random_state=0), X, y, cv=3)
    given = cross_val_predict(cls(**{name: "precomputed"}, random_state=0), P, y, cv=3)
    np.testing.assert_array_equal(given, direct)
    assert (direct == y).mean() > 0.85


def test_grid_search_reaches_into_the_kernel(iris):
    X, y = iris
    grid = GridSearchCV(
        make_pipeline(StandardScaler(), KernelRSLVQ(kernel=Gaussian(), random_state=0)),
        {"kernelrslvq__kernel__width": [0.01, 2.0]},
        cv=3,
    ).fit(X, y)
    assert grid.best_params_["kernelrslvq__kernel__width"] == 2.0


@pytest.mark.parametrize("cls", NAMED)
def test_copies_predict_alike(cls, iris, tmp_path):
    X, y = iris
    model = cls(random_state=0).fit(X, y)
    again = clone(model).fit(X, y)
    noneuclid.save(model, tmp_path / "model.skops")
    for other in (
        again,
        pickle.loads(pickle.dumps(model)),
        noneuclid.load(tmp_path / "model.skops"),
        compact(model),
    ):
        np.testing.assert_allclose(other.transform(X), model.transform(X), atol=1e-12)
        np.testing.assert_array_equal(other.predict(X), model.predict(X))


def test_labels_may_be_words_and_data_frames(iris):
    pandas = pytest.importorskip("pandas")
    X, y = iris
    frame = pandas.DataFrame(X, columns=list("abcd"))
    words = np.array(["setosa", "versicolor", "virginica"])[y]
    model = KernelGLVQ(random_state=0).fit(frame, pandas.Series(words))
    assert list(model.feature_names_in_) == list("abcd")
    assert (model.predict(frame) == words).mean() > 0.9
