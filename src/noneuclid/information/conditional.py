"""How far two conditional distributions are from each other."""

from typing import Any

import numpy as np
from scipy.special import logsumexp

from noneuclid.information import _checks as checks
from noneuclid.information._widths import resolve_width
from noneuclid.numerics.information import gaussian_log_sums, scaled_columns
from noneuclid.typing import Array


def conditional_cauchy_schwarz_divergence(
    first: tuple[Any, Any], second: tuple[Any, Any], width: Any = "silverman"
) -> float:
    r"""Cauchy–Schwarz divergence of two conditional densities p(y|x) and q(y|x).

    .. math:: D = -\log\frac{\iint p(y|x)\,q(y|x)}{\sqrt{\iint p(y|x)^2\,\iint q(y|x)^2}}, \qquad
              \iint p(y|x)\,q(y|x)\,dx\,dy = \mathrm E_p\frac{q(x, y)}{p(x)\,q(x)} ,

    0 if the conditional laws are the same, whatever the laws of x. With Parzen estimates, sums over
    the samples of p at the samples of q being K (of x) and L (of y),

    .. math:: \mathrm E_p\frac{q(x, y)}{p(x)\,q(x)} \approx \sum_j\frac{\sum_i K^{pq}_{ji}
              L^{pq}_{ji}}{\sum_i K^{pp}_{ji}\,\sum_i K^{pq}_{ji}} ,

    and the geometric mean of this and of the same expectation under q is taken.

    Parameters
    ----------
    first, second : pairs of arrays of shape (n, d) and (n, e)
        Samples (X, Y) of p, and of q; arrays of n numbers are one column.
    width : float, "silverman", "median", "loo", or a pair of them, default="silverman"
        Width σ of the Parzen windows of x and of y, as in
        :func:`~noneuclid.information.cauchy_schwarz_divergence`: the kernels are
        :math:`G_{\sigma\sqrt2}`. Rules are applied to both samples together.

    Returns
    -------
    divergence : float
        Half of the value of the authors, as all Cauchy–Schwarz divergences here: −log cos of an
        angle. It is not negative for exact densities; an estimate may be, slightly.

    Notes
    -----
    The integral over x has no weight: for laws of x with unbounded support it does not exist, and
    the estimate, which stops where the samples do, is ruled by the outermost of them. Compare
    conditional laws where both samples have x of about the same, bounded range.

    References
    ----------
    S. Yu, H. Li, S. Løkse, R. Jenssen and J. C. Príncipe (2023), The conditional Cauchy–Schwarz
    divergence with applications to time-series data and sequential decision making.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x, z = rng.uniform(size=(2, 300, 1))
    >>> noise = 0.3 * rng.normal(size=(2, 300, 1))
    >>> same = conditional_cauchy_schwarz_divergence((x, x + noise[0]), (z, z + noise[1]), 0.2)
    >>> other = conditional_cauchy_schwarz_divergence((x, x + noise[0]), (z, 1 - z + noise[1]), 0.2)
    >>> bool(abs(same) < 0.02 < 0.2 < other)
    True
    """
    X, Y, U, V = _checked(first, second)
    sigma, tau = (
        resolve_width(w, np.vstack(Z), f"{name} of first and second")
        for w, Z, name in zip(checks.as_pair(width), ((X, U), (Y, V)), ("X", "Y"))
    )
    p, q = (
        np.vstack([_columns(A, sigma, X[0]), _columns(B, tau, Y[0])]) for A, B in ((X, Y), (U, V))
    )
    return _divergence(p, q, X.shape[1])


def _checked(first: Any, second: Any) -> tuple[Array, Array, Array, Array]:
    for name, pair in (("first", first), ("second", second)):
        if not (isinstance(pair, (tuple, list)) and len(pair) == 2):
            raise ValueError(f"{name} must be a pair (X, Y) of samples")
    aligned = [checks.align_columns(A, B) for A, B in zip(first, second)]
    arrays = []
    for name, (X, Y) in (("first", first), ("second", aligned)):
        A = checks.check_rows(checks.as_column(X), f"X of {name}", least=2)
        B = checks.check_rows(checks.as_column(Y), f"Y of {name}", least=2)
        checks.check_pairs(A, B)
        arrays += [A, B]
    checks.check_same_features(arrays[0].shape[1], arrays[2].shape[1])
    checks.check_same_features(arrays[1].shape[1], arrays[3].shape[1])
    return arrays[0], arrays[1], arrays[2], arrays[3]


def _columns(X: Array, width: float, origin: Array) -> Array:
    return scaled_columns(X, np.sqrt(2.0) * width, origin)


def _divergence(p: Array, q: Array, d: int) -> float:
    """From logs of all sums, which underflow where samples are far from each other."""

    def log_sums(at: Array, of: Array) -> Array:
        return gaussian_log_sums(at, of, np.ones(of.shape[1]))

    def log_mean(at: Array, of: Array) -> float:
        own, theirs = log_sums(at[:d], at[:d]), log_sums(at[:d], of[:d])
        return float(logsumexp(log_sums(at, of) - own - theirs))

    within = log_mean(p, p) + log_mean(q, q)
    return 0.5 * (within - log_mean(p, q) - log_mean(q, p))
