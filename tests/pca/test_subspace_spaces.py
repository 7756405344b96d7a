"""SubspaceClassifier in any geometry: Banach spaces, Hilbert spaces, functions."""

import numpy as np
import pytest
from scipy import integrate
from sklearn.base import clone
from sklearn.datasets import load_digits, load_wine
from sklearn.model_selection import GridSearchCV
from sklearn.preprocessing import scale

from noneuclid.kernels import Gaussian
from noneuclid.pca import FunctionalPCA, GeneralizedPCA, HebbianPCA, SubspaceClassifier
from noneuclid.spaces import Hilbert, IncompatibleSpace, KernelMetric, Lp, Sobolev

WINE = load_wine()
X, Y = scale(WINE.data), WINE.target
SPACES = [
    "l1",
    "l2",
    Lp(1.5),
    "linf",
    Sobolev(),
    Sobolev(p=1.5),
    Hilbert(np.diag(np.arange(1, 14.0))),
]


def waves(n=60, seed=0):
    """Curves whose classes differ in shape, not in position: phases are random."""
    rng = np.random.default_rng(seed)
    t, y = np.linspace(0, 1, 40), np.arange(n) % 2
    phase, size = rng.uniform(0, 2 * np.pi, (2, n, 1)), rng.normal(size=(n, 1))
    curves = size * np.sin(2 * np.pi * (1 + y[:, None]) * t + phase[0])
    return curves + 0.05 * rng.normal(size=(n, 40)), y


@pytest.mark.parametrize("space", SPACES, ids=str)
def test_errors_by_hand(space):
    """The norm of what the components of a class leave, one after the other."""
    pca = HebbianPCA(n_components=2, space=space, random_state=0, max_iter=300, tol=1e-6)
    model = SubspaceClassifier(estimator=pca).fit(X, Y)
    expected = []
    for fitted, label in zip(model.estimators_, range(3)):
        np.testing.assert_allclose(fitted.mean_, X[label == Y].mean(axis=0), atol=1e-12)
        space_ = fitted.space_
        V = X - fitted.mean_
        responses = [space_.product(V, w[None, :]) for w in fitted.components_]
        rest = V - responses[0] @ fitted.components_[:1]
        if not space_.is_hilbert:  # the second responds to what the first left
            responses[1] = space_.product(rest, fitted.components_[1:])
        rest = rest - responses[1] @ fitted.components_[1:]
        expected.append(space_.norm(rest))
    np.testing.assert_allclose(model.decision_function(X), -np.array(expected).T, rtol=1e-6)
    assert model.score(X, Y) > 0.9


def test_hilbert_spaces_agree_with_the_generalised_components():
    for space in ("l2", Sobolev(spacing="unit")):
        models = [
            SubspaceClassifier(estimator=pca).fit(X, Y)
            for pca in (HebbianPCA(n_components=3, space=space),
                        GeneralizedPCA(n_components=3, space=space, objective="l2"))
        ]  # fmt: skip
        errors = [model.decision_function(X) for model in models]
        np.testing.assert_allclose(errors[0], errors[1], rtol=1e-6)


def test_ruined_digits():
    """Digits with a few ruined pixels are told apart by lines of either space."""
    D, y = load_digits(return_X_y=True)
    rng = np.random.default_rng(0)
    ruined = np.where(rng.uniform(size=D.shape) < 0.05, 16 - D, D)
    scores = {}
    for space in ("l1", "l2"):
        pca = HebbianPCA(
            n_components=6, space=space, random_state=0, max_iter=60, tol=1e-4, n_init=2
        )
        model = SubspaceClassifier(estimator=pca).fit(D[::2], y[::2])
        scores[space] = model.score(ruined[1::2], y[1::2])
    assert min(scores.values()) > 0.85


