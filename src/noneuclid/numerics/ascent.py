"""One pass of the l1 ascent over the data, compiled: project each row and add it with its sign."""

import numpy as np

from noneuclid.numerics._jit import jit
from noneuclid.numerics._types import Array


@jit(sums=True)
def _sign_pass(X: Array, w: Array, o: Array, g: Array) -> None:
    for i in range(X.shape[0]):
        x, dot = X[i], 0.0
        for k in range(w.size):
            dot += x[k] * w[k]
        o[i] = dot
        if dot > 0.0:
            for k in range(w.size):
                g[k] += x[k]
        elif dot < 0.0:
            for k in range(w.size):
                g[k] -= x[k]


def sign_pass(X: Array, w: Array) -> tuple[Array, Array]:
    """o = Xw and g = Σ sgn(o_i) x_i, reading X once; one thread, which memory keeps busy.

    Examples
    --------
    >>> import numpy as np
    >>> sign_pass(np.array([[1.0, 0.0], [0.0, -2.0]]), np.array([1.0, 1.0]))
    (array([ 1., -2.]), array([1., 2.]))
    """
    o, g = np.empty(len(X)), np.zeros(X.shape[1])
    _sign_pass(np.ascontiguousarray(X), np.ascontiguousarray(w), o, g)
    return o, g
