r"""What a geometry of prototypes is: what every solver here works with.

Prototypes are rows of parameters, coefficients or coordinates. A geometry says how far samples are
from them, and what a force on these distances does to the parameters. What only some geometries
can do is declared in protocols of its own; a method that makes no sense is absent, and a solver
asks ``has_riesz_gradient(geometry)``.
"""

from abc import ABC, abstractmethod
from typing import Any, Generic, Literal, Protocol, Self, TypeGuard, TypeVar

import numpy as np

from noneuclid.numerics.quantization import Table
from noneuclid.prototypes.costs.base import CostCode, Membership
from noneuclid.prototypes.costs.pulls import Fields, Pulls
from noneuclid.typing import Array, IntArray

Constraint = Literal["convex", "affine", "none"]
Gradient = Literal["riesz", "coordinates"]


class State(Protocol):
    """Prototypes, with what is kept up to date beside their parameters."""

    @property
    def parameters(self) -> Array:
        """One row per prototype."""

    def copy(self) -> Self:
        """Return an independent copy."""


S = TypeVar("S", bound=State)
T = TypeVar("T")
T_contra = TypeVar("T_contra", contravariant=True)


class Meeting:
    """Samples in memory meet prototypes, and are pulled all at once."""

    def fields(self, neighbourhood: Any, theta: Any, width: float) -> Fields | None:
        """Pulls as sums over samples, where single ones are not needed; None elsewhere."""
        return None

    def meet(
        self, neighbourhood: Any, theta: Any, width: float, *, passing: bool = False
    ) -> tuple[float, Pulls | Fields]:
        """Mean cost of all samples, and their pulls, best for the prototypes.

        As long as the neighbourhood is passing, on its way to the last width, centres for these
        pulls need not be the best ones.
        """
        fields = self.fields(neighbourhood, theta, width)
        if fields is not None:
            return fields.cost / float(fields.counts.sum()), fields
        values, pulls = neighbourhood.assign(self.distances(theta), width)  # type: ignore[attr-defined]
        if passing:
            pulls.passing, pulls.coarse = True, neighbourhood.coarse(width)
        return float(values.mean()), pulls


class Geometry(Meeting, ABC, Generic[S]):
    """Distances of training samples to prototypes, and what forces on them do."""

    constraint: Constraint = "none"
    """What the parameters must satisfy after each step."""

    largest_block: int | None = None
    """Of how many objects of a class all mutual distances are looked at to start; None: of all."""

    weights: Array | None = None
    """Of the samples, where they have any."""

    takes_questions_meanwhile: bool = False
    """Whether another thread may ask for distances to one state while an epoch moves another."""

    bandwidth_share: float = 0.1
    """Default bandwidth of RSLVQ, as a share of the variance within classes."""

    steepness: float = 2.0
    """An automatic slope of GLVQ, times the standard deviation of the margins."""

    @property
    @abstractmethod
    def n_samples(self) -> int:
        """How many samples there are."""

    @abstractmethod
    def state(self, parameters: Array) -> S:
        """Prototypes with these parameters."""

    @abstractmethod
    def move(self, theta: S, parameters: Array) -> None:
        """Set new parameters in place."""

    @abstractmethod
    def distances(self, theta: S, rows: IntArray | slice = slice(None)) -> Array:
        """d_ij of the training samples ``rows``: (n, m)."""

    @abstractmethod
    def distances_between(self, members: IntArray) -> Array:
        """Squared distances between some samples."""

    @abstractmethod
    def nearest_mean(self, G: Array, some: IntArray, members: IntArray) -> IntArray:
        """For each member, the nearest of the means G of ``some`` samples."""

    @abstractmethod
    def pull(self, theta: S, rows: IntArray | slice, F: Array) -> Array:
        """Σ_i F_ij ∂d_ij/∂θ, the coordinate gradient."""

    @abstractmethod
    def variance(self, rows: IntArray | slice = slice(None)) -> float:
        """Mean squared distance of samples from their mean; may be negative if indefinite."""

    @abstractmethod
    def magnitude(self) -> float:
        """The size of distances where the variance says nothing."""

    @abstractmethod
    def stiffness(self, m: int) -> float:
        """Size of the coordinate gradient of all samples per Riesz gradient of one."""

    def multiplications(self, theta: S) -> int:
        """Of a product of all samples with all prototypes: whether threads gain anything by it."""
        return self.n_samples * theta.parameters.size

    def project(self, parameters: Array, previous: Array) -> tuple[Array, int]:
        """Restore the constraint; also how many prototypes had to stay where they were."""
        return parameters, 0

    def tangent(self, gradient: Array, parameters: Array) -> Array:
        """The gradient along the constraint."""
        return gradient

    def own_cost(self, theta: S) -> tuple[float, Array] | None:
        """What the parameters cost by themselves, per sample, and its slope; None if nothing."""
        return None

    def riesz_slope(self, slope: Array) -> Array:
        """Such a slope in the units of Riesz gradients, which are half as long."""
        return 0.5 * slope

    def units(self, n_rows: int) -> Array | float:
        """How far the rows of parameters reach, for a solver that measures its steps by it."""
        return 1.0

    def scale(self) -> float:
        """The unit of all distances: the variance of the samples, if it is positive."""
        variance = self.variance()
        return variance if variance > 0 else self.magnitude() or 1.0

    def scale_within(self, y: IntArray) -> float:
        """Mean variance within classes, if it is positive."""
        classes = np.unique(y)
        sizes = np.bincount(y, self.weights)[classes]
        variances = [self.variance(np.flatnonzero(y == c)) for c in classes]
        within = float(sizes @ variances / sizes.sum())
        return within if within > 1e-12 * self.scale() else self.scale()


