r"""Densities as vectors of a Hilbert space: Parzen estimates and Gaussian mixtures.

The product of two densities is :math:`V(p, q) = \int pq`. It is the density q, convolved with the
window of p and averaged over the points of p. So a density needs one method, ``log_smoothed``, and
all else follows; logarithms throughout, so that far-apart densities do not underflow.
"""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.special import logsumexp

from noneuclid._data import check_is_fitted
from noneuclid.information import _checks as checks
from noneuclid.information._low_rank import gaussian_features
from noneuclid.numerics import information as sums
from noneuclid.typing import Array

# Beyond e to the power of this, numbers become zero or infinite.
_LARGEST_LOG = 600.0


def log_peak(width: float, d: int) -> float:
    """log G_width(0) in d dimensions."""
    return -d * (0.5 * math.log(2.0 * math.pi) + math.log(width))


def scale_from_log(log_scale: float) -> float:
    """exp(log_scale), or one where that would be next to zero or infinity."""
    return float(np.exp(log_scale)) if abs(log_scale) < _LARGEST_LOG else 1.0


class Parzen:
    """A (weighted) Parzen estimate with Gaussian windows, its points in blocks of rows.

    Blocks of a dask array are computed one at a time, when they are needed.
    """

    def __init__(
        self, X: Any, width: float, weights: Any = None, names: tuple[str, str] = ("X", "weights")
    ):
        self.width, self.name = width, names[0]
        self.chunks: list[Any]
        if checks.is_dask(X):
            self.chunks, sizes, self.n_features = _dask_chunks(X, self.name)
        else:
            rows = checks.check_rows(X, self.name)
            self.chunks, sizes, self.n_features = [rows], [len(rows)], rows.shape[1]
        self.starts = np.cumsum([0, *sizes])
        self.weights = checks.check_weights(weights, int(self.starts[-1]), names[1])

    @classmethod
    def of_valid(cls, rows: Array, width: float, weights: Array) -> "Parzen":
        """The same of rows, and weights that sum to one, that were checked before."""
        found = cls.__new__(cls)
        found.width, found.name, found.weights = width, "X", weights
        found.chunks, found.n_features = [rows], rows.shape[1]
        found.starts = np.array([0, len(rows)])
        return found

    def __len__(self) -> int:
        return int(self.starts[-1])

    def blocks(self, first: int = 0) -> Iterator[tuple[Array, Array]]:
        """Rows and weights, block by block."""
        for k, chunk in enumerate(self.chunks[first:], first):
            if not isinstance(chunk, np.ndarray):
                chunk = checks.check_rows(chunk.compute(), self.name)
            yield chunk, self.weights[self.starts[k] : self.starts[k + 1]]

    def rows(self) -> Array:
        """All points."""
        return np.concatenate([rows for rows, _ in self.blocks()])

    def log_smoothed(self, points: Array, variance: float) -> Array:
        """Log of the density convolved with N(0, variance I), at points."""
        s = math.hypot(self.width, math.sqrt(variance))
        here = points[:1].sum(axis=0)
        at = sums.scaled_columns(points, s, here)
        parts = [
            sums.gaussian_log_sums(at, sums.scaled_columns(X, s, here), a) for X, a in self.blocks()
        ]
        total = parts[0] if len(parts) == 1 else np.logaddexp.reduce(parts, axis=0)
        return np.asarray(total + log_peak(s, self.n_features))

    def log_smoothed_gradient(self, points: Array, variance: float) -> tuple[Array, Array]:
        """The same, and its gradients."""
        s = float(np.hypot(self.width, np.sqrt(variance)))
        here = points[:1].sum(axis=0)
        at = sums.scaled_columns(points, s, here)
        parts = [
            sums.gaussian_log_sums_and_pulls(at, sums.scaled_columns(X, s, here), a)
            for X, a in self.blocks()
            if a.any()
        ]
        logs = np.array([part[0] for part in parts])
        total = np.logaddexp.reduce(logs, axis=0)
        shares = np.exp(logs - total)
        pull = np.einsum("bi,bik->ik", shares, np.array([part[1] for part in parts]))
        return total + log_peak(s, self.n_features), pull * (np.sqrt(2.0) / s)

    def log_norm(self) -> float:
        """log V(p, p), each pair of points once."""
        s = np.sqrt(2.0) * self.width
        total = 0.0
        for k, (X, a) in enumerate(self.blocks()):
            here = X[:1].sum(axis=0)
            at = sums.scaled_columns(X, s, here)
            total += sums.gaussian_quadratic_form(at, a)
            for Y, b in self.blocks(k + 1):
                total += 2.0 * float(
                    a @ np.exp(sums.gaussian_log_sums(at, sums.scaled_columns(Y, s, here), b))
                )
        return float(np.log(total)) + log_peak(s, self.n_features)

    def log_cross(self, other: Any) -> float:
        """log V(p, q)."""
        parts = [
            logsumexp(other.log_smoothed(X, self.width**2), b=a)
            for X, a in self.blocks()
            if a.any()
        ]
        return float(logsumexp(parts))

    def log_cross_mixture(self, mixture: "Mixture") -> float:
        """log V(p, q) for a mixture q."""
        return self.log_cross(mixture)

    def log_cross_gradient(self, other: Any) -> tuple[float, Array]:
        """log V(p, q), and its gradients with respect to the points of p."""
        parts = [other.log_smoothed_gradient(X, self.width**2) for X, _ in self.blocks()]
        logs, scores = (np.concatenate(part) for part in zip(*parts))
        value = float(logsumexp(logs, b=self.weights))
        return value, (self.weights * np.exp(logs - value))[:, None] * scores


