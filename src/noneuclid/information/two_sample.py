"""Whether two samples come from the same distribution."""

from typing import Any, Literal

import numpy as np

from noneuclid._blocks import in_blocks
from noneuclid._parameters import Count, GeneratorSeed, Share, checked
from noneuclid.information import _checks as checks
from noneuclid.information._aggregate import aggregate
from noneuclid.information._densities import log_peak
from noneuclid.information._given_kernels import (
    check_kernel,
    gram_matrix,
    is_precomputed,
    positive,
    refuse_idle_widths,
    refuse_kernels_of_blocks,
)
from noneuclid.information._low_rank import gaussian_features
from noneuclid.information._permutations import check_permutations, compare_with_null, random_sides
from noneuclid.information._shifts import Circles, label_sums
from noneuclid.information._two_sample_blocks import statistics_in_blocks
from noneuclid.information._variables import Variable, Widths, refuse_low_rank
from noneuclid.information._widths import AGGREGATE, is_aggregate, kernel_width, warn_if_narrow
from noneuclid.information.divergences import cauchy_schwarz_divergence
from noneuclid.information.results import AggregateResult, TestResult
from noneuclid.kernels import Gaussian, Kernel, as_kernel
from noneuclid.typing import Array

# Side of the tiles of the Gram matrix: large enough for matrix products, small enough for memory.
_TILE = 1024
# A product smaller than this share of the others has lost half its digits in their difference.
_LOST = 1e-8
_AGGREGATE = Widths(number=10, squarings=1, wider=3)
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
    kernel: Any = None,
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
    width : float, "silverman", "median", "loo" or "aggregate", default="median"
        Width σ of the Parzen windows, one for both samples, or a rule of
        :func:`~noneuclid.information.bandwidth` applied to the pooled sample; ``"median"`` gives
        the kernel :math:`G_{\sigma\sqrt2}` the median distance as its width. ``"aggregate"``: ten
        widths from 0.125 to 2.8 median distances in one exact test, see the notes. The rules for
        densities, ``"silverman"`` and ``"loo"``, are too narrow for tests in many dimensions: in
        hundreds no two samples are within such a width, and the test never rejects, neither right
        nor wrong. A warning says so.
    statistic : "ed" or "cs", default="ed"
    n_permutations : int, default=999
    level : float, default=0.05
        Level of ``rejected``; too few permutations to reach it are refused.
    kernel : Kernel, str, function of two objects, "precomputed", or list of those, optional
        Instead of :math:`G_{\sigma\sqrt2}`, any positive kernel, such as those of spike trains and
        of bags; the width is then that of the kernel, and a ``width`` beside it is refused. A list
        makes an aggregate over all of its kernels. ``"precomputed"``: X is the Gram matrix of all
        objects, and Y are their labels, of two kinds.
    low_rank : float, optional
        Tolerance of features of the Gaussian kernel, which replace the Gram matrix: fast for many
        samples in few dimensions. Of dask collections, the tolerance of landmarks: 1e-6 unless
        given, and 1e-8 at the least.
    random_state : int, Generator or None, default=None
        Seed of the permutations.

    Returns
    -------
    result : TestResult
        With ``statistic``, ``pvalue``, ``null``, ``rejected`` and ``plot()``. An aggregate gives an
        :class:`~noneuclid.information.AggregateResult`: ``deciding`` are the kernels that decided.

    Notes
    -----
    The aggregate takes the smallest p-value of all widths, each divided by a weight (1/(1 + k) for
    the k-th width from the median distance), and compares it with the smallest of every
    permutation. All permutations are treated alike, so that its level is exact whatever the number
    of widths, with no data set aside. Its permutations are shifts of the labels round a circle of
    all samples in random order, a group, for which fast Fourier transforms give all statistics
    together; and the kernel of one width is the square of that of the next. So ten widths take
    about as long as one with permutations one by one.

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

    A. Schrab, I. Kim, M. Albert, B. Laurent, B. Guedj and A. Gretton (2023), MMD aggregated
    two-sample test. Journal of Machine Learning Research 24.

    J. Hemerik and J. Goeman (2018), Exact testing with random permutations. TEST 27.

    B. Phipson and G. K. Smyth (2010), Permutation p-values should never be zero.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X, Y = rng.normal(size=(100, 2)), rng.normal(size=(100, 2)) + [0.8, 0.0]
    >>> result = two_sample_test(X, Y, random_state=0)
    >>> result.pvalue, result.rejected
    (0.001, True)

    Two samples that differ on a fine scale only, which the median distance does not see:

    >>> X = rng.integers(0, 4, size=(100, 1)) + 0.1 * rng.normal(size=(100, 1))
    >>> Y = 4 * rng.random(size=(100, 1)) - 0.5
    >>> two_sample_test(X, Y, random_state=0).rejected
    False
    >>> result = two_sample_test(X, Y, "aggregate", random_state=0)
    >>> result.rejected, len(result.kernels), result.deciding[0].width < 0.6
    (True, 10, True)
    """
    B = check_permutations(n_permutations, level)
    checks.check_low_rank(low_rank)
    check_kernel("kernel", kernel)
    refuse_idle_widths(width, ["kernel"], [kernel])
    if kernel is not None and low_rank is not None:
        raise ValueError("low_rank is for the Gaussian kernel of `width`, without `kernel`")
    rng = np.random.default_rng(random_state)
    if in_blocks(X, Y):
        refuse_kernels_of_blocks([kernel])
        found = statistics_in_blocks(X, Y, width, statistic, B, low_rank, rng)
        return compare_with_null(found[0], level, NAMES[statistic], *found[1:])
    if isinstance(kernel, (list, tuple)) or (kernel is None and is_aggregate(width)):
        refuse_low_rank(low_rank)
        return _aggregated(X, Y, kernel, statistic, B, level, rng)
    pooled, side = _pooled(X, Y, kernel)
    values, log_scale, size = _of_one_kernel(
        pooled, side, width, kernel, statistic, B, low_rank, rng
    )
    return compare_with_null(values, level, NAMES[statistic], log_scale, size=size)


def _of_one_kernel(
    pooled: Any,
    side: Any,
    width: Any,
    kernel: Any,
    statistic: str,
    B: int,
    low_rank: float | None,
    rng: np.random.Generator,
) -> tuple[Array, float, float]:
    """Statistics of the data and all permutations, the log of their scale, and the terms' size."""
    log_scale, s = 0.0, 0.0
    resolved: Kernel | None
    if kernel is None:
        s = kernel_width(width, pooled, name="X and Y together")
        resolved, log_scale = Gaussian(s), log_peak(s, pooled.shape[1])
    else:
        resolved, pooled = _with_kernel(kernel, pooled)
    sides = random_sides(side, B, rng)
    if kernel is None and low_rank is not None:
        within, rows = _by_features(gaussian_features(pooled, s, low_rank), sides)
    else:
        within, rows = _by_tiles(resolved, pooled, sides)
    if kernel is None:
        warn_if_narrow(width, s / np.sqrt(2.0), float(rows.sum()), len(rows), "both samples")
    pp, pq, qq = _means(within, _with_all(rows, sides), float(rows.sum()), side)
    if statistic == "ed":
        return pp - 2.0 * pq + qq, log_scale, float(np.abs(pp).max() + np.abs(qq).max())
    _refuse_negative(pq, str(kernel))
    lost = pq < _LOST * np.minimum(pp, qq)
    values = 0.5 * np.log(pp * qq) - np.log(np.where(lost, 1.0, pq))
    if lost.any():
        values[lost] = _in_log_space(pooled, sides[:, lost], kernel, s)
    return values, 0.0, 1.0  # no factor of the kernel matters, and logarithms are of size one


