"""Whether two samples come from the same distribution."""

from typing import Any, Literal

import numpy as np

from noneuclid._blocks import in_blocks
from noneuclid._parameters import Count, GeneratorSeed, Share, checked
from noneuclid.information import _checks as checks
from noneuclid.information._densities import log_peak
from noneuclid.information._low_rank import gaussian_features
from noneuclid.information._permutations import check_permutations, compare_with_null, random_sides
from noneuclid.information._two_sample_blocks import statistics_in_blocks
from noneuclid.information._widths import kernel_width
from noneuclid.information.divergences import cauchy_schwarz_divergence
from noneuclid.information.results import TestResult
from noneuclid.kernels import Gaussian, Kernel
from noneuclid.typing import Array

# Side of the tiles of the Gram matrix: large enough for matrix products, small enough for memory.
_TILE = 1024
# A product smaller than this share of the others has lost half its digits in their difference.
_LOST = 1e-8
NAMES = {"ed": "Euclidean divergence", "cs": "Cauchy–Schwarz divergence"}


@checked
def two_sample_test(
    X: Any,
    Y: Any,
    width: Any = "median",
    *,
    statistic: Literal["ed", "cs"] = "ed",
    n_permutations: Count = 999,
    level: Share = 0.05,
    kernel: Kernel | None = None,
    low_rank: Share | None = None,
    random_state: GeneratorSeed = None,
) -> TestResult:
    r"""Permutation test of the hypothesis that two samples have the same distribution.

    The statistic is :math:`D_{ED}`, the squared maximum mean discrepancy, or :math:`D_{CS}`. The
    Gram matrix of the pooled sample is gone through once, tile by tile, for all permutations
    together; it is never held as a whole.

    Parameters
    ----------
    X, Y : arrays of shape (n, d) and (m, d), or dask arrays or DataFrames
        Two samples; columns of tables are matched by their names. With ``kernel``, whatever it
        takes.
    width : float, "silverman", "median" or "loo", default="median"
        Width σ of the Parzen windows, one for both samples, or a rule of
        :func:`~noneuclid.information.bandwidth` applied to the pooled sample; ``"median"`` gives
        the kernel :math:`G_{\sigma\sqrt2}` the median distance as its width.
    statistic : "ed" or "cs", default="ed"
    n_permutations : int, default=999
    level : float, default=0.05
        Level of ``rejected``; too few permutations to reach it are refused.
    kernel : Kernel, optional
        Instead of :math:`G_{\sigma\sqrt2}`, any positive kernel, such as those of spike trains and
        of bags; the width is then that of the kernel.
    low_rank : float, optional
        Tolerance of features of the Gaussian kernel, which replace the Gram matrix: fast for many
        samples in few dimensions. Of dask collections, the tolerance of landmarks: 1e-6 unless
        given, and 1e-8 at the least.
    random_state : int, Generator or None, default=None
        Seed of the permutations.

    Returns
    -------
    result : TestResult
        With ``statistic``, ``pvalue``, ``null``, ``rejected`` and ``plot()``.

    Notes
    -----
    Dask collections are compared by at most 512 features of the Gaussian kernel, in three passes:
    to look at the rows, for a sample of at most 2048 of them (which finds the width and landmarks),
    and for the sums of features, of the data and of all permutations. Labels are dealt out anew to
    the rows of all blocks, wherever these lie, so that the level is exact, and to the client come
    the sample and ``n_permutations`` × 513 numbers. In few dimensions (three or four) the
    features are those of landmarks, and the result's ``error`` bounds how far they may have moved
    the statistic; in more they are 256 random frequencies, and it is their standard error, some
    four to ten per cent of the statistic.

    References
    ----------
    A. Gretton, K. M. Borgwardt, M. J. Rasch, B. Schölkopf and A. Smola (2012), A kernel two-sample
    test. Journal of Machine Learning Research 13.

    B. Phipson and G. K. Smyth (2010), Permutation p-values should never be zero.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X, Y = rng.normal(size=(100, 2)), rng.normal(size=(100, 2)) + [0.8, 0.0]
    >>> result = two_sample_test(X, Y, random_state=0)
    >>> result.pvalue, result.rejected
    (0.001, True)
    """
    B = check_permutations(n_permutations, level)
    checks.check_low_rank(low_rank)
    if in_blocks(X, Y):
        if kernel is not None:
            raise ValueError(
                f"{kernel} is for samples in memory: dask collections are compared by features of "
                "the Gaussian kernel, whose width is `width`"
            )
        rng = np.random.default_rng(random_state)
        found = statistics_in_blocks(X, Y, width, statistic, B, low_rank, rng)
        return compare_with_null(found[0], level, NAMES[statistic], *found[1:])
    log_scale, s = 0.0, 0.0
    if kernel is None:
        pooled, n, s = _gaussian(X, Y, width)
        log_scale = log_peak(s, pooled.shape[1])
    else:
        pooled, n = _objects(X, Y, kernel)
    sides = random_sides(len(pooled), n, B, np.random.default_rng(random_state))
    if kernel is None and low_rank is not None:
        Z = gaussian_features(pooled, s, low_rank)
        within, rows = _by_features(Z, sides)
    else:
        within, rows = _by_tiles(Gaussian(s) if kernel is None else kernel, pooled, sides)
    pp, pq, qq = _means(within, rows, sides, n)
    if statistic == "ed":
        values = pp - 2.0 * pq + qq
    else:
        log_scale = 0.0  # no factor of the kernel matters
        lost = pq < _LOST * np.minimum(pp, qq)
        values = 0.5 * np.log(pp * qq) - np.log(np.where(lost, 1.0, pq))
        if lost.any():
            values[lost] = _in_log_space(pooled, sides[:, lost], kernel, s)
    return compare_with_null(values, level, NAMES[statistic], log_scale)


