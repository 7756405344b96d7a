"""Bars, intervals, rasters and maps."""

from collections.abc import Sequence
from typing import Unpack

import numpy as np
from numpy.typing import ArrayLike

from noneuclid.displays import style
from noneuclid.displays.charts import Cells, Chart, Key, Line, Points, Strokes, limits_of
from noneuclid.displays.style import COLOURS, class_order, colour
from noneuclid.report._numbers import number
from noneuclid.report.blocks import Figure, Words
from noneuclid.report.figures.svg import WIDTH, Plot, drawing, escape, legend_of, limits, ticks
from noneuclid.typing import Array, IntArray

_MOST_BARS = 200  # more have no room for gaps
_MOST_TRAINS = 200
_MOST_EVENTS = 400


def spectrum_figure(values: Array, *, reading: str, how: str) -> Figure:
    """Eigenvalues as bars, largest first; those below zero in another colour."""
    n = len(values)
    plot = Plot(
        (0.4, n + 0.6),
        limits(values, zero=True),
        xlabel="number of the eigenvalue",
        ylabel="eigenvalue",
        height=320,
        xticks=[(k, str(int(k))) for k in ticks(1, n, 7, whole=True)],
        grid="y",
    )
    zero = float(plot.y(0.0))
    share = 0.72 if n <= _MOST_BARS else 1.0
    sides = np.arange(1, n + 1)[:, None] + share * np.array([-0.5, 0.5])
    edges = plot.x(sides)
    legend = []
    for name, sign, fill in (("positive", 1, style.POSITIVE), ("negative", -1, style.NEGATIVE)):
        path = "".join(
            f"M{a:.1f} {zero:.1f}V{top:.1f}H{b:.1f}V{zero:.1f}z"
            for (a, b), top, value in zip(edges, plot.y(values), values)
            if sign * value > 0
        )
        plot.add(f'<path d="{path}" fill="{fill}"/>')
        own = sign * values > 0
        plot.boxes(sides[own], np.column_stack([0 * values, values])[own], fill)
        legend.append(Key(name, fill))
    plot.level(0.0, "axis")
    return plot.figure(legend, title="Eigenvalues of the similarities", reading=reading, how=how)


def intervals(
    names: Sequence[str],
    scores: Sequence[Array],
    *,
    strong: Sequence[bool],
    reference: tuple[float, str] | None = None,
    xlabel: str = "accuracy on objects not seen (%)",
    scale: float = 100.0,
    highest: float = 100.0,
    kinds: tuple[str, str] = ("prototypes (interpretable)", "baseline"),
    **words: Unpack[Words],
) -> Figure:
    """Scores of all splits as dots, mean ± standard deviation as a bar, one line per model."""
    percents = [scale * np.asarray(s) for s in scores]
    low, high = limits(*percents, *([[scale * reference[0]]] if reference else []), pad=0.06)
    n = len(names)
    plot = Plot(
        (low, min(high, 1.015 * highest)),
        (-0.7, n - 0.3),
        xlabel=xlabel,
        height=44 * n + 90,
        yticks=[(n - 1 - k, "") for k in range(n)],
        grid="x",
        left=16,
    )
    if reference is not None:
        plot.vertical(scale * reference[0], reference[1], below=plot.box[3] - 6, turn=WIDTH / 2)
    for k, name in enumerate(names):
        _interval(plot, name, percents[k], n - 1 - k, strong[k], highest)
    strokes = zip((COLOURS[0], style.QUIET), kinds)
    return plot.figure([Key(name, stroke) for stroke, name in strokes], **words)


def _interval(plot: Plot, name: str, values: Array, row: int, strong: bool, highest: float) -> None:
    mean, sd, y = float(values.mean()), float(values.std()), float(plot.y(row))
    stroke = COLOURS[0] if strong else style.QUIET
    ends = np.array([max(mean - sd, plot.xlim[0]), min(mean + sd, highest)])
    _note_interval(plot, values, ends, row, stroke)
    a, b = plot.x(ends)
    circle = f'<circle cx="{{:.1f}}" cy="{y:.1f}" r="{{}}" fill="{stroke}"{{}}/>'.format
    dots = "".join(circle(x, 3.5, ' fill-opacity="0.3"') for x in plot.x(values))
    bar = f'<path d="M{a:.1f} {y:.1f}H{b:.1f}" stroke="{stroke}" stroke-width="3"/>'
    plot.add(f'<g class="row">{dots}{bar}{circle(float(plot.x(mean)), 7, "")}')
    plot.rowname(row, name, up=13, strong=strong)
    plot.add("</g>")


def _note_interval(plot: Plot, values: Array, ends: Array, row: int, stroke: str) -> None:
    """The dots, the bar and the mean for papers."""
    n, mean = len(values), np.array([values.mean()])
    plot.chart.marks += [
        Points(values, np.full(n, row), [stroke] * n, [0] * n, 3.5, 0.3),
        Line(ends, np.full(2, row), stroke, 3.0),
        Points(mean, np.array([row]), [stroke], [0], 7.0),
    ]


