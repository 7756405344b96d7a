"""How many of n held-out values are at least as large: what conformal guarantees are made of."""

import math

import numpy as np

from noneuclid.numerics.ties import TIE
from noneuclid.typing import Array, IntArray


def n_exceeding(n: int, alpha: float) -> int:
    r"""How many of n held-out values may lie above the quantile: ⌊(n+1)α⌋.

    It is :math:`n + 1 - \lceil (n+1)(1-\alpha) \rceil`, and α = 0.1 of 10 is 1, not 0.999….

    Examples
    --------
    >>> n_exceeding(9, 0.1), n_exceeding(8, 0.1), n_exceeding(99, 0.05)
    (1, 0, 5)
    """
    return math.floor((n + 1) * float(alpha) * (1.0 + 1e-12))


def fewest(alpha: float) -> int:
    """The fewest held-out values whose quantile is one of them; at most 2⁶³ − 1, beyond any array.

    Examples
    --------
    >>> fewest(0.1), fewest(0.05), fewest(0.3)
    (9, 19, 3)
    """
    return math.ceil(min((1.0 - 1e-12) / float(alpha), 2.0**63)) - 1


def upper_quantile(values: Array, alpha: float) -> float:
    r"""The :math:`\lceil (n+1)(1-\alpha) \rceil`-th smallest of n values; infinity if n is too few.

    A further value of the same kind is at most that with probability 1 − α or more.

    Examples
    --------
    >>> import numpy as np
    >>> upper_quantile(np.arange(1.0, 10.0), 0.1), upper_quantile(np.arange(9.0), 0.3)
    (9.0, 6.0)
    """
    above = n_exceeding(len(values), alpha)
    return float(np.sort(values)[len(values) - above]) if above > 0 else np.inf


def n_at_least(values: Array, rising: Array) -> IntArray:
    """How many of some numbers, in rising order, are at least as large as each value.

    Those that agree up to rounding are equal.

    Examples
    --------
    >>> import numpy as np
    >>> n_at_least(np.array([2.0 + 1e-15, 5.0]), np.array([1.0, 2.0, 3.0]))
    array([2, 0])
    """
    finite = np.abs(rising[np.isfinite(rising)])
    slack = TIE * finite.max(initial=0.0)
    return len(rising) - np.searchsorted(rising, values - slack, side="left")
