"""What a permutation test found."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from noneuclid.information._densities import scale_from_log
from noneuclid.typing import Array

# Statistics of permutations that only exchange equal samples differ by rounding.
_ROUNDING = 1e-10


@dataclass(frozen=True)
class TestResult:
    """Result of a permutation test.

    Attributes
    ----------
    statistic : float
        Of the data as they are. Where the largest value of the kernel, :math:`G_s(0)`, is itself
        beyond the range of floating-point numbers, as in hundreds of dimensions, the statistic and
        ``null`` are those of the kernel divided by it.
    pvalue : float
        (1 + number of permutations whose statistic is at least as large) / (1 + number of
        permutations): never 0, and exact for any number of permutations.
    null : array of shape (n_permutations,)
        The statistics of the permuted data.
    level : float
        The level asked for.
    name : str
        What the statistic is.
    """

    __test__ = False  # pytest would take it for a test

    statistic: float
    pvalue: float
    null: Array = field(repr=False)
    level: float = 0.05
    name: str = "statistic"

    @property
    def rejected(self) -> bool:
        """Whether the p-value is at most the level."""
        return self.pvalue <= self.level

    def plot(self, ax: Any = None) -> Any:
        """Draw the null sample and the statistic, as a ``PermutationDisplay``."""
        from noneuclid.displays import PermutationDisplay

        return PermutationDisplay.from_result(self, ax=ax)


def compare_with_null(
    statistic: float, null: Array, level: float, name: str, log_scale: float = 0.0
) -> TestResult:
    """Return the result of comparing a statistic with those of permuted data.

    Both are compared as they are, and reported times exp(log_scale) where that is a number.
    """
    if not (np.isfinite(statistic) and np.isfinite(null).all()):
        raise ValueError(f"the {name} of the data or of a permutation is not a finite number")
    slack = _ROUNDING * max(abs(statistic), float(np.abs(null).max(initial=0.0)))
    as_large = int((null >= statistic - slack).sum())
    scale = scale_from_log(log_scale)
    pvalue = (1 + as_large) / (1 + len(null))
    return TestResult(scale * float(statistic), pvalue, scale * null, level, name)
