"""What the classifiers promise: decisions, certainty, weights, support, options."""

import numpy as np
import pytest
from sklearn.datasets import load_iris, make_blobs

from noneuclid.kernels import Gaussian
from noneuclid.numerics import squared_euclidean
from noneuclid.prototypes import (
    KernelGLVQ,
    KernelRSLVQ,
    ProximityLVQ,
    RelationalGLVQ,
    RelationalRSLVQ,
    compact,
)
from noneuclid.proximities import SpectrumCorrection, signature, to_dissimilarity, to_similarity

LITERAL = {"learning_rate": 1e-12, "max_epochs": 1}


@pytest.fixture(scope="module")
def blobs():
    return make_blobs(150, centers=3, n_features=4, cluster_std=2.5, random_state=3)


def test_prototypes_come_class_by_class(blobs):
    X, y = blobs
    model = KernelGLVQ(n_prototypes={0: 1, 1: 3, 2: 2}, random_state=0).fit(X, y)
    assert model.prototype_labels_.tolist() == [0, 1, 1, 1, 2, 2]
    assert model.coefficients_.shape == (6, 150)
    np.testing.assert_allclose(model.coefficients_.sum(axis=1), 1.0)
    assert (model.coefficients_ >= 0).all()


@pytest.mark.parametrize("init", ["random", "kmeans", "kmedoids"])
def test_prototypes_start_in_their_own_class(blobs, init):
    X, y = blobs
    model = RelationalGLVQ(init=init, n_prototypes=3, random_state=0, **LITERAL).fit(X, y)
    G = np.where(model.coefficients_ > 1e-9, model.coefficients_, 0.0)
    for gamma, label in zip(G, model.prototype_labels_):
        assert (y[gamma > 0] == label).all()
    if init == "kmedoids":
        np.testing.assert_allclose(G.max(axis=1), 1.0, atol=1e-6)


def test_one_kmeans_prototype_is_the_class_mean(blobs):
    X, y = blobs
    model = RelationalGLVQ(random_state=0, **LITERAL).fit(X, y)
    means = np.array([X[y == c].mean(axis=0) for c in range(3)])
    np.testing.assert_allclose(model.transform(X), squared_euclidean(X, means), atol=1e-6)


@pytest.mark.parametrize("cls", [KernelRSLVQ, RelationalRSLVQ])
def test_posterior_agrees_with_prediction_and_decision(cls, blobs):
    X, y = blobs
    model = cls(n_prototypes=2, random_state=0).fit(X, y)
    P = model.predict_proba(X)
    np.testing.assert_allclose(P.sum(axis=1), 1.0)
    np.testing.assert_array_equal(model.classes_[P.argmax(axis=1)], model.predict(X))
    np.testing.assert_array_equal(model.decision_function(X).argmax(axis=1), P.argmax(axis=1))
    D = model.transform(X)
    E = np.exp(-(D - D.min(axis=1, keepdims=True)) / model.sigma2_)
    expected = np.column_stack([E[:, model.prototype_labels_ == c].sum(axis=1) for c in range(3)])
    np.testing.assert_allclose(P, expected / expected.sum(axis=1, keepdims=True), atol=1e-10)
    assert not hasattr(KernelGLVQ().fit(X, y), "predict_proba")


def test_binary_decision_is_a_difference_of_distances(blobs):
    X, y = blobs
    two = y < 2
    model = KernelGLVQ(random_state=0, n_prototypes=2).fit(X[two], y[two])
    D = model.transform(X)
    expected = D[:, :2].min(axis=1) - D[:, 2:].min(axis=1)
    np.testing.assert_allclose(model.decision_function(X), expected, atol=1e-10)


def test_rejecting_the_uncertain_leaves_better_predictions(blobs):
    X, y = blobs
    model = KernelRSLVQ(n_prototypes=2, random_state=0).fit(X[::2], y[::2])
    certainty = model.certainty(X[1::2])
    threshold = float(np.quantile(certainty, 0.3))
    predicted = model.predict_or_reject(X[1::2], threshold=threshold)
    accepted = predicted != -1
    assert 0.5 < accepted.mean() < 0.8
    assert (predicted == y[1::2])[accepted].mean() >= model.score(X[1::2], y[1::2])
    margins = KernelGLVQ(random_state=0).fit(X, y).certainty(X)
    assert ((margins >= 0) & (margins <= 1)).all()


