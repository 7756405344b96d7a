"""What holds for every kernel of the package."""

import numpy as np
import pytest

from noneuclid.kernels import Kernel
from noneuclid.testing import all_kernels, check_kernel, example_kernels, example_points

KERNELS = example_kernels()


@pytest.mark.parametrize("kernel", KERNELS)
def test_keeps_its_promises(kernel):
    check_kernel(kernel)


@pytest.mark.parametrize("kernel", KERNELS)
def test_whole_matrix_equals_single_pairs(kernel):
    rng = np.random.default_rng(5)
    X, Y = example_points(kernel, rng, 5), example_points(kernel, rng, 3)
    pairs = [[kernel(X[i : i + 1], Y[j : j + 1])[0, 0] for j in range(3)] for i in range(5)]
    np.testing.assert_allclose(kernel(X, Y), pairs, rtol=1e-10, atol=1e-14)


@pytest.mark.parametrize("kernel", KERNELS)
def test_generic_diag_equals_the_override(kernel):
    X = example_points(kernel, np.random.default_rng(5), 70)
    np.testing.assert_allclose(kernel.diag(X), Kernel.diag(kernel, X), rtol=1e-12)
    assert kernel.diag(X[:0]).shape == (0,)


@pytest.mark.parametrize("kernel", KERNELS)
def test_logarithms_are_those_of_the_values(kernel):
    rng = np.random.default_rng(5)
    X, Y = example_points(kernel, rng, 6), example_points(kernel, rng, 4)
    K = np.asarray(kernel(X, Y))
    if K.min() < 0:
        with pytest.raises(ValueError, match="has negative values"):
            kernel.log_values(X, Y)
        return
    logs, positive = kernel.log_values(X, Y), K > 1e-300
    np.testing.assert_allclose(logs[positive], np.log(K[positive]), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("kernel", KERNELS)
def test_joining_keeps_all_objects(kernel):
    rng = np.random.default_rng(5)
    X, Y = (kernel.as_objects(example_points(kernel, rng, n)) for n in (3, 4))
    both = kernel.joined(X, Y)
    assert len(both) == 7
    np.testing.assert_allclose(kernel(both)[:3, 3:], kernel(X, Y), rtol=1e-12, atol=1e-14)


def test_discovery():
    names = {cls.__name__ for cls in all_kernels()}
    assert names >= {"Linear", "Polynomial", "Gaussian", "Laplacian", "MatrixGaussian"}
    assert names >= {"SemiInnerProduct", "FunctionKernel", "SpikeTrainKernel"}
    assert "Kernel" not in names
