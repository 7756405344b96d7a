"""A figure as a description: axes and marks in the units of the data, drawn by matplotlib here.

The pages of reports draw the same descriptions as SVG (``noneuclid.report.figures``).
"""

import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from noneuclid.displays._axes import plain
from noneuclid.displays.style import marker, written
from noneuclid.typing import Array

# The drawing of a page is so many units wide; its strokes and heights are in these.
PAGE = 640
MILLIMETRES = 25.4
# One column of a journal, and the size of letters there.
COLUMN = 89.0
LETTERS = 7.0
_SETTINGS: Any = {
    "font.size": LETTERS,
    "axes.labelsize": LETTERS,
    "axes.linewidth": 0.6,
    "axes.axisbelow": True,
    "xtick.labelsize": LETTERS,
    "ytick.labelsize": LETTERS,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "legend.fontsize": LETTERS,
    "grid.linewidth": 0.4,
    "grid.color": "#e0e4e8",
}
_ANCHORS = {"start": "left", "middle": "center", "end": "right"}


def _halo() -> list[Any]:
    """White around letters, so that they can be read on lines."""
    from matplotlib.patheffects import withStroke

    return [withStroke(linewidth=1.6, foreground="white")]


class Mark(Protocol):
    """Something in a chart that draws itself."""

    def draw(self, ax: Any) -> None:
        """Draw into the axes of matplotlib."""


@dataclass(frozen=True)
class Line:
    """Points joined by a line; a dash is a pattern such as ``"5 4"``."""

    x: Array
    y: Array
    colour: str
    width: float = 2.0
    dash: str = ""
    opacity: float = 1.0

    def draw(self, ax: Any) -> None:
        """Draw into the axes of matplotlib."""
        style = dashes(self.dash)
        width = 0.55 * self.width
        ax.plot(self.x, self.y, color=self.colour, lw=width, ls=style, alpha=self.opacity)


@dataclass(frozen=True)
class Points:
    """Marks of class ``codes``, in their colours, or all alike."""

    x: Array
    y: Array
    colours: Sequence[str]
    codes: Sequence[int]
    radius: float = 5.0
    opacity: float = 1.0
    hollow: bool = False
    texts: Sequence[str] = ()

    def draw(self, ax: Any) -> None:
        """Draw into the axes of matplotlib, the marks of one colour and shape together."""
        looks = [(colour, marker(code)) for colour, code in zip(self.colours, self.codes)]
        for colour, form in dict.fromkeys(looks):
            chosen = [i for i, look in enumerate(looks) if look == (colour, form)]
            ax.scatter(
                np.asarray(self.x)[chosen],
                np.asarray(self.y)[chosen],
                s=(0.8 * self.radius) ** 2,
                marker=form,
                facecolor="white" if self.hollow else colour,
                edgecolor=colour if self.hollow else "white",
                linewidth=1.0 if self.hollow else 0.25,
                alpha=self.opacity,
                zorder=4 if self.hollow else 3,
            )
        for x, y, text in zip(self.x, self.y, self.texts):
            style = {"ha": "center", "va": "center", "fontsize": LETTERS - 2, "zorder": 5}
            ax.text(x, y, written(text), weight="bold", **style)


@dataclass(frozen=True)
class Boxes:
    """Rectangles between two places across and two places up."""

    x: Array
    """(n, 2)"""
    y: Array
    """(n, 2)"""
    colour: str

    def draw(self, ax: Any) -> None:
        """Draw into the axes of matplotlib."""
        from matplotlib.collections import PolyCollection

        x, y = np.asarray(self.x, dtype=float), np.asarray(self.y, dtype=float)
        corners = np.stack([x[:, [0, 1, 1, 0]], y[:, [0, 0, 1, 1]]], axis=2)
        ax.add_collection(PolyCollection(list(corners), facecolors=self.colour, linewidths=0))


