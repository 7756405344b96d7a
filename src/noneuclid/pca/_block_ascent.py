r"""Generalised components of samples in blocks: what :mod:`noneuclid.pca._ascent` does, by sums.

Objective and gradient are sums over samples. One pass over the blocks answers the questions of all
climbs that go on at the same time; no number per sample leaves its block.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from noneuclid._blocks import Blocks, Part
from noneuclid.pca._ascent import NOISE, Vectors, directions
from noneuclid.pca._charted import Charted
from noneuclid.pca._climbing import (
    POSSIBLE,
    TIE,
    Ascent,
    Climb,
    Question,
    Run,
    arc,
    on_arc,
    signed,
    slope_at_zero,
    steps_from,
    total_of,
)
from noneuclid.pca._sums import Spread, centred
from noneuclid.pca.objectives import Objective, make_objective
from noneuclid.spaces.charts import as_it_is
from noneuclid.typing import Array, IntArray

# The most rows on which parameters are tried, and the most numbers in them.
_FEW_ROWS, _FEW_NUMBERS = 10_000, 2**24
# So many steps of a line search are evaluated in one pass.
_LADDER = 8
# Moduli that agree so well are the same one.
_SAME = 1e-8


class Choice(NamedTuple):
    """An objective by its name and parameters, which any process makes for itself."""

    objective: Any
    p: Any
    a: Any
    q: Any
    largest: float


class BlockSamples:
    """Samples in blocks, and what generalised components need of them."""

    def __init__(self, blocks: Blocks | Charted):
        self.blocks, self.spread = blocks, Spread(blocks)
        self.mean, self.shape = self.spread.mean, self.spread.shape
        square, self.size = blocks.reduce(_extent, _most, self.mean)
        self.largest = float(np.sqrt(square))

    def few(self) -> Array:
        """Rows to try parameters on: a sample of them, or all if they are few."""
        most = min(_FEW_ROWS, max(_FEW_NUMBERS // self.shape[1], 100))
        return np.asarray(self.blocks.sample(most, 0).X - self.mean)

    def make(self, objective: Any, p: Any, a: Any, q: Any) -> Objective:
        """The objective of that name, for data as large as these."""
        self.choice = Choice(objective, p, a, q, self.largest)
        return make_objective(*self.choice)

    def landscape(self, objective: Objective) -> "BlockRows":
        """Where components climb."""
        return BlockRows(self, objective)

    def exact_l2(self, k: int, objective: Objective) -> Ascent:
        """The l2 objective is PCA; signs are those the fixed point has from its usual start."""
        W = self.spread.axes(as_it_is, k)[1]
        most = self.blocks.reduce(_largest_scores, _most, self.mean, W)
        first = self.blocks.reduce(_leading_scores, _first_numbers, self.mean, W, *most)
        farthest, leading = first[0], first[1]
        sure = np.abs(farthest) > TIE * most[1]
        W = W * np.where(np.where(sure, farthest, leading) < 0, -1.0, 1.0)[:, None]
        totals = self.blocks.sum(_totals, self.choice, self.mean, W)
        return Ascent(W, np.cumsum(totals), 1, True)

    def total(self, W: Array, objective: Objective) -> tuple[float, Array]:
        """The objective of all components together, and its gradient."""
        value, gradient = self.blocks.sum(_total_and_gradient, self.choice, self.mean, W)
        return float(value), gradient


class BlockRows(Vectors):
    """The landscape of rows in blocks, orthogonal to the rows W taken so far."""

    def __init__(self, data: BlockSamples, objective: Objective):
        self.blocks, self.mean, self.choice = data.blocks, data.mean, data.choice
        self.objective, self.largest = objective, data.largest**2
        self.components = np.empty((0, data.shape[1]))
        self.left = self.largest
        """The largest squared norm of what the components so far leave of a sample."""
        self._known: dict[bytes, tuple[Array, Array]] = {}

    @property
    def is_exhausted(self) -> bool:
        return bool(self.left <= NOISE**2 * self.largest)

    def first(self, n_init: int, rng: np.random.RandomState) -> list[Array]:
        """The sample of largest norm, and random others: those that rows in memory would have."""
        W, least = self.components, np.array([1 - TIE, POSSIBLE]) * self.left
        rows, starts, counts = self.blocks.reduce(_farthest, _first_rows, self.mean, W, least)
        if n_init > 1:
            ranks = rng.choice(int(counts.sum()), size=n_init - 1)
            before = np.cumsum(counts) - counts
            offsets = dict(zip(starts.tolist(), before.tolist()))
            found, X = self.blocks.reduce(
                _ranked, _concatenated, self.mean, W, least[1], np.unique(ranks), offsets
            )
            rows = np.vstack([rows, X[np.searchsorted(found, ranks)]])
        return directions(rows, W)

    def ended(self, climbs: list[Climb]) -> list[Run]:
        """All climbs to their end, side by side: the questions of all are one pass."""
        runs: dict[int, Run] = {}
        while len(runs) < len(climbs):
            asked = []
            for number, climb in enumerate(climbs):
                if number not in runs:
                    try:
                        asked.append(next(climb))
                    except StopIteration as end:
                        runs[number] = end.value
            self._ask(asked)
        return [runs[number] for number in range(len(climbs))]

    def _ask(self, questions: list[Question]) -> None:
        """One pass, for what is not known yet; older answers are forgotten."""
        keys = [_key(question) for question in questions]
        self._known = {key: self._known[key] for key in keys if key in self._known}
        new = {key: q for key, q in zip(keys, questions) if key not in self._known}
        if not new:
            return
        found = self.blocks.sum(_answers, list(new.values()), self.choice, self.mean)
        d = len(self.mean)
        for (key, question), sums in zip(new.items(), found):
            values, gradient = sums[:-d], sums[-d:]
            self._known[key] = values, gradient
            if question.direction is not None:  # the next question, if the first step is taken
                ahead = Question(arc(*question))
                self._known[_key(ahead)] = values[:1], gradient

    def _answer(self, question: Question) -> tuple[Array, Array]:
        if _key(question) not in self._known:
            self._ask([question])
        return self._known[_key(question)]

    def total(self, w: Array) -> float:
        """The objective at w."""
        values, self.gradient = self._answer(Question(w))
        return float(values[0])

    def look(self, w: Array) -> None:
        """The gradient at w."""
        self.total(w)

    def along(self, w: Array, direction: Array, step: float) -> Iterator[tuple[float, float]]:
        """Ever shorter steps on the arc from w, and the objective there."""
        left = steps_from(step)
        while left:
            values, _ = self._answer(Question(w, direction, left[0]))
            yield from zip(left, values.tolist())
            left = left[_LADDER:]

    def pushed(self, w: Array) -> Array | None:
        """A better point beside a stall, as in :class:`noneuclid.pca._climbing.Landscape`."""
        slope = slope_at_zero(self.objective)
        if slope <= 0:
            return None
        W, before = self.components, self.total(w)
        gradient = self.gradient
        rows, left, all_ = self.blocks.reduce(_stalled, _first_and_sums, self.mean, W, w)
        if not len(rows) or (len(W) and left <= NOISE**2 * all_):
            return None
        new = self.unit(gradient + slope * rows[0])[0]
        return new if new is not None and self.total(new) > before else None

    def take(self, w: Array | None) -> None:
        """One more component."""
        self.extend(w)
        if w is not None:
            self.left = float(self.blocks.reduce(_left, _most, self.mean, self.components)[0])


def _key(question: Question) -> bytes:
    direction = b"" if question.direction is None else question.direction.tobytes()
    return b"".join([question.w.tobytes(), direction, np.float64(question.step).tobytes()])


# --- of a block -------------------------------------------------------------------------------


def _answers(
    part: Part, questions: list[Question], choice: Choice, mean: Array
) -> tuple[Array, ...]:
    """For every question the objective at its points, then the gradient at the first of them."""
    objective, d = make_objective(*choice), len(mean)
    ladders = [[0.0] if q.direction is None else steps_from(q.step)[:_LADDER] for q in questions]
    sums = tuple(np.zeros(len(steps) + d) for steps in ladders)
    for V in centred(part.X, mean):
        for q, steps, total in zip(questions, ladders, sums):
            points = [V @ q.w]
            if q.direction is not None:
                ends = points[0], V @ q.direction
                points = [on_arc(q.w, q.direction, *ends, step) for step in steps]
            total[:-d] += [total_of(objective, o) for o in points]
            total[-d:] += signed(objective, points[0]) @ V
    return sums


def _total_and_gradient(part: Part, choice: Choice, mean: Array, W: Array) -> tuple[float, Array]:
    objective, value, gradient = make_objective(*choice), 0.0, np.zeros(W.shape)
    for V in centred(part.X, mean):
        o = V @ W.T
        value += total_of(objective, o)
        gradient += signed(objective, o).T @ V
    return value, gradient


def _totals(part: Part, choice: Choice, mean: Array, W: Array) -> Array:
    objective = make_objective(*choice)
    pieces = [objective.value(np.abs(V @ W.T)).sum(axis=0) for V in centred(part.X, mean)]
    return np.asarray(np.sum(pieces, axis=0))


def _squares(V: Array) -> Array:
    return np.einsum("ij,ij->i", V, V)


def _rests(part: Part, mean: Array, W: Array) -> Array:
    """Squared norms of what is left of the samples, orthogonal to W."""
    pieces = [_squares(V - (V @ W.T) @ W) for V in centred(part.X, mean)]
    return np.concatenate(pieces)


def _extent(part: Part, mean: Array) -> tuple[float, float]:
    """The largest squared norm, and the largest modulus of a number."""
    most = [(_squares(V).max(), np.abs(V).max()) for V in centred(part.X, mean)]
    square, size = np.max(most, axis=0)
    return float(square), float(size)


def _left(part: Part, mean: Array, W: Array) -> tuple[float]:
    return (float(_rests(part, mean, W).max()),)


def _most(values: list[tuple[Any, ...]]) -> tuple[Any, ...]:
    return tuple(np.max(entries, axis=0) for entries in zip(*values))


def _farthest(part: Part, mean: Array, W: Array, least: Array) -> tuple[Array, IntArray, IntArray]:
    """The first sample that is as far as that; where the block begins, and how many may start."""
    left = _rests(part, mean, W)
    first = np.flatnonzero(left >= least[0])[:1]
    possible = np.count_nonzero(left > least[1])
    return part.X[first] - mean, np.array([part.start]), np.array([possible])


def _first_rows(values: list[tuple[Array, IntArray, IntArray]]) -> tuple[Any, ...]:
    rows, starts, counts = zip(*values)
    return np.vstack(rows)[:1], np.concatenate(starts), np.concatenate(counts)


def _ranked(
    part: Part, mean: Array, W: Array, least: float, ranks: IntArray, offsets: dict[int, int]
) -> tuple[IntArray, Array]:
    """The samples of these ranks among all that may start, as far as they are in this block."""
    possible = np.flatnonzero(_rests(part, mean, W) > least)
    begin = offsets[part.start]
    mine = ranks[(ranks >= begin) & (ranks < begin + len(possible))]
    return mine, part.X[possible[mine - begin]] - mean


def _concatenated(values: list[tuple[Any, ...]]) -> tuple[Any, ...]:
    return tuple(np.concatenate(arrays) for arrays in zip(*values))


def _stalled(part: Part, mean: Array, W: Array, w: Array) -> tuple[Array, float, float]:
    """The first sample beside w; what W leaves of all such, and all there is, squared."""
    V = part.X - mean
    beside = V[(V @ w == 0) & V.any(axis=1)]
    left = float(_squares(beside - (beside @ W.T) @ W).sum())
    return beside[:1], left, float(_squares(V).sum())


def _first_and_sums(values: list[tuple[Array, float, float]]) -> tuple[Any, ...]:
    rows, left, all_ = zip(*values)
    return np.vstack(rows)[:1], sum(left), sum(all_)


def _largest_scores(part: Part, mean: Array, W: Array) -> tuple[Array, Array]:
    """For every component, the largest squared norm of what the earlier ones left, and score."""
    scores, squares = _scores_and_squares(part, mean, W)
    return squares.max(axis=0), np.abs(scores).max(axis=0)


def _leading_scores(part: Part, mean: Array, W: Array, left: Array, most: Array) -> Array:
    """Scores of the first sample that is farthest, and of the first of largest score, or NaN."""
    scores, squares = _scores_and_squares(part, mean, W)
    found = np.full((2, len(W)), np.nan)
    leading = squares >= (1 - TIE) * left, np.abs(scores) >= (1 - _SAME) * most
    for row, chosen in zip(found, leading):
        some = chosen.any(axis=0)
        row[some] = scores[chosen.argmax(axis=0), np.arange(len(W))][some]
    return found


def _first_numbers(values: list[Array]) -> Array:
    """The first that are no NaN."""
    found = values[0]
    for other in values[1:]:
        found = np.where(np.isnan(found), other, found)
    return found


def _scores_and_squares(part: Part, mean: Array, W: Array) -> tuple[Array, Array]:
    V = part.X - mean
    scores = V @ W.T
    before = np.cumsum(scores**2, axis=1) - scores**2
    return scores, _squares(V)[:, None] - before
