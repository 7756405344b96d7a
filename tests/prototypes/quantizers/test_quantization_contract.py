"""Quantisers among scikit-learn's tools: grids, tables, copies that behave alike."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import noneuclid
from noneuclid.kernels import Gaussian
from noneuclid.prototypes import NeuralGas, ProximityNeuralGas, ProximitySOM, SelfOrganizingMap
from noneuclid.spaces import Lp


@pytest.fixture(scope="module")
def iris():
    return StandardScaler().fit_transform(load_iris().data)


MODELS = [
    NeuralGas(n_prototypes=4),
    NeuralGas(n_prototypes=4, space=Lp(3), max_epochs=5),
    SelfOrganizingMap(shape=(3, 2), topology="hex"),
    ProximityNeuralGas(n_prototypes=4, metric=Gaussian(width=2.0)),
    ProximityNeuralGas(n_prototypes=4, metric="rbf", n_landmarks=30),
    ProximitySOM(shape=(3, 2), proximity="dissimilarity", metric="cityblock"),
]


@pytest.mark.parametrize("model", MODELS)
def test_copies_behave_alike(model, iris, tmp_path):
    model = clone(model).set_params(random_state=0).fit(iris)
    noneuclid.save(model, tmp_path / "model.skops")
    for other in (
        clone(model).fit(iris),
        pickle.loads(pickle.dumps(model)),
        noneuclid.load(tmp_path / "model.skops"),
    ):
        np.testing.assert_allclose(other.transform(iris), model.transform(iris), atol=1e-12)
        np.testing.assert_array_equal(other.predict(iris), model.labels_)
        if hasattr(model, "topographic_error"):
            assert other.topographic_error(iris) == model.topographic_error(iris)


def test_names_of_columns_and_frames(iris):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(iris, columns=list("abcd"))
    model = NeuralGas(n_prototypes=3, random_state=0).set_output(transform="pandas").fit(frame)
    assert list(model.feature_names_in_) == list("abcd")
    assert list(model.transform(frame)) == ["neuralgas0", "neuralgas1", "neuralgas2"]
    som = SelfOrganizingMap(shape=(2, 2)).fit(frame)
    assert len(som.get_feature_names_out()) == 4


def test_grid_search_reaches_into_the_space(iris):
    exponents = [1, 1.5, 3]
    grid = GridSearchCV(
        make_pipeline(StandardScaler(), NeuralGas(n_prototypes=3, space=Lp(2), random_state=0)),
        {"neuralgas__space__p": exponents},
        cv=3,
    ).fit(iris)
    direct = [
        cross_val_score(
            make_pipeline(StandardScaler(), NeuralGas(n_prototypes=3, space=Lp(p), random_state=0)),
            iris,
            cv=3,
        ).mean()
        for p in exponents
    ]
    np.testing.assert_allclose(grid.cv_results_["mean_test_score"], direct)
    assert grid.best_params_["neuralgas__space__p"] == exponents[int(np.argmax(direct))]
    assert len(set(direct)) == 3  # so that the best is one of its own


def test_grid_search_finds_that_more_prototypes_are_nearer(iris):
    model = NeuralGas(space=Lp(1.5), max_epochs=5, random_state=0)
    grid = GridSearchCV(model, {"n_prototypes": [1, 6]}, cv=3).fit(iris)
    assert grid.best_params_["n_prototypes"] == 6


def test_precomputed_matrices_are_cut_on_both_sides(iris):
    D = ((iris[:, None] - iris) ** 2).sum(axis=2)
    grid = GridSearchCV(
        ProximityNeuralGas(proximity="dissimilarity", random_state=0),
        {"n_prototypes": [1, 6]},
        cv=3,
    ).fit(D)
    assert grid.best_params_["n_prototypes"] == 6


@pytest.mark.parametrize(
    ("model", "changed"),
    [
        (SelfOrganizingMap(shape=(3, 3), random_state=0), {"shape": (3, 4)}),
        (NeuralGas(n_prototypes=5, random_state=0), {"n_prototypes": 3}),
    ],
)
def test_a_stream_does_not_go_on_with_another_number_of_prototypes(model, changed):
    X = np.random.default_rng(0).normal(size=(30, 3))
    model = clone(model).fit(X)
    before = model.prototypes_.copy()
    with pytest.raises(ValueError, match=r"has learned .* prototypes, and its parameters ask for"):
        model.set_params(**changed).partial_fit(X)
    np.testing.assert_array_equal(model.prototypes_, before)
