"""Objects in the plane, with classes as colours and shapes, prototypes on top."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from noneuclid.displays.charts import Key, Points
from noneuclid.displays.style import class_order, colour
from noneuclid.report._numbers import number
from noneuclid.report.blocks import Figure, Words
from noneuclid.report.figures.svg import Plot, escape, limits, mark
from noneuclid.typing import Array, IntArray


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
    """The typical objects of every prototype: those that are nearest to it."""

    def parts(self, j: int) -> list[int]:
        """The objects a prototype is made of, or those it wins."""
        if self.weights is None:
            return np.flatnonzero(self.nearest == j).tolist()
        row = np.abs(self.weights[j])
        return np.flatnonzero(row > 1e-3 * row.max()).tolist()

    def data(self) -> dict[str, Any]:
        """What a person sees when choosing one."""
        return {
            "prototypes": [
                {
                    "label": label,
                    "typical": self.typical[j],
                    "parts": self.parts(j),
                    "wins": int((self.nearest == j).sum()),
                    "combination": self.weights is not None,
                }
                for j, label in enumerate(self.labels)
            ],
            "nearest": self.nearest.tolist(),
            "distances": [number(d) for d in self.distances],
        }


def scatter(
    points: Array,
    names: Sequence[str],
    labels: ArrayLike | None,
    *,
    axes: tuple[str, str],
    prototypes: Prototypes | None = None,
    extra: Sequence[str] | None = None,
    word: str = "class",
    **words: Unpack[Words],
) -> Figure:
    """Draw objects; pointing at one tells what it is, choosing a prototype what it is made of.

    Parameters
    ----------
    points : array of shape (n, 2)
    names : sequence of str
    labels : array of shape (n,), optional
    axes : (str, str)
    prototypes : Prototypes, optional
    extra : sequence of str, optional
        A further line about every object.
    word : str, default="class"
        What the labels are; ``""`` if their names say it.
    title, reading, how : str
        Words of the figure.
    """
    found, codes = class_order(labels, len(points))
    classes = [str(name) for name in found]
    shown = points if prototypes is None else np.vstack([points, prototypes.places])
    xlim, ylim = limits(shown[:, 0]), limits(shown[:, 1])
    plot = Plot(xlim, ylim, xlabel=axes[0], ylabel=axes[1], height=460, grid="")
    x, y = plot.x(points[:, 0]), plot.y(points[:, 1])
    r = 5 if len(x) <= 200 else 4 if len(x) <= 500 else 3
    plot.add('<g class="objects" aria-hidden="true">')
    fills = [colour(k) for k in codes]
    for i, path in enumerate(plot.points(points[:, 0], points[:, 1], fills, codes.tolist(), r)):
        plot.add(f'<path class="object" data-i="{i}" d="{path}" fill="{fills[i]}"/>')
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
    said = f"{len(points)} objects"
    if classes:
        said += f" of {len(classes)} {'classes' if word else 'groups'}"
    if prototypes is not None:
        _draw_prototypes(plot, prototypes, classes)
        data |= prototypes.data()
        hint += " Choose a prototype (P1, P2 …) to see the objects it is made of."
        said += f" and {len(prototypes.places)} prototypes"
    legend = [Key(name, colour(k), code=k) for k, name in enumerate(classes)]
    return plot.figure(legend, before=f"{said}. ", data=data, hint=hint, **words)


def _draw_prototypes(plot: Plot, found: Prototypes, classes: list[str]) -> None:
    code = {name: k for k, name in enumerate(classes)}
    x, y = plot.x(found.places[:, 0]), plot.y(found.places[:, 1])
    codes = [code.get(label, j) for j, label in enumerate(found.labels)]
    numbers = [str(j + 1) for j in range(len(codes))]
    fills, places = [colour(k) for k in codes], found.places
    plot.chart.marks.append(
        Points(places[:, 0], places[:, 1], fills, codes, 11.0, hollow=True, texts=numbers)
    )
    for j, (label, k) in enumerate(zip(found.labels, codes)):
        what = f"Prototype {j + 1}" + (f" of class {label}" if label in code else "")
        plot.add(
            f'<g class="prototype" role="button" tabindex="0" aria-pressed="false" '
            f'data-prototype="{j}" aria-label="{escape(what)}: show its typical objects">'
            f'<path d="{mark(k, x[j], y[j], 11)}" fill="#fff" stroke="{colour(k)}" '
            f'stroke-width="3.5"/><text x="{x[j]:.1f}" y="{y[j]:.1f}" dy="0.35em" '
            f'text-anchor="middle" class="ptext">{j + 1}</text></g>'
        )
