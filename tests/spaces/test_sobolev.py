import numpy as np
import pytest
from scipy import integrate
from scipy.integrate import quad
from scipy.signal import savgol_filter

from noneuclid.spaces import Lp, Sobolev

GRID = np.array([0.0, 0.4, 1.0, 1.3, 2.0, 3.1, 3.3, 4.0])


@pytest.fixture
def curves():
    return np.random.default_rng(0).normal(size=(6, 8))


def naive_norm(f, p, weights, grid, q):
    """(Σ_k a_k Σ_i q_i |f^(k)(t_i)|^p)^(1/p), derivatives by repeated numpy.gradient."""
    total = 0.0
    for a in weights:
        total += a * (q * np.abs(f) ** p).sum()
        f = np.gradient(f, grid)
    return total ** (1 / p)


def trapezoid(grid):
    return np.array([integrate.trapezoid(e, grid) for e in np.eye(len(grid))])


@pytest.mark.parametrize("p", [1, 1.5, 2, 3, np.inf])
def test_without_derivatives_it_is_lp(curves, p):
    space = Sobolev(p=p, weights=(1,), spacing=1)
    for method in ("norm", "dual"):
        expected = getattr(Lp(p), method)(curves)
        np.testing.assert_allclose(getattr(space, method)(curves), expected, rtol=1e-12)
    for method in ("product", "squared_distance"):
        expected = getattr(Lp(p), method)(curves, curves)
        np.testing.assert_allclose(getattr(space, method)(curves, curves), expected, atol=1e-12)


@pytest.mark.parametrize("p", [1, 1.5, 2, 3])
@pytest.mark.parametrize("weights", [(1,), (1, 1), (1, 0, 0.5), (2, 0.1, 0.3, 0.7)])
def test_norm_by_numpy_gradient(curves, p, weights):
    step = 0.3
    uniform = [naive_norm(f, p, weights, step * np.arange(8), step) for f in curves]
    np.testing.assert_allclose(Sobolev(p=p, weights=weights, spacing=step).norm(curves), uniform)
    other = [naive_norm(f, p, weights, GRID, trapezoid(GRID)) for f in curves]
    np.testing.assert_allclose(Sobolev(p=p, weights=weights, grid=GRID).norm(curves), other)


def test_infinity_is_the_largest_of_all_derivatives(curves):
    expected = [max(np.abs(f).max(), np.abs(np.gradient(f, 0.1)).max()) for f in curves]
    np.testing.assert_allclose(Sobolev(p=np.inf, spacing=0.1).norm(curves), expected)


def test_quadrature_is_chosen(curves):
    space = Sobolev(p=3, spacing=0.5, quadrature="trapezoid")
    grid = 0.5 * np.arange(8)
    expected = [naive_norm(f, 3, (1, 1), grid, trapezoid(grid)) for f in curves]
    np.testing.assert_allclose(space.norm(curves), expected)


def test_gram_matrix_at_p_2(curves):
    D = np.array([np.gradient(e, GRID) for e in np.eye(8)]).T
    Q, a = np.diag(trapezoid(GRID)), (1.0, 0.5, 0.2)
    G = a[0] * Q + a[1] * D.T @ Q @ D + a[2] * (D @ D).T @ Q @ (D @ D)
    space = Sobolev(weights=a, grid=GRID)
    np.testing.assert_allclose(space.dual(curves), curves @ G)
    np.testing.assert_allclose(space.product(curves, curves), curves @ G @ curves.T)
    V = curves[:, None] - curves[None]
    expected = np.einsum("ijk,kl,ijl->ij", V, G, V)
    np.testing.assert_allclose(space.squared_distance(curves, curves), expected, atol=1e-9)


def test_interior_stencil_of_the_second_derivative():
    """−2 (D²)'D² z = −(z[j−4] − 4z[j−2] + 6z[j] − 4z[j+2] + z[j+4])/(8 Δx⁴), times the step."""
    step = 0.5
    f, w = np.random.default_rng(0).normal(size=(2, 21))
    both = Sobolev(weights=(1, 0, 1), spacing=step).squared_distance_gradient(f, w[None])[0]
    first = Sobolev(weights=(1,), spacing=step).squared_distance_gradient(f, w[None])[0]
    z, j = f - w, np.arange(6, 15)
    stencil = z[j - 4] - 4 * z[j - 2] + 6 * z[j] - 4 * z[j + 2] + z[j + 4]
    np.testing.assert_allclose((both - first)[j], -stencil / (8 * step**4) * step)


def test_unit_axis_has_length_one(curves):
    expected = Sobolev(p=1.5, spacing=1 / 7).norm(curves)
    np.testing.assert_allclose(Sobolev(p=1.5, spacing="unit").norm(curves), expected)
    unit = Sobolev(p=1.5, grid=GRID / GRID[-1]).norm(curves)
    np.testing.assert_allclose(
        Sobolev(p=1.5, grid=10 + 3 * GRID, spacing="unit").norm(curves), unit
    )
    scaled = Sobolev(p=1.5, grid=2.5 * GRID).norm(curves)
    np.testing.assert_allclose(Sobolev(p=1.5, grid=GRID, spacing=2.5).norm(curves), scaled)


