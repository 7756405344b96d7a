"""One variable of a test: its samples, and the kernels between them."""

from typing import Any, NamedTuple

import numpy as np

from noneuclid.information._aggregate import centred
from noneuclid.information._checks import as_column, check_rows
from noneuclid.information._densities import log_peak
from noneuclid.information._diagonals import Diagonals, GaussianDiagonals
from noneuclid.information._given_kernels import given_diagonals
from noneuclid.information._low_rank import gaussian_features
from noneuclid.information._widths import is_aggregate, kernel_width, median_width, warn_if_narrow
from noneuclid.typing import Array

# More dimensions than these have no features of low rank that are as good as exact.
_FEW = 2


class Widths(NamedTuple):
    """The widths of an aggregate: a geometric series about the median distance."""

    number: int
    squarings: int  # of the kernel's values, from one width to the next
    wider: int  # how many are wider than the median distance

    @property
    def widest(self) -> float:
        """In median distances."""
        return float(2.0 ** (0.5 * self.squarings * self.wider))


ONE = Widths(1, 1, 0)


class Variable:
    """Samples with a Gaussian kernel of some width or widths, or with kernels that are given.

    Parameters
    ----------
    X : rows, or what the kernel takes
    width : float or str
        Of the Parzen windows, if no kernel is given.
    kernel : Kernel, str, callable, list of those, or None
    name : str
        What the samples are called, for messages.
    parameter : str
        What the kernel is called, for messages.
    rng : Generator
        For the rows whose median distance is taken.
    many : Widths
        Those of an aggregate.
    """

    def __init__(
        self,
        X: Any,
        width: Any,
        kernel: Any,
        name: str,
        rng: np.random.Generator,
        *,
        parameter: str,
        many: Widths,
    ):
        self.name, self.asked, self.log_peak = name, width, 0.0
        self.is_gaussian = kernel is None
        if kernel is not None:
            self._given = given_diagonals(kernel, X, name, parameter)
            self.n, self.labels = self._given.n, self._given.labels
            self.weights = np.ones(len(self.labels))
            return
        self.rows = check_rows(as_column(X), name, least=2)
        self.n = len(self.rows)
        self.many = many if is_aggregate(width) else ONE
        if is_aggregate(width):
            self.width = many.widest * median_width(self.rows, rng, name)
        else:
            self.width = kernel_width(width, self.rows, name=name)
            self.log_peak = log_peak(self.width, self.rows.shape[1])
        self.labels = self.diagonals().labels
        self.weights = centred(self.many.number, self.many.wider)

    def __len__(self) -> int:
        return self.n

    @property
    def few_dimensions(self) -> bool:
        """Whether features of low rank may be as good as the kernel."""
        return self.is_gaussian and self.rows.shape[1] <= _FEW

    def features(self, tolerance: float, max_rank: int | None = None) -> Array:
        """Features of the Gaussian kernel."""
        return gaussian_features(self.rows, self.width, tolerance, max_rank=max_rank)

    def diagonals(self) -> Diagonals:
        """Return the values of all kernels, for shifts round a circle."""
        if not self.is_gaussian:
            return self._given
        number, squarings, _ = self.many
        return GaussianDiagonals(self.rows, self.width, squarings=squarings, count=number)

    def warn_if_narrow(self, total: float) -> None:
        """Say so if a rule for densities is too narrow; ``total`` is that of the kernel values."""
        if self.is_gaussian:
            warn_if_narrow(self.asked, self.width / np.sqrt(2.0), total, self.n, self.name)


def refuse_low_rank(low_rank: Any) -> None:
    """Raise if features of low rank are asked for where all kernels are exact."""
    if low_rank is not None:
        raise ValueError("low_rank is for one Gaussian kernel: an aggregate is exact and fast")
