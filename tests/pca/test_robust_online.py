"""GeneralizedPCA.partial_fit: Sanger's rule with any slope, against the batch solution."""

import pickle

import numpy as np
import pytest
from scipy.linalg import subspace_angles
from sklearn.decomposition import PCA

from noneuclid.pca import GeneralizedPCA, Objective
from noneuclid.pca._robust_online import RobustState, _stepped, orthonormal
from noneuclid.pca.objectives import make_objective
from noneuclid.spaces import Hilbert, IncompatibleSpace, Sobolev

TURN = np.linalg.qr(np.random.default_rng(1).normal(size=(6, 6)))[0]
CONVEX = ["l1", "l2", "l1.5", "tanh", "sigmoid", "skeleton"]


def rows(n, seed=0):
    """Heavy tails in all directions."""
    rng = np.random.default_rng(seed)
    X = rng.standard_t(4, size=(n, 6)) * [3, 1.8, 1, 0.6, 0.4, 0.3]
    return X @ TURN + 5.0


def streamed(model, X, size=500):
    for start in range(0, len(X), size):
        model.partial_fit(X[start : start + size])
    return model


def angle(one, other):
    return np.degrees(subspace_angles(one.T, other.T)).max()


def test_literal_step():
    """W + ε/E[gO] · mean of g_i(v − Σ_{j≤i} O_j w_j) over a few rows."""
    rng = np.random.default_rng(0)
    V, W, power = rng.normal(size=(4, 5)), 0.5 * rng.normal(size=(3, 5)), np.full(3, 100.0)
    new, _ = _stepped(W, power, V, make_objective("tanh"), clock=10**6, together=False)
    update = np.zeros_like(W)
    for v in V:
        responses = W @ v
        for i in range(3):
            rest = v - responses[: i + 1] @ W[: i + 1]
            update[i] += np.tanh(responses[i]) * rest / 4
    step = 4 * 0.1 * 300 / (300 + 10**6)
    memory = step / 10
    now = [np.mean(np.tanh(V @ w) * (V @ w)) for w in W]
    scale = power + memory * (now - power)
    np.testing.assert_allclose(new, W + (step / scale)[:, None] * update, rtol=1e-12)


@pytest.mark.parametrize("objective", CONVEX)
def test_rests_where_the_batch_solution_is(objective):
    X = rows(12_000)
    batch = GeneralizedPCA(objective=objective, tol=1e-7).fit(X)
    online = streamed(GeneralizedPCA(objective=objective, a=batch.a_, random_state=0), X)
    assert angle(online.components_, batch.components_) < 4
    cosines = np.abs(np.einsum("ij,ij->i", online.components_, batch.components_))
    assert np.degrees(np.arccos(cosines.min())) < 5
    np.testing.assert_allclose(online.mean_, X.mean(axis=0), rtol=1e-10)
    np.testing.assert_allclose(online.components_ @ online.components_.T, np.eye(2), atol=1e-12)


def test_joint_components():
    X = rows(12_000)
    params = {"objective": "l1", "deflation": "joint", "random_state": 0, "n_components": 3}
    batch, online = GeneralizedPCA(**params).fit(X), streamed(GeneralizedPCA(**params), X)
    assert angle(online.components_, batch.components_) < 5
    totals = [np.abs(model.transform(X)).sum() for model in (batch, online)]
    assert totals[1] > 0.999 * totals[0]
    np.testing.assert_allclose(online.components_ @ online.components_.T, np.eye(3), atol=1e-12)


def test_the_batch_solution_is_a_fixed_point():
    """The expected update of every component vanishes there."""
    X = rows(2000)
    model = GeneralizedPCA(objective="tanh", n_components=3, tol=1e-12).fit(X)
    V = X - model.mean_
    responses = V @ model.components_.T
    G = np.tanh(responses)
    update = (G.T @ V - np.tril(G.T @ responses) @ model.components_) / len(V)
    assert np.abs(update).max() < 1e-6 * np.abs(G.T @ V / len(V)).max()


def test_robust_where_pca_is_not():
    X, rng = rows(6000), np.random.default_rng(0)
    X[rng.choice(6000, 180, replace=False)] += 40.0 * rng.choice([-1, 1], (180, 1)) * TURN[5]
    true = TURN[:1]
    online = streamed(GeneralizedPCA(n_components=1, objective="tanh", random_state=0), X)
    assert angle(online.components_, true) < 30
    assert angle(PCA(n_components=1).fit(X).components_, true) > 80


def test_any_slope():
    X = rows(4000)
    objective = Objective(lambda u: np.sqrt(1 + u**2), lambda u: u / np.sqrt(1 + u**2))
    for given in (objective, lambda u: u / np.sqrt(1 + u**2)):
        online = streamed(GeneralizedPCA(objective=given, random_state=0), X)
        batch = GeneralizedPCA(objective=objective).fit(X)
        assert angle(online.components_, batch.components_) < 8


def test_in_a_hilbert_space():
    X, space = rows(8000), Hilbert(np.diag([1.0, 4, 9, 1, 1, 1]))
    online = streamed(GeneralizedPCA(objective="l1", space=space, random_state=0), X)
    batch = GeneralizedPCA(objective="l1", space=space).fit(X)
    flat = [space.flatten(model.components_) for model in (online, batch)]
    assert angle(*flat) < 5
    products = space.product(online.components_, online.components_)
    np.testing.assert_allclose(products, np.eye(2), atol=1e-10)
    with pytest.raises(IncompatibleSpace, match="needs a Hilbert space"):
        GeneralizedPCA(space=Sobolev(p=1)).partial_fit(X)


@pytest.mark.parametrize("scale", [1e-8, 1e8])
def test_units_do_not_matter_for_powers(scale):
    X = rows(1000)
    models = [GeneralizedPCA(random_state=0).partial_fit(c * X) for c in (1, scale)]
    np.testing.assert_allclose(models[0].components_, models[1].components_, rtol=1e-6)


def test_goes_on_with_what_it_began():
    X = rows(1000)
    model = GeneralizedPCA(objective="skeleton", random_state=0).partial_fit(X[:500])
    a, copy = model.a_, pickle.loads(pickle.dumps(model))
    first = model.partial_fit(X[500:]).components_
    copy.set_params(objective="l1", a=7.0)
    np.testing.assert_array_equal(copy.partial_fit(X[500:]).components_, first)
    assert copy.a_ == a
    assert not hasattr(model.fit(X), "_online")


def test_odd_streams():
    model = GeneralizedPCA(n_components=2, random_state=0).partial_fit(np.ones((5, 3)))
    np.testing.assert_allclose(model.transform(np.ones((2, 3))), 0, atol=1e-12)
    one_by_one = GeneralizedPCA(n_components=1, random_state=0)
    streamed(one_by_one, rows(300), size=1)
    assert np.isfinite(one_by_one.components_).all()
    with pytest.raises(ValueError, match="n_components"):
        GeneralizedPCA(n_components=7).partial_fit(rows(9))


def test_a_state_never_changes():
    state = RobustState.start(2, 6, np.random.RandomState(0))
    before = state.W.copy()
    state.shown(rows(50), make_objective("l1"))
    np.testing.assert_array_equal(state.W, before)
    np.testing.assert_allclose(orthonormal(before), before)
