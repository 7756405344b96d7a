r"""Generalised components on the kernel matrix itself, where its rank is nearly full.

.. math:: c = f'(|o|)\,\mathrm{sgn}(o), \qquad \alpha = c/\sqrt{c'Kc}, \qquad o = K\alpha

One product with K per step; features of rank r need two of n × r, so K is cheaper for r > n/2 and
needs no decomposition. Deflation is :math:`K - SS'` with the scores S so far, never formed.
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg import blas

from noneuclid.pca._anderson import Anderson
from noneuclid.pca._ascent import DEPTH, FAR, FEW, NEAR, STRETCH, signed, total_of
from noneuclid.pca._objectives import Objective
from noneuclid.typing import Array

# Diagonal entries of a deflated matrix below this share of the largest are rounding.
_NOISE = 1e-12
_ROUNDING = 4e-16


class GramAscent(NamedTuple):
    """β with scores Kβ, the total objective after every iteration, and how it ended."""

    beta: Array
    curve: Array
    n_iter: int
    converged: bool


class _Element(NamedTuple):
    """α and its projections o = Kα, of norm 1: α'o = 1."""

    alpha: Array
    o: Array


def _distance(a: _Element, b: _Element) -> float:
    return float(np.sqrt(max(float((a.alpha - b.alpha) @ (a.o - b.o)), 0.0)))


def _unit(alpha: Array, o: Array) -> _Element | None:
    square = float(alpha @ o)
    return _Element(alpha / np.sqrt(square), o / np.sqrt(square)) if square > 0 else None


class _Deflated:
    """Products with K − SS'. BLAS reads only half of a symmetric matrix."""

    def __init__(self, K: Array):
        self.K = K
        self.S = np.empty((len(K), 0))
        self.diagonal = np.diag(K).copy()
        self.c = np.full(len(K), np.nan)
        self.product = self.c

    def __call__(self, c: Array) -> Array:
        """(K − SS')c; of the entries of c few may have changed since the last call."""
        changed = np.flatnonzero(c != self.c)
        if len(changed) * FEW > len(c):
            self.product = blas.dsymv(1.0, self.K.T, c, lower=1) - self.S @ (c @ self.S)
        else:
            change = c[changed] - self.c[changed]
            self.product = self.product + change @ self.K[changed]
            self.product -= self.S @ (change @ self.S[changed])
        self.c = c
        return self.product

    def start(self, i: int) -> _Element:
        """Sample i, at norm 1."""
        alpha = np.zeros(len(self.K))
        alpha[i] = 1.0 / np.sqrt(self.diagonal[i])
        return _Element(alpha, (self.K[i] - self.S @ self.S[i]) * alpha[i])

    def take(self, o: Array) -> None:
        """Deflate by a component of scores o."""
        self.S = np.column_stack([self.S, o])
        self.diagonal -= o**2
        self.c = np.full(len(o), np.nan)


def _climb(
    K: _Deflated, now: _Element, objective: Objective, max_iter: int, tol: float
) -> tuple[_Element, list[float], bool]:
    mixer, n = Anderson(DEPTH), len(now.o)
    curve: list[float] = []
    plain = None
    for _ in range(max_iter):
        total = total_of(objective, now.o)
        if plain is not None and total < curve[-1] * (1 - _ROUNDING):
            now, plain = plain, None
            mixer.clear()
            continue
        curve.append(total)
        c = signed(objective, now.o)
        new = _unit(c, K(c))
        if new is None:
            return now, curve, True
        change = _distance(new, now)
        if change < tol:
            pushed = _leave_stall(K, new, objective)
            if pushed is None:
                return new, curve, True
            now, plain = pushed, None
            mixer.clear()
            continue
        guess = None
        if change < NEAR and not objective.is_l1:
            mixed = mixer.propose(np.concatenate(new), new.o - now.o)
            guess = None if mixed is None else _unit(mixed[:n], mixed[n:])
        now, plain = new, None
        if guess is not None and _distance(guess, new) < min(FAR, STRETCH * change):
            now, plain = guess, new
    return now, curve, False


def _leave_stall(K: _Deflated, at: _Element, objective: Objective) -> _Element | None:
    """As in data space: a sample with projection exactly 0 is given a sign."""
    zero = (at.o == 0) & (K.diagonal > _NOISE * np.diag(K.K).max())
    slope = float(objective.slope(np.zeros(1))[0])
    if slope <= 0 or not zero.any():
        return None
    c = signed(objective, at.o)
    c[np.argmax(zero)] = slope
    new = _unit(c, K(c))
    better = new is not None and total_of(objective, new.o) > total_of(objective, at.o)
    return new if better else None


def gram_greedy(
    K: Array,
    k: int,
    objective: Objective,
    *,
    n_init: int,
    max_iter: int,
    tol: float,
    rng: np.random.RandomState,
) -> GramAscent:
    """Component after component, each the best over the starts; zeros where K has no more."""
    deflated, betas = _Deflated(K), np.empty((len(K), 0))
    largest = float(deflated.diagonal.max(initial=0.0))
    curve: list[float] = []
    base, longest, converged = 0.0, 0, True
    for _ in range(k):
        diagonal = deflated.diagonal
        if diagonal.max(initial=0.0) <= _NOISE * largest:
            break
        rows = [int(np.argmax(diagonal))]
        if n_init > 1:
            rows += list(rng.choice(np.flatnonzero(diagonal > 1e-6 * diagonal.max()), n_init - 1))
        runs = [_climb(deflated, deflated.start(i), objective, max_iter, tol) for i in rows]
        best, one, good = max(runs, key=lambda run: run[1][-1])
        curve += [base + value for value in one]
        base = curve[-1]
        longest, converged = max(longest, len(one)), converged and good
        beta = best.alpha - betas @ (best.alpha @ deflated.S)
        betas = np.column_stack([betas, beta])
        deflated.take(best.o)
    betas = np.hstack([betas, np.zeros((len(K), k - betas.shape[1]))])
    return GramAscent(betas, np.array(curve or [0.0]), longest, converged)
