"""Curves at their own times as functions: components, scores with their uncertainty, bands."""

from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
from scipy import linalg, stats

from noneuclid._data import check_range
from noneuclid.curves import Curves
from noneuclid.curves.bases import SIZES, Basis, make_basis
from noneuclid.curves.grids import refuse_outside, rounding_of_times
from noneuclid.curves.representations import channel_coefficients
from noneuclid.numerics import fix_vectors, orientation
from noneuclid.pca._conditional import Process, fit_process
from noneuclid.pca._curve_rows import LeastSquares
from noneuclid.pca._functions import Functions, Sample
from noneuclid.typing import Array

# Of curves of fewer points there are fewer functions.
_FEW = 20
_FEW_FUNCTIONS = {"bspline": 10, "fourier": 7, "monomial": 4}
# So many functions in all channels together keep a fit quick.
_ALL_FUNCTIONS = 30
_GRID = 101


class Band(NamedTuple):
    """Whole curves and bands around them; rows are curves, channels side by side."""

    times: list[Array]
    mean: Array
    lower: Array
    upper: Array


@dataclass(eq=False)
class RandomCurves:
    """What is learned of curves at their own times.

    Attributes
    ----------
    functions : Functions
    grids : list of arrays
        Where components are shown, for each channel.
    smoothing : float or "auto"
    conditional : bool
        Whether the curves are random functions with noise, or each is fitted by itself.
    alpha : float
        Weight of the roughness in the product of the components.
    """

    functions: Functions
    grids: list[Array]
    smoothing: Any
    conditional: bool
    alpha: float
    process: Process | None = None
    weights: list[float] | None = None

    @classmethod
    def of(cls, owner: Any, curves: Curves, positions: Array | None = None) -> Self:
        """Bases and grids for curves, as the parameters of an owner say.

        Parameters
        ----------
        owner : estimator
        curves : Curves
        positions : array, optional
            Those of the columns, where the curves were rows: components are shown there.

        Returns
        -------
        RandomCurves
        """
        _check_sizes(curves)
        n = curves.n_channels
        weights = np.ones(n) if owner.channel_weights is None else owner.channel_weights
        if len(weights) != n:
            raise ValueError(f"channel_weights must be {n} numbers, one per channel of the curves")
        domains = [_domain(owner, curves, c, positions) for c in range(n)]
        bases = [
            make_basis(owner.basis, _n_basis(owner, curves, c), _distinct(curves, c), domains[c])
            for c in range(n)
        ]
        given = owner.grid if positions is None else positions
        grids = [_grid(given, curves, c, domains[c]) for c in range(n)]
        return cls(
            Functions(bases, np.asarray(weights, dtype=np.float64)),
            grids,
            owner.smoothing,
            owner.method != "basis",
            float(owner.component_smoothing),
        )

    @property
    def design(self) -> Array:
        """Values of the basis functions on the grids."""
        channels = np.repeat(np.arange(len(self.grids)), [len(grid) for grid in self.grids])
        return self.functions.design(np.concatenate(self.grids), channels)

    def fit(self, curves: Curves, k: int) -> None:
        """Learn mean, components and variances."""
        G = self.functions.gram()
        product = G + self.alpha * self.functions.roughness() if self.alpha else G
        if self.conditional:
            smoothing = None if self.smoothing == "auto" else float(self.smoothing)
            self.process = fit_process(self.functions, self._sample(curves), k, smoothing)
            self.mean = self.process.mean
            root = np.sqrt(self.process.variances)[:, None] * self.process.axes
        else:
            coefficients = self._coefficients(curves)
            self.mean = coefficients.mean(axis=0)
            root = (coefficients - self.mean) / np.sqrt(len(curves))
        self.components, self.variances = _components(root @ G, product, k)
        self.components = self.components * orientation(self.components @ self.design.T, axis=1)
        self.total = float(np.einsum("ij,jk,ik->", root, G, root))

    def scores(self, curves: Curves) -> tuple[Array, Array]:
        """Scores of each curve, and their covariances where the curves are random functions."""
        G = self.functions.gram()
        if self.process is None:
            self._check_inside(curves)
            centred = self._coefficients(curves) - self.mean
            k = len(self.components)
            return np.asarray(centred @ G @ self.components.T), np.zeros((len(curves), k, k))
        means, covariances = self._given(curves)
        R = self.components @ G @ self.process.axes.T
        return np.asarray(means @ R.T), np.asarray(R @ covariances @ R.T)

    def _given(self, curves: Curves) -> tuple[Array, Array]:
        assert self.process is not None
        self._check_inside(curves)
        return self.process.given(self._sample(curves))

    def band(self, curves: Curves, t: Any, level: float, simultaneous: bool) -> Band:
        """Conditional means of the curves, and how far they may be off."""
        assert self.process is not None
        times = self._times(t)
        channels = np.repeat(np.arange(len(times)), [len(part) for part in times])
        B = self.functions.design(np.concatenate(times), channels)
        F = B @ self.process.axes.T
        means, covariances = self._given(curves)
        middle = B @ self.process.mean + means @ F.T
        spread = np.sqrt(np.maximum(np.einsum("gk,ikl,gl->ig", F, covariances, F), 0.0))
        if simultaneous:
            z = float(np.sqrt(stats.chi2.ppf(level, F.shape[1])))
        else:
            z = float(stats.norm.ppf((1 + level) / 2))
        return Band(times, middle, middle - z * spread, middle + z * spread)

    def evaluate(self, coefficients: Array, t: Array, channel: int) -> Array:
        """Functions at times of one channel."""
        if not 0 <= channel < len(self.grids):
            raise ValueError(f"channel (={channel!r}) must be one of {len(self.grids)}")
        t = np.atleast_1d(t)
        refuse_outside(t, self.functions.bases[channel].pieces)
        design = self.functions.design(t, np.full(len(t), channel))
        return np.asarray(coefficients @ design.T)

    def _times(self, t: Any) -> list[Array]:
        if t is None:
            return self.grids
        given = t if isinstance(t, (list, tuple)) and np.ndim(t[0]) else [t] * len(self.grids)
        times = [np.atleast_1d(np.asarray(part, dtype=np.float64)) for part in given]
        if len(times) != len(self.grids):
            raise ValueError(f"t has times of {len(times)} channels, not of {len(self.grids)}")
        for part, basis in zip(times, self.functions.bases):
            refuse_outside(part, basis.pieces)
        return times

    def _sample(self, curves: Curves) -> Sample:
        flat = curves.flat_points()
        check_range(flat.values, "the curves", tiny=True)
        return Sample(flat.curves, flat.channels, flat.times, flat.values, len(curves))

    def _coefficients(self, curves: Curves) -> Array:
        """Each curve by itself; the weight of the roughness is that of the first ones."""
        asked = "gcv" if self.smoothing == "auto" else float(self.smoothing)
        weights = [asked] * curves.n_channels if self.weights is None else self.weights
        found = [
            channel_coefficients(curves, c, basis, weights[c])
            for c, basis in enumerate(self.functions.bases)
        ]
        self.weights = [weight for _, weight in found]
        return np.hstack([coefficients for coefficients, _ in found])

    def _check_inside(self, curves: Curves) -> None:
        if curves.n_channels != len(self.grids):
            raise ValueError(
                f"the curves have {curves.n_channels} channels, and those that were learned from "
                f"have {len(self.grids)}"
            )
        for c, basis in enumerate(self.functions.bases):
            _refuse_outside(curves, c, basis)


