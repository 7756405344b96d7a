r"""Learning vector quantisation on vectors, one sample at a time, compiled.

Coordinates are flat, up to signs: :math:`d(x, w) = \sum_k s_k (x_k - w_k)^2` with :math:`s_k = 1`
for the first ``positive`` directions and −1 for the others.
"""

import numpy as np

from noneuclid.numerics._jit import jit
from noneuclid.numerics._prefetch import ask_ahead
from noneuclid.numerics.lvq import _NO_STEP, sample_forces
from noneuclid.typing import Array


@jit(sums=True)
def signed_distance(Z: Array, i: int, W: Array, j: int, positive: int) -> float:
    """Σ_k s_k (z_ik − w_jk)²."""
    plus = minus = 0.0
    for k in range(positive):
        v = Z[i, k] - W[j, k]
        plus += v * v
    for k in range(positive, Z.shape[1]):
        v = Z[i, k] - W[j, k]
        minus += v * v
    return plus - minus


@jit(sums=True)
def _towards(W: Array, j: int, a: float, Z: Array, i: int) -> None:
    """w_j ← w_j + a (z_i − w_j)."""
    for k in range(W.shape[1]):
        W[j, k] += a * (Z[i, k] - W[j, k])


@jit()
def vector_epoch(
    Z: Array,
    positive: int,
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

    ``step[i]`` is learning rate times sample weight. Returns how many samples GLVQ's guard refused.
    """
    m = W.shape[0]
    d, phi = np.empty(m), np.empty(m)
    refused = 0
    for t in range(order.size):
        i = order[t]
        ask_ahead(Z, order, t)
        for j in range(m):
            d[j] = signed_distance(Z, i, W, j, positive)
        own = own_of_class[y[i]]
        if not sample_forces(d, own, reward, transfer, slope, window, sigma2, log_prior, phi):
            refused += 1
            continue
        for j in range(m):
            a = step[i] * phi[j]
            if abs(a) >= _NO_STEP:
                _towards(W, j, a, Z, i)
    return refused
