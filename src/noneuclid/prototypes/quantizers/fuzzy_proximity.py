"""Quantisers of objects whose prototypes carry class distributions, learned from few labels."""

from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from noneuclid._estimator import estimator
from noneuclid.prototypes.quantizers.base import Gas, Map
from noneuclid.prototypes.quantizers.labelled import LabelledPrototypes
from noneuclid.prototypes.quantizers.proximity import ObjectQuantizer


@estimator
class _FuzzyLabelledObjects(LabelledPrototypes, ObjectQuantizer):
    """Prototypes are combinations of the training objects."""

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Learn the prototypes and their labels.

        Parameters
        ----------
        X : array of shape (n, n) or (n, m), or n objects
            Proximities between all training objects; to the ``landmarks`` only; or the objects.
        y : array of shape (n,) or (n, n_classes)
            Labels, where ``missing_label``, NaN and None mean none; or distributions over the
            classes, where rows with NaN mean none.

        Returns
        -------
        self : object
            Fitted.
        """
        return self._fit_labelled(X, y)

    @property
    def _exemplar_labels(self) -> np.ndarray:
        return self.prototype_labels_


@estimator
class FuzzyLabelledProximityNeuralGas(Gas, _FuzzyLabelledObjects):
    r"""Neural gas of anything that has a similarity or a distance, of which few have a label.

    Prototypes are combinations :math:`w_j = \sum_l\gamma_{jl}\xi_l` of the training objects, and
    carry distributions :math:`y_j` over the classes. Objects with a label :math:`l_i` pull by it
    too:

    .. math:: \min_{\gamma, y} \sum_{ij} h_{ij}\left((1-\beta_i)\frac{d(\xi_i, w_j)}{v} +
              \beta_i\,\|l_i - y_j\|^2\right), \qquad h_{ij} = e^{-k_{ij}/\lambda},

    where :math:`k_{ij}` is the rank by the whole bracket, v the variance of the objects and
    :math:`\beta_i = 0` for those without a label. On squared Euclidean distances this is
    :class:`FuzzyLabelledNeuralGas`.

    References
    ----------
    T. Villmann, B. Hammer, F.-M. Schleif, T. Geweniger and W. Herrmann (2006), Fuzzy classification
    by fuzzy labeled neural gas. B. Hammer and A. Hasenfuss (2010), Topographic mapping of large
    dissimilarity data sets.

    Examples
    --------
    >>> words = ["ACGTACGT", "ACGTACGA", "ACGTCCGT", "TTGACCAA", "TTGACCAT", "TTGGCCAA"]
    >>> few = ["left", None, None, None, "right", None]
    >>> model = FuzzyLabelledProximityNeuralGas(
    ...     n_prototypes=2, proximity="dissimilarity", metric="levenshtein", random_state=0
    ... ).fit(words, few)
    >>> model.predict(["ACGTACCT", "TTGACGAA"]).tolist()
    ['left', 'right']
    """


@estimator
class FuzzyLabelledProximitySOM(Map, _FuzzyLabelledObjects):
    r"""Self-organising map of anything that has a similarity or a distance, with few labels.

    As :class:`FuzzyLabelledProximityNeuralGas`, with the neighbourhood of :class:`ProximitySOM`.

    Parameters
    ----------
    init : {"auto", "pca", "random", "kmeans++"} or array of shape (m, n), default="auto"
        ``"auto"``: in the plane of the first two principal components of the similarities; for a
        torus, random objects.

    References
    ----------
    T. Villmann, F.-M. Schleif, E. Merényi and B. Hammer (2007), Fuzzy labeled self-organizing map
    for classification of spectra.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.metrics import pairwise_distances
    >>> X, y = load_iris(return_X_y=True)
    >>> D = pairwise_distances(X, metric="cityblock")
    >>> few = np.where(np.arange(150) % 10 == 0, y, -1)
    >>> model = FuzzyLabelledProximitySOM(
    ...     shape=(3, 6), topology="hex", proximity="dissimilarity"
    ... ).fit(D, few)
    >>> model.score(D, y) > 0.8
    True
    """