def test_a_by_training_performance():
    """The recipe of the docstring: the a with the most training rows in their own class."""
    largest, rows = np.linalg.norm(X - X.mean(axis=0), axis=1).max(), np.arange(len(X))
    values = largest * np.logspace(-3, 0, 5)
    pca = GeneralizedPCA(n_components=2, objective="skeleton", tol=1e-4)
    search = GridSearchCV(
        SubspaceClassifier(estimator=pca), {"estimator__a": values}, cv=[(rows, rows)]
    ).fit(X, Y)
    scores = []
    for a in values:
        models = [clone(pca).set_params(a=a).fit(X[c == Y]) for c in range(3)]
        errors = [model.reconstruction_error(X) for model in models]
        scores.append((np.argmin(errors, axis=0) == Y).mean())
    np.testing.assert_allclose(search.cv_results_["mean_test_score"], scores)
    assert search.best_params_["estimator__a"] == values[np.argmax(scores)]


def test_grid_search_over_spaces():
    search = GridSearchCV(
        SubspaceClassifier(estimator=HebbianPCA(n_components=2, random_state=0)),
        {"estimator__space": ["l2", Sobolev()]}, cv=3,
    )  # fmt: skip
    assert search.fit(X, Y).best_score_ > 0.8


def test_functions():
    curves, y = waves()
    pca = FunctionalPCA(n_components=2, basis="fourier", n_basis=7)
    model = SubspaceClassifier(estimator=pca).fit(curves, y)
    new, labels = waves(40, seed=1)
    assert model.score(new, labels) > 0.9
    # The error is that of the functions, in L².
    fitted = model.estimators_[0]
    t = np.linspace(0, 1, 2001)
    basis = fitted._basis.evaluate(t)
    functions = fitted._fit_coefficients(new) @ basis.T
    mean = fitted._fit_coefficients(curves[y == 0]).mean(axis=0) @ basis.T
    near = mean + fitted.transform(new) @ fitted.component_functions(t)
    lost = np.sqrt(integrate.trapezoid((functions - near) ** 2, t, axis=1))
    np.testing.assert_allclose(fitted.reconstruction_error(new), lost, rtol=1e-4, atol=1e-6)


def test_functions_with_gaps():
    curves, y = waves()
    holes = np.random.default_rng(0).uniform(size=curves.shape) < 0.2
    curves[holes] = np.nan
    pca = FunctionalPCA(n_components=2, basis="fourier", n_basis=7)
    model = SubspaceClassifier(estimator=pca).fit(curves, y)
    assert model.score(*waves(40, seed=1)) > 0.9
    with pytest.raises(ValueError, match="NaN"):
        SubspaceClassifier(estimator=HebbianPCA()).fit(curves, y)


def test_random_functions_have_no_plane():
    curves, y = waves(20)
    model = SubspaceClassifier(estimator=FunctionalPCA(method="conditional")).fit(curves, y)
    with pytest.raises(ValueError, match="reconstruction_error needs curves on a grid"):
        model.predict(curves)


def test_as_many_components_as_leave_something():
    few = X[:, :3]
    model = SubspaceClassifier(estimator=HebbianPCA(n_components=9)).fit(few, Y)
    assert {len(fitted.components_) for fitted in model.estimators_} == {2}
    curves, y = waves()
    pca = FunctionalPCA(n_components=30, basis="fourier", n_basis=7)
    model = SubspaceClassifier(estimator=pca).fit(curves, y)
    assert {len(fitted.components_) for fitted in model.estimators_} == {6}


def test_a_kernel_metric_has_no_norm():
    model = SubspaceClassifier(estimator=HebbianPCA(space=KernelMetric(Gaussian(3.0))))
    with pytest.raises(IncompatibleSpace, match="SubspaceClassifier needs a space with `norm`"):
        model.fit(X, Y)
    pca = HebbianPCA(space=KernelMetric(Gaussian(3.0)), max_iter=20, tol=0.1).fit(X)
    with pytest.raises(IncompatibleSpace, match="reconstruction_error needs a space with `norm`"):
        pca.reconstruction_error(X)


def test_one_feature():
    with pytest.raises(ValueError, match="needs at least 2 features"):
        SubspaceClassifier(estimator=HebbianPCA()).fit(X[:, :1], Y)
