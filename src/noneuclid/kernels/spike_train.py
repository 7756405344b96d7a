"""The kernel of smoothed event sequences."""

from collections.abc import Callable
from functools import partial
from typing import Any, Literal, NamedTuple, Self, get_args

import numpy as np
from numpy.typing import ArrayLike

from noneuclid._parameters import Positive, check_parameters_once
from noneuclid.kernels.base import ObjectKernel
from noneuclid.kernels.trains import (
    Trains,
    as_trains,
    check_units,
    refuse_other_unit,
    unit_of,
)
from noneuclid.numerics import spikes, spikes_gaussian, spikes_intensity
from noneuclid.typing import Array

Smoothing = Literal["gaussian", "exponential", "laplacian", "alpha", "rectangular"]

# Times have 16 digits: beyond this many widths from zero they cannot resolve the width.
_WIDTHS = 1e14
# Of so few events what is made for the sums is kept: a megabyte or two.
_FEW = 1 << 12


class _Sums(NamedTuple):
    """Sums over pairs of events, those of trains with themselves, and τ κ(0)."""

    cross: Callable[..., Array]
    own: Callable[..., Array]
    peak: float
    options: dict[str, Any]
    prepare: Callable[..., Any] | None = None  # what is made of the known trains, once


_exponential = (spikes.exponential_sums, spikes.exponential_self_sums)
_SUMS: dict[str, _Sums] = {
    "gaussian": _Sums(
        spikes_gaussian.gaussian_sums,
        spikes_gaussian.gaussian_self_sums,
        0.5 / float(np.sqrt(np.pi)),
        {},
        spikes_gaussian.gaussian_samples,
    ),
    "exponential": _Sums(*_exponential, 0.5, {}),
    "laplacian": _Sums(*_exponential, 0.25, {"alpha": True}),
    "alpha": _Sums(*_exponential, 0.25, {"alpha": True}),
    "rectangular": _Sums(spikes.triangle_sums, spikes.triangle_self_sums, 1.0, {}),
}


