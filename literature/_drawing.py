"""What the figures of the literature share: size, letters, colours, and how points are drawn.

A picture is as wide as a phone shows it, so that its letters need not shrink.
"""

from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
import numpy as np
from cycler import cycler
from matplotlib.figure import Figure

from noneuclid.displays.style import COLOURS, MARKERS, QUIET

WIDTH = 4.4
STYLE = {
    "axes.prop_cycle": cycler(color=COLOURS),
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "axes.labelsize": 10,
    "xtick.labelsize": 9,
    "ytick.labelsize": 9,
    "legend.fontsize": 9,
    "legend.frameon": False,
    "image.cmap": "cividis",
    "lines.linewidth": 1.6,
    "svg.hashsalt": "noneuclid",
}
LIGHT = "#9fa9b3"


@dataclass(frozen=True)
class Drawing:
    """A figure of a source: how it is drawn, and what it shows, in words."""

    caption: str
    draw: Any


DRAWINGS: dict[str, Drawing] = {}


def shows(item: str, caption: str):
    """Register a function (record, printed) -> Figure as the drawing of an item."""

    def register(function):
        DRAWINGS[item] = Drawing(caption, function)
        return function

    return register


def panels(rows=1, columns=1, height=2.6, **options):
    """A new figure and its axes: alone, or as an array."""
    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    return figure, figure.subplots(rows, columns, **options)


def value(record, row, column="value"):
    """Our number and its standard error (0 if it has none)."""
    found = record["cells"][row][column]
    return found["value"], found["error"] or 0.0


def key(target, n, **options):
    """A legend above the axes or the figure, where it covers no data."""
    if isinstance(target, Figure):
        target.legend(loc="outside upper center", ncols=n, **options)
    else:
        anchor = {"loc": "lower center", "bbox_to_anchor": (0.5, 1.0)}
        spaces = {"handletextpad": 0.4, "columnspacing": 1.0}
        target.legend(ncols=n, **anchor, **spaces, **options)


def dots(ax, names, found, printed=None, *, colour=COLOURS[0], offset=0.0, label="ours"):
    """Numbers with two standard errors, one line each; published ones as open diamonds."""
    places = np.arange(len(names)) + offset
    means, errors = np.transpose(found)
    style = {"fmt": "o", "color": colour, "capsize": 3, "label": label}
    ax.errorbar(means, places, xerr=2 * errors, **style)
    given = [(x, y) for x, y in zip(printed or [], places) if x]
    if given:
        x, y = np.transpose([(float(x), y) for x, y in given])
        ax.plot(x, y, "D", mfc="none", mec="black", ms=8, label="published")
    ax.set_yticks(np.arange(len(names)), names)
    ax.set_ylim(len(names) - 0.5, -0.5)


def cloud(ax, points, classes, names, *, size=14, alpha=0.75):
    """Points of two or more classes, each with its colour and mark."""
    x, y = np.asarray(points)
    classes = np.asarray(classes)
    for k, name in enumerate(names):
        own = classes == k
        style = {"color": COLOURS[k % 8], "marker": MARKERS[k % 8], "label": name}
        ax.scatter(x[own], y[own], s=size, alpha=alpha, linewidths=0, **style)


def faint(ax, points, classes=None, size=16):
    """Objects in the background."""
    x, y = np.asarray(points)
    if classes is None:
        ax.scatter(x, y, s=size, color=LIGHT, linewidths=0)
        return
    for k, mark in enumerate(MARKERS[: max(classes) + 1]):
        own = np.asarray(classes) == k
        ax.scatter(x[own], y[own], s=size, color=LIGHT, marker=mark, linewidths=0)


def save(item, record, printed, path) -> None:
    """Draw an item into a file."""
    with mpl.rc_context({**mpl.rcParamsDefault, **STYLE, "backend": "agg"}):
        figure = DRAWINGS[item].draw(record, printed)
        figure.savefig(path, facecolor="white", metadata={"Date": None})


__all__ = ["COLOURS", "DRAWINGS", "LIGHT", "MARKERS", "QUIET", "WIDTH"]
__all__ += ["cloud", "dots", "faint", "key", "panels", "save", "shows", "value"]
