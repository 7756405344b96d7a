"""Prototypes that say numbers."""

from noneuclid.prototypes.regressors.proximity import ProximityRegressor
from noneuclid.prototypes.regressors.vectors import PrototypeRegressor

__all__ = ["PrototypeRegressor", "ProximityRegressor"]
