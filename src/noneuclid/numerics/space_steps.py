"""Prototypes that learn sample by sample in spaces that are not Euclidean, compiled.

What a sample does to them: its distances (`space_distances`) tell the forces, along which they move
(`space_moves`).
"""

import numpy as np

from noneuclid.numerics._jit import jit
from noneuclid.numerics._prefetch import ask_ahead
from noneuclid.numerics.lp import ROWS
from noneuclid.numerics.lvq import _NO_STEP, sample_forces
from noneuclid.numerics.quantization import ByRank, Table, _pulls
from noneuclid.numerics.space_distances import Code, sample_distances
from noneuclid.numerics.space_moves import follow, move
from noneuclid.typing import Array, IntArray

# A step along the gradient has a unit, so that no number but 0 is none.
_NOTHING = 5e-324


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
        sample_distances(blocks, Z[i], parts, kinds, kernel, wide, sums, out, distances, falls)
        own = own_of_class[y[i]]
        if not sample_forces(
            distances, own, reward, transfer, slope, window, sigma2, log_prior, phi
        ):
            refused += 1
            continue
        for j in range(phi.size):
            a = step[i] * phi[j] * falls[j]
            if abs(a) >= (_NO_STEP if slopes is None else _NOTHING):
                move(blocks, j, a, Z[i], parts, lp, lee, slopes, mixing, padded)
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
        sample_distances(blocks, Z[i], parts, kinds, kernel, wide, sums, out, distances, falls)
        share = 1.0
        if labels is not None:
            _add_distances_of_labels(i, labels, distances)
            share -= labels[2][i]
        cost += _pulls(distances, table, by_rank, rate, e, a)
        if labels is not None:
            _learn_labels(i, labels, a)
        follow(blocks, a, falls, share, Z[i], parts, lp, lee, slopes, mixing, padded, out, sums)
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
