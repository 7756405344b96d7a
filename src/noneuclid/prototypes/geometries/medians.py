"""Prototypes that are objects of the training set, learned without labels."""

from dataclasses import dataclass

import numpy as np

from noneuclid.numerics import first_argmin
from noneuclid.prototypes.costs.pulls import Pulls
from noneuclid.prototypes.geometries.base import Meeting
from noneuclid.prototypes.geometries.combinations import CombinationGeometry
from noneuclid.typing import Array, IntArray

# A move must be better by more than rounding.
_TIE = 1e-10


@dataclass
class Medians:
    """Which objects the prototypes are."""

    chosen: IntArray


class MedianGeometry(Meeting):
    r"""Objects, of which some are the prototypes.

    The best prototype for given pulls is the generalised median
    :math:`\arg\min_l\sum_i h_{ij}\,d(\xi_i, \xi_l)` of the objects that are no prototype yet:
    two at one object would have the same distances for ever after. One after the other moves, if
    that is better, so that the cost never rises.

    Parameters
    ----------
    objects : CombinationGeometry
        What is known of the objects.
    """

    def __init__(self, objects: CombinationGeometry):
        self.objects = objects
        self.R = np.ascontiguousarray(objects.all_distances())

    @property
    def n_samples(self) -> int:
        """How many objects there are."""
        return self.objects.n_samples

    def multiplications(self, theta: Medians) -> int:
        """Of all distances, which are there, with pulls."""
        return self.n_samples**2 * len(theta.chosen)

    def state(self, G: Array) -> Medians:
        """The objects themselves, or those nearest to combinations, a different one for each."""
        if (np.count_nonzero(G, axis=1) == 1).all():
            return Medians(G.argmax(axis=1))
        D = self.objects.distances(self.objects.state(G)).T
        chosen = np.empty(len(D), dtype=np.intp)
        for j, row in enumerate(D):
            if j < len(row):  # as long as there are others
                row[chosen[:j]] = np.inf
            chosen[j] = first_argmin(row)
        return Medians(chosen)

    def distances(self, theta: Medians, rows: IntArray | slice = slice(None)) -> Array:
        """d_ij of the objects ``rows``: (n, m)."""
        return np.ascontiguousarray(self.R[theta.chosen][:, rows].T)

    def centres(self, pulls: Pulls, theta: Medians) -> Medians:
        """The generalised medians for given pulls, one after the other; one without any stays."""
        costs, chosen = pulls.sums(self.R), theta.chosen.copy()
        for j in np.flatnonzero(pulls.mass > 0):
            here = costs[j, chosen[j]]
            costs[j, chosen] = np.inf
            best = int(first_argmin(costs[j]))
            if costs[j, best] < here - _TIE * abs(here):
                chosen[j] = best
        return Medians(chosen)
