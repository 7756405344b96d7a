"""What a table of numbers is: proximities, curves or vectors."""

import numpy as np

from noneuclid.typing import Array

# Curves of fewer points are as well taken as vectors.
_FEWEST_POINTS = 16
# Independent columns give a ratio of about 1, a sine of one period over 20 points 0.05.
_SMOOTH = 0.25
# Below, a square table is not a matrix of proximities with errors in it.
_ALIKE = 0.5
_FEWEST_PAIRS = 20
_ASYMMETRY = 1e-8


def guess_kind(X: Array, *, has_grid: bool = False, names_match: bool = False) -> str:
    """Guess what the numbers are.

    A square table that is symmetric, or nearly so, holds proximities: dissimilarities if its
    diagonal is zero and nothing is negative, similarities otherwise. A table is one of curves if
    neighbouring columns are alike (von Neumann's ratio of successive differences to the variance
    is below 0.25), and one of vectors otherwise.

    Parameters
    ----------
    X : array of shape (n, d)
        May hold NaN.
    has_grid : bool, default=False
        Whether the columns have positions.
    names_match : bool, default=False
        Whether rows and columns have the same names.

    Returns
    -------
    kind : str

    Examples
    --------
    >>> t = np.linspace(0, 1, 50)
    >>> guess_kind(np.sin(np.outer([3, 4, 5], t)))
    'curves'
    >>> guess_kind(np.array([[0.0, 2.0], [2.0, 0.0]]))
    'dissimilarity'
    """
    if is_proximity_like(X, names_match=names_match):
        return proximity_kind(X)
    return "curves" if has_grid or not is_rough(X) else "vectors"


def is_rough(X: Array) -> bool:
    """Whether rows have too few columns for curves, or neighbouring ones are not alike."""
    return X.shape[1] < _FEWEST_POINTS or not roughness(X) < _SMOOTH


def is_doubtful(X: Array) -> bool:
    """Whether there are columns enough for curves, neither clearly smooth nor clearly rough."""
    if X.shape[1] < _FEWEST_POINTS:
        return False
    return bool(_SMOOTH / 2 < roughness(X) < 2 * _SMOOTH)


def is_proximity_like(X: Array, *, names_match: bool = False) -> bool:
    """Whether the table, which may hold NaN, is square and as good as symmetric."""
    if X.shape[0] != X.shape[1] or len(X) < 2:
        return False
    if names_match or asymmetry(X)[0] <= _ASYMMETRY:
        return True
    upper = np.triu_indices(len(X), 1)
    a, b = X[upper], X.T[upper]
    seen = np.isfinite(a) & np.isfinite(b)
    if seen.sum() < _FEWEST_PAIRS or not (np.ptp(a[seen]) > 0 and np.ptp(b[seen]) > 0):
        return bool(np.nanmax(np.abs(np.diag(X)), initial=0.0) == 0)
    return bool(np.corrcoef(a[seen], b[seen])[0, 1] > _ALIKE)


def proximity_kind(P: Array) -> str:
    """Similarities or dissimilarities, by the diagonal."""
    size = np.nanmax(np.abs(P), initial=0.0)
    zero = np.nanmax(np.abs(np.diag(P)), initial=0.0) <= _ASYMMETRY * size
    return "dissimilarity" if zero and np.nanmin(P, initial=0.0) >= 0 else "similarity"


def asymmetry(P: Array) -> tuple[float, int, int]:
    """Largest |p_ij − p_ji| as a share of the largest |p|, and where it is."""
    difference = np.nan_to_num(np.abs(P - P.T))
    i, j = np.unravel_index(int(difference.argmax()), P.shape)
    size = np.nanmax(np.abs(P), initial=0.0)
    return float(difference[i, j] / size) if size > 0 else 0.0, int(i), int(j)


def roughness(X: Array) -> float:
    r"""Von Neumann's ratio, :math:`\sum_j (x_{j+1}-x_j)^2 / 2\sum_j (x_j-\bar x)^2`.

    The mean curve is taken off first: features of different sizes are no curve.

    Examples
    --------
    >>> round(roughness(np.random.default_rng(0).normal(size=(100, 50))), 1)
    1.0
    """
    X = X - _means(X, axis=0)
    steps = np.nansum(np.diff(X, axis=1) ** 2)
    spread = 2 * np.nansum((X - _means(X, axis=1)) ** 2)
    return float(steps / spread) if spread > 0 else 1.0


def _means(X: Array, axis: int) -> Array:
    """Means of what is there; 0 where nothing is."""
    counts = (~np.isnan(X)).sum(axis=axis, keepdims=True)
    return np.nansum(X, axis=axis, keepdims=True) / np.maximum(counts, 1)
