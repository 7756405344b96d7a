"""Curves as people have them: with their own times, gaps and several channels."""

from noneuclid.curves.container import Curves
from noneuclid.curves.grids import CurveGrid
from noneuclid.curves.opening import as_curves
from noneuclid.curves.representations import InBasis, OnGrid

__all__ = ["CurveGrid", "Curves", "InBasis", "OnGrid", "as_curves"]
