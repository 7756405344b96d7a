"""Derivatives and integrals on a grid, as matrices."""

import numpy as np
from scipy import sparse

from noneuclid._memory import require_matrices
from noneuclid.typing import Array

# Steps of a uniform grid differ by the rounding of its positions.
_SAME_STEP = 1e-10


def difference_matrix(grid: Array) -> sparse.csr_array:
    """First derivative on a grid of at least two points: what ``numpy.gradient`` computes.

    Central differences inside (second order, also where the grid is not uniform), one-sided at
    the two ends.

    Parameters
    ----------
    grid : array of shape (d,)
        Positions, rising.

    Returns
    -------
    sparse array of shape (d, d)
        D with ``D @ f`` the derivative of values f.

    Examples
    --------
    >>> import numpy as np
    >>> difference_matrix(np.array([0.0, 1.0, 2.0])).toarray()
    array([[-1. ,  1. ,  0. ],
           [-0.5,  0. ,  0.5],
           [ 0. , -1. ,  1. ]])
    """
    n, step = len(grid), np.diff(grid)
    if np.ptp(step) <= _SAME_STEP * step.mean():  # else rounding would weigh the middle point
        step[:] = step.mean()
    lower, main, upper = np.zeros(n - 1), np.zeros(n), np.zeros(n - 1)
    left, right = step[:-1], step[1:]
    lower[:-1] = -right / (left * (left + right))
    main[1:-1] = (right - left) / (left * right)
    upper[1:] = left / (right * (left + right))
    main[0], upper[0] = -1 / step[0], 1 / step[0]
    lower[-1], main[-1] = -1 / step[-1], 1 / step[-1]
    return sparse.csr_array(sparse.diags_array([lower, main, upper], offsets=[-1, 0, 1]))


def savgol_matrix(
    n: int, order: int, spacing: float, window_length: int, polyorder: int
) -> sparse.csr_array:
    """Savitzky–Golay derivative of the given order; the fit at the ends is a polynomial too.

    Parameters
    ----------
    n : int
        Points of the curve.
    order : int
        Of the derivative.
    spacing : float
        Distance of neighbouring points.
    window_length : int
        Points of the local fit, odd.
    polyorder : int
        Degree of the local fit, at least ``order``.

    Returns
    -------
    sparse array of shape (n, n)
        D with ``D @ f`` the derivative of values f.
    """
    from scipy.signal import savgol_filter

    what = f"the matrix of a Savitzky-Golay derivative at {n:,} points"
    require_matrices(what, n, copies=3.0, instead='use derivative="central"')
    matrix = savgol_filter(
        np.eye(n), window_length, polyorder, deriv=order, delta=spacing, axis=0, mode="interp"
    )
    matrix[np.abs(matrix) < 1e-14 * np.abs(matrix).max()] = 0.0
    return sparse.csr_array(matrix)


def quadrature_weights(grid: Array, rule: str) -> Array:
    """Weights q with Σ q_k f(t_k) ≈ ∫ f: every point one step ("rectangle"), or "trapezoid".

    Parameters
    ----------
    grid : array of shape (d,)
        Positions, rising.
    rule : {"rectangle", "trapezoid"}
        Which rule.

    Returns
    -------
    array of shape (d,)
        Weights.
    """
    step = np.diff(grid)
    if rule == "rectangle":
        return np.full(len(grid), step.mean())
    weights = np.zeros(len(grid))
    weights[:-1] += step / 2
    weights[1:] += step / 2
    return weights
