r"""Forces between all pairs of rows in l_p, and how steeply they change, compiled.

With :math:`v = x - w` and :math:`S = \sum_k |v_k|^p` the gradient of :math:`\|v\|_p^2` in w is

.. math:: -2 S^{(2-p)/p} |v_k|^{p-1}\mathrm{sgn}(v_k)

and the diagonal of its Hessian

.. math:: 2 S^{(2-p)/p} \Bigl((p-1)|v_k|^{p-2} + (2-p)\frac{|v_k|^{2p-2}}{S}\Bigr).

Below p = 2 the first term has a pole (at p = 1 a jump of the gradient). What counts for a step is
its mean over many samples: near the pole it is replaced by its mean over an interval around it.
"""

import numba
import numpy as np

from noneuclid.numerics._jit import jit
from noneuclid.numerics._lanes import larger, quotient, signed, where_negative
from noneuclid.numerics._pow import pow_scalar
from noneuclid.numerics.duality import TIE
from noneuclid.numerics.lp import (
    LARGE,
    PARALLEL,
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
from noneuclid.numerics.lp_little import LITTLE, little_moments
from noneuclid.typing import Array, IntArray

_N_BLOCKS = 16
# Of the largest number of a column: means of its numbers are not known better.
_ROUNDING = 2e-14
# Where fewer samples of a block pull, those of several blocks are taken together.
FEW = 12
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
        P[:] = 1.0
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
def _block_curvature(C: Array, w: Array, p: float, P: Array, scratch: Array, curve: Array) -> None:
    """curve_k −= Σ_i a_i ((p − 1) |v|^(p−2) + (2 − p) |v|^(2p−2)/S), without its pole."""
    sums, a, near, pole, shared = scratch[0], scratch[1], scratch[2], scratch[3], scratch[4]
    for i in range(ROWS):
        pole[i] = a[i] * (pow_scalar(quotient(1.0, near[i]), 2.0 - p) if p < 2.0 else 0.0)
        shared[i] = (2.0 - p) * quotient(a[i], sums[i])
    for k in range(w.size):
        total = 0.0
        if p == 1.0:
            for i in range(ROWS):
                own = where_negative(abs(C[k, i] - w[k]) - near[i], pole[i])
                total -= own + shared[i]
        else:
            for i in range(ROWS):
                u = abs(C[k, i] - w[k])
                own = where_negative(near[i] - u, (p - 1.0) * a[i] * quotient(P[k, i], u))
                own += where_negative(u - near[i], pole[i])
                total -= own + shared[i] * P[k, i] * P[k, i]
        curve[k] += total


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


@jit(sums=True)
def _weighted_squares(f: Array, sizes: Array) -> float:
    total = 0.0
    for i in range(ROWS):
        total += f[i] * sizes[i] * sizes[i]
    return total


@jit()
def _block_moments(
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
    cost = 0.0
    for i in range(ROWS):
        a[i] = pow_scalar(sums[i], abs(2.0 - p) / p)
        a[i] = -2.0 * f[i] * (a[i] if p < 2.0 else quotient(1.0, a[i]))
    for i in range(ROWS):
        if not SMALL < sums[i] < LARGE:
            if f[i] != 0.0:
                _add_dual(X[rows[i]], w, p, -2.0 * f[i], noise, size[i], slope)
                cost += f[i] * exact_square(X[rows[i]], w, p)
            a[i], sums[i] = 0.0, 1.0
            for k in range(w.size):  # infinite ones, times 0, would not be 0
                P[k, i] = 0.0
        cost -= 0.5 * a[i] * sums[i]
    _block_slope(C, w, a, P, noise, size, slope)
    if curve.size > 0:
        share = 1.0 / w.size
        for i in range(ROWS):
            near[i] = _AROUND * pow_scalar(sums[i] * share, 1.0 / p) if p < 2.0 else 0.0
        _block_curvature(C, w, p, P, scratch, curve)
    return cost


@jit()
def fill_columns(X: Array, rows: IntArray, C: Array) -> None:
    """Columns c_i = x_(rows_i)."""
    for i in range(ROWS):
        for k in range(X.shape[1]):
            C[k, i] = X[rows[i], k]


@jit()
def take_block(F: Array, j: int, start: int, rows: IntArray, f: Array) -> int:
    """Forces (m, n) of the next rows on prototype j; how many of them are not 0."""
    n, pulling = F.shape[1], 0
    for i in range(ROWS):
        inside = start + i < n
        rows[i] = start + i if inside else n - 1
        f[i] = F[j, start + i] if inside else 0.0
        pulling += f[i] != 0.0
    return pulling


@jit()
def pulling_rows(F: Array, j: int, start: int, later: np.ndarray, rows: IntArray, f: Array) -> int:
    """The next rows from ``start`` on that pull prototype j, the last one repeated without force.

    Only rows of blocks left for later are looked at. Returns where to go on, −1 if nowhere.
    """
    count, i = 0, start
    while i < F.shape[1] and count < ROWS:
        if not later[i // ROWS, j]:
            i += ROWS - i % ROWS
            continue
        if F[j, i] != 0.0:
            rows[count], f[count] = i, F[j, i]
            count += 1
        i += 1
    if count == 0:
        return -1
    for rest in range(count, ROWS):
        rows[rest], f[rest] = rows[count - 1], 0.0
    return i


@jit()
def _pull_rows(
    X: Array,
    W: Array,
    F: Array,
    p: float,
    noise: Array,
    x_size: Array,
    w_size: Array,
    cost: Array,
    slope: Array,
    curve: Array,
) -> None:
    """Costs, slopes and, unless ``curve`` has no columns, curvatures of all prototypes, added."""
    (n, d), m = X.shape, W.shape[0]
    C, P, scratch = np.empty((d, ROWS)), np.empty((d, ROWS)), np.empty((5, ROWS))
    f, size = np.empty(ROWS), np.empty(ROWS)
    rows, later = np.empty(ROWS, dtype=np.int64), np.zeros((n // ROWS + 1, m), dtype=np.bool_)
    for start in range(0, n, ROWS):
        for j in range(m):
            pulling = take_block(F, j, start, rows, f)
            if j == 0:
                fill_columns(X, rows, C)
            if pulling < FEW:
                later[start // ROWS, j] = pulling > 0
                continue
            for i in range(ROWS):
                size[i] = x_size[rows[i]] + w_size[j]
            cost[j] += _block_moments(
                C, rows, f, X, W[j], p, noise, size, P, scratch, slope[j], curve[j]
            )
    for j in range(m):
        start = pulling_rows(F, j, 0, later, rows, f)
        while start >= 0:
            fill_columns(X, rows, C)
            for i in range(ROWS):
                size[i] = x_size[rows[i]] + w_size[j]
            cost[j] += _block_moments(
                C, rows, f, X, W[j], p, noise, size, P, scratch, slope[j], curve[j]
            )
            start = pulling_rows(F, j, start, later, rows, f)


@jit(parallel=True)
def _pull(
    X: Array,
    W: Array,
    F: Array,
    p: float,
    noise: Array,
    x_size: Array,
    w_size: Array,
    costs: Array,
    slopes: Array,
    curves: Array,
) -> None:
    n, n_blocks = X.shape[0], slopes.shape[0]
    for b in numba.prange(n_blocks):
        rows = slice(b * n // n_blocks, (b + 1) * n // n_blocks)
        _pull_rows(
            X[rows], W, F[:, rows], p, noise, x_size[rows], w_size, costs[b], slopes[b], curves[b]
        )


def _rounding(X: Array, W: Array, p: float) -> Array:
    """How small a difference must be to be rounding, feature by feature; 0 where none matters.

    A prototype is often a mean of numbers with few digits, and falls upon other samples: which
    side of them it is on, by the last bit, is the processor's choice.
    """
    if p >= 2.0:
        return np.zeros(X.shape[1])
    largest = np.maximum(np.abs(X).max(axis=0, initial=0.0), np.abs(W).max(axis=0, initial=0.0))
    return np.asarray(_ROUNDING * largest)


def lp_moments(
    X: Array,
    W: Array,
    F: Array,
    p: float,
    noise: tuple[Array, Array, Array] | None = None,
    *,
    curved: bool = True,
) -> tuple[Array, Array, Array]:
    """Σ_i F_ij ‖x_i − w_j‖², its gradient, and the diagonal of the Hessian, its poles smoothed.

    Near p = 1 the sign of a difference counts, not its size, so differences that are only
    rounding must not. ``noise`` = (a, b, c) declares them: those of modulus at most
    a_k (b_i + c_j) count as 0. Without it, below p = 2, those of a few units in the last place of
    the largest number of their column do.

    Parameters
    ----------
    X : array of shape (n, d)
        Samples.
    W : array of shape (m, d)
        Prototypes.
    F : array of shape (n, m)
        Forces: the derivative of a cost with respect to every pair.
    p : float
        From 1 to infinity.
    noise : (array, array, array), optional
        What counts as rounding: of shapes (d,), (n,) and (m,).
    curved : bool, default=True
        Whether the last is wanted; it has no columns otherwise.

    Returns
    -------
    costs : array of shape (m,)
    slopes, curvatures : arrays of shape (m, d)
    """
    if not curved and len(X) * W.size <= LITTLE:
        found = little_moments(X, W, F, p, noise)
        if found is not None:
            return *found, np.zeros((len(W), 0))
    if noise is None:
        noise = _rounding(X, W, p), np.full(len(X), 0.5), np.full(len(W), 0.5)
    X, W, F = (np.ascontiguousarray(a) for a in (X, W, F.T))
    columns = W.shape[1] if curved else 0
    n_blocks = _N_BLOCKS if len(X) * W.size > PARALLEL else 1
    costs, slopes = np.zeros((n_blocks, len(W))), np.zeros((n_blocks, *W.shape))
    curves = np.zeros((n_blocks, len(W), columns))
    if n_blocks == 1:
        _pull_rows(X, W, F, float(p), *noise, costs[0], slopes[0], curves[0])
    else:
        _pull(X, W, F, float(p), *noise, costs, slopes, curves)
    return costs.sum(axis=0), slopes.sum(axis=0), curves.sum(axis=0)


def lp_pull(
    X: Array, W: Array, F: Array, p: float, noise: tuple[Array, Array, Array] | None = None
) -> Array:
    """Σ_i F_ij ∂‖x_i − w_j‖²/∂w_j = −2 Σ_i F_ij J(x_i − w_j); ``noise`` as in `lp_moments`.

    Parameters
    ----------
    X : array of shape (n, d)
        Samples.
    W : array of shape (m, d)
        Prototypes.
    F : array of shape (n, m)
        Forces: the derivative of a cost with respect to every pair.
    p : float
        From 1 to infinity.
    noise : (array, array, array), optional
        What counts as rounding: of shapes (d,), (n,) and (m,).

    Returns
    -------
    array of shape (m, d)
        The gradient of the cost with respect to W.
    """
    return lp_moments(X, W, F, p, noise, curved=False)[1]
