"""F-correlation against its eigenvalue problem; kernel ICA against FastICA."""

import numpy as np
import pytest
from scipy import linalg
from scipy.sparse.linalg import ArpackNoConvergence
from sklearn.decomposition import FastICA

import noneuclid
from noneuclid.information import KernelICA, f_correlation, f_correlations
from noneuclid.information._line_features import line_features
from noneuclid.kernels import Gaussian, Laplacian, Polynomial


def centred(K):
    H = np.eye(len(K)) - 1 / len(K)
    return H @ K @ H


def naive(variables, kernel, kappa):
    """The generalised eigenvalue problem, as it is written."""
    n = len(variables[0])
    Ks = [centred(kernel(X)) for X in variables]
    R = [K + n * kappa / 2 * np.eye(n) for K in Ks]
    D = linalg.block_diag(*[r @ r for r in R])
    if len(Ks) == 2:
        zero = np.zeros((n, n))
        A = np.block([[zero, Ks[0] @ Ks[1]], [Ks[1] @ Ks[0], zero]])
        return linalg.eigh(A, D, eigvals_only=True)[-1]
    A = np.block(
        [[r @ r if i == j else Ks[i] @ Ks[j] for j in range(len(Ks))] for i, r in enumerate(R)]
    )
    return 1 - linalg.eigh(A, D, eigvals_only=True)[0]


@pytest.mark.parametrize("kernel", [Gaussian(1.0), Gaussian(0.3), Laplacian(1.0)])
@pytest.mark.parametrize("n_variables", [2, 3, 4])
def test_f_correlation_solves_the_eigenvalue_problem(n_variables, kernel):
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(40, n_variables, 1))
    Z[:, 1] += np.sin(2 * Z[:, 0])
    first, second, *others = (Z[:, k] for k in range(n_variables))
    expected = naive([first, second, *others], kernel, 0.02)
    for low_rank in (None, 1e-12):
        value = f_correlation(first, second, kernel, 0.02, others=others, low_rank=low_rank)
        assert value == pytest.approx(expected, rel=1e-7)
    coarse = f_correlation(first, second, kernel, 0.02, others=others, low_rank=1e-4)
    assert coarse == pytest.approx(expected, rel=0.02)


def test_f_correlation_of_dependent_and_independent_variables():
    rng = np.random.default_rng(0)
    X, noise = rng.normal(size=(2, 300, 2))
    assert f_correlation(X, X**2) > 0.8
    assert f_correlation(X, X) > 0.85
    assert f_correlation(X, noise) < 0.3
    assert f_correlation(np.ones((5, 1)), rng.normal(size=(5, 1)), Gaussian(1.0)) < 1e-10
    for regularization in (0, -1.0, "much"):
        with pytest.raises(ValueError, match=r"regularization .* must be a positive number"):
            f_correlation(X, noise, regularization=regularization)
    with pytest.raises(ValueError, match="X has 300 samples and others"):
        f_correlation(X, noise, others=[X[1:]])
    with pytest.raises(ValueError, match="at least two samples"):
        f_correlation(X[:1], noise[:1])


# --- independent components -----------------------------------------------------------------


def amari(P):
    """Distance of a matrix from permuted and scaled identities, from 0 to 1."""
    P = np.abs(P)
    rows, columns = P / P.max(axis=1, keepdims=True), P / P.max(axis=0)
    m = len(P)
    return ((rows.sum(axis=1) - 1).sum() + (columns.sum(axis=0) - 1).sum()) / (2 * m * (m - 1))


def without_kurtosis(n, rng):
    """±1 or a Laplace variable of variance v, mixed 3 : 1 so that E x⁴ = 3 (E x²)²."""
    v = (1.125 + np.sqrt(1.125**2 + 4 * 1.3125 * 0.9375)) / (2 * 1.3125)
    laplace = rng.laplace(scale=np.sqrt(v / 2), size=n)
    return np.where(rng.random(n) < 0.25, laplace, rng.choice([-1.0, 1.0], n))


