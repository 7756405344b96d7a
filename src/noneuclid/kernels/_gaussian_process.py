"""What scikit-learn's Gaussian processes ask of a kernel, besides its values."""

from typing import Annotated, Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.gaussian_process.kernels import Hyperparameter
from sklearn.gaussian_process.kernels import Kernel as SklearnKernel

from noneuclid._checks import is_number
from noneuclid._parameters import Rule, is_pair
from noneuclid.typing import Array

Bounds = Annotated[
    tuple[float, float] | Literal["fixed"],
    Rule(
        '"fixed" or a pair of positive numbers, the smaller first',
        lambda b: (
            (isinstance(b, str) and b == "fixed") or (is_pair(b, is_number) and 0 < b[0] < b[1])
        ),
    ),
]


class Hyperparameters:
    """Parameters that a Gaussian process may learn, as logarithms.

    A kernel without any stays as it is. What may be learned is named by ``hyperparameters``, and
    ``_theta_gradient(X, K)`` has the derivatives of the Gram matrix K of X, (n, n, n_dims).
    """

    @property
    def hyperparameters(self) -> list[Hyperparameter]:
        """What scikit-learn's Gaussian processes may learn; fixed ones included."""
        return []

    @property
    def theta(self) -> Array:
        """Logarithms of the hyperparameters that are not fixed."""
        free = [getattr(self, h.name) for h in self.hyperparameters if not h.fixed]
        return np.log(np.array(free, dtype=np.float64))

    @theta.setter
    def theta(self, theta: ArrayLike) -> None:
        free = [h.name for h in self.hyperparameters if not h.fixed]
        values = np.exp(np.asarray(theta, dtype=np.float64))
        if values.shape != (len(free),):
            raise ValueError(f"theta must have {len(free)} entries; its shape is {values.shape}")
        for name, value in zip(free, values):
            setattr(self, name, float(value))

    @property
    def n_dims(self) -> int:
        """How many hyperparameters are not fixed."""
        return len(self.theta)

    @property
    def bounds(self) -> Array:
        """Logarithms of the bounds of ``theta``: (n_dims, 2), or empty."""
        free = [h.bounds for h in self.hyperparameters if not h.fixed]
        return np.log(np.vstack(free)) if free else np.array([])

    def clone_with_theta(self, theta: ArrayLike) -> Self:
        """Return a copy with other hyperparameters.

        Parameters
        ----------
        theta : array of shape (n_dims,)
            Their logarithms.

        Returns
        -------
        kernel : Kernel
        """
        copy = clone(self)
        copy.theta = theta
        return copy  # type: ignore[no-any-return]

    def is_stationary(self) -> bool:
        """Whether the value depends on the difference of two rows only.

        Returns
        -------
        bool
        """
        return False

    @property
    def requires_vector_input(self) -> bool:
        """Whether the kernel compares rows of a matrix rather than objects of its own kind."""
        return not self.takes_objects  # type: ignore[attr-defined,no-any-return]

    def _theta_gradient(self, X: Any, K: Array) -> Array:
        """∂K/∂theta of the Gram matrix K of X."""
        return np.empty((*K.shape, 0))

    # Sums, products and powers with scikit-learn's own kernels are scikit-learn's.
    __add__: Any = SklearnKernel.__add__
    __radd__: Any = SklearnKernel.__radd__
    __mul__: Any = SklearnKernel.__mul__
    __rmul__: Any = SklearnKernel.__rmul__
    __pow__: Any = SklearnKernel.__pow__
    _check_bounds_params: Any = SklearnKernel._check_bounds_params
