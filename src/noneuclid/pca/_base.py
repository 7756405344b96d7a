"""What the component estimators share: counts, signs, spectra, warnings."""

import warnings
from numbers import Integral, Real
from typing import Any

import numpy as np
from scipy import linalg
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_array, validate_data

from noneuclid.numerics import row_blocks
from noneuclid.typing import Array

# With this many rows per column the covariance matrix is as accurate as needed and cheaper.
_TALL = 5
# A squared mean of so many variances costs two of sixteen digits.
_SMALL_MEAN = 100.0


def check_choice(name: str, value: Any, allowed: tuple[str, ...]) -> None:
    """Raise unless the value is one of the names allowed."""
    if value not in allowed:
        names = ", ".join(f'"{choice}"' for choice in allowed)
        raise ValueError(f"{name} (={value!r}) must be one of {names}")


def check_positive(name: str, value: Any) -> None:
    """Raise unless the value is a positive number."""
    number = isinstance(value, (Real, np.number)) and not isinstance(value, bool)
    if not number or not 0 < value < np.inf:
        raise ValueError(f"{name} (={value!r}) must be a positive number")


def check_count(name: str, value: Any) -> None:
    """Raise unless the value is a positive integer."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < 1:
        raise ValueError(f"{name} (={value!r}) must be a positive integer")


def component_count(n_components: int | None, n_samples: int, n_features: int) -> int:
    """The number of components, at most what the data can have; None is all of them."""
    limit = min(n_samples, n_features)
    if n_components is None:
        return limit
    check_count("n_components", n_components)
    if n_components > limit:
        raise ValueError(
            f"n_components (={n_components}) must be at most min(n_samples, n_features) = {limit}"
        )
    return int(n_components)


def refuse_single_sample(learner: object, n_samples: int) -> None:
    """Raise for one sample: it has no variance."""
    if n_samples < 2:
        name = type(learner).__name__
        raise ValueError(
            f"{name} needs at least two samples to see a variance, got n_samples={n_samples}"
        )


def checked_rows(learner: Any, X: Any, *, reset: bool = True) -> tuple[Array, Array]:
    """The rows of X as scikit-learn checks them, and their mean.

    A mean that is finite shows that all numbers are: they are read once, not twice.
    """
    rows = validate_data(
        learner, X, dtype=np.float64, order="C", reset=reset, ensure_all_finite=False
    )
    with np.errstate(invalid="ignore", over="ignore"):
        mean = np.full(len(rows), 1.0 / len(rows)) @ rows
    if not np.isfinite(mean).all():
        check_array(rows, input_name="X", estimator=learner)
    return rows, np.asarray(mean)


# Beyond these, products of four values are no longer numbers of the machine.
_SMALLEST, _LARGEST = 1e-75, 1e75


def refuse_extremes(centred: Array) -> None:
    """Raise for data whose powers overflow, or vanish: components would be anything."""
    size = float(np.abs(centred).max(initial=0.0))
    if size > _LARGEST or 0.0 < size < _SMALLEST:
        raise ValueError(
            f"X differs from its mean by up to {size:.0e}, and powers of that are beyond the range "
            "of numbers: rescale X"
        )


def orientation(W: Array) -> Array:
    """The sign, as a column, that makes each row's entry of largest modulus positive."""
    largest = np.argmax(np.abs(W), axis=1)
    signs = np.sign(W[np.arange(len(W)), largest])
    return np.asarray(np.where(signs == 0, 1.0, signs)[:, None])


def orient(W: Array) -> Array:
    """Each row with its entry of largest modulus positive."""
    return np.asarray(W * orientation(W))


def covariance(X: Array, mean: Array) -> Array:
    """(X − mean)'(X − mean)/n; centred block by block where X'X would drown in the mean."""
    few = X[:: max(len(X) // 1000, 1)]
    if mean @ mean <= _SMALL_MEAN * few.var(axis=0).sum():
        return np.asarray(X.T @ X / len(X) - np.outer(mean, mean))
    C = np.zeros((X.shape[1], X.shape[1]))
    for rows in row_blocks(len(X), X.shape[1] * 8):
        block = X[rows] - mean
        C += block.T @ block
    return C / len(X)


def covariance_root(X: Array, mean: Array) -> Array:
    """B with B'B = (X − mean)'(X − mean)/n and as few rows as possible."""
    n, d = X.shape
    if n <= d:
        return (X - mean) / np.sqrt(n)
    if n < _TALL * d:
        return np.asarray(linalg.qr(X - mean, mode="r")[0][:d] / np.sqrt(n))
    values, vectors = linalg.eigh(covariance(X, mean))
    return np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T


def principal_axes(X: Array, mean: Array, k: int) -> tuple[Array, Array, float]:
    """The k leading variances and unit axes of X in Euclidean coordinates, and the total."""
    n, d = X.shape
    if n >= _TALL * d:
        C = covariance(X, mean)
        values, vectors = linalg.eigh(C, subset_by_index=[d - k, d - 1])
        return np.maximum(values[::-1], 0.0), orient(vectors[:, ::-1].T), float(np.trace(C))
    centred = X - mean
    _, singular, axes = linalg.svd(centred, full_matrices=False)
    values = singular**2 / n
    return values[:k], orient(axes[:k]), float(values.sum())


def variance_shares(variances: Array, total: float) -> Array:
    """λ/total; zeros for constant data."""
    return variances / total if total > 0 else np.zeros_like(variances)


def warn_not_converged(learner: object, what: str, advice: str) -> None:
    """A ConvergenceWarning that says what to change."""
    warnings.warn(f"{type(learner).__name__} {what}: {advice}", ConvergenceWarning, stacklevel=3)
