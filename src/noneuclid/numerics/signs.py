"""Signs and bases that are the same on every machine.

An eigenvector, singular vector or component is determined up to its sign, and those of an
eigenvalue that repeats up to a rotation; a library of linear algebra returns whichever its
instruction set led it to.
"""

import numpy as np
from scipy import linalg

from noneuclid.typing import Array

# Eigenvectors are known to about rounding over the relative gap of their eigenvalues; entries
# whose moduli agree to half of the digits may change places from one machine to the next.
_TIE = 1e-8
# Eigenvalues that agree so well, relative to themselves or to the largest, are the same one.
_SAME, _ROUNDING = 1e-12, 2e-15


def orientation(V: Array, axis: int = 0) -> Array:
    """±1 for every vector: the sign of its first entry of largest modulus, up to rounding.

    Vectors lie along ``axis``, which is kept with length one; a vector of zeros has +1.

    Parameters
    ----------
    V : array
        Vectors.
    axis : int, default=0
        Along which they lie: 0 for columns.

    Returns
    -------
    array
        ±1.

    Examples
    --------
    >>> import numpy as np
    >>> orientation(np.array([[1.0, -2.0], [3.0, 2.0 + 1e-12]]))
    array([[ 1., -1.]])
    """
    V = np.asarray(V)
    if V.shape[axis] == 0:
        return np.ones_like(V.sum(axis=axis, keepdims=True))
    size = np.abs(V)
    first = (size >= (1.0 - _TIE) * size.max(axis=axis, keepdims=True)).argmax(axis=axis)
    leading = np.take_along_axis(V, np.expand_dims(first, axis), axis=axis)
    return np.where(leading < 0, -1.0, 1.0)


def fix_signs(V: Array, axis: int = 0) -> Array:
    """The vectors along ``axis``, each with its entry of largest modulus positive.

    Of entries whose moduli agree up to rounding the first one counts.

    Parameters
    ----------
    V : array
        Vectors.
    axis : int, default=0
        Along which they lie: 0 for columns.

    Returns
    -------
    array of the shape of V
        A copy.

    Examples
    --------
    >>> import numpy as np
    >>> fix_signs(np.array([[0.5, -3.0], [1.0, 1.0]]), axis=1)
    array([[-0.5,  3. ],
           [ 1. ,  1. ]])
    """
    return np.asarray(V * orientation(V, axis))


def fix_vectors(values: Array, vectors: Array) -> Array:
    r"""Eigenvectors (columns) with fixed signs, and a fixed basis where an eigenvalue repeats.

    The projector on such an eigenspace is determined, so are the directions in it along which
    :math:`\sum_i \sqrt{i}\,v_i^2` is stationary. Equal eigenvalues are neighbours.

    Parameters
    ----------
    values : array of shape (r,)
        Eigenvalues, equal ones side by side.
    vectors : array of shape (n, r)
        Eigenvectors, as columns.

    Returns
    -------
    array of shape (n, r)
        Eigenvectors of the same eigenvalues.

    Examples
    --------
    >>> import numpy as np
    >>> fix_vectors(np.ones(2), np.array([[0.6, -0.8], [0.8, 0.6]])).round(12) + 0.0
    array([[1., 0.],
           [0., 1.]])
    """
    if len(values) > 1:
        size = np.abs(values)
        same = np.abs(np.diff(values)) <= _SAME * size[1:] + _ROUNDING * size.max()
        ends = np.concatenate([np.flatnonzero(~same) + 1, [len(values)]])
        for start, stop in zip(np.concatenate([[0], ends]), ends):
            if stop - start > 1:
                V = vectors[:, start:stop]
                weights = np.sqrt(np.arange(1.0, len(V) + 1.0))
                vectors = vectors.copy()
                vectors[:, start:stop] = V @ linalg.eigh(V.T @ (weights[:, None] * V))[1]
    return fix_signs(vectors)