@dataclass(frozen=True)
class Strokes:
    """Vertical strokes at several places of a row."""

    x: Array
    y: tuple[float, float]
    colour: str

    def draw(self, ax: Any) -> None:
        """Draw into the axes of matplotlib."""
        ax.vlines(self.x, *self.y, color=self.colour, lw=0.6)


@dataclass(frozen=True)
class Label:
    """Words at a place, moved by so many units of the page."""

    x: float
    y: float
    text: str
    anchor: str = "start"
    up: float = 0.0
    right: float = 0.0
    strong: bool = False

    def draw(self, ax: Any) -> None:
        """Draw into the axes of matplotlib."""
        ax.annotate(
            written(self.text),
            (self.x, self.y),
            (0.4 * self.right, 0.4 * self.up),
            textcoords="offset points",
            ha=_ANCHORS[self.anchor],
            va="bottom" if self.up else "center",
            weight="bold" if self.strong else "normal",
            zorder=5,
            path_effects=_halo(),
        )


@dataclass(frozen=True)
class Across:
    """A dashed line through the whole chart at a value, with its name."""

    value: float
    name: str
    upright: bool = True
    low: bool = False
    """Whether the name stands at the lower end."""

    def draw(self, ax: Any) -> None:
        """Draw into the axes of matplotlib; the name on the side with more room."""
        style: dict[str, Any] = {"color": "#45515e", "lw": 0.8, "ls": dashes("5 4"), "zorder": 1}
        if not self.upright:
            ax.axhline(self.value, **style)
            place, shift, side = (1.0, self.value), (-2, 2), ("right", "bottom")
            coordinates = ("axes fraction", "data")
        else:
            ax.axvline(self.value, **style)
            at = ax.transAxes.inverted().transform(ax.transData.transform((self.value, 0)))[0]
            place = (self.value, 0.02 if self.low else 0.98)
            shift, coordinates = (3 if at < 0.5 else -3, 0), ("data", "axes fraction")
            side = ("left" if at < 0.5 else "right", "bottom" if self.low else "top")
        ax.annotate(
            written(self.name),
            place,
            shift,
            xycoords=coordinates,
            textcoords="offset points",
            ha=side[0],
            va=side[1],
            zorder=5,
            path_effects=_halo(),
        )


@dataclass(frozen=True)
class Cells:
    """Polygons with a fill and a word inside each."""

    corners: Array
    """(n, k, 2)"""
    fills: Sequence[str]
    inks: Sequence[str]
    texts: Sequence[str]

    def draw(self, ax: Any) -> None:
        """Draw into the axes of matplotlib, upright and in their true shape."""
        from matplotlib.collections import PolyCollection

        ax.add_collection(
            PolyCollection(list(self.corners), facecolors=self.fills, edgecolors="white")
        )
        for (x, y), ink, text in zip(np.mean(self.corners, axis=1), self.inks, self.texts):
            ax.text(x, y, text, color=ink, ha="center", va="center")
        ax.set_aspect("equal")
        ax.set_axis_off()


@dataclass(frozen=True)
class Key:
    """A line of the legend: the mark of a class, or a line."""

    name: str
    colour: str
    dash: str = ""
    code: int | None = None
    joined: bool = False
    """Whether the marks are on a line."""

    def handle(self) -> Any:
        """The mark beside the name, as matplotlib has it."""
        from matplotlib.lines import Line2D

        look: dict[str, Any] = {"ls": dashes(self.dash), "lw": 1.4}
        if self.code is not None:
            look = {"ls": "-" if self.joined else "", "lw": 1.0}
            look |= {"marker": marker(self.code), "ms": 3.5}
        return Line2D([], [], color=self.colour, label=written(self.name), **look)


