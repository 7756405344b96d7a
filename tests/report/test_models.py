"""The models that are compared, and the best of prototypes."""

import warnings
from dataclasses import replace

import numpy as np
import pytest
from sklearn.cross_decomposition import PLSRegression
from sklearn.pipeline import Pipeline
from small_analyses import DATA, QUICK

from noneuclid.datasets import make_contaminated, make_indefinite, make_spectra
from noneuclid.report import Settings
from noneuclid.report.baselines import discriminant_pls
from noneuclid.report.classification import classify, sparse_versions, typical_objects
from noneuclid.report.comparison import compare, outer_folds
from noneuclid.report.matrices import Matrix
from noneuclid.report.models import curve_models, geometries, proximity_models, row_models
from noneuclid.search import usual_geometries
from noneuclid.spaces import Sobolev

FULL = Settings()


def names(candidates):
    return [one.name for one in candidates]


def test_models_of_proximities():
    data = make_indefinite(40)
    matrix = Matrix(data.X, "similarity")
    found = proximity_models(matrix, data.labels, False, FULL)
    assert names(found) == [
        "kernel GLVQ",
        "kernel RSLVQ",
        "relational GLVQ",
        "relational RSLVQ",
        "k nearest neighbours",
        "support vector machine",
        "nearest neighbour",
        "the largest class",
    ]
    assert [one.interpretable for one in found] == [True] * 4 + [False] * 4
    assert [one.is_linear for one in found] == [True] * 4 + [False] * 3 + [True]
    assert found[0].grid == {"n_prototypes": [1, 3], "correction": [None, "clip"]}
    assert found[1].estimator.cost == "rslvq"
    assert found[2].estimator.gradient == "coordinates"
    assert (found[4].X >= 0).all()
    euclidean = proximity_models(matrix, data.labels, True, QUICK)
    assert euclidean[0].grid == {"n_prototypes": [1]}
    assert euclidean[5].grid == {"svm__C": [1.0, 10.0]}


def test_models_of_curves():
    data = make_spectra(20, n_points=20)
    chosen = geometries(data)
    found = curve_models(data, chosen, FULL)
    assert names(found) == [
        "GLVQ",
        "k nearest neighbours",
        "support vector machine",
        "PLS-DA",
        "linear discriminant analysis",
        "the largest class",
    ]
    assert names(found[0].expanded())[2] == "GLVQ, Sobolev"
    assert found[0].expanded()[2].estimator.space.spacing == "unit"
    nearest = found[1].estimator.set_params(distances__space=chosen[2].space)
    D = nearest[0].fit(data.X).transform(data.X)
    np.testing.assert_allclose(D, chosen[2].distances(data.X), atol=1e-9)


def test_more_geometries_are_tried_by_those_who_have_time():
    data = make_spectra(20, n_points=20)
    few, usual, all_of_them = (
        [one.name for one in geometries(data, replace(FULL, **how))]
        for how in ({"quick": True}, {}, {"thorough": True})
    )
    assert few == ["Euclidean", "l1", "Sobolev"]
    assert "Lee–Verleysen" not in usual
    assert set(all_of_them) == {*usual, "Lee–Verleysen"} == set(usual_geometries("curves"))


def test_discriminant_pls_is_that_of_the_indicators():
    data = make_spectra(30, n_points=20)
    y = np.asarray(data.labels)
    found = discriminant_pls().set_params(n_components=3).fit(data.X, y)
    classes = np.unique(y)
    wanted = PLSRegression(3, scale=False).fit(data.X, y[:, None] == classes)
    scores = wanted.predict(data.X)
    assert found.predict(data.X).tolist() == classes[scores.argmax(axis=1)].tolist()


def test_uneven_grids_are_part_of_the_geometry():
    data = make_spectra(10, n_points=20)
    uneven = replace(data, grid=data.grid**2)
    sobolev = geometries(uneven)[2]
    np.testing.assert_array_equal(sobolev.space.grid, uneven.grid)
    assert sobolev.code == 'Sobolev(spacing="unit", grid=data.grid)'
    again = eval(sobolev.code, {"Sobolev": Sobolev, "data": uneven})
    np.testing.assert_allclose(again.norm(data.X), sobolev.space.norm(data.X))
    assert geometries(replace(data, grid=None))[2].code == 'Sobolev(spacing="unit")'


