"""Where a learned matrix starts: at the directions in which prototypes, then samples lie apart."""

import numpy as np
from numpy.typing import NDArray

from noneuclid.numerics import fix_signs, fix_vectors
from noneuclid.typing import Array

# A column that varies by less than this share of its size is constant.
_CONSTANT = 1e-13


def leading_directions(W: Array, X: Array, rank: int) -> Array:
    """Orthonormal directions in which prototypes lie apart, then those of the samples."""
    found = _directions(W - W.mean(axis=0), min(rank, len(W) - 1))
    if len(found) < rank:
        found = np.vstack([found, _directions(X - X @ found.T @ found, rank - len(found))])
    return found


def varying(X: Array) -> NDArray[np.bool_]:
    """Which columns are not constant; all, if none is."""
    there = np.ptp(X, axis=0) > _CONSTANT * np.abs(X).max(axis=0)
    return there if there.any() else ~there


def filled(found: Array, rank: int, rng: np.random.RandomState) -> Array:
    """As many orthonormal directions as were asked for: where they are too few, any others."""
    if len(found) == rank:
        return found
    others = rng.normal(size=(rank - len(found), found.shape[1]))
    basis = fix_signs(np.linalg.qr(np.vstack([found, others]).T)[0].T, axis=1)
    return np.vstack([found, basis[len(found) :]])


def _directions(V: Array, most: int) -> Array:
    """Leading right singular vectors, none that are rounding."""
    _, sizes, directions = np.linalg.svd(V, full_matrices=False)
    directions = fix_vectors(sizes, directions.T).T
    return directions[:most][sizes[:most] > 1e-10 * sizes.max(initial=0.0)]
