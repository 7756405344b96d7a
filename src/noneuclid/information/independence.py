"""Whether two variables are independent."""

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np

from noneuclid._blocks import in_blocks
from noneuclid._parameters import Count, GeneratorSeed, Share, checked
from noneuclid.information._checks import as_pair, check_low_rank, check_pairs, check_rows
from noneuclid.information._densities import log_peak
from noneuclid.information._independence_blocks import statistics_in_blocks
from noneuclid.information._low_rank import gaussian_features
from noneuclid.information._permutations import check_permutations, compare_with_null
from noneuclid.information._widths import kernel_width
from noneuclid.information.results import TestResult
from noneuclid.numerics import information as sums
from noneuclid.numerics.cholesky import RankTooHigh
from noneuclid.typing import Array

NAMES = {
    "ed": "quadratic mutual information (HSIC)",
    "cs": "Cauchy–Schwarz quadratic mutual information",
}
# Features as good as the kernels themselves.
_EXACT = 1e-12
# One evaluation of a Gaussian takes as long as about this many operations of a matrix product.
_EXP = 14
_FEW = 64  # features that are always worth it
_GATHERED = 2**22  # numbers gathered at a time


@checked
def independence_test(
    X: Any,
    Y: Any,
    width: Any = "median",
    *,
    statistic: Literal["ed", "cs"] = "ed",
    n_permutations: Count = 999,
    level: Share = 0.05,
    low_rank: Share | None = None,
    random_state: GeneratorSeed = None,
) -> TestResult:
    r"""Permutation test of the hypothesis that two variables are independent.

    The statistic is :math:`I_{ED}` (the Hilbert–Schmidt independence criterion) or :math:`I_{CS}`;
    permutations take the pairs apart. Where features of low rank reproduce both kernels to 1e-12,
    a permutation costs one product of small matrices; elsewhere the sum over pairs is computed
    anew, but no matrix of pairs is ever held.

    Parameters
    ----------
    X, Y : arrays of shape (n, d) and (n, e), or dask arrays or DataFrames
        Pairs of samples.
    width : float, "silverman", "median", "loo", or a pair of them, default="median"
        Width σ of the Parzen windows of each variable, or a rule to find it; ``"median"`` gives
        the kernels the median distance as their width.
    statistic : "ed" or "cs", default="ed"
    n_permutations : int, default=999
    level : float, default=0.05
        Level of ``rejected``; too few permutations to reach it are refused.
    low_rank : float, optional
        Tolerance of the features. Default: features only where they are as good as exact and
        faster; of dask collections, landmarks of tolerance 1e-6, or at least 1e-8 if given.
    random_state : int, Generator or None, default=None
        Seed of the permutations.

    Returns
    -------
    result : TestResult

    Notes
    -----
    Of dask collections, the statistic comes from the cross-covariance of at most 512 features of
    either variable, in three passes: to look at the rows, for a sample of at most 2048 of them
    (which finds widths and landmarks), and for the second moments of the features, which with the
    sample is all that reaches the client (6.3 MB at most). The result's ``error`` is as that of
    :func:`~noneuclid.information.two_sample_test`. Rows are not moved between blocks, and within
    blocks, permutations would keep what depends on the block, as all does if rows are sorted. So
    the null sample is drawn from the normal law of the cross-covariance under permutations of all
    rows, with its exact mean and covariance. It is that of permutations for many rows; for a few
    dozen it rejects too rarely.

    References
    ----------
    A. Gretton, K. Fukumizu, C. H. Teo, L. Song, B. Schölkopf and A. Smola (2008), A kernel
    statistical test of independence.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> t = 2 * np.pi * rng.random((200, 1))
    >>> X, Y = np.cos(t), np.sin(t)  # not correlated, but on a circle
    >>> independence_test(X, Y, random_state=0).pvalue
    0.001
    """
    B = check_permutations(n_permutations, level)
    check_low_rank(low_rank)
    rng = np.random.default_rng(random_state)
    if in_blocks(X, Y):
        found = statistics_in_blocks(X, Y, width, statistic, B, low_rank, rng)
        return compare_with_null(found[0], level, NAMES[statistic], *found[1:])
    A, C = check_rows(X, least=2), check_rows(Y, "Y", least=2)
    check_pairs(A, C)
    s, t = (kernel_width(w, Z) for w, Z in zip(as_pair(width), (A, C)))
    potentials = _potentials(A, C, s, t, _Orders(len(A), B, rng), low_rank)
    if statistic == "ed":
        log_scale = log_peak(s, A.shape[1]) + log_peak(t, C.shape[1])
        values = potentials[0]
    else:
        log_scale = 0.0  # no factor of the kernels matters
        _, joint, cross, marginal = potentials
        values = 0.5 * np.log(joint * marginal) - np.log(cross)
    return compare_with_null(values, level, NAMES[statistic], log_scale)


