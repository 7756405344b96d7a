"""Learners of vectors: every cost in every space, literal steps, streams, missing values."""

import copy
import subprocess
import sys
import warnings
from functools import partial
from itertools import product

import numpy as np
import pytest
from scipy.special import logsumexp
from sklearn.datasets import load_iris, make_blobs

from noneuclid.kernels import Gaussian
from noneuclid.prototypes import GLVQ, GMLVQ, GRLVQ, LGMLVQ, LVQ1, LVQ21, RSLVQ, MatrixRSLVQ
from noneuclid.spaces import (
    Euclidean,
    Hilbert,
    IncompatibleSpace,
    KernelMetric,
    LeeVerleysen,
    Lp,
    PseudoEuclidean,
    Sobolev,
    as_space,
)
from noneuclid.testing import example_points, example_spaces

LEARNERS = [LVQ1, LVQ21, GLVQ, RSLVQ, GMLVQ]
MATRICES = [GMLVQ, GRLVQ, LGMLVQ, MatrixRSLVQ]
CURVED = [
    Euclidean(),
    Hilbert(np.diag([1.0, 2.0, 0.5]) + 0.1),
    Lp(1),
    Lp(3),
    Sobolev(spacing="unit"),
    LeeVerleysen(),
    PseudoEuclidean(signature=(2, 1)),
]


def two_clouds(space, n=24, seed=0):
    """Two classes that a linear map of the example points tells apart."""
    X = 0.4 * example_points(space, np.random.default_rng(seed), n)
    y = np.arange(n) % 2
    X[y == 1, 0] += 1.0
    return X, y


@pytest.mark.parametrize(
    "cls",
    [
        *(LVQ1, GLVQ, GMLVQ, LGMLVQ),
        *(pytest.param(cls, marks=pytest.mark.slow) for cls in (LVQ21, RSLVQ, GRLVQ, MatrixRSLVQ)),
    ],
)
@pytest.mark.parametrize("space", example_spaces())
def test_every_space_fits_or_says_why_not(cls, space):
    X, y = two_clouds(space)
    model = cls(space=space, n_prototypes=2, max_epochs=2, random_state=0)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*GLVQ denominator")
        if cls in MATRICES and not hasattr(space, "flatten"):
            with pytest.raises(IncompatibleSpace, match=r"LVQ needs a space with `flatten`"):
                model.fit(X, y)
            return
        model.fit(X, y)
    assert model.prototypes_.shape == (4, X.shape[1])
    assert np.isfinite(model.prototypes_).all()
    assert len(model.loss_curve_) == model.n_iter_ + 1
    if cls not in MATRICES:
        expected = space.squared_distance(X, model.prototypes_)
        np.testing.assert_allclose(model.transform(X), expected)


@pytest.mark.parametrize("space", example_spaces())
def test_rslvq_learns_in_every_space(space):
    X, y = two_clouds(space)
    model = RSLVQ(space=space, max_epochs=4, random_state=0).fit(X, y)
    assert model.loss_curve_[-1] < model.loss_curve_[0]
    proba = model.predict_proba(X)
    np.testing.assert_allclose(proba.sum(axis=1), 1.0)
    np.testing.assert_array_equal(model.classes_[proba.argmax(axis=1)], model.predict(X))


def test_the_riesz_gradient_is_followed_wherever_it_descends():
    X, y = two_clouds(PseudoEuclidean(signature=(2, 1)))
    chosen = {
        ("l2", "sgd"): "riesz",
        ("l2", "lbfgs"): "riesz",
        ("l1", "sgd"): "riesz",
        ("l1", "lbfgs"): "coordinates",
        (PseudoEuclidean(signature=(2, 1)), "sgd"): "coordinates",
        (KernelMetric(Gaussian()), "sgd"): "coordinates",
    }
    for (space, solver), gradient in chosen.items():
        by_name, by_itself = (
            RSLVQ(space=space, solver=solver, gradient=g, max_epochs=2, random_state=0).fit(X, y)
            for g in (gradient, "auto")
        )
        np.testing.assert_array_equal(by_name.prototypes_, by_itself.prototypes_)


def test_kernel_metrics_cannot_be_forced():
    X, y = two_clouds(Euclidean())
    space = KernelMetric(Gaussian())
    with pytest.raises(IncompatibleSpace, match=r"gradient=\"riesz\" needs a linear space"):
        GLVQ(space=space, gradient="riesz").fit(X, y)
    with pytest.raises(ValueError, match='use gradient="coordinates"'):
        GLVQ(space="l1", gradient="riesz", solver="lbfgs").fit(X, y)


