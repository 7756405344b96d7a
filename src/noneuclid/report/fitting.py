"""One model for new objects, without a report."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.model_selection import GridSearchCV
from threadpoolctl import threadpool_limits

from noneuclid.datasets import DataError, Dataset
from noneuclid.proximities import signature
from noneuclid.report.analysis import prepared, remember
from noneuclid.report.calibration import calibrated
from noneuclid.report.comparison import Candidate, Settings, outer_splits, scoring_of
from noneuclid.report.matrices import given_matrix, matrix_of
from noneuclid.report.models import (
    curve_models,
    geometries,
    object_models,
    proximity_models,
    row_models,
)
from noneuclid.report.numbers import number_models, regress
from noneuclid.search import SampledFolds


def fit_best(
    data: Dataset,
    settings: Settings | None = None,
    *,
    wanted: str = "auto",
    advance: Callable[[str], None] = lambda what: None,
) -> tuple[Any, str, float]:
    """Fit the model of prototypes that classifies best, and tell its cross-validated accuracy.

    Parameters
    ----------
    data : Dataset
        With classes.
    settings : Settings, optional
        Sequences are compared by its ``metric``.
    wanted : str, default="auto"
        Part of the name of a model, to choose from those only: ``"kernel GLVQ"``, ``"GMLVQ"`` …
    advance : callable
        Called with the name of each model tried.

    Returns
    -------
    model, name, accuracy
        The accuracy (of unequal classes, its mean over them) is that of the parameters chosen, on
        the folds that chose them: it is somewhat too good. A report has the honest one.

    Examples
    --------
    >>> from noneuclid.datasets import make_families
    >>> model, name, accuracy = fit_best(make_families(10), Settings(quick=True))
    >>> model.predict(["ACGT"]).shape
    (1,)
    """
    settings = settings or Settings()
    if data.labels is None:
        raise DataError(f"{data.source} has no classes to learn: name them with --labels")
    data = prepared(data, settings)
    y = np.asarray(data.labels)
    models, portable = _models(data, y, settings)
    every = [each for one in models if one.interpretable for each in one.expanded()]
    words = wanted.lower().replace("-", " ").replace(",", "")
    found = [one for one in every if wanted == "auto" or words in one.name.lower().replace(",", "")]
    if not found:
        names = ", ".join(one.name for one in every)
        raise DataError(f"there is no model {wanted!r} for {data.kind}: choose from {names}")
    folds = outer_splits(y, replace(settings, repeats=1), data.groups)
    judges: Any = folds
    if len(y) > settings.max_objects:
        few = SampledFolds(len(folds), settings.max_objects, settings.random_state)
        judges = list(few.split(y, y, data.groups))
    scoring = scoring_of(y)
    searches = []
    with threadpool_limits(1, "blas"):
        for one in found:
            chosen = GridSearchCV(one.estimator, one.grid, cv=judges, scoring=scoring)
            searches.append(chosen.fit(one.X, y))
            advance(one.name)
        best = max(range(len(found)), key=lambda k: searches[k].best_score_)
        fitted = portable(searches[best].best_estimator_)
        X = found[best].X if data.is_matrix else data.X
        known, _ = calibrated(fitted, X, y, folds)
    remember(fitted, data, known)
    return fitted, found[best].name, float(searches[best].best_score_)


def fit_described(
    data: Dataset, settings: Settings, wanted: str, advance: Callable[[str], None]
) -> tuple[Any, str]:
    """The best model of prototypes, for classes or for numbers, and a line about it.

    Parameters
    ----------
    data : Dataset
        With labels or a target.
    settings : Settings
        What the user asked for.
    wanted : str
        Name of a model, or ``"auto"``.
    advance : callable
        Told what is being done.

    Returns
    -------
    model : object
        Fitted on all objects.
    sentence : str
        What it is, and its error on objects it has not seen.
    """
    if data.target is not None:
        model, name, error = fit_numbers(data, settings, advance=advance)
        return model, f"{name}: an error of {error:.3g} (RMSE) on objects not seen"
    model, name, accuracy = fit_best(data, settings, wanted=wanted, advance=advance)
    return model, f"{name}: {100 * accuracy:.1f} % of held-out objects in cross-validation"


def fit_numbers(
    data: Dataset,
    settings: Settings | None = None,
    *,
    advance: Callable[[str], None] = lambda what: None,
) -> tuple[Any, str, float]:
    """Fit the model of prototypes that predicts numbers best, and tell its error.

    Parameters
    ----------
    data : Dataset
        With a target.
    settings : Settings, optional
    advance : callable
        Called with the name of each model tried, after each of its splits.

    Returns
    -------
    model, name, error
        The root mean squared error on objects not seen, by nested cross-validation.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(40, 2))
    >>> data = Dataset("vectors", X, target=X[:, 0])
    >>> model, name, error = fit_numbers(data, Settings(quick=True))
    >>> error < 0.5
    True
    """
    settings = settings or Settings()
    data = prepared(data, settings)
    models, matrix = number_models(data, settings)
    own = [one for one in models if one.interpretable]
    with threadpool_limits(1, "blas"):
        found = regress(own, np.asarray(data.target), settings, advance, data.groups)
    fitted = found.model if matrix is None else matrix.portable(found.model, data)
    fitted.half_width_, fitted.nearest_ = found.half_width, found.nearest
    remember(fitted, data)
    return fitted, found.best.candidate.name, found.best.mean


def _models(
    data: Dataset, y: Any, settings: Settings
) -> tuple[list[Candidate], Callable[[Any], Any]]:
    """The models for this kind, and what makes one take objects, not a matrix."""
    if data.kind == "vectors":
        return row_models(data, settings), lambda fitted: fitted
    if data.kind == "curves":
        return curve_models(data, geometries(data, settings), settings), lambda fitted: fitted
    few = data.sample(settings.max_objects, random_state=settings.random_state)
    matrix = matrix_of(few, settings.random_state, settings.metric)
    is_euclidean = signature(matrix.S).negative == 0
    if few is not data:
        X = given_matrix(data).P if data.is_matrix else data.X
        return object_models(matrix, X, y, is_euclidean, settings), lambda fitted: fitted
    every = proximity_models(matrix, y, is_euclidean, settings)
    return every, lambda fitted: matrix.portable(fitted, data)
