"""Quadratic mutual information against double sums, and the operator behind it."""

import numpy as np
import pytest
from information_naive import gram
from sklearn.mixture import GaussianMixture
from test_potentials import assert_gradient

from noneuclid.information import (
    cauchy_schwarz_divergence,
    cross_covariance_norm,
    dependence,
    euclidean_divergence,
    information_potential,
    quadratic_mutual_information,
)

WEIGHTED = pytest.mark.parametrize("weighted", [False, True], ids=["equal", "weighted"])


def pairs(d=1, e=1, n=25, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    Y = np.sin(2 * X[:, :1]) + rng.normal(scale=0.5, size=(n, e))
    return X, Y, rng.dirichlet(np.ones(n)), rng.dirichlet(np.ones(n))


@WEIGHTED
@pytest.mark.parametrize(("d", "e"), [(1, 1), (2, 1), (3, 5), (4, 2)])
def test_against_the_gram_matrices(d, e, weighted):
    X, Y, a, _ = pairs(d, e)
    K, L = gram(X, 0.6), gram(Y, 0.9)
    w = a if weighted else np.full(25, 1 / 25)
    v_j, v_m = w @ (K * L) @ w, (w @ K @ w) * (w @ L @ w)
    v_c = w @ ((K @ w) * (L @ w))
    call = {"width": (0.6, 0.9), "weights": a if weighted else None}
    ed, cs = (quadratic_mutual_information(X, Y, kind=kind, **call) for kind in ("ed", "cs"))
    assert ed == pytest.approx(v_j - 2 * v_c + v_m, rel=1e-10)
    assert cs == pytest.approx(-np.log(v_c / np.sqrt(v_j * v_m)), rel=1e-10)


def test_it_is_the_independence_criterion():
    X, Y, _, _ = pairs()
    n = len(X)
    H = np.eye(n) - 1 / n
    hsic = np.trace(gram(X, 0.6) @ H @ gram(Y, 0.6) @ H) / n**2
    assert quadratic_mutual_information(X, Y, 0.6) == pytest.approx(hsic, rel=1e-10)


@WEIGHTED
def test_windows_with_weights_of_their_own(weighted):
    X, Y, a, b = pairs()
    K, L, n = gram(X, 0.6), gram(Y, 0.6), 25
    if not weighted:
        a = b = np.full(n, 1 / n)
    argument = (
        a @ K @ L @ b / np.sqrt(a @ (K * L) @ b * (np.ones(n) @ K @ a) * (np.ones(n) @ L @ b))
    )
    cs = quadratic_mutual_information(X, Y, 0.6, "cs", weights=(a, b))
    assert cs == pytest.approx(-np.log(argument), rel=1e-10)
    ed = quadratic_mutual_information(X, Y, 0.6, weights=(a, b))
    expected = a @ (K * L) @ b - 2 * ((K @ a) * (L @ b)).mean() + (K @ a).mean() * (L @ b).mean()
    assert ed == pytest.approx(expected, rel=1e-10)
    if not weighted:
        assert cs == pytest.approx(quadratic_mutual_information(X, Y, 0.6, "cs"), rel=1e-10)


@WEIGHTED
@pytest.mark.parametrize("kind", ["ed", "cs"])
def test_gradients(kind, weighted):
    X, Y, a, _ = pairs(2, 2, n=8)
    a = a / a.sum() if weighted else None
    assert_gradient(
        lambda Z, **k: quadratic_mutual_information(Z, Y, (0.6, 0.8), kind, weights=a, **k), X, 1e-6
    )


@pytest.mark.parametrize("kind", ["full", "diag"])
def test_mixtures(kind):
    X, Y, _, _ = pairs(1, 2, n=200)
    model = GaussianMixture(2, covariance_type=kind, random_state=0).fit(np.hstack([X, Y]))
    product = GaussianMixture(4, covariance_type="full")
    i, j = [0, 0, 1, 1], [0, 1, 0, 1]
    covariances = (
        np.array([np.diag(c) for c in model.covariances_]) if kind == "diag" else model.covariances_
    )
    product.weights_ = model.weights_[i] * model.weights_[j]
    product.means_ = np.hstack([model.means_[i, :1], model.means_[j, 1:]])
    product.covariances_ = np.zeros((4, 3, 3))
    product.covariances_[:, :1, :1] = covariances[i, :1, :1]
    product.covariances_[:, 1:, 1:] = covariances[j, 1:, 1:]
    ed = quadratic_mutual_information(model, split=1)
    assert ed == pytest.approx(euclidean_divergence(model, product), rel=1e-10)
    cs = quadratic_mutual_information(model, split=1, kind="cs")
    assert cs == pytest.approx(cauchy_schwarz_divergence(model, product), rel=1e-10)
    one = GaussianMixture(1, covariance_type="diag").fit(np.hstack([X, Y]))
    assert quadratic_mutual_information(one, split=1) == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize("tolerance", [1e-2, 1e-5])
def test_low_rank_keeps_its_bound(tolerance):
    X, Y, a, b = pairs(n=200)
    peak = 1 / (4 * np.pi * 0.6 * 0.8)
    for weights in (None, a, (a, b)):
        exact, low = (
            quadratic_mutual_information(X, Y, (0.6, 0.8), weights=weights, low_rank=t)
            for t in (None, tolerance)
        )
        assert abs(exact - low) <= 8 * tolerance * peak
    cs = quadratic_mutual_information(X, Y, 0.6, "cs", low_rank=1e-10)
    assert cs == pytest.approx(quadratic_mutual_information(X, Y, 0.6, "cs"), rel=1e-6)


def test_dask_pairs():
    da = pytest.importorskip("dask.array")
    X, Y, a, _ = pairs(2, 1, n=50)
    dX, dY = da.from_array(X, chunks=(20, 1)), da.from_array(Y, chunks=(13, 1))
    expected = quadratic_mutual_information(X, Y, 0.5, weights=a)
    for first, second in ((dX, dY), (dX, Y), (X, dY)):
        value = quadratic_mutual_information(first, second, 0.5, weights=a)
        assert value == pytest.approx(expected, rel=1e-10)
    with pytest.raises(ValueError, match="X has 50 samples and Y has 49"):
        quadratic_mutual_information(dX, dY[1:], 0.5)


@WEIGHTED
def test_norms_of_the_cross_covariance_operator(weighted):
    X, Y, a, _ = pairs()
    w = a if weighted else np.full(25, 1 / 25)
    weights = a if weighted else None
    ed = quadratic_mutual_information(X, Y, 0.6, weights=weights)
    for low_rank in (None, 1e-12):
        hs = cross_covariance_norm(X, Y, 0.6, weights=weights, low_rank=low_rank)
        assert hs == pytest.approx(np.sqrt(ed), rel=1e-8)
    H = np.eye(25) - np.outer(np.ones(25), w)
    K, L = (H @ gram(Z, 0.6) @ H.T for Z in (X, Y))
    largest = np.sqrt(np.abs(np.linalg.eigvals(K @ np.diag(w) @ L @ np.diag(w))).max())
    operator = cross_covariance_norm(X, Y, 0.6, norm="operator", weights=weights)
    assert operator == pytest.approx(largest, rel=1e-8)


def of_singular_values(values, shape, seed=0):
    """Factors A and B of a matrix A'B with these singular values beside zero."""
    rng = np.random.default_rng(seed)
    U, V = (np.linalg.qr(rng.normal(size=(n, len(values))))[0] for n in shape)
    A = rng.normal(size=(shape[0] + 5, shape[0]))
    return A, np.linalg.pinv(A.T) @ (U * values) @ V.T


@pytest.mark.parametrize("few", [1, 500], ids=["Lanczos", "all"])
@pytest.mark.parametrize("shape", [(60, 60), (60, 45), (45, 60), (3, 2), (2, 3), (1, 1), (1, 40)])
@pytest.mark.parametrize(
    "values",
    [[2.0], [1.0, 1.0], [3.0, 3.0, 3.0, 1.0], [1.0, 1.0 - 1e-9, 0.5], np.geomspace(1, 1e-9, 40)],
    ids=["rank one", "two equal", "three equal", "nearly equal", "falling"],
)
@pytest.mark.parametrize("unit", [1.0, 1e-12])
def test_the_largest_singular_value(monkeypatch, few, shape, values, unit):
    monkeypatch.setattr(dependence, "_FEW", few)
    values = np.array(values)[: min(shape)]
    A, B = of_singular_values(values, shape)
    found = dependence.largest_singular_value(A, unit * B)
    assert found / unit == pytest.approx(values[0], rel=1e-11)


@pytest.mark.parametrize("seed", range(5))
def test_the_largest_singular_value_of_random_products(seed):
    A, B = np.random.default_rng(seed).normal(size=(2, 700, 600))
    every = np.linalg.svd(A.T @ B, compute_uv=False)
    assert dependence.largest_singular_value(A, B) == pytest.approx(every[0], rel=1e-13)
    assert dependence.largest_singular_value(A, 0.0 * B) == 0.0


def test_the_operator_norm_of_many_samples(monkeypatch):
    X, Y, a, _ = pairs(8, 8, n=600)  # as many features
    found = cross_covariance_norm(X, Y, 0.6, norm="operator", weights=a)
    monkeypatch.setattr(dependence, "_FEW", 1000)
    everything = cross_covariance_norm(X, Y, 0.6, norm="operator", weights=a)
    assert found == pytest.approx(everything, rel=1e-12)
    one = np.eye(600)[0]  # nothing varies
    for few in (1, 1000):
        monkeypatch.setattr(dependence, "_FEW", few)
        assert cross_covariance_norm(X, Y, 0.6, norm="operator", weights=one) == 0.0


def test_bad_input():
    X, Y, a, b = pairs()
    model = GaussianMixture(1).fit(np.hstack([X, Y]))
    for call, sentence in (
        (lambda: quadratic_mutual_information(X, Y[1:], 1.0), "X has 25 samples and Y has 24"),
        (lambda: quadratic_mutual_information(X, Y), "give the width"),
        (lambda: quadratic_mutual_information(X, width=1.0), "Y is missing"),
        (lambda: quadratic_mutual_information(X, Y, 0.0), "must be a positive number"),
        (lambda: quadratic_mutual_information(X, Y, 1.0, "kl"), 'one of "ed", "cs"'),
        (lambda: quadratic_mutual_information(X, Y, 1.0, weights=(a, b, a)), "tuple of two"),
        (lambda: quadratic_mutual_information(model), r"split \(=None\) must say"),
        (lambda: quadratic_mutual_information(model, split=2), r"split \(=2\) must say"),
        (lambda: quadratic_mutual_information(model, Y, split=1), "give only `split`"),
        (
            lambda: quadratic_mutual_information(X, Y, 1.0, low_rank=0.1, return_gradient=True),
            "cannot be combined",
        ),
        (
            lambda: quadratic_mutual_information(X, Y, 1.0, weights=(a, b), return_gradient=True),
            "one array of weights",
        ),
        (lambda: cross_covariance_norm(X, Y, 1.0, norm="max"), "must be one of"),
        (lambda: cross_covariance_norm(X, Y, 1.0, weights=(a, b)), "one expectation"),
    ):
        with pytest.raises(ValueError, match=sentence):
            call()


@pytest.mark.parametrize("low_rank", [None, 1e-13])
@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
def test_cauchy_schwarz_information_of_hundreds_of_dimensions(scale, low_rank):
    X = np.random.default_rng(0).normal(size=(20, 400))
    call = {"kind": "cs", "low_rank": low_rank}
    value = quadratic_mutual_information(scale * X, scale * X, 20.0 * scale, **call)
    K = np.exp(-((X[:, None] - X[None]) ** 2).sum(axis=2) / (4 * 20.0**2))
    k = K.mean(axis=1)
    expected = -np.log((k * k).mean() / np.sqrt((K * K).mean() * K.mean() ** 2))
    assert value == pytest.approx(expected, rel=1e-9)


def test_what_mixtures_do_not_need_is_refused():
    X, Y, _, _ = pairs()
    mixture = GaussianMixture(2, random_state=0).fit(np.hstack([X, Y]))
    with pytest.raises(ValueError, match="give only `split` and `kind`"):
        quadratic_mutual_information(mixture, width=3.0, split=1)
    with pytest.raises(ValueError, match="split is for a mixture"):
        quadratic_mutual_information(X, Y, 1.0, split=1)
    for ask in (
        lambda: information_potential(mixture, 1.0),
        lambda: euclidean_divergence(mixture, mixture, 1.0),
    ):
        with pytest.raises(ValueError, match="width is that of windows on samples"):
            ask()


def test_far_from_zero_nothing_is_lost():
    X, Y, _, _ = pairs()
    far_x, far_y = np.round(X, 3) + 2.0**23, np.round(Y, 3) - 2.0**23  # both are exact up to 1e-9
    near_x, near_y = far_x - 2.0**23, far_y + 2.0**23
    for kind in ("ed", "cs"):
        far, near = (
            quadratic_mutual_information(A, B, 0.37, kind=kind)
            for A, B in ((far_x, far_y), (near_x, near_y))
        )
        assert far == pytest.approx(near, rel=1e-12)
