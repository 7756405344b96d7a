"""The kernel Hebbian rule, on coefficient vectors or on features, sample by sample, compiled."""

import numpy as np

from noneuclid.numerics._jit import jit
from noneuclid.numerics.hebbian import Schedule, bounded_amount, step_and_memory
from noneuclid.typing import Array, IntArray


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
    K: Array, order: IntArray, A: Array, power: Array, per_component: bool, schedule: Schedule
) -> None:
    m = len(A)
    s, y = np.empty(A.shape[1]), np.empty(m)
    for now in range(order.size):
        t = order[now]
        step, memory = step_and_memory(schedule, now)
        largest = 0.0
        for i in range(m):
            y[i] = _dot(A, i, K, t)
            power[i] += memory * (y[i] * y[i] - power[i])
            largest = max(largest, power[i])
        s[:] = 0.0
        for i in range(m):
            amount = bounded_amount(y[i], power[i] if per_component else largest, step)
            _accumulate_then_subtract(s, y[i], A, i, amount)
            A[i, t] += amount


def kernel_hebbian_pass(
    K: Array,
    order: IntArray,
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
    _pass(K, order, A, power, per_component, (float(clock), float(rate), float(horizon)))


@jit(sums=True)
def _centre(Z: Array, t: int, mean: Array, rest: Array) -> None:
    for k in range(mean.size):
        rest[k] = Z[t, k] - mean[k]


@jit(sums=True)
def _response(rest: Array, W: Array, i: int) -> float:
    total = 0.0
    for k in range(rest.size):
        total += rest[k] * W[i, k]
    return total


@jit(sums=True)
def _subtract_then_add(rest: Array, y: float, W: Array, i: int, amount: float) -> None:
    """rest ← rest − y w_i, then w_i ← w_i + amount rest, in one pass."""
    for k in range(rest.size):
        left = rest[k] - y * W[i, k]
        rest[k] = left
        W[i, k] += amount * left


@jit()
def _feature_pass(
    Z: Array,
    mean: Array,
    order: IntArray,
    W: Array,
    power: Array,
    per_component: bool,
    schedule: Schedule,
) -> None:
    rest, y = np.empty(Z.shape[1]), np.empty(len(W))
    for now in range(order.size):
        _centre(Z, order[now], mean, rest)
        step, memory = step_and_memory(schedule, now)
        largest = 0.0
        for i in range(len(W)):
            y[i] = _response(rest, W, i)
            power[i] += memory * (y[i] * y[i] - power[i])
            largest = max(largest, power[i])
        for i in range(len(W)):
            amount = bounded_amount(y[i], power[i] if per_component else largest, step)
            _subtract_then_add(rest, y[i], W, i, amount)


def feature_hebbian_pass(
    Z: Array,
    mean: Array,
    order: IntArray,
    W: Array,
    power: Array,
    *,
    clock: int,
    per_component: bool,
    rate: float,
    horizon: float,
) -> None:
    """W ← W + ε(y z' − LT(y y')W), y = W z, z = Z_t − mean; W and ``power`` in place.

    What :func:`kernel_hebbian_pass` does where features of the samples are at hand.
    """
    schedule = float(clock), float(rate), float(horizon)
    _feature_pass(Z, mean, order, W, power, per_component, schedule)
