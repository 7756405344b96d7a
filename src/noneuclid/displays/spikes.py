"""Figures of event sequences: raster, component functions, scores."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from noneuclid.displays._axes import COLOURS, MARKS, axes, class_colours, legend_above, plain
from noneuclid.kernels.trains import as_trains
from noneuclid.spikes import SpikeTrainPCA
from noneuclid.typing import Array


class RasterDisplay:
    """One line per train, one mark per event.

    Parameters
    ----------
    trains : list of 1-d arrays, or one of the other forms of ``SpikeTrainKernel``
    labels : array, optional
        Classes, shown as colours.

    Examples
    --------
    >>> display = RasterDisplay([[0.1, 0.2], [0.15]], labels=[0, 1])
    >>> len(display.trains)
    2
    """

    def __init__(self, trains: Any, labels: ArrayLike | None = None):
        self.trains = list(as_trains(trains, "trains"))
        self.labels = labels

    @classmethod
    def from_trains(
        cls, trains: Any, labels: ArrayLike | None = None, *, ax: Any = None, **kwargs: Any
    ) -> Self:
        """Draw trains; see :meth:`plot` for the other arguments."""
        return cls(trains, labels).plot(ax, **kwargs)

    def plot(self, ax: Any = None, *, unit: str = "s", legend: bool = True) -> Self:
        """Draw into the axes given, or into new ones.

        Parameters
        ----------
        ax : matplotlib Axes, optional
        unit : str, default="s"
            Unit of the times, for the label.
        legend : bool, default=True
            Name the classes, if there are labels.
        """
        colours, classes = class_colours(self.labels, len(self.trains), "trains")
        self.ax_ = axes(ax)
        self.figure_ = self.ax_.figure
        for i, (train, colour) in enumerate(zip(self.trains, colours)):
            self.ax_.vlines(train, i - 0.4, i + 0.4, color=colour, linewidth=1.0)
        self.ax_.set_ylim(max(len(self.trains), 1) - 0.5, -0.5)
        self.ax_.set(xlabel=f"time ({unit})", ylabel="train")
        plain(self.ax_)
        if classes and legend:
            for name, colour in classes.items():
                self.ax_.plot([], [], color=colour, linewidth=3, label=str(name))
            legend_above(self.ax_, len(classes))
        return self


class ComponentFunctionsDisplay:
    """Principal component functions of spike trains, one panel each.

    Parameters
    ----------
    t : array of shape (k,)
        Times.
    functions : array of shape (n_components, k)
        ξ(t).
    ratios : array of shape (n_components,)
        Explained variance ratios.
    """

    def __init__(self, t: Array, functions: Array, ratios: Array):
        self.t = t
        self.functions = functions
        self.ratios = ratios

    @classmethod
    def from_estimator(
        cls, estimator: SpikeTrainPCA, t: ArrayLike | None = None, **kwargs: Any
    ) -> Self:
        """Draw the components of a fitted ``SpikeTrainPCA``; by default where it has events."""
        if t is None:
            times = estimator._trains.times
            edge = 3 * float(estimator.kernel_.width)
            t = np.linspace(times.min() - edge, times.max() + edge, 1000)
        grid = np.asarray(t, dtype=np.float64)
        functions = estimator.component_functions(grid)
        return cls(grid, functions, estimator.explained_variance_ratio_).plot(**kwargs)

    def plot(self, axs: Any = None, *, unit: str = "s") -> Self:
        """Draw into the axes given, one per component, or into a new figure."""
        m = len(self.functions)
        if axs is None:
            first = axes()
            figure = first.figure
            first.remove()
            figure.set_size_inches(6.4, 0.8 + 1.7 * m)
            axs = figure.subplots(m, 1, sharex=True, squeeze=False)[:, 0]
        self.axes_ = np.atleast_1d(axs)
        if len(self.axes_) != m:
            raise ValueError(f"there are {m} components but {len(self.axes_)} axes")
        self.figure_ = self.axes_[0].figure
        for k, ax in enumerate(self.axes_):
            ax.axhline(0.0, color="0.8", linewidth=0.8)
            ax.plot(self.t, self.functions[k], color=COLOURS[k % len(COLOURS)], linewidth=1.2)
            ax.set_title(f"component {k + 1}: {self.ratios[k]:.1%} of the variance", fontsize=10)
            ax.set_ylabel(f"ξ{chr(0x2080 + k + 1) if k < 9 else ''}(t)")
            ax.margins(x=0)
            plain(ax)
        self.axes_[-1].set_xlabel(f"time ({unit})")
        self.figure_.align_ylabels(list(self.axes_))
        return self


class SpikeScoresDisplay:
    """Scores of trains on the first two principal components.

    Parameters
    ----------
    scores : array of shape (n, 2)
    labels : array, optional
        Classes, shown as colours and marks.
    ratios : array, optional
        Explained variance ratios, for the labels of the axes.
    """

    def __init__(self, scores: Array, labels: ArrayLike | None = None, ratios: Array | None = None):
        self.scores = scores
        self.labels = labels
        self.ratios = ratios

    @classmethod
    def from_estimator(
        cls, estimator: SpikeTrainPCA, X: Any, labels: ArrayLike | None = None, **kwargs: Any
    ) -> Self:
        """Draw the scores of trains under a fitted ``SpikeTrainPCA``."""
        ratios = estimator.explained_variance_ratio_
        return cls(estimator.transform(X), labels, ratios).plot(**kwargs)

    def plot(self, ax: Any = None, *, legend: bool = True) -> Self:
        """Draw into the axes given, or into new ones."""
        if self.scores.shape[1] < 2:
            raise ValueError("a figure of scores needs two components; there is one")
        _, classes = class_colours(self.labels, len(self.scores), "trains")
        self.ax_ = axes(ax)
        self.figure_ = self.ax_.figure
        first, second = self.scores[:, 0], self.scores[:, 1]
        groups = classes or {None: COLOURS[0]}
        for name, colour, mark in zip(groups, groups.values(), MARKS * len(groups)):
            chosen = slice(None) if name is None else np.asarray(self.labels) == name
            self.ax_.scatter(
                first[chosen], second[chosen], s=18, color=colour, marker=mark, label=str(name)
            )
        for k, name in enumerate(("x", "y")):
            share = "" if self.ratios is None else f" ({self.ratios[k]:.1%})"
            self.ax_.set(**{f"{name}label": f"score {k + 1}{share}"})
        plain(self.ax_)
        if classes and legend:
            legend_above(self.ax_, len(classes))
        return self
