r"""Sums of Gaussians over all pairs of events, from samples of the smoothed trains.

With :math:`h_\tau` a normal density of standard deviation τ, the sum over pairs is an integral of
two smoothed trains, and the rectangle rule on a grid of step Δ,

.. math:: e^{-(t-s)^2/(4\tau^2)} = 2\tau\sqrt\pi \int h_\tau(t - v) h_\tau(s - v)\,dv
          = 2\tau\sqrt\pi\,\Delta\sum_k h_\tau(t - k\Delta)h_\tau(s - k\Delta)\,(1 + \epsilon),

is exact to :math:`|\epsilon| \le 2e^{-\pi^2\tau^2/\Delta^2}(1 + 10^{-50})`: 1.5e-17 for Δ = τ/2.
Samples are kept in blocks, and only where a train has events, so that the work is linear.
"""

import math

import numba
import numpy as np

from noneuclid.numerics._exp import exp_scalar
from noneuclid.numerics._jit import jit, suited
from noneuclid.numerics.pairwise import mirrored
from noneuclid.numerics.spikes_little import little_gaussian_sums
from noneuclid.typing import Array, IntArray

_BLOCK = 16
# Samples farther than this many τ from an event are left out; what a pair of events loses is
# less than 2 exp(−_REACH²/2) = 4.1e-16 of the kernel's largest value.
_REACH = 8.5

Samples = tuple[Array, IntArray, IntArray]


def grid_step(tau: float) -> float:
    """The largest step up to τ/2 with a short mantissa: multiples of it have no rounding error."""
    mantissa, exponent = math.frexp(tau / 2.0)
    return math.ldexp(math.floor(8.0 * mantissa) / 8.0, exponent)


@jit()
def _block_range(t: float, reach: float, width: float) -> tuple[int, int]:
    return math.floor((t - reach) / width), math.floor((t + reach) / width)


@jit(parallel=True)
def _count_blocks(times: Array, offsets: IntArray, reach: float, width: float) -> IntArray:
    counts = np.zeros(offsets.size, dtype=np.int64)
    for i in numba.prange(offsets.size - 1):
        total, following = 0, 0
        for p in range(offsets[i], offsets[i + 1]):
            first, last = _block_range(times[p], reach, width)
            if p > offsets[i]:
                first = max(first, following)
            total += max(last + 1 - first, 0)
            following = last + 1
        counts[i + 1] = total
    return counts


@jit(parallel=True)
def _fill_blocks(
    times: Array,
    offsets: IntArray,
    starts: IntArray,
    reach: float,
    step: float,
    tau: float,
    index: IntArray,
    values: Array,
) -> None:
    width = step * _BLOCK
    for i in numba.prange(offsets.size - 1):
        used, lowest = starts[i], starts[i]
        for p in range(offsets[i], offsets[i + 1]):
            t = times[p]
            first, last = _block_range(t, reach, width)
            following = index[used - 1] + 1 if used > starts[i] else first
            for b in range(max(first, following), last + 1):
                index[used] = b
                used += 1
            while index[lowest] < first:
                lowest += 1
            for row in range(lowest, used):
                origin = index[row] * width
                for k in range(_BLOCK):
                    z = (t - (origin + k * step)) / tau
                    values[row, k] += exp_scalar(-0.5 * z * z)


def gaussian_samples(times: Array, offsets: IntArray, tau: float) -> Samples:
    """Samples of Σ exp(−(t − v)²/(2τ²)) per train: values in blocks, blocks' places, starts."""
    step = grid_step(tau)
    reach = _REACH * tau
    count = suited(_count_blocks, 16 * len(times))
    starts = np.cumsum(count(times, offsets, reach, step * _BLOCK))
    index = np.zeros(starts[-1], dtype=np.int64)
    values = np.zeros((starts[-1], _BLOCK))
    fill = suited(_fill_blocks, values.size)
    fill(times, offsets, starts, reach, step, tau, index, values)
    return values, index, starts


@jit(sums=True)
def _overlap(x: Samples, p: int, p_end: int, y: Samples, q: int, q_end: int) -> float:
    (values, index, _), (others, other_index, _) = x, y
    total = 0.0
    while p < p_end and q < q_end:
        if index[p] == other_index[q]:
            for k in range(_BLOCK):
                total += values[p, k] * others[q, k]
            p += 1
            q += 1
        elif index[p] < other_index[q]:
            p += 1
        else:
            q += 1
    return total


@jit(parallel=True)
def _overlap_rows(x: Samples, y: Samples, same: bool, out: Array) -> None:
    starts, others = x[2], y[2]
    for i in numba.prange(starts.size - 1):
        for j in range(i if same else 0, others.size - 1):
            out[i, j] = _overlap(x, starts[i], starts[i + 1], y, others[j], others[j + 1])


def gaussian_sums(
    times: Array,
    offsets: IntArray,
    others: Array,
    other_offsets: IntArray,
    tau: float,
    *,
    same: bool = False,
    other_samples: Samples | None = None,
) -> Array:
    """Sums of exp(−(t − s)²/(4τ²)), each pair of events to within 5e-16.

    Samples of the other trains may be given, if they are known.
    """
    scale = grid_step(tau) / (tau * math.sqrt(math.pi))
    few = little_gaussian_sums(times, offsets, tau, grid_step(tau), _REACH * tau) if same else None
    if few is not None:
        return mirrored(few) * scale
    samples = gaussian_samples(times, offsets, tau)
    if same:
        other_samples = samples
    elif other_samples is None:
        other_samples = gaussian_samples(others, other_offsets, tau)
    K = np.zeros((len(offsets) - 1, len(other_offsets) - 1))
    fill = suited(_overlap_rows, samples[0].size * len(K))
    fill(samples, other_samples, same, K)
    K = mirrored(K) if same else K
    K *= scale
    return K


@jit(parallel=True)
def _overlap_self(x: Samples, out: Array) -> None:
    starts = x[2]
    for i in numba.prange(starts.size - 1):
        out[i] = _overlap(x, starts[i], starts[i + 1], x, starts[i], starts[i + 1])


def gaussian_self_sums(times: Array, offsets: IntArray, tau: float) -> Array:
    """Return the diagonal of :func:`gaussian_sums`."""
    out = np.empty(len(offsets) - 1)
    samples = gaussian_samples(times, offsets, tau)
    suited(_overlap_self, samples[0].size)(samples, out)
    out *= grid_step(tau) / (tau * math.sqrt(math.pi))
    return out
