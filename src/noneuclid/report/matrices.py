"""Objects as their proximities: as given, by an edit distance, or by a kernel of spike trains."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sklearn.base import clone

from noneuclid._checks import check_choice
from noneuclid.datasets import DataError, Dataset
from noneuclid.kernels import SpikeTrainKernel
from noneuclid.proximities import (
    describe_metric,
    metrics,
    pairwise,
    symmetrize,
    to_dissimilarity,
    to_similarity,
)
from noneuclid.proximities.checks import Proximity
from noneuclid.spikes import WidthSelection, select_width
from noneuclid.typing import Array


@dataclass(frozen=True)
class Matrix:
    """Proximities between all objects, and where they come from."""

    P: Array
    proximity: Proximity
    code: str = "data.X"
    """The Python expression for P, with the dataset called ``data``."""
    metric: Any = "precomputed"
    """What gives P from the objects."""
    asymmetry: float = 0.0
    """Largest |p_ij − p_ji| over the largest entry, before it was made symmetric."""

    @cached_property
    def S(self) -> Array:
        """The similarities they are or imply."""
        return self.P if self.proximity == "similarity" else to_similarity(self.P)

    @cached_property
    def D(self) -> Array:
        """The dissimilarities they are or imply."""
        return to_dissimilarity(self.P) if self.proximity == "similarity" else self.P

    def portable(self, fitted: Any, data: Dataset) -> Any:
        """The model of the matrix as one that takes objects."""
        if isinstance(self.metric, str) and self.metric == "precomputed":
            return fitted
        answers = data.labels if data.target is None else data.target
        return clone(fitted).set_params(metric=self.metric).fit(data.X, answers)


def given_matrix(data: Dataset) -> Matrix:
    """The proximities of the data; the mean of both directions if they differ."""
    size, gap = abs(data.X).max(), float(abs(data.X - data.X.T).max())
    asymmetry = max(data.asymmetry, gap / size if size else 0.0)
    code = "symmetrize(data.X)" if gap else "data.X"
    return Matrix(symmetrize(data.X), data.kind, code, asymmetry=asymmetry)  # type: ignore[arg-type]


def edit_distances(sequences: list[str], metric: str = "levenshtein") -> Array:
    """Edit distances between all sequences, by a name of ``metrics(kind="strings")``.

    Parameters
    ----------
    sequences : list of str
        Texts.
    metric : str
        Name of an edit distance.

    Returns
    -------
    array of shape (n, n)
        Distances.

    Examples
    --------
    >>> edit_distances(["cat", "cart"])
    array([[0., 1.],
           [1., 0.]])
    """
    check_choice("metric", metric, metrics(kind="strings"))
    return pairwise(sequences, metric)


def compared(data: Dataset, metric: str) -> Dataset:
    """The sequences with a note on how they are compared; raises if the metric takes none."""
    takes = [*metrics(kind="strings"), *metrics(kind="objects")]
    if metric not in takes:
        names = ", ".join(takes)
        raise DataError(f"there is no distance {metric!r} of sequences: choose from {names}")
    name = metric.upper() if len(metric) == 3 else metric.replace("_", " ").title()
    what = describe_metric(metric).description
    return data.with_notes(f"compared by their {name} distance ({what})")


def sequence_matrix(data: Dataset, metric: str) -> Matrix:
    """Edit distances, or what a user's metric gives."""
    try:
        P = pairwise(data.X, metric)
    except ValueError as error:
        raise DataError(f"{data.source}: {error}") from None
    kind = describe_metric(metric).proximity
    return Matrix(P, kind, f'pairwise(data.X, "{metric}")', metric)


def train_widths(data: Dataset, seed: int) -> WidthSelection:
    """The width of smoothing that predicts held-out events best."""
    if sum(map(len, data.X)) < 2:
        raise DataError(f"{data.source} holds fewer than two events: there is nothing to smooth")
    try:
        return select_width(data.X, random_state=seed)
    except ValueError as error:
        raise DataError(f"{data.source}: {error}") from None


def train_matrix(data: Dataset, widths: WidthSelection) -> Matrix:
    """Products of smoothed spike trains."""
    kernel = SpikeTrainKernel(float(f"{widths.width:.4g}"))
    code = f"SpikeTrainKernel({kernel.width})(data.X)"
    return Matrix(kernel(data.X), "similarity", code, kernel)


def matrix_of(data: Dataset, seed: int, metric: str) -> Matrix:
    """Proximities of objects of any kind but rows and curves; the metric is of sequences."""
    if data.kind == "sequences":
        return sequence_matrix(data, metric)
    if data.kind == "spikes":
        return train_matrix(data, train_widths(data, seed))
    return given_matrix(data)
