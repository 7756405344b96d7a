"""Distances and forces between all pairs of rows in l_p, compiled.

A plain power sum is tried first; only where it leaves the range of floating-point numbers is the
pair evaluated again at unit scale. Threads own whole rows or fixed blocks of rows, so the number
of threads does not change a single bit.
"""

import math

import numba
import numpy as np

from noneuclid.numerics._jit import jit
from noneuclid.numerics.duality import TIE
from noneuclid.typing import Array

_SMALL, _LARGE = 1e-280, 1e280  # power sums within are trusted as they are
_TINIEST = 1e-300  # differences below have no squared norm but 0
_N_BLOCKS = 32
_PARALLEL = 1 << 16  # for fewer differences, waking the threads takes longer than the work


@jit(inline=True, sums=True)
def _power(u: float, e: float) -> float:
    """u^e for u ≥ 0; the exponents people use need no ``pow``, which is ten times slower."""
    if e == 1.0:
        return u
    if e == 2.0:
        return u * u
    if e == 0.5:
        return math.sqrt(u)
    if e == 1.5:
        return u * math.sqrt(u)
    if e == 3.0:
        return u * u * u
    if e == 4.0:
        return u * u * u * u
    return math.pow(u, e)


@jit(sums=True)
def _largest(x: Array, w: Array) -> float:
    largest = 0.0
    for k in range(x.size):
        largest = max(largest, abs(x[k] - w[k]))
    return largest


@jit(sums=True)
def _unit_power_sum(x: Array, w: Array, p: float, largest: float) -> float:
    total, unit = 0.0, 1.0 / largest
    for k in range(x.size):
        total += _power(abs(x[k] - w[k]) * unit, p)
    return total


@jit(inline=True, sums=True)
def _sums_of_powers(x: Array, W: Array, p: float, out: Array) -> None:
    for j in range(out.size):
        w, total = W[j], 0.0
        for k in range(x.size):
            total += _power(abs(x[k] - w[k]), p)
        out[j] = total


@jit(sums=True)
def _power_sums(x: Array, W: Array, p: float, out: Array) -> None:
    """out_j = Σ_k |x_k − w_jk|^p. Each common p has a loop of its own, which then vectorises."""
    if p == 1.0:
        _sums_of_powers(x, W, 1.0, out)
    elif p == 1.5:
        _sums_of_powers(x, W, 1.5, out)
    elif p == 3.0:
        _sums_of_powers(x, W, 3.0, out)
    else:
        _sums_of_powers(x, W, p, out)


@jit()
def _row_squared_distance(x: Array, W: Array, p: float, out: Array) -> None:
    if p == np.inf:
        for j in range(out.size):
            out[j] = _largest(x, W[j]) ** 2
        return
    _power_sums(x, W, p, out)
    for j in range(out.size):
        if _SMALL < out[j] < _LARGE:
            out[j] = out[j] * out[j] if p == 1.0 else out[j] ** (2.0 / p)
            continue
        largest = _largest(x, W[j])
        if largest > _TINIEST:
            norm = largest * _unit_power_sum(x, W[j], p, largest) ** (1.0 / p)
            out[j] = norm * norm
        else:
            out[j] = 0.0


@jit(parallel=True)
def _squared_distance(X: Array, W: Array, p: float, D: Array) -> None:
    for i in numba.prange(X.shape[0]):
        _row_squared_distance(X[i], W, p, D[i])


@jit()
def _few_squared_distances(X: Array, W: Array, p: float, D: Array) -> None:
    for i in range(X.shape[0]):
        _row_squared_distance(X[i], W, p, D[i])


def lp_squared_distance(X: Array, W: Array, p: float) -> Array:
    """Squared l_p distances between the rows of X and of W, 1 ≤ p ≤ ∞.

    Parameters
    ----------
    X : array of shape (n, d)
        Rows.
    W : array of shape (m, d)
        Rows.
    p : float
        From 1 to infinity.

    Returns
    -------
    array of shape (n, m)
        Squared distances.
    """
    D = np.empty((len(X), len(W)))
    evaluate = _squared_distance if len(X) * W.size > _PARALLEL else _few_squared_distances
    evaluate(np.ascontiguousarray(X), np.ascontiguousarray(W), float(p), D)
    return D


