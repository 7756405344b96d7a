"""Parzen classifiers against the literal rules, and support vector machines as such."""

import numpy as np
import pytest
from information_naive import V
from sklearn.datasets import load_iris, make_moons
from sklearn.neighbors import KernelDensity
from sklearn.svm import SVC

import noneuclid
from noneuclid.information import (
    ParzenClassifier,
    bandwidth,
    euclidean_divergence,
    svm_as_parzen,
)
from noneuclid.information._widths import silverman_width
from noneuclid.kernels import CrossInformationPotential, Gaussian
from noneuclid.spaces import Hilbert

rng = np.random.default_rng(0)


def two_classes(n=12, m=7, d=2, seed=0):
    g = np.random.default_rng(seed)
    X = np.vstack([g.normal(size=(n, d)), g.normal(1.0, 0.6, size=(m, d))])
    return X, np.repeat(["a", "b"], [n, m]), g.normal(0.5, 1.5, size=(40, d))


@pytest.mark.parametrize("d", [1, 2, 4])
@pytest.mark.parametrize("sizes", [(10, 10), (12, 5), (3, 14), (1, 6)])
def test_two_classes_follow_the_literal_rule_on_every_point(sizes, d):
    X, y, new = two_classes(*sizes, d=d)
    model = ParzenClassifier(width=0.7).fit(X, y)
    A, B = X[y == "a"], X[y == "b"]
    predicted, decision = model.predict(new), model.decision_function(new)
    for x, label, value in zip(new, predicted, decision):
        A2, B2 = np.vstack([A, x]), np.vstack([B, x])
        first, second = euclidean_divergence(A2, B, 0.7), euclidean_divergence(A, B2, 0.7)
        assert label == ("a" if first >= second else "b")
        assert value == pytest.approx(second - first, rel=1e-8, abs=1e-15)


def test_classes_of_equal_size_take_the_nearest_mean():
    X, y, new = two_classes(9, 9)
    model = ParzenClassifier(width=0.7).fit(X, y)
    A, B = X[y == "a"], X[y == "b"]

    def score(C, x):
        return V(C, x[None], 0.7, 0.7) - 0.5 * V(C, C, 0.7, 0.7)

    for x, label in zip(new, model.predict(new)):
        assert label == ("a" if score(A, x) >= score(B, x) else "b")


def test_more_classes_take_the_nearest_mean():
    X, y = load_iris(return_X_y=True)
    model = ParzenClassifier(width=0.5).fit(X[::2], y[::2])
    assert model.score(X[1::2], y[1::2]) > 0.93
    k = Gaussian(0.5 * np.sqrt(2))
    classes = [X[::2][y[::2] == c] for c in range(3)]
    D = np.array([1 - 2 * k(X, C).mean(axis=1) + k(C).mean() for C in classes]).T
    np.testing.assert_array_equal(model.predict(X), D.argmin(axis=1))
    assert model.decision_function(X).shape == (150, 3)


def test_map_is_bayes_rule_with_kernel_densities():
    X, y, new = two_classes()
    model = ParzenClassifier(width=0.4, rule="map").fit(X, y)
    scores = np.array(
        [
            KernelDensity(bandwidth=0.4).fit(X[y == c]).score_samples(new) + np.log((y == c).mean())
            for c in "ab"
        ]
    ).T
    np.testing.assert_array_equal(model.predict(new), np.array(["a", "b"])[scores.argmax(axis=1)])
    np.testing.assert_allclose(model.decision_function(new), scores[:, 1] - scores[:, 0], rtol=1e-8)
    proba = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.predict_proba(new), proba, rtol=1e-9)


def test_both_rules_agree_where_potentials_and_priors_are_equal():
    A = np.random.default_rng(0).normal(size=(20, 2))
    X, y = np.vstack([A, [2.0, 0.0] - A]), np.repeat([0, 1], 20)  # a mirror image
    new = np.random.default_rng(1).normal(1.0, 2.0, size=(300, 2))
    ded = ParzenClassifier(width=0.5).fit(X, y)
    bayes = ParzenClassifier(width=0.5 * np.sqrt(2), rule="map").fit(X, y)
    np.testing.assert_array_equal(ded.predict(new), bayes.predict(new))


