"""Folds of a sample: parameters are chosen on some of the rows, and used for all."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.model_selection import GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import type_of_target

from noneuclid._checks import check_count
from noneuclid.typing import IntArray

# A sample holds so many of every class, however rare it is.
_FEWEST_OF_CLASS = 8


def sampled_rows(y: Any, n: int, *, random_state: Any = 0) -> IntArray:
    """At most n of the rows, at random, classes in proportion, and rare ones all the same.

    Parameters
    ----------
    y : array of shape (n_rows,)
        Classes, or numbers, which are drawn alike.
    n : int
    random_state : int, RandomState or None, default=0

    Returns
    -------
    rows : array of int
        In rising order; up to eight of every class more than n, where classes are rare.

    Examples
    --------
    >>> y = np.repeat(["common", "rare"], [1000, 10])
    >>> rows = sampled_rows(y, 100)
    >>> len(rows), int((y[rows] == "rare").sum())
    (108, 8)
    """
    y = np.asarray(y)
    if len(y) <= n:
        return np.arange(len(y))
    order = check_random_state(random_state).permutation(len(y))
    if _is_number(y):
        return np.sort(order[:n])
    order = order[np.argsort(y[order], kind="stable")]  # by class, at random inside of each
    few = order[(np.arange(n) * len(y)) // n]
    names, counts = np.unique(y[few], return_counts=True)
    enough = set(names[counts >= _FEWEST_OF_CLASS].tolist())
    rare = [label for label in np.unique(y).tolist() if label not in enough]
    more = [order[y[order] == label][:_FEWEST_OF_CLASS] for label in rare]
    return np.unique(np.concatenate([few, *more]))


def _is_number(y: Any) -> bool:
    return bool(type_of_target(y).startswith("continuous"))


@dataclass(frozen=True)
class SampledFolds:
    """A cross-validation of a sample, for searches that refit on all rows.

    In ``GridSearchCV(model, grid, cv=SampledFolds(3, 1000))`` parameters are judged on 1,000 of
    the rows, and the model with the best ones learns from all of them.

    Parameters
    ----------
    n_splits : int
        Folds; classes are in proportion in each, and no group is divided.
    n_samples : int
        Rows of all folds together.
    random_state : int, default=0

    Examples
    --------
    >>> folds = SampledFolds(2, 100)
    >>> [(len(train), len(test)) for train, test in folds.split(np.zeros(900), np.arange(900) % 2)]
    [(50, 50), (50, 50)]
    """

    n_splits: int
    n_samples: int
    random_state: int = 0

    def __post_init__(self) -> None:
        check_count("n_splits", self.n_splits, 2)
        check_count("n_samples", self.n_samples, 2 * self.n_splits)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """How many folds there are.

        Parameters
        ----------
        X, y, groups : ignored

        Returns
        -------
        n_splits : int
        """
        return self.n_splits

    def split(
        self, X: Any, y: Any = None, groups: Any = None
    ) -> Iterator[tuple[IntArray, IntArray]]:
        """Indices of the training and test part of every fold.

        Parameters
        ----------
        X : array or list of n rows
            Only its length counts.
        y : array of shape (n,), optional
            Classes or numbers.
        groups : array of shape (n,), optional
            Which rows belong together.

        Yields
        ------
        train, test : arrays of int
        """
        y = np.linspace(0.0, 0.5, len(X)) if y is None else np.asarray(y)
        rows = sampled_rows(y, self.n_samples, random_state=self.random_state)
        kinds: Any = (
            (KFold, GroupKFold) if _is_number(y) else (StratifiedKFold, StratifiedGroupKFold)
        )
        cv = kinds[groups is not None](self.n_splits, shuffle=True, random_state=self.random_state)
        own = None if groups is None else np.asarray(groups)[rows]
        for train, test in cv.split(rows, y[rows], own):
            yield rows[train], rows[test]
