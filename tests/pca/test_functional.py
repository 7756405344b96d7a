"""FunctionalPCA: bases, irregular grids, smoothing, missing values."""

import numpy as np
import pytest
from scipy.integrate import quad, trapezoid

from noneuclid.curves import Curves
from noneuclid.curves.bases import Fourier, Monomial, Splines, inner_products
from noneuclid.pca import FunctionalPCA

BASES = [Fourier(0.0, 2.0, 5), Monomial(0.0, 2.0, 5), Splines(0.0, 2.0, 8), Splines(0.0, 2.0, 3)]


@pytest.mark.parametrize("basis", BASES)
@pytest.mark.parametrize("order", [0, 1, 2])
def test_inner_products(basis, order):
    def product(t: float, j: int, k: int) -> float:
        values = basis.evaluate(np.array([t]), order)[0]
        return values[j] * values[k]

    G = inner_products(basis, order)
    for j, k in [(0, 0), (1, 2), (2, 2), (basis.size - 1, basis.size - 1)]:
        pieces = zip(basis.pieces[:-1], basis.pieces[1:])
        expected = sum(quad(product, *ends, args=(j, k))[0] for ends in pieces)
        assert G[j, k] == pytest.approx(expected, rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("basis", BASES)
def test_derivatives(basis):
    t, step = np.array([0.31, 0.97, 1.63]), 1e-5
    for order in (1, 2):
        numeric = basis.evaluate(t + step, order - 1) - basis.evaluate(t - step, order - 1)
        np.testing.assert_allclose(basis.evaluate(t, order), numeric / (2 * step), atol=1e-5)


def test_fourier_is_orthonormal():
    np.testing.assert_allclose(inner_products(BASES[0]), np.eye(5), atol=1e-12)


def waves(t: np.ndarray, n: int = 80, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(n, 2)) * [3, 1]
    scores -= scores.mean(axis=0)
    U = np.linalg.svd(scores, full_matrices=False)
    scores = U[0] * U[1]
    functions = np.sqrt(2) * np.array([np.sin(2 * np.pi * t), np.cos(2 * np.pi * t)])
    return scores @ functions + 1.0, scores


@pytest.mark.parametrize("basis", ["fourier", "bspline"])
@pytest.mark.parametrize("irregular", [False, True])
def test_recovers_functions_and_scores(basis, irregular):
    """Also on an irregular grid, where PCA of the bare values would weigh dense regions more."""
    t = np.linspace(0, 1, 101) ** (3 if irregular else 1)
    X, scores = waves(t)
    model = FunctionalPCA(basis=basis, grid=t, n_basis=15).fit(X)
    atol = 1e-9 if basis == "fourier" else 5e-3
    np.testing.assert_allclose(np.abs(model.transform(X)), np.abs(scores), atol=atol)
    np.testing.assert_allclose(model.mean_, 1.0, atol=atol)
    np.testing.assert_allclose(model.inverse_transform(model.transform(X)), X, atol=5 * atol)
    expected = (scores**2).mean(axis=0)
    np.testing.assert_allclose(model.explained_variance_, expected, rtol=1e-3)
    assert model.explained_variance_ratio_.sum() == pytest.approx(1.0, abs=1e-4)
    fine = np.linspace(0.1, 0.9, 7)
    first = np.sqrt(2) * np.abs(np.sin(2 * np.pi * fine))
    np.testing.assert_allclose(np.abs(model.component_functions(fine)[0]), first, atol=0.01)


def test_monomials_reproduce_polynomials():
    t = np.linspace(-1, 3, 40)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 3)) @ np.array([t**0, t, t**2])
    model = FunctionalPCA(n_components=3, basis="monomial", n_basis=3, grid=t).fit(X)
    np.testing.assert_allclose(model.inverse_transform(model.transform(X)), X, atol=1e-8)


