"""Proximities between Python objects: strings, graphs, anything with a function of two."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from noneuclid.kernels import Kernel
from noneuclid.kernels.pairs import all_pairs, as_object_list
from noneuclid.proximities.measures import KernelMeasure, Measure, as_measure
from noneuclid.proximities.registry import describe_metric
from noneuclid.typing import Array

Metric = str | Kernel | Callable[[Any, Any], float]


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
        Anything ``metric`` understands; for many names, the rows of a matrix.
    metric : callable, str or Kernel
        ``metric(a, b) -> float``; or a name that :func:`noneuclid.proximities.metrics` lists.
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
    _count(objects)
    options: dict[str, Any] = {"n_jobs": n_jobs, "verbose": verbose}
    if isinstance(metric, (str, Kernel)):
        measure, objects = _measure(metric, objects)
        return measure.within(objects, **options)
    return all_pairs(objects, objects, metric, symmetric=symmetric, **options)


def landmark_pairwise(
    objects: Sequence[Any],
    landmarks: Sequence[Any],
    metric: Metric,
    *,
    n_jobs: int | None = None,
    verbose: bool | int = False,
) -> Array:
    """Proximities of all objects to a few landmarks: (n, m), never (n, n).

    Parameters are those of :func:`pairwise`. What a metric leaves to the data is fixed on the
    objects, not on the landmarks.

    Examples
    --------
    >>> landmark_pairwise(["cat", "cart"], ["c"], lambda a, b: abs(len(a) - len(b)))
    array([[2.],
           [3.]])
    """
    _count(objects)
    _count(landmarks)
    options: dict[str, Any] = {"n_jobs": n_jobs, "verbose": verbose}
    if isinstance(metric, (str, Kernel)):
        measure, objects = _measure(metric, objects)
        others = _as_objects(measure, landmarks)
        return measure.between(objects, others, **options)
    return all_pairs(objects, landmarks, metric, **options)


def _measure(metric: str | Kernel, objects: Any) -> tuple[Measure, Any]:
    if isinstance(metric, Kernel):
        measure: Measure = KernelMeasure(metric)
    else:
        measure = as_measure(metric, describe_metric(metric).proximity)
    objects = _as_objects(measure, objects)
    return measure.resolve(objects), objects


def _as_objects(measure: Measure, objects: Any) -> Any:
    return np.asarray(objects, dtype=float) if measure.takes_rows else measure.as_objects(objects)


def _count(objects: Sequence[Any]) -> int:
    if isinstance(objects, (str, bytes)) or not hasattr(objects, "__len__"):
        raise TypeError(f"objects must be a sequence of objects, not {type(objects).__name__}")
    if len(objects) == 0:
        raise ValueError("there are no objects: give at least one")
    return len(objects)


# Until the rooms above are converted: prototypes import it from here.
object_list = as_object_list
