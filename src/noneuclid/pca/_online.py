"""Online Hebbian learning: sample by sample, compiled where a space has a compiled form.

All that a step adds to a component is linear in samples and components, so that it can be taken on
their images: of flat coordinates in Hilbert spaces, of derivatives in Sobolev spaces.
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from noneuclid.numerics import lp_norm, row_blocks
from noneuclid.numerics.hebbian import RESIDUAL, SUBSPACE, hebbian_pass
from noneuclid.numerics.space_distances import LEE, LP, PRODUCT
from noneuclid.pca._fixed_point import normalise
from noneuclid.spaces import Euclidean, LinearSpace
from noneuclid.spaces.forms import Form, LpForm
from noneuclid.typing import Array

# Found on raw and standardised data of many sizes: faster decay stalls, slower decay stays noisy.
_RATE, _HORIZON = 0.1, 300.0
_LARGE, _RUN = 2000, 16
_IMAGE_BYTES = 2**18  # of the rows whose images are there at a time
_FLAT = LpForm(2.0)
_STEEPEST = 100.0  # steeper powers of numbers around 1 may overflow


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


def compiled_form(space: LinearSpace, d: int) -> Form | None:
    """In whose images the compiled loop does what this space does, if there is one."""
    if isinstance(space, Euclidean):
        return _FLAT
    # A form is of the distance. Of responses it is, too, where they are the gradient of that.
    form = space.compiled_form(d) if space.degree == 1 else None
    if form is None:
        return None
    exponents = form.parts(d)[:, 1]
    return form if ((exponents <= _STEEPEST) | (exponents == np.inf)).all() else None


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
    form = compiled_form(space, X.shape[1]) if compiled else None
    steps: dict[str, Any] = {"rule": rule, "rate": rate, "horizon": 0.0}
    if rate is None:
        steps |= {"rate": _RATE, "horizon": _HORIZON}
    if form is None:
        data = X, state.mean, order, state.W, state.power
        _generic_pass(space, *data, clock=state.clock, **steps)
        state.clock += len(order)
    else:
        _compiled_pass(form, X, order, state, **steps)


def _compiled_pass(
    form: Form, X: Array, order: NDArray[np.int64], state: OnlineState, **steps: Any
) -> None:
    """The same in images."""
    steps |= {"p": form.p, "lee": form.kind == LEE}
    if form.kind == PRODUCT:
        steps["parts"] = form.parts(form.response_images(state.W).shape[1])
    W = state.W if form.is_identity else form.response_images(state.W)
    for Z, mean, rows in _in_images(form, X, state.mean, order):
        hebbian_pass(Z, mean, rows, W, state.power, clock=state.clock, **steps)
        state.clock += len(rows)
    state.W = W if form.is_identity else form.response_rows(W)


def _in_images(
    form: Form, X: Array, mean: Array, order: NDArray[np.int64]
) -> Iterator[tuple[Array, Array, NDArray[np.int64]]]:
    """Images of rows, their mean and their order; a part at a time where images take memory."""
    if form.is_identity:
        yield X, mean, order
        return
    for some in row_blocks(len(order), 8 * X.shape[1], _IMAGE_BYTES):
        Z = form.response_images(X[order[some]] - mean)
        yield Z, np.zeros(Z.shape[1]), np.arange(len(Z))


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
    form = compiled_form(space, W.shape[1])
    plain = form is not None and form.kind == LP and form.is_identity
    norms = lp_norm(W, form.p) if plain else space.norm(W)  # type: ignore[union-attr]
    if (norms > 0).all():
        return np.asarray(W / norms[:, None])
    return normalise(space, np.where(norms[:, None] > 0, W, np.eye(*W.shape)))
