"""The kernel of distributions, on bags of samples."""

import math
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from noneuclid._parameters import check_parameters_once
from noneuclid.kernels.bags import Bags, as_bags, one_bag
from noneuclid.kernels.base import ObjectKernel
from noneuclid.kernels.radial import Gaussian
from noneuclid.kernels.widths import Width, fixed_width
from noneuclid.numerics.information import (
    gaussian_bag_means,
    gaussian_bag_self_means,
    scaled_columns,
)
from noneuclid.typing import Array

# Beyond e to the power of this, numbers become zero or infinite.
_LARGEST_LOG = 700.0
# Of so few samples what is made for the sums is kept.
_FEW = 1 << 14


class CrossInformationPotential(ObjectKernel):
    r"""Product of distributions, each known by a bag of samples.

    With the Parzen estimate :math:`\hat p_i` of bag i, with Gaussian windows of width σ,

    .. math:: k(X_i, X_j) = \int\hat p_i\hat p_j
              = \frac1{n_i n_j}\sum_{x\in X_i}\sum_{y\in X_j} G_{\sigma\sqrt2}(x - y) .

    The distance it induces is the square root of the Euclidean divergence. Distributions are thus
    vectors of a Hilbert space, where every kernel learner is at home.

    Parameters
    ----------
    width : float, "scale" or "median", default="median"
        Width σ of the windows. The two rules are those of ``Gaussian`` on the samples of all bags
        together; they are fixed by :meth:`resolve` when a learner of this package fits.
    normalize : bool, default=False
        Divide by the lengths: :math:`k = \cos\angle(\hat p_i, \hat p_j) = e^{-D_{CS}}`.

    Notes
    -----
    Bags come as a list of arrays (n_i, d), or as one array (n, n_i, d) if all have the same size.
    scikit-learn's ``SVC`` takes lists with this kernel as they are, if the width is a number;
    others, such as ``KernelPCA``, take the precomputed Gram matrix.

    References
    ----------
    J. C. Príncipe (2010), Information Theoretic Learning.

    Examples
    --------
    >>> bags = [[[0.0], [1.0]], [[0.5]], [[9.0], [9.0]]]
    >>> CrossInformationPotential(1.0)(bags).round(3)
    array([[0.251, 0.265, 0.   ],
           [0.265, 0.282, 0.   ],
           [0.   , 0.   , 0.282]])
    >>> CrossInformationPotential(1.0, normalize=True)(bags[:2]).round(3)
    array([[1.   , 0.996],
           [0.996, 1.   ]])
    """

    def __init__(self, width: Width = "median", *, normalize: bool = False):
        self.width = width
        self.normalize = normalize

    @classmethod
    def examples(cls) -> list[Self]:
        """Return a narrow and a wide kernel, and a normalised one."""
        return [cls(0.5), cls(2.0), cls(1.0, normalize=True)]

    def example_objects(self, rng: np.random.Generator, n: int) -> Bags:
        """Return n random bags of up to eight samples in the plane."""
        return as_bags([rng.normal(size=(size, 2)) for size in rng.integers(1, 9, size=n)])

    def resolve(self, X: Any) -> Self:
        """Return the kernel with its width fixed on the samples of all bags."""
        bags = self.as_objects(X)
        if not isinstance(self.width, str):
            return self
        width = Gaussian(self.width).resolve(bags.points).width
        return type(self)(width, normalize=self.normalize)

    def as_objects(self, X: Any, name: str = "X") -> Bags:
        """Return the bags in one form, checked; all methods take it too."""
        check_parameters_once(self)
        return as_bags(X, name)

    def _check_pair(self, X: Any, Y: Any) -> tuple[Any, Any]:
        X, Y = super()._check_pair(X, Y)
        return (X, Y) if Y is X else (X.in_columns_of(Y), Y)

    @property
    def _length(self) -> float:
        return math.sqrt(2.0) * float(fixed_width(self, self.width))

    def _columns(self, X: Bags, origin: Array) -> tuple[Array, float]:
        """The points as the sums take them, and κ(0), which cancels if normalised.

        Points that are compared are seen from the same origin.
        """
        s = self._length
        d = X.points.shape[1]
        log_peak = -d * (0.5 * math.log(2.0 * math.pi) + math.log(s))
        if self.normalize:
            return scaled_columns(X.points, s, origin), 1.0
        if abs(log_peak) > _LARGEST_LOG:
            size = "large" if log_peak > 0 else "small"
            raise ValueError(
                f"densities of width {self.width:.3g} in {d} dimensions are too {size} for "
                "floating-point numbers: use normalize=True"
            )
        return scaled_columns(X.points, s, origin), math.exp(log_peak)

    def _evaluate(self, X: Any, Y: Any) -> Array:
        if len(X) == 0 or len(Y) == 0:
            return np.zeros((len(X), len(Y)))
        origin = Y.points[0]
        points, peak = self._columns(X, origin)
        others = points
        if Y is not X and len(Y.points) < _FEW:
            others = Y.remembered(self._length, lambda: self._columns(Y, origin)[0])
        elif Y is not X:
            others = self._columns(Y, origin)[0]
        K = gaussian_bag_means(points, X.offsets, others, Y.offsets, same=Y is X)
        if not self.normalize:
            K *= peak
            return K
        own = np.sqrt(gaussian_bag_self_means(points, X.offsets))
        K /= own[:, None]
        K /= own if Y is X else np.sqrt(gaussian_bag_self_means(others, Y.offsets))
        return K

    def diag(self, X: Any) -> Array:
        """κ(X_i, X_i), the information potential of every bag."""
        X = self.as_objects(X)
        if self.normalize or len(X) == 0:
            return np.ones(len(X))
        points, peak = self._columns(X, X.points[0])
        return peak * gaussian_bag_self_means(points, X.offsets)

    def densities(self, X: Any, points: ArrayLike) -> Array:
        """Parzen estimates of the bags, divided by their lengths if normalised.

        Parameters
        ----------
        X : bags of samples
        points : array of shape (k, d)
            Where to evaluate them.

        Returns
        -------
        array of shape (n_bags, k)

        Examples
        --------
        >>> CrossInformationPotential(1.0).densities([[[0.0]], [[0.0], [2.0]]], [[0.0]]).round(3)
        array([[0.399],
               [0.226]])
        """
        X = self.as_objects(X)
        at = one_bag(points, "points")
        width, d = fixed_width(self, self.width), X.points.shape[1]
        if at.shape[1] != d:
            raise ValueError(f"the samples of X have {d} features and the points {at.shape[1]}")
        log_scale = -d * (0.5 * np.log(2.0 * np.pi) + np.log(width))
        if self.normalize:  # by half of the log of the largest value of κ
            log_scale += 0.5 * d * (0.5 * np.log(4.0 * np.pi) + np.log(width))
        if abs(log_scale) > _LARGEST_LOG:
            raise ValueError(
                f"densities of width {width:.3g} in {d} dimensions are beyond floating-point "
                "numbers: use another width"
            )
        origin = X.points[0]
        samples, places = (scaled_columns(Z, width, origin) for Z in (X.points, at))
        values = gaussian_bag_means(samples, X.offsets, places, np.arange(len(at) + 1))
        if self.normalize:
            points_of_kernel = scaled_columns(X.points, np.sqrt(2.0) * width, origin)
            values /= np.sqrt(gaussian_bag_self_means(points_of_kernel, X.offsets))[:, None]
        return np.asarray(np.exp(log_scale) * values)

    def squared_distance(self, X: Any, Y: Any = None) -> Array:
        """Euclidean divergences D_ED of all pairs of bags (of unit vectors, if normalised)."""
        return super().squared_distance(X, Y)
