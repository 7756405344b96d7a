"""Classification by the plane of components that fits best."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.utils import get_tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    check_consistent_length,
    check_is_fitted,
)

from noneuclid._data import check_labels, validate_data
from noneuclid._estimator import estimator as parameters
from noneuclid._sklearn import BaseEstimator, ClassifierMixin
from noneuclid.kernels import as_kernel
from noneuclid.numerics import first_argmin
from noneuclid.pca.functional import FunctionalPCA
from noneuclid.pca.generalized import GeneralizedPCA
from noneuclid.pca.generalized_kernel import GeneralizedKernelPCA
from noneuclid.pca.hebbian import HebbianPCA
from noneuclid.spaces import as_space, require
from noneuclid.typing import Array, LabelArray


@parameters
class SubspaceClassifier(ClassifierMixin, BaseEstimator):
    r"""The class whose own components reconstruct a sample best.

    .. math:: \hat y(x) = \arg\min_c \Bigl\| x - \mu_c - \sum_i [x - \mu_c, w_i^c]\,w_i^c \Bigr\|

    with mean and components of each class: in a Hilbert space, in any space of ``HebbianPCA`` (its
    responses, its norm), among functions, or in the feature space of a kernel. A class with few
    samples, or data with few features, get fewer components than asked for: a plane has to leave
    something out.

    Parameters
    ----------
    estimator : GeneralizedPCA, HebbianPCA, FunctionalPCA or GeneralizedKernelPCA, optional
        Cloned for every class; None is ``GeneralizedPCA()``. Errors are measured in the norm of
        its space; those of ``FunctionalPCA`` in L², where missing values (NaN) are allowed. With a
        precomputed kernel, X is the kernel matrix of all samples.

    Attributes
    ----------
    classes_ : array
    estimators_ : list
        One fitted estimator per class.

    References
    ----------
    E. Oja (1983), Subspace Methods of Pattern Recognition.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from noneuclid.pca import GeneralizedPCA, SubspaceClassifier
    >>> X, y = load_digits(return_X_y=True)
    >>> model = SubspaceClassifier(estimator=GeneralizedPCA(n_components=10))
    >>> bool(model.fit(X[::2], y[::2]).score(X[1::2], y[1::2]) > 0.97)
    True

    The a of ``"skeleton"``, where l2 turns into l1, by what it is worth: of values spaced evenly in
    the logarithm up to the largest norm, the one of best training performance (with ``cv=5``
    instead of all rows twice, of best performance on rows left out). ``a="auto"`` needs no labels:

    >>> import numpy as np
    >>> from sklearn.model_selection import GridSearchCV
    >>> few, labels = X[::6], y[::6]
    >>> largest = np.linalg.norm(few - few.mean(axis=0), axis=1).max()
    >>> mixed = GeneralizedPCA(n_components=4, objective="skeleton", tol=1e-4)
    >>> values, rows = largest * np.logspace(-3, 0, 4), np.arange(len(few))
    >>> search = GridSearchCV(
    ...     SubspaceClassifier(estimator=mixed), {"estimator__a": values}, cv=[(rows, rows)]
    ... ).fit(few, labels)
    >>> search.best_params_["estimator__a"] in values, bool(search.score(X, y) > 0.9)
    (True, True)

    Lines in l1, one for each class:

    >>> from noneuclid.pca import HebbianPCA
    >>> lines = HebbianPCA(n_components=10, space="l1", random_state=0)
    >>> model = SubspaceClassifier(estimator=lines)
    >>> bool(model.fit(X[::2], y[::2]).score(X[1::2], y[1::2]) > 0.95)
    True
    """

    estimator: GeneralizedPCA | HebbianPCA | FunctionalPCA | GeneralizedKernelPCA | None = None

    def fit(self, X: Any, y: ArrayLike) -> Self:
        """Learn mean and components of every class.

        Parameters
        ----------
        X : array of shape (n, d), or what the components take
            Samples.
        y : array of shape (n,)
            Their classes.

        Returns
        -------
        self : object
            Fitted.
        """
        space = getattr(self._prototype(), "space", None)
        if space is not None:
            require(as_space(space), type(self).__name__, "norm")
        rows, labels = self._checked(X, y)
        check_classification_targets(labels)
        self.classes_, codes = np.unique(labels, return_inverse=True)
        self.estimators_, self._members = [], []
        shared = self._shared(rows)
        for code, label in enumerate(self.classes_):
            members = np.flatnonzero(codes == code)
            if len(members) < 2:
                raise ValueError(
                    f"class {label.item()!r} has only one sample: it has no components"
                )
            theirs = rows[np.ix_(members, members)] if self._input.pairwise else rows[members]
            self.estimators_.append(_limited(shared, theirs).fit(theirs))
            self._members.append(members)
        return self

    def _prototype(self) -> Any:
        return GeneralizedPCA() if self.estimator is None else self.estimator

    @property
    def _input(self) -> Any:
        return get_tags(self._prototype()).input_tags

    @property
    def _allowed(self) -> dict[str, Any]:
        finite = "allow-nan" if self._input.allow_nan else True
        return {"dtype": np.float64, "order": "C", "ensure_all_finite": finite}

    def _checked(self, X: Any, y: Any) -> tuple[Any, Array]:
        """Rows of a matrix or objects of the kernel's own kind, and their labels."""
        if self._input.two_d_array:
            return validate_data(self, X, y, **self._allowed)  # type: ignore[no-any-return]
        objects = self._prototype().as_objects(X)
        labels = check_labels(y, type(self).__name__)
        check_consistent_length(objects, labels)
        if len(objects) == 0:
            raise ValueError("X is empty: there is nothing to learn from")
        return objects, labels

    def _shared(self, rows: Any) -> Any:
        """An estimator that takes from all samples what makes errors comparable: one geometry."""
        estimator = self._on_grid(clone(self._prototype()))
        if self._input.pairwise:
            return estimator
        if getattr(estimator, "kernel", None) is not None:
            return estimator.set_params(kernel=as_kernel(estimator.kernel).resolve(rows))
        space = as_space(getattr(estimator, "space", "l2"))
        return (
            estimator.set_params(space=space.resolve(rows))
            if hasattr(space, "resolve")
            else estimator
        )

    def _on_grid(self, estimator: Any) -> Any:
        """What looks along curves gets the grid on which they come as rows."""
        grid = getattr(self, "curve_grid_", None)
        if grid is None:
            return estimator
        if isinstance(estimator, FunctionalPCA):
            if len(grid.positions) > 1:
                raise ValueError(
                    "SubspaceClassifier with FunctionalPCA takes curves of one channel, not of "
                    f"{len(grid.positions)}: use HebbianPCA with a Sobolev space"
                )
            return estimator.set_params(grid=grid.positions[0])
        if hasattr(estimator, "kernel"):
            kernel = as_kernel(estimator.kernel).on_grid(grid.positions)
            return estimator.set_params(kernel=kernel)
        if hasattr(estimator, "space"):
            space = as_space(estimator.space).on_grid(grid.positions)
            return estimator.set_params(space=space)
        return estimator

    def _errors(self, X: Any) -> Array:
        """Reconstruction error per class; with a precomputed kernel squared, less k(x, x)."""
        check_is_fitted(self)
        if self._input.two_d_array:
            X = validate_data(self, X, reset=False, **self._allowed)
        if self._input.pairwise:
            columns = zip(self.estimators_, self._members)
            parts = [-estimator.explained_norm(X[:, members]) for estimator, members in columns]
        else:
            parts = [estimator.reconstruction_error(X) for estimator in self.estimators_]
        return np.array(parts).T

    def decision_function(self, X: Any) -> Array:
        """Minus the reconstruction error per class; for two classes, how much better the second.

        Parameters
        ----------
        X : array of shape (n, d), or what the components take
            Samples.

        Returns
        -------
        array of shape (n, n_classes), or (n,) for two classes
            In the order of ``classes_``.
        """
        errors = self._errors(X)
        if len(self.classes_) == 2:
            return np.asarray(errors[:, 0] - errors[:, 1])
        return -errors

    def predict(self, X: Any) -> LabelArray:
        """The class of least reconstruction error.

        Parameters
        ----------
        X : array of shape (n, d), or what the components take
            Samples.

        Returns
        -------
        array of shape (n,)
            Classes.
        """
        best = first_argmin(self._errors(X))
        return self.classes_[best]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._input.pairwise
        tags.input_tags.two_d_array = self._input.two_d_array
        tags.input_tags.allow_nan = self._input.allow_nan
        # scikit-learn's check uses round blobs in two dimensions: a line is no model of those.
        tags.classifier_tags.poor_score = True
        return tags


def _limited(shared: Any, X: Any) -> Any:
    """A fresh estimator with fewer components than the data have directions."""
    estimator = clone(shared)
    directions = estimator._n_directions(X)
    if directions < 2:
        raise ValueError(
            f"SubspaceClassifier needs at least 2 features, got n_features={directions}: one "
            "component would reconstruct everything"
        )
    limit = min(len(X), directions) - 1
    wanted = estimator.n_components
    return estimator.set_params(n_components=limit if wanted is None else min(wanted, limit))
