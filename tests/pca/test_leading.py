"""Features of which few tell nearly all: what they save changes nothing."""

import numpy as np
import pytest

from noneuclid.kernels import Gaussian
from noneuclid.pca import GeneralizedKernelPCA
from noneuclid.pca._ascent import Rows, climb_all
from noneuclid.pca._leading import FeatureSamples, LeadingRows, SignedRows
from noneuclid.pca._signs import LeadingSigns, Signs
from noneuclid.pca.objectives import Objective, make_objective

LIMITS = {"n_init": 1, "max_iter": 2000, "tol": 1e-10}
SMOOTH = ["l1.5", "tanh", "sech", "tanh2", "sigmoid", "skeleton"]
SCALES = [1e-150, 1e-9, 1.0, 1e9, 1e150]


def falling(seed=0, n=120, r=40, rate=0.6):
    """Centred features in no order, each next of which matters less."""
    rng = np.random.default_rng(seed)
    X = rng.standard_t(5, size=(n, r)) * rng.permutation(rate ** np.arange(r))
    return X - X.mean(axis=0)


def components(land, k, **limits):
    return climb_all(land, k, rng=np.random.RandomState(0), **{**LIMITS, **limits})


@pytest.mark.parametrize("rate", [0.3, 0.6, 0.9])
@pytest.mark.parametrize("scale", SCALES)
def test_signs_are_those_of_the_projections(scale, rate):
    rng, X = np.random.default_rng(1), falling(1, rate=rate)
    X = scale * np.vstack([X, X[:3], -X[:3], np.zeros((2, X.shape[1]))])
    squares = np.einsum("ij,ij->i", X, X)
    by_size = np.argsort(-np.einsum("ij,ij->j", X / scale, X / scale))
    for n_leading in (1, 5, 15):
        signs = LeadingSigns(X, squares, by_size[:n_leading])
        W = [*rng.normal(size=(5, X.shape[1])), *np.eye(X.shape[1])[:5], *X[:3]]
        # Nearly orthogonal to a sample, and in the span of the leading features only.
        W += [w - (w @ x) / (x @ x) * x for w, x in zip(W[:5], X)]
        W.append(np.where(np.isin(np.arange(X.shape[1]), by_size[:n_leading]), W[0], 0.0))
        for w in W:
            w = w / np.abs(w).max()
            w /= np.linalg.norm(w)
            o, sure = X @ w, signs(w)
            # Products of the size of rounding may have either sign, there and here.
            clear = np.abs(o) > 1e-14 * np.sqrt(np.einsum("ij,ij->i", X / scale, X / scale)) * scale
            np.testing.assert_array_equal(sure[clear], np.sign(o)[clear])


def test_most_signs_are_told_by_few_features():
    X = falling(2, n=500)
    signs = SignedRows(X, make_objective("l1")).signs
    assert isinstance(signs, LeadingSigns)
    assert signs.single.shape[1] < 20
    w = X[0] / np.linalg.norm(X[0])
    near = signs.single @ w[signs.leading].astype(np.float32)
    unsure = np.abs(near) <= signs.doubt + np.linalg.norm(w[signs.others]) * signs.rest
    assert unsure.mean() < 0.05


def test_components_of_l1_are_the_same():
    X, objective = falling(3, n=300), make_objective("l1")
    plain, leading = (components(land(X, objective), 4) for land in (Rows, SignedRows))
    np.testing.assert_allclose(leading.components, plain.components, rtol=0, atol=1e-12)
    np.testing.assert_allclose(leading.curve, plain.curve, rtol=1e-12)


@pytest.mark.parametrize("name", SMOOTH)
@pytest.mark.parametrize("seed", range(3))
def test_components_of_smooth_objectives_are_the_same(name, seed):
    X = falling(seed, n=200)
    objective = make_objective(name, a=0.7)
    plain, leading = (components(land(X, objective), 4) for land in (Rows, LeadingRows))
    assert plain.converged
    assert leading.converged
    signs = np.sign(np.einsum("ij,ij->i", plain.components, leading.components))
    np.testing.assert_allclose(
        leading.components, signs[:, None] * plain.components, rtol=0, atol=1e-7
    )
    assert (np.diff(leading.curve) >= -1e-13 * leading.curve[-1]).all()


def test_axes_are_those_of_the_leading_features():
    """Where few features lead, the others are not looked at; where none do, all of them are."""
    X, objective = falling(3, n=200), make_objective("tanh")
    squares = np.einsum("ij,ij->j", X, X)
    leading = np.flatnonzero(squares > 1e-3 * squares.max())
    axes = LeadingRows(X, objective).axes
    assert axes.shape[1] <= len(leading) < 16
    np.testing.assert_array_equal(np.delete(axes, leading, axis=0), 0.0)
    np.testing.assert_allclose(axes.T @ axes, np.eye(axes.shape[1]), atol=1e-12)
    of_axes = np.linalg.eigvalsh(X[:, leading].T @ X[:, leading])
    np.testing.assert_allclose(
        np.einsum("ij,ij->j", X @ axes, X @ axes), of_axes[-axes.shape[1] :], rtol=1e-9
    )
    turned = X @ np.linalg.qr(np.random.default_rng(0).normal(size=(40, 40)))[0]
    values = np.linalg.eigvalsh(X.T @ X)
    assert LeadingRows(turned, objective).axes.shape == (40, (values > 1e-3 * values[-1]).sum())


