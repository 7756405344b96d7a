"""Predicted numbers over true ones."""

from collections.abc import Sequence
from typing import Unpack

from noneuclid.displays import style
from noneuclid.displays.style import COLOURS
from noneuclid.report._numbers import number
from noneuclid.report.blocks import Figure, Words
from noneuclid.report.figures.svg import Plot, escape, legend_line, limits
from noneuclid.typing import Array


def agreement(
    true: Array,
    predicted: Array,
    names: Sequence[str],
    *,
    half_width: float,
    outside: Sequence[bool],
    unit: str,
    **words: Unpack[Words],
) -> Figure:
    """Every object as a dot, the line where both are equal, and the band of the intervals."""
    low, high = limits(true, predicted)
    plot = Plot(
        (low, high), (low, high), xlabel=f"{unit}, true", ylabel=f"{unit}, predicted", height=460
    )
    for shift, dash in ((0.0, ""), (half_width, "5 4"), (-half_width, "5 4")):
        a, b = max(low, low - shift), min(high, high - shift)
        plot.line([a, b], [a + shift, b + shift], style.QUIET, 1.5, stroke_dasharray=dash)
    x, y = plot.x(true), plot.y(predicted)
    plot.add('<g class="objects" aria-hidden="true">')
    for i, name in enumerate(names):
        fill = COLOURS[1] if outside[i] else COLOURS[0]
        said = f"{name}: {number(true[i])}, predicted {number(predicted[i])}"
        plot.add(
            f'<circle cx="{x[i]:.1f}" cy="{y[i]:.1f}" r="4" fill="{fill}" fill-opacity="0.75">'
            f"<title>{escape(said)}</title></circle>"
        )
    plot.add("</g>")
    legend = [
        (legend_line(COLOURS[0]), "inside of its interval"),
        (legend_line(COLOURS[1]), "outside"),
        (legend_line(style.QUIET, "5 4"), "interval of 90 %"),
    ]
    return plot.figure(legend, **words)
