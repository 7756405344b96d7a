r"""Duality maps :math:`J`, one row at a time: :math:`\|w\|^2 = \langle w, J(w)\rangle`.

Every map is evaluated at ``w / max|w|`` and scaled back by homogeneity, so that neither large
values nor large exponents overflow.
"""

import numpy as np

from noneuclid.typing import Array

TIE = 1 - 1e-13
"""At p = ∞, components of at least this share of the largest one are as large as it."""


def row_scale(V: Array) -> Array:
    """The largest modulus of each row, as a column; 1 for zero rows, so that it divides."""
    if V.shape[1] == 0:
        return np.ones((len(V), 1))
    scale: Array = np.abs(V).max(axis=1, keepdims=True)
    scale[scale == 0] = 1.0
    return scale


def _power(U: Array, exponent: float) -> Array:
    """U^exponent for U ≥ 0; the exponents people use need no ``pow``, which is ten times slower."""
    whole, half = divmod(exponent, 1.0)
    if half not in (0.0, 0.5) or not 0 < exponent <= 4:
        return np.asarray(np.power(U, exponent))
    product = np.sqrt(U) if half else U
    for _ in range(int(whole) - (half == 0.0)):
        product = product * U
    return product


def lp_norm(V: Array, p: float) -> Array:
    r""":math:`\|v\|_p` of each row, :math:`1 \le p \le \infty`.

    Parameters
    ----------
    V : array of shape (n, d)
        A vector per row.
    p : float
        From 1 to infinity.

    Returns
    -------
    array of shape (n,)
        Norms.
    """
    scale = row_scale(V)
    magnitude = np.abs(V / scale)
    if p == np.inf:
        norm = magnitude.max(axis=1, initial=0.0)
    elif p == 1:
        norm = magnitude.sum(axis=1)
    else:
        norm = np.power(_power(magnitude, p).sum(axis=1), 1 / p)
    return np.asarray(scale[:, 0] * norm)


def lp_dual(V: Array, p: float) -> Array:
    r"""Duality map of :math:`l_p`.

    .. math:: J(w) = \frac{|w|^{p-1}\,\mathrm{sgn}(w)}{\|w\|_p^{p-2}}

    At p = 1, :math:`J(w) = \|w\|_1\,\mathrm{sgn}(w)` with sgn(0) = 0. At p = ∞ the map is not
    unique; this is the mean of :math:`\|w\|_\infty\,\mathrm{sgn}(w_k) e_k` over the maximising k,
    those that fall behind by rounding included.

    Parameters
    ----------
    V : array of shape (n, d)
        A vector per row.
    p : float
        From 1 to infinity.

    Returns
    -------
    array of shape (n, d)
        J(v) of every row.
    """
    if p == 2:
        return V.copy()
    if p == 1:
        return np.asarray(np.abs(V).sum(axis=1, keepdims=True) * np.sign(V))
    scale = row_scale(V)
    U = V / scale
    if p == np.inf:
        largest = np.abs(U) >= TIE
        count = np.maximum(largest.sum(axis=1, keepdims=True), 1)
        return np.asarray(scale * np.sign(U) * largest / count)
    magnitude = np.abs(U)
    powered = _power(magnitude, p - 1)
    magnitude *= powered
    power_sum = magnitude.sum(axis=1, keepdims=True)
    power_sum[power_sum == 0] = 1.0
    # ‖u‖^(2−p) straight from the sum: a rounded norm to the power p would lose digits.
    factor = scale * np.power(power_sum, (2 - p) / p)
    J = np.copysign(powered, U, out=powered)
    J *= factor
    return np.asarray(J)


def functional_magnitudes(V: Array, tau: float) -> Array:
    r"""Lee–Verleysen's :math:`A_k + B_k`, a modulus that looks at both neighbours.

    .. math::
        A_k = \frac\tau2\begin{cases} |v_k| & v_k v_{k-1} \ge 0\\
        v_k^2 / (|v_k| + |v_{k-1}|) & \text{otherwise}\end{cases}

    and :math:`B_k` likewise with :math:`v_{k+1}`. Neighbours outside the grid count as same-sign.

    Parameters
    ----------
    V : array of shape (n, d)
        A vector per row.
    tau : float
        Distance of neighbouring points.

    Returns
    -------
    array of shape (n, d)
        None negative.
    """
    size, sign = np.abs(V), np.sign(V)
    here, there = slice(1, None), slice(None, -1)
    opposite = sign[:, here] * sign[:, there] < 0
    total = np.where(opposite, size[:, here] + size[:, there], 1.0)
    magnitudes = tau * size
    for k, neighbour in ((here, there), (there, here)):
        # |v| - v²/(|v|+|u|) = |v||u|/(|v|+|u|)
        loss = size[:, k] * (size[:, neighbour] / total)
        magnitudes[:, k] -= tau / 2 * np.where(opposite, loss, 0.0)
    return magnitudes


def functional_dual(V: Array, p: float, tau: float) -> Array:
    r"""Gradient of :math:`\tfrac12\|v\|^2` for :math:`\|v\| = \|A(v) + B(v)\|_p`.

    The chain rule with the :math:`l_p` duality map outside. Where a component is zero beside a
    non-zero neighbour, the mean of the two one-sided derivatives is taken; for p = 1 that is the
    derivative itself.

    Parameters
    ----------
    V : array of shape (n, d)
        A vector per row.
    p : float
        Of the outer norm, at least 1.
    tau : float
        Distance of neighbouring points.

    Returns
    -------
    array of shape (n, d)
        J(v) of every row.
    """
    scale = row_scale(V)
    U = V / scale
    magnitudes = functional_magnitudes(U, tau)
    outer = lp_dual(magnitudes, p)
    if p == 1:  # a magnitude never decreases from 0: its own derivative there is 1, not sgn(0)
        outer[:] = magnitudes.sum(axis=1, keepdims=True)
    size, sign = np.abs(U), np.sign(U)
    here, there = slice(1, None), slice(None, -1)
    opposite = sign[:, here] * sign[:, there] < 0
    total = np.where(opposite, size[:, here] + size[:, there], 1.0)
    dual = tau * sign * outer
    for k, u in ((here, there), (there, here)):
        share_k, share_u = size[:, k] / total, size[:, u] / total
        zero_beside_u = sign[:, k] == 0
        dual[:, k] -= tau / 2 * np.where(opposite, sign[:, k] * share_u**2 * outer[:, k], 0.0)
        dual[:, u] -= tau / 2 * np.where(opposite, sign[:, u] * share_k**2 * outer[:, k], 0.0)
        # One side of zero: v_k itself grows (derivative τ/2·sgn u); other side: u's modulus
        # shrinks (the same derivative). Half of each.
        one_sided = tau / 4 * sign[:, u] * (outer[:, k] + outer[:, u])
        dual[:, k] += np.where(zero_beside_u, one_sided, 0.0)
    return np.asarray(scale * dual)
