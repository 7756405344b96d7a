"""What a function of two objects must satisfy, and what it is."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from noneuclid._checks import check_choice
from noneuclid.proximities import Signature, signature, to_similarity
from noneuclid.typing import Array

_TOLERANCE = 1e-10


class MetricReport(NamedTuple):
    """What a metric is on some objects."""

    signature: Signature
    """Of the similarities the learners see: how many directions are positive, negative, zero."""
    is_euclidean: bool
    """Whether no direction is negative: there are points with these products or distances."""
    is_triangular: bool
    """Whether the triangle inequality holds for the values as they come."""


def check_metric(
    function: Callable[[Any, Any], float],
    objects: Sequence[Any],
    *,
    proximity: str = "dissimilarity",
    squared: bool = True,
) -> MetricReport:
    r"""Raise AssertionError, with a sentence, unless a function of two objects can be learned from.

    Its values must be finite numbers, the same in both orders and when called again; those of
    dissimilarities not negative, and zero from an object to itself. Whether they are distances of
    points in a Euclidean space is no condition, but worth knowing: by Schoenberg's theorem they
    are if and only if the doubly centred matrix :math:`-\tfrac12 JDJ` has no negative eigenvalue.

    Parameters
    ----------
    function : function of two objects
    objects : sequence
        A few that are typical: every pair is looked at.
    proximity : "dissimilarity" or "similarity", default="dissimilarity"
    squared : bool, default=True
        Whether dissimilarities are taken as squared distances, as the learners do unless they are
        told otherwise; False: they are plain distances.

    Returns
    -------
    report : MetricReport

    References
    ----------
    I. J. Schoenberg (1935), Remarks to Maurice Fréchet's article. Annals of Mathematics 36.

    Examples
    --------
    >>> check_metric(lambda a, b: abs(a - b), [0.0, 1.0, 3.0], squared=False)
    MetricReport(signature=Signature(positive=1, negative=0, zero=2), is_euclidean=True,
                 is_triangular=True)
    """
    check_choice("proximity", proximity, ("dissimilarity", "similarity"))
    name = getattr(function, "__name__", repr(function))
    if not callable(function):
        raise TypeError(f"check_metric takes a function of two objects, not {function!r}")
    if len(objects) < 2:
        raise ValueError(f"check_metric needs at least two objects; there are {len(objects)}")
    P = _values(function, objects, name)
    size = max(float(np.abs(P).max()), 1e-300)
    i, j = divmod(int(np.abs(P - P.T).argmax()), len(P))
    again = function(objects[i], objects[j])
    assert again == P[i, j], f"{name} gives another value when called again"
    assert abs(P[i, j] - P[j, i]) <= _TOLERANCE * size, (
        f"{name} is not symmetric: objects {i} and {j} have {P[i, j]:g} one way, {P[j, i]:g} the "
        "other"
    )
    P = (P + P.T) / 2
    if proximity == "similarity":
        return _report(P, np.diag(P)[:, None] - 2 * P + np.diag(P))
    k = int(np.abs(np.diag(P)).argmax())
    assert abs(P[k, k]) <= _TOLERANCE * size, (
        f"{name} gives {P[k, k]:g} from object {k} to itself, not 0: it is no dissimilarity"
    )
    assert P.min() >= -_TOLERANCE * size, f"{name} gives {P.min():g}, which is negative"
    return _report(np.asarray(to_similarity(P if squared else P**2)), P)


def _values(function: Callable[[Any, Any], float], objects: Sequence[Any], name: str) -> Array:
    P = np.empty((len(objects), len(objects)))
    for i, a in enumerate(objects):
        for j, b in enumerate(objects):
            value = function(a, b)
            assert np.ndim(value) == 0, f"{name} gives {value!r} for objects {i} and {j}, no number"
            P[i, j] = value
            assert np.isfinite(P[i, j]), f"{name} gives {value} for objects {i} and {j}"
    return P


def _report(S: Array, D: Array) -> MetricReport:
    found = signature(S, cutoff=1e-8)
    longest = (D[:, :, None] - D[:, None, :] - D[None, :, :]).max()
    return MetricReport(found, found.negative == 0, bool(longest <= _TOLERANCE * np.abs(D).max()))
