"""Proximities between Python objects: strings, graphs, anything with a function of two."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy.sparse import issparse

from noneuclid._data import check_array
from noneuclid.kernels import Kernel
from noneuclid.kernels.pairs import all_pairs, pair_values
from noneuclid.proximities._measures import Dissimilarity, Measure, as_measure
from noneuclid.proximities.registry import describe_metric
from noneuclid.typing import Array

Metric = str | Kernel | Callable[[Any, Any], float]
# So many neighbours are compared both ways, and more than this share is no rounding.
_TURNED, _ASYMMETRY = 10, 1e-8


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
    options: dict[str, Any] = {"n_jobs": n_jobs, "verbose": verbose}
    return _values(metric, objects, None, options, symmetric)


def landmark_pairwise(
    objects: Sequence[Any],
    landmarks: Sequence[Any],
    metric: Metric,
    *,
    n_jobs: int | None = None,
    verbose: bool | int = False,
    fixed_on: Sequence[Any] | None = None,
) -> Array:
    """Proximities of all objects to a few landmarks: (n, m), never (n, n).

    Some metrics leave something to the data, as a variance or a width: on new objects it would be
    another one than in training, and with it another metric. Say ``fixed_on``, then.

    Parameters
    ----------
    objects : sequence of n objects
        What is compared.
    landmarks : sequence of m objects
        With what.
    metric : str or callable
        Name of a metric, or a function of two objects.
    n_jobs : int, optional
        Processes or threads; -1 means all cores.
    verbose : bool, default=False
        Whether to show a progress bar.
    fixed_on : sequence of objects, optional
        On which to fix what the metric leaves to the data; by default the objects, not the
        landmarks. With all training objects, new ones are compared as those were.

    Returns
    -------
    array of shape (n, m)
        Proximities.

    Examples
    --------
    >>> landmark_pairwise(["cat", "cart"], ["c"], lambda a, b: abs(len(a) - len(b)))
    array([[2.],
           [3.]])

    With the variances of the training objects, one new one has distances, too:

    >>> training, new = [[0.0, 0.0], [2.0, 0.0], [0.0, 4.0]], [[2.0, 4.0]]
    >>> landmark_pairwise(new, training, "seuclidean", fixed_on=training).round(3)
    array([[2.449, 1.732, 1.732]])
    """
    options: dict[str, Any] = {"n_jobs": n_jobs, "verbose": verbose}
    return _values(metric, objects, landmarks, options, fixed_on=fixed_on)


def _values(
    metric: Metric,
    objects: Any,
    others: Any,
    options: dict[str, Any],
    symmetric: bool = False,
    fixed_on: Any = None,
) -> Array:
    for given in (objects, others, fixed_on):
        if issparse(given):
            raise TypeError("objects must not be a sparse matrix: give its rows, objects.toarray()")
        if isinstance(given, (str, bytes)) or not (given is None or hasattr(given, "__len__")):
            raise TypeError(f"objects must be a sequence of objects, not {type(given).__name__}")
        if given is not None and len(given) == 0:
            raise ValueError("there are no objects: give at least one")
    if not isinstance(metric, (str, Kernel)) and not hasattr(metric, "between"):
        if others is None and symmetric:
            _refuse_asymmetric(metric, objects)
        others = objects if others is None else others
        return all_pairs(objects, others, metric, symmetric=symmetric, **options)
    if isinstance(metric, str):
        proximity = describe_metric(metric).proximity
    else:
        proximity = "similarity" if isinstance(metric, Kernel) else "dissimilarity"
    measure = as_measure(metric, proximity)
    objects, others = _as_objects(measure, objects), _as_objects(measure, others)
    measure = measure.resolve(objects if fixed_on is None else _as_objects(measure, fixed_on))
    if isinstance(measure, Dissimilarity):
        return measure(objects, others, **options)
    return np.asarray(measure(objects, others))


def _refuse_asymmetric(metric: Any, objects: Any) -> None:
    """Raise if a function gives another value for some pair when it is turned round."""
    n = len(objects)
    for i in np.unique(np.linspace(1, n - 1, _TURNED).astype(int)) if n > 1 else ():
        a, b = objects[i - 1], objects[i]
        there, back = pair_values(metric, [(a, b), (b, a)])
        if abs(there - back) > _ASYMMETRY * max(abs(there), abs(back)):
            raise ValueError(
                f"metric gives {there:.6g} for the objects {i - 1} and {i}, and {back:.6g} the "
                "other way round: say symmetric=False to compute both"
            )


def _as_objects(measure: Measure, objects: Any) -> Any:
    if objects is None or not measure.takes_objects:
        return (
            None
            if objects is None
            else check_array(objects, dtype=np.float64, input_name="objects")
        )
    return measure.as_objects(objects)