class SpikeTrainKernel(ObjectKernel):
    r"""Inner product of smoothed spike trains, or of any sequences of events.

    A train with events :math:`t_m` has the intensity :math:`\hat\lambda(t) = \sum_m h(t - t_m)`,
    and the kernel is the integral of the product of two of them,

    .. math:: k(x_i, x_j) = \int\hat\lambda_i(t)\hat\lambda_j(t)\,dt
              = \sum_m\sum_n \kappa(t_m - t_n),

    κ the autocorrelation of h. With :math:`u = |t|/\tau`, τ the width:

    =============== ======================================= =================================
    smoothing       h(t)                                    κ(t)
    =============== ======================================= =================================
    ``gaussian``    normal density, standard deviation τ    the same, of deviation √2 τ
    ``exponential`` :math:`e^{-t/\tau}/\tau`, t ≥ 0         :math:`e^{-u}/(2\tau)`
    ``laplacian``   :math:`e^{-u}/(2\tau)`                  :math:`(1 + u)e^{-u}/(4\tau)`
    ``alpha``       :math:`t e^{-t/\tau}/\tau^2`, t ≥ 0     :math:`(1 + u)e^{-u}/(4\tau)`
    ``rectangular`` 1/τ for \|t\| < τ/2                     :math:`(1 - u)_+/\tau`
    =============== ======================================= =================================

    Time grows with the number of events, not with its square (``rectangular``: with the number of
    pairs nearer than τ). The Gaussian is right to within :math:`5\cdot10^{-16}\kappa(0)` per pair
    of events, the others to rounding. Results do not depend on the number of threads.

    Parameters
    ----------
    width : float
        The width τ of h, in the unit of the times.
    smoothing : str, default="gaussian"
        One of the names above.
    normalize : bool, default=False
        Divide by the norms: the cosine of the angle between intensities,

        .. math:: k(x_i, x_j)/\sqrt{k(x_i, x_i)\,k(x_j, x_j)} ,

        which does not see how many events there are, only when. A train without events has no
        direction and stays the zero vector: its similarity to every train, itself included, is
        0, and its squared distance to all that have events is 1.

    Notes
    -----
    Trains come as a list of 1-d arrays, as objects with ``times`` or ``magnitude`` (neo,
    quantities, pint), as the rows of a matrix, or as the tuple (times, offsets). Unsorted trains
    are sorted; equal times count as several events; negative times are times like all others; a
    train without events gives zeros. NaN and mixed units are refused.

    The kernel estimators of this package, and scikit-learn's ``SVC``, take lists of trains as they
    are; others, such as scikit-learn's ``KernelPCA``, take the precomputed Gram matrix.

    References
    ----------
    A. R. C. Paiva, I. Park and J. C. Príncipe (2009), A reproducing kernel Hilbert space framework
    for spike train signal processing. Neural Computation 21.

    M. C. W. van Rossum (2001), A novel spike distance. Neural Computation 13.

    Examples
    --------
    >>> kernel = SpikeTrainKernel(0.5, smoothing="exponential")
    >>> kernel([[0.0], [0.0, 1.0], []]).round(4)
    array([[1.    , 1.1353, 0.    ],
           [1.1353, 2.2707, 0.    ],
           [0.    , 0.    , 0.    ]])
    >>> kernel.squared_distance([[0.0]], [[0.0], [1.0], []]).round(4)
    array([[0.    , 1.7293, 1.    ]])
    >>> angle = SpikeTrainKernel(0.5, smoothing="exponential", normalize=True)
    >>> angle([[0.0], [0.0, 1.0], []]).round(4)
    array([[1.    , 0.7534, 0.    ],
           [0.7534, 1.    , 0.    ],
           [0.    , 0.    , 0.    ]])
    """

    normalize: bool = False  # of kernels in files that were written before there was a choice

    def __init__(
        self, width: Positive, *, smoothing: Smoothing = "gaussian", normalize: bool = False
    ):
        self.width = width
        self.smoothing = smoothing
        self.normalize = normalize

    @classmethod
    def examples(cls) -> list[Self]:
        """Return one kernel per smoothing function, and a normalised one."""
        plain = [cls(0.7, smoothing=name) for name in get_args(Smoothing)]
        return [*plain, cls(0.7, normalize=True)]

    def example_objects(self, rng: np.random.Generator, n: int) -> Trains:
        """Return n random trains, one without events."""
        counts = np.r_[rng.integers(1, 9, size=n - 1), 0]
        return as_trains([rng.normal(scale=3.0, size=count) for count in counts])

    def as_objects(self, X: Any, name: str = "X") -> Trains:
        """Return the trains in one form: checked and sorted; all methods take it too."""
        check_parameters_once(self)
        trains = as_trains(X, name)
        latest = float(np.abs(trains.times).max(initial=0.0))
        if latest > _WIDTHS * float(self.width):
            raise ValueError(
                f"{name} has times up to {latest:.3g}, which cannot resolve a width of "
                f"{self.width:.3g}: are both in the same unit?"
            )
        return trains

    def _check_pair(self, X: Any, Y: Any) -> tuple[Any, Any]:
        X, Y = super()._check_pair(X, Y)
        check_units(X, Y)
        return X, Y

    def _evaluate(self, X: Any, Y: Any) -> Array:
        sums, tau = _SUMS[self.smoothing], float(self.width)
        options = dict(sums.options, same=Y is X)
        if sums.prepare is not None and len(X) < len(Y) and len(Y.times) < _FEW:
            make = partial(sums.prepare, Y.times, Y.offsets, tau)
            options["other_samples"] = Y.remembered((self.smoothing, tau), make)
        K = sums.cross(X.times, X.offsets, Y.times, Y.offsets, tau, **options)
        K *= sums.peak / tau
        if self.normalize:
            K /= self.norms(X)[:, None]
            K /= self.norms(Y)
            if Y is X:
                np.fill_diagonal(K, X.counts > 0)
        return K

    def diag(self, X: Any) -> Array:
        """κ(x_i, x_i), in linear time."""
        X = self.as_objects(X)
        return (X.counts > 0).astype(np.float64) if self.normalize else self._squares(X)

    def _squares(self, X: Trains) -> Array:
        """∫λ̂²."""
        sums, tau = _SUMS[self.smoothing], float(self.width)
        own = sums.own(X.times, X.offsets, tau, **sums.options)
        return np.asarray(own * (sums.peak / tau), dtype=np.float64)

    def norms(self, X: Any) -> Array:
        """What intensities are divided by: their norms if they are normalised, else ones.

        Parameters
        ----------
        X : trains
            As for a call.

        Returns
        -------
        array of shape (n,)
            One for a train without events.
        """
        X = self.as_objects(X)
        return (
            np.sqrt(np.where(X.counts > 0, self._squares(X), 1.0))
            if self.normalize
            else np.ones(len(X))
        )

    def intensities(self, X: Any, t: ArrayLike) -> Array:
        """The functions of time whose inner products the kernel gives.

        Parameters
        ----------
        X : trains
            As for a call.
        t : array of shape (k,)
            Where to evaluate, in any order.

        Returns
        -------
        array of shape (n, k)
        """
        X = self.as_objects(X)
        if unit_of(t) is not None:  # bare numbers are taken for times in the unit of the trains
            refuse_other_unit(X, unit_of(t), ("X", "t"))
        grid = np.asarray(t, dtype=np.float64)
        if grid.ndim != 1:
            raise ValueError(f"t must be a 1-d array of times; its shape is {grid.shape}")
        if not np.isfinite(grid).all():
            raise ValueError("t holds NaN or infinity where a time is expected")
        code = getattr(spikes_intensity, self.smoothing.upper())
        rates = spikes_intensity.intensities(X.times, X.offsets, grid, float(self.width), code)
        return rates / self.norms(X)[:, None] if self.normalize else rates

    def squared_distance(self, X: Any, Y: Any = None) -> Array:
        """∫(λ̂_i − λ̂_j)² = k(x_i, x_i) − 2k(x_i, x_j) + k(x_j, x_j); van Rossum's if exponential.

        The square of van Rossum's own distance is τ times this, that of elephant's 2τ times: one
        event is then at distance 1 from no event. With ``normalize`` it is 2 − 2 cos of the angle.
        """
        return super().squared_distance(X, Y)
