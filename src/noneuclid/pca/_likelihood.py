r"""The likelihood of a random function with noise, climbed by expectation and maximisation.

.. math:: x_i = B_i(\beta + A'z_i) + \varepsilon_i, \qquad z_i \sim N(0, I), \quad
    \operatorname{var}\varepsilon = \sigma_c^2

Expectation: mean and covariance of :math:`z_i` given :math:`x_i`. Maximisation: β and A together by
penalised least squares, then the noise. The weight of the roughness :math:`f'Pf` is that of a prior
under which the functions of the start are as rough as can be expected: the rank of P over f'Pf, one
for the mean and one for the directions, in each channel.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from noneuclid.pca._functions import Functions, Sample
from noneuclid.typing import Array, IntArray

_MOST, _LEAST = 300, 5
_STILL = 1e-4
_RIDGE = 1e-10
# Of the roughness beside the data: more, and rounding of the first hides the second.
_HEAVIEST = 1e4
# Noise below this share of the squares is rounding, and errors of the basis.
_LEAST_NOISE = 1e-8
_LEAST_FREE = 0.25


@dataclass(eq=False)
class Loadings:
    """Coefficients of the mean (size,) and of q random directions (q, size), and the noise."""

    mean: Array
    A: Array
    noise: Array
    n_iter: int = 0


def climb(
    functions: Functions, sample: Sample, B: Array, start: Loadings, smoothing: float | None
) -> Loadings:
    """The most likely mean, directions and noise.

    Parameters
    ----------
    functions : Functions
    sample : Sample
        Values of about unit size.
    B : array
        Its design.
    start : Loadings
    smoothing : float or None
        Weight of the roughness beside squared errors; None: as said above.
    """
    climber = _Climber(functions, sample, B)
    state, weights = start, climber.weights(start)
    if not start.A.any():  # nothing varies: the mean is all there is
        return start
    for n_iter in range(1, _MOST + 1):
        before = state
        if smoothing is not None:
            weights = np.tile(smoothing / state.noise, (2, 1))
        state = climber.step(state, weights)
        state.n_iter = n_iter
        if n_iter > _LEAST and _distance(before, state) < _STILL:
            break
    return state


def _distance(one: Loadings, other: Loadings) -> float:
    noise = np.abs(one.noise - other.noise) / np.maximum(other.noise, 1e-300)
    old, new = (np.vstack([state.mean, state.A]) for state in (one, other))
    return max(float(noise.max()), float(np.linalg.norm(new - old) / np.linalg.norm(new)))


class _Climber:
    """Sums over the observations of each curve, and the steps they allow."""

    def __init__(self, functions: Functions, sample: Sample, B: Array):
        bounds = sample.bounds()
        parts = [(B[a:b], sample.values[a:b]) for a, b in pairwise(bounds)]
        self.S = np.stack([part.T @ part for part, _ in parts])
        self.u = np.stack([part.T @ x for part, x in parts])
        self.channel = functions.of_channel()
        n_channels = len(functions.bases)
        each = [sample.values[sample.channels == c] for c in range(n_channels)]
        self.squares = np.array([float(x @ x) for x in each])
        self.counts = np.array([max(len(x), 1) for x in each])
        self.P = functions.scaled(2)
        blocks = [self.P[np.ix_(self._of(c), self._of(c))] for c in range(n_channels)]
        self.ranks = np.array([np.linalg.matrix_rank(block) for block in blocks])

    def _of(self, c: int) -> IntArray:
        return np.flatnonzero(self.channel == c)

    def weights(self, start: Loadings) -> Array:
        """Of the roughness of the mean and of the directions, for each channel: (2, n_channels)."""
        W = np.vstack([start.mean, start.A])
        data = float(np.trace(self.S.sum(axis=0) / start.noise[self.channel]))
        most = _HEAVIEST * data / max(float(np.trace(self.P)), 1e-300)
        found = np.empty((2, len(self.ranks)))
        for c in range(len(self.ranks)):
            at = self._of(c)
            rough = np.einsum("ak,kl,al->a", W[:, at], self.P[np.ix_(at, at)], W[:, at])
            for row, rows in ((0, rough[:1]), (1, rough[1:])):
                least = self.ranks[c] * len(rows) / most
                found[row, c] = self.ranks[c] * len(rows) / max(float(rows.sum()), least)
        return found

    def step(self, state: Loadings, weights: Array) -> Loadings:
        """One expectation and one maximisation."""
        precision = 1.0 / state.noise[self.channel]
        second, first = self._expect(state, precision)
        n, k, K = *second.shape[:2], self.S.shape[1]
        T = second.reshape(n, -1).T @ self.S.reshape(n, -1)
        H = T.reshape(k, k, K, K).transpose(0, 2, 1, 3)  # Σ_i E[zz'] ⊗ B'B
        right = first.T @ self.u
        M, data = self._penalised(H, precision, weights)
        found = np.linalg.solve(M, np.column_stack([(right * precision).ravel(), data]))
        W: Array = np.asarray(found[:, 0], dtype=np.float64).reshape(k, K)
        noise = self._noise(W, H, right, np.diag(found[:, 1:]).reshape(k, K).sum(axis=0))
        # The variance of z may be any (parameter expansion): faster, and no penalty shrinks it.
        root = np.linalg.cholesky(second[:, 1:, 1:].mean(axis=0))
        return Loadings(W[0], root.T @ W[1:], noise)

    def _expect(self, state: Loadings, precision: Array) -> tuple[Array, Array]:
        """E[zz'] and E[z] of each curve, with a 1 before z for the mean."""
        A, n, q = state.A, len(self.S), len(state.A)
        weighted = A * precision
        V = np.linalg.inv(np.eye(q) + weighted @ self.S @ A.T)
        m = np.einsum("iab,ib->ia", V, (self.u - self.S @ state.mean) @ weighted.T)
        first = np.column_stack([np.ones(n), m])
        second = first[:, :, None] * first[:, None, :]
        second[:, 1:, 1:] += V
        return second, first

    def _penalised(self, H: Array, precision: Array, weights: Array) -> tuple[Array, Array]:
        """The matrix of the least squares, with the roughness and without it."""
        k, K = H.shape[:2]
        per_row = np.vstack([weights[0], np.tile(weights[1], (k - 1, 1))])[:, self.channel]
        data = (H * precision[None, :, None, None]).reshape(k * K, k * K)
        M = (data + data.T) / 2
        for a in range(k):
            rows = slice(a * K, (a + 1) * K)
            M[rows, rows] += per_row[a][:, None] * self.P
        M.flat[:: len(M) + 1] += _RIDGE * np.trace(data) / len(M)
        return M, data

    def _noise(self, W: Array, H: Array, right: Array, used: Array) -> Array:
        """σ_c²: expected squared errors, per observation that the coefficients leave free."""
        noise = np.empty(len(self.counts))
        for c in range(len(noise)):
            at = self._of(c)
            part = W[:, at]
            explained = np.einsum("ak,akbl,bl->", part, H[:, at][:, :, :, at], part)
            rest = self.squares[c] - 2 * float(np.sum(part * right[:, at])) + float(explained)
            least = _LEAST_NOISE * max(self.squares[c], 1e-300)
            free = max(self.counts[c] - float(used[at].sum()), _LEAST_FREE * self.counts[c])
            noise[c] = max(rest, least) / free
        return noise
