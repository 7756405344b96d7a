"""Figures of how a model was trained, and what sparsity costs it."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from noneuclid.displays._axes import axes, legend_above, plain
from noneuclid.displays.style import MARKERS, SPARSE_METHODS, colour
from noneuclid.prototypes import SparsityFront, sparsity_front


class SparsityDisplay:
    """Accuracy against the number of exemplars, with the Pareto front.

    Parameters
    ----------
    found : SparsityFront
        What ``noneuclid.prototypes.sparsity_front`` gives.
    """

    def __init__(self, found: SparsityFront):
        self.found = found

    @classmethod
    def from_front(cls, found: SparsityFront, *, ax: Any = None, **kwargs: Any) -> Self:
        """Draw points that are measured already."""
        return cls(found).plot(ax, **kwargs)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        P: Any,
        y: ArrayLike,
        *,
        ax: Any = None,
        legend: bool = True,
        **params: Any,
    ) -> Self:
        """Make a fitted proximity model sparse in every way, and draw what it costs.

        ``params`` are those of ``sparsity_front``.
        """
        return cls(sparsity_front(estimator, P, y, **params)).plot(ax, legend=legend)

    def plot(self, ax: Any = None, *, legend: bool = True) -> Self:
        """Draw into the axes given, or into new ones."""
        self.ax_ = axes(ax)
        self.figure_ = self.ax_.figure
        front = self.found.front
        x = [p.n_exemplars for p in front] + [max(p.n_exemplars for p in self.found.points)]
        y = [p.accuracy for p in front] + [front[-1].accuracy]
        self.ax_.step(
            x, y, where="post", color="0.3", linewidth=1.2, zorder=1, label="Pareto front"
        )
        methods = list(dict.fromkeys(p.method for p in self.found.points))
        for k, method in enumerate(methods):
            points = [p for p in self.found.points if p.method == method]
            self.ax_.scatter(
                [p.n_exemplars for p in points],
                [p.accuracy for p in points],
                s=110 if method == "full" else 36,
                color="0.1" if k == 0 else colour(k - 1),
                marker=("*" + MARKERS)[k],
                alpha=0.85,
                linewidths=0,
                zorder=2,
                label=SPARSE_METHODS.get(method, method),
            )
        self.ax_.set_xscale("log")
        self.ax_.xaxis.get_major_locator().set_params(subs=(1.0, 2.0, 5.0))
        self.ax_.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
        self.ax_.xaxis.set_minor_formatter(lambda value, _: "")
        self.ax_.set(xlabel="exemplars per prototype", ylabel="accuracy")
        plain(self.ax_)
        if legend:
            legend_above(self.ax_, 4)
        return self


class LossDisplay:
    """The cost, or the objective, over the epochs of training.

    Parameters
    ----------
    curve : array
        One value per epoch, the first before training.
    name : str, optional
        For the legend.
    what : str, default="mean cost"
        What the values are.
    unit : str, default="epoch"
        What is counted.

    Examples
    --------
    >>> len(LossDisplay([3.0, 2.0, 1.5]).curve)
    3
    """

    def __init__(
        self,
        curve: ArrayLike,
        *,
        name: str | None = None,
        what: str = "mean cost",
        unit: str = "epoch",
    ):
        self.curve = np.asarray(curve, dtype=np.float64)
        if self.curve.ndim != 1 or len(self.curve) == 0:
            raise ValueError(f"a curve has one value per epoch, not shape {self.curve.shape}")
        self.name, self.what, self.unit = name, what, unit

    @classmethod
    def from_estimator(
        cls, estimator: Any, *, name: str | None = None, ax: Any = None, **kwargs: Any
    ) -> Self:
        """Draw the ``loss_curve_`` or ``objective_curve_`` of a fitted model.

        Give several models the same axes to compare them.
        """
        check_is_fitted(estimator)
        name = type(estimator).__name__ if name is None else name
        curve: Sequence[float] | None = getattr(estimator, "loss_curve_", None)
        if curve is not None:
            unit = "iteration" if getattr(estimator, "solver", None) == "lbfgs" else "epoch"
            return cls(curve, name=name, unit=unit).plot(ax, **kwargs)
        curve = getattr(estimator, "objective_curve_", None)
        if curve is None:
            raise ValueError(
                f"{type(estimator).__name__} has neither a loss_curve_ nor an objective_curve_"
            )
        return cls(curve, name=name, what="objective", unit="iteration").plot(ax, **kwargs)

    def plot(self, ax: Any = None, *, legend: bool = True, **kwargs: Any) -> Self:
        """Draw into the axes given, or into new ones; ``kwargs`` are those of ``Axes.plot``."""
        self.ax_ = axes(ax)
        self.figure_ = self.ax_.figure
        drawn = len(self.ax_.lines)
        style = {"color": colour(drawn), "linewidth": 1.4, **kwargs}
        self.line_ = self.ax_.plot(np.arange(len(self.curve)), self.curve, label=self.name, **style)
        self.ax_.set(xlabel=self.unit, ylabel=self.what)
        self.ax_.xaxis.get_major_locator().set_params(integer=True)
        plain(self.ax_)
        if legend and self.name is not None:
            self.ax_.legend(frameon=False)
        return self
