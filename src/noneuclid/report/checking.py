"""Two quick answers without a page: landmarks, and two samples."""

from typing import Any

import numpy as np

from noneuclid.datasets import DataError, Dataset
from noneuclid.information import TestResult, bandwidth, drifted_columns, two_sample_test
from noneuclid.kernels import SpikeTrainKernel
from noneuclid.proximities import NystroemCheck, nystroem_check
from noneuclid.spikes import select_width
from noneuclid.typing import Array

_FEWEST = 20
_FEWEST_IN_SAMPLE = 4
# Of the length of an axis: positions that are written with other digits.
_SAME = 1e-6


def require(data: Dataset, least: int, what: str) -> None:
    """Raise if there are too few objects."""
    if len(data) < least:
        words = f"{data.source} has {len(data)} {data.noun}"
        raise DataError(f"{words}: {what} needs at least {least}")


def check_landmarks(
    data: Dataset,
    n_landmarks: int | None,
    random_state: int,
    *,
    metric: str = "levenshtein",
) -> NystroemCheck:
    """Nystroem's quick check of proximities, sequences, spike trains or rows."""
    require(data, _FEWEST, "a check of landmarks")
    if n_landmarks is not None and n_landmarks > len(data) // 2:
        raise DataError(
            f"--landmarks {n_landmarks} is more than half of the {len(data)} {data.noun} of "
            f"{data.source}: give fewer"
        )
    options: dict[str, Any] = {"random_state": random_state, "proximity": "dissimilarity"}
    if data.is_matrix:
        options["proximity"] = data.kind
    elif data.kind == "spikes":
        width = select_width(data.X, random_state=random_state).width
        options |= {"proximity": "similarity", "metric": SpikeTrainKernel(width)}
    else:
        options["metric"] = metric if data.kind == "sequences" else "sqeuclidean"
    return nystroem_check(data.X, n_landmarks, **options)


def compare_samples(
    first: Dataset,
    second: Dataset,
    width: float | None,
    n_permutations: int,
    random_state: int,
    *,
    raw: bool = False,
) -> tuple[TestResult, float, list[str]]:
    """Two-sample test of rows, curves or spike trains, the width that was used, and columns.

    Columns may have any order if they have names, and count alike unless ``raw``: rows are divided
    by the standard deviations of both samples together. Without a width it is the median distance
    or, of trains, the one that predicts held-out events best. If samples of rows differ, the
    columns are those that differ by themselves, corrected for their number.
    """
    refuse_unlike(first, second)
    if width is not None and not 0 < width < np.inf:
        raise DataError(f"--width {width:g} must be a positive number")
    options: dict[str, Any] = {"n_permutations": n_permutations, "random_state": random_state}
    if first.kind == "spikes":
        pooled = [*first.X, *second.X]
        used = width or _trains_width(pooled, f"{first.source} and {second.source}", random_state)
        kernel = SpikeTrainKernel(used)
        return two_sample_test(first.X, second.X, kernel=kernel, **options), used, []
    X, Y = np.asarray(first.X), np.asarray(second.X)[:, same_columns(first, second)]
    if first.kind == "vectors" and not raw:
        X, Y = standardized(X, Y)
    pooled_rows = np.vstack([X, Y])
    if not np.ptp(pooled_rows, axis=0).any():
        raise DataError(
            f"all {first.noun} of {first.source} and {second.source} are equal: there is nothing "
            "to compare"
        )
    used = width or float(bandwidth(pooled_rows, method="median"))
    # The kernel of Parzen windows of width σ has the width σ√2.
    result = two_sample_test(X, Y, used / np.sqrt(2.0), **options)
    return result, used, moved_columns(first, X, Y, result, random_state)


def standardized(X: Any, Y: Any) -> tuple[Any, Any]:
    """Both samples, or collections of dask, in units of their common standard deviations.

    Whatever is done to rows of both alike keeps the level of a permutation test.
    """
    n = len(X) + len(Y)
    (mean,) = _now((X.sum(axis=0) + Y.sum(axis=0)) / n)
    (square,) = _now((((X - mean) ** 2).sum(axis=0) + ((Y - mean) ** 2).sum(axis=0)) / n)
    scale = np.where(square > 0, np.sqrt(square), 1.0)
    return (X - mean) / scale, (Y - mean) / scale


def _now(lazy: Any) -> tuple[Any]:
    return (lazy.compute(),) if hasattr(lazy, "compute") else (lazy,)


def moved_columns(data: Any, X: Any, Y: Any, result: TestResult, random_state: int) -> list[str]:
    """Names of the columns that differ by themselves, if the samples differ."""
    if data.kind != "vectors" or result.pvalue >= result.level:
        return []
    names = data.features or [str(j + 1) for j in range(X.shape[1])]
    moved = drifted_columns(X, Y, random_state=random_state).drifted
    return [names[int(j)] for j in moved]


def _trains_width(trains: list[Array], source: str, random_state: int) -> float:
    try:
        return float(select_width(trains, random_state=random_state).width)
    except ValueError as error:
        raise DataError(f"{source} give no width of the kernel ({error}): set --width") from None


def same_columns(first: Any, second: Any) -> list[int] | slice:
    """The columns of the second sample in the order of the first."""
    if first.kind == second.kind == "curves" and _same_axis(first, second):
        return slice(None)
    one, other = first.features, second.features
    if one is None or other is None or one == other:
        return slice(None)
    at = {name: j for j, name in enumerate(other)}
    if len(at) < len(other) or sorted(one) != sorted(other):
        name = next((name for name in one if name not in at), one[0])
        raise DataError(
            f"{first.source} has a column {name!r} and {second.source} has "
            f"{', '.join(map(repr, other[:5]))}{', …' if len(other) > 5 else ''}: two samples need "
            "the same columns"
        )
    return [at[name] for name in one]


def _same_axis(first: Any, second: Any) -> bool:
    """Whether curves have the same points, however these are written; other points are refused."""
    one, other = first.grid, second.grid
    if one is None or other is None:
        return False
    if len(one) != len(other) or not np.allclose(one, other, rtol=0, atol=_SAME * np.ptp(one)):
        raise DataError(
            f"{first.source} has {len(one)} points from {one[0]:g} to {one[-1]:g} and "
            f"{second.source} {len(other)} from {other[0]:g} to {other[-1]:g}: two samples of "
            "curves need the same axis"
        )
    return True


def refuse_unlike(first: Any, second: Any) -> None:
    """Raise for two datasets, in memory or in blocks, that are no samples of one kind."""
    rows = ("vectors", "curves")
    for data in (first, second):
        if data.kind not in (*rows, "spikes"):
            raise DataError(
                f"{data.source} holds {data.kind}: two samples of rows, curves or spike trains can "
                "be compared"
            )
        require(data, _FEWEST_IN_SAMPLE, "a sample")
    if (first.kind in rows) != (second.kind in rows):
        raise DataError(
            f"{first.source} holds {first.kind} and {second.source} {second.kind}: two samples "
            "must be of one kind"
        )
    if first.kind == second.kind == "curves":
        _same_axis(first, second)
    if first.kind in rows and first.X.shape[1] != second.X.shape[1]:
        raise DataError(
            f"{first.source} has {first.X.shape[1]} columns and {second.source} "
            f"{second.X.shape[1]}: two samples need the same columns"
        )
