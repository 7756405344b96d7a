r"""Sums over all pairs of events of two sequences, in linear time.

A collection of trains is two arrays: all times, sorted within each train, and ``offsets``, so that
train i is ``times[offsets[i]:offsets[i + 1]]``. Every function gives
:math:`K_{ij} = \sum_{t \in x_i}\sum_{s \in y_j}\kappa(t - s)`; a row of K is computed by one
thread, in an order that depends on the data only.
"""

import math

import numba
import numpy as np

from noneuclid.numerics._jit import jit
from noneuclid.numerics.pairwise import mirrored
from noneuclid.typing import Array, IntArray

# Events of a cell are at most so many decay lengths from its origin: exp(32) · exp(−32) costs
# no digits, and a cell holds many events.
_CELL = 32.0

Cells = tuple[Array, IntArray, Array]


def _pool(times: Array, offsets: IntArray) -> tuple[Array, IntArray]:
    """All events in order of time, and the train of each."""
    owner = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    order = np.argsort(times, kind="stable")
    return times[order], owner[order]


@jit()
def _cells(pooled: Array, tau: float) -> Cells:
    """Origin of every cell, where it ends, and each event's u = (t − origin)/τ."""
    origin = np.empty(pooled.size)
    end = np.empty(pooled.size, dtype=np.int64)
    u = np.empty(pooled.size)
    k = -1
    for p in range(pooled.size):
        if k < 0 or pooled[p] - origin[k] > _CELL * tau:
            k += 1
            origin[k] = pooled[p]
        end[k] = p + 1
        u[p] = (pooled[p] - origin[k]) / tau
    return origin[: k + 1], end[: k + 1], u


@jit()
def _accumulate(x: Array, tau: float) -> tuple[Array, Array]:
    """F_m = Σ_{n≤m} exp(−(x_m − x_n)/τ), and the same with the factor (x_m − x_n)/τ."""
    F = np.ones(x.size)
    H = np.zeros(x.size)
    for m in range(1, x.size):
        d = (x[m] - x[m - 1]) / tau
        e = math.exp(-d)
        F[m] = 1.0 + e * F[m - 1]
        H[m] = e * (H[m - 1] + d * F[m - 1]) if e > 0.0 else 0.0
    return F, H


@jit()
def _exponential_row(
    x: Array,
    ahead: IntArray,
    tau: float,
    alpha: bool,
    owner: IntArray,
    cells: Cells,
    fall: Array,
    rise: Array,
    out: Array,
) -> None:
    origin, end, u = cells
    # Between two events of x and inside one cell, what x gives to an event is
    # fall · (a + b u) + rise · (c − d u), with the same four numbers for all.
    F, H = _accumulate(x, tau)
    G, Q = _accumulate(-x[::-1], tau)
    p, k, n = 0, 0, x.size
    for m in range(n + 1):
        stop = ahead[m] if m < n else owner.size
        while p < stop:
            while end[k] <= p:
                k += 1
            last = min(stop, end[k])
            a, b, c, d = 0.0, 0.0, 0.0, 0.0
            if m > 0:
                shift = (x[m - 1] - origin[k]) / tau
                e = math.exp(shift)
                if e > 0.0:
                    a = e * F[m - 1]
                    if alpha:
                        b = a
                        a = (1.0 - shift) * a + e * H[m - 1]
            if m < n:
                shift = (x[m] - origin[k]) / tau
                e = math.exp(-shift)
                if e > 0.0:
                    c = e * G[n - 1 - m]
                    if alpha:
                        d = c
                        c = (1.0 + shift) * c + e * Q[n - 1 - m]
            if alpha:
                for q in range(p, last):
                    out[owner[q]] += fall[q] * (a + b * u[q]) + rise[q] * (c - d * u[q])
            else:
                for q in range(p, last):
                    out[owner[q]] += fall[q] * a + rise[q] * c
            p = last


@jit(parallel=True)
def _exponential_rows(
    times: Array,
    offsets: IntArray,
    ahead: IntArray,
    tau: float,
    alpha: bool,
    owner: IntArray,
    cells: Cells,
    out: Array,
) -> None:
    fall, rise = np.exp(-cells[2]), np.exp(cells[2])
    for i in numba.prange(offsets.size - 1):
        own = slice(offsets[i], offsets[i + 1])
        if offsets[i] < offsets[i + 1]:
            _exponential_row(times[own], ahead[own], tau, alpha, owner, cells, fall, rise, out[i])


# Rows per pool: the Gram matrix of X with itself needs, for these rows, later columns only.
_ROWS = 128