def test_smoothing_removes_noise():
    t = np.linspace(0, 1, 60)
    clean, _ = waves(t)
    noisy = clean + np.random.default_rng(1).normal(size=clean.shape)
    truth = FunctionalPCA(n_basis=30, grid=t).fit(clean).components_[1]
    errors = []
    for smoothing in (0.0, 1e-4):
        model = FunctionalPCA(n_basis=30, grid=t, smoothing=smoothing).fit(noisy)
        found = model.components_[1]
        errors.append(min(np.abs(found - truth).mean(), np.abs(found + truth).mean()))
    assert errors[1] < 0.7 * errors[0]


def test_missing_values_are_unobserved_positions():
    t = np.linspace(0, 1, 50)
    X, scores = waves(t)
    holes = np.random.default_rng(0).random(X.shape) < 0.3
    model = FunctionalPCA(basis="fourier", n_basis=5, grid=t)
    model.fit(np.where(holes, np.nan, X))
    found = model.transform(np.where(holes, np.nan, X))
    np.testing.assert_allclose(np.abs(found), np.abs(scores), atol=1e-8)


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"basis": "wavelet"}, "must be one of"),
        ({"grid": [0.0, 2.0, 1.0, 3.0]}, "increasing"),
        ({"grid": [0.0, 1.0]}, "4 increasing positions"),
        ({"domain": (1.0, 2.0)}, "holds the grid"),
        ({"smoothing": -1.0}, "at least 0"),
        ({"n_components": 5}, "at most"),
    ],
)
def test_bad_parameters(params, sentence):
    with pytest.raises(ValueError, match=sentence):
        FunctionalPCA(**params).fit(np.random.default_rng(0).normal(size=(9, 4)))


def test_empty_curve_and_single_point():
    with pytest.raises(ValueError, match="no observed value"):
        FunctionalPCA().fit([[1.0, 2.0], [np.nan, np.nan]])
    with pytest.raises(ValueError, match="n_features=1"):
        FunctionalPCA(n_components=1).fit([[1.0], [2.0]])


def test_constant_curves():
    model = FunctionalPCA().fit(np.ones((5, 10)))
    assert np.isfinite(model.components_).all()
    assert (model.explained_variance_ < 1e-20).all()
    np.testing.assert_allclose(model.transform(np.ones((2, 10))), 0, atol=1e-9)


# --- positions of which little was seen -----------------------------------------------------


def test_curves_go_through_a_gap_of_the_grid():
    """Faulty before: they fell towards 0 there, and variances with them."""
    heights = np.random.default_rng(0).normal(size=50)
    grid = np.concatenate([np.linspace(0, 0.3, 40), np.linspace(0.7, 1, 40)])
    model = FunctionalPCA(n_components=1, grid=grid).fit(5 + heights[:, None] * np.ones(80))
    np.testing.assert_allclose(model.explained_variance_, heights.var(), rtol=1e-9)
    np.testing.assert_allclose(model.component_functions(np.array([0.1, 0.5, 0.9])), 1, rtol=1e-9)


@pytest.mark.parametrize("basis", ["bspline", "fourier"])
def test_scores_of_rows_with_few_values(basis):
    """Faulty before: noise of functions that are hardly seen made scores a thousand times wrong."""
    rng = np.random.default_rng(0)
    t = np.linspace(0, 1, 80)
    X, _ = waves(t)
    X = X + 0.02 * rng.normal(size=X.shape)
    model = FunctionalPCA(n_components=2, basis=basis).fit(X)
    rows = X.copy()
    rows[rng.random(X.shape) < 0.6] = np.nan
    rows[:, [0, 40, 79]] = X[:, [0, 40, 79]]
    error = np.sqrt(np.mean((model.transform(rows) - model.transform(X)) ** 2))
    assert error < 0.1 * np.std(model.transform(X))
    seen = [~np.isnan(row) for row in rows]
    curves = Curves([(t[k], row[k]) for k, row in zip(seen, rows)])
    np.testing.assert_allclose(model.transform(curves), model.transform(rows), atol=1e-10)


