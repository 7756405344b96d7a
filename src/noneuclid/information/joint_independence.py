"""Whether several variables are independent of each other."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from noneuclid._blocks import in_blocks
from noneuclid._parameters import Count, GeneratorSeed, Share, checked
from noneuclid.information._given_kernels import check_kernel, refuse_idle_widths
from noneuclid.information._permutations import check_permutations, compare_with_null
from noneuclid.information._shifts import Circles, RowSums, offset_blocks
from noneuclid.information._variables import ONE, Variable
from noneuclid.information._widths import is_aggregate
from noneuclid.information.results import TestResult
from noneuclid.numerics.diagonals import shifted_products
from noneuclid.typing import Array, IntArray

NAME = "joint Hilbert–Schmidt independence criterion (dHSIC)"


@checked
def joint_independence_test(
    variables: Any,
    width: Any = "median",
    *,
    kernels: Any = None,
    n_permutations: Count = 999,
    level: Share = 0.05,
    random_state: GeneratorSeed = None,
) -> TestResult:
    r"""Permutation test of the hypothesis that d variables are jointly independent.

    Variables may be independent in pairs and depend together, as two bits and their parity do. The
    statistic is the squared distance of the joint embedding from the product of the marginals,

    .. math:: \mathrm{dHSIC} = \frac1{n^2}\sum_{ij}\prod_v K^v_{ij}
              - \frac2n\sum_i\prod_v\Bigl(\frac1n\sum_j K^v_{ij}\Bigr)
              + \prod_v\frac1{n^2}\sum_{ij}K^v_{ij} ,

    for two variables the HSIC of :func:`~noneuclid.information.independence_test`. Permutations
    shift every variable but the first by a random number of places round a circle of all samples
    in random order, and, beyond n of them, start anew from random permutations of each: the level
    is exact.

    Parameters
    ----------
    variables : list of arrays of shape (n, d_v) or (n,)
        Two or more variables; with ``kernels``, whatever these take.
    width : float, "silverman", "median", "loo", or a list of them, default="median"
        Width σ of the Parzen windows, for all variables or one for each: the kernels are
        Gaussians of width :math:`\sigma\sqrt2` with κ(x, x) = 1, of the median distance for
        ``"median"``.
    kernels : list of Kernel, str, function of two objects, "precomputed" or None, optional
        A positive kernel for each variable; None is the Gaussian of its width, and a ``width``
        given for a variable with a kernel is refused.
    n_permutations : int, default=999
    level : float, default=0.05
        Level of ``rejected``; too few permutations to reach it are refused.
    random_state : int, Generator or None, default=None
        Seed of the permutations.

    Returns
    -------
    result : TestResult

    References
    ----------
    N. Pfister, P. Bühlmann, B. Schölkopf and J. Peters (2018), Kernel-based tests for joint
    independence. Journal of the Royal Statistical Society B 80.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> bits = rng.integers(0, 2, size=(2, 100, 1))
    >>> three = [*bits, bits[0] ^ bits[1]]  # any two are independent
    >>> joint_independence_test(three, 0.3, random_state=0).pvalue
    0.001
    """
    B = check_permutations(n_permutations, level)
    d = _check_variables(variables)
    widths, given = _one_each("width", width, d), _one_each("kernels", kernels, d)
    for v, kernel in enumerate(given):
        if isinstance(kernel, (list, tuple)):
            raise ValueError(f"kernels[{v}] must be one kernel, not a list of them")
        check_kernel(f"kernels[{v}]", kernel)
    refuse_idle_widths(width, [f"kernels[{v}]" for v in range(d)], given)
    if any(map(is_aggregate, widths)):
        raise ValueError('width="aggregate" is for two variables: use independence_test')
    rng = np.random.default_rng(random_state)
    parts = [
        Variable(X, w, k, f"variables[{v}]", rng, parameter=f"kernels[{v}]", many=ONE)
        for v, (X, w, k) in enumerate(zip(variables, widths, given))
    ]
    _check_sizes(parts)
    circles = Circles(len(parts[0]), B, rng, n_others=d - 1)
    values, size = _statistics(parts, circles, rng)
    return compare_with_null(values, level, NAME, size=size)


def _check_variables(variables: Any) -> int:
    cube = isinstance(variables, np.ndarray) and variables.ndim == 3
    if not (cube or isinstance(variables, (list, tuple))):
        raise ValueError("variables must be a list of arrays, one per variable")
    if in_blocks(*variables):
        raise ValueError("joint_independence_test takes samples in memory, no dask collections")
    if len(variables) < 2:
        raise ValueError(f"variables must be two or more; there are {len(variables)}")
    return len(variables)


def _one_each(name: str, given: Any, d: int) -> Sequence[Any]:
    if not isinstance(given, (list, tuple)):
        return [given] * d
    if len(given) != d:
        raise ValueError(f"{name} has {len(given)} entries for {d} variables")
    return given


def _check_sizes(parts: list[Variable]) -> None:
    for v, part in enumerate(parts):
        if len(part) != len(parts[0]):
            raise ValueError(
                f"variables[0] has {len(parts[0])} samples and variables[{v}] has {len(part)}: "
                "they must be the same"
            )


def _statistics(
    parts: list[Variable], circles: Circles, rng: np.random.Generator
) -> tuple[Array, float]:
    """DHSIC of the data and of all permutations, and the size of the terms they differ by."""
    n, d = circles.n, len(parts)
    shifts = _shifts(circles, d, rng)
    joint = np.zeros(circles.B + 1)
    rows = [RowSums(1, circles.order) for _ in parts]
    sources = [part.diagonals() for part in parts]
    for start, stop, weights in offset_blocks(n):
        for c, others in enumerate(circles.circles):
            orders = [circles.order, *others]
            stack = [next(s.between(start, stop, o)) for s, o in zip(sources, orders)]
            here = circles.chosen // n == c
            joint[here] += shifted_products(np.array(stack), shifts[here], weights)
            if c == 0:
                for r, K in zip(rows, stack):
                    r.add(0, K, start, weights)
    means = np.array([r.in_rows()[0] / n for r in rows])
    for part, mean in zip(parts, means):
        part.warn_if_narrow(float(n * mean.sum()))
    joint /= n**2
    values = joint - 2.0 * _cross(means, shifts, circles) + means.mean(axis=1).prod()
    return values, float(np.abs(joint).max())


def _shifts(circles: Circles, d: int, rng: np.random.Generator) -> IntArray:
    """How far each variable is shifted in each permutation: the first never, the data not at all.

    Random elements of the group of all shifts, as many on every circle: with one of them the data,
    they are exchangeable with it, as the places of one circle are.
    """
    shifts = rng.integers(circles.n, size=(circles.B + 1, d))
    shifts[:, 0], shifts[0] = 0, 0
    return shifts


def _cross(means: Array, shifts: IntArray, circles: Circles) -> Array:
    """The middle term: products of row means, of each permutation."""
    found = np.empty(len(shifts))
    for b, (number, shift) in enumerate(zip(circles.chosen, shifts)):
        product = means[0, circles.order]
        for v, order in enumerate(circles.circles[number // circles.n], start=1):
            product = product * np.roll(means[v, order], -shift[v])
        found[b] = product.mean()
    return found
