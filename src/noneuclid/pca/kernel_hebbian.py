"""Kernel principal components by online Hebbian learning."""

from typing import Any, ClassVar, Literal, Self

import numpy as np
from sklearn.utils import check_random_state

from noneuclid._estimator import estimator
from noneuclid._parameters import Count, Positive
from noneuclid.numerics import orientation
from noneuclid.numerics.kernel_hebbian import kernel_hebbian_pass
from noneuclid.pca._base import IterativeComponents, variance_shares
from noneuclid.pca.kernel_components import KernelComponents, centre_gram, gram
from noneuclid.typing import Array

_RATE, _HORIZON = 0.1, 300.0


@estimator
class KernelHebbianPCA(KernelComponents, IterativeComponents):
    r"""Kernel PCA by Sanger's rule on coefficients, one sample after the other.

    .. math:: A \leftarrow A + \varepsilon\,(y e_t' - \mathrm{LT}(yy')A), \qquad y = A k_t

    with column :math:`k_t` of the centred kernel matrix and LT the lower triangle. Its limit is
    ordinary kernel PCA. One step size for all components makes trailing ones slow; the *gain*
    :math:`\varepsilon_i \propto (\hat\lambda_{\max}/\hat\lambda_i)\,\tau/(\tau + t)` gives every
    component the speed of the first.

    Parameters
    ----------
    gain : {"eigenvalue", "constant"}, default="eigenvalue"
        Steps by each component's own eigenvalue estimate, or by the largest one for all.
    max_iter : int, default=1000
        Epochs.
    tol : float, default=1e-3
        Stop when the mean of the components over epochs moves less, in feature space.

    Attributes
    ----------
    dual_coefficients_ : array of shape (n_samples, n_components)
        Components of norm 1 in feature space.
    explained_variance_ : array of shape (n_components,)
        Mean squared score.
    explained_variance_ratio_ : array of shape (n_components,)

    References
    ----------
    K. I. Kim, M. O. Franz and B. Schölkopf (2005), Iterative kernel principal component analysis
    for image modeling. S. Günther, N. N. Schraudolph and S. V. N. Vishwanathan (2007), Fast
    iterative kernel principal component analysis.

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid.pca import KernelHebbianPCA
    >>> X = np.random.default_rng(0).normal(size=(60, 3)) * [3, 1, 0.3]
    >>> KernelHebbianPCA(kernel="linear", random_state=0).fit(X).transform(X).shape
    (60, 2)
    """

    gain: Literal["eigenvalue", "constant"] = "eigenvalue"
    max_iter: Count = 1000
    tol: Positive = 1e-3

    _instead: ClassVar[str] = (
        'use GeneralizedKernelPCA(objective="l2", n_landmarks=…), which has the same components'
    )

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn components of the rows of X, or of a precomputed kernel matrix."""
        n = self._take_objects(X).n_objects_
        k = self._count(n, n)
        K = np.ascontiguousarray(gram(self.relation_))
        means = centre_gram(K)
        A, converged = self._learn(K, k)
        self._finish(A, K, means)
        if not converged:
            self._warn_restless("raise max_iter or tol, or ask for fewer components", "epochs")
        return self

    def _learn(self, K: Array, k: int) -> tuple[Array, bool]:
        """Mean of the coefficients over epochs, late ones counting most."""
        rng = check_random_state(self.random_state)
        A = rng.normal(size=(k, len(K)))
        A /= np.maximum(_norms(A, K), 1e-150)[:, None]
        power, average, clock = np.zeros(k), np.zeros_like(A), 0
        for epoch in range(self.max_iter):
            kernel_hebbian_pass(
                K,
                rng.permutation(len(K)),
                A,
                power,
                clock=clock,
                per_component=self.gain == "eigenvalue",
                rate=_RATE,
                horizon=_HORIZON,
            )
            clock += len(K)
            move = 3.0 / (epoch + 3.0) * (A - average)
            average = average + move
            self.n_iter_ = epoch + 1
            if epoch > 0 and _norms(move, K).max() < self.tol:
                return average, True
        return average, False

    def _finish(self, A: Array, K: Array, means: Array) -> None:
        norms = _norms(A, K)
        real = norms > 1e-150
        A = np.where(real[:, None], A, 0.0) / np.where(real, norms, 1.0)[:, None]
        A = A * orientation(A @ K, axis=1)
        self._publish(A.T, means)
        scores = K @ A.T
        self.explained_variance_ = (scores**2).mean(axis=0)
        total = float(np.trace(K)) / len(K)
        self.explained_variance_ratio_ = variance_shares(self.explained_variance_, total)


def _norms(A: Array, K: Array) -> Array:
    """√(a'Ka) of each row."""
    return np.sqrt(np.maximum(np.einsum("ij,ij->i", A @ K, A), 0.0))
