import numpy as np
import pytest
from scipy.spatial.distance import cdist

from noneuclid.spaces import Euclidean, Hilbert, IncompatibleSpace, PseudoEuclidean, require


@pytest.fixture
def rows():
    return np.random.default_rng(0).normal(size=(7, 4))


@pytest.fixture
def gram():
    A = np.random.default_rng(1).normal(size=(4, 4))
    return A @ A.T + 0.1 * np.eye(4)


def test_hilbert_products_and_distances(rows, gram):
    space = Hilbert(gram)
    np.testing.assert_allclose(space.product(rows, rows), rows @ gram @ rows.T)
    mahalanobis = cdist(rows, rows[:3], "mahalanobis", VI=gram) ** 2
    np.testing.assert_allclose(space.squared_distance(rows, rows[:3]), mahalanobis, atol=1e-12)


def test_identity_is_euclidean(rows):
    np.testing.assert_allclose(
        Hilbert(np.eye(4)).squared_distance(rows, rows), cdist(rows, rows) ** 2, atol=1e-12
    )
    assert (Euclidean().flatten(rows) == rows).all()
    assert (Euclidean().unflatten(rows) == rows).all()


def test_nearly_singular_gram_has_no_imaginary_norm():
    v = np.array([1.0, -1.0]) / np.sqrt(2)
    space = Hilbert(np.ones((2, 2)) + 3e-16 * np.eye(2))
    assert space.norm(v[None])[0] < 1e-7


def test_pseudo_euclidean_by_hand(rows):
    signs = np.diag([1.0, 1.0, 1.0, -1.0])
    space = PseudoEuclidean(signature=(3, 1))
    np.testing.assert_allclose(space.product(rows, rows), rows @ signs @ rows.T)
    V = rows[:, None] - rows
    expected = np.einsum("ijk,kl,ijl->ij", V, signs, V)
    np.testing.assert_allclose(space.squared_distance(rows, rows), expected, atol=1e-12)
    assert (space.squared_distance(rows, rows) < 0).any()


@pytest.mark.parametrize("signature", [(3, 1), (0, 4)])
def test_indefinite_spaces_have_no_norm(signature):
    space = PseudoEuclidean(signature=signature)
    assert not hasattr(space, "norm")
    assert not hasattr(space, "flatten")
    with pytest.raises(IncompatibleSpace, match="Learner needs a space with `norm`; PseudoEucl"):
        require(space, "Learner", "dual", "norm")
    require(PseudoEuclidean(signature=(4, 0)), "Learner", "norm", "flatten")
