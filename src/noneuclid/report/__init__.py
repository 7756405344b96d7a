"""One analysis, one self-contained HTML page."""

from noneuclid.report._numbers import number, percent, plus_minus
from noneuclid.report.analysis import analyze, parts_of
from noneuclid.report.blocks import Analysis, Fact, Facts, Figure, Prose, Section, Table
from noneuclid.report.comparison import Settings
from noneuclid.report.fitting import fit_best, fit_described, fit_numbers
from noneuclid.report.matrices import edit_distances
from noneuclid.report.parts import Part, Study, compose
from noneuclid.report.render import render

__all__ = [
    "Analysis",
    "Fact",
    "Facts",
    "Figure",
    "Part",
    "Prose",
    "Section",
    "Settings",
    "Study",
    "Table",
    "analyze",
    "compose",
    "edit_distances",
    "fit_best",
    "fit_described",
    "fit_numbers",
    "number",
    "parts_of",
    "percent",
    "plus_minus",
    "render",
]
