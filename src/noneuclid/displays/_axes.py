"""matplotlib, when it is needed."""

import importlib.util
from typing import Any

# Dark blue, orange, green, pink, light blue, vermilion: told apart by colour-blind readers too.
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00")


def axes(ax: Any = None) -> Any:
    """The given axes, or those of a new figure."""
    if ax is not None:
        return ax
    if importlib.util.find_spec("matplotlib") is None:
        raise ImportError('figures need matplotlib: pip install "noneuclid[plot]"')
    import matplotlib.pyplot as plt

    return plt.subplots(layout="constrained")[1]


def plain(ax: Any) -> None:
    """Take away the frame where it says nothing."""
    ax.spines[["top", "right"]].set_visible(False)
