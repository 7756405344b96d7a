r"""Sanger's rule with any slope f' of the response: robust components, sample by sample.

.. math:: \Delta w_i = \varepsilon\, f'(|O_i|)\,\mathrm{sgn}(O_i)
          \Bigl(v - \sum_{j \le i} O_j w_j\Bigr), \qquad O_i = w_i'v

A component rests where :math:`E[f'(|O|)\,\mathrm{sgn}(O)\,v]` is parallel to it beside the earlier
ones, and then it has norm 1 and is orthogonal to them: the stationary points of greedy generalised
PCA. Those of all components together are where

.. math:: E[gv'] = S W, \qquad S = \tfrac12 E[gO' + Og'], \qquad g_i = f'(|O_i|)\,\mathrm{sgn}(O_i),

and S takes the place of the lower triangle of :math:`E[gO']` in the rule.
"""

from dataclasses import dataclass, replace

import numpy as np

from noneuclid.pca._climbing import signed
from noneuclid.pca.objectives import Objective
from noneuclid.typing import Array

# Rows that are learned together: any slope is then a few calls, not one for every sample.
_TOGETHER = 8
_RATE, _HORIZON = 0.1, 300.0
# No step moves a component by more than this share of what it would be at rest.
_LARGEST_STEP = 0.5


@dataclass(frozen=True, eq=False)
class RobustState:
    """What is known of the samples so far. It never changes; it is replaced."""

    W: Array
    average: Array
    """The mean of W over the stream, late ones counting most: the noise of the steps is gone."""
    power: Array
    """Running mean of f'(|O|)|O|, by which steps are divided: units do not matter."""
    mean: Array
    together: bool
    """Whether components are learned together, not one after the other."""
    clock: int = 0

    @classmethod
    def start(
        cls, k: int, d: int, rng: np.random.RandomState, *, together: bool = False
    ) -> "RobustState":
        """Random orthonormal components."""
        W = orthonormal(rng.normal(size=(k, d)))
        return cls(W, np.zeros((k, d)), np.zeros(k), np.zeros(d), together)

    @property
    def components(self) -> Array:
        """Orthonormal components."""
        if not self.together:
            return orthonormal(self.average)
        U, _, V = np.linalg.svd(self.average, full_matrices=False)
        return np.asarray(U @ V)  # the nearest orthonormal rows

    def shown(self, X: Array, objective: Objective) -> "RobustState":
        """The state after these rows too, in their order."""
        n, W, power = len(X), self.W.copy(), self.power.copy()
        mean = self.mean + n / (self.clock + n) * (X.mean(axis=0) - self.mean)
        average, clock = self.average, self.clock
        for start in range(0, n, _TOGETHER):
            V = X[start : start + _TOGETHER] - mean
            W, power = _stepped(W, power, V, objective, clock, self.together)
            clock += len(V)
            share = min(3.0 * len(V) / (clock + 2.0 * len(V)), 1.0)
            average = average + share * (W - average)
        return replace(self, W=W, average=average, power=power, mean=mean, clock=clock)


def _stepped(
    W: Array, power: Array, V: Array, objective: Objective, clock: int, together: bool
) -> tuple[Array, Array]:
    """Components and their power after a few rows."""
    n = len(V)
    step = _RATE * _HORIZON / (_HORIZON + clock)
    O = V @ W.T  # noqa: E741 - the letter of the equation
    G = signed(objective, O)
    now = np.einsum("ij,ij->j", G, O) / n
    power = power + min(max(n / (clock + n), n * step / 10.0), 1.0) * (now - power)
    step = min(n * step, _LARGEST_STEP)
    scale = np.maximum(power, step * now / _LARGEST_STEP)
    C = G.T @ O
    decay = (C + C.T) / 2.0 if together else np.tril(C)
    update = (G.T @ V - decay @ W) / n
    return W + (step / np.where(scale > 0, scale, np.inf))[:, None] * update, power


def orthonormal(W: Array) -> Array:
    """The rows, one after the other made orthogonal to the earlier ones, of norm 1."""
    Q, R = np.linalg.qr(W.T)
    return np.asarray((Q * np.where(np.diag(R) < 0, -1.0, 1.0)).T)
