"""Compile ahead what a first fit would compile: ``noneuclid warm-up``.

numba keeps what it compiled on disk. So one small problem of every kind, worked through once, is
all that it takes: every estimator with its defaults, every geometry, every metric of series and
spikes, and sizes for which code runs on all cores.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.datasets import load_iris
from sklearn.utils import get_tags

from noneuclid._discovery import all_estimators
from noneuclid._sklearn import BaseEstimator
from noneuclid.numerics.ties import first_least

_SERIES = ("dtw", "ddtw", "wdtw", "adtw", "shape_dtw", "erp", "edr", "lcss", "msm", "twe")
_SPIKES = ("victor_purpura", "van_rossum")
# As many rows as make code for all cores worth while.
_MANY = 700
# Little data in spaces that are not Euclidean needs no compiled code; repeated so often, it does.
_TIMES = 80


def first_problem(cls: type[BaseEstimator]) -> tuple[Any, Any, Any]:
    """An estimator with its defaults, a little data of its kind, and labels."""
    X, y = load_iris(return_X_y=True)
    model = cls()
    if "random_state" in model.get_params():
        model.set_params(random_state=0)
    tags = get_tags(model).input_tags
    if not tags.two_d_array:
        from noneuclid.spikes import jittered_templates

        return model, jittered_templates(len(X), random_state=0).trains, y
    if tags.pairwise:
        unlike = getattr(model, "proximity", "similarity") == "dissimilarity"
        return model, cdist(X, X, "sqeuclidean") if unlike else X @ X.T, y
    return model, X, y


def tasks() -> Iterator[tuple[str, Callable[[], Any]]]:
    """What is worked through, each with a name."""
    for cls in all_estimators():
        yield cls.__name__, partial(_first_fit, cls)
    yield from _in_spaces()
    yield from _of_objects()
    yield from _of_many()


def cache_folder() -> str | None:
    """Where compiled code is kept: a folder, or None where none is writable."""
    stats = getattr(first_least, "stats", None)
    return getattr(stats, "cache_path", None)


def _first_fit(cls: type[BaseEstimator]) -> None:
    _tried(*first_problem(cls))


def _tried(model: Any, X: Any, y: Any) -> None:
    model.fit(X, y)
    of_pairs = get_tags(model).input_tags.pairwise  # some want self-similarities of new objects
    for method in ("predict", "transform"):
        if hasattr(model, method) and not of_pairs:
            getattr(model, method)(X)


def _tried_on_many(model: Any, X: Any, y: Any) -> None:
    _tried(model, X, y)
    model.predict(X[:_MANY])  # on one core


def _in_spaces() -> Iterator[tuple[str, Callable[[], Any]]]:
    from noneuclid.kernels import Gaussian
    from noneuclid.prototypes import (
        GLVQ,
        LVQ1,
        RSLVQ,
        FuzzyLabelledNeuralGas,
        NeuralGas,
        SelfOrganizingMap,
    )
    from noneuclid.spaces import KernelMetric, LeeVerleysen, Sobolev

    X, y = load_iris(return_X_y=True)
    steps: list[Any] = [
        GLVQ(solver="sgd", max_epochs=1),
        RSLVQ(solver="sgd", max_epochs=1),
        NeuralGas(solver="online", max_epochs=1),
        SelfOrganizingMap(solver="online", max_epochs=1),
        FuzzyLabelledNeuralGas(solver="online", max_epochs=1),
    ]
    for model in steps:
        yield f"{type(model).__name__}, sample by sample", partial(_tried, model, X, y)
    of_kernel = KernelMetric(Gaussian())
    model = GLVQ(space=of_kernel, solver="sgd", learning_rate=0.1, max_epochs=1)
    yield f"GLVQ in {of_kernel}, sample by sample", partial(_tried, model, X, y)
    spaces = ("l1", "l1.5", "l2.5", "linf", Sobolev(p=1), LeeVerleysen(), KernelMetric(Gaussian()))
    many = np.tile(X, (_TIMES, 1)), np.tile(y, _TIMES)
    for space in spaces:
        for cls in (GLVQ, LVQ1, NeuralGas, SelfOrganizingMap):
            made = cls(space=space, max_epochs=2)
            yield f"{cls.__name__} in {space}", partial(_tried_on_many, made, *many)


def _of_objects() -> Iterator[tuple[str, Callable[[], Any]]]:
    from noneuclid.proximities import metrics, pairwise
    from noneuclid.spikes import jittered_templates

    series = list(np.random.default_rng(0).normal(size=(12, 20)))
    trains = jittered_templates(12, random_state=0).trains
    known = set(metrics())
    for names, objects in ((_SERIES, series), (_SPIKES, trains)):
        for name in names:
            if name in known:
                yield name, partial(pairwise, objects, name)


def _of_many() -> Iterator[tuple[str, Callable[[], Any]]]:
    from noneuclid.information import independence_test, two_sample_test
    from noneuclid.kernels import Gaussian, SpikeTrainKernel
    from noneuclid.spikes import jittered_templates

    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(_MANY, 2)), rng.normal(size=(_MANY, 2))
    trains, narrow = jittered_templates(_MANY, random_state=0).trains, SpikeTrainKernel(0.001)
    grid = np.linspace(0.0, 0.25, _MANY)
    yield "kernels of many rows", lambda: Gaussian(width=1.0)(X)
    yield "spike trains", lambda: narrow(trains)
    yield "intensities of spike trains", lambda: narrow.intensities(trains, grid)
    yield "two_sample_test", lambda: two_sample_test(X, Y, n_permutations=20, random_state=0)
    yield "independence_test", lambda: independence_test(X, Y, n_permutations=20, random_state=0)
