"""From which certainty on the predictions of a class are right often enough."""

import math

import numpy as np
from scipy.special import betaincinv

from noneuclid.typing import Array, IntArray

NEVER = 2.0


def class_thresholds(
    certainty: Array,
    predicted: IntArray,
    right: Array,
    n_classes: int,
    risk: float,
    delta: float | None = None,
) -> Array:
    """For every class, the least certainty from which on at most a share ``risk`` is wrong.

    Parameters
    ----------
    certainty : array of shape (n,)
    predicted : array of int of shape (n,)
        Indices of the predicted classes.
    right : array of bool of shape (n,)
    n_classes : int
    risk : float
    delta : float, optional
        As :func:`least_threshold` takes it.

    Returns
    -------
    array of shape (n_classes,)

    Examples
    --------
    >>> import numpy as np
    >>> sure, right = np.array([0.1, 0.2, 0.6, 0.8]), np.array([False, True, True, True])
    >>> class_thresholds(sure, np.zeros(4, dtype=int), right, 2, 0.1).round(2)
    array([0.15, 0.  ])
    """
    thresholds = np.zeros(n_classes)
    for c in range(n_classes):
        of_class = predicted == c
        thresholds[c] = least_threshold(certainty[of_class], right[of_class], risk, delta)
    return thresholds


def least_threshold(
    certainty: Array, right: Array, risk: float, delta: float | None = None
) -> float:
    """The least certainty from which on at most a share ``risk`` of predictions is wrong.

    It lies half-way between the least certain prediction that is accepted and the next.

    Parameters
    ----------
    certainty : array of shape (n,)
    right : array of bool of shape (n,)
    risk : float
    delta : float, optional
        With probability 1 − δ the share is below ``risk`` on new samples, not only on these: an
        upper bound of it (Clopper and Pearson) is, for one of ⌈log₂ n⌉ + 1 numbers of accepted
        samples, each of which is allowed its part of δ.

    Returns
    -------
    float
        0 if all predictions may be accepted, 2 if none: no certainty is above 1.
    """
    n = len(certainty)
    if n == 0:  # no errors, and no evidence
        return 0.0 if delta is None or risk >= 1 else NEVER
    order = np.argsort(-certainty, kind="stable")
    falling, wrong = certainty[order], np.cumsum(~right[order].astype(bool))
    accepted = np.arange(1, n + 1)
    ends = np.append(falling[1:] < falling[:-1], True)  # equal certainties stay together
    if delta is None:
        good = ends & (wrong <= risk * accepted * (1 + 1e-12))
    else:
        tried = {n - 1} | {max(n // 2**j, 1) - 1 for j in range(math.ceil(math.log2(n)) + 1)}
        tried = {k + int(np.argmax(ends[k:])) for k in tried}
        good = np.zeros(n, dtype=bool)
        for k in tried:
            good[k] = upper_bound(int(wrong[k]), k + 1, delta / len(tried)) <= risk
    if not good.any():
        return NEVER
    last = n - 1 - int(np.argmax(good[::-1]))
    return 0.0 if last == n - 1 else float((falling[last] + falling[last + 1]) / 2)


def upper_bound(wrong: int, n: int, delta: float) -> float:
    """The largest probability under which so few of n are wrong with probability δ.

    Examples
    --------
    >>> round(upper_bound(0, 59, 0.05), 4)  # 1 − 0.05^(1/59)
    0.0495
    """
    return 1.0 if wrong >= n else float(betaincinv(wrong + 1, n - wrong, 1.0 - delta))
