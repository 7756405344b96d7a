"""Rows that begin where memory sends whole lines, and are as long as some of them.

A vector of eight numbers that lies in two lines is read twice: a product of short rows takes up to
twice as long.
"""

import numpy as np

from noneuclid.numerics._prefetch import LINE
from noneuclid.typing import Array


def in_whole_lines(A: Array) -> Array:
    """A copy whose rows are lengthened by zeros to whole lines.

    Parameters
    ----------
    A : array of shape (n, r)
        Rows.

    Returns
    -------
    array of shape (n, s), s ≥ r
        C-contiguous.

    Examples
    --------
    >>> import numpy as np
    >>> B = in_whole_lines(np.ones((3, 5)))
    >>> B.shape, float(B.sum()), B.ctypes.data % 64
    ((3, 8), 15.0, 0)
    """
    n, r = A.shape
    longer = -(-r // LINE) * LINE
    memory = np.empty(n * longer + LINE)
    start = (-memory.ctypes.data // memory.itemsize) % LINE
    copy = memory[start : start + n * longer].reshape(n, longer)
    copy[:, :r], copy[:, r:] = A, 0.0
    return copy
