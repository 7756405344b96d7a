"""From a dataset to an analysis."""

import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from threadpoolctl import threadpool_limits

from noneuclid._files import BadClasses
from noneuclid.datasets import DataError, Dataset, kept_together
from noneuclid.prototypes.quantizers.groups import group_sizes
from noneuclid.report.blocks import Analysis
from noneuclid.report.checking import require
from noneuclid.report.comparison import Settings, outer_folds
from noneuclid.report.kinds import PARTS, number_parts
from noneuclid.report.matrices import compared
from noneuclid.report.parts.base import Advance, Part, Study, compose

_FEWEST_OBJECTS = 8
_FEWEST_PER_CLASS = 4

# How many models are compared.
_MODELS = {"curves": 8, "vectors": 5}
_OTHER_MODELS = 6


def analyze(
    data: Dataset,
    settings: Settings | None = None,
    *,
    parts: Sequence[Callable[[Study], Part]] = (),
    advance: Advance = lambda what: None,
    metric: str | None = None,
) -> Analysis:
    """Analyse a dataset by what kind it is.

    Parameters
    ----------
    data : Dataset
        For instance from :func:`noneuclid.datasets.read_dataset`.
    settings : Settings, optional
        How much work to do.
    parts : sequence of callables
        Further parts, after those of this kind of data: classes or functions that take a
        :class:`Study` and give a :class:`Part`.
    advance : callable
        Called with what was done after every step.
    metric : str, optional
        The distance between sequences; by default that of the settings.

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
    if metric is not None:
        settings = replace(settings, metric=metric)
    study = Study(prepared(data, settings), settings, advance)
    # Many small fits: more BLAS threads only wait for each other, and change the rounding.
    with warnings.catch_warnings(record=True) as caught, threadpool_limits(1, "blas"):
        warnings.simplefilter("always")
        chosen = parts_of(study)
        fitted = next((part.model for part in chosen if part.model is not None), None)
        chosen += [part(replace(study, model=fitted)) for part in parts]
        found = compose(study, chosen)
    found.notes.extend(_remarks(caught))
    if fitted is not None:
        remember(fitted, study.data)
    return found


def parts_of(study: Study) -> list[Part]:
    """The parts an analysis of this kind of data has, to be reordered, left out or added to.

    Examples
    --------
    >>> from noneuclid.datasets import make_contaminated
    >>> from dataclasses import replace
    >>> study = Study(replace(make_contaminated(40), labels=None))
    >>> compose(study, parts_of(study)[-1:]).sections[0].title
    'Outliers, ranked'
    """
    if study.data.target is not None:
        return number_parts(study)
    return PARTS[study.data.kind](study)


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
    if data.target is not None:
        models = {"curves": 8, "vectors": 6}.get(data.kind, 3)
        return models * settings.folds * settings.repeats + 1
    if data.labels is None:
        return 4 + len(group_sizes(min(len(data), settings.max_objects)))
    models = _MODELS.get(data.kind, _OTHER_MODELS)
    return models * outer_folds(np.asarray(data.labels), settings) * settings.repeats + 5


def remember(fitted: object, data: Dataset) -> None:
    """Note on a model what it was fitted on, so that new files can be checked against it."""
    fitted.trained_on_ = {  # type: ignore[attr-defined]
        "kind": data.kind,
        "source": data.source,
        "names": list(map(str, data.names)),
        "features": None if data.features is None else list(map(str, data.features)),
        "grid": None if data.grid is None else np.asarray(data.grid, dtype=np.float64),
        "plain": data.plain,
        "said": dict(data.said),
        "half_width": getattr(fitted, "half_width_", None),
    }


def prepared(data: Dataset, settings: Settings) -> Dataset:
    """The dataset, a sample of it if it is large; raises if it is too small to learn from."""
    require(data, _FEWEST_OBJECTS, "an analysis")
    _require_classes(data, "remove or merge it")
    whole, data = data, data.sample(settings.max_objects, random_state=settings.random_state)
    if data is not whole:
        _require_classes(data, f"of {len(whole)} a random sample was taken: raise --max-objects")
    flat = data.is_matrix and not np.ptp(data.X) > 0
    if flat or (data.kind in ("vectors", "curves") and not np.ptp(data.X, axis=0).any()):
        what = "proximities" if flat else data.noun
        raise DataError(f"{data.source}: all {what} are equal: there is nothing to learn")
    if data.labels is not None or data.target is not None:
        data = kept_together(data)
    return compared(data, settings.metric) if data.kind == "sequences" else data


def _require_classes(data: Dataset, remedy: str) -> None:
    for name, count in data.classes.items():
        if count < _FEWEST_PER_CLASS:
            raise BadClasses(
                f"{data.source}: class {name!s} has {count} of the {data.noun}: every class needs "
                f"at least {_FEWEST_PER_CLASS}; {remedy}"
            )
