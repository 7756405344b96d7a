import numpy as np
import pytest

from noneuclid.numerics import fix_signs, nystroem_map, orientation, signed_eigh


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("axis", [0, 1])
def test_the_largest_entry_becomes_positive_and_nothing_else_changes(seed, axis):
    V = np.random.default_rng(seed).normal(size=(7, 5))
    fixed = fix_signs(V, axis)
    np.testing.assert_array_equal(np.abs(fixed), np.abs(V))
    for v, w in zip(np.moveaxis(V, axis, 1), np.moveaxis(fixed, axis, 1)):
        at = max(range(len(v)), key=lambda i: abs(v[i]))
        assert w[at] > 0
        np.testing.assert_array_equal(w, v * np.sign(v[at]))


@pytest.mark.parametrize("seed", range(5))
def test_flipping_first_changes_nothing(seed):
    rng = np.random.default_rng(seed)
    V = rng.normal(size=(6, 4))
    flipped = V * rng.choice([-1.0, 1.0], size=4)
    np.testing.assert_array_equal(fix_signs(flipped), fix_signs(V))


@pytest.mark.parametrize("noise", [0.0, 1e-15, -1e-15, 1e-10, -1e-10])
def test_ties_go_to_the_first_whatever_the_last_bits_say(noise):
    v = np.array([0.1, -1.0, 1.0 + noise, 0.5])
    np.testing.assert_array_equal(fix_signs(v[:, None])[:, 0], -v)
    np.testing.assert_array_equal(fix_signs(v[None, :], axis=1)[0], -v)


def test_clear_differences_are_no_ties():
    assert orientation(np.array([[-1.0], [1.0 + 1e-6]]))[0, 0] == 1.0


def test_zeros_and_nothing_keep_their_sign():
    np.testing.assert_array_equal(orientation(np.zeros((3, 2))), [[1.0, 1.0]])
    assert fix_signs(np.empty((0, 3))).shape == (0, 3)
    assert fix_signs(np.empty((3, 0))).shape == (3, 0)
    assert fix_signs(np.empty((0, 3)), axis=1).shape == (0, 3)


def test_eigenvectors_do_not_depend_on_the_sign_the_library_chose():
    rng = np.random.default_rng(0)
    A = rng.normal(size=(8, 8))
    S = A + A.T
    vectors = signed_eigh(S)[1]
    largest = np.abs(vectors).argmax(axis=0)
    assert (vectors[largest, np.arange(8)] > 0).all()
    # The same matrix with rows and columns reflected leads the library elsewhere.
    signs = rng.choice([-1.0, 1.0], size=8)
    other = signed_eigh(S * np.outer(signs, signs))[1]
    np.testing.assert_allclose(fix_signs(other * signs[:, None]), vectors, atol=1e-10)


def test_nystroem_features_have_fixed_signs():
    A = np.random.default_rng(1).normal(size=(6, 6))
    M, _ = nystroem_map(A @ A.T)
    assert (M[np.abs(M).argmax(axis=0), np.arange(6)] > 0).all()
