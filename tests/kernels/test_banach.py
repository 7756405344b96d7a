"""BanachGaussian is the semi-inner product of explicit features in l_p."""

import math

import numpy as np
import pytest

from noneuclid.kernels import BanachGaussian, Gaussian
from noneuclid.pca import BanachKernelPCA
from noneuclid.spaces import Lp

X = np.random.default_rng(0).normal(size=(6, 2)) * 0.7


def features(X, p, width, degree=18):
    """All tensor powers up to a degree, weighted; one after the other."""
    parts, power = [], np.ones((len(X), 1))
    for n in range(degree):
        parts.append(power / math.factorial(n) ** (1 / p))
        power = np.einsum("ij,ik->ijk", power, X / width).reshape(len(X), -1)
    return np.hstack(parts)


@pytest.mark.parametrize("p", [1.2, 1.5, 2.0, 3.0])
@pytest.mark.parametrize("width", [1.0, 1.7])
def test_is_the_semi_inner_product_of_its_features(p, width):
    space, Phi = Lp(p), features(X, p, width, degree=14)
    Phi = Phi / space.norm(Phi)[:, None]
    np.testing.assert_allclose(
        BanachGaussian(p=p, width=width)(X), space.product(Phi, Phi), atol=1e-6
    )


@pytest.mark.parametrize("p", [1.2, 1.5, 3.0])
def test_what_a_semi_inner_product_of_unit_vectors_obeys(p):
    K = BanachGaussian(p=p)(X, X)
    np.testing.assert_allclose(np.diag(K), 1.0)
    off = K[~np.eye(len(X), dtype=bool)]
    assert (off < 1).all()  # Cauchy–Schwarz, strictly
    assert not np.allclose(K, K.T)


def test_at_two_it_is_the_gaussian():
    np.testing.assert_allclose(BanachGaussian(p=2, width=1.3)(X), Gaussian(1.3)(X), atol=1e-14)


@pytest.mark.parametrize("p", [1, 0.5, -2])
def test_bad_exponents(p):
    with pytest.raises(ValueError, match="must be greater than 1"):
        BanachKernelPCA(kernel=BanachGaussian(p=p)).fit(X)
