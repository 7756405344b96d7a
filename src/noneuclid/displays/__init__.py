"""Figures: ``SomethingDisplay.from_estimator(...)``. matplotlib is imported when one is drawn."""

from noneuclid.displays.information import PermutationDisplay
from noneuclid.displays.spikes import ComponentFunctionsDisplay, RasterDisplay, SpikeScoresDisplay

__all__ = [
    "ComponentFunctionsDisplay",
    "PermutationDisplay",
    "RasterDisplay",
    "SpikeScoresDisplay",
]
