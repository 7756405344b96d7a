"""A grid that curves are put on, remembered by whoever learns on it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from scipy.interpolate import make_interp_spline

from noneuclid._checks import is_count, shown
from noneuclid._parameters import numbers
from noneuclid._warnings import warn
from noneuclid.curves._kriging import Kriging, fit_kriging
from noneuclid.typing import Array

if TYPE_CHECKING:
    from noneuclid.curves.container import Curves

Method = Literal["linear", "spline", "kriging"]
# A range that is common to all up to rounding is common: that of single precision, if it is small
# beside the range.
_ROUNDING, _MOST_ROUNDING = 1e-9, 1e-4
_SINGLE = float(np.finfo(np.float32).eps)


def refuse_outside(t: Array, pieces: Array) -> None:
    """Raise if times are not within the interval of a basis, beyond which its functions explode.

    Parameters
    ----------
    t : array of times
    pieces : array
        The interval begins and ends with the first and the last of them.
    """
    low, high = float(pieces[0]), float(pieces[-1])
    slack = rounding_of_times(low, high)
    if not ((t >= low - slack) & (t <= high + slack)).all():
        raise ValueError(f"t must lie within {low:g} and {high:g}, where the curves were")


def rounding_of_times(low: float, high: float) -> float:
    """How far beyond a range times may be that are the same up to rounding, once in float32.

    Parameters
    ----------
    low, high : float
        The range.

    Returns
    -------
    float
    """
    single = _SINGLE * max(abs(low), abs(high))
    return float(_ROUNDING * (high - low) + min(single, _MOST_ROUNDING * (high - low)))


@dataclass(eq=False)
class CurveGrid:
    """Positions of each channel, and how values get there: the ``curve_grid_`` of learners.

    Parameters
    ----------
    positions : list of arrays
        Increasing positions, for each channel.
    method : {"linear", "spline", "kriging"}, default="linear"
        How values get there; see :meth:`Curves.to_grid`.
    models : list of Kriging, optional
        The covariances of the channels, for kriging.

    Attributes
    ----------
    size : int
        How many numbers a curve becomes.
    """

    positions: list[Array]
    method: Method = "linear"
    models: list[Kriging] | None = None

    @property
    def size(self) -> int:
        """How many numbers a curve becomes."""
        return sum(map(len, self.positions))

    def rows(self, curves: "Curves", learner: str | None = None) -> Array:
        """Values of curves on the grid, channel after channel, or raise outside their ranges.

        Parameters
        ----------
        curves : Curves
        learner : str, optional
            Whose grid it is, for the sentence that says so.

        Returns
        -------
        array of shape (n_curves, size)
        """
        self._check(curves, learner)
        _check_observed(curves)
        parts = [self._channel(curves, c)[0] for c in range(len(self.positions))]
        return np.hstack(parts)

    def deviations(self, curves: "Curves") -> Array | None:
        """Standard deviations of what kriging says there; None of other methods.

        Parameters
        ----------
        curves : Curves

        Returns
        -------
        array of shape (n_curves, size), or None
        """
        if self.models is None:
            return None
        parts = [self._channel(curves, c)[1] for c in range(len(self.positions))]
        return np.hstack(parts)

    def _check(self, curves: "Curves", learner: str | None) -> None:
        if curves.n_channels != len(self.positions):
            raise ValueError(
                f"the curves have {curves.n_channels} channels, and the grid is one of "
                f"{len(self.positions)}"
            )
        for c, grid in enumerate(self.positions):
            starts, ends = curves.ranges(c)
            slack = rounding_of_times(grid[0], grid[-1])
            outside = (starts > grid[0] + slack) | (ends < grid[-1] - slack)
            if outside.any():
                k = int(np.argmax(outside))
                where = f"channel {c} of curve {k}" if len(self.positions) > 1 else f"curve {k}"
                whose = f" of this {learner}" if learner else ""
                raise ValueError(
                    f"{where} was observed from {starts[k]:g} to {ends[k]:g}, and the grid{whose} "
                    f"goes from {grid[0]:g} to {grid[-1]:g}: give Curves(…, points=…) or "
                    "to_grid(…) positions in the range that all curves have in common, those of "
                    "other folds included"
                )

    def _channel(self, curves: "Curves", c: int) -> tuple[Array, Array]:
        grid, n = self.positions[c], len(curves)
        shared = curves.grid(c)
        if shared is not None and self.models is None and np.array_equal(shared, grid):
            return curves.matrix(c), np.zeros((n, len(grid)))
        values, deviations = np.empty((n, len(grid))), np.zeros((n, len(grid)))
        for k in range(n):
            t, x = curves.observed(k, c)
            if self.models is not None:
                values[k], deviations[k] = self.models[c].predict(t, x, grid)
            else:
                values[k] = interpolated(grid, t, x, self.method)
        return values, deviations


def interpolated(points: Array, t: Array, x: Array, method: Method) -> Array:
    """Values at points between those at times t: on lines, or on a cubic spline."""
    if method == "spline" and len(t) > 2:
        inside = np.clip(points, t[0], t[-1])
        return np.asarray(make_interp_spline(t, x, k=min(3, len(t) - 1))(inside))
    return np.interp(points, t, x)


def make_grid(
    curves: "Curves", points: Any, method: Method, learner: str | None = None
) -> CurveGrid:
    """The grid for curves: given positions, so many, or those the curves suggest."""
    _check_observed(curves)
    channels = range(curves.n_channels)
    given = _given(points, curves.n_channels)
    positions = [_positions(curves, c, given[c], learner) for c in channels]
    models = None
    if method == "kriging":
        models = [
            fit_kriging([curves.observed(k, c) for k in range(len(curves))]) for c in channels
        ]
    return CurveGrid(positions, method, models)


def _check_observed(curves: "Curves") -> None:
    few = curves.n_points < 2
    if few.any():
        k, c = np.argwhere(few)[0]
        number = "one point" if curves.n_points[k, c] else "no observed value"
        raise ValueError(f"channel {c} of curve {k} has {number}: it needs at least two")


def _given(points: Any, channels: int) -> list[Any]:
    """What is said of the grid of each channel."""
    nested = (list, tuple, np.ndarray)
    if not isinstance(points, (list, tuple)) or not any(isinstance(p, nested) for p in points):
        return [points] * channels
    if len(points) != channels:
        raise ValueError(f"points are those of {len(points)} channels, and there are {channels}")
    return list(points)


def _positions(curves: "Curves", c: int, points: Any, learner: str | None) -> Array:
    low, high = _common_range(curves, c, learner)
    if points is None:
        found = _suggested(curves, c, low, high)
    elif is_count(points, 2):
        found = np.linspace(low, high, int(points))
    else:
        array = numbers(points)
        if array is None or array.ndim != 1 or len(array) < 2:
            raise ValueError(
                f"points (={shown(points)}) must be a number of points, at least 2, or at least "
                "two increasing positions"
            )
        return _increasing(np.asarray(array, dtype=np.float64))
    _warn_if_little(curves, c, (low, high), learner)
    return found


def _increasing(points: Array) -> Array:
    if not np.isfinite(points).all() or (np.diff(points) <= 0).any():
        raise ValueError("points must be finite and increase")
    return points


def _common_range(curves: "Curves", c: int, learner: str | None) -> tuple[float, float]:
    starts, ends = curves.ranges(c)
    late, early = int(np.argmax(starts)), int(np.argmin(ends))
    if starts[late] >= ends[early]:
        channel = f"channel {c} of " if curves.n_channels > 1 else ""
        raise ValueError(
            f"the curves have no common range: {channel}curve {early} ends at {ends[early]:g}, and "
            f"curve {late} begins at {starts[late]:g}; {learner or 'a grid'} needs one (scores of "
            "a FunctionalPCA do not)"
        )
    return float(starts[late]), float(ends[early])


def _suggested(curves: "Curves", c: int, low: float, high: float) -> Array:
    """All times, where curves have at least half of them on average; else as many as they have."""
    shared = curves.grid(c)
    if shared is not None:
        return shared
    times = np.unique(np.concatenate([curves.observed(k, c)[0] for k in range(len(curves))]))
    inside = times[(times >= low) & (times <= high)]
    if curves.n_points[:, c].mean() >= 0.5 * len(times) and len(inside) >= 2:
        return np.asarray(inside)
    return np.linspace(low, high, max(2, int(np.median(curves.n_points[:, c]))))


def _warn_if_little(
    curves: "Curves", c: int, common: tuple[float, float], learner: str | None
) -> None:
    low, high = common
    times = [curves.observed(k, c)[0] for k in range(len(curves))]
    kept = sum(int(((t >= low) & (t <= high)).sum()) for t in times)
    total = sum(map(len, times))
    if 2 * kept < total:
        warn(
            f"only {kept} of {total} observations lie in the range that all curves have in common "
            f"({low:g} to {high:g}), and {learner or 'the grid'} does not use the others: leave "
            "out the shortest curves, or take the scores of a FunctionalPCA, which uses all"
        )
