r"""Forces of a block of samples on one prototype in l_p, and how steeply they change, compiled.

With :math:`v = x - w` and :math:`S = \sum_k |v_k|^p` the gradient of :math:`\|v\|_p^2` in w is

.. math:: -2 S^{(2-p)/p} |v_k|^{p-1}\mathrm{sgn}(v_k)

and the diagonal of its Hessian

.. math:: 2 S^{(2-p)/p} \Bigl((p-1)|v_k|^{p-2} + (2-p)\frac{|v_k|^{2p-2}}{S}\Bigr).

Below p = 2 the first term has a pole (at p = 1 a jump of the gradient). What counts for a step is
its mean over many samples: near the pole it is replaced by its mean over an interval around it.

The functions of a block call no others that take arrays, and nothing in them is a part of an array
or may raise: numba would count who refers to all of them at every call, which takes as long as the
forces do. Loops that add up over a block run to the size of an array, not to ROWS: a short loop of
known length is unrolled before it could be vectorised.
"""

import math

from noneuclid.numerics._jit import jit
from noneuclid.numerics._lanes import flipped, larger, quotient, signed, where_negative
from noneuclid.numerics._pow import (
    inverse_fifth_root,
    inverse_third_root,
    pow_scalar,
    root_by_products,
)
from noneuclid.numerics.duality import TIE
from noneuclid.numerics.lp import (
    LARGE,
    ROWS,
    SMALL,
    TINIEST,
    exact_square,
    largest_difference,
    power,
    unit_power_sum,
)
from noneuclid.numerics.lp_little import AROUND, NEAR
from noneuclid.typing import Array, IntArray


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


@jit(inline=True, sums=True)
def _half_powers_and_sums(C: Array, w: Array, whole: float, P: Array, sums: Array) -> None:
    """The same for e = whole + ½, every third root by products."""
    d = w.size
    for k in range(0, d - 2, 3):
        for i in range(ROWS):
            s, t, u = abs(C[k, i] - w[k]), abs(C[k + 1, i] - w[k + 1]), abs(C[k + 2, i] - w[k + 2])
            P[k, i] = power(s, whole) * math.sqrt(s)
            P[k + 1, i] = power(t, whole) * root_by_products(t)
            P[k + 2, i] = power(u, whole) * math.sqrt(u)
            sums[i] += P[k, i] * s + (P[k + 1, i] * t + P[k + 2, i] * u)
    for k in range(d - d % 3, d):
        for i in range(ROWS):
            u = abs(C[k, i] - w[k])
            P[k, i] = power(u, whole) * math.sqrt(u)
            sums[i] += P[k, i] * u


@jit(sums=True)
def block_powers(C: Array, w: Array, e: float, P: Array, sums: Array) -> None:
    """|v|^e of all differences, and Σ_k |v_k|^(e + 1), added; common e have loops of their own."""
    if e == 0.5:
        _half_powers_and_sums(C, w, 0.0, P, sums)
    elif e == 1.5:
        _half_powers_and_sums(C, w, 1.0, P, sums)
    elif e == 2.0:
        _powers_and_sums(C, w, 2.0, P, sums)
    else:
        for k in range(w.size):
            for i in range(ROWS):
                P[k, i] = pow_scalar(abs(C[k, i] - w[k]), e)
                sums[i] += P[k, i] * abs(C[k, i] - w[k])


@jit(sums=True)
def block_slope(
    C: Array, w: Array, a: Array, P: Array, noise: Array, size: Array, slope: Array
) -> None:
    """slope_k += Σ_i a_i |v|^(p−1) sgn(v)."""
    for k in range(w.size):
        total, level, unit = 0.0, noise[k], w[k]
        for i in range(a.size):
            v = C[k, i] - unit
            total += a[i] * where_negative(level * size[i] - abs(v), flipped(P[k, i], v))
        slope[k] += total


@jit(sums=True)
def block_of_signs(C: Array, w: Array, a: Array, noise: Array, size: Array, slope: Array) -> None:
    """At p = 1: slope_k += Σ_i a_i sgn(v)."""
    for k in range(w.size):
        total, level, unit = 0.0, noise[k], w[k]
        for i in range(a.size):
            v = C[k, i] - unit
            total += where_negative(level * size[i] - abs(v), flipped(a[i], v))
        slope[k] += total


@jit(sums=True)
def block_of_signs_and_poles(
    C: Array,
    w: Array,
    noise: Array,
    size: Array,
    sums: Array,
    a: Array,
    near: Array,
    pole: Array,
    slope: Array,
    curve: Array,
) -> None:
    """At p = 1: the same, and the curvature without its pole."""
    shared, around = 0.0, quotient(AROUND, w.size)
    for i in range(ROWS):
        near[i] = around * sums[i]
        pole[i] = quotient(a[i], near[i])
        shared += quotient(a[i], sums[i])
    for k in range(w.size):
        total, bend, level, unit = 0.0, 0.0, noise[k], w[k]
        for i in range(a.size):
            v = C[k, i] - unit
            u = abs(v)
            total += where_negative(level * size[i] - u, flipped(a[i], v))
            bend += where_negative(u - near[i], pole[i])
        slope[k] += total
        curve[k] -= bend + shared


