r"""Batch learning without labels, in any geometry.

The best pulls for the prototypes, then the best prototypes for the pulls,
:math:`w_j = \sum_i h_{ij}x_i / \sum_i h_{ij}` or what stands for it in the geometry.
"""

from dataclasses import dataclass, field
from typing import Generic, TypeVar

import numpy as np

from noneuclid._progress import progress
from noneuclid.prototypes.costs.neighbourhoods import Neighbourhood
from noneuclid.prototypes.geometries.base import Quantized
from noneuclid.prototypes.solvers.annealing import Annealing

T = TypeVar("T")


@dataclass
class Quantization(Generic[T]):
    """Prototypes, and the mean cost of every epoch, as the samples met it."""

    theta: T
    loss_curve: list[float] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class Batch:
    """Pulls and prototypes in turn; at a fixed width the cost never increases.

    Stops early when the width does not change any more and the cost falls by no more than
    ``tol`` of itself.
    """

    width: Annealing
    max_epochs: int = 50
    tol: float = 1e-6
    verbose: bool = False

    def run(
        self, geometry: Quantized[T], neighbourhood: Neighbourhood, theta: T
    ) -> Quantization[T]:
        """Learn from ``theta`` on."""
        result = Quantization(theta)
        widths = [self.width.at(time) for time in np.linspace(0.0, 1.0, self.max_epochs)]
        for epoch in progress(range(self.max_epochs), self.max_epochs, "epochs", self.verbose):
            width = widths[epoch]
            loss, pulls = geometry.meet(
                neighbourhood, result.theta, width, passing=width > widths[-1]
            )
            result.loss_curve.append(loss)
            if epoch > 0 and width == widths[epoch - 1]:
                before, now = result.loss_curve[-2:]
                if before - now <= self.tol * abs(before):
                    break
            result.theta = geometry.centres(pulls, result.theta)
        return result
