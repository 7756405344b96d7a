"""Kernel principal components for kernels that are not symmetric."""

import copy
from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state

from noneuclid._data import check_is_fitted, check_range, validate_data
from noneuclid._estimator import estimator
from noneuclid._memory import require_matrices
from noneuclid._parameters import Count, Positive
from noneuclid.kernels import as_kernel
from noneuclid.kernels.names import KernelLike
from noneuclid.numerics import fix_signs
from noneuclid.numerics.hebbian import RESIDUAL, hebbian_pass
from noneuclid.pca._base import IterativeComponents, variance_shares
from noneuclid.pca._robust_online import orthonormal
from noneuclid.pca._stream import HORIZON, RATE
from noneuclid.pca.kernel_components import DualComponents, leading_right_vectors
from noneuclid.proximities.checks import check_rows
from noneuclid.typing import Array


@estimator
class BanachKernelPCA(DualComponents, IterativeComponents):
    r"""Principal components in a reproducing kernel Banach space.

    The Gram matrix :math:`K_{ij} = \gamma(v_i, v_j)` of a semi-inner-product kernel is not
    symmetric. It is centred in the first argument (column means), and

    .. math:: \frac1n K'K\alpha = \lambda\alpha, \qquad \|\alpha\|_2 = 1, \qquad
        \text{score}(v) = \sum_j \alpha_j\,\tilde\gamma(v, v_j)

    so that λ is the mean squared score. For the linear kernel on centred data the scores are
    those of PCA up to scale.

    Parameters
    ----------
    kernel : str, Kernel or callable, default="linear"
        Such as ``SemiInnerProduct(Lp(1.5))``, or ``"precomputed"``: rows of X are then values
        γ(v_i, v_j) with the training objects as second argument. A kernel of objects, such as
        ``SpikeTrainKernel``, makes X a list of them.
    solver : {"eigen", "hebbian"}, default="eigen"
        The eigenproblem, or Sanger's rule on the rows :math:`k_t` of the centred K, whose expected
        update is that of M = K'K/n:
        :math:`\alpha_i \leftarrow \alpha_i + \varepsilon y_i(k_t - \sum_{j\le i}y_j\alpha_j)`,
        :math:`y = \alpha' k_t`, sample by sample.
    max_iter : int, default=1000
        Epochs of the Hebbian solver.
    tol : float, default=1e-4
        It stops when the scores by the mean of α over epochs move less than this share of their
        size.

    Attributes
    ----------
    explained_variance_ : array of shape (n_components,)
        Mean squared scores λ.
    explained_variance_ratio_ : array of shape (n_components,)
        λ over the sum of all eigenvalues of K'K/n.

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

    kernel: Annotated[Any, Literal["precomputed"] | KernelLike] = "linear"

    solver: Literal["eigen", "hebbian"] = "eigen"
    max_iter: Count = 1000
    tol: Positive = 1e-4

    _instead: ClassVar[str] = (
        "learn from a sample of the objects, new ones can be transformed all the same"
    )

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn components of the rows of X, or of a precomputed matrix γ(v_i, v_j).

        Parameters
        ----------
        X : array of shape (n, d), n objects, or array of shape (n, n)
            Rows, objects of the kernel's own kind, or the kernel matrix if it is precomputed.
        y : ignored
            For scikit-learn.

        Returns
        -------
        self : object
            Fitted.
        """
        relation = self._make_relation()
        objects = relation.checked(X, self, reset=True)
        self._refuse_single_sample(len(objects))
        k = self._count(len(objects), len(objects))
        what = f"BanachKernelPCA of {len(objects):,} objects"
        require_matrices(what, len(objects), instead=self._instead)
        # A relation is symmetric; here the numbers themselves are enough.
        self.kernel_ = None
        if relation.is_precomputed:
            K, self.n_features_in_ = np.array(objects), objects.shape[1]
        else:
            self.kernel_ = as_kernel(clone(relation.metric, safe=False)).resolve(objects)
            K, self._objects = self.kernel_(objects), copy.copy(objects)
        means = np.asarray(K.mean(axis=0))
        K -= means
        check_range(K, "the centred kernel matrix", power=2)
        if self.solver == "eigen":
            values, vectors = leading_right_vectors(K, k)
            self.n_iter_ = 1
        else:
            values, vectors = self._learn(np.ascontiguousarray(K), k)
        self.explained_variance_ = np.maximum(values, 0.0)
        total = float(np.vdot(K, K)) / len(K)
        self.explained_variance_ratio_ = variance_shares(self.explained_variance_, total)
        self._publish(vectors, means, both_sides=False)
        return self

    def _learn(self, K: Array, k: int) -> tuple[Array, Array]:
        """Mean squared scores and coefficients by Sanger's rule, in epochs of random order."""
        rng, n = check_random_state(self.random_state), len(K)
        A = orthonormal(rng.normal(size=(k, n)) @ K)  # what is beside all rows never decays
        power, origin, converged = np.zeros(k), np.zeros(n), False
        average, scores = np.zeros_like(A), np.zeros((n, k))
        for epoch in range(self.max_iter):
            order = rng.permutation(n)
            # Responses to what earlier components left: eigenvalues of M fall fast, and the power
            # of a later component must not be that of the first.
            hebbian_pass(
                K, origin, order, A, power,
                clock=epoch * n, p=2.0, rule=RESIDUAL, rate=RATE, horizon=HORIZON,
            )  # fmt: skip
            average = average + 3.0 / (epoch + 3.0) * (A - average)
            before, scores = scores, K @ orthonormal(average).T
            self.n_iter_ = epoch + 1
            moved, size = (np.linalg.norm(V, axis=0) for V in (scores - before, scores))
            converged = epoch > 0 and bool((moved <= self.tol * size).all())
            if converged:
                break
        if not converged:
            self._warn_restless("raise max_iter or tol, or ask for fewer components", "epochs")
        A = fix_signs(orthonormal(average), axis=1)
        return ((K @ A.T) ** 2).mean(axis=0), A.T

    def transform(self, X: Any) -> Array:
        """Scores of new objects (precomputed: of their values γ(v, v_j)).

        Parameters
        ----------
        X : array of shape (n, d), n objects, or array of shape (n, n_training)
            As in ``fit``; precomputed, kernel values with the training objects.

        Returns
        -------
        array of shape (n, n_components)
            Scores.
        """
        check_is_fitted(self)
        if self.kernel_ is None:
            return self._scores_of(check_rows(X, len(self._weights), type(self).__name__))
        if self.kernel_.takes_objects:
            rows = self.kernel_.as_objects(X)
        else:
            rows = validate_data(self, X, dtype=np.float64, reset=False)
        return self._scores_of(self.kernel_(rows, self._objects))
