r"""One test from many kernels: the smallest p-value of all, compared with its own permutations.

.. math:: p_{bw} = \frac{\#\{b' : T_{b'w} \ge T_{bw}\}}{B + 1}, \qquad
          M_b = \max_w -\log\frac{p_{bw}}{v_w}, \qquad p = \frac{\#\{b : M_b \ge M_0\}}{B + 1},

with weights v of the kernels, where b = 0 are the data. All B + 1 permutations are treated alike,
by a function that does not know which of them are the data; so the M_b are as exchangeable as the
statistics they are made of, and the level is exact whatever the kernels and however many. Equal
ranks are told apart by how far a statistic is above the mean of all permutations, in standard
deviations, lest many kernels with few permutations never reject.
"""

from typing import Any

import numpy as np

from noneuclid.information._permutations import ROUNDING
from noneuclid.information.results import AggregateResult
from noneuclid.typing import Array


def centred(number: int, middle: int) -> Array:
    """Weights 1/(1 + k) of kernels k steps from the middle one, the likeliest to be right."""
    return np.asarray(1.0 / (1.0 + np.abs(np.arange(number) - middle)))


def aggregate(
    values: Array, kernels: tuple[Any, ...], level: float, name: str, weights: Array | None = None
) -> AggregateResult:
    """Result of a test whose statistics have one row per kernel, the data in the first column."""
    if not np.isfinite(values).all():
        raise ValueError(f"the {name} of the data or of a permutation is not a finite number")
    evidence = np.array([_evidence(row) for row in values])
    if weights is not None:
        evidence += np.log(weights / weights.max())[:, None]
    largest = evidence.max(axis=0)
    margin = ROUNDING * max(float(np.abs(largest).max()), 1.0)
    pvalues = np.array([(largest >= own - margin).mean() for own in evidence[:, 0]])
    return AggregateResult(
        float(largest[0]),
        float(pvalues.min()),
        largest[1:],
        float(level),
        f"{name}, over {len(kernels)} kernels",
        kernels=kernels,
        pvalues=pvalues,
        statistics=values[:, 0],
    )


def _evidence(values: Array) -> Array:
    """−log of each permutation's p-value among all, ranks split by the standardised value."""
    margin = ROUNDING * np.abs(values).max()
    ranks = len(values) - np.searchsorted(np.sort(values), values - margin, side="left")
    spread = values.std()
    if not spread > margin:  # all are equal
        return np.zeros(len(values))
    above = np.maximum((values - values.mean()) / spread, 0.0)
    return np.asarray(-np.log((ranks - 0.5 * above / (1.0 + above)) / len(values)))