def test_models_of_rows_are_scaled():
    found = row_models(make_contaminated(40), replace(FULL, random_state=5))
    assert names(found)[:2] == ["GLVQ", "GMLVQ"]
    learners = [*found[0].learners.values(), *(one.estimator for one in found[1:5])]
    assert all(isinstance(one, Pipeline) for one in learners)
    assert names(found[0].expanded()) == ["GLVQ, Euclidean", "GLVQ, l1"]
    assert found[1].estimator[-1].random_state == 5
    assert [one.interpretable for one in found] == [True] * 2 + [False] * 4


@pytest.mark.parametrize(("n", "folds"), [(10, 2), (20, 3), (24, 5), (60, 5)])
def test_there_are_always_enough_neighbours(n, folds):
    """Faulty before: the page of 20 trains carried a traceback, with paths of the machine."""
    data = make_indefinite(n)
    settings = Settings(folds=folds, repeats=1)
    found = proximity_models(Matrix(data.X, "similarity"), data.labels, True, settings)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compare([found[4]], data.labels, settings)
    assert found[4].grid["n_neighbors"][0] == 1
    if n == 60:
        assert found[4].grid["n_neighbors"] == [1, 3, 5, 9]


def test_folds_are_fewer_where_a_class_is_small():
    assert outer_folds(np.array(["a"] * 3 + ["b"] * 30), FULL) == 3
    assert outer_folds(np.array(["a"] * 1 + ["b"] * 30), FULL) == 2


# --- the best one ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["vectors", "curves", "similarity"])
def test_the_best_model_of_prototypes_is_refitted(kind):
    data = DATA[kind]()
    y = np.asarray(data.labels)
    every = {
        "vectors": lambda: row_models(data, QUICK)[:1],
        "curves": lambda: curve_models(data, geometries(data, QUICK), QUICK)[:1],
        "similarity": lambda: proximity_models(Matrix(data.X, "similarity"), y, False, QUICK)[:1],
    }[kind]()
    done = []
    found = classify(every, y, QUICK, done.append)
    assert done.count("best model") == 2
    assert found.score.candidate.X is every[0].X
    assert found.distances.shape == (len(data), len(found.labels))
    np.testing.assert_array_equal(found.nearest, found.distances.argmin(axis=1))
    assert len(found.splits) == 2
    scores = [(found.predicted == y)[test].mean() for _, test in found.splits]
    assert np.mean(scores) == pytest.approx(found.score.mean, abs=0.15)
    for j, members in enumerate(found.typical):
        assert all(str(y[i]) == found.labels[j] for i in members)
    if kind == "vectors":  # in the units of the data
        spread = np.ptp(data.X, axis=0)
        assert (np.abs(found.prototypes - np.median(data.X, axis=0)) < spread).all()


def test_distances_of_corrected_similarities_are_squared_distances():
    data = make_indefinite(30)
    every = proximity_models(Matrix(data.X, "similarity"), data.labels, False, QUICK)[:1]
    found = classify(every, data.labels, QUICK)
    assert found.model.correction == "clip"
    assert found.distances.min() > -1e-8 * found.distances.max()


def test_typical_objects_are_of_the_own_class():
    D = np.array([[0.0, 5.0], [1.0, 0.0], [2.0, 1.0], [3.0, 2.0]])
    y = np.array(["a", "b", "a", "b"])
    assert typical_objects(D, np.array(["a", "b"]), y) == [[0, 2], [1, 3]]
    assert typical_objects(D, np.array(["a", "b"]), y, k=1) == [[0], [1]]


def test_sparse_versions_are_means_over_the_test_sets():
    data = make_indefinite(30)
    every = proximity_models(Matrix(data.X, "similarity"), data.labels, False, QUICK)[:1]
    found = classify(every, data.labels, QUICK)
    sparse = sparse_versions(found, data.X)
    assert sparse.n_test_sets == 2
    assert sparse.full.k is None
    one = next(p for p in sparse.points if (p.method, p.k) == ("nearest", 1))
    assert one.n_exemplars == 1
    assert sparse.full.accuracy == pytest.approx(found.score.mean)
    assert sparse.recommended.n_exemplars <= sparse.full.n_exemplars
