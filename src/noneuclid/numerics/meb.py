"""The minimum enclosing ball of a few points, from their inner products."""

import numpy as np

from noneuclid.numerics._jit import jit
from noneuclid.typing import Array


@jit()
def enclosing_ball(K: Array, tol: float, max_iter: int) -> tuple[Array, float]:
    """Convex weights of the centre, and the squared radius.

    The dual, max Σα_i k_ii − α'Kα on the simplex, by moving weight from the nearest point that has
    some to the farthest point, until both are equally far up to ``tol`` times the squared radius.
    """
    n = K.shape[0]
    alpha = np.zeros(n)
    alpha[0] = 1.0
    inner = K[0].copy()  # Kα
    for _ in range(max_iter):
        far, near = 0, -1
        for i in range(n):
            if K[i, i] - 2.0 * inner[i] > K[far, far] - 2.0 * inner[far]:
                far = i
            if alpha[i] > 0.0 and (
                near < 0 or K[i, i] - 2.0 * inner[i] < K[near, near] - 2.0 * inner[near]
            ):
                near = i
        gap = K[far, far] - 2.0 * inner[far] - K[near, near] + 2.0 * inner[near]
        radius2 = alpha @ np.diag(K) - alpha @ inner
        curvature = K[far, far] + K[near, near] - 2.0 * K[far, near]
        if gap <= tol * max(radius2, 0.0) or curvature <= 0.0:
            break
        step = min(gap / (2.0 * curvature), alpha[near])
        alpha[far] += step
        alpha[near] -= step
        if step == 0.0:
            break
        inner += step * (K[far] - K[near])
    return alpha, max(alpha @ np.diag(K) - alpha @ inner, 0.0)
