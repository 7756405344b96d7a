"""The door for tables of numbers: scikit-learn's checks, and one sentence for what is none.

:func:`check_array` and :func:`validate_data` take what scikit-learn's functions of these names do.
What those let in without a word, although it is no number, or a number that is not there, is
refused, and what they say in paragraphs is said in one sentence.
"""

import math
import re
from typing import Any, NoReturn, cast

import numpy as np
from sklearn.utils import _safe_indexing, validation
from sklearn.utils.multiclass import check_classification_targets

from noneuclid.typing import Array

# Powers of values up to these are normal numbers.
_LEAST = 1e-300
_MOST = float(np.finfo(np.float64).max)
_LONGEST = 200


def check_array(X: Any, *, input_name: str = "X", **options: Any) -> Array:
    """Return a matrix of numbers, or raise; as scikit-learn's function of this name."""
    if _is_plain(X, options):
        return X  # type: ignore[no-any-return]
    given = _entered(X, input_name, options)
    try:
        checked: Array = validation.check_array(given, input_name=input_name, **options)
    except (TypeError, ValueError, OverflowError) as error:
        _refuse(error, X, input_name, options.get("estimator"))
    return checked


def validate_data(owner: Any, X: Any, y: Any = "no_validation", **options: Any) -> Any:
    """Return rows of numbers (and labels), or raise; as scikit-learn's function of this name.

    Rows whose squares are beyond the range of numbers are refused, too; new ones (``reset=False``)
    may be tiny. Curves become rows on the grid of their learner.
    """
    if options.get("skip_check_array"):
        if isinstance(y, str) and len(options) == 2 and _has_known_columns(owner, X, options):
            return X
        return validation.validate_data(owner, X, y, **options)
    if isinstance(y, str) and _is_known_if_finite(owner, X, options):
        total = _square_sum(X)  # once: reading large data takes as long as learning from them
        if math.isfinite(total):
            return X if total < _MODERATE else check_range(X, tiny=True)
    X = rows_of(owner, X, reset=options.get("reset", True))
    given = _entered(X, "X", options)
    if not isinstance(y, str):
        y = check_labels(y, type(owner).__name__)
    try:
        checked = validation.validate_data(owner, given, y, **options)
    except (TypeError, ValueError, OverflowError) as error:
        _refuse(error, X, "X", owner)
    rows = checked[0] if isinstance(checked, tuple) else checked
    check_range(rows, tiny=not options.get("reset", True))
    return checked


# What check_array may be asked for and a plain matrix needs no change to satisfy.
_ASKED = frozenset(
    (
        "dtype",
        "order",
        "estimator",
        "ensure_all_finite",
        "ensure_min_samples",
        "ensure_min_features",
        "reset",
    )
)
_FLOAT64 = np.dtype(np.float64)


def _is_plain(X: Any, options: dict[str, Any]) -> bool:
    """Whether X is a matrix that scikit-learn's check, ten times slower, would give back as it is.

    Where in doubt, no.
    """
    return _is_plain_if_finite(X, options) and math.isfinite(_square_sum(X))


def _is_plain_if_finite(X: Any, options: dict[str, Any]) -> bool:
    """Whether it is, if the sum of its squares is finite."""
    return (
        _is_matrix(X)
        and options.keys() <= _ASKED
        and options.get("dtype", "numeric") in (np.float64, "numeric")
        and options.get("order") in (None, "C")
        and len(X) >= options.get("ensure_min_samples", 1)
        and X.shape[1] >= options.get("ensure_min_features", 1)
    )


def is_rows(X: Any) -> bool:
    """Whether X is a matrix of finite numbers in C order, as it is wanted nearly everywhere."""
    return _is_matrix(X) and math.isfinite(_square_sum(X))


def _is_matrix(X: Any) -> bool:
    return type(X) is np.ndarray and X.dtype is _FLOAT64 and X.ndim == 2 and X.flags.c_contiguous


# Longer products a BLAS computes on all cores, which it then keeps busy, waiting for the next one.
_PIECE = 8192


def _square_sum(X: Array) -> float:
    """Σ x² of an array in C order, NaN or infinite if a number is."""
    if X.size <= _PIECE:
        return float(np.vdot(X, X))
    flat = X.reshape(-1)
    pieces = (flat[start : start + _PIECE] for start in range(0, X.size, _PIECE))
    return sum(float(np.vdot(piece, piece)) for piece in pieces)


# Of numbers whose squares sum to less, no power that is asked for overflows.
_MODERATE = 1e50


def _is_known_if_finite(owner: Any, X: Any, options: dict[str, Any]) -> bool:
    """Whether X is a plain matrix with the columns that were learned, if it is finite."""
    return (
        _has_known_columns(owner, X, options)
        and "curve_grid_" not in vars(owner)
        and _is_plain_if_finite(X, options)
    )


def _has_known_columns(owner: Any, X: Any, options: dict[str, Any]) -> bool:
    known = vars(owner)
    return (
        options.get("reset", True) is False
        and "feature_names_in_" not in known
        and type(X) is np.ndarray
        and X.ndim == 2
        and known.get("n_features_in_") == X.shape[1]
    )


