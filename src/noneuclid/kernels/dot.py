"""Kernels of products: linear, polynomial, and those of a semi-inner product."""

from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from noneuclid._parameters import Count, Finite, Positive
from noneuclid.kernels.base import Kernel
from noneuclid.spaces import Lp, as_space, require
from noneuclid.spaces.linear import LinearSpace
from noneuclid.spaces.names import SpaceLike
from noneuclid.typing import Array


class Linear(Kernel):
    r"""The Euclidean product: :math:`\kappa(x, y) = \langle x, y\rangle`.

    Examples
    --------
    >>> Linear()([[1.0, 2.0]], [[3.0, 4.0]])
    array([[11.]])
    """

    def _evaluate(self, X: Array, Y: Array) -> Array:
        return X @ Y.T

    def diag(self, X: ArrayLike) -> Array:
        """Return the squared norms."""
        X = self._check(X)
        return np.einsum("ij,ij->i", X, X)

    def gradient(self, x: ArrayLike, W: ArrayLike) -> Array:
        """∂κ(x, w_j)/∂w_j = x.

        Parameters
        ----------
        x : array of shape (d,)
            One point.
        W : array of shape (m, d)
            Points at which the derivative is taken.

        Returns
        -------
        array of shape (m, d)
            A gradient per row of W.
        """
        x, W = self._check_point(x, W)
        return np.tile(x, (len(W), 1))

    def pull(self, X: ArrayLike, W: ArrayLike, F: ArrayLike) -> Array:
        """Σ_i F_ij x_i.

        Parameters
        ----------
        X : array of shape (n, d)
            Samples.
        W : array of shape (m, d)
            Prototypes.
        F : array of shape (n, m)
            Forces: the derivative of a cost with respect to every pair.

        Returns
        -------
        array of shape (m, d)
            The gradient of the cost with respect to W.
        """
        X, W, F = self._check_forces(X, W, F)
        return F.T @ X


class Polynomial(Kernel):
    r"""The polynomial kernel :math:`\kappa(x, y) = (\gamma\langle x, y\rangle + c)^k`.

    Parameters
    ----------
    degree : int, default=3
        k ≥ 1.
    coef0 : float, default=1.0
        c ≥ 0 keeps the kernel positive.
    gamma : float or None, default=None
        γ > 0; None is one over the number of features.

    Examples
    --------
    >>> Polynomial(degree=2, gamma=1.0)([[1.0, 2.0]], [[3.0, 4.0]])
    array([[144.]])
    """

    def __init__(self, *, degree: Count = 3, coef0: Finite = 1.0, gamma: Positive | None = None):
        self.degree = degree
        self.coef0 = coef0
        self.gamma = gamma

    @classmethod
    def examples(cls) -> list[Self]:
        """Return the homogeneous and an inhomogeneous kernel, and one that is not positive."""
        return [cls(), cls(degree=2, coef0=0.0, gamma=0.5), cls(degree=3, coef0=-2.0)]

    @property
    def laws(self) -> frozenset[str]:  # type: ignore[override]
        """Positive unless ``coef0`` is negative."""
        return frozenset({"symmetry"} | ({"positivity"} if self.coef0 >= 0 else set()))

    def _base(self, products: Array, n_features: int) -> tuple[Array, float]:
        gamma = 1.0 / n_features if self.gamma is None else float(self.gamma)
        return gamma * products + self.coef0, gamma

    def _evaluate(self, X: Array, Y: Array) -> Array:
        return self._base(X @ Y.T, X.shape[1])[0] ** self.degree

    def diag(self, X: ArrayLike) -> Array:
        """Return (γ|x|² + c)^k."""
        X = self._check(X)
        return self._base(np.einsum("ij,ij->i", X, X), X.shape[1])[0] ** self.degree

    def gradient(self, x: ArrayLike, W: ArrayLike) -> Array:
        """∂κ(x, w_j)/∂w_j = kγ(γ⟨x, w_j⟩ + c)^(k−1) x.

        Parameters
        ----------
        x : array of shape (d,)
            One point.
        W : array of shape (m, d)
            Points at which the derivative is taken.

        Returns
        -------
        array of shape (m, d)
            A gradient per row of W.
        """
        x, W = self._check_point(x, W)
        base, gamma = self._base(W @ x, len(x))
        return (self.degree * gamma * base ** (self.degree - 1))[:, None] * x

    def pull(self, X: ArrayLike, W: ArrayLike, F: ArrayLike) -> Array:
        """Σ_i F_ij ∂κ(x_i, w_j)/∂w_j.

        Parameters
        ----------
        X : array of shape (n, d)
            Samples.
        W : array of shape (m, d)
            Prototypes.
        F : array of shape (n, m)
            Forces: the derivative of a cost with respect to every pair.

        Returns
        -------
        array of shape (m, d)
            The gradient of the cost with respect to W.
        """
        X, W, F = self._check_forces(X, W, F)
        base, gamma = self._base(X @ W.T, X.shape[1])
        return (F * self.degree * gamma * base ** (self.degree - 1)).T @ X


class SemiInnerProduct(Kernel):
    r"""The semi-inner product of a space: :math:`\kappa(x, y) = [x, y]`, linear in x.

    Symmetric and positive in Hilbert spaces only; elsewhere the reproducing kernel of a Banach
    space.

    Parameters
    ----------
    space : str or Space, default="l2"
        Anything :func:`noneuclid.spaces.as_space` accepts.

    Examples
    --------
    >>> SemiInnerProduct("l1")([[1.0, 0.0]], [[1.0, -2.0]])
    array([[3.]])
    """

    def __init__(self, space: SpaceLike = "l2"):
        self.space = space

    @classmethod
    def examples(cls) -> list[Self]:
        """Return one Hilbert and two Banach spaces."""
        return [cls(), cls(Lp(1.5)), cls("l1")]

    @property
    def laws(self) -> frozenset[str]:  # type: ignore[override]
        """Symmetric and positive in Hilbert spaces only."""
        claimed = as_space(self.space).laws
        return claimed & {"symmetry", "positivity"} if "symmetry" in claimed else frozenset()

    @property
    def n_features(self) -> int | None:
        """The dimension of the space."""
        return as_space(self.space).n_features

    def _space(self) -> LinearSpace:
        space = as_space(self.space)
        require(space, "SemiInnerProduct", "dual")
        return space  # type: ignore[return-value]

    def _check_params(self) -> None:
        self._space()

    def _evaluate(self, X: Array, Y: Array) -> Array:
        return self._space().product(X, Y)

    def diag(self, X: ArrayLike) -> Array:
        """[x, x] of each row."""
        X = self._check(X)
        return np.einsum("ij,ij->i", X, self._space().dual(X))
