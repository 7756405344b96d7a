"""One model for new objects, without a report."""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from threadpoolctl import threadpool_limits

from noneuclid.datasets import DataError, Dataset
from noneuclid.kernels import SpikeTrainKernel
from noneuclid.report import curves, vectors
from noneuclid.report.analysis import prepared, remember
from noneuclid.report.classification import candidates
from noneuclid.report.comparison import Candidate, Settings
from noneuclid.report.diagnosis import diagnose
from noneuclid.report.sequences import edit_distances
from noneuclid.spikes import select_width


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
    wanted : str, default="auto"
        Part of the name of a model, to choose from those only: ``"kernel GLVQ"``, ``"GMLVQ"`` …
    advance : callable
        Called with the name of each model tried.

    Returns
    -------
    model, name, accuracy
        The accuracy is that of the parameters chosen, on the folds that chose them: it is somewhat
        too good. A report has the honest one.

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
    found, portable = _models(data, settings)
    words = wanted.lower().replace("-", " ")
    if wanted != "auto":
        found = [one for one in found if words in one.name.lower().replace(",", "")]
        if not found:
            names = ", ".join(one.name for one in _models(data, settings)[0])
            raise DataError(f"there is no model {wanted!r} for {data.kind}: choose from {names}")
    y = np.asarray(data.labels)
    smallest = min(data.classes.values())
    folds = StratifiedKFold(
        max(2, min(settings.folds, smallest)), shuffle=True, random_state=settings.random_state
    )
    searches = []
    for one in found:
        with threadpool_limits(1, "blas"):
            searches.append(GridSearchCV(one.estimator, one.grid, cv=folds).fit(one.X, y))
        advance(one.name)
    best = max(range(len(found)), key=lambda k: searches[k].best_score_)
    model = portable(searches[best].best_estimator_)
    remember(model, data)
    return model, found[best].name, float(searches[best].best_score_)


def _models(data: Dataset, settings: Settings) -> tuple[list[Candidate], Callable[[Any], Any]]:
    """The models of prototypes for this kind, and how one takes objects instead of a matrix."""
    y = np.asarray(data.labels)
    if data.kind == "vectors":
        every, portable = vectors.candidates(data, settings), lambda model: model
    elif data.kind == "curves":
        every, portable = curves.candidates(data, curves.geometries(data), settings), lambda m: m
    else:
        P, proximity, metric = _matrix(data, settings)
        diagnosis = diagnose(P, proximity, random_state=settings.random_state)
        every = candidates(P, proximity, y, diagnosis, settings)

        def portable(model: Any) -> Any:
            if metric is None:
                return model
            return clone(model).set_params(metric=metric).fit(data.X, y)

    return [one for one in every if one.interpretable], portable


def _matrix(data: Dataset, settings: Settings) -> tuple[Any, str, Any]:
    if data.kind == "sequences":
        return edit_distances(data.X), "dissimilarity", "levenshtein"
    if data.kind == "spikes":
        width = select_width(data.X, random_state=settings.random_state).width
        kernel = SpikeTrainKernel(float(f"{width:.4g}"))
        return kernel(data.X), "similarity", kernel
    return data.X, data.kind, None
