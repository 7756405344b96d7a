"""What all permutation tests share."""

from typing import Any

import numpy as np

from noneuclid._checks import check_count, check_share
from noneuclid._warnings import warn
from noneuclid.information._densities import scale_from_log
from noneuclid.information.results import TestResult
from noneuclid.typing import Array

# Statistics of permutations that only exchange equal samples differ by rounding: by this share of
# the largest of them, or by that of the numbers whose differences they are.
ROUNDING, _OF_TERMS = 1e-10, 1e-14


def check_permutations(n_permutations: Any, level: Any, n_tests: int = 1) -> int:
    """Return the number of permutations; raise if they cannot reach the level."""
    check_share("level", level)
    B = check_count("n_permutations", n_permutations)
    needed = int(np.ceil(n_tests / level * (1 - 1e-12))) - 1
    if needed > B:
        among = f" among {n_tests} tests" if n_tests > 1 else ""
        raise ValueError(
            f"n_permutations (={B}) is too few for level {level}{among}: the smallest p-value "
            f"would be {1 / (1 + B):.3g}; use at least {needed}"
        )
    return B


def random_sides(side: Any, B: int, rng: np.random.Generator) -> Any:
    """Which samples count as X, as columns of zeros and ones; the first is the truth."""
    sides = np.tile(side.astype(np.int8), (B + 1, 1))
    rng.permuted(sides[1:], axis=1, out=sides[1:])
    return np.ascontiguousarray(sides.T)


def compare_with_null(
    values: Array,
    level: float,
    name: str,
    log_scale: float = 0.0,
    error: float = 0.0,
    *,
    size: float = 0.0,
) -> TestResult:
    """Compare the first statistic, that of the data, with the others, those of permutations.

    They are compared as they are, and reported times exp(log_scale) where that is a number. They
    are differences of numbers of about ``size``.
    """
    if not np.isfinite(values).all():
        raise ValueError(f"the {name} of the data or of a permutation is not a finite number")
    statistic, null = values[0], values[1:]
    lost = _OF_TERMS * size
    if size > 0.0 and np.abs(values).max() <= lost:
        warn(
            f"the {name} of the data and of all permutations is 0 up to rounding: if the samples "
            "are not constant, the kernel is too wide for them; take a smaller width"
        )
    as_large = int((null >= statistic - max(ROUNDING * np.abs(values).max(), lost)).sum())
    scale = scale_from_log(log_scale)
    pvalue = (1 + as_large) / (1 + len(null))
    return TestResult(
        scale * float(statistic), pvalue, scale * null, float(level), name, scale * error
    )
