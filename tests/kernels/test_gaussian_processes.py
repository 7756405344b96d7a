"""Our kernels in scikit-learn's Gaussian processes."""

import numpy as np
import pytest
from sklearn.datasets import make_moons
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessClassifier, GaussianProcessRegressor
from sklearn.gaussian_process import kernels as theirs

from noneuclid.kernels import (
    CrossInformationPotential,
    Gaussian,
    Laplacian,
    Linear,
    PowerExponential,
    Schoenberg,
    SpikeTrainKernel,
)
from noneuclid.spaces import KernelMetric, Sobolev
from noneuclid.testing import example_kernels, example_points

LEARNED = [kernel for kernel in example_kernels() if kernel.n_dims]


@pytest.fixture
def waves():
    rng = np.random.default_rng(0)
    X = rng.uniform(-3, 3, size=(40, 2))
    return X, np.sin(X[:, 0]) + 0.3 * X[:, 1] + 0.05 * rng.normal(size=40)


def test_the_width_is_learned_as_scikit_learn_learns_it(waves):
    X, y = waves
    options = {"alpha": 0.01, "random_state": 0, "n_restarts_optimizer": 1}
    ours = GaussianProcessRegressor(Gaussian(3.0), **options).fit(X, y)
    other = GaussianProcessRegressor(theirs.RBF(3.0), **options).fit(X, y)
    assert ours.kernel_.width == pytest.approx(other.kernel_.length_scale, rel=1e-4)
    assert ours.kernel.width == 3.0
    np.testing.assert_allclose(ours.predict(X, return_std=True), other.predict(X, return_std=True))


def test_a_width_at_its_bound_is_told(waves):
    X, y = waves
    with pytest.warns(ConvergenceWarning, match="parameter width is close to the specified upper"):
        GaussianProcessRegressor(Gaussian(0.5, width_bounds=(0.1, 0.6)), alpha=0.01).fit(X, y)


def test_a_fixed_kernel_stays_as_it_is(waves):
    X, y = waves
    for kernel in (Gaussian(3.0, width_bounds="fixed"), Linear()):
        model = GaussianProcessRegressor(kernel, alpha=0.01).fit(X, y)
        assert model.kernel_.get_params() == kernel.get_params()
        assert model.kernel_.theta.shape == (0,)
    other = GaussianProcessRegressor(theirs.RBF(3.0, "fixed"), alpha=0.01).fit(X, y)
    fixed = GaussianProcessRegressor(Gaussian(3.0), alpha=0.01, optimizer=None).fit(X, y)
    np.testing.assert_allclose(fixed.predict(X), other.predict(X))


def test_sums_and_products_with_scikit_learns_kernels(waves):
    X, y = waves
    ours = theirs.ConstantKernel(2.0) * Gaussian(3.0) + theirs.WhiteKernel(0.1)
    other = theirs.ConstantKernel(2.0) * theirs.RBF(3.0) + theirs.WhiteKernel(0.1)
    np.testing.assert_allclose(ours(X, eval_gradient=True)[1], other(X, eval_gradient=True)[1])
    found, expected = (GaussianProcessRegressor(k).fit(X, y) for k in (ours, other))
    np.testing.assert_allclose(found.kernel_.theta, expected.kernel_.theta, rtol=1e-3)
    for kernel in (Gaussian(3.0) + 0.5, 0.5 + Gaussian(3.0), 2.0 * Gaussian(3.0), Gaussian() ** 2):
        assert kernel(X).shape == (40, 40)


def test_curves_in_a_sobolev_space():
    rng = np.random.default_rng(0)
    t = np.linspace(0, 1, 30)
    bumps = rng.normal(size=(60, 4)) @ np.sin(np.outer(np.arange(1, 5), np.pi * t))
    slope = np.abs(np.gradient(bumps, t, axis=1)).mean(axis=1)
    kernel = theirs.ConstantKernel(1.0) * Gaussian(10.0, Sobolev(spacing="unit"))
    kernel = kernel + theirs.WhiteKernel(0.01)
    model = GaussianProcessRegressor(kernel, normalize_y=True).fit(bumps[:40], slope[:40])
    assert model.score(bumps[40:], slope[40:]) > 0.9
    assert model.kernel_.k1.k2.width != 10.0


@pytest.mark.parametrize("kernel", LEARNED, ids=repr)
def test_gradient_by_the_logarithm_of_the_width(kernel):
    X = example_points(kernel, np.random.default_rng(0), 8)
    K, gradient = kernel(X, eval_gradient=True)
    step = 1e-5
    up, down = (kernel.clone_with_theta(kernel.theta + h)(X) for h in (step, -step))
    expected = (up - down) / (2 * step)
    np.testing.assert_allclose(K, kernel(X))
    np.testing.assert_allclose(gradient[:, :, 0], expected, atol=1e-8 * (1 + np.abs(K).max()))


def test_classifier_of_four_classes():
    X, y = make_moons(60, noise=0.1, random_state=0)
    y[X[:, 0] > 1] += 2
    model = GaussianProcessClassifier(Gaussian(0.5)).fit(X, y)
    other = GaussianProcessClassifier(theirs.RBF(0.5)).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X), other.predict_proba(X), atol=1e-3)


def _tuple(values):
    return tuple(map(_tuple, values)) if isinstance(values, list) else values


@pytest.mark.parametrize("bare", [SpikeTrainKernel(1.0), CrossInformationPotential(0.5)])
def test_objects_as_tuples(bare):
    """scikit-learn looks for NaN in arrays of arrays, and fails; it takes tuples."""
    objects = np.empty(20, dtype=object)
    objects[:] = [_tuple(o.tolist()) for o in bare.example_objects(np.random.default_rng(0), 20)]
    sizes = np.array([float(len(o)) for o in objects])
    kernel = Schoenberg(bare, 0.3)
    assert not kernel.requires_vector_input
    model = GaussianProcessRegressor(kernel, alpha=1e-3, optimizer=None).fit(objects, sizes)
    assert model.predict(objects[:5]).shape == (5,)
    assert model.score(objects, sizes) > 0.5


def test_rules_must_meet_the_data_first(waves):
    X, y = waves
    with pytest.raises(ValueError, match=r"call resolve\(X\) first"):
        GaussianProcessRegressor(Gaussian("median")).fit(X, y)
    GaussianProcessRegressor(Gaussian("median").resolve(X), alpha=0.1).fit(X, y)


def test_bad_theta_and_second_arguments(waves):
    X, _ = waves
    with pytest.raises(ValueError, match="theta must have 1 entries"):
        Gaussian().clone_with_theta([1.0, 2.0])
    with pytest.raises(ValueError, match="leave out Y"):
        Gaussian()(X, X, eval_gradient=True)


def test_stationary_in_linear_spaces_only():
    assert Gaussian(space=Sobolev()).is_stationary()
    assert Laplacian().is_stationary()
    assert not Gaussian(space=KernelMetric(Linear())).is_stationary()
    assert not Linear().is_stationary()
    assert PowerExponential().n_dims == 1
