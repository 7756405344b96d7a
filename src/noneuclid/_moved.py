"""Model files of earlier releases: where their types are now, and what those keep now.

0.1.0.dev0 had two arrangements of the package under one number; what is said of "before" is the
first of them.
"""

from collections.abc import Callable
from typing import Any

from noneuclid._model_files import BadModelFile

# Where classes were before, and where they are.
_MOVES = (
    (
        "prototypes.cells",
        "prototypes.classifiers.proximity",
        ("KernelGLVQ", "KernelRSLVQ", "RelationalGLVQ", "RelationalRSLVQ"),
    ),
    ("prototypes.gmlvq", "prototypes.classifiers.gmlvq", ("GMLVQ",)),
    ("prototypes.kohonen", "prototypes.classifiers.vectors", ("LVQ1", "LVQ21")),
    ("prototypes.median", "prototypes.classifiers.median", ("MedianLVQ",)),
    ("prototypes.proximity", "prototypes.classifiers.proximity", ("ProximityLVQ",)),
    ("prototypes.vector_lvq", "prototypes.classifiers.vectors", ("GLVQ", "RSLVQ")),
    (
        "prototypes.quantization.fuzzy",
        "prototypes.quantizers.fuzzy",
        ("FuzzyLabelledNeuralGas", "FuzzyLabelledSOM"),
    ),
    ("prototypes.quantization.grids", "prototypes.costs.grids", ("Grid",)),
    ("prototypes.quantization.neural_gas", "prototypes.quantizers.vectors", ("NeuralGas",)),
    (
        "prototypes.quantization.proximity",
        "prototypes.quantizers.proximity",
        ("ProximityNeuralGas", "ProximitySOM"),
    ),
    ("prototypes.quantization.som", "prototypes.quantizers.vectors", ("SelfOrganizingMap",)),
    ("prototypes.costs", "prototypes.costs.glvq", ("GLVQCost",)),
    ("prototypes.costs", "prototypes.costs.kohonen", ("LVQ1Cost", "LVQ21Cost")),
    ("prototypes.costs", "prototypes.costs.rslvq", ("RSLVQCost",)),
)
MOVED = {
    f"noneuclid.{old}.{name}": f"noneuclid.{new}.{name}"
    for old, new, names in _MOVES
    for name in names
}
# What models on proximities kept before there were relations: there is no way from it to one.
LOST = {
    "noneuclid.prototypes._landmark_features.LandmarkFeatures",
    "noneuclid.prototypes._source.ProximitySource",
    "noneuclid.proximities.landmarks.ProximityFunction",
}
AGAIN = (
    "an early noneuclid saved it, which kept proximities in another way: fit the model again and "
    "save it"
)


def upgrade(model: Any) -> None:
    """Give what was built from an earlier file the attributes that it has today.

    Raises :class:`BadModelFile` where that cannot be done.
    """
    stack, seen = [model], {id(model)}
    while stack:
        thing = stack.pop()
        parts: Any = thing if isinstance(thing, (list, tuple)) else ()
        if isinstance(thing, dict):
            parts = thing.values()
        elif type(thing).__module__.startswith(("noneuclid.", "sklearn.")):
            parts = getattr(thing, "__dict__", {})
            if type(thing).__name__ in _UPGRADES:
                _UPGRADES[type(thing).__name__](thing, parts)
            parts = parts.values()
        new = [part for part in parts if id(part) not in seen and not isinstance(part, str)]
        seen.update(id(part) for part in new)
        stack.extend(new)


def _cost(model: Any, state: dict[str, Any]) -> None:
    if "_cost" in state:
        state["cost_"] = state.pop("_cost")


def _rows(model: Any, state: dict[str, Any]) -> None:
    if "_fit_rows" in state:
        state["_objects"] = state.pop("_fit_rows")


def _relation(model: Any, state: dict[str, Any]) -> None:
    if "_trains" in state or state.get("landmark_indices_") is not None:
        raise BadModelFile(AGAIN)
    if "_fit_rows" in state:
        from noneuclid.proximities import Relation

        state["relation_"] = Relation(state.pop("kernel_")).fit(state.pop("_fit_rows"))
        state["_is_centred"] = state.get("center", True)
        state.pop("landmark_indices_", None)


def _deflation(model: Any, state: dict[str, Any]) -> None:
    if "components_" in state and "_is_residual" not in state:
        by_space = not model.space_.is_hilbert and model.deflation == "auto"
        state["_is_residual"] = model.rule != "subspace" and (
            by_space or model.deflation == "residual"
        )


def _spectrum(model: Any, state: dict[str, Any]) -> None:
    for name in ("_shift", "_similarities", "_corrected_diagonal"):  # computed when asked for
        state.pop(name, None)


_UPGRADES: dict[str, Callable[[Any, dict[str, Any]], None]] = {
    **dict.fromkeys(("GLVQ", "GMLVQ", "LVQ1", "LVQ21", "RSLVQ"), _cost),
    **dict.fromkeys(("GeneralizedKernelPCA", "KernelHebbianPCA", "SpikeTrainPCA"), _relation),
    "BanachKernelPCA": _rows,
    "HebbianPCA": _deflation,
    "SpectrumCorrection": _spectrum,
}
