"""The figures of a page as SVG; their colours, marks and numbers are those of ``displays``."""

from noneuclid.report.figures.agreement import agreement
from noneuclid.report.figures.charts import bars, intervals, map_figure, raster, spectrum_figure
from noneuclid.report.figures.lines import Series, lines
from noneuclid.report.figures.scatter import Prototypes, scatter

__all__ = [
    "Prototypes",
    "Series",
    "agreement",
    "bars",
    "intervals",
    "lines",
    "map_figure",
    "raster",
    "scatter",
    "spectrum_figure",
]
