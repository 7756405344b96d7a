"""Cross-entropy of the nearest prototypes: soft between classes, hard within them."""

from typing import Annotated, Any, Literal, Self

import numpy as np
from scipy.special import log_softmax
from sklearn.base import clone

from noneuclid._estimator import estimator
from noneuclid._parameters import Positive
from noneuclid.prototypes.costs.base import (
    Cost,
    Mask,
    Membership,
    Outset,
    nearest,
    resolved_bandwidth,
)
from noneuclid.typing import Array


@estimator
class CrossEntropyCost(Cost):
    r"""Softmax over minus the distances to the nearest prototype of each class.

    .. math:: -\sum_i \log\frac{e^{-d_{y_i}(x_i)/\sigma^2}}{\sum_c e^{-d_c(x_i)/\sigma^2}}, \qquad
              d_c(x) = \min_{j: c_j = c} d(x, w_j)

    Parameters
    ----------
    sigma2 : float or "scale", default="scale"
        Temperature; ``"scale"`` is a share of the variance within classes, as for RSLVQ.
    """

    name = "cross_entropy"
    is_soft = True

    sigma2: Annotated[Any, Literal["scale"] | Positive] = "scale"

    def resolve(self, outset: Outset) -> Self:
        """Fix the temperature."""
        return clone(self).set_params(sigma2=resolved_bandwidth(self.sigma2, outset))

    def class_scores(self, D: Array, of_class: Mask) -> Array:
        """Log-probabilities of the classes."""
        return log_softmax(super().class_scores(D, of_class) / self.sigma2, axis=1)

    def per_sample(self, D: Array, who: Membership) -> tuple[Array, Array]:
        """The force on the nearest prototype of class c is (1[c = y] − p_c)/σ²."""
        rows = np.arange(len(D))
        log_p = self.class_scores(D, who.of_class)
        F = np.zeros_like(D)
        for c, own in enumerate(who.of_class):
            F[rows, nearest(D, own)[0]] = (who.y == c) - np.exp(log_p[:, c])
        return -log_p[rows, who.y], F / self.sigma2
