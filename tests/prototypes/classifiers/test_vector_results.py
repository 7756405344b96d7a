"""What learners of vectors must reach, with their defaults, on data everybody has."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.model_selection import RepeatedStratifiedKFold, StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import benchmark_data
from noneuclid.prototypes import GLVQ, GMLVQ, RSLVQ
from noneuclid.spaces import Euclidean, Sobolev

FOLDS = StratifiedKFold(5, shuffle=True, random_state=0)


def standardised(model):
    return make_pipeline(StandardScaler(), model)


@pytest.mark.parametrize("n_prototypes", [1, 3])
@pytest.mark.parametrize("cls", [GLVQ, RSLVQ, GMLVQ])
@pytest.mark.parametrize(("load", "goal"), [(load_wine, 0.95), (load_breast_cancer, 0.94)])
def test_small_tables(cls, load, goal, n_prototypes):
    """178 samples of wine: one fold's luck is a percent, so the mean is asked for below."""
    model = standardised(cls(n_prototypes=n_prototypes, random_state=0))
    assert cross_val_score(model, *load(return_X_y=True), cv=FOLDS).mean() >= goal


@pytest.mark.slow
@pytest.mark.parametrize("cls", [GLVQ, RSLVQ, GMLVQ])
@pytest.mark.parametrize(("load", "goal"), [(load_wine, 0.96), (load_breast_cancer, 0.94)])
def test_small_tables_on_average(cls, load, goal):
    folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=5, random_state=0)
    for n_prototypes in (1, 3):
        model = standardised(cls(n_prototypes=n_prototypes, random_state=0))
        assert cross_val_score(model, *load(return_X_y=True), cv=folds).mean() >= goal


@pytest.mark.parametrize(("cls", "goal"), [(GLVQ, 0.95), (RSLVQ, 0.975), (GMLVQ, 0.95)])
def test_digits(cls, goal):
    X, y = load_digits(return_X_y=True)
    model = cls(n_prototypes=3, random_state=0)
    assert cross_val_score(model, X / 16, y, cv=FOLDS).mean() >= goal


@pytest.mark.slow
@pytest.mark.parametrize(("cls", "goal"), [(GLVQ, 0.94), (RSLVQ, 0.94), (GMLVQ, 0.95)])
def test_digits_with_one_prototype(cls, goal):
    X, y = load_digits(return_X_y=True)
    assert cross_val_score(cls(random_state=0), X / 16, y, cv=FOLDS).mean() >= goal


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "goal"),
    [(GLVQ(random_state=0), 0.751), (GMLVQ(kernel=True, random_state=0), 0.765)],
)
def test_pima(model, goal):
    """Published: 75.1 % (GLVQ) and 78.3 % (Ω learned inside the kernel), of one run each.

    Here, over ten folds five times, 76.8 ± 0.1 and 77.3 ± 0.1 (literature/a_pima.py).
    """
    data = benchmark_data.load("pima_diabetes")
    X, y = data["X"].astype(float), data["y"]
    folds = RepeatedStratifiedKFold(n_splits=10, n_repeats=3, random_state=0)
    assert cross_val_score(standardised(model), X, y, cv=folds).mean() >= goal


def test_the_geometry_matters_for_curves():
    """Class is the place of a small line on a large smooth background."""
    rng = np.random.default_rng(0)
    n, t = 120, np.linspace(0, 1, 60)
    y = np.arange(n) % 2
    background = rng.normal(size=(n, 3)) @ np.array([np.ones(60), 3 * t, 5 * (t - 0.5) ** 2])
    place = np.where(y == 0, 0.4, 0.5)[:, None]
    X = background + 0.5 * np.exp(-(((t - place) / 0.03) ** 2)) + 0.01 * rng.normal(size=(n, 60))
    flat, curved = (
        cross_val_score(GLVQ(space=space, max_epochs=5, random_state=0), X, y, cv=3).mean()
        for space in (Euclidean(), Sobolev(weights=(1, 0, 1), spacing="unit"))
    )
    assert curved > 0.98
    assert curved > flat + 0.05


def test_balanced_classes_count_weights_of_samples():
    X, y = load_iris(return_X_y=True)
    weights = np.random.default_rng(0).integers(0, 3, 150)
    rows, init = np.repeat(np.arange(150), weights), X[[0, 60, 120]]
    model = GLVQ(init=init, class_weight="balanced")
    weighted = clone(model).fit(X, y, sample_weight=weights)
    repeated = clone(model).fit(X[rows], y[rows])
    np.testing.assert_allclose(weighted.prototypes_, repeated.prototypes_, rtol=1e-9)


def test_a_number_that_is_given_forgets_the_one_that_was_chosen():
    X, y = load_iris(return_X_y=True)
    model = GLVQ(n_prototypes="auto", random_state=0).fit(X, y)
    assert model.n_prototypes_ >= 1
    model.set_params(n_prototypes=3).fit(X, y)
    assert not hasattr(model, "n_prototypes_")
    assert not hasattr(model, "validation_errors_")
