"""What a permutation test found."""

from dataclasses import dataclass, field
from typing import Any

from noneuclid.typing import Array


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
    error : float
        How far features may have moved the statistic of a dask collection: in few dimensions at
        most so much, in many its standard error. 0 for samples in memory, whose features have a
        tolerance of their own.
    """

    __test__ = False  # pytest would take it for a test

    statistic: float
    pvalue: float
    null: Array = field(repr=False)
    level: float = 0.05
    name: str = "statistic"
    error: float = 0.0

    @property
    def rejected(self) -> bool:
        """Whether the p-value is at most the level."""
        return self.pvalue <= self.level

    def plot(self, ax: Any = None) -> Any:
        """Draw the null sample and the statistic, as a ``PermutationDisplay``."""
        from noneuclid.displays import PermutationDisplay

        return PermutationDisplay.from_result(self, ax=ax)
