"""From a dataset to an analysis."""

import re
import warnings
from collections.abc import Callable

import numpy as np
from threadpoolctl import threadpool_limits

from noneuclid.datasets import DataError, Dataset
from noneuclid.report import structure
from noneuclid.report.blocks import Analysis
from noneuclid.report.comparison import Settings
from noneuclid.report.curves import analyze_curves
from noneuclid.report.proximities import analyze_proximities
from noneuclid.report.sequences import analyze_sequences
from noneuclid.report.spikes import analyze_spikes
from noneuclid.report.vectors import analyze_vectors

_FEWEST_OBJECTS = 8
_FEWEST_PER_CLASS = 4

# How many models are compared.
_MODELS = {
    "similarity": 6,
    "dissimilarity": 6,
    "sequences": 6,
    "spikes": 6,
    "curves": 8,
    "vectors": 5,
}
_ANALYSES: dict[str, Callable[..., Analysis]] = {
    "similarity": analyze_proximities,
    "dissimilarity": analyze_proximities,
    "curves": analyze_curves,
    "vectors": analyze_vectors,
    "sequences": analyze_sequences,
    "spikes": analyze_spikes,
}


def analyze(
    data: Dataset,
    settings: Settings | None = None,
    *,
    advance: Callable[[str], None] = lambda what: None,
    metric: str = "levenshtein",
) -> Analysis:
    """Analyse a dataset by what kind it is.

    Parameters
    ----------
    data : Dataset
        For instance from :func:`noneuclid.datasets.read_dataset`.
    settings : Settings, optional
        How much work to do.
    advance : callable
        Called with what was done after every step.
    metric : str, default="levenshtein"
        The distance between sequences.

    Returns
    -------
    Analysis
        See :func:`noneuclid.report.render` for the page.

    Examples
    --------
    >>> from noneuclid.datasets import make_indefinite
    >>> quick = Settings(folds=2, repeats=1, quick=True)
    >>> found = analyze(make_indefinite(40), quick)
    >>> [section.title for section in found.sections][0]
    'What the matrix is like'
    """
    settings = settings or Settings()
    data = prepared(data, settings)
    options = {"metric": metric} if data.kind == "sequences" else {}
    # Many small fits: more BLAS threads only wait for each other, and change the rounding.
    with warnings.catch_warnings(record=True) as caught, threadpool_limits(1, "blas"):
        warnings.simplefilter("always")
        found = _ANALYSES[data.kind](data, settings, advance, **options)
    found.notes.extend(_remarks(caught))
    if found.model is not None:
        remember(found.model, data)
    return found


def _remarks(caught: list[warnings.WarningMessage]) -> list[str]:
    """What the learners warned of; one remark of those that differ in numbers only."""
    found: dict[str, str] = {}
    for warning in caught:
        if issubclass(warning.category, UserWarning):
            text = str(warning.message)
            found.setdefault(re.sub(r"\d+", "#", text), text)
    return list(found.values())


def steps(data: Dataset, settings: Settings) -> int:
    """About how often ``analyze`` calls ``advance``."""
    if data.labels is None:
        return 3 + structure.steps(min(len(data), settings.max_objects))
    smallest = min(data.classes.values())
    return _MODELS[data.kind] * max(2, min(settings.folds, smallest)) * settings.repeats + 5


def remember(model: object, data: Dataset) -> None:
    """Note on a model what it was fitted on, so that new files can be checked against it."""
    model.trained_on_ = {  # type: ignore[attr-defined]
        "kind": data.kind,
        "source": data.source,
        "names": list(map(str, data.names)),
        "features": None if data.features is None else list(map(str, data.features)),
    }


def prepared(data: Dataset, settings: Settings) -> Dataset:
    """The dataset, a sample of it if it is large; raises if it is too small to learn from."""
    if len(data) < _FEWEST_OBJECTS:
        raise DataError(
            f"{data.source} has {len(data)} {data.noun}: an analysis needs at least "
            f"{_FEWEST_OBJECTS}"
        )
    for name, count in data.classes.items():
        if count < _FEWEST_PER_CLASS:
            raise DataError(
                f"{data.source}: class {name!s} has {count} of the {data.noun}: every class "
                "needs at "
                f"least {_FEWEST_PER_CLASS}; remove or merge it, or say --no-labels"
            )
    if data.is_matrix and not np.ptp(data.X) > 0:
        raise DataError(f"{data.source}: all proximities are equal: there is nothing to learn")
    if data.kind in ("vectors", "curves") and not np.ptp(data.X, axis=0).any():
        raise DataError(f"{data.source}: all {data.noun} are equal: there is nothing to learn")
    return data.sample(settings.max_objects, random_state=settings.random_state)
