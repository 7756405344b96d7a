"""matplotlib, when it is needed, and what all figures share."""

import importlib.util
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from noneuclid.displays.style import COLOURS, class_order, colour

__all__ = ["COLOURS", "axes", "class_colours", "legend_above", "panels", "plain"]

_LEGEND_COLUMNS = 5


def axes(ax: Any = None) -> Any:
    """The given axes, or those of a new figure."""
    if ax is not None:
        return ax
    if importlib.util.find_spec("matplotlib") is None:
        raise ImportError('figures need matplotlib: pip install "noneuclid[plot]"')
    import matplotlib.pyplot as plt

    return plt.subplots(layout="constrained")[1]


def panels(ax: Any, n: int, *, columns: int, width: float, height: float) -> Any:
    """Axes for n panels: those given, a grid in the place of one given, or a new figure."""
    if ax is not None and np.ndim(ax) > 0:
        found = np.asarray(ax, dtype=object).ravel()
        if len(found) != n:
            raise ValueError(f"there are {n} panels but {len(found)} axes")
        return found
    columns = min(columns, n)
    rows = -(-n // columns)
    frame = axes(ax)
    figure = frame.figure
    if ax is None:
        figure.set_size_inches(columns * width, rows * height)
    grid = frame.get_subplotspec().subgridspec(rows, columns)
    frame.set_axis_off()
    return np.array(
        [figure.add_subplot(grid[i // columns, i % columns]) for i in range(n)], dtype=object
    )


def plain(ax: Any) -> None:
    """Take away the frame where it says nothing."""
    ax.spines[["top", "right"]].set_visible(False)


def class_colours(
    labels: ArrayLike | None, n: int, what: str = "objects"
) -> tuple[list[str], dict[Any, str]]:
    """A colour per object, and the colour of every class."""
    classes, codes = class_order(labels, n, what)
    return [colour(k) for k in codes], {name: colour(k) for k, name in enumerate(classes)}


def legend_above(ax: Any, n: int) -> None:
    """A legend of n entries above the axes, where it covers no data."""
    ax.legend(
        frameon=False,
        loc="lower center",
        bbox_to_anchor=(0.5, 1.0),
        ncols=min(n, _LEGEND_COLUMNS),
        handletextpad=0.4,
        columnspacing=1.2,
    )
