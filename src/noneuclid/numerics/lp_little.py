r"""Distances and forces in l_p of few rows, without compiled code.

To compile the loops of :mod:`noneuclid.numerics.lp` takes seconds, to load them from the cache
tenths of one. What is done here in a few microseconds more is spared both. Where a sum of powers
leaves the range of numbers, the compiled code is asked, which looks at such a pair again.
"""

from typing import Any

import numpy as np

from noneuclid.numerics.duality import TIE
from noneuclid.typing import Array

_SMALL, _LARGE = 1e-280, 1e280  # power sums within are trusted as they are
_LITTLE = 1 << 12  # differences that take no longer here, all in all
# Of few rows, so many are found in a millisecond or two; to compile that takes many seconds.
_FEW_ROWS, _LITTLE_OF_FEW = 256, 1 << 18
# The interval around the pole of a curvature, as a share of a sample's mean difference.
AROUND = 0.3
# At p = ∞, differences of this share of the largest one may be the largest after a step.
NEAR = 0.8


def is_little(n: int, m: int, d: int) -> bool:
    """Whether distances and forces between n and m rows of d numbers need no compiled code.

    Parameters
    ----------
    n, m, d : int

    Returns
    -------
    bool
    """
    size = n * m * d
    return size <= _LITTLE or (max(n, m) <= _FEW_ROWS and size <= _LITTLE_OF_FEW)


def little_squared_distance(X: Array, W: Array, p: float) -> Array | None:
    """Squared l_p distances, or None if a sum of powers leaves the range of numbers.

    Parameters
    ----------
    X : array of shape (n, d)
    W : array of shape (m, d)
    p : float
        From 1 to infinity.

    Returns
    -------
    array of shape (n, m), or None
    """
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        U = np.abs(_differences(X, W))
        if p == np.inf:
            return np.asarray(np.square(U.max(axis=0, initial=0.0)))
        sums = U.sum(axis=0) if p == 1.0 else short_power(U, p).sum(axis=0)
        if not _is_trusted(sums, U):
            return None
        return np.asarray(np.square(sums) if p == 1.0 else sums ** (2.0 / p))


def little_moments(
    X: Array, W: Array, F: Array, p: float, noise: tuple[Array, Array, Array], *, curved: bool
) -> tuple[Array, Array, Array] | None:
    r""":math:`\sum_i F_{ij} \|x_i - w_j\|^2` and its derivatives, or None beyond the range.

    Parameters
    ----------
    X : array of shape (n, d)
    W : array of shape (m, d)
    F : array of shape (n, m)
    p : float
        From 1 to infinity.
    noise : (array, array, array)
        Differences of modulus at most a_k (b_i + c_j) count as 0.
    curved : bool
        Whether the last is wanted; it has no columns otherwise.

    Returns
    -------
    costs, slopes, curvatures : arrays of shape (m,), (m, d) and (m, d)
        None, if a sum of powers leaves the range of numbers.
    """
    # Sums over samples are products of matrices if those are last.
    V, F = X.T - W[:, :, None], np.ascontiguousarray(F.T)
    with np.errstate(over="ignore", under="ignore", invalid="ignore", divide="ignore"):
        U = np.abs(V)
        if p == np.inf:
            squares, slopes, curves = _of_maxima(U, V, F, curved)
        else:
            powers = np.ones(U.shape) if p == 1.0 else short_power(U, p - 1.0)
            sums = np.einsum("jki,jki->ji", powers, U)
            if not _is_trusted(sums, U, axis=1):
                return None
            squares = np.square(sums) if p == 1.0 else sums ** (2.0 / p)
            sums[sums == 0.0] = 1.0  # rows that coincide pull nothing
            amplitudes = F * sums ** ((2.0 - p) / p)
            curves = np.zeros((len(W), 0))
            if curved:
                curves = _curvatures(U, powers, sums, np.where(squares > 0.0, F, 0.0), p)
            powers = np.copysign(powers, V)
            if p == 1.0 or noise[0].any():
                powers *= noise[0][:, None] * (noise[2][:, None, None] + noise[1]) < U
            slopes = -2.0 * weighted_sums(powers, amplitudes)
        return np.einsum("ji,ji->j", F, squares), slopes, curves


def _of_maxima(U: Array, V: Array, F: Array, curved: bool) -> tuple[Array, Array, Array]:
    """Squares, slopes and curvatures at p = ∞: only the largest differences count, and share."""
    largest = U.max(axis=1, initial=0.0)
    share = ((TIE * largest)[:, None] < U).astype(np.float64)
    amplitudes = F * largest / np.maximum(share.sum(axis=1), 1.0)
    slopes = -2.0 * weighted_sums(share * np.sign(V), amplitudes)
    curves = np.zeros((len(F), 0))
    if curved:
        curves = 2.0 * weighted_sums(((NEAR * largest)[:, None] < U).astype(np.float64), F)
    return np.square(largest), slopes, curves


def _curvatures(U: Array, powers: Array, sums: Array, F: Array, p: float) -> Array:
    """The diagonal of the Hessian, its pole smoothed, as `lp_forces` has it."""
    d = U.shape[1]
    if p == 1.0:
        near = (AROUND / d * sums)[:, None] > U
        bends = d / AROUND * weighted_sums(near.astype(np.float64), F) + F.sum(axis=1)[:, None]
        return np.asarray(2.0 * bends)
    amplitudes = 2.0 * F * sums ** ((2.0 - p) / p)
    own = (p - 1.0) * (powers / U) * amplitudes[:, None]
    if p < 2.0:
        around = AROUND * d ** (-1.0 / p)
        near = (around * sums ** (1.0 / p))[:, None] >= U
        own = np.where(near, (2.0 * around ** (p - 2.0) * F)[:, None], own)
    else:
        own[U == 0.0] = 0.0
    shared = (2.0 - p) * amplitudes / sums
    return np.asarray(own.sum(axis=2) + weighted_sums(np.square(powers), shared))


def weighted_sums(A: Array, weights: Array) -> Array:
    """Σ_i a_jki w_ji."""
    return np.asarray(np.matmul(A, weights[:, :, None])[:, :, 0])


def _differences(X: Array, W: Array) -> Array:
    """x_ik − w_jk, by features first: sums over them are sums of whole planes."""
    return np.subtract(X.T[:, :, None], W.T[:, None, :], order="C")


def _is_trusted(sums: Array, U: Array, axis: int = 0) -> bool:
    """Whether no sum, over an axis of U, overflows or vanishes, but where rows coincide."""
    if not sums.max(initial=0.0) < _LARGE:
        return False
    vanishing = sums <= _SMALL
    return not vanishing.any() or not np.moveaxis(U, axis, 0)[:, vanishing].any()


_SHORT: dict[float, Any] = {
    0.5: np.sqrt,
    1.0: lambda U: U,
    1.5: lambda U: U * np.sqrt(U),
    2.0: np.square,
    2.5: lambda U: np.square(U) * np.sqrt(U),
    3.0: lambda U: np.square(U) * U,
    4.0: lambda U: np.square(np.square(U)),
    np.inf: lambda U: U,
}


def short_power(U: Array, e: float) -> Array:
    """U^e, by products and roots for the exponents people use."""
    short = _SHORT.get(e)
    return np.asarray(U**e if short is None else short(U))
