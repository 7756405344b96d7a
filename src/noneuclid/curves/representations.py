"""Curves as rows of numbers, on a grid or in a basis, and what is lost that way."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from noneuclid._parameters import Count, NotNegative, check
from noneuclid.curves.bases import Basis, inner_products, make_basis
from noneuclid.curves.grids import CurveGrid, interpolated, refuse_outside
from noneuclid.typing import Array

if TYPE_CHECKING:
    from noneuclid.curves.container import Curves

# Weights tried by cross-validation, in units in which data and roughness weigh the same.
_TRIED = 10.0 ** np.arange(-9.0, 4.1, 0.5)
# Keeps coefficients that the data do not touch from being arbitrary.
_RIDGE = 1e-10


@dataclass(eq=False)
class OnGrid:
    """Curves on a common grid: what :meth:`Curves.to_grid` gives.

    Parameters
    ----------
    rows : array of shape (n_curves, n_features)
        Channel after channel.
    positions : list of arrays
        The grid of each channel.
    error : array of shape (n_curves,)
        Root mean square of the difference between observations and what the rows, interpolated
        by the same method, give there: what the representation loses.
    uncertainty : array of shape (n_curves, n_features), optional
        Standard deviations, of kriging.

    Attributes
    ----------
    array : array of shape (n_curves, n_channels, n_points)
        The rows by channel, where all channels have as many points.
    """

    rows: Array
    positions: list[Array]
    error: Array
    uncertainty: Array | None = None

    @property
    def array(self) -> Array:
        """(curve, channel, time), where all channels have as many points."""
        if len({len(grid) for grid in self.positions}) > 1:
            raise ValueError("the channels have other numbers of points: take rows, or positions")
        return self.rows.reshape(len(self.rows), len(self.positions), -1)


@dataclass(eq=False)
class InBasis:
    """Curves as combinations of basis functions: what :meth:`Curves.to_basis` gives.

    Parameters
    ----------
    coefficients : list of arrays of shape (n_curves, n_basis)
        For each channel.
    bases : list of bases
        For each channel.
    smoothing : list of float
        The weights of the roughness.
    error : array of shape (n_curves,)
        Root mean square of the difference between observations and functions.
    """

    coefficients: list[Array]
    bases: list[Basis]
    smoothing: list[float]
    error: Array

    def evaluate(self, t: Any, *, channel: int = 0, derivative: int = 0) -> Array:
        """Values of the functions, or of their derivatives.

        Parameters
        ----------
        t : array of times
        channel : int, default=0
        derivative : int, default=0

        Returns
        -------
        array of shape (n_curves, len(t))
        """
        times = np.atleast_1d(np.asarray(t, dtype=np.float64))
        refuse_outside(times, self.bases[channel].pieces)
        design = self.bases[channel].evaluate(times, derivative)
        return np.asarray(self.coefficients[channel] @ design.T)


def on_grid(curves: "Curves", grid: CurveGrid) -> OnGrid:
    """Curves on a grid, with what is lost."""
    rows = grid.rows(curves)
    bounds = np.cumsum([0, *map(len, grid.positions)])
    squares, counts = np.zeros(len(curves)), np.zeros(len(curves))
    method = grid.method if grid.method != "kriging" else "spline"
    for c, positions in enumerate(grid.positions):
        values = rows[:, bounds[c] : bounds[c + 1]]
        for k in range(len(curves)):
            t, x = curves.observed(k, c)
            inside = (t >= positions[0]) & (t <= positions[-1])
            lost = x[inside] - interpolated(t[inside], positions, values[k], method)
            squares[k] += lost @ lost
            counts[k] += inside.sum()
    error = np.sqrt(squares / np.maximum(counts, 1))
    return OnGrid(rows, grid.positions, error, grid.deviations(curves))


def in_basis(curves: "Curves", basis: str, n_basis: Any, smoothing: Any) -> InBasis:
    """Curves in a basis, with what is lost."""
    check("basis", basis, Literal["bspline", "fourier", "monomial"])
    check("n_basis", n_basis, Count | None)
    check("smoothing", smoothing, Literal["gcv"] | NotNegative)
    bases, coefficients, weights = [], [], []
    squares = np.zeros(len(curves))
    for c in range(curves.n_channels):
        made = make_basis(basis, n_basis, _usual(curves, c), domain_of(curves, c))
        found, weight = channel_coefficients(curves, c, made, smoothing)
        for k in range(len(curves)):
            t, x = curves.observed(k, c)
            squares[k] += float(np.square(x - made.evaluate(t) @ found[k]).sum())
        bases.append(made)
        coefficients.append(found)
        weights.append(weight)
    error = np.sqrt(squares / curves.n_points.sum(axis=1))
    return InBasis(coefficients, bases, weights, error)


def domain_of(curves: "Curves", c: int) -> tuple[float, float]:
    """From the first to the last time of any curve."""
    starts, ends = curves.ranges(c)
    if np.isnan(starts).any():
        k = int(np.argmax(np.isnan(starts)))
        raise ValueError(f"channel {c} of curve {k} has no observed value: it needs at least two")
    return float(starts.min()), float(ends.max())


def _usual(curves: "Curves", c: int) -> int:
    return int(np.median(curves.n_points[:, c]))


def channel_coefficients(
    curves: "Curves", c: int, basis: Basis, smoothing: Any
) -> tuple[Array, float]:
    """Coefficients of one channel of all curves, and the weight of the roughness.

    Parameters
    ----------
    curves : Curves
    c : int
        The channel.
    basis : Basis
    smoothing : "gcv" or float

    Returns
    -------
    coefficients : array of shape (n_curves, n_basis)
    weight : float
    """
    observed = [curves.observed(k, c) for k in range(len(curves))]
    designs, values = [basis.evaluate(t) for t, _ in observed], [x for _, x in observed]
    P = inner_products(basis, 2)
    S = np.stack([B.T @ B for B in designs])
    b = np.stack([B.T @ x for B, x in zip(designs, values)])
    mass = np.trace(S.mean(axis=0))
    ridge = _RIDGE * mass / len(P) * np.eye(len(P))
    if smoothing != "gcv":
        weight = float(smoothing)
    else:
        unit = mass / max(float(np.trace(P)), 1e-300)
        n, total = (np.array([f(x) for x in values]) for f in (len, lambda x: float(x @ x)))
        scores = [_gcv(S, b, n, total, unit * tried * P + ridge) for tried in _TRIED]
        # The smoothest of those that are as good, up to rounding.
        best = np.flatnonzero(np.array(scores) <= (1 + 1e-6) * min(scores))[-1]
        weight = float(unit * _TRIED[best])
    return np.linalg.solve(S + weight * P + ridge, b[..., None])[..., 0], weight


def _gcv(S: Array, b: Array, n: Array, total: Array, penalty: Array) -> float:
    """Σ_i n_i RSS_i/(n_i − tr H_i)²."""
    inverse = np.linalg.inv(S + penalty)
    w = np.einsum("ijk,ik->ij", inverse, b)
    squares = total - 2 * np.einsum("ij,ij->i", w, b) + np.einsum("ij,ijk,ik->i", w, S, w)
    free = n - np.einsum("ijk,ikj->i", inverse, S)
    # A curve through all its points tests nothing: it counts as bad as can be.
    return float((n * np.maximum(squares, 0.0) / np.maximum(free, 1e-3 * n) ** 2).sum())
