r"""Features of a Gaussian kernel that one block of samples can compute by itself.

Where few landmarks reproduce the kernel on a sample of the data, the features are those of
Nyström, whose error every sample knows: :math:`r(x) = 1 - |z(x)|^2`. In many dimensions that is
nearly all of the kernel; there, random Fourier features are taken. Their products scatter about
those of the kernel, by a share of them in any dimension that the frequencies themselves tell.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg

from noneuclid.kernels import Gaussian
from noneuclid.numerics.cholesky import RankTooHigh, pivoted_features
from noneuclid.typing import Array, IntArray

FEATURES = 512
_TOLERANCE = 1e-6  # of landmarks, on the sample they are chosen from
_FINEST = 1e-8  # finer ones divide by what is rounding, and samples elsewhere have any features
_ROWS = 2048  # of that sample
_NUMBERS = 2**22


@dataclass(frozen=True)
class Landmarks:
    """z(x) = L⁻¹ κ(landmarks, x), where LL' is the Gram matrix of the landmarks."""

    points: Array
    factor: Array
    width: float

    def __call__(self, rows: Array) -> Array:
        """Features, and √r in a last column."""
        K = Gaussian(self.width)(self.points, rows)
        Z = linalg.solve_triangular(self.factor, K, lower=True).T
        rest = np.sqrt(np.clip(1.0 - np.einsum("ij,ij->i", Z, Z), 0.0, None))
        return np.column_stack([Z, rest])

    def error(self, terms: Array, bound: float) -> float:
        """How far a sum over the features may be from that of the kernel: no more than r allows."""
        return float(bound)


@dataclass(frozen=True)
class Frequencies:
    """cos and sin of ⟨ω, x⟩, with frequencies ω drawn from the spectrum of the kernel."""

    omega: Array
    origin: Array

    def __call__(self, rows: Array) -> Array:
        """Features, and zeros in a last column."""
        phases = (rows - self.origin) @ self.omega.T
        Z = np.column_stack([np.cos(phases), np.sin(phases), np.zeros(len(rows))])
        return Z / np.sqrt(len(self.omega))

    def error(self, terms: Array, bound: float) -> float:
        """Standard error of a sum over the features: its parts of all frequencies are alike."""
        D = len(self.omega)
        return float((terms[:D] + terms[D:]).std(ddof=1) * np.sqrt(D))


def sample_size(d: int) -> int:
    """How many rows of d numbers the sample has at most."""
    return max(min(_ROWS, _NUMBERS // d), 64)


def features_on(
    sample: Array, width: float, most: int, tolerance: float | None, rng: np.random.Generator
) -> Landmarks | Frequencies:
    """At most so many features: landmarks if they are as good as the tolerance on the sample."""
    kernel, cutoff = Gaussian(width), max(tolerance or _TOLERANCE, _FINEST)

    def entries(i: IntArray, j: IntArray | slice) -> Array:
        return kernel(sample[i], sample[j])

    ones = np.ones(len(sample))
    try:
        Z, pivots = pivoted_features(entries, ones, cutoff=cutoff, max_rank=most)
    except RankTooHigh:
        omega = rng.normal(size=(most // 2, sample.shape[1])) / width
        return Frequencies(omega, sample.mean(axis=0))
    return Landmarks(sample[pivots], _triangle(Z[pivots]), width)


def _triangle(Z: Array) -> Array:
    """The lower triangle L with LL' = ZZ', well-conditioned because Z has pivots."""
    R: Any = np.linalg.qr(Z.T, mode="r")
    return np.ascontiguousarray((R * np.where(np.diag(R) < 0, -1.0, 1.0)[:, None]).T)