SOURCES = {
    "uniform + Laplace": lambda n, rng: [rng.uniform(-1, 1, n), rng.laplace(size=n)],
    "three": lambda n, rng: [rng.uniform(-1, 1, n), rng.laplace(size=n), rng.exponential(size=n)],
    "no kurtosis": lambda n, rng: [without_kurtosis(n, rng), without_kurtosis(n, rng)],
}


def errors(kind, learners, n, repetitions):
    rng = np.random.default_rng(0)
    found = np.zeros(len(learners))
    for _ in range(repetitions):
        S = np.column_stack(SOURCES[kind](n, rng))
        A = linalg.qr(rng.normal(size=(S.shape[1],) * 2))[0] * rng.uniform(1, 2, S.shape[1])
        found += [amari(learner.fit(S @ A.T).components_ @ A) for learner in learners]
    return found / repetitions


def fast(fun="logcosh"):
    return FastICA(fun=fun, random_state=0, whiten="unit-variance", max_iter=2000, tol=1e-3)


CONTRASTS = pytest.mark.parametrize("contrast", ["f_correlation", "qmi_cs"])


@CONTRASTS
@pytest.mark.parametrize("kind", ["uniform + Laplace", "three"])
def test_as_good_as_fast_ica_on_the_usual_sources(kind, contrast):
    kernel, usual = errors(kind, [KernelICA(contrast=contrast), fast()], 500, 4)
    assert kernel <= 1.1 * usual + 0.01


@pytest.mark.slow
@CONTRASTS
def test_as_good_as_fast_ica_over_many_mixtures(contrast):
    kernel, usual = errors("uniform + Laplace", [KernelICA(contrast=contrast), fast()], 1000, 30)
    assert kernel <= 1.1 * usual


@CONTRASTS
@pytest.mark.filterwarnings("ignore:FastICA did not converge")
def test_better_where_kurtosis_vanishes(contrast):
    rng = np.random.default_rng(0)
    x = without_kurtosis(10**6, rng)
    assert abs((x**4).mean() / (x**2).mean() ** 2 - 3) < 0.05
    kernel, kurtosis = errors("no kurtosis", [KernelICA(contrast=contrast), fast("cube")], 500, 4)
    assert kernel < 0.5 * kurtosis


@CONTRASTS
def test_components_are_what_they_are_said_to_be(contrast):
    rng = np.random.default_rng(0)
    S = np.column_stack(SOURCES["three"](300, rng))
    X = S @ rng.normal(size=(3, 5)) + 7.0
    model = KernelICA(3, contrast=contrast).fit(X)
    found = model.transform(X)
    np.testing.assert_allclose(found.T @ found / 300, np.eye(3), atol=1e-8)
    np.testing.assert_allclose(model.inverse_transform(found), X, atol=1e-8)
    np.testing.assert_allclose(model.components_ @ model.mixing_, np.eye(3), atol=1e-8)
    assert model.n_iter_ >= 2
    assert 0 <= model.contrast_ < 1
    assert list(model.get_feature_names_out()) == ["kernelica0", "kernelica1", "kernelica2"]


def test_saved_models_transform_alike(tmp_path):
    X = np.random.default_rng(0).uniform(size=(60, 2))
    model = KernelICA().fit(X)
    noneuclid.save(model, tmp_path / "model.skops")
    back = noneuclid.load(tmp_path / "model.skops")
    np.testing.assert_array_equal(back.transform(X), model.transform(X))


def test_bad_input():
    X = np.random.default_rng(0).normal(size=(20, 3))
    for parameters, sentence in (
        (
            {"n_components": 4},
            r"n_components \(=4\) must be at most min\(n_samples, n_features\) = 3",
        ),
        ({"n_components": 0}, "must be an integer, at least 1"),
        ({"contrast": "kurtosis"}, "must be one of"),
        ({"width": 0.0}, r"width \(=0.0\) must be a positive number"),
        ({"regularization": -1}, "must be a positive number"),
        ({"tol": 0}, "must be a positive number"),
        ({"max_iter": 0}, r"max_iter \(=0\) must be an integer, at least 1"),
    ):
        with pytest.raises(ValueError, match=sentence):
            KernelICA(**parameters).fit(X)
    with pytest.raises(ValueError, match="vary in 1 directions only"):
        KernelICA(2).fit(np.outer(X[:, 0], [1.0, 2.0]))


