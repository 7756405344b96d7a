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
LITTLE = 1 << 12  # differences that take no longer here, all in all
# A matrix of all pairs of few and narrow rows is made once, not again and again.
_FEWEST, _MOST, _NARROW, _PAIRS = 8, 256, 8, 1 << 17


def is_little(n: int, m: int, d: int, p: float) -> bool:
    """Whether distances between n and m rows of d numbers need no compiled code.

    Parameters
    ----------
    n, m, d : int
    p : float
        Exponents without a short power are slower here.

    Returns
    -------
    bool
    """
    size = n * m * d
    if size <= LITTLE:
        return True
    is_square = min(n, m) >= _FEWEST and max(n, m) <= _MOST
    return is_square and d <= _NARROW and size <= _PAIRS and p in _SHORT


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
        sums = U.sum(axis=0) if p == 1.0 else _power(U, p).sum(axis=0)
        if not _is_trusted(sums, U):
            return None
        return np.asarray(np.square(sums) if p == 1.0 else sums ** (2.0 / p))


def little_moments(
    X: Array, W: Array, F: Array, p: float, noise: tuple[Array, Array, Array]
) -> tuple[Array, Array] | None:
    r""":math:`\sum_i F_{ij} \|x_i - w_j\|^2` and its gradient, or None if numbers leave the range.

    Parameters
    ----------
    X : array of shape (n, d)
    W : array of shape (m, d)
    F : array of shape (n, m)
    p : float
        From 1 to infinity.
    noise : (array, array, array)
        Differences of modulus at most a_k (b_i + c_j) count as 0.

    Returns
    -------
    costs, slopes : arrays of shape (m,) and (m, d)
        None, if a sum of powers leaves the range of numbers.
    """
    V = _differences(X, W)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        U = np.abs(V)
        if p == np.inf:
            largest = U.max(axis=0, initial=0.0)
            slopes = (TIE * largest < U).astype(np.float64)
            squares = np.square(largest)
            amplitudes = F * largest / np.maximum(slopes.sum(axis=0), 1.0)
        else:
            slopes = np.ones(U.shape) if p == 1.0 else _power(U, p - 1.0)
            sums = (slopes * U).sum(axis=0)
            if not _is_trusted(sums, U):
                return None
            amplitudes = F * np.where(sums > 0.0, sums, 1.0) ** ((2.0 - p) / p)
            squares = np.square(sums) if p == 1.0 else sums ** (2.0 / p)
            if noise[0].any():
                slopes *= noise[0][:, None, None] * np.add.outer(*noise[1:]) < U
        slopes *= np.sign(V)
        gradient = np.ascontiguousarray(-2.0 * (slopes * amplitudes).sum(axis=1).T)
        return np.einsum("ij,ij->j", F, squares), gradient


def _differences(X: Array, W: Array) -> Array:
    """x_ik − w_jk, by features first: sums over them are sums of whole planes."""
    return np.subtract(X.T[:, :, None], W.T[:, None, :], order="C")


def _is_trusted(sums: Array, U: Array) -> bool:
    """Whether no sum overflows or vanishes, but where rows coincide."""
    if not sums.max(initial=0.0) < _LARGE:
        return False
    vanishing = sums <= _SMALL
    return not vanishing.any() or not U[:, vanishing].any()


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


def _power(U: Array, e: float) -> Array:
    short = _SHORT.get(e)
    return np.asarray(U**e if short is None else short(U))