@pytest.mark.parametrize("rule", ["ded", "map"])
def test_weights_are_repetitions(rule):
    X, y, new = two_classes()
    counts = np.random.default_rng(2).integers(0, 4, size=len(y))
    weighted = ParzenClassifier(width=0.6, rule=rule).fit(X, y, sample_weight=counts)
    repeated = ParzenClassifier(width=0.6, rule=rule).fit(
        np.repeat(X, counts, 0), np.repeat(y, counts)
    )
    np.testing.assert_allclose(
        weighted.decision_function(new), repeated.decision_function(new), rtol=1e-9, atol=1e-14
    )


def test_the_width_of_shares_does_not_depend_on_their_sum():
    X, _, _ = two_classes()
    shares = np.random.default_rng(0).uniform(0.5, 1.0, size=len(X))
    shares /= shares.sum()
    expected = silverman_width(X, shares * len(X))
    for total in (1e-6, 1 - 1e-15, 1 + 1e-15, 1.5, len(X) - 1.0):
        assert silverman_width(X, shares * total) == pytest.approx(expected)
    counts = np.arange(1, 1 + len(X))
    repeated = silverman_width(np.repeat(X, counts, 0), np.ones(counts.sum()))
    assert silverman_width(X, counts.astype(float)) == pytest.approx(repeated)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("centres", [2, 3])
def test_hundreds_of_dimensions_at_any_scale(centres, scale):
    g = np.random.default_rng(0)
    X = np.vstack([g.normal(c, 1.0, size=(20 + c, 784)) for c in range(centres)])
    y = np.repeat(np.arange(centres), 20 + np.arange(centres))
    model = ParzenClassifier("median").fit(scale * X[::2], y[::2])
    assert model.score(scale * X[1::2], y[1::2]) == 1.0
    assert np.isfinite(model.decision_function(scale * X)).all()


def test_far_from_everything():
    X, y, _ = two_classes()
    model = ParzenClassifier(width=0.1, rule="map").fit(X, y)
    proba = model.predict_proba([[1e5, 1e5], [-1e5, 0.0]])
    np.testing.assert_allclose(proba.sum(axis=1), 1.0)
    assert np.isfinite(ParzenClassifier(width=0.1).fit(X, y).decision_function([[1e5, 1e5]])).all()


def test_width_rules_and_bad_input():
    X, y, _ = two_classes()
    model = ParzenClassifier(width="silverman").fit(X, y)
    expected = np.mean([bandwidth(X[y == c]) for c in "ab"])
    assert model.width_ == pytest.approx(expected)
    for parameters, sentence in (
        ({"width": 0}, r"width \(=0\) must be .*a positive number"),
        ({"width": "wide"}, r"width \(='wide'\) must be"),
        ({"rule": "best"}, r"rule \(='best'\) must be one of"),
    ):
        with pytest.raises(ValueError, match=sentence):
            ParzenClassifier(**parameters).fit(X, y)
    with pytest.raises(ValueError, match="at least two classes"):
        ParzenClassifier(width=1.0).fit(X, np.zeros(len(X)))
    with pytest.raises(ValueError, match="needs a class with two different samples"):
        ParzenClassifier().fit(X[:2], [0, 1])
    with pytest.raises(AttributeError):
        ParzenClassifier(width=1.0).fit(X, y).predict_proba(X)


def test_saved_models_predict_alike(tmp_path):
    X, y, new = two_classes()
    for rule in ("ded", "map"):
        model = ParzenClassifier(rule=rule).fit(X, y)
        noneuclid.save(model, tmp_path / "model.skops")
        back = noneuclid.load(tmp_path / "model.skops")
        np.testing.assert_array_equal(back.decision_function(new), model.decision_function(new))


# --- support vector machines ----------------------------------------------------------------

KERNELS = {
    "rbf": {"kernel": "rbf", "gamma": 0.8},
    "scale": {"kernel": "rbf"},
    "ours": {"kernel": Gaussian(0.7)},
    "poly": {"kernel": "poly", "degree": 2, "coef0": 1.0},
    "linear": {"kernel": "linear"},
}


