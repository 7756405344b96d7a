"""What quantisers share whose prototypes carry class distributions."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from noneuclid._data import check_is_fitted
from noneuclid._estimator import estimator
from noneuclid._parameters import ClosedShare
from noneuclid._sklearn import ClassifierMixin
from noneuclid._warnings import warn
from noneuclid.numerics import first_argmax
from noneuclid.prototypes.geometries.labelled import LabelledGeometry, LabelledVectors
from noneuclid.prototypes.labels import fuzzy_labels, refuse_single_class
from noneuclid.prototypes.quantizers.base import Quantizer
from noneuclid.typing import Array, LabelArray


@estimator
class LabelledPrototypes(ClassifierMixin, Quantizer):
    """Classification by the distribution that the nearest prototype carries.

    Parameters
    ----------
    beta : float, default=0.1
        Weight of the labels beside the distances: with 0 they do not move the prototypes, with 1
        samples that have one pull by it alone.
    missing_label : optional, default=-1
        What stands for no label in y, beside NaN, None and pandas' NA. ``None``: nothing else.

    Attributes
    ----------
    label_distributions_ : array of shape (m, n_classes)
        What the prototypes say about the classes.
    prototype_labels_ : array of shape (m,)
        Most probable class of each prototype.
    classes_ : array
    """

    beta: ClosedShare = 0.1
    missing_label: Any = -1

    def _fit_labelled(self, X: ArrayLike, y: ArrayLike) -> Self:
        neighbourhood = self._make_neighbourhood()
        geometry = self._make_geometry(X)
        name = type(self).__name__
        self.classes_, L, known = fuzzy_labels(y, geometry.n_samples, self.missing_label, name)
        refuse_single_class(self.classes_, bool(known.all()), self.missing_label)
        if self.beta == 1 and known.all():
            warn(
                "with beta=1 no sample that has a label pulls by its place, and all have one: "
                "prototypes stay where they start; take less, such as 0.9"
            )
        self._variance = geometry.scale()
        return self._learn(self._labelled(geometry, L, known), neighbourhood)

    def _labelled(self, geometry: Any, L: Array, known: np.ndarray) -> LabelledGeometry:
        return LabelledGeometry(geometry, L, known, float(self.beta), self._variance)

    def _unit_of_steps(self, geometry: Any) -> float:
        return super()._unit_of_steps(geometry.vectors)

    def _begin(self, geometry: Any, rng: np.random.RandomState) -> LabelledVectors:
        return geometry.start(self._start(geometry.vectors, rng))

    def _keep(self, geometry: Any, theta: Any) -> None:
        if not isinstance(theta, LabelledVectors):  # other prototypes with the same labels
            super()._keep(geometry, theta)  # type: ignore[safe-super]
            return
        super()._keep(geometry.vectors, theta.vectors)  # type: ignore[safe-super]
        self.label_distributions_, self._mass = theta.Y, theta.mass

    @property
    def prototype_labels_(self) -> np.ndarray:
        """Most probable class of each prototype."""
        return self.classes_[first_argmax(self.label_distributions_)]

    def predict_proba(self, X: ArrayLike) -> Array:
        """The distribution that the nearest prototype carries.

        Parameters
        ----------
        X : as for ``fit``

        Returns
        -------
        array of shape (n, n_classes)
        """
        check_is_fitted(self)
        P = self.label_distributions_[self._winners(X)]
        return P / P.sum(axis=1, keepdims=True)

    def predict(self, X: ArrayLike) -> LabelArray:
        """Most probable class of the nearest prototype.

        Parameters
        ----------
        X : as for ``fit``

        Returns
        -------
        array of shape (n,)
        """
        check_is_fitted(self)
        return self.prototype_labels_[self._winners(X)]
