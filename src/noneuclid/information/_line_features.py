"""Features of a Gaussian kernel on the line: landmarks on a grid, chosen before any data."""

from collections.abc import Callable

import numpy as np
from scipy import linalg

from noneuclid.information._low_rank import gaussian_features
from noneuclid.typing import Array

Features = Callable[[Array], Array]
"""Numbers (n,) to their features (n, r)."""

# Between grid points that are so many widths apart, the kernel is missed by about e^(−π²/(2h²)).
_SPACING = 0.6
_TOLERANCE = 1e-6
_MOST = 160  # grid points; where numbers lie so far apart, features are chosen from them


def line_features(reach: float, width: float) -> Features:
    """Features on [−reach, reach] with |κ − ZZ'| of about 1e-6.

    They are z(x) = L⁻¹κ(grid, x), with the Gram matrix LL' of the grid: smooth in x, and quick
    since nothing but κ depends on x.
    """
    if reach > (0.5 * _MOST - 3) * _SPACING * width:  # their quotient may be infinite
        return lambda x: gaussian_features(np.ascontiguousarray(x[:, None]), width, _TOLERANCE)
    half = int(np.ceil(reach / (_SPACING * width))) + 2
    grid: Array = _SPACING * np.arange(-half, half + 1.0)  # in widths
    L = linalg.cholesky(_kernel(grid, grid), lower=True)
    inverse = linalg.solve_triangular(L, np.eye(len(grid)), lower=True).T
    return lambda x: np.asarray(_kernel(x / width, grid) @ inverse)


def _kernel(x: Array, y: Array) -> Array:
    D = np.subtract.outer(x, y)
    np.square(D, out=D)
    D *= -0.5
    return np.asarray(np.exp(D, out=D))  # too few numbers for threads
