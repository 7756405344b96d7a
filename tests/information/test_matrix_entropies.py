"""Entropies of Gram matrices: direct formulas, limits, and Parzen's entropy at order two."""

import numpy as np
import pytest
from scipy.linalg import fractional_matrix_power

from noneuclid.information import (
    matrix_mutual_information,
    matrix_renyi_entropy,
    renyi_entropy,
)
from noneuclid.information._densities import log_peak
from noneuclid.kernels import Gaussian, Laplacian, Linear

rng = np.random.default_rng(0)
X, Y = rng.normal(size=(25, 2)), rng.normal(size=(25, 1))
K, L = Gaussian(1.0)(X), Laplacian(1.5)(Y)


@pytest.mark.parametrize("alpha", [0.5, 1.01, 1.5, 2.0, 3.0, 5.5])
def test_entropy_is_the_log_of_a_matrix_power(alpha):
    A = K / 25
    expected = np.log(np.trace(fractional_matrix_power(A, alpha).real)) / (1 - alpha)
    assert matrix_renyi_entropy(K, alpha=alpha) == pytest.approx(expected, rel=1e-6)


def test_near_one_is_von_neumanns():
    values = np.linalg.eigvalsh(K / 25)
    values = values[values > 1e-15]
    expected = -(values * np.log(values)).sum()
    for alpha in (1, 1 + 1e-12, 1 - 1e-12):
        assert matrix_renyi_entropy(K, alpha=alpha) == pytest.approx(expected, rel=1e-10)
    entropies = [matrix_renyi_entropy(K, alpha=a) for a in (0.5, 1.0, 1.01, 2.0, 10.0)]
    assert (np.diff(entropies) < 0).all()  # entropies fall with the order


@pytest.mark.parametrize("alpha", [0.7, 1.0, 1.01, 2.0, 7.0])
def test_limits(alpha):
    n = 16
    assert matrix_renyi_entropy(np.eye(n), alpha=alpha) == pytest.approx(np.log(n))
    assert matrix_renyi_entropy(np.ones((n, n)), alpha=alpha) == pytest.approx(0, abs=1e-12)
    groups = np.kron(np.eye(4), np.ones((4, 4)))
    assert matrix_renyi_entropy(groups, alpha=alpha) == pytest.approx(np.log(4))
    assert matrix_mutual_information(groups, groups, alpha=alpha) == pytest.approx(np.log(4))
    crossed = np.kron(np.ones((4, 4)), np.eye(4))  # groups independent of the first
    information = matrix_mutual_information(groups, crossed, alpha=alpha)
    assert information == pytest.approx(0, abs=1e-10)
    assert matrix_renyi_entropy(groups, crossed, alpha=alpha) == pytest.approx(np.log(n))
    assert matrix_mutual_information(K, np.ones((25, 25)), alpha=alpha) == pytest.approx(
        0, abs=1e-10
    )


def test_order_two_is_the_information_potential():
    """tr A² = mean K², and the square of a Gaussian is a Parzen window's autocorrelation."""
    sigma = 0.7
    expected = renyi_entropy(X, sigma) + log_peak(np.sqrt(2) * sigma, 2)
    assert matrix_renyi_entropy(Gaussian(2 * sigma)(X), alpha=2) == pytest.approx(expected)


@pytest.mark.parametrize("alpha", [1.01, 2.0])
def test_information_and_scales(alpha):
    A, B = K / 25, L / 25
    joint = A * B / np.trace(A * B)

    def S(M):
        values = np.maximum(np.linalg.eigvalsh(M), 0)
        return np.log((values**alpha).sum()) / (1 - alpha)

    expected = S(A) + S(B) - S(joint)
    assert matrix_mutual_information(K, L, alpha=alpha) == pytest.approx(expected)
    assert expected > 0
    scales = rng.uniform(0.5, 3.0, size=25)  # κ(x, x) does not matter
    assert matrix_mutual_information(K * np.outer(scales, scales), 9 * L, alpha=alpha) == (
        pytest.approx(expected)
    )
    three = matrix_mutual_information(K, L, L, alpha=alpha)
    assert three == pytest.approx(S(A) + 2 * S(B) - S(A * B * B / np.trace(A * B * B)))


def test_what_is_refused():
    with pytest.raises(ValueError, match=r"alpha .* must be a positive number"):
        matrix_renyi_entropy(K, alpha=-1)
    with pytest.raises(ValueError, match=r"others\[0\] must be symmetric"):
        matrix_renyi_entropy(K, np.triu(K))
    with pytest.raises(ValueError, match="K must have a positive diagonal"):
        matrix_renyi_entropy(np.zeros((3, 3)))
    with pytest.raises(ValueError, match="sizes are 25, 5"):
        matrix_mutual_information(K, np.eye(5))
    with pytest.raises(ValueError, match="at least two variables"):
        matrix_mutual_information(K)
    duplicated = Linear()(np.vstack([X[:3]] * 5))  # of low rank
    assert 0 < matrix_renyi_entropy(duplicated) < np.log(3)


@pytest.mark.parametrize("alpha", [0.5, 1.0, 1.01, 2.0])
def test_matrices_that_are_not_positive_are_refused(alpha):
    """At every order, also where no eigenvalue is needed, and beside what hides it in a product."""
    bad = np.array([[1.0, 2.0], [2.0, 1.0]])
    for precision in (float, np.float32):
        with pytest.raises(ValueError, match=r"^K is not positive: 1 eigenvalue is negative"):
            matrix_renyi_entropy(bad.astype(precision), alpha=alpha)
    with pytest.raises(ValueError, match=r"^others\[0\] is not positive"):
        matrix_renyi_entropy(np.eye(2), bad, alpha=alpha)
    slightly = K - (np.linalg.eigvalsh(K)[0] + 1e-3) * np.eye(25)
    with pytest.raises(ValueError, match=r"^K is not positive"):
        matrix_mutual_information(slightly, L, alpha=alpha)


@pytest.mark.parametrize("alpha", [0.5, 1.01, 2.0])
def test_single_precision(alpha):
    """Whose rounding makes eigenvalues negative that double precision has not."""
    Z = np.random.default_rng(1).normal(size=(110, 2))
    exact = Gaussian(1.0)(Z)
    rounded = exact.astype(np.float32)
    assert np.linalg.eigvalsh(rounded.astype(float))[0] < -1e-10 * len(Z)
    expected = matrix_renyi_entropy(exact, alpha=alpha)
    assert matrix_renyi_entropy(rounded, alpha=alpha) == pytest.approx(expected, rel=5e-3)
    with pytest.raises(ValueError, match=r"^K is not positive"):  # no such excuse
        matrix_renyi_entropy(rounded.astype(float), alpha=alpha)
