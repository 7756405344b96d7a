"""Kernel principal components by online Hebbian learning."""

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, Literal, Self

import numpy as np
from scipy import linalg
from sklearn.base import clone
from sklearn.utils import check_random_state

from noneuclid._estimator import estimator
from noneuclid._memory import require_matrices
from noneuclid._parameters import Count, Positive
from noneuclid.kernels import as_kernel
from noneuclid.numerics import orientation
from noneuclid.numerics.kernel_hebbian import feature_hebbian_pass, kernel_hebbian_pass
from noneuclid.pca._base import IterativeComponents, variance_shares, warn_anew
from noneuclid.pca._dictionary import Dictionary, NotPositive
from noneuclid.pca._stream import HORIZON, RATE, Stream
from noneuclid.pca.kernel_components import NOT_POSITIVE, centre_gram, gram, refuse_indefinite
from noneuclid.pca.preimages import Preimages
from noneuclid.typing import Array

_BUDGET = 500


@estimator
class KernelHebbianPCA(Preimages, IterativeComponents):
    r"""Kernel PCA by Sanger's rule on coefficients, one sample after the other.

    .. math:: A \leftarrow A + \varepsilon\,(y e_t' - \mathrm{LT}(yy')A), \qquad y = A k_t

    with column :math:`k_t` of the centred kernel matrix and LT the lower triangle. Its limit is
    ordinary kernel PCA. One step size for all components makes trailing ones slow; the *gain*
    :math:`\varepsilon_i \propto (\hat\lambda_{\max}/\hat\lambda_i)\,\tau/(\tau + t)` gives every
    component the speed of the first.

    Where there are more objects than a matrix of all pairs can hold, or no end of them, the rule
    runs on features instead: projections :math:`z(x) = L^{-1}k_D(x)` on the span of a bounded set D
    of landmarks, :math:`LL' = K_{DD}`,

    .. math:: W \leftarrow W + \varepsilon\,(y z' - \mathrm{LT}(yy')W), \qquad y = Wz .

    The landmarks are learned with the stream: see ``budget``.

    Parameters
    ----------
    gain : {"eigenvalue", "constant"}, default="eigenvalue"
        Steps by each component's own eigenvalue estimate, or by the largest one for all.
    budget : int or None, default=None
        The most landmarks. Objects join them while there is room, if those there miss something of
        them; if the stream changes later, the landmarks that the others miss least make way. An
        object costs O(budget²), memory is O(budget²) for ``partial_fit`` and O(n·budget) for
        ``fit``. None: all pairs of objects in ``fit``, at most 500 landmarks in ``partial_fit``.
    max_iter : int, default=1000
        Epochs.
    tol : float, default=1e-3
        Stop when the mean of the components over epochs moves less, in feature space.

    Attributes
    ----------
    dual_coefficients_ : array of shape (n_samples, n_components)
        Components of norm 1 in feature space; with landmarks of shape (n_landmarks, n_components).
    explained_variance_ : array of shape (n_components,)
        Mean squared score; in ``partial_fit`` of the recent objects.
    explained_variance_ratio_ : array of shape (n_components,)
    landmarks_ : array or list
        The landmarks; without a budget all training objects (None if the matrix was given).

    Notes
    -----
    ``partial_fit`` shows objects once, in their order; they should come shuffled. A width that
    depends on data is fixed on the first objects. Components are means over the stream, in which
    late ones count most.

    References
    ----------
    K. I. Kim, M. O. Franz and B. Schölkopf (2005), Iterative kernel principal component analysis
    for image modeling. S. Günther, N. N. Schraudolph and S. V. N. Vishwanathan (2007), Fast
    iterative kernel principal component analysis. Y. Engel, S. Mannor and R. Meir (2004), The
    kernel recursive least-squares algorithm. P. Honeine (2012), Online kernel principal component
    analysis: a reduced-order model.

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid.pca import KernelHebbianPCA
    >>> X = np.random.default_rng(0).normal(size=(60, 3)) * [3, 1, 0.3]
    >>> KernelHebbianPCA(kernel="linear", random_state=0).fit(X).transform(X).shape
    (60, 2)

    A stream, of which 20 landmarks are kept:

    >>> stream = KernelHebbianPCA(budget=20, random_state=0)
    >>> for _ in range(10):
    ...     stream = stream.partial_fit(np.random.default_rng(0).normal(size=(100, 3)))
    >>> stream.landmarks_.shape, stream.transform(X[:5]).shape
    ((20, 3), (5, 2))
    """

    gain: Literal["eigenvalue", "constant"] = "eigenvalue"
    budget: Count | None = None
    max_iter: Count = 1000
    tol: Positive = 1e-3

    _instead: ClassVar[str] = (
        'use budget=…, or GeneralizedKernelPCA(objective="l2", n_landmarks=…), which has the same '
        "components"
    )

    @property
    def landmarks_(self) -> Any:
        """The objects by which components are known."""
        return self._known_relation("landmarks_").objects_

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn components of the rows of X, or of a precomputed kernel matrix.

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
        self.__dict__.pop("_stream", None)
        converged = self._fit_pairs(X) if self.budget is None else self._fit_features(X)
        if not converged:
            self._warn_restless("raise max_iter or tol, or ask for fewer components", "epochs")
        return self

    def _fit_pairs(self, X: Any) -> bool:
        n = self._take_objects(X).n_objects_
        k = self._count(n, n)
        K = np.ascontiguousarray(gram(self.relation_))
        means = centre_gram(K)
        refuse_indefinite(K, self.relation_)
        rng = check_random_state(self.random_state)
        A = rng.normal(size=(k, n))
        A /= np.maximum(_norms(A, K), 1e-150)[:, None]
        A, _, self.n_iter_, converged = self._learn(
            partial(kernel_hebbian_pass, K), n, A, lambda A: _norms(A, K), rng
        )
        A = _of_norm_1(A, _norms(A, K))
        A = A * orientation(A @ K, axis=1)
        self._publish(A.T, means)
        self._explain(((K @ A.T) ** 2).mean(axis=0), float(np.trace(K)) / n)
        return converged

    def _fit_features(self, X: Any) -> bool:
        """Epochs over projections on the landmarks, which a first pass chose."""
        objects, kernel = self._streamed(X, first=True)
        n, budget = len(objects), int(self.budget or _BUDGET)
        self._refuse_single_sample(n)
        k = self._count(n, budget, "budget")
        require_matrices(f"features of {n:,} objects", n, budget, instead="use partial_fit")
        rng = check_random_state(self.random_state)
        stream = Stream.start(kernel, objects, k)
        stream = self._safely(stream.met, objects[rng.permutation(n)], budget, rng)
        Z = stream.dictionary.coordinates(objects)
        stream = stream.informed(Z, objects)
        show = partial(feature_hebbian_pass, Z, stream.mean)
        W, power, epochs, converged = self._learn(show, n, stream.W, _lengths, rng)
        self.n_iter_ = epochs
        self._stream = stream.after(W, power, clock=epochs * n)
        self._publish_stream()
        scores = (Z - stream.mean) @ _of_norm_1(W, _lengths(W)).T
        self._explain((scores**2).mean(axis=0), stream.total)
        return converged

    def partial_fit(self, X: Any, y: Any = None) -> Self:
        """Show objects once, in their order; landmarks and mean are learned alongside.

        Parameters
        ----------
        X : array of shape (n, d), n objects
            Rows or objects of the kernel's own kind.
        y : ignored
            For scikit-learn.

        Returns
        -------
        self : object
            Fitted.
        """
        first = "_stream" not in self.__dict__
        if first and "relation_" in self.__dict__:
            warn_anew("budget=…")
        objects, kernel = self._streamed(X, first=first)
        budget = int(self.budget or _BUDGET)
        rng = check_random_state(self.random_state)
        if first:
            self._refuse_single_sample(len(objects))
            k = self._count(budget, budget, "budget")
            self._stream = Stream.start(kernel, objects, k)
        by_component = self.gain == "eigenvalue"
        self._stream = self._safely(self._stream.shown, objects, budget, by_component, rng)
        self._publish_stream()
        self._explain(self._stream.power.copy(), self._stream.total)
        self.n_iter_ = 1
        return self

    def _streamed(self, X: Any, *, first: bool) -> tuple[Any, Any]:
        """Objects, and the kernel between them with its width fixed on the first of them."""
        if not first:
            return self.relation_.checked(X, self), self.kernel_
        relation = self._make_relation()
        if relation.is_precomputed:
            raise ValueError(
                "landmarks are chosen among objects: give them and a kernel, not a precomputed "
                "matrix"
            )
        objects = relation.checked(X, self, reset=True)
        # That of the relation, which knows the times of curves.
        return objects, as_kernel(clone(relation.metric, safe=False)).resolve(objects)

    def _safely(self, learn: Callable[..., Stream], *args: Any) -> Stream:
        try:
            stream = learn(*args)
        except NotPositive:
            raise ValueError(NOT_POSITIVE) from None
        if len(stream.dictionary) == 0:
            raise ValueError("the kernel matrix is zero: it has no components")
        return stream

    def _publish_stream(self) -> None:
        """Components by their landmarks, of norm 1."""
        stream = self._stream
        dictionary = stream.dictionary
        L, W = dictionary.factor, _of_norm_1(stream.average, _lengths(stream.average))
        W[len(L) :] = 0.0  # there are no more directions
        W = W * orientation(W @ (L - stream.mean).T, axis=1)
        self.relation_ = self._relation_of(dictionary)
        beta = linalg.solve_triangular(L, W.T, lower=True, trans="T")
        self._publish(beta, L @ stream.mean, both_sides=False)
        self._mean_weights = linalg.solve_triangular(L, stream.mean, lower=True, trans="T")

    def _relation_of(self, dictionary: Dictionary) -> Any:
        relation, n = self._make_relation(), len(dictionary)
        relation.metric = dictionary.kernel
        # A relation is fitted to two objects at least.
        relation = relation.fit(dictionary.objects[np.arange(max(n, 2)) % n])
        return relation if n > 1 else relation.restrict(np.arange(n))

    def _learn(
        self,
        show: Callable[..., None],
        n: int,
        A: Array,
        norms: Callable[[Array], Array],
        rng: np.random.RandomState,
    ) -> tuple[Array, Array, int, bool]:
        """Mean of the components over epochs, late ones counting most; their power; the epochs."""
        power, average = np.zeros(len(A)), np.zeros_like(A)
        steps = {"rate": RATE, "horizon": HORIZON, "per_component": self.gain == "eigenvalue"}
        for epoch in range(self.max_iter):
            show(rng.permutation(n), A, power, clock=epoch * n, **steps)
            move = 3.0 / (epoch + 3.0) * (A - average)
            average = average + move
            if epoch > 0 and norms(move).max() < self.tol:
                return average, power, epoch + 1, True
        return average, power, int(self.max_iter), False

    def _explain(self, variances: Array, total: float) -> None:
        self.explained_variance_ = variances
        self.explained_variance_ratio_ = variance_shares(variances, total)


def _norms(A: Array, K: Array) -> Array:
    """√(a'Ka) of each row."""
    return np.sqrt(np.maximum(np.einsum("ij,ij->i", A @ K, A), 0.0))


def _lengths(W: Array) -> Array:
    return np.asarray(np.linalg.norm(W, axis=1))


def _of_norm_1(A: Array, norms: Array) -> Array:
    """Rows over their norms; those that vanished stay zero."""
    real = norms > 1e-150
    return np.where(real[:, None], A, 0.0) / np.where(real, norms, 1.0)[:, None]
