r"""The duality map of Lee and Verleysen's norm, compiled.

In the letters of `lee`, with the share :math:`s_k = |v_{k+1}| / (|v_k| + |v_{k+1}|)` of the right
neighbour (0 unless signs are opposite), :math:`1 - s_{k-1}` that of the left one, and
:math:`P_k = m_k^{p-1}`, each neighbour takes half of its squared share away:

.. math:: J(v)_k \propto \mathrm{sgn}(v_k) \bigl(P_k - \tfrac12 s_k^2 (P_k + P_{k+1})
          - \tfrac12 (1 - s_{k-1})^2 (P_{k-1} + P_k)\bigr) .

Beside the ends of the grid stands a 0, which changes nothing. `functional_dual` is the simple form
of the same.
"""

import math

import numpy as np

from noneuclid.numerics._jit import jit
from noneuclid.numerics._lanes import larger, quotient, signed, where_negative
from noneuclid.numerics._pow import pow_scalar
from noneuclid.numerics.duality import TIE
from noneuclid.typing import Array

_NOTHING = 5e-324  # the smallest number above 0
_STEEPEST = 1e300  # exponents beyond it would overflow themselves


# Few functions, since each is optimised once by itself and again wherever it is called.


@jit(sums=True)
def _outer(M: Array, p: float) -> float:
    """M becomes the duality map of l_p, but for the factor returned; at p = 1 at no zero."""
    inside = range(1, M.size - 1)
    total, largest = 0.0, 0.0
    for k in inside:
        total += M[k]
        largest = larger(largest, M[k])
    if p == 1.0:
        for k in inside:
            M[k] = 1.0
        return total
    if not largest > 0.0:
        return 0.0
    total = 0.0
    for k in inside:
        share = quotient(M[k], largest)
        if p == np.inf:
            M[k] = 1.0 if share >= TIE else 0.0
            total += M[k]
        else:
            M[k] = pow_scalar(share, p - 1.0)
            total += share * M[k]
    return largest * (1.0 / total if p == np.inf else math.pow(total, (2.0 - p) / p))


@jit(sums=True)
def padded_dual(v: Array, p: float, Q: Array, P: Array, J: Array) -> None:
    """J(v) at τ = 1 for v of moderate size with a 0 at each end, which J has, too.

    Q and P are scratch of the same size; the ends of P and J have to be 0 before.
    """
    for k in range(v.size - 1):
        Q[k] = where_negative(v[k] * v[k + 1], quotient(1.0, abs(v[k]) + abs(v[k + 1])))
    for k in range(1, v.size - 1):
        loss = abs(v[k - 1]) * Q[k - 1] + abs(v[k + 1]) * Q[k]
        P[k] = abs(v[k]) - 0.5 * abs(v[k]) * loss
    factor = _outer(P, p) if p != 2.0 else 1.0
    for k in range(1, v.size - 1):
        a, left, right = v[k], v[k - 1], v[k + 1]
        before, after = P[k - 1] + P[k], P[k] + P[k + 1]
        s, t = right * Q[k], left * Q[k - 1]
        slope = signed(1.0, a) * (P[k] - 0.5 * (s * s * after + t * t * before))
        # Beside b a zero, which grows on one side only: half of each one-sided derivative.
        side = where_negative(-abs(left), signed(0.25 * before, left))
        side += where_negative(-abs(right), signed(0.25 * after, right))
        # One of the two is 0.
        J[k] = factor * (where_negative(-abs(a), slope) + where_negative(abs(a) - _NOTHING, side))


@jit()
def _duals(V: Array, p: float, tau: float, out: Array) -> None:
    n, d = V.shape
    v, Q, P, J = np.zeros(d + 2), np.zeros(d + 2), np.zeros(d + 2), np.zeros(d + 2)
    for i in range(n):
        scale = 0.0
        for k in range(d):
            scale = max(scale, abs(V[i, k]))
        divisor = scale if scale > 0.0 else 1.0
        for k in range(d):
            v[k + 1] = quotient(V[i, k], divisor)
        padded_dual(v, p, Q, P, J)
        for k in range(d):
            out[i, k] = J[k + 1] * tau * tau * scale


def lee_dual(V: Array, p: float, tau: float) -> Array:
    r"""Gradient of half the squared Lee–Verleysen norm, as `functional_dual`, compiled.

    Parameters
    ----------
    V : array of shape (n, d)
        A vector per row.
    p : float
        Of the outer norm, from 1 to infinity.
    tau : float
        Distance of neighbouring points.

    Returns
    -------
    array of shape (n, d)
        J(v) of every row.

    Examples
    --------
    >>> import numpy as np
    >>> lee_dual(np.array([[1.0, 2.0, -2.0]]), p=1.0, tau=1.0)
    array([[ 4.,  3., -3.]])
    """
    out = np.empty(V.shape)
    p = min(float(p), _STEEPEST) if p < np.inf else np.inf
    _duals(np.ascontiguousarray(V), p, float(tau), out)
    return out
