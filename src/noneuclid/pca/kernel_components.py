"""Components that are combinations of the training objects in a kernel's feature space."""

from typing import Annotated, Any, Literal

import numpy as np
from scipy import linalg
from scipy.linalg import lapack
from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh
from sklearn.base import clone

from noneuclid._data import check_is_fitted
from noneuclid._estimator import estimator
from noneuclid._memory import require_matrices
from noneuclid.kernels import as_kernel
from noneuclid.kernels.names import KernelLike
from noneuclid.numerics import fix_vectors, row_blocks
from noneuclid.numerics.cholesky import pivoted_features
from noneuclid.pca._base import Components
from noneuclid.proximities import Relation
from noneuclid.proximities.checks import largest_modulus
from noneuclid.proximities.estimators import RelationMixin
from noneuclid.typing import Array

FEWER_OBJECTS = "use GeneralizedKernelPCA with n_landmarks=…"
NOT_POSITIVE = (
    "the kernel matrix is not positive semi-definite: clip or flip its negative eigenvalues first, "
    "or learn in the pseudo-Euclidean space it spans"
)


@estimator
class DualComponents(RelationMixin, Components):
    """Components known by dual coefficients.

    Parameters
    ----------
    kernel : str, Kernel or callable, default="rbf"
        Anything :func:`noneuclid.kernels.as_kernel` accepts, or ``"precomputed"``: X is then the
        kernel matrix, and its rows are rows of kernel values in ``transform``. A kernel of objects,
        such as ``SpikeTrainKernel``, makes X a list of them.

    Attributes
    ----------
    dual_coefficients_ : array of shape (n_samples, n_components)
        β, what each training object contributes to each component.
    kernel_ : Kernel or None
        With its width fixed on the training data; None if the matrix was given.
    """

    kernel: Annotated[Any, Literal["precomputed"] | KernelLike] = "rbf"

    def as_objects(self, X: Any) -> Any:
        """Objects of the kernel's own kind, in a form that takes indices.

        Parameters
        ----------
        X : array of shape (n, d), or n objects
            What the kernel is to compare.

        Returns
        -------
        array, or sequence of objects
            In a form that takes indices.
        """
        return as_kernel(self.kernel).as_objects(X)

    def _n_directions(self, X: Any) -> int:
        return len(X)

    def _publish(self, beta: Array, gram_means: Array, *, both_sides: bool = True) -> None:
        """Scores are (k − means) H β; H is put on β once and for all."""
        self.dual_coefficients_ = beta
        self._weights = beta - beta.mean(axis=0) if both_sides else beta
        self._offset = gram_means @ self._weights
        self._gram_means = gram_means

    def _scores_of(self, K: Array) -> Array:
        """Scores from kernel values with the training objects."""
        return np.asarray(K @ self._weights - self._offset)

    @property
    def _n_features_out(self) -> int:
        return int(self.dual_coefficients_.shape[1])


@estimator
class KernelComponents(DualComponents):
    """Components in the feature space of a kernel: combinations of objects that a relation knows.

    Attributes
    ----------
    relation_ : Relation
        The training objects, and the kernel between them.
    """

    def _take_objects(self, X: Any, relation: Relation | None = None) -> Relation:
        """Fit the relation that knows the training objects; by default the parameters' own."""
        relation = self._make_relation() if relation is None else relation
        relation.metric = clone(relation.metric, safe=False)
        objects = relation.checked(X, self, reset=True)
        self._refuse_single_sample(len(objects))
        if relation.takes_rows:
            objects = np.ascontiguousarray(objects)  # read by the kernel again and again
        self.relation_ = relation.fit(objects)
        if relation.is_precomputed:
            self.n_features_in_ = relation.n_features_in_
        return relation

    @property
    def kernel_(self) -> Any:
        """The kernel in use; None if its matrix was given."""
        relation = self._known_relation("kernel_")
        return None if relation.is_precomputed else relation.metric_

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
        return self._scores_of(self.relation_.to(X, owner=self, self_values=False)[0])

    def inverse_transform(self, X: Any) -> Array:
        """Refused: objects that are no rows of numbers cannot be looked for.

        Parameters
        ----------
        X : array of shape (n, n_components)
            Scores.

        Returns
        -------
        nothing : it raises
        """
        check_is_fitted(self)
        raise TypeError(
            f"inverse_transform needs rows of numbers to look for, and {self.kernel_} has none"
        )


def gram(relation: Relation) -> Array:
    """The kernel matrix of the training objects, as a fresh array."""
    _require(relation, 1.0)
    if not relation.is_precomputed and relation.metric_.is_symmetric:
        return np.asarray(relation.metric_(relation.objects_))  # nothing to check, nothing to keep
    return relation.matrix.copy()


