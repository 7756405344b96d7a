r"""Centres of weighted samples where they are no means: minimisers of :math:`\sum_i h_i d(x_i, w)`.

Every prototype has a problem of its own. Where the slope and its own slope, coordinate by
coordinate, come from one compiled pass over the samples, few steps

.. math:: w_k \leftarrow w_k - s\,\frac{\partial_k}{\partial_k^2}

per epoch suffice. They begin where the centre should be by now: it keeps its offset from the mean,
which is known. The length s follows from the costs before and after (a parabola), and whatever
raises the cost is undone, so that centres never get worse. At the last width of a neighbourhood a
centre far from its mean is compared with it: an offset kept from many samples is wrong for the few
or equal ones that are left. Elsewhere quasi-Newton descent does it, which is slower and needs no
second derivative.
"""

import copy
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from scipy.optimize import minimize

from noneuclid.prototypes.costs.grids import Coarse
from noneuclid.prototypes.costs.pulls import Pulls, Won
from noneuclid.spaces.forms import Form, Moments
from noneuclid.typing import Array, IntArray

# Quasi-Newton steps per epoch towards centres: the next epoch goes on from there.
_DESCENTS = 10
# Coordinates in which the cost hardly bends, as a share of the one where it bends most.
_STRAIGHT = 1e-3
# The next step is at most so many times shorter or longer, and never shorter or longer than these.
_SHORTER, _LONGER = 0.3, 1.6
_SHORTEST, _LONGEST = 0.02, 4.0
# Pulls of a prototype below this share of all of them together move nothing; while a neighbourhood
# shrinks, neither do those below the second share of the largest.
_NO_PULL, _LITTLE_PULL = 1e-12, 1e-5
# What some units of a map tell the others is followed if it makes this share of them better.
_MOST = 0.9
# From this share on, columns of distances are kept by copying the others.
_NEARLY_ALL = 0.8
# Centres whose squared distance from the mean is a larger share of their cost are doubted.
_FAR = 0.25
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
    steepness : array of shape (m, d), optional
        How steeply the cost bends.
    age : int
        How many epochs ago that was.
    is_smooth : bool
        Whether some units of a map have told the others their offsets well, as far as they did.
    D : array of shape (n, m), optional
        Distances of all samples.
    """

    offsets: Array
    lengths: Array
    steepness: Array | None = None
    age: int = 0
    is_smooth: bool = True
    D: Array | None = None

    @classmethod
    def begin(cls, means: Array) -> "Trail":
        """That of prototypes which have none."""
        return cls(np.zeros_like(means), np.ones(len(means)))


class Hints(Protocol):
    """What is known of pulls, beside what they do."""

    mixture: Array | None
    passing: bool
    coarse: Coarse | None


class Field(Protocol):
    """What pulls at prototypes: sums over samples, which may lie in blocks."""

    @property
    def form(self) -> Form:
        """The distance."""

    @property
    def share(self) -> float:
        """Of pairs that pull."""

    def on(self, units: IntArray) -> "Field":
        """The same at some prototypes, for moments."""

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

    Samples that follow one unit of a map each are taken unit by unit: those that pull at a
    prototype are then next to each other, and most blocks of samples do it either all or not.

    Parameters
    ----------
    form : Form
    Z : array
        Images of the samples.
    pulls : Pulls
    D : array of shape (n, m)
        Distances from the prototypes to begin with.

    Attributes
    ----------
    share : float
        Of pairs that pull.
    """

    def __init__(self, form: Form, Z: Array, pulls: Pulls, D: Array):
        self.form, self.Z, self.pulls, self.D, self._given = form, Z, pulls, D, D
        self._last = D
        self._won = pulls.fields if isinstance(pulls.fields, Won) and form.by_prototype else None
        if self._won is None:
            self._F = strong(pulls.shares())
            self.share = float(np.count_nonzero(self._F)) / max(self._F.size, 1)
            return
        F = strong(pulls.mixed_shares())
        self._counts = np.bincount(self._won.units, minlength=len(F))
        self.share = share_of(F, self._counts)
        self._F = np.where(least_of(F, self._counts, pulls.passing) < F, F, 0.0)

    @cached_property
    def _together(self) -> tuple[Array, Array | None]:
        """Images of the samples, those of one unit together, and weights if they differ from 1."""
        assert self._won is not None
        # Numbers of two bytes are sorted without comparing them.
        short = self._won.units.astype(np.min_scalar_type(len(self._counts)))
        order = np.argsort(short, kind="stable")
        weights = self._won.weights[order]
        Z = np.take(self.Z, order, axis=0)  # twice as fast as by an index
        return Z, None if (weights == 1.0).all() else weights

    @cached_property
    def _in_order(self) -> tuple[Array, Array]:
        """Images of the samples in the order of their moments, and their forces."""
        F = self._F
        if self._won is None:
            return self.Z, np.asfortranarray(F) if self.form.by_prototype else F
        Z, weights = self._together
        forces = np.repeat(np.ascontiguousarray(F.T), self._counts, axis=1)
        return Z, (forces if weights is None else forces * weights).T

    def on(self, units: IntArray) -> "Samples":
        """The same field at some prototypes, for moments."""
        if self._won is not None:
            _ = self._together  # both need it
        found = copy.copy(self)
        found.__dict__.pop("_in_order", None)
        found._F = self._F[:, units]
        return found

    def costs_at(self, D: Array) -> Array:
        """Σ_i F_ij d_ij of every prototype."""
        sums = D if self._won is None else self._won.sums(D)
        return np.einsum("ij,ij->j", self._F, sums)

    def costs(self, W: Array) -> Array:
        """Σ_i F_ij d(x_i, w_j) of every prototype."""
        self._last = self.form.squared_distance(self.Z, self.form.images(W))
        return self.costs_at(self._last)

    def moments(self, W: Array, *, curved: bool) -> Moments:
        """The same, its gradient, and how steeply that changes."""
        Z, F = self._in_order
        return self.form.moments(Z, self.form.images(W), F, curved=curved)

    def keep(self, better: np.ndarray) -> None:
        """Keep the distances from the prototypes asked for last, where they are better."""
        if np.count_nonzero(better) >= _NEARLY_ALL * len(better):  # copy the few others only
            worse = np.flatnonzero(~better)
            self._last[:, worse] = self.D[:, worse]
            self.D = self._last
        else:
            self.D = np.where(better, self._last, self.D)

    def look(self, W: Array, which: np.ndarray) -> None:
        """Keep the distances from some prototypes that nobody has asked for yet."""
        D = self.D.copy() if self.D is self._given else self.D
        D[:, which] = self.form.squared_distance(self.Z, self.form.images(W[which]))
        self.D = D


