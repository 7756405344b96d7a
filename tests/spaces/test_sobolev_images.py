import itertools

import numpy as np
import pytest

from noneuclid.spaces import Sobolev


def mixed_derivative(image, orders, spacings):
    for axis, (order, step) in enumerate(zip(orders, spacings)):
        for _ in range(order):
            image = np.gradient(image, step, axis=axis)
    return image


def naive_power(image, p, weights, spacings):
    total = 0.0
    for orders in itertools.product(range(len(weights)), repeat=image.ndim):
        if sum(orders) < len(weights):
            derivative = mixed_derivative(image, orders, spacings)
            total += weights[sum(orders)] * np.prod(spacings) * (np.abs(derivative) ** p).sum()
    return total


@pytest.mark.parametrize("p", [1, 1.5, 2, 3])
@pytest.mark.parametrize("weights", [(1, 1), (1, 0.5, 0.25), (1, 0, 2)])
@pytest.mark.parametrize("shape", [(4, 5), (3, 4, 3)])
def test_all_mixed_derivatives(p, weights, shape):
    images = np.random.default_rng(0).normal(size=(3, *shape))
    spacings = (0.5, 2.0, 1.5)[: len(shape)]
    space = Sobolev(p=p, weights=weights, shape=shape, spacing=spacings)
    expected = [naive_power(image, p, weights, spacings) for image in images]
    np.testing.assert_allclose(space.norm(images.reshape(3, -1)) ** p, expected)


def test_one_spacing_for_all_axes_and_unit_axes():
    images = np.random.default_rng(0).normal(size=(2, 20))
    one = Sobolev(shape=(4, 5), spacing=0.5).norm(images)
    np.testing.assert_allclose(one, Sobolev(shape=(4, 5), spacing=(0.5, 0.5)).norm(images))
    unit = Sobolev(shape=(4, 5), spacing="unit").norm(images)
    np.testing.assert_allclose(unit, Sobolev(shape=(4, 5), spacing=(1 / 3, 1 / 4)).norm(images))


def test_a_row_of_pixels_is_a_curve():
    curves = np.random.default_rng(0).normal(size=(3, 7))
    expected = Sobolev(p=1.5).norm(curves)
    np.testing.assert_allclose(Sobolev(p=1.5, shape=(1, 7)).norm(curves), expected)
    np.testing.assert_allclose(Sobolev(p=1.5, shape=(7,)).norm(curves), expected)


def test_flat_coordinates_of_a_real_image_size():
    images = np.random.default_rng(0).normal(size=(3, 28 * 28))
    space = Sobolev(shape=(28, 28), weights=(1, 1, 1))
    flat = space.flatten(images)
    np.testing.assert_allclose((flat**2).sum(axis=1), space.squared_norm(images))
    np.testing.assert_allclose(space.unflatten(flat), images, atol=1e-9)
