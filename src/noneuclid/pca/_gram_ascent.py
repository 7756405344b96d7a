r"""Generalised components on the kernel matrix itself, where its rank is nearly full.

.. math:: c = f'(|o|)\,\mathrm{sgn}(o), \qquad \alpha = c/\sqrt{c'Kc}, \qquad o = K\alpha

One product with K per step; features of rank r need two of n × r, so K is cheaper for r > n/2 and
needs no decomposition. Deflation is :math:`K - SS'` with the scores S so far, never formed.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import blas

from noneuclid.pca._anderson import Anderson
from noneuclid.pca._climbing import Ascent, Landscape, climb_convex, greedy, signed, total_of
from noneuclid.pca._signs import FEW
from noneuclid.pca.objectives import Objective
from noneuclid.typing import Array, IntArray

# Diagonal entries of a deflated matrix below this share of the largest are rounding.
_NOISE = 1e-12


class Products(Landscape):
    """The landscape of samples with products K, less those of the components so far: K − SS'.

    A direction is the pair α, o = Kα of norm α'o = 1, two rows of an array.
    """

    def __init__(self, K: Array, objective: Objective):
        self.K, self.objective, self.n_numbers = K, objective, K.size
        self.S = np.empty((len(K), 0))
        self.components = np.empty((len(K), 0))
        self.left = np.diag(K).copy()
        self.least = _NOISE * float(self.left.max(initial=0.0))
        self.c = self.product = np.full(len(K), np.nan)

    @property
    def is_exhausted(self) -> bool:
        return bool(self.left.max(initial=0.0) <= self.least)

    def starts(self, rows: IntArray) -> list[Array]:
        scales = 1.0 / np.sqrt(self.left[rows])
        alphas = np.zeros((len(rows), len(self.K)))
        alphas[np.arange(len(rows)), rows] = scales
        products = [(self.K[i] - self.S @ self.S[i]) * scale for i, scale in zip(rows, scales)]
        return [np.array(pair) for pair in zip(alphas, products)]

    def total(self, w: Array) -> float:
        return total_of(self.objective, w[1])

    def step(self, w: Array) -> Array | None:
        return self.combination(signed(self.objective, w[1]))

    def combination(self, c: Array) -> Array | None:
        return self._unit(np.array([c, self._times(c)]))

    def _unit(self, v: Array) -> Array | None:
        square = float(v[0] @ v[1])
        return v / np.sqrt(square) if square > 0 else None

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

    def projections(self, w: Array) -> Array:
        return w[1]

    def movable(self, chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
        return chosen & (self.left > self.least)

    def distance(self, a: Array, b: Array) -> float:
        alpha, o = a - b
        return float(np.sqrt(max(float(alpha @ o), 0.0)))

    def mix(self, mixer: Anderson, new: Array, old: Array) -> Array | None:
        mixed = mixer.propose(new.ravel(), new[1] - old[1])
        return None if mixed is None else self._unit(mixed.reshape(2, -1))

    def take(self, w: Array | None) -> None:
        beta = np.zeros(len(self.K))
        if w is not None:  # what the component is made of, in terms of K itself
            beta = w[0] - self.components @ (w[0] @ self.S)
            self.S = np.column_stack([self.S, w[1]])
            self.left -= w[1] ** 2
            self.c = np.full(len(beta), np.nan)
        self.components = np.column_stack([self.components, beta])


def gram_ascend(K: Array, k: int, objective: Objective, **limits: Any) -> Ascent:
    """Greedy components β with scores Kβ, for convex f; zeros where K has no more."""
    return greedy(Products(K, objective), climb_convex, k, **limits)
