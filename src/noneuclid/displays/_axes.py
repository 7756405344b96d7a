"""matplotlib, when it is needed, and what all figures share."""

import importlib.util
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from noneuclid.displays.style import COLOURS, class_colour, class_order, marker, written
from noneuclid.typing import Array

_LEGEND_COLUMNS = 5


def axes(ax: Any = None) -> Any:
    """The given axes, or those of a new figure."""
    if ax is not None:
        return ax
    if importlib.util.find_spec("matplotlib") is None:
        raise ImportError('figures need matplotlib: pip install "noneuclid[plot]"')
    import matplotlib.pyplot as plt

    return plt.subplots(layout="constrained")[1]


class Display:
    """A figure; ``plot`` leaves its axes in ``ax_`` and the whole in ``figure_``."""

    ax_: Any
    axes_: Any
    figure_: Any

    def _into(self, ax: Any) -> Any:
        """Begin to draw into the axes given, or into new ones."""
        self.ax_ = axes(ax)
        self.figure_ = self.ax_.figure
        return self.ax_

    def _into_each(
        self, axs: Any, n: int, what: str, columns: int, size: tuple[float, float], **kwargs: Any
    ) -> Any:
        """Begin to draw into n axes: those given, or those of a new figure."""
        if axs is None:
            first = axes()
            figure = first.figure
            first.remove()
            figure.set_size_inches(*size)
            axs = figure.subplots(-(-n // columns), columns, squeeze=False, **kwargs).ravel()
            for ax in axs[n:]:
                ax.remove()
            axs = axs[:n]
        self.axes_ = np.atleast_1d(axs)
        if len(self.axes_) != n:
            raise ValueError(f"there are {n} {what} but {len(self.axes_)} axes")
        self.figure_ = self.axes_[0].figure
        return self.axes_


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
    colours = [class_colour(k, name) for k, name in enumerate(classes)]
    return [colours[k] if colours else COLOURS[0] for k in codes], dict(zip(classes, colours))


def scatter_classes(
    ax: Any, points: Array, labels: ArrayLike | None, what: str, **style: Any
) -> dict[Any, str]:
    """Objects with the colours and marks of their classes; returns the colours."""
    classes, codes = class_order(labels, len(points), what)
    groups = {name: class_colour(k, name) for k, name in enumerate(classes)}
    groups = groups or {None: COLOURS[0]}
    for k, (name, stroke) in enumerate(groups.items()):
        label = "objects" if name is None else written(name)
        x, y = points[codes == k, :2].T
        ax.scatter(x, y, color=stroke, marker=marker(k), label=label, **style)
    return groups


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
