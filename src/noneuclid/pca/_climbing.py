r"""Fixed points of :math:`w \leftarrow g/\|g\|` with the gradient g of the objective.

.. math:: g = \sum_i f'(|o_i|)\,\mathrm{sgn}(o_i)\,x_i, \qquad o_i = w'x_i

For convex f the step maximises a linear lower bound of the objective, which therefore never
falls; near a fixed point, Anderson acceleration replaces most steps, and is undone where the
objective would fall. Samples may be known by their vectors (:mod:`noneuclid.pca._ascent`) or by
their products only (:mod:`noneuclid.pca._gram_ascent`): the loop is the same. Such a landscape
knows the samples and what the components so far left of them; its directions are of norm 1.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noneuclid.numerics import orientation
from noneuclid.numerics.threads import one_blas_thread
from noneuclid.pca._anderson import Anderson
from noneuclid.pca.objectives import Objective
from noneuclid.typing import Array, IntArray

# Acceleration begins when a step is this short, and goes at most so far, absolutely and in steps:
# from far away it might land near another fixed point than the plain steps do.
_NEAR, _FAR, _STRETCH, _DEPTH = 3e-4, 0.1, 100.0, 8
_ROUNDING = 4e-16
# Numbers that agree so well may change their order from one machine to the next.
TIE = 1e-10
# Samples of a smaller share of the largest squared norm are no starts.
POSSIBLE = 1e-6
_ARMIJO, SHORTEST = 1e-4, 2.0**-40
# A rise below this share of the objective is rounding.
NO_RISE = 1e-15

Run = tuple[Any, list[float], bool]
"""Where a climb ended, the objective on the way, and whether it came to rest."""


class Question(NamedTuple):
    """What a climb asks next: the gradient at w, or the objective on the arc to a direction."""

    w: Any
    direction: Any = None
    step: float = 0.0


Climb = Generator[Question, None, Run]
"""A climb says what it will ask, so that the questions of several can be answered together."""


class Ascent(NamedTuple):
    """Components, the total objective after every iteration, and how it ended."""

    components: Array
    curve: Array
    n_iter: int
    converged: bool


def signed(objective: Objective, o: Array) -> Array:
    """f'(|o|) sgn(o)."""
    return np.asarray(objective.slope(np.abs(o)) * np.sign(o))


def total_of(objective: Objective, o: Array) -> float:
    """Σ f(|o_i|)."""
    return float(np.sum(objective.value(np.abs(o))))


def farthest(squares: Array) -> int:
    """The first sample of largest squared norm, up to rounding."""
    return int(np.argmax(squares >= (1 - TIE) * squares.max(initial=0.0)))


def start_signs(scores: Array, squares: Array) -> Array:
    """Signs of exact components as from the usual starts: the farthest sample is on the + side."""
    signs = orientation(scores)[0]
    for j, o in enumerate(scores.T):
        first = o[farthest(squares)]
        if abs(first) > TIE * np.abs(o).max():
            signs[j] = np.sign(first)
        squares = squares - o**2
    return signs


class Landscape(ABC):
    """What landscapes of samples in memory have in common."""

    objective: Objective
    n_numbers: int
    """How many stand for the samples: a step reads them all."""
    left: Array
    """Squared norms of what the components so far leave of the samples."""

    def first(self, n_init: int, rng: np.random.RandomState) -> list[Any]:
        """The sample of largest norm, and random others."""
        rows = [farthest(self.left)]
        if n_init > 1:
            possible = np.flatnonzero(self.left > POSSIBLE * self.left.max())
            rows += list(rng.choice(possible, size=n_init - 1))
        return self.starts(np.array(rows))

    def ended(self, climbs: list[Climb]) -> list[Run]:
        """All climbs to their end, one after the other."""
        read = 0 if self.objective.is_l1 else self.n_numbers  # few signs change in a step
        with one_blas_thread(read, of_vectors=True):
            return [_ended(climb) for climb in climbs]

    def pushed(self, w: Any) -> Any:
        """Where f'(0) > 0, sgn(0) = 0 can stall the step beside a better point: that point.

        A sample with projection exactly 0 on the fixed point raises the objective if it is given a
        sign: |g + f'(0) x| > |g|, as x is orthogonal to g.
        """
        objective, slope = self.objective, slope_at_zero(self.objective)
        if slope <= 0:
            return None
        o = self.projections(w)
        zero = o == 0
        if not zero.any() or not (zero := self.movable(zero)).any():
            return None
        c = signed(objective, o)
        c[np.argmax(zero)] = slope
        new = self.combination(c)
        before = total_of(objective, o)
        higher = new is not None and total_of(objective, self.projections(new)) > before
        return new if higher else None

    @abstractmethod
    def starts(self, rows: IntArray) -> list[Any]:
        """Directions of samples."""

    @abstractmethod
    def projections(self, w: Any) -> Array:
        """All o_i."""

    @abstractmethod
    def combination(self, c: Array) -> Any:
        """The direction of Σ c_i x_i."""

    @abstractmethod
    def movable(self, chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Those of the chosen samples of which the components left something."""


def slope_at_zero(objective: Objective) -> float:
    """f'(0)."""
    return float(objective.slope(np.zeros(1))[0])


def _ended(climb: Climb) -> Run:
    while True:
        try:
            next(climb)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]


