"""What a supervised solver is given, and what it returns."""

from dataclasses import dataclass
from typing import Any, Generic, Protocol

import numpy as np

from noneuclid.prototypes.costs.base import Cost, Evaluation, Membership
from noneuclid.prototypes.geometries.base import Geometry, S
from noneuclid.typing import Array, IntArray


@dataclass
class Problem(Generic[S]):
    """A cost of the distances in a geometry, and who belongs to whom."""

    geometry: Geometry[S]
    cost: Cost
    who: Membership
    weights: Array | None = None

    @property
    def n_samples(self) -> int:
        """How many samples there are."""
        return len(self.who.y)

    @property
    def n_prototypes(self) -> int:
        """How many prototypes there are."""
        return len(self.who.classes)

    def loss(self, theta: S) -> float:
        """Mean cost over all samples."""
        D = self.geometry.distances(theta)
        value = self.cost.loss(D, self.who, self.weights) / self.n_samples
        own = None if self.cost.is_heuristic else self.geometry.own_cost(theta)
        return value if own is None else value + own[0]

    def value_and_slope(self, theta: S) -> tuple[float, Array, int]:
        """Cost of all samples, its coordinate gradient, and how many samples were refused."""
        value, forces, refused = self.evaluate(theta)
        slope = self.geometry.pull(theta, slice(None), forces)
        own = self.geometry.own_cost(theta)
        if own is not None:
            value, slope = value + self.n_samples * own[0], slope + self.n_samples * own[1]
        return value, slope, refused

    def epoch(
        self,
        solver: "Descent",
        result: "FitResult[S]",
        step: float,
        size: int,
        rng: np.random.RandomState,
    ) -> None:
        """All samples once, in the order that the solver wants."""
        n = self.n_samples
        order = rng.permutation(n) if solver.shuffle else np.arange(n)
        solver.epoch(self, result, step, size, order)

    def evaluate(self, theta: S, rows: IntArray | slice = slice(None)) -> Evaluation:
        """Value and forces of some of the samples."""
        weights = None if self.weights is None else self.weights[rows]
        everyone = isinstance(rows, slice) and rows == slice(None)
        who = self.who if everyone else self.who.rows(rows)
        return self.cost.evaluate(self.geometry.distances(theta, rows), who, weights)


@dataclass
class FitResult(Generic[S]):
    """A trained state and how it came about."""

    theta: S
    loss_curve: list[float]
    """Mean cost at the start, then after every epoch."""
    refused: int = 0
    """Samples that got no force because GLVQ's denominator was not positive."""
    clipped: int = 0
    """Steps that would have clipped every coefficient, and were not made."""

    @property
    def n_iter(self) -> int:
        """Number of epochs or iterations."""
        return len(self.loss_curve) - 1


class Descent(Protocol):
    """What goes through samples in an order."""

    @property
    def shuffle(self) -> bool:
        """Whether the order is a random one."""

    def epoch(
        self,
        problem: Problem[Any],
        result: FitResult[Any],
        step: float,
        batch_size: int,
        order: IntArray,
    ) -> None:
        """All samples once, in order: moves the state of the result, and counts in it."""


class Solver(Protocol):
    """What solves a problem."""

    def run(self, problem: Problem[Any], theta: Any, rng: np.random.RandomState) -> FitResult[Any]:
        """Lower the cost from ``theta`` on."""
