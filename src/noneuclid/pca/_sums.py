r"""What components need of the samples: mean, covariance and its root, all sums over samples.

:class:`Memory` has the rows at hand; :class:`Spread` sums over blocks that lie anywhere. Both
answer the same questions, of rows v = x − mean in coordinates ``forth(v)``, a linear map.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from noneuclid._blocks import Blocks, Part
from noneuclid._memory import require_matrices
from noneuclid.numerics import row_blocks
from noneuclid.pca._base import (
    Axes,
    axes_of,
    axes_of_root,
    covariance_root,
    is_tall,
    principal_axes,
    root_of,
    triangle,
)
from noneuclid.pca._online import Lesson, OnlineState, epoch_order
from noneuclid.spaces.charts import as_it_is
from noneuclid.typing import Array

Forth = Callable[[Array], Array]

# Rows read more than once are taken in pieces that stay in the cache in between.
_CACHED_BYTES = 2**20
# A mean beside the first row by less than this share may be that of a constant column.
_NEAR = 1e-6


def centred(X: Array, mean: Array) -> Iterator[Array]:
    """The rows of X − mean, in pieces."""
    for rows in row_blocks(len(X), X.shape[1] * 8, _CACHED_BYTES):
        yield X[rows] - mean


class Memory:
    """Rows in memory."""

    def __init__(self, X: Array, mean: Array):
        self.X, self.mean, self.shape = X, mean, X.shape

    def rng(self, random_state: Any) -> np.random.RandomState:
        """The generator of a fit."""
        return check_random_state(random_state)

    def axes(self, forth: Forth, k: int) -> Axes:
        """The k leading variances and axes, and the total variance."""
        return principal_axes(forth(self.X), forth(self.mean[None, :])[0], k)

    def root(self) -> Array:
        """B with B'B = E[vv']."""
        return covariance_root(self.X, self.mean)

    def squares(self, A: Array, forth: Forth) -> tuple[Array, float]:
        """E[(Av)²], and E[forth(v)²] summed."""
        found = _squares(Part(self.X, None, None, 0), self.mean, A, forth) / len(self.X)
        return found[:-1], float(found[-1])

    def epochs(
        self, lesson: Lesson, state: OnlineState, forth: Forth, rng: np.random.RandomState
    ) -> Iterator[OnlineState]:
        """The state after every epoch, in a random order of the rows."""
        X = forth(self.X)[rng.permutation(len(self.X))]
        while True:
            lesson.show(X, epoch_order(len(X), rng), state)
            yield state


class Spread:
    """Rows in blocks; matrices of features × features are all that travels."""

    def __init__(self, blocks: Any):
        self.blocks: Blocks = blocks
        self.shape = blocks.n_samples, len(blocks.mean)
        self.rng = blocks.rng
        self._mean: Array | None = None

    @property
    def mean(self) -> Array:
        """The mean; that of a constant column is its number, with no rounding."""
        if self._mean is None:
            self._moments(as_it_is, second=False)
        assert self._mean is not None
        return self._mean

    def axes(self, forth: Forth, k: int) -> Axes:
        """The k leading variances and axes, and the total variance."""
        width = forth(np.zeros((1, self.shape[1]))).shape[1]
        if self._require(width):
            return axes_of(self._moments(forth, second=True), k)
        return axes_of_root(self._triangle(forth), k)

    def root(self) -> Array:
        """B with B'B = E[vv']."""
        if self._require(self.shape[1]):
            return root_of(self._moments(as_it_is, second=True))
        return self._triangle(as_it_is)

    def squares(self, A: Array, forth: Forth) -> tuple[Array, float]:
        """E[(Av)²], and E[forth(v)²] summed."""
        found = self.blocks.sum(_squares, self.mean, A, forth) / self.shape[0]
        return found[:-1], float(found[-1])

    def epochs(
        self, lesson: Lesson, state: OnlineState, forth: Forth, rng: np.random.RandomState
    ) -> Iterator[OnlineState]:
        """The state after every epoch: blocks in random order, rows in random order inside each."""
        m = self.blocks.n_blocks
        while True:
            order, seeds = rng.permutation(m), rng.randint(2**31 - 1, size=m)
            now = state.W, state.power, state.clock
            now = self.blocks.chain(_taught, now, order.tolist(), seeds, state.mean, lesson, forth)
            state = OnlineState(now[0], now[1], state.mean, int(now[2]))
            yield state

    def _require(self, width: int) -> bool:
        """Whether to sum a covariance matrix rather than to keep a root; raise without memory."""
        n = self.shape[0]
        tall = is_tall(n, width)
        require_matrices(
            f"the covariance of {width:,} features",
            min(n, width),
            width,
            copies=4.0 if tall else 10.0,
            instead='take fewer features, or HebbianPCA(solver="online")',
        )
        return tall

    def _moments(self, forth: Forth, *, second: bool) -> Array:
        """E[forth(v) forth(v)'] (zeros unless wanted); the mean becomes known on the way."""
        n, near = self.shape[0], self.blocks.mean if self._mean is None else self._mean
        first, C, low, high = self.blocks.reduce(_moments, _joined, near, forth, second)
        constant, off = low == high, first / n
        self._mean = np.where(constant, low, near + off)
        rest = forth(off[None, :])[0]
        C = C / n - np.outer(rest, rest) if second else C
        if constant.all():
            C = np.zeros_like(C)
        elif second and forth is as_it_is:
            C[constant] = C[:, constant] = 0.0
        return np.asarray(C)

    def _triangle(self, forth: Forth) -> Array:
        R = self.blocks.reduce(_triangle, _stacked, self.mean, forth)
        return np.asarray(R / np.sqrt(self.shape[0]))


# --- sums over a block ------------------------------------------------------------------------


def _moments(part: Part, mean: Array, forth: Forth, second: bool) -> tuple[Array, ...]:
    """Σ v, Σ forth(v) forth(v)', and the least and largest x of columns that may be constant."""
    X = part.X
    first, C = np.zeros(X.shape[1]), np.zeros((0, 0))
    for V in centred(X, mean):
        first += np.ones(len(V)) @ V
        if second:
            Z = forth(V)
            C = Z.T @ Z if not C.size else C + Z.T @ Z
    near = np.flatnonzero(np.abs(mean - X[0]) <= _NEAR * np.abs(X[0]))
    low, high = np.full(X.shape[1], -np.inf), np.full(X.shape[1], np.inf)
    low[near], high[near] = X[:, near].min(axis=0), X[:, near].max(axis=0)
    return first, C, low, high


def _joined(values: list[tuple[Array, ...]]) -> tuple[Array, ...]:
    first, C, low, high = zip(*values)
    return sum(first[1:], first[0]), sum(C[1:], C[0]), np.min(low, axis=0), np.max(high, axis=0)


def _triangle(part: Part, mean: Array, forth: Forth) -> Array:
    return triangle(forth(part.X - mean))


def _stacked(roots: list[Array]) -> Array:
    return triangle(np.vstack(roots))


def _squares(part: Part, mean: Array, A: Array, forth: Forth) -> Array:
    """Σ (Av)², and at the end Σ |forth(v)|²."""
    total = np.zeros(len(A) + 1)
    for V in centred(part.X, mean):
        total[:-1] += np.square(V @ A.T).sum(axis=0)
        total[-1] += np.square(forth(V)).sum()
    return total


def _taught(
    part: Part,
    state: tuple[Array, Array, int],
    k: int,
    seeds: Array,
    mean: Array,
    lesson: Lesson,
    forth: Forth,
) -> tuple[Any, ...]:
    """The state after the rows of block k, in an order by its seed."""
    now = OnlineState(state[0].copy(), state[1].copy(), mean, int(state[2]))
    order = np.random.RandomState(int(seeds[k])).permutation(len(part))
    lesson.show(forth(part.X), order, now)
    return now.W, now.power, now.clock
