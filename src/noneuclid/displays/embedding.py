"""Objects, prototypes and exemplars in the plane."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from noneuclid.displays._axes import COLOURS, MARKS, axes, class_colours, legend_above, plain
from noneuclid.displays._scaling import Scaling, scale_features, scale_matrix, similarities
from noneuclid.prototypes import exemplars
from noneuclid.prototypes._gram import Gram
from noneuclid.proximities.checks import Proximity
from noneuclid.typing import Array, IntArray


class EmbeddingDisplay:
    """Objects in the two pseudo-Euclidean dimensions of largest modulus.

    Classical scaling, also of indefinite proximities: an axis marked "−" is a negative direction,
    along which objects that lie far apart are *nearer* than the picture shows.

    Parameters
    ----------
    points : array of shape (n, 2)
    labels : array of shape (n,), optional
        Classes, shown as colours and marks.
    prototypes : array of shape (m, 2), optional
    prototype_labels : array of shape (m,), optional
    exemplars : array of int, optional
        Objects to encircle.
    wrong : array of bool of shape (n,), optional
        Objects to cross out.
    eigenvalues : array of shape (2,), optional
        Of the two dimensions; their signs are shown.
    shares : array of shape (2,), optional
        Of the dimensions in the sum of the moduli of all eigenvalues.

    Examples
    --------
    >>> display = EmbeddingDisplay([[0.0, 1.0], [1.0, 0.0]], labels=["a", "b"])
    >>> display.points.shape
    (2, 2)
    """

    def __init__(
        self,
        points: ArrayLike,
        labels: ArrayLike | None = None,
        *,
        prototypes: ArrayLike | None = None,
        prototype_labels: ArrayLike | None = None,
        exemplars: ArrayLike | None = None,
        wrong: ArrayLike | None = None,
        eigenvalues: ArrayLike | None = None,
        shares: ArrayLike | None = None,
    ):
        self.points = np.asarray(points, dtype=np.float64)
        self.labels = labels
        self.prototypes = np.zeros((0, 2)) if prototypes is None else np.asarray(prototypes)
        self.prototype_labels = prototype_labels
        self.exemplars = np.array([] if exemplars is None else exemplars, dtype=int)
        self.wrong = np.zeros(len(self.points), bool) if wrong is None else np.asarray(wrong, bool)
        self.eigenvalues = eigenvalues
        self.shares = shares

    @classmethod
    def from_matrix(
        cls,
        P: ArrayLike,
        labels: ArrayLike | None = None,
        *,
        proximity: Proximity = "similarity",
        coefficients: ArrayLike | None = None,
        prototype_labels: ArrayLike | None = None,
        ax: Any = None,
        **kwargs: Any,
    ) -> Self:
        """Draw objects by their proximities, with combinations of them as prototypes."""
        S = similarities(P, proximity)
        G = np.zeros((0, len(S))) if coefficients is None else np.asarray(coefficients, float)
        if G.shape[1:] != (len(S),):
            raise ValueError(f"coefficients have shape {G.shape}, but there are {len(S)} objects")
        found = cls._of(scale_matrix(S, G), labels, prototype_labels=prototype_labels)
        return found.plot(ax, **kwargs)

    @classmethod
    def from_predictions(
        cls,
        P: ArrayLike,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        proximity: Proximity = "similarity",
        ax: Any = None,
        **kwargs: Any,
    ) -> Self:
        """Draw objects by their classes; those predicted wrongly are crossed out."""
        y_true, y_pred = np.asarray(y_true), np.asarray(y_pred)
        if y_true.shape != y_pred.shape:
            raise ValueError(f"there are {len(y_true)} labels but {len(y_pred)} predictions")
        S = similarities(P, proximity)
        found = cls._of(scale_matrix(S, np.zeros((0, len(S)))), y_true, wrong=y_true != y_pred)
        return found.plot(ax, **kwargs)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        P: ArrayLike | None = None,
        labels: ArrayLike | None = None,
        *,
        n_exemplars: int = 1,
        ax: Any = None,
        **kwargs: Any,
    ) -> Self:
        """Draw the training objects of a fitted proximity model, its prototypes and exemplars.

        Parameters
        ----------
        estimator : ProximityLVQ, or another with ``coefficients_`` and ``proximity``
        P : array of shape (n, n), optional
            Proximities between the training objects, where the model did not keep them; with
            ``n_landmarks`` what it was fitted on.
        labels : array of shape (n,), optional
            Default those the classifier was trained on.
        n_exemplars : int, default=1
            How many objects of largest coefficient to encircle, per prototype.
        ax : matplotlib Axes, optional
        **kwargs
            See :meth:`plot`.
        """
        check_is_fitted(estimator, "coefficients_")
        G = estimator.coefficients_
        if labels is None and hasattr(estimator, "_y"):
            labels = estimator.classes_[estimator._y]
        found = cls._of(
            _scaling(estimator, P),
            labels,
            prototype_labels=getattr(estimator, "prototype_labels_", None),
            exemplars=_largest(estimator, G, n_exemplars),
        )
        return found.plot(ax, **kwargs)

    @classmethod
    def _of(cls, scaling: Scaling, labels: Any, **marks: Any) -> Self:
        return cls(
            scaling.points,
            labels,
            prototypes=scaling.prototypes,
            eigenvalues=scaling.eigenvalues,
            shares=scaling.shares,
            **marks,
        )

    def plot(
        self,
        ax: Any = None,
        *,
        names: Sequence[Any] | None = None,
        legend: bool = True,
        size: float = 26.0,
    ) -> Self:
        """Draw into the axes given, or into new ones.

        Parameters
        ----------
        ax : matplotlib Axes, optional
        names : sequence of length n, optional
            Names of the objects; exemplars are annotated with theirs.
        legend : bool, default=True
        size : float, default=26
            Of the marks of the objects.
        """
        classes = class_colours(self.labels, len(self.points))[1]
        self.ax_ = axes(ax)
        self.figure_ = self.ax_.figure
        groups = classes or {None: COLOURS[0]}
        marks = dict(zip(groups, MARKS * len(groups)))
        for name, colour in groups.items():
            chosen = slice(None) if name is None else np.asarray(self.labels) == name
            x, y = self.points[chosen].T
            self.ax_.scatter(
                x,
                y,
                s=size,
                color=colour,
                marker=marks[name],
                alpha=0.7,
                linewidths=0,
                label="objects" if name is None else str(name),
            )
        self._mark(size)
        self._name(names)
        self._draw_prototypes(size, groups)
        self.ax_.set(xlabel=self._axis_label(0), ylabel=self._axis_label(1))
        self.ax_.set_aspect("equal", adjustable="datalim")
        plain(self.ax_)
        if legend:
            legend_above(self.ax_, len(self.ax_.get_legend_handles_labels()[0]))
        return self

    def _mark(self, size: float) -> None:
        if self.wrong.any():
            x, y = self.points[self.wrong].T
            self.ax_.scatter(
                x, y, s=3 * size, color="0.1", marker="x", linewidths=1.2, label="wrong"
            )
        if len(self.exemplars):
            x, y = self.points[self.exemplars].T
            self.ax_.scatter(
                x,
                y,
                s=4.5 * size,
                facecolors="none",
                edgecolors="0.1",
                linewidths=1.2,
                label="exemplar",
            )

    def _name(self, names: Sequence[Any] | None) -> None:
        if names is None:
            return
        if len(names) != len(self.points):
            raise ValueError(f"there are {len(names)} names for {len(self.points)} objects")
        for i in self.exemplars:
            self.ax_.annotate(
                str(names[i]), self.points[i], xytext=(5, 5), textcoords="offset points", fontsize=8
            )

    def _draw_prototypes(self, size: float, groups: dict[Any, str]) -> None:
        labels = (
            None if self.prototype_labels is None else np.asarray(self.prototype_labels).tolist()
        )
        for j, point in enumerate(self.prototypes):
            name = None if labels is None else labels[j]
            self.ax_.scatter(
                *point,
                s=9 * size,
                color=groups.get(name, "white"),
                marker="*",
                edgecolors="black",
                linewidths=1.0,
                zorder=3,
                label="prototype" if j == 0 else None,
            )

    def _axis_label(self, k: int) -> str:
        label = f"dimension {k + 1}"
        details = []
        if self.eigenvalues is not None:
            details.append("−" if np.asarray(self.eigenvalues)[k] < 0 else "+")
        if self.shares is not None:
            details.append(f"{np.asarray(self.shares)[k]:.1%} of the spectrum")
        return f"{label} ({', '.join(details)})" if details else label


def _scaling(estimator: Any, P: ArrayLike | None) -> Scaling:
    if not hasattr(estimator, "_features"):
        if P is None:
            raise ValueError(
                f"{type(estimator).__name__} did not keep its proximities: pass them as P"
            )
        return scale_matrix(similarities(P, estimator.proximity), estimator.coefficients_)
    gram = Gram(estimator, P)
    if estimator._features is None:
        return scale_matrix(gram.K, estimator.coefficients_)
    return scale_features(gram.geometry.Z, gram.geometry.signs, estimator.coefficients_)


def _largest(estimator: Any, G: Array, k: int) -> IntArray:
    if k == 0:
        return np.array([], dtype=int)
    if hasattr(estimator, "prototype_labels_"):
        found = [index for prototype in exemplars(estimator, k) for index in prototype.objects]
        return np.unique(found)
    return np.unique(np.argsort(-np.abs(G), axis=1, kind="stable")[:, :k])
