"""Divergences of distributions, and the angles between them."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from noneuclid.information._checks import (
    check_rows,
    check_same_features,
    check_tolerance,
    check_width,
)
from noneuclid.information._densities import log_peak
from noneuclid.information.potentials import (
    density_pair,
    log_norm_gradient,
    low_rank_products,
    samples_only,
)
from noneuclid.numerics import squared_euclidean
from noneuclid.typing import Array

Weights = tuple[ArrayLike | None, ArrayLike | None]


def _log_products(
    X: Any, Y: Any, width: Any, weights: Weights | None, low_rank: float | None
) -> tuple[float, float, float]:
    """log V(p, p), log V(p, q), log V(q, q)."""
    p, q = density_pair(X, Y, width, weights)
    if low_rank is None:
        return p.log_norm(), p.log_cross(q), q.log_norm()
    p, q = samples_only(p, "low_rank"), samples_only(q, "low_rank")
    if p.width != q.width:
        raise ValueError("low_rank needs one width for both samples")
    products = low_rank_products(p, q, check_tolerance(low_rank))
    if products[1] <= 0:
        raise ValueError(
            f"low_rank (={low_rank}) is larger than the product of the two densities: lower it"
        )
    pp, pq, qq = np.log(products)
    return float(pp), float(pq), float(qq)


def euclidean_divergence(
    X: Any,
    Y: Any,
    width: Any = None,
    weights: Weights | None = None,
    *,
    low_rank: float | None = None,
    return_gradient: bool = False,
) -> Any:
    r"""The integrated squared difference :math:`D_{ED} = \int (p - q)^2`.

    .. math:: D_{ED} = V(p, p) - 2V(p, q) + V(q, q) = \|m_p - m_q\|^2,

    the squared distance of the means in the Hilbert space of the kernel
    :math:`\kappa = G_{\sigma\sqrt2}`: the squared maximum mean discrepancy with that kernel.

    Parameters
    ----------
    X, Y : arrays of shape (n, d) and (m, d), dask arrays or fitted GaussianMixtures
        Two samples, two densities, or one of each.
    width : float or pair of float, optional
        Width of the Parzen windows, one for both or one for each.
    weights : pair of arrays, optional
        Weights of the two samples, either may be None.
    low_rank : float, optional
        A tolerance: time then grows with n + m, and the error is at most 4 ``low_rank`` times
        :math:`G_{\sigma\sqrt2}(0)`.
    return_gradient : bool, default=False
        Return also the derivatives with respect to the samples X.

    References
    ----------
    A. Gretton, K. M. Borgwardt, M. J. Rasch, B. Schölkopf and A. Smola (2012), A kernel two-sample
    test. Journal of Machine Learning Research 13.

    Examples
    --------
    >>> euclidean_divergence([[0.0], [1.0]], [[1.0], [0.0]], width=1.0)
    0.0
    >>> round(euclidean_divergence([[0.0]], [[10.0]], width=1.0), 6)  # 2 G_√2(0)
    0.56419
    """
    if not return_gradient:
        if low_rank is not None:  # differences of features do not cancel
            p, q = density_pair(X, Y, width, weights)
            return _low_rank_divergence(p, q, check_tolerance(low_rank))
        pp, pq, qq = np.exp(_log_products(X, Y, width, weights, None))
        return max(float(pp - 2.0 * pq + qq), 0.0)
    _no_low_rank(low_rank)
    p, q = density_pair(X, Y, width, weights)
    own, own_gradient = log_norm_gradient(samples_only(p, "a gradient"))
    cross, cross_gradient = p.log_cross_gradient(q)
    pp, pq, qq = np.exp([own, cross, q.log_norm()])
    value = max(float(pp - 2.0 * pq + qq), 0.0)
    return value, pp * own_gradient - 2.0 * pq * cross_gradient


def _low_rank_divergence(p: Any, q: Any, tolerance: float) -> float:
    p, q = samples_only(p, "low_rank"), samples_only(q, "low_rank")
    if p.width != q.width:
        raise ValueError("low_rank needs one width for both samples")
    pp, pq, qq = low_rank_products(p, q, tolerance)
    return max(pp - 2.0 * pq + qq, 0.0)


def _no_low_rank(low_rank: float | None) -> None:
    if low_rank is not None:
        raise ValueError("return_gradient and low_rank cannot be combined")


def cauchy_schwarz_divergence(
    X: Any,
    Y: Any,
    width: Any = None,
    weights: Weights | None = None,
    *,
    low_rank: float | None = None,
    return_gradient: bool = False,
) -> Any:
    r"""The Cauchy–Schwarz divergence, minus the log of the cosine between two densities.

    .. math:: D_{CS} = -\log\frac{V(p, q)}{\sqrt{V(p, p)V(q, q)}}

    It is 0 for equal densities only and has no upper bound; computed with logarithms, it is right
    also for samples so far apart that V(p, q) underflows.

    Parameters
    ----------
    X, Y, width, weights, return_gradient
        As in :func:`euclidean_divergence`.
    low_rank : float, optional
        A tolerance; each of the three potentials is right to ``low_rank`` times
        :math:`G_{\sigma\sqrt2}(0)`.

    Examples
    --------
    >>> round(cauchy_schwarz_divergence([[0.0]], [[3.0]], width=1.0), 6)  # 3²/4
    2.25
    >>> round(cauchy_schwarz_divergence([[0.0]], [[3000.0]], width=1.0), 3)
    2250000.0
    """
    if not return_gradient:
        pp, pq, qq = _log_products(X, Y, width, weights, low_rank)
        return max(0.5 * (pp + qq) - pq, 0.0)
    _no_low_rank(low_rank)
    p, q = density_pair(X, Y, width, weights)
    own, own_gradient = log_norm_gradient(samples_only(p, "a gradient"))
    cross, cross_gradient = p.log_cross_gradient(q)
    value = max(0.5 * (own + q.log_norm()) - cross, 0.0)
    return value, 0.5 * own_gradient - cross_gradient


def _angle(minus_log_cosine: Any) -> Any:
    # arccos loses half the digits of a small angle; the half angle keeps them.
    return 2.0 * np.arcsin(np.sqrt(-0.5 * np.expm1(-minus_log_cosine)))


def angle(
    X: Any,
    Y: Any,
    width: Any = None,
    weights: Weights | None = None,
    *,
    low_rank: float | None = None,
) -> float:
    r"""The angle between two densities, :math:`\arccos e^{-D_{CS}}`, from 0 to π/2.

    Densities are not negative, so no angle is larger. It is the geodesic distance of the two
    densities on the unit sphere of the Hilbert space.

    Parameters
    ----------
    X, Y, width, weights, low_rank
        As in :func:`cauchy_schwarz_divergence`.

    Examples
    --------
    >>> round(angle([[0.0]], [[3.0]], width=1.0), 4)
    1.4652
    """
    divergence = cauchy_schwarz_divergence(X, Y, width, weights, low_rank=low_rank)
    return float(_angle(divergence))


def geodesic_distance(X: ArrayLike, Y: ArrayLike | None = None, *, width: float) -> Array:
    r"""Geodesic distances of points in the Hilbert space of :math:`\kappa = G_{\sigma\sqrt2}`.

    All :math:`\Phi(x)` have the length :math:`\sqrt{\kappa(0)}`; along their sphere, the distance
    is

    .. math:: d(x, y) = \sqrt{\kappa(0)}\,\arccos\frac{\kappa(x - y)}{\kappa(0)} .

    Parameters
    ----------
    X : array of shape (n, d)
    Y : array of shape (m, d), optional
        Default: X itself.
    width : float
        The width σ of the Parzen windows.

    Returns
    -------
    D : array of shape (n, m)

    Examples
    --------
    >>> geodesic_distance([[0.0]], [[0.0], [1.0], [50.0]], width=0.5).round(4)
    array([[0.    , 0.8969, 1.1799]])
    """
    sigma = check_width(width)
    A = check_rows(X)
    B = A if Y is None else check_rows(Y, "Y")
    check_same_features(A.shape[1], B.shape[1])
    D = squared_euclidean(A, B)
    if Y is None:
        np.fill_diagonal(D, 0.0)
    radius = np.exp(0.5 * log_peak(np.sqrt(2.0) * sigma, A.shape[1]))
    return np.asarray(radius * _angle(np.maximum(D, 0.0) / (4.0 * sigma**2)))
