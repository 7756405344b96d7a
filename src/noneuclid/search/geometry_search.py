"""Which geometry, under which learner, and by how much."""

from collections.abc import Callable
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import is_classifier, is_regressor
from sklearn.metrics import get_scorer
from sklearn.utils import Tags, get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import type_of_target

from noneuclid._data import check_is_fitted, check_labels, is_absent, validate_data
from noneuclid._estimator import estimator
from noneuclid._parameters import Count, Seed, Verbose
from noneuclid._progress import progress
from noneuclid._sklearn import BaseEstimator, MetaEstimatorMixin
from noneuclid.prototypes.targets import check_targets
from noneuclid.search.annotations import Folds, Jobs, Learners, Parts, Scoring, Splits, named
from noneuclid.search.candidates import (
    Candidate,
    kind_of,
    on_grid,
    usual_geometries,
    usual_learners,
)
from noneuclid.search.differences import compared
from noneuclid.search.judging import SampleParts, divided, placed, score, take
from noneuclid.search.racing import Rules, race
from noneuclid.spaces import attention
from noneuclid.typing import Array, LabelArray

# Nested folds of fewer samples judge nothing.
_FEWEST = 8
_FEWEST_OF_CLASS = 3


def _can(name: str) -> Callable[[Any], bool]:
    """Whether what was found, or is sure to be tried, has a method."""

    def can(self: Any) -> bool:
        return hasattr(getattr(self, "best_estimator_", None), name)

    return can


class _Said(BaseEstimator):
    """What a model has predicted, for scorers, which ask a model."""

    def __init__(self, answers: Any = None):
        self.answers = answers

    def predict(self, X: Any) -> Any:
        return self.answers


