"""Costs: distances and who belongs to whom in, value and forces out. One class, one file.

A new cost is a file of this folder, or a class of yours; nothing has to be registered. The costs
of quantisation without labels are in :mod:`~noneuclid.prototypes.costs.neighbourhoods`.
"""

import importlib
import pkgutil
from typing import Annotated, Any

from sklearn.base import clone

from noneuclid._checks import shown
from noneuclid._parameters import Made
from noneuclid.prototypes.costs.base import Cost, CostCode, Evaluation, Membership, Outset
from noneuclid.prototypes.costs.cross_entropy import CrossEntropyCost
from noneuclid.prototypes.costs.glvq import GLVQCost
from noneuclid.prototypes.costs.kohonen import LVQ1Cost, LVQ21Cost
from noneuclid.prototypes.costs.rslvq import RSLVQCost

__all__ = [
    "Cost",
    "CostCode",
    "CrossEntropyCost",
    "Evaluation",
    "GLVQCost",
    "LVQ1Cost",
    "LVQ21Cost",
    "Membership",
    "Outset",
    "RSLVQCost",
    "as_cost",
    "costs",
]

for _module in pkgutil.iter_modules(__path__, f"{__name__}."):
    importlib.import_module(_module.name)


def costs() -> dict[str, type[Cost]]:
    """All costs by name: those of this folder, and any other sub-class of ``Cost`` with a name.

    Examples
    --------
    >>> sorted(costs())
    ['cross_entropy', 'glvq', 'lvq1', 'lvq21', 'rslvq']
    """
    found: dict[str, type[Cost]] = {}
    waiting: list[type[Cost]] = [Cost]  # type: ignore[type-abstract]
    while waiting:
        cls = waiting.pop(0)
        waiting += cls.__subclasses__()
        if "name" in vars(cls):
            found.setdefault(cls.name, cls)
    return found


def as_cost(cost: str | Cost, /, **known_parameters: Any) -> Cost:
    """Return an independent cost: a copy of the one given, or the one a name stands for.

    The latter takes those of the parameters that it has.

    Examples
    --------
    >>> as_cost("glvq")
    GLVQCost()
    """
    if isinstance(cost, Cost):
        return clone(cost)
    known = costs()
    if not isinstance(cost, str) or cost not in known:
        names = ", ".join(f'"{name}"' for name in sorted(known))
        raise ValueError(f"cost (={shown(cost)}) must be one of {names}, or a Cost")
    names = known[cost]._get_param_names()  # type: ignore[assignment]
    return known[cost](
        **{name: known_parameters[name] for name in names if name in known_parameters}
    )


CostLike = Annotated[str | Cost, Made(as_cost)]
