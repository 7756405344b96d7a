r"""F-correlations of many samples without a factor of n × n: time grows with n² instead of n³.

Of the equation of `f_correlation`, with stacked α, the largest eigenvalue is wanted of

.. math:: -\,\bigl(K_iK_j\bigr)_{i \ne j}\,\alpha = \rho\,\mathrm{diag}\,(K_i + c)^2\,\alpha,
          \qquad c = \tfrac{n\kappa}2 .

A few hundred landmarks tell the leading eigenvectors U of every K, :math:`K \approx U\Lambda U'`.
The equation among these has one solution, from which the exact one is a few steps of LOBPCG away:
what is left of K is small beside c, so that the inverse of the approximate pencil, shifted beyond
its largest eigenvalue, is nearly that of the exact one.

References
----------
A. V. Knyazev (2001), Toward the optimal preconditioned eigensolver: locally optimal block
preconditioned conjugate gradient method. SIAM Journal on Scientific Computing 23.
"""

import warnings
from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from scipy import linalg
from scipy.linalg import blas
from scipy.sparse.linalg import LinearOperator, lobpcg

from noneuclid.numerics.threads import one_blas_thread
from noneuclid.typing import Array

_LANDMARKS = 300
# Eigenvalues of the landmarks' own block below this share of the largest are left out.
_CUTOFF = 1e-8
# The same of a product of features.
_NO_AXIS = 1e-12
# If landmarks leave more of a matrix than so many c, steps become many.
_REST, _POWERS = 3.0, 6
# How far beyond the approximate eigenvalue the shift is, relative to it.
_BEYOND = 1.02
# Beyond so many c the squares of K + c have lost the digits of c.
_LARGEST = 1e7
# The random part of the start, so that it is orthogonal to no solution; and what may be left,
# relative to the eigenvalue. If of two that nearly agree the larger one has only that random part,
# steps could rest at the smaller one: these numbers decide how near they must be for that.
_RANDOM, _RESIDUAL = 0.3, 1e-9
# Steps are looked at after so many; they go on if what is left became less than that share.
_STEPS, _ROUNDS, _GAIN = 10, 5, 0.1
_NOTHING = 1e-10


class Variable(Protocol):
    """A positive matrix K, and its leading eigenvectors."""

    vectors: Array
    values: Array

    def __call__(self, v: Array) -> Array:
        """Kv."""


class WholeMatrix:
    """A symmetric matrix of which one triangle is read."""

    def __init__(self, K: Array, rng: np.random.Generator):
        self.K = K
        some = rng.choice(len(K), min(_LANDMARKS, len(K)), replace=False)
        rows = K[some]
        values, V = linalg.eigh(rows[:, some])
        kept = values > _CUTOFF * values[-1]
        self.values, self.vectors = _axes(rows.T @ (V[:, kept] / np.sqrt(values[kept])))

    def __call__(self, v: Array) -> Array:
        return np.asarray(blas.dsymv(1.0, self.K.T, v, lower=1))

    def rest(self, rng: np.random.Generator) -> float:
        """About the largest eigenvalue of what the leading ones leave."""
        v, size = rng.normal(size=len(self.K)), 0.0
        for _ in range(_POWERS):
            v /= np.linalg.norm(v)
            v = self(v) - self.vectors @ (self.values * (v @ self.vectors))
            size = float(np.linalg.norm(v))
            if size == 0.0:
                break
        return size


class OfFeatures:
    """The matrix ZZ', never formed."""

    def __init__(self, Z: Array):
        self.Z = Z
        self.values, self.vectors = _axes(Z)

    def __call__(self, v: Array) -> Array:
        return np.asarray(self.Z @ (v @ self.Z))


def _axes(Z: Array) -> tuple[Array, Array]:
    """Eigenvalues and eigenvectors of ZZ', without those that are next to nothing."""
    values, V = np.linalg.eigh(Z.T @ Z)  # NumPy's takes matrices without rows, too
    kept = values > _NO_AXIS * values.max(initial=0.0)
    return values[kept], Z @ (V[:, kept] / np.sqrt(values[kept]))


