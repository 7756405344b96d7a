r"""What a geometry of prototypes is: what every solver here works with.

Prototypes are rows of parameters, coefficients or coordinates. A geometry says how far samples are
from them, and what a force on these distances does to the parameters. A method that makes no sense
is absent.
"""

from abc import ABC, abstractmethod
from typing import Any, Generic, Literal, Protocol, Self, TypeVar

import numpy as np

from noneuclid.typing import Array, IntArray

Constraint = Literal["convex", "affine", "none"]


class State(Protocol):
    """Prototypes, with what is kept up to date beside their parameters."""

    @property
    def parameters(self) -> Array:
        """One row per prototype."""

    def copy(self) -> Self:
        """Return an independent copy."""


S = TypeVar("S", bound=State)


class Geometry(ABC, Generic[S]):
    """Distances of training samples to prototypes, and what forces on them do."""

    constraint: Constraint = "none"
    """What the parameters must satisfy after each step."""

    largest_block: int | None = None
    """Of how many objects of a class all mutual distances are looked at to start; None: of all."""

    weights: Array | None = None
    """Of the samples, where they have any."""

    bandwidth_share: float = 0.1
    """Default bandwidth of RSLVQ, as a share of the variance within classes."""

    riesz_pull: Any
    """``riesz_pull(theta, rows, F)``: Σ_i F_ij (w_j − x_i), where differences make sense."""

    riesz_epoch: Any
    """``riesz_epoch(theta, y, own_of_class, order, step, code)``: steps sample by sample,
    compiled, where there is such a thing; returns how many were refused and how many clipped."""

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

    def project(self, parameters: Array, previous: Array) -> tuple[Array, int]:
        """Restore the constraint; also how many prototypes had to stay where they were."""
        return parameters, 0

    def tangent(self, gradient: Array, parameters: Array) -> Array:
        """The gradient along the constraint."""
        return gradient

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