class Mixture:
    """A mixture of Gaussians: m weights, means (m, d) and covariances (m, d, d)."""

    def __init__(self, weights: Array, means: Array, covariances: Array):
        with np.errstate(divide="ignore"):  # a component may have no weight
            self.log_weights = np.log(weights)
        self.means, self.covariances, self.n_features = means, covariances, means.shape[1]

    @classmethod
    def from_fitted(cls, mixture: Any) -> "Mixture":
        """Return the density of a fitted ``GaussianMixture`` or ``BayesianGaussianMixture``."""
        check_is_fitted(mixture)
        means = np.asarray(mixture.means_, dtype=np.float64)
        m, d = means.shape
        given = np.asarray(mixture.covariances_, dtype=np.float64)
        kind = mixture.covariance_type
        if kind == "spherical":
            covariances = given[:, None, None] * np.eye(d)
        elif kind == "diag":
            covariances = given[:, :, None] * np.eye(d)
        else:  # "tied" has one matrix for all
            covariances = np.broadcast_to(given, (m, d, d))
        return cls(np.asarray(mixture.weights_), means, covariances)

    def _whitened(self, points: Array, covariance: Any) -> Iterator[tuple[Array, Array, Array]]:
        """Per component: log density at points, S^{-1}(μ − x), both with covariance added."""
        for log_weight, mean, own in zip(self.log_weights, self.means, self.covariances):
            L = np.linalg.cholesky(own + covariance)
            V = np.linalg.solve(L, (mean - points).T)
            log_density = (
                log_weight
                - 0.5 * np.einsum("ki,ki->i", V, V)
                - np.log(np.diag(L)).sum()
                + log_peak(1.0, self.n_features)
            )
            yield log_density, L, V

    def log_smoothed(self, points: Array, variance: Any) -> Array:
        """Log of the density convolved with a Gaussian of this variance (or matrix), at points."""
        if np.ndim(variance) == 0:
            variance = np.asarray(variance) * np.eye(self.n_features)
        parts = [part for part, _, _ in self._whitened(points, variance)]
        return np.asarray(np.logaddexp.reduce(parts))

    def log_smoothed_gradient(self, points: Array, variance: float) -> tuple[Array, Array]:
        """The same, and its gradients."""
        parts = [
            (logs, np.linalg.solve(L.T, V).T)
            for logs, L, V in self._whitened(points, variance * np.eye(self.n_features))
        ]
        logs = np.array([part[0] for part in parts])
        total = np.logaddexp.reduce(logs)
        return total, np.einsum("ji,jik->ik", np.exp(logs - total), np.array([p[1] for p in parts]))

    def log_norm(self) -> float:
        """log V(p, p)."""
        return self.log_cross_mixture(self)

    def log_cross(self, other: Any) -> float:
        """log V(p, q)."""
        return float(other.log_cross_mixture(self))

    def log_cross_mixture(self, mixture: "Mixture") -> float:
        """log V(p, q): ∫ N(μ₁, Σ₁) N(μ₂, Σ₂) = N(μ₁; μ₂, Σ₁ + Σ₂)."""
        others = zip(mixture.log_weights, mixture.means, mixture.covariances)
        return float(logsumexp([w + self.log_smoothed(m[None, :], C)[0] for w, m, C in others]))

    def marginal(self, columns: slice) -> "Mixture":
        """The density of some of the variables."""
        return Mixture(
            np.exp(self.log_weights), self.means[:, columns], self.covariances[:, columns, columns]
        )

    def times(self, other: "Mixture") -> "Mixture":
        """The density of two independent variables, p(x) q(y)."""
        m, n = len(self.means), len(other.means)
        i, j = np.repeat(np.arange(m), n), np.tile(np.arange(n), m)
        d, e = self.n_features, other.n_features
        covariances = np.zeros((m * n, d + e, d + e))
        covariances[:, :d, :d] = self.covariances[i]
        covariances[:, d:, d:] = other.covariances[j]
        means = np.hstack([self.means[i], other.means[j]])
        return Mixture(np.exp(self.log_weights[i] + other.log_weights[j]), means, covariances)


