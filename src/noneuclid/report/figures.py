"""The figures of a report, each with its title, its reading and how it was made."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from noneuclid.report._numbers import number, percent
from noneuclid.report.blocks import Figure
from noneuclid.report.svg import (
    COLOURS,
    Plot,
    colour,
    escape,
    legend_line,
    legend_mark,
    limits,
    mark,
    tick_label,
    ticks,
)
from noneuclid.typing import Array, IntArray

_MOST_BARS = 200  # more have no room for gaps
_MOST_POINTS = 240


@dataclass(frozen=True)
class Prototypes:
    """Where prototypes are in a scatter, and which objects they are made of."""

    places: Array
    labels: list[str]
    weights: Array | None
    """(m, n): coefficients of the objects, if prototypes are combinations of them."""
    nearest: IntArray
    """(n,): the prototype every object is nearest to."""
    distances: Array
    """(n,): and how far it is."""
    typical: list[list[int]]
    """The exemplars of every prototype: the objects that are nearest to it."""


def classes_of(labels: ArrayLike | None, n: int) -> tuple[list[str], IntArray]:
    """Names of the classes and the class number of each object."""
    if labels is None:
        return [], np.zeros(n, dtype=int)
    names, codes = np.unique(np.asarray(labels), return_inverse=True)
    return [str(name) for name in names], codes


def scatter(
    points: Array,
    names: Sequence[str],
    labels: ArrayLike | None,
    *,
    title: str,
    axes: tuple[str, str],
    reading: str,
    how: str,
    prototypes: Prototypes | None = None,
    extra: Sequence[str] | None = None,
    word: str = "class",
) -> Figure:
    """Objects in the plane, with classes as colours and shapes, prototypes on top."""
    classes, codes = classes_of(labels, len(points))
    shown = points if prototypes is None else np.vstack([points, prototypes.places])
    plot = Plot(
        limits(shown[:, 0]),
        limits(shown[:, 1]),
        xlabel=axes[0],
        ylabel=axes[1],
        height=460,
        grid="",
    )
    x, y = plot.x(points[:, 0]), plot.y(points[:, 1])
    r = 5 if len(points) <= 200 else 4 if len(points) <= 500 else 3
    plot.add('<g class="objects" aria-hidden="true">')
    for i in range(len(points)):
        plot.add(
            f'<path class="object" data-i="{i}" d="{mark(codes[i], x[i], y[i], r)}" '
            f'fill="{colour(codes[i])}"/>'
        )
    plot.add("</g>")
    data: dict[str, Any] = {
        "names": list(map(str, names)),
        "classes": classes,
        "word": word,
        "codes": codes.tolist(),
        "x": np.round(x, 1).tolist(),
        "y": np.round(y, 1).tolist(),
    }
    if extra is not None:
        data["extra"] = list(extra)
    hint = "Point at an object, or press the arrow keys in the figure, to see what it is."
    if prototypes is not None:
        _add_prototypes(plot, prototypes, classes, data)
        hint += " Choose a prototype (P1, P2 …) to see the objects it is made of."
    legend = [(legend_mark(k), name) for k, name in enumerate(classes)]
    description = f"{len(points)} objects" + (
        f" of {len(classes)} {'classes' if word else 'groups'}" if classes else ""
    )
    if prototypes is not None:
        description += f" and {len(prototypes.places)} prototypes"
    svg = plot.svg(title, f"{description}. {reading}", role="group")
    return Figure(title, svg, reading, how, legend, data, hint)


def _add_prototypes(
    plot: Plot, found: Prototypes, classes: list[str], data: dict[str, Any]
) -> None:
    code = {name: k for k, name in enumerate(classes)}
    x, y = plot.x(found.places[:, 0]), plot.y(found.places[:, 1])
    for j, label in enumerate(found.labels):
        k = code.get(label, j)
        what = f"Prototype {j + 1}" + (f" of class {label}" if label in code else "")
        plot.add(
            f'<g class="prototype" role="button" tabindex="0" aria-pressed="false" '
            f'data-prototype="{j}" aria-label="{escape(what)}: show its exemplars">'
            f'<path d="{mark(k, x[j], y[j], 11)}" fill="#fff" stroke="{colour(k)}" '
            f'stroke-width="3.5"/><text x="{x[j]:.1f}" y="{y[j]:.1f}" dy="0.35em" '
            f'text-anchor="middle" class="ptext">{j + 1}</text></g>'
        )
    data["prototypes"] = [
        {
            "label": label,
            "exemplars": found.typical[j],
            "parts": _parts(found, j),
            "wins": int((found.nearest == j).sum()),
            "combination": found.weights is not None,
        }
        for j, label in enumerate(found.labels)
    ]
    data["nearest"] = found.nearest.tolist()
    data["distances"] = [number(d) for d in found.distances]


def _parts(found: Prototypes, j: int) -> list[int]:
    """The objects a prototype is made of, or those it wins."""
    if found.weights is None:
        return np.flatnonzero(found.nearest == j).tolist()
    row = np.abs(found.weights[j])
    return np.flatnonzero(row > 1e-3 * row.max()).tolist()


def spectrum_figure(values: Array, *, reading: str, how: str) -> Figure:
    """Eigenvalues as bars, largest first; those below zero in another colour."""
    n = len(values)
    xticks = [(k, str(int(k))) for k in ticks(1, n, 7, whole=True)]
    plot = Plot(
        (0.4, n + 0.6),
        limits(values, zero=True),
        xlabel="number of the eigenvalue",
        ylabel="eigenvalue",
        height=320,
        xticks=xticks,
        grid="y",
    )
    zero = float(plot.y(0.0))
    share = 0.72 if n <= _MOST_BARS else 1.0
    edges = plot.x(np.arange(1, n + 1)[:, None] + share * np.array([-0.5, 0.5]))
    tops = plot.y(values)
    for sign, fill in ((1, COLOURS[0]), (-1, COLOURS[1])):
        path = "".join(
            f"M{a:.1f} {zero:.1f}V{top:.1f}H{b:.1f}V{zero:.1f}z"
            for (a, b), top, value in zip(edges, tops, values)
            if sign * value > 0
        )
        plot.add(f'<path d="{path}" fill="{fill}"/>')
    plot.add(f'<path class="axis" d="M{plot.box[0]} {zero:.1f}H{plot.box[2]}"/>')
    legend = [(legend_line(COLOURS[0]), "positive"), (legend_line(COLOURS[1]), "negative")]
    title = "Eigenvalues of the similarities"
    return Figure(title, plot.svg(title, reading), reading, how, legend)


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
    error: Array | None = None


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
    """Curves over a common axis; the curves in the background are thin and have no names."""
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
    if background is not None:
        keep = _thinned(len(x))
        for k, curve in enumerate(background):
            stroke = "#8a939c" if background_colours is None else background_colours[k]
            plot.line(x[keep], curve[keep], stroke, 0.7, stroke_opacity="0.45")
    if plot.ylim[0] < 0 < plot.ylim[1]:
        zero_y = float(plot.y(0.0))
        plot.add(f'<path class="zero" d="M{plot.box[0]} {zero_y:.1f}H{plot.box[2]}"/>')
    if vertical is not None:
        place = float(plot.x(vertical[0]))
        plot.add(f'<path class="marker" d="M{place:.1f} {plot.box[1]}V{plot.box[3]}"/>')
        side = "start" if place < (plot.box[0] + plot.box[2]) / 2 else "end"
        shift = 6 if side == "start" else -6
        plot.text(place + shift, plot.box[1] + 14, vertical[1], side)
    if horizontal is not None:
        place = float(plot.y(horizontal[0]))
        plot.add(f'<path class="marker" d="M{plot.box[0]} {place:.1f}H{plot.box[2]}"/>')
        plot.text(plot.box[2] - 4, place - 6, horizontal[1], "end")
    legend = []
    for k, one in enumerate(series):
        stroke = one.colour or colour(k)
        at = x if one.x is None else one.x
        keep = _thinned(len(at))
        plot.line(at[keep], one.y[keep], stroke, one.width, stroke_dasharray=one.dash)
        if one.error is not None:
            for a, b, e in zip(plot.x(at), one.y, one.error):
                low, high = float(plot.y(b - e)), float(plot.y(b + e))
                plot.add(f'<path d="M{a:.1f} {low:.1f}V{high:.1f}" stroke="{stroke}"/>')
        if one.marks:
            for a, b in zip(plot.x(at), plot.y(one.y)):
                plot.add(f'<path d="{mark(k, float(a), float(b), 5)}" fill="{stroke}"/>')
        legend.append((legend_line(stroke, one.dash), one.name))
    names = f"Curves: {', '.join(s.name for s in series)}. " if series else ""
    return Figure(title, plot.svg(title, names + reading), reading, how, legend)


def _thinned(n: int) -> Array:
    """Indices of at most a few hundred points: more cannot be seen."""
    return np.unique(np.linspace(0, n - 1, min(n, _MOST_POINTS)).round().astype(int))


def intervals(
    names: Sequence[str],
    scores: Sequence[Array],
    *,
    strong: Sequence[bool],
    title: str,
    reading: str,
    how: str,
    reference: tuple[float, str] | None = None,
) -> Figure:
    """Accuracies of all splits as dots, mean ± standard deviation as a bar, one line per model."""
    everything = [100 * np.asarray(s) for s in scores]
    values = [*everything, [100 * reference[0]]] if reference else everything
    low, high = limits(*values, pad=0.06)
    high = min(high, 101.5)
    height = 44 * len(names) + 90
    rows = [(len(names) - 1 - k, "") for k in range(len(names))]
    plot = Plot(
        (low, high),
        (-0.7, len(names) - 0.3),
        xlabel="accuracy on objects not seen (%)",
        ylabel="",
        height=height,
        yticks=rows,
        grid="x",
        left=16,
    )
    if reference is not None:
        place = float(plot.x(100 * reference[0]))
        plot.add(f'<path class="marker" d="M{place:.1f} {plot.box[1]}V{plot.box[3]}"/>')
        side = "start" if place < 320 else "end"
        plot.text(place + (6 if side == "start" else -6), plot.box[3] - 6, reference[1], side)
    for k, (name, score) in enumerate(zip(names, everything)):
        y = float(plot.y(len(names) - 1 - k))
        mean, sd = float(score.mean()), float(score.std())
        stroke = COLOURS[0] if strong[k] else "#555"
        a, b = float(plot.x(max(mean - sd, low))), float(plot.x(min(mean + sd, 100.0)))
        plot.add('<g class="row">')
        for value in score:
            plot.add(
                f'<circle cx="{float(plot.x(value)):.1f}" cy="{y:.1f}" r="3.5" '
                f'fill="{stroke}" fill-opacity="0.3"/>'
            )
        plot.add(f'<path d="M{a:.1f} {y:.1f}H{b:.1f}" stroke="{stroke}" stroke-width="3"/>')
        plot.add(f'<circle cx="{float(plot.x(mean)):.1f}" cy="{y:.1f}" r="7" fill="{stroke}"/>')
        weight = "600" if strong[k] else "400"
        plot.text(
            plot.box[0] + 4, y - 13, name, "start", class_="rowname", **{"font-weight": weight}
        )
        plot.add("</g>")
    legend = [
        (legend_line(COLOURS[0]), "prototypes (interpretable)"),
        (legend_line("#555"), "baseline"),
    ]
    return Figure(title, plot.svg(title, reading), reading, how, legend)


def raster(
    trains: Sequence[Array], labels: ArrayLike | None, *, title: str, reading: str, how: str
) -> Figure:
    """One line per train, one mark per event."""
    classes, codes = classes_of(labels, len(trains))
    order = np.argsort(codes, kind="stable")[:200]
    times = np.concatenate([trains[i] for i in order]) if len(order) else np.array([0.0])
    step = max(3.0, min(10.0, 420 / len(order)))
    height = int(step * len(order)) + 80
    plot = Plot(
        limits(times, pad=0.02),
        (len(order) - 0.5, -0.5),
        xlabel="time (s)",
        ylabel="train",
        height=height,
        grid="x",
        yticks=[(k, str(int(k) + 1)) for k in ticks(0, len(order) - 1) if k == int(k)],
    )
    for row, i in enumerate(order):
        top, bottom = float(plot.y(row - 0.42)), float(plot.y(row + 0.42))
        path = "".join(f"M{x:.1f} {top:.1f}V{bottom:.1f}" for x in plot.x(trains[i][:400]))
        plot.add(f'<path d="{path}" stroke="{colour(codes[i])}" stroke-width="1.3"/>')
    legend = [(legend_line(colour(k)), name) for k, name in enumerate(classes)]
    return Figure(title, plot.svg(title, reading), reading, how, legend)


def bars(
    names: Sequence[str], values: Array, *, title: str, xlabel: str, reading: str, how: str
) -> Figure:
    """Named horizontal bars, in the order given."""
    n = len(names)
    values = np.asarray(values, dtype=float)
    xlim = limits(values, zero=True, pad=0.0)
    plot = Plot(
        (xlim[0], xlim[1] * 1.12 or 1.0),
        (-0.7, n - 0.3),
        xlabel=xlabel,
        ylabel="",
        height=34 * n + 86,
        left=16,
        yticks=[],
        grid="x",
    )
    for k, (name, value) in enumerate(zip(names, values)):
        y = float(plot.y(n - 1 - k))
        a, b = sorted((float(plot.x(0.0)), float(plot.x(value))))
        plot.add(
            f'<rect x="{a:.1f}" y="{y + 1:.1f}" width="{max(b - a, 1):.1f}" height="11" '
            f'fill="{COLOURS[0]}"/>'
        )
        plot.text(plot.box[0] + 4, y - 3, f"{name}: {number(value)}", "start", class_="rowname")
    return Figure(title, plot.svg(title, reading), reading, how)


def map_figure(
    places: Array,
    counts: IntArray,
    names: Sequence[Sequence[str]],
    groups: Sequence[int],
    *,
    reading: str,
    how: str,
) -> Figure:
    """Cells of a map with the number of objects in each; pointing at one names them."""
    title = "Self-organising map"
    span = float(np.ptp(places[:, 0])) + 1.1
    unit = 560 / span
    height = int((float(np.ptp(places[:, 1])) + 1.25) * unit) + 20
    cells = []
    for k, (x, y) in enumerate(places):
        cx, cy = 40 + (x + 0.55) * unit, 10 + (y + 0.6) * unit
        corners = " ".join(
            f"{cx + 0.56 * unit * np.sin(a):.1f},{cy + 0.56 * unit * np.cos(a):.1f}"
            for a in np.arange(6) * np.pi / 3
        )
        shown = ", ".join(names[k][:12]) + (" …" if len(names[k]) > 12 else "")
        fill = "#eef1f4" if groups[k] < 0 else colour(groups[k])
        what = f"{counts[k]} objects: {shown}" if counts[k] else "empty"
        ink = "#45515e" if groups[k] < 0 else "#fff"
        cells.append(
            f'<g class="cell" tabindex="0" role="img" aria-label="{escape(what)}">'
            f"<title>{escape(what)}</title>"
            f'<polygon points="{corners}" fill="{fill}" stroke="#fff" stroke-width="3"/>'
            f'<text x="{cx:.1f}" y="{cy:.1f}" dy="0.35em" text-anchor="middle" '
            f'style="fill:{ink}">{counts[k] or ""}</text></g>'
        )
    svg = (
        f'<svg class="plot" viewBox="0 0 640 {height}" role="group" aria-label="{title}. '
        f'{escape(reading)}"><desc>{escape(reading)}</desc>{"".join(cells)}</svg>'
    )
    used = sorted({g for g in groups if g >= 0})
    legend = [(legend_line(colour(g)), f"group {g + 1}") for g in used]
    return Figure(title, svg, reading, how, legend, hint="Point at a cell to see what is in it.")


def share_axis(k: int, value: float, total: float) -> str:
    """Label of an axis of an embedding."""
    sign = "" if value >= 0 else "negative "
    return f"{sign}direction {k}: {percent(abs(value) / total)} of the spectrum"


def unit_label(value: float) -> str:
    """A short number for a legend."""
    return tick_label(value)
