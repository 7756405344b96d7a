"""Curves over a common axis."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Unpack

import numpy as np

from noneuclid.displays.charts import Key
from noneuclid.displays.style import colour
from noneuclid.report.blocks import Figure, Words
from noneuclid.report.figures.svg import Plot, limits, tick_labels
from noneuclid.typing import Array, IntArray

_MOST_POINTS = 240
_DASHES = ("", "9 4", "3 3", "12 4 3 4")


@dataclass(frozen=True)
class Series:
    """One curve of a figure."""

    name: str
    y: Array
    x: Array | None = None
    dash: str | None = None
    """Strokes and gaps; by default others for every curve without marks, for those who do not see
    colours."""
    colour: str | None = None
    width: float = 2.2
    marks: bool = False


def lines(
    x: Array,
    series: Sequence[Series],
    *,
    axes: tuple[str, str],
    background: Array | None = None,
    background_colours: Sequence[str] | None = None,
    log: bool = False,
    zero: bool = False,
    height: int = 360,
    ylim: tuple[float, float] | None = None,
    vertical: tuple[float, str] | None = None,
    horizontal: tuple[float, str] | None = None,
    whole: bool = False,
    **words: Unpack[Words],
) -> Figure:
    """Draw curves.

    Parameters
    ----------
    x : array of shape (d,)
        Positions of all curves that have none of their own.
    series : sequence of Series
    axes : (str, str)
    background : array of shape (k, d), optional
        Thin curves without names; ``background_colours`` are theirs.
    log, zero, whole : bool
        A logarithmic horizontal axis; a vertical one that includes 0; ticks at whole numbers.
    height : int
    ylim : (float, float), optional
    vertical, horizontal : (float, str), optional
        A line across, and its name.
    title, reading, how : str
        Words of the figure.
    """
    behind = np.zeros((0, len(x))) if background is None else background
    xs = [s.x for s in series if s.x is not None] or [x]
    xlim = limits(*xs, pad=0.03 if any(s.marks for s in series) else 0.0)
    if log:
        xlim = float(min(map(np.min, xs))) / 1.15, float(max(map(np.max, xs))) * 1.15
    ylim = ylim or limits(*(s.y for s in series), behind, zero=zero)
    across = tick_labels(*xlim, whole=True) if whole else None
    plot = Plot(xlim, ylim, xlabel=axes[0], ylabel=axes[1], height=height, log=log, xticks=across)
    left, top, right, _ = plot.box
    for k, curve in enumerate(behind):
        stroke = "#8a939c" if background_colours is None else background_colours[k]
        keep = _thinned(len(x))
        plot.line(x[keep], curve[keep], stroke, 0.7, opacity=0.45)
    if ylim[0] < 0 < ylim[1]:
        plot.level(0.0)
    if vertical is not None:
        plot.vertical(*vertical, below=top + 14, turn=(left + right) / 2)
    if horizontal is not None:
        plot.horizontal(*horizontal)
    legend = []
    for k, one in enumerate(series):
        stroke, own = one.colour or colour(k), x if one.x is None else one.x
        usual = "" if one.marks else _DASHES[k % len(_DASHES)]
        dash = usual if one.dash is None else one.dash
        keep = _thinned(len(own))
        if len(behind):  # so that it stands out from the others
            plot.line(own[keep], one.y[keep], "#ffffff", one.width + 2, opacity=0.8)
        plot.line(own[keep], one.y[keep], stroke, one.width, dash=dash)
        if one.marks:
            many = len(own)
            for path in plot.points(own, one.y, [stroke] * many, [k] * many):
                plot.add(f'<path d="{path}" fill="{stroke}"/>')
        legend.append(Key(one.name, stroke, dash, k if one.marks else None, one.marks))
    names = f"Curves: {', '.join(s.name for s in series)}. " if series else ""
    return plot.figure(legend, before=names, **words)


def _thinned(n: int) -> IntArray:
    """Indices of at most a few hundred points: more cannot be seen."""
    return np.unique(np.linspace(0, n - 1, min(n, _MOST_POINTS)).round().astype(int))
