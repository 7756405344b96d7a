"""Drawing: scales, axes and marks as SVG text.

Coordinates are those of a drawing 640 wide; the page scales it to the width of the reader's screen,
and its style sheet sets the size of letters (larger ones on a phone).
"""

import html
import math
from collections.abc import Sequence
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from noneuclid._text import visible
from noneuclid.displays.charts import PAGE, Across, Boxes, Chart, Key, Label, Line, Points
from noneuclid.displays.style import colour, shape
from noneuclid.report.blocks import Figure, Words
from noneuclid.typing import Array

WIDTH = PAGE
Ticks = Sequence[tuple[float, str]]


def escape(text: object) -> str:
    """Text for markup."""
    return html.escape(visible(text), quote=True)


def mark(k: int, x: float, y: float, r: float) -> str:
    """Path of the mark of class k."""
    if shape(k) == "circle":
        return f"M{x - r:.1f} {y:.1f}a{r} {r} 0 1 0 {2 * r} 0a{r} {r} 0 1 0 {-2 * r} 0z"
    points = [f"{x + r * dx:.1f},{y + r * dy:.1f}" for dx, dy in _CORNERS[shape(k)]]
    return f"M{' '.join(points)}z"


def _ring(n: int, start: float, size: float = 1.15) -> list[tuple[float, float]]:
    turns = start + 2 * np.pi * np.arange(n) / n
    return [(size * math.cos(a), size * math.sin(a)) for a in turns]


def _bars(turn: float) -> list[tuple[float, float]]:
    arm = np.array([-0.38 - 1.15j, 0.38 - 1.15j, 0.38 - 0.38j])
    points = np.exp(1j * turn) * np.concatenate([arm * 1j**k for k in range(4)])
    return list(zip(points.real.tolist(), points.imag.tolist()))


_CORNERS = {
    "square": [(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)],
    "triangle": _ring(3, -np.pi / 2, 1.3),
    "down": _ring(3, np.pi / 2, 1.3),
    "diamond": _ring(4, 0, 1.25),
    "hexagon": _ring(6, 0),
    "plus": _bars(0.0),
    "cross": _bars(np.pi / 4),
}


def ticks(low: float, high: float, most: int = 6, *, whole: bool = False) -> list[float]:
    """Round numbers between two limits; whole ones if asked for.

    Examples
    --------
    >>> ticks(0, 1)
    [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    """
    span = high - low
    if not span > 0:
        return [low]
    raw = max(span / max(most - 1, 1), 1.0 if whole else 0.0)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(f * power for f in (1, 2, 5, 10) if f * power >= raw * (1 - 1e-9))
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [round(k * step, 12) for k in range(first, last + 1)]


def tick_label(value: float) -> str:
    """A short number."""
    if value != 0 and (abs(value) >= 1e5 or abs(value) < 1e-3):
        return f"{value:.3g}".replace("e-0", "e-").replace("e+0", "e").replace("-", "−")
    return f"{value:.6g}".replace("-", "−")


def tick_labels(low: float, high: float, most: int = 6, *, whole: bool = False) -> Ticks:
    """Round numbers between two limits, and how they are written."""
    return [(value, tick_label(value)) for value in ticks(low, high, most, whole=whole)]


def log_ticks(low: float, high: float) -> Ticks:
    """The same for a logarithmic axis."""
    steps = [m * 10.0**k for k in range(-12, 13) for m in (1, 2, 5)]
    inside = [v for v in steps if low <= v <= high]
    if len(inside) > 7:
        inside = [v for v in inside if f"{v:.0e}".startswith("1")]
    return [(value, tick_label(value)) for value in inside]


def limits(*values: ArrayLike, pad: float = 0.05, zero: bool = False) -> tuple[float, float]:
    """The range of all values, a little wider."""
    parts = [np.ravel(np.asarray(v, dtype=float)) for v in values]
    everything = np.concatenate([part[np.isfinite(part)] for part in parts])
    low, high = float(everything.min()), float(everything.max())
    if zero:
        low, high = min(low, 0.0), max(high, 0.0)
    span = (high - low) or abs(high) or 1.0
    return low - pad * span, high + pad * span


