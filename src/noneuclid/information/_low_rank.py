"""Potentials from features of low rank: linear in the number of samples, with a known error."""

import numpy as np

from noneuclid.kernels import Gaussian
from noneuclid.numerics.cholesky import pivoted_features
from noneuclid.typing import Array, IntArray


def gaussian_features(
    X: Array, width: float, tolerance: float, max_rank: int | None = None
) -> Array:
    """Z with Z Z' = K − R for the Gaussian kernel with κ(x, x) = 1; |R_ij| ≤ tolerance.

    R is positive semi-definite with diagonal entries of at most the tolerance, which bounds all
    others: for weights a and b that sum to one, |a'Kb − a'ZZ'b| ≤ tolerance. Raises RankTooHigh if
    more than ``max_rank`` features are needed.
    """
    kernel = Gaussian(width)

    def entries(i: IntArray, j: IntArray | slice) -> Array:
        return kernel(X[i], X[j])

    return pivoted_features(entries, np.ones(len(X)), cutoff=tolerance, max_rank=max_rank)[0]
