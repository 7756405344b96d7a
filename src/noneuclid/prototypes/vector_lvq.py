"""GLVQ and RSLVQ for vectors, in any space.

The constructors repeat the parameters they share, because scikit-learn reads parameters from the
constructor of each class.
"""

from collections.abc import Mapping
from typing import Any, Literal

from numpy.typing import ArrayLike

from noneuclid.prototypes._vector_classifier import VectorClassifier
from noneuclid.spaces import Space


class GLVQ(VectorClassifier):
    r"""Generalised learning vector quantisation, in any space.

    Prototypes minimise relative distance differences,

    .. math:: \sum_i F(\mu_i), \qquad
              \mu = \frac{d(x, w_+) - d(x, w_-)}{d(x, w_+) + d(x, w_-)},

    with :math:`w_+` the nearest prototype of the sample's class and :math:`w_-` that of any other.

    Parameters
    ----------
    space : str or Space, default="l2"
        Geometry of the data: anything ``as_space`` accepts, e.g. ``"l1"``, ``Sobolev(...)``,
        ``PseudoEuclidean(...)`` or ``KernelMetric(kernel)``. In ``"l2"`` missing values (NaN) are
        left out of the distances.
    n_prototypes : int or dict, default=1
        Per class; a dict gives one number per class.
    transfer : {"auto", "identity", "sigmoid", "tanh"}, default="auto"
        The transfer function F. The identity minimises the mean margin, a steep sigmoid rather the
        number of errors: ``"auto"`` is a sigmoid with slope two over the standard deviation of the
        margins at the start; with a learning rate that is a number, it is the identity.
    slope : float or "auto", default=1.0
        Steepness of sigmoid and tanh: F(slope · μ); ``transfer="auto"`` chooses it, too.
    gradient : {"auto", "riesz", "coordinates"}, default="auto"
        The step on a sample: along x − w (Riesz: steepest in the norm of the space) or along
        J(x − w) (steepest in the coordinates). ``"auto"`` is Riesz wherever it descends and can be
        followed: in spaces with a norm with ``"sgd"``, in Hilbert spaces with ``"lbfgs"``.
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
    prototype_labels_ : array of shape (m,)
        Class by class, in the order of ``classes_``.
    classes_ : array
    space_ : Space
        The space, with all that was left to the data fixed.
    loss_curve_ : list of float
        Mean cost at the initialisation, then after every epoch.
    n_iter_ : int

    References
    ----------
    A. Sato and K. Yamada (1996), Generalized learning vector quantization.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> GLVQ(space="l1", random_state=0).fit(X, y).score(X, y) > 0.9
    True
    """

    cost = "glvq"

    def __init__(
        self,
        *,
        space: str | Space = "l2",
        n_prototypes: int | Mapping[Any, int] = 1,
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


class RSLVQ(VectorClassifier):
    r"""Robust soft learning vector quantisation, in any space, with class probabilities.

    Prototypes maximise the likelihood ratio of a mixture of Gaussians,

    .. math:: \sum_i \log\frac{\sum_{j: c_j = y_i} P(j)\,e^{-d(x_i, w_j)/\sigma^2}}
                                {\sum_j P(j)\,e^{-d(x_i, w_j)/\sigma^2}}.

    Parameters
    ----------
    space : str or Space, default="l2"
        Geometry of the data: anything ``as_space`` accepts, e.g. ``"l1"``, ``Sobolev(...)``,
        ``PseudoEuclidean(...)`` or ``KernelMetric(kernel)``. In ``"l2"`` missing values (NaN) are
        left out of the distances.
    n_prototypes : int or dict, default=1
        Per class; a dict gives one number per class.
    sigma2 : float, "scale" or array, default="scale"
        Bandwidth; ``"scale"`` is a fifth of the variance within classes. An array gives one per
        prototype.
    prior : array, optional
        P(j) of each prototype; uniform by default.
    gradient : {"auto", "riesz", "coordinates"}, default="auto"
        The step on a sample: along x − w (Riesz: steepest in the norm of the space) or along
        J(x − w) (steepest in the coordinates). ``"auto"`` is Riesz wherever it descends and can be
        followed: in spaces with a norm with ``"sgd"``, in Hilbert spaces with ``"lbfgs"``.
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
    prototype_labels_ : array of shape (m,)
        Class by class, in the order of ``classes_``.
    classes_ : array
    space_ : Space
        The space, with all that was left to the data fixed.
    loss_curve_ : list of float
        Mean cost at the initialisation, then after every epoch.
    n_iter_ : int
    sigma2_ : float or array
        The bandwidth.

    References
    ----------
    S. Seo and K. Obermayer (2003), Soft learning vector quantization.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = RSLVQ(random_state=0).fit(X, y)
    >>> model.predict_proba(X[:1]).round(2)
    array([[1., 0., 0.]])
    """

    cost = "rslvq"

    def __init__(
        self,
        *,
        space: str | Space = "l2",
        n_prototypes: int | Mapping[Any, int] = 1,
        sigma2: float | Literal["scale"] | ArrayLike = "scale",
        prior: ArrayLike | None = None,
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
        self.sigma2 = sigma2
        self.prior = prior
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
