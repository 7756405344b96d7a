"""GeneralizedPCA against the naive fixed point, PCA, and its own guarantees."""

import numpy as np
import pytest
from scipy.integrate import quad
from sklearn.datasets import load_iris, load_wine
from sklearn.decomposition import PCA
from sklearn.exceptions import ConvergenceWarning

from noneuclid.pca import GeneralizedPCA
from noneuclid.pca._signs import Signs
from noneuclid.pca.objectives import make_objective

SLOPES = {
    "l1": np.ones_like,
    "l1.5": np.sqrt,
    "l2": lambda u: u,
    "tanh": np.tanh,
    "sech": lambda u: 3 - 3 / np.cosh(np.minimum(u, 500)),
    "skeleton": lambda u: np.minimum(u, 0.7),
    "tanh2": lambda u: 2 * np.tanh(u) ** 2,
    "sigmoid": lambda u: 4 / (1 + np.exp(-u)) - 2,
    "tanh_sech": lambda u: 2 * np.tanh(u) / np.cosh(u),
    "cosine": lambda u: 1 - np.cos(np.pi * u / 2),
    "gaussian": lambda u: np.exp(-(u**2)),
}
CONVEX = ("l1", "l1.5", "l2", "tanh", "sech", "skeleton", "tanh2", "sigmoid")


def naive(X: np.ndarray, k: int, slope) -> np.ndarray:
    """The published algorithm, step by step, with the data deflated explicitly."""
    X = X - X.mean(axis=0)
    components = []
    for _ in range(k):
        w = X[np.argmax(np.linalg.norm(X, axis=1))]
        w = w / np.linalg.norm(w)
        for _ in range(100_000):
            o = X @ w
            g = (slope(np.abs(o)) * np.sign(o)) @ X
            new = g / np.linalg.norm(g)
            change, w = np.linalg.norm(new - w), new
            if change < 1e-13:
                break
        components.append(w)
        X = X - np.outer(X @ w, w)
    return np.array(components)


def outlying(seed: int = 0, n: int = 200, d: int = 6) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.standard_t(3, size=(n, d)) * np.linspace(2, 0.5, d) @ rng.normal(size=(d, d))


@pytest.mark.parametrize("objective", ["l1", "l1.5", "l2", "tanh", "sech", "skeleton"])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_equals_naive_fixed_point(objective, seed):
    X = outlying(seed)
    a = 0.7 if objective == "skeleton" else None
    model = GeneralizedPCA(n_components=3, objective=objective, a=a, tol=1e-13, max_iter=100_000)
    expected = naive(X, 3, SLOPES[objective])
    np.testing.assert_allclose(model.fit(X).components_, expected, atol=1e-8)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("objective", ["l1", "l1.2", "tanh", "sech", "tanh2"])
def test_acceleration_ends_where_plain_steps_do(objective, seed):
    """Also where there are many fixed points: in units in which the objectives are nearly l1."""
    rng = np.random.default_rng(100 + seed)
    X = 4.0 * outlying(seed, n=int(rng.integers(30, 250)), d=int(rng.integers(3, 20)))
    model = GeneralizedPCA(n_components=2, objective=objective, tol=1e-13, max_iter=100_000)
    slope = {**SLOPES, "l1.2": lambda u: u**0.2}[objective]
    np.testing.assert_allclose(model.fit(X).components_, naive(X, 2, slope), atol=1e-8)


def test_acceleration_saves_iterations():
    X = outlying(0, n=500, d=30)
    model = GeneralizedPCA(n_components=1, objective="tanh", tol=1e-13, max_iter=100_000).fit(X)
    Y = X - X.mean(axis=0)
    w, change, n_plain = Y[np.argmax(np.linalg.norm(Y, axis=1))], 1.0, 0
    while change >= 1e-13:
        new = np.tanh(Y @ w / np.linalg.norm(w)) @ Y
        new /= np.linalg.norm(new)
        change, w, n_plain = np.linalg.norm(new - w), new, n_plain + 1
    assert model.n_iter_ < n_plain / 2


