"""GLVQ that learns its metric."""

from collections.abc import Mapping
from numbers import Integral
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from noneuclid.kernels import MatrixGaussian
from noneuclid.numerics import squared_euclidean
from noneuclid.prototypes._vector_classifier import VectorClassifier
from noneuclid.prototypes.matrices import KernelMatrixGeometry, MatrixGeometry
from noneuclid.prototypes.solvers import FitResult, Task
from noneuclid.prototypes.vectors import VectorGeometry
from noneuclid.spaces import Euclidean, Space, as_space
from noneuclid.spaces.base import require
from noneuclid.typing import Array, IntArray

# Rows of Ω by default: with more features a square matrix would be too large.
_MOST_ROWS = 300


class GMLVQ(VectorClassifier):
    r"""Generalised matrix LVQ: prototypes, and the metric in which they classify.

    GLVQ's cost with the distance

    .. math:: d(x, w) = \|\Omega(x - w)\|^2 \qquad\text{or}\qquad
              d(x, w) = 2 - 2\,e^{-\|\Omega(x - w)\|^2}

    (``kernel=True``: the distance of the kernel :math:`\kappa_\Omega`), and Ω learned together with
    the prototypes. What it learns can be looked at: which features count (``relevance_``), and the
    plane in which the classes lie apart (``project``).

    Parameters
    ----------
    space : str or Space, default="l2"
        Any Hilbert space: Ω acts on its flat coordinates.
    n_prototypes : int or dict, default=1
        Per class; a dict gives one number per class.
    kernel : bool, default=False
        Learn Ω inside the distance of the kernel κ_Ω.
    rank : int, optional
        Number of rows of Ω; by default all directions, of more than 300 features the 300 in which
        prototypes, then samples lie apart most: a square matrix would be too large.
    transfer : {"auto", "identity", "sigmoid", "tanh"}, default="auto"
        The transfer function F. The identity minimises the mean margin, a steep sigmoid rather the
        number of errors: ``"auto"`` is a sigmoid with slope one over the standard deviation of the
        margins at the start; with a learning rate that is a number, it is the identity.
    slope : float or "auto", default=1.0
        Steepness of sigmoid and tanh: F(slope · μ); ``transfer="auto"`` chooses it, too.
    gradient : {"auto", "riesz", "coordinates"}, default="auto"
        Prototypes step along x − w (``"riesz"``, and ``"auto"``) or along Ω'Ω(x − w), with
        ``"sgd"``; Ω follows its gradient.
    init : {"kmeans", "kmedoids", "random"} or array of shape (m, d), default="kmeans"
        Class-wise k-means or medoids, samples drawn from the class, or the prototypes themselves,
        class by class in the order of ``classes_``.
    solver : {"sgd", "lbfgs"}, default="lbfgs"
        Quasi-Newton descent in matrix products, or stochastic gradient descent, which compiles its
        steps on first use.
    learning_rate : float or "auto", default="auto"
        Of ``"sgd"``. A number is taken literally, and every step is the published one; ``"auto"``
        needs no tuning and keeps the best state.
    schedule : {None, "constant", "linear"}, default=None
        How the learning rate changes over the epochs; by default a number stays constant.
    max_epochs : int, default=30
        Passes over the data, or iterations of ``"lbfgs"``.
    batch_size : int, optional
        Samples per step of ``"sgd"``. Default one, more where steps are not compiled.
    tol : float, default=1e-4
        Stop when the cost has not fallen by this share for ``n_iter_no_change`` epochs; 0: never.
    n_iter_no_change : int, default=5
        Patience of the early stopping.
    shuffle : bool, default=True
        Visit the samples in random order.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes.
    verbose : bool, default=False
        Show a progress bar.
    random_state : int, RandomState or None, default=None
        For initialisation and order.

    Attributes
    ----------
    prototypes_ : array of shape (m, d)
        In the data space.
    omega_ : array of shape (k, d)
        The matrix Ω, in the coordinates of the data. Without a kernel it has trace(Ω'Ω) = 1 in
        flat coordinates.
    relevance_ : array of shape (d,)
        Diagonal of Ω'Ω over its trace: the share of each feature in the metric.
    prototype_labels_ : array of shape (m,)
        Class by class, in the order of ``classes_``.
    classes_ : array
    space_ : Space
    loss_curve_ : list of float
        Mean cost at the initialisation, then after every epoch.
    n_iter_ : int

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

    cost = "glvq"
    _steepness = 1.0  # a matrix follows single samples too easily

    def __init__(
        self,
        *,
        space: str | Space = "l2",
        n_prototypes: int | Mapping[Any, int] = 1,
        kernel: bool = False,
        rank: int | None = None,
        transfer: Literal["auto", "identity", "sigmoid", "tanh"] = "auto",
        slope: float | Literal["auto"] = 1.0,
        gradient: str = "auto",
        init: str | ArrayLike = "kmeans",
        solver: Literal["sgd", "lbfgs"] = "lbfgs",
        learning_rate: float | Literal["auto"] = "auto",
        schedule: Literal["constant", "linear"] | None = None,
        max_epochs: int = 30,
        batch_size: int | None = None,
        tol: float = 1e-4,
        n_iter_no_change: int = 5,
        shuffle: bool = True,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        verbose: bool = False,
        random_state: Any = None,
    ):
        self.space = space
        self.n_prototypes = n_prototypes
        self.kernel = kernel
        self.rank = rank
        self.transfer = transfer
        self.slope = slope
        self.gradient = gradient
        self.init = init
        self.solver = solver
        self.learning_rate = learning_rate
        self.schedule = schedule
        self.max_epochs = max_epochs
        self.batch_size = batch_size
        self.tol = tol
        self.n_iter_no_change = n_iter_no_change
        self.shuffle = shuffle
        self.class_weight = class_weight
        self.verbose = verbose
        self.random_state = random_state

    # --- learning ---------------------------------------------------------------------------

    def _set_space(self, rows: Array, wanted: str) -> None:
        require(as_space(self.space), type(self).__name__, "flatten")
        if self.rank is not None and not (
            isinstance(self.rank, Integral) and 1 <= int(self.rank) <= rows.shape[1]
        ):
            raise ValueError(
                f"rank (={self.rank!r}) must be an integer between 1 and {rows.shape[1]}, the "
                "number of features"
            )
        self._spread: float | None = None
        super()._set_space(rows, wanted)

    @property
    def _is_flat(self) -> bool:
        return True

    def _geometry_of(self, rows: Array, weights: Array | None = None) -> MatrixGeometry:
        geometry = KernelMatrixGeometry if self.kernel else MatrixGeometry
        return geometry(self._forth(rows), len(self.prototype_labels_), self._spread, weights)

    def _start(self, geometry: Any, rows: Array, task: Task, counts: IntArray, rng: Any) -> Array:
        self._spread = geometry.spread
        W = super()._start(geometry.plain, rows, task, counts, rng)
        d = rows.shape[1]
        rank = min(d, _MOST_ROWS) if self.rank is None else int(self.rank)
        omega = np.eye(d) if rank == d else _leading(W, geometry.X, rank, rng)
        omega = MatrixGeometry.scaled(omega)
        if self.kernel:  # squared distances of samples are about one then
            mapped = VectorGeometry(Euclidean(), geometry.X @ omega.T, geometry.weights)
            omega = omega / np.sqrt(2 * mapped.scale())
        return np.vstack([W, omega])

    def _parameters(self) -> Array:
        return np.vstack([self._forth(self.prototypes_), self._omega])

    def _keep(self, geometry: Any, result: FitResult[Any]) -> None:
        self._omega = geometry.scaled(result.theta.omega)
        self.prototypes_ = self._back(result.theta.W)
        if isinstance(self.space_, Euclidean):
            self.omega_ = self._omega.copy()
        else:  # Ω acts on flat coordinates: flatten is linear, so this is Ω times its matrix
            self.omega_ = self._omega @ self._forth(np.eye(self.n_features_in_)).T

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
        if not (isinstance(n_components, Integral) and 1 <= int(n_components) <= len(values)):
            raise ValueError(
                f"n_components (={n_components!r}) must be an integer between 1 and {len(values)}"
            )
        axes = values[:, None] * directions
        axes *= np.where(axes[np.arange(len(axes)), np.abs(axes).argmax(axis=1)] < 0, -1, 1)[
            :, None
        ]
        return rows @ axes[:n_components].T

    def to_kernel(self, width: float = 1.0) -> MatrixGaussian:
        r"""The kernel :math:`\exp(-\|\Omega(x - y)\|^2/width^2)`, for any kernel learner.

        With ``kernel=True`` and width 1 it is the kernel whose distance was learned. Without, Ω
        has no width of its own, and ``width`` sets it.
        """
        check_is_fitted(self)
        if not width > 0:
            raise ValueError(f"width (={width!r}) must be positive")
        return MatrixGaussian(self.omega_ / width)

    # --- deciding ---------------------------------------------------------------------------

    def _distances(self, X: ArrayLike, *args: Any) -> Array:
        check_is_fitted(self)
        rows = self._validate(X, reset=False)
        D = squared_euclidean(rows @ self.omega_.T, self.prototypes_ @ self.omega_.T)
        return -2.0 * np.expm1(-D) if self.kernel else D

    def _takes_missing(self) -> bool:
        return False


def _leading(W: Array, X: Array, rank: int, rng: np.random.RandomState) -> Array:
    """Orthonormal directions in which prototypes lie apart, then those of the samples.

    Where these are too few, any others follow.
    """
    found = _directions(W - W.mean(axis=0), min(rank, len(W) - 1))
    if len(found) < rank:
        found = np.vstack([found, _directions(X - X @ found.T @ found, rank - len(found))])
    if len(found) < rank:
        others = rng.normal(size=(rank - len(found), X.shape[1]))
        basis = np.linalg.qr(np.vstack([found, others]).T)[0].T
        found = np.vstack([found, basis[len(found) :]])
    return found


def _directions(V: Array, most: int) -> Array:
    """Leading right singular vectors, none that are rounding."""
    _, sizes, directions = np.linalg.svd(V, full_matrices=False)
    return directions[:most][sizes[:most] > 1e-10 * sizes.max(initial=0.0)]
