"""Divergences of distributions, and the angles between them."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from noneuclid.information import _checks as checks
from noneuclid.information import _densities as densities
from noneuclid.numerics import squared_euclidean
from noneuclid.typing import Array

Weights = tuple[ArrayLike | None, ArrayLike | None]


def _products(
    X: Any, Y: Any, width: Any, weights: Weights | None, low_rank: float | None, gradient: bool
) -> tuple[Any, Any, Any]:
    """V(p, p), V(p, q), V(q, q), from features of low rank, or their logs, with gradients."""
    p, q = densities.density_pair(X, Y, width, weights)
    checks.check_low_rank(low_rank, return_gradient=gradient)
    if low_rank is not None:
        p, q = (densities.samples_only(density, "low_rank") for density in (p, q))
        if p.width != q.width:
            raise ValueError("low_rank needs one width for both samples")
        (m, n), peak = densities.low_rank_means(np.sqrt(2.0) * p.width, low_rank, p, q)
        return (float(peak * (m @ m)), float(peak * (m @ n)), float(peak * (n @ n))), None, None
    if not gradient:
        return None, (p.log_norm(), p.log_cross(q), q.log_norm()), None
    own, own_gradient = densities.log_norm_gradient(p)
    cross, cross_gradient = p.log_cross_gradient(q)
    return None, (own, cross, q.log_norm()), (own_gradient, cross_gradient)


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

    Returns
    -------
    divergence : float
    gradient : array of shape (n, d)
        Only with ``return_gradient``.

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
    products, logs, forces = _products(X, Y, width, weights, low_rank, return_gradient)
    pp, pq, qq = np.exp(logs) if products is None else products
    value = max(float(pp - 2.0 * pq + qq), 0.0)
    return (value, pp * forces[0] - 2.0 * pq * forces[1]) if return_gradient else value


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

    Returns
    -------
    divergence : float
    gradient : array of shape (n, d)
        Only with ``return_gradient``.

    Examples
    --------
    >>> round(cauchy_schwarz_divergence([[0.0]], [[3.0]], width=1.0), 6)  # 3²/4
    2.25
    >>> round(cauchy_schwarz_divergence([[0.0]], [[3000.0]], width=1.0), 3)
    2250000.0
    """
    products, logs, forces = _products(X, Y, width, weights, low_rank, return_gradient)
    if products is not None and products[1] <= 0:
        raise ValueError(
            f"low_rank (={low_rank}) is larger than the product of the two densities: lower it"
        )
    pp, pq, qq = logs if products is None else np.log(products)
    value = max(float(0.5 * (pp + qq) - pq), 0.0)
    return (value, 0.5 * forces[0] - forces[1]) if return_gradient else value


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

    Returns
    -------
    angle : float

    Examples
    --------
    >>> round(angle([[0.0]], [[3.0]], width=1.0), 4)
    1.4652
    """
    return float(_angle(cauchy_schwarz_divergence(X, Y, width, weights, low_rank=low_rank)))


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
    sigma = checks.check_width(width)
    A = checks.check_rows(X)
    B = A if Y is None else checks.check_rows(checks.align_columns(X, Y), "Y")
    checks.check_same_features(A.shape[1], B.shape[1])
    D = squared_euclidean(A, B)
    if Y is None:
        np.fill_diagonal(D, 0.0)
    radius = np.exp(0.5 * densities.log_peak(np.sqrt(2.0) * sigma, A.shape[1]))
    return np.asarray(radius * _angle(np.maximum(D, 0.0) / (4.0 * sigma**2)))