class HasRieszGradient(Protocol[T_contra]):
    """Differences of samples and prototypes make sense."""

    def riesz_pull(self, theta: T_contra, rows: IntArray | slice, F: Array) -> Array:
        """Σ_i F_ij (w_j − x_i), the Riesz gradient."""


class HasCompiledEpoch(Protocol[T_contra]):
    """Riesz steps sample by sample are compiled; they equal the generic path."""

    def riesz_epoch(
        self, theta: T_contra, who: Membership, order: IntArray, step: Array, code: CostCode
    ) -> tuple[int, int]:
        """All samples in order; returns how many were refused, and how many clipped wholly."""


class HasCoordinateEpoch(Protocol[T_contra]):
    """So are steps along the coordinate gradient."""

    def coordinate_epoch(
        self, theta: T_contra, who: Membership, order: IntArray, step: Array, code: CostCode
    ) -> tuple[int, int]:
        """All samples in order; returns how many were refused, and how many clipped wholly."""


class Quantized(Protocol[T]):
    """What learning without labels asks of a geometry: the best prototypes for given pulls."""

    @property
    def n_samples(self) -> int:
        """How many samples there are."""

    def distances(self, theta: T, rows: IntArray | slice = slice(None)) -> Array:
        """d_ij of the training samples ``rows``: (n, m)."""

    def multiplications(self, theta: T) -> int:
        """Of a product of all samples with all prototypes."""

    def meet(
        self, neighbourhood: Any, theta: T, width: float, *, passing: bool = False
    ) -> tuple[float, Any]:
        """Mean cost of all samples, and their pulls, best for the prototypes."""

    def centres(self, pulls: Any, theta: T) -> T:
        """The best prototypes for given pulls; one without any stays."""

    def step(self, theta: T, i: int, pull: Array) -> None:
        """Move prototypes towards sample i."""

    def settle(self, theta: T) -> None:
        """Bring the state up to date after the steps of an epoch."""


class HasCompiledSteps(Protocol[T_contra]):
    """Online steps over many samples, compiled."""

    def steps(
        self, theta: T_contra, order: IntArray, table: Table, by_rank: bool, rate: float
    ) -> float:
        """Move prototypes towards the samples in order; returns the sum of their costs."""


def has_riesz_gradient(geometry: Geometry[S]) -> TypeGuard[HasRieszGradient[S]]:
    """Whether differences of samples and prototypes make sense here."""
    return hasattr(geometry, "riesz_pull")


def has_compiled_epoch(geometry: Geometry[S]) -> TypeGuard[HasCompiledEpoch[S]]:
    """Whether Riesz steps sample by sample are compiled here."""
    return hasattr(geometry, "riesz_epoch")


def has_coordinate_epoch(geometry: Geometry[S]) -> TypeGuard[HasCoordinateEpoch[S]]:
    """Whether steps along the coordinate gradient, sample by sample, are compiled here."""
    return hasattr(geometry, "coordinate_epoch")


def has_compiled_steps(geometry: Quantized[T]) -> TypeGuard[HasCompiledSteps[T]]:
    """Whether online steps over many samples are compiled here."""
    return hasattr(geometry, "steps")
