"""Labels, crisp and fuzzy, numbers of prototypes and weights: what supervised learners check."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import assert_all_finite, column_or_1d

from noneuclid._checks import is_count, is_number
from noneuclid._data import check_labels, check_sample_weight, is_absent, refuse_mixture
from noneuclid._parameters import Rule
from noneuclid.typing import Array, IntArray


def class_indices(y: ArrayLike, n: int, learner: str) -> tuple[np.ndarray, IntArray]:
    """The classes, and each sample's index among them."""
    labels = _labels(y, n, learner)
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


def _labels(y: ArrayLike, n: int, learner: str = "learning") -> np.ndarray:
    labels = check_labels(y, learner)
    if len(labels) != n:
        raise ValueError(f"there are {n} objects but {len(labels)} labels")
    return labels


def _is_per_class(value: Any, holds: Callable[[Any], bool]) -> bool:
    return isinstance(value, Mapping) and len(value) > 0 and all(map(holds, value.values()))


CountPerClass = Annotated[
    int | Mapping[Any, int] | str,
    Rule("positive integers", lambda k: is_count(k) or _is_per_class(k, is_count)),
    Literal["auto"],
]
WeightPerClass = (
    Literal["balanced"]
    | Annotated[
        Mapping[Any, float],
        Rule(
            "a dict of weights, at least 0",
            lambda w: _is_per_class(w, lambda v: is_number(v) and 0 <= v < np.inf),
        ),
    ]
)


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
    counts = np.array(numbers, dtype=int)
    if y is None:
        return counts
    sizes = np.bincount(y, minlength=len(classes))
    if (sizes < counts).any():
        c = int(np.argmax(sizes < counts))
        if sizes[c] == 0:  # told beforehand: an array y has no such class
            raise ValueError(
                f"class {classes.tolist()[c]!r} has no objects to begin with: let the first ones "
                "be of every class, or give prototypes as init"
            )
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
    weights = check_sample_weight(sample_weight, len(y))
    if class_weight is not None:
        per_class = compute_class_weight(class_weight, classes=classes, y=classes[y])
        if isinstance(class_weight, str) and class_weight == "balanced":  # by weights, not numbers
            masses = np.bincount(y, weights, minlength=len(classes))
            per_class = _balanced(masses.astype(np.float64))
        weights = weights * per_class[y]
    if not scaled:
        return np.asarray(weights)
    if not weights.sum() > 0:
        raise ValueError("the weights of all samples are zero: nothing can be learned")
    return np.asarray(weights * (len(y) / weights.sum()))


def _balanced(masses: Array) -> Array:
    """What makes all classes weigh the same, from the weights of their samples."""
    there = masses > 0
    return np.where(there, masses.sum() / (there.sum() * np.where(there, masses, 1.0)), 0.0)


def class_factors(survey: Any, class_weight: Any, classes: np.ndarray) -> Array | None:
    """What weights of samples in blocks are multiplied by, per class: their mean becomes one."""
    counts = np.array([survey.labels[c] for c in classes.tolist()], dtype=float)
    masses = counts if survey.masses is None else np.array(list(survey.masses.values()))
    if class_weight is None:
        if survey.masses is None:
            return None
        per_class = np.ones(len(classes))
    elif class_weight == "balanced":
        per_class = _balanced(masses)
    else:
        per_class = compute_class_weight(class_weight, classes=classes, y=classes)
    total = float(per_class @ masses)
    if not total > 0:
        raise ValueError("the weights of all samples are zero: nothing can be learned")
    return np.asarray(per_class * (counts.sum() / total))


def fuzzy_labels(
    y: Any, n: int, missing_label: Any, learner: str, classes: ArrayLike | None = None
) -> tuple[np.ndarray, Array, np.ndarray]:
    """The classes, a distribution over them per sample, and which samples have one."""
    if y is None:
        raise ValueError(f"{learner} requires y to be passed, but the target y is None")
    if np.ma.is_masked(y):
        y = y.astype(object).filled(None)
    if not isinstance(getattr(y, "dtype", None), np.dtype) or y.dtype == object:
        refuse_mixture(np.asarray(y, dtype=object).ravel())
    given = np.asarray(y)
    if given.ndim == 2 and given.shape[1] > 1:
        L, known = _distributions(given, n, needed=classes is None)
        return np.arange(L.shape[1]), L, known
    given = column_or_1d(given, warn=True)
    if len(given) != n:
        raise ValueError(f"there are {n} samples but {len(given)} labels")
    known = ~_is_missing(given, missing_label)
    if not known.any() and classes is None:
        raise ValueError(
            f"all labels are missing ({missing_label!r} or NaN): at least one sample needs one; "
            "without any use NeuralGas or SelfOrganizingMap"
        )
    told = np.array(given[known].tolist()) if given.dtype == object else given[known]
    if known.any():
        assert_all_finite(told, input_name="y")
        check_classification_targets(told)
    names = np.unique(told if classes is None else np.asarray(classes))
    index = np.searchsorted(names, told)
    unseen = (index == len(names)) | (names[np.minimum(index, len(names) - 1)] != told)
    if unseen.any():
        raise ValueError(f"y holds {told[unseen][0]!r}, which is not one of the classes {names}")
    L = np.zeros((n, len(names)))
    L[np.flatnonzero(known), index] = 1.0
    return names, L, known


def refuse_single_class(names: np.ndarray, all_known: bool, missing_label: Any) -> None:
    """Refuse what is left of two classes if one of them is what stands for no label."""
    if len(names) == 1 and not all_known and missing_label is not None:
        raise ValueError(
            f"y has one class only, {names.tolist()[0]!r}, beside missing_label "
            f"(={missing_label!r}), which stands for no label: if it is a class, say "
            "missing_label=None; without classes use NeuralGas or SelfOrganizingMap"
        )


def _is_missing(y: np.ndarray, missing_label: Any) -> np.ndarray:
    if y.dtype == object:
        return np.array([_absent(value, missing_label) for value in y], dtype=bool)
    gone = np.isnan(y) if y.dtype.kind == "f" else np.zeros(len(y), dtype=bool)
    same_kind = isinstance(missing_label, str) == (y.dtype.kind in "US")
    return gone | (y == missing_label) if same_kind and missing_label is not None else gone


def _absent(value: Any, missing_label: Any) -> bool:
    if is_absent(value):
        return True
    return type(value) is type(missing_label) and bool(value == missing_label)


def _distributions(y: np.ndarray, n: int, *, needed: bool) -> tuple[Array, np.ndarray]:
    """Distributions, and which samples have one; of a part of all samples none is needed."""
    if y.dtype == object:
        y = np.where(np.vectorize(is_absent, otypes=[bool])(y), np.nan, y)
    L = np.array(y, dtype=np.float64)
    if len(L) != n:
        raise ValueError(f"there are {n} samples but {len(L)} labels")
    known = np.asarray(~np.isnan(L).any(axis=1))
    if needed and not known.any():
        raise ValueError("all labels are missing (NaN): at least one sample needs one")
    if (L[known] < 0).any() or np.abs(L[known].sum(axis=1) - 1).max(initial=0.0) > 1e-6:
        raise ValueError("rows of y must be distributions over the classes: at least 0, sum 1")
    L[~known] = 0.0
    return L, known
