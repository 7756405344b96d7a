"""The test of two samples in blocks: sums of features over rows that are called X."""

from typing import Any

import numpy as np

from noneuclid._blocks import Blocks, edges, samples
from noneuclid.information import _checks as checks
from noneuclid.information._densities import log_peak
from noneuclid.information._features import FEATURES, features_on, sample_size
from noneuclid.information._relabelling import hypergeometric, relabelled
from noneuclid.information._widths import kernel_width
from noneuclid.typing import Array

_RESOLVED = 3.0  # errors that a product must have for its logarithm


def statistics_in_blocks(
    X: Any,
    Y: Any,
    width: Any,
    statistic: str,
    B: int,
    tolerance: float | None,
    rng: np.random.Generator,
) -> tuple[Array, float, float]:
    """Statistics of the data and of B permutations, the log of their scale, and their error.

    Three passes: to look at the rows, for a sample of them, and for the sums.
    """
    A = samples("two_sample_test", X, "X")
    C = samples("two_sample_test", checks.align_columns(X, Y), "Y")
    n, m, d = A.n_samples, C.n_samples, len(A.mean)
    checks.check_enough(range(n), "X")
    checks.check_enough(range(m), "Y")
    checks.check_same_features(d, len(C.mean))
    sample = pooled_sample(A, C, sample_size(d), rng)
    s = kernel_width(width, sample, n + m, "a sample of X and Y")
    features = features_on(sample, s, FEATURES, tolerance, rng)
    seed, where = int(rng.integers(2**32)), edges(A, C)
    total, *sides = A.sum(relabelled, features, where, n, 0, B, seed) + C.sum(
        relabelled, features, where, n, n, B, seed
    )
    P = np.array(sides)
    Q = (total - P) / m
    P /= n
    (p, a), (q, b) = ((v[0, :-1], v[0, -1]) for v in (P, Q))
    if statistic == "cs" and p @ q <= _RESOLVED * features.error(p * q, a * b):
        raise ValueError(
            'the two samples are so far apart that features do not tell how far: use statistic="ed"'
        )
    values, weights = _statistics(P[:, :-1], Q[:, :-1], statistic)
    parts = np.array([p * p, p * q, q * q])
    error = features.error(weights @ parts, np.abs(weights) @ [a * a, a * b, b * b])
    log_scale = log_peak(s, d) if statistic == "ed" else 0.0
    return values, log_scale, error


def pooled_sample(X: Blocks, Y: Blocks, most: int, rng: np.random.Generator) -> Array:
    """Rows of both together, all with the same chance: the labels are as random as the rest."""
    n, m = X.n_samples, Y.n_samples
    size = min(most, n + m)
    of_x = int(hypergeometric(n, m, np.array([size]), rng)[0])
    seeds = rng.integers(2**32, size=2)
    drawn = [
        blocks.sample(count, int(seed)).X
        for blocks, count, seed in ((X, of_x, seeds[0]), (Y, size - of_x, seeds[1]))
        if count
    ]
    return np.vstack(drawn)


def _statistics(P: Array, Q: Array, statistic: str) -> tuple[Array, Array]:
    """D_ED or D_CS of all permutations, and its derivatives by V(p,p), V(p,q) and V(q,q)."""
    pp, pq, qq = (np.einsum("bj,bj->b", U, V) for U, V in ((P, P), (P, Q), (Q, Q)))
    if statistic == "ed":
        difference = P - Q
        return np.einsum("bj,bj->b", difference, difference), np.array([1.0, -2.0, 1.0])
    with np.errstate(divide="ignore", invalid="ignore"):
        values = 0.5 * np.log(pp * qq) - np.log(pq)
    return values, np.array([0.5 / pp[0], -1.0 / pq[0], 0.5 / qq[0]])
