"""Which models have prototypes made of objects."""

from typing import Any

from noneuclid._data import check_is_fitted


def require_combinations(model: Any, function: str) -> None:
    """Raise unless the model is fitted, and its prototypes are combinations of objects.

    Examples
    --------
    >>> from noneuclid.prototypes import GLVQ
    >>> require_combinations(GLVQ().fit([[0.0], [1.0]], [0, 1]), "sparsify")
    Traceback (most recent call last):
    ...
    TypeError: sparsify takes models whose prototypes are made of objects (ProximityLVQ,
    ProximityRegressor, ProximityNeuralGas, ProximitySOM and their kin), and GLVQ is none of them
    """
    check_is_fitted(model)
    if not (hasattr(model, "relation_") and hasattr(model, "coefficients_")):
        raise TypeError(
            f"{function} takes models whose prototypes are made of objects (ProximityLVQ, "
            "ProximityRegressor, ProximityNeuralGas, ProximitySOM and their kin), and "
            f"{type(model).__name__} is none of them"
        )
