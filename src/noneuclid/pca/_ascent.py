r"""Generalised components of samples that are rows of a matrix.

Deflation never copies the data: on :math:`X(I - WW')` projections of a w orthogonal to W are those
on X, and gradients those on X with their part in W removed.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from noneuclid.numerics import first_argmax, row_blocks
from noneuclid.pca._anderson import Anderson
from noneuclid.pca._base import principal_axes
from noneuclid.pca._climbing import (
    FEW,
    Ascent,
    Run,
    climb_convex,
    greedy,
    signed,
    start_signs,
    total_of,
)
from noneuclid.pca.objectives import Objective
from noneuclid.typing import Array, IntArray

# Below this share of the largest norm, what is left of the data after deflation is rounding.
_NOISE = 1e-12
# Squared norms by subtraction have lost their digits below this share.
_CANCELLED = 1e-8
# Rows read twice are taken in blocks that stay in the cache in between.
_CACHED_BYTES = 2**20
_SINGLE_TINY = float(np.finfo(np.float32).tiny)
_ARMIJO, _SHORTEST = 1e-4, 2.0**-40


class Rows:
    """The landscape of the rows of X, orthogonal to the rows W taken so far."""

    def __init__(self, X: Array, objective: Objective):
        self.X, self.objective = X, objective
        self.components = np.empty((0, X.shape[1]))
        self.left = np.einsum("ij,ij->i", X, X)
        self.largest = float(self.left.max(initial=0.0))
        self.slopes = np.full(len(X), np.nan)
        self.gradient = np.zeros(X.shape[1])
        self.signs = _Signs(X) if objective.is_l1 else None

    @property
    def is_exhausted(self) -> bool:
        return bool(self.left.max(initial=0.0) <= _NOISE**2 * self.largest)

    def starts(self, rows: IntArray) -> list[Array]:
        starts = self.X[rows] - self.X[rows] @ self.components.T @ self.components
        starts -= starts @ self.components.T @ self.components
        return list(starts / np.linalg.norm(starts, axis=1, keepdims=True))

    def total(self, w: Array) -> float:
        if self.signs is not None:
            return self._by_changes(self.signs(w), w)
        o, g = np.empty(len(self.X)), np.zeros(self.X.shape[1])
        for rows in row_blocks(len(self.X), self.X.shape[1] * 8, _CACHED_BYTES):
            block = self.X[rows]
            o[rows] = block @ w
            g += signed(self.objective, o[rows]) @ block
        self.gradient = g
        return total_of(self.objective, o)

    def _by_changes(self, slopes: Array, w: Array) -> float:
        """Few signs change from step to step; only their rows are read again."""
        changed = np.flatnonzero(slopes != self.slopes)
        if len(changed) * FEW > len(slopes):
            self.gradient = slopes @ self.X
        else:
            change = slopes[changed] - self.slopes[changed]
            self.gradient = self.gradient + change @ self.X[changed]
        self.slopes = slopes
        return float(self.gradient @ w)

    def step(self, w: Array) -> Array | None:
        return self.unit(self.gradient)[0]

    def unit(self, g: Array) -> tuple[Array | None, float]:
        """Direction and size of g orthogonal to W."""
        g = g - (g @ self.components.T) @ self.components
        size = float(np.linalg.norm(g))
        return (g / size if size > 0 else None), size

    def combination(self, c: Array) -> Array | None:
        return self.unit(c @ self.X)[0]

    def projections(self, w: Array) -> Array:
        return np.asarray(self.X @ w)

    def movable(self, chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
        chosen = chosen & np.asarray(self.X.any(axis=1))
        X, W = self.X[chosen], self.components
        if len(W) and np.linalg.norm(X - X @ W.T @ W) <= _NOISE * np.linalg.norm(self.X):
            return np.zeros_like(chosen)
        return chosen

    def distance(self, a: Array, b: Array) -> float:
        return float(np.linalg.norm(a - b))

    def mix(self, mixer: Anderson, new: Array, old: Array) -> Array | None:
        guess = mixer.propose(new, new - old)
        return None if guess is None else self.unit(guess)[0]

    def take(self, w: Array | None) -> None:
        last = _orthogonal_axis(self.components) if w is None else w
        self.components = W = np.vstack([self.components, last])
        if w is not None:
            self.left = np.maximum(self.left - (self.X @ w) ** 2, 0.0)
            if self.left.max(initial=0.0) <= _CANCELLED * self.largest:
                rest = self.X - (self.X @ W.T) @ W
                self.left = np.einsum("ij,ij->i", rest, rest)


class _Signs:
    """The signs of Xw, by single precision where it can tell: half the memory is read."""

    def __init__(self, X: Array):
        self.X = X
        scale = max(float(X.max(initial=0.0)), -float(X.min(initial=0.0)), 1e-300)
        self.single = np.empty(X.shape, dtype=np.float32)
        np.divide(X, scale, out=self.single, casting="same_kind")
        norms = np.sqrt(np.einsum("ij,ij->i", self.single, self.single, dtype=np.float64))
        unit = X.shape[1] + 4  # the worst case of a sum of so many products
        self.doubt = unit * (2.0**-24 * norms + _SINGLE_TINY)

    def __call__(self, w: Array) -> Array:
        o = (self.single @ w.astype(np.float32)).astype(np.float64)
        unsure = np.flatnonzero(np.abs(o) <= self.doubt)
        o[unsure] = self.X[unsure] @ w
        return np.sign(o)


def _climb_searching(land: Rows, w: Array, max_iter: int, tol: float) -> Run:
    """A line search decides how much of the step is taken: for f that is not convex."""
    X, objective = land.X, land.objective
    o, step = X @ w, 1.0
    value = total_of(objective, o)
    curve = [value]
    for _ in range(max_iter):
        direction, size = land.unit(signed(objective, o) @ X)
        if direction is None:
            return w, curve, True
        cosine = float(w @ direction)
        rise = size * max(1.0 - cosine**2, 0.0)  # derivative of the objective along the arc
        if rise <= 1e-15 * abs(value) or np.linalg.norm(direction - w) < tol:
            return w, curve, True
        o_direction = X @ direction
        step = min(4.0 * step, 1.0)
        while step > _SHORTEST:
            length = np.sqrt((1 - step) ** 2 + step**2 + 2 * step * (1 - step) * cosine)
            new_o = ((1 - step) * o + step * o_direction) / max(length, 1e-300)
            new_value = total_of(objective, new_o)
            if new_value >= value + _ARMIJO * step * rise:
                break
            step /= 2.0
        else:
            return w, curve, True  # no rise that rounding would show
        gain, value = new_value - value, new_value
        new = (1 - step) * w + step * direction
        new /= np.linalg.norm(new)
        change, w = np.linalg.norm(new - w), new
        o = X @ w
        curve.append(value)
        if change < tol or gain <= 1e-15 * abs(value):
            return w, curve, True
    return w, curve, False


def _climb_serially(land: Rows, w: Array, max_iter: int, tol: float) -> Run:
    """Coefficients c of w ∝ X'c change one at a time."""
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


