"""Curves in rows of a table: their grid, and their coefficients in a basis."""

from typing import Any

import numpy as np
from scipy import linalg

from noneuclid._data import all_finite
from noneuclid.typing import Array


def observed(rows: Array) -> Array:
    """Return rows that all have a value, or raise."""
    if not all_finite(rows) and np.isnan(rows).all(axis=1).any():
        raise ValueError("a curve has no observed value: every row needs one that is not NaN")
    return rows


def checked_grid(given: Any, n: int) -> Array:
    """The positions of n features, by default uniform on [0, 1]."""
    if n < 2:
        raise ValueError("FunctionalPCA needs curves of at least 2 points, got n_features=1")
    if given is None:
        return np.linspace(0.0, 1.0, n)
    grid = np.asarray(given, dtype=np.float64)
    if grid.shape != (n,) or not np.isfinite(grid).all() or (np.diff(grid) <= 0).any():
        raise ValueError(f"grid must be {n} increasing positions, one per feature of X")
    return grid


def checked_domain(given: Any, grid: Array) -> tuple[float, float]:
    """The interval of the functions, by default the range of the grid."""
    low, high = (grid[0], grid[-1]) if given is None else given
    if not low <= grid[0] < grid[-1] <= high:
        raise ValueError(f"domain (={given!r}) must be an interval that holds the grid")
    return float(low), float(high)


def least_squares(X: Array, design: Array, penalty: Array) -> Array:
    """Penalised least squares; curves observed at the same positions together."""
    root = _root(penalty)
    if all_finite(X):
        return _solved(design, root, X)
    patterns, which = np.unique(~np.isnan(X), axis=0, return_inverse=True)
    coefficients = np.empty((len(X), design.shape[1]))
    for number, seen in enumerate(patterns):
        members = np.flatnonzero(which.ravel() == number)
        rows = X[np.ix_(members, np.flatnonzero(seen))]
        coefficients[members] = _solved(design[seen], root, rows)
    return coefficients


def _solved(design: Array, root: Array, rows: Array) -> Array:
    """The coefficients of rows without gaps."""
    target = np.zeros((len(design) + len(root), len(rows)))
    target[: len(design)] = rows.T
    B = np.vstack([design, root]) if len(root) else design
    return np.asarray(linalg.lstsq(B, target, check_finite=False)[0].T)


def _root(penalty: Array) -> Array:
    """As rows of the least-squares problem: no squared condition."""
    if not penalty.any():
        return penalty[:0]
    values, vectors = linalg.eigh(penalty)
    return np.asarray(np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T)


def smoother(G: Array, roughness: Array, weight: float) -> Array:
    """(G + αP)⁻¹G, or a refusal where αP leaves nothing of G."""
    if weight * np.abs(roughness).max() > 1e14 * np.abs(G).max():
        raise ValueError(
            f"component_smoothing (={weight:.3g}) is so large that rounding hides the curves: "
            "lower it"
        )
    return np.asarray(linalg.solve(G + weight * roughness, G))