@pytest.mark.parametrize("scale", [1e-200, 1.0, 1e200])
def test_signs_in_single_precision_are_exact(scale):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 40))
    w = rng.normal(size=40)
    w /= np.linalg.norm(w)
    X[:100] -= np.outer(X[:100] @ w, w)  # projections that are rounding only
    X[100:110] = 0.0
    X[110:120] *= 1e-60
    np.testing.assert_array_equal(Signs(scale * X)(w), np.sign((scale * X) @ w))


@pytest.mark.parametrize("objective", sorted(SLOPES))
@pytest.mark.parametrize("deflation", ["greedy", "joint"])
def test_objective_never_falls(objective, deflation):
    model = GeneralizedPCA(n_components=3, objective=objective, deflation=deflation, max_iter=5000)
    model.set_params(a=0.7 if objective == "skeleton" else None)
    curve = model.fit(outlying()).objective_curve_
    assert np.diff(curve).min(initial=0.0) >= -1e-11 * abs(curve[-1])


@pytest.mark.parametrize("objective", sorted(SLOPES))
def test_slopes_and_values(objective):
    """f' is the one of the definition, and f its integral."""
    made = make_objective(objective, None, 0.7, None, 10.0)
    u = np.linspace(0, 6, 25)
    np.testing.assert_allclose(made.slope(u), SLOPES[objective](u), atol=1e-12)
    integrals = [quad(SLOPES[objective], 0, end, limit=200)[0] for end in u]
    np.testing.assert_allclose(made.value(u) - made.value(np.zeros(1)), integrals, atol=1e-7)
    rises = np.diff(made.slope(np.linspace(0, 10, 400)))
    assert made.convex == (objective in CONVEX)
    assert not made.convex or rises.min() >= -1e-12


def test_l2_equals_pca():
    X = load_wine().data
    ours = GeneralizedPCA(n_components=3, objective="l2").fit(X)
    pca = PCA(n_components=3).fit(X)
    np.testing.assert_allclose(np.abs(ours.components_), np.abs(pca.components_), atol=1e-8)
    np.testing.assert_allclose(np.abs(ours.transform(X)), np.abs(pca.transform(X)), atol=1e-6)


def test_callable_equals_name():
    X = outlying()
    by_name = GeneralizedPCA(objective="tanh").fit(X)
    by_slope = GeneralizedPCA(objective=np.tanh).fit(X)
    np.testing.assert_allclose(by_name.components_, by_slope.components_, atol=1e-6)
    assert by_slope.objective_curve_[-1] == pytest.approx(by_name.objective_curve_[-1])


@pytest.mark.parametrize("p", [0.3, 0.5, 0.8])
@pytest.mark.parametrize("seed", range(5))
def test_p_below_one_converges_to_a_maximum(p, seed):
    """No warning, and no nearby direction is better."""
    X = outlying(seed)
    model = GeneralizedPCA(n_components=1, objective="lp", p=p).fit(X)
    X = X - X.mean(axis=0)
    rng = np.random.default_rng(0)
    near = model.components_ + 1e-4 * rng.normal(size=(200, X.shape[1]))
    near /= np.linalg.norm(near, axis=1, keepdims=True)
    best = (np.abs(X @ model.components_.T) ** p).sum()
    assert (np.abs(X @ near.T) ** p).sum(axis=0).max() <= best * (1 + 1e-6)


def test_joint_is_at_least_as_good_as_greedy():
    X = outlying(5)
    totals = {}
    for deflation in ("greedy", "joint"):
        W = GeneralizedPCA(n_components=3, deflation=deflation).fit(X).components_
        np.testing.assert_allclose(W @ W.T, np.eye(3), atol=1e-12)
        totals[deflation] = np.abs((X - X.mean(axis=0)) @ W.T).sum()
    assert totals["joint"] > totals["greedy"]


def test_restarts_never_hurt():
    X = outlying(7)
    objective = [
        GeneralizedPCA(n_components=1, n_init=n, random_state=0).fit(X).objective_curve_[-1]
        for n in (1, 10)
    ]
    assert objective[1] >= objective[0]


