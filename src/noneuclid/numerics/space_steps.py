"""Prototypes that learn sample by sample in spaces that are not Euclidean, compiled.

The prototypes are the columns of blocks, so that the distances of a sample from all of them are
computed at once, as in `lp`. Steps go along x − w, in a space of a Gaussian kernel along the
gradient of its distance, which is a multiple of x − w.
"""

import numpy as np

from noneuclid.numerics._exp import exp_scalar
from noneuclid.numerics._jit import jit
from noneuclid.numerics.lee import lee_block
from noneuclid.numerics.lp import ROWS, block_sums, fill_block, squared_norms
from noneuclid.numerics.lvq import _NO_STEP, sample_forces
from noneuclid.numerics.quantization import Table, _pulls
from noneuclid.typing import Array, IntArray

LP, LEE, GAUSSIAN = 0, 1, 2
"""Which distance: factor times that of l_p or of Lee and Verleysen, or that of the kernel
exp(−factor ‖x − w‖²)."""


@jit(sums=True)
def _sums_of_squares(C: Array, x: Array, out: Array) -> None:
    out[:] = 0.0
    for k in range(x.size):
        for i in range(ROWS):
            out[i] += (C[k, i] - x[k]) * (C[k, i] - x[k])


@jit()
def _distances(
    blocks: Array, x: Array, kind: int, p: float, factor: float, scratch: Array, d: Array
) -> None:
    """Squared distances of one sample from all prototypes."""
    m, out, sums = d.size, np.empty(ROWS), np.empty(ROWS)
    for b in range(len(blocks)):
        if kind == LP:
            block_sums(blocks[b], x, p, sums)
            squared_norms(sums, p, out)
        elif kind == LEE:
            lee_block(blocks[b], x, p, scratch[0], scratch[1], scratch[2], out)
        else:
            _sums_of_squares(blocks[b], x, sums)
            for i in range(ROWS):
                out[i] = 2.0 - 2.0 * exp_scalar(-factor * sums[i])
        scale = 1.0 if kind == GAUSSIAN else factor
        for i in range(min(ROWS, m - b * ROWS)):
            d[b * ROWS + i] = scale * out[i]


@jit()
def _towards(blocks: Array, j: int, a: float, x: Array) -> None:
    b, i = j // ROWS, j % ROWS
    for k in range(x.size):
        blocks[b, k, i] += a * (x[k] - blocks[b, k, i])


@jit()
def _in_blocks(W: Array) -> Array:
    n_blocks = (len(W) + ROWS - 1) // ROWS
    blocks = np.empty((n_blocks, W.shape[1], ROWS))
    for b in range(n_blocks):
        fill_block(W, b * ROWS, blocks[b])
    return blocks


@jit()
def _out_of_blocks(blocks: Array, W: Array) -> None:
    for j in range(len(W)):
        for k in range(W.shape[1]):
            W[j, k] = blocks[j // ROWS, k, j % ROWS]


@jit()
def space_epoch(
    Z: Array,
    form: Array,
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

    As `vector_epoch`, in a space that is not Euclidean: ``form`` is kind, p and factor.
    """
    m, kind, p, factor = len(W), int(form[0]), form[1], form[2]
    d, phi, scratch = np.empty(m), np.empty(m), np.empty((3, Z.shape[1], ROWS))
    blocks = _in_blocks(W)
    refused = 0
    for i in order:
        _distances(blocks, Z[i], kind, p, factor, scratch, d)
        own = own_of_class[y[i]]
        if not sample_forces(d, own, reward, transfer, slope, window, sigma2, log_prior, phi):
            refused += 1
            continue
        for j in range(m):
            a = step[i] * phi[j]
            if abs(a) >= _NO_STEP:
                _towards(blocks, j, a, Z[i])
    _out_of_blocks(blocks, W)
    return refused


@jit()
def space_steps(
    Z: Array,
    kind: int,
    p: float,
    factor: float,
    order: IntArray,
    table: Table,
    by_rank: bool,
    rate: float,
    unit: float,
    W: Array,
) -> float:
    """Steps of prototypes without labels over the samples in ``order``, in place; their cost.

    As `vector_steps`, in a space that is not Euclidean.
    """
    m = len(W)
    d, e, a, kept = np.empty(m), np.empty(m), np.empty(m), np.empty(m)
    scratch = np.empty((3, Z.shape[1], ROWS))
    blocks = _in_blocks(W)
    cost = 0.0
    for i in order:
        _distances(blocks, Z[i], kind, p, factor, scratch, d)
        kept[:] = d
        cost += _pulls(d, table, by_rank, rate, e, a)
        for j in range(m):
            if a[j] > 0.0:
                # ∂d/∂w = −4 (factor/unit²) κ(x, w)(x − w), with κ = 1 − d/2
                longer = 2.0 * factor / unit**2 * (2.0 - kept[j]) if kind == GAUSSIAN else 1.0
                _towards(blocks, j, longer * a[j], Z[i])
    _out_of_blocks(blocks, W)
    return cost
