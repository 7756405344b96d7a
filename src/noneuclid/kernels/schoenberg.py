"""The Gaussian of the distance that another kernel induces."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.metaestimators import available_if

from noneuclid._checks import shown
from noneuclid._parameters import check_parameters
from noneuclid.kernels.base import Kernel
from noneuclid.kernels.cross_information import CrossInformationPotential
from noneuclid.kernels.dot import Linear, Polynomial
from noneuclid.kernels.names import KernelLike, as_kernel
from noneuclid.kernels.spike_train import SpikeTrainKernel
from noneuclid.kernels.widths import Width, fixed_width, median_distance, some_of, spread
from noneuclid.numerics import exp_nonpositive
from noneuclid.spaces import KernelMetric
from noneuclid.typing import Array


def _differentiable(kernel: "Schoenberg") -> bool:
    return hasattr(as_kernel(kernel.kernel), "gradient")


class Schoenberg(Kernel):
    r"""The Gaussian of the distance of a kernel k, of rows or of objects.

    .. math:: \kappa(x, y) = \exp\left(-\frac{d_k^2(x, y)}{2\,width^2}\right), \qquad
              d_k^2(x, y) = k(x, x) - 2k(x, y) + k(y, y)

    If k is positive definite, its distance is that of a Hilbert space, and κ is positive definite
    for every width (Schoenberg 1938). A kernel that is linear in what it measures, such as the
    inner product of smoothed spike trains, becomes one that can tell any two objects apart.
    Over a kernel that claims no positivity κ claims none either, and values above 1 are
    possible: see ``is_positive_definite`` before it goes into a learner that relies on it.

    Parameters
    ----------
    kernel : str, Kernel or callable
        k, symmetric: what :func:`noneuclid.kernels.as_kernel` accepts.
    width : float, "scale" or "median", default=1.0
        In the unit of :math:`d_k`. ``"median"`` is the median distance of objects that differ,
        ``"scale"`` half their root mean squared distance (as that of ``Gaussian``, on centred
        features); both are fixed by :meth:`resolve` when a learner fits.

    References
    ----------
    I. J. Schoenberg (1938), Metric spaces and positive definite functions. A. R. C. Paiva, I. Park
    and J. C. Príncipe (2009), A reproducing kernel Hilbert space framework for spike train signal
    processing.

    Examples
    --------
    >>> from noneuclid.kernels import SpikeTrainKernel
    >>> trains = [[0.1, 0.5], [0.1, 0.6], [2.0], []]
    >>> kernel = Schoenberg(SpikeTrainKernel(0.2, smoothing="exponential"), width="median")
    >>> kernel.resolve(trains)(trains).round(2)
    array([[1.  , 0.84, 0.48, 0.6 ],
           [0.84, 1.  , 0.49, 0.61],
           [0.48, 0.49, 1.  , 0.8 ],
           [0.6 , 0.61, 0.8 , 1.  ]])
    """

    def __init__(self, kernel: KernelLike, width: Width = 1.0):
        self.kernel = kernel
        self.width = width

    @classmethod
    def examples(cls) -> list[Self]:
        """Return kernels of rows, of trains and of bags, and one over an indefinite kernel."""
        return [
            cls(Linear(), 2.0),
            cls(Polynomial(degree=2, gamma=0.5)),
            cls(Polynomial(degree=3, coef0=-2.0), 20.0),
            cls(SpikeTrainKernel(0.7)),
            cls(CrossInformationPotential(0.5), 0.3),
        ]

    @property
    def laws(self) -> frozenset[str]:  # type: ignore[override]
        """Symmetric; positive if the inner kernel is."""
        return frozenset({"symmetry"} | (as_kernel(self.kernel).laws & {"positivity"}))

    @property
    def takes_objects(self) -> bool:  # type: ignore[override]
        """Whether the inner kernel takes objects of its own kind."""
        return as_kernel(self.kernel).takes_objects

    @property
    def n_features(self) -> int | None:
        """The dimension, where the inner kernel fixes it."""
        return as_kernel(self.kernel).n_features

    def _check_params(self) -> None:
        inner = as_kernel(self.kernel)
        if not inner.is_symmetric:
            raise ValueError(f"Schoenberg needs a symmetric kernel; {shown(inner)} is not")

    def as_objects(self, X: Any, name: str = "X") -> Any:
        """Return X checked, as the inner kernel takes it."""
        check_parameters(self)
        return as_kernel(self.kernel).as_objects(X, name)

    def example_objects(self, rng: np.random.Generator, n: int) -> Any:
        """Return n random objects of the inner kernel."""
        return as_kernel(self.kernel).example_objects(rng, n)

    def _check(self, X: Any, name: str = "X") -> Any:
        return self.as_objects(X, name)

    def _check_pair(self, X: Any, Y: Any) -> tuple[Any, Any]:
        check_parameters(self)
        return as_kernel(self.kernel)._check_pair(X, Y)

    def resolve(self, X: Any) -> Self:
        """Return the kernel with its width, and what the inner kernel leaves to the data, fixed."""
        check_parameters(self)
        inner = as_kernel(self.kernel).resolve(X)
        if not isinstance(self.width, str):
            return self if inner is self.kernel else type(self)(inner, self.width)
        D = type(self)(inner).squared_distance(some_of(inner.as_objects(X)))
        rule = self.width
        width = spread(D, self) / np.sqrt(2.0) if rule == "scale" else median_distance(D, self)
        return type(self)(inner, float(width))

    def squared_distance(self, X: Any, Y: Any = None) -> Array:
        """k(x_i, x_i) − 2k(x_i, y_j) + k(y_j, y_j) of all pairs."""
        return self._squares(*self._check_pair(X, Y))

    def _squares(self, X: Any, Y: Any) -> Array:
        inner = as_kernel(self.kernel)
        own = inner.diag(X)
        D = -2.0 * inner._evaluate(X, Y)
        D += own[:, None]
        D += own if Y is X else inner.diag(Y)
        if self.is_positive_definite:  # then below 0 is rounding
            np.maximum(D, 0.0, out=D)
        if Y is X:
            np.fill_diagonal(D, 0.0)
        return D

    def _evaluate(self, X: Any, Y: Any) -> Array:
        width = fixed_width(self, self.width)
        D = self._squares(X, Y)
        with np.errstate(over="ignore"):  # to infinity, whose exponential is right
            D /= -2.0 * width
            D /= width
            return exp_nonpositive(D, out=D) if self.is_positive_definite else np.exp(D, out=D)

    def diag(self, X: Any) -> Array:
        """Return ones: no object differs from itself."""
        return np.ones(len(self._check(X)))

    @available_if(_differentiable)  # type: ignore[untyped-decorator]
    def gradient(self, x: ArrayLike, W: ArrayLike) -> Array:
        """∂κ(x, w_j)/∂w_j = −κ(x, w_j) ∂d_k²(x, w_j)/∂w_j / (2 width²), of rows."""
        x, W = self._check_point(x, W)
        slopes = -0.5 * self(x[None, :], W).T / self._length / self._length
        return np.asarray(slopes * self._metric.squared_distance_gradient(x, W))

    @available_if(_differentiable)  # type: ignore[untyped-decorator]
    def pull(self, X: ArrayLike, W: ArrayLike, F: ArrayLike) -> Array:
        """Σ_i F_ij ∂κ(x_i, w_j)/∂w_j."""
        X, W, F = self._check_forces(X, W, F)
        H = -0.5 * F * self(X, W) / self._length / self._length
        return self._metric.pull(X, W, H)

    @property
    def _length(self) -> float:
        return fixed_width(self, self.width)

    @property
    def _metric(self) -> KernelMetric:
        return KernelMetric(as_kernel(self.kernel))
