"""Two quick answers without a page: landmarks, and two samples."""

from typing import Any

import numpy as np

from noneuclid.datasets import DataError, Dataset
from noneuclid.information import TestResult, bandwidth, two_sample_test
from noneuclid.kernels import SpikeTrainKernel
from noneuclid.proximities import NystroemCheck, nystroem_check
from noneuclid.spikes import select_width

_FEWEST = 20
_FEWEST_IN_SAMPLE = 4


def check_landmarks(data: Dataset, n_landmarks: int | None, random_state: int) -> NystroemCheck:
    """Nystroem's quick check of proximities, sequences, spike trains or rows."""
    if len(data) < _FEWEST:
        raise DataError(
            f"{data.source} has {len(data)} {data.noun}: a check of landmarks needs at least "
            f"{_FEWEST}"
        )
    if n_landmarks is not None and n_landmarks > len(data) // 2:
        raise DataError(
            f"--landmarks {n_landmarks} is more than half of the {len(data)} {data.noun} of "
            f"{data.source}: give fewer"
        )
    options: dict[str, Any] = {"random_state": random_state}
    if data.is_matrix:
        return nystroem_check(data.X, n_landmarks, proximity=data.kind, **options)  # type: ignore[arg-type]
    if data.kind == "sequences":
        return nystroem_check(
            data.X, n_landmarks, proximity="dissimilarity", metric="levenshtein", **options
        )
    if data.kind == "spikes":
        kernel = SpikeTrainKernel(select_width(data.X, random_state=random_state).width)
        return nystroem_check(data.X, n_landmarks, metric=kernel, **options)
    return nystroem_check(
        data.X, n_landmarks, proximity="dissimilarity", metric="sqeuclidean", **options
    )


def compare_samples(
    first: Dataset, second: Dataset, width: float | None, n_permutations: int, random_state: int
) -> tuple[TestResult, float]:
    """Two-sample test of rows, curves or spike trains, and the width that was used.

    Parameters
    ----------
    first, second : Dataset
        Of the same kind; rows and curves with the same columns.
    width : float, optional
        Of the Parzen windows (by default from the median distance) or of the smoothing of trains
        (by default the one that predicts held-out events best).
    n_permutations, random_state : int
    """
    _refuse_unlike(first, second)
    if width is not None and not 0 < width < np.inf:
        raise DataError(f"--width {width:g} must be a positive number")
    options: dict[str, Any] = {"n_permutations": n_permutations, "random_state": random_state}
    if first.kind == "spikes":
        pooled = [*first.X, *second.X]
        used = width or select_width(pooled, random_state=random_state).width
        kernel = SpikeTrainKernel(used)
        return two_sample_test(first.X, second.X, kernel=kernel, **options), used
    used = width or float(bandwidth(np.vstack([first.X, second.X]), method="median"))
    return two_sample_test(first.X, second.X, used, **options), used


def _refuse_unlike(first: Dataset, second: Dataset) -> None:
    rows = ("vectors", "curves")
    for data in (first, second):
        if data.kind not in (*rows, "spikes"):
            raise DataError(
                f"{data.source} holds {data.kind}: two samples of rows, curves or spike trains can "
                "be compared"
            )
        if len(data) < _FEWEST_IN_SAMPLE:
            raise DataError(
                f"{data.source} has {len(data)} {data.noun}: a sample needs at least "
                f"{_FEWEST_IN_SAMPLE}"
            )
    if (first.kind in rows) != (second.kind in rows):
        raise DataError(
            f"{first.source} holds {first.kind} and {second.source} {second.kind}: two samples "
            "must "
            "be of one kind"
        )
    if first.kind in rows and first.X.shape[1] != second.X.shape[1]:
        raise DataError(
            f"{first.source} has {first.X.shape[1]} columns and {second.source} "
            f"{second.X.shape[1]}: two samples need the same columns"
        )
