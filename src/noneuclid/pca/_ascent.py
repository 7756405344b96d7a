r"""Generalised components of samples that are rows of a matrix.

Deflation never copies the data: on :math:`X(I - WW')` projections of a w orthogonal to W are those
on X, and gradients those on X with their part in W removed.
"""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from noneuclid.numerics import first_argmax, row_blocks
from noneuclid.numerics.threads import one_blas_thread
from noneuclid.pca._anderson import Anderson
from noneuclid.pca._base import principal_axes
from noneuclid.pca._climbing import (
    NO_RISE,
    SHORTEST,
    Ascent,
    Climb,
    Landscape,
    climb_convex,
    climb_searching,
    greedy,
    on_arc,
    signed,
    start_signs,
    steps_from,
    total_of,
)
from noneuclid.pca._signs import NO_SIGN, Signs
from noneuclid.pca.objectives import Objective, make_objective
from noneuclid.typing import Array, IntArray

# Below this share of the largest norm, what is left of the data after deflation is rounding.
NOISE = 1e-12
# Squared norms by subtraction have lost their digits below this share.
_CANCELLED = 1e-8
# Rows read twice are taken in blocks that stay in the cache in between.
_CACHED_BYTES = 2**20
# So many steps of all components together, none of which raises the objective, are enough.
_IN_VAIN = 10


class Vectors:
    """Directions that are vectors, orthogonal to the rows W taken so far."""

    components: Array
    gradient: Array
    objective: Objective

    def climb(self, w: Array, max_iter: int, tol: float) -> Climb:
        """The way up from w."""
        climb = climb_convex if self.objective.convex else climb_searching
        return climb(self, w, max_iter, tol)

    def step(self, w: Array) -> Array | None:
        """The plain step from w, looked at last."""
        return self.unit(self.gradient)[0]

    def unit(self, g: Array) -> tuple[Array | None, float]:
        """Direction and size of g orthogonal to W."""
        if len(self.components):
            g = g - (g @ self.components.T) @ self.components
        size = math.sqrt(g @ g)
        return (g / size if size > 0 else None), size

    def distance(self, a: Array, b: Array) -> float:
        """Between two directions."""
        difference = a - b
        return math.sqrt(difference @ difference)

    def mix(self, mixer: Anderson, new: Array, old: Array) -> Array | None:
        """An extrapolated direction."""
        guess = mixer.propose(new, new - old)
        return None if guess is None else self.unit(guess)[0]

    def extend(self, w: Array | None) -> None:
        """One more component; any that is orthogonal to the others, if there is nothing left."""
        last = _orthogonal_axis(self.components) if w is None else w
        self.components = np.vstack([self.components, last])


def directions(X: Array, W: Array) -> list[Array]:
    """The rows of X, orthogonal to those of W, at norm 1."""
    starts = X - X @ W.T @ W
    starts -= starts @ W.T @ W
    return list(starts / np.linalg.norm(starts, axis=1, keepdims=True))


