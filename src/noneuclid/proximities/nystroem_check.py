"""Whether the Nystroem approximation will do, before anything is trained."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import spearmanr
from sklearn.utils import check_random_state

from noneuclid._data import check_array
from noneuclid._parameters import Count, Seed, checked
from noneuclid.numerics import level, nystroem_map
from noneuclid.proximities._features import CUTOFF
from noneuclid.proximities._inputs import is_precomputed
from noneuclid.proximities._measures import MetricLike, as_measure
from noneuclid.proximities._noise import FEWEST, n_witnesses, noise_share
from noneuclid.proximities._sources import Source
from noneuclid.proximities.charts import RelationChart
from noneuclid.proximities.checks import Proximity, check_proximities, check_square
from noneuclid.proximities.conversions import centred_similarity_rows
from noneuclid.proximities.landmarks import NumberOfLandmarks, landmark_count
from noneuclid.typing import Array, IntArray

# Where the approximation is published to work the correlation is at least this.
_SUITABLE = 0.5
# A smaller number of landmarks is suggested if it loses no more correlation than this.
_LOSS = 0.05
_COLUMNS = 200
_SMALLEST = 5


@dataclass(frozen=True)
class NystroemCheck:
    """What :func:`nystroem_check` found."""

    rho_pairwise: float
    """Mean rank correlation between approximations from different landmarks."""
    rho_original: float | None
    """Mean rank correlation with the given matrix; None if objects were given."""
    suitable: bool
    """Whether ``rho_pairwise`` is at least 0.5."""
    n_landmarks: int
    """The number that was tried."""
    suggested_n_landmarks: int | None
    """The fewest that do nearly as well; None if even twice as many are more than objects."""
    curve: dict[int, float] = field(default_factory=dict)
    """``rho_pairwise`` for fewer landmarks, at no further cost."""

    @property
    def verdict(self) -> str:
        """The result in words."""
        found = f"rank correlation {self.rho_pairwise:.2f} with {self.n_landmarks} landmarks"
        if self.suitable:
            return f"suitable: {found}; {self.suggested_n_landmarks} landmarks should do"
        if self.suggested_n_landmarks is None:
            return f"not suitable: {found}; train on all proximities"
        return (
            f"not suitable: {found}; the rank seems high, so try {self.suggested_n_landmarks} "
            "landmarks, or train on all proximities"
        )

    def __str__(self) -> str:
        return self.verdict


@checked
def nystroem_check(
    P_or_objects: ArrayLike,
    n_landmarks: NumberOfLandmarks | None = None,
    *,
    n_pairs: Count = 10,
    n_rows: Count = 50,
    proximity: Proximity = "similarity",
    metric: MetricLike = "precomputed",
    random_state: Seed = None,
) -> NystroemCheck:
    r"""Check quickly whether a Nystroem approximation keeps the order of the proximities.

    Two approximations from different landmarks can only agree if both are near the truth:

    .. math:: \rho_{pairwise} = \mathrm{mean}\;\mathrm{spearman}(\tilde K^{(a)}_{i\cdot},
              \tilde K^{(b)}_{i\cdot})

    over sampled rows i and pairs (a, b). Only sampled rows and columns are computed. Values from
    0.5 up go with good classifiers, values below 0.1 with failures. Directions that do harm to
    objects beyond the landmarks are left out, as :class:`NystroemEmbedding` leaves them out.

    Parameters
    ----------
    P_or_objects : array of shape (n, n), or n objects
        The matrix, or the objects, as ``metric`` says.
    n_landmarks : int or float, optional
        Landmarks per approximation, or their share; by default a tenth of the objects, between
        10 and 100.
    n_pairs : int, default=10
        Pairs of approximations.
    n_rows : int, default=50
        Sampled rows.
    proximity : {"similarity", "dissimilarity"}, default="similarity"
    metric : "precomputed", str, Kernel or callable, default="precomputed"
        As for :class:`NystroemEmbedding`.
    random_state : int, RandomState or None, default=None

    Returns
    -------
    NystroemCheck
        Whether landmarks would do, with the numbers it rests on.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(80, 3))
    >>> nystroem_check(X @ X.T, 8, random_state=0).verdict
    'suitable: rank correlation 1.00 with 8 landmarks; 5 landmarks should do'
    >>> nystroem_check(np.eye(80), 8, random_state=0).suitable
    False
    """
    source = _source(P_or_objects, proximity, metric)
    rng = check_random_state(random_state)
    wanted = n_landmarks if n_landmarks is not None else max(10, min(100, source.n // 10))
    m = landmark_count(wanted, source.n)
    rows = rng.permutation(source.n)[:n_rows]
    columns = rng.permutation(source.n)[: max(_COLUMNS, n_rows)]
    sizes = _ladder(m)
    pairwise, original = np.zeros((n_pairs, len(sizes))), np.zeros((n_pairs, 2))
    truth = source.block(rows, columns) if source.objects is None else None
    sample = _Sample(source, rows, columns, m, proximity)
    for pair in range(n_pairs):
        order = rng.permutation(source.n)
        sets = [order[:m], order[-m:]]  # disjoint if there are enough objects
        parts = [sample.approximation(chosen) for chosen in sets]
        unseen = _unseen(rows, sets), _unseen(columns, sets)
        for k, size in enumerate(sizes):
            first, second = (part(size) for part in parts)
            pairwise[pair, k] = _correlation(first, second, *unseen)
        if truth is not None:
            original[pair] = [_correlation(part(m), truth, *unseen) for part in parts]
    curve = dict(zip(sizes, pairwise.mean(axis=0).tolist()))
    rho_original = float(original.mean()) if truth is not None else None
    suitable = curve[m] >= _SUITABLE
    return NystroemCheck(
        curve[m], rho_original, suitable, m, _suggest(curve, m, source.n, suitable), curve
    )


def _source(P_or_objects: Any, proximity: str, metric: Any) -> Source:
    if is_precomputed(metric):
        return Source(check_square(P_or_objects, "P"))
    measure = as_measure(metric, proximity)
    if measure.takes_objects:
        objects = measure.as_objects(P_or_objects)
    else:
        objects = check_array(P_or_objects, dtype=np.float64, input_name="objects")
    return Source(objects, measure.resolve(objects))


def _ladder(m: int) -> list[int]:
    """Numbers of landmarks up to m, each twice the one before."""
    sizes = [m]
    while sizes[0] // 2 >= _SMALLEST:
        sizes.insert(0, sizes[0] // 2)
    return sizes if sizes[0] <= _SMALLEST else [_SMALLEST, *sizes]


def _suggest(curve: dict[int, float], m: int, n: int, suitable: bool) -> int | None:
    if suitable:
        enough = max(_SUITABLE, curve[m] - _LOSS)
        return min(size for size, rho in curve.items() if rho >= enough)
    return 2 * m if 2 * m <= n // 2 else None


class _Sample:
    """Some rows and columns of the matrix of all proximities, to be approximated."""

    def __init__(
        self, source: Source, rows: IntArray, columns: IntArray, m: int, proximity: Proximity
    ):
        self.source, self.rows, self.columns = source, rows, columns
        self.proximity = proximity
        # Objects whose proximities are known tell which directions serve beyond the landmarks.
        self.witnesses = columns[: n_witnesses(m)]
        self.truth = source.restrict(self.witnesses).within()

    def approximation(self, landmarks: IntArray) -> Callable[[int], Array]:
        """m ↦ K̃ of rows and columns from the first m landmarks; distances if dissimilar."""
        block = self.source.block(landmarks, landmarks)
        block = check_proximities(block, self.proximity, "the landmark block")
        to_rows = self.source.block(self.rows, landmarks)
        to_columns = self.source.block(self.columns, landmarks)
        free = np.flatnonzero(~np.isin(self.witnesses, landmarks))

        def approximate(m: int) -> Array:
            return self._approximate(block[:m, :m], to_rows[:, :m], to_columns[:, :m], free)

        return approximate

    def _approximate(self, B: Array, to_rows: Array, to_columns: Array, free: IntArray) -> Array:
        share = self._noise(B, to_columns, free)
        to = np.vstack([to_rows, to_columns])
        if self.proximity == "dissimilarity":
            B, to = (centred_similarity_rows(part, B.mean(axis=0)) for part in (B, to))
        if not np.abs(B).max() > 0:
            return np.zeros((len(to_rows), len(to_columns)))
        M, signs = nystroem_map((B + B.T) / 2, max(CUTOFF, share))
        chart = RelationChart(to @ M, signs)
        some, others = slice(len(to_rows)), slice(len(to_rows), None)
        K = chart.similarities(some, others)
        if self.proximity == "similarity":
            return K
        own = chart.diagonal
        return own[some, None] - 2 * K + own[others]

    def _noise(self, B: Array, to_columns: Array, free: IntArray) -> float:
        """Below which share of the largest eigenvalue others do harm; 0 if too few can tell."""
        if len(free) < FEWEST:
            return 0.0
        truth = self.truth[np.ix_(free, free)]
        return noise_share(B, to_columns[free], truth, self.proximity)


def _unseen(sample: IntArray, sets: list[IntArray]) -> IntArray:
    """Positions of the objects that are no landmarks: those are reproduced whatever the rank."""
    free = np.flatnonzero(~np.isin(sample, np.concatenate(sets)))
    return free if len(free) > 2 else np.arange(len(sample))


def _correlation(A: Array, B: Array, rows: IntArray, columns: IntArray) -> float:
    """Mean rank correlation of corresponding rows; a constant row says nothing and counts 0."""
    block = np.ix_(rows, columns)
    told = [
        float(spearmanr(a, b).statistic) if np.ptp(a) > 0 and np.ptp(b) > 0 else 0.0
        for a, b in zip(map(level, A[block]), map(level, B[block]))
    ]
    return float(np.mean(told))
