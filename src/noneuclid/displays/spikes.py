"""Figures of event sequences: raster, component functions, scores."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from noneuclid.displays._axes import Display, class_colours, legend_above, plain, scatter_classes
from noneuclid.displays.style import colour as class_colour
from noneuclid.displays.style import written
from noneuclid.kernels.trains import as_trains
from noneuclid.spikes import SpikeTrainPCA
from noneuclid.typing import Array


class RasterDisplay(Display):
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
    def from_trains(cls, trains: Any, labels: ArrayLike | None = None, **kwargs: Any) -> Self:
        """Draw trains; see :meth:`plot` for the other arguments.

        Parameters
        ----------
        trains : list of 1-d arrays
            Times of events.
        labels : array of shape (n,), optional
            Classes, by which the trains are sorted and coloured.
        **kwargs
            Passed to :meth:`plot`.

        Returns
        -------
        display : object
            The display, drawn: its axes are ``ax_`` or ``axes_``, the whole is ``figure_``.
        """
        return cls(trains, labels).plot(**kwargs)

    def plot(self, ax: Any = None, *, unit: str = "s", legend: bool = True) -> Self:
        """Draw into the axes given, or into new ones.

        Parameters
        ----------
        ax : matplotlib Axes, optional
        unit : str, default="s"
            Unit of the times, for the label.
        legend : bool, default=True
            Name the classes, if there are labels.

        Returns
        -------
        display : object
            The display, drawn: its axes are ``ax_`` or ``axes_``, the whole is ``figure_``.
        """
        colours, classes = class_colours(self.labels, len(self.trains), "trains")
        ax = self._into(ax)
        for i, (train, colour) in enumerate(zip(self.trains, colours)):
            ax.vlines(train, i - 0.4, i + 0.4, color=colour, linewidth=1.0)
        ax.set_ylim(max(len(self.trains), 1) - 0.5, -0.5)
        ax.set(xlabel=f"time ({unit})", ylabel="train")
        plain(ax)
        if classes and legend:
            for name, colour in classes.items():
                ax.plot([], [], color=colour, linewidth=3, label=written(name))
            legend_above(ax, len(classes))
        return self


def time_axis(trains: Sequence[Array], width: float, n: int = 1000) -> Array:
    """Times that show all events, smoothed with a width: (n,).

    Parameters
    ----------
    trains : sequence of 1-d arrays
        With at least one event.
    width : float
    n : int, default=1000

    Examples
    --------
    >>> time_axis([np.array([1.0]), np.array([2.0])], 0.5, 3)
    array([-0.5,  1.5,  3.5])
    """
    times = np.concatenate(list(trains))
    return np.linspace(times.min() - 3 * width, times.max() + 3 * width, n)


@dataclass(eq=False, repr=False)
class ComponentFunctionsDisplay(Display):
    """Principal component functions of spike trains, one panel each.

    Parameters
    ----------
    t : array of shape (k,)
        Times.
    functions : array of shape (n_components, k) or (n_components, n_neurons, k)
        ξ(t); one line per neuron.
    ratios : array of shape (n_components,)
        Explained variance ratios.
    """

    t: Array
    functions: Array
    ratios: Array

    @classmethod
    def from_estimator(
        cls, estimator: SpikeTrainPCA, t: ArrayLike | None = None, **kwargs: Any
    ) -> Self:
        """Draw the components of a fitted ``SpikeTrainPCA``; by default where it has events.

        Parameters
        ----------
        estimator : fitted SpikeTrainPCA
            Whose components are drawn.
        t : array of shape (n_times,), optional
            Times at which the functions are evaluated.
        **kwargs
            Passed to :meth:`plot`.

        Returns
        -------
        display : object
            The display, drawn: its axes are ``ax_`` or ``axes_``, the whole is ``figure_``.
        """
        if t is None:
            objects = estimator.relation_.objects_
            t = time_axis(getattr(objects, "trains", objects), float(estimator.kernel_.width))
        grid = np.asarray(t, dtype=np.float64)
        functions = estimator.component_functions(grid)
        return cls(grid, functions, estimator.explained_variance_ratio_).plot(**kwargs)

    def plot(self, axs: Any = None, *, unit: str = "s") -> Self:
        """Draw into the axes given, one per component, or into a new figure.

        Parameters
        ----------
        axs : array of matplotlib Axes, optional
            One per component; new ones by default.
        unit : str, default="s"
            Unit of the times, for the label.

        Returns
        -------
        display : object
            The display, drawn: its axes are ``ax_`` or ``axes_``, the whole is ``figure_``.
        """
        m = len(self.functions)
        size = 6.4, 0.8 + 1.7 * m
        for k, ax in enumerate(self._into_each(axs, m, "components", 1, size, sharex=True)):
            ax.axhline(0.0, color="0.8", linewidth=0.8)
            several = self.functions[k].ndim > 1  # one line per neuron, or one in all
            for j, line in enumerate(np.atleast_2d(self.functions[k])):
                ax.plot(self.t, line, color=class_colour(j if several else k), linewidth=1.2)
            ax.set_title(f"component {k + 1}: {self.ratios[k]:.1%} of the variance", fontsize=10)
            ax.set_ylabel(f"ξ{chr(0x2080 + k + 1) if k < 9 else ''}(t)")
            ax.margins(x=0)
            plain(ax)
        self.axes_[-1].set_xlabel(f"time ({unit})")
        self.figure_.align_ylabels(list(self.axes_))
        return self


@dataclass(eq=False, repr=False)
class SpikeScoresDisplay(Display):
    """Scores of trains on the first two principal components.

    Parameters
    ----------
    scores : array of shape (n, 2)
    labels : array, optional
        Classes, shown as colours and marks.
    ratios : array, optional
        Explained variance ratios, for the labels of the axes.
    """

    scores: Array
    labels: ArrayLike | None = None
    ratios: Array | None = None

    @classmethod
    def from_estimator(
        cls, estimator: SpikeTrainPCA, X: Any, labels: ArrayLike | None = None, **kwargs: Any
    ) -> Self:
        """Draw the scores of trains under a fitted ``SpikeTrainPCA``.

        Parameters
        ----------
        estimator : fitted SpikeTrainPCA
            Whose scores are drawn.
        X : list of 1-d arrays
            Trains.
        labels : array of shape (n,), optional
            Classes, which are drawn in colours.
        **kwargs
            Passed to :meth:`plot`.

        Returns
        -------
        display : object
            The display, drawn: its axes are ``ax_`` or ``axes_``, the whole is ``figure_``.
        """
        ratios = estimator.explained_variance_ratio_
        return cls(estimator.transform(X), labels, ratios).plot(**kwargs)

    def plot(self, ax: Any = None, *, legend: bool = True) -> Self:
        """Draw into the axes given, or into new ones.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            New ones by default.
        legend : bool, default=True
            Whether to name what is drawn.

        Returns
        -------
        display : object
            The display, drawn: its axes are ``ax_`` or ``axes_``, the whole is ``figure_``.
        """
        if self.scores.shape[1] < 2:
            raise ValueError("a figure of scores needs two components; there is one")
        ax = self._into(ax)
        classes = scatter_classes(ax, self.scores, self.labels, "trains", s=18)
        for k, name in enumerate(("x", "y")):
            share = "" if self.ratios is None else f" ({self.ratios[k]:.1%})"
            ax.set(**{f"{name}label": f"score {k + 1}{share}"})
        plain(ax)
        if self.labels is not None and legend:
            legend_above(ax, len(classes))
        return self