class Rows(Vectors, Landscape):
    """The landscape of the rows of X, orthogonal to the rows W taken so far."""

    def __init__(self, X: Array, objective: Objective):
        self.X, self.objective, self.n_numbers = X, objective, X.size
        self.components = np.empty((0, X.shape[1]))
        self.left = np.einsum("ij,ij->i", X, X)
        self.largest = float(self.left.max(initial=0.0))
        self.slopes = np.full(len(X), NO_SIGN)
        self.gradient = np.zeros(X.shape[1])
        self.signs = self.take_signs() if objective.is_l1 else None

    def take_signs(self) -> Signs:
        """What tells the signs of projections."""
        return Signs(self.X)

    @property
    def is_exhausted(self) -> bool:
        return bool(self.left.max(initial=0.0) <= NOISE**2 * self.largest)

    def starts(self, rows: IntArray) -> list[Array]:
        return directions(self.X[rows], self.components)

    def total(self, w: Array) -> float:
        if self.signs is not None:
            self.signs.follow(w, self.slopes, self.gradient)
            return float(self.gradient @ w)
        self.look(w)
        return total_of(self.objective, self.o)

    def look(self, w: Array) -> None:
        """Projections on w, and the gradient there."""
        self.o, self.gradient = np.empty(len(self.X)), np.zeros(self.X.shape[1])
        for rows in row_blocks(len(self.X), self.X.shape[1] * 8, _CACHED_BYTES):
            block = self.X[rows]
            self.o[rows] = block @ w
            self.gradient += signed(self.objective, self.o[rows]) @ block

    def along(self, w: Array, direction: Array, step: float) -> Iterator[tuple[float, float]]:
        """Ever shorter steps on the arc from w, looked at last, and the objective there."""
        towards = self.X @ direction
        for s in steps_from(step):
            yield s, total_of(self.objective, on_arc(w, direction, self.o, towards, s))

    def pushed(self, w: Array) -> Array | None:
        if self.signs is not None and self.slopes.all():  # no projection is 0
            return None
        return super().pushed(w)

    def combination(self, c: Array) -> Array | None:
        return self.unit(c @ self.X)[0]

    def projections(self, w: Array) -> Array:
        return np.asarray(self.X @ w)

    def movable(self, chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
        chosen = chosen & np.asarray(self.X.any(axis=1))
        X, W = self.X[chosen], self.components
        if len(W) and np.linalg.norm(X - X @ W.T @ W) <= NOISE * np.linalg.norm(self.X):
            return np.zeros_like(chosen)
        return chosen

    def take(self, w: Array | None) -> None:
        self.extend(w)
        if w is None:
            return
        W = self.components
        with one_blas_thread(self.n_numbers, of_vectors=True):
            self.left = np.maximum(self.left - (self.X @ w) ** 2, 0.0)
            if self.left.max(initial=0.0) <= _CANCELLED * self.largest:
                rest = self.X - (self.X @ W.T) @ W
                self.left = np.einsum("ij,ij->i", rest, rest)


def _climb_serially(land: Rows, w: Array, max_iter: int, tol: float) -> Climb:
    """Coefficients c of w ∝ X'c change one at a time."""
    yield from ()  # it asks nothing that could be answered together with others
    objective, X = land.objective, land.X - (land.X @ land.components.T) @ land.components
    c = signed(objective, X @ w)
    curve, total = [], c @ X
    for _ in range(max_iter):
        for i, x in enumerate(X):
            size = np.linalg.norm(total)
            o = x @ total / size if size > 0 else 0.0
            new = float(objective.slope(np.abs(np.array([o])))[0] * np.sign(o))
            if new != c[i]:
                total = total + (new - c[i]) * x
                c[i] = new
        total = c @ X
        size = np.linalg.norm(total)
        moved, w = (np.linalg.norm(total / size - w), total / size) if size > 0 else (0.0, w)
        curve.append(total_of(objective, X @ w))
        if moved < tol:
            return w, curve, True
    return w, curve, False


def _orthogonal_axis(W: Array) -> Array:
    """A unit vector orthogonal to the rows of W."""
    i = int(first_argmax(1.0 - np.einsum("ij,ij->j", W, W)))  # the longest projection of an axis
    best = -(W[:, i] @ W)
    best[i] += 1.0
    return np.asarray(best / np.linalg.norm(best))


class Samples:
    """Centred rows in memory, and what generalised components need of them."""

    def __init__(self, X: Array):
        self.X = X
        self.largest = float(np.sqrt(np.einsum("ij,ij->i", X, X).max(initial=0.0)))

    def few(self) -> Array:
        """Rows to try parameters on: all of them."""
        return self.X

    def make(self, objective: Any, p: Any, a: Any, q: Any) -> Objective:
        """The objective of that name, for data as large as these."""
        return make_objective(objective, p, a, q, self.largest)

    def landscape(self, objective: Objective) -> Rows:
        """Where components climb."""
        return Rows(self.X, objective)

    def exact_l2(self, k: int, objective: Objective) -> Ascent:
        """The l2 objective is PCA; signs are those the fixed point has from its usual start."""
        W = principal_axes(self.X, np.zeros(self.X.shape[1]), k)[1]
        W = W * start_signs(self.X @ W.T, np.einsum("ij,ij->i", self.X, self.X))[:, None]
        totals = objective.value(np.abs(self.X @ W.T)).sum(axis=0)
        return Ascent(W, np.cumsum(totals), 1, True)

    def total(self, W: Array, objective: Objective) -> tuple[float, Array]:
        """The objective of all components together, and its gradient."""
        o = self.X @ W.T
        return total_of(objective, o), signed(objective, o).T @ self.X


def ascend(
    X: Array, k: int, objective: Objective, *, serial: bool = False, **limits: Any
) -> Ascent:
    """Greedy components of the rows of X."""
    return climb_all(Rows(X, objective), k, serial=serial, **limits)


def climb_all(land: Any, k: int, *, serial: bool = False, **limits: Any) -> Ascent:
    """Greedy components in a landscape of vectors."""
    return greedy(land, _climb_serially if serial else type(land).climb, k, **limits)


def joint(data: Any, first: Ascent, objective: Objective, *, max_iter: int, tol: float) -> Ascent:
    """All components at once: W ← polar factor of the gradient, from the greedy solution."""
    W, curve, converged, in_vain = first.components, [first.curve[-1]], False, 0
    gradient = data.total(W, objective)[1]
    for _ in range(max_iter):
        target, step = _polar(gradient, W), 1.0
        new = target
        value, gradient = data.total(new, objective)
        while value < curve[-1] and not objective.convex and step > SHORTEST:
            step /= 2.0
            new = _polar((1 - step) * W + step * target, W)
            value, gradient = data.total(new, objective)
        change = np.linalg.norm(new - W)
        in_vain = 0 if value - curve[-1] > NO_RISE * abs(value) else in_vain + 1
        # Where steps are judged by values, those that raise none go round in circles.
        idle = not objective.convex and in_vain >= _IN_VAIN
        if change < tol or idle or step <= SHORTEST or value < curve[-1] * (1 - 1e-12):
            converged = True
            break
        W = new
        curve.append(max(value, curve[-1]))
    return Ascent(W, np.array(curve), len(curve), converged)


def _polar(G: Array, fallback: Array) -> Array:
    """Nearest matrix with orthonormal rows."""
    if not G.any():
        return fallback
    U, _, V = linalg.svd(G, full_matrices=False)
    return np.asarray(U @ V)


def dual_of(X: Array, W: Array, objective: Objective) -> Array:
    """β with X'β = W': what each sample contributes to each component.

    A fixed point is a combination of the samples by its own slopes, less its part in the earlier
    components; where the search ended elsewhere (joint or not convex), by least squares.
    """
    slopes = signed(objective, X @ W.T)
    gradients = slopes.T @ X
    beta = np.zeros_like(slopes)
    for j in range(len(W)):
        overlap = gradients[j] @ W[:j].T
        rest = gradients[j] - overlap @ W[:j]
        size = np.linalg.norm(rest)
        if size > 0:
            beta[:, j] = (slopes[:, j] - beta[:, :j] @ overlap) / size
    if np.abs(beta.T @ X - W).max(initial=0.0) > 1e-8:
        beta = np.asarray(linalg.lstsq(X.T, W.T, cond=1e-12, lapack_driver="gelsd")[0])
    return beta
