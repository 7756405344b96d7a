"""The online Hebbian rules in l_p, sample by sample, compiled.

Each common exponent has a loop of its own, which then vectorises; p = 1.5 needs a square root per
number, and only uncommon exponents pay for ``pow``.
"""

import math

import numpy as np

from noneuclid.numerics._jit import jit
from noneuclid.numerics.duality import lp_dual
from noneuclid.numerics.sanger import in_one_array, put_centred, step_and_respond
from noneuclid.typing import Array, IntArray

SANGER, RESIDUAL, SUBSPACE = 0, 1, 2
"""What a component sees: responses to the sample (Sanger), to what earlier components leave of
it (residual), or to the sample with all components in the decay term (Oja's subspace rule)."""

# One step never moves a component by more than this share of its own response to the sample.
_LARGEST_STEP = 0.5

Schedule = tuple[float, float, float]
"""Clock (samples seen before), rate and horizon of the step sizes."""

# The helpers take a matrix and the numbers of its rows: a view of a row would be counted and
# freed for every sample, which costs as much as the arithmetic.


@jit(sums=True)
def _responses_2(x: Array, W: Array, first: int, last: int, o: Array) -> None:
    for i in range(first, last):
        dot = 0.0
        for k in range(x.size):
            dot += x[k] * W[i, k]
        o[i] = dot


@jit(sums=True)
def _responses_1(x: Array, W: Array, first: int, last: int, o: Array) -> None:
    for i in range(first, last):
        dot, size = 0.0, 0.0
        for k in range(x.size):
            w = W[i, k]
            size += abs(w)
            dot += x[k] if w > 0.0 else (-x[k] if w < 0.0 else 0.0)
        o[i] = size * dot


@jit(sums=True)
def _responses_1_5(x: Array, W: Array, first: int, last: int, o: Array) -> None:
    for i in range(first, last):
        dot, size = 0.0, 0.0
        for k in range(x.size):
            w = abs(W[i, k])
            root = math.sqrt(w)
            size += w * root
            dot += x[k] * math.copysign(root, W[i, k])
        o[i] = dot * math.pow(size, 1.0 / 3.0)


@jit(sums=True)
def _responses_p(x: Array, W: Array, first: int, last: int, o: Array, p: float) -> None:
    for i in range(first, last):
        dot, size = 0.0, 0.0
        if p == 3.0:
            for k in range(x.size):
                power = W[i, k] * W[i, k]
                size += abs(W[i, k]) * power
                dot += x[k] * math.copysign(power, W[i, k])
        else:
            for k in range(x.size):
                power = math.pow(abs(W[i, k]), p - 1.0)
                size += abs(W[i, k]) * power
                dot += x[k] * math.copysign(power, W[i, k])
        o[i] = dot * math.pow(size, (2.0 - p) / p) if size > 0.0 else 0.0


@jit(sums=True)
def _responses_inf(x: Array, W: Array, first: int, last: int, o: Array) -> None:
    for i in range(first, last):
        largest = 0.0
        for k in range(x.size):
            largest = max(largest, abs(W[i, k]))
        total, count = 0.0, 0
        for k in range(x.size):
            if abs(W[i, k]) == largest and largest > 0.0:
                total += x[k] * math.copysign(1.0, W[i, k])
                count += 1
        o[i] = largest * total / max(count, 1)


@jit()
def _responses(x: Array, W: Array, first: int, last: int, o: Array, p: float) -> None:
    """o_i = [x, w_i] in l_p for first ≤ i < last."""
    if p == 2.0:
        _responses_2(x, W, first, last, o)
    elif p == 1.0:
        _responses_1(x, W, first, last, o)
    elif p == 1.5:
        _responses_1_5(x, W, first, last, o)
    elif p == np.inf:
        _responses_inf(x, W, first, last, o)
    else:
        _responses_p(x, W, first, last, o, p)


@jit(sums=True)
def _subtract(r: Array, o: float, W: Array, i: int) -> None:
    for k in range(r.size):
        r[k] -= o * W[i, k]


@jit(sums=True)
def _add(W: Array, i: int, amount: float, r: Array) -> None:
    for k in range(r.size):
        W[i, k] += amount * r[k]


@jit(sums=True)
def _subtract_then_add(r: Array, o: float, W: Array, i: int, amount: float) -> None:
    """r ← r − o w_i, then w_i ← w_i + amount r, in one pass."""
    for k in range(r.size):
        rest = r[k] - o * W[i, k]
        r[k] = rest
        W[i, k] += amount * rest


