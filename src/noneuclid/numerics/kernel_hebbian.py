"""The kernel Hebbian rule on coefficient vectors, sample by sample, compiled."""

import numpy as np
from numpy.typing import NDArray

from noneuclid.numerics._jit import jit
from noneuclid.typing import Array

# One step never moves a component by more than this share of its own response to the sample.
_LARGEST_STEP = 0.5


@jit(sums=True)
def _dot(A: Array, i: int, K: Array, t: int) -> float:
    total = 0.0
    for j in range(A.shape[1]):
        total += A[i, j] * K[t, j]
    return total


@jit(sums=True)
def _accumulate_then_subtract(s: Array, y: float, A: Array, i: int, amount: float) -> None:
    """s ← s + y a_i, then a_i ← a_i − amount s, in one pass."""
    for j in range(s.size):
        total = s[j] + y * A[i, j]
        s[j] = total
        A[i, j] -= amount * total


@jit()
def _pass(
    K: Array,
    order: NDArray[np.int64],
    A: Array,
    power: Array,
    clock: int,
    per_component: bool,
    rate: float,
    horizon: float,
) -> None:
    m = len(A)
    s, y = np.empty(A.shape[1]), np.empty(m)
    for now in range(order.size):
        t = order[now]
        step = rate * horizon / (horizon + clock + now)
        memory = max(1.0 / (clock + now + 1.0), step / 10.0)
        largest = 0.0
        for i in range(m):
            y[i] = _dot(A, i, K, t)
            power[i] += memory * (y[i] * y[i] - power[i])
            largest = max(largest, power[i])
        s[:] = 0.0
        for i in range(m):
            scale = max(power[i] if per_component else largest, step * y[i] * y[i] / _LARGEST_STEP)
            amount = step * y[i] / scale if scale > 0.0 else 0.0
            _accumulate_then_subtract(s, y[i], A, i, amount)
            A[i, t] += amount


def kernel_hebbian_pass(
    K: Array,
    order: NDArray[np.int64],
    A: Array,
    power: Array,
    *,
    clock: int,
    per_component: bool,
    rate: float,
    horizon: float,
) -> None:
    """A ← A + ε(y e_t' − LT(y y')A), y = A k_t, for the rows t in order; A, ``power`` in place.

    ``power`` is the running mean of y². The step ε is ``rate·horizon/(horizon + now)`` over the
    component's own power, or over the largest one.
    """
    _pass(K, order, A, power, clock, per_component, rate, horizon)
