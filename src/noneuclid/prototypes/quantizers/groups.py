"""Groups of objects without classes, as many as separate best."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.metrics import adjusted_rand_score, silhouette_score
from sklearn.utils import check_random_state

from noneuclid._checks import check_count
from noneuclid._parameters import Seed, checked
from noneuclid.numerics import first_argmin, steady_order
from noneuclid.prototypes.quantizers.proximity import ProximityNeuralGas
from noneuclid.proximities import to_dissimilarity
from noneuclid.proximities.checks import Proximity, check_proximities
from noneuclid.typing import Array, IntArray

# A resample holds this share of the objects, and no more than so many.
_SHARE, _MOST = 0.7, 300


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
    stability: dict[int, Array] = field(default_factory=dict)
    """By number of groups: how far each resample of the objects finds the same groups."""

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
    n_groups: int | None = None,
    n_resamples: int = 0,
    random_state: Seed = None,
    advance: Callable[[str], None] = lambda what: None,
) -> Groups:
    r"""Neural gas with the number of prototypes of the largest silhouette.

    The evidence for every number k, beside the silhouette, is how stable its groups are: of
    resamples of the objects, each is grouped by itself, all objects go to the nearest of its
    prototypes, and the two partitions are compared by the adjusted Rand index

    .. math:: \frac{\sum_{ij}\binom{n_{ij}}{2} - e}
              {\tfrac12\bigl[\sum_i\binom{a_i}{2} + \sum_j\binom{b_j}{2}\bigr] - e},
              \qquad e = \sum_i\binom{a_i}{2}\sum_j\binom{b_j}{2} \Big/ \binom n2,

    which is 1 for equal partitions and 0 on average for those of chance (Hubert and Arabie, 1985).

    Parameters
    ----------
    P : array of shape (n, n)
        Proximities of at least eight objects; negative dissimilarities count as zero.
    proximity : {"similarity", "dissimilarity"}, default="dissimilarity"
    max_groups : int, default=8
    n_groups : int, optional
        The number of groups, if it is known; others are tried all the same, as evidence.
    n_resamples : int, default=0
        Resamples by which stability is measured.
    random_state : int, RandomState or None
    advance : callable
        Called after every number of groups.

    Returns
    -------
    Groups
        The number of groups, who is in which, and how clear and how stable they are.

    References
    ----------
    A. Ben-Hur, A. Elisseeff and I. Guyon (2002), A stability based method for discovering structure
    in clustered data. L. Hubert and P. Arabie (1985), Comparing partitions.

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
    if n_groups is not None:
        check_count("n_groups", n_groups, 2)
        if n_groups > len(D) // 2:
            raise ValueError(f"n_groups (={n_groups}) is more than half of the {len(D)} objects")
    models, scores, stability = {}, {}, {}
    for k in sorted({*group_sizes(len(D), max_groups), *([n_groups] if n_groups else [])}):
        gas = _gas(k, random_state).fit(D)
        advance("neural gas")
        if len(np.unique(gas.labels_)) == k:
            models[k] = gas
            scores[k] = float(silhouette_score(np.sqrt(D), gas.labels_, metric="precomputed"))
            if n_resamples:
                labels = first_argmin(gas.transform(D))
                stability[k] = _stability(D, labels, k, n_resamples, random_state)
    if not scores:
        raise ValueError("every number of groups left one empty: the objects are all alike")
    if n_groups is not None and n_groups not in models:
        raise ValueError(f"n_groups (={n_groups}) leaves a group empty: ask for fewer")
    best = models[n_groups or max(scores, key=lambda k: scores[k])]
    distances = best.transform(D)
    own = np.maximum(distances.min(axis=1), 0.0)
    explained = float(1 - own.mean() / (D.mean() / 2))
    return Groups(best, scores, first_argmin(distances), D, distances, explained, stability)


def _gas(k: int, random_state: Any) -> ProximityNeuralGas:
    return ProximityNeuralGas(
        n_prototypes=k, proximity="dissimilarity", init="kmeans++", random_state=random_state
    )


def _stability(D: Array, labels: IntArray, k: int, n_resamples: int, random_state: Any) -> Array:
    """Adjusted Rand indices of the groups, and of those that resamples find."""
    rng = check_random_state(random_state)
    size = max(min(round(_SHARE * len(D)), _MOST), 2 * k)
    found = []
    for _ in range(n_resamples):
        some = np.sort(rng.permutation(len(D))[:size])
        gas = _gas(k, rng.randint(2**31)).fit(D[np.ix_(some, some)])
        again = first_argmin(gas.transform(D[:, some]))
        found.append(adjusted_rand_score(labels, again))
    return np.array(found)
