"""An estimator learned from a part of the data, and the part it has not seen."""

from abc import abstractmethod
from dataclasses import field
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils import _safe_indexing, check_random_state, get_tags
from sklearn.utils.validation import check_consistent_length

from noneuclid._data import _entered, check_array, check_is_fitted, validate_data
from noneuclid._estimator import as_fitted
from noneuclid._estimator import estimator as parameters
from noneuclid._parameters import Seed, Share
from noneuclid._sklearn import BaseEstimator
from noneuclid.prototypes.decisions.ranks import fewest
from noneuclid.proximities.registry import Carried
from noneuclid.typing import IntArray

Calibration = Literal["prefit"] | Share


class Parts(NamedTuple):
    """Which samples an estimator learns from, and which are held out."""

    training: IntArray
    calibration: IntArray


def drawn(strata: IntArray, share: float, random_state: Any) -> Parts:
    """A share of the samples of every stratum, at random; one at least of each, but not all."""
    rng = check_random_state(random_state)
    held: list[IntArray] = []
    for stratum in np.unique(strata):
        members = rng.permutation(np.flatnonzero(strata == stratum))
        held.append(members[: min(max(round(share * len(members)), 1), len(members) - 1)])
    calibration = np.sort(np.concatenate(held))
    return Parts(np.setdiff1d(np.arange(len(strata)), calibration), calibration)