def _aggregated(
    X: Any, Y: Any, kernels: Any, statistic: str, B: int, level: float, rng: np.random.Generator
) -> AggregateResult:
    """All kernels in one test, by shifts of the labels round a circle."""
    pooled, side = _pooled(X, Y, kernels[0] if kernels is not None else None)
    sample = Variable(
        pooled, AGGREGATE, kernels, "X and Y together", rng, parameter="kernel", many=_AGGREGATE
    )
    circles = Circles(len(side), B, rng)
    source = sample.diagonals()
    within, with_all, rows = label_sums(source, side.astype(np.float64), circles)
    pp, pq, qq = _means(within, with_all, rows.sum(axis=1)[:, None], side)
    if statistic == "ed":
        values = pp - 2.0 * pq + qq
    else:  # what is lost in rounding counts as equally far apart, in all permutations alike
        _refuse_negative(pq, "one of the kernels")
        values = 0.5 * np.log(pp * qq) - np.log(np.maximum(pq, _LOST * np.minimum(pp, qq)))
    return aggregate(values, source.labels, level, NAMES[statistic], sample.weights)


def _refuse_negative(products: Array, kernel: str) -> None:
    """Raise if products of the two samples have no logarithm, beyond rounding."""
    if products.min() < -_LOST * np.abs(products).max():
        raise ValueError(
            f"the mean of {kernel} between the two samples is negative, and has no logarithm: use "
            'statistic="ed"'
        )


