"""Solvers: a geometry and a cost in, a trained state out. They know neither data nor estimators."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, Literal

import numpy as np
from scipy.optimize import minimize

from noneuclid._progress import progress
from noneuclid.prototypes.costs import Cost
from noneuclid.prototypes.geometry import Geometry, S
from noneuclid.typing import Array, IntArray

Gradient = Literal["riesz", "coordinates"]

# Starting values that need no tuning, in units of the data (see `sgd`).
_RIESZ_RATE = 0.05
# Batches also keep the fit from following every sample: all at once generalise worse.
_BATCHES_PER_EPOCH = 2
# Where sample by sample is not compiled: small batches share one matrix product.
_SMALL_BATCH = 10
_FASTER, _SLOWER = 1.2, 0.4
# Rank-one updates drift by rounding: products are computed anew after so many epochs.
_REFRESH_EPOCHS = 10


@dataclass
class Task:
    """What is to be learned: labels as class indices, and who belongs to whom."""

    y: IntArray
    own_of_class: np.ndarray
    """(n_classes, m): whether prototype j has the class."""
    weights: Array | None = None

    @cached_property
    def own(self) -> np.ndarray:
        """(n, m): whether prototype j has the class of sample i."""
        return self.own_of_class[self.y]

    def value(self, geometry: Geometry[S], cost: Cost, theta: S) -> float:
        """Mean cost over all samples."""
        return cost.loss(geometry.distances(theta), self.own, self.weights) / len(self.y)


@dataclass
class FitResult(Generic[S]):
    """A trained state and how it came about."""

    theta: S
    loss_curve: list[float]
    """Mean cost at the start, then after every epoch."""
    refused: int = 0
    """Samples that got no force because GLVQ's denominator was not positive."""
    kept: int = 0
    """Steps that would have clipped every coefficient."""

    @property
    def n_iter(self) -> int:
        """Number of epochs or iterations."""
        return len(self.loss_curve) - 1


class _EarlyStopping(Generic[S]):
    """Says when the loss has not improved for a while, and keeps the best state."""

    def __init__(self, loss: float, theta: S, tol: float, patience: int):
        self.loss, self.theta = loss, theta.copy()
        self.tol, self.patience, self.waiting = tol, patience, 0
        self._reference = loss

    def update(self, loss: float, theta: S) -> bool:
        """Take note of an epoch; True if it is time to stop."""
        if loss < self.loss:
            self.loss, self.theta = loss, theta.copy()
        if loss < self._reference - self.tol * max(abs(self._reference), 1e-12):
            self._reference, self.waiting = loss, 0
        else:
            self.waiting += 1
        return self.tol > 0 and self.waiting >= self.patience


