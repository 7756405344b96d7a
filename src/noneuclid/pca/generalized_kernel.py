"""Generalised principal components in the feature space of a kernel."""

from collections.abc import Callable
from numbers import Real
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from noneuclid.kernels import Kernel
from noneuclid.numerics.cholesky import RankTooHigh
from noneuclid.pca._ascent import Ascent, dual_of
from noneuclid.pca._base import (
    check_choice,
    check_count,
    component_count,
    refuse_single_sample,
    warn_not_converged,
)
from noneuclid.pca._dual import DualComponents
from noneuclid.pca._gram_ascent import GramAscent, gram_greedy
from noneuclid.pca._kernel_features import (
    centre_gram,
    exact_features,
    gram,
    landmark_map,
    leading_eigenpairs,
    positive_gram,
    resolve_kernel,
)
from noneuclid.pca._objectives import Objective, make_objective
from noneuclid.pca.generalized import ascent_limits, resolve_objective, solve
from noneuclid.typing import Array

# Exact features are used if their number is at most n over this; else the kernel matrix itself.
_LOW_RANK = 4


class GeneralizedKernelPCA(DualComponents):
    r"""Generalised PCA in feature space, where only :math:`K_{ij} = \Phi(x_i)'\Phi(x_j)` is known.

    .. math:: c \leftarrow f'\Bigl(\frac{Kc}{\sqrt{c'Kc}}\Bigr), \qquad
        \alpha = \frac{c}{\sqrt{c'Kc}}, \qquad K \leftarrow K - K\alpha\alpha'K

    (f' of the modulus, with the sign). This is the fixed point of :class:`GeneralizedPCA` on any
    features Z with :math:`ZZ' = K`. Where K has a low numerical rank r, a pivoted Cholesky factor
    gives such features without ever forming K, and a step costs O(nr) instead of O(n²).

    Parameters
    ----------
    n_components : int or None, default=2
    kernel : str, Kernel or callable, default="rbf"
        Anything :func:`noneuclid.kernels.as_kernel` accepts, or ``"precomputed"``: X is then the
        kernel matrix, and its rows are rows of kernel values in ``transform``. It has to be
        positive semi-definite. A kernel of objects, such as ``SpikeTrainKernel``, makes X a list
        of them.
    objective, p, a, q, deflation, n_init, tol, max_iter, random_state
        As in :class:`GeneralizedPCA`. ``objective="l2"`` is kernel PCA.
    update : {"synchronous", "serial"}, default="synchronous"
        Change all of c at once, or one entry after the other (slow, and for ``"l1"`` certain to
        end; a Hopfield network).
    n_landmarks : int, optional
        Nystroem features of so many random rows instead of exact ones: linear in n.
    center : bool, default=True
        Move the mean in feature space to the origin.

    Attributes
    ----------
    dual_coefficients_ : array of shape (n_samples, n_components)
        β with scores :math:`\tilde K\beta`, :math:`\tilde K` the centred kernel; with landmarks
        of shape (n_landmarks, n_components), for their kernel values.
    objective_curve_ : array
    kernel_ : Kernel or None
        With its width fixed on the training data.
    landmark_indices_ : array or None
    a_ : float or None
    n_iter_ : int

    References
    ----------
    N. Kwak (2013), Nonlinear projection trick in kernel methods. C. Kim and D. Klabjan (2019),
    A simple and fast algorithm for L1-norm kernel PCA.

    Examples
    --------
    >>> import numpy as np
    >>> from noneuclid.pca import GeneralizedKernelPCA
    >>> X = np.random.default_rng(0).normal(size=(40, 3))
    >>> model = GeneralizedKernelPCA(objective="l1").fit(X)
    >>> model.transform(X[:5]).shape, model.dual_coefficients_.shape
    ((5, 2), (40, 2))
    """

    def __init__(
        self,
        *,
        n_components: int | None = 2,
        kernel: str | Kernel | Callable[[Any, Any], Any] = "rbf",
        objective: str | Callable[[Any], Any] = "l1",
        p: float | None = None,
        a: float | Literal["auto"] | None = None,
        q: float | None = None,
        update: Literal["synchronous", "serial"] = "synchronous",
        n_landmarks: int | None = None,
        center: bool = True,
        deflation: Literal["greedy", "joint"] = "greedy",
        n_init: int = 1,
        tol: float = 1e-10,
        max_iter: int = 1000,
        random_state: int | np.random.RandomState | None = None,
    ):
        self.n_components = n_components
        self.kernel = kernel
        self.objective = objective
        self.p = p
        self.a = a
        self.q = q
        self.update = update
        self.n_landmarks = n_landmarks
        self.center = center
        self.deflation = deflation
        self.n_init = n_init
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn components of the rows of X, or of a precomputed kernel matrix."""
        rows = self._checked(X, reset=True)
        refuse_single_sample(self, len(rows))
        check_choice("update", self.update, ("synchronous", "serial"))
        self.kernel_ = resolve_kernel(self.kernel, rows)
        k = component_count(self.n_components, len(rows), len(rows))
        self._remember_rows(rows)
        self.landmark_indices_ = None
        if self.n_landmarks is not None:
            self._fit_landmarks(rows, k)
        elif self.update == "synchronous" and self.objective in ("l2",):
            self._fit_l2(rows, k)
        else:
            self._fit_exactly(rows, k)
        return self

    def _fit_exactly(self, X: Any, k: int) -> None:
        simple = self._simple_objective()
        try:
            max_rank = None if simple is None else max(len(X) // _LOW_RANK, 1)
            Z = exact_features(self.kernel_, X, max_rank)
        except RankTooHigh:
            assert simple is not None
            self._fit_gram(positive_gram(self.kernel_, X), k, simple)
            return
        means = Z @ Z.mean(axis=0) if self.center else np.zeros(len(Z))  # those of K = Z Z'
        found, objective = self._solve(Z, k)
        self._publish(dual_of(Z, found.W, objective), means, both_sides=self.center)

    def _simple_objective(self) -> Objective | None:
        """The objective, if plain steps on the kernel matrix climb it."""
        plain = self.update == "synchronous" and self.deflation == "greedy"
        a = float(self.a) if isinstance(self.a, Real) else None
        if not plain or not isinstance(self.objective, str):
            return None
        if self.objective == "skeleton" and a is None:
            return None  # the choice of a looks at reconstructions
        objective = make_objective(self.objective, self.p, a, self.q, 1.0)
        return objective if objective.convex else None

    def _fit_gram(self, K: Array, k: int, objective: Objective) -> None:
        means = centre_gram(K) if self.center else np.zeros(len(K))
        self.a_ = self.a if self.objective == "skeleton" else None
        rng = check_random_state(self.random_state)
        found = gram_greedy(K, k, objective, n_init=self.n_init, rng=rng, **ascent_limits(self))
        self._record(found)
        self._publish(found.beta, means, both_sides=self.center)

    def _solve(self, Z: Array, k: int) -> tuple[Ascent, Objective]:
        """Components in the given features, which are centred in place."""
        if self.center:
            Z -= Z.mean(axis=0)
        k = component_count(min(k, Z.shape[1]) or 1, len(Z), max(Z.shape[1], 1))
        if Z.shape[1] == 0:
            raise ValueError("the kernel matrix is zero: it has no components")
        objective, self.a_ = resolve_objective(self, Z, k)
        found = solve(self, Z, k, objective, serial=self.update == "serial")
        self._record(found)
        return found, objective

    def _record(self, found: Ascent | GramAscent) -> None:
        self.objective_curve_, self.n_iter_ = found.curve, found.n_iter
        if not found.converged:
            warn_not_converged(
                self,
                f"did not come to rest in {self.n_iter_} iterations",
                "raise max_iter or tol, or choose a convex objective",
            )

    def _fit_l2(self, X: Any, k: int) -> None:
        K = gram(self.kernel_, X)
        means = centre_gram(K) if self.center else np.zeros(len(K))
        values, vectors = leading_eigenpairs(K, k)
        positive = values > 1e-12 * max(values[0], 0.0)
        beta = vectors * np.where(positive, 1.0, 0.0) / np.sqrt(np.where(positive, values, 1.0))
        self.a_ = None
        self._record(Ascent(beta.T, np.cumsum(np.maximum(values, 0.0)) / 2.0, 1, True))
        # The sign the fixed point has from its usual start, the sample of largest norm.
        scores, squares = vectors * np.sqrt(np.maximum(values, 0.0)), np.diag(K).copy()
        for j in range(k):
            if scores[np.argmax(squares), j] < 0:
                beta[:, j] *= -1.0
            squares -= scores[:, j] ** 2
        self._publish(beta, means, both_sides=self.center)

    def _fit_landmarks(self, X: Any, k: int) -> None:
        check_count("n_landmarks", self.n_landmarks)
        m = min(int(self.n_landmarks or 0), len(X))
        rng = check_random_state(self.random_state)
        self.landmark_indices_ = np.sort(rng.choice(len(X), size=m, replace=False))
        Z, M = landmark_map(self.kernel_, X, self.landmark_indices_)
        self._remember_rows(X[self.landmark_indices_])
        mean = Z.mean(axis=0) if self.center else np.zeros(Z.shape[1])
        found, _ = self._solve(Z, min(k, Z.shape[1]))
        self.dual_coefficients_ = self._weights = M @ found.W.T
        self._offset = mean @ found.W.T
        self._feature_mean = mean
        self._map = M

    def reconstruction_error(self, X: Any, *, self_similarity: ArrayLike | None = None) -> Array:
        """Distance in feature space to the plane of the components: large for outliers.

        Parameters
        ----------
        X : array
            As in ``transform``.
        self_similarity : array of shape (n,), optional
            k(x, x) of the rows; needed with a precomputed kernel, where it cannot be computed.
        """
        check_is_fitted(self)
        rows = self._checked(X)
        if self_similarity is None:
            if self.kernel_ is None:
                raise ValueError(
                    "with a precomputed kernel, reconstruction_error needs self_similarity=k(x, x)"
                )
            self_similarity = self.kernel_.diag(rows)
        squared = np.asarray(self_similarity, dtype=np.float64) + self._lost(rows)
        return np.sqrt(np.maximum(squared, 0.0))

    def _lost(self, X: Any) -> Array:
        """Squared reconstruction error less k(x, x)."""
        K = self._kernel_rows(X)
        scores = K @ self._weights - self._offset
        lost = -np.einsum("ij,ij->i", scores, scores)
        if not self.center:
            return np.asarray(lost)
        if self.landmark_indices_ is not None:
            mean = self._feature_mean
            return np.asarray(lost - 2.0 * K @ (self._map @ mean) + mean @ mean)
        return np.asarray(lost - 2.0 * K.mean(axis=1) + self._gram_means.mean())
