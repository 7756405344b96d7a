"""From scores of kernel components back to the data."""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from noneuclid._estimator import estimator
from noneuclid._parameters import Positive
from noneuclid.pca._preimages import evenly, fixed_points, ridge_map
from noneuclid.pca.kernel_components import KernelComponents
from noneuclid.typing import Array


@estimator
class Preimages(KernelComponents):
    r"""Kernel components of rows of numbers, which have pre-images.

    Parameters
    ----------
    preimage : {"ridge", "fixed_point"}, default="ridge"
        How ``inverse_transform`` finds a row for a point of feature space. ``"ridge"``: by a map
        from scores to rows, learned from the training rows (at most 1,000 of them). It takes any
        kernel, and brings back the mean. ``"fixed_point"``: the row whose image is nearest, by
        Mika's iteration from the nearest training row; for kernels of a distance.
    preimage_penalty : "auto" or float, default="auto"
        Ridge penalty of that map; ``"auto"`` is the one of least leave-one-out error.
    """

    preimage: Literal["ridge", "fixed_point"] = "ridge"
    preimage_penalty: Literal["auto"] | Positive = "auto"

    def _publish(self, beta: Array, gram_means: Array, *, both_sides: bool = True) -> None:
        super()._publish(beta, gram_means, both_sides=both_sides)
        self._mean_weights = np.full(len(beta), 1.0 / len(beta) if both_sides else 0.0)

    def inverse_transform(self, X: ArrayLike) -> Array:
        r"""Rows whose images are near the points with the given scores (*pre-images*).

        A point :math:`P = \bar\Phi + \sum_k y_k w_k = \sum_i g_i\Phi(x_i)` of feature space is
        seldom the image of a row. ``preimage="fixed_point"`` minimises :math:`\|\Phi(z) - P\|` by

        .. math:: z \leftarrow \frac{\sum_i g_i f'(d^2(x_i, z))\,x_i}{\sum_i g_i f'(d^2(x_i, z))},
            \qquad \kappa(x, z) = f(d^2(x, z)),

        with shorter steps where this would not come nearer; ``"ridge"`` predicts z from y.

        Returns
        -------
        rows : array of shape (n, n_features)

        References
        ----------
        S. Mika et al. (1998), Kernel PCA and de-noising in feature spaces. G. H. Bakır, J. Weston
        and B. Schölkopf (2004), Learning to find pre-images.
        """
        scores = self._scores(X)
        rows = self._spanning_rows()
        if self.preimage == "ridge":
            some = rows[evenly(len(rows))]
            penalty = None if isinstance(self.preimage_penalty, str) else self.preimage_penalty
            return ridge_map(self.transform(some), some, scores, penalty)
        combination = self._mean_weights[:, None] + self._span_weights @ scores.T
        found, rested = fixed_points(self.kernel_, rows, combination)
        if not rested:
            self._warn_not_converged("has pre-images that did not come to rest", 'try "ridge"')
        return found

    @property
    def _span_weights(self) -> Array:
        """Components as combinations of the images of the spanning rows."""
        return self._weights

    def _spanning_rows(self) -> Array:
        """Rows whose images the components combine."""
        relation = self.relation_
        if not relation.takes_rows:
            what = "a precomputed kernel" if relation.is_precomputed else f"{self.kernel_}"
            raise TypeError(
                f"inverse_transform needs rows of numbers to look for, and {what} has none"
            )
        return np.asarray(relation.objects_)
