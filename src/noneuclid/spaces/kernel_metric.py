"""What a kernel makes of the data space itself: responses, and where it is symmetric distances."""

from dataclasses import field
from typing import Annotated, Any, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike

from noneuclid._checks import shown
from noneuclid._estimator import estimator
from noneuclid._parameters import Made
from noneuclid.spaces.base import Space
from noneuclid.spaces.forms import Form
from noneuclid.spaces.rows import finite
from noneuclid.typing import Array


class DifferentiableKernel(Protocol):
    """What :class:`KernelMetric` needs of a kernel."""

    def __call__(self, X: Array, Y: Array | None = None) -> Array:
        """κ(x_i, y_j)."""

    def diag(self, X: Array) -> Array:
        """κ(x_i, x_i)."""

    def gradient(self, x: Array, W: Array) -> Array:
        """∂κ(x, w_j)/∂w_j."""


def _check_response(kernel: Any) -> Any:
    return _require("KernelResponse", kernel, "__call__")


def _require(owner: str, kernel: Any, *methods: str) -> Any:
    for method in methods:
        if not hasattr(kernel, method) or isinstance(kernel, type):
            raise TypeError(f"{owner} needs a kernel with `{method}`; {shown(kernel)} has none")
    return kernel


def _check_kernel(kernel: Any) -> Any:
    _require("KernelMetric", kernel, "__call__", "diag", "gradient")
    if not getattr(kernel, "is_symmetric", True):
        raise ValueError(f"KernelMetric needs a symmetric kernel; {shown(kernel)} is not")
    return kernel


@estimator
class KernelResponse(Space):
    r"""Data space with the values of a kernel as responses, and no distance.

    .. math:: [v, w] := \gamma(v, w)

    for any kernel, in particular the semi-inner-product kernel of a Banach space, which need not
    be symmetric and whose distance cannot be had from its values. It is what the Hebbian rule in
    :math:`(V, d_{\mathcal B})` asks for: ``HebbianPCA(space=KernelResponse(BanachGaussian()))``.
    Learners that need distances refuse it; a symmetric kernel has a :class:`KernelMetric`.

    Parameters
    ----------
    kernel : callable
        Of two matrices of rows, such as one of :mod:`noneuclid.kernels`.

    References
    ----------
    M. Lange, M. Biehl and T. Villmann (2015), Non-Euclidean principal component analysis by
    Hebbian learning, section 3.3.2.

    Examples
    --------
    >>> from noneuclid.kernels import BanachGaussian
    >>> KernelResponse(BanachGaussian(p=3)).product([[1.0]], [[0.5], [1.0]]).round(3)
    array([[0.846, 1.   ]])
    """

    kernel: Annotated[Any, Made(_check_response)] = field(kw_only=False)

    @classmethod
    def examples(cls) -> list[Self]:
        """Return none: tests over all spaces ask for distances."""
        return []

    @property
    def n_features(self) -> int | None:
        """The dimension, if the kernel fixes it."""
        return getattr(self.kernel, "n_features", None)

    def resolve(self, X: ArrayLike) -> Self:
        """Freeze data-dependent parameters of the kernel on X.

        Parameters
        ----------
        X : array of shape (n, d)
            Training data.

        Returns
        -------
        KernelResponse
            A copy, or this one if nothing depends on data.
        """
        if not hasattr(self.kernel, "resolve"):
            return self
        return type(self)(self.kernel.resolve(X))

    def product(self, X: ArrayLike, W: ArrayLike) -> Array:
        """γ(x_i, w_j).

        Parameters
        ----------
        X : array of shape (n, d)
            Vectors.
        W : array of shape (m, d)
            Vectors.

        Returns
        -------
        array of shape (n, m)
            Responses.
        """
        return self._product(*self._check_pair(X, W))

    @finite
    def _product(self, X: Array, W: Array) -> Array:
        """The same for rows that are valid already."""
        return np.asarray(getattr(self.kernel, "_evaluate", self.kernel)(X, W))


