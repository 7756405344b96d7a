"""What all learners of prototypes and their metric share."""

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from noneuclid._checks import check_positive, is_count
from noneuclid._data import check_is_fitted
from noneuclid._estimator import estimator
from noneuclid._memory import require_matrices
from noneuclid._parameters import Count, NotNegative
from noneuclid.kernels import MatrixGaussian
from noneuclid.numerics import fix_vectors, row_blocks, squared_euclidean
from noneuclid.prototypes.classifiers.vectors import VectorLVQ
from noneuclid.prototypes.costs import Membership
from noneuclid.prototypes.geometries.matrices import Freedom, MatrixGeometry
from noneuclid.prototypes.geometries.sums import Spread, SummedGeometry, SummedMatrix
from noneuclid.prototypes.geometries.vectors import VectorGeometry
from noneuclid.prototypes.starts.matrices import filled, leading_directions, varying
from noneuclid.spaces import Chart, Euclidean, require
from noneuclid.spaces.names import space_for
from noneuclid.typing import Array, IntArray

# Rows of a matrix by default: with more features a square one would be too large.
_MOST_ROWS = 300
# A quasi-Newton step looks back on ten states and ten slopes.
_COPIES = 24.0


@estimator
class MatrixClassifier(VectorLVQ):
    r"""Prototypes, and the metric in which they classify.

    A subclass says what kind of matrix is learned.

    Parameters
    ----------
    space : str or Space, default="l2"
        Any Hilbert space: the matrix acts on the coordinates of its chart.
    gradient : {"auto", "riesz", "coordinates"}, default="auto"
        Prototypes step along x − w (``"riesz"``, and ``"auto"``) or along Ω'Ω(x − w), with
        ``"sgd"``; Ω follows its gradient.
    regularization : float, default=0.0
        Strength η of the term :math:`\eta\,R(\Omega)` added to the mean cost of a sample,

        .. math:: R(\Omega) = \tfrac12\left(k \ln\frac{\mathrm{tr}\,\Omega\Omega'}{k}
                              - \ln\det\Omega\Omega'\right) \ge 0,

        zero where all k directions of the metric count alike, infinite where one is lost: it keeps
        the matrix from becoming degenerate (Schneider et al. 2010). The unregularised metric
        often has one or two directions only; 0.01 is a mild start.
    """

    regularization: NotNegative = 0.0

    _has_flat_borders: ClassVar[bool] = False  # they are planes in a metric of their own

    # --- what a subclass says -----------------------------------------------------------------

    @abstractmethod
    def _matrix_geometry(self, Z: Array, weights: Array | None) -> MatrixGeometry:
        """The geometry of samples in the chart."""

    @abstractmethod
    def _first_matrix(self, W: Array, geometry: MatrixGeometry, rng: Any) -> Array:
        """Where the matrix starts, up to its size, in the chart."""

    @abstractmethod
    def _set_omega(self) -> None:
        """Tell the matrix that was learned in the coordinates of the data."""

    def _check_rank(self, d: int) -> None:
        """Raise ValueError if there are not so many directions."""

    # --- learning -----------------------------------------------------------------------------

    @property
    def _freedom(self) -> Freedom:
        """The size of a metric matters where the cost has a bandwidth."""
        return Freedom(self._is_soft(), float(self.regularization))

    def _set_space(self, rows: Array) -> None:
        space = space_for(self)
        chart = space.chart(rows.shape[1])
        if chart is None or not chart.is_positive:
            require(space, type(self).__name__, "flatten")
        self._check_rank(rows.shape[1])
        self._spread: float | None = None
        super()._set_space(rows)

    def _chart(self) -> Chart | None:
        return self.space_.chart(self.n_features_in_)

    def _geometry_of(self, rows: Array, weights: Array | None = None) -> MatrixGeometry:
        return self._matrix_geometry(self._forth(rows), weights)

    def _summed(self, geometry: Any, spread: Spread) -> SummedMatrix:
        vectors = SummedGeometry(geometry.plain, spread)
        self._spread = vectors.scale()
        return SummedMatrix(self._matrix_geometry(geometry.plain.X, geometry.weights), vectors)

    def _start(
        self, geometry: Any, rows: Array, who: Membership, counts: IntArray, rng: Any
    ) -> Array:
        self._spread = geometry.spread
        W = super()._start(geometry.plain, rows, who, counts, rng)
        omega = self._sized(geometry, self._first_matrix(W, geometry, rng), who)
        return np.vstack([W, np.tile(omega, (self._n_matrices, 1))])

    @property
    def _n_matrices(self) -> int:
        return 1

    def _sized(self, geometry: Any, omega: Array, who: Membership) -> Array:
        """Of trace one; or so that samples of a class lie as far apart as without a matrix."""
        if not self._is_soft():
            return omega / np.linalg.norm(omega)
        within = self._mapped(geometry, omega).scale_within(who.y)
        return omega * np.sqrt(geometry.plain.scale_within(who.y) / within)

    @staticmethod
    def _mapped(geometry: Any, omega: Array) -> VectorGeometry:
        return VectorGeometry(Euclidean(), geometry._map(geometry.X, omega), geometry.weights)

    def _parameters(self) -> Array:
        return np.vstack([self._forth(self.prototypes_), self._omega])

    def _keep(self, geometry: Any, theta: Any) -> None:
        self._omega = geometry.scaled(theta.omega)
        self.prototypes_ = self._back(theta.W)
        self._set_omega()

    def _in_data(self, omega: Array) -> Array:
        """A matrix that acts on the chart, which is linear: the same times the chart's matrix."""
        chart = self._chart()
        assert chart is not None
        if chart.is_identity:
            return omega.copy()
        d = self.n_features_in_
        found = np.empty((len(omega), d))
        for axes in row_blocks(d, 8 * d):
            unit = np.eye(axes.stop - axes.start, d, axes.start)
            found[:, axes] = omega @ self._forth(unit).T
        return found

    def _takes_missing(self) -> bool:
        return False


