"""Types that earlier releases had elsewhere, by the names their model files use."""

from typing import Any

_CLASSIFIERS, _QUANTIZERS = "noneuclid.prototypes.classifiers", "noneuclid.prototypes.quantizers"
_COSTS = "noneuclid.prototypes.costs"

MOVED = {
    "noneuclid.prototypes.costs.GLVQCost": f"{_COSTS}.glvq.GLVQCost",
}


def refuse_lost(schema: Any) -> None:
    pass
