"""Kohonen's heuristics for vectors, in any space: LVQ1 and LVQ2.1."""

from collections.abc import Mapping
from typing import Any, Literal

from numpy.typing import ArrayLike

from noneuclid.prototypes._vector_classifier import VectorClassifier
from noneuclid.spaces import Space


class LVQ1(VectorClassifier):
    r"""Kohonen's LVQ1: the nearest prototype moves, to samples of its class and away from others.

    .. math:: w \leftarrow w \pm \varepsilon\,(x - w)

    Parameters
    ----------
    space : str or Space, default="l2"
        Geometry of the data: anything ``as_space`` accepts, e.g. ``"l1"``, ``Sobolev(...)``,
        ``PseudoEuclidean(...)`` or ``KernelMetric(kernel)``. In ``"l2"`` missing values (NaN) are
        left out of the distances.
    n_prototypes : int or dict, default=1
        Per class; a dict gives one number per class.
    gradient : {"auto", "riesz", "coordinates"}, default="auto"
        The step on a sample: along x − w (Riesz: steepest in the norm of the space) or along
        J(x − w) (steepest in the coordinates). ``"auto"`` is Riesz wherever it descends and can be
        followed: in spaces with a norm with ``"sgd"``, in Hilbert spaces with ``"lbfgs"``.
    init : {"kmeans", "kmedoids", "random"} or array of shape (m, d), default="kmeans"
        Class-wise k-means or medoids, samples drawn from the class, or the prototypes themselves,
        class by class in the order of ``classes_``.
    solver : {"sgd"}, default="sgd"
        A heuristic has no gradient that ``"lbfgs"`` could follow.
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
    prototype_labels_ : array of shape (m,)
        Class by class, in the order of ``classes_``.
    classes_ : array
    space_ : Space
        The space, with all that was left to the data fixed.
    loss_curve_ : list of float
        Share of errors at the initialisation, then after every epoch.
    n_iter_ : int

    References
    ----------
    T. Kohonen (1990), The self-organizing map.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = LVQ1(n_prototypes=2, random_state=0).fit(X, y)
    >>> model.prototypes_.shape, bool(model.score(X, y) > 0.9)
    ((6, 4), True)
    """

    cost = "lvq1"

    def __init__(
        self,
        *,
        space: str | Space = "l2",
        n_prototypes: int | Mapping[Any, int] = 1,
        gradient: str = "auto",
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
        self.space = space
        self.n_prototypes = n_prototypes
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


class LVQ21(VectorClassifier):
    r"""Kohonen's LVQ2.1: the nearest right and the nearest wrong prototype move.

    They do so only if the sample lies near the border between them,

    .. math:: \min\left(\frac{d_+}{d_-}, \frac{d_-}{d_+}\right) > \frac{1-window}{1+window}

    with distances that are not squared. It is a heuristic for the fine-tuning of prototypes, which
    may drift apart if it runs for long; the state with the fewest errors is kept.

    Parameters
    ----------
    space : str or Space, default="l2"
        Geometry of the data: anything ``as_space`` accepts, e.g. ``"l1"``, ``Sobolev(...)``,
        ``PseudoEuclidean(...)`` or ``KernelMetric(kernel)``. In ``"l2"`` missing values (NaN) are
        left out of the distances.
    n_prototypes : int or dict, default=1
        Per class; a dict gives one number per class.
    window : float, default=0.3
        A sample counts if its distances to the two prototypes differ by less than the share
        (1 − window)/(1 + window), between 0 and 1.
    gradient : {"auto", "riesz", "coordinates"}, default="auto"
        The step on a sample: along x − w (Riesz: steepest in the norm of the space) or along
        J(x − w) (steepest in the coordinates). ``"auto"`` is Riesz wherever it descends and can be
        followed: in spaces with a norm with ``"sgd"``, in Hilbert spaces with ``"lbfgs"``.
    init : {"kmeans", "kmedoids", "random"} or array of shape (m, d), default="kmeans"
        Class-wise k-means or medoids, samples drawn from the class, or the prototypes themselves,
        class by class in the order of ``classes_``.
    solver : {"sgd"}, default="sgd"
        A heuristic has no gradient that ``"lbfgs"`` could follow.
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
    prototype_labels_ : array of shape (m,)
        Class by class, in the order of ``classes_``.
    classes_ : array
    space_ : Space
        The space, with all that was left to the data fixed.
    loss_curve_ : list of float
        Share of errors at the initialisation, then after every epoch.
    n_iter_ : int

    References
    ----------
    T. Kohonen (1990), Improved versions of learning vector quantization.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> start = LVQ1(n_prototypes=2, random_state=0).fit(X, y)
    >>> LVQ21(n_prototypes=2, init=start.prototypes_, random_state=0).fit(X, y).score(X, y) > 0.9
    True
    """

    cost = "lvq21"

    def __init__(
        self,
        *,
        space: str | Space = "l2",
        n_prototypes: int | Mapping[Any, int] = 1,
        window: float = 0.3,
        gradient: str = "auto",
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
        self.space = space
        self.n_prototypes = n_prototypes
        self.window = window
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