@jit(sums=True)
def _add_dual(
    x: Array, w: Array, p: float, factor: float, noise: Array, size: float, out: Array
) -> None:
    """out += factor · J(x − w); a difference of at most noise_k · size counts as 0."""
    largest = _largest(x, w)
    if largest <= _TINIEST:
        return
    if p == np.inf:
        count = 0
        for k in range(x.size):
            count += abs(x[k] - w[k]) >= TIE * largest
        for k in range(x.size):
            v = x[k] - w[k]
            if abs(v) >= TIE * largest:
                out[k] += factor / count * np.copysign(largest, v)
        return
    power_sum = _unit_power_sum(x, w, p, largest)
    amplitude, unit = factor * largest * power_sum ** ((2.0 - p) / p), 1.0 / largest
    if p == 1.0:
        for k in range(x.size):
            v = x[k] - w[k]
            limit = noise[k] * size
            # np.sign would not be vectorised
            out[k] += amplitude * (np.float64(v > limit) - np.float64(v < -limit))
    else:
        for k in range(x.size):
            v = x[k] - w[k]
            counts = np.float64(abs(v) > noise[k] * size)
            v *= unit
            out[k] += amplitude * counts * np.copysign(_power(abs(v), p - 1.0), v)


@jit()
def _pull_rows(
    X: Array, W: Array, F: Array, p: float, noise: Array, x_size: Array, w_size: Array, out: Array
) -> None:
    for i in range(X.shape[0]):
        for j in range(W.shape[0]):
            if F[i, j] != 0.0:
                size = x_size[i] + w_size[j]
                _add_dual(X[i], W[j], p, -2.0 * F[i, j], noise, size, out[j])


@jit(parallel=True)
def _pull(
    X: Array,
    W: Array,
    F: Array,
    p: float,
    noise: Array,
    x_size: Array,
    w_size: Array,
    partial: Array,
) -> None:
    n, n_blocks = X.shape[0], partial.shape[0]
    for block in numba.prange(n_blocks):
        rows = slice(block * n // n_blocks, (block + 1) * n // n_blocks)
        _pull_rows(X[rows], W, F[rows], p, noise, x_size[rows], w_size, partial[block])


def lp_pull(
    X: Array, W: Array, F: Array, p: float, noise: tuple[Array, Array, Array] | None = None
) -> Array:
    """Σ_i F_ij ∂‖x_i − w_j‖²/∂w_j = −2 Σ_i F_ij J(x_i − w_j).

    Near p = 1 the sign of a difference counts, not its size, so differences that are only
    rounding must not. ``noise`` = (a, b, c) declares them: those of modulus at most
    a_k (b_i + c_j) count as 0.

    Parameters
    ----------
    X : array of shape (n, d)
        Samples.
    W : array of shape (m, d)
        Prototypes.
    F : array of shape (n, m)
        Forces: the derivative of a cost with respect to every pair.
    p : float
        From 1 to infinity.
    noise : (array, array, array), optional
        What counts as rounding: of shapes (d,), (n,) and (m,).

    Returns
    -------
    array of shape (m, d)
        The gradient of the cost with respect to W.
    """
    if noise is None:
        noise = np.zeros(X.shape[1]), np.zeros(len(X)), np.zeros(len(W))
    X, W, F = (np.ascontiguousarray(a) for a in (X, W, F))
    if len(X) * W.size <= _PARALLEL:
        total = np.zeros(W.shape)
        _pull_rows(X, W, F, float(p), *noise, total)
        return total
    partial = np.zeros((_N_BLOCKS, *W.shape))
    _pull(X, W, F, float(p), *noise, partial)
    return np.asarray(partial.sum(axis=0))