def raster(
    trains: Sequence[Array],
    labels: ArrayLike | None,
    *,
    xlabel: str = "time (unit of the file)",
    **words: Unpack[Words],
) -> Figure:
    """One line per train, one mark per event; trains sorted by class."""
    classes, codes = class_order(labels, len(trains))
    order = np.argsort(codes, kind="stable")[:_MOST_TRAINS]
    times = np.concatenate([trains[i] for i in order])
    step = max(3.0, min(10.0, 420 / len(order)))
    plot = Plot(
        limits(times, pad=0.02),
        (len(order) - 0.5, -0.5),
        xlabel=xlabel,
        ylabel="train",
        height=int(step * len(order)) + 80,
        grid="x",
        yticks=[(k, str(int(k) + 1)) for k in ticks(0, len(order) - 1) if k == int(k)],
    )
    for row, i in enumerate(order):
        top, bottom = plot.y([row - 0.42, row + 0.42])
        shown = trains[i][:_MOST_EVENTS]
        plot.chart.marks.append(Strokes(shown, (row - 0.42, row + 0.42), colour(codes[i])))
        path = "".join(f"M{x:.1f} {top:.1f}V{bottom:.1f}" for x in plot.x(shown))
        plot.add(f'<path d="{path}" stroke="{colour(codes[i])}" stroke-width="1.3"/>')
    return plot.figure([Key(str(name), colour(k)) for k, name in enumerate(classes)], **words)


def bars(names: Sequence[str], values: Array, *, xlabel: str, **words: Unpack[Words]) -> Figure:
    """Named horizontal bars, in the order given."""
    n = len(names)
    values = np.asarray(values, dtype=float)
    low, high = limits(values, zero=True, pad=0.0)
    xlim, ylim, height = (low, high * 1.12 or 1.0), (-0.7, n - 0.3), 34 * n + 86
    plot = Plot(xlim, ylim, xlabel=xlabel, height=height, left=16, yticks=[], grid="x")
    for k, (name, value) in enumerate(zip(names, values)):
        row = n - 1 - k
        y = float(plot.y(row))
        a, b = sorted(plot.x([0.0, value]))
        plot.boxes(np.array([[0.0, value]]), np.array([[row - 0.33, row - 0.03]]), COLOURS[0])
        plot.add(
            f'<rect x="{a:.1f}" y="{y + 1:.1f}" width="{max(b - a, 1):.1f}" height="11" '
            f'fill="{COLOURS[0]}"/>'
        )
        plot.rowname(row, f"{name}: {number(value)}", up=3)
    return plot.figure(**words)


def map_figure(
    cells: Array,
    counts: IntArray,
    names: Sequence[Sequence[str]],
    groups: Sequence[int],
    *,
    reading: str,
    how: str,
) -> Figure:
    """Cells of a map with the number of objects in each; pointing at one names them."""
    title = "Self-organising map"
    middles = cells.mean(axis=1)
    unit = 560 / (float(np.ptp(middles[:, 0])) + 1.1)
    height = int((float(np.ptp(middles[:, 1])) + 1.25) * unit) + 20
    shift = np.array([40 + 0.55 * unit, 10 + 0.6 * unit])
    drawn = map(_cell, shift + unit * cells, counts, names, groups)
    svg = drawing("".join(drawn), height, title, reading)
    used = sorted({g for g in groups if g >= 0})
    keys = [Key(f"group {g + 1}", colour(g)) for g in used]
    looks = [_look(group) for group in groups]
    fills, inks = [fill for fill, _ in looks], [ink for _, ink in looks]
    x, y = limits_of(cells[..., 0]), limits_of(cells[..., 1])
    chart = Chart(x, y[::-1], height=height, keys=keys)
    chart.marks = [Cells(cells, fills, inks, [str(count or "") for count in counts])]
    hint = "Point at a cell to see what is in it."
    return Figure(title, svg, reading, how, legend_of(keys), hint=hint, chart=chart)


def _look(group: int) -> tuple[str, str]:
    """Fill of a cell, and the ink on it."""
    return (style.EMPTY, "#45515e") if group < 0 else (colour(group), "#ffffff")


def _cell(corners: Array, count: int, names: Sequence[str], group: int) -> str:
    shown = ", ".join(names[:12]) + (" …" if len(names) > 12 else "")
    what = escape(f"{count} objects: {shown}" if count else "empty")
    fill, ink = _look(group)
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
    cx, cy = corners.mean(axis=0)
    return (
        f'<g class="cell" tabindex="0" role="img" aria-label="{what}"><title>{what}</title>'
        f'<polygon points="{points}" fill="{fill}" stroke="#fff" stroke-width="3"/>'
        f'<text x="{cx:.1f}" y="{cy:.1f}" dy="0.35em" text-anchor="middle" '
        f'style="fill:{ink}">{count or ""}</text></g>'
    )
