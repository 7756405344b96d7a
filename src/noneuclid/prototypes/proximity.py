"""Prototype classifiers on similarities and dissimilarities."""

from collections.abc import Mapping
from typing import Any, Literal, Self

from numpy.typing import ArrayLike
from sklearn.utils import check_random_state

from noneuclid.prototypes._classifier import PrototypeClassifier
from noneuclid.prototypes._combination_model import CombinationModel
from noneuclid.prototypes._cost_choice import make_cost, warn_refused
from noneuclid.prototypes._parameters import check_parameters
from noneuclid.prototypes.combinations import (
    Combination,
    CombinationGeometry,
    Constraint,
)
from noneuclid.prototypes.initial import initial_coefficients
from noneuclid.prototypes.solvers import FitResult
from noneuclid.proximities.checks import Proximity
from noneuclid.proximities.corrections import Correction
from noneuclid.proximities.landmarks import Landmarks
from noneuclid.typing import Array, IntArray


class ProximityLVQ(CombinationModel, PrototypeClassifier):
    r"""Learning vector quantisation for anything that has a similarity or a distance.

    Prototypes are combinations :math:`w_j = \sum_l\gamma_{jl}\xi_l` of the training objects, and
    distances to them need only the proximities:

    .. math:: d(\xi_i, w_j) = s_{ii} - 2(S\gamma_j)_i + \gamma_j'S\gamma_j
              \quad\text{or}\quad (D\gamma_j)_i - \tfrac12\gamma_j'D\gamma_j .

    The matrix may be indefinite. Two costs, two kinds of proximity and two gradients make a cube;
    :class:`KernelGLVQ`, :class:`KernelRSLVQ`, :class:`RelationalGLVQ` and
    :class:`RelationalRSLVQ` are four of its cells.

    Parameters
    ----------
    cost : {"glvq", "rslvq", "lvq1", "lvq21"}, default="glvq"
        What is minimised.
    proximity : {"similarity", "dissimilarity"}, default="similarity"
        What the matrix holds. Dissimilarities are squared-distance-like.
    metric : "precomputed", str, Kernel or callable, default="precomputed"
        Where the proximities come from. By default X *is* the matrix; new objects come as rows of
        proximities to the training objects. Otherwise a kernel (similarities; anything
        ``as_kernel`` accepts) or a metric (dissimilarities; ``"sqeuclidean"``, a name of
        ``sklearn.metrics.pairwise_distances``, ``"levenshtein"``, or a function of two objects).
    gradient : {"riesz", "coordinates"}, default="riesz"
        Move the prototype (kernel LVQ), :math:`\gamma_j \leftarrow \gamma_j + a(e_i - \gamma_j)`,
        or its coefficients (relational LVQ). ``"prototypes"`` and ``"coefficients"`` mean the same.
    n_prototypes : int or dict, default=1
        Per class; a dict gives one number per class.
    sigma2 : float, "scale" or array, default="scale"
        Bandwidth of RSLVQ; ``"scale"`` is a tenth of the variance within classes. An array gives
        one per prototype.
    prior : array, optional
        RSLVQ's prior P(j) of each prototype; uniform by default.
    transfer : {"identity", "sigmoid", "tanh"}, default="identity"
        GLVQ's transfer function.
    slope : float or "auto", default=1.0
        Steepness of sigmoid and tanh: F(slope · μ). The identity minimises the mean margin, a
        steep sigmoid rather the number of errors. ``"auto"`` is two over the standard deviation
        of the margins at the start, and usually classifies best.
    window : float, default=0.3
        LVQ2.1's window.
    constraint : {"convex", "affine", "none"}, default="convex"
        Coefficients are non-negative and sum to one; sum to one; or are free (similarities only).
    correction : {None, "clip", "flip", "shift", "square"}, default=None
        Make the proximities positive first, see ``SpectrumCorrection``. It is learned from the
        training objects only, so cross-validation stays honest.
    n_landmarks : int, float or None, default=None
        Train in Nystroem features of so many landmarks (below one: a share of the objects), in
        linear time. A ``correction`` is then that of the approximated proximities.
    landmarks : {"uniform", "kmeans++", "pivoted"} or array of int, default="uniform"
        How they are chosen, see ``NystroemEmbedding``. If they are given, a precomputed X may hold
        their columns only.
    sparsity_penalty : float, default=0.0
        Taken off every coefficient in every step, times the learning rate, before they are
        clipped and normalised: prototypes of few objects. See ``fit_sparse``.
    init : {"kmeans", "kmedoids", "random"} or array of shape (m, n), default="kmeans"
        Class-wise k-means, class-wise medoids, random weights on the class, or coefficients.
    solver : {"sgd", "lbfgs"}, default="sgd"
        ``"lbfgs"`` follows the coordinate gradient.
    learning_rate : float or "auto", default="auto"
        A number is taken literally and stays constant unless ``schedule`` says otherwise.
        ``"auto"`` needs no tuning, and keeps the state of least cost.
    schedule : {None, "constant", "linear"}, default=None
        How the learning rate changes over the epochs.
    max_epochs : int, default=30
        Passes over the data, or iterations of ``"lbfgs"``.
    batch_size : int, optional
        Samples per step. Default one; for automatic coordinate steps half of the data.
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
    coefficients_ : array of shape (m, n)
        Γ, one row per prototype.
    prototype_labels_ : array of shape (m,)
        Class by class, in the order of ``classes_``.
    classes_ : array
    support_ : array of int
        Training objects with a non-zero coefficient.
    signature_ : Signature
        Of the training similarities, computed when first asked for.
    loss_curve_ : list of float
        Mean cost at the initialisation, then after every epoch.
    n_iter_ : int
    sigma2_ : float or array
        RSLVQ's bandwidth.
    landmark_indices_ : array of int
        With ``n_landmarks``; new objects need proximities to these only.

    References
    ----------
    B. Hammer, D. Hofmann, F.-M. Schleif and X. Zhu (2014), Learning vector quantization for
    (dis-)similarities. Neurocomputing 131.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.metrics import pairwise_distances
    >>> X, y = load_iris(return_X_y=True)
    >>> D = pairwise_distances(X, metric="cityblock")
    >>> model = ProximityLVQ(proximity="dissimilarity", n_prototypes=2, random_state=0).fit(D, y)
    >>> model.score(D, y) > 0.9
    True
    """

    def __init__(
        self,
        *,
        cost: Literal["glvq", "rslvq", "lvq1", "lvq21"] = "glvq",
        proximity: Proximity = "similarity",
        metric: Any = "precomputed",
        gradient: str = "riesz",
        n_prototypes: int | Mapping[Any, int] = 1,
        sigma2: float | Literal["scale"] | ArrayLike = "scale",
        prior: ArrayLike | None = None,
        transfer: Literal["identity", "sigmoid", "tanh"] = "identity",
        slope: float | Literal["auto"] = 1.0,
        window: float = 0.3,
        constraint: Constraint = "convex",
        correction: Correction | None = None,
        n_landmarks: int | float | None = None,
        landmarks: Landmarks | ArrayLike = "uniform",
        sparsity_penalty: float = 0.0,
        init: str | ArrayLike = "kmeans",
        solver: Literal["sgd", "lbfgs"] = "sgd",
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
        self.cost = cost
        self.proximity = proximity
        self.metric = metric
        self.gradient = gradient
        self.n_prototypes = n_prototypes
        self.sigma2 = sigma2
        self.prior = prior
        self.transfer = transfer
        self.slope = slope
        self.window = window
        self.constraint = constraint
        self.correction = correction
        self.n_landmarks = n_landmarks
        self.landmarks = landmarks
        self.sparsity_penalty = sparsity_penalty
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

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Learn the prototypes.

        Parameters
        ----------
        X : array of shape (n, n) or (n, m), or n objects
            Proximities between all training objects; to the ``landmarks`` only; or the objects.
        y : array of shape (n,)
            Labels.
        sample_weight : array of shape (n,), optional
        """
        gradient = check_parameters(self)
        geometry = self._fit_geometry(X)
        task, counts = self._make_task(y, len(geometry.diagonal), sample_weight)
        rng = check_random_state(self.random_state)
        theta = geometry.state(self._start(geometry, task.y, counts, rng))
        self._cost = make_cost(self, geometry, theta, task)
        result = self._solve(geometry, theta, task, gradient, rng)
        self._keep(result, geometry)
        self._y = task.y
        return self

    def _start(
        self, geometry: CombinationGeometry, y: IntArray, counts: IntArray, rng: Any
    ) -> Array:
        return initial_coefficients(self.init, geometry, y, counts, rng)

    def _keep(self, result: FitResult[Combination], geometry: CombinationGeometry) -> None:
        if result.refused:
            warn_refused(result.refused)
        self._set_coefficients(geometry.state(result.theta.G))
        self._set_self_proximity(geometry)
        self.loss_curve_ = result.loss_curve
        self.n_iter_ = result.n_iter
        self.n_refused_, self.n_clipped_ = result.refused, result.kept

    # --- deciding ---------------------------------------------------------------------------

    def _is_soft(self) -> bool:
        return self.cost == "rslvq"

    def transform(self, X: ArrayLike, self_similarity: ArrayLike | None = None) -> Array:
        """Distances (squared-distance-like) to the prototypes.

        Parameters
        ----------
        X : array of shape (n_new, n), or n_new objects
            With ``n_landmarks`` also (n_new, m), in the order of ``landmark_indices_``.
        self_similarity : array of shape (n_new,), optional
            For precomputed similarities: those of the new objects with themselves, after the
            correction if there is one. Not needed where they are constant on the training
            objects, as for normalised kernels, nor with ``n_landmarks``.
        """
        return self._distances(X, self_similarity)