# --- the published steps --------------------------------------------------------------------


def forces(name, d, own, sigma2=0.7, window=0.3):
    """φ of the published rules, written down once more."""
    phi = np.zeros(len(d))
    if name == "RSLVQ":
        e = np.exp(-(d - d.min()) / sigma2)
        phi = -e / e.sum()
        phi[own] += e[own] / e[own].sum()
        return phi
    right = np.flatnonzero(own)[d[own].argmin()]
    wrong = np.flatnonzero(~own)[d[~own].argmin()]
    if name == "LVQ1":
        phi[d.argmin()] = 1.0 if own[d.argmin()] else -1.0
    elif name == "LVQ21":
        if d[right] > 0 and d[wrong] > 0:
            root = np.sqrt(d[[right, wrong]])
            if root.min() / root.max() > (1 - window) / (1 + window):
                phi[[right, wrong]] = 1.0, -1.0
    else:
        total = d[right] + d[wrong]
        if total > 1e-2 * (abs(d[right]) + abs(d[wrong])):
            phi[right], phi[wrong] = 2 * d[wrong] / total**2, -2 * d[right] / total**2
    return phi


@pytest.mark.parametrize("cls", [LVQ1, LVQ21, GLVQ, RSLVQ])
@pytest.mark.parametrize("space", CURVED)
@pytest.mark.parametrize("gradient", ["riesz", "coordinates"])
def test_a_number_as_learning_rate_makes_the_published_steps(cls, space, gradient):
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(15, 3)), np.arange(15) % 2
    W = rng.normal(size=(4, 3))
    params = {"sigma2": 0.7} if cls is RSLVQ else {}
    model = cls(
        space=space,
        n_prototypes=2,
        gradient=gradient,
        init=W,
        solver="sgd",
        learning_rate=0.05,
        batch_size=1,
        shuffle=False,
        max_epochs=1,
        **params,
    )
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*GLVQ denominator")
        model.fit(X, y)
    labels = np.array([0, 0, 1, 1])
    for x, c in zip(X, y):
        phi = forces(cls.__name__, space.squared_distance(x[None], W)[0], labels == c)
        step = x - W if gradient == "riesz" else 2 * space.dual(x - W)
        W = W + 0.05 * phi[:, None] * step
    np.testing.assert_allclose(model.prototypes_, W, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("transfer", ["sigmoid", "tanh"])
def test_transfer_functions_scale_the_published_step(transfer):
    X, y = np.array([[0.0, 0.0], [4.0, 0.0]]), np.array([0, 1])
    W = np.array([[1.0, 0.0], [3.0, 0.0]])
    common = {"init": W, "solver": "sgd", "learning_rate": 0.1, "shuffle": False, "max_epochs": 1}
    model = GLVQ(transfer=transfer, **common).fit(X, y)
    derivative = {
        "sigmoid": lambda u: 1 / (2 + 2 * np.cosh(u)),
        "tanh": lambda u: 1 / np.cosh(u) ** 2,
    }[transfer]
    for x, right in ((X[0], 0), (X[1], 1)):
        d = ((x - W) ** 2).sum(axis=1)
        mu = (d[right] - d[1 - right]) / d.sum()
        phi = 2 * d[::-1] / d.sum() ** 2 * derivative(mu) * np.where(np.arange(2) == right, 1, -1)
        W = W + 0.1 * phi[:, None] * (x - W)
    np.testing.assert_allclose(model.prototypes_, W)


@pytest.mark.parametrize("space", ["l2", Sobolev(), "l1"])
def test_weights_are_longer_steps(space):
    rng = np.random.default_rng(0)
    X, W = rng.normal(size=(1, 4)), rng.normal(size=(2, 4))
    X, y = np.vstack([X, X + 9]), np.array([0, 1])
    common = {"init": W.copy(), "solver": "sgd", "shuffle": False, "max_epochs": 1, "space": space}
    weighted = LVQ1(learning_rate=0.1, **common).fit(X, y, sample_weight=[1.5, 0.5])
    for x, label, weight in zip(X, y, (1.5, 0.5)):
        nearest = int(as_space(space).squared_distance(x[None], W).argmin())
        sign = 1.0 if nearest == label else -1.0
        W[nearest] += 0.1 * weight * sign * (x - W[nearest])
    np.testing.assert_allclose(weighted.prototypes_, W)
    by_class = LVQ1(learning_rate=0.1, class_weight={0: 1.5, 1: 0.5}, **common).fit(X, y)
    np.testing.assert_allclose(by_class.prototypes_, weighted.prototypes_)


# --- solvers --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True)


def rslvq_cost(space, W, labels, sigma2, X, y):
    """Mean of log Σ_j e^(−d_j/σ²) − log Σ_own e^(−d_j/σ²), written down once more."""
    E = -as_space(space).squared_distance(X, W) / sigma2
    own = np.where(labels == y[:, None], E, -np.inf)
    return (logsumexp(E, axis=1) - logsumexp(own, axis=1)).mean()


@pytest.mark.parametrize("space", ["l2", Sobolev(weights=(1.0, 0.3))])
def test_both_gradients_and_solvers_reach_about_the_same_cost(space, iris):
    values = {}
    for solver, gradient in product(("lbfgs", "sgd"), ("riesz", "coordinates")):
        model = RSLVQ(
            space=space,
            solver=solver,
            gradient=gradient,
            sigma2=2.0,
            max_epochs=100,
            tol=1e-9,
            random_state=0,
        ).fit(*iris)
        values[solver, gradient] = min(model.loss_curve_)
        W, labels = model.prototypes_, model.prototype_labels_
        cost = partial(rslvq_cost, space, labels=labels, sigma2=2.0, X=iris[0], y=iris[1])
        assert cost(W) == pytest.approx(min(model.loss_curve_))
        if solver == "lbfgs":  # a stationary point: the cost is flat in every direction
            h = 1e-5
            units = h * np.eye(W.size).reshape(W.size, *W.shape)
            slopes = [(cost(W + unit) - cost(W - unit)) / (2 * h) for unit in units]
            assert np.abs(slopes).max() < 1e-3
        assert values[solver, gradient] < 0.4 * model.loss_curve_[0]
    assert values["lbfgs", "coordinates"] == pytest.approx(values["lbfgs", "riesz"], rel=1e-3)
    best = min(values.values())
    assert best == pytest.approx(values["lbfgs", "riesz"], rel=1e-3)  # no sample steps do better


def test_learning_in_flat_coordinates_is_euclidean_learning(iris):
    X, y = iris
    space = Sobolev(weights=(1.0, 0.5))
    for params in ({"solver": "lbfgs"}, {"solver": "sgd"}):
        curved = GLVQ(space=space, random_state=0, **params).fit(X, y)
        flat = GLVQ(random_state=0, **params).fit(space.flatten(X), y)
        np.testing.assert_allclose(
            space.flatten(curved.prototypes_), flat.prototypes_, rtol=1e-6, atol=1e-6
        )


def test_quasi_newton_descent_compiles_nothing():
    """So the first fit in a new process is quick."""
    code = (
        "import numpy as np, noneuclid\n"
        "from noneuclid.numerics import lvq, lvq_vectors\n"
        "X = np.random.default_rng(0).normal(size=(40, 3)); y = np.arange(40) % 2\n"
        "noneuclid.GLVQ(n_prototypes=2).fit(X, y).predict(X)\n"
        "noneuclid.RSLVQ(space=noneuclid.Sobolev()).fit(X, y).predict_proba(X)\n"
        "noneuclid.GMLVQ().fit(X, y).predict(X)\n"
        "print(len(lvq_vectors.vector_epoch.signatures + lvq.sample_forces.signatures))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.split() == ["0"], done.stderr


@pytest.mark.parametrize("space", ["l2", "l1", PseudoEuclidean(signature=(3, 1))])
@pytest.mark.parametrize("batch_size", [None, 16, 1000])
@pytest.mark.parametrize("gradient", ["riesz", "coordinates"])
def test_stochastic_descent_is_stable_for_every_batch_size(space, batch_size, gradient, iris):
    if gradient == "riesz" and isinstance(space, PseudoEuclidean):
        pytest.skip("along a negative direction the Riesz step goes uphill")
    model = RSLVQ(
        space=space,
        solver="sgd",
        gradient=gradient,
        batch_size=batch_size,
        max_epochs=8,
        random_state=0,
    ).fit(*iris)
    assert np.isfinite(model.loss_curve_).all()
    # One Riesz step per epoch is short; wherever there are more, most of the cost goes.
    slow = batch_size == 1000 and gradient == "riesz"
    assert min(model.loss_curve_) < (0.97 if slow else 0.3) * model.loss_curve_[0]
    W, labels = model.prototypes_, model.prototype_labels_
    kept = rslvq_cost(space, W, labels, model.sigma2_, *iris)
    assert kept == pytest.approx(min(model.loss_curve_))  # the best state, not the last
    assert model.score(*iris) > (0.92 if slow else 0.96)


@pytest.mark.parametrize("batch_size", [None, 16])
def test_the_best_state_is_kept_where_steps_go_uphill(batch_size, iris):
    space = PseudoEuclidean(signature=(3, 1))
    model = RSLVQ(space=space, solver="sgd", gradient="riesz", batch_size=batch_size)
    model.set_params(max_epochs=8, random_state=0).fit(*iris)
    assert model.loss_curve_[-1] > 1.5 * min(model.loss_curve_)
    kept = rslvq_cost(space, model.prototypes_, model.prototype_labels_, model.sigma2_, *iris)
    assert kept == pytest.approx(min(model.loss_curve_))


@pytest.mark.parametrize("init", ["kmeans", "kmedoids", "random"])
def test_starts_and_numbers_of_prototypes(init, iris):
    X, y = iris
    counts = {0: 1, 1: 3, 2: 2}
    model = GLVQ(n_prototypes=counts, init=init, random_state=0).fit(X, y)
    np.testing.assert_array_equal(model.prototype_labels_, [0, 1, 1, 1, 2, 2])
    assert model.score(X, y) > 0.9


def test_random_starts_are_samples_of_the_class(iris):
    X, y = iris
    model = LVQ1(n_prototypes=4, init="random", solver="sgd", learning_rate=1e-300, random_state=1)
    model.set_params(max_epochs=1).fit(X, y)
    for w, label in zip(model.prototypes_, model.prototype_labels_):
        assert np.abs(X[y == label] - w).sum(axis=1).min() < 1e-12


# --- online ---------------------------------------------------------------------------------


@pytest.mark.parametrize("cls", LEARNERS)
def test_partial_fit_learns_from_a_stream(cls):
    X, y = make_blobs(600, centers=3, n_features=4, cluster_std=3.0, random_state=3)
    whole = cls(random_state=0).fit(X, y).score(X, y)
    model = cls(n_prototypes=1, random_state=0)
    for part in np.array_split(np.arange(600), 12):
        model.partial_fit(X[part], y[part], classes=[0, 1, 2])
    assert model.n_iter_ == 12
    assert len(model.loss_curve_) == 13
    # LVQ2.1 is known to drift apart; only `fit` looks back for the best state.
    assert model.score(X, y) > whole - (0.2 if cls is LVQ21 else 0.05)


def test_partial_fit_makes_the_steps_of_fit():
    X, y = make_blobs(30, centers=2, random_state=0)
    W = X[[0, 1]] if y[0] == 0 else X[[1, 0]]
    common = {"init": W, "shuffle": False, "learning_rate": 0.03, "solver": "sgd", "max_epochs": 1}
    fitted = GLVQ(**common).fit(X, y)
    online = GLVQ(**common)
    for i in range(30):  # one sample at a time: the first shows one class only
        online.partial_fit(X[i : i + 1], y[i : i + 1], classes=[0, 1])
    np.testing.assert_allclose(online.prototypes_, fitted.prototypes_)


def test_partial_fit_continues_after_fit(iris):
    X, y = iris
    model = RSLVQ(space=Sobolev(), random_state=0).fit(X, y)
    before, sigma2 = model.prototypes_.copy(), model.sigma2_
    model.partial_fit(X[::10], y[::10])
    assert 0 < np.abs(model.prototypes_ - before).max() < 0.5
    assert model.sigma2_ == sigma2


@pytest.mark.parametrize("cls", LEARNERS)
def test_parts_of_a_stream_may_be_single_samples(cls, iris):
    X, y = iris
    whole = cls(shuffle=False, batch_size=1, random_state=0).partial_fit(X, y)
    one_by_one = copy.deepcopy(whole)
    whole.partial_fit(X[::5], y[::5])
    for i in range(0, 150, 5):
        one_by_one.partial_fit(X[i : i + 1], y[i : i + 1])
    np.testing.assert_allclose(one_by_one.prototypes_, whole.prototypes_, rtol=1e-9)


def test_class_weights_of_a_stream(iris):
    X, y = iris
    W = X[[0, 50, 100]]
    common = {"init": W, "shuffle": False}
    plain = LVQ1(learning_rate=0.2, **common).partial_fit(X[:1] + 1, y[:1], classes=[0, 1, 2])
    weighted = LVQ1(learning_rate=0.1, class_weight={0: 2.0}, **common)
    weighted.partial_fit(X[:1] + 1, y[:1], classes=[0, 1, 2])
    np.testing.assert_allclose(weighted.prototypes_, plain.prototypes_)
    assert np.abs(plain.prototypes_ - W).max() > 0.1
    with pytest.raises(ValueError, match="needs all samples at once"):
        LVQ1(class_weight="balanced").partial_fit(X, y)


def test_partial_fit_says_what_it_misses(iris):
    X, y = iris
    with pytest.raises(ValueError, match="class 1 has no objects to begin with: let the first"):
        GLVQ().partial_fit(X[:50], y[:50], classes=[0, 1, 2])
    model = GLVQ().partial_fit(X, y)
    with pytest.raises(ValueError, match=r"y has the class 7, which is not among \[0, 1, 2\]"):
        model.partial_fit(X[:1], [7])


# --- missing values -------------------------------------------------------------------------


@pytest.mark.parametrize("cls", [LVQ1, LVQ21, GLVQ, RSLVQ])
@pytest.mark.parametrize("solver", ["sgd", "lbfgs"])
def test_missing_values_are_ignored(cls, solver, iris):
    if solver == "lbfgs" and cls in (LVQ1, LVQ21):
        pytest.skip("a heuristic has no gradient")
    X, y = iris
    X = X.copy()
    X[np.random.default_rng(0).random(X.shape) < 0.2] = np.nan
    model = cls(n_prototypes=2, solver=solver, max_epochs=10, random_state=0).fit(X, y)
    expected = np.nansum((X[:, None] - model.prototypes_) ** 2, axis=2)
    np.testing.assert_allclose(model.transform(X), expected)
    assert model.score(X, y) > 0.85
    model.partial_fit(X[:5], y[:5])
    assert np.isfinite(model.prototypes_).all()


@pytest.mark.parametrize("space", ["l1", Sobolev()])
def test_missing_values_are_refused_elsewhere(space, iris):
    X, y = iris
    X = X.copy()
    X[0, 0] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        GLVQ(space=space).fit(X, y)
    assert not GLVQ(space=space).__sklearn_tags__().input_tags.allow_nan
    assert GLVQ().__sklearn_tags__().input_tags.allow_nan


def test_what_is_missing_is_integrated_out():
    """RSLVQ's posterior is that of a mixture of Gaussians over the features that are there."""
    X, y = make_blobs(60, centers=3, n_features=3, cluster_std=3.0, random_state=0)
    model = RSLVQ(random_state=0).fit(X, y)
    x = np.array([1.0, np.nan, -2.0])
    there = [0, 2]
    e = np.exp(-((x[there] - model.prototypes_[:, there]) ** 2).sum(axis=1) / model.sigma2_)
    np.testing.assert_allclose(model.predict_proba(x[None])[0], e / e.sum(), rtol=1e-9)


# --- decisions ------------------------------------------------------------------------------


def test_decisions_agree_with_each_other(iris):
    X, y = iris
    for cls in LEARNERS:
        model = cls(n_prototypes=2, random_state=0).fit(X, y)
        scores = model.decision_function(X)
        assert scores.shape == (150, 3)
        np.testing.assert_array_equal(model.classes_[scores.argmax(axis=1)], model.predict(X))
        sure = model.certainty(X)
        assert sure.min() >= 0
        assert sure.max() <= 1
        assert hasattr(model, "predict_proba") == (cls is RSLVQ)
        rejected = model.predict_or_reject(X, threshold=float(np.median(sure)))
        assert 0.3 < (rejected == -1).mean() < 0.6


def test_two_classes_have_one_score(iris):
    X, y = iris
    model = GLVQ(random_state=0).fit(X[50:], y[50:])
    scores = model.decision_function(X[50:])
    np.testing.assert_array_equal(scores > 0, model.predict(X[50:]) == 2)


@pytest.mark.parametrize(
    "model", [GLVQ(), RSLVQ(), GMLVQ(), GMLVQ(kernel=True), GLVQ(space="l1")], ids=repr
)
def test_the_unit_of_the_data_does_not_matter(model):
    X, y = load_iris(return_X_y=True)
    model.set_params(random_state=0)
    expected = model.fit(X, y).predict(X)
    n_iter, loss = model.n_iter_, model.loss_curve_[-1]
    assert n_iter > 1
    for unit in (1e-20, 1e-8, 1e8):
        model.fit(unit * X, y)
        assert model.n_iter_ == n_iter
        assert model.loss_curve_[-1] == pytest.approx(loss, rel=1e-5)
        np.testing.assert_array_equal(model.predict(unit * X), expected)


@pytest.mark.parametrize("cls", [GLVQ, RSLVQ])
def test_an_offset_does_not_matter_with_missing_values(cls):
    X, y = load_iris(return_X_y=True)
    X[np.random.default_rng(0).random(X.shape) < 0.05] = np.nan
    expected = cls(random_state=0).fit(X, y).score(X, y)
    far = X + 1e8
    assert cls(random_state=0).fit(far, y).score(far, y) == pytest.approx(expected, abs=0.01)
