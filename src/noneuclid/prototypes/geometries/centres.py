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
from typing import Protocol

import numpy as np
from scipy.optimize import minimize

from noneuclid.spaces.forms import Form, Moments
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
# Shares of the pairs of a sample and a unit of a map that pull: from there on, few or many steps.
_SOME, _MANY = 0.25, 0.5


@dataclass
class Trail:
    """What prototypes remember of their last centres: for the next ones.

    Attributes
    ----------
    offsets : array of shape (m, d)
        From the means.
    lengths : array of shape (m,)
        Of the steps that proved right.
    D : array of shape (n, m), optional
        Distances of all samples.
    """

    offsets: Array
    lengths: Array
    D: Array | None = None

    @classmethod
    def begin(cls, means: Array) -> "Trail":
        """That of prototypes which have none."""
        return cls(np.zeros_like(means), np.ones(len(means)))


class Field(Protocol):
    """What pulls at prototypes: sums over samples, which may lie in blocks."""

    def costs(self, W: Array) -> Array:
        """Σ_i F_ij d(x_i, w_j) of every prototype."""

    def moments(self, W: Array, *, curved: bool) -> Moments:
        """The same, its gradient, and how steeply that changes."""

    def keep(self, better: np.ndarray) -> None:
        """The prototypes whose costs were asked for last are the best ones, where it says so."""

    def look(self, W: Array, which: np.ndarray) -> None:
        """Those of W are the best ones, where it says so; only their moments were asked for."""


class Samples:
    """A field of samples in memory, which keeps the distances from the best prototypes.

    Parameters
    ----------
    form : Form
    Z : array
        Images of the samples.
    F : array of shape (n, m)
        Pulls, of sum 1 for every prototype.
    D : array of shape (n, m)
        Distances from the prototypes to begin with.
    """

    def __init__(self, form: Form, Z: Array, F: Array, D: Array):
        self.form, self.Z, self.F, self.D = form, Z, strong(F), D
        self._forces = np.asfortranarray(self.F) if form.by_prototype else self.F
        self._last = D

    def costs(self, W: Array) -> Array:
        """Σ_i F_ij d(x_i, w_j) of every prototype."""
        self._last = self.form.squared_distance(self.Z, self.form.images(W))
        return costs_of(self.F, self._last)

    def moments(self, W: Array, *, curved: bool) -> Moments:
        """The same, its gradient, and how steeply that changes."""
        return self.form.moments(self.Z, self.form.images(W), self._forces, curved=curved)

    def keep(self, better: np.ndarray) -> None:
        """Keep the distances from the prototypes asked for last, where they are better."""
        self.D = self._last if better.all() else np.where(better, self._last, self.D)

    def look(self, W: Array, which: np.ndarray) -> None:
        """Keep the distances from some prototypes that nobody has asked for yet."""
        D = self.D.copy()
        D[:, which] = self.form.squared_distance(self.Z, self.form.images(W[which]))
        self.D = D


def strong(F: Array) -> Array:
    """Pulls without those that move nothing."""
    return np.where(F > _NO_PULL, F, 0.0)


def steps_worth_it(F: Array, most: int) -> int:
    """How many steps maps take towards centres that ``most`` steps suit in general.

    As long as most samples pull a unit, a step is dear, and the next epoch, with another width,
    undoes what more of them would gain. The last epochs decide, and steps are cheap there.

    Parameters
    ----------
    F : array of shape (n, m)
        Strong pulls.
    most : int
        1 where the gradient does not jump: one is enough then.

    Returns
    -------
    int
    """
    share = np.count_nonzero(F) / max(F.size, 1)
    return most if most == 1 or _SOME < share <= _MANY else 1 if share > _MANY else 2 * most


def costs_of(F: Array, D: Array) -> Array:
    """Σ_i F_ij d_ij."""
    return np.einsum("ij,ij->j", F, D)


def stepped_centres(
    field: Field, costs: Array, W: Array, means: Array, trail: Trail, n_steps: int
) -> tuple[Array, Trail]:
    """Centres at least as good as W, whose costs are given, and as the means to begin with.

    A few steps from where the centres should be by now.
    """
    best, lengths = W, trail.lengths
    here = start = means + trail.offsets
    here_costs, slopes, curves = field.moments(here, curved=True)
    start_costs, steepness = here_costs, _floored(curves)
    unseen = np.zeros(len(W), dtype=bool)
    for step in range(n_steps):
        moves = -lengths[:, None] * slopes / steepness
        there = here + moves
        is_last = step + 1 == n_steps
        if is_last:
            new_costs = field.costs(there)
        else:
            new_costs, new_slopes, _ = field.moments(there, curved=False)
        down = np.einsum("jk,jk->j", slopes, moves)
        lengths = lengths * _better_length(here_costs, new_costs, down)
        lengths = np.clip(lengths, _SHORTEST, _LONGEST)
        better = new_costs < costs
        best, costs = np.where(better[:, None], there, best), np.where(better, new_costs, costs)
        if is_last:
            field.keep(better)
            unseen &= ~better
        else:
            unseen |= better
            lower = new_costs < here_costs
            here, here_costs = (
                np.where(lower[:, None], there, here),
                np.minimum(new_costs, here_costs),
            )
            slopes = np.where(lower[:, None], new_slopes, slopes)
    first = start_costs < costs
    best, unseen = np.where(first[:, None], start, best), unseen | first
    if unseen.any():
        field.look(best, unseen)
    return best, Trail(best - means, lengths)


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