def _pooled(X: Any, Y: Any, kernel: Any) -> tuple[Any, Any]:
    """All samples, in the form that the kernel takes, and which of them are X."""
    if is_precomputed(kernel):
        return gram_matrix(X, "X"), sides_of_labels(Y, len(X))
    if kernel is None:
        A = checks.check_rows(X, least=2)
        B = checks.check_rows(checks.align_columns(X, Y), "Y", least=2)
        checks.check_same_features(A.shape[1], B.shape[1])
        return np.vstack([A, B]), np.arange(len(A) + len(B)) < len(A)
    found = as_kernel(kernel)
    A, B = found.as_objects(X), found.as_objects(checks.align_columns(X, Y), "Y")
    checks.check_enough(A, "X")
    checks.check_enough(B, "Y")
    return found.joined(A, B), np.arange(len(A) + len(B)) < len(A)


def _with_kernel(kernel: Any, pooled: Any) -> tuple[Kernel | None, Any]:
    """A kernel and its objects; or no kernel and its matrix, if that had to be looked at."""
    if is_precomputed(kernel):
        return None, pooled
    resolved = as_kernel(kernel).resolve(pooled)
    if resolved.is_positive_definite:
        return resolved, pooled
    return None, positive(resolved(pooled), str(resolved))


def sides_of_labels(labels: Any, n: int) -> Any:
    """Which objects of a given matrix are the first sample, from labels of two kinds."""
    given = np.asarray(labels)
    kinds = np.unique(given)
    if given.shape != (n,) or len(kinds) != 2:
        raise ValueError(
            f'with kernel="precomputed", Y must hold {n} labels of two kinds, which say to which '
            "sample each object of the matrix X belongs"
        )
    side = given == kinds[0]
    checks.check_enough(given[side], "the first sample")
    checks.check_enough(given[~side], "the second sample")
    return side


def _tile(kernel: Kernel | None, pooled: Any, I: slice, J: slice) -> Array:  # noqa: E741
    """Kernel values; of a matrix, without a kernel, they are there."""
    if kernel is None:
        return np.asarray(pooled[I, J])
    return kernel(pooled[I]) if J == I else kernel(pooled[I], pooled[J])


def _by_tiles(kernel: Kernel | None, pooled: Any, sides: Any) -> tuple[Array, Array]:
    """s'Ks for every column s, and K1, from the tiles on and above the diagonal of K."""
    N = len(pooled)
    within, rows = np.zeros(sides.shape[1]), np.zeros(N)
    tiles = [slice(start, min(start + _TILE, N)) for start in range(0, N, _TILE)]
    for p, I in enumerate(tiles):  # noqa: E741 - as in the equations
        S = sides[I].astype(np.float64)
        for J in tiles[p:]:
            K = _tile(kernel, pooled, I, J)
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


def _with_all(rows: Array, sides: Any) -> Array:
    """s'K1 for every column s."""
    with_all = np.zeros(sides.shape[1])
    for start in range(0, len(rows), _TILE):  # the sides are bytes: only a few become floats
        some = slice(start, start + _TILE)
        with_all += rows[some] @ sides[some]
    return with_all


def _means(within: Array, with_all: Array, total: Any, side: Any) -> tuple[Array, Array, Array]:
    """V(p, p), V(p, q) and V(q, q) from the sums over pairs within X, of X with all, and of all."""
    n = int(side.sum())
    m = len(side) - n
    across = with_all - within
    others = total - 2.0 * with_all + within
    return within / n**2, across / (n * m), others / m**2


def _in_log_space(pooled: Any, sides: Any, kernel: Any, width: float) -> list[float]:
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
