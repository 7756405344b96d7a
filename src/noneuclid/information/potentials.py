"""Information potentials and Renyi's quadratic entropy."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from noneuclid.information._checks import (
    check_same_features,
    check_tolerance,
    check_width,
    check_widths,
    weight_pair,
)
from noneuclid.information._densities import Mixture, Parzen, as_density, log_peak
from noneuclid.information._low_rank import gaussian_features
from noneuclid.typing import Array


def density_pair(X: Any, Y: Any, width: Any, weights: Any) -> tuple[Any, Any]:
    """Return both arguments as densities of one dimension."""
    widths, (a, b) = check_widths(width), weight_pair(weights)
    p = as_density(X, widths[0], a, ("X", "weights of X"))
    q = as_density(Y, widths[1], b, ("Y", "weights of Y"))
    check_same_features(p.n_features, q.n_features)
    return p, q


def samples_only(p: Parzen | Mixture, what: str) -> Parzen:
    """Return the samples; raise for a mixture."""
    if isinstance(p, Mixture):
        raise ValueError(f"{what} needs samples, not a mixture")
    return p


def low_rank_products(p: Parzen, q: Parzen, tolerance: float) -> tuple[float, float, float]:
    """V(p, p), V(p, q) and V(q, q) from one set of features; the windows have one width."""
    s = np.sqrt(2.0) * p.width
    Z = gaussian_features(np.concatenate([p.rows(), q.rows()]), s, tolerance)
    m, n = p.weights @ Z[: len(p)], q.weights @ Z[len(p) :]
    peak = np.exp(log_peak(s, p.n_features))
    return float(peak * (m @ m)), float(peak * (m @ n)), float(peak * (n @ n))


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
    p = as_density(X, None if width is None else check_width(width), weights)
    if low_rank is not None:
        tolerance = check_tolerance(low_rank)
        if return_gradient:
            raise ValueError("return_gradient and low_rank cannot be combined")
        V = _low_rank_norm(samples_only(p, "low_rank"), tolerance)
        return float(np.log(V)) if log else V
    if not return_gradient:
        value = p.log_norm()
        return value if log else float(np.exp(value))
    value, gradient = log_norm_gradient(samples_only(p, "a gradient"))
    return (value, gradient) if log else _exponential(value, gradient)


def _low_rank_norm(p: Parzen, tolerance: float) -> float:
    s = np.sqrt(2.0) * p.width
    mean = p.weights @ gaussian_features(p.rows(), s, tolerance)
    return float(np.exp(log_peak(s, p.n_features)) * (mean @ mean))


def log_norm_gradient(p: Parzen) -> tuple[float, Array]:
    """log V(p, p), and its gradients with respect to the points."""
    value, gradient = p.log_cross_gradient(p)
    return value, 2.0 * gradient  # every point is in both factors


def _exponential(value: float, gradient: Array) -> tuple[float, Array]:
    V = float(np.exp(value))
    return V, V * gradient


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

    Examples
    --------
    >>> round(cross_information_potential([[0.0]], [[1.0]], width=(0.6, 0.8)), 6)  # G_1(1)
    0.241971
    >>> cross_information_potential([[0.0]], [[200.0]], width=0.5, log=True)
    -40000.57236...
    """
    p, q = density_pair(X, Y, width, weights)
    if low_rank is not None:
        tolerance = check_tolerance(low_rank)
        if return_gradient:
            raise ValueError("return_gradient and low_rank cannot be combined")
        V = _low_rank_cross(samples_only(p, "low_rank"), samples_only(q, "low_rank"), tolerance)
        return float(np.log(max(V, 0.0))) if log else V
    if not return_gradient:
        value = p.log_cross(q)
        return value if log else float(np.exp(value))
    value, gradient = samples_only(p, "a gradient").log_cross_gradient(q)
    return (value, gradient) if log else _exponential(value, gradient)


def _low_rank_cross(p: Parzen, q: Parzen, tolerance: float) -> float:
    s = float(np.hypot(p.width, q.width))
    Z = gaussian_features(np.concatenate([p.rows(), q.rows()]), s, tolerance)
    product = (p.weights @ Z[: len(p)]) @ (q.weights @ Z[len(p) :])
    return float(np.exp(log_peak(s, p.n_features)) * product)


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

    Examples
    --------
    >>> round(renyi_entropy([[0.0], [1.0]], width=1.0), 6)
    1.38272
    """
    result = information_potential(
        X, width, weights, low_rank=low_rank, log=True, return_gradient=return_gradient
    )
    return (-result[0], -result[1]) if return_gradient else -result
