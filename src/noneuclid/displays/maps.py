"""Figures of self-organising maps, on squares or hexagons."""

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from noneuclid.displays._axes import COLOURS, axes
from noneuclid.prototypes.quantization import Grid
from noneuclid.typing import Array, IntArray

_EMPTY = "#f0f0f0"


def cells(grid: Grid, size: Array | float = 1.0) -> Array:
    """Corners of the units' cells, ``size`` of them wide: (m, corners, 2).

    Cells of full size touch without a gap.
    """
    if grid.topology == "hex":
        angles = np.pi / 6 + np.arange(6) * np.pi / 3
        corners = np.column_stack([np.cos(angles), np.sin(angles)]) / np.sqrt(3.0)
    else:
        corners = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    sizes = np.broadcast_to(np.asarray(size, dtype=float), (len(grid),))
    return grid.positions[:, None, :] + sizes[:, None, None] * corners


def _grid(estimator: Any) -> Grid:
    check_is_fitted(estimator)
    if not hasattr(estimator, "grid_"):
        raise TypeError(f"{type(estimator).__name__} is not a map: it has no grid")
    return estimator.grid_


def _hits(estimator: Any, X: ArrayLike | None) -> IntArray:
    winners = estimator.labels_ if X is None else estimator._winners(X)
    return np.bincount(winners, minlength=len(_grid(estimator)))


class _MapDisplay:
    """Cells of a map; the first row is on top."""

    grid: Grid
    ax_: Any
    figure_: Any

    def _polygons(self, ax: Any, corners: Array, **kwargs: Any) -> Any:
        from matplotlib.collections import PolyCollection

        return ax.add_collection(PolyCollection(list(corners), **kwargs))

    def _frame(self, ax: Any) -> None:
        corners = cells(self.grid).reshape(-1, 2)
        low, high = corners.min(axis=0) - 0.05, corners.max(axis=0) + 0.05
        ax.set(xlim=(low[0], high[0]), ylim=(high[1], low[1]), aspect="equal")
        ax.set_axis_off()

    def _coloured(
        self, ax: Any, values: Array, cmap: str, label: str | None, colorbar: bool
    ) -> None:
        drawn = self._polygons(ax, cells(self.grid), array=values, cmap=cmap)
        drawn.set(edgecolor="face", linewidth=0.3)
        self._frame(ax)
        if colorbar:
            ax.figure.colorbar(drawn, ax=ax, label=label, shrink=0.8)


class UMatrixDisplay(_MapDisplay):
    """Mean distance of every unit to its neighbours on the map: ridges divide clusters.

    Parameters
    ----------
    grid : Grid
    heights : array of shape (m,)
        Mean distances (not squared).

    Examples
    --------
    >>> from noneuclid import SelfOrganizingMap
    >>> from sklearn.datasets import load_iris
    >>> som = SelfOrganizingMap(shape=(5, 7), topology="hex").fit(load_iris().data)
    >>> UMatrixDisplay.of(som).heights.shape
    (35,)
    """

    def __init__(self, grid: Grid, heights: Array):
        self.grid = grid
        self.heights = heights

    @classmethod
    def of(cls, estimator: Any) -> Self:
        """Compute the heights of a fitted map, without drawing."""
        grid = _grid(estimator)
        distances = np.sqrt(np.maximum(estimator.prototype_distances(), 0.0))
        touching = grid.neighbours
        count = np.maximum(touching.sum(axis=1), 1)
        return cls(grid, (distances * touching).sum(axis=1) / count)

    @classmethod
    def from_estimator(cls, estimator: Any, **kwargs: Any) -> Self:
        """Draw a fitted map; see :meth:`plot` for the other arguments."""
        return cls.of(estimator).plot(**kwargs)

    def plot(self, ax: Any = None, *, cmap: str = "bone_r", colorbar: bool = True) -> Self:
        """Draw into the axes given, or into new ones."""
        self.ax_ = axes(ax)
        self.figure_ = self.ax_.figure
        label = "mean distance to neighbours"
        self._coloured(self.ax_, self.heights, cmap, label, colorbar)
        return self


