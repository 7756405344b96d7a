"""What kernels of a distance share: widths, derivatives, and when they are positive definite."""

import functools
from abc import abstractmethod
from dataclasses import field
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.gaussian_process.kernels import Hyperparameter
from sklearn.utils.metaestimators import available_if

from noneuclid._estimator import estimator
from noneuclid.kernels._distances import Distances, distances_of
from noneuclid.kernels._gaussian_process import Bounds
from noneuclid.kernels.base import Kernel
from noneuclid.kernels.widths import Width, fixed_width, median_distance, some_of, spread
from noneuclid.numerics.profiles import Profile
from noneuclid.spaces import Space, as_space
from noneuclid.spaces.forms import Form, form_of
from noneuclid.spaces.names import SpaceLike
from noneuclid.spaces.radial_form import RadialForm
from noneuclid.typing import Array

_NARROWEST = 1e-140
# Nobody else sees these spaces, so that one of each name will do.
_named = functools.cache(as_space)


def _in_hilbert_space(kernel: "SpaceKernel") -> bool:
    if kernel._space.is_hilbert:
        return True
    raise AttributeError(f"{kernel} is no function of the distance of a Hilbert space")


def differentiable(kernel: "RadialKernel") -> bool:
    """Whether a kernel has a gradient."""
    return kernel._is_differentiable


