"""Sums over pairs of events against the double sums they stand for."""

import numpy as np
import pytest

from noneuclid.numerics import spikes, spikes_gaussian, spikes_intensity, spikes_little
from noneuclid.numerics.spikes_intensity import intensities
from noneuclid.spikes import SpikeTrainPCA, jittered_templates

SUMS = {
    "exponential": (
        spikes.exponential_sums,
        spikes.exponential_self_sums,
        {},
        lambda u: np.exp(-u),
    ),
    "alpha": (
        spikes.exponential_sums,
        spikes.exponential_self_sums,
        {"alpha": True},
        lambda u: (1 + u) * np.exp(-u),
    ),
    "triangle": (
        spikes.triangle_sums,
        spikes.triangle_self_sums,
        {},
        lambda u: np.maximum(1 - u, 0),
    ),
    "gaussian": (
        spikes_gaussian.gaussian_sums,
        spikes_gaussian.gaussian_self_sums,
        {},
        lambda u: np.exp(-(u**2) / 4),
    ),
}
H = [
    lambda z: np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi),
    lambda z: np.where(z >= 0, np.exp(-np.abs(z)), 0.0),
    lambda z: np.exp(-np.abs(z)) / 2,
    lambda z: np.where(z >= 0, z * np.exp(-np.abs(z)), 0.0),
    lambda z: np.where(np.abs(z) <= 0.5, 1.0, 0.0),
]


def trains(seed, n, span=3.0, most=8):
    """Sorted trains as (times, offsets), some of them empty, some with equal times."""
    rng = np.random.default_rng(seed)
    parts = [np.sort(rng.uniform(-span, span, size=k)) for k in rng.integers(0, most, size=n)]
    parts[0] = np.zeros(0)
    parts[-1] = np.repeat(rng.uniform(-span, span), 3)
    return np.concatenate(parts), np.r_[0, np.cumsum([len(p) for p in parts])], parts


def double_sums(x, y, tau, kappa):
    return np.array(
        [[kappa(np.abs(np.subtract.outer(a, b)) / tau).sum() for b in y] for a in x]
    ).reshape(len(x), len(y))


@pytest.mark.parametrize("name", SUMS)
@pytest.mark.parametrize("tau", [1e-3, 0.3, 50.0])
def test_sums_of_two_collections(name, tau):
    sums, own_sums, options, kappa = SUMS[name]
    (t, first, x), (s, other, y) = trains(0, 6), trains(1, 4)
    expected = double_sums(x, y, tau, kappa)
    np.testing.assert_allclose(sums(t, first, s, other, tau, **options), expected, atol=1e-11)
    square = double_sums(x, x, tau, kappa)
    same = sums(t, first, t, first, tau, **options, same=True)
    np.testing.assert_allclose(same, square, atol=1e-11)
    np.testing.assert_array_equal(same, same.T)
    own = own_sums(t, first, tau, **options)
    np.testing.assert_allclose(own, np.diag(square), atol=1e-11)


@pytest.mark.parametrize("name", SUMS)
def test_more_trains_than_one_block_of_rows(name):
    sums, _, options, kappa = SUMS[name]
    t, first, x = trains(2, 150, most=4)
    same = sums(t, first, t, first, 0.2, **options, same=True)
    np.testing.assert_allclose(same, double_sums(x, x, 0.2, kappa), atol=1e-11)


@pytest.mark.parametrize("name", SUMS)
def test_times_far_from_zero_and_far_apart(name):
    sums, _, options, kappa = SUMS[name]
    x = [np.array([0.0, 1e6, 1e6 + 0.25]), np.array([1e6 + 0.5])]
    t, first = np.concatenate(x), np.array([0, 3, 4])
    got = sums(t, first, t, first, 1.0, **options)
    np.testing.assert_allclose(got, double_sums(x, x, 1.0, kappa), rtol=1e-8)


