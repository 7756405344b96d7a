"""Steps of prototypes towards a sample in spaces that are not Euclidean, compiled.

The prototypes are the columns of blocks, as in `space_distances`. Steps go along x − w, or along
the gradient of the distance: the duality map of x − w, part by part.
"""

import numpy as np

from noneuclid.numerics._jit import jit
from noneuclid.numerics._lanes import flipped, where_negative
from noneuclid.numerics.duality import TIE
from noneuclid.numerics.lee_dual import padded_dual
from noneuclid.numerics.lp import ROWS, Exponents, power, sums_of_moduli
from noneuclid.numerics.space_distances import LEE, LP, Mixing, Slopes
from noneuclid.typing import Array


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
def move(
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
def follow(
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
                move(blocks, j, falls[j] * share * a[j], x, parts, lp, lee, slopes, mixing, padded)
