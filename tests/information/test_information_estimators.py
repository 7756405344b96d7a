"""KernelICA and ParzenClassifier: parameters as fields, and what they learn by its definition."""

import inspect
import itertools

import numpy as np
import pytest
from information_naive import parzen
from sklearn.base import clone
from sklearn.datasets import make_moons
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.svm import SVC

from noneuclid.information import (
    KernelICA,
    ParzenClassifier,
    f_correlation,
    quadratic_mutual_information,
    svm_as_parzen,
)
from noneuclid.kernels import Gaussian

RNG = np.random.default_rng(0)
SOURCES = np.column_stack(
    [RNG.uniform(-1, 1, 120), RNG.laplace(size=120), RNG.normal(size=120) ** 3]
)
X = SOURCES @ RNG.normal(size=(3, 3))
MOONS, SIDES = make_moons(60, noise=0.15, random_state=0)


# --- parameters -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cls", "first", "names"),
    [
        (
            KernelICA,
            "n_components",
            [
                "n_components",
                "space",
                "contrast",
                "width",
                "regularization",
                "max_iter",
                "tol",
                "n_init",
                "random_state",
            ],
        ),
        (ParzenClassifier, "width", ["width", "rule", "kernel"]),
    ],
)
def test_only_the_first_parameter_comes_without_its_name(cls, first, names):
    parameters = inspect.signature(cls).parameters
    assert list(parameters) == names
    kinds = {name: p.kind for name, p in parameters.items()}
    assert kinds.pop(first) is inspect.Parameter.POSITIONAL_OR_KEYWORD
    assert set(kinds.values()) == {inspect.Parameter.KEYWORD_ONLY}
    model = cls(2)
    assert clone(model).get_params() == model.get_params()
    assert repr(model) == f"{cls.__name__}({first}=2)"


def test_a_grid_over_the_rule():
    search = GridSearchCV(
        ParzenClassifier(0.3), {"rule": ["ded", "map"], "width": [0.2, 5.0]}, cv=3
    )
    assert search.fit(MOONS, SIDES).best_params_["width"] == 0.2
    assert cross_val_score(ParzenClassifier(), MOONS, SIDES, cv=3).mean() > 0.8


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"n_components": 2.0}, r"n_components \(=2.0\) must be an integer, at least 1"),
        ({"n_components": True}, "must be an integer, at least 1"),
        ({"n_components": 4}, r"must be at most min\(n_samples, n_features\) = 3"),
        ({"max_iter": 2.5}, r"max_iter \(=2.5\) must be an integer, at least 1"),
        ({"tol": "small"}, r"tol \(='small'\) must be a positive number"),
        ({"width": np.inf}, r"width \(=inf\) must be a positive number"),
        ({"regularization": True}, r"regularization \(=True\) must be a positive number"),
        ({"contrast": None}, 'contrast .=None. must be one of "f_correlation", "qmi_cs"'),
    ],
)
def test_parameters_are_refused_when_fitting_not_before(parameters, sentence):
    model = KernelICA(**parameters)
    with pytest.raises(ValueError, match=sentence):
        model.fit(X)


# --- components -----------------------------------------------------------------------------------


@pytest.mark.parametrize("contrast", ["f_correlation", "qmi_cs"])
def test_components_are_uncorrelated_of_variance_one(contrast):
    model = KernelICA(contrast=contrast, max_iter=2).fit(X)
    S = model.transform(X)
    np.testing.assert_allclose(S.T @ S / len(S), np.eye(3), atol=1e-10)
    np.testing.assert_allclose(S.mean(axis=0), 0.0, atol=1e-12)
    np.testing.assert_allclose(model.inverse_transform(S), X, atol=1e-10)
    np.testing.assert_allclose(model.components_ @ model.mixing_, np.eye(3), atol=1e-10)
    assert 1 <= model.n_iter_ <= 2


def test_the_contrast_is_the_mean_over_pairs():
    model = KernelICA(max_iter=1, width=0.5, regularization=0.01).fit(X)
    S = model.transform(X)
    pairs = [
        f_correlation(S[:, [i]], S[:, [j]], Gaussian(0.5), 0.01)
        for i, j in itertools.combinations(range(3), 2)
    ]
    assert model.contrast_ == pytest.approx(np.mean(pairs), abs=2e-3)
    model = KernelICA(max_iter=1, width=0.4, contrast="qmi_cs").fit(X)
    S = model.transform(X)
    pairs = [
        quadratic_mutual_information(S[:, [i]], S[:, [j]], 0.4, "cs")
        for i, j in itertools.combinations(range(3), 2)
    ]
    assert model.contrast_ == pytest.approx(np.mean(pairs), rel=1e-3)


def test_more_sweeps_lower_the_contrast():
    first, later = (KernelICA(max_iter=n, tol=1e-6).fit(X).contrast_ for n in (1, 4))
    assert later <= first + 1e-6