class RadialKernel(Kernel):
    r"""A kernel :math:`\kappa = f((d/width)^q)` of a distance d. Implement f and its slope.

    With f *completely monotone* (a mixture of decaying exponentials) κ is positive definite if
    :math:`d^q` is of negative type (Schoenberg 1938), and nothing is claimed elsewhere.
    """

    width: Any
    width_bounds: Any

    @property
    @abstractmethod
    def _distances(self) -> Distances:
        """What measures d."""

    @property
    @abstractmethod
    def _is_differentiable(self) -> bool:
        """Whether d has a gradient."""

    @property
    def _power(self) -> float:
        """The exponent q."""
        return 2.0

    @abstractmethod
    def _profile(self, T: Array) -> Array:
        """f(t), with f(0) = 1; may work in place."""

    def _log_profile(self, T: Array) -> Array:
        """log f(t); may work in place."""
        with np.errstate(divide="ignore"):
            return np.log(self._profile(T))

    @abstractmethod
    def _profile_slope(self, T: Array) -> Array:
        """f'(t)."""

    def self_gradient(self, W: Array) -> Array:
        """∂₂κ(w_j, w_j): κ is largest there, and where it has a kink the derivative is 0 too.

        Parameters
        ----------
        W : array of shape (m, d)

        Returns
        -------
        array of shape (m, d)
        """
        return np.zeros(np.shape(W))

    # --- values -----------------------------------------------------------------------------

    @property
    def _length(self) -> float:
        return fixed_width(self, self.width)

    def _powers(self, D: Array, width: float) -> Array:
        """(d/width)^q of squared distances, in place."""
        with np.errstate(over="ignore"):  # to infinity, where f is right
            if self._power == 2:
                D /= width
                D /= width
                return D
            np.sqrt(D, out=D)
            D /= width
            return D if self._power == 1 else np.power(D, self._power, out=D)

    def _values(self, D: Array, width: float) -> Array:
        return self._profile(self._powers(D, width))

    def _evaluate(self, X: Any, Y: Any) -> Array:
        width, distances = self._length, self._distances
        is_gram = Y is X
        extreme = not _NARROWEST < width < 1.0 / _NARROWEST  # its square is no number
        if extreme and distances.is_homogeneous:
            X, Y, width = _rescaled(X, Y, width)
        K = self._values(distances.squares(X, Y), width)
        if is_gram:
            np.fill_diagonal(K, 1.0)
        return K

    def log_values(self, X: Any, Y: Any = None) -> Array:
        """log f of all pairs; for exponentials, also where κ is too small a number.

        Parameters
        ----------
        X, Y : array of shape (n, d) and (m, d), or objects
            Y may be left out: X itself.

        Returns
        -------
        array of shape (n, m)
        """
        return self._log_profile(self._powers(self.squared_distance(X, Y), self._length))

    def diag(self, X: Any) -> Array:
        """Return ones: nothing differs from itself."""
        return np.ones(len(self._check(X)))

    def squared_distance(self, X: Any, Y: Any = None) -> Array:
        """Squared distances d² that the kernel is a function of.

        Parameters
        ----------
        X, Y : array of shape (n, d) and (m, d), or objects
            Y may be left out: X itself.

        Returns
        -------
        D : array of shape (n, m)
        """
        return self._distances.squares(*self._check_pair(X, Y))

    # --- derivatives ------------------------------------------------------------------------

    def _forces(self, X: Array, W: Array, F: Array | float) -> Array:
        """F ∂κ/∂d² of all pairs, 0 where they coincide (d² has gradient 0 there)."""
        D = self._distances.squares(X, W)
        T = self._powers(D.copy(), self._length)
        with np.errstate(divide="ignore", invalid="ignore"):
            slopes = 0.5 * self._power * self._profile_slope(T) * (T / D)
        return np.asarray(F * np.where(D > 0, slopes, 0.0))

    @available_if(differentiable)  # type: ignore[untyped-decorator]
    def gradient(self, x: ArrayLike, W: ArrayLike) -> Array:
        """∂κ(x, w_j)/∂w_j = ∂κ/∂d² · ∂d²(x, w_j)/∂w_j, the latter −2 J(x − w_j) in a linear space.

        Parameters
        ----------
        x : array of shape (d,)
        W : array of shape (m, d)

        Returns
        -------
        gradients : array of shape (m, d)
        """
        x, W = self._check_point(x, W)
        return self._forces(x[None, :], W, 1.0).T * self._distances.gradient(x, W)

    @available_if(differentiable)  # type: ignore[untyped-decorator]
    def pull(self, X: ArrayLike, W: ArrayLike, F: ArrayLike) -> Array:
        """Σ_i F_ij ∂κ(x_i, w_j)/∂w_j, by the pull of the space.

        Parameters
        ----------
        X : array of shape (n, d)
        W : array of shape (m, d)
        F : array of shape (n, m)

        Returns
        -------
        pulls : array of shape (m, d)
        """
        X, W, F = self._check_forces(X, W, F)
        return self._distances.pull(X, W, self._forces(X, W, F))

    @property
    def hyperparameters(self) -> list[Hyperparameter]:
        """The width, which Gaussian processes learn unless ``width_bounds="fixed"``."""
        if self.width_bounds != "fixed":
            self._length  # noqa: B018 - complains about a rule that has not met data yet
        return [Hyperparameter("width", "numeric", self.width_bounds)]

    def _theta_gradient(self, X: Any, K: Array) -> Array:
        """∂κ/∂log width = −q t f'(t)."""
        if self.width_bounds == "fixed":
            return super()._theta_gradient(X, K)
        T = self._powers(self._distances.squares(X, X), self._length)
        gradient = -self._power * T * self._profile_slope(T)
        np.fill_diagonal(gradient, 0.0)
        return gradient[:, :, None]

    # --- widths -----------------------------------------------------------------------------

    def _rule(self, X: Any) -> float:
        """The width that a rule finds on valid rows or objects."""
        if self.width == "scale":
            return self._scale(X)
        return median_distance(self._distances.pairs(some_of(X)), self)

    def _with(self, **changed: Any) -> Self:
        return type(self)(**{**self.get_params(deep=False), **changed})

    def _scale(self, X: Any) -> float:
        return spread(self._distances.pairs(some_of(X)), self)