def strong(F: Array) -> Array:
    """Pulls without those that move nothing."""
    return np.where(F > _NO_PULL, F, 0.0)


def share_of(F: Array, counts: Array | IntArray) -> float:
    """Of pairs that pull, if so many samples pull as each row of F says."""
    return float(counts @ np.count_nonzero(F, axis=1)) / max(float(counts.sum()) * F.shape[1], 1.0)


def least_of(F: Array, counts: Array | IntArray, passing: bool) -> Array:
    """Pulls of every prototype up to this one move nothing."""
    return (_LITTLE_PULL if passing else 0.0) * F[counts > 0].max(axis=0)


def steps_worth_it(share: float, most: int) -> int:
    """How many steps maps take towards centres that ``most`` steps suit in general.

    As long as most samples pull a unit, a step is dear, and the next epoch, with another width,
    undoes what more of them would gain. The last epochs decide, and steps are cheap there.

    Parameters
    ----------
    share : float
        Of pairs that pull.
    most : int
        1 where the gradient does not jump: one is enough then.

    Returns
    -------
    int
    """
    return most if most == 1 or _SOME < share <= _MANY else 1 if share > _MANY else 2 * most


def stepped_centres(
    field: Field,
    costs: Array,
    W: Array,
    means: Array,
    trail: Trail,
    n_steps: int,
    *,
    lasting: int = 1,
    passing: bool = False,
) -> tuple[Array, Trail]:
    """Centres at least as good as W, whose costs are given, and as where they should be by now.

    A few steps from there; a curvature serves ``lasting`` epochs. Offsets that no longer fit are
    given up for the means, unless the neighbourhood is passing: they do no harm meanwhile.
    """
    best, lengths = W, trail.lengths
    here = start = means + trail.offsets
    steepness, age = trail.steepness, trail.age + 1
    curved = steepness is None or age >= lasting
    here_costs, slopes, curves = field.moments(here, curved=curved)
    if steepness is None or curved:
        steepness, age = _floored(curves), 0
    start_costs = here_costs
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
    best, costs = np.where(first[:, None], start, best), np.minimum(start_costs, costs)
    unseen |= first
    doubtful = np.arange(0) if passing else _far_from_means(field.form, best, means, costs)
    if len(doubtful):
        mean_costs = field.on(doubtful).moments(means[doubtful], curved=False)[0]
        back = doubtful[mean_costs < costs[doubtful]]
        best[back], unseen[back] = means[back], True
    if unseen.any():
        field.look(best, unseen)
    return best, Trail(best - means, lengths, steepness, age)


