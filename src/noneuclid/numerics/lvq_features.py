"""Learning vector quantisation in features of low rank, one sample at a time, compiled.

A prototype is the vector w_j = Σ_l γ_jl z_l beside its coefficients γ_j. A Riesz step changes the
vector in O(rank) and, kept as a scale times a vector, the coefficients in O(1).
"""

import numpy as np

from noneuclid.numerics._jit import jit
from noneuclid.numerics._prefetch import AHEAD, ask_for_row, prefetch
from noneuclid.numerics.lvq import find_moves, sample_forces, step_coefficients
from noneuclid.typing import Array, IntArray

# What a pass calls is inserted into it: for every call with arrays numba counts who refers to them,
# which takes as long as a step.


@jit(inline=True, sums=True)
def _signed_products(Z: Array, i: int, W: Array, positive: int, out: Array) -> None:
    """Products of z_i with all w_j; directions from ``positive`` on count with the other sign.

    Four prototypes share each read of z_i and hide each other's latency. Rows are indexed, not
    sliced: making a view takes as long as a short sum.
    """
    m, r = W.shape
    full = m - m % 4
    for j in range(0, full, 4):
        s0 = s1 = s2 = s3 = 0.0
        for k in range(positive):
            z = Z[i, k]
            s0 += z * W[j, k]
            s1 += z * W[j + 1, k]
            s2 += z * W[j + 2, k]
            s3 += z * W[j + 3, k]
        for k in range(positive, r):
            z = Z[i, k]
            s0 -= z * W[j, k]
            s1 -= z * W[j + 1, k]
            s2 -= z * W[j + 2, k]
            s3 -= z * W[j + 3, k]
        out[j], out[j + 1], out[j + 2], out[j + 3] = s0, s1, s2, s3
    for j in range(full, m):
        s0 = 0.0
        for k in range(positive):
            s0 += Z[i, k] * W[j, k]
        for k in range(positive, r):
            s0 -= Z[i, k] * W[j, k]
        out[j] = s0


@jit(inline=True, sums=True)
def _signed_product(Z: Array, i: int, k: int, positive: int) -> float:
    """z_i' I_pq z_k."""
    product = 0.0
    for c in range(positive):
        product += Z[i, c] * Z[k, c]
    for c in range(positive, Z.shape[1]):
        product -= Z[i, c] * Z[k, c]
    return product


@jit(inline=True)
def _ask_for(i: int, Z: Array, diagonal: Array, y: IntArray, step: Array, H: Array) -> None:
    """What a pass will read of a sample."""
    ask_for_row(Z, i)
    ask_for_row(H, i)
    prefetch(diagonal, i)
    prefetch(step, i)
    prefetch(y, i)


@jit(sums=True, borrows=True, nogil=True)
def feature_epoch(
    Z: Array,
    diagonal: Array,
    positive: int,
    own_of_class: np.ndarray,
    y: np.ndarray,
    order: np.ndarray,
    step: Array,
    convex: bool,
    reward: float | None,
    transfer: int | None,
    slope: float | None,
    window: float | None,
    sigma2: Array | None,
    log_prior: Array | None,
    H: Array,
    W: Array,
    q: Array,
    product: Array,
    next_one: Array,
    scale: Array,
    d: Array,
    phi: Array,
    moves: IntArray,
) -> tuple[int, int]:
    """One pass of prototype steps over the samples in ``order``; H, W and q change in place.

    The steps, how it is to be run, and what is returned, are as for
    :func:`noneuclid.numerics.lvq.riesz_epoch`; ``product`` and ``next_one`` are scratch as well.

    Forces wait for exponentials and quotients. Meanwhile the products of the next sample are made,
    with the prototypes before the step; of those that move, they are put right by z_i' I_pq z_k.
    """
    refused = clipped = 0
    if order.size > 0:
        _signed_products(Z, order[0], W, positive, next_one)
    for t in range(order.size):
        i, after = order[t], order[min(t + 1, order.size - 1)]
        if t + AHEAD < order.size:
            _ask_for(order[t + AHEAD], Z, diagonal, y, step, H)
        own = own_of_class[y[i]]
        for j in range(q.size):
            product[j] = next_one[j]
            d[j] = diagonal[i] - 2.0 * product[j] + q[j]
        taken = sample_forces(d, own, reward, transfer, slope, window, sigma2, log_prior, phi)
        _signed_products(Z, after, W, positive, next_one)
        if not taken:
            refused += 1
            continue
        between = _signed_product(Z, i, after, positive)
        for j in range(q.size):
            phi[j] *= step[i]
        for move in range(find_moves(phi, H, i, convex, moves)):
            j = moves[move]
            s, b = step_coefficients(H, scale, i, j, phi[j], convex)
            clipped += b == 0.0
            q[j] = s * s * q[j] + 2.0 * s * b * product[j] + b * b * diagonal[i]
            next_one[j] = s * next_one[j] + b * between
            for k in range(Z.shape[1]):  # w_j ← s w_j + b z_i
                W[j, k] = s * W[j, k] + b * Z[i, k]
    return refused, clipped
