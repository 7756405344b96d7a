r"""Forces of a block of samples on one prototype in l_p, and how steeply they change, compiled.

With :math:`v = x - w` and :math:`S = \sum_k |v_k|^p` the gradient of :math:`\|v\|_p^2` in w is

.. math:: -2 S^{(2-p)/p} |v_k|^{p-1}\mathrm{sgn}(v_k)

and the diagonal of its Hessian

.. math:: 2 S^{(2-p)/p} \Bigl((p-1)|v_k|^{p-2} + (2-p)\frac{|v_k|^{2p-2}}{S}\Bigr).

Below p = 2 the first term has a pole (at p = 1 a jump of the gradient). What counts for a step is
its mean over many samples: near the pole it is replaced by its mean over an interval around it.
"""

import numpy as np

from noneuclid.numerics._jit import jit
from noneuclid.numerics._lanes import larger, quotient, signed, where_negative
from noneuclid.numerics._pow import pow_scalar
from noneuclid.numerics.duality import TIE
from noneuclid.numerics.lp import (
    LARGE,
    ROWS,
    SMALL,
    TINIEST,
    exact_square,
    largest_difference,
    largest_moduli,
    power,
    sums_of_moduli,
    unit_power_sum,
)
from noneuclid.typing import Array, IntArray

# The interval around the pole, as a share of a sample's mean difference.
_AROUND = 0.3
# At p = ∞, differences of this share of the largest one may be the largest after a step.
_NEAR = 0.8


@jit(sums=True)
def _add_dual(
    x: Array, w: Array, p: float, factor: float, noise: Array, size: float, out: Array
) -> None:
    """out += factor · J(x − w), at unit scale; a difference up to noise_k · size counts as 0."""
    largest = largest_difference(x, w)
    if largest <= TINIEST:
        return
    power_sum = unit_power_sum(x, w, p, largest)
    amplitude, unit = factor * largest * power_sum ** ((2.0 - p) / p), 1.0 / largest
    for k in range(x.size):
        v = x[k] - w[k]
        if abs(v) > noise[k] * size:
            out[k] += amplitude * signed(power(abs(v) * unit, p - 1.0), v)


@jit(inline=True, sums=True)
def _powers_and_sums(C: Array, w: Array, e: float, P: Array, sums: Array) -> None:
    for k in range(w.size):
        for i in range(ROWS):
            u = abs(C[k, i] - w[k])
            P[k, i] = power(u, e)
            sums[i] += P[k, i] * u


@jit(sums=True)
def _block_powers(C: Array, w: Array, p: float, P: Array, sums: Array) -> None:
    """|v|^(p−1) of all differences, and Σ_k |v_k|^p; at p = ∞ the largest."""
    sums[:] = 0.0
    if p == np.inf:
        largest_moduli(C, w, sums)
    elif p == 1.0:
        sums_of_moduli(C, w, sums)
    elif p == 1.5:
        _powers_and_sums(C, w, 0.5, P, sums)
    elif p == 2.5:
        _powers_and_sums(C, w, 1.5, P, sums)
    elif p == 3.0:
        _powers_and_sums(C, w, 2.0, P, sums)
    else:
        for k in range(w.size):
            for i in range(ROWS):
                P[k, i] = pow_scalar(abs(C[k, i] - w[k]), p - 1.0)
                sums[i] += P[k, i] * abs(C[k, i] - w[k])


@jit(sums=True)
def _block_slope(
    C: Array, w: Array, a: Array, P: Array, noise: Array, size: Array, slope: Array
) -> None:
    """slope_k += Σ_i a_i |v|^(p−1) sgn(v)."""
    for k in range(w.size):
        total = 0.0
        for i in range(ROWS):
            v = C[k, i] - w[k]
            beyond = noise[k] * size[i] - abs(v)
            total += a[i] * where_negative(beyond, signed(P[k, i], v))
        slope[k] += total


@jit(sums=True)
def _block_of_signs(
    C: Array, w: Array, noise: Array, size: Array, scratch: Array, slope: Array, curve: Array
) -> None:
    """Both at p = 1: slope_k += Σ_i a_i sgn(v), and the curvature without its pole."""
    sums, a, near, pole = scratch[0], scratch[1], scratch[2], scratch[3]
    if curve.size == 0:
        for k in range(w.size):
            total, level, unit = 0.0, noise[k], w[k]
            for i in range(ROWS):
                v = C[k, i] - unit
                total += where_negative(level * size[i] - abs(v), signed(1.0, v) * a[i])
            slope[k] += total
        return
    shared = 0.0
    for i in range(ROWS):
        pole[i] = quotient(a[i], near[i])
        shared += quotient(a[i], sums[i])
    for k in range(w.size):
        total, bend, level, unit = 0.0, 0.0, noise[k], w[k]
        for i in range(ROWS):
            v = C[k, i] - unit
            u = abs(v)
            total += where_negative(level * size[i] - u, signed(1.0, v) * a[i])
            bend += where_negative(u - near[i], pole[i])
        slope[k] += total
        curve[k] -= bend + shared


