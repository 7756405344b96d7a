"""Reject thresholds for a wanted risk."""

from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_consistent_length

from noneuclid._data import check_is_fitted, check_labels
from noneuclid._parameters import ClosedShare, Share, checked
from noneuclid._warnings import warn
from noneuclid.prototypes.rejection import NEVER, class_thresholds
from noneuclid.typing import Array, IntArray

Delta = Annotated[Any, Share | None]


@checked
def choose_thresholds(
    model: Any,
    X: Any,
    y: ArrayLike,
    *,
    risk: ClosedShare = 0.05,
    delta: Delta = None,
) -> dict[Any, float]:
    r"""Certainties from which on the predictions of each class are wrong in a share ``risk`` only.

    For each class c, with certainty κ and prediction ŷ, the least t such that

    .. math:: \frac{\#\{i : \hat y_i = c,\, \kappa_i \ge t,\, y_i \ne c\}}
                   {\#\{i : \hat y_i = c,\, \kappa_i \ge t\}} \le risk ,

    or, with ``delta``, such that an upper bound of this share on new samples is: then all of them
    hold with probability 1 − δ for each class, whatever the data.

    Parameters
    ----------
    model : classifier
        Fitted; with ``certainty``, as prototype classifiers have, or ``predict_proba``.
    X : as for ``predict``
        Held-out samples: on those it has seen a model is surer than it should be.
    y : array of shape (n,)
        Their labels. One that is not a class of the model is an error of the model.
    risk : float, default=0.05
        Wanted share of errors among accepted predictions, between 0 and 1.
    delta : float, optional
        Probability with which the risk on new samples may be larger. The bound is that of Clopper
        and Pearson for ⌈log₂ n⌉ + 1 numbers of accepted samples; it needs about
        log(1/δ)/risk samples of a class at least, and a warning says where there are fewer.

    Returns
    -------
    dict
        Threshold of every class of the model, for ``predict_or_reject(X, threshold=…)``: 0 accepts
        all of its predictions, 2, which no certainty reaches, none.

    References
    ----------
    L. Fischer, B. Hammer and H. Wersing (2016), Optimal local rejection for classifiers.
    Y. Geifman and R. El-Yaniv (2017), Selective classification for deep neural networks.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from noneuclid.prototypes import GLVQ, choose_thresholds
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = GLVQ(random_state=0).fit(X[::2], y[::2])
    >>> least = choose_thresholds(model, X[1::4], y[1::4], risk=0.02)
    >>> said = model.predict_or_reject(X[3::4], threshold=least)
    >>> accepted = said != -1
    >>> bool((said == y[3::4])[accepted].mean() > model.score(X[3::4], y[3::4]))
    True
    """
    check_is_fitted(model)
    labels = check_labels(y, type(model).__name__)
    predicted = np.asarray(model.predict(X))
    check_consistent_length(predicted, labels)
    _require_known(labels, model.classes_)
    index = np.searchsorted(model.classes_, predicted)
    sure = _certainty(model, X)
    k = len(model.classes_)
    least = class_thresholds(sure, index, predicted == labels, k, float(risk), delta)
    if delta is not None:
        _warn_of_few(sure, index, np.asarray(model.classes_), float(risk), delta)
    return dict(zip(np.asarray(model.classes_).tolist(), least.tolist()))


def _require_known(labels: np.ndarray, classes: Any) -> None:
    """Raise where no prediction at all can be right."""
    known = set(np.asarray(classes).tolist())
    if known.isdisjoint(labels.tolist()):
        raise ValueError(
            f"y holds no class of the model, but {labels.tolist()[0]!r}, which is not among "
            f"{np.asarray(classes).tolist()}"
        )


def _warn_of_few(
    sure: Array, index: IntArray, classes: np.ndarray, risk: float, delta: float
) -> None:
    """Say of which classes nothing can be accepted, were every prediction right."""
    best = class_thresholds(sure, index, np.ones(len(sure), bool), len(classes), risk, delta)
    few = np.flatnonzero(best == NEVER)
    if len(few) > 0:
        warn(
            f"too few samples for risk (={risk}) with delta (={delta}): class "
            f"{classes.tolist()[few[0]]!r} is predicted for {np.sum(index == few[0])}, so that "
            f"nothing is accepted of {len(few)} of {len(classes)} classes, right as it may be"
        )


def _certainty(model: Any, X: Any) -> Array:
    if hasattr(model, "certainty"):
        return np.asarray(model.certainty(X))
    if hasattr(model, "predict_proba"):
        return np.asarray(model.predict_proba(X)).max(axis=1)
    raise TypeError(
        f"model (={type(model).__name__}) must have certainty or predict_proba: thresholds are "
        "compared with one of them"
    )
