"""Figures of how a model was trained, and what sparsity costs it."""

from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from noneuclid.displays._axes import Display, legend_above, plain
from noneuclid.displays.style import MARKERS, SPARSE_METHODS, colour
from noneuclid.prototypes import SparsityFront, sparsity_front


@dataclass(eq=False, repr=False)
class SparsityDisplay(Display):
    """Accuracy against the number of exemplars, with the Pareto front.

    Parameters
    ----------
    found : SparsityFront
        What ``noneuclid.prototypes.sparsity_front`` gives.
    """

    found: SparsityFront

    @classmethod
    def from_front(cls, found: SparsityFront, **kwargs: Any) -> Self:
        """Draw points that are measured already; see :meth:`plot` for the other arguments.

        Parameters
        ----------
        found : SparsityFront
            What ``sparsity_front`` returned.
        **kwargs
            Passed to :meth:`plot`.

        Returns
        -------
        display : object
            The display, drawn: its axes are ``ax_`` or ``axes_``, the whole is ``figure_``.
        """
        return cls(found).plot(**kwargs)

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

        Parameters
        ----------
        estimator : fitted proximity model
            What is made sparse; it stays as it is itself.
        P : array
            Proximities of the objects that errors are counted on.
        y : array of shape (n,)
            Their classes.
        ax : matplotlib Axes, optional
            New ones by default.
        legend : bool, default=True
            Whether to name what is drawn.
        **params
            Passed to ``sparsity_front``.

        Returns
        -------
        display : object
            The display, drawn: its axes are ``ax_`` or ``axes_``, the whole is ``figure_``.
        """
        return cls(sparsity_front(estimator, P, y, **params)).plot(ax, legend=legend)

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
        ax, front, every = self._into(ax), self.found.front, self.found.points
        x = [p.n_exemplars for p in front] + [max(p.n_exemplars for p in every)]
        y = [p.accuracy for p in front] + [front[-1].accuracy]
        ax.step(x, y, where="post", color="0.3", linewidth=1.2, zorder=1, label="Pareto front")
        for k, method in enumerate(dict.fromkeys(p.method for p in every)):
            points = [p for p in every if p.method == method]
            ax.scatter(
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
        ax.set_xscale("log")
        ax.xaxis.get_major_locator().set_params(subs=(1.0, 2.0, 5.0))
        ax.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
        ax.xaxis.set_minor_formatter(lambda value, _: "")
        ax.set(xlabel="exemplars per prototype", ylabel="accuracy")
        plain(ax)
        if legend:
            legend_above(ax, 3)
        return self


@dataclass(eq=False, repr=False)
class LossDisplay(Display):
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

    curve: Any
    _: KW_ONLY
    name: str | None = None
    what: str = "mean cost"
    unit: str = "epoch"

    def __post_init__(self) -> None:
        self.curve = np.asarray(self.curve, dtype=np.float64)
        if self.curve.ndim != 1 or len(self.curve) == 0:
            raise ValueError(f"a curve has one value per epoch, not shape {self.curve.shape}")

    @classmethod
    def from_estimator(cls, estimator: Any, *, name: str | None = None, **kwargs: Any) -> Self:
        """Draw the ``loss_curve_`` or ``objective_curve_`` of a fitted model.

        Give several models the same axes to compare them.

        Parameters
        ----------
        estimator : fitted model
            With one of the two curves.
        name : str, optional
            What the legend calls it; by default its class.
        **kwargs
            Passed to :meth:`plot`.

        Returns
        -------
        display : object
            The display, drawn: its axes are ``ax_`` or ``axes_``, the whole is ``figure_``.
        """
        check_is_fitted(estimator)
        own = type(estimator).__name__
        words = {"name": own if name is None else name}
        if hasattr(estimator, "loss_curve_"):
            curve = estimator.loss_curve_
            if getattr(estimator, "solver", None) == "lbfgs":
                words["unit"] = "iteration"
        elif hasattr(estimator, "objective_curve_"):
            curve = estimator.objective_curve_
            words |= {"what": "objective", "unit": "iteration"}
        else:
            raise ValueError(f"{own} has neither a loss_curve_ nor an objective_curve_")
        return cls(curve, **words).plot(**kwargs)

    def plot(self, ax: Any = None, *, legend: bool = True, **kwargs: Any) -> Self:
        """Draw into the axes given, or into new ones; ``kwargs`` are those of ``Axes.plot``.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            New ones by default.
        legend : bool, default=True
            Whether to name what is drawn.
        **kwargs
            Passed to ``Axes.plot``.

        Returns
        -------
        display : object
            The display, drawn: its axes are ``ax_`` or ``axes_``, the whole is ``figure_``.
        """
        ax = self._into(ax)
        style = {"color": colour(len(ax.lines)), "linewidth": 1.4, **kwargs}
        self.line_ = ax.plot(np.arange(len(self.curve)), self.curve, label=self.name, **style)
        ax.set(xlabel=self.unit, ylabel=self.what)
        ax.xaxis.get_major_locator().set_params(integer=True)
        plain(ax)
        if legend and self.name is not None:
            ax.legend(frameon=False)
        return self
