r"""Fixed points of :math:`w \leftarrow g/\|g\|` with the gradient g of the objective.

.. math:: g = \sum_i f'(|o_i|)\,\mathrm{sgn}(o_i)\,x_i, \qquad o_i = w'x_i

For convex f the step maximises a linear lower bound of the objective, which therefore never
falls; near a fixed point, Anderson acceleration replaces most steps, and is undone where the
objective would fall. Samples may be known by their vectors (:mod:`noneuclid.pca._ascent`) or by
their products only (:mod:`noneuclid.pca._gram_ascent`): the loop is the same. Such a landscape
knows the samples and what the components so far left of them; its directions are of norm 1.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from noneuclid.numerics import orientation
from noneuclid.pca._anderson import Anderson
from noneuclid.pca.objectives import Objective
from noneuclid.typing import Array

# Acceleration begins when a step is this short, and goes at most so far, absolutely and in steps:
# from far away it might land near another fixed point than the plain steps do.
_NEAR, _FAR, _STRETCH, _DEPTH = 3e-4, 0.1, 100.0, 8
_ROUNDING = 4e-16
# Numbers that agree so well may change their order from one machine to the next.
_TIE = 1e-10
# Changed slopes of fewer rows than this share are added to the gradient instead of a new one.
FEW = 8

Run = tuple[Any, list[float], bool]
"""Where a climb ended, the objective on the way, and whether it came to rest."""


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
    return int(np.argmax(squares >= (1 - _TIE) * squares.max(initial=0.0)))


def start_signs(scores: Array, squares: Array) -> Array:
    """Signs of exact components as from the usual starts: the farthest sample is on the + side."""
    signs = orientation(scores)[0]
    for j, o in enumerate(scores.T):
        first = o[farthest(squares)]
        if abs(first) > _TIE * np.abs(o).max():
            signs[j] = np.sign(first)
        squares = squares - o**2
    return signs


def climb_convex(land: Any, w: Any, max_iter: int, tol: float) -> Run:
    """Plain steps from w, accelerated near their end."""
    mixer, plain = Anderson(_DEPTH), None
    curve: list[float] = []
    for _ in range(max_iter):
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
            pushed = _leave_stall(land, w)
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


def _leave_stall(land: Any, w: Any) -> Any:
    """Where f'(0) > 0, sgn(0) = 0 can stall the step beside a better point.

    A sample with projection exactly 0 on the fixed point raises the objective if it is given a
    sign: |g + f'(0) x| > |g|, as x is orthogonal to g.
    """
    objective, o = land.objective, land.projections(w)
    slope = float(objective.slope(np.zeros(1))[0])
    zero = land.movable(o == 0) if slope > 0 else np.zeros(0, dtype=bool)
    if not zero.any():
        return None
    c = signed(objective, o)
    c[np.argmax(zero)] = slope
    new = land.combination(c)
    higher = new is not None and total_of(objective, land.projections(new)) > total_of(objective, o)
    return new if higher else None


def greedy(
    land: Any,
    climb: Callable[[Any, Any, int, float], Run],
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
        rows = [farthest(land.left)]  # the sample of largest norm, and random others
        if n_init > 1:
            possible = np.flatnonzero(land.left > 1e-6 * land.left.max())
            rows += list(rng.choice(possible, size=n_init - 1))
        runs = [climb(land, start, max_iter, tol) for start in land.starts(np.array(rows))]
        best = max(one[-1] for _, one, _ in runs)  # w and −w are equally good: the first counts
        w, one, good = next(run for run in runs if run[1][-1] >= best - _TIE * abs(best))
        curve += [base + value for value in one]
        base = curve[-1]
        longest, converged = max(longest, len(one)), converged and good
        land.take(w)
    return Ascent(land.components, np.array(curve or [0.0]), longest, converged)
