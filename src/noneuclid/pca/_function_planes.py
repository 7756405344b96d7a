"""How far functions are from the plane of their components."""

from typing import Any

from numpy.typing import ArrayLike

from noneuclid._data import check_is_fitted
from noneuclid._estimator import estimator
from noneuclid.curves.bases import make_basis
from noneuclid.pca._base import BlockComponents
from noneuclid.typing import Array


@estimator
class FunctionPlanes(BlockComponents):
    """Components of functions, each known by its coefficients in a basis."""

    def reconstruction_error(self, X: ArrayLike) -> Array:
        """Norm in L² of what the components leave of the function of each row.

        Parameters
        ----------
        X : array of shape (n, n_features)

        Returns
        -------
        array of shape (n,)
        """
        check_is_fitted(self)
        if hasattr(self, "_random"):
            raise ValueError("reconstruction_error needs curves on a grid, each fitted by itself")
        return self._pca.reconstruction_error(self._coefficients_of(X))  # type: ignore[no-any-return, attr-defined]

    def _n_directions(self, X: Any) -> int:
        basis, n_basis = self.basis, self.n_basis  # type: ignore[attr-defined]
        return make_basis(basis, n_basis, X.shape[1], (0.0, 1.0)).size
