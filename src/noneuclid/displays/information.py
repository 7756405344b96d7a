"""Figures of permutation tests."""

from typing import Any, Self

from noneuclid.displays._axes import axes, plain
from noneuclid.displays.style import NEGATIVE, POSITIVE
from noneuclid.information.results import TestResult


class PermutationDisplay:
    """The null sample of a permutation test, and where the data are.

    Parameters
    ----------
    result : TestResult
    """

    def __init__(self, result: TestResult):
        self.result = result

    @classmethod
    def from_result(cls, result: TestResult, *, ax: Any = None, **kwargs: Any) -> Self:
        """Draw a result; see :meth:`plot` for the other arguments."""
        return cls(result).plot(ax, **kwargs)

    def plot(self, ax: Any = None, *, bins: int | str = "auto") -> Self:
        """Draw into the axes given, or into new ones.

        Parameters
        ----------
        ax : matplotlib Axes, optional
        bins : int or str, default="auto"
            Of the histogram of the null sample.
        """
        self.ax_ = axes(ax)
        self.figure_ = self.ax_.figure
        n = len(self.result.null)
        self.ax_.hist(self.result.null, bins=bins, color="0.8", label=f"{n} permutations")
        self.ax_.axvline(
            self.result.statistic,
            color=NEGATIVE if self.result.rejected else POSITIVE,
            linewidth=2,
            label=f"data, p = {self.result.pvalue:.3g}",
        )
        self.ax_.set(xlabel=self.result.name, ylabel="permutations")
        self.ax_.legend(frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2)
        plain(self.ax_)
        return self
