"""Labels of two samples, dealt out anew to the rows of all blocks: permutations without moves."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from noneuclid._blocks import Part
from noneuclid.typing import Array

_ROWS = 2048
_NUMBERS = 2**22
_MOST = 10**9  # NumPy's generators draw from no more


def tiles(rows: int, columns: int) -> Iterator[slice]:
    """Slices of the rows of a block, such that what is computed of each stays small."""
    step = max(min(_ROWS, _NUMBERS // columns), 1)
    return (slice(k, min(k + step, rows)) for k in range(0, rows, step))


def hypergeometric(good: int, bad: int, drawn: Any, rng: np.random.Generator) -> Any:
    """How many are good of so many drawn without replacement.

    From 10⁹ on by the normal law, rounded: there the two differ by less than 1e-4.
    """
    total = good + bad
    if total < _MOST:
        return rng.hypergeometric(good, bad, drawn)
    mean = drawn * (good / total)
    variance = mean * (bad / total) * ((total - drawn) / (total - 1))
    found = np.rint(rng.normal(mean, np.sqrt(variance))).astype(np.int64)
    return np.clip(found, np.maximum(drawn - bad, 0), np.minimum(drawn, good))


def dealt(k: int, edges: Any, labels: Any, key: list[int]) -> Any:
    """How many labels fall to the k-th piece, if all rows draw them without replacement.

    The pieces are halved again and again, and every halving has a seed of its own: so each piece
    finds its share by itself, and the shares add up.
    """
    low, high = 0, len(edges) - 1
    while high - low > 1:
        middle = (low + high) // 2
        good, bad = int(edges[middle] - edges[low]), int(edges[high] - edges[middle])
        left = hypergeometric(good, bad, labels, np.random.default_rng([*key, low, high]))
        if k < middle:
            high, labels = middle, left
        else:
            low, labels = middle, labels - left
    return labels


def relabelled(
    part: Part,
    features: Callable[[Array], Array],
    edges: Any,
    n: int,
    offset: int,
    B: int,
    seed: int,
) -> Array:
    """Sums of features over all rows, the rows of X, and those called X in B permutations.

    The rows of Y follow on the n rows of X: ``edges`` are where the blocks of both begin, and the
    ``offset`` is 0 in X and n in Y.
    """
    k = int(np.searchsorted(edges, part.start + offset))
    labels = dealt(k, edges, np.full(B, n), [seed])
    sums = np.zeros((B + 2, features(part.X[:1]).shape[1]))
    inside = list(tiles(len(part), max(sums.shape)))
    ends = [0, *(tile.stop for tile in inside)]
    for t, tile in enumerate(inside):
        sides = np.empty((B + 2, tile.stop - tile.start), dtype=np.int8)
        sides[0], sides[1] = 1, offset == 0
        here = dealt(t, ends, labels, [seed, k])
        sides[2:] = np.arange(sides.shape[1]) < here[:, None]
        np.random.default_rng([seed, k, t, 1]).permuted(sides[2:], axis=1, out=sides[2:])
        sums += sides.astype(np.float64) @ features(part.X[tile])
    return sums
