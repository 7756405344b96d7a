"""Proximities between Python objects: strings, graphs, anything with a function of two."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from sklearn.metrics import pairwise_distances

from noneuclid._progress import progress
from noneuclid.typing import Array

Metric = str | Callable[[Any, Any], float]

# Objects per task: enough work to hide the cost of sending it, enough tasks to balance.
_TASK_PAIRS = 20_000


def pairwise(
    objects: Sequence[Any],
    metric: Metric,
    *,
    n_jobs: int | None = None,
    verbose: bool | int = False,
    symmetric: bool = True,
) -> Array:
    """Proximities between all objects.

    Parameters
    ----------
    objects : sequence of length n
        Anything ``metric`` understands; for a metric given by name, the rows of a matrix.
    metric : callable or str
        ``metric(a, b) -> float``; ``"levenshtein"`` for strings; or a name of
        ``sklearn.metrics.pairwise_distances``.
    n_jobs : int, optional
        Passed to joblib, so that any joblib backend can spread the work.
    verbose : bool, default=False
        Show a progress bar.
    symmetric : bool, default=True
        Whether ``metric(a, b) == metric(b, a)``: only half of the pairs are computed then.

    Returns
    -------
    array of shape (n, n)

    Examples
    --------
    >>> pairwise(["cat", "cart"], lambda a, b: abs(len(a) - len(b)))
    array([[0., 1.],
           [1., 0.]])
    """
    if isinstance(metric, str):
        return _named(objects, objects, metric, n_jobs)
    n = _count(objects)
    P = np.empty((n, n))
    tasks = list(_row_tasks(n, [n - i if symmetric else n for i in range(n)]))
    calls = (delayed(_rows)(objects, objects, metric, rows, symmetric) for rows in tasks)
    blocks = Parallel(n_jobs=n_jobs, return_as="generator")(calls)
    for rows, block in progress(zip(tasks, blocks), len(tasks), "pairs", bool(verbose)):
        for i, values in zip(rows, block):
            start = i if symmetric else 0
            P[i, start:] = values
            if symmetric:
                P[start:, i] = values
    return P


def landmark_pairwise(
    objects: Sequence[Any],
    landmarks: Sequence[Any],
    metric: Metric,
    *,
    n_jobs: int | None = None,
    verbose: bool | int = False,
) -> Array:
    """Proximities of all objects to a few landmarks: (n, m), never (n, n).

    Parameters are those of :func:`pairwise`.

    Examples
    --------
    >>> landmark_pairwise(["cat", "cart"], ["c"], lambda a, b: abs(len(a) - len(b)))
    array([[2.],
           [3.]])
    """
    if isinstance(metric, str):
        return _named(objects, landmarks, metric, n_jobs)
    n, m = _count(objects), _count(landmarks)
    P = np.empty((n, m))
    tasks = list(_row_tasks(n, [m] * n))
    calls = (delayed(_rows)(objects, landmarks, metric, rows, False) for rows in tasks)
    blocks = Parallel(n_jobs=n_jobs, return_as="generator")(calls)
    for rows, block in progress(zip(tasks, blocks), len(tasks), "pairs", bool(verbose)):
        for i, values in zip(rows, block):
            P[i] = values
    return P


def object_list(objects: Any, name: str = "X") -> list[Any]:
    """Return objects as a list, or raise: one word is no list of its letters.

    Examples
    --------
    >>> object_list(("cat", "cart"))
    ['cat', 'cart']
    """
    if isinstance(objects, (str, bytes)) or not np.iterable(objects):
        kind = type(objects).__name__
        raise TypeError(f"{name} must be a list of objects, not one {kind}: give [{name}]")
    return list(objects)


def _count(objects: Sequence[Any]) -> int:
    if isinstance(objects, (str, bytes)) or not hasattr(objects, "__len__"):
        raise TypeError(f"objects must be a sequence of objects, not {type(objects).__name__}")
    if len(objects) == 0:
        raise ValueError("there are no objects: give at least one")
    return len(objects)


def _row_tasks(n: int, pairs_per_row: list[int]) -> list[range]:
    tasks, start, pairs = [], 0, 0
    for i in range(n):
        pairs += pairs_per_row[i]
        if pairs >= _TASK_PAIRS or i == n - 1:
            tasks.append(range(start, i + 1))
            start, pairs = i + 1, 0
    return tasks


def _rows(
    objects: Sequence[Any],
    others: Sequence[Any],
    metric: Callable[[Any, Any], float],
    rows: range,
    upper: bool,
) -> list[list[float]]:
    block = []
    for i in rows:
        values = [float(metric(objects[i], b)) for b in others[i if upper else 0 :]]
        bad = ~np.isfinite(values)
        if bad.any():
            j = int(np.argmax(bad)) + (i if upper else 0)
            raise ValueError(
                f"metric returned {values[int(np.argmax(bad))]} for objects {i} and {j}: "
                "proximities must be finite numbers"
            )
        block.append(values)
    return block


def _named(objects: Sequence[Any], others: Sequence[Any], name: str, n_jobs: int | None) -> Array:
    _count(objects)
    _count(others)
    if name == "levenshtein":
        try:
            from rapidfuzz.distance import Levenshtein
            from rapidfuzz.process import cdist
        except ImportError:
            raise ImportError(
                'metric="levenshtein" needs rapidfuzz: pip install "noneuclid[cli]"'
            ) from None
        workers = n_jobs or 1
        return cdist(objects, others, scorer=Levenshtein.distance, workers=workers).astype(float)
    return pairwise_distances(
        np.asarray(objects, dtype=float),
        np.asarray(others, dtype=float),
        metric=name,
        n_jobs=n_jobs,
    )
