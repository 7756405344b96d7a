"""Sparse training to a wanted number of exemplars."""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from noneuclid._checks import check_at_least, check_count
from noneuclid.numerics import steady_order
from noneuclid.prototypes.classifiers import ProximityLVQ
from noneuclid.prototypes.sparse.measures import n_exemplars as count_exemplars
from noneuclid.typing import Array, IntArray

_MAX_FITS = 25
# Penalties between which the wanted one is looked for: no effect, and one object per prototype.
_SMALLEST, _LARGEST = 1e-8, 1e6
# Near enough to the wanted number, and a bracket too narrow to be worth another fit (in log).
_NEAR, _NARROW = 0.02, 0.02
# Fewer exemplars than this share of the wanted number do not meet it.
_MEETS = 0.9


def fit_sparse(
    model: ProximityLVQ,
    X: ArrayLike,
    y: ArrayLike,
    *,
    n_exemplars: float,
    max_fits: int = _MAX_FITS,
) -> ProximityLVQ:
    """Train sparsely: choose ``sparsity_penalty`` by bisection for a wanted number of objects.

    The number of objects need not fall steadily with the penalty: it may jump, from many to one.
    So models above the wanted number have their smallest coefficients cut off and the rest divided
    by its sum; of all models that then meet the number, the one of least cost on the training
    objects is returned.

    Parameters
    ----------
    model : ProximityLVQ
        With its other parameters; a fitted copy is returned.
    X, y : as for ``fit``
    n_exemplars : float
        Wanted mean number of objects per prototype, at least 1. The result has at most so many,
        and not less than nine tenths, unless training without a penalty uses fewer.
    max_fits : int, default=25
        How often the model is trained at most.

    Returns
    -------
    ProximityLVQ
        With ``sparsity_penalty`` set, and ``cut_mass_``: the largest sum of coefficients that was
        cut off a prototype; 0 if training alone met the number.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from noneuclid.prototypes import KernelRSLVQ, fit_sparse
    >>> from noneuclid.prototypes import n_exemplars as count
    >>> X, y = load_iris(return_X_y=True)
    >>> model = fit_sparse(KernelRSLVQ(random_state=0), X, y, n_exemplars=10, max_fits=12)
    >>> 9 <= count(model) <= 10, model.score(X, y) > 0.9
    (True, True)
    """
    check_wanted([n_exemplars], max_fits)
    return PenaltyPath(model, X, y, max_fits).find(n_exemplars)


def check_wanted(wanted: Sequence[Any], max_fits: Any) -> None:
    """Raise ValueError for numbers that make no sense."""
    for number in wanted:
        check_at_least("n_exemplars", number, 1)
    check_count("max_fits", max_fits)


class PenaltyPath:
    """Models trained with several penalties; a search for one number uses those of the others."""

    def __init__(self, template: ProximityLVQ, X: Any, y: ArrayLike, max_fits: int):
        self.template, self.X, self.y, self.max_fits = template, X, y, max_fits
        self.fits: dict[float, tuple[float, ProximityLVQ]] = {}

    def find(self, wanted: float) -> ProximityLVQ:
        """Train until the wanted number of exemplars is met; the best model that meets it."""
        dense = self._fit(0.0)
        if dense <= wanted:
            return self.fits[0.0][1]
        low, high = np.log(_SMALLEST), np.log(_LARGEST)
        for _ in range(self.max_fits - 1):
            low, high = self._bracket(wanted, low, high)
            if high - low < _NARROW or self._is_met(wanted):
                break
            self._fit(float(np.exp((low + high) / 2)))
        return self._best(wanted)

    def _fit(self, penalty: float) -> float:
        """Train with a penalty, and count the exemplars."""
        trial = clone(self.template).set_params(sparsity_penalty=penalty)
        with warnings.catch_warnings():
            if penalty > 0:  # of the trials only the one that is chosen matters
                warnings.simplefilter("ignore", UserWarning)
            trial.fit(self.X, self.y)
        trial.cut_mass_ = 0.0
        self.fits[penalty] = count_exemplars(trial), trial
        return self.fits[penalty][0]

    def _bracket(self, wanted: float, low: float, high: float) -> tuple[float, float]:
        """The smallest penalty known to be enough, and the largest below it that is not."""
        enough = [np.log(p) for p, (count, _) in self.fits.items() if p > 0 and count <= wanted]
        high = min([high, *enough])
        below = [np.log(p) for p, (count, _) in self.fits.items() if p > 0 and count > wanted]
        return max([low, *(p for p in below if p < high)]), high

    def _is_met(self, wanted: float) -> bool:
        return any((1 - _NEAR) * wanted <= count <= wanted for count, _ in self.fits.values())

    def _best(self, wanted: float) -> ProximityLVQ:
        found: list[tuple[float, ProximityLVQ]] = []
        for count, trial in self.fits.values():
            if count > wanted:
                trial = cut(trial, wanted)
            elif count < _MEETS * wanted:
                continue
            found.append((trial.training_cost(), trial))
        best = min(found, key=lambda pair: pair[0])[1]
        if best.sparsity_penalty > 0:
            best._warn_of_refused()
        return best


def cut(trial: ProximityLVQ, wanted: float) -> ProximityLVQ:
    """Leave the largest coefficients of each prototype, ``wanted`` on average, over their sum."""
    G = trial.coefficients_
    order = np.array([steady_order(-gamma) for gamma in G])
    left = np.zeros_like(G)
    for j, number in enumerate(_shares(np.take_along_axis(G, order, axis=1), wanted)):
        left[j, order[j, :number]] = G[j, order[j, :number]]
    total = left.sum(axis=1, keepdims=True)
    small = trial.with_coefficients(left / total)
    small.cut_mass_ = float(1.0 - total.min())  # type: ignore[attr-defined]
    return small


def _shares(falling: Array, wanted: float) -> IntArray:
    """How many objects each prototype keeps: all the same number, as far as they have as many.

    What is left of the mean goes to those whose next coefficient is largest.
    """
    have = np.count_nonzero(falling, axis=1)
    total = int(wanted * len(have) + 1e-9)
    level = int(wanted)
    while np.minimum(have, level + 1).sum() <= total and level < have.max():
        level += 1
    numbers = np.minimum(have, level)
    more = np.flatnonzero(have > level)
    following = falling[more, level] if len(more) else np.zeros(0)
    numbers[more[steady_order(-following)[: total - int(numbers.sum())]]] += 1
    return numbers