class _Orders:
    """The order of the data and random ones, some at a time: all together would fill memory."""

    def __init__(self, n: int, B: int, rng: np.random.Generator):
        self.n, self.B, self.rng = n, B, rng

    def some(self, at_a_time: int) -> Iterator[Any]:
        own = np.arange(self.n)
        yield own[None, :]
        for start in range(0, self.B, at_a_time):
            orders = np.tile(own, (min(at_a_time, self.B - start), 1))
            yield self.rng.permuted(orders, axis=1, out=orders)


Potentials = tuple[Array, Array, Array, float]
"""I_ED, V_J, V_C per permutation, and V_M, for kernels with κ(x, x) = 1."""


def _potentials(
    X: Array, Y: Array, s: float, t: float, orders: _Orders, low_rank: float | None
) -> Potentials:
    if low_rank is not None:
        Z1, Z2 = gaussian_features(X, s, low_rank), gaussian_features(Y, t, low_rank)
        return _by_features(Z1, Z2, orders)
    try:
        # Worth it if r₁r₂ operations per sample are fewer than those of n/2 exponentials; both
        # ranks are bounded in advance, lest the first take all memory.
        budget = _EXP * len(X) / 2
        Z1 = gaussian_features(X, s, _EXACT, max_rank=max(int(np.sqrt(budget)), _FEW))
        Z2 = gaussian_features(Y, t, _EXACT, max_rank=max(int(budget / max(Z1.shape[1], 1)), _FEW))
    except RankTooHigh:
        return _by_pairs(sums.scaled_columns(X, s, X[0]), sums.scaled_columns(Y, t, Y[0]), orders)
    return _by_features(Z1, Z2, orders)


def _by_features(Z1: Array, Z2: Array, orders: _Orders) -> Potentials:
    """From C = Z1'Z2/n, centred: I_ED = ‖C‖², and V_J = ‖C + m₁m₂'‖²."""
    m1, m2 = Z1.mean(axis=0), Z2.mean(axis=0)
    Z1, Z2 = (Z1 - m1) / len(Z1), Z2 - m2
    parts = []
    for some in orders.some(max(1, _GATHERED // Z2.size)):
        C = np.matmul(Z1.T, Z2[some])
        ed = np.einsum("bij,bij->b", C, C)
        C += np.outer(m1, m2)
        joint = np.einsum("bij,bij->b", C, C)
        parts.append((ed, joint, np.einsum("i,bij,j->b", m1, C, m2)))
    ed, joint, cross = (np.concatenate(part) for part in zip(*parts))
    return ed, joint, cross, float((m1 @ m1) * (m2 @ m2))


def _by_pairs(X: Array, Y: Array, orders: _Orders) -> Potentials:
    """V_J is the potential of the joint sample, whose kernel is the product of the two."""
    n = X.shape[1]
    a = np.full(n, 1.0 / n)
    k, l = np.exp(sums.gaussian_log_sums(X, X, a)), np.exp(sums.gaussian_log_sums(Y, Y, a))  # noqa: E741
    parts = [
        (sums.gaussian_quadratic_form(np.vstack([X, Y[:, order]]), a), k @ l[order] / n)
        for some in orders.some(1)
        for order in some
    ]
    joint, cross = np.array(parts).T
    marginal = float(k.mean() * l.mean())
    return joint - 2.0 * cross + marginal, joint, cross, marginal
