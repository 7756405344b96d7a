"""Groups of objects without classes, as many as separate best."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from sklearn.metrics import silhouette_score

from noneuclid._checks import check_count
from noneuclid._parameters import Seed, checked
from noneuclid.numerics import first_argmin, steady_order
from noneuclid.prototypes.quantizers.proximity import ProximityNeuralGas
from noneuclid.proximities import to_dissimilarity
from noneuclid.proximities.checks import Proximity, check_proximities
from noneuclid.typing import Array, IntArray


@dataclass(frozen=True)
class Groups:
    """Groups of objects around the prototypes of neural gas."""

    model: ProximityNeuralGas
    """Fitted on the dissimilarities."""
    silhouettes: dict[int, float]
    """By number of groups."""
    labels: IntArray
    """The group of every object."""
    dissimilarities: Array
    """(n, n): what the groups were found in, negative ones set to zero."""
    distances: Array
    """(n, k): squared, to the prototypes."""
    explained: float
    """Share of the total dissimilarity that the groups explain."""

    def __len__(self) -> int:
        return self.distances.shape[1]

    @property
    def coefficients(self) -> Array:
        """(k, n): prototypes as combinations of the objects."""
        return self.model.coefficients_

    @property
    def silhouette(self) -> float:
        """Mean of (b − a)/max(a, b): 1 is perfect, 0 is none."""
        return self.silhouettes[len(self)]

    def typical(self, k: int = 4) -> list[list[int]]:
        """The k objects nearest to every prototype.

        Parameters
        ----------
        k : int, default=4
            How many of each group.

        Returns
        -------
        list of list of int
            Indices for every group, the most central first.
        """
        return [steady_order(d)[:k].tolist() for d in self.distances.T]


def group_sizes(n_objects: int, most: int = 8) -> range:
    """The numbers of groups that are tried: at least four objects each."""
    return range(2, min(most, n_objects // 4) + 1)


@checked
def find_groups(
    P: ArrayLike,
    proximity: Proximity = "dissimilarity",
    *,
    max_groups: int = 8,
    random_state: Seed = None,
    advance: Callable[[str], None] = lambda what: None,
) -> Groups:
    """Neural gas with the number of prototypes of the largest silhouette.

    Parameters
    ----------
    P : array of shape (n, n)
        Proximities of at least eight objects; negative dissimilarities count as zero.
    proximity : {"similarity", "dissimilarity"}, default="dissimilarity"
    max_groups : int, default=8
    random_state : int, RandomState or None
    advance : callable
        Called after every number of groups.

    Returns
    -------
    Groups
        The number of groups, who is in which, and how clear they are.

    Examples
    --------
    >>> from noneuclid.datasets import make_families
    >>> from noneuclid.proximities import pairwise
    >>> data = make_families(12, n_families=3, mutation=0.1, gaps=0.05)
    >>> found = find_groups(pairwise(data.X, "levenshtein"), random_state=0)
    >>> len(found), np.bincount(found.labels)
    (3, array([12, 12, 12]))
    """
    check_count("max_groups", max_groups, 2)
    P = check_proximities(P, proximity)
    if len(P) < 8:
        raise ValueError(f"there are {len(P)} objects: groups need at least 8")
    D = np.maximum(to_dissimilarity(P) if proximity == "similarity" else P, 0.0)
    np.fill_diagonal(D, 0.0)
    models, scores = {}, {}
    for k in group_sizes(len(D), max_groups):
        gas = ProximityNeuralGas(
            n_prototypes=k, proximity="dissimilarity", init="kmeans++", random_state=random_state
        ).fit(D)
        advance("neural gas")
        if len(np.unique(gas.labels_)) == k:
            models[k] = gas
            scores[k] = float(silhouette_score(np.sqrt(D), gas.labels_, metric="precomputed"))
    if not scores:
        raise ValueError("every number of groups left one empty: the objects are all alike")
    best = models[max(scores, key=lambda k: scores[k])]
    distances = best.transform(D)
    own = np.maximum(distances.min(axis=1), 0.0)
    explained = float(1 - own.mean() / (D.mean() / 2))
    return Groups(best, scores, first_argmin(distances), D, distances, explained)
