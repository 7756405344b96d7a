"""Scores of classes, compared with those of all others."""

import numpy as np
from scipy.special import logsumexp

from noneuclid.typing import Array


def lead_of_others(scores: Array) -> Array:
    """By how much the best of all other classes is before each class: (n, n_classes).

    Examples
    --------
    >>> import numpy as np
    >>> lead_of_others(np.array([[1.0, 3.0, 2.5]]))
    array([[ 2. , -0.5,  0.5]])
    """
    best, rows = np.argmax(scores, axis=1), np.arange(len(scores))
    others = np.repeat(scores[rows, best][:, None], scores.shape[1], axis=1)
    rest = scores.copy()
    rest[rows, best] = -np.inf
    others[rows, best] = rest.max(axis=1)
    return others - scores


def log_odds(scores: Array) -> Array:
    """Logarithm of P(c)/(1 − P(c)), of log-probabilities up to a constant per row.

    Examples
    --------
    >>> import numpy as np
    >>> log_odds(np.log([[0.2, 0.8], [0.5, 0.5]])).round(3)
    array([[-1.386,  1.386],
           [ 0.   ,  0.   ]])
    """
    k = scores.shape[1]
    others = [logsumexp(np.delete(scores, c, axis=1), axis=1) for c in range(k)]
    return scores - np.column_stack(others)
