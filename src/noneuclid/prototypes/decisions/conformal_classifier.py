"""Sets of classes that hold the right one as often as was asked for."""

from dataclasses import field
from typing import Annotated, Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import is_classifier

from noneuclid._checks import check_share
from noneuclid._data import check_labels
from noneuclid._estimator import as_fitted
from noneuclid._estimator import estimator as parameters
from noneuclid._parameters import Rule
from noneuclid._sklearn import ClassifierMixin
from noneuclid._warnings import warn
from noneuclid.prototypes.classifiers.vectors import GLVQ
from noneuclid.prototypes.decisions.held_out import HeldOut
from noneuclid.prototypes.decisions.ranks import n_at_least, n_exceeding
from noneuclid.prototypes.scores import lead_of_others
from noneuclid.typing import Array, IntArray, LabelArray

_SCORES = ("nonconformity", "predict_proba", "decision_function")


def _classifies(value: Any) -> bool:
    return hasattr(value, "fit") and not isinstance(value, type) and bool(is_classifier(value))


Classifier = Annotated[Any, Rule("a classifier", _classifies), None]


@parameters
class ConformalClassifier(ClassifierMixin, HeldOut):
    r"""Sets of classes that hold the right one with probability 1 − α, whatever the classifier.

    A part of the data is held out. How badly the classifier thinks of the right class of each of
    its n samples, :math:`a_i = a(x_i, y_i)`, is what a new sample is compared with:

    .. math:: p_c(x) = \frac{1 + \#\{i : a_i \ge a(x, c)\}}{n + 1}, \qquad
              \Gamma_\alpha(x) = \{c : p_c(x) > \alpha\}
              = \{c : a(x, c) \le a_{(\lceil (n+1)(1-\alpha)\rceil)}\}.

    If new samples come from where the held-out ones do,
    :math:`1 - \alpha \le P(y \in \Gamma_\alpha(x)) \le 1 - \alpha + 1/(n+1)`: the first always, on
    average over the draw of all of them, the second without ties. Nothing is assumed of data,
    geometry or classifier; a poor one pays with large sets. An empty set says that no class
    is likely.

    Parameters
    ----------
    estimator : classifier, optional
        Any prototype classifier, whose ``nonconformity`` is a; or any classifier of scikit-learn,
        with :math:`a = 1 - P(c | x)` if it has probabilities, else by how much its
        ``decision_function`` puts another class before c. None is ``GLVQ()``.
    class_conditional : bool, default=False
        Compare with held-out samples of class c only: then the set holds the right class with
        probability 1 − α for the samples *of every class*, rare ones too. The same share of each
        class is held out, and each needs ⌈1/α⌉ − 1 held-out samples.

    Attributes
    ----------
    classes_ : array
        The columns of sets.
    calibration_scores_ : array of shape (n,)
        :math:`a_i` of the held-out samples.

    Notes
    -----
    Precomputed proximities are cut in rows *and* columns: the classifier learns from the square
    matrix of its own objects. New objects come as rows of proximities to all objects that were
    given to ``fit``, in their order, of which the columns ``training_indices_`` are used; rows of
    those columns alone are taken, too. With ``calibration="prefit"`` all rows, those given to
    ``fit`` among them, are what the classifier itself takes.

    A class without any sample in the part that is learned from is never in a set. Its held-out
    samples count as infinitely odd, so that the guarantee holds all the same, as long as they are
    fewer than the share α that sets may miss: beyond it all other classes are in every set, and
    no set can do better. With ``class_conditional`` it holds for all classes but this one.

    References
    ----------
    V. Vovk, A. Gammerman and G. Shafer (2005), Algorithmic Learning in a Random World.
    M. Sadinle, J. Lei and L. Wasserman (2019), Least ambiguous set-valued classifiers with
    bounded error levels.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import train_test_split
    >>> from noneuclid.prototypes import ConformalClassifier, RelationalGLVQ
    >>> X, y = load_iris(return_X_y=True)
    >>> X, new, y, truth = train_test_split(X, y, stratify=y, random_state=0)
    >>> model = ConformalClassifier(RelationalGLVQ(random_state=0), random_state=0).fit(X, y)
    >>> sets = model.predict_set(new, alpha=0.05)
    >>> sets.shape, bool(sets[range(len(new)), truth].mean() > 0.9)
    ((38, 3), True)
    """

    estimator: Classifier = field(default=None, kw_only=False)
    class_conditional: bool = False

    _kept: ClassVar[tuple[str, ...]] = ("calibration", "class_conditional")

    def _asked(self) -> Any:
        return GLVQ() if self.estimator is None else self.estimator

    def _check_params(self) -> None:
        if not any(hasattr(self._asked(), name) for name in _SCORES):
            raise ValueError(
                f"estimator (={type(self.estimator).__name__}) must have predict_proba or "
                "decision_function: sets of classes need a score of each"
            )

    def fit(self, X: Any, y: ArrayLike) -> Self:
        """Learn from a part of the data, and see how it does on the rest.

        Parameters
        ----------
        X : array of shape (n, d) or (n, n), or n objects
            As the estimator takes it.
        y : array of shape (n,)
            Labels.

        Returns
        -------
        self
        """
        labels = check_labels(y, type(self).__name__)
        self.classes_, index = np.unique(labels, return_inverse=True)
        kinds = index if self.class_conditional else np.zeros(len(index), dtype=int)
        held, _ = self._hold_out(X, labels, kinds)
        self._note_classes()
        self._index = np.searchsorted(self.classes_, labels[self.calibration_indices_])
        a = self._nonconformity(held)
        self.calibration_scores_: Array = a[np.arange(len(a)), self._index]
        return self

    def _note_classes(self) -> None:
        """All classes of the data and of the estimator; a word about those it does not know."""
        known = np.asarray(self.estimator_.classes_)
        unknown = np.setdiff1d(self.classes_, known)
        if len(unknown) > 0:
            warn(
                f"class {unknown.tolist()[0]!r} has no sample in the part that is learned from: "
                "it will be in no set"
            )
        self.classes_ = np.union1d(self.classes_, known)

    def _is_conditional(self) -> bool:
        return bool(as_fitted(self, "class_conditional"))

    def _stratum(self, index: int) -> str:
        return f" of class {self.classes_.tolist()[index]!r}" if self._is_conditional() else ""

    def _nonconformity(self, X: Any) -> Array:
        """a(x, c): (n, n_classes), infinite for classes that the estimator does not know."""
        own = nonconformity(self.estimator_, X)
        a = np.full((len(own), len(self.classes_)), np.inf)
        a[:, np.searchsorted(self.classes_, self.estimator_.classes_)] = own
        return a

    def _pools(self) -> list[Array]:
        """What each class is compared with, in rising order."""
        scores = self.calibration_scores_
        if not self._is_conditional():
            return [np.sort(scores)] * len(self.classes_)
        return [np.sort(scores[self._index == c]) for c in range(len(self.classes_))]

    def p_values(self, X: Any) -> Array:
        """How usual each class would be: the share of held-out samples that are as odd, or odder.

        The largest of a row is the credibility of the prediction (low: unlike all that is known),
        one less the second largest its confidence.

        Parameters
        ----------
        X : as for ``predict``

        Returns
        -------
        array of shape (n, n_classes)
            Between 0 and 1.
        """
        return np.column_stack([(1 + k) / (1 + n) for k, n in self._counts(self._given(X))])

    def _counts(self, given: Any) -> list[tuple[IntArray, int]]:
        """For each class, how many held-out samples are at least as odd, and of how many."""
        a = self._nonconformity(given)
        known = np.isin(self.classes_, self.estimator_.classes_)  # the others are in no set
        pools = enumerate(self._pools())
        return [(n_at_least(a[:, c], pool) * known[c], len(pool)) for c, pool in pools]

    def predict_set(self, X: Any, alpha: float | None = None) -> np.ndarray:
        """Which classes are likely enough: the right one is among them with probability 1 − α.

        Parameters
        ----------
        X : as for ``predict``
        alpha : float, optional
            Share of sets that may miss the right class; by default the parameter of the class.

        Returns
        -------
        array of bool of shape (n, n_classes)
            One column per class, in the order of ``classes_``.
        """
        given = self._given(X)
        alpha = float(self.alpha) if alpha is None else alpha
        check_share("alpha", alpha)
        self._require_enough(self._index * self._is_conditional(), alpha)
        counts = self._counts(given)
        return np.column_stack([k >= n_exceeding(n, alpha) for k, n in counts])

    def predict(self, X: Any) -> LabelArray:
        """The class that the estimator predicts.

        Parameters
        ----------
        X : array of shape (n, d), or n objects
            Or rows of proximities to all objects that were given to ``fit``.

        Returns
        -------
        array of shape (n,)
        """
        given = self._given(X)
        return np.asarray(self.estimator_.predict(given))


def nonconformity(model: Any, X: Any) -> Array:
    """How badly a fitted classifier thinks of each class: (n, n_classes)."""
    if hasattr(model, "nonconformity"):
        return np.asarray(model.nonconformity(X))
    if hasattr(model, "predict_proba"):
        return 1.0 - np.asarray(model.predict_proba(X), dtype=np.float64)
    scores = np.asarray(model.decision_function(X), dtype=np.float64)
    return lead_of_others(np.column_stack([-scores, scores]) if scores.ndim == 1 else scores)
