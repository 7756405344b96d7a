"""What spaces and kernels ask of the rows they are given."""

import functools
import inspect
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from noneuclid._checks import shown
from noneuclid._data import all_finite, check_array, is_rows
from noneuclid._documentation import Documented
from noneuclid._memory import are_few, require_matrices
from noneuclid._parameters import check_parameters_once
from noneuclid.typing import Array

Method = Callable[..., Array]
# What spaces and kernels are asked for.
_ANSWERS = (
    "__call__",
    "diag",
    "gradient",
    "norm",
    "product",
    "pull",
    "squared_distance",
    "squared_distance_gradient",
    "squared_norm",
)


def finite(method: Method) -> Method:
    """A method that raises where its values are beyond the range of numbers."""

    @functools.wraps(method)
    def answer(self: Any, *args: Any, **kwargs: Any) -> Array:
        with np.errstate(over="ignore", invalid="ignore"):
            values = method(self, *args, **kwargs)
        several = values if isinstance(values, tuple) else (values,)
        if not all(map(all_finite, several)):
            what = method.__name__.strip("_").replace("_", " ").replace("call", "kernel")
            raise ValueError(
                f"the {what} of {shown(self)} is beyond the range of floating-point numbers: "
                "rescale the data"
            )
        return values

    return answer


class RowInput(Documented):
    """Checks of matrices of rows: one clear sentence before any work is done."""

    _second_argument: ClassVar[str] = "W"

    def __init_subclass__(cls, **kwargs: Any) -> None:
        # No formula has to look at its own values.
        super().__init_subclass__(**kwargs)
        for name in _ANSWERS:
            if inspect.isfunction(cls.__dict__.get(name)):
                setattr(cls, name, finite(cls.__dict__[name]))

    @property
    def n_features(self) -> int | None:
        """The dimension, where the parameters fix it; None if any will do."""
        return None

    def _check_params(self) -> None:
        """Raise ValueError or TypeError for parameters that do not go together."""

    def _check(self, X: ArrayLike, name: str = "X") -> Array:
        check_parameters_once(self)
        rows: Array
        if is_rows(X) and X.shape[1]:  # type: ignore[union-attr]
            rows = X  # type: ignore[assignment]
        else:
            rows = check_array(
                X, dtype=np.float64, order="C", ensure_min_samples=0, input_name=name
            )
        if self.n_features is not None and rows.shape[1] != self.n_features:
            raise ValueError(
                f"{name} has {rows.shape[1]} features, but {shown(self)} takes {self.n_features}"
            )
        return rows

    def _check_pair(self, X: ArrayLike, W: ArrayLike) -> tuple[Array, Array]:
        name = self._second_argument
        X, W = self._check(X), self._check(W, name)
        if X.shape[1] != W.shape[1]:
            raise ValueError(
                f"X has {X.shape[1]} features and {name} has {W.shape[1]}: they must agree"
            )
        self._require_pairs(len(X), len(W))
        return X, W

    def _require_pairs(self, n: int, m: int) -> None:
        """Raise unless there is memory for a number per pair."""
        if are_few(n * m):
            return
        require_matrices(
            f"{type(self).__name__} of all pairs of {n:,} and {m:,} objects",
            n,
            m,
            instead="take blocks of them, or a learner with n_landmarks=…",
        )

    def _check_point(self, x: ArrayLike, W: ArrayLike) -> tuple[Array, Array]:
        point = np.asarray(x)
        if point.ndim != 1:
            raise ValueError(f"x must be one point, a 1-d array; its shape is {point.shape}")
        X, W = self._check_pair(point[None, :], W)
        return X[0], W

    def _check_forces(self, X: ArrayLike, W: ArrayLike, F: ArrayLike) -> tuple[Array, Array, Array]:
        X, W = self._check_pair(X, W)
        F = np.asarray(F, dtype=np.float64)
        if F.shape != (len(X), len(W)):
            raise ValueError(f"F must be {(len(X), len(W))}, one force per pair, not {F.shape}")
        return X, W, F
