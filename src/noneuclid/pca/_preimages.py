"""Points of the data space for points of feature space: a fixed point, or a learned map."""

from typing import Any

import numpy as np
from scipy import linalg

from noneuclid.numerics import first_argmax, first_argmin, row_blocks, squared_euclidean
from noneuclid.typing import Array

# A map is learned from at most so many rows, and points start from one of at most so many.
MOST = 1000
_MAX_ITER, _TOL = 500, 1e-9
# Penalties that are tried, over the mean eigenvalue.
_PENALTIES = np.logspace(-10, 2, 25)


# --- fixed point ------------------------------------------------------------------------------


def fixed_points(kernel: Any, X: Array, G: Array) -> tuple[Array, bool]:
    r"""For each column g of G a local maximum of :math:`\sum_i g_iκ(x_i, z)`; whether all rest.

    Steps go to the mean of the rows, weighted by :math:`g_i` times their attraction (Mika et al.);
    where that does not climb they become shorter.
    """
    if not hasattr(kernel, "attraction"):
        raise TypeError(
            'preimage="fixed_point" needs a kernel of the distance of a Hilbert space, and '
            f'{kernel} is none: use preimage="ridge"'
        )
    found = np.empty((G.shape[1], X.shape[1]))
    rested = True
    for some in row_blocks(G.shape[1], len(X) * 8):
        found[some], still = _climb(kernel, X, G[:, some])
        rested = rested and still
    return found, rested


def _climb(kernel: Any, X: Array, G: Array) -> tuple[Array, bool]:
    Z = _starts(kernel, X, G)
    value, step = _values(kernel, X, G, Z), np.ones(len(Z))
    size = float(np.abs(X - X.mean(axis=0)).max(initial=0.0))
    for _ in range(_MAX_ITER):
        move = _mean_shift(kernel, X, G, Z)
        if (step * np.abs(move).max(axis=1) <= _TOL * size).all():
            return Z, True
        new = Z + step[:, None] * move
        climbed = _values(kernel, X, G, new)
        better = climbed > value
        Z[better], value[better] = new[better], climbed[better]
        step = np.where(better, np.minimum(2.0 * step, 1.0), step / 2.0)
    return Z, False


def _starts(kernel: Any, X: Array, G: Array) -> Array:
    """The rows that are nearest in feature space."""
    some = X[evenly(len(X))]
    return np.array(some[first_argmax(kernel(some, X) @ G, axis=0)])


def _values(kernel: Any, X: Array, G: Array, Z: Array) -> Array:
    return np.einsum("ij,ij->j", kernel(X, Z), G)


def _mean_shift(kernel: Any, X: Array, G: Array, Z: Array) -> Array:
    """Uphill: towards the weighted mean, or away from it where all weights together repel."""
    S = kernel.attraction(X, Z) * G
    total = S.sum(axis=0)
    length = np.where(total != 0, np.abs(total), np.inf)
    return np.asarray((S.T @ X - total[:, None] * Z) / length[:, None])


# --- ridge ------------------------------------------------------------------------------------


def ridge_map(T: Array, X: Array, Y: Array, penalty: float | None) -> Array:
    r"""Rows for the scores Y by a map learned from scores T of rows X.

    A linear map by least squares, with the mean; what it leaves is learned by kernel ridge
    regression on Gaussian functions of the scores. A penalty of None is the one of least
    leave-one-out error, which may be infinite: the linear map alone.
    """
    centre, mean = T.mean(axis=0), X.mean(axis=0)
    linear = linalg.lstsq(T - centre, X - mean)[0]
    rest = X - mean - (T - centre) @ linear
    found = mean + (Y - centre) @ linear
    D = squared_euclidean(T, T)
    apart = D[np.triu_indices(len(T), 1)]
    apart = apart[apart > 1e-14 * apart.max(initial=0.0)]
    if len(apart) == 0:
        return np.asarray(found)
    width = 2.0 * float(np.median(apart))
    values, vectors = linalg.eigh(np.exp(-D / width))
    values = np.maximum(values, 0.0)
    if penalty is None:
        penalty = _least_left_out(values, vectors, rest)
    if np.isinf(penalty):
        return np.asarray(found)
    solved = vectors @ ((vectors.T @ rest) / (values + penalty)[:, None])
    return np.asarray(found + np.exp(-squared_euclidean(Y, T) / width) @ solved)


def _least_left_out(values: Array, vectors: Array, rest: Array) -> float:
    """The penalty of least leave-one-out error, e_i/(1 − h_ii) of each row."""
    penalties = [*(_PENALTIES * float(values.mean())), np.inf]
    errors = [np.square(rest).sum()]
    for penalty in penalties[:-1]:
        kept = penalty / (values + penalty)
        left = vectors @ (kept[:, None] * (vectors.T @ rest))
        leverage = np.einsum("ij,j,ij->i", vectors, kept, vectors)
        errors.insert(-1, np.square(left / np.maximum(leverage, 1e-12)[:, None]).sum())
    return float(penalties[int(first_argmin(np.array(errors)))])


def evenly(n: int) -> Array:
    """Indices of at most so many of n rows, evenly spread."""
    return np.unique(np.linspace(0, n - 1, min(n, MOST)).astype(int))