def test_beyond_the_last_value_curves_do_not_run_away():
    t = np.linspace(0, 1, 80)
    X, _ = waves(t)
    model = FunctionalPCA(n_components=2).fit(X)
    rows = X.copy()
    rows[:, 50:] = np.nan
    assert np.abs(model.transform(rows)).max() < 2 * np.abs(model.transform(X)).max()


def test_as_many_functions_as_points_go_through_all_of_them():
    t = np.linspace(0, 1, 40)
    X = np.random.default_rng(0).normal(size=(6, 40))
    model = FunctionalPCA(n_components=5, n_basis=40, grid=t).fit(X)
    np.testing.assert_allclose(model.inverse_transform(model.transform(X)), X, atol=1e-8)


@pytest.mark.parametrize("smoothing", [0.0, 1e-3, 1.0, 1e4])
def test_whatever_the_smoothing_coefficients_solve_the_normal_equations(smoothing):
    rng = np.random.default_rng(0)
    t = np.linspace(0, 1, 80)
    X = rng.normal(size=(30, 1)) + rng.normal(size=(30, 1)) * t + 0.1 * rng.normal(size=(30, 80))
    model = FunctionalPCA(n_components=12, n_basis=12, smoothing=smoothing).fit(X)
    basis = Splines(0.0, 1.0, 12)
    B, P = basis.evaluate(t), smoothing * inner_products(basis, order=2)
    curves = np.linalg.solve(B.T @ B + P, B.T @ X.T).T @ B.T
    np.testing.assert_allclose(model.mean_, curves.mean(axis=0), atol=1e-6)
    np.testing.assert_allclose(model.inverse_transform(model.transform(X)), curves, atol=1e-6)
    large = FunctionalPCA(n_components=2, n_basis=12, smoothing=1e8).fit(X)
    line = np.polyval(np.polyfit(t, X.mean(axis=0), 1), t)
    np.testing.assert_allclose(large.mean_, line, atol=1e-4)


def test_functions_end_with_their_interval():
    """Faulty before: cubic pieces went on without end, and without a word."""
    t = np.linspace(0, 1, 20)
    model = FunctionalPCA(n_components=1, grid=t).fit(waves(t)[0])
    sentence = "t must lie within 0 and 1, where the curves were"
    with pytest.raises(ValueError, match=sentence):
        model.component_functions([0.5, 1.5])
    curves = Curves([(t, np.sin(6 * t)), (t, np.cos(6 * t)), (t, t)])
    with pytest.raises(ValueError, match=sentence):
        curves.to_basis().evaluate([-1.0])
    with pytest.raises(ValueError, match=sentence):
        FunctionalPCA(n_components=1).fit(curves).component_functions([3.0])
    assert model.component_functions([0.0, 1.0]).shape == (1, 2)


def test_shares_of_smoothed_components_are_of_the_curves_as_they_are():
    rng, t = np.random.default_rng(0), np.linspace(0, 1, 60)
    scores = rng.normal(size=(30, 2)) * [2, 1]
    rows = scores @ np.array([np.sin(2 * np.pi * t), np.cos(2 * np.pi * t)])
    smooth = {"component_smoothing": 1e-3, "n_basis": 10}
    found = FunctionalPCA(grid=t, **smooth).fit(rows)
    curves = FunctionalPCA(method="basis", smoothing=0.0, **smooth).fit(Curves.from_array(rows, t))
    np.testing.assert_allclose(
        found.explained_variance_ratio_, curves.explained_variance_ratio_, rtol=1e-6
    )
    centred = rows - rows.mean(axis=0)
    total = trapezoid((centred**2).mean(axis=0), t)
    np.testing.assert_allclose(
        found.explained_variance_ratio_, found.explained_variance_ / total, rtol=0.01
    )
