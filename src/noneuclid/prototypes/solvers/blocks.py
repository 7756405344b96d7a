r"""The same problems where samples lie in blocks: values and gradients are sums over them.

.. math:: E(\theta) = \sum_b E_b(\theta), \qquad \nabla E(\theta) = \sum_b \nabla E_b(\theta)

A block becomes a problem of its own where it lies. Parameters go there, sums come back.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from noneuclid._blocks import Blocks, Part
from noneuclid.prototypes.costs.base import Cost, Membership, mean_and_deviation
from noneuclid.prototypes.geometries.base import Geometry
from noneuclid.prototypes.solvers.problem import Descent, FitResult, Problem
from noneuclid.typing import Array, IntArray


class Locally(Protocol):
    """What makes a block a problem: its geometry, who belongs to whom, and weights."""

    def __call__(self, part: Part) -> tuple[Geometry[Any], Membership, Array | None]:
        """The geometry and the membership of the samples of a block."""


@dataclass
class ClassesOf:
    """Class indices and weights of the samples of a block.

    Parameters
    ----------
    classes : array
        Of all blocks; some may lack some of them.
    prototypes : array of int
        Class of every prototype.
    factors : array, optional
        What the weight of a sample of each class is multiplied by.
    """

    classes: np.ndarray
    prototypes: IntArray
    factors: Array | None = None

    def __call__(self, part: Part) -> tuple[Membership, Array | None]:
        """Who belongs to whom, and weights."""
        index = np.searchsorted(self.classes, np.asarray(part.y))
        who = Membership(index, self.prototypes)
        who.__dict__["of_class"] = self.prototypes == np.arange(len(self.classes))[:, None]
        weights = part.weights
        if self.factors is not None:
            weights = self.factors[index] * (1.0 if weights is None else weights)
        return who, weights


@dataclass
class BlockProblem:
    """A cost of the distances in a geometry, over samples in blocks.

    Parameters
    ----------
    blocks : Blocks
    locally : Locally
    geometry : Geometry
        That of all samples, as far as solvers ask: units, scales, states.
    cost : Cost
    who : Membership
        The classes of the prototypes; of no samples.
    """

    blocks: Blocks
    locally: Locally
    geometry: Any
    cost: Cost
    who: Membership

    @property
    def n_samples(self) -> int:
        """How many samples there are in all blocks."""
        return self.blocks.n_samples

    @property
    def n_prototypes(self) -> int:
        """How many prototypes there are."""
        return len(self.who.classes)

    def value_and_slope(self, theta: Any) -> tuple[float, Array, int]:
        """Cost of all samples, its coordinate gradient, and how many samples were refused."""
        found = self.blocks.sum(_value_and_slope, self.locally, self.cost, theta.parameters)
        return float(found[0]), found[1], int(found[2])

    def loss(self, theta: Any) -> float:
        """Mean cost over all samples."""
        total = self.blocks.sum(_loss, self.locally, self.cost, theta.parameters)
        return float(total) / self.n_samples

    def epoch(
        self,
        solver: Descent,
        result: FitResult[Any],
        step: float,
        size: int,
        rng: np.random.RandomState,
    ) -> None:
        """All samples once: block after block, in random order, and so are those of a block."""
        n = self.blocks.n_blocks
        order = rng.permutation(n) if solver.shuffle else np.arange(n)
        seeds = rng.randint(2**31, size=n)
        state = (result.theta.parameters, result.refused, result.clipped)
        parameters, result.refused, result.clipped = self.blocks.chain(
            _steps, state, order, self.locally, self.cost, solver, step, size, seeds
        )
        result.theta = self.geometry.state(parameters)


def averages(
    blocks: Blocks, locally: Locally, parameters: Array
) -> Callable[[Callable[[Array, Membership], Array]], tuple[float, float]]:
    """Mean and deviation of functions of the distances to prototypes, over all blocks."""

    def average(function: Callable[[Array, Membership], Array]) -> tuple[float, float]:
        _, mean, square = blocks.reduce(_moments, _merged, locally, parameters, function)
        return float(mean), float(np.sqrt(square))

    return average


def _problem(part: Part, locally: Locally, cost: Cost) -> Problem[Any]:
    geometry, who, weights = locally(part)
    return Problem(geometry, cost, who, weights)


def _value_and_slope(part: Part, locally: Locally, cost: Cost, parameters: Array) -> Any:
    problem = _problem(part, locally, cost)
    return problem.value_and_slope(problem.geometry.state(parameters))


def _loss(part: Part, locally: Locally, cost: Cost, parameters: Array) -> float:
    problem = _problem(part, locally, cost)
    return problem.loss(problem.geometry.state(parameters)) * len(part)


def _steps(
    part: Part,
    state: tuple[Array, int, int],
    k: int,
    locally: Locally,
    cost: Cost,
    solver: Descent,
    step: float,
    size: int,
    seeds: IntArray,
) -> tuple[Array, int, int]:
    problem = _problem(part, locally, cost)
    result = FitResult(problem.geometry.state(state[0]), [], *state[1:])
    problem.epoch(solver, result, step, size, np.random.RandomState(seeds[k]))
    return result.theta.parameters, result.refused, result.clipped


def _moments(
    part: Part,
    locally: Locally,
    parameters: Array,
    function: Callable[[Array, Membership], Array],
) -> tuple[float, float, float]:
    """Weight, mean and variance of the values of a block."""
    geometry, who, weights = locally(part)
    values = function(geometry.distances(geometry.state(parameters)), who)
    mass = float(len(values) if weights is None else weights.sum())
    if mass == 0:
        return 0.0, 0.0, 0.0
    mean, deviation = mean_and_deviation(values, weights)
    return mass, mean, deviation**2


def _merged(parts: list[tuple[float, float, float]]) -> tuple[float, float, float]:
    """Weight, mean and variance of all, from those of parts: no sum of squares cancels."""
    masses, means, variances = np.array(parts).T
    total = float(masses.sum())
    if total == 0:
        return 0.0, 0.0, 0.0
    mean = float(masses @ means) / total
    return total, mean, float(masses @ (variances + (means - mean) ** 2)) / total