def exponential_sums(
    times: Array,
    offsets: IntArray,
    others: Array,
    other_offsets: IntArray,
    tau: float,
    *,
    alpha: bool = False,
    same: bool = False,
) -> Array:
    r"""Sums of :math:`e^{-u}`, or with ``alpha`` of :math:`(1 + u)e^{-u}`, u = abs(t − s)/τ.

    The events of all columns are put in order of time once. A row goes through them with the
    running sums :math:`F_m = 1 + e^{-(t_m - t_{m-1})/\tau}F_{m-1}` of its own events, forward and
    backward [1]_: O(n_i + Σ_j n_j), without any exponential of a large number.

    Parameters
    ----------
    times, offsets, others, other_offsets : arrays
        Two collections of sorted trains.
    tau : float
        Decay length.
    alpha : bool
        Which of the two functions.
    same : bool
        Whether both collections are the same one: half of the work, and exact symmetry.

    References
    ----------
    .. [1] C. Houghton and T. Kreuz (2012), On the efficient calculation of van Rossum distances.
    """
    n, m = len(offsets) - 1, len(other_offsets) - 1
    K = np.zeros((n, m))
    pooled, owner = _pool(others, other_offsets)
    step = _ROWS if same else max(n, 1)
    for first in range(0, n, step):
        rows = offsets[first : first + step + 1]
        start = first if same else 0
        if same:
            later = owner >= first
            pooled, owner = pooled[later], owner[later]
        own = times[rows[0] : rows[-1]]
        ahead = np.searchsorted(pooled, own)
        cells = _cells(pooled, tau)
        block = np.zeros((len(rows) - 1, m - start))
        _exponential_rows(own, rows - rows[0], ahead, tau, alpha, owner - start, cells, block)
        K[first : first + step, start:] = block
    return mirrored(K) if same else K


@jit(parallel=True)
def _exponential_self(times: Array, offsets: IntArray, tau: float, alpha: bool, out: Array) -> None:
    for i in numba.prange(offsets.size - 1):
        F, H = _accumulate(times[offsets[i] : offsets[i + 1]], tau)
        total = 0.0
        for m in range(F.size):
            total += 2.0 * (F[m] + H[m]) - 1.0 if alpha else 2.0 * F[m] - 1.0
        out[i] = total


def exponential_self_sums(
    times: Array, offsets: IntArray, tau: float, *, alpha: bool = False
) -> Array:
    """Return the diagonal of :func:`exponential_sums`."""
    out = np.empty(len(offsets) - 1)
    _exponential_self(times, offsets, tau, alpha, out)
    return out


# --- rectangular -----------------------------------------------------------------------------


@jit()
def _triangle_pair(x: Array, y: Array, tau: float) -> float:
    total, first = 0.0, 0
    for s in y:
        while first < x.size and s - x[first] >= tau:
            first += 1
        m = first
        while m < x.size and x[m] - s < tau:
            total += 1.0 - abs(x[m] - s) / tau
            m += 1
    return total


@jit(parallel=True)
def _triangle_rows(
    times: Array,
    offsets: IntArray,
    others: Array,
    other_offsets: IntArray,
    tau: float,
    same: bool,
    out: Array,
) -> None:
    for i in numba.prange(offsets.size - 1):
        x = times[offsets[i] : offsets[i + 1]]
        for j in range(i if same else 0, other_offsets.size - 1):
            out[i, j] = _triangle_pair(x, others[other_offsets[j] : other_offsets[j + 1]], tau)


def triangle_sums(
    times: Array,
    offsets: IntArray,
    others: Array,
    other_offsets: IntArray,
    tau: float,
    *,
    same: bool = False,
) -> Array:
    """Sums of 1 − u, where u = abs(t − s)/τ is below 1: only those pairs are visited."""
    K = np.zeros((len(offsets) - 1, len(other_offsets) - 1))
    _triangle_rows(times, offsets, others, other_offsets, tau, same, K)
    return mirrored(K) if same else K


@jit(parallel=True)
def _triangle_self(times: Array, offsets: IntArray, tau: float, out: Array) -> None:
    for i in numba.prange(offsets.size - 1):
        x = times[offsets[i] : offsets[i + 1]]
        out[i] = _triangle_pair(x, x, tau)


def triangle_self_sums(times: Array, offsets: IntArray, tau: float) -> Array:
    """Return the diagonal of :func:`triangle_sums`."""
    out = np.empty(len(offsets) - 1)
    _triangle_self(times, offsets, tau, out)
    return out
