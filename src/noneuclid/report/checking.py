"""Two quick answers without a page: landmarks, and two samples."""

from typing import Any

import numpy as np

from noneuclid.datasets import DataError, Dataset
from noneuclid.kernels import SpikeTrainKernel
from noneuclid.proximities import NystroemCheck, nystroem_check
from noneuclid.spikes import select_width

_FEWEST = 20


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
) -> tuple[Any, float]:
    """Two-sample test of rows or curves with the same columns, and the width that was used."""
    from noneuclid.information import bandwidth, two_sample_test

    for data in (first, second):
        if data.kind not in ("vectors", "curves"):
            raise DataError(
                f"{data.source} holds {data.kind}: two samples of rows or curves can be compared"
            )
        if len(data) < 4:
            raise DataError(f"{data.source} has {len(data)} rows: a sample needs at least 4")
    if first.X.shape[1] != second.X.shape[1]:
        raise DataError(
            f"{first.source} has {first.X.shape[1]} columns and {second.source} "
            f"{second.X.shape[1]}: two samples need the same columns"
        )
    if width is not None and not 0 < width < np.inf:
        raise DataError(f"--width {width:g} must be a positive number")
    chosen = width or float(bandwidth(np.vstack([first.X, second.X]), method="median"))
    result = two_sample_test(
        first.X, second.X, chosen, n_permutations=n_permutations, random_state=random_state
    )
    return result, chosen
