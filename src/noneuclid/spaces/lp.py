"""l_p spaces, their semi-inner product and its generalisation of type p."""

from dataclasses import field
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from noneuclid._checks import is_number, shown
from noneuclid._estimator import estimator
from noneuclid._parameters import InvalidParameter, Made
from noneuclid.numerics import lp_dual, lp_norm, lp_pull, lp_squared_distance, squared_euclidean
from noneuclid.spaces.base import HILBERT_LAWS, SEMI_INNER_PRODUCT_LAWS
from noneuclid.spaces.charts import Chart, diagonal_chart
from noneuclid.spaces.forms import Form, LpForm
from noneuclid.spaces.linear import LinearSpace
from noneuclid.typing import Array


def _check_exponent(p: Any) -> None:
    """Raise unless p is a number, at least 1."""
    if not is_number(p):
        raise InvalidParameter(f"p (={shown(p)}) must be a number")
    if not p >= 1:
        raise InvalidParameter(f"p (={p}) must be at least 1")


Exponent = Annotated[float, Made(_check_exponent)]


@estimator
class Lp(LinearSpace):
    r"""The sequence space :math:`l_p`, :math:`1 \le p \le \infty`.

    .. math:: J(w) = \frac{|w|^{p-1}\,\mathrm{sgn}(w)}{\|w\|_p^{p-2}}, \qquad
              [x, w] = \frac{1}{\|w\|_p^{p-2}} \sum_k x_k |w_k|^{p-1}\mathrm{sgn}(w_k)

    For p = 1 and p = ∞ the semi-inner product is not unique; the choice here is sgn(0) = 0, and
    the mean over all largest components. Nothing overflows at large p or large values.

    Parameters
    ----------
    p : float, default=2
        Exponent, at least 1; ``float("inf")`` is allowed.

    References
    ----------
    J. R. Giles (1967), Classes of semi-inner-product spaces. M. Biehl, M. Kästner, M. Lange and
    T. Villmann (2013), Non-Euclidean principal component analysis and Oja's learning rule.

    Examples
    --------
    >>> space = Lp(1)
    >>> space.norm([[1.0, -2.0]])
    array([3.])
    >>> space.product([[1.0, 1.0]], [[1.0, -2.0]])
    array([[0.]])
    """

    p: Exponent = field(default=2, kw_only=False)

    @classmethod
    def examples(cls) -> list[Self]:
        """Return the exponents that are special, and some between."""
        return [cls(p) for p in (1, 1.1, 1.5, 2, 3, 7.5, np.inf)]

    @property
    def laws(self) -> frozenset[str]:  # type: ignore[override]
        """Those of a semi-inner product; all of a Hilbert space at p = 2."""
        return HILBERT_LAWS if self.p == 2 else SEMI_INNER_PRODUCT_LAWS

    @property
    def negative_type(self) -> float:
        """p up to 2 (Bretagnolle, Dacunha-Castelle and Krivine 1966), none beyond (Dor 1976)."""
        return float(self.p) if self.p <= 2 else 0.0

    def dual(self, V: Array) -> Array:
        """``J(w) = |w|^(p−1) sgn(w) / ‖w‖^(p−2)``."""
        return lp_dual(V, self.p)

    def _chart(self, d: int) -> Chart | None:
        return diagonal_chart(np.ones(d)) if self.p == 2 else super()._chart(d)

    def compiled_form(self, d: int) -> Form | None:
        """What compiled learning asks."""
        return None if self.p == 2 else LpForm(self.p)

    def _squared_norm(self, V: Array) -> Array:
        return lp_norm(V, self.p) ** 2

    def squared_distance(self, X: ArrayLike, W: ArrayLike) -> Array:
        """‖x_i − w_j‖² in l_p, compiled."""
        X, W = self._check_pair(X, W)
        if self.p == 2:
            return squared_euclidean(X, W)
        return lp_squared_distance(X, W, self.p)

    def pull(self, X: ArrayLike, W: ArrayLike, F: ArrayLike) -> Array:
        """−2 Σ_i F_ij J(x_i − w_j), compiled."""
        if self.p == 2:
            return super().pull(X, W, F)
        return lp_pull(*self._check_forces(X, W, F), self.p)


@estimator
class GeneralizedLp(Lp):
    r"""Generalised semi-inner product of type p on :math:`l_p`.

    .. math:: [x, w] = \sum_k x_k |w_k|^{p-1}\mathrm{sgn}(w_k), \qquad \|w\| = [w, w]^{1/p}

    Its duality map is homogeneous of degree p − 1, and Hölder's inequality
    :math:`|[x, w]|^p \le [x, x]\,[w, w]^{p-1}` takes the place of Cauchy–Schwarz. Norm, distance
    and the distance's gradient are those of :class:`Lp`; only the response :math:`[x, w]` differs.

    Parameters
    ----------
    p : float, default=2
        Exponent, at least 1 and finite.

    References
    ----------
    B. Nath (1972), Topologies on generalized semi-inner product spaces.

    Examples
    --------
    >>> GeneralizedLp(3).product([[1.0, 1.0]], [[1.0, -2.0]])
    array([[-3.]])
    """

    @classmethod
    def examples(cls) -> list[Self]:
        """Return exponents below, at and above 2."""
        return [cls(p) for p in (1, 1.5, 2, 3)]

    @property
    def laws(self) -> frozenset[str]:  # type: ignore[override]
        """Hölder's inequality instead of Cauchy–Schwarz, unless p = 2."""
        if self.p == 2:
            return HILBERT_LAWS | {"hoelder"}
        return frozenset({"positivity", "linearity", "triangle", "hoelder"})

    @property
    def degree(self) -> float:
        """``J(cw) = c |c|^(p−2) J(w)``."""
        return self.p - 1

    def _check_params(self) -> None:
        if self.p == np.inf:
            raise ValueError("p (=inf) must be finite")

    def dual(self, V: Array) -> Array:
        """``J(w) = |w|^(p−1) sgn(w)``."""
        if self.p == 1:
            return np.sign(V)
        return np.asarray(np.abs(V) ** (self.p - 1) * np.sign(V))

    def norm(self, V: ArrayLike) -> Array:
        """[v, v]^(1/p), the l_p norm."""
        return lp_norm(self._check(V, "V"), self.p)

    def squared_distance_gradient(self, x: ArrayLike, W: ArrayLike) -> Array:
        """−2 J(x − w_j) with the duality map of l_p."""
        return Lp(self.p).squared_distance_gradient(x, W)
