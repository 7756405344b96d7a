"""What holds for every kernel of the package."""

import numpy as np
import pytest

from noneuclid.kernels import Kernel
from noneuclid.testing import all_kernels, check_kernel, example_kernels

KERNELS = example_kernels()


@pytest.mark.parametrize("kernel", KERNELS)
def test_keeps_its_promises(kernel):
    check_kernel(kernel)


@pytest.mark.parametrize("kernel", KERNELS)
def test_whole_matrix_equals_single_pairs(kernel):
    rng = np.random.default_rng(5)
    d = kernel.n_features or 4
    X, Y = rng.normal(size=(5, d)), rng.normal(size=(3, d))
    pairs = [[kernel(x[None], y[None])[0, 0] for y in Y] for x in X]
    np.testing.assert_allclose(kernel(X, Y), pairs, rtol=1e-10, atol=1e-14)


@pytest.mark.parametrize("kernel", KERNELS)
def test_generic_diag_equals_the_override(kernel):
    X = np.random.default_rng(5).normal(size=(70, kernel.n_features or 4))
    np.testing.assert_allclose(kernel.diag(X), Kernel.diag(kernel, X), rtol=1e-12)
    assert kernel.diag(X[:0]).shape == (0,)


def test_discovery():
    names = {cls.__name__ for cls in all_kernels()}
    assert names >= {"Linear", "Polynomial", "Gaussian", "Laplacian", "MatrixGaussian"}
    assert names >= {"SemiInnerProduct", "FunctionKernel"}
    assert "Kernel" not in names