def check_is_fitted(model: Any, attributes: Any = None) -> None:
    """Raise unless a model is fitted; as scikit-learn's function of this name.

    Attributes are looked for first, tags of an estimator, which take longer, only without them.
    """
    if not isinstance(model, type) and hasattr(model, "fit") and _knows(model, attributes):
        return
    validation.check_is_fitted(model, attributes)


def _knows(model: Any, attributes: Any) -> bool:
    known = vars(model)
    if attributes is None and not hasattr(model, "__sklearn_is_fitted__"):
        # what was learned stands behind the parameters
        return any(name.endswith("_") and not name.startswith("__") for name in reversed(known))
    return isinstance(attributes, str) and attributes in known


def rows_of(owner: Any, X: Any, *, reset: bool) -> Any:
    """Rows of curves on the grid that their learner remembers; whatever is no curves as it is."""
    if hasattr(X, "rows_for"):
        return X.rows_for(owner, reset=reset)
    if reset:
        owner.__dict__.pop("curve_grid_", None)
    return X


def check_labels(y: Any, learner: str) -> np.ndarray:
    """Return labels of one type, one per sample, none of them missing, or raise."""
    plain = type(y) is np.ndarray and y.ndim == 1 and y.dtype.kind in "iub"
    if plain and 0 < 2 * len(np.unique(y)) <= len(y):  # with more, they may be no classes
        return cast(np.ndarray, y)
    if y is None:
        raise ValueError(f"{learner} requires y to be passed, but the target y is None")
    if np.ma.is_masked(y):
        raise ValueError(f"y has masked entries: {learner} needs a label of every sample")
    dtype = getattr(y, "dtype", None)
    if not isinstance(dtype, np.dtype) or dtype.kind == "O":
        refuse_mixture(np.asarray(y, dtype=object).ravel(), learner)
        y = without_gaps(y)
    labels: np.ndarray = validation.column_or_1d(y, warn=True)
    validation.assert_all_finite(labels, input_name="y")
    check_classification_targets(labels)
    return labels


def refuse_other_classes(known: np.ndarray, classes: Any) -> None:
    """Raise if a later call of partial_fit names other classes than the first one."""
    if classes is not None and not np.array_equal(np.unique(np.asarray(classes)), known):
        raise ValueError(
            f"classes (={np.asarray(classes).tolist()}) must be those of the first call, "
            f"{known.tolist()}: prototypes of others cannot be added, call fit"
        )


def check_sample_weight(weights: Any, n: int) -> Array:
    """Return a weight for each of n samples, finite and not negative, or raise."""
    if np.ma.is_masked(weights):
        raise ValueError("sample_weight has masked entries: every sample needs a weight")
    try:
        checked: Array = validation._check_sample_weight(
            weights, np.empty((n, 1)), dtype=np.float64, ensure_non_negative=True
        )
    except (TypeError, ValueError, OverflowError) as error:
        _refuse(error, weights, "sample_weight", None)
    with np.errstate(over="ignore"):
        total = float(checked.sum())
    if total == 0.0:  # newer releases of scikit-learn look for that themselves
        raise ValueError("sample_weight must contain at least one non-zero number")
    if total == np.inf:
        raise ValueError("sample_weight holds weights whose sum overflows: rescale sample_weight")
    return checked


def with_weight(rows: Array, y: Any, sample_weight: Any) -> tuple[Array, Any, Any]:
    """Rows, labels and weights without the samples of weight 0, which are not there.

    Not even a scale, a width or a start shall depend on them.
    """
    if sample_weight is None or y is None:
        return rows, y, sample_weight
    if np.asarray(sample_weight).shape != (len(rows),) or validation._num_samples(y) != len(rows):
        return rows, y, sample_weight  # who takes them says what is wrong
    weights = check_sample_weight(sample_weight, len(rows))
    kept = np.flatnonzero(weights > 0)
    if len(kept) == len(rows):
        return rows, y, sample_weight
    known = y if hasattr(y, "__len__") else np.asarray(y)
    return rows[kept], _safe_indexing(known, kept), weights[kept]


def is_absent(label: Any) -> bool:
    """Whether there is no label: None, NaN, or the NA of pandas, which does not say what it is."""
    try:
        return label is None or bool(label != label)
    except TypeError:
        return True


def without_gaps(y: Any) -> Any:
    """Numbers of pandas that could be missing, none of which is, as those of numpy."""
    if hasattr(y, "iloc") and np.ndim(y) == 2 and np.shape(y)[1] == 1:
        column = without_gaps(y.iloc[:, 0])
        return column[:, None] if isinstance(column, np.ndarray) else y
    kind = getattr(getattr(y, "dtype", None), "numpy_dtype", None)
    numeric = isinstance(kind, np.dtype) and kind.kind in "iufb"
    return y.to_numpy(dtype=kind) if numeric else y


