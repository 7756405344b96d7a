r"""All shifts of a sample round a circle at once: permutations for the price of a few.

Put n samples in a random order on a circle, and shift the labels, or the partners, round by k
places: n permutations, which are a group. What a kernel test sums over pairs, with
:math:`\kappa` between positions i and i + o on the circle,

.. math:: S(k) = \sum_o\sum_i \kappa_{i,\,i+o}\; \lambda_{i+k,\,i+o+k} ,

is a correlation along each diagonal o: fast Fourier transforms give all n sums in O(n² log n),
where one by one they take O(n³).

**Exact by construction.** If more permutations are wanted than n, further circles start from
permutations drawn at random. Under the hypothesis the law of the data is not changed by a random
permutation σ. Apply one: the data are then a place on a circle that is itself drawn at random, as
the other circles are; and on its circle the place is any with equal chance, since shifts are a
group. So the statistics of all places on all circles, of which a random choice (the same number of
times the data, once) is compared, are exchangeable with that of the data, and the chance that it is
among the αB largest is at most α, for every n, kernel and distribution.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from scipy import fft

from noneuclid.information._diagonals import Diagonals
from noneuclid.numerics.threads import in_threads
from noneuclid.typing import Array, IntArray

_NUMBERS = 2**17  # of diagonals at a time
# So many groups of offsets are summed each for itself, in threads; few offsets are one group.
_GROUPS, _FEW_BLOCKS = 8, 64

Block = tuple[int, int, Array]


class Circles:
    """B permutations of n places: shifts round circles, of which the first holds the data.

    ``order`` is the order of the samples on all circles; ``partners`` are, circle after circle,
    the samples that take their places, before any shift. ``chosen`` are the B permutations that
    count, k-th shift of circle c being number c·n + k; number 0 is the data.
    """

    def __init__(self, n: int, B: int, rng: np.random.Generator, *, n_others: int = 1):
        self.n, self.B = n, B
        self.order = rng.permutation(n)
        rounds = -(-(B + 1) // n)
        drawn = [[rng.permutation(n) for _ in range(n_others)] for _ in range(rounds - 1)]
        self.circles = [[self.order] * n_others, *drawn]
        self.partners = [circle[0] for circle in self.circles]
        self.chosen = np.concatenate([[0], 1 + rng.choice(rounds * n - 1, B, replace=False)])

    def some(self, at_a_time: int) -> Iterator[IntArray]:
        """Which sample each one is paired with, permutation by permutation; the data first."""
        for start in range(0, self.B + 1, at_a_time):
            yield np.stack([self._partner(k) for k in self.chosen[start : start + at_a_time]])

    def _partner(self, number: int) -> IntArray:
        circle, k = divmod(int(number), self.n)
        found = np.empty(self.n, dtype=np.intp)
        found[self.order] = np.roll(self.partners[circle], -k)
        return found


def offset_blocks(n: int) -> Iterator[Block]:
    """Ranges of the offsets that a symmetric matrix needs, and how often each counts."""
    step = max(1, _NUMBERS // n)
    for first in range(0, n // 2 + 1, step):
        last = min(first + step, n // 2 + 1)
        offsets = np.arange(first, last)
        yield first, last, np.where((offsets == 0) | (2 * offsets == n), 1.0, 2.0)


def _over_groups(
    n: int, sources: Sequence[Diagonals], part: Callable[[list[Block]], tuple[Any, ...]]
) -> tuple[Any, ...]:
    """Sums of what a function makes of groups of offsets, which depend on n alone, in order."""
    blocks = list(offset_blocks(n))
    size = len(blocks) if len(blocks) < _FEW_BLOCKS else -(-len(blocks) // _GROUPS)
    groups = [blocks[start : start + size] for start in range(0, len(blocks), size)]
    safe = all(source.takes_threads for source in sources)
    parts = in_threads(part, groups) if safe else map(part, groups)
    total = next(parts)
    for more in parts:
        for sums, further in zip(total, more):
            sums += further
    return total


class RowSums:
    """Σ_j κ(x_i, x_j) of every kernel and sample, gathered from the diagonals."""

    def __init__(self, kernels: int, order: IntArray):
        self.order, self.sums = order, np.zeros((kernels, len(order)))

    def add(self, which: int, K: Array, first: int, weights: Array) -> None:
        """Add some diagonals: each is a row sum's part at both of its ends."""
        total = self.sums[which]
        for offset, row, weight in zip(range(first, first + len(K)), K, weights):
            total += row
            if weight == 2.0:
                total[offset:] += row[: len(row) - offset]
                total[:offset] += row[len(row) - offset :]

    def __iadd__(self, other: "RowSums") -> "RowSums":
        """With those of other diagonals."""
        self.sums += other.sums
        return self

    def in_rows(self) -> Array:
        """The sums in the order of the data."""
        found = np.empty_like(self.sums)
        found[:, self.order] = self.sums
        return found