@estimator
class RankedClassifier(MatrixClassifier):
    """Matrices that may have few rows.

    Parameters
    ----------
    rank : int, optional
        Number of rows of a matrix; by default all directions, of more than 300 features at most
        the 300 in which prototypes, then samples lie apart most: a square matrix would be too
        large, and directions without samples are not learned.
    """

    rank: Count | None = None

    def _check_rank(self, d: int) -> None:
        if self.rank is not None and self.rank > d:
            raise ValueError(
                f"rank (={self.rank!r}) must be an integer between 1 and {d}, the number of "
                "features"
            )

    def _first_matrix(self, W: Array, geometry: MatrixGeometry, rng: Any) -> Array:
        d = W.shape[1]
        if self.rank is not None:
            rank = int(self.rank)
        elif d <= _MOST_ROWS:
            rank = d
        else:  # prototypes and samples have no more directions than there are of them
            rank = min(_MOST_ROWS, len(W) + len(geometry.X))
        rows = self._n_matrices * rank
        what = f"a matrix of rank {rank:,} in {d:,} features"
        require_matrices(what, rows, d, copies=_COPIES, instead="lower rank")
        if rank < d:
            omega = leading_directions(W, geometry.X, rank)
        else:  # what is constant has no direction of its own, unless so many were asked for
            omega = np.eye(d) if self.rank is not None else np.eye(d)[varying(geometry.X)]
        return filled(omega, max(len(omega), 1) if self.rank is None else rank, rng)


@estimator
class SharedMatrixClassifier(RankedClassifier):
    """One matrix for all prototypes.

    Attributes
    ----------
    omega_ : array of shape (k, d)
        The matrix Ω, in the coordinates of the data. Unless its size is learned, as with a kernel
        or a soft cost, it has trace(Ω'Ω) = 1 in the coordinates of the chart.
    relevance_ : array of shape (d,)
        Diagonal of Ω'Ω over its trace: the share of each feature in the metric.
    """

    def _set_omega(self) -> None:
        self.omega_ = self._in_data(self._omega)

    @property
    def relevance_(self) -> Array:
        """The share of each feature in the metric."""
        check_is_fitted(self)
        shares = (self.omega_**2).sum(axis=0)
        return shares / shares.sum()

    def project(self, X: ArrayLike, n_components: int | None = None) -> Array:
        """Coordinates along the directions that count most: (n, n_components).

        They are the leading eigenvectors of Ω'Ω times the roots of their eigenvalues: with all of
        them, Euclidean distances are the learned ones. For plots of samples and of
        ``prototypes_``.

        Parameters
        ----------
        X : array of shape (n, d)
        n_components : int, optional
            By default 2, or the rank of Ω if that is 1.

        Returns
        -------
        array of shape (n, n_components)
        """
        check_is_fitted(self)
        return projected(self._validate(X, reset=False), self.omega_, n_components)

    def to_kernel(self, width: float = 1.0) -> MatrixGaussian:
        r"""The kernel :math:`\exp(-\|\Omega(x - y)\|^2/width^2)`, for any kernel learner.

        With ``kernel=True`` and width 1 it is the kernel whose distance was learned. Without, Ω
        has no width of its own, and ``width`` sets it.

        Parameters
        ----------
        width : float, default=1.0

        Returns
        -------
        MatrixGaussian
        """
        check_is_fitted(self)
        check_positive("width", width)
        return MatrixGaussian(self.omega_ / width)

    def _distances(self, X: ArrayLike) -> Array:
        check_is_fitted(self)
        rows = self._validate(X, reset=False)
        return squared_euclidean(rows @ self.omega_.T, self.prototypes_ @ self.omega_.T)


def projected(X: Array, omega: Array, n_components: int | None) -> Array:
    """Coordinates along the leading eigenvectors of Ω'Ω, times the roots of the eigenvalues."""
    _, values, directions = np.linalg.svd(omega, full_matrices=False)
    n_components = min(2, len(values)) if n_components is None else n_components
    if not (is_count(n_components) and n_components <= len(values)):
        raise ValueError(
            f"n_components (={n_components!r}) must be an integer between 1 and {len(values)}"
        )
    axes = values[:, None] * fix_vectors(values, directions.T).T
    return X @ axes[:n_components].T