class Plot:
    """Axes with round ticks; marks are added as SVG text, and to the chart that papers show."""

    def __init__(
        self,
        xlim: tuple[float, float],
        ylim: tuple[float, float],
        *,
        xlabel: str,
        ylabel: str = "",
        height: int = 400,
        left: int | None = None,
        xticks: Ticks | None = None,
        yticks: Ticks | None = None,
        log: bool = False,
        grid: str = "xy",
    ):
        self.xlim, self.ylim, self.height, self.log = xlim, ylim, height, log
        self.parts: list[str] = []
        if xticks is None:
            xticks = (log_ticks if log else tick_labels)(*xlim)
        if yticks is None:
            yticks = tick_labels(*ylim)
        if left is None:  # long numbers leave the name of the axis its room, on a phone, too
            left = max([78, *(18 + 15 * len(label) for _, label in yticks)])
        self.box = left, top, right, bottom = left, 14, WIDTH - 14, height - 62
        self.chart = Chart(xlim, ylim, xlabel, ylabel, height, log, xticks, yticks, grid)
        for value, label in xticks:
            x = float(self.x(value))
            if "x" in grid:
                self.path("grid", f"M{x:.1f} {top}V{bottom}")
            self.text(x, bottom + 22, label, class_="tick")
        for value, label in yticks:
            y = float(self.y(value))
            if "y" in grid:
                self.path("grid", f"M{left} {y:.1f}H{right}")
            self.text(left - 8, y, label, "end", "tick", dy="0.35em")
        self.path("axis", f"M{left} {top}V{bottom}H{right}")
        self.text((left + right) / 2, height - 12, xlabel, class_="label")
        if ylabel:
            turned = f"translate(20 {(top + bottom) / 2}) rotate(-90)"
            self.text(0, 0, ylabel, class_="label", transform=turned)

    def x(self, value: ArrayLike) -> np.ndarray:
        """Horizontal places of values."""
        low, high = self.xlim
        v = np.asarray(value, dtype=float)
        if self.log:
            low, high, v = math.log10(low), math.log10(high), np.log10(v)
        return self.box[0] + (v - low) / (high - low) * (self.box[2] - self.box[0])

    def y(self, value: ArrayLike) -> np.ndarray:
        """Vertical places of values."""
        low, high = self.ylim
        v = np.asarray(value, dtype=float)
        return self.box[3] - (v - low) / (high - low) * (self.box[3] - self.box[1])

    def add(self, markup: str) -> None:
        """Add marks."""
        self.parts.append(markup)

    def path(self, class_: str, d: str) -> None:
        """Add a path that the style sheet knows."""
        self.add(f'<path class="{class_}" d="{d}"/>')

    def line(
        self,
        x: ArrayLike,
        y: ArrayLike,
        stroke: str,
        width: float = 2.0,
        *,
        dash: str = "",
        opacity: float = 1.0,
    ) -> None:
        """Add a polyline."""
        self.chart.marks.append(
            Line(np.asarray(x), np.asarray(y), stroke, width, dash=dash, opacity=opacity)
        )
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(self.x(x), self.y(y)))
        kw = {"stroke-dasharray": dash, "stroke-opacity": f"{opacity:g}" if opacity < 1 else ""}
        self.add(
            f'<polyline points="{points}" fill="none" stroke="{stroke}" stroke-width="{width}" '
            f'stroke-linejoin="round"{_attributes(kw)}/>'
        )

    def level(self, value: float, class_: str = "zero") -> None:
        """Add a thin line across at a height."""
        left, _, right, _ = self.box
        ends = np.array([value, value])
        self.chart.marks.append(Line(np.array(self.xlim), ends, "#66707a", 1.0))
        self.path(class_, f"M{left} {float(self.y(value)):.1f}H{right}")

    def points(
        self,
        x: Array,
        y: Array,
        colours: Sequence[str],
        codes: Sequence[int],
        radius: float = 5.0,
        opacity: float = 1.0,
    ) -> list[str]:
        """Note marks of classes for the chart, and give the paths that draw them on a page."""
        self.chart.marks.append(Points(x, y, colours, codes, radius, opacity))
        places = zip(codes, self.x(x), self.y(y))
        return [mark(code, float(a), float(b), radius) for code, a, b in places]

    def boxes(self, x: Array, y: Array, fill: str) -> None:
        """Note rectangles, (n, 2) places across and up, for the chart."""
        self.chart.marks.append(Boxes(x, y, fill))

    def rowname(self, y: float, name: str, *, up: float, strong: bool | None = None) -> None:
        """Add the name of a row above its middle, at the left."""
        low = self.xlim[0]
        self.chart.marks.append(Label(low, y, name, up=up, right=4, strong=bool(strong)))
        weight = "" if strong is None else "600" if strong else "400"
        place = self.box[0] + 4, float(self.y(y)) - up
        self.text(*place, name, "start", "rowname", font_weight=weight)

    def text(
        self, x: float, y: float, text: object, anchor: str = "middle", class_: str = "", **kw: str
    ) -> None:
        """Add text at a place of the drawing."""
        kw = {"x": f"{x:.1f}", "y": f"{y:.1f}", "text-anchor": anchor, **kw}
        self.add(f"<text{_attributes({'class': class_} | kw)}>{escape(text)}</text>")

    def vertical(self, value: float, name: str, *, below: float, turn: float) -> None:
        """Add a line across at a value; its name at a height, on the side with more room."""
        x = float(self.x(value))
        low = below > (self.box[1] + self.box[3]) / 2
        self.chart.marks.append(Across(value, name, low=low))
        self.path("marker", f"M{x:.1f} {self.box[1]}V{self.box[3]}")
        place = (x + 6, below, name, "start") if x < turn else (x - 6, below, name, "end")
        self.text(*place, class_="note")

    def horizontal(self, value: float, name: str) -> None:
        """Add a line across at a height, with its name at the right."""
        left, _, right, _ = self.box
        place = float(self.y(value))
        self.chart.marks.append(Across(value, name, upright=False))
        self.path("marker", f"M{left} {place:.1f}H{right}")
        self.text(right - 4, place - 6, name, "end", "note")

    def svg(self, title: str, description: str, *, role: str = "img") -> str:
        """The drawing; title and description are what a screen reader says."""
        return drawing("".join(self.parts), self.height, title, description, role)

    def figure(
        self,
        legend: Sequence[Key] = (),
        *,
        before: str = "",
        data: dict[str, Any] | None = None,
        hint: str = "",
        **words: Unpack[Words],
    ) -> Figure:
        """The drawing with its words; ``before`` the reading is for screen readers only."""
        title, reading, how = words["title"], words["reading"], words["how"]
        svg = self.svg(title, before + reading, role="img" if data is None else "group")
        self.chart.keys = list(legend)
        return Figure(title, svg, reading, how, legend_of(legend), data, hint, self.chart)


