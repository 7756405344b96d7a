"""Stochastic gradient descent, in any geometry with any cost."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, Literal

import numpy as np

from noneuclid._progress import progress
from noneuclid.numerics import first_argmax
from noneuclid.numerics._jit import threads_here
from noneuclid.numerics.threads import Beside
from noneuclid.prototypes.costs.base import CostCode
from noneuclid.prototypes.geometries.base import (
    Geometry,
    Gradient,
    S,
    has_compiled_epoch,
    has_coordinate_epoch,
    has_riesz_gradient,
)
from noneuclid.prototypes.solvers.problem import FitResult, Problem
from noneuclid.typing import Array, IntArray

# Starting values that need no tuning, in units of the data (see `SGD`).
_RIESZ_RATE = 0.05
# Batches also keep the fit from following every sample: all at once generalise worse.
_BATCHES_PER_EPOCH = 2
# Where sample by sample is not compiled: small batches share one matrix product.
_SMALL_BATCH = 10
_FASTER, _SLOWER = 1.2, 0.4
# Squares of squared distances of numbers beyond this overflow.
_FAR_AWAY = 1e75
# Costs of fewer pairs of a sample and a prototype are computed sooner than a thread is asked.
_WORTH_A_THREAD = 1 << 14
# Rank-one updates drift by rounding: products are computed anew after so many epochs.
_REFRESH_EPOCHS = 10


@dataclass(frozen=True, kw_only=True)
class SGD:
    """Stochastic gradient descent, sample by sample or in mini-batches.

    A number as learning rate is taken literally: every step is the published one, and the last
    state is returned. ``"auto"`` measures forces in units of the data, lowers the rate over the
    epochs (Riesz) or adapts it (coordinates), and returns the best state. A sparsity penalty
    is paid in every step, not in the cost: the last state is the sparse one, and is returned.
    """

    gradient: Gradient
    learning_rate: float | Literal["auto"] = "auto"
    schedule: Literal["constant", "linear"] | None = None
    max_epochs: int = 30
    batch_size: int | None = None
    tol: float = 1e-4
    patience: int = 5
    shuffle: bool = True
    penalty: float = 0.0
    verbose: bool = False

    @property
    def automatic(self) -> bool:
        """Whether the learning rate follows the data."""
        return self.learning_rate == "auto"

    @property
    def adaptive(self) -> bool:
        """Whether the learning rate follows the success of the steps."""
        return self.automatic and self.gradient == "coordinates"

    def run(self, problem: Problem[S], theta: S, rng: np.random.RandomState) -> FitResult[S]:
        """Descend from ``theta``, which is moved."""
        linear = self.schedule == "linear"
        if self.schedule is None and self.automatic and not self.adaptive:
            linear = True
        size = self._batch_size(problem)
        rate = self._first_rate(problem, size)
        best: _EarlyStopping[S] = _EarlyStopping(self.tol, self.patience)
        going = _Going(problem, FitResult(theta, []), best, rate, linear, size, rng)
        (self._ahead if self._may_go_ahead(problem) else self._in_turn)(going)
        if self.automatic and self.penalty == 0:
            going.result.theta = best.theta
        return going.result

    def _in_turn(self, going: "_Going[S]") -> None:
        """Epoch after epoch, each with a look at what it reached."""
        problem, result, best = going.problem, going.result, going.best
        going.has_ended(problem.loss(result.theta), result.theta.copy())
        for epoch in self._epochs():
            self._pass(going, epoch)
            loss = problem.loss(result.theta)
            failed = loss >= best.loss
            stop = going.has_ended(loss, result.theta if failed else result.theta.copy())
            if self.adaptive:
                going.rate *= _SLOWER if failed else _FASTER
                if failed and self.penalty == 0:
                    result.theta = best.theta.copy()
            if stop:
                break

    def _ahead(self, going: "_Going[S]") -> None:
        """The same: while an epoch runs, another thread looks at what the one before it reached.

        Where that may be the end, it is waited for: no epoch runs that does not count.
        """
        result, best, loss = going.result, going.best, going.problem.loss
        with Beside[float]() as other:
            theta = result.theta.copy()
            other.ask(loss, theta)
            for epoch in self._epochs():
                may_end = best.may_end
                if may_end and going.has_ended(other.answer(), theta):
                    return
                self._pass(going, epoch)
                if not may_end:
                    going.has_ended(other.answer(), theta)
                theta = result.theta.copy()
                other.ask(loss, theta)
            going.has_ended(other.answer(), theta)

    def _epochs(self) -> Iterator[int]:
        return progress(range(self.max_epochs), self.max_epochs, "epochs", self.verbose)

    def _pass(self, going: "_Going[S]", epoch: int) -> None:
        """All samples once, and now and then all products anew."""
        problem, result = going.problem, going.result
        step = going.rate * (1 - epoch / self.max_epochs) if going.linear else going.rate
        problem.epoch(self, result, step, going.size, going.rng)
        if (epoch + 1) % _REFRESH_EPOCHS == 0:
            result.theta = problem.geometry.state(result.theta.parameters)

    def _may_go_ahead(self, problem: Problem[S]) -> bool:
        """Whether no epoch needs to know what the one before it reached, and time is saved."""
        needed = not self.automatic or self.adaptive or self.penalty > 0
        if needed or not problem.geometry.takes_questions_meanwhile:
            return False
        work = problem.n_samples * problem.n_prototypes
        return work >= _WORTH_A_THREAD and self._code(problem) is not None and threads_here() > 1

    def _batch_size(self, problem: Problem[S]) -> int:
        if self.batch_size is not None:
            return self.batch_size
        if self.adaptive:
            return -(-problem.n_samples // _BATCHES_PER_EPOCH)
        slow = self.gradient == "riesz" and self._code(problem) is None
        return _SMALL_BATCH if slow and (self.penalty > 0 or self.automatic) else 1

    def _first_rate(self, problem: Problem[S], batch_size: int) -> float:
        if not self.automatic:
            return float(self.learning_rate)
        rate = _automatic_rate(problem, self.gradient)
        if not self.adaptive and problem.geometry.constraint == "none":
            rate /= max(1.0, batch_size / _SMALL_BATCH)  # else nothing stops too long steps
        return rate

    def _code(self, problem: Problem[S]) -> CostCode | None:
        """The cost for compiled steps, if cost, geometry and penalty allow such."""
        if self.penalty > 0 or self._compiled_epoch(problem.geometry) is None:
            return None
        return problem.cost.code(problem.n_prototypes)

    def _compiled_epoch(self, geometry: Geometry[S]) -> Callable[..., tuple[int, int]] | None:
        if self.gradient == "riesz":
            return geometry.riesz_epoch if has_compiled_epoch(geometry) else None
        return geometry.coordinate_epoch if has_coordinate_epoch(geometry) else None

    def epoch(
        self,
        problem: Problem[S],
        result: FitResult[S],
        step: float,
        batch_size: int,
        order: IntArray,
    ) -> None:
        """All samples once, in order: moves the state of the result, and counts in it."""
        geometry, theta = problem.geometry, result.theta
        code = self._code(problem) if batch_size == 1 else None
        compiled = self._compiled_epoch(geometry)
        with np.errstate(over="ignore", invalid="ignore"):  # what comes of it is looked at
            if code is not None and compiled is not None:
                weights = problem.weights
                steps = np.full(len(order), step) if weights is None else step * weights
                refused, clipped = compiled(theta, problem.who, order, steps, code)
                result.refused += refused
                result.clipped += clipped
            else:
                for start in range(0, len(order), batch_size):
                    # All samples at once need no order, and no copy of the matrix.
                    everyone = batch_size >= len(order)
                    rows = slice(None) if everyone else order[start : start + batch_size]
                    evaluation = problem.evaluate(theta, rows)
                    phi = problem.cost.unit() * evaluation.forces
                    G = theta.parameters - step * self._direction(problem, theta, rows, phi)
                    if self.penalty > 0:  # what was zero falls below, and is clipped to zero again
                        G = _penalised(G, step * self.penalty * len(phi))
                    G, clipped = geometry.project(G, theta.parameters)
                    geometry.move(theta, G)
                    result.refused += evaluation.refused
                    result.clipped += clipped
        if not max(theta.parameters.max(), -theta.parameters.min()) < _FAR_AWAY:
            raise ValueError(
                f"learning_rate (={self.learning_rate}) is too large for these data, the "
                'prototypes leave them for infinity: lower it, or say learning_rate="auto"'
            )

    def _direction(
        self, problem: Problem[S], theta: S, rows: IntArray | slice, phi: Array
    ) -> Array:
        geometry = problem.geometry
        if self.gradient == "riesz":
            assert has_riesz_gradient(geometry)
            direction = np.asarray(geometry.riesz_pull(theta, rows, phi))
        else:
            direction = geometry.pull(theta, rows, phi)
        own = geometry.own_cost(theta)
        if own is not None:  # in the unit of the forces
            slope = len(phi) * float(np.mean(problem.cost.unit())) * own[1]
            direction += geometry.riesz_slope(slope) if self.gradient == "riesz" else slope
        if self.gradient == "riesz":
            return direction
        if self.automatic or geometry.constraint == "affine":
            direction = geometry.tangent(direction, theta.parameters)
        return direction


class _EarlyStopping(Generic[S]):
    """Says when the loss has not improved for a while, and keeps the best state."""

    theta: S

    def __init__(self, tol: float, patience: int):
        self.tol, self.patience, self.waiting = tol, patience, 0
        self.loss = self._reference = math.inf

    @property
    def may_end(self) -> bool:
        """Whether the next loss may be the last."""
        return self.tol > 0 and self.waiting + 1 >= self.patience

    def update(self, loss: float, theta: S) -> bool:
        """Note a loss, the first that of the start, and keep the best state; True to stop."""
        is_first = "theta" not in self.__dict__
        if is_first or loss < self.loss:
            self.loss, self.theta = loss, theta
        least = self.tol * max(abs(self._reference), 1e-12)
        if is_first or loss < self._reference - least:
            self._reference, self.waiting = loss, 0
        else:
            self.waiting += 1
        return self.tol > 0 and self.waiting >= self.patience


@dataclass
class _Going(Generic[S]):
    """What epochs change, and what they are told."""

    problem: Problem[S]
    result: FitResult[S]
    best: _EarlyStopping[S]
    rate: float
    linear: bool
    size: int
    rng: np.random.RandomState

    def has_ended(self, loss: float, theta: S) -> bool:
        """Take note of what was reached; the state is kept if nothing better was."""
        self.result.loss_curve.append(loss)
        return self.best.update(loss, theta)


def _automatic_rate(problem: Problem[S], gradient: Gradient) -> float:
    geometry = problem.geometry
    forces = geometry.scale() if problem.cost.per_distance else 1.0  # reciprocal distances
    if gradient == "riesz":
        return _RIESZ_RATE * forces
    return forces / (2 * geometry.stiffness(problem.n_prototypes))


def online_rate(problem: Problem[S], gradient: Gradient) -> float:
    """Learning rate for single steps on samples like these."""
    rate = _automatic_rate(problem, gradient)
    if gradient == "riesz":
        return rate
    return _RIESZ_RATE * rate * problem.n_samples / problem.n_prototypes


def _penalised(G: Array, amount: float) -> Array:
    """Coefficients less the amount; where that takes all of a row, its largest one is left."""
    rows, top = np.arange(len(G)), first_argmax(G)
    largest = G[rows, top]
    gone = (largest > 0) & (largest <= amount)
    G = G - amount
    G[rows[gone], top[gone]] = 1.0
    return G