class ComponentPlanesDisplay(_MapDisplay):
    """One small map per feature: its value in every prototype.

    Parameters
    ----------
    grid : Grid
    values : array of shape (m, k)
    names : list of str
        One per feature.
    """

    def __init__(self, grid: Grid, values: Array, names: list[str]):
        self.grid = grid
        self.values = values
        self.names = names

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        *,
        features: ArrayLike | None = None,
        names: list[str] | None = None,
        **kwargs: Any,
    ) -> Self:
        """Draw a fitted map of vectors.

        Parameters
        ----------
        estimator : SelfOrganizingMap or FuzzyLabelledSOM
        features : array of int, optional
            Which ones; by default the first twelve.
        names : list of str, optional
            Names of all features; by default those of the data frame.
        **kwargs
            See :meth:`plot`.
        """
        grid = _grid(estimator)
        if not hasattr(estimator, "prototypes_"):
            raise TypeError(
                f"{type(estimator).__name__} has no features: its prototypes are combinations of "
                "objects"
            )
        W = estimator.prototypes_
        chosen = np.arange(min(W.shape[1], 12)) if features is None else np.atleast_1d(features)
        if names is None:
            numbers = [f"feature {k}" for k in range(W.shape[1])]
            names = list(getattr(estimator, "feature_names_in_", numbers))
        return cls(grid, W[:, chosen], [names[k] for k in chosen]).plot(**kwargs)

    def plot(self, axs: Any = None, *, cmap: str = "viridis", colorbar: bool = True) -> Self:
        """Draw into the axes given, one per feature, or into a new figure."""
        k = self.values.shape[1]
        if axs is None:
            first = axes()
            figure = first.figure
            first.remove()
            columns = min(k, 4)
            rows = -(-k // columns)
            figure.set_size_inches(2.7 * columns, 2.4 * rows)
            axs = figure.subplots(rows, columns, squeeze=False).ravel()
            for ax in axs[k:]:
                ax.remove()
            axs = axs[:k]
        self.axes_ = np.atleast_1d(axs)
        if len(self.axes_) != k:
            raise ValueError(f"there are {k} features but {len(self.axes_)} axes")
        self.figure_ = self.axes_[0].figure
        for ax, column, name in zip(self.axes_, self.values.T, self.names):
            self._coloured(ax, column, cmap, None, colorbar)
            ax.set_title(name, fontsize=10)
        return self


class HitMapDisplay(_MapDisplay):
    """How many samples every unit wins, as the area of a cell inside the cell.

    Parameters
    ----------
    grid : Grid
    hits : array of int of shape (m,)
    """

    def __init__(self, grid: Grid, hits: IntArray):
        self.grid = grid
        self.hits = hits

    @classmethod
    def from_estimator(cls, estimator: Any, X: ArrayLike | None = None, **kwargs: Any) -> Self:
        """Draw where samples fall, by default those the map was trained on."""
        return cls(_grid(estimator), _hits(estimator, X)).plot(**kwargs)

    def plot(self, ax: Any = None, *, color: str = COLOURS[0], counts: bool = False) -> Self:
        """Draw into the axes given, or into new ones.

        Parameters
        ----------
        ax : matplotlib Axes, optional
        color : str
        counts : bool, default=False
            Write the numbers into the cells.
        """
        self.ax_ = axes(ax)
        self.figure_ = self.ax_.figure
        self._polygons(
            self.ax_, cells(self.grid), facecolor=_EMPTY, edgecolor="white", linewidth=0.8
        )
        size = 0.95 * np.sqrt(self.hits / max(int(self.hits.max()), 1))
        self._polygons(self.ax_, cells(self.grid, size), facecolor=color, edgecolor="none")
        if counts:
            for (x, y), k in zip(self.grid.positions, self.hits):
                if k > 0:
                    self.ax_.text(x, y, str(k), ha="center", va="center", fontsize=7)
        self._frame(self.ax_)
        return self


class ClassMapDisplay(_MapDisplay):
    """Which class every unit has: the colour is the class, its strength how pure the unit is.

    Parameters
    ----------
    grid : Grid
    shares : array of shape (m, n_classes)
        Share of every class in every unit; rows of zeros are empty units.
    classes : array of shape (n_classes,)
    """

    def __init__(self, grid: Grid, shares: Array, classes: np.ndarray):
        self.grid = grid
        self.shares = shares
        self.classes = classes

    @classmethod
    def from_estimator(
        cls, estimator: Any, y: ArrayLike | None = None, X: ArrayLike | None = None, **kwargs: Any
    ) -> Self:
        """Draw the classes of samples, by default of those the map was trained on.

        Parameters
        ----------
        estimator : fitted map
        y : array of shape (n,), optional
            Labels. A fuzzy-labelled map shows its own distributions without them.
        X : optional
            The samples the labels belong to.
        **kwargs
            See :meth:`plot`.
        """
        grid = _grid(estimator)
        if y is None:
            if not hasattr(estimator, "label_distributions_"):
                raise ValueError("give the labels y: the map was trained without any")
            return cls(grid, estimator.label_distributions_, estimator.classes_).plot(**kwargs)
        winners = estimator.labels_ if X is None else estimator._winners(X)
        labels = np.asarray(y)
        if labels.shape != winners.shape:
            raise ValueError(f"there are {len(winners)} samples but labels of shape {labels.shape}")
        classes, index = np.unique(labels, return_inverse=True)
        counts = np.zeros((len(grid), len(classes)))
        np.add.at(counts, (winners, index), 1.0)
        return cls(grid, counts / np.maximum(counts.sum(axis=1, keepdims=True), 1.0), classes).plot(
            **kwargs
        )

    def plot(self, ax: Any = None, *, legend: bool = True) -> Self:
        """Draw into the axes given, or into new ones."""
        self.ax_ = axes(ax)
        self.figure_ = self.ax_.figure
        from matplotlib import colormaps
        from matplotlib.colors import to_rgb

        many = len(self.classes) > len(COLOURS)
        palette = np.array(
            [
                to_rgb(colormaps["tab20"](k % 20) if many else COLOURS[k])
                for k in range(len(self.classes))
            ]
        )
        top, share = self.shares.argmax(axis=1), self.shares.max(axis=1, initial=0.0)
        floor = 1.0 / max(len(self.classes), 2)  # no purer than chance: no colour
        strength = np.clip((share - floor) / (1 - floor), 0.15, 1.0)[:, None]
        colours = strength * palette[top] + (1 - strength)
        colours[share == 0] = to_rgb(_EMPTY)
        self._polygons(
            self.ax_, cells(self.grid), facecolor=colours, edgecolor="white", linewidth=0.8
        )
        self._frame(self.ax_)
        if legend:
            for colour, name in zip(palette, self.classes.tolist()):
                self.ax_.scatter([], [], color=colour, marker="s", label=str(name))
            self.ax_.legend(frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
        return self
