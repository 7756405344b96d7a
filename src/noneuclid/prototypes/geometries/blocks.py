r"""Learning without labels where samples lie in blocks: all that is asked of them are sums.

Centres are made of :math:`\sum_i h_{ij}x_i` and :math:`\sum_i h_{ij}`. Where they are no means, in
spaces that are not Hilbert's, the cost :math:`\sum_i h_{ij}d(x_i, w_j)` and its slope are sums too.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from noneuclid._blocks import Blocks, Part
from noneuclid.prototypes.costs.grids import Coarse
from noneuclid.prototypes.geometries.centres import (
    better_centres,
    least_of,
    next_centres,
    share_of,
    strong,
)
from noneuclid.prototypes.geometries.labelled import LabelledGeometry, LabelledVectors
from noneuclid.prototypes.geometries.vectors import VectorGeometry, Vectors
from noneuclid.spaces.forms import Form
from noneuclid.typing import Array, IntArray


class Field(NamedTuple):
    """Σ_i a_i f_ij v_i and Σ_i a_i f_ij, of some vectors v with weights a: (m, k) and (m,)."""

    sums: Array
    mass: Array


@dataclass
class Met:
    """What all samples together do to prototypes, as sums."""

    fields: list[Field]
    """Of the vectors, and of the labels if there are any."""
    mixture: Array | None
    log_factors: Array
    width: float
    neighbourhood: Any
    parameters: Any
    counts: Array
    """Masses of the fields, before any weight of the samples."""
    passing: bool = False
    coarse: Coarse | None = None

    def mixed(self, k: int) -> Field:
        """The pulls of field k: with the mixture, where there is one."""
        sums, mass = self.fields[k]
        if self.mixture is None:
            return Field(sums, mass)
        return Field(self.mixture.T @ sums, self.mixture.T @ mass)


@dataclass
class BlockQuantized:
    """A geometry whose samples lie in blocks.

    Parameters
    ----------
    blocks : Blocks
    locally : callable
        Makes a block a geometry, where it lies: ``locally(part)``.
    few : VectorGeometry or LabelledGeometry
        That of a sample; makes states.
    units : float
        How far coordinates reach, of all samples.
    """

    blocks: Blocks
    locally: Callable[[Part], Any]
    few: Any
    units: float

    @property
    def n_samples(self) -> int:
        """How many samples there are in all blocks."""
        return self.blocks.n_samples

    @property
    def vectors(self) -> VectorGeometry:
        """The geometry of the vectors alone."""
        return _vectors(self.few)

    def meet(
        self, neighbourhood: Any, theta: Any, width: float, *, passing: bool = False
    ) -> tuple[float, Met]:
        """Mean cost of all samples, and the sums of their pulls."""
        parameters = _parameters(theta)
        value, counts, log_factors, *fields = self.blocks.reduce(
            _meet, _met_together, self.locally, neighbourhood, parameters, width, self._origin()
        )
        mixture = neighbourhood.mixed(counts, width)
        pairs = [Field(*pair) for pair in fields]
        coarse = neighbourhood.coarse(width) if passing else None
        known = neighbourhood, parameters, counts, passing, coarse
        met = Met(pairs, mixture, log_factors, width, *known)
        return float(value) / self.n_samples, met

    def centres(self, met: Met, theta: Any) -> Any:
        """The best prototypes for the pulls; one without any stays."""
        if isinstance(theta, Vectors):
            return self._centres(met, theta)
        vectors = self._centres(met, theta.vectors)
        sums, mass = met.mixed(1)
        Y = np.where(mass[:, None] > 0, sums / np.where(mass > 0, mass, 1.0)[:, None], theta.Y)
        return LabelledVectors(vectors, Y, mass)

    def _centres(self, met: Met, theta: Vectors) -> Vectors:
        sums, mass = met.mixed(0)
        few, keep = self.vectors, mass <= 0
        means = sums / np.where(keep, 1.0, mass)[:, None]
        if few.chart is not None:
            Z = np.where(keep[:, None], theta.Z, means)
            return Vectors(few.from_chart(Z), Z)
        means = np.where(keep[:, None], theta.W, means)
        pulls = Summed(self, met, np.where(keep, 1.0, mass))
        if few.form is not None:
            costs = pulls.costs(theta.W)
            W, trail = next_centres(pulls, met, costs, theta.W, means, theta.trail)
            return Vectors(W, few.state(W).Z, trail)
        W = better_centres(pulls.costs, pulls.slopes, theta.W, means, self.units)
        return few.state(W)

    def _origin(self) -> Array | None:
        few = self.vectors
        return None if few.chart is None else few.origin


class Summed:
    """The field of all samples together, as sums over their blocks."""

    def __init__(
        self, geometry: BlockQuantized, met: Met, mass: Array, units: IntArray | None = None
    ):
        self.geometry, self.met, self.mass, self.units = geometry, met, mass, units
        self._known: dict[bytes, tuple[Array, Array, Array]] = {}

    @property
    def form(self) -> Form:
        """The distance, where it is a compiled one."""
        form = self.geometry.vectors.form
        assert form is not None
        return form

    @property
    def share(self) -> float:
        """Of pairs that pull, on maps."""
        assert self.met.mixture is not None
        return share_of(strong(self.met.mixture / self.mass), self.met.counts)

    def _mixture_and_mass(self) -> tuple[Array | None, Array]:
        """Those of maps without pulls that move nothing, as for samples in memory."""
        met, form = self.met, self.geometry.vectors.form
        if met.mixture is None or form is None or not form.by_prototype:
            return met.mixture, self.mass
        F = strong(met.mixture / self.mass)
        return np.where(least_of(F, met.counts, met.passing) < F, F, 0.0), np.ones_like(self.mass)

    def on(self, units: IntArray) -> "Summed":
        """The same field at some prototypes, for moments."""
        return Summed(self.geometry, self.met, self.mass, units)

    def _evaluated(self, W: Array, curved: bool = False) -> tuple[Array, Array, Array]:
        """Costs, slopes and curvatures; those of the last point are asked for twice."""
        key = W.tobytes() + bytes(curved)
        if key not in self._known:
            met, few = self.met, self.geometry.vectors
            self._known = {
                key: self.geometry.blocks.sum(
                    _costs_and_slopes,
                    self.geometry.locally,
                    met.neighbourhood,
                    met.parameters,
                    met.width,
                    met.log_factors,
                    *self._mixture_and_mass(),
                    W,
                    few.form,
                    curved,
                    self.units,
                )
            }
        return self._known[key]

    def costs(self, W: Array) -> Array:
        """Σ_i F_ij d(x_i, w_j) of every prototype."""
        return self._evaluated(W)[0]

    def slopes(self, W: Array) -> Array:
        """Their gradients."""
        return self._evaluated(W)[1]

    def moments(self, W: Array, *, curved: bool) -> tuple[Array, Array, Array]:
        """Costs, gradients, and how steeply those change."""
        return self._evaluated(W, curved)

    def keep(self, better: np.ndarray) -> None:
        """Nothing is kept: distances stay where the blocks lie."""

    def look(self, W: Array, which: np.ndarray) -> None:
        """Nothing is kept."""


def _vectors(geometry: Any) -> VectorGeometry:
    found: VectorGeometry = getattr(geometry, "vectors", geometry)
    return found


def _parameters(theta: Any) -> Any:
    """A state as arrays that any block can make its own state of."""
    return (theta.W,) if isinstance(theta, Vectors) else (theta.vectors.W, theta.Y, theta.mass)


def _state(geometry: Any, parameters: Any) -> Any:
    vectors = _vectors(geometry).state(parameters[0])
    return vectors if len(parameters) == 1 else LabelledVectors(vectors, *parameters[1:])


def _sums(pulls: Any, geometry: Any, origin: Array | None) -> list[Field]:
    """What fields of pulls do to the vectors, counted from a common origin, and to the labels."""
    labelled = isinstance(geometry, LabelledGeometry)
    vectors = _vectors(geometry)
    on_vectors = pulls.weighted(1.0 - geometry.beta) if labelled else pulls
    rows, shift = (vectors.X, 0.0) if origin is None else (vectors.Z, vectors.origin - origin)
    field = Field(on_vectors.sums(rows), on_vectors.mass)
    found = [Field(field.sums + field.mass[:, None] * shift, field.mass)]
    if labelled:
        told = pulls.weighted(geometry.known)
        found.append(Field(told.sums(geometry.L), told.mass))
    return found


def _meet(
    part: Part,
    locally: Callable[[Part], Any],
    neighbourhood: Any,
    parameters: Any,
    width: float,
    origin: Array | None,
) -> tuple[Any, ...]:
    """Cost, masses of the fields, factors taken out of them, and sums of a block."""
    geometry = locally(part)
    theta = _state(geometry, parameters)
    won = geometry.fields(neighbourhood, theta, width)
    if won is not None:
        sums = won.sums_won + won.counts[:, None] * (geometry.origin - origin)
        return won.cost, won.counts, np.zeros(len(sums)), (sums, won.counts)
    values, pulls = neighbourhood.assign(geometry.distances(theta), width)
    pulls.mixture = None
    counts = pulls.mass
    factors = np.zeros(len(counts)) if pulls.log_factors is None else pulls.log_factors
    fields = [tuple(field) for field in _sums(pulls, geometry, origin)]
    return float(values.sum()), counts, factors, *fields


def _met_together(parts: list[tuple[Any, ...]]) -> tuple[Any, ...]:
    """Sums of sums, each at its own factor: the largest one is taken out of all."""
    value = sum(part[0] for part in parts)
    factors = np.array([np.where(part[1] > 0, part[2], -np.inf) for part in parts])
    largest = factors.max(axis=0)
    largest[np.isinf(largest)] = 0.0
    shares = np.exp(np.maximum(factors - largest, -750.0)) * np.isfinite(factors)
    counts = sum(share * part[1] for share, part in zip(shares, parts))
    fields = [
        (
            sum(share[:, None] * part[k][0] for share, part in zip(shares, parts)),
            sum(share * part[k][1] for share, part in zip(shares, parts)),
        )
        for k in range(3, len(parts[0]))
    ]
    return value, counts, largest, *fields


def _costs_and_slopes(
    part: Part,
    locally: Callable[[Part], Any],
    neighbourhood: Any,
    parameters: Any,
    width: float,
    log_factors: Array,
    mixture: Array | None,
    mass: Array,
    W: Array,
    form: Form | None,
    curved: bool,
    units: IntArray | None,
) -> tuple[Array, Array, Array]:
    """Σ_i F_ij d(x_i, w_j), its slope, and how that changes, for the pulls of all samples."""
    geometry = locally(part)
    _, pulls = neighbourhood.assign(geometry.distances(_state(geometry, parameters)), width)
    pulls.mixture = mixture
    if isinstance(geometry, LabelledGeometry):
        pulls = pulls.weighted(1.0 - geometry.beta)
    own = 0.0 if pulls.log_factors is None else pulls.log_factors
    F = pulls.dense() * (np.exp(np.minimum(own - log_factors, 0.0)) / mass)
    vectors = _vectors(geometry)
    if form is not None:
        F = strong(F if units is None else F[:, units])
        return form.moments(form.images(vectors.X), form.images(W), F, curved=curved)
    slopes = vectors.pull(vectors.state(W), slice(None), F)
    return vectors.costs(W, F), slopes, np.zeros((len(W), 0))
