"""Rows with missing values: what they lack, and what a whole row would have been."""

import numpy as np

from noneuclid._data import all_finite
from noneuclid.typing import Array


def require_values(rows: Array) -> None:
    """Raise for a row without any value: it is equally near to everything.

    Examples
    --------
    >>> import numpy as np
    >>> require_values(np.array([[1.0, np.nan], [np.nan, np.nan]]))
    Traceback (most recent call last):
    ...
    ValueError: row 1 of X holds nothing but NaN, so that it is as near to one prototype as to
    another: leave it out, or fill it
    """
    if all_finite(rows):
        return
    empty = np.isnan(rows).all(axis=1)
    if empty.any():
        raise ValueError(
            f"row {int(np.argmax(empty))} of X holds nothing but NaN, so that it is as near to one "
            "prototype as to another: leave it out, or fill it"
        )


def enlargement(rows: Array) -> Array:
    r"""By what a squared distance over the values that are there is multiplied: (n, 1).

    It is :math:`d / \#\{k : x_k\,\text{is there}\}`, as if what is missing were as far away as what
    is there; one for a whole row, and for one without any value.

    Examples
    --------
    >>> import numpy as np
    >>> enlargement(np.array([[1.0, np.nan], [3.0, 4.0]]))
    array([[2.],
           [1.]])
    """
    n_there = rows.shape[1] - np.isnan(rows).sum(axis=1, keepdims=True)
    return np.where(n_there > 0, rows.shape[1] / np.maximum(n_there, 1), 1.0)
