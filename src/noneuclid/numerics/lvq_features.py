"""Learning vector quantisation in features of low rank, one sample at a time, compiled.

A prototype is the vector w_j = Σ_l γ_jl z_l beside its coefficients γ_j. A Riesz step changes the
vector in O(rank) and, kept as a scale times a vector, the coefficients in O(1).
"""

import numpy as np

from noneuclid.numerics._jit import jit
from noneuclid.numerics._types import Array
from noneuclid.numerics.lvq import (
    _NO_STEP,
    _axpby,
    coefficient_step,
    move_coefficients,
    sample_forces,
)


@jit(sums=True)
def _signed_product(Z: Array, i: int, W: Array, j: int, positive: int) -> float:
    """Σ z_i w_j over the positive directions minus that over the others; views would cost more."""
    plus = minus = 0.0
    for k in range(positive):
        plus += Z[i, k] * W[j, k]
    for k in range(positive, Z.shape[1]):
        minus += Z[i, k] * W[j, k]
    return plus - minus


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
    cost: int,
    transfer: int,
    slope: float,
    window: float,
    sigma2: Array,
    log_prior: Array,
    G: Array,
    W: Array,
    q: Array,
) -> tuple[int, int]:
    """One pass of prototype steps over the samples in ``order``; G, W and q change in place.

    The steps, and what is returned, are those of :func:`noneuclid.numerics.lvq.riesz_epoch`.
    """
    m = G.shape[0]
    d, phi, scale, product = np.empty(m), np.empty(m), np.ones(m), np.empty(m)
    refused = kept = 0
    for i in order:
        own = own_of_class[y[i]]
        for j in range(m):
            product[j] = _signed_product(Z, i, W, j, positive)
            d[j] = diagonal[i] - 2.0 * product[j] + q[j]
        if not sample_forces(d, own, cost, transfer, slope, window, sigma2, log_prior, phi):
            refused += 1
            continue
        for j in range(m):
            a = step[i] * phi[j]
            if abs(a) < _NO_STEP:
                continue
            s, b, stays = coefficient_step(a, scale[j] * G[j, i], convex)
            kept += stays
            if b == 0.0:
                continue
            q[j] = s * s * q[j] + 2.0 * s * b * product[j] + b * b * diagonal[i]
            _axpby(s, W[j], b, Z[i])
            move_coefficients(G, scale, j, i, s, b, convex)
    for j in range(m):
        G[j] *= scale[j]
    return refused, kept
