"""Prototypes with metrics of their own."""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from noneuclid._checks import is_count
from noneuclid._data import check_is_fitted
from noneuclid._estimator import estimator
from noneuclid.numerics import squared_euclidean
from noneuclid.prototypes.classifiers.matrices import RankedClassifier, projected
from noneuclid.prototypes.costs.glvq import MarginParameters, Transfer
from noneuclid.prototypes.geometries.local_matrices import LocalMatrixGeometry
from noneuclid.typing import Array, IntArray


@estimator
class LGMLVQ(MarginParameters, RankedClassifier):
    r"""Local matrix LVQ: every prototype, or every class, with a metric of its own.

    GLVQ's cost with the distances

    .. math:: d(x, w_j) = \|\Omega_{g(j)}(x - w_j)\|^2,

    and all matrices learned together with the prototypes. Borders between classes are quadratic,
    not linear: every class may have features and directions of its own that tell it from others.
    A low ``rank`` keeps the number of parameters small.

    Parameters
    ----------
    cost : str or Cost, default="glvq"
        What is minimised, of the learned distances. With ``"rslvq"`` it is local matrix RSLVQ,
        with class probabilities, and the sizes of the matrices are learned as well.
    per : {"prototype", "class"}, default="prototype"
        Who has a matrix: each prototype, or those of a class together.

    Attributes
    ----------
    omega_ : array of shape (n_matrices, k, d)
        The matrices, in the coordinates of the data. Unless sizes are learned, each has
        trace(Ω'Ω) = 1 in the coordinates of the chart.
    matrix_of_ : array of int, shape (m,)
        The matrix of every prototype.
    relevance_ : array of shape (n_matrices, d)
        Diagonals of Ω'Ω over their traces: the share of each feature in each metric.

    References
    ----------
    P. Schneider, M. Biehl and B. Hammer (2009), Adaptive relevance matrices in learning vector
    quantization. K. Bunte et al. (2012), Limited rank matrix learning.

    Examples
    --------
    Two classes around the same place, each flat in a direction of its own:

    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 2)) * np.repeat([[4.0, 0.4], [0.4, 4.0]], 100, axis=0)
    >>> y = np.repeat([0, 1], 100)
    >>> model = LGMLVQ(random_state=0).fit(X, y)
    >>> bool(model.score(X, y) > 0.9), model.omega_.shape
    (True, (2, 2, 2))
    >>> model.relevance_.argmax(axis=1)
    array([1, 0])
    """

    per: Literal["prototype", "class"] = "prototype"
    transfer: Transfer = "auto"

    @property
    def _groups(self) -> IntArray:
        if self.per == "class":
            return np.searchsorted(self.classes_, self.prototype_labels_)
        return np.arange(len(self.prototype_labels_))

    @property
    def _n_matrices(self) -> int:
        return int(self._groups[-1]) + 1

    def _matrix_geometry(self, Z: Array, weights: Array | None) -> LocalMatrixGeometry:
        m = len(self.prototype_labels_)
        return LocalMatrixGeometry(self._groups, Z, m, self._spread, weights, self._freedom)

    def _set_omega(self) -> None:
        self.matrix_of_ = self._groups
        each = self._omega.reshape(self._n_matrices, -1, self._omega.shape[1])
        self.omega_ = np.array([self._in_data(omega) for omega in each])

    @property
    def relevance_(self) -> Array:
        """The share of each feature in each metric."""
        check_is_fitted(self)
        shares = (self.omega_**2).sum(axis=1)
        return shares / shares.sum(axis=1, keepdims=True)

    def project(self, X: ArrayLike, matrix: int = 0, n_components: int | None = None) -> Array:
        """Coordinates along the directions that count most in one of the metrics.

        Parameters
        ----------
        X : array of shape (n, d)
        matrix : int, default=0
            Which of the matrices: ``matrix_of_`` says whose they are.
        n_components : int, optional
            By default 2, or the rank of the matrix if that is 1.

        Returns
        -------
        array of shape (n, n_components)
        """
        check_is_fitted(self)
        if not (is_count(matrix, 0) and matrix < len(self.omega_)):
            raise ValueError(
                f"matrix (={matrix!r}) must be an integer between 0 and {len(self.omega_) - 1}"
            )
        return projected(self._validate(X, reset=False), self.omega_[matrix], n_components)

    def _distances(self, X: ArrayLike) -> Array:
        check_is_fitted(self)
        rows = self._validate(X, reset=False)
        D = np.empty((len(rows), len(self.prototypes_)))
        for g, omega in enumerate(self.omega_):
            own = self.matrix_of_ == g
            D[:, own] = squared_euclidean(rows @ omega.T, self.prototypes_[own] @ omega.T)
        return D
