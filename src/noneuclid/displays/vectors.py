"""Figures of vectors that mean something to look at: curves, images, weights of objects."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from noneuclid.displays._axes import Display, axes, class_colours, legend_above, panels, plain
from noneuclid.displays.style import COLOURS, colour, written
from noneuclid.prototypes import Exemplars, exemplars
from noneuclid.typing import Array

_LINES = ("-", "--", "-.", ":")
# More panels than that cannot be told apart on a page.
_MAX_PANELS = 64


def _rows(values: ArrayLike, name: str) -> Array:
    rows = np.asarray(values, dtype=np.float64)
    if rows.ndim > 2:  # images as they are
        rows = rows.reshape(len(rows), -1)
    if rows.ndim != 2 or len(rows) == 0:
        raise ValueError(f"{name} must have one row each; their shape is {np.shape(values)}")
    return rows


def _positions(grid: ArrayLike | None, d: int) -> Array:
    if grid is None:
        return np.arange(d, dtype=float)
    positions = np.asarray(grid, dtype=np.float64)
    if positions.shape != (d,):
        raise ValueError(f"the grid has shape {positions.shape}, but there are {d} positions")
    return positions


def _image_shape(shape: Sequence[int], d: int) -> tuple[int, int]:
    if len(shape) != 2 or int(shape[0]) * int(shape[1]) != d:
        raise ValueError(f"shape (={tuple(shape)}) must be two numbers whose product is {d}")
    return int(shape[0]), int(shape[1])


def _images(ax: Any, values: Array, shape: Any, titles: list[str], *, symmetric: bool) -> Any:
    """One panel per row, with common limits of the colours."""
    if len(values) > _MAX_PANELS:
        raise ValueError(f"{len(values)} images are more than the {_MAX_PANELS} one figure holds")
    height, width = _image_shape(shape, values.shape[1])
    found = panels(ax, len(values), columns=5, width=1.6, height=1.9)
    largest = float(np.abs(values).max())
    limits = (-largest, largest) if symmetric else (float(values.min()), float(values.max()))
    cmap = "PuOr_r" if symmetric else "gray"
    style = {"cmap": cmap, "vmin": limits[0], "vmax": limits[1], "aspect": "equal"}
    for panel, row, title in zip(found, values, titles):
        drawn = panel.imshow(row.reshape(height, width), **style)
        panel.set_title(title, fontsize=9)
        panel.set(xticks=[], yticks=[])
    if np.ndim(ax) == 0:
        what = "weight" if symmetric else "value"
        found[0].figure.colorbar(drawn, ax=list(found), shrink=0.8, label=what)
    return found


class _VectorsDisplay(Display):
    """Vectors over a grid or as images."""

    grid: ArrayLike | None
    shape: Sequence[int] | None
    _ylabel: str

    @property
    def kind(self) -> Literal["curves", "images", "exemplars"]:
        """How the vectors are drawn."""
        return "curves" if self.shape is None else "images"

    def plot(
        self,
        ax: Any = None,
        *,
        xlabel: str = "position",
        ylabel: str | None = None,
        legend: bool = True,
    ) -> Self:
        """Draw into the axes given, or into new ones.

        Parameters
        ----------
        ax : matplotlib Axes, or array of them, optional
            Images and exemplars need one each; a single one is divided.
        xlabel, ylabel : str, optional
            What the axes of curves mean, with units; the vertical one by default the value of a
            prototype or the weight of a component.
        legend : bool, default=True

        Returns
        -------
        display : object
            The display, drawn: its axes are ``ax_`` or ``axes_``, the whole is ``figure_``.
        """
        if self.kind == "curves":
            ax = axes(ax)
            columns = self._curves(ax)
            ax.set(xlabel=xlabel, ylabel=ylabel or self._ylabel)
            ax.margins(x=0)
            plain(ax)
            if legend:
                legend_above(ax, columns)
            self.axes_ = np.array([ax], dtype=object)
        else:
            self.axes_ = self._panels(ax)
        self.ax_ = self.axes_[0]
        self.figure_ = self.ax_.figure
        return self

    @abstractmethod
    def _curves(self, ax: Any) -> int:
        """Draw curves, and tell how many columns their legend has."""

    @abstractmethod
    def _panels(self, ax: Any) -> Any:
        """Draw one panel each, and return them."""


def _grid_of(estimator: Any, d: int) -> Array | None:
    """Where the curves were measured, as the model, its space or the names of features tell."""
    known = [getattr(estimator, "trained_on_", {}).get("grid"), getattr(estimator, "grid_", None)]
    spaces = [getattr(estimator, name, None) for name in ("space_", "space")]
    known += [getattr(space, "grid", None) for space in spaces]
    known.append(_numbers(getattr(estimator, "feature_names_in_", ())))
    found = [np.asarray(grid) for grid in known if grid is not None]
    return next((grid for grid in found if grid.shape == (d,)), None)


def _numbers(names: Any) -> Array | None:
    """Names of columns as positions that rise, if they are."""
    try:
        values = np.array([float(name) for name in names])
    except ValueError:
        return None
    return values if len(values) and (np.diff(values) > 0).all() else None


@dataclass(eq=False, repr=False)
class PrototypeDisplay(_VectorsDisplay):
    """Prototypes as curves over a grid, as images, or as the objects they are made of.

    Parameters
    ----------
    prototypes : array of shape (m, d), or list of Exemplars
        Vectors, or what ``noneuclid.prototypes.exemplars`` gives.
    labels : array of shape (m,), optional
        Classes, shown as colours.
    grid : array of shape (d,), optional
        Positions of the values along a curve; default 0 … d − 1.
    shape : (int, int), optional
        Height and width of images; without it prototypes are curves.

    Attributes
    ----------
    ax_, figure_ : after :meth:`plot`
    axes_ : array of Axes
        One per prototype, for images and exemplars.

    Examples
    --------
    >>> display = PrototypeDisplay([[0.0, 1.0, 0.0], [1.0, 0.0, 1.0]], labels=["a", "b"])
    >>> display.kind
    'curves'
    """

    prototypes: Any
    labels: ArrayLike | None = None
    _: KW_ONLY
    grid: ArrayLike | None = None
    shape: Sequence[int] | None = None
    _ylabel = "value"

    @property
    def kind(self) -> Literal["curves", "images", "exemplars"]:
        """How the prototypes are drawn."""
        if len(self.prototypes) and isinstance(self.prototypes[0], Exemplars):
            return "exemplars"
        return super().kind

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: ArrayLike | None = None,
        *,
        grid: ArrayLike | None = None,
        shape: Sequence[int] | None = None,
        names: Sequence[Any] | None = None,
        n_exemplars: int = 5,
        **kwargs: Any,
    ) -> Self:
        """Draw the prototypes of a fitted model.

        Parameters
        ----------
        estimator : with ``prototypes_``, or with ``coefficients_``
        X : array of shape (n, d), optional
            The training objects as vectors: prototypes that are combinations are drawn as
            combinations of them. Without it, they are drawn as their exemplars.
        grid, shape : see the class
            Without a grid, where the model was fitted: as it remembers, as its space has it, or as
            the names of its features say.
        names : sequence of length n, optional
            Names of the training objects, for exemplars.
        n_exemplars : int, default=5
            At most so many per prototype.
        **kwargs
            See :meth:`plot`.

        Returns
        -------
        display : object
            The display, drawn: its axes are ``ax_`` or ``axes_``, the whole is ``figure_``.
        """
        check_is_fitted(estimator)
        vectors: Any = getattr(estimator, "prototypes_", None)
        if vectors is None and not hasattr(estimator, "coefficients_"):
            raise ValueError(f"{type(estimator).__name__} has neither prototypes nor coefficients")
        if vectors is None and X is not None:
            objects = _rows(X, "objects")
            n = estimator.coefficients_.shape[1]
            if len(objects) != n:
                raise ValueError(f"X holds {len(objects)} objects, but the model has {n}")
            vectors = estimator.coefficients_ @ objects
        elif vectors is None:
            vectors = exemplars(estimator, n_exemplars, names)
        labels = getattr(estimator, "prototype_labels_", None)
        if grid is None and shape is None and not isinstance(vectors, list):
            grid = _grid_of(estimator, np.shape(vectors)[1])
        return cls(vectors, labels, grid=grid, shape=shape).plot(**kwargs)

    def _title(self, j: int) -> str:
        if self.labels is None:
            return f"prototype {j + 1}"
        return f"class {written(np.asarray(self.labels).tolist()[j])}"

    def _curves(self, ax: Any) -> int:
        W = _rows(self.prototypes, "prototypes")
        t = _positions(self.grid, W.shape[1])
        colours, classes = class_colours(self.labels, len(W), "prototypes")
        seen: dict[str, int] = {}
        for j, row in enumerate(W):
            stroke = colours[j] if classes else colour(j)
            turn = seen[stroke] = seen.get(stroke, -1) + 1
            name = None if classes and turn else self._title(j)
            line = _LINES[turn % len(_LINES)]
            ax.plot(t, row, color=stroke, linestyle=line, linewidth=1.4, label=name)
        return len(ax.get_legend_handles_labels()[0])

    def _panels(self, ax: Any) -> Any:
        m = len(self.prototypes)
        titles = [self._title(j) for j in range(m)]
        if self.kind == "images":
            W = _rows(self.prototypes, "prototypes")
            return _images(ax, W, self.shape, titles, symmetric=False)
        colours, _ = class_colours(self.labels, m, "prototypes")
        most = max(len(found.objects) for found in self.prototypes)
        found = panels(ax, m, columns=3, width=3.2, height=0.9 + 0.24 * most)
        right = max(float(np.abs(found.coefficients).max()) for found in self.prototypes)
        for j, (panel, prototype) in enumerate(zip(found, self.prototypes)):
            rank = np.arange(len(prototype.objects))
            panel.barh(rank, prototype.coefficients, color=colours[j], height=0.7)
            panel.set_yticks(rank, [written(name) for name in prototype.objects], fontsize=9)
            panel.set_ylim(most - 0.5, -0.5)
            panel.set_xlim(1.05 * min(0.0, float(prototype.coefficients.min())), 1.05 * right)
            panel.set_title(titles[j], fontsize=10)
            panel.set_xlabel("coefficient", fontsize=9)
            plain(panel)
        return found


@dataclass(eq=False, repr=False)
class ComponentDisplay(_VectorsDisplay):
    """Components as curves over a grid, or as images.

    Parameters
    ----------
    components : array of shape (k, d)
    ratios : array of shape (k,), optional
        Explained variance ratios.
    grid, shape : as for :class:`PrototypeDisplay`

    Examples
    --------
    >>> ComponentDisplay([[0.6, 0.8]], ratios=[0.9]).titles
    ['component 1 (90.0%)']
    """

    components: Any
    ratios: ArrayLike | None = None
    _: KW_ONLY
    grid: ArrayLike | None = None
    shape: Sequence[int] | None = None
    _ylabel = "weight"

    def __post_init__(self) -> None:
        self.components = _rows(self.components, "components")

    @classmethod
    def from_estimator(
        cls, estimator: Any, *, grid: Any = None, shape: Any = None, **kwargs: Any
    ) -> Self:
        """Draw the ``components_`` of a fitted model, of scikit-learn too.

        Parameters
        ----------
        estimator : fitted model
            With ``components_``.
        grid, shape : see the class
            Positions of curves, or height and width of images.
        **kwargs
            Passed to :meth:`plot`.

        Returns
        -------
        display : object
            The display, drawn: its axes are ``ax_`` or ``axes_``, the whole is ``figure_``.
        """
        check_is_fitted(estimator)
        components = getattr(estimator, "components_", None)
        if components is None:
            raise ValueError(
                f"{type(estimator).__name__} has no components_ as vectors: its components are "
                "functions of the kernel"
            )
        if grid is None:
            grid = getattr(estimator, "grid", None)
        ratios = getattr(estimator, "explained_variance_ratio_", None)
        return cls(components, ratios, grid=grid, shape=shape).plot(**kwargs)

    @property
    def titles(self) -> list[str]:
        """A title per component."""
        names = [f"component {k + 1}" for k in range(len(self.components))]
        if self.ratios is None:
            return names
        return [f"{name} ({share:.1%})" for name, share in zip(names, np.asarray(self.ratios))]

    def _curves(self, ax: Any) -> int:
        t = _positions(self.grid, self.components.shape[1])
        ax.axhline(0.0, color="0.8", linewidth=0.8)
        for k, (row, name) in enumerate(zip(self.components, self.titles)):
            line = _LINES[k // len(COLOURS) % len(_LINES)]
            ax.plot(t, row, color=colour(k), linestyle=line, linewidth=1.4, label=name)
        return min(len(self.components), 3)

    def _panels(self, ax: Any) -> Any:
        titles = [name.replace(" (", "\n(") for name in self.titles]
        return _images(ax, self.components, self.shape, titles, symmetric=True)
