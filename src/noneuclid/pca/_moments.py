r"""Mean and covariance of random functions, by penalised least squares over observations.

:math:`\mu = b'\beta` is fitted to all observations, and :math:`C(s, t) = b(s)'\Theta b(t)` to the
products of residuals of all pairs of different ones of a curve: those are free of the noise. All
that is needed of a curve is :math:`B'B`, :math:`B'r` and :math:`\sum_j r_j^2 b_jb_j'`: nothing of
the size of the pairs is ever made.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy import linalg

from noneuclid._memory import require_matrices
from noneuclid.numerics import row_blocks
from noneuclid.pca._functions import Functions, Sample
from noneuclid.typing import Array, IntArray

_FOLDS = 5
# Weights of the roughness that are tried, where data and roughness weigh the same.
_TRIED = 10.0 ** np.arange(-8.0, 3.1, 0.5)
_RIDGE = 1e-10


def moments(functions: Functions, sample: Sample, B: Array) -> tuple[Array, Array]:
    """Coefficients of the mean and of the covariance, as smooth as suits curves left out.

    Parameters
    ----------
    functions : Functions
    sample : Sample
    B : array
        Its design.

    Returns
    -------
    beta : array of shape (size,)
    theta : array of shape (size, size)
    """
    folds = np.arange(sample.n) % min(_FOLDS, sample.n)
    beta = _fit_mean(functions, sample, B, folds)
    return beta, _fit_covariance(functions, sample, B, sample.values - B @ beta, folds)


# --- penalised least squares, from sums over curves -------------------------------------------


@dataclass(eq=False)
class Sums:
    """Σ aa', Σ ya and Σ y² of rows a and targets y, of each fold of curves."""

    A: Array
    b: Array
    y: Array


def _solve(sums: Sums, penalty: Array) -> Array:
    """The coefficients of least penalised squares, their penalty by leaving out folds of curves."""
    A, b = sums.A.sum(axis=0), sums.b.sum(axis=0)
    unit = np.trace(A) / max(float(np.trace(penalty)), 1e-300)
    ridge = _RIDGE * np.trace(A) / len(A) * np.eye(len(A))
    errors = np.array([_left_out(sums, unit * tried * penalty + ridge) for tried in _TRIED])
    # The smoothest of those that are as good, up to rounding.
    as_good = errors <= errors.min() + 1e-9 * float(sums.y.sum())
    best = unit * float(_TRIED[as_good].max())
    return np.asarray(linalg.solve(A + best * penalty + ridge, b, assume_a="pos"))


def _left_out(sums: Sums, penalty: Array) -> float:
    """Squared errors for the folds that were left out."""
    A, b = sums.A.sum(axis=0), sums.b.sum(axis=0)
    error = 0.0
    for A_k, b_k, y_k in zip(sums.A, sums.b, sums.y):
        w = linalg.solve(A - A_k + penalty, b - b_k, assume_a="pos")
        error += float(y_k - 2 * w @ b_k + w @ A_k @ w)
    return error


def _fit_mean(functions: Functions, sample: Sample, B: Array, folds: IntArray) -> Array:
    x, of = sample.values, folds[sample.curves]
    parts = [(B[of == k], x[of == k]) for k in range(folds.max() + 1)]
    sums = Sums(
        np.stack([part.T @ part for part, _ in parts]),
        np.stack([part.T @ y for part, y in parts]),
        np.array([y @ y for _, y in parts]),
    )
    return _solve(sums, functions.scaled(2))


def _fit_covariance(
    functions: Functions, sample: Sample, B: Array, r: Array, folds: IntArray
) -> Array:
    """Θ from the products of residuals of different observations of a curve."""
    K = B.shape[1]
    sums = _pair_sums(sample, B, r, folds)
    G, P = functions.scaled(0), functions.scaled(2)
    penalty = _on_symmetric(np.kron(G, P) + np.kron(P, G), K)
    found = _solve(sums, penalty)
    theta = np.zeros((K, K))
    theta[np.triu_indices(K)] = found
    return theta + np.triu(theta, 1).T


def _pair_sums(sample: Sample, B: Array, r: Array, folds: IntArray) -> Sums:
    """Sums over pairs, by Σ_{j≠k} a_j ⊗ b_k = (Σ a) ⊗ (Σ b) − Σ_j a_j ⊗ b_j."""
    K, bounds, n_folds = B.shape[1], sample.bounds(), int(folds.max()) + 1
    S, u, squares = np.empty((sample.n, K * K)), np.empty((sample.n, K)), np.empty((sample.n, 2))
    for i, (start, stop) in enumerate(pairwise(bounds)):
        part, rest = B[start:stop], r[start:stop]
        S[i], u[i] = (part.T @ part).ravel(), part.T @ rest
        squares[i] = rest @ rest, (rest**2) @ (rest**2)
    rows = K * (K + 1) // 2
    what = f"the covariance of {K} basis functions"
    require_matrices(what, rows, copies=_FOLDS + 4.0, instead="take a smaller n_basis")
    A, b, y = np.zeros((n_folds, rows, rows)), np.zeros((n_folds, rows)), np.zeros(n_folds)
    for k in range(n_folds):
        members, points = folds == k, folds[sample.curves] == k
        whole = (S[members].T @ S[members]).reshape(K, K, K, K).transpose(0, 2, 1, 3)
        M, right = whole.reshape(K * K, K * K), u[members].T @ u[members]
        M, right = _without_own(M, right, B[points], r[points])
        A[k], b[k] = _on_symmetric(M, K), _folded(right)
        y[k] = float((squares[members, 0] ** 2 - squares[members, 1]).sum())
    return Sums(A, b, y)


def _without_own(M: Array, right: Array, B: Array, r: Array) -> tuple[Array, Array]:
    """Less the pairs of an observation with itself, which hold the noise."""
    M = np.array(M)
    for rows in row_blocks(len(B), B.shape[1] ** 2 * 8):
        own = (B[rows, :, None] * B[rows, None, :]).reshape(len(B[rows]), -1)
        M -= own.T @ own
    return M, right - B.T @ (np.square(r)[:, None] * B)


def _on_symmetric(M: Array, K: int) -> Array:
    """The quadratic form of vec Θ as one of the upper triangle of a symmetric Θ."""
    upper = np.triu_indices(K)
    both = (upper[0] != upper[1]).astype(float)
    one, other = upper[0] * K + upper[1], upper[1] * K + upper[0]
    columns = M[:, one] + both * M[:, other]
    return np.asarray(columns[one] + both[:, None] * columns[other])


def _folded(right: Array) -> Array:
    upper = np.triu_indices(len(right))
    return np.where(upper[0] != upper[1], right[upper] + right.T[upper], right[upper])
