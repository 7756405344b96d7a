"""What a permutation test found."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from noneuclid.numerics._types import Array

# Statistics of permutations that only exchange equal samples differ by rounding.
_ROUNDING = 1e-10


@dataclass(frozen=True)
class TestResult:
    """Result of a permutation test.

    Attributes
    ----------
    statistic : float
        Of the data as they are.
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


def compare_with_null(statistic: float, null: Array, level: float, name: str) -> TestResult:
    """Return the result of comparing a statistic with those of permuted data."""
    slack = _ROUNDING * max(abs(statistic), float(np.abs(null).max(initial=0.0)))
    as_large = int((null >= statistic - slack).sum())
    return TestResult(float(statistic), (1 + as_large) / (1 + len(null)), null, level, name)