def sgd(
    geometry: Geometry[S],
    cost: Cost,
    theta: S,
    task: Task,
    *,
    gradient: Gradient,
    learning_rate: float | Literal["auto"],
    schedule: Literal["constant", "linear"] | None,
    max_epochs: int,
    batch_size: int | None,
    tol: float,
    patience: int,
    shuffle: bool,
    rng: np.random.RandomState,
    verbose: bool,
    penalty: float = 0.0,
) -> FitResult[S]:
    """Stochastic gradient descent, sample by sample or in mini-batches.

    A number as learning rate is taken literally: every step is the published one, and the last
    state is returned. ``"auto"`` measures forces in units of the data, lowers the rate over the
    epochs (Riesz) or adapts it (coordinates), and returns the best state. A sparsity penalty
    is paid in every step, not in the cost: the last state is the sparse one, and is returned.
    """
    n, m = len(task.y), task.own_of_class.shape[1]
    automatic = learning_rate == "auto"
    adaptive = automatic and gradient == "coordinates"
    rate = _automatic_rate(geometry, cost, gradient, m) if automatic else float(learning_rate)
    linear = schedule == "linear" or (schedule is None and automatic and not adaptive)
    if batch_size is None:
        batch_size = -(-n // _BATCHES_PER_EPOCH) if adaptive else 1
        compiled = penalty == 0 and hasattr(geometry, "riesz_epoch")
        if gradient == "riesz" and not compiled and (penalty > 0 or automatic):
            batch_size = _SMALL_BATCH
    if automatic and not adaptive and geometry.constraint == "none":
        rate /= max(1.0, batch_size / _SMALL_BATCH)  # else nothing stops steps that are too long
    result = FitResult(theta, [task.value(geometry, cost, theta)])
    best = _EarlyStopping(result.loss_curve[0], theta, tol, patience)
    for epoch in progress(range(max_epochs), max_epochs, "epochs", verbose):
        order = rng.permutation(n) if shuffle else np.arange(n)
        step = rate * (1 - epoch / max_epochs) if linear else rate
        _epoch(
            geometry,
            cost,
            theta,
            task,
            gradient,
            step,
            batch_size,
            order,
            automatic,
            result,
            penalty,
        )
        if (epoch + 1) % _REFRESH_EPOCHS == 0:
            theta = result.theta = geometry.state(theta.parameters)
        loss = task.value(geometry, cost, theta)
        result.loss_curve.append(loss)
        failed = loss >= best.loss
        stop = best.update(loss, theta)
        if adaptive:
            rate *= _SLOWER if failed else _FASTER
            if failed and penalty == 0:
                theta = result.theta = best.theta.copy()
        if stop:
            break
    if automatic and penalty == 0:
        result.theta = best.theta
    return result


def _automatic_rate(geometry: Geometry[S], cost: Cost, gradient: Gradient, m: int) -> float:
    forces = geometry.scale() if cost.per_distance else 1.0  # GLVQ's are reciprocal distances
    if gradient == "riesz":
        return _RIESZ_RATE * forces
    return forces / (2 * geometry.stiffness(m))


def online_rate(geometry: Geometry[S], cost: Cost, gradient: Gradient, task: Task) -> float:
    """Learning rate for single steps on samples like these."""
    n, m = task.own.shape
    rate = _automatic_rate(geometry, cost, gradient, m)
    return rate if gradient == "riesz" else _RIESZ_RATE * rate * n / m


def _epoch(
    geometry: Geometry[S],
    cost: Cost,
    theta: S,
    task: Task,
    gradient: Gradient,
    step: float,
    batch_size: int,
    order: IntArray,
    automatic: bool,
    result: FitResult[S],
    penalty: float,
) -> None:
    weights = np.ones(len(task.y)) if task.weights is None else task.weights
    compiled = hasattr(geometry, "riesz_epoch")
    if gradient == "riesz" and batch_size == 1 and penalty == 0 and compiled:
        code = cost.code(task.own_of_class.shape[1])
        refused, kept = geometry.riesz_epoch(
            theta, task.y, task.own_of_class, order, step * weights, code
        )
        result.refused += refused
        result.kept += kept
        return
    for start in range(0, len(order), batch_size):
        # All samples at once need no order, and no copy of the matrix.
        rows = slice(None) if batch_size >= len(order) else order[start : start + batch_size]
        evaluation = cost.evaluate(geometry.distances(theta, rows), task.own[rows], weights[rows])
        phi = cost.unit() * evaluation.forces
        if gradient == "riesz":
            direction = geometry.riesz_pull(theta, rows, phi)
        else:
            direction = geometry.pull(theta, rows, phi)
            if automatic or geometry.constraint == "affine":
                direction = geometry.tangent(direction, theta.parameters)
        G = theta.parameters - step * direction
        if penalty > 0:  # what was zero falls below, and is clipped to zero again
            G = _penalised(G, step * penalty * len(phi))
        G, kept = geometry.project(G, theta.parameters)
        geometry.move(theta, G)
        result.refused += evaluation.refused
        result.kept += kept


def _penalised(G: Array, amount: float) -> Array:
    """Coefficients less the amount; where that takes all of a row, its largest one is left."""
    rows, top = np.arange(len(G)), G.argmax(axis=1)
    largest = G[rows, top]
    gone = (largest > 0) & (largest <= amount)
    G = G - amount
    G[rows[gone], top[gone]] = 1.0
    return G


def lbfgs(
    geometry: Geometry[S],
    cost: Cost,
    theta: S,
    task: Task,
    *,
    max_epochs: int,
    tol: float,
    verbose: bool,
) -> FitResult[S]:
    """Quasi-Newton descent along the coordinate gradient (L-BFGS-B).

    Convex coefficients are γ = u/Σu with u ≥ 0, affine ones γ = γ₀ + u − mean(u), and free
    parameters θ = θ₀ + cu with the units c of the geometry, so that neither steps nor the end
    depend on the unit of the data; the derivative is taken through each.
    """
    n, shape = len(task.y), theta.parameters.shape
    start = theta.parameters.copy()
    everyone = slice(None)
    units = geometry.units(len(start)) if geometry.constraint == "none" else 1.0
    result = FitResult(theta, [])

    def coefficients(u: Array) -> Array:
        U = u.reshape(shape)
        if geometry.constraint == "convex":
            total = U.sum(axis=1, keepdims=True)
            return np.where(total > 0, U / np.where(total > 0, total, 1.0), start)
        if geometry.constraint == "affine":
            return start + U - U.mean(axis=1, keepdims=True)
        return start + units * U

    def objective(u: Array) -> tuple[float, Array]:
        G = coefficients(u)
        state = geometry.state(G)
        evaluation = cost.evaluate(geometry.distances(state), task.own, task.weights)
        slope = geometry.tangent(geometry.pull(state, everyone, evaluation.forces), G)
        if geometry.constraint == "convex":
            total = u.reshape(shape).sum(axis=1, keepdims=True)
            slope = slope / np.where(total > 0, total, 1.0)
        elif geometry.constraint == "none":
            slope = slope * units
        result.refused = evaluation.refused
        return evaluation.value / n, slope.ravel() / n

    u = start.ravel() if geometry.constraint == "convex" else np.zeros(start.size)
    bounds = [(0.0, None)] * u.size if geometry.constraint == "convex" else None
    result.loss_curve.append(objective(u)[0])
    iterations = iter(progress(range(max_epochs), max_epochs, "iterations", verbose))

    def note(intermediate_result: Any) -> None:
        next(iterations, None)
        result.loss_curve.append(float(intermediate_result.fun))

    options = {"maxiter": max_epochs, "ftol": tol, "gtol": 0.0 if tol == 0 else 1e-8}
    found = minimize(
        objective, u, jac=True, method="L-BFGS-B", bounds=bounds, callback=note, options=options
    )
    result.theta = geometry.state(coefficients(found.x))
    return result
