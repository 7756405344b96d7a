"""Smoothed event sequences as functions of time."""

import math
from collections.abc import Callable

import numba
import numpy as np

from noneuclid.numerics._jit import jit, suited
from noneuclid.numerics.spikes_little import little_intensities
from noneuclid.typing import Array, IntArray

GAUSSIAN, EXPONENTIAL, LAPLACIAN, ALPHA, RECTANGULAR = range(5)

# Where h, relative to its largest value, is below 1e-17: before and after the event, in widths.
_SUPPORT = np.array([[-9.0, 9.0], [0.0, 40.0], [-40.0, 40.0], [0.0, 45.0], [-0.5, 0.5]])


def _gaussian(z: Array) -> Array:
    np.square(z, out=z)
    z *= -0.5
    np.exp(z, out=z)
    z *= 1.0 / math.sqrt(2.0 * math.pi)
    return z


# h(z) for width 1, of arrays, whose place it may take; outside of the support anything finite.
_SMOOTHINGS: list[Callable[[Array], Array]] = [
    _gaussian,
    lambda z: np.exp(-np.maximum(z, 0.0)),
    lambda z: 0.5 * np.exp(-np.abs(z)),
    lambda z: z * np.exp(-np.maximum(z, 0.0)),
    np.ones_like,
]


@jit()
def _smoothing(z: float, code: int) -> float:
    """h(z) for width 1, inside its support."""
    if code == GAUSSIAN:
        return math.exp(-0.5 * z * z) / math.sqrt(2.0 * math.pi)
    if code == EXPONENTIAL:
        return math.exp(-z)
    if code == LAPLACIAN:
        return 0.5 * math.exp(-abs(z))
    if code == ALPHA:
        return z * math.exp(-z)
    return 1.0


@jit(parallel=True)
def _intensity_rows(
    times: Array,
    offsets: IntArray,
    grid: Array,
    width: float,
    code: int,
    before: float,
    after: float,
    out: Array,
) -> None:
    for i in numba.prange(offsets.size - 1):
        start = 0
        for p in range(offsets[i], offsets[i + 1]):
            t = times[p]
            while start < grid.size and (grid[start] - t) / width < before:
                start += 1
            k = start
            while k < grid.size and (grid[k] - t) / width <= after:
                out[i, k] += _smoothing((grid[k] - t) / width, code) / width
                k += 1


def intensities(times: Array, offsets: IntArray, t: Array, width: float, code: int) -> Array:
    """λ̂_i(t) = Σ_m h(t − t_m) for sorted trains at any times t; one row per train."""
    order = np.argsort(t, kind="stable")
    before, after = _SUPPORT[code]
    out = little_intensities(times, offsets, t[order], width, _SMOOTHINGS[code], (before, after))
    if out is None:
        out = np.zeros((len(offsets) - 1, len(t)))
        fill = suited(_intensity_rows, 4 * out.size)
        fill(times, offsets, t[order], width, code, before, after, out)
    result = np.empty_like(out)
    result[:, order] = out
    return result
