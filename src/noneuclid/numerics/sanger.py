"""Sanger's rule in l_1, l_1.5 and l_2, sample by sample, compiled for speed.

The components are read once per sample: the step to one sample and the responses to the next, for
two components at a time, or three. The plain form is :func:`noneuclid.numerics.hebbian._pass`.

All numbers lie in one array, row by row, each padded with zeros to whole vectors: the components,
then what is left of the sample, then the next sample. One array and a few numbers are what a
compiled function is called with soonest; five arrays would take as long as the step.
"""

import math
from typing import Any

import numpy as np

from noneuclid.numerics._jit import jit
from noneuclid.numerics._vectors import (
    LANES,
    add_multiple,
    add_product,
    load,
    moduli,
    roots,
    store,
    total,
    with_signs,
    zeros,
)
from noneuclid.typing import Array

# The exponent is told by what is there, as a cost in `lvq.sample_forces`: `l1` and `l1_5` are None
# unless p is so, and code for what is None is not compiled.


@jit()
def _add_products(dot: Any, x: Any, w: Any, l1: bool | None, l1_5: bool | None) -> Any:
    """The sums of x |w|^(p-1) sgn(w), lane by lane."""
    if l1 is not None:
        return add_multiple(dot, 1.0, with_signs(x, w))
    if l1_5 is not None:
        return add_product(dot, x, with_signs(roots(moduli(w)), w))
    return add_product(dot, x, w)


@jit()
def _add_sizes(size: Any, w: Any, l1: bool | None, l1_5: bool | None) -> Any:
    """The sums of |w|^p where the norm is needed."""
    if l1 is not None:
        return add_multiple(size, 1.0, moduli(w))
    if l1_5 is not None:
        return add_product(size, roots(moduli(w)), moduli(w))
    return size


@jit()
def _response(dot: float, size: float, l1: bool | None, l1_5: bool | None) -> float:
    """Σ x |w|^(p-1) sgn(w) ‖w‖^(2-p)."""
    if l1 is not None:
        return size * dot
    if l1_5 is not None:
        return dot * math.pow(size, 1.0 / 3.0)
    return dot


@jit()
def _step(
    B: Array,
    i: int,
    third: bool | None,
    r: int,
    x: int,
    width: int,
    o: Array,
    a: Array,
    l1: bool | None,
    l1_5: bool | None,
) -> None:
    """Steps of components i, i + 1, and i + 2 unless ``third`` is None, to what is left at r.

    Then o is their response to the sample at x.
    """
    w0, w1, w2 = i * width, (i + 1) * width, (i + 2) * width
    o0, o1, a0, a1 = o[i], o[i + 1], a[i], a[i + 1]
    dot0, dot1, dot2 = zeros(), zeros(), zeros()
    size0, size1, size2 = zeros(), zeros(), zeros()
    if third is not None:
        o2, a2 = o[i + 2], a[i + 2]
    for k in range(0, width, LANES):
        rest, to = load(B, r + k), load(B, x + k)
        w = load(B, w0 + k)
        rest = add_multiple(rest, -o0, w)
        w = add_multiple(w, a0, rest)
        store(B, w0 + k, w)
        dot0 = _add_products(dot0, to, w, l1, l1_5)
        size0 = _add_sizes(size0, w, l1, l1_5)
        w = load(B, w1 + k)
        rest = add_multiple(rest, -o1, w)
        w = add_multiple(w, a1, rest)
        store(B, w1 + k, w)
        dot1 = _add_products(dot1, to, w, l1, l1_5)
        size1 = _add_sizes(size1, w, l1, l1_5)
        if third is not None:
            w = load(B, w2 + k)
            rest = add_multiple(rest, -o2, w)
            w = add_multiple(w, a2, rest)
            store(B, w2 + k, w)
            dot2 = _add_products(dot2, to, w, l1, l1_5)
            size2 = _add_sizes(size2, w, l1, l1_5)
        store(B, r + k, rest)
    o[i] = _response(total(dot0), total(size0), l1, l1_5)
    o[i + 1] = _response(total(dot1), total(size1), l1, l1_5)
    if third is not None:
        o[i + 2] = _response(total(dot2), total(size2), l1, l1_5)


@jit()
def whole_vectors(d: int) -> int:
    """The length of a row of d numbers with what fills it up."""
    return -(-d // LANES) * LANES


@jit()
def in_one_array(W: Array) -> Array:
    """The components, another one that is 0 if there is only one, and room for two samples."""
    m, d = W.shape
    width = whole_vectors(d)
    B = np.zeros((max(m, 2) + 2) * width)
    for i in range(m):
        for k in range(d):
            B[i * width + k] = W[i, k]
    return B


@jit()
def put_centred(B: Array, place: int, rows: Array, start: int, mean: Array) -> None:
    """Put a sample less the mean at its place; it begins at ``start`` of all rows in a row."""
    whole = mean.size - mean.size % LANES
    for k in range(0, whole, LANES):
        store(B, place + k, add_multiple(load(rows, start + k), -1.0, load(mean, k)))
    for k in range(whole, mean.size):
        B[place + k] = rows[start + k] - mean[k]


@jit()
def step_and_respond(
    B: Array, width: int, r: int, x: int, o: Array, a: Array, l1: bool | None, l1_5: bool | None
) -> None:
    """Steps of all components to what is left at r; then o is their response in l_p to x.

    ``o`` are the responses to the sample that is left, ``a`` the steps; of two or more.
    """
    m = o.size
    for i in range(0, m - 3, 2):
        _step(B, i, None, r, x, width, o, a, l1, l1_5)
    if m % 2:
        _step(B, m - 3, True, r, x, width, o, a, l1, l1_5)
    else:
        _step(B, m - 2, None, r, x, width, o, a, l1, l1_5)
