import numpy as np
import pytest

from noneuclid.spaces import FourierSobolev, Sobolev


def naive_squared_norm(g, step, symbol):
    """(Δx/N) Σ_j m(ω_j)|ĝ_j|² with the transform written out."""
    n = len(g)
    total = 0.0
    for j in range(n):
        frequency = j if j <= (n - 1) // 2 else j - n
        coefficient = sum(g[k] * np.exp(-2j * np.pi * j * k / n) for k in range(n))
        total += symbol(2 * np.pi * frequency / (n * step)) * abs(coefficient) ** 2
    return step / n * total


@pytest.mark.parametrize("n", [1, 2, 7, 8])
@pytest.mark.parametrize("order", [0, 0.5, 1, 2])
@pytest.mark.parametrize("step", [1.0, 0.3, "unit"])
def test_both_forms_by_naive_sums(n, order, step):
    g = np.random.default_rng(0).normal(size=n)
    length = 1 / n if step == "unit" else step
    bessel = naive_squared_norm(g, length, lambda w: (1 + w**2) ** order)
    space = FourierSobolev(order=order, spacing=step)
    np.testing.assert_allclose(space.squared_norm([g]), [bessel])
    derivative = naive_squared_norm(g, length, lambda w: 1 + 0.2 * np.abs(w) ** (2 * order))
    space = FourierSobolev(order=order, spacing=step, form="derivative", alpha=0.2)
    np.testing.assert_allclose(space.squared_norm([g]), [derivative])


def test_order_zero_is_the_plain_integral():
    g = np.random.default_rng(0).normal(size=(2, 9))
    np.testing.assert_allclose(FourierSobolev(order=0, spacing=0.5).product(g, g), 0.5 * g @ g.T)


def test_agrees_with_differences_on_smooth_periodic_curves():
    t = np.arange(2000) / 2000
    g = [np.sin(2 * np.pi * t) + np.cos(6 * np.pi * t)]
    by_differences = Sobolev(weights=(1, 1), spacing=1 / 2000).squared_norm(g)
    by_transform = FourierSobolev(order=1, spacing="unit").squared_norm(g)
    np.testing.assert_allclose(by_differences, by_transform, rtol=1e-3)
