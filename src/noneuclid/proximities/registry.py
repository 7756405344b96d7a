"""Metrics by name: those of the package, and those of its users."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from noneuclid._checks import check_choice, shown
from noneuclid.kernels.names import did_you_mean, kernel_names
from noneuclid.kernels.pairs import REGISTERED
from noneuclid.proximities.checks import Proximity, check_kind
from noneuclid.proximities.series_edit_metrics import (
    CommonSubsequence,
    EditRealPenalty,
    EditRealSequence,
    MoveSplitMerge,
    TimeWarpEdit,
)
from noneuclid.proximities.series_metrics import SeriesMetric
from noneuclid.proximities.train_metrics import TrainMetric, VanRossum, VictorPurpura
from noneuclid.proximities.transport import Wasserstein
from noneuclid.proximities.warping_metrics import (
    DTW,
    AmercingDTW,
    DerivativeDTW,
    ShapeDTW,
    WeightedDTW,
)

Kind = Literal["rows", "strings", "trains", "series", "bags", "objects"]
_KINDS = (None, "rows", "strings", "trains", "series", "bags", "objects")


@dataclass(frozen=True)
class NamedMetric:
    """What a name stands for."""

    name: str
    proximity: Proximity
    kind: Kind
    """Whether it compares rows of a table, strings, trains of events, series, bags, or others."""
    description: str
    function: Callable[[Any, Any], float] | None = None
    """Of two objects, where it is one or a user gave it."""


# The names of ``sklearn.metrics.pairwise_distances``; its private list is not to be relied on.
_ROWS = {
    "braycurtis": "sum of differences over sum of sums",
    "canberra": "sum of differences, each over the sum of its moduli",
    "chebyshev": "largest difference",
    "cityblock": "sum of differences",
    "correlation": "one minus the correlation",
    "cosine": "one minus the cosine of the angle",
    "dice": "unequal truth values, common ones counted twice",
    "euclidean": "length of the difference",
    "hamming": "share of unequal features",
    "haversine": "distance on the sphere, of latitude and longitude in radians",
    "jaccard": "share of unequal among those not both zero",
    "l1": "sum of differences",
    "l2": "length of the difference",
    "mahalanobis": "length of the difference, whitened with the training covariance",
    "manhattan": "sum of differences",
    "minkowski": "length of the difference",
    "nan_euclidean": "length of the difference over the features both have",
    "rogerstanimoto": "unequal truth values, counted twice",
    "russellrao": "share of features not both true",
    "seuclidean": "length of the difference, features scaled to unit training variance",
    "sokalsneath": "unequal truth values against common true ones",
    "sqeuclidean": "squared length of the difference",
    "yule": "unequal truth values by their odds",
}
_STRINGS = {
    "damerau_levenshtein": "insertions, deletions, substitutions and swaps, freely combined",
    "indel": "insertions and deletions",
    "jaro": "one minus the share of letters that match nearly in place",
    "jaro_winkler": "Jaro, smaller with a common beginning",
    "lcs": "letters outside of the longest common subsequence",
    "levenshtein": "insertions, deletions and substitutions",
    "osa": "insertions, deletions, substitutions and swaps of neighbours",
    "string_hamming": "unequal letters of strings of one length",
}
_SCORES = {
    "needleman_wunsch": "score of the best alignment from end to end",
    "smith_waterman": "score of the best alignment of pieces",
}
_TRAINS: dict[str, tuple[str, TrainMetric]] = {
    "van_rossum": ("length of the difference of smoothed trains", VanRossum()),
    "victor_purpura": ("insertions, deletions and moves of events", VictorPurpura()),
}
_SERIES: dict[str, tuple[str, SeriesMetric]] = {
    "adtw": ("squared differences along a path, and a penalty per step aside", AmercingDTW()),
    "ddtw": ("squared differences of slopes along the best path", DerivativeDTW()),
    "dtw": ("squared differences along the best path", DTW()),
    "edr": ("share of points to be changed or left out", EditRealSequence()),
    "erp": ("edits that cost what points are off zero", EditRealPenalty()),
    "lcss": ("one minus the share of the longest common subsequence", CommonSubsequence()),
    "msm": ("moves, splits and merges of points", MoveSplitMerge()),
    "shape_dtw": ("squared differences along the best path of the shapes around", ShapeDTW()),
    "twe": ("edits that pay for differences of time, too", TimeWarpEdit()),
    "wdtw": ("squared differences along a path, dearer far from the diagonal", WeightedDTW()),
}
_KNOWN: dict[str, NamedMetric] = {
    **{name: NamedMetric(name, "dissimilarity", "rows", text) for name, text in _ROWS.items()},
    **{name: NamedMetric(name, "dissimilarity", "strings", s) for name, s in _STRINGS.items()},
    **{
        name: NamedMetric(name, "dissimilarity", "trains", *known)
        for name, known in _TRAINS.items()
    },
    **{
        name: NamedMetric(name, "dissimilarity", "series", *known)
        for name, known in _SERIES.items()
    },
    "wasserstein": NamedMetric(
        "wasserstein",
        "dissimilarity",
        "bags",
        "squared distances along which one bag is carried to the other",
        Wasserstein(),
    ),
    **{name: NamedMetric(name, "similarity", "rows", "a kernel") for name in kernel_names()},
    **{name: NamedMetric(name, "similarity", "strings", text) for name, text in _SCORES.items()},
}
_USERS: dict[str, NamedMetric] = {}


def metrics(proximity: Proximity | None = None, kind: Kind | None = None) -> list[str]:
    """Names that ``metric=`` takes, besides ``"precomputed"``.

    Parameters
    ----------
    proximity : {"similarity", "dissimilarity"}, optional
        Only those that give this.
    kind : {"rows", "strings", "trains", "series", "bags", "objects"}, optional
        Only those that compare this.

    Returns
    -------
    list of str
        In the order of the alphabet.

    Examples
    --------
    >>> metrics("similarity", kind="rows")
    ['gaussian', 'laplacian', 'linear', 'poly', 'polynomial', 'rbf']
    >>> metrics(kind="strings")[:4]
    ['damerau_levenshtein', 'indel', 'jaro', 'jaro_winkler']
    >>> metrics(kind="trains")
    ['van_rossum', 'victor_purpura']
    """
    if proximity is not None:
        check_kind(proximity)
    check_choice("kind", kind, _KINDS)
    return sorted(
        name
        for name, known in {**_KNOWN, **_USERS}.items()
        if proximity in (None, known.proximity) and kind in (None, known.kind)
    )


def describe_metric(name: str) -> NamedMetric:
    """Return what a name stands for, or raise with the names that are spelt alike.

    Parameters
    ----------
    name : str
        As ``metric=`` takes it.

    Returns
    -------
    NamedMetric
        What it compares, whether it is a distance, and its function.

    Examples
    --------
    >>> describe_metric("indel").description
    'insertions and deletions'
    """
    known = {**_KNOWN, **_USERS}
    if name not in known:
        raise ValueError(
            f"metric (={shown(name)}) is not known{did_you_mean(name, list(known))}"
            " (metrics() lists all names, register_metric adds one)"
        )
    return known[name]


def register_metric(
    name: str,
    function: Callable[[Any, Any], float],
    proximity: Proximity = "dissimilarity",
    *,
    takes: Literal["objects", "rows"] = "objects",
    replace: bool = False,
) -> None:
    """Let a name stand for a function of two objects, wherever a metric is asked for.

    A model saved with the name works after loading once the name is registered again, and so it
    does in another process.

    Parameters
    ----------
    name : str
        Not one of the package's.
    function : callable
        ``function(a, b) -> float``.
    proximity : {"similarity", "dissimilarity"}, default="dissimilarity"
        What it returns. Dissimilarities are squared-distance-like.
    takes : {"objects", "rows"}, default="objects"
        Whether the objects are anything, or rows of a numeric table, which are checked first and
        come as 1-d arrays.
    replace : bool, default=False
        Whether another function of that name may be replaced.

    Examples
    --------
    >>> from noneuclid.proximities import pairwise
    >>> def letters(a, b):
    ...     return len(set(a) ^ set(b))
    >>> register_metric("letters", letters)
    >>> pairwise(["cat", "cart"], "letters")
    array([[0., 1.],
           [1., 0.]])
    """
    check_kind(proximity)
    check_choice("takes", takes, ("objects", "rows"))
    if not isinstance(name, str) or not name:
        raise TypeError(f"name (={name!r}) must be a word")
    if not callable(function) or isinstance(function, type):
        raise TypeError(f"function (={function!r}) must be a function of two objects")
    if name in _KNOWN or name == "precomputed":
        raise ValueError(f"name (={name!r}) is a metric of the package: choose another")
    new = NamedMetric(name, proximity, takes, "registered", function)
    if _USERS.get(name, new) != new and not replace:
        raise ValueError(f"name (={name!r}) stands for another function: replace=True replaces it")
    # Kernels are looked up by name while other threads fit: the name is never missing in between.
    if proximity == "similarity":
        REGISTERED[name] = (function, takes == "rows")
    _USERS[name] = new
    if proximity != "similarity":
        REGISTERED.pop(name, None)


class Carried:
    """Something that goes to other processes together with the metrics that users named.

    Parameters
    ----------
    thing : object
        Answers for itself.
    measure : Kernel or Dissimilarity, optional
        Whose names are meant.
    """

    def __init__(self, thing: Any, measure: Any = None):
        self.thing, self.names = thing, _users_names(measure)

    def __getattr__(self, name: str) -> Any:
        if name == "thing":  # not there yet while it is unpickled
            raise AttributeError(name)
        return getattr(self.thing, name)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "known": [_USERS[n] for n in self.names if n in _USERS]}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for known in state.pop("known"):
            takes: Literal["objects", "rows"] = "rows" if known.kind == "rows" else "objects"
            register_metric(known.name, known.function, known.proximity, takes=takes, replace=True)
        self.__dict__.update(state)


def _users_names(measure: Any) -> list[str]:
    """Names that users registered, among the parameters of a measure."""
    values = [getattr(measure, "metric", None)]
    if hasattr(measure, "get_params"):
        values += measure.get_params(deep=True).values()
    return sorted({value for value in values if isinstance(value, str) and value in _USERS})
