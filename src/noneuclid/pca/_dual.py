"""Components that are combinations of the training rows in a kernel's feature space."""

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from noneuclid.kernels import Kernel
from noneuclid.typing import Array


def object_kernel(kernel: Any) -> Kernel | None:
    """The kernel, if it compares objects of its own kind rather than rows of a matrix."""
    return kernel if isinstance(kernel, Kernel) and kernel.takes_objects else None


class DualComponents(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Scores of new rows are one product of their kernel values with the dual coefficients."""

    kernel: Any
    kernel_: Kernel | None
    dual_coefficients_: Array
    landmark_indices_: Any = None

    def _publish(self, beta: Array, gram_means: Array, *, both_sides: bool = True) -> None:
        """Scores are (k − means) H β; H is put on β once and for all."""
        self.dual_coefficients_ = beta
        self._weights = beta - beta.mean(axis=0) if both_sides else beta
        self._offset = gram_means @ self._weights
        self._gram_means = gram_means

    def _checked(self, X: Any, *, reset: bool = False) -> Any:
        """The rows of a matrix, or objects of the kernel's own kind."""
        kernel = object_kernel(self.kernel)
        if kernel is None:
            return validate_data(self, X, dtype=np.float64, order="C", reset=reset)
        if reset:  # objects have no features to count
            self.__dict__.pop("n_features_in_", None)
            self.__dict__.pop("feature_names_in_", None)
        return kernel.as_objects(X)

    def _kernel_rows(self, X: Any) -> Array:
        if self.kernel_ is not None:
            return self.kernel_(X, self._fit_rows)
        columns = slice(None) if self.landmark_indices_ is None else self.landmark_indices_
        return np.asarray(X[:, columns])

    def _remember_rows(self, X: Any) -> None:
        self._fit_rows: Any = None if self.kernel_ is None else X

    def transform(self, X: Any) -> Array:
        """Scores of new rows (precomputed: of their kernel values with the training rows)."""
        check_is_fitted(self)
        return np.asarray(self._kernel_rows(self._checked(X)) @ self._weights - self._offset)

    @property
    def _n_features_out(self) -> int:
        return int(self.dual_coefficients_.shape[1])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = isinstance(self.kernel, str) and self.kernel == "precomputed"
        tags.input_tags.two_d_array = object_kernel(self.kernel) is None
        return tags
