"""Figures: ``SomethingDisplay.from_estimator(...)``. matplotlib is imported when one is drawn."""

from noneuclid.displays.embedding import EmbeddingDisplay
from noneuclid.displays.information import PermutationDisplay
from noneuclid.displays.maps import (
    ClassMapDisplay,
    ComponentPlanesDisplay,
    HitMapDisplay,
    UMatrixDisplay,
)
from noneuclid.displays.spectrum import SpectrumDisplay
from noneuclid.displays.spikes import ComponentFunctionsDisplay, RasterDisplay, SpikeScoresDisplay
from noneuclid.displays.training import LossDisplay, SparsityDisplay
from noneuclid.displays.vectors import ComponentDisplay, PrototypeDisplay

__all__ = [
    "ClassMapDisplay",
    "ComponentDisplay",
    "ComponentFunctionsDisplay",
    "ComponentPlanesDisplay",
    "EmbeddingDisplay",
    "HitMapDisplay",
    "LossDisplay",
    "PermutationDisplay",
    "PrototypeDisplay",
    "RasterDisplay",
    "SparsityDisplay",
    "SpectrumDisplay",
    "SpikeScoresDisplay",
    "UMatrixDisplay",
]
