"""Principal components of functions that objects stand for: intensities, densities."""

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from noneuclid._data import check_is_fitted
from noneuclid._estimator import estimator
from noneuclid._memory import require_matrices
from noneuclid.numerics import fix_vectors
from noneuclid.pca.kernel_components import KernelComponents, centre_gram, gram
from noneuclid.proximities import Relation
from noneuclid.typing import Array

# Eigenvalues below this share of the largest are rounding.
_ZERO = 1e-10


@estimator
class FunctionComponents(KernelComponents):
    """Components of objects whose kernel is the product of functions they stand for.

    Attributes
    ----------
    explained_variance_ : array of shape (n_components,)
        Variance ρ/n of the scores on the training objects, ρ the eigenvalue.
    explained_variance_ratio_ : array of shape (n_components,)
        Its share in the variance of all objects.
    eigenvalues_ : array of shape (n,)
        All eigenvalues ρ of the centred Gram matrix, largest first.
    dual_coefficients_ : array of shape (n, n_components)
        The eigenvectors b, scaled to b'Ĩb = 1.
    """

    _things: ClassVar[str] = "objects"

    @abstractmethod
    def _functions(self, at: Any) -> Array:
        """The functions of the training objects at some places, (n, …)."""

    def _fit_functions(self, X: Any, kernel: Any) -> Array:
        """Learn the components; returns the Gram matrix of the objects."""
        k = int(self.n_components or 0)
        relation = self._take_objects(X, Relation(kernel))
        n, name = relation.n_objects_, type(self).__name__
        instead = (
            'use GeneralizedKernelPCA(kernel=…, objective="l2", n_landmarks=…), or fewer '
            + self._things
        )
        require_matrices(f"{name} of {n:,} {self._things}", n, copies=6.0, instead=instead)
        I = gram(relation)  # noqa: E741 - the letter of the equations
        centred = I.copy()
        means = centre_gram(centred)
        rho, B = np.linalg.eigh(centred)
        rho, B = np.maximum(rho[::-1], 0.0), B[:, ::-1]
        n_positive = int((rho > _ZERO * rho[0]).sum()) if rho[0] > _ZERO * means.mean() else 0
        if k > n_positive:
            raise ValueError(
                f"n_components (={k}) is more than the {n_positive} directions in which the "
                f"{n} {self._things} differ"
            )
        self.eigenvalues_ = rho
        self.explained_variance_ = rho[:k] / n
        self.explained_variance_ratio_ = rho[:k] / rho.sum()
        vectors = fix_vectors(rho[:n_positive], B[:, :n_positive])[:, :k]
        self._publish(vectors / np.sqrt(rho[:k]), means)
        return I

    def _refuse_single_sample(self, n_samples: int) -> None:
        if n_samples < 2:
            raise ValueError(
                f"{type(self).__name__} needs at least two {self._things}; there are {n_samples}"
            )

    def _components_at(self, at: Any) -> Array:
        """ξ, the principal components as functions."""
        values = self._functions(at)
        return np.tensordot(self.dual_coefficients_.T, values - values.mean(axis=0), axes=1)

    def _reconstructed(self, scores: ArrayLike, at: Any) -> Array:
        """Mean function and Σ_k score_k ξ_k."""
        check_is_fitted(self, "dual_coefficients_")
        try:
            values = np.asarray(scores, dtype=np.float64)
        except (TypeError, ValueError):  # objects themselves
            raise ValueError(
                f"scores must be numbers in {self._n_features_out} columns, one per component: of "
                f"{self._things}, transform gives them"
            ) from None
        if values.ndim != 2 or values.shape[1] != self._n_features_out:
            raise ValueError(
                f"scores must have {self._n_features_out} columns, one per component; their shape "
                f"is {values.shape}"
            )
        mean = self._functions(at).mean(axis=0)
        return np.asarray(mean + np.tensordot(values, self._components_at(at), axes=1))
