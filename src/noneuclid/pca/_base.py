"""What the component estimators share: parameters, checks, spectra, warnings."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg
from sklearn.exceptions import ConvergenceWarning

from noneuclid._data import check_array, check_is_fitted, validate_data
from noneuclid._estimator import estimator
from noneuclid._parameters import Count, Folder, Positive, Seed
from noneuclid._sklearn import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from noneuclid._warnings import warn
from noneuclid.numerics import fix_vectors, row_blocks
from noneuclid.typing import Array

# With this many rows per column the covariance matrix is as accurate as needed and cheaper.
_TALL = 5
# A squared mean of so many variances costs two of sixteen digits.
_SMALL_MEAN = 100.0


@estimator
class Components(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Learners of components.

    Parameters
    ----------
    n_components : int or None, default=2
        None keeps as many as samples and features allow.
    """

    n_components: Count | None = 2

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)  # type: ignore[attr-defined]

    def _n_directions(self, X: Any) -> int:
        """How many components rows or objects like these can have."""
        return int(X.shape[1])

    def _count(self, n_samples: int, n_features: int, of: str = "n_features") -> int:
        """The number of components, at most what the data can have."""
        limit = min(n_samples, n_features)
        if self.n_components is None:
            return limit
        if self.n_components > limit:
            raise ValueError(
                f"n_components (={self.n_components}) must be at most min(n_samples, {of}) "
                f"= {limit}"
            )
        return int(self.n_components)

    def _refuse_single_sample(self, n_samples: int) -> None:
        if n_samples < 2:
            raise ValueError(
                f"{type(self).__name__} needs at least two samples to see a variance, got "
                f"n_samples={n_samples}"
            )

    def _rows(self, X: Any, *, reset: bool = True) -> tuple[Array, Array]:
        """The rows of X as scikit-learn checks them, and their mean.

        A mean that is finite shows that all numbers are: they are read once, not twice.
        """
        rows = validate_data(
            self, X, dtype=np.float64, order="C", reset=reset, ensure_all_finite=False
        )
        with np.errstate(invalid="ignore", over="ignore"):
            mean = np.full(len(rows), 1.0 / len(rows)) @ rows
        if not np.isfinite(mean).all():
            check_array(rows, input_name="X", estimator=self)
        # A sum of equal numbers may round: a constant column has no variance, not a tiny one.
        near = np.flatnonzero(np.abs(mean - rows[0]) <= 1e-12 * np.abs(rows[0]))
        constant = near[(rows[:, near] == rows[0, near]).all(axis=0)]
        mean[constant] = rows[0, constant]
        return rows, np.asarray(mean)

    def _scores(self, X: ArrayLike) -> Array:
        """Scores to be mapped back, one column per component."""
        check_is_fitted(self)
        scores: Array = check_array(X, dtype=np.float64)
        if scores.shape[1] != self._n_features_out:
            raise ValueError(
                f"X has {scores.shape[1]} columns, but there are {self._n_features_out} components"
            )
        return scores

    def _warn_not_converged(self, what: str, advice: str) -> None:
        """A ConvergenceWarning that says what to change."""
        warn(f"{type(self).__name__} {what}: {advice}", ConvergenceWarning)


@estimator
class BlockComponents(Components):
    """Learners whose components come from sums over samples: data may be in blocks, on dask.

    Parameters
    ----------
    checkpoint : str or path, optional
        A folder that keeps what every pass over the data found. A fit that was interrupted goes
        on from there if it is called again with the same parameters and data, and ends as if
        nothing had happened. Data in memory are one block.
    """

    checkpoint: Folder | None = None


@estimator
class IterativeComponents(Components):
    """Learners that take steps until they come to rest.

    Parameters
    ----------
    max_iter : int, default=1000
        Most iterations per component.
    tol : float, default=1e-10
        Stop when a component moves less in one iteration.
    random_state : int, RandomState or None, default=None
        For starts and for the order of samples.

    Attributes
    ----------
    n_iter_ : int
    """

    max_iter: Count | None = 1000
    tol: Positive | None = 1e-10
    random_state: Seed = None

    def _warn_restless(self, advice: str, unit: str = "iterations") -> None:
        self._warn_not_converged(f"did not come to rest in {self.n_iter_} {unit}", advice)  # type: ignore[attr-defined]


# Beyond these, products of four values are no longer numbers of the machine.
_SMALLEST, _LARGEST = 1e-75, 1e75


def refuse_extremes(size: float) -> None:
    """Raise for data of such a largest number if powers of it overflow, or vanish."""
    if size > _LARGEST or 0.0 < size < _SMALLEST:
        raise ValueError(
            f"X differs from its mean by up to {size:.0e}, and powers of that are beyond the range "
            "of numbers: rescale X"
        )


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


def is_tall(n: int, d: int) -> bool:
    """Whether there are so many rows that their covariance matrix is accurate enough."""
    return n >= _TALL * d


def triangle(V: Array) -> Array:
    """R with R'R = V'V and at most as many rows as columns, of positive diagonal if fewer."""
    d = V.shape[1]
    if len(V) <= d:
        return V
    R = linalg.qr(V, mode="r", check_finite=False)[0][:d]
    return np.asarray(np.where(np.diag(R) < 0, -1.0, 1.0)[:, None] * R)


def root_of(C: Array) -> Array:
    """B with B'B = C, of orthogonal rows."""
    values, vectors = linalg.eigh(C)
    return np.sqrt(np.maximum(values, 0.0))[:, None] * fix_vectors(values, vectors).T


def covariance_root(X: Array, mean: Array) -> Array:
    """B with B'B = (X − mean)'(X − mean)/n and as few rows as possible."""
    if is_tall(*X.shape):
        return root_of(covariance(X, mean))
    return triangle(X - mean) / np.sqrt(len(X))


Axes = tuple[Array, Array, float]
"""Leading variances and unit axes, and the total variance."""


def axes_of(C: Array, k: int) -> Axes:
    """The k leading variances and axes of a covariance matrix."""
    d = len(C)
    values, vectors = linalg.eigh(C, subset_by_index=[d - k, d - 1])
    values = np.maximum(values[::-1], 0.0)
    return values, fix_vectors(values, vectors[:, ::-1]).T, float(np.trace(C))


def axes_of_root(B: Array, k: int) -> Axes:
    """The same of B'B."""
    _, singular, axes = linalg.svd(B, full_matrices=False)
    values = singular**2
    return values[:k], fix_vectors(values, axes.T).T[:k], float(values.sum())


def principal_axes(X: Array, mean: Array, k: int) -> Axes:
    """The k leading variances and unit axes of X in l2, and the total variance."""
    if is_tall(*X.shape):
        return axes_of(covariance(X, mean), k)
    values, axes, total = axes_of_root(X - mean, k)
    return values / len(X), axes, total / len(X)


def variance_shares(variances: Array, total: float) -> Array:
    """λ/total; zeros for constant data."""
    return variances / total if total > 0 else np.zeros_like(variances)


def warn_anew(what: str | None = None) -> None:
    """Say that a stream does not go on from what was fitted before."""
    instead = f"; fit with {what} is gone on from" if what else ""
    begins = "partial_fit begins a new stream, and forgets what fit has learned"
    warn(f"{begins}: begin with partial_fit{instead}")
