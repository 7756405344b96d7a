"""Signs of projections from step to step, of which few change, compiled."""

import numpy as np

from noneuclid.numerics._jit import jit
from noneuclid.typing import Array, IntArray


@jit(sums=True, borrows=True)
def change_signs(
    X: Array,
    w: Array,
    near: np.ndarray,
    doubt: Array,
    rest: Array,
    beyond: float,
    most: int,
    signs: Array,
    total: Array,
    changed: IntArray,
    change: Array,
) -> int:
    """The signs of Xw, and X' times them, changed in place; returns how many signs changed.

    Parameters
    ----------
    X : array of shape (n, d)
        Samples.
    w : array of shape (d,)
        A direction.
    near : array of shape (n,), of single precision
        Projections in some unit, right up to ``doubt + beyond * rest``: the others are looked at.
    doubt, rest : array of shape (n,)
    beyond : float
    most : int
        If more signs change, the sum is left as it was: a new one takes less.
    signs : array of shape (n,)
        Those before, or another number.
    total : array of shape (d,)
        The sum of X times them.
    changed, change : array of shape (n,)
        Scratch: which signs changed, and by how much.
    """
    n, d = X.shape
    count = 0
    for i in range(n):
        o = near[i]
        sign = 1.0 if o > 0.0 else -1.0
        if abs(o) <= doubt[i] + beyond * rest[i]:
            exact = 0.0
            for k in range(d):
                exact += X[i, k] * w[k]
            sign = 1.0 if exact > 0.0 else -1.0 if exact < 0.0 else 0.0
        if sign != signs[i]:
            changed[count] = i
            change[count] = sign - signs[i]
            signs[i] = sign
            count += 1
    if count <= most:
        for at in range(count):
            i, by = changed[at], change[at]
            for k in range(d):
                total[k] += by * X[i, k]
    return count