def test_class_weight_and_sample_weight_are_the_same_thing(blobs):
    X, y = blobs
    weights = np.where(y == 0, 5.0, 1.0)
    options = {"n_prototypes": 2, "random_state": 0}
    by_class = KernelGLVQ(class_weight={0: 5.0, 1: 1.0, 2: 1.0}, **options).fit(X, y)
    by_sample = KernelGLVQ(**options).fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(by_class.coefficients_, by_sample.coefficients_)
    plain = KernelGLVQ(**options).fit(X, y)
    recall = [(m.predict(X)[y == 0] == 0).mean() for m in (plain, by_class)]
    assert recall[1] >= recall[0]
    assert np.abs(plain.coefficients_ - by_class.coefficients_).max() > 1e-3


def test_weights_of_zero_leave_samples_out_of_the_force(blobs):
    X, y = blobs
    weights = (np.arange(150) % 3 > 0).astype(float)
    G = np.zeros((3, 150))
    G[np.arange(3), [np.flatnonzero((y == c) & (weights > 0))[0] for c in range(3)]] = 1.0
    model = KernelGLVQ(init=G).fit(X, y, sample_weight=weights)
    assert (model.coefficients_[:, weights == 0] == 0).all()


def test_indefinite_similarities_are_learned_as_they_are():
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(80, 5))
    y = np.repeat([0, 1], 40)
    Z[:, 0] += 2.0 * y
    S = Z * np.array([1, 1, 1, 1, -1.0]) @ Z.T
    model = KernelRSLVQ(kernel="precomputed", random_state=0).fit(S, y)
    assert model.signature_ == signature(S)
    assert model.signature_.negative == 1
    assert model.score(S, y) > 0.75


@pytest.mark.parametrize("method", ["clip", "flip", "shift", "square"])
def test_correction_inside_equals_correction_outside(method):
    rng = np.random.default_rng(1)
    Z = rng.normal(size=(60, 6))
    y = np.repeat([0, 1], 30)
    Z[:, 0] += 2.0 * y
    S = Z * np.array([1, 1, 1, 1, -1.0, -1.0]) @ Z.T
    train, test = np.arange(60) % 3 > 0, np.arange(60) % 3 == 0
    A, R = S[np.ix_(train, train)], S[np.ix_(test, train)]
    options = {"kernel": "precomputed", "n_prototypes": 2, "random_state": 0}
    inside = KernelRSLVQ(correction=method, **options).fit(A, y[train])
    outer = SpectrumCorrection(method=method).fit(A)
    outside = KernelRSLVQ(**options).fit(outer.transform(A), y[train])
    np.testing.assert_allclose(
        inside.predict_proba(R), outside.predict_proba(outer.transform(R)), atol=1e-8
    )


@pytest.mark.parametrize("method", ["clip", "flip", "shift", "square"])
def test_correction_of_dissimilarities_equals_correction_outside(method):
    rng = np.random.default_rng(2)
    Z = rng.normal(size=(40, 5))
    y = np.repeat([0, 1], 20)
    D = to_dissimilarity(Z * np.array([1, 1, 1, 1, -1.0]) @ Z.T)
    A, R = D[:30, :30], D[30:, :30]
    options = {"metric": "precomputed", "random_state": 0}
    inside = RelationalRSLVQ(correction=method, **options).fit(A, y[:30])
    outer = SpectrumCorrection(method=method, proximity="dissimilarity").fit(A)
    outside = RelationalRSLVQ(**options).fit(outer.transform(A), y[:30])
    np.testing.assert_allclose(
        inside.predict_proba(R), outside.predict_proba(outer.transform(R)), atol=1e-8
    )


def test_compact_needs_the_support_only(blobs):
    X, y = blobs
    S = Gaussian(width=3.0)(X)
    # LVQ2.1 with a narrow window moves few prototypes, and those to few objects.
    model = ProximityLVQ(cost="lvq21", window=0.02, init="kmedoids", random_state=0, max_epochs=2)
    model.fit(S, y)
    small = compact(model)
    assert 0 < len(model.support_) < 150
    assert small.coefficients_.shape == (3, len(model.support_))
    np.testing.assert_array_equal(small.predict(S[:, model.support_]), model.predict(S))


def test_objects_of_any_kind_are_classified_by_their_metric():
    words = ["aaaa", "aaab", "aaba", "zzzz", "zzzy", "zyzz"]
    y = ["a", "a", "a", "z", "z", "z"]
    for metric in ("levenshtein", lambda a, b: sum(c != d for c, d in zip(a, b))):
        model = RelationalGLVQ(metric=metric, random_state=0).fit(words, y)
        assert model.predict(["aaaz", "zzzz"]).tolist() == ["a", "z"]


