r"""What compiled learning asks of a space that has no chart.

Its distances are those of a compiled kind between images of the rows, which are linear in them:
l_p of :math:`Tx` in Sobolev spaces. Steps along x − w can then be taken on the images.
"""

import copy
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from noneuclid.numerics import exp_nonpositive, lp_moments, lp_squared_distance, squared_euclidean
from noneuclid.numerics.lee import lee_moments, lee_squared_distance
from noneuclid.numerics.lp import SMALL
from noneuclid.numerics.space_steps import GAUSSIAN, LEE, LP
from noneuclid.spaces.charts import as_it_is
from noneuclid.typing import Array

Rows = Callable[[Array], Array]
Moments = tuple[Array, Array, Array]
"""Costs (m,), their gradients (m, d) and how steeply those change (m, d)."""
# Squares of numbers within these bounds, and powers up to this one of their share, are numbers.
_LEAST, _MOST, _STEEPEST = 1e-100, 1e100, 12.0
_LASTING = 3


@dataclass(kw_only=True, eq=False)
class Form:
    """Distances between images of rows, and the forces of many of them.

    Attributes
    ----------
    kind : int
        Which distance, as `space_steps` takes it.
    p, factor : float
        Its parameters.
    forth, back : callable
        Rows to their images, and images of rows to them.
    linear : bool
        Whether steps go along x − w, else along the gradient of the distance.
    steps : int
        Towards centres, per epoch: more where the gradient jumps and a step is cheap.
    lasting : int
        For how many epochs a curvature serves: squared distances are homogeneous, so it hardly
        changes while prototypes come nearer. At jumps of the gradient it is a density, which does.
    unit : float
        Of the images.
    pulls : bool
        Whether its gradients are those of the space at kinks too, and faster.
    by_prototype : bool
        Whether moments read forces prototype by prototype: fastest where columns are in one piece.
    """

    kind: int
    p: float = 2.0
    factor: float = 1.0
    forth: Rows = field(default=as_it_is)
    back: Rows = field(default=as_it_is)
    linear: bool = True
    steps: int = 1
    lasting: int = 1
    unit: float = 1.0
    pulls: bool = False
    by_prototype: bool = True

    def in_unit_of(self, X: Array) -> "Form | None":
        """The same with images of about size one, whose powers neither overflow nor vanish.

        None where X, or the exponent, is too large or too small for that.
        """
        largest = float(np.abs(X).max(initial=0.0))
        if not (_LEAST < largest < _MOST and (self.p <= _STEEPEST or self.p == np.inf)):
            return None
        unit = float(2.0 ** np.round(np.log2(largest)))  # dividing by it does not round
        found = copy.copy(self)
        found.unit, found.factor = unit, self.factor * unit**2
        return found

    @property
    def least(self) -> float:
        """Squared distances up to this one come from sums of powers that may have lost digits."""
        return float(self.factor * SMALL ** (2.0 / self.p))

    def images(self, X: Array) -> Array:
        """Images of rows, in the unit."""
        return np.ascontiguousarray(self.forth(X) / self.unit)

    def rows(self, Z: Array) -> Array:
        """The rows of images."""
        return self.back(Z * self.unit)

    @property
    def is_identity(self) -> bool:
        """Whether responses of the space are those of the kind between the rows themselves."""
        return self.forth is as_it_is and self.factor == 1.0

    def response_images(self, V: Array) -> Array:
        """Images of differences between which responses [x, w] of the space are those of the kind.

        A number that should be 0 is 0 there, where only its sign counts.
        """
        return np.ascontiguousarray(self.forth(V) * np.sqrt(self.factor))

    def response_rows(self, Z: Array) -> Array:
        """The rows of such images."""
        return self.back(Z / np.sqrt(self.factor))

    def squared_distance(self, Z: Array, V: Array) -> Array:
        """d_ij between images: (n, m)."""
        raise NotImplementedError

    def moments(self, Z: Array, V: Array, F: Array, *, curved: bool = True) -> Moments:
        """Σ_i F_ij d_ij, its gradient in the coordinates of the rows, and how that changes."""
        cost, slope, curve = self._moments(Z, V, F, curved)
        return cost, slope / self.unit, curve / self.unit / self.unit

    def _moments(self, Z: Array, V: Array, F: Array, curved: bool) -> Moments:
        """The same in the coordinates of rows over the unit."""
        raise NotImplementedError

    def _scaled(self, D: Array) -> Array:
        if self.factor != 1.0:
            D *= self.factor
        return D

    def _times_factor(self, moments: Moments) -> Moments:
        return moments[0] * self.factor, moments[1] * self.factor, moments[2] * self.factor


class LpForm(Form):
    """The distance of l_p."""

    def __init__(self, p: float):
        jumps = p in (1, np.inf)
        super().__init__(kind=LP, p=float(p), steps=1 + jumps, lasting=1 if jumps else _LASTING)

    def squared_distance(self, Z: Array, V: Array) -> Array:
        """‖z_i − v_j‖²."""
        return self._scaled(lp_squared_distance(Z, V, self.p))

    def _moments(self, Z: Array, V: Array, F: Array, curved: bool) -> Moments:
        """Cost, gradient, and the diagonal of the Hessian without its poles."""
        return self._times_factor(lp_moments(Z, V, F, self.p, curved=curved))


class LeeForm(Form):
    """Lee and Verleysen's distance."""

    def __init__(self, p: float, tau: float):
        super().__init__(kind=LEE, p=float(p), factor=float(tau) ** 2, pulls=True, lasting=_LASTING)

    def squared_distance(self, Z: Array, V: Array) -> Array:
        """‖z_i − v_j‖²."""
        return self._scaled(lee_squared_distance(Z, V, self.p, 1.0))

    def _moments(self, Z: Array, V: Array, F: Array, curved: bool) -> Moments:
        """Cost, gradient, and its ratio to the differences."""
        return self._times_factor(lee_moments(Z, V, F, self.p, 1.0, curved=curved))


class GaussianForm(Form):
    """The distance of the kernel exp(−factor ‖x − w‖²)."""

    def __init__(self, factor: float):
        super().__init__(kind=GAUSSIAN, factor=float(factor), linear=False, by_prototype=False)

    def _values(self, Z: Array, V: Array) -> Array:
        D = squared_euclidean(Z, V)
        D *= -self.factor
        return exp_nonpositive(np.minimum(D, 0.0, out=D), out=D)

    def squared_distance(self, Z: Array, V: Array) -> Array:
        """2 − 2κ."""
        return 2.0 - 2.0 * self._values(Z, V)

    def _moments(self, Z: Array, V: Array, F: Array, curved: bool) -> Moments:
        """Cost, gradient, and the curvature of a parabola above: the step goes to a mean."""
        H = F * self._values(Z, V)
        mass = H.sum(axis=0)
        cost, steep = 2.0 * (F.sum(axis=0) - mass), 4.0 * self.factor
        curve = np.broadcast_to(steep * mass[:, None], V.shape)
        return cost, steep * (mass[:, None] * V - H.T @ Z), curve
