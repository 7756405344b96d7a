"""The online Hebbian rules in l_p and by Lee and Verleysen's norm, sample by sample, compiled.

Each common exponent has a loop of its own, which then vectorises; p = 1.5 needs a square root per
number, and only uncommon exponents pay for a power. In Sobolev spaces the rules are those of l_p on
the images Tx and Tw: a step is a sum of samples and components, and T is linear.
"""

import math

import numpy as np

from noneuclid.numerics._jit import jit
from noneuclid.numerics._pow import pow_scalar
from noneuclid.numerics.duality import TIE
from noneuclid.numerics.lee_dual import padded_dual
from noneuclid.numerics.sanger import in_one_array, put_centred, step_and_respond
from noneuclid.numerics.space_distances import LEE
from noneuclid.typing import Array, IntArray

SANGER, RESIDUAL, SUBSPACE = 0, 1, 2
"""What a component sees: responses to the sample (Sanger), to what earlier components leave of
it (residual), or to the sample with all components in the decay term (Oja's subspace rule)."""

# One step never moves a component by more than this share of its own response to the sample.
_LARGEST_STEP = 0.5

Schedule = tuple[float, float, float]
"""Clock (samples seen before), rate and horizon of the step sizes."""

Scratch = tuple[Array, Array, Array, Array]
"""What `padded_dual` needs: a vector, twice scratch, and its dual, with a 0 at each end."""

Parts = tuple[Array, Array, Array, Array]
"""A row per part, as `space_steps` takes them; scratch for one of a sample, one of a component (as
a matrix), and a response."""

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
                power = pow_scalar(abs(W[i, k]), p - 1.0)
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
            if abs(W[i, k]) >= TIE * largest and largest > 0.0:
                total += x[k] * math.copysign(1.0, W[i, k])
                count += 1
        o[i] = largest * total / max(count, 1)


@jit()
def _lp_responses(x: Array, W: Array, first: int, last: int, o: Array, p: float) -> None:
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
def _product(x: Array, padded: Array) -> float:
    dot = 0.0
    for k in range(x.size):
        dot += x[k] * padded[k + 1]
    return dot


@jit()
def _response_lee(x: Array, W: Array, i: int, p: float, scratch: Scratch) -> float:
    v, J = scratch[0], scratch[3]
    for k in range(x.size):
        v[k + 1] = W[i, k]
    padded_dual(v, p, scratch[1], scratch[2], J)
    return _product(x, J)


@jit(borrows=True)
def _response_of_parts(x: Array, W: Array, i: int, parts: Parts, scratch: Scratch) -> float:
    """Σ_c [x_c, w_c]. Lee and Verleysen's norm sees zeros behind its part, which change nothing."""
    table, seen, row, o = parts
    components, first, total = W.reshape(-1), i * x.size, 0.0
    for c in range(len(table)):
        kind, p, start, stop = int(table[c, 0]), table[c, 1], int(table[c, 3]), int(table[c, 4])
        if kind == LEE:
            for k in range(x.size):
                inside = k < stop - start
                seen[k] = x[k + start] if inside else 0.0
                row[0, k] = W[i, k + start] if inside else 0.0
            total += _response_lee(seen, row, 0, p, scratch)
        else:
            w = components[first + start : first + stop].reshape(1, stop - start)
            _lp_responses(x[start:stop], w, 0, 1, o, p)
            total += o[0]
    return total


@jit()
def _responses(
    x: Array,
    W: Array,
    first: int,
    last: int,
    o: Array,
    p: float | None,
    lee: float | None,
    parts: Parts | None,
    scratch: Scratch | None,
) -> None:
    """o_i = [x, w_i] for first ≤ i < last, in l_p or with exponent ``lee`` by Lee and Verleysen.

    Or sums of such over parts. What belongs to those of them that are None is not compiled.
    """
    if lee is not None:
        for i in range(first, last):
            o[i] = _response_lee(x, W, i, lee, scratch)  # type: ignore[arg-type]
    if parts is not None:
        for i in range(first, last):
            o[i] = _response_of_parts(x, W, i, parts, scratch)  # type: ignore[arg-type]
    if p is not None:
        _lp_responses(x, W, first, last, o, p)


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
    l1: bool | None,
    l1_5: bool | None,
) -> None:
    """What :func:`_pass` does by Sanger's rule at p = 1, 1.5 and 2."""
    m, d = W.shape
    B, rows, count = in_one_array(W), X.reshape(-1), max(m, 2)
    o, a, width = np.zeros(count), np.zeros(count), B.size // (count + 2)
    r, x = count * width, (count + 1) * width
    adapt = schedule[2] > 0.0
    for t in range(-1, order.size):  # the first step is none: it only responds to the first sample
        if t + 1 < order.size:
            put_centred(B, x, rows, order[t + 1] * d, mean)
        if t >= 0:
            step, memory = step_and_memory(schedule, t)
            for i in range(m):
                a[i] = _amount(o[i], i, power, step, adapt, memory)
        step_and_respond(B, width, r, x, o, a, l1, l1_5)
        r, x = x, r
    for i in range(m):
        for k in range(d):
            W[i, k] = B[i * width + k]


@jit()
def _pass(
    X: Array,
    mean: Array,
    order: IntArray,
    W: Array,
    power: Array,
    p: float | None,
    lee: float | None,
    parts: Parts | None,
    scratch: Scratch | None,
    rule: int,
    s: Schedule,
) -> None:
    m = len(W)
    r, x, o = np.empty(X.shape[1]), np.empty(X.shape[1]), np.empty(m)
    seen = r if rule == RESIDUAL else x
    adapt = s[2] > 0.0
    for t in range(order.size):
        _centre(X, order[t], mean, x)
        _centre(X, order[t], mean, r)
        step, memory = step_and_memory(s, t)
        for i in range(m):
            # Here only: it is compiled in place.
            _responses(seen, W, i, i + 1, o, p, lee, parts, scratch)
            if rule == SUBSPACE:
                _subtract(r, o[i], W, i)
            else:
                amount = _amount(o[i], i, power, step, adapt, memory)
                _subtract_then_add(r, o[i], W, i, amount)
        if rule == SUBSPACE:
            for i in range(m):
                _add(W, i, _amount(o[i], i, power, step, adapt, memory), r)


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
    lee: bool = False,
    parts: Array | None = None,
) -> None:
    """Show the rows of X in the given order once; W and ``power`` change in place.

    Responses are those of l_p or, with ``lee``, of Lee and Verleysen's norm; or sums of such over
    ``parts``, as `space_steps` takes them, but for their factors. With ``horizon > 0``
    the step of component i is ``rate·horizon/(horizon + t)`` over the running mean of its squared
    responses, ``power[i]``, t counting from ``clock``; with ``horizon = 0`` it is ``rate`` itself.
    """
    schedule = float(clock), float(rate), float(horizon)
    plain = parts is None and not lee
    if rule == SANGER and p in (1.0, 1.5, 2.0) and len(order) > 0 and plain:
        l1, l1_5 = (True if p == exponent else None for exponent in (1.0, 1.5))
        _sanger_pass(X, mean, order, W, power, schedule, l1, l1_5)
        return
    data = X, mean, order, W, power
    if plain:
        _pass(*data, float(p), None, None, None, rule, schedule)
        return
    v, Q, P, J = np.zeros((4, X.shape[1] + 2))
    if parts is None:
        _pass(*data, None, float(p), None, (v, Q, P, J), rule, schedule)
    else:
        room = parts, np.empty(X.shape[1]), np.empty((1, X.shape[1])), np.empty(1)
        _pass(*data, None, None, room, (v, Q, P, J), rule, schedule)
