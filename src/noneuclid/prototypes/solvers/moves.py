"""Descent over objects: prototypes move to the best object of their class, one at a time."""

from dataclasses import dataclass

import numpy as np

from noneuclid._progress import progress
from noneuclid.numerics import first_argmin
from noneuclid.prototypes.geometries.combinations import Combination, CombinationGeometry
from noneuclid.prototypes.solvers.problem import FitResult, Problem
from noneuclid.typing import Array, IntArray


@dataclass(frozen=True, kw_only=True)
class Moves:
    """Each prototype moves to the object that lowers the cost most, until none can."""

    max_epochs: int = 30
    tol: float = 0.0
    verbose: bool = False

    def run(
        self,
        problem: Problem[Combination],
        theta: Combination,
        rng: np.random.RandomState | None = None,
    ) -> FitResult[Combination]:
        """Rounds over all prototypes, which are at objects."""
        geometry = problem.geometry
        assert isinstance(geometry, CombinationGeometry)
        R = np.ascontiguousarray(geometry.all_distances())
        chosen = theta.G.argmax(axis=1)
        curve = [self._loss(problem, R, chosen)]
        for _ in progress(range(self.max_epochs), self.max_epochs, "rounds", self.verbose):
            before = chosen.copy()
            for j in range(len(chosen)):
                self._move(problem, R, chosen, j)
            curve.append(self._loss(problem, R, chosen))
            if (chosen == before).all():
                break
        G = np.zeros_like(theta.G)
        G[np.arange(len(G)), chosen] = 1.0
        return FitResult(geometry.state(G), curve)

    @staticmethod
    def _distances(R: Array, chosen: IntArray) -> Array:
        """Distances of all samples to the prototypes; rows are read faster than columns."""
        return np.ascontiguousarray(R[chosen].T)

    def _loss(self, problem: Problem[Combination], R: Array, chosen: IntArray) -> float:
        D = self._distances(R, chosen)
        return problem.cost.evaluate(D, problem.who, problem.weights).value / problem.n_samples

    def _move(self, problem: Problem[Combination], R: Array, chosen: IntArray, j: int) -> None:
        """Move prototype j to the best object of its class, if that is better."""
        who = problem.who
        members = np.flatnonzero(who.y == who.classes[j])
        candidates = np.setdiff1d(members, np.delete(chosen, j))
        weights = np.ones(len(R)) if problem.weights is None else problem.weights
        D = self._distances(R, chosen)
        costs = problem.cost.move_costs(D, who, weights, j, R, candidates)
        here = costs[np.searchsorted(candidates, chosen[j])] if chosen[j] in candidates else np.inf
        best = int(first_argmin(costs))
        if costs[best] < here - self.tol * abs(here) - 1e-12 * abs(here):
            chosen[j] = candidates[best]