@jit()
def step_and_memory(schedule: Schedule, t: int) -> tuple[float, float]:
    """Step size for sample t of a pass, and share of its response in the mean squared one."""
    clock, rate, horizon = schedule
    step = rate * horizon / (horizon + clock + t) if horizon > 0.0 else rate
    return step, max(1.0 / (clock + t + 1.0), step / 10.0)


@jit()
def bounded_amount(o: float, power: float, rate: float) -> float:
    """ε O, normalised by the mean squared response."""
    scale = max(power, rate * o * o / _LARGEST_STEP)
    return rate * o / scale if scale > 0.0 else 0.0


@jit()
def _amount(o: float, i: int, power: Array, rate: float, adapt: bool, memory: float) -> float:
    """ε O: the plain step, or the one normalised by the mean squared response."""
    if not adapt:
        return rate * o
    power[i] += memory * (o * o - power[i])
    return bounded_amount(o, power[i], rate)


@jit(sums=True)
def _centre(X: Array, row: int, mean: Array, x: Array) -> None:
    for k in range(mean.size):
        x[k] = X[row, k] - mean[k]


@jit()
def _sanger_pass(
    X: Array,
    mean: Array,
    order: IntArray,
    W: Array,
    power: Array,
    schedule: Schedule,
    o: Array,
    l1: bool | None,
    l1_5: bool | None,
) -> None:
    """What :func:`_pass` does by Sanger's rule at p = 1, 1.5 and 2; o is the first response."""
    m, d = W.shape
    B, a, rows = in_one_array(W), np.empty(m), X.reshape(-1)
    width = B.size // (m + 2)
    r, x = m * width, (m + 1) * width
    adapt = schedule[2] > 0.0
    put_centred(B, r, rows, order[0] * d, mean)
    for t in range(order.size):
        if t + 1 < order.size:
            put_centred(B, x, rows, order[t + 1] * d, mean)
        step, memory = step_and_memory(schedule, t)
        for i in range(m):
            a[i] = _amount(o[i], i, power, step, adapt, memory)
        step_and_respond(B, d, r, x, o, a, l1, l1_5)
        r, x = x, r
    for i in range(m):
        for k in range(d):
            W[i, k] = B[i * width + k]


@jit()
def _pass(
    X: Array, mean: Array, order: IntArray, W: Array, power: Array, p: float, rule: int, s: Schedule
) -> None:
    m = len(W)
    r, x, o = np.empty(X.shape[1]), np.empty(X.shape[1]), np.empty(m)
    adapt = s[2] > 0.0
    for t in range(order.size):
        _centre(X, order[t], mean, x)
        r[:] = x
        step, memory = step_and_memory(s, t)
        if rule != RESIDUAL:
            _responses(x, W, 0, m, o, p)
        if rule == SUBSPACE:
            for i in range(m):
                _subtract(r, o[i], W, i)
            for i in range(m):
                _add(W, i, _amount(o[i], i, power, step, adapt, memory), r)
        else:
            for i in range(m):
                if rule == RESIDUAL:
                    _responses(r, W, i, i + 1, o, p)
                amount = _amount(o[i], i, power, step, adapt, memory)
                _subtract_then_add(r, o[i], W, i, amount)


def hebbian_pass(
    X: Array,
    mean: Array,
    order: IntArray,
    W: Array,
    power: Array,
    *,
    clock: int,
    p: float,
    rule: int,
    rate: float,
    horizon: float,
) -> None:
    """Show the rows of X in the given order once; W and ``power`` change in place.

    With ``horizon > 0`` the step of component i is ``rate·horizon/(horizon + t)`` over the running
    mean of its squared responses, ``power[i]``, t counting from ``clock``; with ``horizon = 0``
    it is ``rate`` itself.
    """
    schedule = float(clock), float(rate), float(horizon)
    if rule == SANGER and p in (1.0, 1.5, 2.0) and len(order) > 0:
        o = lp_dual(W, p) @ (X[order[0]] - mean)
        l1, l1_5 = (True if p == exponent else None for exponent in (1.0, 1.5))
        _sanger_pass(X, mean, order, W, power, schedule, o, l1, l1_5)
    else:
        _pass(X, mean, order, W, power, float(p), rule, schedule)
