"""Predicted numbers over true ones."""

from collections.abc import Sequence
from typing import Unpack

from noneuclid.displays import style
from noneuclid.displays.charts import Key
from noneuclid.displays.style import COLOURS
from noneuclid.report._numbers import number
from noneuclid.report.blocks import Figure, Words
from noneuclid.report.figures.svg import Plot, escape, limits
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
        plot.line([a, b], [a + shift, b + shift], style.QUIET, 1.5, dash=dash)
    codes = [int(missed) for missed in outside]
    fills = [COLOURS[code] for code in codes]
    paths = plot.points(true, predicted, fills, codes, 4.0, 0.75)
    plot.add('<g class="objects" aria-hidden="true">')
    for i, name in enumerate(names):
        said = f"{name}: {number(true[i])}, predicted {number(predicted[i])}"
        plot.add(
            f'<path d="{paths[i]}" fill="{fills[i]}" fill-opacity="0.75">'
            f"<title>{escape(said)}</title></path>"
        )
    plot.add("</g>")
    legend = [
        Key("inside of its interval", COLOURS[0], code=0),
        Key("outside", COLOURS[1], code=1),
        Key("interval of 90 %", style.QUIET, "5 4"),
    ]
    return plot.figure(legend, **words)