def drawing(body: str, height: int, title: str, description: str, role: str = "group") -> str:
    """A drawing with what a screen reader says."""
    said = escape(description)
    return (
        f'<svg class="plot" viewBox="0 0 {WIDTH} {height}" role="{role}" '
        f'aria-label="{escape(title)}. {said}"><desc>{said}</desc>{body}</svg>'
    )


def _attributes(values: dict[str, str]) -> str:
    return "".join(f' {n.replace("_", "-")}="{escape(v)}"' for n, v in values.items() if v)


def legend_of(keys: Sequence[Key]) -> list[tuple[str, str]]:
    """Marks as SVG, and their names."""
    return [(_legend_key(key), key.name) for key in keys]


def _legend_key(key: Key) -> str:
    if key.code is None:
        return legend_line(key.colour, key.dash)
    return _key(16, f'<path d="{mark(key.code, 8, 8, 5)}" fill="{key.colour}"/>')


def legend_mark(k: int) -> str:
    """The mark of class k for a legend."""
    return _legend_key(Key("", colour(k), code=k))


def _key(width: int, drawing: str) -> str:
    return f'<svg class="key" viewBox="0 0 {width} 16" aria-hidden="true">{drawing}</svg>'


def legend_line(stroke: str, dash: str = "") -> str:
    """A short line for a legend."""
    look = f'stroke="{stroke}" stroke-width="3" stroke-dasharray="{dash}"'
    return _key(24, f'<path d="M1 8H23" {look}/>')
