"""Curves in rows of a table: their grid, and their coefficients in a basis."""

from typing import Any

import numpy as np
from scipy import linalg

from noneuclid._data import all_finite
from noneuclid.curves.bases import Basis, inner_products
from noneuclid.typing import Array

# A function is free if its observed part is below this share of that of the best seen one, unless
# the whole grid sees all of them, the worst by more than the second share: then below half of that.
_FREE, _HIDDEN = 0.01, 1e-4
_ROUNDING = 1e-15  # of squared norms
# κ for a domain of length 1.
_TENSION = 5.0


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


class LeastSquares:
    r"""Coefficients of rows by (penalised) least squares, also where little was observed.

    A function of norm 1 of which hardly anything is seen at the positions of a row is free: its
    part would be 0 by the shortest coefficients, so that curves fall to 0 in gaps, or anything by
    rounding and noise. Free functions are chosen so that the whole is as smooth as possible by

    .. math:: \int f''^2 + \kappa^2 \int f'^2 ,

    which goes through gaps about as a cubic spline does, and straight on beyond the last value
    for a fifth of the domain only (1/κ).

    Parameters
    ----------
    basis : Basis
    design : array of shape (n_positions, n_basis)
        Its functions at the positions of the grid.
    penalty : array of shape (n_basis, n_basis)
        Of coefficients.
    """

    def __init__(self, basis: Basis, design: Array, penalty: Array):
        values, vectors = linalg.eigh(inner_products(basis))
        values = np.maximum(values, _ROUNDING * values[-1])
        self._basis, self._unit = basis, vectors / np.sqrt(values)  # functions of norm 1
        self._design, self._root = design @ self._unit, _root(penalty) @ self._unit
        tension = (_TENSION / float(basis.pieces[-1] - basis.pieces[0])) ** 2
        bending = inner_products(basis, order=2) + tension * inner_products(basis, order=1)
        self._rough = _root(bending) @ self._unit
        known = linalg.svdvals(np.vstack([self._design, self._root]))
        least = known[-1] / _largest(self._design) if len(known) == basis.size else 0.0
        self._free = min(_FREE, 0.5 * least) if least > _HIDDEN else _FREE
        self._whole = self._solution(self._design)

    def __call__(self, X: Array) -> Array:
        """Coefficients of rows, NaN where nothing was observed; those with the same gaps together.

        Parameters
        ----------
        X : array of shape (n, n_positions)

        Returns
        -------
        array of shape (n, n_basis)
        """
        if all_finite(X):
            return np.asarray(X @ self._whole.T)
        patterns, which = np.unique(~np.isnan(X), axis=0, return_inverse=True)
        coefficients = np.empty((len(X), len(self._unit)))
        for number, seen in enumerate(patterns):
            members = np.flatnonzero(which.ravel() == number)
            rows = X[np.ix_(members, np.flatnonzero(seen))]
            coefficients[members] = rows @ self._solution(self._design[seen]).T
        return coefficients

    def at(self, times: Array, values: Array) -> Array:
        """Coefficients of one curve observed at other times.

        Parameters
        ----------
        times, values : arrays of shape (n_observed,)

        Returns
        -------
        array of shape (n_basis,)
        """
        design = self._basis.evaluate(times) @ self._unit
        return np.asarray(self._solution(design) @ values)

    def _solution(self, design: Array) -> Array:
        """Coefficients are this times the values at the positions of the design."""
        B = np.vstack([design, self._root])
        wide = len(B) < B.shape[1]
        U, s, V = linalg.svd(B, full_matrices=wide, check_finite=False)
        # A penalty may be large beside what is seen; what it decides is not free.
        k = int(np.count_nonzero(s > self._free * _largest(design)))
        found = V[:k].T @ (U[: len(design), :k].T / s[:k, None])
        if k < len(V):
            free = V[k:].T
            bent = linalg.lstsq(self._rough @ free, self._rough @ found, check_finite=False)[0]
            found = found - free @ bent
        return np.asarray(self._unit @ found)


def _largest(design: Array) -> float:
    return float(linalg.svdvals(design, check_finite=False)[0])


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