def is_mixture(X: Any) -> bool:
    """Whether X is one of scikit-learn's Gaussian mixtures."""
    return hasattr(X, "covariance_type") and hasattr(X, "fit")


def refuse_idle_width(width: Any, *given: Any) -> None:
    """Raise if a width is given for nothing but mixtures."""
    if width is not None and all(map(is_mixture, given)):
        raise ValueError("width is that of windows on samples: leave it out for mixtures")


def as_density(
    X: Any, width: float | None, weights: Any = None, names: tuple[str, str] = ("X", "weights")
) -> Parzen | Mixture:
    """Return samples, with a width, or a fitted mixture as a density."""
    if is_mixture(X):
        if weights is not None:
            raise ValueError(f"{names[0]} is a mixture: it has weights of its own")
        return Mixture.from_fitted(X)
    if width is None:
        raise ValueError(f"{names[0]} holds samples: give the width of their windows")
    return Parzen(X, width, weights, names)


def _dask_chunks(X: Any, name: str) -> tuple[list[Any], list[int], int]:
    if X.ndim != 2:
        raise ValueError(f"{name} must be a 2-d array; its shape is {X.shape}")
    X = X.rechunk({1: -1})
    if np.isnan(X.shape[0]):
        X = X.compute_chunk_sizes()
    sizes = [size for size in X.chunks[0] if size]
    chunks = [X.blocks[k] for k, size in enumerate(X.chunks[0]) if size]
    if not sizes:
        raise ValueError(f"{name} must hold at least one sample; it has 0")
    return chunks, sizes, int(X.shape[1])


def density_pair(X: Any, Y: Any, width: Any, weights: Any) -> tuple[Any, Any]:
    """Return both arguments as densities of one dimension."""
    refuse_idle_width(width, X, Y)
    widths, (a, b) = checks.check_widths(width), checks.weight_pair(weights)
    p = as_density(X, widths[0], a, ("X", "weights of X"))
    q = as_density(checks.align_columns(X, Y), widths[1], b, ("Y", "weights of Y"))
    checks.check_same_features(p.n_features, q.n_features)
    return p, q


def samples_only(p: Parzen | Mixture, what: str) -> Parzen:
    """Return the samples; raise for a mixture."""
    if isinstance(p, Mixture):
        raise ValueError(f"{what} needs samples, not a mixture")
    return p


def low_rank_means(s: float, tolerance: float, *samples: Parzen) -> tuple[list[Array], float]:
    """Means in features of one Gaussian kernel of width s, and the largest value G_s(0).

    Products of the means, times that value, are products of the densities; the error is at most
    the tolerance times that value.
    """
    Z = gaussian_features(np.concatenate([p.rows() for p in samples]), s, tolerance)
    parts = np.split(Z, np.cumsum([len(p) for p in samples])[:-1])
    peak = float(np.exp(log_peak(s, samples[0].n_features)))
    return [p.weights @ rows for p, rows in zip(samples, parts)], peak


def log_norm_gradient(p: Parzen | Mixture) -> tuple[float, Array]:
    """log V(p, p), and its gradients with respect to the points."""
    points = samples_only(p, "a gradient")
    value, gradient = points.log_cross_gradient(points)
    return value, 2.0 * gradient  # every point is in both factors