@pytest.mark.parametrize("name", ["tanh", "l1.5"])
def test_a_stage_in_few_features_climbs_the_objective_itself(name):
    X, objective = falling(4), make_objective(name)
    land = LeadingRows(X, objective)
    assert 0 < land.axes.shape[1] < 20
    np.testing.assert_allclose(land.axes.T @ land.axes, np.eye(land.axes.shape[1]), atol=1e-12)
    land.take(X[0] / np.linalg.norm(X[0]))
    (start,) = land.starts(np.array([1]))
    question = next(land.climb(start, 100, 1e-10))
    w = land.axes @ question.w
    assert np.linalg.norm(w) == pytest.approx(1.0)
    assert abs(w @ land.components[0]) < 1e-12
    assert objective.value(np.abs(X @ w)).sum() == pytest.approx(land.few.total(question.w))


def test_what_the_leading_features_lack_is_looked_for_among_all():
    """The farthest sample lies outside their span; so do later components."""
    rng = np.random.default_rng(5)
    X = falling(5, n=200)
    X[0] = 0.0
    X[0, np.argmin(np.einsum("ij,ij->j", X, X))] = 3.0 * np.linalg.norm(X, axis=1).max()
    objective = make_objective("tanh")
    land = LeadingRows(rng.permutation(X), objective)
    plain, leading = (components(one, 30) for one in (Rows(land.X, objective), land))
    # The last ones have 1e-7 of the spread of the first, and are orthogonal to as many digits.
    np.testing.assert_allclose(leading.components @ leading.components.T, np.eye(30), atol=1e-7)
    assert leading.curve[-1] >= plain.curve[-1] * (1 - 1e-6)


@pytest.mark.parametrize("name", ["l1", "tanh"])
def test_features_that_do_not_fall_are_all_looked_at(name):
    X, objective = falling(6, rate=1.0), make_objective(name)
    land = FeatureSamples(X).landscape(objective)
    if name == "l1":
        assert type(land.signs) is Signs
    else:
        assert land.axes.shape == (40, 0)
    plain, leading = components(Rows(X, objective), 3), components(land, 3)
    np.testing.assert_array_equal(leading.components, plain.components)


@pytest.mark.parametrize("shape", [(1, 1), (2, 1), (5, 3), (3, 40)])
@pytest.mark.parametrize("name", ["l1", "tanh"])
def test_little_data(name, shape):
    X = falling(7, *shape) if shape[0] > 1 else np.ones(shape)
    found = components(FeatureSamples(X).landscape(make_objective(name)), min(shape))
    np.testing.assert_allclose(
        found.components @ found.components.T, np.eye(len(found.components)), atol=1e-9
    )


@pytest.mark.parametrize("max_iter", [1, 2, 3, 7])
def test_both_stages_together_keep_to_the_limit(max_iter):
    found = components(LeadingRows(falling(8), make_objective("tanh")), 2, max_iter=max_iter)
    assert not found.converged
    assert found.n_iter == max_iter


def test_objectives_that_are_not_convex_and_those_of_others():
    X = falling(9)
    assert type(FeatureSamples(X).landscape(make_objective("gaussian"))) is Rows
    mine = Objective(lambda u: np.sqrt(1 + u * u), lambda u: u / np.sqrt(1 + u * u))
    largest = float(np.linalg.norm(X, axis=1).max())
    land = FeatureSamples(X).landscape(mine.resolve(largest))
    assert isinstance(land, LeadingRows)
    plain, leading = (components(one, 3) for one in (Rows(X, land.objective), land))
    np.testing.assert_allclose(np.abs(leading.components), np.abs(plain.components), atol=1e-7)


@pytest.mark.parametrize("n_landmarks", [None, 60])
@pytest.mark.parametrize("objective", ["l1", "tanh", "l1.5"])
def test_estimators_reach_what_they_reach_among_all_features(objective, n_landmarks, monkeypatch):
    rng = np.random.default_rng(10)
    X = rng.normal(size=(300, 2)) @ rng.normal(size=(2, 8))
    kernel = Gaussian(width=2.0 * Gaussian(width="median").resolve(X).width)
    model = GeneralizedKernelPCA(
        n_components=4, kernel=kernel, objective=objective, n_landmarks=n_landmarks, random_state=0
    )
    scores = model.fit_transform(X)
    monkeypatch.setattr(
        FeatureSamples, "landscape", lambda self, objective: Rows(self.X, objective)
    )
    plain = model.fit_transform(X)
    signs = np.sign((scores * plain).sum(axis=0))
    np.testing.assert_allclose(scores, plain * signs, atol=1e-7)