@estimator
class KernelMetric(KernelResponse):
    r"""Data space with the distance of a symmetric, differentiable kernel.

    .. math:: d^2(v, w) = \kappa(v, v) - 2\kappa(v, w) + \kappa(w, w)

    Prototypes and components stay in the data space, where a person can look at them. The space
    is not linear: ``product`` is the kernel itself, and there are no ``dual`` and no ``norm``.

    Parameters
    ----------
    kernel : object
        With ``__call__``, ``diag`` and ``gradient``, as the differentiable kernels of
        :mod:`noneuclid.kernels`.

    References
    ----------
    T. Villmann, S. Haase and M. Kaden (2015), Kernelized vector quantization in gradient-descent
    learning.

    Examples
    --------
    >>> from noneuclid.kernels import Gaussian
    >>> KernelMetric(Gaussian()).squared_distance([[0.0]], [[0.0], [100.0]])
    array([[0., 2.]])
    """

    kernel: Annotated[DifferentiableKernel, Made(_check_kernel)] = field(kw_only=False)

    @classmethod
    def examples(cls) -> list[Self]:
        """Return none: ``noneuclid.testing.example_spaces`` makes one from every kernel."""
        return []

    @property
    def negative_type(self) -> float:
        """2 if the kernel is positive definite: its distance is that of a Hilbert space."""
        return 2.0 if "positivity" in getattr(self.kernel, "laws", ()) else 0.0

    def compiled_form(self, d: int) -> Form | None:
        """What compiled learning asks."""
        make = getattr(self.kernel, "compiled_form", None)
        form: Form | None = None if make is None else make(d)
        return form

    def squared_distance(self, X: ArrayLike, W: ArrayLike) -> Array:
        """κ(x, x) − 2κ(x, w) + κ(w, w); can be negative only if the kernel is indefinite.

        Parameters
        ----------
        X : array of shape (n, d)
            Vectors.
        W : array of shape (m, d)
            Vectors.

        Returns
        -------
        array of shape (n, m)
            Squared distances of all pairs.
        """
        X, W = self._check_pair(X, W)
        k = self.kernel
        D = k.diag(X)[:, None] - 2.0 * k(X, W) + k.diag(W)
        if "positivity" in getattr(k, "laws", {"positivity"}):  # then below 0 is rounding
            np.maximum(D, 0.0, out=D)
        return np.asarray(D)

    def squared_distance_gradient(self, x: ArrayLike, W: ArrayLike) -> Array:
        """2(∂₂κ(w, w) − ∂₂κ(x, w)); the symmetry of κ gives the factor of the first term.

        Parameters
        ----------
        x : array of shape (d,)
            One point.
        W : array of shape (m, d)
            Points at which the derivative is taken.

        Returns
        -------
        array of shape (m, d)
            A gradient per row of W.
        """
        x, W = self._check_point(x, W)
        return 2.0 * (self._self_gradient(W) - self.kernel.gradient(x, W))

    def pull(self, X: ArrayLike, W: ArrayLike, F: ArrayLike) -> Array:
        """Σ_i F_ij ∂d²(x_i, w_j)/∂w_j.

        Parameters
        ----------
        X : array of shape (n, d)
            Samples.
        W : array of shape (m, d)
            Prototypes.
        F : array of shape (n, m)
            Forces: the derivative of a cost with respect to every pair.

        Returns
        -------
        array of shape (m, d)
            The gradient of the cost with respect to W.
        """
        X, W, F = self._check_forces(X, W, F)
        force = self._kernel_pull(X, W, F)
        return np.asarray(2.0 * (F.sum(axis=0)[:, None] * self._self_gradient(W) - force))

    def _kernel_pull(self, X: Array, W: Array, F: Array) -> Array:
        """Σ_i F_ij ∂₂κ(x_i, w_j), in one go where the kernel can."""
        kernel: Any = self.kernel
        if hasattr(kernel, "pull"):
            return np.asarray(kernel.pull(X, W, F))
        force = np.zeros_like(W)
        for x, f in zip(X, F):
            force += f[:, None] * kernel.gradient(x, W)
        return force

    def _self_gradient(self, W: Array) -> Array:
        """∂₂κ(w_j, w_j)."""
        if len(W) == 0:
            return W.copy()
        if hasattr(self.kernel, "self_gradient"):
            return np.asarray(self.kernel.self_gradient(W))
        return np.vstack([self.kernel.gradient(w, w[None, :]) for w in W])
