"""Learners of prototypes with one metric for all of them."""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from noneuclid._data import check_is_fitted
from noneuclid._estimator import as_fitted, estimator
from noneuclid.numerics import squared_euclidean
from noneuclid.prototypes.classifiers.matrices import MatrixClassifier, SharedMatrixClassifier
from noneuclid.prototypes.costs import Cost, Membership
from noneuclid.prototypes.costs.glvq import MarginParameters, Transfer
from noneuclid.prototypes.costs.rslvq import LearnedMixtureParameters
from noneuclid.prototypes.geometries.matrices import (
    KernelMatrixGeometry,
    MatrixGeometry,
    RelevanceGeometry,
)
from noneuclid.prototypes.starts.matrices import varying
from noneuclid.typing import Array


@estimator
class GMLVQ(MarginParameters, SharedMatrixClassifier):
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
    kernel : bool, default=False
        Learn Ω inside the distance of the kernel κ_Ω.

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
    transfer: Transfer = "auto"

    _kept: ClassVar[tuple[str, ...]] = ("cost", "kernel")

    def _matrix_geometry(self, Z: Array, weights: Array | None) -> MatrixGeometry:
        cls = KernelMatrixGeometry if self.kernel else MatrixGeometry
        return cls(Z, len(self.prototype_labels_), self._spread, weights, self._freedom)

    def _sized(self, geometry: Any, omega: Array, who: Membership) -> Array:
        if not self.kernel:
            return super()._sized(geometry, omega, who)
        # Squared distances of samples are about one then.
        return omega / np.sqrt(2 * self._mapped(geometry, omega).scale())

    def _distances(self, X: ArrayLike) -> Array:
        D = super()._distances(X)
        return -2.0 * np.expm1(-D) if as_fitted(self, "kernel") else D


@estimator
class GRLVQ(MarginParameters, MatrixClassifier):
    r"""Generalised relevance LVQ: prototypes, and a weight for every feature.

    GLVQ's cost with the distance

    .. math:: d(x, w) = \sum_k \omega_k^2\,(x_k - w_k)^2, \qquad \sum_k \omega_k^2 = 1,

    and the weights learned together with the prototypes: :class:`GMLVQ` with a diagonal matrix, as
    many numbers as there are features, for data of many features and few samples.

    Parameters
    ----------
    cost : str or Cost, default="glvq"
        What is minimised, of the learned distances; GLVQ's by default.

    Attributes
    ----------
    omega_ : array of shape (d,)
        The weights ω, of the coordinates of the space's chart: in ``"l2"``, of the features.
    relevance_ : array of shape (d,)
        The shares ω² of these coordinates in the metric.

    References
    ----------
    B. Hammer and T. Villmann (2002), Generalized relevance learning vector quantization.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> noisy = np.column_stack([X, np.random.default_rng(0).normal(size=(150, 2))])
    >>> model = GRLVQ(random_state=0).fit(noisy, y)
    >>> bool(model.score(noisy, y) > 0.95), bool(model.relevance_[4:].sum() < 0.1)
    (True, True)
    """

    transfer: Transfer = "auto"

    def _matrix_geometry(self, Z: Array, weights: Array | None) -> MatrixGeometry:
        m = len(self.prototype_labels_)
        return RelevanceGeometry(Z, m, self._spread, weights, self._freedom)

    def _first_matrix(self, W: Array, geometry: MatrixGeometry, rng: Any) -> Array:
        return varying(geometry.X).astype(np.float64)[None, :]

    def _set_omega(self) -> None:
        self.omega_ = np.abs(self._omega[0])

    @property
    def relevance_(self) -> Array:
        """The share of each coordinate in the metric."""
        check_is_fitted(self)
        shares = self.omega_**2
        return shares / shares.sum()

    def _distances(self, X: ArrayLike) -> Array:
        check_is_fitted(self)
        rows = self._forth(self._validate(X, reset=False))
        return squared_euclidean(rows * self.omega_, self._forth(self.prototypes_) * self.omega_)


@estimator
class MatrixRSLVQ(LearnedMixtureParameters, SharedMatrixClassifier):
    r"""Matrix RSLVQ: class probabilities, and the metric in which they are modelled.

    RSLVQ's likelihood ratio

    .. math:: \sum_i \log\frac{\sum_{j: c_j = y_i} P(j)\,e^{-\|\Omega(x_i - w_j)\|^2/\sigma^2}}
                                {\sum_j P(j)\,e^{-\|\Omega(x_i - w_j)\|^2/\sigma^2}},

    with Ω learned together with the prototypes. The size of Ω is learned, too, and with it the
    bandwidth in every direction: ``sigma2`` only says where learning begins.

    References
    ----------
    P. Schneider, M. Biehl and B. Hammer (2009), Distance learning in discriminative vector
    quantization.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = MatrixRSLVQ(random_state=0).fit(X, y)
    >>> bool(model.score(X, y) > 0.95), model.omega_.shape
    (True, (4, 4))
    >>> model.predict_proba(X[:1]).round(2)
    array([[1., 0., 0.]])
    """

    cost: ClassVar[str | Cost] = "rslvq"  # type: ignore[misc]

    def _matrix_geometry(self, Z: Array, weights: Array | None) -> MatrixGeometry:
        return MatrixGeometry(Z, len(self.prototype_labels_), self._spread, weights, self._freedom)