@pytest.mark.parametrize("gradient", ["riesz", "coordinates"])
@pytest.mark.parametrize("batch_size", [1, 7, 1000])
def test_mini_batches_descend(gradient, batch_size, blobs):
    X, y = blobs
    model = ProximityLVQ(
        cost="rslvq",
        metric="sqeuclidean",
        proximity="dissimilarity",
        gradient=gradient,
        batch_size=batch_size,
        init="random",
        n_prototypes=2,
        random_state=0,
    ).fit(X, y)
    assert min(model.loss_curve_) < model.loss_curve_[0]


@pytest.mark.parametrize("cls", [RelationalGLVQ, RelationalRSLVQ])
def test_lbfgs_reaches_at_least_what_sgd_reaches(cls, blobs):
    X, y = blobs
    options = {"init": "random", "n_prototypes": 2, "random_state": 0}
    sgd = cls(**options).fit(X, y)
    lbfgs = cls(solver="lbfgs", max_epochs=100, **options).fit(X, y)
    assert lbfgs.loss_curve_[-1] <= min(sgd.loss_curve_) + 0.02 * abs(sgd.loss_curve_[0])


def test_gradient_aliases_mean_the_same(blobs):
    X, y = blobs
    a, b = (
        ProximityLVQ(metric="rbf", gradient=g, random_state=0).fit(X, y)
        for g in ("riesz", "prototypes")
    )
    np.testing.assert_array_equal(a.coefficients_, b.coefficients_)


def test_early_stopping_and_its_absence(blobs):
    X, y = blobs
    long = {"max_epochs": 200, "random_state": 0}
    assert KernelGLVQ(**long).fit(X, y).n_iter_ < 200
    assert KernelGLVQ(tol=0, max_epochs=40, random_state=0).fit(X, y).n_iter_ == 40
    model = KernelGLVQ(**long).fit(X, y)
    assert len(model.loss_curve_) == model.n_iter_ + 1


def test_rescaled_data_give_the_same_classifier(blobs):
    """Learning rates and bandwidths are in units of the data."""
    X, y = blobs
    D = squared_euclidean(X, X)
    for cls in (RelationalGLVQ, RelationalRSLVQ):
        predictions = [
            cls(metric="precomputed", n_prototypes=2, random_state=0).fit(s * D, y).predict(s * D)
            for s in (1.0, 1024.0)
        ]
        np.testing.assert_array_equal(*predictions)


def test_verbose_shows_progress(blobs, capsys):
    X, y = blobs
    KernelGLVQ(verbose=True, max_epochs=3, tol=0, random_state=0).fit(X, y)
    assert "3/3" in capsys.readouterr().err


def test_similarity_and_dissimilarity_views_predict_alike():
    X, y = load_iris(return_X_y=True)
    D = squared_euclidean(X, X)
    options = {"cost": "glvq", "gradient": "riesz", "n_prototypes": 2, "random_state": 0}
    by_d = ProximityLVQ(proximity="dissimilarity", **options).fit(D, y)
    by_s = ProximityLVQ(proximity="similarity", **options).fit(to_similarity(D), y)
    np.testing.assert_allclose(by_d.coefficients_, by_s.coefficients_, atol=1e-8)


@pytest.mark.parametrize("cls", [KernelGLVQ, RelationalGLVQ, ProximityLVQ])
def test_the_transfer_is_automatic_unless_steps_are_literal(cls):
    X, y = load_iris(return_X_y=True)
    P = squared_euclidean(X, X)
    params = {"proximity": "dissimilarity"} if cls is ProximityLVQ else {}
    X = P if cls is ProximityLVQ else X
    auto = cls(random_state=0, **params).fit(X, y)
    assert auto.cost_.transfer == "sigmoid"
    assert auto.cost_.slope > 1
    told = cls(random_state=0, transfer="sigmoid", slope="auto", **params).fit(X, y)
    np.testing.assert_array_equal(auto.coefficients_, told.coefficients_)
    assert cls(slope=3.0, **params).fit(X, y).cost_.slope == 3.0
    literal = cls(random_state=0, learning_rate=0.1, max_epochs=1, **params).fit(X, y)
    assert (literal.cost_.transfer, literal.cost_.slope) == ("identity", 1.0)