def ascend(
    X: Array, k: int, objective: Objective, *, serial: bool = False, **limits: Any
) -> Ascent:
    """Greedy components of the rows of X."""
    climb = climb_convex if objective.convex else _climb_searching
    return greedy(Rows(X, objective), _climb_serially if serial else climb, k, **limits)


def exact_l2(X: Array, k: int, objective: Objective) -> Ascent:
    """The l2 objective is PCA; signs are those the fixed point has from its usual start."""
    W = principal_axes(X, np.zeros(X.shape[1]), k)[1]
    W = W * start_signs(X @ W.T, np.einsum("ij,ij->i", X, X))[:, None]
    totals = objective.value(np.abs(X @ W.T)).sum(axis=0)
    return Ascent(W, np.cumsum(totals), 1, True)


def joint(X: Array, first: Ascent, objective: Objective, *, max_iter: int, tol: float) -> Ascent:
    """All components at once: W ← polar factor of the gradient, from the greedy solution."""
    W, curve, converged = first.components, [first.curve[-1]], False
    for _ in range(max_iter):
        gradient = signed(objective, X @ W.T).T @ X
        target, step = _polar(gradient, W), 1.0
        new, value = target, total_of(objective, X @ target.T)
        while value < curve[-1] and not objective.convex and step > _SHORTEST:
            step /= 2.0
            new = _polar((1 - step) * W + step * target, W)
            value = total_of(objective, X @ new.T)
        change = np.linalg.norm(new - W)
        if change < tol or step <= _SHORTEST or value < curve[-1] * (1 - 1e-12):
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
