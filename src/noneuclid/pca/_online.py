"""Online Hebbian learning: sample by sample, compiled in l_p and so in charts of Hilbert spaces."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noneuclid.numerics import lp_norm
from noneuclid.numerics.hebbian import RESIDUAL, SUBSPACE, hebbian_pass
from noneuclid.pca._fixed_point import normalise
from noneuclid.spaces import Euclidean, LinearSpace, Lp
from noneuclid.typing import Array

# Found on raw and standardised data of many sizes: faster decay stalls, slower decay stays noisy.
_RATE, _HORIZON = 0.1, 300.0
_LARGE, _RUN = 2000, 16


@dataclass
class OnlineState:
    """Everything one step needs of the past; coordinates are those learning runs in."""

    W: Array
    power: Array
    mean: Array
    clock: int = 0


class Lesson(NamedTuple):
    """How samples are learned: in which space, by which rule, at which rate."""

    space: LinearSpace
    rule: int
    rate: float | None

    def show(self, X: Array, order: NDArray[np.int64], state: OnlineState) -> None:
        """One pass over the rows; the state changes."""
        show(self.space, X, order, state, rule=self.rule, rate=self.rate)


def compiled_exponent(space: LinearSpace) -> float | None:
    """The p with which the compiled loop does what this space does, if there is one."""
    if isinstance(space, Euclidean):
        return 2.0
    return float(space.p) if type(space) is Lp else None


def first_state(space: LinearSpace, mean: Array, k: int, rng: np.random.RandomState) -> OnlineState:
    """Random components of norm 1."""
    return OnlineState(normalise(space, rng.normal(size=(k, len(mean)))), np.zeros(k), mean)


def show(
    space: LinearSpace,
    X: Array,
    order: NDArray[np.int64],
    state: OnlineState,
    *,
    rule: int,
    rate: float | None,
    compiled: bool = True,
) -> None:
    """One pass over the rows; a rate of None is the self-normalising one."""
    p = compiled_exponent(space) if compiled else None
    data = X, state.mean, order, state.W, state.power
    steps: dict[str, Any] = {"rate": rate, "horizon": 0.0}
    if rate is None:
        steps = {"rate": _RATE, "horizon": _HORIZON}
    if p is None:
        _generic_pass(space, *data, clock=state.clock, rule=rule, **steps)
    else:
        hebbian_pass(*data, clock=state.clock, p=p, rule=rule, **steps)
    state.clock += len(order)


def _generic_pass(  # type: ignore[no-untyped-def]
    space, X, mean, order, W, power, *, clock, rule, rate, horizon
) -> None:
    """The loop of :func:`hebbian_pass`, with the responses of any space."""
    for t, row in enumerate(order, start=clock):
        step = rate * horizon / (horizon + t) if horizon > 0 else rate
        memory = max(1.0 / (t + 1.0), step / 10.0)
        out, R = _responses(space, X[row] - mean, W, rule)
        if horizon > 0:
            power += memory * (out**2 - power)
            scale = np.maximum(power, 2.0 * step * out**2)
            step = step / np.where(scale > 0, scale, np.inf)
        W += (step * out)[:, None] * R


def _responses(space: LinearSpace, x: Array, W: Array, rule: int) -> tuple[Array, Array]:
    """Responses, and what is left of the sample after each component."""
    J = space.dual(W)
    if rule != RESIDUAL:
        out = J @ x
        if rule == SUBSPACE:
            return out, np.broadcast_to(x - out @ W, W.shape)
        return out, x - np.cumsum(out[:, None] * W, axis=0)
    out, R, rest = np.empty(len(W)), np.empty_like(W), x
    for i in range(len(W)):
        out[i] = J[i] @ rest
        rest = R[i] = rest - out[i] * W[i]
    return out, R


def epoch_order(n: int, rng: np.random.RandomState) -> NDArray[np.int64]:
    """A random order of rows that are shuffled already.

    Rows of large data are taken in short runs: jumping to each of them in memory would cost more
    than the step itself.
    """
    if n < _LARGE:
        return np.asarray(rng.permutation(n), dtype=np.int64)
    runs = rng.permutation(-(-n // _RUN)) * _RUN
    order = (runs[:, None] + np.arange(_RUN)).ravel()
    return np.asarray(order[order < n], dtype=np.int64)


def learn_online(
    lesson: Lesson, epochs: Iterator[OnlineState], *, max_iter: int, tol: float
) -> tuple[OnlineState, Array, int, bool]:
    """Epochs until the mean of the components over epochs rests; the last state, and that mean.

    Late epochs count most in that mean (polynomial decay), which removes the noise of the steps.
    """
    average: Array = np.zeros(())
    for epoch, state in enumerate(itertools.islice(epochs, max_iter)):
        before = average
        if not np.isfinite(state.W).all():
            raise ValueError(
                f"learning_rate (={lesson.rate}) is too large: the components diverged; make it "
                'smaller, or use learning_rate="auto"'
            )
        average = average + 3.0 / (epoch + 3.0) * (state.W - average)
        if epoch > 0 and lesson.space.norm(average - before).max() < tol:
            return state, average, epoch + 1, True
    return state, average, max_iter, False


def summarise(space: LinearSpace, W: Array) -> Array:
    """Components at norm 1; one that vanished becomes an axis, so that nothing divides by 0."""
    p = compiled_exponent(space)
    norms = space.norm(W) if p is None else lp_norm(W, p)
    if (norms > 0).all():
        return np.asarray(W / norms[:, None])
    return normalise(space, np.where(norms[:, None] > 0, W, np.eye(*W.shape)))
