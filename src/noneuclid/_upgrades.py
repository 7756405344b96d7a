"""What models of earlier files kept, as today's attributes.

Before there were relations, every model on proximities kept objects, measures and landmarks in
its own way. Nothing is computed anew here: what a model says rests on the numbers of its file.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from noneuclid._model_files import BadModelFile
from noneuclid.prototypes.geometries.relational import Combined
from noneuclid.proximities import Relation
from noneuclid.proximities._features import LandmarkFeatures
from noneuclid.proximities._inputs import is_precomputed
from noneuclid.proximities._measures import Dissimilarity, Measure, as_measure
from noneuclid.proximities._sources import Source
from noneuclid.proximities._views import LandmarkView, MatrixView, View
from noneuclid.spaces import Euclidean

T = TypeVar("T")
State = dict[str, Any]

AGAIN = (
    "an early noneuclid saved it, which kept proximities in another way: fit the model again and "
    "save it"
)
# Their variances, those of the training objects, were not kept: such models never predicted.
_FROM_DATA = ("mahalanobis", "seuclidean")


class Kept:
    """What an object had whose class is gone."""


def upgrade(model: Any) -> None:
    """Give what was built from an earlier file the attributes that it has today.

    Raises :class:`BadModelFile` where that cannot be done.
    """
    stack, seen = [model], {id(model)}
    while stack:
        thing = stack.pop()
        if isinstance(thing, Kept):  # of a model that cannot have had it
            raise BadModelFile(AGAIN)
        parts: Any = thing if isinstance(thing, (list, tuple)) else ()
        if isinstance(thing, dict):
            parts = thing.values()
        elif type(thing).__module__.startswith(("noneuclid.", "sklearn.")):
            parts = getattr(thing, "__dict__", {})
            _bring_up_to_date(thing, parts)
            parts = parts.values()
        new = [part for part in parts if id(part) not in seen and not isinstance(part, str)]
        seen.update(id(part) for part in new)
        stack.extend(new)


def _bring_up_to_date(thing: Any, state: State) -> None:
    try:
        _UPGRADES.get(type(thing).__name__, lambda thing, state: None)(thing, state)
    except AttributeError:  # nothing is missing here: something in the file is of another type
        raise BadModelFile(f"a part of its {type(thing).__name__} is damaged") from None


# --- names that changed ---------------------------------------------------------------------


def _cost(model: Any, state: State) -> None:
    if "_cost" in state:
        state["cost_"] = state.pop("_cost")
        state.pop("sigma2_", None)  # the cost knows it


def _rows(model: Any, state: State) -> None:
    if "_fit_rows" in state:
        state["_objects"] = state.pop("_fit_rows")


def _deflation(model: Any, state: State) -> None:
    if "components_" in state and "_is_residual" not in state:
        by_space = not model.space_.is_hilbert and model.deflation == "auto"
        state["_is_residual"] = model.rule != "subspace" and (
            by_space or model.deflation == "residual"
        )


def _euclidean(model: Any, state: State) -> None:
    if "components_" in state and "space_" not in state:  # there was no other
        state["space_"] = Euclidean()


def _spectrum(model: Any, state: State) -> None:
    for name in ("_shift", "_similarities", "_corrected_diagonal"):  # computed when asked for
        state.pop(name, None)


# --- relations ------------------------------------------------------------------------------


def _made(cls: type[T], **state: Any) -> T:
    """An object whose constructor would compute what is there already."""
    thing = object.__new__(cls)
    vars(thing).update(state)
    return thing


def _measure(metric: Any, proximity: Any = "similarity") -> Measure | None:
    """What is measured between the objects; None if their matrix was given."""
    if metric is None or is_precomputed(metric):
        return None
    if metric in _FROM_DATA:
        raise BadModelFile(AGAIN)
    return as_measure(metric, proximity)


def _source(objects: Any, measure: Measure | None, **sizes: int) -> Source:
    if objects is not None and measure is not None and measure.takes_objects:
        objects = measure.as_objects(objects)
    return _made(Source, given=objects, measure=measure, plain=False, **sizes)


def _matrix(source: Source, proximity: Any = "similarity", correction: Any = None) -> MatrixView:
    return _made(MatrixView, source=source, proximity=proximity, correction=correction)


def _landmark_view(source: Source, features: LandmarkFeatures) -> LandmarkView:
    return _made(LandmarkView, source=source, features=features, proximity=features.proximity)


def _landmarks(state: State, objects: Any, measure: Measure | None) -> LandmarkFeatures:
    """Features as an embedding, or a model with a map of its own, kept them."""
    chosen, M = state["landmark_indices_"], state["_map"]
    n = len(chosen) if measure is not None else state["n_features_in_"]
    positive, _ = state.get("signature_", (M.shape[1], 0))
    return _made(
        LandmarkFeatures,
        proximity=state.get("proximity", "similarity"),
        correction=state.get("correction"),
        cutoff=state.get("cutoff", "auto"),
        indices=chosen,
        columns=state.get("_columns", chosen),
        n_columns=n,
        landmarks=_source(objects, measure, n=n, n_columns=n),
        _column_means=state.get("_column_means"),
        _map=M,
        signs=np.where(np.arange(M.shape[1]) < positive, 1.0, -1.0),
    )


def _embedded(state: State) -> LandmarkFeatures:
    """The features of an embedding."""
    measure = None
    if not is_precomputed(state["metric"]):
        measure = _measure(vars(state["_function"])["metric"], state["proximity"])
    return _landmarks(state, state.get("_objects"), measure)


def _relation(model: Any, view: View) -> Relation:
    """The relation of a fitted model, as its own parameters ask for it."""
    relation: Relation = model._make_relation()
    source = view.source
    measure: Any = "precomputed" if source.measure is None else source.measure
    relation.metric_ = measure.metric if isinstance(measure, Dissimilarity) else measure
    relation._view, relation.objects_ = view, source.objects
    if "n" in vars(source):
        relation.n_objects_ = source.n
    if "n_features_in_" in vars(model):
        relation.n_features_in_ = model.n_features_in_
    return relation


def _embedding(model: Any, state: State) -> None:
    if "_map" in state:
        state["_features"] = _embedded(state)
        for name in ("_columns", "_column_means", "_function", "_map", "_objects"):
            state.pop(name, None)
        del state["landmark_indices_"], state["signature_"]


def _related(model: Any, state: State) -> None:
    if "_fit_rows" not in state:
        return
    rows, kernel = state.pop("_fit_rows"), _measure(state.pop("kernel_"))
    n = len(rows) if kernel is not None else state["n_features_in_"]
    if "center" in state:
        state["_is_centred"] = bool(state["center"])
    if state.get("landmark_indices_") is None:
        view: View = _matrix(_source(rows, kernel, n=n, n_columns=n))
    else:
        # With a kernel, nobody knows how many objects there were besides the landmarks.
        sizes = {} if kernel is not None else {"n": n, "n_columns": n}
        view = _landmark_view(_source(None, kernel, **sizes), _landmarks(state, rows, kernel))
        # The dual coefficients are M W', and the columns of M = Q Λ^(-1/2) orthogonal.
        M = state.pop("_map")
        state["_W"] = state["dual_coefficients_"].T @ (M / np.einsum("ij,ij->j", M, M))
        del state["_weights"], state["_offset"]
    state["relation_"] = _relation(model, view)
    state.pop("landmark_indices_", None)


def _components(model: Any, state: State) -> None:
    _related(model, state)
    if "_weights" in state and "_mean_weights" not in state:  # for pre-images
        n, centred = len(state["_weights"]), state.get("_is_centred", True)
        state["_mean_weights"] = np.full(n, 1.0 / n if centred else 0.0)


def _trains(model: Any, state: State) -> None:
    if "_trains" not in state:
        return
    trains, kernel = state.pop("_trains"), _measure(state.pop("kernel_"))
    view = _matrix(_source(trains, kernel, n=len(trains), n_columns=len(trains)))
    state["relation_"] = _relation(model, view)
    state["relation_"].metric = kernel  # the default has a width from the data
    model._publish(state["dual_coefficients_"], state.pop("_mean_column"))
    del state["_mean"]


def _prototypes(model: Any, state: State) -> None:
    if not {"_source", "coefficients_"} <= set(state):
        return
    _cost(model, state)
    for name in set(state) - set(model.get_params(deep=False)):
        if not name.startswith("_") and not name.endswith("_"):  # fixed by the class now
            del state[name]
    kept, landmarks = vars(state.pop("_source")), state.pop("_features")
    correction, n = state.pop("_correction"), state["coefficients_"].shape[1]
    vectors = signs = None
    if landmarks is None:
        measure = _measure(kept.get("kernel", kept["metric"]), kept["proximity"])
        source = _source(kept["objects"], measure, n=n, n_columns=n)
        view: View = _matrix(source, kept["proximity"], correction)
    else:
        features = _embedded(vars(vars(landmarks)["embedding"]))
        vectors, signs = vars(landmarks)["W"], features.signs
        measure = features.landmarks.measure
        n_columns = n if measure is not None else features.n_columns
        view = _landmark_view(_source(None, measure, n=n, n_columns=n_columns), features)
    state["relation_"] = _relation(model, view)
    state["_combined"] = _made(
        Combined,
        relation=state["relation_"],
        G=state["coefficients_"],
        squares=state.pop("_q"),
        vectors=vectors,
        signs=signs,
        self_value=state.pop("_self_proximity"),
    )


_ON_PROXIMITIES = (
    "KernelGLVQ", "KernelRSLVQ", "MedianLVQ", "ProximityLVQ", "ProximityNeuralGas",
    "ProximitySOM", "RelationalGLVQ", "RelationalRSLVQ",
)  # fmt: skip
_UPGRADES: dict[str, Callable[[Any, State], None]] = {
    **dict.fromkeys(("GLVQ", "GMLVQ", "LVQ1", "LVQ21", "RSLVQ"), _cost),
    **dict.fromkeys(("GeneralizedKernelPCA", "KernelHebbianPCA"), _components),
    **dict.fromkeys(_ON_PROXIMITIES, _prototypes),
    "BanachKernelPCA": _rows,
    "GeneralizedPCA": _euclidean,
    "HebbianPCA": _deflation,
    "NystroemEmbedding": _embedding,
    "SpectrumCorrection": _spectrum,
    "SpikeTrainPCA": _trains,
}
