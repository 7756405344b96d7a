"""How the figures of the gallery look: colours of the library's own displays, letters to read."""

import matplotlib as mpl
from cycler import cycler

from noneuclid.displays.style import COLOURS, MARKERS

STYLE = {
    "axes.prop_cycle": cycler(color=COLOURS),
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 12,
    "axes.titlelocation": "left",
    "axes.labelsize": 11,
    "xtick.labelsize": 10,
    "ytick.labelsize": 10,
    "legend.fontsize": 10,
    "legend.frameon": False,
    "figure.dpi": 100,
    "figure.figsize": (7.0, 4.4),
    "figure.constrained_layout.use": True,
    "image.cmap": "cividis",
    "lines.linewidth": 1.8,
    "scatter.marker": MARKERS[0],
}


def reset(gallery_conf, fname):
    """Before every example."""
    mpl.rcdefaults()
    mpl.use("Agg")
    mpl.rcParams.update(STYLE)
