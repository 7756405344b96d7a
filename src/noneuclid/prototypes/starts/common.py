"""What all starts share: prototypes as a user gave them, and seeds far from each other."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from noneuclid.typing import Array, IntArray


def given(init: ArrayLike, shape: tuple[int, int], what: str) -> Array:
    """Return prototypes as the user gave them, or raise."""
    W = np.array(init, dtype=np.float64)
    if W.shape != shape:
        raise ValueError(f"init has shape {W.shape}, but {shape} is needed: {what}")
    if not np.isfinite(W).all():
        raise ValueError("init contains NaN or infinity")
    return W


def one_hot(chosen: IntArray, n: int) -> Array:
    """Coefficients of prototypes that are objects."""
    G = np.zeros((len(chosen), n))
    G[np.arange(len(chosen)), chosen] = 1.0
    return G


def kmeans_seeds(D: Array, k: int, rng: Any) -> IntArray:
    """k-means++ over a matrix of squared distances (negative ones count as zero)."""
    seeds = [int(rng.randint(len(D)))]
    nearest = np.maximum(D[seeds[0]], 0.0)
    for _ in range(k - 1):
        nearest[seeds[-1]] = 0.0
        total = nearest.sum()
        if total > 0:
            chance = nearest / total
        else:
            chance = np.full(len(D), 1 / (len(D) - len(seeds)))
            chance[seeds] = 0.0
        seeds.append(_drawn(chance, rng))
        nearest = np.minimum(nearest, np.maximum(D[seeds[-1]], 0.0))
    return np.array(seeds)


def _drawn(chance: Array, rng: Any) -> int:
    """The same as ``rng.choice`` gives, which looks at the chances for as long as all the rest."""
    rising = chance.cumsum()
    if not 0.0 < rising[-1] < np.inf:
        return int(rng.choice(len(chance), p=chance))  # which says what is wrong
    rising /= rising[-1]
    return int(rising.searchsorted(rng.random_sample(), side="right"))
