r"""A bandwidth that is learned: a geometry whose distances are in units of it.

.. math:: d_{ij} = e^{-s_j}\,d(x_i, w_j)

A mixture with the bandwidth :math:`\sigma_0^2` of these distances is one with
:math:`\sigma_j^2 = \sigma_0^2 e^{s_j}` of the geometry's own, so that costs need not know of it.
The parameters are those of the geometry with :math:`s_j` in one more column; with one bandwidth
for all prototypes, s is the mean of that column.

References
----------
P. Schneider, M. Biehl and B. Hammer (2010), Hyperparameter learning in probabilistic
prototype-based models.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.metaestimators import available_if

from noneuclid.prototypes.geometries.base import Geometry, has_riesz_gradient
from noneuclid.typing import Array, IntArray

# Bandwidths move slower than the prototypes: they must be able to follow.
_SLOWER = 0.1
# No bandwidth is more than e²⁰ times wider or narrower than the first.
_MOST = 20.0


@dataclass
class Widened:
    """The state of a geometry, and the factors of its distances."""

    parameters: Array
    inner: Any
    factors: Array
    """e^{−s_j}, one per prototype"""

    def copy(self) -> "Widened":
        """Return an independent copy."""
        return Widened(self.parameters.copy(), self.inner.copy(), self.factors.copy())


def _has_riesz(geometry: "BandwidthGeometry") -> bool:
    return has_riesz_gradient(geometry.inner)


class BandwidthGeometry(Geometry[Widened]):
    """Another geometry, with learned bandwidths.

    Parameters
    ----------
    inner : Geometry
    m : int
        Number of prototypes: the first rows of the parameters.
    each : bool
        One bandwidth per prototype, or one for all.
    """

    def __init__(self, inner: Any, m: int, *, each: bool):
        self.inner, self.m, self.each = inner, m, each
        self.weights, self.constraint = inner.weights, inner.constraint
        self.bandwidth_share, self.steepness = inner.bandwidth_share, inner.steepness

    @property
    def n_samples(self) -> int:
        """How many samples there are."""
        return int(self.inner.n_samples)

    def multiplications(self, theta: Widened) -> int:
        """Those of the geometry."""
        return int(self.inner.multiplications(theta.inner))

    @property
    def plain(self) -> Any:
        """The geometry of the vectors alone."""
        return getattr(self.inner, "plain", self.inner)

    @staticmethod
    def first(parameters: Array) -> Array:
        """Parameters of the geometry, at the bandwidth the cost begins with."""
        return np.column_stack([parameters, np.zeros(len(parameters))])

    def widths(self, parameters: Array) -> Array:
        """e^{s_j}, what the bandwidth of the cost is multiplied by: (m,)."""
        return np.exp(np.clip(self._logarithms(parameters), -_MOST, _MOST))

    def _logarithms(self, parameters: Array) -> Array:
        column = parameters[: self.m, -1]
        return column if self.each else np.full(self.m, column.mean())

    def state(self, parameters: Array) -> Widened:
        """Prototypes and bandwidths."""
        P = np.array(parameters, dtype=np.float64, order="C")
        return Widened(P, self.inner.state(P[:, :-1]), 1.0 / self.widths(P))

    def move(self, theta: Widened, parameters: Array) -> None:
        """Set new parameters."""
        theta.parameters[:] = parameters
        self.inner.move(theta.inner, parameters[:, :-1])
        theta.factors = 1.0 / self.widths(parameters)

    def project(self, parameters: Array, previous: Array) -> tuple[Array, int]:
        """As the geometry does."""
        inner, stayed = self.inner.project(parameters[:, :-1], previous[:, :-1])
        return np.column_stack([inner, parameters[:, -1]]), stayed

    def distances(self, theta: Widened, rows: IntArray | slice = slice(None)) -> Array:
        """d_ij in units of the bandwidths: (n, m)."""
        return np.asarray(theta.factors * self.inner.distances(theta.inner, rows))

    def pull(self, theta: Widened, rows: IntArray | slice, F: Array) -> Array:
        """Σ_i F_ij ∂d_ij/∂θ; with regard to s_j it is −Σ_i F_ij d_ij."""
        inner = self.inner.pull(theta.inner, rows, theta.factors * F)
        return np.column_stack([inner, self._spread(theta, rows, F, len(inner))])

    def _spread(self, theta: Widened, rows: IntArray | slice, F: Array, n_rows: int) -> Array:
        slope = -np.einsum("ij,ij->j", F, self.distances(theta, rows))
        slope[np.abs(self._logarithms(theta.parameters)) > _MOST] = 0.0
        column = np.zeros(n_rows)
        column[: self.m] = slope if self.each else slope.sum() / self.m
        return column

    @available_if(_has_riesz)
    def riesz_pull(self, theta: Widened, rows: IntArray | slice, F: Array) -> Array:
        """As the geometry does; s follows its gradient, in units of the data."""
        inner = self.inner.riesz_pull(theta.inner, rows, theta.factors * F)
        column = self._spread(theta, rows, F, len(inner))
        return np.column_stack([inner, 0.5 * _SLOWER / self.scale() * column])

    def own_cost(self, theta: Widened) -> tuple[float, Array] | None:
        """That of the geometry: a bandwidth costs nothing."""
        own = self.inner.own_cost(theta.inner)
        return own if own is None else (own[0], self.first(own[1]))

    def riesz_slope(self, slope: Array) -> Array:
        """As the geometry has it."""
        return self.first(self.inner.riesz_slope(slope[:, :-1]))

    def units(self, n_rows: int) -> Array:
        """Those of the geometry for its columns, and one for s: factors of e."""
        inner = np.broadcast_to(self.inner.units(n_rows), (n_rows, 1))
        columns = np.tile(inner, (1, self.plain.X.shape[1]))
        return np.column_stack([columns, np.ones(n_rows)])

    def variance(self, rows: IntArray | slice = slice(None)) -> float:
        """That of the geometry."""
        return float(self.inner.variance(rows))

    def magnitude(self) -> float:
        """That of the geometry."""
        return float(self.inner.magnitude())

    def scale(self) -> float:
        """That of the geometry."""
        return float(self.inner.scale())

    def scale_within(self, y: IntArray) -> float:
        """That of the geometry."""
        return float(self.inner.scale_within(y))

    def stiffness(self, m: int) -> float:
        """That of the geometry."""
        return float(self.inner.stiffness(m))

    def distances_between(self, members: IntArray) -> Array:
        """Squared distances between some samples."""
        return np.asarray(self.inner.distances_between(members))

    def nearest_mean(self, G: Array, some: IntArray, members: IntArray) -> IntArray:
        """For each member, the nearest of the means G of ``some`` samples."""
        return np.asarray(self.inner.nearest_mean(G, some, members))
