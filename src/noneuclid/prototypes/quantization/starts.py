"""Where prototypes start without labels: on samples, or in the plane of the data."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg
from scipy.sparse.linalg import LinearOperator, eigsh

from noneuclid.prototypes.combinations import CombinationGeometry
from noneuclid.prototypes.features import FeatureGeometry
from noneuclid.prototypes.initial import _seeds
from noneuclid.prototypes.quantization.grids import Grid
from noneuclid.typing import Array, IntArray

# Evenly spread numbers of variance one reach so far.
_REACH = np.sqrt(3.0)
# Matrices up to this size are decomposed wholly.
_SMALL = 300


def sampled(m: int, n: int, rng: np.random.RandomState) -> IntArray:
    """Indices of m samples, different ones as long as there are enough."""
    order = rng.permutation(n)
    return order[:m] if m <= n else np.concatenate([order, rng.randint(n, size=m - n)])


def spread(geometry: Any, m: int, rng: np.random.RandomState) -> IntArray:
    """k-means++: the next sample is drawn with the squared distance to the nearest so far."""
    n = geometry.n_samples
    some = np.sort(rng.permutation(n)[: max(20 * m, 1000)])
    if m >= len(some):
        return sampled(m, n, rng)
    return some[_seeds(geometry.distances_between(some), m, rng)]


def plane(grid: Grid) -> Array:
    """Positions of the units, the middle at zero, the ends at ±√3: (m, 2)."""
    P = grid.positions
    middle, half = (P.max(axis=0) + P.min(axis=0)) / 2, np.ptp(P, axis=0) / 2
    return _REACH * (P - middle) / np.where(half > 0, half, 1.0)


def _signs(vectors: Array) -> Array:
    """Signs that make the largest entry of each column positive."""
    top = np.abs(vectors).argmax(axis=0)
    return np.where(vectors[top, np.arange(vectors.shape[1])] < 0, -1.0, 1.0)


def _by_size(P: Array, shape: tuple[int, int]) -> Array:
    """The longer side of the map goes along the first component."""
    return P[:, ::-1] if shape[0] > shape[1] else P


def vector_plane(X: Array, grid: Grid) -> Array:
    """Prototypes in the plane of the first two principal components: (m, d)."""
    mean = X.mean(axis=0)
    V = X - mean
    if len(V) > V.shape[1]:
        k = min(2, V.shape[1])
        _, axes = linalg.eigh(V.T @ V)
        axes = axes[:, ::-1][:, :k].T
    else:
        axes = linalg.svd(V, full_matrices=False)[2][:2]
    scores = V @ axes.T
    spread = np.sqrt((scores**2).mean(axis=0))
    P = _by_size(plane(grid), grid.shape)[:, : len(axes)]
    return mean + (P * spread * _signs(scores)) @ axes


def combination_plane(geometry: CombinationGeometry, grid: Grid) -> Array:
    """The same over proximities: coefficients 1/n + t v/√n, v eigenvectors: (m, n)."""
    V = _components(geometry)
    V = V * _signs(V)
    n = len(V)
    P = _by_size(plane(grid), grid.shape)[:, : V.shape[1]]
    return 1.0 / n + P @ V.T / np.sqrt(n)


def _components(geometry: CombinationGeometry) -> Array:
    """Eigenvectors of the centred similarities with the two largest positive eigenvalues."""
    n = geometry.n_samples
    if isinstance(geometry, FeatureGeometry):
        Z = (geometry.Z - geometry.Z.mean(axis=0))[:, : geometry.positive]
        scores, sizes, _ = linalg.svd(Z, full_matrices=False)
        return scores[:, :2][:, sizes[:2] > 1e-12 * max(sizes.max(initial=0.0), 1e-300)]
    factor = -0.5 * geometry.constants[1]  # similarities are minus half of dissimilarities

    def centred(V: Array) -> Array:
        V = V - V.mean(axis=0)
        V = factor * (geometry.M @ V)
        return V - V.mean(axis=0)

    if n <= _SMALL:
        values, vectors = linalg.eigh(centred(np.eye(n)))
    else:
        operator = LinearOperator((n, n), matvec=centred, matmat=centred, dtype=float)
        v0 = np.random.RandomState(0).normal(size=n)
        values, vectors = eigsh(operator, k=2, which="LA", v0=v0)
    order = np.argsort(values)[::-1][:2]
    positive = values[order] > 1e-12 * np.abs(values).max(initial=1e-300)
    return vectors[:, order[positive]]


def given(init: ArrayLike, shape: tuple[int, int], what: str) -> Array:
    """Return prototypes as the user gave them, or raise."""
    W = np.array(init, dtype=np.float64)
    if W.shape != shape:
        raise ValueError(f"init has shape {W.shape}, but {shape} is needed: {what}")
    if not np.isfinite(W).all():
        raise ValueError("init contains NaN or infinity")
    return W
