"""Figures of permutation tests."""

from dataclasses import dataclass
from typing import Any, Self

from noneuclid.displays._axes import Display, plain
from noneuclid.displays.style import NEGATIVE, POSITIVE
from noneuclid.information.results import TestResult


@dataclass(eq=False, repr=False)
class PermutationDisplay(Display):
    """The null sample of a permutation test, and where the data are.

    Parameters
    ----------
    result : TestResult
    """

    result: TestResult

    @classmethod
    def from_result(cls, result: TestResult, *, ax: Any = None, **kwargs: Any) -> Self:
        """Draw a result; see :meth:`plot` for the other arguments.

        Parameters
        ----------
        result : TestResult
            Of a permutation test.
        ax : matplotlib Axes, optional
            New ones by default.
        **kwargs
            Passed to :meth:`plot`.

        Returns
        -------
        display : object
            The display, drawn: its axes are ``ax_`` or ``axes_``, the whole is ``figure_``.
        """
        return cls(result).plot(ax, **kwargs)

    def plot(self, ax: Any = None, *, bins: int | str = "auto") -> Self:
        """Draw into the axes given, or into new ones.

        Parameters
        ----------
        ax : matplotlib Axes, optional
        bins : int or str, default="auto"
            Of the histogram of the null sample.

        Returns
        -------
        display : object
            The display, drawn: its axes are ``ax_`` or ``axes_``, the whole is ``figure_``.
        """
        ax, found = self._into(ax), self.result
        ax.hist(found.null, bins=bins, color="0.8", label=f"{len(found.null)} permutations")
        stroke = NEGATIVE if found.rejected else POSITIVE
        name = f"data, p = {found.pvalue:.3g}"
        ax.axvline(found.statistic, color=stroke, linewidth=2, label=name)
        ax.set(xlabel=found.name, ylabel="permutations")
        ax.legend(frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2)
        plain(ax)
        return self