def _refuse_outside(curves: Curves, c: int, basis: Basis) -> None:
    low, high = basis.pieces[0], basis.pieces[-1]
    starts, ends = curves.ranges(c)
    slack = rounding_of_times(low, high)
    outside = (starts < low - slack) | (ends > high + slack)
    if outside.any():
        k = int(np.argmax(outside))
        raise ValueError(
            f"curve {k} was observed from {starts[k]:g} to {ends[k]:g}, and the functions live "
            f"between {low:g} and {high:g}: leave out what is beyond, or fit with a larger domain"
        )


def coefficients_at_times(curves: Curves, basis: Basis, solve: LeastSquares) -> Array:
    """Coefficients of curves of one channel, in a basis that was made for rows."""
    if curves.n_channels != 1:
        raise ValueError(f"the curves have {curves.n_channels} channels, and one was learned from")
    _refuse_outside(curves, 0, basis)
    return np.stack([solve.at(*curves.observed(k, 0)) for k in range(len(curves))])


def curves_of_rows(parts: list[Array], grids: list[Array]) -> Curves:
    """Rows on the grids of channels as curves; NaN are gaps."""
    return Curves([(grids, [part[k] for part in parts]) for k in range(len(parts[0]))])


def _components(root: Array, product: Array, k: int) -> tuple[Array, Array]:
    """Directions of norm 1 in a product, of the largest variances of the rows' values on them."""
    L = linalg.cholesky(product, lower=True)
    flat = linalg.solve_triangular(L, root.T, lower=True).T
    _, singular, vectors = linalg.svd(flat, full_matrices=False)
    variances = np.zeros(max(k, len(singular)))
    variances[: len(singular)] = singular**2
    axes = np.zeros((len(variances), len(L)))
    axes[: len(singular)] = fix_vectors(singular**2, vectors.T).T
    if len(singular) < k:  # directions without variance: whatever is orthogonal to the others
        axes = linalg.qr(np.vstack([vectors, np.eye(len(L))]).T)[0].T[: len(axes)]
        axes[: len(singular)] = fix_vectors(singular**2, vectors.T).T
    return linalg.solve_triangular(L, axes[:k].T, lower=True, trans="T").T, variances[:k]


