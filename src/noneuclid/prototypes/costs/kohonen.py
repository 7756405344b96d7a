"""Kohonen's heuristics: LVQ1 and LVQ2.1."""

import numpy as np

from noneuclid._estimator import estimator
from noneuclid._parameters import Share
from noneuclid.numerics import first_argmin
from noneuclid.prototypes.costs.base import Cost, CostCode, Membership, PerSample, nearest
from noneuclid.typing import Array


@estimator
class LVQ1Cost(Cost):
    r"""Kohonen's heuristic: the winner is pulled if it has the right class, else pushed.

    .. math:: \sum_i \pm d(\xi_i, w_{win})

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid.prototypes.costs import LVQ1Cost, Membership
    >>> who = Membership(np.array([0]), np.array([0, 1]))
    >>> LVQ1Cost().evaluate(np.array([[3.0, 1.0]]), who).forces  # a wrong winner is pushed
    array([[ 0., -1.]])
    """

    name = "lvq1"
    is_heuristic = True

    def per_sample(self, D: Array, who: Membership) -> PerSample:
        """±1 on the winner."""
        rows = np.arange(len(D))
        winner = first_argmin(D)
        sign = np.where(who.own[rows, winner], 1.0, -1.0)
        F = np.zeros_like(D)
        F[rows, winner] = sign
        return PerSample(sign * D[rows, winner], F)

    def code(self, n_prototypes: int) -> CostCode:
        """The cost for compiled code."""
        return CostCode(reward=1.0)


@estimator
class WindowParameters:
    """What LVQ2.1 can be told.

    Parameters
    ----------
    window : float, default=0.3
        LVQ2.1: a sample counts if its distances to the nearest right and wrong prototype differ by
        less than the share (1 − window)/(1 + window); between 0 and 1.
    """

    window: Share = 0.3


@estimator
class LVQ21Cost(WindowParameters, Cost):
    r"""Kohonen's LVQ2.1: both nearest prototypes move, if the sample is near their border.

    .. math:: \min\left(\sqrt{d_+/d_-}, \sqrt{d_-/d_+}\right) > \frac{1-window}{1+window}

    The distances of the window are not squared, hence the roots. Samples with a distance that is
    not positive are skipped.
    """

    name = "lvq21"
    is_heuristic = True

    def per_sample(self, D: Array, who: Membership) -> PerSample:
        """Σ d₊ − d₋ over the samples inside the window."""
        rows = np.arange(len(D))
        right, plus = nearest(D, who.own)
        wrong, minus = nearest(D, ~who.own)
        positive = (plus > 0) & (minus > 0)
        low, high = np.minimum(plus, minus), np.maximum(plus, minus)
        ratio = np.sqrt(np.where(positive, low, 0.0) / np.where(positive, high, 1.0))
        inside = positive & (ratio > (1 - self.window) / (1 + self.window))
        F = np.zeros_like(D)
        F[rows, right] = inside
        F[rows, wrong] -= inside
        return PerSample(np.where(inside, plus - minus, 0.0), F)

    def code(self, n_prototypes: int) -> CostCode:
        """The cost for compiled code."""
        return CostCode(window=float(self.window))
