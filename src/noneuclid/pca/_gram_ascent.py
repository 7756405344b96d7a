r"""Generalised components on the kernel matrix itself, where its rank is nearly full.

.. math:: c = f'(|o|)\,\mathrm{sgn}(o), \qquad \alpha = c/\sqrt{c'Kc}, \qquad o = K\alpha

One product with K per step; features of rank r need two of n × r, so K is cheaper for r > n/2 and
needs no decomposition. Deflation is :math:`K - SS'` with the scores S so far, never formed.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import blas

from noneuclid.pca._anderson import Anderson
from noneuclid.pca._climbing import FEW, Ascent, climb_convex, greedy, signed, total_of
from noneuclid.pca.objectives import Objective
from noneuclid.typing import Array, IntArray

# Diagonal entries of a deflated matrix below this share of the largest are rounding.
_NOISE = 1e-12


class _Element(NamedTuple):
    """α and its projections o = Kα, of norm 1: α'o = 1."""

    alpha: Array
    o: Array


def _unit(alpha: Array, o: Array) -> _Element | None:
    square = float(alpha @ o)
    return _Element(alpha / np.sqrt(square), o / np.sqrt(square)) if square > 0 else None


class Products:
    """The landscape of samples with products K, less those of the components so far: K − SS'."""

    def __init__(self, K: Array, objective: Objective):
        self.K, self.objective = K, objective
        self.S = np.empty((len(K), 0))
        self.components = np.empty((len(K), 0))
        self.left = np.diag(K).copy()
        self.largest = float(self.left.max(initial=0.0))
        self.c = np.full(len(K), np.nan)
        self.product = self.c

    @property
    def is_exhausted(self) -> bool:
        return bool(self.left.max(initial=0.0) <= _NOISE * self.largest)

    def starts(self, rows: IntArray) -> list[_Element]:
        return [self._start(int(i)) for i in rows]

    def _start(self, i: int) -> _Element:
        alpha = np.zeros(len(self.K))
        alpha[i] = 1.0 / np.sqrt(self.left[i])
        return _Element(alpha, (self.K[i] - self.S @ self.S[i]) * alpha[i])

    def total(self, w: _Element) -> float:
        return total_of(self.objective, w.o)

    def step(self, w: _Element) -> _Element | None:
        return self.combination(signed(self.objective, w.o))

    def combination(self, c: Array) -> _Element | None:
        return _unit(c, self._times(c))

    def _times(self, c: Array) -> Array:
        """(K − SS')c; of the entries of c few may have changed since the last call."""
        changed = np.flatnonzero(c != self.c)
        if len(changed) * FEW > len(c):  # BLAS reads only half of a symmetric matrix
            self.product = blas.dsymv(1.0, self.K.T, c, lower=1) - self.S @ (c @ self.S)
        else:
            change = c[changed] - self.c[changed]
            self.product = self.product + change @ self.K[changed]
            self.product -= self.S @ (change @ self.S[changed])
        self.c = c
        return self.product

    def projections(self, w: _Element) -> Array:
        return w.o

    def movable(self, chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
        return chosen & (self.left > _NOISE * self.largest)

    def distance(self, a: _Element, b: _Element) -> float:
        return float(np.sqrt(max(float((a.alpha - b.alpha) @ (a.o - b.o)), 0.0)))

    def mix(self, mixer: Anderson, new: _Element, old: _Element) -> _Element | None:
        mixed = mixer.propose(np.concatenate(new), new.o - old.o)
        return None if mixed is None else _unit(mixed[: len(self.K)], mixed[len(self.K) :])

    def take(self, w: _Element | None) -> None:
        if w is None:
            self.components = np.column_stack([self.components, np.zeros(len(self.K))])
            return
        # What the component is made of, in terms of K itself.
        beta = w.alpha - self.components @ (w.alpha @ self.S)
        self.components = np.column_stack([self.components, beta])
        self.S = np.column_stack([self.S, w.o])
        self.left -= w.o**2
        self.c = np.full(len(w.o), np.nan)


def gram_ascend(K: Array, k: int, objective: Objective, **limits: Any) -> Ascent:
    """Greedy components β with scores Kβ, for convex f; zeros where K has no more."""
    return greedy(Products(K, objective), climb_convex, k, **limits)
