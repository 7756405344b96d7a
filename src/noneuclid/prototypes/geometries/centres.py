r"""Centres of weighted samples where they are no means: minimisers of :math:`\sum_i h_i d(x_i, w)`.

Every prototype has a problem of its own. Where the slope and its own slope, coordinate by
coordinate, come from one compiled pass over the samples, few steps

.. math:: w_k \leftarrow w_k - s\,\frac{\partial_k}{\partial_k^2}

per epoch suffice. They begin where the centre should be by now: it keeps its offset from the mean,
which is known. The length s follows from the costs before and after (a parabola), and whatever
raises the cost is undone, so that centres never get worse. Elsewhere quasi-Newton descent does it,
which is slower and needs no second derivative.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from noneuclid.spaces.forms import Form
from noneuclid.typing import Array

# Quasi-Newton steps per epoch towards centres: the next epoch goes on from there.
_DESCENTS = 10
# Coordinates in which the cost hardly bends, as a share of the one where it bends most.
_STRAIGHT = 1e-3
# The next step is at most so many times shorter or longer, and never shorter or longer than these.
_SHORTER, _LONGER = 0.3, 1.6
_SHORTEST, _LONGEST = 0.02, 4.0
# Pulls of a prototype below this share of all of them together move nothing.
_NO_PULL = 1e-12


@dataclass
class Trail:
    """What prototypes remember of their last centres: for the next ones.

    Attributes
    ----------
    D : array of shape (n, m)
        Distances of all samples.
    offsets : array of shape (m, d)
        From the means.
    lengths : array of shape (m,)
        Of the steps that proved right.
    """

    D: Array
    offsets: Array
    lengths: Array


@dataclass
class Candidates:
    """The best prototypes so far, their costs, and the distances from them."""

    W: Array
    costs: Array
    D: Array

    def improve(self, W: Array, costs: Array, D: Array) -> None:
        """Take what is better."""
        better = costs < self.costs
        self.W = np.where(better[:, None], W, self.W)
        self.costs = np.where(better, costs, self.costs)
        np.copyto(self.D, D, where=better)


def stepped_centres(
    form: Form, Z: Array, F: Array, W: Array, means: Array, trail: Trail
) -> tuple[Array, Trail]:
    """Centres at least as good as W, by a few steps from where they should be by now.

    F are the pulls, of sum 1 for every prototype.
    """
    F = np.where(F > _NO_PULL, F, 0.0)
    best = Candidates(W, _costs(F, trail.D), trail.D.copy())
    here, lengths = means + trail.offsets, trail.lengths
    costs, slopes, curves = form.moments(Z, form.images(here), F)
    start = here, costs
    for step in range(form.steps):
        moves = -lengths[:, None] * slopes / _floored(curves)
        there = here + moves
        D = form.squared_distance(Z, form.images(there))
        new_costs = _costs(F, D)
        lengths = lengths * _better_length(costs, new_costs, np.einsum("jk,jk->j", slopes, moves))
        lengths = np.clip(lengths, _SHORTEST, _LONGEST)
        best.improve(there, new_costs, D)
        if step + 1 < form.steps:
            here = np.where((new_costs < costs)[:, None], there, here)
            costs, slopes, _ = form.moments(Z, form.images(here), F, curved=False)
    first = start[1] < best.costs
    if first.any():
        best.W = np.where(first[:, None], start[0], best.W)
        best.D[:, first] = form.squared_distance(Z, form.images(start[0][first]))
    return best.W, Trail(best.D, best.W - means, lengths)


def _costs(F: Array, D: Array) -> Array:
    return np.einsum("ij,ij->j", F, D)


def _better_length(costs: Array, new_costs: Array, down: Array) -> Array:
    """Where the parabola through both costs, with the slope at the first, is lowest."""
    bend = 2.0 * (new_costs - costs - down)
    lowest = np.where(bend > 0, -down / np.where(bend > 0, bend, 1.0), _LONGER)
    return np.clip(lowest, _SHORTER, _LONGER)


def _floored(curves: Array) -> Array:
    largest = curves.max(axis=1, keepdims=True)
    return np.maximum(curves, np.where(largest > 0, _STRAIGHT * largest, 1.0))


def better_centres(
    costs: Callable[[Array], Array],
    pull: Callable[[Array], Array],
    W: Array,
    means: Array,
    unit: float,
) -> Array:
    """Centres at least as good as both the old ones and the means; pull is the slope of costs."""

    def better(W: Array, V: Array) -> tuple[Array, Array]:
        old, new = costs(W), costs(V)
        return np.where((new < old)[:, None], V, W), np.minimum(old, new)

    start, values = better(W, means)
    size = float(np.abs(values).sum()) or 1.0

    def value_and_slope(V: Array) -> tuple[float, Array]:
        return costs(V).sum() / size, pull(V) / size

    options = {"maxiter": _DESCENTS, "maxfun": 2 * _DESCENTS}
    return better(start, descended(value_and_slope, start, unit, options))[0]


def descended(
    value_and_slope: Callable[[Array], tuple[float, Array]],
    start: Array,
    unit: float,
    options: dict[str, int],
) -> Array:
    """Where quasi-Newton descent ends, with steps in a unit of the data, so in any unit."""

    def objective(u: Array) -> tuple[float, Array]:
        value, slope = value_and_slope(start + unit * u.reshape(start.shape))
        return value, unit * slope.ravel()

    zero = np.zeros(start.size)
    found = minimize(objective, zero, jac=True, method="L-BFGS-B", options=options)
    return start + unit * found.x.reshape(start.shape)