@pytest.mark.parametrize("p", [1.5, 2, 3])
def test_converges_to_the_integral(p):
    t = np.linspace(0, 1, 2001)
    space = Sobolev(p=p, weights=(1, 0.1), grid=t, quadrature="trapezoid")
    integral = quad(lambda s: abs(np.sin(5 * s)) ** p, 0, 1, limit=200)[0]
    integral += 0.1 * quad(lambda s: abs(5 * np.cos(5 * s)) ** p, 0, 1, limit=200)[0]
    np.testing.assert_allclose(space.norm([np.sin(5 * t)])[0] ** p, integral, rtol=1e-4)


@pytest.mark.parametrize("p", [1.5, 2])
def test_savitzky_golay_derivatives(curves, p):
    space = Sobolev(
        p=p, weights=(1, 0.5, 2), spacing=0.2, derivative="savgol", window_length=5, polyorder=3
    )
    total = 0.2 * (np.abs(curves) ** p).sum(axis=1)
    for order, weight in ((1, 0.5), (2, 2)):
        slope = savgol_filter(curves, 5, 3, deriv=order, delta=0.2)
        total += 0.2 * weight * (np.abs(slope) ** p).sum(axis=1)
    np.testing.assert_allclose(space.norm(curves), total ** (1 / p))


def test_uniform_grid_is_as_good_as_a_spacing(curves):
    grid = 4 + 0.25 * np.arange(8)
    for options in ({}, {"derivative": "savgol", "window_length": 5}):
        by_grid = Sobolev(p=2, grid=grid, **options).norm(curves)
        np.testing.assert_allclose(by_grid, Sobolev(p=2, spacing=0.25, **options).norm(curves))


def test_high_orders_on_fine_grids_stay_positive_definite():
    """T'T is numerically singular here; the distance must still be that of the definition."""
    t = np.linspace(0, 1, 800)
    X = np.sin(np.outer([3, 4, 5, 6], t))
    space = Sobolev(weights=(1, 1, 1, 1), spacing="unit")
    expected = [[naive_norm(x - w, 2, (1,) * 4, t, t[1]) ** 2 for w in X] for x in X]
    np.testing.assert_allclose(space.squared_distance(X, X), expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("p", [1, 1.1, 1.5])
def test_flat_differences_exert_no_force_by_their_rounding(p):
    """x − w is constant, its derivative rounding noise, whose sign must not count."""
    x = 1000 * np.random.default_rng(0).normal(size=9)
    w, F = (x + 0.3)[None], np.ones((1, 1))
    expected = -2 * Sobolev(p=p).dual(np.full((1, 9), -0.3))
    np.testing.assert_allclose(Sobolev(p=p).pull(x[None], w, F), expected, rtol=1e-6)
    np.testing.assert_allclose(Sobolev(p=p).squared_distance_gradient(x, w), expected, rtol=1e-6)


@pytest.mark.parametrize("p", [1, 2, 3.5])
@pytest.mark.parametrize("scale", [1e-80, 1.0, 1e80])
def test_balance_gives_every_term_the_same_mean(curves, p, scale):
    space = Sobolev(p=p, weights=(2, 0, 1, 5), spacing=0.1).balance(scale * curves)
    assert space.weights[0] == 2
    assert space.weights[1] == 0
    means, f = [], curves
    for _ in range(4):
        means.append((np.abs(f) ** p).sum(axis=1).mean())
        f = np.gradient(f, 0.1, axis=1)
    terms = np.array(space.weights) * means
    np.testing.assert_allclose(terms[[0, 2, 3]], terms[0])


def test_balance_refuses_what_has_no_balance(curves):
    with pytest.raises(ValueError, match="p = inf"):
        Sobolev(p=np.inf).balance(curves)
    with pytest.raises(ValueError, match=r"not zero; its shape is \(0, 8\)"):
        Sobolev().balance(curves[:0])


def test_one_point_has_no_derivative():
    np.testing.assert_allclose(Sobolev(p=2, weights=(1, 1, 1)).norm([[3.0], [-2.0]]), [3.0, 2.0])


@pytest.mark.parametrize(
    "grid", [1.7e9 + 0.1 * np.arange(12), np.linspace(850, 1050, 12, dtype="f4")]
)
def test_rounding_of_positions_makes_no_grid_uneven(grid):
    curves = np.random.default_rng(0).normal(size=(4, 12))
    step = (float(grid[-1]) - float(grid[0])) / 11
    np.testing.assert_allclose(
        Sobolev(grid=grid).norm(curves), Sobolev(spacing=step).norm(curves), rtol=1e-4
    )
    Sobolev(grid=grid, derivative="savgol").norm(curves)


def test_equal_spaces_share_their_matrices_and_others_do_not():
    grid = np.array([0.0, 1.0, 2.5, 4.0, 7.0])
    space, same = Sobolev(grid=grid, p=1), Sobolev(grid=grid.tolist(), p=1)
    assert space._stack(5) is same._stack(5)
    assert space.compiled_form(5) is same.compiled_form(5)
    before = space._stack(5).toarray()
    grid[2] = 3.0  # of a new space only: one that knows its matrix does not notice
    assert np.abs(Sobolev(grid=grid, p=1)._stack(5).toarray() - before).max() > 0.01

    class Doubled(Sobolev):
        def _make_stack(self, n_features):
            return 2 * super()._make_stack(n_features)

    np.testing.assert_array_equal(
        Doubled(grid=[0.0, 1.0, 2.5, 4.0, 7.0], p=1)._stack(5).toarray(), 2 * before
    )