def _gaussian(X: Any, Y: Any, width: Any) -> tuple[Array, int, float]:
    """The pooled sample, the size of X, and the width of κ."""
    A = checks.check_rows(X, least=2)
    B = checks.check_rows(checks.align_columns(X, Y), "Y", least=2)
    checks.check_same_features(A.shape[1], B.shape[1])
    pooled = np.vstack([A, B])
    return pooled, len(A), kernel_width(width, pooled)


def _objects(X: Any, Y: Any, kernel: Kernel) -> tuple[Any, int]:
    if not isinstance(kernel, Kernel):
        raise TypeError(f"kernel (={kernel!r}) must be a Kernel")
    if "positivity" not in kernel.laws:
        raise ValueError(f"{kernel} is not a positive kernel: it has no means to compare")
    A, B = kernel.as_objects(X), kernel.as_objects(Y, "Y")
    checks.check_enough(A, "X")
    checks.check_enough(B, "Y")
    return kernel.as_objects([*A, *B]), len(A)


def _by_tiles(kernel: Kernel, pooled: Any, sides: Any) -> tuple[Array, Array]:
    """s'Ks for every column s, and K1, from the tiles on and above the diagonal of K."""
    N = len(pooled)
    within, rows = np.zeros(sides.shape[1]), np.zeros(N)
    tiles = [slice(start, min(start + _TILE, N)) for start in range(0, N, _TILE)]
    for p, I in enumerate(tiles):  # noqa: E741 - as in the equations
        S = sides[I].astype(np.float64)
        for J in tiles[p:]:
            K = kernel(pooled[I]) if J == I else kernel(pooled[I], pooled[J])
            T = S if J == I else sides[J].astype(np.float64)
            both = np.einsum("ib,ib->b", K @ T, S)
            within += both if J == I else 2.0 * both
            rows[I] += K.sum(axis=1)
            if J != I:
                rows[J] += K.sum(axis=0)
    return within, rows


def _by_features(Z: Array, sides: Any) -> tuple[Array, Array]:
    """The same for K = ZZ'."""
    M = np.zeros((Z.shape[1], sides.shape[1]))
    for start in range(0, len(Z), _TILE):
        some = slice(start, start + _TILE)
        M += Z[some].T @ sides[some].astype(np.float64)
    return np.einsum("rb,rb->b", M, M), Z @ Z.sum(axis=0)


def _means(within: Array, rows: Array, sides: Any, n: int) -> tuple[Array, Array, Array]:
    """V(p, p), V(p, q) and V(q, q) from the sums over pairs within X, and of X with all."""
    m = len(rows) - n
    with_all = np.zeros(sides.shape[1])
    for start in range(0, len(rows), _TILE):  # the sides are bytes: only a few become floats
        some = slice(start, start + _TILE)
        with_all += rows[some] @ sides[some]
    across = with_all - within
    others = rows.sum() - 2.0 * with_all + within
    return within / n**2, across / (n * m), others / m**2


def _in_log_space(pooled: Any, sides: Any, kernel: Kernel | None, width: float) -> list[float]:
    """D_CS of each permutation by itself, where V(p, q) is lost in the rounding of the others."""
    if kernel is not None:
        raise ValueError(
            f"the two samples are so far apart that {kernel} is next to zero between them: use "
            'statistic="ed"'
        )
    return [
        cauchy_schwarz_divergence(pooled[side == 1], pooled[side == 0], width / np.sqrt(2.0))
        for side in sides.T
    ]
