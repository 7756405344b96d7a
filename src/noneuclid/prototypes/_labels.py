"""Labels, numbers of prototypes and weights: what every supervised learner here checks."""

from collections.abc import Mapping
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, assert_all_finite, column_or_1d

from noneuclid.typing import Array, IntArray


def class_indices(y: ArrayLike, n: int, learner: str) -> tuple[np.ndarray, IntArray]:
    """The classes, and each sample's index among them."""
    labels = _labels(y, n)
    classes, index = np.unique(labels, return_inverse=True)
    if len(classes) < 2:
        only = classes.tolist()[0]
        raise ValueError(f"{learner} needs at least two classes; y has only {only!r}")
    return classes, index


def known_class_indices(y: ArrayLike, classes: np.ndarray, n: int) -> IntArray:
    """Each sample's index among the classes, which are known before."""
    labels = _labels(y, n)
    index = np.minimum(np.searchsorted(classes, labels), len(classes) - 1)
    unknown = labels[classes[index] != labels]
    if len(unknown):
        raise ValueError(
            f"y has the class {unknown.tolist()[0]!r}, which is not among {classes.tolist()}"
        )
    return index


def _labels(y: ArrayLike, n: int) -> np.ndarray:
    given = getattr(y, "dtype", None)
    if not isinstance(given, np.dtype) or given.kind == "O":
        values = np.asarray(y, dtype=object).ravel()
        there = [label for label in values if label is not None and label == label]
        if len({isinstance(label, str) for label in there}) > 1:
            raise ValueError("y mixes text and numbers: labels must be of one type")
    labels = column_or_1d(y, warn=True)
    assert_all_finite(labels, input_name="y")
    check_classification_targets(labels)
    if len(labels) != n:
        raise ValueError(f"there are {n} objects but {len(labels)} labels")
    return labels


def prototype_counts(wanted: Any, classes: np.ndarray, y: IntArray | None) -> IntArray:
    """Number of prototypes per class, from one number or a number per class.

    With the samples' class indices y given, each class must have as many samples.
    """
    if isinstance(wanted, Mapping):
        missing = [c for c in classes.tolist() if c not in wanted]
        unseen = [c for c in wanted if c not in classes]
        if missing or unseen:
            raise ValueError(
                f"n_prototypes must name every class of y and no other: missing {missing}, "
                f"not in y {unseen}"
            )
        numbers = [wanted[c] for c in classes.tolist()]
    else:
        numbers = [wanted] * len(classes)
    if not all(isinstance(k, Integral) and int(k) >= 1 for k in numbers):
        raise ValueError(f"n_prototypes (={wanted!r}) must be positive integers")
    counts = np.array(numbers, dtype=int)
    if y is None:
        return counts
    sizes = np.bincount(y, minlength=len(classes))
    if (sizes < counts).any():
        c = int(np.argmax(sizes < counts))
        raise ValueError(
            f"class {classes.tolist()[c]!r} has {sizes[c]} objects, fewer than its {counts[c]} "
            "prototypes: lower n_prototypes, or give a dict with a number per class"
        )
    return counts


def sample_weights(
    sample_weight: Any, class_weight: Any, classes: np.ndarray, y: IntArray, *, scaled: bool = True
) -> Array | None:
    """Weights, scaled to mean one unless samples come in parts, or None if there are none."""
    if sample_weight is None and class_weight is None:
        return None
    weights = _check_sample_weight(sample_weight, np.empty((len(y), 1)), ensure_non_negative=True)
    if class_weight is not None:
        per_class = compute_class_weight(class_weight, classes=classes, y=classes[y])
        weights = weights * per_class[y]
    if not scaled:
        return np.asarray(weights)
    if not weights.sum() > 0:
        raise ValueError("the weights of all samples are zero: nothing can be learned")
    return np.asarray(weights * (len(y) / weights.sum()))
