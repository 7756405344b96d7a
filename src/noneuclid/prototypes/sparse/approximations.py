"""Sparse approximations of one prototype: arrays in, coefficients out."""

import numpy as np
from scipy import linalg

from noneuclid.numerics import first_argmax, steady_order
from noneuclid.numerics.meb import enclosing_ball
from noneuclid.proximities import Relation
from noneuclid.typing import Array, IntArray

# Below this share of the prototype's squared length a residual is rounding.
_ROUNDING = 1e-13
_BALL_TOL, _BALL_ITER = 1e-10, 100_000


def hull(gamma: Array, k: int) -> Array:
    """The k largest coefficients, divided by their sum (all of them, if there are no more)."""
    if np.count_nonzero(gamma) <= k:
        return gamma.copy()
    kept = steady_order(-np.abs(gamma))[:k]
    sparse = np.zeros_like(gamma)
    sparse[kept] = gamma[kept]
    total = sparse.sum()
    return sparse / total if abs(total) > 1e-12 else sparse


def matching_pursuit(
    relation: Relation, gamma: Array, epsilon: float, k: int | None, *, affine: bool
) -> tuple[Array, list[float]]:
    """Orthogonal matching pursuit until (γ−γ̃)'K(γ−γ̃) ≤ ε², or k objects are used.

    Returns the coefficients and the residual norms after every choice. ``affine``: the
    coefficients sum to those of γ, as distances from dissimilarities need.
    """
    target = relation.dot(gamma)
    size = float(gamma @ target)
    root = np.sqrt(
        np.maximum(relation.diagonal, _ROUNDING * max(float(relation.diagonal.max()), 1e-300))
    )
    chosen: list[int] = []
    sparse, residuals, left = np.zeros_like(gamma), [float(np.sqrt(max(size, 0.0)))], target
    support = int(np.count_nonzero(gamma))  # with as many objects γ itself is exact
    limit = support if k is None else int(min(k, support))
    first = affine  # nothing chosen yet does not sum to one
    while len(chosen) < limit:
        if not first and residuals[-1] ** 2 <= max(epsilon**2, _ROUNDING * size):
            break
        first = False
        score = np.abs(left) / root
        score[chosen] = -1.0
        chosen.append(int(first_argmax(score)))
        index = np.array(chosen)
        sparse = np.zeros_like(gamma)
        sparse[index] = _least_squares(
            relation.block(index, index), target[index], gamma.sum(), affine
        )
        difference = gamma - sparse
        left = relation.dot(difference)
        residuals.append(float(np.sqrt(np.maximum(difference @ left, 0.0))))
    if len(chosen) == support and residuals[-1] ** 2 > max(epsilon**2, _ROUNDING * size):
        sparse = gamma.copy()
        residuals.append(0.0)
    return sparse, residuals[1:] if affine else residuals


def _least_squares(K: Array, b: Array, total: float, affine: bool) -> Array:
    """Solve K c = b, with Σc = total if affine; singular blocks give the shortest solution."""
    if not affine:
        return linalg.lstsq(K, b)[0]
    n, unit = len(b), max(float(np.trace(K)) / len(b), 1e-300)
    system = np.zeros((n + 1, n + 1))
    system[:n, :n] = K / unit
    system[:n, n] = system[n, :n] = 1.0
    return linalg.lstsq(system, np.append(b / unit, total))[0][:n]


def core_set_ball(
    relation: Relation, members: IntArray, epsilon: float, k: int | None = None
) -> tuple[Array, float]:
    """Centre of a ball that, (1 + ε) times as wide, holds all members; from a small core set.

    Returns convex coefficients over all objects and the radius of the ball around the core set,
    which is at most that of the minimum enclosing ball.
    """
    alpha = np.zeros(relation.n_objects_)
    squares = relation.diagonal[members]
    core = [int(_far_from(relation, members, squares, int(first_argmax(squares))))]
    core.append(int(_far_from(relation, members, squares, core[0])))
    core = list(dict.fromkeys(core))[: len(members) if k is None else k]
    while True:
        index = members[np.array(core)]
        weights, radius2 = enclosing_ball(
            np.ascontiguousarray(relation.block(index, index)), _BALL_TOL, _BALL_ITER
        )
        centre = relation.block(members, index) @ weights
        squared = float(weights @ relation.block(index, index) @ weights)
        d = squares - 2.0 * centre + squared
        d[core] = -np.inf
        far = int(first_argmax(d))
        full = len(core) >= (len(members) if k is None else min(k, len(members)))
        if full or d[far] <= (1.0 + epsilon) ** 2 * radius2 + 1e-12 * max(squares.max(), 0.0):
            break
        core.append(far)
    alpha[index] = weights
    return alpha, float(np.sqrt(radius2))


def _far_from(relation: Relation, members: IntArray, squares: Array, i: int) -> int:
    to_i = relation.block(members, members[i : i + 1])[:, 0]
    return int(first_argmax(squares - 2.0 * to_i))
