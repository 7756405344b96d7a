"""One analysis, one self-contained HTML page."""

from noneuclid.report.analysis import analyze
from noneuclid.report.blocks import Analysis, Fact, Facts, Figure, Prose, Section, Table
from noneuclid.report.comparison import Settings
from noneuclid.report.fitting import fit_best
from noneuclid.report.render import render
from noneuclid.report.sequences import edit_distances

__all__ = [
    "Analysis",
    "Fact",
    "Facts",
    "Figure",
    "Prose",
    "Section",
    "Settings",
    "Table",
    "analyze",
    "edit_distances",
    "fit_best",
    "render",
]
