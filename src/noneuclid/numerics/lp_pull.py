"""Forces between all pairs of rows in l_p, and how steeply they change, compiled.

Samples are taken in blocks; `lp_forces` says what those of a block do to one prototype.
"""

import numba
import numpy as np

from noneuclid.numerics._jit import jit
from noneuclid.numerics.lp import PARALLEL, ROWS, largest_moduli, sums_of_moduli
from noneuclid.numerics.lp_forces import (
    add_extreme,
    block_of_maxima,
    block_of_signs,
    block_of_signs_and_poles,
    block_powers,
    block_slope,
    block_slope_and_curvature,
    set_amplitudes,
    twice_moduli,
    weighted_squares,
    weighted_sum,
    within_range,
)
from noneuclid.numerics.lp_little import is_little, little_moments
from noneuclid.typing import Array, IntArray

_N_BLOCKS = 16
# Of the largest number of a column: means of its numbers are not known better.
_ROUNDING = 2e-14
_SIDE_BY_SIDE = 64
# Where fewer samples of a block pull, those of several blocks are taken together.
FEW = 12


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
    count = min(ROWS, n - start)
    for i in range(count):
        rows[i], f[i] = start + i, F[j, start + i]
        pulling += f[i] != 0.0
    for i in range(count, ROWS):
        rows[i], f[i] = n - 1, 0.0
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
def take_row(W: Array, j: int, w: Array) -> None:
    """Copy W_j to w."""
    for k in range(w.size):
        w[k] = W[j, k]


