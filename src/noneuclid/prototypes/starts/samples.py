"""Where prototypes start without labels: on samples, or in the plane of the data."""

import numpy as np
from scipy import linalg

from noneuclid.numerics import fix_signs, fix_vectors, orientation, row_blocks
from noneuclid.prototypes.costs.grids import Grid
from noneuclid.prototypes.geometries.base import Geometry, S
from noneuclid.prototypes.geometries.combinations import CombinationGeometry
from noneuclid.prototypes.starts.common import kmeans_seeds
from noneuclid.typing import Array, IntArray

# Evenly spread numbers of variance one reach so far.
_REACH = np.sqrt(3.0)
_BLOCK_BYTES = 2**22


def sampled(m: int, n: int, rng: np.random.RandomState) -> IntArray:
    """Indices of m samples, different ones as long as there are enough."""
    order = rng.permutation(n)
    return order[:m] if m <= n else np.concatenate([order, rng.randint(n, size=m - n)])


def spread(geometry: Geometry[S], m: int, rng: np.random.RandomState) -> IntArray:
    """k-means++: the next sample is drawn with the squared distance to the nearest so far."""
    n = geometry.n_samples
    some = np.sort(rng.permutation(n)[: max(20 * m, 1000)])
    if m >= len(some):
        return sampled(m, n, rng)
    return some[kmeans_seeds(geometry.distances_between(some), m, rng)]


def plane(grid: Grid) -> Array:
    """Positions of the units, the middle at zero, the ends at ±√3: (m, 2)."""
    P = grid.positions
    middle, half = (P.max(axis=0) + P.min(axis=0)) / 2, np.ptp(P, axis=0) / 2
    return _REACH * (P - middle) / np.where(half > 0, half, 1.0)


def _by_size(P: Array, shape: tuple[int, int]) -> Array:
    """The longer side of the map goes along the first component."""
    return P[:, ::-1] if shape[0] > shape[1] else P


def _scatter(X: Array, mean: Array) -> Array:
    """Σ_i (x_i − mean)(x_i − mean)', block by block."""
    total = np.zeros((X.shape[1], X.shape[1]))
    for rows in row_blocks(len(X), 8 * X.shape[1], _BLOCK_BYTES):
        V = X[rows] - mean
        total += V.T @ V
    return total


def vector_plane(X: Array, grid: Grid) -> Array:
    """Prototypes in the plane of the first two principal components: (m, d)."""
    (n, d), mean = X.shape, X.mean(axis=0)
    if n > d:
        values, axes = linalg.eigh(_scatter(X, mean))
        axes = fix_vectors(values, axes)[:, ::-1][:, : min(2, d)].T
    else:
        _, sizes, axes = linalg.svd(X - mean, full_matrices=False)
        axes = fix_vectors(sizes, axes.T).T[:2]
    scores = np.concatenate(
        [(X[rows] - mean) @ axes.T for rows in row_blocks(n, 8 * d, _BLOCK_BYTES)]
    )
    spread = np.sqrt((scores**2).mean(axis=0))
    P = _by_size(plane(grid), grid.shape)[:, : len(axes)]
    return mean + (P * spread * orientation(scores)) @ axes


def combination_plane(geometry: CombinationGeometry, grid: Grid) -> Array:
    """The same over proximities: coefficients 1/n + t v/√n, v eigenvectors: (m, n)."""
    V = fix_signs(geometry.principal_axes(2))
    n = len(V)
    P = _by_size(plane(grid), grid.shape)[:, : V.shape[1]]
    return 1.0 / n + P @ V.T / np.sqrt(n)
