"""Distances of one sample from prototypes in spaces that are not Euclidean, compiled.

The prototypes are the columns of blocks, so that the distances of a sample from all of them are
computed at once, as in `lp`. Rows may have several parts, each with a distance of its own, whose
sum counts; and a kernel may be a function of it.
"""

import math

from noneuclid.numerics._exp import exp_scalar
from noneuclid.numerics._jit import jit
from noneuclid.numerics._lanes import quotient, where_negative
from noneuclid.numerics.lee import has_powers, lee_block
from noneuclid.numerics.lp import ROWS, Exponents, block_sums, exponents, squared_norms
from noneuclid.numerics.profiles import EXPONENTIAL, value_and_fall
from noneuclid.typing import Array

LP, LEE, PRODUCT = 0, 1, 2
"""Which distance: that of l_p, that of Lee and Verleysen, or a sum of such over parts."""

# What is None of these is not compiled.
Kernel = Array | None
"""`Profile.code` of a kernel of the distance, whose own distance is meant then."""
Slopes = Array | None
"""For steps along the gradient: how much longer it is than the duality map, of each part."""
Mixing = Array | None
"""M'M, if images xM are no rows: a step along the gradient is mixed by it, where p = 2."""
Kinds = tuple[bool | None, Exponents | None, bool | None, bool | None]
"""Whether there are parts with p = 2, others of l_p, of Lee and Verleysen, and of these any with p
neither 1 nor 2; None where not."""
Code = tuple[Array, Kinds, Kernel, Slopes, Mixing]
"""Parts (kind, p, factor, first column, one behind the last), and the four above."""


@jit(sums=True, borrows=True)
def _sums_of_squares(C: Array, x: Array, out: Array) -> None:
    out[:] = 0.0
    for k in range(x.size):
        for i in range(ROWS):
            out[i] += (C[k, i] - x[k]) * (C[k, i] - x[k])


def kinds_of(parts: Array) -> Kinds:
    """Which kinds of distances there are, so that others are not compiled.

    Parameters
    ----------
    parts : array of shape (n_parts, 5)

    Returns
    -------
    tuple
    """
    lee, euclidean = parts[:, 0] == LEE, parts[:, 1] == 2.0
    others = parts[~lee & ~euclidean, 1]
    squares = bool((euclidean & ~lee).any()) or None
    lp = exponents(*others.tolist()) if len(others) else None
    return squares, lp, bool(lee.any()) or None, has_powers(*parts[lee, 1].tolist())


@jit(borrows=True)
def _block_distances(
    C: Array,
    x: Array,
    kind: int,
    p: float,
    squares: bool | None,
    lp: Exponents | None,
    lee: bool | None,
    lee_powers: bool | None,
    scratch: Array,
    sums: Array,
    out: Array,
) -> None:
    """Squared distances of one sample from the prototypes of a block."""
    if lee is not None and kind == LEE:
        lee_block(C, x, p, lee_powers, scratch[0], scratch[1, : x.size], scratch[2], out)
    if lp is not None and kind != LEE and p != 2.0:
        block_sums(C, x, p, lp[0], lp[1], lp[2], lp[3], sums)
        squared_norms(sums, p, lp[2], lp[3], out)
    if squares is not None and kind != LEE and p == 2.0:
        _sums_of_squares(C, x, out)


@jit(borrows=True)
def sample_distances(
    blocks: Array,
    x: Array,
    parts: Array,
    kinds: Kinds,
    kernel: Kernel,
    scratch: Array,
    sums: Array,
    out: Array,
    d: Array,
    falls: Array,
) -> None:
    """Squared distances of one sample from all prototypes; how steeply a kernel falls there."""
    m = d.size
    squares, lp, lee, lee_powers = kinds
    for b in range(len(blocks)):
        count = min(ROWS, m - b * ROWS)
        for c in range(len(parts)):
            kind, p, factor = int(parts[c, 0]), parts[c, 1], parts[c, 2]
            some = slice(int(parts[c, 3]), int(parts[c, 4]))
            C, part = blocks[b, some], x[some]
            _block_distances(C, part, kind, p, squares, lp, lee, lee_powers, scratch, sums, out)
            for i in range(count):
                before = 0.0 if c == 0 else d[b * ROWS + i]
                d[b * ROWS + i] = before + factor * out[i]
    if kernel is not None and kernel[0] == EXPONENTIAL and kernel[2] == 2.0:
        rate = kernel[1]
        for j in range(m):  # the Gaussian: without a branch, so that it is vectorised
            value = exp_scalar(-rate * d[j])
            d[j], falls[j] = 2.0 - 2.0 * value, 2.0 * rate * value
    elif kernel is not None and kernel[0] == EXPONENTIAL and kernel[2] == 1.0:
        rate = kernel[1]
        for j in range(m):  # the Laplacian likewise; it has a kink where a prototype is a sample
            t = math.sqrt(rate * d[j])
            value = exp_scalar(-t)
            falls[j] = where_negative(-d[j], quotient(value * t, d[j]))
            d[j] = 2.0 - 2.0 * value
    elif kernel is not None:
        for j in range(m):
            value, fall = value_and_fall(d[j], kernel)
            d[j], falls[j] = 2.0 - 2.0 * value, 2.0 * fall