def pair_sums(first: Diagonals, second: Diagonals, circles: Circles) -> tuple[Array, Array, Array]:
    """Σ_ij κ_ij λ_π(i)π(j) for every two kernels and permutation, and both kernels' row sums.

    Shapes (kernels, kernels, B + 1), (kernels, n) and (kernels, n).
    """
    n, P, Q = circles.n, len(first.labels), len(second.labels)

    def part(blocks: list[Block]) -> tuple[Any, ...]:
        rows = RowSums(P, circles.order), RowSums(Q, circles.order)
        total = np.zeros((len(circles.partners), P, Q, n // 2 + 1), dtype=np.complex128)
        for start, stop, weights in blocks:
            F = []
            for p, K in enumerate(first.between(start, stop, circles.order)):
                rows[0].add(p, K, start, weights)
                F.append(fft.rfft(K, axis=1).conj() * weights[:, None])
            for c, partners in enumerate(circles.partners):
                for q, L in enumerate(second.between(start, stop, partners)):
                    if c == 0:
                        rows[1].add(q, L, start, weights)
                    G = fft.rfft(L, axis=1)
                    for p in range(P):
                        total[c, p, q] += np.einsum("of,of->f", F[p], G)
        return total, *rows

    total, *rows = _over_groups(n, (first, second), part)
    sums = fft.irfft(total, n, axis=3).transpose(1, 2, 0, 3).reshape(P, Q, -1)
    return sums[:, :, circles.chosen], rows[0].in_rows(), rows[1].in_rows()


def correlations(x: Array, y: Array, circles: Circles) -> Array:
    """Σ_i x_i y_π(i) for every permutation, x and y in the order of the data."""
    at = fft.rfft(x[circles.order]).conj()
    parts = [fft.irfft(at * fft.rfft(y[p]), circles.n) for p in circles.partners]
    return np.asarray(np.concatenate(parts)[circles.chosen])


def label_sums(source: Diagonals, side: Array, circles: Circles) -> tuple[Array, Array, Array]:
    """s'Ks and s'K1 for every kernel and permutation of labels s, (kernels, B + 1); and all K1."""
    n, W = circles.n, len(source.labels)
    labels = [side[p] for p in circles.partners]

    def part(blocks: list[Block]) -> tuple[Any, ...]:
        rows = RowSums(W, circles.order)
        total = np.zeros((len(labels), W, n // 2 + 1), dtype=np.complex128)
        for start, stop, weights in blocks:
            A = [fft.rfft(_label_pairs(s, start, stop) * weights[:, None], axis=1) for s in labels]
            for w, K in enumerate(source.between(start, stop, circles.order)):
                rows.add(w, K, start, weights)
                F = fft.rfft(K, axis=1).conj()
                for c, G in enumerate(A):
                    total[c, w] += np.einsum("of,of->f", F, G)
        return total, rows

    total, rows = _over_groups(n, (source,), part)
    within = fft.irfft(total, n, axis=2).transpose(1, 0, 2).reshape(W, -1)[:, circles.chosen]
    of_all = rows.in_rows()
    return within, np.array([correlations(k, side, circles) for k in of_all]), of_all


def _label_pairs(s: Array, first: int, last: int) -> Any:
    """s_i s_{i+o}, one row per offset."""
    around = np.concatenate([s, s[: last - 1]])
    return s * np.stack([around[o : o + len(s)] for o in range(first, last)])
