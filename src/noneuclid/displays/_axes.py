"""matplotlib, when it is needed, and what all figures share."""

import importlib.util
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

# Dark blue, orange, green, pink, light blue, vermilion: told apart by colour-blind readers too.
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00")
MARKS = "os^Dv<>p"
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
    if labels is None:
        return [COLOURS[0]] * n, {}
    names = np.asarray(labels)
    if names.shape != (n,):
        raise ValueError(f"there are {n} {what} but labels of shape {names.shape}")
    classes = {c: COLOURS[k % len(COLOURS)] for k, c in enumerate(np.unique(names).tolist())}
    return [classes[c] for c in names.tolist()], classes


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
