"""The base classes of scikit-learn, with types for those who check them.

scikit-learn has no types. To mypy its classes are ``Any``, and a constructor of a class with such
a base takes whatever it is given: ``GLVQ(n_prototype=3)`` would pass. Other checkers read
scikit-learn's own code, and need nothing.
"""

from typing import Any

__all__ = [
    "BaseEstimator",
    "ClassNamePrefixFeaturesOutMixin",
    "ClassifierMixin",
    "ClusterMixin",
    "MetaEstimatorMixin",
    "OneToOneFeatureMixin",
    "RegressorMixin",
    "TransformerMixin",
]

MYPY = False

if MYPY:  # which takes this to be true
    from typing import Self

    class BaseEstimator:
        """What all estimators have."""

        n_features_in_: int
        feature_names_in_: Any

        @classmethod
        def _get_param_names(cls) -> list[str]: ...
        def get_params(self, deep: bool = True) -> dict[str, Any]: ...
        def set_params(self, **params: Any) -> Self: ...
        def get_metadata_routing(self) -> Any: ...
        def set_fit_request(self, **requests: Any) -> Self: ...
        def set_score_request(self, **requests: Any) -> Self: ...
        def __sklearn_tags__(self) -> Any: ...
        def __sklearn_clone__(self) -> Self: ...
        def __getstate__(self) -> Any: ...
        def __setstate__(self, state: Any) -> None: ...

    class ClassifierMixin:
        """What classifiers have."""

        def score(self, X: Any, y: Any, sample_weight: Any = None) -> float: ...
        def __sklearn_tags__(self) -> Any: ...

    class RegressorMixin:
        """What regressors have."""

        def score(self, X: Any, y: Any, sample_weight: Any = None) -> float: ...
        def __sklearn_tags__(self) -> Any: ...

    class ClusterMixin:
        """What groups."""

        def fit_predict(self, X: Any, /, y: Any = None) -> Any: ...
        def __sklearn_tags__(self) -> Any: ...

    class TransformerMixin:
        """What transforms."""

        def fit_transform(self, X: Any, /, y: Any = None) -> Any: ...
        def set_output(self, *, transform: Any = None) -> Self: ...
        def __sklearn_tags__(self) -> Any: ...

    class ClassNamePrefixFeaturesOutMixin:
        """Names of features by the name of the class."""

        def get_feature_names_out(self, input_features: Any = None) -> Any: ...

    class OneToOneFeatureMixin:
        """Names of features as they are."""

        def get_feature_names_out(self, input_features: Any = None) -> Any: ...

    class MetaEstimatorMixin:
        """What has an estimator."""

else:
    from sklearn.base import (
        BaseEstimator,
        ClassifierMixin,
        ClassNamePrefixFeaturesOutMixin,
        ClusterMixin,
        MetaEstimatorMixin,
        OneToOneFeatureMixin,
        RegressorMixin,
        TransformerMixin,
    )
