"""Kernel principal components for kernels that are not symmetric."""

from collections.abc import Callable
from typing import Any, Self

import numpy as np

from noneuclid.kernels import Kernel, as_kernel
from noneuclid.numerics import fix_signs
from noneuclid.pca._base import component_count, refuse_single_sample, variance_shares
from noneuclid.pca._dual import DualComponents
from noneuclid.pca._kernel_features import leading_eigenpairs


class BanachKernelPCA(DualComponents):
    r"""Principal components in a reproducing kernel Banach space.

    The Gram matrix :math:`K_{ij} = \gamma(v_i, v_j)` of a semi-inner-product kernel is not
    symmetric. It is centred in the first argument (column means), and

    .. math:: \frac1n K'K\alpha = \lambda\alpha, \qquad \|\alpha\|_2 = 1, \qquad
        \text{score}(v) = \sum_j \alpha_j\,\tilde\gamma(v, v_j)

    so that λ is the mean squared score. For the linear kernel on centred data the scores are
    those of PCA up to scale.

    Parameters
    ----------
    n_components : int or None, default=2
    kernel : str, Kernel or callable, default="linear"
        Such as ``SemiInnerProduct(Lp(1.5))``, or ``"precomputed"``: rows of X are then values
        γ(v_i, v_j) with the training objects as second argument. A kernel of objects, such as
        ``SpikeTrainKernel``, makes X a list of them.

    Attributes
    ----------
    dual_coefficients_ : array of shape (n_samples, n_components)
    explained_variance_ : array of shape (n_components,)
        Mean squared scores λ.
    explained_variance_ratio_ : array of shape (n_components,)
        λ over the sum of all eigenvalues of K'K/n.
    kernel_ : Kernel or None

    References
    ----------
    H. Zhang, Y. Xu and J. Zhang (2009), Reproducing kernel Banach spaces for machine learning.
    M. Lange, M. Biehl and T. Villmann (2014), Non-Euclidean principal component analysis by
    Hebbian learning.

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid.kernels import SemiInnerProduct
    >>> from noneuclid.pca import BanachKernelPCA
    >>> X = np.random.default_rng(0).normal(size=(30, 4))
    >>> model = BanachKernelPCA(kernel=SemiInnerProduct("l1.5")).fit(X)
    >>> bool(np.allclose((model.transform(X) ** 2).mean(axis=0), model.explained_variance_))
    True
    """

    def __init__(
        self,
        *,
        n_components: int | None = 2,
        kernel: str | Kernel | Callable[[Any, Any], Any] = "linear",
    ):
        self.n_components = n_components
        self.kernel = kernel

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn components of the rows of X, or of a precomputed matrix γ(v_i, v_j)."""
        rows = self._checked(X, reset=True)
        refuse_single_sample(self, len(rows))
        k = component_count(self.n_components, len(rows), len(rows))
        self.kernel_ = self._resolve(rows)
        self._remember_rows(rows)
        K = rows if self.kernel_ is None else self.kernel_(rows)
        means = np.asarray(K.mean(axis=0))
        K = K - means
        M = K.T @ K / len(K)
        values, vectors = leading_eigenpairs(M, k)
        self.explained_variance_ = np.maximum(values, 0.0)
        total = float(np.trace(M))
        self.explained_variance_ratio_ = variance_shares(self.explained_variance_, total)
        self._publish(fix_signs(vectors), means, both_sides=False)
        return self

    def _resolve(self, X: Any) -> Kernel | None:
        if isinstance(self.kernel, str) and self.kernel == "precomputed":
            if X.shape[0] != X.shape[1]:
                raise ValueError(
                    f"a precomputed kernel matrix must be square; its shape is {X.shape}"
                )
            return None
        return as_kernel(self.kernel).resolve(X)
