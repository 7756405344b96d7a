"""Prototypes that learn sample by sample in spaces that are not Euclidean, compiled.

The prototypes are the columns of blocks, so that the distances of a sample from all of them are
computed at once, as in `lp`. Rows may have several parts, each with a distance of its own, whose
sum counts; and a kernel may be a function of it. Steps go along x − w, or along the gradient of the
distance: the duality map of x − w, part by part.
"""

import math

import numpy as np

from noneuclid.numerics._exp import exp_scalar
from noneuclid.numerics._jit import jit
from noneuclid.numerics._lanes import flipped, quotient, where_negative
from noneuclid.numerics._prefetch import ask_ahead
from noneuclid.numerics.duality import TIE
from noneuclid.numerics.lee import has_powers, lee_block
from noneuclid.numerics.lee_dual import padded_dual
from noneuclid.numerics.lp import (
    ROWS,
    Exponents,
    block_sums,
    exponents,
    power,
    squared_norms,
    sums_of_moduli,
)
from noneuclid.numerics.lvq import _NO_STEP, sample_forces
from noneuclid.numerics.profiles import EXPONENTIAL, value_and_fall
from noneuclid.numerics.quantization import ByRank, Table, _pulls
from noneuclid.typing import Array, IntArray

LP, LEE, PRODUCT = 0, 1, 2
"""Which distance: that of l_p, that of Lee and Verleysen, or a sum of such over parts."""