class _Pencil:
    """Both sides of the equation, and its approximate inverse."""

    def __init__(self, variables: Sequence[Variable], c: float):
        self.variables, self.c = variables, c
        self.k, self.n = len(variables), len(variables[0].vectors)
        self.ends = np.cumsum([0, *(len(K.values) for K in variables)])
        self.sizes = np.concatenate([K.values for K in variables])
        A = np.zeros((self.ends[-1],) * 2)
        for i, K in enumerate(variables):
            for j in range(i):
                M = K.vectors.T @ variables[j].vectors
                M = -K.values[:, None] * M * variables[j].values
                A[self._of(i), self._of(j)], A[self._of(j), self._of(i)] = M, M.T
        self.A, self.B = A, (self.sizes + c) ** 2
        self.known: tuple[Array, Array] | None = None

    def _of(self, i: int) -> slice:
        return slice(self.ends[i], self.ends[i + 1])

    def approximate(self) -> tuple[float, Array]:
        """The largest eigenvalue among the leading eigenvectors, and its solution."""
        scale = np.sqrt(self.B)
        m = len(scale)
        values, V = linalg.eigh(self.A / scale[:, None] / scale, subset_by_index=[m - 1, m - 1])
        return float(values[0]), V[:, 0] / scale

    def out_of(self, coefficients: Array) -> Array:
        """The vector with these coefficients of the leading eigenvectors."""
        parts = [K.vectors @ coefficients[self._of(i)] for i, K in enumerate(self.variables)]
        return np.concatenate(parts)

    def into(self, x: Array) -> Array:
        """Its coefficients."""
        parts = [v @ K.vectors for K, v in zip(self.variables, x.reshape(self.k, self.n))]
        return np.concatenate(parts)

    def _times(self, x: Array) -> Array:
        """All K_i x_i, which both sides ask for."""
        if self.known is None or not np.array_equal(self.known[0], x):
            parts = [K(v) for K, v in zip(self.variables, x.reshape(self.k, self.n))]
            self.known = x.copy(), np.array(parts)
        return self.known[1]

    def left(self, x: Array) -> Array:
        """Of stacked α, −Σ K_iK_jα_j over j ≠ i."""
        Kx = self._times(x.ravel())
        return np.concatenate([K(v) for K, v in zip(self.variables, Kx - Kx.sum(axis=0))])

    def right(self, x: Array) -> Array:
        """Of stacked α, all (K_i + c)²α_i."""
        x = x.ravel()
        y = self._times(x) + self.c * x.reshape(self.k, self.n)
        return np.concatenate([K(v) + self.c * v for K, v in zip(self.variables, y)])

    def inverse(self, shift: float) -> LinearOperator:
        """That of shift · right − left, as the leading eigenvectors tell it; c² elsewhere."""
        elsewhere = 1.0 / (shift * self.c**2)
        core = linalg.inv(np.diag(shift * self.B) - self.A)
        core.flat[:: len(core) + 1] -= elsewhere
        return self._operator(lambda x: elsewhere * x.ravel() + self.out_of(core @ self.into(x)))

    def _operator(self, function: Callable[[Array], Array]) -> LinearOperator:
        return LinearOperator((self.k * self.n,) * 2, matvec=function, dtype=np.float64)

    def largest(self) -> float | None:
        """The largest eigenvalue; None if it is not found in few steps."""
        about, coefficients = self.approximate() if len(self.sizes) else (0.0, self.sizes)
        if about <= _NOTHING:
            return None
        x, inverse = self.out_of(coefficients), self.inverse(_BEYOND * about)
        noise = np.random.default_rng(0).normal(size=len(x))
        x += _RANDOM * np.sqrt(x @ self.right(x)) / np.sqrt(noise @ self.right(noise)) * noise
        tol = _RESIDUAL * about * self.c
        for _ in range(_ROUNDS):
            value, x, residuals = self._steps(x, inverse, tol)
            if residuals[-1] <= tol:
                return value
            if residuals[-1] > _GAIN * residuals[0]:
                break
        return None

    def _steps(
        self, start: Array, inverse: LinearOperator, tol: float
    ) -> tuple[float, Array, Array]:
        """Some steps of LOBPCG: eigenvalue, solution, and the norms of what was left."""
        with warnings.catch_warnings():  # whether they have converged, the caller looks
            warnings.simplefilter("ignore", UserWarning)
            values, X, residuals = lobpcg(
                self._operator(self.left),
                start[:, None],
                B=self._operator(self.right),
                M=inverse,
                tol=tol,
                maxiter=_STEPS,
                retResidualNormsHistory=True,
            )
        return float(values[0]), X[:, 0], np.array(residuals, dtype=np.float64).ravel()


def correlation_by_steps(variables: Sequence[Variable], c: float) -> float | None:
    """The F-correlation of variables given by their centred matrices; None if steps are many."""
    rng = np.random.default_rng(0)
    with one_blas_thread(0):  # products with a vector wait for memory, and several for each other
        for K in variables:
            if K.values.max(initial=0.0) > _LARGEST * c:
                return None
            if isinstance(K, WholeMatrix) and K.rest(rng) > _REST * c:
                return None
        return _Pencil(variables, c).largest()
