r"""What compiled learning asks of a space that has no chart.

Its distances are those of a compiled kind between images of the rows, which are linear in them:
l_p of :math:`Tx` in Sobolev spaces. Steps along x − w can then be taken on the images.
"""

import copy
import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from noneuclid.numerics import lp_moments, lp_squared_distance, squared_euclidean
from noneuclid.numerics.lee import lee_moments, lee_squared_distance
from noneuclid.numerics.lp import SMALL
from noneuclid.numerics.space_distances import LEE, LP, Code, kinds_of
from noneuclid.spaces.charts import Chart, as_it_is
from noneuclid.typing import Array

if TYPE_CHECKING:
    from noneuclid.spaces.base import Space

Rows = Callable[[Array], Array]
Moments = tuple[Array, Array, Array]
"""Costs (m,), their gradients (m, d) and how steeply those change (m, d)."""
# Squares of numbers within these bounds, and powers up to this one of their share, are numbers.
_LEAST, _MOST, _STEEPEST = 1e-100, 1e100, 12.0
_LASTING = 3
# With more of them, a matrix of all pairs of columns costs more than it saves.
_MOST_COLUMNS = 1000


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

    @property
    def has_slopes(self) -> bool:
        """Whether steps along the gradient can be taken on the images."""
        return self.forth is as_it_is

    def code(self, width: int, *, along_gradient: bool) -> Code:
        """What `space_steps` takes for images of so many columns."""
        parts = self.parts(width)
        kinds = kinds_of(parts)
        if not along_gradient:
            return parts, kinds, None, None, None
        return parts, kinds, None, 2.0 * parts[:, 2] / self.unit / self.unit, self.mixing

    @property
    def mixing(self) -> Array | None:
        """What mixes a step along the gradient, if images are no rows."""
        return None

    def parts(self, width: int) -> Array:
        """Kind, p and factor of distances, and between which columns they are taken."""
        return np.array([[self.kind, self.p, self.factor, 0, width]])

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

    def slopes(self, Z: Array, V: Array, F: Array, *, curved: bool) -> tuple[Array, Array]:
        """The gradient and how it changes, without the costs where those take time."""
        return self.moments(Z, V, F, curved=curved)[1:]

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


class EuclideanForm(Form):
    """The distance of a Hilbert space, as a part of others: by itself it has a chart.

    Parameters
    ----------
    chart : Chart, optional
        With positive signs; by default the identity.
    d : int, default=0
        Dimension of the rows.
    """

    def __init__(self, chart: Chart | None = None, d: int = 0):
        super().__init__(kind=LP, by_prototype=False)
        self._M = None
        if chart is not None and not chart.is_identity:
            self.forth, self.back, self._M = chart.forth, chart.back, chart.forth(np.eye(d))

    @property
    def has_slopes(self) -> bool:
        """Steps can be mixed."""
        return True

    @functools.cached_property
    def mixing(self) -> Array | None:
        """M'M of images xM."""
        return None if self._M is None else np.ascontiguousarray(self._M.T @ self._M)

    def squared_distance(self, Z: Array, V: Array) -> Array:
        """‖z_i − v_j‖²."""
        return self._scaled(squared_euclidean(Z, V))

    def _moments(self, Z: Array, V: Array, F: Array, curved: bool) -> Moments:
        cost = np.einsum("ij,ij->j", F, squared_euclidean(Z, V))
        return self._times_factor((cost, *self._slopes(Z, V, F)))

    def slopes(self, Z: Array, V: Array, F: Array, *, curved: bool) -> tuple[Array, Array]:
        """2 Σ_i F_ij (w_j − x_i) in the coordinates of the rows, and a bound of how it changes."""
        slope, curve = self._slopes(Z, V, F)
        return self.factor / self.unit * slope, self.factor / self.unit / self.unit * curve

    def _slopes(self, Z: Array, V: Array, F: Array) -> tuple[Array, Array]:
        mass = 2.0 * F.sum(axis=0)[:, None]
        slope = mass * V - 2.0 * F.T @ Z
        if self._M is None:
            return slope, np.broadcast_to(mass, V.shape)
        # Sums of moduli are an upper bound of MM', with which a step never goes too far.
        sizes = np.abs(self._M)
        return slope @ self._M.T, mass * (sizes @ sizes.sum(axis=0))


def form_of(space: "Space", d: int) -> Form | None:
    """The compiled distance of a space, also where it has a chart of positive signs."""
    chart = space.chart(d)
    if chart is None:
        return space.compiled_form(d)
    if not chart.is_positive or (d > _MOST_COLUMNS and not chart.is_identity):
        return None
    return EuclideanForm(chart, d)
