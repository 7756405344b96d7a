"""Components that are combinations of the training objects in a kernel's feature space."""

from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from noneuclid._estimator import estimator
from noneuclid.kernels import as_kernel
from noneuclid.pca._base import Components
from noneuclid.pca._kernel_features import centre_gram, gram
from noneuclid.proximities import Relation
from noneuclid.proximities.estimators import RelationMixin
from noneuclid.typing import Array

__all__ = ["DualComponents", "KernelComponents", "centre_gram", "gram"]


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

    kernel: Any = "rbf"

    def as_objects(self, X: Any) -> Any:
        """Objects of the kernel's own kind, in a form that takes indices."""
        return as_kernel(self.kernel).as_objects(X)

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
        """Scores of new objects (precomputed: of their kernel values with the training ones)."""
        check_is_fitted(self)
        return self._scores_of(self.relation_.to(X, owner=self, self_values=False)[0])
