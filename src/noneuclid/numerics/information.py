r"""Sums of Gaussians over all pairs of points, without a matrix of pairs.

Points come scaled and transposed: with coordinates in units of √2 times the width, as an array
(d, n), a pair contributes :math:`e^{-|x-y|^2}`, and the inner loops run over contiguous memory.
Rows are done in fixed blocks, so that no result depends on the number of threads.
"""

import numba
import numpy as np
from scipy.spatial.distance import cdist

from noneuclid.numerics._exp import exp_scalar
from noneuclid.numerics._jit import jit, suited
from noneuclid.numerics.pairwise import mirrored
from noneuclid.typing import Array, IntArray

_ROWS = 16  # rows per parallel block
_COLUMNS = 1024  # the buffer of exponents stays in the first-level cache
_TINY = 1e-250  # a sum so small may have lost terms that underflow
_PARALLEL = 1 << 16  # for fewer pairs, waking the threads takes longer than the work
_FEW = 1 << 15  # for so few pairs, the time is saved that compiled code takes to be made or loaded
_FAR = 1e300  # more than any exponent: the smallest of no exponents


def scaled_columns(X: Array, width: float, origin: Array | float = 0.0) -> Array:
    """X' in units of √2 width, seen from an origin near it: far from zero, scaling would round.

    The origin has to be the same for all that are compared. Halves do not overflow.
    """
    return np.ascontiguousarray(((0.5 * X - 0.5 * origin) / (np.sqrt(0.5) * width)).T)


def _all_squares(X: Array, Y: Array) -> Array:
    """|x − y|² of all pairs of a few points, of however many coordinates."""
    return np.asarray(cdist(X.T, Y.T, "sqeuclidean"))


# Slices, not offsets: the compiler vectorises a loop only if it knows that no index is negative.


@jit()
def _squares(x: Array, Y: Array, start: int, end: int, u: Array) -> None:
    """|x − y_j|² for the points from ``start`` to ``end``."""
    first, y = x[0], Y[0, start:end]
    for j in range(y.size):
        v = first - y[j]
        u[j] = v * v
    k = 1
    while k < x.size:
        y = Y[k, start:end]
        if k + 1 < x.size:  # two coordinates at a time: half the traffic through the buffer
            here, there, z = x[k], x[k + 1], Y[k + 1, start:end]
            for j in range(y.size):
                v = here - y[j]
                t = there - z[j]
                u[j] += v * v + t * t
        else:
            last = x[k]
            for j in range(y.size):
                v = last - y[j]
                u[j] += v * v
        k += 2


@jit(sums=True)
def _exp_sum_1(x: float, y: Array, b: Array) -> float:
    total = 0.0
    for j in range(b.size):
        v = x - y[j]
        total += b[j] * exp_scalar(-v * v)
    return total


@jit(sums=True)
def _exp_sum_2(x: Array, y: Array, z: Array, b: Array) -> float:
    x0, x1 = x[0], x[1]
    total = 0.0
    for j in range(b.size):
        u = x0 - y[j]
        v = x1 - z[j]
        total += b[j] * exp_scalar(-(u * u + v * v))
    return total


@jit(sums=True)
def _exp_sum_3(x: Array, y: Array, z: Array, t: Array, b: Array) -> float:
    x0, x1, x2 = x[0], x[1], x[2]
    total = 0.0
    for j in range(b.size):
        u = x0 - y[j]
        v = x1 - z[j]
        w = x2 - t[j]
        total += b[j] * exp_scalar(-(u * u + v * v + w * w))
    return total


Axes = tuple[bool, ...]


def _axes(X: Array) -> Axes:
    """One entry per coordinate, four for more: code for other numbers of them is not compiled."""
    return (True,) * int(min(X.shape[0], 4))


@jit()
def _exp_sum(x: Array, Y: Array, b: Array, start: int, end: int, u: Array, axes: Axes) -> float:
    """Σ_j b_j exp(−|x − y_j|²); few coordinates stay in registers."""
    if len(axes) == 1:
        return _exp_sum_1(x[0], Y[0, start:end], b[start:end])
    if len(axes) == 2:
        return _exp_sum_2(x, Y[0, start:end], Y[1, start:end], b[start:end])
    if len(axes) == 3:
        return _exp_sum_3(x, Y[0, start:end], Y[1, start:end], Y[2, start:end], b[start:end])
    total = 0.0
    for begin in range(start, end, u.size):
        stop = min(begin + u.size, end)
        _squares(x, Y, begin, stop, u)
        total += _shifted_exp(u, b[begin:stop], 0.0)
    return total


