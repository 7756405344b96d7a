r"""Online learning without labels: :math:`w_j \leftarrow w_j + \epsilon h_j (x - w_j)`."""

from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from noneuclid._progress import progress
from noneuclid.prototypes.costs.neighbourhoods import Neighbourhood
from noneuclid.prototypes.geometries.base import Quantized, has_compiled_steps
from noneuclid.prototypes.solvers.annealing import Annealing
from noneuclid.prototypes.solvers.batch import Quantization
from noneuclid.typing import IntArray

T = TypeVar("T")

# Width and rate change so often in online learning, but not before that many steps per
# prototype: a table of the neighbourhood costs more than a step.
_PIECES = 100
_STEPS_PER_UNIT = 2


@dataclass(frozen=True, kw_only=True)
class Online:
    """One step per sample and epoch, all of them along one annealing."""

    width: Annealing
    rate: Annealing
    max_epochs: int = 50
    shuffle: bool = True
    verbose: bool = False

    def run(
        self,
        geometry: Quantized[T],
        neighbourhood: Neighbourhood,
        theta: T,
        rng: np.random.RandomState,
    ) -> Quantization[T]:
        """Learn from ``theta`` on, which is moved."""
        result = Quantization(theta)
        for epoch in progress(range(self.max_epochs), self.max_epochs, "epochs", self.verbose):
            result.loss_curve.append(self.epoch(geometry, neighbourhood, theta, epoch, rng))
        return result

    def epoch(
        self,
        geometry: Quantized[T],
        neighbourhood: Neighbourhood,
        theta: T,
        number: int,
        rng: np.random.RandomState,
    ) -> float:
        """Epoch of that number, in place; returns the mean cost on the way."""
        n = geometry.n_samples
        order = rng.permutation(n) if self.shuffle else np.arange(n)
        most = max(1, n // (_STEPS_PER_UNIT * len(neighbourhood)))
        pieces = np.array_split(order, min(-(-_PIECES // self.max_epochs), most))
        cost = 0.0
        for k, piece in enumerate(pieces):
            time = (number + k / len(pieces)) / self.max_epochs
            cost += self._piece(geometry, neighbourhood, theta, piece, time)
        geometry.settle(theta)
        return cost / n

    def _piece(
        self,
        geometry: Quantized[T],
        neighbourhood: Neighbourhood,
        theta: T,
        order: IntArray,
        time: float,
    ) -> float:
        width, rate = self.width.at(time), self.rate.at(time)
        if has_compiled_steps(geometry):
            table = neighbourhood.table(width)
            return float(geometry.steps(theta, order, table, neighbourhood.by_rank, rate))
        cost = 0.0
        for i in order:
            d = geometry.distances(theta, np.array([i]))[0]
            h = neighbourhood.pulls_of(d, width)
            cost += float(h @ d)
            geometry.step(theta, i, rate * h)
        return cost
