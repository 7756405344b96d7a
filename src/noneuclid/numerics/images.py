"""Images of rows under a sparse matrix, as of curves and their derivatives."""

from typing import Any

import numpy as np
from scipy import sparse

from noneuclid.numerics._jit import jit
from noneuclid.typing import Array


@jit()
def _images(X: Array, data: Array, columns: Any, starts: Any, noise: float, Z: Array) -> None:
    for i in range(len(X)):
        for r in range(Z.shape[1]):
            total, size = 0.0, 0.0
            for j in range(starts[r], starts[r + 1]):
                term = data[j] * X[i, columns[j]]
                total += term
                size += abs(term)
            Z[i, r] = total if abs(total) > noise * size else 0.0


def cleaned_images(X: Array, T: sparse.csr_array, noise: float) -> Array:
    """``X @ T.T``, and 0 where that is rounding: differences of equal numbers.

    Parameters
    ----------
    X : array of shape (n, d)
        Rows.
    T : sparse array of shape (m, d)
        A linear map.
    noise : float
        A number of at most this share of the moduli it is the sum of becomes 0.

    Returns
    -------
    array of shape (n, m)
        Images.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy import sparse
    >>> T = sparse.csr_array([[1.0, -1.0], [0.5, 0.0]])
    >>> cleaned_images(np.array([[1.0, 1.0 + 1e-15], [3.0, 1.0]]), T, 1e-14)
    array([[0. , 0.5],
           [2. , 1.5]])
    """
    Z = np.empty((len(X), T.shape[0]))
    _images(np.ascontiguousarray(X), T.data, T.indices, T.indptr, float(noise), Z)
    return Z
