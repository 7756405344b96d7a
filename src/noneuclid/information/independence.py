"""Whether two variables are independent."""

from itertools import product
from typing import Any, Literal

import numpy as np

from noneuclid._blocks import in_blocks
from noneuclid._parameters import Count, GeneratorSeed, Share, checked
from noneuclid.information._aggregate import aggregate
from noneuclid.information._checks import as_pair, check_low_rank, check_pairs
from noneuclid.information._given_kernels import (
    check_kernel,
    refuse_idle_widths,
    refuse_kernels_of_blocks,
)
from noneuclid.information._independence_blocks import statistics_in_blocks
from noneuclid.information._permutations import check_permutations, compare_with_null
from noneuclid.information._shifts import Circles, correlations, pair_sums
from noneuclid.information._variables import Variable, Widths, refuse_low_rank
from noneuclid.information.results import TestResult
from noneuclid.numerics.cholesky import RankTooHigh
from noneuclid.typing import Array

NAMES = {
    "ed": "quadratic mutual information (HSIC)",
    "cs": "Cauchy–Schwarz quadratic mutual information",
}
# Features as good as the kernels themselves.
_EXACT = 1e-12
# Two kernel values and their Fourier transforms take as long as about this many operations of a
# product of matrices.
_DIAGONAL = 75
_WORTH = 400  # products of ranks that features do not reach
_GATHERED = 2**22  # numbers gathered at a time
_AGGREGATE = Widths(number=5, squarings=2, wider=2)


@checked
def independence_test(
    X: Any,
    Y: Any,
    width: Any = "median",
    *,
    statistic: Literal["ed", "cs"] = "ed",
    n_permutations: Count = 999,
    level: Share = 0.05,
    kernel_x: Any = None,
    kernel_y: Any = None,
    low_rank: Share | None = None,
    random_state: GeneratorSeed = None,
) -> TestResult:
    r"""Permutation test of the hypothesis that two variables are independent.

    The statistic is :math:`I_{ED}` (the Hilbert–Schmidt independence criterion) or :math:`I_{CS}`;
    permutations take the pairs apart. The pairs are put on a circle in random order, and the second
    variable is shifted round it: fast Fourier transforms along the diagonals of the Gram matrices
    give all n shifts together, in O(n² log n) and without a matrix of pairs. The statistics are
    exact, and so is the level: shifts are a group of permutations. If more than n permutations are
    asked for, further circles start from random ones.

    Parameters
    ----------
    X, Y : arrays of shape (n, d) and (n, e), or dask arrays or DataFrames
        Pairs of samples, arrays of n numbers being one column; with ``kernel_x`` or ``kernel_y``,
        whatever these take.
    width : float, "silverman", "median", "loo", "aggregate", or a pair of them, default="median"
        Width σ of the Parzen windows of each variable, or a rule to find it; ``"median"`` gives
        the kernels the median distance as their width. ``"aggregate"``: five widths of each
        variable from a quarter to four times the median distance, all 25 pairs in one exact test.
        Rules for densities (``"silverman"``, ``"loo"``) are too narrow for tests in many
        dimensions.
    statistic : "ed" or "cs", default="ed"
    n_permutations : int, default=999
    level : float, default=0.05
        Level of ``rejected``; too few permutations to reach it are refused.
    kernel_x, kernel_y : Kernel, str, function of two objects, or "precomputed", optional
        Instead of :math:`G_{\sigma\sqrt2}`, any positive kernel of that variable: of strings, spike
        trains, bags, curves. ``"precomputed"``: X or Y is the Gram matrix. A list of kernels makes
        an aggregate over all of them (with all of the other variable). A ``width`` given for
        a variable with a kernel is refused.
    low_rank : float, optional
        Tolerance of features of the Gaussian kernels. Default: features only where they are as
        good as exact and faster; of dask collections, landmarks of tolerance 1e-6, or at least
        1e-8 if given.
    random_state : int, Generator or None, default=None
        Seed of the permutations.

    Returns
    -------
    result : TestResult
        An :class:`~noneuclid.information.AggregateResult` if there are several kernels: it says
        which of them decided.

    Notes
    -----
    Others save permutations by a known law, as hyppo does from 20 samples on (``auto=True``): n
    times the unbiased correlation, plus one, is compared with χ² of one degree of freedom, which
    bounds the upper tail of the limiting law. That gives up the exact level, which holds in the
    limit only and as a bound: with kernels of many directions it rejects too rarely (at a level of
    5 %, 3.3 % of true hypotheses in 5 + 5 dimensions and 2.8 % in 50 + 50, with 100 samples), which
    costs power, and p-values above about 0.09 mean nothing. All n shifts here take hardly longer
    than the statistic itself, so that there is little to gain by it.

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
    A. Schrab, I. Kim, B. Guedj and A. Gretton (2022), Efficient aggregated kernel tests using
    incomplete U-statistics. Advances in Neural Information Processing Systems 35.

    J. Hemerik and J. Goeman (2018), Exact testing with random permutations. TEST 27.

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

    Words and numbers, by a kernel of each:

    >>> words = ["a" * k + "b" * (k % 3) for k in range(1, 31)]
    >>> lengths = [[float(len(word))] for word in words]
    >>> shared = lambda v, w: sum(min(v.count(c), w.count(c)) for c in "ab")
    >>> independence_test(words, lengths, kernel_x=shared, random_state=0).pvalue
    0.001
    """
    B = check_permutations(n_permutations, level)
    check_low_rank(low_rank)
    check_kernel("kernel_x", kernel_x)
    check_kernel("kernel_y", kernel_y)
    refuse_idle_widths(width, ("kernel_x", "kernel_y"), (kernel_x, kernel_y))
    rng = np.random.default_rng(random_state)
    kernels = kernel_x, kernel_y
    if in_blocks(X, Y):
        refuse_kernels_of_blocks(kernels)
        found = statistics_in_blocks(X, Y, width, statistic, B, low_rank, rng)
        return compare_with_null(found[0], level, NAMES[statistic], *found[1:])
    first, second = (
        Variable(Z, w, kernel, name, rng, parameter=f"kernel_{name.lower()}", many=_AGGREGATE)
        for Z, w, kernel, name in zip((X, Y), as_pair(width), kernels, ("X", "Y"))
    )
    check_pairs(first, second)
    circles = Circles(len(first), B, rng)
    if len(first.labels) == len(second.labels) == 1:
        potentials = _potentials(first, second, circles, low_rank)
        values = _of_potentials(potentials, statistic)
        size = float(np.abs(potentials[1]).max()) if statistic == "ed" else 1.0
        log_scale = first.log_peak + second.log_peak if statistic == "ed" else 0.0
        return compare_with_null(values, level, NAMES[statistic], log_scale, size=size)
    refuse_low_rank(low_rank)
    values = _of_potentials(_by_diagonals(first, second, circles), statistic)
    pairs = tuple(product(first.labels, second.labels))
    weights = np.outer(first.weights, second.weights).ravel()
    return aggregate(values.reshape(len(pairs), -1), pairs, level, NAMES[statistic], weights)


