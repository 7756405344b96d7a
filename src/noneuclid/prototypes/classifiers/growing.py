"""How many prototypes: as many as still lower the error on samples that were not learned from."""

from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold
from sklearn.utils import check_random_state
from sklearn.utils.metaestimators import _safe_split
from sklearn.utils.validation import _num_samples

from noneuclid._data import check_labels, check_sample_weight
from noneuclid.prototypes.labels import class_indices
from noneuclid.typing import Array, IntArray

# No class gets more prototypes.
_MOST = 10
_FOLDS = 5
# So many larger numbers are tried after the last one that helped: two may help where one does not.
_PATIENCE = 2


def grown(model: Any, X: Any, y: Any, sample_weight: Any) -> tuple[int, dict[int, float]]:
    r"""The number of prototypes per class that stratified folds ask for.

    It begins with one, and grows to k as long as the errors of the samples in the fold left out
    fall by more than the standard error of that fall, sample by sample:

    .. math:: \bar\delta > \sqrt{\mathrm{var}(\delta)/n}, \qquad
              \delta_i = [\text{wrong with the best so far}] - [\text{wrong with } k].

    Parameters
    ----------
    model : classifier
        What is fitted, with 1, 2, … prototypes per class.
    X, y, sample_weight
        As for its ``fit``.

    Returns
    -------
    int, and dict
        The number chosen, and the share of errors of every number that was tried.
    """
    labels = check_labels(y, type(model).__name__)
    _, index = class_indices(labels, _num_samples(X), type(model).__name__)
    weights = None if sample_weight is None else check_sample_weight(sample_weight, len(index))
    smallest = int(np.bincount(index).min())
    folds = min(_FOLDS, smallest)
    if folds < 2:
        return 1, {}
    seed = check_random_state(model.random_state).randint(2**31)
    splits = list(StratifiedKFold(folds, shuffle=True, random_state=seed).split(index, index))
    most = min(_MOST, smallest - -(-smallest // folds))  # all of them in every part
    chosen, wrong = 1, _wrong(model, 1, X, labels, weights, splits)
    tried = {1: float(np.average(wrong, weights=weights))}
    for k in range(2, most + 1):
        if k - chosen > _PATIENCE:
            break
        new = _wrong(model, k, X, labels, weights, splits)
        tried[k] = float(np.average(new, weights=weights))
        if _falls(wrong - new, weights):
            chosen, wrong = k, new
    return chosen, tried


def _wrong(
    model: Any,
    k: int,
    X: Any,
    y: np.ndarray,
    weights: Array | None,
    splits: list[tuple[IntArray, IntArray]],
) -> Array:
    """Whether each sample is misclassified with k prototypes that were not learned from it."""
    wrong = np.empty(len(y))
    for training, held_out in splits:
        some, labels = _safe_split(model, X, y, training)
        others, truth = _safe_split(model, X, y, held_out, training)
        learner = clone(model).set_params(n_prototypes=k, verbose=False)
        given = {} if weights is None else {"sample_weight": weights[training]}
        wrong[held_out] = learner.fit(some, labels, **given).predict(others) != truth
    return wrong


def _falls(delta: Array, weights: Array | None) -> bool:
    """Whether the weighted mean is larger than its standard error."""
    w = np.full(len(delta), 1.0 / len(delta)) if weights is None else weights / weights.sum()
    mean, unseen = float(w @ delta), 1.0 - float(w @ w)  # of the variance, that of the mean
    if unseen <= 0:
        return False
    error = np.sqrt(np.square(w) @ np.square(delta - mean) / unseen)
    return mean > (1.0 + 1e-9) * float(error)  # one sample alone is a tie, whatever rounding says