# --- what the data suggest --------------------------------------------------------------------


def _check_sizes(curves: Curves) -> None:
    for c in range(curves.n_channels):
        if not (curves.n_points[:, c] > 1).any():
            raise ValueError(f"channel {c} was never observed twice in a curve: it shows no curve")


def _domain(
    owner: Any, curves: Curves, c: int, positions: Array | None = None
) -> tuple[float, float]:
    starts, ends = curves.ranges(c) if positions is None else (positions[:1], positions[-1:])
    low, high = float(np.nanmin(starts)), float(np.nanmax(ends))
    if owner.domain is None:
        return low, high
    slack = rounding_of_times(low, high)
    if not owner.domain[0] - slack <= low < high <= owner.domain[1] + slack:
        raise ValueError(
            f"domain (={owner.domain!r}) must be an interval that holds the grid, the times from "
            f"{low:g} to {high:g}"
        )
    return float(owner.domain[0]), float(owner.domain[1])


def _n_basis(owner: Any, curves: Curves, c: int) -> int | None:
    if owner.n_basis is not None:
        return int(owner.n_basis)
    most = max(5, _ALL_FUNCTIONS // curves.n_channels)
    if np.median(curves.n_points[:, c]) < _FEW:
        most = min(most, _FEW_FUNCTIONS[owner.basis])
    return min(most, SIZES[owner.basis], _distinct(curves, c))


def _distinct(curves: Curves, c: int) -> int:
    return len(np.unique(np.concatenate([curves.observed(k, c)[0] for k in range(len(curves))])))


def _grid(given: Any, curves: Curves, c: int, domain: tuple[float, float]) -> Array:
    if given is not None:
        grid, slack = np.asarray(given, dtype=np.float64), rounding_of_times(*domain)
        increasing = grid.ndim == 1 and len(grid) > 1 and (np.diff(grid) > 0).all()
        if not increasing or grid[0] < domain[0] - slack or grid[-1] > domain[1] + slack:
            raise ValueError(
                f"grid must be increasing positions within {domain[0]:g} and {domain[1]:g}, where "
                "the curves were observed"
            )
        return grid
    shared = curves.grid(c)
    return np.linspace(*domain, _GRID) if shared is None else shared
