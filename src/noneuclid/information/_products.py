"""Products of two densities: what potentials and divergences have in common."""

from typing import Any

import numpy as np

from noneuclid.information._checks import check_same_features, check_widths, weight_pair
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


def low_rank_means(s: float, tolerance: float, *samples: Parzen) -> tuple[list[Array], float]:
    """Means in features of one Gaussian kernel of width s, and the largest value G_s(0).

    Products of the means, times that value, are products of the densities; the error is at most
    the tolerance times that value.
    """
    Z = gaussian_features(np.concatenate([p.rows() for p in samples]), s, tolerance)
    parts = np.split(Z, np.cumsum([len(p) for p in samples])[:-1])
    peak = float(np.exp(log_peak(s, samples[0].n_features)))
    return [p.weights @ rows for p, rows in zip(samples, parts)], peak


def log_norm_gradient(p: Parzen | Mixture) -> tuple[float, Array]:
    """log V(p, p), and its gradients with respect to the points."""
    points = samples_only(p, "a gradient")
    value, gradient = points.log_cross_gradient(points)
    return value, 2.0 * gradient  # every point is in both factors
