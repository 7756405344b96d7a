"""Parzen windows that are any kernel: of another space, or of rows that are curves."""

from dataclasses import dataclass

import numpy as np
from scipy.special import logsumexp

from noneuclid._memory import require_matrices
from noneuclid.kernels import Kernel
from noneuclid.typing import Array

# Smaller values of a kernel have lost digits: their logarithms are asked for instead.
_FAINT = 1e-290


@dataclass(frozen=True)
class KernelWindows:
    r"""The function :math:`\sum_i a_i \kappa(x, x_i)`, up to a factor all classes share a density.

    Parameters
    ----------
    samples : array of shape (n, d)
    kernel : Kernel
        With its width fixed; nowhere negative.
    weights : array of shape (n,)
        They sum to one.
    """

    samples: Array
    kernel: Kernel
    weights: Array

    def log_norm(self) -> float:
        """Logarithm of the product with itself."""
        return self.log_cross(self)

    def log_cross(self, other: "KernelWindows") -> float:
        """Logarithm of the product with that of another class."""
        K = self._values(self.samples, other.samples)
        with np.errstate(divide="ignore"):  # classes that do not touch
            return float(np.log(self.weights @ K @ other.weights))

    def log_smoothed(self, rows: Array, variance: float) -> Array:
        """Logarithm at rows; the kernel is the product of windows already, whatever the variance.

        Where the kernel is exactly 0, it is that of the smallest number.
        """
        values = self._values(rows, self.samples) @ self.weights
        logs = np.log(np.maximum(values, np.finfo(np.float64).tiny))
        far = np.flatnonzero(values < _FAINT)
        if len(far):
            exact = logsumexp(self.kernel.log_values(rows[far], self.samples), 1, self.weights)
            logs[far] = np.where(np.isfinite(exact), exact, logs[far])
        return np.asarray(logs)

    def _values(self, X: Array, Y: Array) -> Array:
        require_matrices("the kernel between all samples", len(X), len(Y), instead="use fewer rows")
        K = np.asarray(self.kernel(X, Y))
        if K.size and K.min() < 0:
            raise ValueError(
                f"{self.kernel} has negative values ({K.min():.3g}): windows must not; take a "
                "radial kernel such as Gaussian(width, space)"
            )
        return K