@jit(sums=True)
def _shifted_exp(u: Array, b: Array, shift: float) -> float:
    """Σ_j b_j exp(shift − u_j)."""
    total = 0.0
    for j in range(b.size):
        total += b[j] * exp_scalar(shift - u[j])
    return total


@jit()
def _set_column(x: Array, X: Array, i: int) -> None:
    for k in range(x.size):
        x[k] = X[k, i]


@jit(inline=True)
def _signed(index: int) -> int:
    """Indices of parallel loops have no sign, and would make differences of indices floats."""
    return np.int64(index)  # type: ignore[return-value]


@jit()
def _triangle_block(X: Array, a: Array, first: int, last: int, axes: Axes) -> float:
    """Σ_i a_i (a_i / 2 + Σ_{j>i} a_j exp(−|x_i − x_j|²)) over a block of rows."""
    u = np.empty(_COLUMNS)
    x = np.empty(X.shape[0])
    total = 0.0
    for i in range(first, last):
        _set_column(x, X, i)
        total += a[i] * (0.5 * a[i] + _exp_sum(x, X, a, i + 1, X.shape[1], u, axes))
    return total


@jit(parallel=True)
def _triangle_at_once(X: Array, a: Array, axes: Axes, out: Array) -> None:
    n, blocks = X.shape[1], out.size
    # The first blocks have the longest rows: each goes together with one of the last.
    for h in numba.prange((blocks + 1) // 2):
        for side in range(2):
            block = _signed(h) if side == 0 else blocks - 1 - _signed(h)
            out[block] = _triangle_block(X, a, block * _ROWS, min((block + 1) * _ROWS, n), axes)


def gaussian_quadratic_form(X: Array, a: Array) -> float:
    """Σ_ij a_i a_j exp(−|x_i − x_j|²), each pair once.

    Examples
    --------
    >>> import numpy as np
    >>> gaussian_quadratic_form(np.array([[0.0, 1.0]]), np.array([0.5, 0.5]))  # (1 + 1/e) / 2
    0.68393...
    """
    n, axes = X.shape[1], _axes(X)
    if n**2 <= _FEW:
        return float(a @ (np.exp(-_all_squares(X, X)) @ a))
    out = np.zeros((n + _ROWS - 1) // _ROWS)
    if n**2 > 2 * _PARALLEL:
        _triangle_at_once(X, a, axes, out)
    else:
        for block, first in enumerate(range(0, n, _ROWS)):
            out[block] = _triangle_block(X, a, first, min(first + _ROWS, n), axes)
    return 2.0 * float(out.sum())


@jit(sums=True)
def _smallest(u: Array) -> float:
    low = _FAR
    for j in range(u.size):
        low = u[j] if u[j] < low else low
    return low


@jit()
def _log_row(
    x: Array, Y: Array, b: Array, start: int, end: int, u: Array, shift: float, total: float
) -> tuple[float, float]:
    """Add terms from ``start`` to ``end`` to a sum total · e^{−shift} that cannot underflow."""
    for begin in range(start, end, u.size):
        stop = min(begin + u.size, end)
        _squares(x, Y, begin, stop, u)
        low = _smallest(u[: stop - begin])
        if low < shift:
            total *= np.exp(low - shift)
            shift = low
        total += _shifted_exp(u, b[begin:stop], shift)
    return shift, total


@jit()
def _log_sum(x: Array, Y: Array, b: Array, left_out: int, u: Array, axes: Axes) -> float:
    """log Σ_{j≠left_out} b_j exp(−|x − y_j|²); −1 leaves out nothing."""
    end, again = (b.size, b.size) if left_out < 0 else (left_out, left_out + 1)
    total = 0.0
    for part in range(2):  # a call with a constant would be compiled for it
        start, stop = (0, end) if part == 0 else (again, b.size)
        total += _exp_sum(x, Y, b, start, stop, u, axes)
    if total >= _TINY:
        return float(np.log(total))
    shift, total = _FAR, 0.0
    for part in range(2):
        start, stop = (0, end) if part == 0 else (again, b.size)
        shift, total = _log_row(x, Y, b, start, stop, u, shift, total)
    return float(np.log(total) - shift)


@jit()
def _log_rows(
    X: Array, Y: Array, b: Array, leave_out: bool, first: int, last: int, axes: Axes, out: Array
) -> None:
    u = np.empty(_COLUMNS)
    x = np.empty(X.shape[0])
    for i in range(first, last):
        _set_column(x, X, i)
        out[i] = _log_sum(x, Y, b, i if leave_out else -1, u, axes)


@jit(parallel=True)
def _log_rows_at_once(
    X: Array, Y: Array, b: Array, leave_out: bool, axes: Axes, out: Array
) -> None:
    n = X.shape[1]
    for block in numba.prange((n + _ROWS - 1) // _ROWS):
        first = _signed(block) * _ROWS
        _log_rows(X, Y, b, leave_out, first, min(first + _ROWS, n), axes, out)


def gaussian_log_sums(X: Array, Y: Array, b: Array, *, leave_out: bool = False) -> Array:
    """log Σ_j b_j exp(−|x_i − y_j|²) for every i, right also where the sum underflows.

    ``leave_out`` leaves out the term j = i.

    Examples
    --------
    >>> import numpy as np
    >>> gaussian_log_sums(np.array([[0.0]]), np.array([[100.0]]), np.ones(1))
    array([-10000.])
    """
    if X.shape[1] * Y.shape[1] <= _FEW:
        return _few_log_sums(_all_squares(X, Y), b, leave_out)
    out = np.empty(X.shape[1])
    if X.shape[1] * Y.shape[1] > _PARALLEL:
        _log_rows_at_once(X, Y, b, leave_out, _axes(X), out)
    else:
        _log_rows(X, Y, b, leave_out, 0, len(out), _axes(X), out)
    return out


def gaussian_log_sums_by_group(X: Array, Y: Array, b: Array, starts: IntArray) -> Array:
    """The same for every group of points that follow one another in Y; none is empty.

    Parameters
    ----------
    X, Y : arrays of shape (d, n) and (d, n_points)
    b : array of shape (n_points,)
    starts : array of shape (n_groups,)
        Where groups begin.

    Returns
    -------
    array of shape (n, n_groups)

    Examples
    --------
    >>> import numpy as np
    >>> x, two = np.array([[0.0]]), np.array([[3.0, 5.0]])
    >>> gaussian_log_sums_by_group(x, two, np.ones(2), np.array([0, 1]))
    array([[ -9., -25.]])
    """
    if X.shape[1] * Y.shape[1] > _FEW:
        groups = zip(np.split(Y, starts[1:], axis=1), np.split(b, starts[1:]))
        logs = [gaussian_log_sums(X, np.ascontiguousarray(Z), a) for Z, a in groups]
        return np.stack(logs, axis=1)
    squares = _all_squares(X, Y)
    nearest = np.minimum(np.minimum.reduceat(squares, starts, axis=1), _FAR)
    counts = np.diff(starts, append=len(b))
    terms = b * np.exp(np.repeat(nearest, counts, axis=1) - squares)
    with np.errstate(divide="ignore"):  # nothing is left: the sum is zero
        return np.asarray(np.log(np.add.reduceat(terms, starts, axis=1)) - nearest)


def _few_log_sums(squares: Array, b: Array, leave_out: bool) -> Array:
    if leave_out:
        np.fill_diagonal(squares, np.inf)
    nearest = np.minimum(squares.min(axis=1, initial=_FAR), _FAR)
    with np.errstate(divide="ignore"):  # nothing is left: the sum is zero
        return np.asarray(np.log(np.exp(nearest[:, None] - squares) @ b) - nearest)


@jit()
def _exp_buffer(u: Array, b: Array, shift: float, e: Array) -> None:
    for j in range(b.size):
        e[j] = b[j] * exp_scalar(shift - u[j])


@jit(sums=True)
def _pull_along(x: float, y: Array, e: Array) -> float:
    total = 0.0
    for j in range(y.size):
        total += e[j] * (y[j] - x)
    return total


@jit(sums=True)
def _sum(e: Array) -> float:
    total = 0.0
    for j in range(e.size):
        total += e[j]
    return total


@jit()
def _log_row_and_pull(x: Array, Y: Array, b: Array, u: Array, e: Array, pull: Array) -> float:
    shift, total = _FAR, 0.0
    for begin in range(0, b.size, u.size):
        stop = min(begin + u.size, b.size)
        _squares(x, Y, begin, stop, u)
        low = _smallest(u[: stop - begin])
        if low < shift:
            factor = np.exp(low - shift)
            total *= factor
            for k in range(x.size):
                pull[k] *= factor
            shift = low
        _exp_buffer(u, b[begin:stop], shift, e)
        total += _sum(e[: stop - begin])
        for k in range(x.size):
            pull[k] += _pull_along(x[k], Y[k, begin:stop], e)
    for k in range(x.size):
        pull[k] /= total
    return float(np.log(total) - shift)


@jit()
def _log_rows_and_pulls(
    X: Array, Y: Array, b: Array, first: int, last: int, out: Array, pull: Array
) -> None:
    u, e = np.empty(_COLUMNS), np.empty(_COLUMNS)
    x = np.empty(X.shape[0])
    for i in range(first, last):
        _set_column(x, X, i)
        out[i] = _log_row_and_pull(x, Y, b, u, e, pull[i])


@jit(parallel=True)
def _log_rows_and_pulls_at_once(X: Array, Y: Array, b: Array, out: Array, pull: Array) -> None:
    n = X.shape[1]
    for block in numba.prange((n + _ROWS - 1) // _ROWS):
        first = _signed(block) * _ROWS
        _log_rows_and_pulls(X, Y, b, first, min(first + _ROWS, n), out, pull)


def gaussian_log_sums_and_pulls(X: Array, Y: Array, b: Array) -> tuple[Array, Array]:
    """The log sums of :func:`gaussian_log_sums`, and the mean of y_j − x_i under their terms.

    Twice the second, in units of √2 width, is the gradient of the first.
    """
    out, pull = np.empty(X.shape[1]), np.zeros((X.shape[1], X.shape[0]))
    if X.shape[1] * Y.shape[1] > _PARALLEL:
        _log_rows_and_pulls_at_once(X, Y, b, out, pull)
    else:
        _log_rows_and_pulls(X, Y, b, 0, len(out), out, pull)
    return out, pull


@jit()
def _add_exps(u: Array, e: Array) -> None:
    for j in range(u.size):
        e[j] += exp_scalar(-u[j])


@jit(parallel=True)
def _bag_sums(
    X: Array, first: IntArray, Y: Array, second: IntArray, same: bool, out: Array
) -> None:
    """Over the samples of a bag first, for all columns of Y: bags of Y may be short."""
    n = Y.shape[1]
    for i in numba.prange(first.size - 1):
        x, u, e = np.empty(X.shape[0]), np.empty(_COLUMNS), np.empty(_COLUMNS)
        j = _signed(i) if same else 0
        for begin in range(second[j], n, _COLUMNS):
            stop = min(begin + _COLUMNS, n)
            for k in range(_COLUMNS):
                e[k] = 0.0
            for p in range(first[i], first[i + 1]):
                _set_column(x, X, p)
                _squares(x, Y, begin, stop, u)
                _add_exps(u[: stop - begin], e)
            for k in range(begin, stop):
                while second[j + 1] <= k:
                    j += 1
                out[i, j] += e[k - begin]


def gaussian_bag_means(
    X: Array, first: IntArray, Y: Array, second: IntArray, *, same: bool = False
) -> Array:
    """Mean of exp(−|x − y|²) over the pairs of every two bags.

    Bag i of X is X[:, first[i]:first[i + 1]]; ``same`` says that Y is X.
    """
    out = np.zeros((len(first) - 1, len(second) - 1))
    sums = suited(_bag_sums, X.size * Y.shape[1])
    sums(X, first, Y, second, same, out)
    if same:
        out = mirrored(out)
    return np.asarray(out / (first[1:] - first[:-1])[:, None] / (second[1:] - second[:-1]))


@jit(parallel=True)
def _bag_self_sums(X: Array, first: IntArray, ones: Array, axes: Axes, out: Array) -> None:
    for i in numba.prange(first.size - 1):
        u = np.empty(_COLUMNS)
        x = np.empty(X.shape[0])
        for p in range(first[i], first[i + 1]):
            _set_column(x, X, p)
            out[i] += _exp_sum(x, X, ones, first[i], first[i + 1], u, axes)


def gaussian_bag_self_means(X: Array, first: IntArray) -> Array:
    """Return the diagonal of :func:`gaussian_bag_means`."""
    out = np.zeros(len(first) - 1)
    sums = suited(_bag_self_sums, X.size * int(np.diff(first).max()))
    sums(X, first, np.ones(X.shape[1]), _axes(X), out)
    return np.asarray(out / np.diff(first) ** 2.0)