Potentials = tuple[Array, Array, Array, Any]
"""I_ED, V_J, V_C per permutation, and V_M, for kernels with κ(x, x) = 1."""


def _of_potentials(potentials: Potentials, statistic: str) -> Array:
    ed, joint, cross, marginal = potentials
    if statistic == "ed":
        return ed
    with np.errstate(divide="ignore", invalid="ignore"):  # of kernels with negative values
        return np.asarray(0.5 * np.log(joint * marginal) - np.log(cross))


def _potentials(
    first: Variable, second: Variable, circles: Circles, low_rank: float | None
) -> Potentials:
    """For one kernel of each variable: by features, where they are as good and faster."""
    few = first.few_dimensions and second.few_dimensions
    if low_rank is not None:
        if not (first.is_gaussian and second.is_gaussian):
            raise ValueError("low_rank is for Gaussian kernels, without kernel_x and kernel_y")
        return _by_features(first.features(low_rank), second.features(low_rank), circles)
    # A permutation by features takes r₁r₂ operations per sample, one by diagonals a share of those
    # of all shifts; both ranks are bounded in advance, lest the first take all memory.
    budget = _DIAGONAL * circles.n * len(circles.partners) / (circles.B + 1)
    if few and budget > _WORTH:
        try:
            Z1 = first.features(_EXACT, max_rank=int(np.sqrt(budget)))
            Z2 = second.features(_EXACT, max_rank=int(budget / max(Z1.shape[1], 1)))
            return _by_features(Z1, Z2, circles)
        except RankTooHigh:
            pass
    ed, joint, cross, marginal = _by_diagonals(first, second, circles)
    return ed[0, 0], joint[0, 0], cross[0, 0], float(marginal[0, 0, 0])


def _by_features(Z1: Array, Z2: Array, circles: Circles) -> Potentials:
    """From C = Z1'Z2/n, centred: I_ED = ‖C‖², and V_J = ‖C + m₁m₂'‖²."""
    m1, m2 = Z1.mean(axis=0), Z2.mean(axis=0)
    Z1, Z2 = (Z1 - m1) / len(Z1), Z2 - m2
    parts = []
    for some in circles.some(max(1, _GATHERED // Z2.size)):
        C = np.matmul(Z1.T, Z2[some])
        ed = np.einsum("bij,bij->b", C, C)
        C += np.outer(m1, m2)
        joint = np.einsum("bij,bij->b", C, C)
        parts.append((ed, joint, np.einsum("i,bij,j->b", m1, C, m2)))
    ed, joint, cross = (np.concatenate(part) for part in zip(*parts))
    return ed, joint, cross, float((m1 @ m1) * (m2 @ m2))


def _by_diagonals(first: Variable, second: Variable, circles: Circles) -> Potentials:
    """All kernels of one variable with all of the other: arrays (kernels, kernels, B + 1)."""
    n = circles.n
    sums, k, l = pair_sums(first.diagonals(), second.diagonals(), circles)  # noqa: E741
    first.warn_if_narrow(float(k[0].sum()))
    second.warn_if_narrow(float(l[0].sum()))
    k, l = k / n, l / n  # noqa: E741
    joint = sums / n**2
    cross = np.array([[correlations(a, b, circles) / n for b in l] for a in k])
    marginal = np.outer(k.mean(axis=1), l.mean(axis=1))[:, :, None]
    return joint - 2.0 * cross + marginal, joint, cross, marginal
