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
    for _ in range(k - 1):
        nearest = np.maximum(D[seeds].min(axis=0), 0.0)
        nearest[seeds] = 0.0
        total = nearest.sum()
        if total > 0:
            chance = nearest / total
        else:
            chance = np.full(len(D), 1 / (len(D) - len(seeds)))
            chance[seeds] = 0.0
        seeds.append(int(rng.choice(len(D), p=chance)))
    return np.array(seeds)
