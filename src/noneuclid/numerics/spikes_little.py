r"""Sums over events of a few short sequences, without compiled code.

To compile the loops of :mod:`noneuclid.numerics.spikes_gaussian` and
:mod:`noneuclid.numerics.spikes_intensity` takes seconds. What takes as long here is spared that.
"""

import math
from collections.abc import Callable

import numpy as np

from noneuclid.numerics.threads import one_blas_thread
from noneuclid.typing import Array, IntArray

# So many samples take as long here as in compiled code.
_LITTLE = 1 << 17
# Of so many pairs, all are looked at: to pick those that are near takes longer.
_PAIRS = 1 << 15
# Events side by side, so that what is made of them stays in the cache.
_TOGETHER = 64


def little_gaussian_sums(
    times: Array, offsets: IntArray, tau: float, step: float, reach: float
) -> Array | None:
    r"""Sums over k of products of smoothed trains at kΔ, all pairs, or None if there is too much.

    Parameters
    ----------
    times, offsets : arrays
        A collection of n sorted trains.
    tau : float
        Standard deviation of the Gaussians, whose largest value is 1.
    step : float
        Distance Δ of the samples.
    reach : float
        So far from an event, nothing is left of it.

    Returns
    -------
    array of shape (n, n), or None
    """
    n = len(offsets) - 1
    if not len(times) or not step > 0.0:
        return None
    window = math.floor(2.0 * reach / step) + 2
    length = float(times.max() - times.min()) / step + window + 2.0
    if not (n * length <= _LITTLE and len(times) * window <= _LITTLE):
        return None
    places = np.ceil((times - reach) / step)[:, None] + np.arange(window)
    E = times[:, None] - places * step
    E /= tau
    np.square(E, out=E)
    E *= -0.5
    np.exp(E, out=E)
    places -= places[:, 0].min()
    length = int(places.max()) + 1
    places += np.repeat(np.arange(n), np.diff(offsets))[:, None] * length
    cells = places.astype(np.intp).ravel()
    S = np.bincount(cells, weights=E.ravel(), minlength=n * length).reshape(n, length)
    with one_blas_thread(n * S.size):
        return np.asarray(S @ S.T)


def little_intensities(
    times: Array,
    offsets: IntArray,
    grid: Array,
    width: float,
    smoothing: Callable[[Array], Array],
    support: tuple[float, float],
) -> Array | None:
    r"""Sums :math:`\sum_m h((t - t_m)/w)/w` at sorted times t, or None if there is too much.

    Parameters
    ----------
    times, offsets : arrays
        A collection of n sorted trains.
    grid : array of shape (k,)
        Times, rising.
    width : float
    smoothing : callable
        h for width 1, of arrays, whose place it takes.
    support : (float, float)
        Where h is more than nothing.

    Returns
    -------
    array of shape (n, k), or None
    """
    n, k, (before, after) = len(offsets) - 1, len(grid), support
    if not 0 < len(times) <= _LITTLE or not 0 < n * k <= _LITTLE:
        return None
    with np.errstate(over="ignore", invalid="ignore"):  # far outside of the support
        # one width more on either side, for rounding
        first = np.searchsorted(grid, times + (before - 1.0) * width)
        counts = np.searchsorted(grid, times + (after + 1.0) * width, side="right") - first
        ends = np.cumsum(counts)
        n_pairs = int(ends[-1])
        if n_pairs > _PAIRS:
            if n > 1 or len(times) * k > 2 * _LITTLE:
                return None
            return _all_pairs(times, grid, width, smoothing, support)[None, :]
        places = np.arange(n_pairs) + np.repeat(first - ends + counts, counts)
        Z = grid[places]
        Z -= np.repeat(times, counts)
        Z /= width
        h = _inside(Z, smoothing, before, after)
        places += np.repeat(k * np.repeat(np.arange(n), np.diff(offsets)), counts)
        sums = np.bincount(places, weights=h, minlength=n * k).reshape(n, k)
        return np.asarray(sums / width)  # sums of nothing are integers


def _inside(Z: Array, smoothing: Callable[[Array], Array], before: float, after: float) -> Array:
    """h(z), which may take the place of z, where that is inside of the support, else 0."""
    inside = before <= Z
    inside &= after >= Z
    h = smoothing(Z)
    h *= inside
    return h


def _all_pairs(
    times: Array,
    grid: Array,
    width: float,
    smoothing: Callable[[Array], Array],
    support: tuple[float, float],
) -> Array:
    """The same of one train of which most events reach most times, a few events at once."""
    out = np.zeros(len(grid))
    for start in range(0, len(times), _TOGETHER):
        t = times[start : start + _TOGETHER]
        reach = t[0] + (support[0] - 1.0) * width, t[-1] + (support[1] + 1.0) * width
        near = slice(*np.searchsorted(grid, reach))
        Z = grid[near] - t[:, None]
        Z /= width
        if Z.size and Z[0, -1] <= support[1] and Z[-1, 0] >= support[0]:  # both are sorted
            h = smoothing(Z)
        else:
            h = _inside(Z, smoothing, *support)
        out[near] += h.sum(axis=0)
    out /= width
    return out
