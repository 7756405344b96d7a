"""Curves over a common axis."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from noneuclid.displays.style import colour
from noneuclid.report.blocks import Figure
from noneuclid.report.figures.svg import Plot, legend_line, limits, mark, tick_label, ticks
from noneuclid.typing import Array, IntArray

_MOST_POINTS = 240


@dataclass(frozen=True)
class Series:
    """One curve of a figure."""

    name: str
    y: Array
    x: Array | None = None
    dash: str = ""
    colour: str | None = None
    width: float = 2.2
    marks: bool = False


def lines(
    x: Array,
    series: Sequence[Series],
    *,
    title: str,
    axes: tuple[str, str],
    reading: str,
    how: str,
    background: Array | None = None,
    background_colours: Sequence[str] | None = None,
    log: bool = False,
    zero: bool = False,
    height: int = 360,
    ylim: tuple[float, float] | None = None,
    vertical: tuple[float, str] | None = None,
    horizontal: tuple[float, str] | None = None,
    whole: bool = False,
) -> Figure:
    """Draw curves.

    Parameters
    ----------
    x : array of shape (d,)
        Positions of all curves that have none of their own.
    series : sequence of Series
    title, axes, reading, how : str
        Words of the figure.
    background : array of shape (k, d), optional
        Thin curves without names; ``background_colours`` are theirs.
    log, zero, whole : bool
        A logarithmic horizontal axis; a vertical one that includes 0; ticks at whole numbers.
    height : int
    ylim : (float, float), optional
    vertical, horizontal : (float, str), optional
        A line across, and its name.
    """
    everything = [s.y for s in series] + ([] if background is None else [background])
    xs = [s.x for s in series if s.x is not None] or [x]
    xlim = limits(*xs, pad=0.0 if not any(s.marks for s in series) else 0.03)
    if log:
        xlim = float(min(map(np.min, xs))) / 1.15, float(max(map(np.max, xs))) * 1.15
    plot = Plot(
        xlim,
        ylim or limits(*everything, zero=zero),
        xlabel=axes[0],
        ylabel=axes[1],
        height=height,
        log=log,
        xticks=[(v, tick_label(v)) for v in ticks(*xlim, whole=True)] if whole else None,
    )
    for k, curve in enumerate([] if background is None else background):
        keep = _thinned(len(x))
        stroke = "#8a939c" if background_colours is None else background_colours[k]
        plot.line(x[keep], curve[keep], stroke, 0.7, stroke_opacity="0.45")
    _cross_lines(plot, vertical, horizontal)
    legend = []
    for k, one in enumerate(series):
        stroke = one.colour or colour(k)
        _draw(plot, x if one.x is None else one.x, one, k, stroke)
        legend.append((legend_line(stroke, one.dash), one.name))
    names = f"Curves: {', '.join(s.name for s in series)}. " if series else ""
    return Figure(title, plot.svg(title, names + reading), reading, how, legend)


def _draw(plot: Plot, x: Array, one: Series, k: int, stroke: str) -> None:
    keep = _thinned(len(x))
    plot.line(x[keep], one.y[keep], stroke, one.width, stroke_dasharray=one.dash)
    if one.marks:
        for a, b in zip(plot.x(x), plot.y(one.y)):
            plot.add(f'<path d="{mark(k, float(a), float(b), 5)}" fill="{stroke}"/>')


def _cross_lines(
    plot: Plot, vertical: tuple[float, str] | None, horizontal: tuple[float, str] | None
) -> None:
    left, _, right, _ = plot.box
    if plot.ylim[0] < 0 < plot.ylim[1]:
        plot.add(f'<path class="zero" d="M{left} {float(plot.y(0.0)):.1f}H{right}"/>')
    if vertical is not None:
        plot.vertical(*vertical, below=plot.box[1] + 14, turn=(left + right) / 2)
    if horizontal is not None:
        place = float(plot.y(horizontal[0]))
        plot.add(f'<path class="marker" d="M{left} {place:.1f}H{right}"/>')
        plot.text(right - 4, place - 6, horizontal[1], "end")


def _thinned(n: int) -> IntArray:
    """Indices of at most a few hundred points: more cannot be seen."""
    return np.unique(np.linspace(0, n - 1, min(n, _MOST_POINTS)).round().astype(int))
