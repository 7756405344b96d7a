"""Growth and weather, thinned to a few points: what the whole curves tell."""

import numpy as np
import pytest

import benchmark_data
from noneuclid.curves import Curves
from noneuclid.pca import FunctionalPCA

pytestmark = pytest.mark.slow


def thinned(t, X, seed):
    rng = np.random.default_rng(seed)
    kept = [np.sort(rng.choice(len(t), rng.integers(5, 11), replace=False)) for _ in X]
    return Curves([(t[k], row[k]) for row, k in zip(X, kept)])


def compared(t, X, seed, **params):
    """Angles between components, and correlations of scores, of few points and of all of them."""
    whole = FunctionalPCA(grid=t, **params).fit(X)
    curves = thinned(t, X, seed)
    few = FunctionalPCA(**({"domain": (t[0], t[-1])} | params)).fit(curves)
    w, angles = np.gradient(t), []
    for a, b in zip(few.component_functions(t), whole.components_):
        angles.append(
            np.degrees(np.arccos(abs((a * w) @ b) / np.sqrt(((a * w) @ a) * ((b * w) @ b))))
        )
    scores = few.transform(curves), whole.transform(X)
    return angles, [abs(np.corrcoef(scores[0][:, k], scores[1][:, k])[0, 1]) for k in (0, 1)]


def test_growth():
    data = benchmark_data.load("berkeley_growth")
    results = [compared(data["age"], data["height"], seed) for seed in range(3)]
    angles, correlations = np.mean(results, axis=0)
    assert angles[0] < 3
    assert angles[1] < 12
    assert correlations[0] > 0.98
    assert correlations[1] > 0.92


def test_weather():
    X = benchmark_data.load("canadian_weather")["temperature"]
    t = np.arange(365) + 0.5
    params = {"basis": "fourier", "domain": (0.0, 365.0)}
    results = [compared(t, X, seed, **params) for seed in range(3)]
    angles, correlations = np.mean(results, axis=0)
    assert max(angles) < 10
    assert correlations[0] > 0.98
    assert correlations[1] > 0.94


def test_weather_whole_as_published():
    """Ramsay and Silverman (2005), section 8.2: 89 % and 8 % of the variance of temperature."""
    X = benchmark_data.load("canadian_weather")["temperature"]
    curves = Curves.from_array(X, np.arange(365) + 0.5)
    model = FunctionalPCA(basis="fourier", domain=(0.0, 365.0)).fit(curves)
    np.testing.assert_allclose(model.explained_variance_ratio_, [0.89, 0.085], atol=0.01)
