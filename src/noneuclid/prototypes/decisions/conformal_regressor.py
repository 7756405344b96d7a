"""Intervals that hold the right number as often as was asked for."""

from dataclasses import field
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from sklearn.base import is_regressor
from sklearn.utils.validation import column_or_1d

from noneuclid._checks import check_share
from noneuclid._data import check_array, check_range, validate_data
from noneuclid._estimator import estimator as parameters
from noneuclid._parameters import Rule
from noneuclid._sklearn import RegressorMixin
from noneuclid.numerics.ties import TIE
from noneuclid.prototypes.decisions.held_out import HeldOut, indexed
from noneuclid.prototypes.decisions.ranks import upper_quantile
from noneuclid.typing import Array


def _regresses(value: Any) -> bool:
    return hasattr(value, "fit") and not isinstance(value, type) and bool(is_regressor(value))


Regressor = Annotated[Any, Rule("a regressor", _regresses), None]


@parameters
class ConformalRegressor(RegressorMixin, HeldOut):
    r"""Intervals that hold the right number with probability 1 − α, whatever the regressor.

    A part of the data is held out, and the errors of the regressor f on its n samples say how wide
    an interval has to be:

    .. math:: f(x) \pm r_{(\lceil (n+1)(1-\alpha)\rceil)}, \qquad r_i = |y_i - f(x_i)|,

    the subscript meaning the so-manieth smallest. If new samples come from where the held-out ones
    do, it holds the right number with probability 1 − α at least, and 1 − α + 1/(n+1) at most if
    no two errors are equal, on average over the draw of all of them.

    Parameters
    ----------
    estimator : regressor, optional
        Of this package or of scikit-learn; None is scikit-learn's ``Ridge()`` of rows of numbers,
        whose penalty is a number: in other units of X it is another one.

    Attributes
    ----------
    calibration_scores_ : array of shape (n,)
        :math:`r_i` of the held-out samples.

    Notes
    -----
    Precomputed proximities are cut in rows *and* columns, as :class:`ConformalClassifier` says.
    Constant targets are all right if the regressor takes them, as ``Ridge`` does.

    References
    ----------
    H. Papadopoulos et al. (2002), Inductive confidence machines for regression. J. Lei et al.
    (2018), Distribution-free predictive inference for regression.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from noneuclid.prototypes import ConformalRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = ConformalRegressor(alpha=0.2, random_state=0).fit(X[:300], y[:300])
    >>> low, high = model.predict_interval(X[300:]).T
    >>> bool(((low <= y[300:]) & (y[300:] <= high)).mean() > 0.75)
    True
    """

    estimator: Regressor = field(default=None, kw_only=False)

    def _asked(self) -> Any:
        from sklearn.linear_model import Ridge  # whose import takes longer than all of these

        return Ridge() if self.estimator is None else self.estimator

    def fit(self, X: Any, y: ArrayLike) -> Self:
        """Learn from a part of the data, and see how it does on the rest.

        Parameters
        ----------
        X : array of shape (n, d) or (n, n), or n objects
            As the estimator takes it.
        y : array of shape (n,)
            Numbers.

        Returns
        -------
        self
        """
        targets = _checked_targets(y, type(self).__name__)
        held, theirs = self._hold_out(X, targets, np.zeros(len(targets), dtype=int))
        self.calibration_scores_: Array = np.abs(theirs - self._answers(held))
        return self

    def _admitted(self, X: Any, *, reset: bool) -> Any:
        """As the estimator takes it; Ridge takes huge numbers, masks and times without a word."""
        if self.estimator is not None:
            return super()._admitted(X, reset=reset)
        X = indexed(X)
        if not sparse.issparse(X):
            return validate_data(self, X, dtype=np.float64, reset=reset)
        validate_data(self, X, skip_check_array=True, reset=reset)
        rows: Any = check_array(X, accept_sparse="csr", dtype=np.float64, estimator=self)
        check_range(rows.data, tiny=not reset)
        return rows

    def _answers(self, given: Any) -> Array:
        answers = np.asarray(self.estimator_.predict(given), dtype=np.float64)
        if answers.size != len(answers):
            raise ValueError(
                f"the estimator predicts {answers.size // len(answers)} numbers for a sample, and "
                "an interval is of one: give a regressor of one target"
            )
        return answers.reshape(-1)

    def predict_interval(self, X: Any, alpha: float | None = None) -> Array:
        """Between which numbers the right one lies, with probability 1 − α.

        Parameters
        ----------
        X : as for ``predict``
        alpha : float, optional
            Share of intervals that may miss; by default the parameter of the class.

        Returns
        -------
        array of shape (n, 2)
            Lower and upper ends.
        """
        given = self._given(X)
        alpha = float(self.alpha) if alpha is None else alpha
        check_share("alpha", alpha)
        self._require_enough(np.zeros(len(self.calibration_scores_), dtype=int), alpha)
        centre, radius = self._answers(given), upper_quantile(self.calibration_scores_, alpha)
        # The ends hold what is as far away as the radius, whatever the rounding of differences.
        slack = TIE * (np.abs(centre) + radius)
        return np.column_stack([centre - radius - slack, centre + radius + slack])

    def predict(self, X: Any) -> Array:
        """The number that the estimator predicts.

        Parameters
        ----------
        X : array of shape (n, d), or n objects
            Or rows of proximities to all objects that were given to ``fit``.

        Returns
        -------
        array of shape (n,)
        """
        return self._answers(self._given(X))


def _checked_targets(y: ArrayLike, learner: str) -> Array:
    """Return a number per sample, or raise."""
    if y is None:
        raise ValueError(f"{learner} requires y to be passed, but the target y is None")
    numbers = check_array(y, ensure_2d=False, dtype=np.float64, input_name="y")
    found: Array = column_or_1d(numbers, warn=True)
    return check_range(found, "y", tiny=True)
