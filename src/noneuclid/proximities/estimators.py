"""What estimators over a relation share."""

from typing import Any

from sklearn.base import clone

from noneuclid._data import check_is_fitted
from noneuclid._parameters import check_parameters
from noneuclid.proximities._inputs import tagged
from noneuclid.proximities.registry import Carried
from noneuclid.proximities.relation import Relation
from noneuclid.proximities.spectrum import Signature
from noneuclid.typing import IntArray

_PARAMETERS = ("proximity", "correction", "n_landmarks", "landmarks", "squared", "random_state")


class RelationMixin:
    """An estimator that knows its objects by a relation, which ``fit`` keeps as ``relation_``.

    It has a parameter ``metric`` or ``kernel``, and those of :class:`Relation` that its users may
    choose; override ``_make_relation`` where that is not so.
    """

    relation_: Relation

    def _check_params(self) -> None:
        check_parameters(self._make_relation())

    @property
    def _instead(self) -> str:
        """What to do where all proximities do not fit into memory."""
        if getattr(self, "n_landmarks", 0) is not None:
            return ""
        return "use n_landmarks=…, with which X may also be a dask collection"

    def _make_relation(self) -> Relation:
        """The relation the parameters ask for, not fitted."""
        metric = self.metric if hasattr(self, "metric") else getattr(self, "kernel", "precomputed")
        others = {name: getattr(self, name) for name in _PARAMETERS if hasattr(self, name)}
        return Relation(metric, **others)

    def _fit_relation(self, X: Any) -> Relation:
        """Fit the relation, in the name of this estimator."""
        relation = self._make_relation()
        relation.metric = clone(relation.metric, safe=False)
        if not relation.is_precomputed:
            X = relation.checked(X, self, reset=True)
        self.relation_ = relation.fit(X)
        if relation.is_precomputed:
            self.n_features_in_ = relation.n_features_in_
            self.__dict__.pop("feature_names_in_", None)
        return relation

    def _example_objects(self) -> Any:
        """One object, of those this estimator can say something about."""
        return self.relation_._example_objects()

    def _carried(self) -> Carried:
        """Itself, for other processes."""
        return Carried(self, self.relation_._fitted.source.measure)

    def _checked(self, X: Any, reset: bool = False) -> Any:
        """New objects, or rows of proximities, checked in the name of this estimator."""
        if reset:
            return self._make_relation().checked(X, self, reset=True)
        check_is_fitted(self, "relation_")
        return self.relation_.checked(X, self)

    @property
    def landmark_indices_(self) -> IntArray:
        """The landmarks among the training objects, with ``n_landmarks`` only."""
        return self._known_relation("landmark_indices_").landmark_indices_

    @property
    def signature_(self) -> Signature:
        """Signature of the training similarities; kept in memory only, not when saved."""
        return self._known_relation("signature_").signature_

    def _known_relation(self, attribute: str) -> Relation:
        if "relation_" not in self.__dict__:
            raise AttributeError(
                f"this {type(self).__name__} is not fitted yet: it has no {attribute}"
            )
        return self.relation_

    def __sklearn_tags__(self) -> Any:
        return tagged(super().__sklearn_tags__(), self._make_relation())  # type: ignore[misc]