@pytest.mark.parametrize("code", range(5))
@pytest.mark.parametrize("width", [0.05, 2.0])
def test_intensities_at_any_times(code, width):
    t, first, x = trains(3, 5)
    at = np.random.default_rng(4).uniform(-4, 4, size=11)  # in no order
    expected = [
        (H[code]((at[:, None] - events) / width) / width).sum(axis=1) if len(events) else 0 * at
        for events in x
    ]
    np.testing.assert_allclose(intensities(t, first, at, width, code), expected, atol=1e-10)


def test_no_trains_and_no_times():
    nothing, none = np.zeros(0), np.array([0])
    for sums, own_sums, options, _ in SUMS.values():
        assert sums(nothing, none, nothing, none, 1.0, **options).shape == (0, 0)
        assert own_sums(nothing, none, 1.0, **options).shape == (0,)
    assert intensities(np.array([0.5]), np.array([0, 1]), nothing, 1.0, 0).shape == (1, 0)


# --- few events, without compiled code --------------------------------------------------------


@pytest.mark.parametrize("tau", [1e-3, 0.02, 0.3, 50.0, 1e-160, 1e160])
@pytest.mark.parametrize("n", [2, 40])
def test_few_gaussian_sums_are_the_compiled_ones(monkeypatch, tau, n):
    times, offsets, _ = trains(n, n)
    times = times * tau if not 1e-9 < tau < 1e9 else times
    few = spikes_gaussian.gaussian_sums(times, offsets, times, offsets, tau, same=True)
    monkeypatch.setattr(spikes_gaussian, "little_gaussian_sums", lambda *_: None)
    many = spikes_gaussian.gaussian_sums(times, offsets, times, offsets, tau, same=True)
    np.testing.assert_allclose(few, many, rtol=1e-13, atol=1e-15)
    np.testing.assert_array_equal(few, few.T)


@pytest.mark.parametrize("code", range(5))
@pytest.mark.parametrize("width", [1e-4, 0.1, 0.5, 20.0, 1e-160, 1e160])
@pytest.mark.parametrize(("n", "most", "k"), [(2, 4, 1), (40, 8, 60), (1, 600, 300)])
def test_few_intensities_are_the_compiled_ones(monkeypatch, code, width, n, most, k):
    rng = np.random.default_rng(k)
    unit = 1.0 if 1e-9 < width < 1e9 else width
    parts = [np.sort(rng.integers(-30, 30, size=rng.integers(1, most)) * 0.1) for _ in range(n)]
    parts = [*parts, np.zeros(0)] if n > 1 else [np.sort(rng.integers(-30, 30, size=most) * 0.1)]
    times, offsets = np.concatenate(parts) * unit, np.r_[0, np.cumsum([len(p) for p in parts])]
    t = rng.permutation(np.linspace(-4.0, 4.0, k) * unit)  # many a difference is on the border
    few = intensities(times, offsets, t, width, code)
    monkeypatch.setattr(spikes_intensity, "little_intensities", lambda *_: None)
    many = intensities(times, offsets, t, width, code)
    np.testing.assert_allclose(few, many, rtol=1e-13, atol=1e-15 * many.max())


def test_a_first_fit_of_few_trains_compiles_nothing(monkeypatch):
    """So it takes a third of a second in a new process, not three."""
    for module, names in (
        (spikes_gaussian, ("_count_blocks", "_fill_blocks", "_overlap_rows")),
        (spikes_intensity, ("_intensity_rows",)),
    ):
        for name in names:
            monkeypatch.setattr(module, name, None)
    trains = jittered_templates(150, random_state=0).trains
    assert SpikeTrainPCA().fit(trains).dual_coefficients_.shape == (150, 2)


def test_much_is_left_to_compiled_code():
    times, offsets = np.array([0.0, 1e9]), np.array([0, 1, 2])
    assert spikes_little.little_gaussian_sums(times, offsets, 1.0, 0.5, 8.5) is None
    assert spikes_little.little_gaussian_sums(times[:0], offsets[:1], 1.0, 0.5, 8.5) is None
