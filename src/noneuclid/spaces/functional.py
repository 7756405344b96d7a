"""Functional norms that look at the order of the components."""

from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from noneuclid._estimator import estimator
from noneuclid._parameters import Positive
from noneuclid.numerics import (
    blocked_squared_distance,
    functional_magnitudes,
    lee_dual,
    lp_norm,
    row_blocks,
)
from noneuclid.spaces.base import SEMI_INNER_PRODUCT_LAWS
from noneuclid.spaces.forms import Form, LeeForm
from noneuclid.spaces.linear import LinearSpace
from noneuclid.spaces.lp import Exponent
from noneuclid.spaces.sobolev import equal_step
from noneuclid.typing import Array

# For fewer differences nothing is compiled.
_LITTLE = 1 << 16


@estimator
class LeeVerleysen(LinearSpace):
    r"""Lee and Verleysen's functional norm for curves that cross zero.

    .. math:: \|v\|^p = \sum_k (A_k(v) + B_k(v))^p, \qquad
        A_k = \frac\tau2\begin{cases} |v_k| & v_k v_{k-1} \ge 0\\
        v_k^2/(|v_k| + |v_{k-1}|) & \text{otherwise}\end{cases}

    and :math:`B_k` with the right neighbour: the area under the piecewise linear curve. It equals
    :math:`\tau\,l_p` where no two adjacent components have opposite signs, and is smaller
    elsewhere. :math:`J = \nabla\tfrac12\|\cdot\|^2` is its exact gradient.

    **Only at p = 1 is it a norm.** For p > 1 it is positive and homogeneous, but neither the
    triangle inequality nor Cauchy–Schwarz holds.

    Parameters
    ----------
    p : float, default=2
        Exponent, at least 1; ``float("inf")`` is allowed.
    tau : float, default=1.0
        Sampling period, positive. For ``Curves`` that of their times, unless another than 1 is
        given.

    References
    ----------
    J. A. Lee and M. Verleysen (2005), Generalization of the L_p norm for time series and its
    application to self-organizing maps.

    Examples
    --------
    >>> LeeVerleysen(p=1).norm([[1.0, 1.0], [1.0, -1.0]])
    array([2. , 1.5])
    """

    _looks_along = True

    p: Exponent = 2
    tau: Positive = 1.0

    def _on_axis(self, grid: Array) -> "LeeVerleysen":
        step = equal_step(grid, self, "Sobolev")
        if step is None or self.tau != 1.0:  # what was said stays
            return self
        return type(self)(**{**self.get_params(deep=False), "tau": step})

    @classmethod
    def examples(cls) -> list[Self]:
        """Return the norm (p = 1) and the others."""
        return [cls(), cls(p=1), cls(p=1.5, tau=0.5), cls(p=4)]

    @property
    def laws(self) -> frozenset[str]:  # type: ignore[override]
        """A norm at p = 1 only."""
        if self.p == 1:
            return SEMI_INNER_PRODUCT_LAWS
        return SEMI_INNER_PRODUCT_LAWS - {"cauchy_schwarz", "triangle"}

    @property
    def negative_type(self) -> float:
        """1 at p = 1, where the norm is the integral of the modulus of a function; else none."""
        return 1.0 if self.p == 1 else 0.0

    def dual(self, V: Array) -> Array:
        """J(v) = ∇ ½‖v‖²."""
        return lee_dual(V, self.p, self.tau)

    def compiled_form(self, d: int) -> Form | None:
        """What compiled learning asks."""
        return LeeForm(self.p, self.tau) if self.p < np.inf else None

    def squared_distance(self, X: ArrayLike, W: ArrayLike) -> Array:
        """‖x_i − w_j‖²: (n, d), (m, d) → (n, m).

        Parameters
        ----------
        X : array of shape (n, d)
            Vectors.
        W : array of shape (m, d)
            Vectors.

        Returns
        -------
        array of shape (n, m)
            Squared distances of all pairs.
        """
        X, W = self._check_pair(X, W)
        form = None
        if len(X) * W.size > _LITTLE:
            form = self.compiled_form(X.shape[1])
            largest = max(float(np.abs(X).max()), float(np.abs(W).max()))
            form = None if form is None else form.in_unit_of(np.array([largest]))
        if form is None:
            return blocked_squared_distance(self._squared_norm, X, W)
        D = form.squared_distance(form.images(X), form.images(W))
        i, j = np.nonzero(form.least >= D)  # power sums that may have lost digits
        for few in row_blocks(len(i), 8 * X.shape[1]):
            D[i[few], j[few]] = self._squared_norm(X[i[few]] - W[j[few]])
        return D

    def _squared_norm(self, V: Array) -> Array:
        return lp_norm(functional_magnitudes(V, self.tau), self.p) ** 2
