"""Generalised principal components in the feature space of a kernel."""

from numbers import Real
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from noneuclid._data import check_is_fitted
from noneuclid._estimator import estimator
from noneuclid.numerics.cholesky import RankTooHigh
from noneuclid.numerics.threads import one_blas_thread
from noneuclid.pca._ascent import dual_of
from noneuclid.pca._climbing import Ascent, start_signs
from noneuclid.pca._gram_ascent import gram_ascend
from noneuclid.pca._leading import FeatureSamples
from noneuclid.pca.generalized import ObjectiveComponents
from noneuclid.pca.kernel_components import (
    NOT_POSITIVE,
    centre_gram,
    exact_features,
    gram,
    leading_eigenpairs,
    positive_gram,
    refuse_indefinite,
)
from noneuclid.pca.objectives import Objective, make_objective
from noneuclid.pca.preimages import Preimages
from noneuclid.proximities import Relation
from noneuclid.proximities.landmarks import LandmarkChoice, NumberOfLandmarks
from noneuclid.typing import Array

# Exact features are used if their number is at most n over this; else the kernel matrix itself.
_LOW_RANK = 4


@estimator
class GeneralizedKernelPCA(Preimages, ObjectiveComponents):
    r"""Generalised PCA in feature space, where only :math:`K_{ij} = \Phi(x_i)'\Phi(x_j)` is known.

    .. math:: c \leftarrow f'\Bigl(\frac{Kc}{\sqrt{c'Kc}}\Bigr), \qquad
        \alpha = \frac{c}{\sqrt{c'Kc}}, \qquad K \leftarrow K - K\alpha\alpha'K

    (f' of the modulus, with the sign). This is the fixed point of :class:`GeneralizedPCA` on any
    features Z with :math:`ZZ' = K`. Where K has a low numerical rank r, a pivoted Cholesky factor
    gives such features without ever forming K, and a step costs O(nr) instead of O(n²). Where its
    rank is full, K is formed, and each step is a product with it; of smooth objectives accelerated
    steps are about a third of the plain ones. From a few thousand objects on ``n_landmarks`` is
    what saves time.

    Parameters
    ----------
    kernel : str, Kernel or callable, default="rbf"
        Anything :func:`noneuclid.kernels.as_kernel` accepts, or ``"precomputed"``: X is then the
        kernel matrix, and its rows are rows of kernel values in ``transform``. It has to be
        positive semi-definite. A kernel of objects, such as ``SpikeTrainKernel``, makes X a list
        of them.
    update : {"synchronous", "serial"}, default="synchronous"
        Change all of c at once, or one entry after the other (slow, and for ``"l1"`` certain to
        end; a Hopfield network).
    n_landmarks : int, float or None, default=None
        Nystroem features from so many landmarks, a number below one being a share of the objects,
        instead of exact ones: linear in n.
    landmarks : {"uniform", "kmeans++", "pivoted"} or array of int, default="uniform"
        How landmarks are chosen, as :class:`noneuclid.proximities.NystroemEmbedding` says, or
        their indices.
    center : bool, default=True
        Move the mean in feature space to the origin.

    Attributes
    ----------
    dual_coefficients_ : array of shape (n_samples, n_components)
        β with scores :math:`\tilde K\beta`, :math:`\tilde K` the centred kernel; with landmarks
        of shape (n_landmarks, n_components), for their kernel values.
    landmark_indices_ : array or None

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

    Back from scores to rows, by the row whose image is nearest:

    >>> circle = np.column_stack([np.cos(np.arange(60.0)), np.sin(np.arange(60.0))])
    >>> model = GeneralizedKernelPCA(objective="l2", preimage="fixed_point").fit(circle)
    >>> back = model.inverse_transform(model.transform(circle[:3]))
    >>> bool(np.allclose(back / np.linalg.norm(back, axis=1)[:, None], circle[:3], atol=0.03))
    True
    """

    update: Literal["synchronous", "serial"] = "synchronous"
    n_landmarks: NumberOfLandmarks | None = None
    landmarks: LandmarkChoice = "uniform"
    center: bool = True

    @property
    def landmark_indices_(self) -> Any:
        """The landmarks among the training objects, or None."""
        relation = self._known_relation("landmark_indices_")
        return None if relation.n_landmarks is None else relation.landmark_indices_

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
        n = self._take_objects(X).n_objects_
        k = self._count(n, n)
        self._is_centred = bool(self.center)
        if self.n_landmarks is not None:
            self._fit_landmarks(k)
        elif self.update == "synchronous" and self.objective in ("l2",):
            self._fit_l2(k)
        else:
            self._fit_exactly(k)
        return self

    def _fit_exactly(self, k: int) -> None:
        relation, simple = self.relation_, self._simple_objective()
        max_rank = None if simple is None else max(relation.n_objects_ // _LOW_RANK, 1)
        Z = _features(relation, max_rank)
        if Z is None:
            assert simple is not None
            self._fit_gram(positive_gram(relation), k, simple)
            return
        with one_blas_thread(Z.size * k):
            mean = self._mean_of(Z)
            means = Z @ mean  # those of K = Z Z'
            Z -= mean
            found, objective = self._fit_features(FeatureSamples(Z), k)
            self._publish(dual_of(Z, found.components, objective), means, both_sides=self.center)

    def _simple_objective(self) -> Objective | None:
        """The objective, if plain steps on the kernel matrix climb it."""
        if self.update != "synchronous" or self.deflation != "greedy":
            return None
        a = float(self.a) if isinstance(self.a, Real) else None
        if self.objective in ("skeleton",) and a is None:
            return None  # the choice of a looks at reconstructions
        largest = 1.0
        if not isinstance(self.objective, str):  # no centred feature is longer than that
            largest = 2.0 * float(np.sqrt(max(self.relation_.diagonal.max(), 0.0)))
        objective = make_objective(self.objective, self.p, a, self.q, largest)
        return objective if objective.convex else None

    def _mean_of(self, Z: Array) -> Array:
        """The mean of the rows, or the origin."""
        return np.asarray(Z.mean(axis=0) if self.center else np.zeros(Z.shape[1]))

    def _fit_gram(self, K: Array, k: int, objective: Objective) -> None:
        means = centre_gram(K) if self.center else np.zeros(len(K))
        self.a_ = float(self.a) if self.objective in ("skeleton",) else None  # type: ignore[arg-type]
        found = gram_ascend(K, k, objective, **self._limits())
        self._record(found)
        self._publish(found.components, means, both_sides=self.center)

    def _fit_features(self, data: FeatureSamples, k: int) -> tuple[Ascent, Objective]:
        """Components in the given features."""
        if data.X.shape[1] == 0:
            raise ValueError("the kernel matrix is zero: it has no components")
        serial = self.update == "serial"
        found, objective = self._climb(data, min(k, *data.X.shape), serial=serial)
        self._record(found)
        return found, objective

    def _fit_l2(self, k: int) -> None:
        K = gram(self.relation_)
        means = centre_gram(K) if self.center else np.zeros(len(K))
        refuse_indefinite(K, self.relation_)
        values, vectors = leading_eigenpairs(K, k)
        positive = values > 1e-12 * max(values[0], 0.0)
        beta = vectors * np.where(positive, 1.0, 0.0) / np.sqrt(np.where(positive, values, 1.0))
        self.a_ = None
        self._record(Ascent(beta.T, np.cumsum(np.maximum(values, 0.0)) / 2.0, 1, True))
        beta *= start_signs(vectors * np.sqrt(np.maximum(values, 0.0)), np.diag(K))
        self._publish(beta, means, both_sides=self.center)

    def _fit_landmarks(self, k: int) -> None:
        if not self.relation_.is_positive:
            raise ValueError(NOT_POSITIVE)
        Z = self.relation_.chart.Z
        self._feature_mean = self._mean_of(Z)
        with one_blas_thread(Z.size * k):
            data = FeatureSamples(Z - self._feature_mean)
            self._W = self._fit_features(data, k)[0].components
        M = self.relation_._fitted.features.map  # type: ignore[union-attr]
        self.dual_coefficients_ = M @ self._W.T
        self._mean_weights = M @ self._feature_mean

    @property
    def _span_weights(self) -> Array:
        return self._weights if self.relation_.n_landmarks is None else self.dual_coefficients_

    def _spanning_rows(self) -> Array:
        if self.relation_.n_landmarks is None or not self.relation_.takes_rows:
            return super()._spanning_rows()
        return np.asarray(self.relation_._fitted.features.landmarks.objects)  # type: ignore[union-attr]

    def _scores_and_mean(self, X: Any) -> tuple[Array, Array]:
        """Scores of new objects, and their products with the mean in feature space, centred."""
        if self.relation_.n_landmarks is not None:
            mean = self._feature_mean
            V = self.relation_.vectors(X, owner=self) - mean
            return V @ self._W.T, 2.0 * V @ mean + mean @ mean
        K = self.relation_.to(X, owner=self, self_values=False)[0]
        return self._scores_of(K), 2.0 * K.mean(axis=1) - self._gram_means.mean()

    def transform(self, X: Any) -> Array:
        """Scores of new objects (precomputed: of their kernel values with the training ones).

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
        return self._scores_and_mean(X)[0]

    def reconstruction_error(self, X: Any, *, self_similarity: ArrayLike | None = None) -> Array:
        """Distance in feature space to the plane of the components: large for outliers.

        Parameters
        ----------
        X : array
            As in ``transform``.
        self_similarity : array of shape (n,), optional
            k(x, x) of the rows; needed with a precomputed kernel, where it cannot be computed.

        Returns
        -------
        array of shape (n,)
            Distances, not squared.
        """
        check_is_fitted(self)
        rows = self._checked(X)
        if self_similarity is None:
            if self.kernel_ is None:
                raise ValueError(
                    "with a precomputed kernel, reconstruction_error needs self_similarity=k(x, x)"
                )
            self_similarity = self.kernel_.diag(rows)
        squared = np.asarray(self_similarity, dtype=np.float64) - self.explained_norm(rows)
        return np.sqrt(np.maximum(squared, 0.0))

    def explained_norm(self, X: Any) -> Array:
        """k(x, x) less the squared reconstruction error: it needs no k(x, x).

        Parameters
        ----------
        X : array of shape (n, d), n objects, or array of shape (n, n_training)
            As in ``fit``; precomputed, kernel values with the training objects.

        Returns
        -------
        array of shape (n,)
            Squared norms of the projections.
        """
        check_is_fitted(self)
        scores, with_mean = self._scores_and_mean(X)
        explained = np.einsum("ij,ij->i", scores, scores)
        return np.asarray(explained + with_mean) if self._is_centred else explained


def _features(relation: Relation, max_rank: int | None) -> Array | None:
    """Exact features, or None if there are too many; what was begun of them is forgotten."""
    try:
        return exact_features(relation, max_rank)
    except RankTooHigh:
        return None
