"""The Gaussian of the distance that another kernel induces."""

from typing import Any, Self

import numpy as np

from noneuclid._checks import shown
from noneuclid._parameters import check_parameters
from noneuclid.kernels._distances import Distances, KernelDistances
from noneuclid.kernels._gaussian_process import Bounds
from noneuclid.kernels.cross_information import CrossInformationPotential
from noneuclid.kernels.dot import Linear, Polynomial
from noneuclid.kernels.names import KernelLike, as_kernel
from noneuclid.kernels.radial import GaussianProfile
from noneuclid.kernels.spike_train import SpikeTrainKernel
from noneuclid.kernels.widths import Width
from noneuclid.typing import Array


class Schoenberg(GaussianProfile):
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
    width_bounds : (float, float) or "fixed", default=(1e-5, 1e5)
        Between which scikit-learn's Gaussian processes may look for the width.

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

    def __init__(
        self, kernel: KernelLike, width: Width = 1.0, *, width_bounds: Bounds = (1e-5, 1e5)
    ):
        self.kernel = kernel
        self.width = width
        self.width_bounds = width_bounds

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
        """Return the kernel with its width, and what the inner kernel leaves to the data, fixed.

        Parameters
        ----------
        X : array of shape (n, d), or objects

        Returns
        -------
        kernel : Schoenberg
            The kernel itself if there is nothing to fix.
        """
        check_parameters(self)
        inner = as_kernel(self.kernel).resolve(X)
        fixed = self if inner is self.kernel else self._with(kernel=inner)
        if not isinstance(self.width, str):
            return fixed
        return fixed._with(width=fixed._rule(inner.as_objects(X)))

    @property
    def _distances(self) -> Distances:
        return KernelDistances(as_kernel(self.kernel))

    @property
    def _is_differentiable(self) -> bool:
        return hasattr(as_kernel(self.kernel), "gradient")

    def _values(self, D: Array, width: float) -> Array:
        if self.is_positive_definite:
            return super()._values(D, width)
        D /= -2.0 * width
        D /= width
        return np.exp(D, out=D)

    def _profile_slope(self, T: Array) -> Array:
        return np.asarray(-0.5 * np.exp(-0.5 * T))

    def _scale(self, X: Any) -> float:
        return float(super()._scale(X) / np.sqrt(2.0))
