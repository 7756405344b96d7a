r"""Lee and Verleysen's distances and forces of few rows, without compiled code.

To compile :mod:`noneuclid.numerics.lee` takes ten seconds and more: what is found in a millisecond
or two here is spared that. Differences are arrays of shape (m, d, n), so that sums over samples are
products of matrices.
"""

import numpy as np

from noneuclid.numerics.lp_little import AROUND, short_power, weighted_sums
from noneuclid.typing import Array

_SMALL, _LARGE = 1e-280, 1e280  # power sums within are trusted as they are
_TINY = 1e-300


def little_lee_distance(X: Array, W: Array, p: float) -> Array:
    """Squared distances at τ = 1.

    Parameters
    ----------
    X : array of shape (n, d)
    W : array of shape (m, d)
    p : float
        From 1 to infinity.

    Returns
    -------
    array of shape (n, m)
    """
    M = _magnitudes(X.T - W[:, :, None])[0]
    if p == np.inf:
        return np.asarray(np.square(M.max(axis=1, initial=0.0)).T)
    sums = np.einsum("jki,jki->ji", _powers(M, p), M).T
    return np.asarray(sums if p == 2.0 else sums ** (2.0 / p))


def little_lee_moments(
    X: Array, W: Array, F: Array, p: float, *, curved: bool
) -> tuple[Array, Array, Array]:
    """Σ_i F_ij d(x_i, w_j) at τ = 1, its gradient, and how steeply that changes, about.

    Parameters
    ----------
    X : array of shape (n, d)
    W : array of shape (m, d)
    F : array of shape (n, m)
    p : float
        From 1 on, finite.
    curved : bool
        Whether the last is wanted; it has no columns otherwise.

    Returns
    -------
    costs, slopes, curvatures : arrays of shape (m,), (m, d) and (m, d)
    """
    V, d = X.T - W[:, :, None], X.shape[1]
    M, left, right = _magnitudes(V)
    P = _powers(M, p)
    sums = np.einsum("jki,jki->ji", P, M)
    fine = (sums > _SMALL) & (sums < _LARGE)
    sums = np.where(fine, sums, 1.0)
    forces = np.where(fine, F.T, 0.0)
    amplitudes = 2.0 * forces * sums ** ((2.0 - p) / p)
    both = 0.5 * (P[:, 1:] + P[:, :-1])
    dual = P.copy()
    dual[:, :-1] -= both * np.square(right)
    dual[:, 1:] -= both * np.square(left)
    dual *= np.sign(V)
    if not V.all():
        _add_sides(V, both, dual)
    curves = np.zeros((len(W), 0))
    if curved:
        near = AROUND * (sums / d) ** (1.0 / p) + _TINY
        curves = weighted_sums(np.abs(dual) / np.maximum(np.abs(V), near[:, None]), amplitudes)
    costs = np.einsum("ji,ji->j", forces, sums ** (2.0 / p))
    return costs, -weighted_sums(dual, amplitudes), curves


def _magnitudes(V: Array) -> tuple[Array, Array, Array]:
    """m_k, and the shares of the left and of the right one in neighbours of opposite sign."""
    U = np.abs(V)
    total = np.where(V[:, 1:] * V[:, :-1] < 0.0, U[:, 1:] + U[:, :-1], np.inf)
    left, right = U[:, :-1] / total, U[:, 1:] / total
    half = 0.5 * (left * U[:, 1:])  # of what both lose
    U[:, 1:] -= half
    U[:, :-1] -= half
    return U, left, right


def _powers(M: Array, p: float) -> Array:
    return np.ones(M.shape) if p == 1.0 else short_power(M, p - 1.0)


def _add_sides(V: Array, both: Array, dual: Array) -> None:
    """A zero beside another number grows on one side only: half of each one-sided derivative."""
    sign = np.sign(V)
    side = np.zeros(V.shape)
    side[:, 1:] += sign[:, :-1] * both
    side[:, :-1] += sign[:, 1:] * both
    dual += np.where(V == 0.0, 0.5 * side, 0.0)