@pytest.mark.parametrize("C", [0.1, 1.0, 1e4], ids=["soft", "medium", "hard"])
@pytest.mark.parametrize("name", KERNELS)
def test_the_decision_is_a_difference_of_densities(name, C):
    X, y = make_moons(80, noise=0.2, random_state=0)
    y = np.array(["no", "yes"])[y]
    svc = SVC(C=C, tol=1e-6, **KERNELS[name]).fit(X, y)
    view = svm_as_parzen(svc)
    new = np.random.default_rng(0).normal(size=(50, 2))
    difference = view.density(new, "yes") - view.density(new, "no") + view.intercept
    expected = svc.decision_function(new) / view.omega
    np.testing.assert_allclose(difference, expected, atol=1e-8 * np.abs(expected).max())
    np.testing.assert_allclose(view.decision_function(new), difference, atol=1e-12)
    for label in ("yes", "no"):
        assert view.weights[view.labels == label].sum() == pytest.approx(1.0, rel=1e-6)
    assert (view.weights > 0).all()


def test_divergence_of_the_two_densities():
    X, y = make_moons(80, noise=0.2, random_state=0)
    svc = SVC(gamma=0.5 / 0.7**2, C=2.0, tol=1e-8).fit(X, y)
    view = svm_as_parzen(svc)
    second = view.labels == 1
    points = svc.support_vectors_
    expected = euclidean_divergence(
        points[second],
        points[~second],
        0.7 / np.sqrt(2),
        (view.weights[second], view.weights[~second]),
    )
    assert view.divergence == pytest.approx(expected, rel=1e-6)
    assert view.divergence == pytest.approx(view.squared_distance / (2 * np.pi * 0.49), rel=1e-6)
    alpha = svc.dual_coef_.ravel()
    w2 = alpha @ Gaussian(0.7)(points) @ alpha
    assert view.squared_distance == pytest.approx(w2 / view.omega**2, rel=1e-10)
    ours = svm_as_parzen(SVC(kernel=Gaussian(0.7), C=2.0, tol=1e-8).fit(X, y))
    assert ours.divergence == pytest.approx(view.divergence, rel=1e-4)


def test_precomputed_kernels_and_bags():
    X, y = make_moons(60, noise=0.2, random_state=0)
    K = Gaussian(0.7)(X)
    svc = SVC(kernel="precomputed", tol=1e-6).fit(K, y)
    view = svm_as_parzen(svc, gram=K)
    np.testing.assert_allclose(
        view.decision_function(K), svc.decision_function(K) / view.omega, atol=1e-8
    )
    assert np.isfinite(view.squared_distance)
    assert np.isnan(svm_as_parzen(svc).divergence)
    bags = [X[i : i + 3] for i in range(0, 60, 3)]
    labels = np.arange(20) % 2
    svc = SVC(kernel=CrossInformationPotential(0.5), tol=1e-6).fit(bags, labels)
    view = svm_as_parzen(svc)
    np.testing.assert_allclose(
        view.decision_function(bags), svc.decision_function(bags) / view.omega, atol=1e-8
    )


def test_what_is_no_difference_of_two_densities():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="3 classes: a difference of two densities needs two"):
        svm_as_parzen(SVC().fit(X, y))
    with pytest.raises(TypeError, match="must be an SVC"):
        svm_as_parzen(ParzenClassifier())
    with pytest.raises(ValueError, match="not fitted"):
        svm_as_parzen(SVC())
    view = svm_as_parzen(SVC().fit(X[:100], y[:100]))
    with pytest.raises(ValueError, match="must be one of the classes"):
        view.density(X, 2)


def test_the_divergence_is_that_of_densities_only_in_euclidean_space():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(60, 2))
    y = (X[:, 0] + 0.5 * rng.normal(size=60) > 0).astype(int)
    stretched = Gaussian(1.0, Hilbert(np.diag([1.0, 25.0])))
    view = svm_as_parzen(SVC(kernel=stretched).fit(X, y))
    plain = svm_as_parzen(SVC(kernel=Gaussian(1.0)).fit(X * [1, 5], y))
    assert view.squared_distance == pytest.approx(plain.squared_distance)
    assert view.divergence == view.squared_distance
    # D_ED with windows of width σ/√2 has products G_σ, which is κ over 2πσ².
    assert plain.divergence == pytest.approx(plain.squared_distance / (2 * np.pi))