@estimator
class SpaceKernel(RadialKernel):
    r"""A radial kernel of the distance of a space.

    Parameters
    ----------
    width : float, "scale" or "median", default=1.0
        In the unit of the distance. ``"median"`` is the median distance of distinct rows,
        ``"scale"`` their standard deviation in the space,
        :math:`\sqrt{\overline{d^2}/2}` over all pairs; both are fixed by :meth:`resolve` when a
        learner fits.
    space : str or Space, default="l2"
        Anything :func:`noneuclid.spaces.as_space` accepts, without negative squared distances.
    width_bounds : (float, float) or "fixed", default=(1e-5, 1e5)
        Between which scikit-learn's Gaussian processes may look for the width. Nobody else
        changes it.
    """

    width: Width = field(default=1.0, kw_only=False)
    space: SpaceLike = field(default="l2", kw_only=False)
    width_bounds: Bounds = (1e-5, 1e5)

    @property
    def _space(self) -> Space:
        return _named(self.space) if isinstance(self.space, str) else as_space(self.space)

    @property
    def _distances(self) -> Distances:
        return distances_of(self.space, self._space)

    @property
    def _is_differentiable(self) -> bool:
        return hasattr(self._space, "squared_distance_gradient")

    @property
    def laws(self) -> frozenset[str]:  # type: ignore[override]
        """Symmetric; positive where the distance, to the power q, is of negative type."""
        positive = self._power <= self._space.negative_type
        return frozenset({"symmetry"} | ({"positivity"} if positive else set()))

    @property
    def n_features(self) -> int | None:
        """The dimension of the space, where its parameters fix it."""
        return self._space.n_features

    @property
    def _compiled_profile(self) -> Profile | None:
        """f, where compiled learning knows it."""
        return None

    def compiled_form(self, d: int) -> Form | None:
        """What compiled learning asks of the distance of the kernel.

        Parameters
        ----------
        d : int
            Dimension of the rows.

        Returns
        -------
        Form or None
            None where learning has to ask the kernel itself.
        """
        profile, base = self._compiled_profile, form_of(self._space, d)
        if profile is None or base is None or not base.linear or not 0.0 < profile.rate < np.inf:
            return None
        return RadialForm(base, profile)

    @available_if(_in_hilbert_space)  # type: ignore[untyped-decorator]
    def attraction(self, X: ArrayLike, W: ArrayLike) -> Array:
        r"""−∂κ/∂d² of all pairs: the weights of a mean that a pre-image is (Hilbert spaces only).

        :math:`\sum_i g_iκ(x_i, w)` is stationary where w is the mean of the rows, weighted by
        :math:`g_i` times these.

        Parameters
        ----------
        X : array of shape (n, d)
        W : array of shape (m, d)

        Returns
        -------
        weights : array of shape (n, m)
            0 where rows coincide.
        """
        X, W = self._check_pair(X, W)
        return -self._forces(X, W, 1.0)

    def is_stationary(self) -> bool:
        """Whether the value depends on the difference of two rows only: in linear spaces."""
        return self._distances.is_homogeneous

    def resolve(self, X: ArrayLike) -> Self:
        """Return the kernel with its width, and what its space leaves to the data, fixed on X.

        Parameters
        ----------
        X : array of shape (n, d)

        Returns
        -------
        kernel : Kernel
            The kernel itself if there is nothing to fix.
        """
        rows = self._check(X)
        fixed = self._with(space=self._space.resolve(rows)) if self._leaves_space_open else self
        if not isinstance(self.width, str):
            return fixed
        return fixed._with(width=fixed._rule(rows))

    @property
    def _leaves_space_open(self) -> bool:
        return hasattr(self._space, "resolve")


def _rescaled(X: Array, Y: Array, width: float) -> tuple[Array, Array, float]:
    """The same in units of the width, or of as little more as keeps squares within range."""
    size = max(np.abs(X).max(initial=0.0), np.abs(Y).max(initial=0.0))
    unit = max(width, float(size) * _NARROWEST)
    return X / unit, Y / unit, width / unit
