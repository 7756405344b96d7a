"""Figures: ``SomethingDisplay.from_estimator(...)``. matplotlib is imported when one is drawn."""

from noneuclid.displays.spikes import ComponentFunctionsDisplay, RasterDisplay, SpikeScoresDisplay

__all__ = ["ComponentFunctionsDisplay", "RasterDisplay", "SpikeScoresDisplay"]
