"""Quantisers whose prototypes carry class distributions, learned from few labels."""

from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from noneuclid.prototypes.quantization._checks import is_number
from noneuclid.prototypes.quantization._quantizer import GasMixin, MapMixin
from noneuclid.prototypes.quantization._vector_quantizer import VectorQuantizer
from noneuclid.prototypes.quantization.annealing import Schedule
from noneuclid.prototypes.quantization.grids import Topology
from noneuclid.prototypes.quantization.labels import (
    LabelledGeometry,
    LabelledVectors,
    fuzzy_labels,
)
from noneuclid.prototypes.quantization.vectors import QuantizedVectors
from noneuclid.spaces import Space
from noneuclid.typing import Array


class _FuzzyLabelled(ClassifierMixin, VectorQuantizer):
    """Classification by the distribution that the nearest prototype carries."""

    beta: Any
    missing_label: Any
    classes_: np.ndarray
    label_distributions_: Array

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Learn the prototypes and their labels.

        Parameters
        ----------
        X : array of shape (n, d)
        y : array of shape (n,) or (n, n_classes)
            Labels, where ``missing_label``, NaN and None mean none; or distributions over the
            classes, where rows with NaN mean none.
        """
        neighbourhood, width = self._plan()
        self._check_beta()
        vectors = self._make_geometry(X)
        name = type(self).__name__
        self.classes_, L, known = fuzzy_labels(y, vectors.n_samples, self.missing_label, name)
        self._variance = vectors.scale()
        return self._learn(self._labelled(vectors, L, known), neighbourhood, width)

    def partial_fit(self, X: ArrayLike, y: ArrayLike, classes: ArrayLike | None = None) -> Self:
        """Learn from some more samples, one step each.

        Parameters
        ----------
        X : array of shape (n, d)
        y : array of shape (n,) or (n, n_classes)
            As for ``fit``.
        classes : array, optional
            All classes, in the first call; by default those of its labels.
        """
        neighbourhood, width = self._plan()
        self._check_beta()
        vectors, first = self._call(X)
        if not first:
            classes = self.classes_
        name = type(self).__name__
        found, L, known = fuzzy_labels(y, vectors.n_samples, self.missing_label, name, classes)
        if first:
            self.classes_, self._variance = found, vectors.scale()
        return self._go_on(self._labelled(vectors, L, known), neighbourhood, width, first)

    def _check_beta(self) -> None:
        if not (is_number(self.beta) and 0 <= self.beta <= 1):
            raise ValueError(f"beta (={self.beta!r}) must be a number between 0 and 1")

    def _labelled(self, vectors: QuantizedVectors, L: Array, known: np.ndarray) -> LabelledGeometry:
        return LabelledGeometry(vectors, L, known, float(self.beta), self._variance)

    def _begin(self, geometry: Any, rng: np.random.RandomState) -> LabelledVectors:
        vectors = geometry.vectors.state(self._start(geometry.vectors, rng))
        told = geometry.L[geometry.known > 0]
        m, k = len(vectors.W), geometry.L.shape[1]
        prior = told.mean(axis=0) if len(told) > 0 else np.full(k, 1.0 / k)
        return LabelledVectors(vectors, np.tile(prior, (m, 1)), np.zeros(m))

    def _resume(self, geometry: Any) -> LabelledVectors:
        vectors = geometry.vectors.state(self.prototypes_)
        return LabelledVectors(vectors, self.label_distributions_.copy(), self._mass.copy())

    def _keep(self, geometry: Any, theta: Any) -> None:
        super()._keep(geometry.vectors, theta.vectors)
        self.label_distributions_, self._mass = theta.Y, theta.mass

    @property
    def prototype_labels_(self) -> np.ndarray:
        """Most probable class of each prototype."""
        return self.classes_[self.label_distributions_.argmax(axis=1)]

    def predict_proba(self, X: ArrayLike) -> Array:
        """The distribution that the nearest prototype carries."""
        check_is_fitted(self)
        P = self.label_distributions_[self._winners(X)]
        return P / P.sum(axis=1, keepdims=True)

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Most probable class of the nearest prototype."""
        check_is_fitted(self)
        return self.prototype_labels_[self._winners(X)]


