"""Two samples of objects that are known by their proximities, and the two classes of one file."""

from dataclasses import replace
from typing import Any

import numpy as np

from noneuclid.datasets import DataError, Dataset
from noneuclid.information import TestResult, two_sample_test
from noneuclid.proximities import SpectrumCorrection, symmetrize
from noneuclid.report.checking import compare_samples, require
from noneuclid.report.matrices import compared, sequence_matrix
from noneuclid.typing import Array

_FEWEST = 4


def compare_any(
    first: Dataset,
    second: Dataset,
    width: float | None,
    n_permutations: int,
    random_state: int,
    *,
    raw: bool = False,
    metric: str = "levenshtein",
) -> tuple[TestResult, float | None, list[str]]:
    """Two-sample test of rows, curves, spike trains or sequences.

    Sequences are compared by the kernel :math:`e^{-d/2w^2}` of their distances d, which count as
    squared distances here as everywhere; its width w is by default the root of their median. What
    makes the kernel indefinite is cut off: of all objects together, so that the level is exact.

    Parameters
    ----------
    first, second : Dataset
        Of one kind.
    width : float, optional
        Of the kernel.
    n_permutations, random_state : int
    raw : bool, default=False
        Whether columns keep their units.
    metric : str, default="levenshtein"
        Of sequences.

    Returns
    -------
    result, width, columns
        As :func:`~noneuclid.report.checking.compare_samples` gives them.

    Examples
    --------
    >>> first = Dataset("sequences", ["ACGT", "ACGA", "ACG", "ACGTT", "ACCT"] * 3)
    >>> second = Dataset("sequences", ["TTGCC", "TTGC", "TGC", "TTGA", "TTTC"] * 3)
    >>> compare_any(first, second, None, 99, 0)[0].pvalue
    0.01
    """
    for data in (first, second):
        if data.is_matrix:
            raise DataError(
                f"{data.source} holds the {data.kind} of its own objects only: give one matrix of "
                "the objects of both samples, and say with --labels which object is of which"
            )
    if first.kind != second.kind and "sequences" in (first.kind, second.kind):
        raise DataError(
            f"{first.source} holds {first.kind} and {second.source} {second.kind}: two samples "
            "must be of one kind"
        )
    if first.kind != "sequences":
        return compare_samples(first, second, width, n_permutations, random_state, raw=raw)
    for data in (first, second):
        require(data, _FEWEST, "a sample")
    both = replace(first, X=[*first.X, *second.X], names=[*first.names, *second.names])
    D = sequence_matrix(compared(both, metric), metric).D
    sides = np.repeat([0, 1], [len(first), len(second)])
    source = f"{first.source} and {second.source}"
    gram, used = _gram(D, width, f"all sequences of {source} are equal: nothing to compare")
    return _tested(gram, sides, n_permutations, random_state), used, []


def compare_classes(
    data: Dataset,
    width: float | None,
    n_permutations: int,
    random_state: int,
    *,
    raw: bool = False,
    metric: str = "levenshtein",
) -> tuple[TestResult, float | None, list[str]]:
    """Two-sample test of the two classes of one dataset, which may be a matrix of proximities.

    Of dissimilarities, taken as squared distances, the kernel is :math:`e^{-d/2w^2}`; similarities
    are the kernel themselves.

    Parameters
    ----------
    data : Dataset
        With two classes.
    width, n_permutations, random_state, raw, metric :
        As of :func:`compare_any`.

    Returns
    -------
    result, width, columns
        Without a width if there is none.

    Examples
    --------
    >>> x = np.r_[np.arange(8.0), np.arange(8.0) + 20]
    >>> D = (x[:, None] - x) ** 2
    >>> data = Dataset("dissimilarity", D, labels=np.repeat(["a", "b"], 8))
    >>> compare_classes(data, None, 99, 0)[0].pvalue
    0.01
    """
    if len(data.classes) != 2:
        raise DataError(
            f"{data.source} has {len(data.classes) or 'no'} classes: two are compared; name two "
            "with --labels, or give a second file"
        )
    labels = np.asarray(data.labels)
    chosen = [labels == name for name in data.classes]
    if not data.is_matrix:
        one, other = (
            _some(data, of, f"{name} ({data.source})") for of, name in zip(chosen, data.classes)
        )
        options: Any = {"raw": raw, "metric": metric}
        return compare_any(one, other, width, n_permutations, random_state, **options)
    if min(data.classes.values()) < _FEWEST:
        raise DataError(f"{data.source}: every class needs at least {_FEWEST} objects")
    if data.kind == "similarity":
        if width is not None:
            raise DataError("--width is for distances: similarities are a kernel already")
        used, gram = None, _clipped(symmetrize(data.X))
    else:
        equal = f"all objects of {data.source} are equal: there is nothing to compare"
        gram, used = _gram(symmetrize(data.X), width, equal)
    return _tested(gram, chosen[1].astype(int), n_permutations, random_state), used, []


def _some(data: Dataset, chosen: Array, source: str) -> Dataset:
    at = np.flatnonzero(chosen)
    X = [data.X[i] for i in at] if isinstance(data.X, list) else data.X[at]
    names = [data.names[i] for i in at]
    return replace(data, X=X, names=names, labels=None, groups=None, target=None, source=source)


def _gram(D: Array, width: float | None, equal: str) -> tuple[Array, float]:
    """The kernel of squared distances, and its width."""
    if width is not None and not 0 < width < np.inf:
        raise DataError(f"--width {width:g} must be a positive number")
    apart = D[np.triu_indices(len(D), 1)]
    if not (apart > 0).any():
        raise DataError(equal)
    middle = np.median(apart) or apart[apart > 0].min()  # more than half of the pairs are equal
    used = width or float(np.sqrt(middle))
    return _clipped(np.exp(-D / (2 * used**2))), used


def _clipped(gram: Array) -> Array:
    """The kernel without its negative eigenvalues."""
    return SpectrumCorrection(method="clip").fit_transform(gram)


def _tested(gram: Array, sides: Array, n_permutations: int, random_state: int) -> TestResult:
    options: Any = {"n_permutations": n_permutations, "random_state": random_state}
    return two_sample_test(gram, sides, kernel="precomputed", **options)
