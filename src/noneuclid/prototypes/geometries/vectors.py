r"""Prototypes that are vectors, in any space.

A force on the distances :math:`d(x_i, w_j) = \|x_i - w_j\|^2` moves :math:`w_j` along

.. math:: -\sum_i F_{ij}\frac{\partial d_{ij}}{\partial w_j} = 2\sum_i F_{ij} J(x_i - w_j)
          \quad\text{(coordinates) or}\quad \sum_i F_{ij}(x_i - w_j) \quad\text{(Riesz)}.

Where the duality map J is linear, both are matrix products. Samples and prototypes are then also
kept in the coordinates of the space's chart, in which the product is Euclidean up to signs.

The centre of weighted samples minimises :math:`\sum_i h_i \|x_i - w\|^2`. It is their mean where
the product is bilinear. Elsewhere it is found by descent from where it was, and never gets worse.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.utils.metaestimators import available_if

from noneuclid._data import all_finite
from noneuclid.numerics import first_argmin, row_blocks
from noneuclid.numerics.lvq_vectors import vector_epoch
from noneuclid.numerics.map_fields import map_fields
from noneuclid.numerics.pairwise import zero_rounding
from noneuclid.numerics.quantization import Table, vector_steps
from noneuclid.numerics.space_distances import Code
from noneuclid.numerics.space_steps import space_epoch, space_steps
from noneuclid.prototypes.costs.base import CostCode, Membership
from noneuclid.prototypes.costs.pulls import Fields, Pulls
from noneuclid.prototypes.geometries.base import Geometry, Gradient
from noneuclid.prototypes.geometries.centres import Samples, Trail, better_centres, next_centres
from noneuclid.spaces import Chart, Space
from noneuclid.spaces.forms import EuclideanForm, Form
from noneuclid.typing import Array, IntArray

# Fewer distances are simply held, and nothing more is compiled.
_LITTLE = 1 << 16
_BLOCK_BYTES = 2**22


@dataclass
class Vectors:
    """Coordinates of the prototypes, and beside them those of the chart, if there is one."""

    W: Array
    Z: Array
    trail: Trail | None = None

    @property
    def parameters(self) -> Array:
        """The coordinates W."""
        return self.W

    def copy(self) -> "Vectors":
        """Return an independent copy."""
        return Vectors(self.W.copy(), self.Z.copy())


def _is_linear(geometry: "VectorGeometry") -> bool:
    if hasattr(geometry.space, "dual"):
        return True
    raise AttributeError(f"{geometry.space} is not linear: it has no Riesz gradient")


def _has_compiled_epoch(geometry: "VectorGeometry") -> bool:
    if geometry.chart is not None or (geometry.form is not None and geometry.form.linear):
        return True
    raise AttributeError(f"steps in {geometry.space} are not compiled")


def _has_compiled_slopes(geometry: "VectorGeometry") -> bool:
    if geometry.form is not None and geometry.form.has_slopes:
        return True
    raise AttributeError(f"steps along gradients of {geometry.space} are not compiled")


def _has_compiled_steps(geometry: "VectorGeometry") -> bool:
    riesz, chart, form = geometry.gradient == "riesz", geometry.chart, geometry.form
    if chart is not None and chart.is_positive and (riesz or chart.is_identity):
        return True
    if form is not None and (form.linear if riesz else form.has_slopes):
        return True
    raise AttributeError("these steps are not compiled: they are taken one by one")


class VectorGeometry(Geometry[Vectors]):
    """Prototypes among the vectors X of a space.

    Parameters
    ----------
    space : Space
        Without anything left to the data: ``KernelMetric`` after its ``resolve``.
    X : array of shape (n, d)
    weights : array of shape (n,), optional
        Of the samples, for means and variances.
    gradient : {"riesz", "coordinates"}
        Steps on single samples, without labels, along x − w or along J(x − w).
    """

    largest_block = 200
    bandwidth_share = 0.2

    def __init__(
        self,
        space: Space,
        X: Array,
        weights: Array | None = None,
        gradient: Gradient = "riesz",
    ):
        self.space, self.X, self.weights, self.gradient = space, X, weights, gradient
        self.chart = self._make_chart()
        self.form = self._make_form()
        if self.chart is not None:
            middle = X.mean(axis=0)[None, :]
            self.origin = self.chart.forth(middle)[0]  # distances lose fewer digits around it
            self.signs = self.chart.signs

    @cached_property
    def Z(self) -> Array:
        """Images of all samples, or their coordinates in the chart, counted from its origin."""
        if self.form is not None:
            return self.form.images(self.X)
        assert self.chart is not None
        return np.ascontiguousarray(self.chart.forth(self.X) - self.origin)

    @cached_property
    def squares(self) -> Array:
        """Squared norms of those coordinates."""
        return self._squares(self.Z)

    def _from_origin(self) -> tuple[Array, Array]:
        """Arrays whose difference Z is, without a copy where that needs no work."""
        assert self.chart is not None
        if "Z" in self.__dict__ or not self.chart.is_identity:
            return self.Z, np.zeros_like(self.origin)
        return self.X, self.origin

    def coordinates(self, rows: slice) -> Array:
        """Coordinates of some samples, without those of all where they need no work."""
        Z, origin = self._from_origin()
        return Z[rows] - origin if origin.any() else Z[rows]

    def _make_chart(self) -> Chart | None:
        return self.space.chart(self.X.shape[1])

    def _make_form(self) -> Form | None:
        """The compiled distances, where there is no chart and the data are of moderate size."""
        form = None if self.chart is not None else self.space.compiled_form(self.X.shape[1])
        return None if form is None else form.in_unit_of(self.X)

    @property
    def n_samples(self) -> int:
        """How many samples there are."""
        return len(self.X)

    def _squares(self, Z: Array) -> Array:
        return np.einsum("ik,ik,k->i", Z, Z, self.signs)

    def _charted(self, W: Array) -> Array:
        if self.form is not None:
            return self.form.images(W)
        return W if self.chart is None else self.chart.forth(W) - self.origin

    def from_chart(self, Z: Array) -> Array:
        """Vectors of the space from coordinates of the chart, as the geometry keeps them."""
        if self.form is not None:
            return self.form.rows(Z)
        return Z if self.chart is None else self.chart.back(Z + self.origin)

    def state(self, parameters: Array) -> Vectors:
        """Prototypes at these coordinates."""
        W = np.array(parameters, dtype=np.float64, order="C")
        return Vectors(W, self._charted(W))

    def move(self, theta: Vectors, parameters: Array) -> None:
        """Set new coordinates."""
        theta.W[:] = parameters
        theta.Z, theta.trail = self._charted(theta.W), None

    def distances(self, theta: Vectors, rows: IntArray | slice = slice(None)) -> Array:
        """d_ij of the training samples ``rows``: (n, m)."""
        known = None if theta.trail is None else theta.trail.D
        if known is not None and isinstance(rows, slice) and rows == slice(None):
            return known
        if self.form is not None:
            return self.form.squared_distance(self.Z[rows], theta.Z)
        if self.chart is None:
            return self.space.squared_distance(self.X[rows], theta.W)  # type: ignore[attr-defined]
        return self._charted_distances(self.Z[rows], self.squares[rows], theta.Z)

    def _charted_distances(self, Z: Array, squares: Array, W: Array) -> Array:
        assert self.chart is not None
        D = Z @ (-2.0 * self.signs * W).T
        D += squares[:, None]
        D += self._squares(W)
        if self.chart.is_positive:
            zero_rounding(D, squares, W.shape[1])
        return D

    def nearest(self, theta: Vectors) -> IntArray:
        """The nearest prototype of every sample, block by block."""
        if self.chart is None:
            return first_argmin(self.distances(theta))
        found = np.empty(self.n_samples, dtype=np.intp)
        for rows in row_blocks(self.n_samples, 8 * len(theta.Z), _BLOCK_BYTES):
            Z = self.coordinates(rows)
            found[rows] = first_argmin(self._charted_distances(Z, self._squares(Z), theta.Z))
        return found

    def fields(self, neighbourhood: Any, theta: Vectors, width: float) -> Fields | None:
        """Pulls as sums over the samples that each unit of a map won, if those are many."""
        if self.chart is None or self.n_samples * len(theta.Z) <= _LITTLE:
            return None
        T = neighbourhood.smoothing(width)
        if T is None:
            return None
        cost, sums, counts = map_fields(self.coordinates, self.n_samples, theta.Z, T, self.signs)
        return Fields(cost, sums, counts, neighbourhood.mixed(counts, width))

    @staticmethod
    def distances_to(space: Space, X: Array, W: Array) -> Array:
        """d_ij of new vectors to prototypes; missing values (NaN) are left out."""
        if not all_finite(X):
            missing = np.isnan(X)
            middle = W.mean(axis=0)
            known = np.where(missing, 0.0, X - middle)
            return observed_distances(known, (~missing).astype(float), W - middle)
        return space.squared_distance(X, W)  # type: ignore[attr-defined]

    def distances_between(self, members: IntArray) -> Array:
        """Squared distances between some samples."""
        return self._distances_from(members, self.X[members])

    def nearest_mean(self, G: Array, some: IntArray, members: IntArray) -> IntArray:
        """For each member, the nearest of the means G of ``some`` samples."""
        return first_argmin(self._distances_from(members, G @ self.X[some]))

    def _distances_from(self, members: IntArray, W: Array) -> Array:
        if self.form is None and self.chart is None:
            return self.space.squared_distance(self.X[members], W)  # type: ignore[attr-defined]
        return self.distances(Vectors(W, self._charted(W)), members)

    def pull(self, theta: Vectors, rows: IntArray | slice, F: Array) -> Array:
        """Σ_i F_ij ∂d_ij/∂w_j, the coordinate gradient."""
        if self.form is not None and self.form.pulls:
            return self.form.moments(self.Z[rows], theta.Z, F, curved=False)[1]
        if self.chart is None:
            return self.space.pull(self.X[rows], theta.W, F)  # type: ignore[attr-defined]
        return 2.0 * self.space._dual(self.riesz_pull(theta, rows, F))  # type: ignore[attr-defined]

    @available_if(_is_linear)
    def riesz_pull(self, theta: Vectors, rows: IntArray | slice, F: Array) -> Array:
        """Σ_i F_ij (w_j − x_i), the Riesz gradient."""
        # the same sums as `F.sum(axis=0)`, in a third of the time
        pull = np.einsum("ij->j", F)[:, None] * theta.W
        pull -= F.T @ self.X[rows]
        return pull

    def centres(self, pulls: Pulls, theta: Vectors) -> Vectors:
        """The best prototypes for given pulls; one without any stays."""
        mass = pulls.mass
        keep, divisor = mass <= 0, np.where(mass > 0, mass, 1.0)[:, None]
        if self.chart is None:
            means = np.where(keep[:, None], theta.W, pulls.sums(self.X) / divisor)
            if self.form is not None:
                return self._stepped(pulls, theta, means)
            F = pulls.shares()
            return self.state(
                better_centres(
                    lambda W: self.costs(W, F),
                    lambda W: self.pull(self.state(W), slice(None), F),
                    theta.W,
                    means,
                    self.units(len(means)),
                )
            )
        Z = np.where(keep[:, None], theta.Z, pulls.charted_sums(self) / divisor)
        return Vectors(self.from_chart(Z), Z)

    def _stepped(self, pulls: Pulls, theta: Vectors, means: Array) -> Vectors:
        """Centres by a few steps, from where the last ones lead."""
        assert self.form is not None
        D = self.distances(theta)
        field = Samples(self.form, self.Z, pulls, D)
        W, trail = next_centres(field, pulls, field.costs_at(D), theta.W, means, theta.trail)
        trail.D = field.D
        return Vectors(W, self._charted(W), trail)

    def costs(self, W: Array, F: Array) -> Array:
        """Σ_i F_ij d(x_i, w_j) of every prototype."""
        return np.einsum("ij,ij->j", F, self.distances(self.state(W)))

    def _average(self, values: Array, rows: IntArray | slice) -> Array:
        """Mean over samples, weighted unless no sample among the rows has a weight."""
        weights = None if self.weights is None else self.weights[rows]
        if weights is None or not weights.any():
            return values.mean(axis=0)
        return weights @ values / weights.sum()

    def _mean(self, rows: IntArray | slice = slice(None)) -> Array:
        return self._average(self.X[rows], rows)

    def variance(self, rows: IntArray | slice = slice(None)) -> float:
        """Mean squared distance of samples from their mean; may be negative if indefinite."""
        D = self.distances(self.state(self._mean(rows)[None, :]), rows)
        return float(self._average(D[:, 0], rows))

    def magnitude(self) -> float:
        """Mean modulus of the squared distances from the mean."""
        return float(np.abs(self.distances(self.state(self._mean()[None, :]))).mean())

    def units(self, n_rows: int) -> float:
        """Root mean square of the coordinates around their mean."""
        deviations = self.X - self._mean()
        largest = float(np.abs(deviations).max(initial=0.0))
        if largest == 0:
            return 1.0
        # Divided first: squares of very small numbers vanish.
        squares = ((deviations / largest) ** 2).sum(axis=1)
        return largest * float(np.sqrt(self._average(squares, slice(None)))) or 1.0

    def coordinate_size(self) -> float:
        """Size of J(v) beside v: how much longer steps along J are than those along v."""
        mean = self._mean()
        slopes = self.space.squared_distance_gradient(mean, self.X)  # type: ignore[attr-defined]
        size, slope = float(np.linalg.norm(self.X - mean)), float(np.linalg.norm(slopes))
        if size > 0 and slope == 0:
            raise ValueError(
                f"the distances of {self.space} do not change with the prototypes here: rescale X, "
                "or choose a larger width"
            )
        return 0.5 * slope / size if size > 0 else 1.0

    def stiffness(self, m: int) -> float:
        """Samples per prototype, times the size of J."""
        return len(self.X) / m * self.coordinate_size()

    @available_if(_has_compiled_epoch)
    def riesz_epoch(
        self, theta: Vectors, who: Membership, order: IntArray, step: Array, code: CostCode
    ) -> tuple[int, int]:
        """Prototype steps over all samples in order, compiled; equals the generic path."""
        if self.form is not None:
            return self._form_epoch(theta, who, order, step, code, along_gradient=False)
        assert self.chart is not None
        Z, positive = np.array(theta.Z, order="C"), self.chart.positive
        refused = vector_epoch(self.Z, positive, who.of_class, who.y, order, step, *code, Z)
        theta.W[:] = self.from_chart(Z)
        theta.Z = Z
        return refused, 0

    @available_if(_has_compiled_slopes)
    def coordinate_epoch(
        self, theta: Vectors, who: Membership, order: IntArray, step: Array, code: CostCode
    ) -> tuple[int, int]:
        """The same along the gradients of the distances."""
        return self._form_epoch(theta, who, order, step, code, along_gradient=True)

    def _form_epoch(
        self,
        theta: Vectors,
        who: Membership,
        order: IntArray,
        step: Array,
        code: CostCode,
        *,
        along_gradient: bool,
    ) -> tuple[int, int]:
        assert self.form is not None
        Z = np.array(theta.Z, order="C")
        form = self.form.code(Z.shape[1], along_gradient=along_gradient)
        refused = space_epoch(self.Z, form, who.of_class, who.y, order, step, *code, Z)
        theta.W[:] = self.from_chart(Z)
        theta.Z, theta.trail = Z, None
        return refused, 0

    @available_if(_has_compiled_steps)
    def steps(
        self, theta: Vectors, order: IntArray, table: Table, by_rank: bool, rate: float
    ) -> float:
        """Move prototypes towards the samples in order, compiled; equals ``step`` by ``step``."""
        if self.form is not None:
            Z = np.array(theta.Z, order="C")
            cost = space_steps(
                self.Z, self.step_code(), order, table, by_rank or None, rate, None, Z
            )
            theta.Z = Z
            return cost
        if self.gradient != "riesz":
            rate *= 2.0  # J is the identity
        columns = np.ascontiguousarray(theta.Z.T)
        cost = vector_steps(*self._from_origin(), order, table, by_rank or None, rate, columns)
        theta.Z = np.ascontiguousarray(columns.T)
        return cost

    @available_if(_has_compiled_steps)
    def step_code(self) -> Code:
        """What such steps are like, on the coordinates or images Z."""
        width, along_gradient = self.Z.shape[1], self.gradient != "riesz"
        form = EuclideanForm() if self.form is None else self.form
        return form.code(width, along_gradient=along_gradient)

    def settle(self, theta: Vectors) -> None:
        """Bring the coordinates up to date with those of the chart, which the steps have moved."""
        if self.chart is not None or self.form is not None:
            theta.W[:] = self.from_chart(theta.Z)

    def step(self, theta: Vectors, i: int, pull: Array) -> None:
        """Move prototypes towards one sample: w ← w + a(x − w), or w + 2aJ(x − w)."""
        if self.gradient == "riesz":
            V = theta.W - self.X[i]
        else:
            V = self.space.squared_distance_gradient(self.X[i], theta.W)  # type: ignore[attr-defined]
        self.move(theta, theta.W - pull[:, None] * V)


def observed_distances(known: Array, there: Array, W: Array, squares: Array | None = None) -> Array:
    """Squared distances over the features that are there."""
    if squares is None:
        squares = (known**2).sum(axis=1)
    D = squares[:, None] - 2.0 * known @ W.T + there @ (W**2).T
    return np.maximum(D, 0.0)
