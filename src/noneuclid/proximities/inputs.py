"""What a relation asks of the objects it is given."""

import contextlib
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_array, validate_data

from noneuclid._checks import check_choice
from noneuclid.proximities.checks import check_kind, check_rows, check_square
from noneuclid.proximities.corrections import CORRECTIONS
from noneuclid.proximities.landmarks import landmark_count
from noneuclid.proximities.measures import Measure, as_measure
from noneuclid.typing import Array


class RelationInput(BaseEstimator):
    """The checks of parameters, of training objects and of new ones."""

    metric: Any
    proximity: Any
    correction: Any
    n_landmarks: Any
    squared: Any
    _measure: Measure

    @property
    def is_precomputed(self) -> bool:
        """Whether X is the matrix itself."""
        return isinstance(self.metric, str) and self.metric == "precomputed"

    @property
    def takes_rows(self) -> bool:
        """Whether the objects are rows of a numeric table."""
        return not self.is_precomputed and as_measure(self.metric, self.proximity).takes_rows

    def _check_parameters(self) -> None:
        check_kind(self.proximity)
        check_choice("squared", self.squared, ("auto", True, False))
        if self.squared is False and self.proximity == "similarity":
            raise ValueError("squared=False is about distances, and proximity is 'similarity'")
        if self.n_landmarks is None:
            check_choice("correction", self.correction, (None, *CORRECTIONS))
        else:
            landmark_count(self.n_landmarks, 1)

    def checked(self, X: Any, owner: Any, *, reset: bool = False) -> Any:
        """Return what fits this relation, checked in the name of an owner, or raise.

        Parameters
        ----------
        X : array, list
            Rows of proximities, rows of a table, or objects, as ``metric`` says.
        owner : BaseEstimator
            Whose ``n_features_in_`` and ``feature_names_in_`` are compared, or set.
        reset : bool, default=False
            Whether these are the training objects.
        """
        if self.is_precomputed:
            return self._checked_proximities(X, type(owner).__name__, reset)
        measure = as_measure(self.metric, self.proximity) if reset else self._measure
        if measure.takes_rows:
            self._refuse_words(X)
            least = 2 if reset else 1
            return validate_data(owner, X, dtype=np.float64, reset=reset, ensure_min_samples=least)
        if reset:  # objects have no features to count
            owner.__dict__.pop("n_features_in_", None)
            owner.__dict__.pop("feature_names_in_", None)
        objects = measure.as_objects(X)
        if isinstance(objects, np.ndarray) and objects.ndim == 2:  # but these are rows
            validate_data(owner, X, reset=reset, skip_check_array=True)
        return objects

    def _checked_proximities(self, X: Any, learner: str, reset: bool) -> Array:
        if not reset:
            return check_rows(X, self._width(X), learner)
        self._refuse_words(X)
        if self.n_landmarks is None:
            return check_square(X, "X")
        return check_array(X, dtype=np.float64, ensure_min_samples=2, input_name="X")

    def _width(self, X: Any) -> int:
        """How many columns rows of precomputed proximities must have."""
        raise NotImplementedError

    def _refuse_words(self, X: Any) -> None:
        """Words have no proximities but those of a function of two, or of a name for that."""
        if isinstance(X, (list, tuple)) and X and isinstance(X[0], str):
            raise ValueError(
                f"X holds words, and {self.metric!r} takes numbers: give a function of two objects "
                'as metric, or proximity="dissimilarity" and metric="levenshtein"'
            )

    def __sklearn_tags__(self) -> Any:
        return tagged(super().__sklearn_tags__(), self)


def tagged(tags: Any, relation: RelationInput) -> Any:
    """Return scikit-learn's tags of what knows its objects by a relation."""
    tags.input_tags.pairwise = relation.is_precomputed
    with contextlib.suppress(TypeError, ValueError):  # a metric nobody knows: fit will say so
        tags.input_tags.two_d_array = relation.is_precomputed or relation.takes_rows
    return tags