def _far_from_means(form: Form, W: Array, means: Array, costs: Array) -> IntArray:
    r"""Prototypes further from their means than centres of many samples are.

    In a norm, :math:`\|\bar x - w\|^2 \le \sum_i h_i\|x_i - w\|^2`, the cost; they are equal where
    all samples that pull are in one place, and w is not.
    """
    far = form.squared_distance(form.images(means), form.images(W)).diagonal()
    return np.flatnonzero(far > _FAR * costs)


def _told_centres(
    field: Field, costs: Array, W: Array, means: Array, trail: Trail, coarse: Coarse, lasting: int
) -> tuple[Array, Trail] | None:
    """The same by one step of some units of a map, which tell the others their offsets.

    Offsets from the means are small, and a wide neighbourhood lets them change slowly from unit to
    unit. None where they do not, as beside far outliers: where many units do not get better.
    """
    units = coarse.units
    offsets, lengths = trail.offsets[units], trail.lengths[units]
    known = None if trail.steepness is None else trail.steepness[units]
    curved = known is None or trail.age + 1 >= lasting
    here_costs, slopes, curves = field.on(units).moments(means[units] + offsets, curved=curved)
    steepness = _floored(curves) if known is None or curved else known
    moves = -lengths[:, None] * slopes / steepness
    offsets = coarse.spread(offsets + moves)
    there = means + offsets
    new_costs = field.costs(there)
    better = new_costs < costs
    if np.count_nonzero(better) < _MOST * len(W):
        return None
    field.keep(better)
    down = np.einsum("jk,jk->j", slopes, moves)
    lengths = lengths * _better_length(here_costs, new_costs[units], down)
    lengths = np.clip(coarse.spread(lengths[:, None])[:, 0], _SHORTEST, _LONGEST)
    steepness = np.maximum(coarse.spread(steepness), steepness.min(axis=0))
    age = 0 if curved else trail.age + 1
    return np.where(better[:, None], there, W), Trail(offsets, lengths, steepness, age)


def next_centres(
    field: Field, pulls: Hints, costs: Array, W: Array, means: Array, trail: Trail | None
) -> tuple[Array, Trail]:
    """Centres at least as good as W, whose costs are given, by a few steps.

    While the neighbourhood of a map is on its way to the last width, they are the cheapest ones
    that do: some units tell the others, and a curvature serves for several epochs.

    Parameters
    ----------
    field : Field
    pulls : Hints
        What is known of the pulls of the field.
    costs : array of shape (m,)
        Of W.
    W, means : arrays of shape (m, d)
        Prototypes, and the means of what they are pulled to.
    trail : Trail, optional
        What is remembered of the last ones.

    Returns
    -------
    W : array of shape (m, d)
    trail : Trail
    """
    trail = Trail.begin(means) if trail is None else trail
    form, is_smooth = field.form, trail.is_smooth
    lasting = form.lasting if pulls.passing else 1
    if pulls.coarse is not None and is_smooth:
        told = _told_centres(field, costs, W, means, trail, pulls.coarse, lasting)
        if told is not None:
            return told
        is_smooth = False
    on_map = pulls.mixture is not None
    n_steps = steps_worth_it(field.share, form.steps) if on_map else form.steps
    W, trail = stepped_centres(
        field, costs, W, means, trail, n_steps, lasting=lasting, passing=pulls.passing
    )
    trail.is_smooth = is_smooth
    return W, trail


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
