"""A non-linear semi-inner-product kernel: the reproducing kernel of a Banach space."""

from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from noneuclid._parameters import Finite, Width
from noneuclid.kernels.base import Kernel
from noneuclid.numerics import exp_nonpositive
from noneuclid.typing import Array


class BanachGaussian(Kernel):
    r"""The Gaussian of l_p: a semi-inner-product kernel that is not linear.

    .. math:: \gamma(x, y) = e^{-D(x, y)}, \qquad
        D(x, y) = \frac{\|x\|_p^p}{p} + \frac{\|y\|_p^p}{q} - \sum_k x_k|y_k|^{p-1}\mathrm{sgn}(y_k)

    in units of the width, :math:`1/p + 1/q = 1`. D is the Bregman divergence of
    :math:`\|\cdot\|_p^p/p`: not negative by Young's inequality, and 0 for x = y only. It is the
    semi-inner product :math:`[\Phi(x), \Phi(y)]` in l_p of the unit features

    .. math:: \Phi(x) \propto \Bigl(\frac{x^{\otimes n}}{(n!)^{1/p}\,width^n}\Bigr)_{n \ge 0},

    all monomials of the coordinates, since :math:`\sum_n s^n/n! = e^s`. At p = 2 it is
    ``Gaussian(width)``; elsewhere it is not symmetric and depends on where the origin is: centre X.

    Parameters
    ----------
    p : float, default=1.5
        Between 1 and infinity, both excluded.
    width : float, default=1.0

    References
    ----------
    H. Zhang, Y. Xu and J. Zhang (2009), Reproducing kernel Banach spaces for machine learning.
    S. Salzo, L. Rosasco and J. Suykens (2018), Solving l_p-norm regularization with tensor kernels.

    Examples
    --------
    >>> kernel = BanachGaussian(p=3)
    >>> kernel([[1.0]], [[0.5]]).round(4), kernel([[0.5]], [[1.0]]).round(4)
    (array([[0.8465]]), array([[0.8119]]))
    """

    def __init__(self, *, p: Finite = 1.5, width: Width = 1.0):
        self.p = p
        self.width = width

    @classmethod
    def examples(cls) -> list[Self]:
        """Return kernels below and above p = 2, and the Gaussian."""
        return [cls(), cls(p=3.0, width=2.0), cls(p=2.0)]

    @property
    def laws(self) -> frozenset[str]:  # type: ignore[override]
        """Symmetric and positive at p = 2 only."""
        return frozenset({"symmetry", "positivity"}) if self.p == 2 else frozenset()

    def _check_params(self) -> None:
        if not self.p > 1:
            raise ValueError(f"p (={self.p!r}) must be greater than 1")

    def _evaluate(self, X: Array, Y: Array) -> Array:
        p, width = float(self.p), float(self.width)
        X, Y = X / width, Y / width
        dual = np.sign(Y) * np.abs(Y) ** (p - 1.0)
        D = (np.abs(X) ** p).sum(axis=1)[:, None] / p - X @ dual.T
        D += (np.abs(Y) ** p).sum(axis=1) * ((p - 1.0) / p)
        return exp_nonpositive(-np.maximum(D, 0.0))

    def diag(self, X: ArrayLike) -> Array:
        """Return ones: nothing diverges from itself.

        Parameters
        ----------
        X : array of shape (n, d)

        Returns
        -------
        ones : array of shape (n,)
        """
        return np.ones(len(self._check(X)))