@jit()
def give_row(w: Array, W: Array, j: int) -> None:
    """W_j += w, and w = 0."""
    for k in range(w.size):
        W[j, k] += w[k]
        w[k] = 0.0


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
    maxima: bool | None,
    moduli: bool | None,
) -> None:
    """Costs, slopes and, unless ``curve`` has no columns, curvatures of all prototypes, added.

    ``maxima`` is not None at p = ∞, ``moduli`` not None at p = 1: what belongs to the other
    exponents is not compiled then.
    """
    (n, d), m = X.shape, W.shape[0]
    C, P, f, size = np.empty((d, ROWS)), np.empty((d, ROWS)), np.empty(ROWS), np.empty(ROWS)
    sums, a, near = np.empty(ROWS), np.empty(ROWS), np.empty(ROWS)
    pole, shared = np.empty(ROWS), np.empty(ROWS)
    w, s, c = np.empty(d), np.zeros(d), np.zeros(curve.shape[1])
    rows, later = np.empty(ROWS, dtype=np.int64), np.zeros((n // ROWS + 1, m), dtype=np.bool_)
    n_blocks = (n + ROWS - 1) // ROWS
    # Block by block what many samples of it pull; then, prototype by prototype, all that is left.
    for turn in range(n_blocks * m + m):
        together, j = turn < n_blocks * m, turn % m
        start = turn // m * ROWS if together else 0
        while start >= 0:
            if together:
                pulling = take_block(F, j, start, rows, f)
                if j == 0:
                    fill_columns(X, rows, C)
                following = -1
                if pulling == 0 or (pulling < FEW and n_blocks > 1):
                    later[start // ROWS, j] = pulling > 0
                    break
            else:
                following = pulling_rows(F, j, start, later, rows, f)
                if following < 0:
                    break
                fill_columns(X, rows, C)
            for i in range(ROWS):
                size[i] = x_size[rows[i]] + w_size[j]
            take_row(W, j, w)
            for i in range(ROWS):
                sums[i] = 0.0
            if maxima is not None:
                largest_moduli(C, w, sums)
                block_of_maxima(C, w, sums, f, near, s, c)
                cost[j] += weighted_squares(f, sums)
            else:
                if moduli is not None:
                    sums_of_moduli(C, w, sums)
                    twice_moduli(sums, f, a)
                else:
                    block_powers(C, w, p - 1.0, P, sums)
                    set_amplitudes(sums, f, p, near, a)
                if not within_range(sums):
                    cost[j] += add_extreme(rows, f, X, w, p, noise, size, P, sums, near, a, s)
                cost[j] -= 0.5 * weighted_sum(a, sums)
                if moduli is not None:
                    if c.size > 0:
                        block_of_signs_and_poles(C, w, noise, size, sums, a, near, pole, s, c)
                    else:
                        block_of_signs(C, w, a, noise, size, s)
                elif c.size > 0:
                    block_slope_and_curvature(
                        C, f, w, p, P, noise, size, sums, a, near, pole, shared, s, c
                    )
                else:
                    block_slope(C, w, a, P, noise, size, s)
            give_row(s, slope, j)
            give_row(c, curve, j)
            start = following


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
    maxima: bool | None,
    moduli: bool | None,
) -> None:
    n, n_blocks = X.shape[0], slopes.shape[0]
    for b in numba.prange(n_blocks):
        rows = slice(b * n // n_blocks, (b + 1) * n // n_blocks)
        _pull_rows(
            X[rows],
            W,
            F[:, rows],
            p,
            noise,
            x_size[rows],
            w_size,
            costs[b],
            slopes[b],
            curves[b],
            maxima,
            moduli,
        )


def _rounding(X: Array, W: Array, p: float) -> Array:
    """How small a difference must be to be rounding, feature by feature; 0 where none matters.

    A prototype is often a mean of numbers with few digits, and falls upon other samples: which
    side of them it is on, by the last bit, is the processor's choice.
    """
    if p >= 2.0:
        return np.zeros(X.shape[1])
    return np.asarray(_ROUNDING * np.maximum(_largest_moduli(X), _largest_moduli(W)))


def _largest_moduli(X: Array) -> Array:
    """max_i |x_ik|, of many rows side by side: short rows are reduced one number at a time."""
    rest = len(X) % _SIDE_BY_SIDE
    largest = np.abs(X[:rest]).max(axis=0, initial=0.0)
    if len(X) > rest and X.size:
        wide = X[rest:].reshape(len(X) // _SIDE_BY_SIDE, -1)
        moduli = np.maximum(wide.max(axis=0), -wide.min(axis=0))
        largest = np.maximum(largest, moduli.reshape(_SIDE_BY_SIDE, -1).max(axis=0))
    return np.asarray(largest)


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
    if noise is None:
        noise = _rounding(X, W, p), np.full(len(X), 0.5), np.full(len(W), 0.5)
    if is_little(len(X), len(W), X.shape[1]):
        found = little_moments(X, W, F, p, noise, curved=curved)
        if found is not None:
            return found
    return compiled_moments(X, W, F, p, noise, curved)


def compiled_moments(
    X: Array, W: Array, F: Array, p: float, noise: tuple[Array, Array, Array], curved: bool
) -> tuple[Array, Array, Array]:
    """`lp_moments` of many rows.

    Parameters
    ----------
    X, W, F : arrays of shape (n, d), (m, d) and (n, m)
    p : float
    noise : (array, array, array)
    curved : bool

    Returns
    -------
    costs, slopes, curvatures : arrays of shape (m,), (m, d) and (m, d)
    """
    X, W, F = (np.ascontiguousarray(a) for a in (X, W, F.T))
    columns = W.shape[1] if curved else 0
    n_blocks = min(_N_BLOCKS, -(-len(X) // ROWS)) if len(X) * W.size > PARALLEL else 1
    costs, slopes = np.zeros((n_blocks, len(W))), np.zeros((n_blocks, *W.shape))
    curves = np.zeros((n_blocks, len(W), columns))
    kind = p == np.inf or None, p == 1.0 or None
    if n_blocks == 1:
        _pull_rows(X, W, F, float(p), *noise, costs[0], slopes[0], curves[0], *kind)
    else:
        _pull(X, W, F, float(p), *noise, costs, slopes, curves, *kind)
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