@estimator
class GeometrySearch(MetaEstimatorMixin, BaseEstimator):
    r"""Finds the geometry that suits the data, and says by how much it wins and where it looks.

    Every learner is tried in every geometry. The outer folds judge honestly: on the training
    part of each, candidates race by successive halving (all of them on few samples, the better ones
    on more), judged by inner folds; those that come to the last round are fitted on the whole
    training part and meet the test part, which no choice has seen. The mean score of the winners on
    the test parts estimates what the search itself achieves. The last race, on all samples, gives
    the model.

    Candidates are compared on the same test parts by Student's t of the mean difference with

    .. math:: \mathrm{se}^2 = \Bigl(\frac1k + \frac{n_\text{test}}{n_\text{train}}\Bigr) s^2,

    which allows for training sets that overlap (Nadeau and Bengio, 2003).

    Parameters
    ----------
    estimators : "auto", estimator, list or dict, default="auto"
        Learners with a parameter ``space``, ``kernel`` or ``metric``; pipelines and grid searches
        of such. ``"auto"``: GLVQ and support vectors for classes, prototypes and kernel ridge
        regression for numbers; see :func:`usual_learners`.
    geometries : "auto", list or dict, default="auto"
        Spaces, kernels or metrics, or their names. A learner with a kernel gets the Gaussian
        kernel of a space, or the Laplacian one where that is not positive definite, of the median
        distance. ``"auto"``: see :func:`usual_geometries`.
    kind : {"auto", "vectors", "curves", "sequences"}, default="auto"
        What the samples are, for what is left to ``"auto"``; by default, columns of which
        neighbours are alike are curves.
    cv : int or list of (train, test), default=5
        Outer folds, which judge, or the indices of their parts.
    inner_cv : int, default=3
        Inner folds, which choose.
    factor : int, default=3
        In every round of a race one of so many candidates goes on; 1: all do.
    min_samples : int, default=60
        The first round sees no fewer.
    max_samples : int, optional
        The last round sees no more; those that came so far learn from all samples.
    scoring : str, optional
        As in scikit-learn; by default balanced accuracy for classes that are unequal and accuracy
        for others, and :math:`R^2` for numbers.
    n_jobs : int, optional
        Candidates that are judged side by side.
    verbose : bool or int, default=False
        Show a progress bar.
    random_state : int, RandomState or None, default=None
        Decides folds, samples of rounds, and starts of learners that are left to ``"auto"``.

    Attributes
    ----------
    best_estimator_ : estimator
        The winner, fitted on all samples.
    best_geometry_ : object
        Its space, kernel or metric.
    best_name_ : str
        Its learner and geometry.
    score_, score_error_ : float
        Mean score of the search on samples it has not seen, and its corrected standard error.
    test_scores_ : array of shape (n_splits,)
        What ``score_`` is the mean of: on every test part, the score of the candidate that won
        the race on its training part.
    split_scores_ : array of shape (n_candidates, n_splits)
        Scores of the rows of ``results_`` on every test part; NaN where one did not come so far.
    results_ : dict of arrays
        One row per learner and geometry, best first: ``learner``, ``geometry``, ``score`` (mean on
        test parts, NaN if it never came so far), ``folds`` (test parts it met), ``difference`` to
        the first row, its ``error`` and ``pvalue``. ``pandas.DataFrame(search.results_)`` is a
        table.
    attention_ : array of shape (d,), optional
        Where the winning space looks: the share of every column in squared distances between
        samples (of different classes), 1 on average; None without a space of rows.
    task_ : {"classification", "regression"}
    kind_ : str

    References
    ----------
    C. Nadeau and Y. Bengio (2003), Inference for the generalization error. Machine Learning.
    K. Jamieson and A. Talwalkar (2016), Non-stochastic best arm identification and hyperparameter
    optimization. AISTATS.

    Examples
    --------
    Spectra whose classes differ in a narrow line, beside a broad band that is noise:

    >>> from noneuclid.datasets import make_spectra
    >>> from noneuclid.prototypes import GLVQ
    >>> from noneuclid.spaces import Sobolev
    >>> data = make_spectra(60)
    >>> geometries = {"l2": "l2", "Sobolev": Sobolev(spacing="unit")}
    >>> search = GeometrySearch(estimators=GLVQ(random_state=0), geometries=geometries, cv=3,
    ...                         random_state=0).fit(data.X, data.labels)
    >>> search.best_name_, search.score_ > 0.9
    ('GLVQ, Sobolev', True)
    """

    estimators: Learners = "auto"
    geometries: Parts = "auto"
    kind: Literal["auto", "vectors", "curves", "sequences"] = "auto"
    cv: Splits = 5
    inner_cv: Folds = 3
    factor: Count = 3
    min_samples: Count = 60
    max_samples: Count | None = None
    scoring: Scoring = None
    n_jobs: Jobs = None
    verbose: Verbose = False
    random_state: Seed = None

    def fit(self, X: Any, y: Any, groups: Any = None) -> Self:
        """Race on every training part, meet the test parts, then race on all samples.

        Parameters
        ----------
        X : array of shape (n, d), Curves, DataFrame or list of objects
        y : array of shape (n,)
            Classes, or numbers with fractions.
        groups : array of shape (n,), optional
            Which samples belong together (replicates, patients): no fold divides them.

        Returns
        -------
        self : GeometrySearch
        """
        X = self._entered(X, reset=True)
        target = self._target(X, y)
        together = self._groups(target, groups)
        candidates = self._candidates(X, target)
        rules = self._rules(target)
        tests = self._tests(rules, target, together)
        parts = SampleParts(X, target, tests)
        steps = progress(tests, len(tests), "geometries", enabled=bool(self.verbose))
        scores = {one: np.full(len(tests), np.nan) for one in candidates}
        own = np.empty(len(tests))
        inner = self._rules(target, self.inner_cv)
        for k, (train, test) in enumerate(steps):
            X_train, y_train = take(X, train), target[train]
            own_groups = None if together is None else together[train]
            finalists = list(race(candidates, X_train, y_train, inner, own_groups))
            for one in finalists:
                rows, others = parts.pair(one, k)
                fitted = placed(one, rows, y_train).fit(rows, y_train)
                scores[one][k] = score(fitted, others, target[test], rules.scoring)
            own[k] = scores[finalists[0]][k]
        winner = next(iter(race(candidates, X, target, inner, together)))
        train, test = tests[0]
        share = len(test) / len(train)
        self.test_scores_, self.score_ = own, float(own.mean())
        self.score_error_ = float(np.sqrt(own.var(ddof=1) * (1 / len(tests) + share)))
        self.best_estimator_ = winner.on(X, target).fit(X, target)
        self.best_geometry_, self.best_name_ = winner.part, str(winner)
        self.results_, self.split_scores_ = compared(winner, scores, share)
        self.attention_ = self._looked_at(winner, X, target)
        return self

    def _tests(self, rules: Rules, y: Array, groups: Any) -> Any:
        """The outer folds, or the parts that were given."""
        if not isinstance(self.cv, list | tuple):
            return rules.splits(y, groups)
        found = [(np.asarray(train), np.asarray(test)) for train, test in self.cv]
        for part in (part for both in found for part in both):
            if part.dtype.kind not in "iu" or not len(part) or not part.min() >= 0:
                raise ValueError("cv holds parts that are not indices of samples")
            if part.max() >= len(y):
                raise ValueError(f"cv names sample {part.max()}, but there are {len(y)}")
        for k, (train, test) in enumerate(found):
            if np.isin(test, train).any():
                raise ValueError(f"cv[{k}] tests on samples that it learns from")
            if groups is not None and np.isin(groups[test], groups[train]).any():
                raise ValueError(f"cv[{k}] divides a group: all of it learns, or all of it tests")
        return found

    # --- what is tried -----------------------------------------------------------------------

    def _entered(self, X: Any, *, reset: bool) -> Any:
        """Words as a list, and all else as rows of numbers."""
        if reset:
            self.kind_ = kind_of(X) if self.kind == "auto" else self.kind
        if self.kind_ == "sequences":
            return list(X)
        rows = validate_data(self, X, dtype=np.float64, reset=reset)
        if reset and self.kind == "auto":
            self.kind_ = kind_of(rows)
        return rows

    def _target(self, X: Any, y: Any) -> Array:
        if y is None:
            raise ValueError("requires y to be passed, but the target y is None")
        with np.errstate(invalid="ignore"):  # of NaN and infinity, which are refused
            numbers = type_of_target(y, input_name="y").startswith("continuous")
        self.task_ = "regression" if numbers else "classification"
        if numbers:
            target = np.asarray(check_targets(y, len(X), type(self).__name__), dtype=np.float64)
        else:
            target = check_labels(y, type(self).__name__)
            self.classes_ = np.unique(target)
        if len(target) != len(X):
            raise ValueError(f"X has {len(X)} samples, but y has {len(target)}")
        return target

    def _groups(self, y: Array, groups: Any) -> Any:
        """Groups as an array; raises if there are too few samples or groups to judge on."""
        if self.task_ == "classification" and len(self.classes_) < 2:
            raise ValueError(f"y has one class only ({self.classes_[0]!s}): two are needed")
        if len(y) < _FEWEST:
            raise ValueError(f"GeometrySearch needs at least {_FEWEST} samples, not {len(y)}")
        if self.task_ == "classification":
            label, count = min(zip(*np.unique(y, return_counts=True)), key=lambda both: both[1])
            if count < _FEWEST_OF_CLASS:
                raise ValueError(
                    f"class {label!s} has {count} of the samples: nested folds need at least "
                    f"{_FEWEST_OF_CLASS} of each class"
                )
        if groups is None:
            return None
        # As objects: numpy would write gaps in a list of text down as text.
        found = np.asarray(groups, dtype=object if isinstance(groups, list | tuple) else None)
        if found.shape != (len(y),):
            raise ValueError(f"groups has shape {found.shape}, but there are {len(y)} samples")
        return self._divisible(y, found)

    def _divisible(self, y: Array, groups: Any) -> Any:
        """The groups; raises if one is missing, or folds of them leave no class to learn."""
        gaps = np.flatnonzero([is_absent(group) for group in groups.tolist()])
        if len(gaps):
            raise ValueError(
                f"groups has no group for sample {gaps[0]} ({groups.tolist()[gaps[0]]!r}): give "
                "every sample one, its own if it belongs to no other"
            )
        groups = np.array(groups.tolist()) if groups.dtype == object else groups
        if self.task_ == "regression":
            return groups
        for label in self.classes_:
            count = len(np.unique(groups[y == label]))
            if count < 2:
                raise ValueError(
                    f"class {label!s} lies in one group only: no fold could learn it on some "
                    "groups and be judged on others, so give it more groups, or leave it out"
                )
        return groups

    def _candidates(self, X: Any, y: Array) -> list[Candidate]:
        learners, parts = self.estimators, self.geometries
        if isinstance(learners, str) and learners == "auto":
            learners = usual_learners(self.kind_, self.task_, self.random_state)
        if isinstance(parts, str) and parts == "auto":
            parts = usual_geometries(self.kind_)
        learners, parts = named(learners), named(parts)
        grid = getattr(self, "curve_grid_", None)
        if grid is not None:  # the learners see rows, which know nothing of times
            parts = {name: on_grid(part, grid) for name, part in parts.items()}
        found = [
            Candidate(learner, geometry, model, part)
            for learner, model in learners.items()
            for geometry, part in parts.items()
        ]
        wrong = is_regressor if self.task_ == "classification" else is_classifier
        for one in found:  # what does not fit together is said before any work
            if wrong(one.estimator):
                what = "classes" if self.task_ == "classification" else "numbers"
                raise ValueError(f"y holds {what}, which {one.learner} does not predict")
            some = np.unique(np.linspace(0, len(X) - 1, 50).astype(int))
            one.on(take(X, some), y[some])
        return found

    def _rules(self, y: Array, folds: int | None = None) -> Rules:
        classes = self.task_ == "classification"
        least = 4 * (len(np.unique(y)) if classes else 1)
        if self.max_samples is not None and self.max_samples < least:
            raise ValueError(
                f"max_samples (={self.max_samples}) must be at least {least}: two folds of it "
                "need samples of every class"
            )
        scoring = self.scoring or "r2"
        if classes and self.scoring is None:
            counts = np.unique(y, return_counts=True)[1]
            unequal = counts.max() > 1.5 * counts.min()
            scoring = "balanced_accuracy" if unequal else "accuracy"
        given = 2 if isinstance(self.cv, list | tuple) else self.cv
        return Rules(
            folds or given,
            self.factor,
            self.min_samples,
            scoring,
            classes,
            self.n_jobs,
            self.random_state,
            self.max_samples,
        )

    def _looked_at(self, winner: Candidate, X: Any, y: Array) -> Array | None:
        """The attention of a space on rows."""
        labels = y if self.task_ == "classification" else None
        try:
            return attention(winner.part, X, labels)
        except (ValueError, TypeError):  # no space, no rows, or nothing to look at
            return None

    # --- what was found ----------------------------------------------------------------------

    def predict(self, X: Any) -> LabelArray:
        """Classes or numbers, by the best model.

        Parameters
        ----------
        X : as in ``fit``

        Returns
        -------
        y : array of shape (n,)
        """
        check_is_fitted(self)
        rows = self._entered(X, reset=False)
        before, last = divided(self.best_estimator_)
        for step in before:
            rows = step.transform(rows)
        return np.asarray(last.predict(rows))

    @available_if(_can("predict_proba"))
    def predict_proba(self, X: Any) -> Array:
        """Probabilities of the classes, by the best model.

        Parameters
        ----------
        X : as in ``fit``

        Returns
        -------
        P : array of shape (n, n_classes)
        """
        return np.asarray(self.best_estimator_.predict_proba(self._entered(X, reset=False)))

    def score(self, X: Any, y: Any) -> float:
        """The score of the best model on other samples.

        Parameters
        ----------
        X : as in ``fit``
        y : array of shape (n,)

        Returns
        -------
        score : float
            By ``scoring``, or accuracy or :math:`R^2`.
        """
        check_is_fitted(self)
        return float(self._scorer()(self.best_estimator_, self._entered(X, reset=False), y))

    def _scorer(self) -> Any:
        usual = "accuracy" if self.task_ == "classification" else "r2"
        return get_scorer(self.scoring or usual)

    def _score_answers(self, said: LabelArray, y: Any) -> float:
        """The score of what was predicted, block by block, for all samples."""
        try:
            return float(self._scorer()(_Said(answers=said), None, y))
        except AttributeError:  # it asks for another method
            raise ValueError(
                f"scoring (={self.scoring!r}) needs more than predictions, and those of a dask "
                "collection are all that is kept of its blocks: score rows in memory"
            ) from None

    def summary(self) -> str:
        """Which geometry wins, and by how much, in one or two sentences.

        Returns
        -------
        words : str
        """
        check_is_fitted(self)
        found = self.results_
        words = f"{self.best_name_} is best: {self.score_:.3f} ± {self.score_error_:.3f}."
        others = [k for k, name in enumerate(found["geometry"]) if name != found["geometry"][0]]
        met = [k for k in others if np.isfinite(found["pvalue"][k])]
        if met:
            k = met[0]
            words += (
                f" The next geometry, {found['geometry'][k]} ({found['learner'][k]}), scores "
                f"{found['difference'][k]:+.3f} ± {found['error'][k]:.3f} (p = "
                f"{found['pvalue'][k]:.2g})."
            )
        return words

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        if hasattr(self, "best_estimator_"):
            inner = get_tags(self.best_estimator_)
            tags.estimator_type = inner.estimator_type
            tags.classifier_tags, tags.regressor_tags = inner.classifier_tags, inner.regressor_tags
        tags.target_tags.required = True
        return tags
