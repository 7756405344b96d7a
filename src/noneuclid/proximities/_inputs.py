"""What a relation asks of the objects it is given."""

import contextlib
from typing import Any

import numpy as np

from noneuclid._data import check_array, check_range, validate_data
from noneuclid.proximities._measures import Measure
from noneuclid.proximities.checks import check_square
from noneuclid.typing import Array


def is_precomputed(metric: Any) -> bool:
    return isinstance(metric, str) and metric == "precomputed"


def training_matrix(X: Any, n_landmarks: Any) -> Array:
    """Return a matrix of proximities, square unless it may hold columns of landmarks only."""
    _refuse_words(X, "precomputed")
    if n_landmarks is None:
        return check_square(X, "X")
    P = check_array(X, dtype=np.float64, ensure_min_samples=2, input_name="X")
    return check_range(P, power=2)


def checked_objects(X: Any, measure: Measure, owner: Any, *, reset: bool, least: int = 1) -> Any:
    """Return rows or objects, checked in the name of an owner, whose features are counted."""
    if not measure.takes_objects:
        _refuse_words(X, getattr(owner, "metric", getattr(owner, "kernel", None)))
        return validate_data(owner, X, dtype=np.float64, reset=reset, ensure_min_samples=least)
    if reset:  # objects have no features to count
        owner.__dict__.pop("n_features_in_", None)
        owner.__dict__.pop("feature_names_in_", None)
    objects = measure.as_objects(X)
    if isinstance(objects, np.ndarray) and objects.ndim == 2:  # but these are rows
        validate_data(owner, X, reset=reset, skip_check_array=True)
    return objects


def at_least_two(objects: Any) -> None:
    """Raise for one object: it has no proximities to others."""
    if len(objects) < 2:
        raise ValueError(f"X holds {len(objects)} objects: at least two are needed")


def _refuse_words(X: Any, metric: Any) -> None:
    """Words have no proximities but those of a function of two, or of a name for that."""
    if isinstance(X, (list, tuple)) and X and isinstance(X[0], str):
        raise ValueError(
            f"X holds words, and {metric!r} takes numbers: give a function of two objects "
            'as metric, or proximity="dissimilarity" and metric="levenshtein"'
        )


def tagged(tags: Any, relation: Any) -> Any:
    """Return scikit-learn's tags of what knows its objects by a relation."""
    tags.input_tags.pairwise = relation.is_precomputed
    with contextlib.suppress(TypeError, ValueError):  # a metric nobody knows: fit will say so
        tags.input_tags.two_d_array = relation.is_precomputed or relation.takes_rows
    return tags