def test_leaves_a_stalled_l1_start():
    """The start is orthogonal to every other sample: sgn(0) = 0 would keep it there."""
    X = np.array([[3.0, 0.0], [-3.0, 0.0], [0.0, 2.0], [0.0, -2.0]])
    w = GeneralizedPCA(n_components=1).fit(X).components_[0]
    assert np.abs(X @ w).sum() == pytest.approx(2 * np.hypot(3, 2))


def test_automatic_a_resists_outliers():
    rng = np.random.default_rng(0)
    clean = rng.normal(size=(100, 5)) * [5, 4, 0.1, 0.1, 0.1]
    dirty = np.vstack([clean, rng.normal(size=(15, 5)) * [0, 0, 12, 12, 12]])
    robust = GeneralizedPCA(objective="skeleton", a="auto").fit(dirty)
    plain = GeneralizedPCA(objective="l2").fit(dirty)
    assert 0 < robust.a_ < np.linalg.norm(dirty, axis=1).max() / 2
    errors = [np.median(model.reconstruction_error(clean)) for model in (robust, plain)]
    assert errors[0] < 0.8 * errors[1]


def test_reconstruction_error_marks_outliers():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 5)) * [5, 4, 0.1, 0.1, 0.1]
    X[:3] += [0, 0, 5, 0, 0]
    model = GeneralizedPCA().fit(X)
    assert set(np.argsort(model.reconstruction_error(X))[-3:]) == {0, 1, 2}
    rest = X - model.inverse_transform(model.transform(X))
    np.testing.assert_allclose(model.reconstruction_error(X), np.linalg.norm(rest, axis=1))


def test_warns_what_to_change():
    with pytest.warns(ConvergenceWarning, match="raise max_iter"):
        GeneralizedPCA(objective="tanh", max_iter=2).fit(outlying())


class TestBadInput:
    @pytest.mark.parametrize("objective", ["l1", "l2", "l0.5", "skeleton", "tanh"])
    def test_constant_data(self, objective):
        model = GeneralizedPCA(objective=objective).fit(np.ones((5, 3)))
        np.testing.assert_allclose(model.components_ @ model.components_.T, np.eye(2), atol=1e-12)
        assert (model.transform(np.ones((2, 3))) == 0).all()

    @pytest.mark.parametrize("objective", ["l1", "l2", "l0.5", "sech"])
    def test_rank_deficient_data(self, objective):
        X = np.repeat(np.outer(np.arange(8.0), [1.0, 2.0, 0.0]), 2, axis=0)
        model = GeneralizedPCA(n_components=3, objective=objective).fit(X)
        np.testing.assert_allclose(model.components_ @ model.components_.T, np.eye(3), atol=1e-9)
        np.testing.assert_allclose(model.inverse_transform(model.transform(X)), X, atol=1e-9)

    def test_one_sample(self):
        with pytest.raises(ValueError, match="n_samples=1"):
            GeneralizedPCA(n_components=1).fit([[1.0, 2.0]])

    @pytest.mark.parametrize(
        ("params", "error", "sentence"),
        [
            ({"objective": "huber"}, ValueError, "must be an Objective, a function"),
            ({"objective": 3}, TypeError, "must be a name"),
            ({"objective": "lp"}, ValueError, "positive number"),
            ({"objective": "lp", "p": -1}, ValueError, "positive number"),
            ({"objective": "skeleton", "a": 0.0}, ValueError, "positive number"),
            (
                {"objective": "skeleton", "a": "best"},
                ValueError,
                'must be "auto", a positive number',
            ),
            ({"deflation": "both"}, ValueError, "must be one of"),
            ({"n_components": 9}, ValueError, "at most"),
            ({"objective": lambda u: u * np.nan}, ValueError, "finite"),
        ],
    )
    def test_parameters(self, params, error, sentence):
        with pytest.raises(error, match=sentence):
            GeneralizedPCA(**params).fit(load_iris().data)


@pytest.mark.parametrize("scale", [1e-170, 1e170])
@pytest.mark.parametrize("objective", ["l1", "l2", "skeleton"])
def test_powers_beyond_the_range_of_numbers_are_refused(objective, scale):
    with pytest.raises(ValueError, match="rescale X"):
        GeneralizedPCA(objective=objective).fit(scale * outlying())