def test_one_component_needs_no_rotation():
    model = KernelICA(1).fit(X)
    assert model.contrast_ == 0.0
    centred = X - X.mean(axis=0)
    axis = np.linalg.svd(centred, full_matrices=False)[2][0]
    found = model.components_[0] / np.linalg.norm(model.components_[0])
    assert abs(found @ axis) == pytest.approx(1.0)
    assert model.get_feature_names_out().tolist() == ["kernelica0"]


def test_columns_that_repeat_others_are_no_directions():
    with pytest.raises(ValueError, match=r"vary in 3 directions only: lower n_components \(=4\)"):
        KernelICA(4).fit(np.column_stack([X, X[:, 0]]))
    assert KernelICA(max_iter=1).fit(np.column_stack([X, X[:, 0]])).components_.shape == (3, 4)
    with pytest.raises(ValueError, match="vary in 0 directions only"):
        KernelICA().fit(np.ones((5, 2)))


# --- Parzen classifiers ---------------------------------------------------------------------------


@pytest.mark.parametrize("n_classes", [2, 3])
def test_posteriors_by_bayes_rule(n_classes):
    y = np.arange(60) % n_classes
    model = ParzenClassifier(0.4, rule="map").fit(MOONS, y)
    points = RNG.normal(size=(7, 2))
    joint = np.column_stack(
        [np.mean(y == c) * parzen(MOONS[y == c], 0.4)(points) for c in range(n_classes)]
    )
    expected = joint / joint.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.predict_proba(points), expected, rtol=1e-9)
    np.testing.assert_allclose(np.exp(model.predict_log_proba(points)), expected, rtol=1e-9)
    assert model.predict(points).tolist() == expected.argmax(axis=1).tolist()


def test_probabilities_belong_to_one_rule():
    model = ParzenClassifier().fit(MOONS, SIDES)
    assert not hasattr(model, "predict_proba")
    with pytest.raises(AttributeError, match="predict_proba"):
        model.predict_proba(MOONS)
    again = model.set_params(rule="map").fit(MOONS, SIDES)
    assert hasattr(again, "predict_log_proba")


def test_samples_without_weight_are_not_there():
    weights = np.ones(60)
    weights[::4] = 0.0
    kept = weights > 0
    for rule in ("ded", "map"):
        weighted = ParzenClassifier(rule=rule).fit(MOONS, SIDES, weights)
        fewer = ParzenClassifier(rule=rule).fit(MOONS[kept], SIDES[kept])
        assert weighted.width_ == pytest.approx(fewer.width_)
        np.testing.assert_allclose(
            weighted.decision_function(MOONS), fewer.decision_function(MOONS), rtol=1e-9
        )


def test_classes_that_cannot_be_told_apart():
    with pytest.raises(ValueError, match="there must be at least two classes; there is 1 class"):
        ParzenClassifier().fit(MOONS, np.zeros(60))
    with pytest.raises(ValueError, match="needs a class with two different samples: give a number"):
        ParzenClassifier().fit([[0.0], [1.0]], [0, 1])
    assert ParzenClassifier(1.0).fit([[0.0], [1.0]], [0, 1]).predict([[0.2]]).tolist() == [0]


# --- support vector machines ----------------------------------------------------------------------


@pytest.mark.parametrize("kernel", ["rbf", Gaussian(0.5)], ids=str)
def test_a_view_does_not_change_with_its_classifier(kernel):
    svc = SVC(kernel=clone(kernel, safe=False)).fit(MOONS, SIDES)
    view = svm_as_parzen(svc)
    before = view.decision_function(MOONS), view.density(MOONS, 1)
    if not isinstance(kernel, str):
        svc.kernel.width = 5.0
    svc.set_params(C=0.01).fit(MOONS[:20] + 3.0, SIDES[:20])
    np.testing.assert_array_equal(view.decision_function(MOONS), before[0])
    np.testing.assert_array_equal(view.density(MOONS, 1), before[1])


def test_the_squared_distance_is_that_of_the_means():
    svc = SVC(kernel=Gaussian(0.7), C=2.0).fit(MOONS, SIDES)
    view = svm_as_parzen(svc)
    points = MOONS[svc.support_]
    K = np.exp(-((points[:, None] - points) ** 2).sum(axis=2) / (2 * 0.7**2))
    signed = np.where(view.labels == 1, view.weights, -view.weights)
    assert view.squared_distance == pytest.approx(signed @ K @ signed, rel=1e-9)
    assert view.weights[view.labels == 1].sum() == pytest.approx(1.0)
    assert view.weights[view.labels == 0].sum() == pytest.approx(1.0, rel=1e-6)
    peak = 2 * np.pi * 0.7**2  # of the windows, in two dimensions
    assert view.divergence * peak == pytest.approx(view.squared_distance, rel=1e-6)
    with pytest.raises(ValueError, match=r"label \(=7\) must be one of the classes, .*0.* or .*1"):
        view.density(MOONS, 7)
