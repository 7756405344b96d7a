"""GLVQ that learns its metric."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from noneuclid._checks import check_positive, is_count
from noneuclid._estimator import estimator
from noneuclid._memory import require_matrices
from noneuclid._parameters import Count
from noneuclid.kernels import MatrixGaussian
from noneuclid.numerics import fix_signs, fix_vectors, row_blocks, squared_euclidean
from noneuclid.prototypes.classifiers.vectors import VectorLVQ
from noneuclid.prototypes.costs import Membership
from noneuclid.prototypes.costs.glvq import MarginParameters
from noneuclid.prototypes.geometries.matrices import KernelMatrixGeometry, MatrixGeometry
from noneuclid.prototypes.geometries.sums import Spread, SummedGeometry, SummedMatrix
from noneuclid.prototypes.geometries.vectors import VectorGeometry
from noneuclid.spaces import Chart, Euclidean, as_space, require
from noneuclid.typing import Array, IntArray

# Rows of Ω by default: with more features a square matrix would be too large.
_MOST_ROWS = 300


@estimator
class GMLVQ(MarginParameters, VectorLVQ):
    r"""Generalised matrix LVQ: prototypes, and the metric in which they classify.

    GLVQ's cost with the distance

    .. math:: d(x, w) = \|\Omega(x - w)\|^2 \qquad\text{or}\qquad
              d(x, w) = 2 - 2\,e^{-\|\Omega(x - w)\|^2}

    (``kernel=True``: the distance of the kernel :math:`\kappa_\Omega`), and Ω learned together with
    the prototypes. What it learns can be looked at: which features count (``relevance_``), and the
    plane in which the classes lie apart (``project``).

    Parameters
    ----------
    cost : str or Cost, default="glvq"
        What is minimised, of the learned distances; GLVQ's by default.
    space : str or Space, default="l2"
        Any Hilbert space: Ω acts on the coordinates of its chart.
    kernel : bool, default=False
        Learn Ω inside the distance of the kernel κ_Ω.
    rank : int, optional
        Number of rows of Ω; by default all directions, of more than 300 features at most
        the 300 in which prototypes, then samples lie apart most: a square matrix would be too
        large, and directions without samples are not learned.
    gradient : {"auto", "riesz", "coordinates"}, default="auto"
        Prototypes step along x − w (``"riesz"``, and ``"auto"``) or along Ω'Ω(x − w), with
        ``"sgd"``; Ω follows its gradient.

    Attributes
    ----------
    omega_ : array of shape (k, d)
        The matrix Ω, in the coordinates of the data. Without a kernel it has trace(Ω'Ω) = 1 in
        the coordinates of the chart.
    relevance_ : array of shape (d,)
        Diagonal of Ω'Ω over its trace: the share of each feature in the metric.

    References
    ----------
    P. Schneider, M. Biehl and B. Hammer (2009), Adaptive relevance matrices in learning vector
    quantization. K. Bunte et al. (2012), Limited rank matrix learning.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> noisy = np.column_stack([X, np.random.default_rng(0).normal(size=(150, 2))])
    >>> model = GMLVQ(random_state=0).fit(noisy, y)
    >>> bool(model.score(noisy, y) > 0.95), bool(model.relevance_[4:].sum() < 0.1)
    (True, True)
    >>> model.project(noisy).shape
    (150, 2)
    """

    kernel: bool = False
    rank: Count | None = None

    # --- learning ---------------------------------------------------------------------------

    def _set_space(self, rows: Array) -> None:
        chart = as_space(self.space).chart(rows.shape[1])
        if chart is None or not chart.is_positive:
            require(as_space(self.space), type(self).__name__, "flatten")
        d = rows.shape[1]
        if self.rank is not None and self.rank > d:
            raise ValueError(
                f"rank (={self.rank!r}) must be an integer between 1 and {d}, the number of "
                "features"
            )
        self._spread: float | None = None
        super()._set_space(rows)

    def _chart(self) -> Chart | None:
        return self.space_.chart(self.n_features_in_)

    def _geometry_of(self, rows: Array, weights: Array | None = None) -> MatrixGeometry:
        geometry = KernelMatrixGeometry if self.kernel else MatrixGeometry
        return geometry(self._forth(rows), len(self.prototype_labels_), self._spread, weights)

    def _summed(self, geometry: Any, spread: Spread) -> SummedMatrix:
        vectors = SummedGeometry(geometry.plain, spread)
        self._spread = vectors.scale()
        few = type(geometry)(geometry.plain.X, geometry.m, self._spread, geometry.weights)
        return SummedMatrix(few, vectors)

    def _start(
        self, geometry: Any, rows: Array, who: Membership, counts: IntArray, rng: Any
    ) -> Array:
        self._spread = geometry.spread
        W = super()._start(geometry.plain, rows, who, counts, rng)
        d = rows.shape[1]
        rank = min(d, _MOST_ROWS) if self.rank is None else int(self.rank)
        require_matrices(
            f"a matrix of rank {rank:,} in {d:,} features",
            rank,
            d,
            copies=8.0,
            instead="lower rank",
        )
        omega = np.eye(d) if rank == d else _leading(W, geometry.X, rank)
        omega = _filled(omega, max(len(omega), 1) if self.rank is None else rank, rng)
        omega = MatrixGeometry.scaled(omega)
        if self.kernel:  # squared distances of samples are about one then
            mapped = VectorGeometry(Euclidean(), geometry.X @ omega.T, geometry.weights)
            omega = omega / np.sqrt(2 * mapped.scale())
        return np.vstack([W, omega])

    def _parameters(self) -> Array:
        return np.vstack([self._forth(self.prototypes_), self._omega])

    def _keep(self, geometry: Any, theta: Any) -> None:
        self._omega = geometry.scaled(theta.omega)
        self.prototypes_ = self._back(theta.W)
        chart = self._chart()
        assert chart is not None
        if chart.is_identity:
            self.omega_ = self._omega.copy()
        else:  # Ω acts on the chart, which is linear: this is Ω times its matrix
            d = self.n_features_in_
            self.omega_ = np.empty((len(self._omega), d))
            for axes in row_blocks(d, 8 * d):
                unit = np.eye(axes.stop - axes.start, d, axes.start)
                self.omega_[:, axes] = self._omega @ self._forth(unit).T

    # --- looking ----------------------------------------------------------------------------

    @property
    def relevance_(self) -> Array:
        """The share of each feature in the metric."""
        check_is_fitted(self)
        shares = (self.omega_**2).sum(axis=0)
        return shares / shares.sum()

    def project(self, X: ArrayLike, n_components: int = 2) -> Array:
        """Coordinates along the directions that count most: (n, n_components).

        They are the leading eigenvectors of Ω'Ω times the roots of their eigenvalues: with all of
        them, Euclidean distances are the learned ones. For plots of samples and of
        ``prototypes_``.
        """
        check_is_fitted(self)
        rows = self._validate(X, reset=False)
        _, values, directions = np.linalg.svd(self.omega_, full_matrices=False)
        if not (is_count(n_components) and n_components <= len(values)):
            raise ValueError(
                f"n_components (={n_components!r}) must be an integer between 1 and {len(values)}"
            )
        axes = values[:, None] * fix_vectors(values, directions.T).T
        return rows @ axes[:n_components].T

    def to_kernel(self, width: float = 1.0) -> MatrixGaussian:
        r"""The kernel :math:`\exp(-\|\Omega(x - y)\|^2/width^2)`, for any kernel learner.

        With ``kernel=True`` and width 1 it is the kernel whose distance was learned. Without, Ω
        has no width of its own, and ``width`` sets it.
        """
        check_is_fitted(self)
        check_positive("width", width)
        return MatrixGaussian(self.omega_ / width)

    # --- deciding ---------------------------------------------------------------------------

    def _distances(self, X: ArrayLike) -> Array:
        check_is_fitted(self)
        rows = self._validate(X, reset=False)
        D = squared_euclidean(rows @ self.omega_.T, self.prototypes_ @ self.omega_.T)
        return -2.0 * np.expm1(-D) if self.kernel else D

    def _takes_missing(self) -> bool:
        return False


def _leading(W: Array, X: Array, rank: int) -> Array:
    """Orthonormal directions in which prototypes lie apart, then those of the samples."""
    found = _directions(W - W.mean(axis=0), min(rank, len(W) - 1))
    if len(found) < rank:
        found = np.vstack([found, _directions(X - X @ found.T @ found, rank - len(found))])
    return found


def _filled(found: Array, rank: int, rng: np.random.RandomState) -> Array:
    """As many orthonormal directions as were asked for: where they are too few, any others."""
    if len(found) == rank:
        return found
    others = rng.normal(size=(rank - len(found), found.shape[1]))
    basis = fix_signs(np.linalg.qr(np.vstack([found, others]).T)[0].T, axis=1)
    return np.vstack([found, basis[len(found) :]])


def _directions(V: Array, most: int) -> Array:
    """Leading right singular vectors, none that are rounding."""
    _, sizes, directions = np.linalg.svd(V, full_matrices=False)
    directions = fix_vectors(sizes, directions.T).T
    return directions[:most][sizes[:most] > 1e-10 * sizes.max(initial=0.0)]
