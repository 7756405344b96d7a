"""What a permutation test found."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

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
        """Draw the null sample and the statistic, as a ``PermutationDisplay``.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            New ones by default.

        Returns
        -------
        PermutationDisplay
            The display, drawn.
        """
        from noneuclid.displays import PermutationDisplay

        return PermutationDisplay.from_result(self, ax=ax)


@dataclass(frozen=True)
class AggregateResult(TestResult):
    """Result of a test over several kernels at once.

    ``statistic`` and ``null`` are −log of the smallest weighted p-value among all kernels, of the
    data and of every permutation; ``pvalue`` says how often a permutation has as large a one.

    Attributes
    ----------
    kernels : tuple
        The kernels, or pairs of them; ``"precomputed"`` for a matrix.
    pvalues : array of shape (n_kernels,)
        Of each kernel, corrected for all others (the step of Westfall and Young): the smallest is
        ``pvalue``.
    statistics : array of shape (n_kernels,)
        What each kernel measured on the data, the largest values of the kernels being one.
    """

    kernels: tuple[Any, ...] = ()
    pvalues: Array = field(default_factory=lambda: np.empty(0), repr=False)
    statistics: Array = field(default_factory=lambda: np.empty(0), repr=False)

    @property
    def deciding(self) -> tuple[Any, ...]:
        """The kernels that reject by themselves, the clearest first; none if the test does not."""
        order = np.argsort(self.pvalues, kind="stable")
        return tuple(self.kernels[k] for k in order if self.pvalues[k] <= self.level)