def _require(relation: Relation, copies: float) -> None:
    n = relation.n_objects_
    what = f"the kernel matrix of {n:,} objects"
    require_matrices(what, n, copies=copies, instead=FEWER_OBJECTS)


def exact_features(relation: Relation, max_rank: int | None = None) -> Array:
    """Z with Z Z' = K; raises if K is not positive, or if it has more than ``max_rank`` of them."""
    if _claims_positivity(relation):
        kernel: Any = relation.metric_
        X = relation.objects_
        diagonal = kernel.diag(X)
        return pivoted_features(lambda i, j: kernel(X[i], X[j]), diagonal, max_rank=max_rank)[0]
    K = relation.matrix
    Z, _ = pivoted_features(lambda i, j: K[i][:, j], np.diag(K), max_rank=max_rank)
    _check_positive(K, Z)
    return Z


def positive_gram(relation: Relation) -> Array:
    """The kernel matrix as a fresh array; raises if it is not positive."""
    K = gram(relation)
    refuse_indefinite(K, relation)
    return K


def refuse_indefinite(K: Array, relation: Relation) -> None:
    """Raise if the kernel matrix, or what centring left of it, is not positive."""
    if not _claims_positivity(relation) and not _has_factor(K):
        raise ValueError(NOT_POSITIVE)


def _has_factor(K: Array) -> bool:
    """Whether K, a little shifted, has a Cholesky factor; K is scratch meanwhile, no second one.

    The factor takes the place of the lower triangle. The upper one stays, and is mirrored.
    """
    diagonal = K.diagonal().copy()
    K.flat[:: len(K) + 1] += 1e-6 * max(largest_modulus(K), 1e-300) * np.sqrt(len(K))
    failed = lapack.dpotrf(K.T, clean=False, overwrite_a=True)[1]  # .T: in LAPACK's order, no copy
    for rows in row_blocks(len(K), K[:1].nbytes, 2**20):
        K[rows, : rows.start] = K[: rows.start, rows].T
        corner = np.triu(K[rows, rows], 1)
        K[rows, rows] = corner + corner.T
    K.flat[:: len(K) + 1] = diagonal
    return bool(failed == 0)


def _claims_positivity(relation: Relation) -> bool:
    if relation.is_precomputed:
        return False
    return bool(relation.metric_.is_positive_definite)


def _check_positive(K: Array, Z: Array) -> None:
    """A factor reproduces a positive matrix; of an indefinite one it misses something."""
    probe = np.random.default_rng(0).normal(size=(len(K), 4))
    missed = np.abs(K @ probe - Z @ (Z.T @ probe)).max()
    if missed > 1e-6 * max(largest_modulus(K), 1e-300) * np.sqrt(len(K)):
        raise ValueError(NOT_POSITIVE)


def centre_gram(K: Array) -> Array:
    """H K H in place; returns the column means it had."""
    means = np.asarray(K.mean(axis=0))
    others = means[:, None] - means.mean()
    for rows in row_blocks(len(K), K[:1].nbytes, 2**18):  # both while they are in the cache
        K[rows] -= means
        K[rows] -= others[rows]
    return means


def leading_eigenpairs(K: Array, k: int) -> tuple[Array, Array]:
    """The k largest eigenvalues of a symmetric matrix, falling, and their vectors, signs fixed."""
    n = len(K)
    found = None if n <= 200 or k > n // 4 else _iterated(K, n, k)
    values, vectors = found or linalg.eigh(K, subset_by_index=[n - k, n - 1])
    order = np.argsort(values)[::-1]
    return values[order], fix_vectors(values[order], vectors[:, order])


def _iterated(operator: Any, n: int, k: int) -> tuple[Array, Array] | None:
    """Leading eigenpairs from products alone; None if they do not converge (zero has none)."""
    start = np.random.default_rng(0).uniform(-1, 1, n)
    try:
        return eigsh(operator, k=k, which="LA", v0=start)  # type: ignore[no-any-return]
    except ArpackError:
        return None


def leading_right_vectors(K: Array, k: int) -> tuple[Array, Array]:
    """The k largest eigenvalues of K'K/n, falling, and their vectors, signs fixed.

    From products with K alone where K is large: forming K'K takes n³ operations and n² numbers.
    """
    n = len(K)

    def image(v: Array) -> Array:
        return np.asarray(K.T @ (K @ v) / n)

    operator = LinearOperator((n, n), matvec=image, dtype=np.float64)
    found = None if n <= 200 or k > n // 4 else _iterated(operator, n, k)
    if found is None:
        return leading_eigenpairs(K.T @ K / n, k)
    values, vectors = found
    order = np.argsort(values)[::-1]
    return values[order], fix_vectors(values[order], vectors[:, order])
