"""Numbers as targets: what a regressor checks, and in which unit it learns them."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import column_or_1d

from noneuclid._data import check_array, check_range
from noneuclid.typing import Array


def check_targets(y: Any, n: int, learner: str) -> Array:
    """Return finite numbers (n,) or (n, t) that are not constant, or raise.

    Parameters
    ----------
    y : array of shape (n,) or (n, t)
    n : int
        How many samples there are.
    learner : str
        Whose targets they are.

    Returns
    -------
    array of shape (n,) or (n, t)

    Examples
    --------
    >>> check_targets([1.0, 2.0, 4.0], 3, "PrototypeRegressor")
    array([1., 2., 4.])
    >>> check_targets(["low", "high", "low"], 3, "PrototypeRegressor")
    Traceback (most recent call last):
    ...
    ValueError: y holds text ('low'): PrototypeRegressor predicts numbers, a classifier takes labels
    """
    if y is None:
        raise ValueError(f"{learner} requires y to be passed, but the target y is None")
    if np.ma.is_masked(y):
        raise ValueError(f"y has masked entries: {learner} needs a number for every sample")
    _refuse_text(y, learner)
    shape = np.asarray(y).shape
    if len(shape) not in (1, 2):
        raise ValueError(f"y must have one or two dimensions, and its shape is {shape}")
    numbers = check_array(
        y, dtype=np.float64, ensure_2d=False, ensure_all_finite=False, input_name="y"
    )
    if numbers.ndim == 2 and numbers.shape[1] == 1:
        numbers = column_or_1d(numbers)
    if len(numbers) != n:
        raise ValueError(f"there are {n} samples but {len(numbers)} targets in y")
    if not np.isfinite(numbers).all():
        bad = int(np.argmax(~np.isfinite(numbers.reshape(n, -1)).all(axis=1)))
        what = "NaN" if np.isnan(numbers).any() else "infinity"
        raise ValueError(
            f"Input y contains {what}, first at sample {bad}: {learner} needs a finite number for "
            "every sample, leave out those without one"
        )
    return check_range(numbers, "y", tiny=True)


def _refuse_text(y: Any, learner: str) -> None:
    # An array of a list would turn its numbers into words, if there are any.
    dtype = getattr(y, "dtype", None)
    entries = np.asarray(y) if isinstance(dtype, np.dtype) else np.asarray(y, dtype=object)
    if entries.dtype.kind in "mM":
        raise TypeError("y holds times: give numbers, such as seconds since the first")
    if entries.dtype.kind == "O":
        entries = np.array([v for v in entries.ravel().tolist() if isinstance(v, str | bytes)])
    if entries.dtype.kind in "US" and entries.size > 0:
        word = entries.ravel().tolist()[0]
        raise ValueError(
            f"y holds text ({word!r}): {learner} predicts numbers, a classifier takes labels"
        )


@dataclass
class TargetScale:
    """Mean and standard deviation of the targets, and whether there is only one.

    Parameters
    ----------
    mean, deviation : arrays of shape (t,)
    single : bool
        Whether y had one dimension.
    """

    mean: Array
    deviation: Array
    single: bool

    @classmethod
    def of(cls, y: Array, weights: Array | None, learner: str) -> Self:
        """Those of checked targets, or an error if they are constant."""
        Y = y.reshape(len(y), -1)
        if weights is not None:  # targets without a weight have no size either
            Y, weights = Y[weights > 0], weights[weights > 0]
        middle = Y.mean(axis=0)  # sums of squares lose fewer digits around it
        mean = np.average(Y - middle, axis=0, weights=weights) + middle
        deviation = np.sqrt(np.average((Y - mean) ** 2, axis=0, weights=weights))
        size = np.abs(Y).max(axis=0)
        flat = deviation <= 1e-12 * np.maximum(size, np.finfo(np.float64).tiny)
        if flat.any():
            k = int(np.argmax(flat))
            which = "y" if y.ndim == 1 else f"column {k} of y"
            which += "" if np.ptp(Y[:, k]) == 0 else ", as it is weighted,"
            raise ValueError(
                f"{which} is constant (={mean[k]:.6g}): {learner} has nothing to learn from it"
            )
        return cls(mean, deviation, y.ndim == 1)

    def forth(self, y: ArrayLike) -> Array:
        """Standardised targets: (n, t)."""
        Y = np.asarray(y, dtype=np.float64)
        return np.asarray((Y.reshape(len(Y), -1) - self.mean) / self.deviation)

    def back(self, Y: Array) -> Array:
        """Numbers in the unit of the targets, in the shape of y."""
        numbers = self.mean + self.deviation * Y
        return numbers[..., 0] if self.single else numbers
