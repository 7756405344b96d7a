"""Parzen classifiers whose windows are kernels."""

import mpmath
import numpy as np
import pytest
from sklearn.datasets import make_moons

from noneuclid import load, save
from noneuclid.curves import Curves
from noneuclid.datasets import make_spectra
from noneuclid.information import ParzenClassifier
from noneuclid.kernels import (
    BanachGaussian,
    Gaussian,
    Laplacian,
    Linear,
    MatrixGaussian,
    PowerExponential,
    RationalQuadratic,
)
from noneuclid.spaces import Sobolev

X, Y = make_moons(80, noise=0.2, random_state=0)
SPECTRA = make_spectra(60, random_state=0)


@pytest.mark.parametrize("rule", ["ded", "map"])
def test_the_gaussian_kernel_gives_gaussian_windows(rule):
    """Of width σ√2 in the first rule, which smooths twice, and σ in the second."""
    width = 0.3
    kernel = Gaussian(width * np.sqrt(2) if rule == "ded" else width)
    plain = ParzenClassifier(width=width, rule=rule).fit(X, Y)
    given = ParzenClassifier(kernel=kernel, rule=rule).fit(X, Y)
    np.testing.assert_array_equal(given.predict(X), plain.predict(X))
    if rule == "map":
        np.testing.assert_allclose(given.predict_proba(X), plain.predict_proba(X), rtol=1e-8)
    else:
        ratio = plain.decision_function(X) / given.decision_function(X)
        np.testing.assert_allclose(ratio, ratio[0], rtol=1e-6)


def test_the_rule_by_its_definition():
    """The class whose mean moves the classes farthest apart, with all products written out."""
    kernel = Gaussian(0.5, space="l1")
    model = ParzenClassifier(kernel=kernel).fit(X, Y)
    first, second = X[Y == 0], X[Y == 1]

    def apart(a, b):
        products = [kernel(p, q).mean() for p, q in ((a, a), (a, b), (b, b))]
        return products[0] - 2 * products[1] + products[2]

    for x in X[:6] + 0.1:
        moved = apart(np.vstack([first, x]), second), apart(first, np.vstack([second, x]))
        assert model.predict([x])[0] == int(moved[1] > moved[0])


def test_curves_in_a_sobolev_space(tmp_path):
    sobolev = Gaussian("median", space=Sobolev(spacing="unit"))
    model = ParzenClassifier(kernel=sobolev).fit(SPECTRA.X[::2], SPECTRA.labels[::2])
    plain = ParzenClassifier(kernel=Gaussian("median")).fit(SPECTRA.X[::2], SPECTRA.labels[::2])
    test = SPECTRA.X[1::2], SPECTRA.labels[1::2]
    assert model.score(*test) > plain.score(*test)
    assert model.score(*test) > 0.9
    save(model, tmp_path / "m.skops")
    again = load(tmp_path / "m.skops")
    np.testing.assert_array_equal(again.predict(test[0]), model.predict(test[0]))
    curves = Curves.from_array(SPECTRA.X, SPECTRA.grid)
    assert ParzenClassifier(kernel=sobolev).fit(curves, SPECTRA.labels).predict(curves).shape == (
        60,
    )


def test_three_classes_and_far_samples():
    y = np.arange(80) % 3
    rows = X + np.eye(3, 2)[y] * 4
    model = ParzenClassifier(kernel=Gaussian(0.5), rule="map").fit(rows, y)
    assert model.score(rows, y) > 0.6
    P = model.predict_proba([[1e3, 1e3]])
    np.testing.assert_allclose(P.sum(), 1.0)


def test_kernels_that_are_no_windows_are_refused():
    with pytest.raises(ValueError, match=r"Linear\(\) has negative values .* windows must not"):
        ParzenClassifier(kernel=Linear()).fit(X, Y)


def test_windows_are_symmetric():
    with pytest.raises(ValueError, match="is not symmetric: products of windows are"):
        ParzenClassifier(kernel=BanachGaussian(p=1.5)).fit(X, Y)


@pytest.mark.parametrize(
    "kernel",
    [Gaussian(1.0), Laplacian(0.05), PowerExponential(0.1, power=1.5), MatrixGaussian([[0.7]])],
)
def test_far_from_all_samples_the_nearest_class_wins(kernel):
    rng = np.random.default_rng(7)
    X = np.r_[rng.normal(0, 1, (20, 1)), rng.normal(10, 1, (20, 1))]
    model = ParzenClassifier(rule="map", kernel=kernel).fit(X, np.repeat([0, 1], 20))
    far = [[60.0], [-80.0], [4e4]]
    assert not np.asarray(kernel(far, X)).any() or kernel.log_values(far, X).min() < -700
    np.testing.assert_array_equal(model.predict(far), [1, 0, 1])
    assert model.predict_proba(far).max(axis=1).min() > 0.99
    with mpmath.workdps(50):
        logs = [
            mpmath.log(mpmath.fsum(mpmath.exp(mpmath.mpf(v)) for v in row))
            for row in (
                kernel.log_values(far[:1], X[:20])[0],
                kernel.log_values(far[:1], X[20:])[0],
            )
        ]
        expected = float(logs[0] - logs[1])
    log_odds = np.subtract(*model.predict_log_proba(far[:1])[0])
    assert log_odds == pytest.approx(expected, rel=1e-9)


def test_logs_of_kernels_are_those_of_their_values():
    X, Y = np.random.default_rng(0).normal(size=(2, 5, 3))
    for kernel in (
        Gaussian(2.0, "l1"),
        Laplacian(1.5),
        PowerExponential(power=0.5),
        MatrixGaussian(np.eye(3)),
        RationalQuadratic(),
    ):
        np.testing.assert_allclose(
            kernel.log_values(X, Y), np.log(kernel(X, Y)), rtol=1e-12, atol=1e-14
        )
        assert kernel.log_values(X).shape == (5, 5)