@parameters
class HeldOut(BaseEstimator):
    """An estimator whose errors on held-out data say how far it can be relied on.

    Parameters
    ----------
    alpha : float, default=0.1
        Share of wrong answers that is allowed, between 0 and 1.
    calibration : float or "prefit", default=0.25
        Share of the data that is held out. ``"prefit"``: the estimator is fitted already (or a
        ``FrozenEstimator``), and all data given to ``fit``, which it must not have seen, are
        held-out ones.
    random_state : int, RandomState or None, default=None
        Who is held out.

    Attributes
    ----------
    estimator_ : estimator
        What answers: a clone, learned from a part of the data, or the one that was given.
    training_indices_ : array of int
        Which of the samples given to ``fit`` it learned from; not with ``"prefit"``.
    calibration_indices_ : array of int
        Which were held out.
    """

    estimator: Any = field(default=None, kw_only=False)
    alpha: Share = 0.1
    calibration: Calibration = 0.25
    random_state: Seed = None

    _kept: ClassVar[tuple[str, ...]] = ("calibration",)

    @abstractmethod
    def _asked(self) -> Any:
        """The estimator that was given, or the default."""

    @property
    def _input(self) -> Any:
        return get_tags(self._asked()).input_tags

    def _takes_pairs(self) -> bool:
        """Whether the estimator that answers is given proximities."""
        known: bool | None = self.__dict__.get("_pairwise")
        return bool(self._input.pairwise) if known is None else known

    def _prefit(self) -> bool:
        return isinstance(as_fitted(self, "calibration"), str)

    def _hold_out(self, X: Any, y: np.ndarray, strata: IntArray) -> tuple[Any, np.ndarray]:
        """Learn from a part of the data; the rest comes back, as the estimator takes it."""
        self._pairwise = bool(self._input.pairwise)
        X = self._admitted(X, reset=True)
        check_consistent_length(X, y)
        model = self._asked()
        if len(y) < (1 if self._prefit() else 2):
            others = "" if self._prefit() else "to learn from, and others "
            raise ValueError(
                f"X has n_samples = {len(y)}: {type(self).__name__} needs samples {others}to hold "
                "out"
            )
        if self._prefit():
            _require_fitted(model)
            self.estimator_ = model
            self.calibration_indices_: IntArray = np.arange(len(y))
            self._require_enough(strata)
            return X, y
        _refuse_indices(model)
        X = self._square(X) if self._input.pairwise else X
        parts = drawn(strata, float(self.calibration), self.random_state)
        self.training_indices_, self.calibration_indices_ = parts
        self._require_enough(strata[parts.calibration], of=strata)
        learned = self._columns(_safe_indexing(X, parts.training))
        self.estimator_ = clone(model).fit(learned, y[parts.training])
        return self._columns(_safe_indexing(X, parts.calibration)), y[parts.calibration]

    def _admitted(self, X: Any, *, reset: bool) -> Any:
        """Data whose rows can be taken; what they hold is for the estimator to judge."""
        X = indexed(X)
        # new data of another form the estimator refuses, and pairs are looked at later
        if reset or (not self._takes_pairs() and getattr(X, "ndim", 2) == 2):
            validate_data(self, X, skip_check_array=True, reset=reset)
        return X

    def _require_enough(
        self, strata: IntArray, alpha: float | None = None, *, of: IntArray | None = None
    ) -> None:
        """Raise where so few samples are held out that no quantile of theirs is finite.

        Of some strata among all (``of``), none may be held out, as of classes of one sample.
        """
        alpha = float(self.alpha if alpha is None else alpha)
        found = np.unique(strata if of is None else of)
        counts = np.bincount(strata, minlength=found[-1] + 1)[found]
        least = int(np.argmin(counts))
        if counts[least] < fewest(alpha):
            raise ValueError(
                f"only {counts[least]} of the samples{self._stratum(int(found[least]))} are held "
                f"out, and alpha (={alpha:g}) needs {fewest(alpha)}: give more data, or raise "
                f"alpha{'' if self._prefit() else ' or calibration'}"
            )

    def _stratum(self, index: int) -> str:
        """Whose held-out samples these are, in a sentence about them."""
        return ""

    def _square(self, X: Any) -> Any:
        """Proximities between all objects: held-out ones are rows, and no columns."""
        P = check_array(X, dtype=np.float64, estimator=self)
        if P.shape[0] != P.shape[1]:
            raise ValueError(
                f"X must be a square matrix of proximities between all objects, and its shape is "
                f'{P.shape}: to hold out rows of others, fit the estimator and use "prefit"'
            )
        return P

    def _columns(self, X: Any) -> Any:
        """Rows of proximities to all objects, with the columns of those it learned from."""
        if not self._input.pairwise or np.shape(X)[1] != self.n_features_in_:
            return X
        return _safe_indexing(X, self.training_indices_, axis=1)

    def _given(self, X: Any) -> Any:
        """New objects as the estimator takes them."""
        check_is_fitted(self)
        X = self._admitted(X, reset=False)
        if not self._takes_pairs() or self._prefit():
            return X
        rows = check_array(X, dtype=np.float64, estimator=self)
        own = len(self.training_indices_), len(getattr(self.estimator_, "landmark_indices_", ()))
        if rows.shape[1] not in (self.n_features_in_, *own):
            raise ValueError(
                f"X has {rows.shape[1]} features, but {type(self).__name__} is expecting "
                f"{self.n_features_in_} features as input: the proximities to all objects it was "
                f"given, or those to the {own[0]} in training_indices_"
            )
        return self._columns(rows)

    def _carried(self) -> Any:
        """Itself, for other processes, with the metric of its estimator."""
        relation = getattr(self.estimator_, "relation_", None)
        return self if relation is None else Carried(self, relation._fitted.source.measure)

    def _example_objects(self) -> Any:
        """One object, of those the estimator can say something about."""
        return self.estimator_._example_objects()

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags = self._input
        return tags


def indexed(X: Any) -> Any:
    """The same in a form whose rows can be taken by their numbers, or an error if there is none."""
    if X is None:
        raise ValueError("X is None: give a row, or an object, for each sample")
    if sparse.issparse(X):
        return X.tocsr()
    if hasattr(X, "columns"):
        _entered(X, "X", {})  # two of one name cannot be told apart
    return np.asarray(X) if hasattr(X, "__array__") and not hasattr(X, "shape") else X


def _require_fitted(model: Any) -> None:
    try:
        check_is_fitted(model)
    except NotFittedError:
        raise ValueError(
            f'calibration="prefit" takes an estimator that is fitted, and this '
            f"{type(model).__name__} is not: fit it on other data first"
        ) from None


def _refuse_indices(model: Any) -> None:
    """Indices among all objects mean others among those that are left to learn from."""
    for name in ("landmarks", "init"):
        value = getattr(model, name, "")
        whole = np.ndim(value) == 1 and np.asarray(value).dtype.kind in "iu"
        if not isinstance(value, str) and whole:
            raise ValueError(
                f"{name} of the estimator are indices of objects, some of which would be held out: "
                'fit the estimator first, and use calibration="prefit"'
            )