@dataclass
class Chart:
    """Axes, the marks in them, and a legend.

    Parameters
    ----------
    xlim, ylim : (float, float)
        Either may fall.
    xlabel, ylabel : str
    height : float
        In units of a page that is 640 wide.
    log : bool
        Whether the horizontal axis is logarithmic.
    xticks, yticks : sequence of (float, str), optional
        Places and words; by default those of matplotlib.
    grid : str
        The axes whose ticks have lines: ``"xy"``, ``"x"``, ``"y"`` or ``""``.
    marks : list of marks
        Drawn in their order.
    keys : list of Key
        The legend.

    Examples
    --------
    >>> chart = Chart((0, 1), (0, 1), xlabel="x", marks=[Label(0.5, 0.5, "here")])
    >>> figure = chart.figure()
    >>> figure.axes[0].get_xlabel()
    'x'
    """

    xlim: tuple[float, float]
    ylim: tuple[float, float]
    xlabel: str = ""
    ylabel: str = ""
    height: float = 400.0
    log: bool = False
    xticks: Sequence[tuple[float, str]] | None = None
    yticks: Sequence[tuple[float, str]] | None = None
    grid: str = ""
    marks: list[Mark] = field(default_factory=list)
    keys: list[Key] = field(default_factory=list)

    def draw(self, ax: Any) -> None:
        """Draw everything but the legend into the axes of matplotlib.

        Parameters
        ----------
        ax : matplotlib Axes
        """
        if self.log:
            ax.set_xscale("log")
        ax.set(xlim=self.xlim, ylim=self.ylim)
        ax.set(xlabel=written(self.xlabel), ylabel=written(self.ylabel))
        for axis, given in ((ax.xaxis, self.xticks), (ax.yaxis, self.yticks)):
            if given is not None:
                axis.set_ticks([value for value, _ in given], [written(text) for _, text in given])
                axis.set_ticks([], minor=True)
        for name in self.grid:
            ax.grid(axis=name)
        plain(ax)
        if not self.ylabel and self.yticks is not None:
            ax.tick_params(axis="y", length=0)
        for mark in self.marks:
            mark.draw(ax)

    def figure(self, width: float = COLUMN) -> Any:
        """A new figure, fit for a paper: so wide, with letters that can be read there.

        Parameters
        ----------
        width : float, default=89
            In millimetres: 89 is one column of many journals, 183 are two.

        Returns
        -------
        matplotlib Figure
            Not one of ``pyplot``'s: nothing has to be closed.
        """
        if importlib.util.find_spec("matplotlib") is None:
            raise ImportError('figures need matplotlib: pip install "noneuclid[plot]"')
        import matplotlib as mpl
        from matplotlib.figure import Figure

        inches = width / MILLIMETRES
        per_line = max(1, int(inches * 17 / (max((len(k.name) for k in self.keys), default=1) + 5)))
        lines = -(-len(self.keys) // per_line)
        # Wide figures need not be as high as a column would be in their proportion, but rows with
        # names over them need the room of their letters.
        share = self.height / PAGE * (1.0 if width <= 1.5 * COLUMN else 0.75)
        if any(isinstance(mark, Label) for mark in self.marks):
            share = self.height / PAGE * 1.2 * COLUMN / width
        with mpl.rc_context(_SETTINGS):
            size = (inches, inches * share + 0.14 * lines)
            figure = Figure(figsize=size, layout="constrained")
            self.draw(figure.subplots())
            if self.keys:
                handles = [key.handle() for key in self.keys]
                look: Any = {"frameon": False, "handletextpad": 0.4, "columnspacing": 1.2}
                look |= {"loc": "outside upper left", "ncols": per_line, "borderpad": 0.1}
                figure.legend(handles=handles, **look)
        return figure


def dashes(pattern: str) -> Any:
    """The line style of a pattern of strokes and gaps.

    Examples
    --------
    >>> dashes(""), dashes("5 4")
    ('-', (0, (2.5, 2.0)))
    """
    lengths = tuple(0.5 * float(part) for part in pattern.split())
    return (0, lengths) if lengths else "-"


def limits_of(*values: ArrayLike) -> tuple[float, float]:
    """The range of all values.

    Examples
    --------
    >>> limits_of([1, 2], [0.5])
    (0.5, 2.0)
    """
    every = np.concatenate([np.ravel(np.asarray(v, dtype=float)) for v in values])
    return float(every.min()), float(every.max())