# A step along the gradient has a unit, so that no number but 0 is none.
_NOTHING = 5e-324

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
def _distances(
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


@jit(borrows=True)
def _towards(C: Array, i: int, a: float, x: Array) -> None:
    """w ← w + a(x − w), in a column."""
    for k in range(x.size):
        C[k, i] += a * (x[k] - C[k, i])


@jit(borrows=True)
def _towards_mixed(C: Array, i: int, a: float, x: Array, mixing: Array, v: Array) -> None:
    """w ← w + a(x − w)M'M, of rows; v is scratch."""
    for k in range(x.size):
        v[k] = x[k] - C[k, i]
    for k in range(x.size):
        total = 0.0
        for n in range(x.size):
            total += v[n] * mixing[n, k]
        C[k, i] += a * total


@jit(borrows=True)
def _power_of_dual(u: float, p: float) -> float:
    """u^(p−1) of a share of the largest modulus; at p = ∞ only the largest ones count."""
    if p == np.inf:
        return 1.0 if u >= TIE else 0.0
    return power(u, p - 1.0)


@jit(borrows=True)
def _along_lp(C: Array, i: int, a: float, x: Array, p: float) -> None:
    """w ← w + aJ(x − w) in l_p."""
    largest, total = 0.0, 0.0
    for k in range(x.size):
        largest = max(largest, abs(x[k] - C[k, i]))
    if not largest > 0.0:
        return
    for k in range(x.size):
        u = abs(x[k] - C[k, i]) / largest
        total += _power_of_dual(u, p) * (1.0 if p == np.inf else u)
    a *= largest * total ** (-1.0 if p == np.inf else (2.0 - p) / p)
    for k in range(x.size):
        v = (x[k] - C[k, i]) / largest
        C[k, i] += a * _power_of_dual(abs(v), p) * np.sign(v)


@jit(borrows=True)
def _along_lee(C: Array, i: int, a: float, x: Array, p: float, padded: Array) -> None:
    """w ← w + aJ(x − w) for Lee and Verleysen's norm; ``padded`` is 0 at both ends of its rows."""
    d, largest = x.size, 0.0
    for k in range(d):
        largest = max(largest, abs(x[k] - C[k, i]))
    if not largest > 0.0:
        return
    for k in range(d):
        padded[0, k + 1] = (x[k] - C[k, i]) / largest
    padded_dual(padded[0], p, padded[1], padded[2], padded[3])
    for k in range(d):
        C[k, i] += a * largest * padded[3, k + 1]


@jit(borrows=True)
def _move(
    blocks: Array,
    j: int,
    a: float,
    x: Array,
    parts: Array,
    lp: Exponents | None,
    lee: bool | None,
    slopes: Slopes,
    mixing: Mixing,
    padded: Array,
) -> None:
    """One prototype towards a sample, or along the gradient of its distance."""
    C, i = blocks[j // ROWS], j % ROWS
    if slopes is None:
        _towards(C, i, a, x)
    else:
        for c in range(len(parts)):
            kind, p, length = int(parts[c, 0]), parts[c, 1], a * slopes[c]
            some = slice(int(parts[c, 3]), int(parts[c, 4]))
            if lee is not None and kind == LEE:
                wide = x[some].size + 2
                padded[:, 0] = 0.0
                padded[:, wide - 1] = 0.0
                _along_lee(C[some], i, length, x[some], p, padded[:, :wide])
            elif lp is not None and p != 2.0:
                _along_lp(C[some], i, length, x[some], p)
            elif mixing is not None:
                _towards_mixed(C[some], i, length, x[some], mixing[some, some], padded[0])
            else:
                _towards(C[some], i, length, x[some])


@jit(borrows=True)
def _all_towards(
    blocks: Array, a: Array, falls: Array, length: float, x: Array, steps: Array
) -> None:
    """All prototypes by shares of x − w_j, length · a_j · falls_j, block by block."""
    for b in range(len(blocks)):
        start, total = b * ROWS, 0.0
        for i in range(ROWS):
            j = start + i
            steps[i] = length * a[j] * falls[j] if j < a.size else 0.0
            total += abs(steps[i])
        if total > 0.0:
            for k in range(x.size):
                here = x[k]
                for i in range(ROWS):
                    blocks[b, k, i] += steps[i] * (here - blocks[b, k, i])


@jit(borrows=True)
def _all_along_moduli(
    blocks: Array, a: Array, falls: Array, length: float, x: Array, steps: Array, sums: Array
) -> None:
    """All prototypes by length · a_j · falls_j J(x − w_j) in l_1, block by block."""
    for b in range(len(blocks)):
        start, total, C = b * ROWS, 0.0, blocks[b]
        for i in range(ROWS):
            j = start + i
            steps[i] = length * a[j] * falls[j] if j < a.size else 0.0
            total += abs(steps[i])
            sums[i] = 0.0
        if total > 0.0:
            sums_of_moduli(C, x, sums)
            for i in range(ROWS):
                steps[i] *= sums[i]
            for k in range(x.size):
                here = x[k]
                for i in range(ROWS):
                    v = here - C[k, i]
                    C[k, i] += where_negative(-abs(v), flipped(steps[i], v))


@jit(borrows=True)
def _follow(
    blocks: Array,
    a: Array,
    falls: Array,
    share: float,
    x: Array,
    parts: Array,
    lp: Exponents | None,
    lee: bool | None,
    slopes: Slopes,
    mixing: Mixing,
    padded: Array,
    steps: Array,
    sums: Array,
) -> None:
    """All prototypes towards a sample as it pulls them, or along the gradients of its distances."""
    if slopes is None:
        _all_towards(blocks, a, falls, share, x, steps)
    elif lp is None and lee is None and mixing is None and len(parts) == 1:
        # a Euclidean distance, if under a kernel: the gradient is along x − w, too
        _all_towards(blocks, a, falls, share * slopes[0], x, steps)
    elif lp is not None and len(parts) == 1 and parts[0, 0] == LP and parts[0, 1] == 1.0:
        _all_along_moduli(blocks, a, falls, share * slopes[0], x, steps, sums)
    else:
        for j in range(a.size):
            if share * a[j] > 0.0:
                _move(blocks, j, falls[j] * share * a[j], x, parts, lp, lee, slopes, mixing, padded)


def _in_blocks(W: Array) -> Array:
    """Prototypes as columns of blocks, the last one again and again at the end."""
    n_blocks = (len(W) + ROWS - 1) // ROWS
    rows = np.minimum(np.arange(n_blocks * ROWS), len(W) - 1)
    return np.ascontiguousarray(W[rows].reshape(n_blocks, ROWS, -1).transpose(0, 2, 1))


def _out_of_blocks(blocks: Array, W: Array) -> None:
    W[:] = blocks.transpose(0, 2, 1).reshape(-1, W.shape[1])[: len(W)]


Scratch = tuple[Array, Array, Array, Array, Array, Array]
"""Distances of a sample, how steeply a kernel falls there, two sums per row of a block, and what
the distances and the duality map of Lee and Verleysen's norm need."""


def _scratch(m: int, d: int) -> Scratch:
    sums, out = np.empty((2, ROWS))
    return np.empty(m), np.ones(m), sums, out, np.empty((3, d, ROWS)), np.empty((4, d + 2))


# Arrays are made by Python, and lent: what is compiled then counts no references, which takes time.
@jit(borrows=True)
def _epoch(
    Z: Array,
    code: Code,
    own_of_class: np.ndarray,
    y: np.ndarray,
    order: np.ndarray,
    step: Array,
    reward: float | None,
    transfer: int | None,
    slope: float | None,
    window: float | None,
    sigma2: Array | None,
    log_prior: Array | None,
    blocks: Array,
    scratch: Scratch,
    phi: Array,
) -> int:
    parts, kinds, kernel, slopes, mixing = code
    _, lp, lee, _ = kinds
    distances, falls, sums, out, wide, padded = scratch
    refused = 0
    for t in range(order.size):
        i = order[t]
        ask_ahead(Z, order, t)
        _distances(blocks, Z[i], parts, kinds, kernel, wide, sums, out, distances, falls)
        own = own_of_class[y[i]]
        if not sample_forces(
            distances, own, reward, transfer, slope, window, sigma2, log_prior, phi
        ):
            refused += 1
            continue
        for j in range(phi.size):
            a = step[i] * phi[j] * falls[j]
            if abs(a) >= (_NO_STEP if slopes is None else _NOTHING):
                _move(blocks, j, a, Z[i], parts, lp, lee, slopes, mixing, padded)
    return refused


def space_epoch(
    Z: Array,
    code: Code,
    own_of_class: np.ndarray,
    y: np.ndarray,
    order: np.ndarray,
    step: Array,
    reward: float | None,
    transfer: int | None,
    slope: float | None,
    window: float | None,
    sigma2: Array | None,
    log_prior: Array | None,
    W: Array,
) -> int:
    """One pass of prototype steps over the samples in ``order``; W changes in place.

    As `vector_epoch`, in a space that is not Euclidean; what it is like is a `Code`.
    """
    blocks, forces = _in_blocks(W), np.empty(len(W))
    cost = reward, transfer, slope, window, sigma2, log_prior
    samples = Z, code, own_of_class, y, order, step
    refused = _epoch(*samples, *cost, blocks, _scratch(*W.shape), forces)
    _out_of_blocks(blocks, W)
    return refused


Labels = tuple[Array, Array, Array, float, Array, Array]
"""Fuzzy labels of the samples, which of them have one, its weight, and a unit of the other
distances; those of the prototypes, and by how much they are known, which change."""


@jit(borrows=True)
def _add_distances_of_labels(i: int, labels: Labels, d: Array) -> None:
    """d_j becomes (1 − β) d_j/unit + β ‖l − y_j‖²."""
    L, _, beta, unit, Y, _ = labels
    for j in range(d.size):
        total = 0.0
        for c in range(L.shape[1]):
            total += (L[i, c] - Y[j, c]) * (L[i, c] - Y[j, c])
        d[j] = d[j] * ((1.0 - beta[i]) / unit) + (beta[i] * total if beta[i] > 0.0 else 0.0)


@jit(borrows=True)
def _learn_labels(i: int, labels: Labels, a: Array) -> None:
    """Those of the prototypes become running means of what pulls them."""
    L, known, _, _, Y, mass = labels
    if known[i] > 0.0:
        for j in range(a.size):
            mass[j] += a[j]
            if a[j] > 0.0:
                for c in range(L.shape[1]):
                    Y[j, c] += a[j] / mass[j] * (L[i, c] - Y[j, c])


# Ranks of prototypes that coincide are told by arrays made for it: these steps do not only borrow.
@jit()
def _steps(
    Z: Array,
    code: Code,
    order: IntArray,
    table: Table,
    by_rank: ByRank,
    rate: float,
    labels: Labels | None,
    blocks: Array,
    scratch: Scratch,
    e: Array,
    a: Array,
) -> float:
    parts, kinds, kernel, slopes, mixing = code
    _, lp, lee, _ = kinds
    distances, falls, sums, out, wide, padded = scratch
    cost = 0.0
    for t in range(order.size):
        i = order[t]
        ask_ahead(Z, order, t)
        _distances(blocks, Z[i], parts, kinds, kernel, wide, sums, out, distances, falls)
        share = 1.0
        if labels is not None:
            _add_distances_of_labels(i, labels, distances)
            share -= labels[2][i]
        cost += _pulls(distances, table, by_rank, rate, e, a)
        if labels is not None:
            _learn_labels(i, labels, a)
        _follow(blocks, a, falls, share, Z[i], parts, lp, lee, slopes, mixing, padded, out, sums)
    return cost


def space_steps(
    Z: Array,
    code: Code,
    order: IntArray,
    table: Table,
    by_rank: ByRank,
    rate: float,
    labels: Labels | None,
    W: Array,
) -> float:
    """Steps of prototypes without classes over the samples in ``order``, in place; their cost.

    As `vector_steps`, in a space that is not Euclidean, or with fuzzy labels.
    """
    blocks, scratch = _in_blocks(W), _scratch(*W.shape)
    exponents, pulls = np.empty((2, len(W)))
    samples = Z, code, order, table, by_rank, float(rate), labels
    cost = _steps(*samples, blocks, scratch, exponents, pulls)
    _out_of_blocks(blocks, W)
    return cost
