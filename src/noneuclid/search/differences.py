"""Differences of scores on the same test parts, and whether they may be chance."""

from typing import Any

import numpy as np
from scipy.stats import t as student

from noneuclid.search.candidates import Candidate
from noneuclid.typing import Array

_COLUMNS = ("learner", "geometry", "score", "folds", "difference", "error", "pvalue")
_NOTHING = (np.nan, np.nan, np.nan)
_EQUAL = 1e-10


def compared(
    winner: Candidate, scores: dict[Candidate, Array], share: float
) -> tuple[dict[str, Any], Array]:
    """One row per candidate: the winner, then by their scores, then those that met no test part.

    Beside the rows come their scores on every test part.
    """

    def rank(one: Candidate) -> tuple[bool, float]:
        met = np.isfinite(scores[one])
        return one is not winner, -float(scores[one][met].mean()) if met.any() else np.inf

    rows: dict[str, list[Any]] = {name: [] for name in _COLUMNS}
    order = sorted(scores, key=rank)
    for one in order:
        met = np.isfinite(scores[one])
        gaps = (scores[one] - scores[winner])[met & np.isfinite(scores[winner])]
        gap, error, pvalue = difference(gaps, share) if one is not winner else _NOTHING
        mean = float(scores[one][met].mean()) if met.any() else np.nan
        values = (one.learner, one.geometry, mean, int(met.sum()), gap, error, pvalue)
        for name, value in zip(_COLUMNS, values):
            rows[name].append(value)
    table = {name: np.array(values) for name, values in rows.items()}
    return table, np.array([scores[one] for one in order])


def difference(gaps: Array, share: float) -> tuple[float, float, float]:
    """The mean, its standard error corrected for overlap, and the p-value of Student's t.

    Equal gaps tell nothing of their spread: then it is the p-value of their signs.

    Parameters
    ----------
    gaps : array of shape (k,)
        Differences on test parts that both met.
    share : float
        Size of a test part over that of its training part.
    """
    k = len(gaps)
    if k < 2:
        return float(gaps.mean()) if k else np.nan, np.nan, np.nan
    mean, spread = float(gaps.mean()), float(gaps.std(ddof=1))
    error = spread * float(np.sqrt(1 / k + share))
    if spread <= _EQUAL * abs(mean):
        return mean, error, 1.0 if mean == 0 else 0.5 ** (k - 1)
    return mean, error, float(2 * student.sf(abs(mean / error), k - 1))


def is_clear(gaps: Array, share: float, level: float = 0.05) -> bool:
    """Whether differences are more than chance."""
    return bool(difference(gaps, share)[2] < level)
