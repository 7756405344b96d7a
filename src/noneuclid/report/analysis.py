"""From a dataset to an analysis."""

import inspect
import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Unpack

import numpy as np
from threadpoolctl import threadpool_limits

from noneuclid._files import BadClasses
from noneuclid.datasets import DataError, Dataset, as_dataset, kept_together
from noneuclid.datasets.objects import Said, refuse_unknown
from noneuclid.prototypes.quantizers.groups import group_sizes
from noneuclid.report.blocks import Analysis
from noneuclid.report.calibration import Calibration, ranges
from noneuclid.report.checking import require
from noneuclid.report.comparison import outer_folds
from noneuclid.report.kinds import PARTS, number_parts
from noneuclid.report.matrices import compared
from noneuclid.report.parts.base import Advance, Expect, Part, Study, compose
from noneuclid.report.settings import Settings

_QUICK_FOLDS = 3
_FEWEST_OBJECTS = 8
_FEWEST_PER_CLASS = 4
_ROWS = ("vectors", "curves")

# How many models are compared.
_MODELS = {"curves": 6, "vectors": 6}
_OTHER_MODELS = 8


def analyze(
    data: Any,
    y: Any = None,
    *,
    labels: Any = None,
    target: Any = None,
    groups: Any = None,
    names: Sequence[str] | None = None,
    kind: str = "auto",
    title: str = "",
    x_label: str = "",
    y_label: str = "",
    quick: bool = False,
    settings: Settings | None = None,
    parts: Sequence[Callable[[Study], Part]] = (),
    advance: Advance = lambda what: None,
    expect: Expect | None = None,
    metric: str | None = None,
    **said: Unpack[Said],
) -> Analysis:
    """Analyse data by what kind they are: what the command ``noneuclid analyze`` does.

    Parameters
    ----------
    data : str, Path, DataFrame, array, Curves, list, or Dataset
        A file; a table; rows or proximities; a list of strings or of spike trains.
    y : array of shape (n,), optional
        Classes, or numbers to be predicted: fractions are numbers, words and whole numbers are
        classes.
    labels, target, groups : str or array of shape (n,), optional
        Classes, numbers to be predicted, and which objects belong together: a column of the file
        or table, or the values.
    names : sequence of str, optional
        Of the objects.
    kind : "auto" or a kind of :class:`Dataset`, default="auto"
        What the data are; by default what they look like.
    title : str, optional
        Of the page.
    x_label, y_label : str, optional
        What figures call the axis of curves or the time of spike trains, and the values of curves.
    quick : bool, default=False
        Fewer splits and parameters.
    settings : Settings, optional
        How much work to do, in detail.
    parts : sequence of callables
        Further parts, after those of this kind of data: classes or functions that take a
        :class:`Study` and give a :class:`Part`.
    advance : callable
        Called with what was done after every step.
    expect : callable, optional
        Called with the seconds that the comparison of models will take, as a pilot estimates it.
    metric : str, optional
        The distance between sequences; by default that of the settings.
    **said
        Further parameters of :func:`noneuclid.datasets.read_dataset`: ``ignore``, ``index``,
        ``missing``, ``squared`` …

    Returns
    -------
    Analysis
        ``save("report.html")`` writes the page, ``table(name)`` and ``figure(name)`` give what is
        on it, ``export(folder)`` writes everything, ``model`` is the fitted model.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> found = analyze(X[::3], y[::3], quick=True)
    >>> found.table("All models").columns[:3].tolist()
    ['model', 'what it is', 'accuracy']
    >>> found.model.predict(X[:2])
    array([0, 0])
    """
    refuse_unknown(said, "analyze", list(inspect.signature(analyze).parameters)[1:-1])
    if isinstance(y, Settings):  # which had the second place once
        y, settings = None, y
    settings = settings or Settings()
    if quick:
        few = min(settings.folds, _QUICK_FOLDS)
        settings = replace(settings, folds=few, repeats=1, quick=True)
    if metric is not None:
        settings = replace(settings, metric=metric)
    answers: Any = {"labels": labels, "target": target, "groups": groups, "names": names}
    data = as_dataset(data, y, kind=kind, **answers, **said)
    data = with_labels(data, x_label, y_label)
    found = _analysis(data, settings, parts, advance, expect)
    return replace(found, title=title) if title else found


def with_labels(data: Dataset, x_label: str, y_label: str) -> Dataset:
    """The dataset with what figures call its axis and its values, if it has them."""
    for name, label, kinds in (("x", x_label, ("curves", "spikes")), ("y", y_label, ("curves",))):
        if label and data.kind not in kinds:
            whose = " and ".join({"curves": "curves", "spikes": "spike trains"}[k] for k in kinds)
            raise DataError(f"a label of the {name} axis is for {whose}, not for {data.noun}")
    if x_label or y_label:
        data = replace(data, x_label=x_label, y_label=y_label)
    return data


def _analysis(
    data: Dataset,
    settings: Settings,
    parts: Sequence[Callable[[Study], Part]],
    advance: Advance,
    expect: Expect | None = None,
) -> Analysis:
    study = Study(prepared(data, settings), settings, advance, expect=expect)
    # Many small fits: more BLAS threads only wait for each other, and change the rounding.
    with warnings.catch_warnings(record=True) as caught, threadpool_limits(1, "blas"):
        warnings.simplefilter("always")
        chosen = parts_of(study)
        fitted = next((part.model for part in chosen if part.model is not None), None)
        chosen += [part(replace(study, model=fitted)) for part in parts]
        found = compose(study, chosen)
    found.notes.extend(_remarks(caught))
    if fitted is not None:
        known = next((part.calibration for part in chosen if part.calibration is not None), None)
        remember(fitted, study.data, known)
    return found


def parts_of(study: Study) -> list[Part]:
    """The parts an analysis of this kind of data has, to be reordered, left out or added to.

    Parameters
    ----------
    study : Study
        Data and settings.

    Returns
    -------
    list of Part
        Those that have something to say of such data, in the order of the page.

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


def remember(fitted: object, data: Dataset, known: Calibration | None = None) -> None:
    """Note on a model what it was fitted on, so that new files can be checked against it.

    Known is what objects that were held out say about its predictions.
    """
    fitted.trained_on_ = {  # type: ignore[attr-defined]
        "kind": data.kind,
        "source": data.source,
        "names": list(map(str, data.names)),
        "features": None if data.features is None else list(map(str, data.features)),
        "grid": None if data.grid is None else np.asarray(data.grid, dtype=np.float64),
        "plain": data.plain,
        "said": dict(data.said),
        "half_width": getattr(fitted, "half_width_", None),
        "nearest": getattr(fitted, "nearest_", None),
    }
    if known is not None:
        fitted.trained_on_ |= {"calibration": known.to_dict(), "nearest": known.nearest}  # type: ignore[attr-defined]
    if data.kind in _ROWS and isinstance(data.X, np.ndarray) and len(data.X):
        fitted.trained_on_ |= ranges(data.X) | {"means": data.X.mean(axis=0)}  # type: ignore[attr-defined]


def prepared(data: Dataset, settings: Settings) -> Dataset:
    """The dataset, a sample of it if it is large; raises if it is too small to learn from."""
    require(data, _FEWEST_OBJECTS, "an analysis")
    _require_classes(data, "remove or merge it")
    if data.target is not None and data.kind not in _ROWS:
        data = data.sample(settings.max_objects, random_state=settings.random_state)
    flat = data.is_matrix and not np.ptp(data.X) > 0
    if flat or (data.kind in _ROWS and not np.ptp(data.X, axis=0).any()):
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
