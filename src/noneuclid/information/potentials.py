"""Information potentials and Renyi's quadratic entropy."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from noneuclid.information import _densities as densities
from noneuclid.information._checks import check_low_rank, check_width
from noneuclid.typing import Array


def information_potential(
    X: Any,
    width: float | None = None,
    weights: ArrayLike | None = None,
    *,
    low_rank: float | None = None,
    log: bool = False,
    return_gradient: bool = False,
) -> Any:
    r"""The information potential :math:`V(p, p) = \int p^2`, the mean density.

    For the Parzen estimate with Gaussian windows of width σ,

    .. math:: V = \sum_{ij} a_i a_j G_{\sigma\sqrt2}(x_i - x_j), \qquad \sum_i a_i = 1,

    the squared length of the mean :math:`\sum_i a_i\Phi(x_i)` in the Hilbert space of the kernel
    :math:`\kappa = G_{\sigma\sqrt2}`. No matrix of pairs is built.

    Parameters
    ----------
    X : array of shape (n, d), dask array or fitted GaussianMixture
        Samples, or a density (then :math:`\int p^2` has a closed form, and there is no width).
    width : float, optional
        The width σ of the windows.
    weights : array of shape (n,), optional
        Weights of the samples. Those that do not sum to one are normalised, with a warning.
    low_rank : float, optional
        A tolerance: time then grows with n instead of n², and the result is too small by at most
        ``low_rank`` times :math:`G_{\sigma\sqrt2}(0)`.
    log : bool, default=False
        Return the logarithm.
    return_gradient : bool, default=False
        Return also the derivatives with respect to the samples, of shape (n, d): the *information
        forces*, with which samples attract each other.

    Returns
    -------
    potential : float
    gradient : array of shape (n, d)
        Only with ``return_gradient``.

    References
    ----------
    J. C. Príncipe (2010), Information Theoretic Learning.

    Examples
    --------
    >>> X = [[0.0], [1.0]]
    >>> round(information_potential(X, width=1.0), 6)
    0.250895
    >>> V, force = information_potential(X, width=1.0, return_gradient=True)
    >>> force.round(4).tolist()
    [[0.0549], [-0.0549]]
    """
    densities.refuse_idle_width(width, X)
    p = densities.as_density(X, None if width is None else check_width(width), weights)
    check_low_rank(low_rank, return_gradient=return_gradient)
    if low_rank is not None:
        sample = densities.samples_only(p, "low_rank")
        (mean,), peak = densities.low_rank_means(np.sqrt(2.0) * sample.width, low_rank, sample)
        V = peak * float(mean @ mean)
        return float(np.log(max(V, 0.0))) if log else V
    if return_gradient:
        return _result(*densities.log_norm_gradient(p), log)
    return _result(p.log_norm(), None, log)


def _result(value: float, gradient: Array | None, log: bool) -> Any:
    """A potential and its gradient, if there is one, from those of its logarithm."""
    if not log:
        value = float(np.exp(value))
        gradient = None if gradient is None else value * gradient
    return value if gradient is None else (value, gradient)


def cross_information_potential(
    X: Any,
    Y: Any,
    width: Any = None,
    weights: tuple[ArrayLike | None, ArrayLike | None] | None = None,
    *,
    low_rank: float | None = None,
    log: bool = False,
    return_gradient: bool = False,
) -> Any:
    r"""The cross information potential :math:`V(p, q) = \int pq`.

    .. math:: V = \sum_{ij} a_i b_j G_s(x_i - y_j), \qquad s = \sqrt{\sigma_p^2 + \sigma_q^2} .

    It is the product of two densities in the Hilbert space of square-integrable functions, hence a
    similarity of distributions; :class:`~noneuclid.kernels.CrossInformationPotential` makes it a
    kernel.

    Parameters
    ----------
    X, Y : arrays of shape (n, d) and (m, d), dask arrays or fitted GaussianMixtures
        Two samples, two densities, or one of each.
    width : float or pair of float, optional
        Width of the windows, one for both or one for each.
    weights : pair of arrays, optional
        Weights of the two samples, either may be None.
    low_rank : float, optional
        A tolerance, as in :func:`information_potential`; the error is at most ``low_rank`` times
        :math:`G_s(0)`.
    log : bool, default=False
        Return the logarithm, which is right also where the potential underflows.
    return_gradient : bool, default=False
        Return also the derivatives with respect to the samples X.

    Returns
    -------
    potential : float
    gradient : array of shape (n, d)
        Only with ``return_gradient``.

    Examples
    --------
    >>> round(cross_information_potential([[0.0]], [[1.0]], width=(0.6, 0.8)), 6)  # G_1(1)
    0.241971
    >>> cross_information_potential([[0.0]], [[200.0]], width=0.5, log=True)
    -40000.57236...
    """
    p, q = densities.density_pair(X, Y, width, weights)
    check_low_rank(low_rank, return_gradient=return_gradient)
    if low_rank is not None:
        p, q = (densities.samples_only(density, "low_rank") for density in (p, q))
        (m, n), peak = densities.low_rank_means(float(np.hypot(p.width, q.width)), low_rank, p, q)
        V = peak * float(m @ n)
        return float(np.log(max(V, 0.0))) if log else V
    if return_gradient:
        return _result(*densities.samples_only(p, "a gradient").log_cross_gradient(q), log)
    return _result(p.log_cross(q), None, log)


def renyi_entropy(
    X: Any,
    width: float | None = None,
    weights: ArrayLike | None = None,
    *,
    low_rank: float | None = None,
    return_gradient: bool = False,
) -> Any:
    r"""Renyi's quadratic entropy :math:`H_2 = -\log\int p^2`.

    Parameters
    ----------
    X, width, weights, low_rank, return_gradient
        As in :func:`information_potential`.

    Returns
    -------
    entropy : float
    gradient : array of shape (n, d)
        Only with ``return_gradient``.

    Examples
    --------
    >>> round(renyi_entropy([[0.0], [1.0]], width=1.0), 6)
    1.38272
    """
    result = information_potential(
        X, width, weights, low_rank=low_rank, log=True, return_gradient=return_gradient
    )
    return (-result[0], -result[1]) if return_gradient else -result