# --- speed must not change what is found ----------------------------------------------------


@pytest.mark.parametrize("n_variables", [2, 3])
def test_iteration_and_eigenvectors_agree(n_variables, monkeypatch):
    g = np.random.default_rng(0)
    X = g.normal(size=(150, 6))
    Y = np.sin(X[:, ::-1]) + 0.3 * g.normal(size=(150, 6))
    others = [X[:, :1]] if n_variables == 3 else []  # by features among whole matrices
    whole = f_correlation(X, Y, others=others)
    monkeypatch.setattr(f_correlations, "_SMALL", 10)
    assert f_correlation(X, Y, others=others) == pytest.approx(whole, rel=1e-9)


@pytest.mark.parametrize("memory", ["off", "300K"])
def test_many_features_of_a_tolerance_are_no_slower_than_whole_matrices(monkeypatch, memory):
    """With memory for whole matrices these are taken; without, all features, however many."""
    X, noise = np.random.default_rng(0).normal(size=(2, 120, 6))
    Y = X + noise
    whole = f_correlation(X, Y)
    asked = []
    monkeypatch.setattr(f_correlations, "_gram", lambda k, Z: asked.append(len(Z)) or k(Z))
    monkeypatch.setenv("NONEUCLID_MEMORY", memory)
    assert f_correlation(X, Y, low_rank=1e-9) == pytest.approx(whole, rel=1e-6)
    assert asked == ([120, 120] if memory == "off" else [])


@pytest.mark.parametrize("low_rank", [1e-3, 1e-9])
def test_features_are_taken_however_many_they_look_like_if_matrices_are_too_large(
    monkeypatch, low_rank
):
    X, noise = np.random.default_rng(0).normal(size=(2, 600, 6))
    whole = f_correlation(X, X + noise)
    monkeypatch.setattr(f_correlations, "_gram", None)
    monkeypatch.setenv("NONEUCLID_MEMORY", "8M")
    assert f_correlation(X, X + noise, low_rank=low_rank) == pytest.approx(whole, abs=low_rank)


def test_where_regularisation_is_rounding_it_is_said(monkeypatch):
    monkeypatch.setattr(f_correlations, "_SMALL", 10)
    X, noise = 1e3 * np.random.default_rng(0).normal(size=(2, 120, 6))
    with pytest.raises(
        ValueError, match="lost in the rounding of a kernel matrix of numbers up to"
    ):
        f_correlation(X, X + noise, Polynomial(degree=6))

    def in_vain(*args, **kwargs):
        raise ArpackNoConvergence("", [], [])

    monkeypatch.setattr(f_correlations, "eigsh", in_vain)
    with pytest.raises(ValueError, match=r"does not come to rest.*raise regularization"):
        f_correlation(X, X + noise)


def test_features_of_the_line():
    x = np.random.default_rng(0).uniform(-3, 3, size=200)
    for width in (0.5, 0.1, 0.01):  # the last by landmarks among the numbers
        Z = line_features(3.0, width)(x)
        assert np.abs(Z @ Z.T - Gaussian(width)(x[:, None])).max() < 1e-5
    assert line_features(3.0, 0.5)(x).shape[1] < 30


def test_several_starts():
    g = np.random.default_rng(1)
    X = g.uniform(-1, 1, size=(200, 3)) @ g.normal(size=(3, 3))
    one, many = KernelICA().fit(X), KernelICA(n_init=3, random_state=0).fit(X)
    assert many.contrast_ <= one.contrast_
    again = KernelICA(n_init=3, random_state=0).fit(X)
    np.testing.assert_array_equal(many.components_, again.components_)
    np.testing.assert_array_equal(one.components_, KernelICA(random_state=5).fit(X).components_)
    S = many.transform(X)
    np.testing.assert_allclose(np.cov(S.T, bias=True), np.eye(3), atol=1e-8)