def climb_convex(land: Any, w: Any, max_iter: int, tol: float) -> Climb:
    """Plain steps from w, accelerated near their end."""
    mixer, plain = Anderson(_DEPTH), None
    curve: list[float] = []
    for _ in range(max_iter):
        yield Question(w)
        total = land.total(w)
        if plain is not None and total < curve[-1] * (1 - _ROUNDING):
            w, plain = plain, None
            mixer.clear()
            continue
        curve.append(total)
        new = land.step(w)
        if new is None:
            return w, curve, True
        change = land.distance(new, w)
        if change < tol:
            pushed = land.pushed(w)
            if pushed is None:
                return new, curve, True
            w, plain = pushed, None
            mixer.clear()
            continue
        smooth = change < _NEAR and not land.objective.is_l1
        guess = land.mix(mixer, new, w) if smooth else None
        w, plain = new, None
        if guess is not None and land.distance(guess, new) < min(_FAR, _STRETCH * change):
            w, plain = guess, new
    return w, curve, False


def climb_searching(land: Any, w: Array, max_iter: int, tol: float) -> Climb:
    """A line search decides how much of the step is taken: for f that is not convex."""
    yield Question(w)
    value, step = land.total(w), 1.0
    curve = [value]
    for _ in range(max_iter):
        direction, size = land.unit(land.gradient)
        if direction is None:
            return w, curve, True
        rise = size * max(1.0 - float(w @ direction) ** 2, 0.0)  # derivative along the arc
        if rise <= NO_RISE * abs(value) or np.linalg.norm(direction - w) < tol:
            return w, curve, True
        longest = min(4.0 * step, 1.0)
        yield Question(w, direction, longest)
        for step, new_value in land.along(w, direction, longest):
            if new_value >= value + _ARMIJO * step * rise:
                break
        else:
            return w, curve, True  # no rise that rounding would show
        gain, value = new_value - value, new_value
        new = arc(w, direction, step)
        change, w = np.linalg.norm(new - w), new
        curve.append(value)
        if change < tol or gain <= NO_RISE * abs(value):
            return w, curve, True
        yield Question(w)
        land.look(w)
    return w, curve, False


def arc(w: Array, direction: Array, step: float) -> Array:
    """The point of norm 1 so far on the way from w to a direction."""
    new = (1 - step) * w + step * direction
    return np.asarray(new / np.linalg.norm(new))


def steps_from(step: float) -> list[float]:
    """The step and its halves, down to where rounding begins."""
    steps = step * 0.5 ** np.arange(41)
    return [float(s) for s in steps if s > SHORTEST]


def on_arc(w: Array, direction: Array, o: Array, towards: Array, step: float) -> Array:
    """Projections on that point, by those on both ends."""
    cosine = float(w @ direction)
    length = np.sqrt((1 - step) ** 2 + step**2 + 2 * step * (1 - step) * cosine)
    return np.asarray(((1 - step) * o + step * towards) / max(length, 1e-300))


def greedy(
    land: Any,
    climb: Callable[[Any, Any, int, float], Climb],
    k: int,
    *,
    n_init: int,
    max_iter: int,
    tol: float,
    rng: np.random.RandomState,
) -> Ascent:
    """Component after component, each the best over the starts."""
    curve: list[float] = []
    base, longest, converged = 0.0, 0, True
    for _ in range(k):
        if land.is_exhausted:
            land.take(None)
            continue
        runs = land.ended([climb(land, w, max_iter, tol) for w in land.first(n_init, rng)])
        best = max(one[-1] for _, one, _ in runs)  # w and −w are equally good: the first counts
        w, one, good = next(run for run in runs if run[1][-1] >= best - TIE * abs(best))
        curve += [base + value for value in one]
        base = curve[-1]
        longest, converged = max(longest, len(one)), converged and good
        land.take(w)
    return Ascent(land.components, np.array(curve or [0.0]), longest, converged)
