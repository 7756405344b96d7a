r"""Batch and online learning without labels, in any geometry.

*Batch*: the best pulls for the prototypes, then the best prototypes for the pulls,
:math:`w_j = \sum_i h_{ij}x_i / \sum_i h_{ij}` or what stands for it in the geometry. *Online*:
:math:`w_j \leftarrow w_j + \epsilon h_j (x - w_j)`, sample by sample.

A geometry offers ``distances(theta, rows)`` and ``centres(pulls, theta)``; for online learning
compiled ``steps(theta, order, table, by_rank, rate)`` or one ``step(theta, i, pull)``, and
``settle(theta)`` where something is left to do after an epoch.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from noneuclid._progress import progress
from noneuclid.prototypes.quantization.annealing import Annealing
from noneuclid.prototypes.quantization.neighbourhoods import Neighbourhood
from noneuclid.typing import IntArray

# Width and rate change so often in online learning, but not before that many steps per
# prototype: a table of the neighbourhood costs more than a step.
_PIECES = 100
_STEPS_PER_UNIT = 2


@dataclass
class Quantization:
    """Prototypes, and the mean cost of every epoch, as the samples met it."""

    theta: Any
    loss_curve: list[float] = field(default_factory=list)


def batch(
    geometry: Any,
    neighbourhood: Neighbourhood,
    theta: Any,
    width: Annealing,
    *,
    max_epochs: int,
    tol: float,
    verbose: bool = False,
) -> Quantization:
    """Pulls and prototypes in turn; at a fixed width the cost never increases.

    Stops early when the width does not change any more and the cost falls by no more than
    ``tol`` of itself.
    """
    result = Quantization(theta)
    widths = [width.at(time) for time in np.linspace(0.0, 1.0, max_epochs)]
    for epoch in progress(range(max_epochs), max_epochs, "epochs", verbose):
        values, pulls = neighbourhood.assign(geometry.distances(result.theta), widths[epoch])
        result.loss_curve.append(float(values.mean()))
        if epoch > 0 and widths[epoch] == widths[epoch - 1]:
            before, now = result.loss_curve[-2:]
            if before - now <= tol * abs(before):
                break
        result.theta = geometry.centres(pulls, result.theta)
    return result


def online(
    geometry: Any,
    neighbourhood: Neighbourhood,
    theta: Any,
    width: Annealing,
    rate: Annealing,
    *,
    max_epochs: int,
    shuffle: bool,
    rng: np.random.RandomState,
    verbose: bool = False,
) -> Quantization:
    """One step per sample and epoch, all of them along one annealing."""
    n = geometry.n_samples
    result = Quantization(theta)
    for epoch in progress(range(max_epochs), max_epochs, "epochs", verbose):
        order = rng.permutation(n) if shuffle else np.arange(n)
        loss = online_epoch(geometry, neighbourhood, theta, width, rate, order, epoch, max_epochs)
        result.loss_curve.append(loss)
    return result


def online_epoch(
    geometry: Any,
    neighbourhood: Neighbourhood,
    theta: Any,
    width: Annealing,
    rate: Annealing,
    order: IntArray,
    epoch: int,
    max_epochs: int,
) -> float:
    """Epoch number ``epoch`` of ``max_epochs``, in place; returns the mean cost on the way."""
    most = max(1, len(order) // (_STEPS_PER_UNIT * len(neighbourhood)))
    pieces = np.array_split(order, min(-(-_PIECES // max_epochs), most))
    cost = 0.0
    for k, piece in enumerate(pieces):
        time = (epoch + k / len(pieces)) / max_epochs
        cost += _piece(geometry, neighbourhood, theta, piece, width.at(time), rate.at(time))
    if hasattr(geometry, "settle"):
        geometry.settle(theta)
    return cost / len(order)


def _piece(
    geometry: Any,
    neighbourhood: Neighbourhood,
    theta: Any,
    order: IntArray,
    width: float,
    rate: float,
) -> float:
    if hasattr(geometry, "steps"):
        table = neighbourhood.table(width)
        return float(geometry.steps(theta, order, table, neighbourhood.by_rank, rate))
    cost = 0.0
    for i in order:
        d = geometry.distances(theta, np.array([i]))[0]
        h = neighbourhood.pulls_of(d, width)
        cost += float(h @ d)
        geometry.step(theta, i, rate * h)
    return cost