class FuzzyLabelledNeuralGas(GasMixin, _FuzzyLabelled):
    r"""Neural gas from many samples of which few have a label.

    Every prototype carries a distribution :math:`y_j` over the classes. Samples with a label
    :math:`l_i` pull by it too:

    .. math:: \min_{w, y} \sum_{ij} h_{ij}\left((1-\beta_i)\frac{\|x_i - w_j\|^2}{v} +
              \beta_i\,\|l_i - y_j\|^2\right), \qquad h_{ij} = e^{-k_{ij}/\lambda},

    where :math:`k_{ij}` is the rank by the whole bracket, v the variance of the data and
    :math:`\beta_i = 0` for samples without a label.

    Parameters
    ----------
    n_prototypes : int, default=10
    beta : float, default=0.1
        Weight of the labels beside the distances: with 0 they do not move the prototypes, with 1
        samples that have one pull by it alone.
    missing_label : optional, default=-1
        What stands for no label in y, beside NaN and None. ``None``: nothing else.
    space, solver, width, final_width, schedule, learning_rate, gradient, max_epochs, tol, init
        As in :class:`NeuralGas`.
    shuffle : bool, default=True
        Visit the samples in random order (online).
    verbose : bool, default=False
        Show a progress bar.
    random_state : int, RandomState or None, default=None
        For initialisation and order.

    Attributes
    ----------
    prototypes_ : array of shape (m, d)
    label_distributions_ : array of shape (m, n_classes)
        What the prototypes say about the classes.
    prototype_labels_ : array of shape (m,)
        Most probable class of each prototype.
    classes_ : array
    labels_ : array of int of shape (n,)
        Nearest prototype of each training sample.
    space_, loss_curve_, n_iter_
        As in :class:`NeuralGas`.

    References
    ----------
    T. Villmann, B. Hammer, F.-M. Schleif, T. Geweniger and W. Herrmann (2006), Fuzzy classification
    by fuzzy labeled neural gas.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> few = np.where(np.arange(150) % 10 == 0, y, -1)
    >>> FuzzyLabelledNeuralGas(random_state=0).fit(X, few).score(X, y) > 0.85
    True
    """

    def __init__(
        self,
        *,
        n_prototypes: int = 10,
        beta: float = 0.1,
        missing_label: Any = -1,
        space: str | Space = "l2",
        solver: Literal["batch", "online"] = "batch",
        width: float | Literal["auto"] = "auto",
        final_width: float | Literal["auto"] = "auto",
        schedule: Schedule = "geometric",
        learning_rate: float | tuple[float, float] | Literal["auto"] = "auto",
        gradient: Literal["auto", "riesz", "coordinates"] = "auto",
        max_epochs: int = 50,
        tol: float = 1e-6,
        init: str | ArrayLike = "auto",
        shuffle: bool = True,
        verbose: bool = False,
        random_state: Any = None,
    ):
        self.n_prototypes = n_prototypes
        self.beta = beta
        self.missing_label = missing_label
        self.space = space
        self.solver = solver
        self.width = width
        self.final_width = final_width
        self.schedule = schedule
        self.learning_rate = learning_rate
        self.gradient = gradient
        self.max_epochs = max_epochs
        self.tol = tol
        self.init = init
        self.shuffle = shuffle
        self.verbose = verbose
        self.random_state = random_state


class FuzzyLabelledSOM(MapMixin, _FuzzyLabelled):
    r"""Self-organising map from many samples of which few have a label.

    As :class:`FuzzyLabelledNeuralGas`, with the neighbourhood of :class:`SelfOrganizingMap`.

    Parameters
    ----------
    shape : (int, int), default=(10, 10)
        Rows and columns of the map.
    topology : {"grid", "hex"}, default="grid"
        Units are squares with 8 neighbours, or hexagons with 6.
    toroidal : bool, default=False
        Join opposite edges, so that no unit is at one.
    beta : float, default=0.1
        Weight of the labels beside the distances: with 0 they do not move the prototypes, with 1
        samples that have one pull by it alone.
    missing_label : optional, default=-1
        What stands for no label in y, beside NaN and None. ``None``: nothing else.
    space, solver, width, final_width, schedule, learning_rate, gradient, max_epochs, tol, init
        As in :class:`SelfOrganizingMap`.
    shuffle : bool, default=True
        Visit the samples in random order (online).
    verbose : bool, default=False
        Show a progress bar.
    random_state : int, RandomState or None, default=None
        For initialisation and order.

    Attributes
    ----------
    prototypes_ : array of shape (rows · columns, d)
    grid_ : Grid
    label_distributions_, prototype_labels_, classes_, labels_, space_, loss_curve_, n_iter_
        As in :class:`FuzzyLabelledNeuralGas`.

    References
    ----------
    T. Villmann, F.-M. Schleif, E. Merényi and B. Hammer (2007), Fuzzy labeled self-organizing map
    for classification of spectra.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> few = np.where(np.arange(150) % 10 == 0, y, -1)
    >>> model = FuzzyLabelledSOM(shape=(3, 6), topology="hex").fit(X, few)
    >>> model.score(X, y) > 0.85
    True
    """

    def __init__(
        self,
        *,
        shape: tuple[int, int] = (10, 10),
        topology: Topology = "grid",
        toroidal: bool = False,
        beta: float = 0.1,
        missing_label: Any = -1,
        space: str | Space = "l2",
        solver: Literal["batch", "online"] = "batch",
        width: float | Literal["auto"] = "auto",
        final_width: float | Literal["auto"] = "auto",
        schedule: Schedule = "geometric",
        learning_rate: float | tuple[float, float] | Literal["auto"] = "auto",
        gradient: Literal["auto", "riesz", "coordinates"] = "auto",
        max_epochs: int = 50,
        tol: float = 1e-6,
        init: str | ArrayLike = "auto",
        shuffle: bool = True,
        verbose: bool = False,
        random_state: Any = None,
    ):
        self.shape = shape
        self.topology = topology
        self.toroidal = toroidal
        self.beta = beta
        self.missing_label = missing_label
        self.space = space
        self.solver = solver
        self.width = width
        self.final_width = final_width
        self.schedule = schedule
        self.learning_rate = learning_rate
        self.gradient = gradient
        self.max_epochs = max_epochs
        self.tol = tol
        self.init = init
        self.shuffle = shuffle
        self.verbose = verbose
        self.random_state = random_state
