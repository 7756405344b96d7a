"""Figures of self-organising maps, on squares or hexagons."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from noneuclid.displays._axes import Display
from noneuclid.displays.style import COLOURS, EMPTY, NO_LABEL, ZERO, class_order, written
from noneuclid.prototypes import Grid
from noneuclid.typing import Array, IntArray


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


def _grid(som: Any) -> Grid:
    check_is_fitted(som)
    if not hasattr(som, "grid_"):
        raise TypeError(f"{type(som).__name__} is not a map: it has no grid")
    return som.grid_


def winners(som: Any, X: ArrayLike | None = None) -> IntArray:
    """The unit every sample falls on, by default of those the map was trained on."""
    if X is None:
        return np.asarray(som.labels_)
    if hasattr(som, "label_distributions_"):  # a classifier predicts classes, not units
        return np.asarray(som._winners(X))
    return som.predict(X)


def class_shares(units: IntArray, labels: ArrayLike, n_units: int) -> tuple[list[Any], Array]:
    """The classes, and the share of each in every unit: (m, n_classes)."""
    classes, codes = class_order(labels, len(units), "samples")
    counts = np.zeros((n_units, len(classes)))
    np.add.at(counts, (units, codes), 1.0)
    return classes, counts / np.maximum(counts.sum(axis=1, keepdims=True), 1.0)


@dataclass(eq=False, repr=False)
class _MapDisplay(Display):
    """Cells of a map; the first row is on top."""

    grid: Grid

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


@dataclass(eq=False, repr=False)
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

    heights: Array

    @classmethod
    def of(cls, som: Any) -> Self:
        """Compute the heights of a fitted map, without drawing.

        Parameters
        ----------
        som : fitted map
            Of vectors or of proximities.

        Returns
        -------
        UMatrixDisplay
            Not drawn yet.
        """
        grid = _grid(som)
        distances = np.sqrt(np.maximum(som.prototype_distances(), 0.0))
        touching = grid.neighbours
        count = np.maximum(touching.sum(axis=1), 1)
        return cls(grid, (distances * touching).sum(axis=1) / count)

    @classmethod
    def from_estimator(cls, estimator: Any, **kwargs: Any) -> Self:
        """Draw a fitted map; see :meth:`plot` for the other arguments.

        Parameters
        ----------
        estimator : fitted map
            Of vectors or of proximities.
        **kwargs
            Passed to :meth:`plot`.

        Returns
        -------
        display : object
            The display, drawn: its axes are ``ax_`` or ``axes_``, the whole is ``figure_``.
        """
        return cls.of(estimator).plot(**kwargs)

    def plot(self, ax: Any = None, *, cmap: str = "bone_r", colorbar: bool = True) -> Self:
        """Draw into the axes given, or into new ones.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            New ones by default.
        cmap : str, default="bone_r"
            Name of the colours.
        colorbar : bool, default=True
            Whether to show what the colours mean.

        Returns
        -------
        display : object
            The display, drawn: its axes are ``ax_`` or ``axes_``, the whole is ``figure_``.
        """
        self._coloured(self._into(ax), self.heights, cmap, "mean distance to neighbours", colorbar)
        return self


@dataclass(eq=False, repr=False)
class ComponentPlanesDisplay(_MapDisplay):
    """One small map per feature: its value in every prototype.

    Parameters
    ----------
    grid : Grid
    values : array of shape (m, k)
    names : list of str
        One per feature.
    """

    values: Array
    names: list[str]

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
            Names of those that are drawn, in the order of ``features``, or of all features, if
            they are more; by default those of the data frame.
        **kwargs
            See :meth:`plot`.

        Returns
        -------
        display : object
            The display, drawn: its axes are ``ax_`` or ``axes_``, the whole is ``figure_``.
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
            known = list(getattr(estimator, "feature_names_in_", numbers))
            names = [known[k] for k in chosen]
        elif len(names) == W.shape[1] and len(names) != len(chosen):
            names = [names[k] for k in chosen]
        if len(names) != len(chosen):
            raise ValueError(
                f"names has {len(names)} entries: give one for each of the {W.shape[1]} features, "
                f"or for each of the {len(chosen)} that are drawn"
            )
        return cls(grid, W[:, chosen], list(names)).plot(**kwargs)

    def plot(self, axs: Any = None, *, cmap: str = "viridis", colorbar: bool = True) -> Self:
        """Draw into the axes given, one per feature, or into a new figure.

        Parameters
        ----------
        axs : array of matplotlib Axes, optional
            One per feature; new ones by default.
        cmap : str, default="viridis"
            Name of the colours.
        colorbar : bool, default=True
            Whether to show what the colours mean.

        Returns
        -------
        display : object
            The display, drawn: its axes are ``ax_`` or ``axes_``, the whole is ``figure_``.
        """
        k = self.values.shape[1]
        columns = min(k, 4)
        size = 2.7 * columns, 2.4 * -(-k // columns)
        found = self._into_each(axs, k, "features", columns, size)
        for ax, column, name in zip(found, self.values.T, self.names):
            self._coloured(ax, column, cmap, None, colorbar)
            ax.set_title(written(name), fontsize=10)
        return self


@dataclass(eq=False, repr=False)
class HitMapDisplay(_MapDisplay):
    """How many samples every unit wins, as the area of a cell inside the cell.

    Parameters
    ----------
    grid : Grid
    hits : array of int of shape (m,)
    """

    hits: IntArray

    @classmethod
    def from_estimator(cls, estimator: Any, X: ArrayLike | None = None, **kwargs: Any) -> Self:
        """Draw where samples fall, by default those the map was trained on.

        Parameters
        ----------
        estimator : fitted map
            Of vectors or of proximities.
        X : array, optional
            Samples, as ``predict`` takes them.
        **kwargs
            Passed to :meth:`plot`.

        Returns
        -------
        display : object
            The display, drawn: its axes are ``ax_`` or ``axes_``, the whole is ``figure_``.
        """
        grid = _grid(estimator)
        hits = np.bincount(winners(estimator, X), minlength=len(grid))
        return cls(grid, hits).plot(**kwargs)

    def plot(self, ax: Any = None, *, color: str = COLOURS[0], counts: bool = False) -> Self:
        """Draw into the axes given, or into new ones.

        Parameters
        ----------
        ax : matplotlib Axes, optional
        color : str
        counts : bool, default=False
            Write the numbers into the cells.

        Returns
        -------
        display : object
            The display, drawn: its axes are ``ax_`` or ``axes_``, the whole is ``figure_``.
        """
        ax = self._into(ax)
        self._polygons(ax, cells(self.grid), facecolor=EMPTY, edgecolor="white", linewidth=0.8)
        size = 0.95 * np.sqrt(self.hits / max(int(self.hits.max()), 1))
        self._polygons(ax, cells(self.grid, size), facecolor=color, edgecolor="none")
        if counts:
            for (x, y), k in zip(self.grid.positions, self.hits):
                if k > 0:
                    ax.text(x, y, str(k), ha="center", va="center", fontsize=7)
        self._frame(ax)
        return self


@dataclass(eq=False, repr=False)
class ClassMapDisplay(_MapDisplay):
    """Which class every unit has: the colour is the class, its strength how pure the unit is.

    Parameters
    ----------
    grid : Grid
    shares : array of shape (m, n_classes)
        Share of every class in every unit; rows of zeros are empty units.
    classes : array of shape (n_classes,)
    """

    shares: Array
    classes: np.ndarray

    @classmethod
    def from_estimator(
        cls, estimator: Any, y: ArrayLike | None = None, X: ArrayLike | None = None, **kwargs: Any
    ) -> Self:
        """Draw the classes of samples, by default of those the map was trained on.

        Parameters
        ----------
        estimator : fitted map
        y : array of shape (n,), optional
            Labels, None or NaN for none. A fuzzy-labelled map shows its own distributions without
            them.
        X : optional
            The samples the labels belong to.
        **kwargs
            See :meth:`plot`.

        Returns
        -------
        display : object
            The display, drawn: its axes are ``ax_`` or ``axes_``, the whole is ``figure_``.
        """
        grid = _grid(estimator)
        if y is None:
            if not hasattr(estimator, "label_distributions_"):
                raise ValueError("give the labels y: the map was trained without any")
            return cls(grid, estimator.label_distributions_, estimator.classes_).plot(**kwargs)
        classes, shares = class_shares(winners(estimator, X), y, len(grid))
        kind = object if NO_LABEL in classes else None  # beside numbers they would become text
        return cls(grid, shares, np.array(classes, dtype=kind)).plot(**kwargs)

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
        ax = self._into(ax)
        from matplotlib import colormaps
        from matplotlib.colors import to_rgb

        m = len(self.classes)
        names = [colormaps["tab20"](k % 20) for k in range(m)] if m > len(COLOURS) else COLOURS[:m]
        palette = np.array([to_rgb(name) for name in names])
        palette[[name is NO_LABEL for name in self.classes.tolist()]] = to_rgb(ZERO)
        top, share = self.shares.argmax(axis=1), self.shares.max(axis=1, initial=0.0)
        floor = 1.0 / max(m, 2)  # no purer than chance: no colour
        strength = np.clip((share - floor) / (1 - floor), 0.15, 1.0)[:, None]
        colours = strength * palette[top] + (1 - strength)
        colours[share == 0] = to_rgb(EMPTY)
        self._polygons(ax, cells(self.grid), facecolor=colours, edgecolor="white", linewidth=0.8)
        self._frame(ax)
        if legend:
            for colour, name in zip(palette, self.classes.tolist()):
                ax.scatter([], [], color=colour, marker="s", label=written(name))
            ax.legend(frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
        return self