@jit(sums=True)
def _block_slope_and_curvature(
    C: Array,
    w: Array,
    p: float,
    P: Array,
    noise: Array,
    size: Array,
    scratch: Array,
    slope: Array,
    curve: Array,
) -> None:
    """The slope, and curve_k −= Σ_i a_i ((p − 1) |v|^(p−2) + (2 − p) |v|^(2p−2)/S), no pole."""
    sums, a, near, pole, shared = scratch[0], scratch[1], scratch[2], scratch[3], scratch[4]
    for i in range(ROWS):
        pole[i] = a[i] * (pow_scalar(quotient(1.0, near[i]), 2.0 - p) if p < 2.0 else 0.0)
        shared[i] = (2.0 - p) * quotient(a[i], sums[i])
    for k in range(w.size):
        total, bend, level, unit = 0.0, 0.0, noise[k], w[k]
        for i in range(ROWS):
            v = C[k, i] - unit
            u = abs(v)
            total += a[i] * where_negative(level * size[i] - u, signed(P[k, i], v))
            own = where_negative(near[i] - u, (p - 1.0) * a[i] * quotient(P[k, i], u))
            bend += own + where_negative(u - near[i], pole[i]) + shared[i] * P[k, i] * P[k, i]
        slope[k] += total
        curve[k] -= bend


@jit(sums=True)
def _block_of_maxima(C: Array, w: Array, scratch: Array, slope: Array, curve: Array) -> None:
    """Both at p = ∞: only the largest differences count, and share."""
    largest, f, counts = scratch[0], scratch[1], scratch[2]
    counts[:] = 0.0
    for k in range(w.size):
        for i in range(ROWS):
            counts[i] += where_negative(TIE * largest[i] - abs(C[k, i] - w[k]), 1.0)
    for k in range(w.size):
        total, near = 0.0, 0.0
        for i in range(ROWS):
            v = C[k, i] - w[k]
            share = quotient(f[i], larger(counts[i], 1.0)) * signed(largest[i], v)
            total += where_negative(TIE * largest[i] - abs(v), share)
            near += where_negative(_NEAR * largest[i] - abs(v), f[i])
        slope[k] -= 2.0 * total
        if curve.size > 0:
            curve[k] += 2.0 * near


@jit(inline=True)
def mean_modulus(power: float, p: float) -> float:
    """The p-th root of a mean power; 0 from p = 2 on, where the curvature has no pole."""
    if p >= 2.0:
        return 0.0
    return power if p == 1.0 else pow_scalar(power, 1.0 / p)


@jit()
def set_amplitudes(sums: Array, f: Array, p: float, a: Array) -> None:
    """a_i = −2 f_i S_i^((2−p)/p)."""
    if p == 1.0:
        for i in range(ROWS):
            a[i] = -2.0 * f[i] * sums[i]
    elif p == 2.0:
        for i in range(ROWS):
            a[i] = -2.0 * f[i]
    elif p < 2.0:
        for i in range(ROWS):
            a[i] = -2.0 * f[i] * pow_scalar(sums[i], (2.0 - p) / p)
    else:
        for i in range(ROWS):
            a[i] = -2.0 * f[i] * quotient(1.0, pow_scalar(sums[i], (p - 2.0) / p))


@jit(sums=True)
def within_range(sums: Array) -> bool:
    """Whether all power sums are trusted as they are."""
    low, high = sums[0], sums[0]
    for i in range(1, ROWS):
        low = sums[i] if sums[i] < low else low
        high = larger(high, sums[i])
    return bool(low > SMALL and high < LARGE)


@jit(sums=True)
def weighted_sum(a: Array, sums: Array) -> float:
    """Σ_i a_i S_i."""
    total = 0.0
    for i in range(ROWS):
        total += a[i] * sums[i]
    return total


@jit(sums=True)
def _weighted_squares(f: Array, sizes: Array) -> float:
    total = 0.0
    for i in range(ROWS):
        total += f[i] * sizes[i] * sizes[i]
    return total


@jit()
def block_moments(
    C: Array,
    rows: IntArray,
    f: Array,
    X: Array,
    w: Array,
    p: float,
    noise: Array,
    size: Array,
    P: Array,
    scratch: Array,
    slope: Array,
    curve: Array,
) -> float:
    """Forces f of the samples ``rows`` of X, whose columns are C, on one prototype; their cost."""
    sums, a, near = scratch[0], scratch[1], scratch[2]
    _block_powers(C, w, p, P, sums)
    if p == np.inf:
        for i in range(ROWS):
            a[i] = f[i] if sums[i] > TINIEST else 0.0
        _block_of_maxima(C, w, scratch, slope, curve)
        return _weighted_squares(f, sums)
    set_amplitudes(sums, f, p, a)
    cost = 0.0
    if not within_range(sums):
        for i in range(ROWS):
            if not SMALL < sums[i] < LARGE:
                if f[i] != 0.0:
                    _add_dual(X[rows[i]], w, p, -2.0 * f[i], noise, size[i], slope)
                    cost += f[i] * exact_square(X[rows[i]], w, p)
                a[i], sums[i] = 0.0, 1.0
                for k in range(w.size):  # infinite ones, times 0, would not be 0
                    P[k, i] = 0.0
    cost -= 0.5 * weighted_sum(a, sums)
    if curve.size > 0:
        share = 1.0 / w.size
        for i in range(ROWS):
            near[i] = _AROUND * mean_modulus(sums[i] * share, p)
    if p == 1.0:
        _block_of_signs(C, w, noise, size, scratch, slope, curve)
    elif curve.size > 0:
        _block_slope_and_curvature(C, w, p, P, noise, size, scratch, slope, curve)
    else:
        _block_slope(C, w, a, P, noise, size, slope)
    return cost