def refuse_mixture(labels: Any, learner: str = "") -> None:
    """Raise for labels that are of several types, or missing if a learner needs them all."""
    there = [label for label in labels if not is_absent(label)]
    if learner and len(there) < len(labels):
        gap = next(label for label in labels if is_absent(label))
        what = "y holds None" if gap is None else "Input y contains NaN, a missing label"
        raise ValueError(f"{what}: {learner} needs a label of every sample")
    if len({isinstance(label, str) for label in there}) > 1:
        raise ValueError("y mixes text and numbers: labels must be of one type")


def check_range(X: Array, name: str = "X", *, power: int = 4, tiny: bool = False) -> Array:
    """Return X, or raise if powers of its values overflow, or all of them vanish.

    Parameters
    ----------
    X : array of numbers; NaN and infinity are not its concern
    name : str, default="X"
    power : int, default=4
        Squares of squared distances are powers of four of values, and of two of proximities.
    tiny : bool, default=False
        Whether tiny values are all right, as beside others that are not.
    """
    most, least = (_MOST / (16.0 * max(X.size, 1))) ** (1.0 / power), _LEAST ** (1.0 / power)
    if X.flags.c_contiguous:  # a sum of squares settles nearly all cases in one reading
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            total = _square_sum(X)
        if X.size * least**2 < total < most**2:
            return X
    with np.errstate(invalid="ignore"):
        largest = float(np.abs(X).max(initial=0.0, where=np.isfinite(X)))
    if largest > most or (0.0 < largest < least and not tiny):
        happens = "overflow" if largest > most else "vanish"
        data = name if name.isidentifier() else "the data"
        raise ValueError(
            f"{name} holds values up to {largest:.0e}, whose powers {happens}: rescale {data}"
        )
    return X


def too_large(name: str) -> ValueError:
    """What to say of an integer that is no floating-point number."""
    data = name if name.isidentifier() else "the data"
    return ValueError(f"{name} holds an integer beyond all floats (1e308): rescale {data}")


def all_finite(values: Any) -> bool:
    """Whether all numbers are finite; a sum tells in one reading, unless it overflows."""
    plain = type(values) is np.ndarray and values.dtype == np.float64 and values.flags.c_contiguous
    if plain and math.isfinite(_square_sum(values)):
        return True
    with np.errstate(over="ignore", invalid="ignore"):
        total = np.sum(values)
    return bool(np.isfinite(total) or np.isfinite(values).all())


def _entered(X: Any, name: str, options: dict[str, Any]) -> Any:
    """What scikit-learn may look at: no masks, no times, no two columns of one name."""
    if np.ma.isMaskedArray(X):
        mask = np.ma.getmaskarray(X)
        if not mask.any():
            return X.data
        if options.get("ensure_all_finite") == "allow-nan":
            return np.ma.filled(X.astype(np.float64), np.nan)
        raise ValueError(
            f"{name} has {int(mask.sum())} masked entries, and missing values are not taken here: "
            "fill them, or leave out their rows"
        )
    if getattr(getattr(X, "dtype", None), "kind", "") in ("M", "m"):
        raise TypeError(f"{name} holds times: give numbers, such as seconds since the first")
    names = getattr(X, "columns", None)
    if names is not None and len(set(names)) < len(names):
        twice = next(name for k, name in enumerate(names) if name in names[:k])
        raise ValueError(f"{name} has two columns called {twice!r}: give each its own name")
    return X


def _refuse(error: Exception, X: Any, name: str, owner: Any) -> NoReturn:
    """Say in one sentence what scikit-learn, numpy or pandas say in many."""
    words = str(error)
    if isinstance(error, OverflowError):
        raise too_large(name) from None
    if "contains NaN" in words and "Input y" not in words:
        who = "are not taken" if owner is None else f"{type(owner).__name__} does not take"
        advice = getattr(owner, "_advice_on_missing", "")
        raise ValueError(
            f"Input {name} contains NaN, missing values that {who} here: fill them, or leave out "
            f"their rows{advice}"
        ) from None
    if "Complex data not supported" in words:
        raise ValueError(
            f"Complex data not supported: {name} holds complex numbers, give their parts or moduli"
        ) from None
    if "Expected 2D array" in words or "Found array with dim" in words:
        shape = np.shape(X)
        reshape = "reshape" if " " in name else f"{name}.reshape"  # "X of first" is no code
        raise ValueError(
            f"{name} must be two-dimensional, one row per sample, and its shape is {shape}. "
            f"Reshape your data: {reshape}(-1, 1) is one feature, {reshape}(1, -1) one sample"
        ) from None
    if "inhomogeneous" in words:
        raise ValueError(f"{name} has rows of different lengths: it must be a table") from None
    if "promoted" in words:
        raise TypeError(
            f"{name} must hold numbers, and some of its columns do not: turn times into seconds, "
            "and categories into columns of 0 and 1"
        ) from None
    if "convert string" in words or "must be a string or" in words:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        found = re.sub(r"np\.str_\((.*)\)", r"\1", _one_line(words.strip().splitlines()[0]))
        raise kind(f"{name} must hold numbers: {found}") from None
    if "\n" in words or len(words) > _LONGEST:
        raise type(error)(_one_line(words)) from None
    raise error


def _one_line(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= _LONGEST else line[:_LONGEST] + " …"