@jit(sums=True)
def block_slope_and_curvature(
    C: Array,
    f: Array,
    w: Array,
    p: float,
    P: Array,
    noise: Array,
    size: Array,
    sums: Array,
    a: Array,
    near: Array,
    pole: Array,
    shared: Array,
    slope: Array,
    curve: Array,
) -> None:
    """The slope, and curve_k −= Σ_i a_i ((p − 1) |v|^(p−2) + (2 − p) |v|^(2p−2)/S), no pole.

    ``near`` comes as the norms S^(1/p), of which its interval is a share: so a_i near^(p−2) is
    −2 f_i times a constant.
    """
    around = AROUND * pow_scalar(quotient(1.0, w.size), 1.0 / p) if p < 2.0 else 0.0
    highest = pow_scalar(quotient(1.0, around), 2.0 - p) if p < 2.0 else 0.0
    for i in range(ROWS):
        near[i] = around * near[i]
        pole[i] = -2.0 * highest * f[i]
        shared[i] = (2.0 - p) * quotient(a[i], sums[i])
    for k in range(w.size):
        total, bend, level, unit = 0.0, 0.0, noise[k], w[k]
        for i in range(a.size):
            v = C[k, i] - unit
            u = abs(v)
            total += a[i] * where_negative(level * size[i] - u, flipped(P[k, i], v))
            own = where_negative(near[i] - u, (p - 1.0) * a[i] * quotient(P[k, i], u))
            bend += own + where_negative(u - near[i], pole[i]) + shared[i] * P[k, i] * P[k, i]
        slope[k] += total
        curve[k] -= bend


@jit(sums=True)
def block_of_maxima(
    C: Array, w: Array, largest: Array, f: Array, share: Array, slope: Array, curve: Array
) -> None:
    """Both at p = ∞: only the largest differences count, and share."""
    for i in range(ROWS):
        share[i] = 0.0
    for k in range(w.size):
        unit = w[k]
        if curve.size > 0:
            near = 0.0
            for i in range(f.size):
                u = abs(C[k, i] - unit)
                share[i] += where_negative(TIE * largest[i] - u, 1.0)
                near += where_negative(NEAR * largest[i] - u, f[i])
            curve[k] += 2.0 * near
        else:
            for i in range(f.size):
                share[i] += where_negative(TIE * largest[i] - abs(C[k, i] - unit), 1.0)
    for i in range(ROWS):
        pulls = f[i] if largest[i] > TINIEST else 0.0
        share[i] = quotient(pulls * largest[i], larger(share[i], 1.0))
    for k in range(w.size):
        total, unit = 0.0, w[k]
        for i in range(f.size):
            v = C[k, i] - unit
            total += where_negative(TIE * largest[i] - abs(v), flipped(share[i], v))
        slope[k] -= 2.0 * total


@jit()
def twice_moduli(sums: Array, f: Array, a: Array) -> None:
    """At p = 1: a_i = −2 f_i S_i."""
    for i in range(ROWS):
        a[i] = -2.0 * f[i] * sums[i]


@jit()
def set_amplitudes(sums: Array, f: Array, p: float, roots: Array, a: Array) -> None:
    """a_i = −2 f_i S_i^((2−p)/p), and between p = 1 and 2 the roots S_i^(1/p); zeros above."""
    if p == 1.0:
        for i in range(ROWS):
            a[i] = -2.0 * f[i] * sums[i]
    elif p == 2.0:
        for i in range(ROWS):
            a[i], roots[i] = -2.0 * f[i], 0.0
    elif p == 1.5:
        for i in range(ROWS):
            root = inverse_third_root(sums[i])
            roots[i] = sums[i] * root
            a[i] = -2.0 * f[i] * (roots[i] * root)
    elif p == 2.5:
        for i in range(ROWS):
            a[i], roots[i] = -2.0 * f[i] * inverse_fifth_root(sums[i]), 0.0
    elif p < 2.0:
        for i in range(ROWS):
            roots[i] = pow_scalar(sums[i], 1.0 / p)
            a[i] = -2.0 * f[i] * (quotient(roots[i], sums[i]) * roots[i])
    else:
        for i in range(ROWS):
            a[i] = -2.0 * f[i] * quotient(1.0, pow_scalar(sums[i], (p - 2.0) / p))
            roots[i] = 0.0


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
def weighted_squares(f: Array, sizes: Array) -> float:
    """Σ_i f_i s_i²."""
    total = 0.0
    for i in range(ROWS):
        total += f[i] * sizes[i] * sizes[i]
    return total


@jit()
def add_extreme(
    rows: IntArray,
    f: Array,
    X: Array,
    w: Array,
    p: float,
    noise: Array,
    size: Array,
    P: Array,
    sums: Array,
    roots: Array,
    a: Array,
    slope: Array,
) -> float:
    """Forces of samples whose power sums are not trusted, and which pull no more then; the cost."""
    cost = 0.0
    for i in range(ROWS):
        if not SMALL < sums[i] < LARGE:
            if f[i] != 0.0:
                _add_dual(X[rows[i]], w, p, -2.0 * f[i], noise, size[i], slope)
                cost += f[i] * exact_square(X[rows[i]], w, p)
            f[i], a[i], sums[i], roots[i] = 0.0, 0.0, 1.0, 1.0
            for k in range(w.size):  # infinite ones, times 0, would not be 0
                P[k, i] = 0.0
    return cost
