"""Figures: ``SomethingDisplay.from_estimator(...)``. matplotlib is imported when one is drawn."""

from noneuclid.displays.maps import (
    ClassMapDisplay,
    ComponentPlanesDisplay,
    HitMapDisplay,
    UMatrixDisplay,
)
from noneuclid.displays.spikes import ComponentFunctionsDisplay, RasterDisplay, SpikeScoresDisplay

__all__ = [
    "ClassMapDisplay",
    "ComponentFunctionsDisplay",
    "ComponentPlanesDisplay",
    "HitMapDisplay",
    "RasterDisplay",
    "SpikeScoresDisplay",
    "UMatrixDisplay",
]
