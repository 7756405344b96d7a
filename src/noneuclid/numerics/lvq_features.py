"""Learning vector quantisation in features of low rank, one sample at a time, compiled.

A prototype is the vector w_j = Σ_l γ_jl z_l beside its coefficients γ_j. A Riesz step changes the
vector in O(rank) and, kept as a scale times a vector, the coefficients in O(1).
"""

import numpy as np

from noneuclid.numerics._jit import jit
from noneuclid.numerics.lvq import leaves_alone, sample_forces, step_coefficients
from noneuclid.typing import Array


@jit(sums=True)
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


@jit(sums=True)
def _step(s: float, W: Array, j: int, b: float, Z: Array, i: int) -> None:
    """w_j ← s w_j + b z_i."""
    for k in range(Z.shape[1]):
        W[j, k] = s * W[j, k] + b * Z[i, k]


@jit()
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
    G: Array,
    W: Array,
    q: Array,
    product: Array,
    scale: Array,
    d: Array,
    phi: Array,
) -> tuple[int, int]:
    """One pass of prototype steps over the samples in ``order``; G, W and q change in place.

    The steps, how it is to be run, and what is returned, are as for
    :func:`noneuclid.numerics.lvq.riesz_epoch`; ``product`` is scratch as well.
    """
    refused = clipped = 0
    for i in order:
        own = own_of_class[y[i]]
        _signed_products(Z, i, W, positive, product)
        for j in range(q.size):
            d[j] = diagonal[i] - 2.0 * product[j] + q[j]
        if not sample_forces(d, own, reward, transfer, slope, window, sigma2, log_prior, phi):
            refused += 1
            continue
        for j in range(q.size):
            a = step[i] * phi[j]
            if leaves_alone(a, G[j, i], convex):
                continue
            s, b, stays = step_coefficients(G, scale, j, i, a, convex)
            clipped += stays
            if b != 0.0:
                q[j] = s * s * q[j] + 2.0 * s * b * product[j] + b * b * diagonal[i]
                _step(s, W, j, b, Z, i)
    return refused, clipped
