"""Quantisers of vectors whose prototypes carry class distributions, learned from few labels."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from noneuclid._blocks import Blocks, Part, in_blocks
from noneuclid._data import refuse_other_classes
from noneuclid._estimator import estimator
from noneuclid.prototypes.geometries.labelled import LabelledGeometry, LabelledVectors
from noneuclid.prototypes.labels import fuzzy_labels, refuse_single_class
from noneuclid.prototypes.quantizers.base import Gas, Map
from noneuclid.prototypes.quantizers.labelled import LabelledPrototypes
from noneuclid.prototypes.quantizers.vectors import VectorQuantizer
from noneuclid.typing import Array


@estimator
class _FuzzyLabelled(LabelledPrototypes, VectorQuantizer):
    """Prototypes are vectors."""

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Learn the prototypes and their labels.

        Parameters
        ----------
        X : array of shape (n, d)
        y : array of shape (n,) or (n, n_classes)
            Labels, where ``missing_label``, NaN and None mean none; or distributions over the
            classes, where rows with NaN mean none.

        Returns
        -------
        self : object
            Fitted.
        """
        if in_blocks(X, y) or self.checkpoint is not None:
            return self._fit_blocks(X, y)
        return self._fit_labelled(X, y)

    def partial_fit(self, X: ArrayLike, y: ArrayLike, classes: ArrayLike | None = None) -> Self:
        """Learn from some more samples, one step each.

        Parameters
        ----------
        X : array of shape (n, d)
        y : array of shape (n,) or (n, n_classes)
            As for ``fit``.
        classes : array, optional
            All classes, in the first call; by default those of its labels.

        Returns
        -------
        self : object
            Fitted.
        """
        self._refuse_other_number()
        neighbourhood = self._make_neighbourhood()
        vectors, first = self._call(X)
        if not first:
            refuse_other_classes(self.classes_, classes)
            classes = self.classes_
        name = type(self).__name__
        found, L, known = fuzzy_labels(y, vectors.n_samples, self.missing_label, name, classes)
        if first:
            refuse_single_class(found, bool(known.all()), self.missing_label)
            if vectors.magnitude() == 0:
                raise ValueError(
                    "the first call of partial_fit needs two samples that differ: their variance "
                    "is the unit in which labels count"
                )
            self.classes_, self._variance = found, vectors.scale()
        return self._go_on(self._labelled(vectors, L, known), neighbourhood, first)

    def _resume(self, geometry: Any) -> LabelledVectors:
        vectors = geometry.vectors.state(self.prototypes_)
        return LabelledVectors(vectors, self.label_distributions_.copy(), self._mass.copy())

    def _keep_state(self, theta: Any) -> None:
        if isinstance(theta, LabelledVectors):
            super()._keep_state(theta.vectors)
            self.label_distributions_, self._mass = theta.Y, theta.mass
        else:
            super()._keep_state(theta)

    def _geometry_beside(self, X: Array, y: Any) -> LabelledGeometry:
        name = type(self).__name__
        _, L, known = fuzzy_labels(y, len(X), self.missing_label, name, self.classes_)
        return self._labelled(self._geometry_of(X), L, known)

    def _look_at_labels(self, blocks: Blocks, variance: float) -> None:
        """Two passes: the classes of all blocks, then what their labels say on average."""
        self._variance = variance
        name = type(self).__name__
        names = blocks.reduce(_classes_of, _united, self.missing_label, name)
        if len(names) == 0:
            raise ValueError(
                f"all labels are missing ({self.missing_label!r} or NaN): at least one sample "
                "needs one; without any use NeuralGas or SelfOrganizingMap"
            )
        self.classes_ = names
        told, count = blocks.sum(_told, self.missing_label, name, names)
        refuse_single_class(names, count == blocks.n_samples, self.missing_label)
        self._prior = told / max(float(count), 1.0)

    def _give_prior(self, theta: LabelledVectors) -> None:
        theta.Y[:] = self._prior


def _classes_of(part: Part, missing_label: Any, learner: str) -> np.ndarray:
    try:
        return fuzzy_labels(part.y, len(part), missing_label, learner)[0]
    except ValueError as error:
        if str(error).startswith("all labels are missing"):
            return np.array([], dtype=np.asarray(part.y).dtype)
        raise


def _united(names: list[np.ndarray]) -> np.ndarray:
    there = [some for some in names if len(some)]
    return np.unique(np.concatenate(there)) if there else names[0]


def _told(part: Part, missing_label: Any, learner: str, classes: np.ndarray) -> Any:
    _, L, known = fuzzy_labels(part.y, len(part), missing_label, learner, classes)
    return L[known].sum(axis=0), int(known.sum())


@estimator
class FuzzyLabelledNeuralGas(Gas, _FuzzyLabelled):
    r"""Neural gas from many samples of which few have a label.

    Every prototype carries a distribution :math:`y_j` over the classes. Samples with a label
    :math:`l_i` pull by it too:

    .. math:: \min_{w, y} \sum_{ij} h_{ij}\left((1-\beta_i)\frac{\|x_i - w_j\|^2}{v} +
              \beta_i\,\|l_i - y_j\|^2\right), \qquad h_{ij} = e^{-k_{ij}/\lambda},

    where :math:`k_{ij}` is the rank by the whole bracket, v the variance of the data and
    :math:`\beta_i = 0` for samples without a label.

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


@estimator
class FuzzyLabelledSOM(Map, _FuzzyLabelled):
    r"""Self-organising map from many samples of which few have a label.

    As :class:`FuzzyLabelledNeuralGas`, with the neighbourhood of :class:`SelfOrganizingMap`.

    Parameters
    ----------
    init : {"auto", "pca", "random", "kmeans++"} or array of shape (m, d), default="auto"
        ``"auto"``: in the plane of the first two principal components; for a torus, random samples.

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
