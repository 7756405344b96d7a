"""The public checks pass what is right and, above all, fail what is wrong."""

import numpy as np
import pytest

from noneuclid.kernels import Gaussian, Kernel, Linear, SpikeTrainKernel
from noneuclid.spaces import HILBERT_LAWS, SEMI_INNER_PRODUCT_LAWS, Euclidean, LinearSpace, Lp
from noneuclid.testing import check_kernel, check_space, example_points


class Doubled(LinearSpace):
    """J(w) = 2w is a Hilbert space and says so."""

    laws = HILBERT_LAWS

    def dual(self, V):
        return 2.0 * V


class ForgottenLaw(Doubled):
    laws = HILBERT_LAWS - {"symmetry"}


class ClaimsTooMuch(Lp):
    laws = HILBERT_LAWS


class UnknownLaw(Doubled):
    laws = HILBERT_LAWS | {"beauty"}


class NotAGradient(LinearSpace):
    """A skew part is invisible to norm and distance, but not to the dual."""

    laws = HILBERT_LAWS - {"symmetry", "cauchy_schwarz"}

    def dual(self, V):
        return V + np.roll(V, 1, axis=1) - np.roll(V, -1, axis=1)


class WrongExponent(LinearSpace):
    def dual(self, V):
        return np.abs(V) ** 0.5 * np.sign(V)


class NonZeroAtZero(Doubled):
    def dual(self, V):
        return np.where(V.any(axis=1, keepdims=True), V, 1.0)


class WrongProduct(Doubled):
    def product(self, X, W):
        return 1.01 * super().product(X, W)


class WrongNorm(Doubled):
    def norm(self, V):
        return 1.01 * np.sqrt(2) * np.linalg.norm(self._check(V), axis=1)


class WrongDistance(Doubled):
    def squared_distance(self, X, W):
        return 1.01 * super().squared_distance(X, W)


class WrongDistanceGradient(Doubled):
    def squared_distance_gradient(self, x, W):
        return -super().squared_distance_gradient(x, W)


class WrongPull(Doubled):
    def pull(self, X, W, F):
        return super().pull(X, W, np.abs(F))


class NotIsometric(Doubled):
    def flatten(self, X):
        return self._check(X)


class Overflows(LinearSpace):
    """l_4 without scaling."""

    def dual(self, V):
        norm = (V**4).sum(axis=1, keepdims=True) ** 0.25
        return V**3 / np.where(norm > 0, norm, 1.0) ** 2


class AcceptsAnything(Doubled):
    def _check(self, X, name="X"):
        return np.atleast_2d(np.nan_to_num(np.asarray(X, dtype=float)))


class ForgetsParameters(Doubled):
    def __init__(self, factor=1.0):
        self.factor = factor
        self._noise = np.random.default_rng().random()

    def dual(self, V):
        return (2.0 + self._noise) * V


WRONG_SPACES = [
    (ForgottenLaw(), "does not claim symmetry, but no trial violates it"),
    (ClaimsTooMuch(1.5), "claims symmetry, violated by|flatten|pull"),
    (UnknownLaw(), r"claims laws nobody knows: \['beauty'\]"),
    (NotAGradient(), "dual differs from finite differences"),
    (WrongExponent(), "dual differs from finite differences"),
    (NonZeroAtZero(), r"dual\(0\) must be 0"),
    (WrongProduct(), "product is not <x, J"),
    (WrongNorm(), "norm² ≠ squared_norm"),
    (WrongDistance(), "squared_distance is not squared_norm"),
    (WrongDistanceGradient(), "squared_distance_gradient differs from finite differences"),
    (WrongPull(), "pull is not the sum of gradients"),
    (NotIsometric(), "flatten is not isometric|squared_distance is not"),
    (AcceptsAnything(), "accepts"),
    (ForgetsParameters(), "clone of .* computes something else"),
]


@pytest.mark.parametrize(("space", "sentence"), WRONG_SPACES, ids=lambda v: type(v).__name__)
def test_wrong_spaces_fail_with_a_sentence(space, sentence):
    with pytest.raises(AssertionError, match=sentence):
        check_space(space)


def test_overflow_is_not_overlooked():
    with pytest.raises((AssertionError, FloatingPointError)):
        check_space(Overflows())


@pytest.mark.parametrize("law", sorted(SEMI_INNER_PRODUCT_LAWS))
def test_every_law_must_be_claimed(law):
    Forgetful = type("Forgetful", (Euclidean,), {"laws": HILBERT_LAWS - {law}})
    Forgetful.__module__ = __name__
    with pytest.raises(AssertionError, match=f"does not claim {law}|has no norm"):
        check_space(Forgetful())


def test_a_right_space_passes():
    check_space(Doubled())


class WrongDiagonal(Linear):
    def diag(self, X):
        return 1.01 * super().diag(X)


class WrongGradient(Gaussian):
    def gradient(self, x, W):
        return 0.99 * super().gradient(x, W)


class WrongKernelPull(Gaussian):
    def pull(self, X, W, F):
        return 0.99 * super().pull(X, W, F)


class NotPositive(Kernel):
    def _evaluate(self, X, Y):
        return -(X @ Y.T)


class ForgotPositivity(Linear):
    laws = frozenset({"symmetry"})


class NotSymmetric(Kernel):
    def _evaluate(self, X, Y):
        return np.outer(X[:, 0], Y.sum(axis=1))


class DependsOnTheRest(Kernel):
    """Centring: a value changes with the other rows."""

    laws = frozenset({"symmetry", "positivity"})

    def _evaluate(self, X, Y):
        return (X - X.mean(axis=0)) @ (Y - Y.mean(axis=0)).T


class TakesAnything(SpikeTrainKernel):
    """Of objects, and silent about what is none."""

    def as_objects(self, X, name="X"):
        return super().as_objects([[0.0]] if isinstance(X, str) else X, name)


class OtherForLists(SpikeTrainKernel):
    def as_objects(self, X, name="X"):
        return super().as_objects([x[:1] for x in X] if isinstance(X, list) else X, name)


WRONG_KERNELS = [
    (TakesAnything(1.0), "accepts text"),
    (OtherForLists(1.0), "a list of objects gives other values"),
    (WrongDiagonal(), "diag"),
    (WrongGradient(), "gradient differs from finite differences"),
    (WrongKernelPull(), "pull is not"),
    (NotPositive(), "claims positivity, which fails"),
    (ForgotPositivity(), "does not claim positivity, which holds"),
    (NotSymmetric(), "claims symmetry, which fails"),
    (DependsOnTheRest(), "diag|differs"),
]


@pytest.mark.parametrize(("kernel", "sentence"), WRONG_KERNELS, ids=lambda v: type(v).__name__)
def test_wrong_kernels_fail_with_a_sentence(kernel, sentence):
    with pytest.raises(AssertionError, match=sentence):
        check_kernel(kernel)


def test_points_for_every_kernel():
    rng = np.random.default_rng(0)
    assert example_points(Gaussian(), rng, 3).shape == (3, 6)
    assert len(example_points(SpikeTrainKernel(1.0), rng, 3)) == 3
    with pytest.raises(TypeError, match="Gaussian takes rows of a matrix"):
        Gaussian().example_objects(rng, 3)


def test_the_checks_want_instances():
    with pytest.raises(TypeError, match="check_space takes an instance of Space, not 'l2'"):
        check_space("l2")
    with pytest.raises(TypeError, match="instance of Space"):
        check_space(Lp)
    with pytest.raises(TypeError, match="check_kernel takes an instance of Kernel"):
        check_kernel(Gaussian)
