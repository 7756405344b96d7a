"""What all dissimilarities of series share that bend or edit the axis of time."""

from abc import abstractmethod
from typing import Any, ClassVar, Self

import numpy as np

from noneuclid._estimator import estimator
from noneuclid._memory import require_matrices
from noneuclid._parameters import ClosedShare, check_parameters
from noneuclid._progress import progress
from noneuclid._sklearn import BaseEstimator
from noneuclid.kernels.pairs import FEWER_PAIRS
from noneuclid.numerics.pairwise import mirrored
from noneuclid.proximities.series import Series, as_series
from noneuclid.typing import Array, IntArray


@estimator
class SeriesMetric(BaseEstimator):
    """A dissimilarity of two series, computed for all pairs at once, on all cores.

    It goes wherever a metric goes, as an object or by its name, and clones, prints and
    grid-searches (``metric__window``). Called with two series it gives their dissimilarity. Series
    may differ in length and have several channels.

    Parameters
    ----------
    window : float, optional
        How far a path may leave the diagonal, as a share of the shorter series (Sakoe and Chiba's
        band); None sets no bound.
    """

    window: ClosedShare | None = None

    takes_verbose = True

    _cells: ClassVar[int] = 100_000_000
    """Of all pairs between two signs of progress: some tenths of a second."""

    def __call__(self, a: Any, b: Any) -> float:
        """Return the dissimilarity of two series."""
        return float(self.between([a], [b])[0, 0])

    def as_objects(self, X: Any, name: str = "X") -> Series:
        """Return series in one form, checked.

        Parameters
        ----------
        X : list, array or Curves
            As :func:`noneuclid.proximities.as_series` takes them.
        name : str, default="X"
            What errors call it.

        Returns
        -------
        Series
        """
        return as_series(X, name)

    def resolve(self, X: Any) -> Self:
        """Return the metric with what it leaves to the data fixed on X.

        Parameters
        ----------
        X : series

        Returns
        -------
        SeriesMetric
        """
        check_parameters(self)
        return self

    def between(self, X: Any, Y: Any = None, *, verbose: bool = False) -> Array:
        """Return the dissimilarities of all series of X to all of Y, or to each other.

        Parameters
        ----------
        X, Y : list, array or Curves
            As :func:`noneuclid.proximities.as_series` takes them.
        verbose : bool, default=False
            Show a progress bar.

        Returns
        -------
        array of shape (n, m)
        """
        check_parameters(self)
        X = self.as_objects(X)
        same = Y is None or Y is X
        Y = X if same else self.as_objects(Y, "Y")
        if X.n_channels != Y.n_channels:
            raise ValueError(
                f"X has series of {X.n_channels} channels and Y of {Y.n_channels}: give as many"
            )
        what = f"{type(self).__name__} of {len(X):,} and {len(Y):,} series"
        require_matrices(what, len(X), len(Y), instead=FEWER_PAIRS)
        return self._all_pairs(X, Y, same, verbose)

    def _all_pairs(self, X: Series, Y: Series, same: bool, verbose: bool) -> Array:
        A = self._prepared(X)
        B = A if same else self._prepared(Y, "Y")
        out = np.zeros((len(X), len(Y)))
        # The first rows of a triangle are the longest: each goes with one of the last.
        order = np.arange(len(X))
        order = np.where(order % 2 == 0, order // 2, len(X) - 1 - order // 2) if same else order
        cells = float(X.lengths.mean() * Y.lengths.sum()) if len(X) and len(Y) else 1.0
        size = int(max(1, min(len(X), self._cells / max(cells, 1.0))))
        tasks = [order[k : k + size] for k in range(0, len(X), size)]
        for rows in progress(tasks, len(tasks), "series", bool(verbose)):
            block = np.zeros((len(rows), len(Y)))
            self._fill(A, B, rows, same, block)
            out[rows] = block
        return mirrored(out) if same else out

    @property
    def _share(self) -> float:
        return 1.0 if self.window is None else float(self.window)

    def _prepared(self, X: Series, name: str = "X") -> Any:
        """What is computed once per series: by default nothing."""
        return X

    @abstractmethod
    def _fill(self, X: Any, Y: Any, rows: IntArray, same: bool, out: Array) -> None:
        """Dissimilarities of some series of X to all of Y, or to those that are not before it."""


def number(metric: Any, name: str) -> float:
    """A parameter that is a number by now, or an error."""
    value = getattr(metric, name)
    if isinstance(value, str):
        raise ValueError(
            f'{name} (="{value}") of {type(metric).__name__} depends on the data: call '
            "resolve(X), or let a learner fit it"
        )
    return float(value)
