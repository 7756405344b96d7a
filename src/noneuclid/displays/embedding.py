"""Objects, prototypes and exemplars in the plane."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from noneuclid.displays._axes import Display, legend_above, plain, scatter_classes
from noneuclid.displays.scaling import Scaling, scale_matrix, scale_relation, similarities
from noneuclid.displays.style import written
from noneuclid.prototypes import exemplars
from noneuclid.proximities.checks import Proximity
from noneuclid.typing import Array


@dataclass(eq=False, repr=False)
class EmbeddingDisplay(Display):
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

    points: Any
    labels: ArrayLike | None = None
    _: KW_ONLY
    prototypes: Any = None
    prototype_labels: ArrayLike | None = None
    exemplars: Any = None
    wrong: Any = None
    eigenvalues: ArrayLike | None = None
    shares: ArrayLike | None = None

    def __post_init__(self) -> None:
        self.points = np.asarray(self.points, dtype=np.float64)
        nowhere, right = np.zeros((0, 2)), np.zeros(len(self.points))
        self.prototypes = nowhere if self.prototypes is None else np.asarray(self.prototypes)
        self.exemplars = np.array([] if self.exemplars is None else self.exemplars, dtype=int)
        self.wrong = np.asarray(right if self.wrong is None else self.wrong, dtype=bool)

    @classmethod
    def from_matrix(
        cls,
        P: ArrayLike,
        labels: ArrayLike | None = None,
        *,
        proximity: Proximity = "similarity",
        coefficients: ArrayLike | None = None,
        prototype_labels: ArrayLike | None = None,
        **kwargs: Any,
    ) -> Self:
        """Draw objects by their proximities, with combinations of them as prototypes.

        Parameters
        ----------
        P : array of shape (n, n)
            Proximities.
        labels : array of shape (n,), optional
            Classes, which are drawn in colours.
        proximity : {"similarity", "dissimilarity"}, default="similarity"
            What the numbers of P are.
        coefficients : array of shape (m, n), optional
            Prototypes, as combinations of the objects.
        prototype_labels : array of shape (m,), optional
            Their classes.
        **kwargs
            Passed to :meth:`plot`.

        Returns
        -------
        display : object
            The display, drawn: its axes are ``ax_`` or ``axes_``, the whole is ``figure_``.
        """
        S = similarities(P, proximity)
        G = np.zeros((0, len(S))) if coefficients is None else np.asarray(coefficients, float)
        if G.shape[1:] != (len(S),):
            raise ValueError(f"coefficients have shape {G.shape}, but there are {len(S)} objects")
        found = cls._of(scale_matrix(S, G), labels, prototype_labels=prototype_labels)
        return found.plot(**kwargs)

    @classmethod
    def from_predictions(
        cls,
        P: ArrayLike,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        proximity: Proximity = "similarity",
        **kwargs: Any,
    ) -> Self:
        """Draw objects by their classes; those predicted wrongly are crossed out.

        Parameters
        ----------
        P : array of shape (n, n)
            Proximities.
        y_true, y_pred : array of shape (n,)
            Classes, and what was predicted.
        proximity : {"similarity", "dissimilarity"}, default="similarity"
            What the numbers of P are.
        **kwargs
            Passed to :meth:`plot`.

        Returns
        -------
        display : object
            The display, drawn: its axes are ``ax_`` or ``axes_``, the whole is ``figure_``.
        """
        y_true, y_pred = np.asarray(y_true), np.asarray(y_pred)
        if y_true.shape != y_pred.shape:
            raise ValueError(f"there are {len(y_true)} labels but {len(y_pred)} predictions")
        S = similarities(P, proximity)
        found = cls._of(scale_matrix(S, np.zeros((0, len(S)))), y_true, wrong=y_true != y_pred)
        return found.plot(**kwargs)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        P: ArrayLike | None = None,
        labels: ArrayLike | None = None,
        *,
        n_exemplars: int = 1,
        **kwargs: Any,
    ) -> Self:
        """Draw the objects of a fitted model, its prototypes and, of proximities, exemplars.

        Parameters
        ----------
        estimator : ProximityLVQ, or another with ``coefficients_`` and ``proximity``; or GMLVQ
            Of one that learns a matrix, and so has ``project``, the two directions that count
            most are drawn.
        P : array of shape (n, n) or (n, d), optional
            Proximities between the training objects, where the model did not keep them; with
            ``n_landmarks`` what it was fitted on. Rows, for a model of vectors.
        labels : array of shape (n,), optional
            Default those the classifier was trained on.
        n_exemplars : int, default=1
            How many objects of largest coefficient to encircle, per prototype.
        **kwargs
            See :meth:`plot`.

        Returns
        -------
        display : object
            The display, drawn: its axes are ``ax_`` or ``axes_``, the whole is ``figure_``.
        """
        check_is_fitted(estimator)
        if not hasattr(estimator, "coefficients_"):
            return cls._of_vectors(estimator, P, labels).plot(**kwargs)
        G, classes = estimator.coefficients_, getattr(estimator, "prototype_labels_", None)
        if labels is None and hasattr(estimator, "training_labels"):
            labels = estimator.training_labels()
        if hasattr(estimator, "relation_"):
            relation = estimator.relation_
            scaling = scale_relation(relation if P is None else relation.recall(P), G)
        elif P is not None:
            scaling = scale_matrix(similarities(P, estimator.proximity), G)
        else:
            name = type(estimator).__name__
            raise ValueError(f"{name} did not keep its proximities: pass them as P")
        largest = np.argsort(-np.abs(G), axis=1, kind="stable")[:, :n_exemplars].ravel()
        if classes is not None and n_exemplars > 0:
            largest = np.concatenate([one.objects for one in exemplars(estimator, n_exemplars)])
        marked = np.unique(largest)
        found = cls._of(scaling, labels, prototype_labels=classes, exemplars=marked)
        return found.plot(**kwargs)

    @classmethod
    def _of_vectors(cls, estimator: Any, X: ArrayLike | None, labels: Any) -> Self:
        """Rows and prototypes in the plane of a learned matrix."""
        name = type(estimator).__name__
        if not hasattr(estimator, "project"):
            raise TypeError(
                f"{name} learns neither coefficients nor a matrix, so that there is no plane to "
                "draw it in: use PrototypeDisplay, or GMLVQ"
            )
        if X is None:
            raise ValueError(f"{name} did not keep its training rows: pass them as P")
        points, prototypes = (estimator.project(rows) for rows in (X, estimator.prototypes_))
        both = [np.pad(B, ((0, 0), (0, 2 - B.shape[1]))) for B in (points, prototypes)]
        classes = getattr(estimator, "prototype_labels_", None)
        return cls(both[0], labels, prototypes=both[1], prototype_labels=classes)

    @classmethod
    def _of(cls, scaling: Scaling, labels: Any, **marks: Any) -> Self:
        return cls(labels=labels, **vars(scaling), **marks)

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

        Returns
        -------
        display : object
            The display, drawn: its axes are ``ax_`` or ``axes_``, the whole is ``figure_``.
        """
        ax = self._into(ax)
        style = {"s": size, "alpha": 0.7, "linewidths": 0}
        colours = scatter_classes(ax, self.points, self.labels, "objects", **style)
        self._mark(self.wrong, "wrong", s=3 * size, color="0.1", marker="x")
        ring = {"facecolors": "none", "edgecolors": "0.1"}
        self._mark(self.exemplars, "exemplar", s=4.5 * size, **ring)
        self._name(names)
        self._draw_prototypes(size, colours)
        ax.set(xlabel=self._axis_label(0), ylabel=self._axis_label(1))
        ax.set_aspect("equal", adjustable="datalim")
        plain(ax)
        if legend:
            legend_above(ax, len(ax.get_legend_handles_labels()[0]))
        return self

    def _mark(self, chosen: Array, name: str, **style: Any) -> None:
        points = self.points[chosen]
        if len(points):
            self.ax_.scatter(*points.T, linewidths=1.2, label=name, **style)

    def _name(self, names: Sequence[Any] | None) -> None:
        if names is None:
            return
        if len(names) != len(self.points):
            raise ValueError(f"there are {len(names)} names for {len(self.points)} objects")
        style = {"xytext": (5, 5), "textcoords": "offset points", "fontsize": 8}
        for i in self.exemplars:
            self.ax_.annotate(written(names[i]), self.points[i], **style)

    def _draw_prototypes(self, size: float, colours: dict[Any, str]) -> None:
        labels = [None] * len(self.prototypes)
        if self.prototype_labels is not None:
            labels = np.asarray(self.prototype_labels).tolist()
        for j, point in enumerate(self.prototypes):
            self.ax_.scatter(
                *point,
                s=9 * size,
                color=colours.get(labels[j], "white"),
                marker="*",
                edgecolors="black",
                linewidths=1.0,
                zorder=3,
                label="prototype" if j == 0 else None,
            )

    def _axis_label(self, k: int) -> str:
        details = []
        if self.eigenvalues is not None:
            details.append("−" if np.asarray(self.eigenvalues)[k] < 0 else "+")
        if self.shares is not None:
            details.append(f"{np.asarray(self.shares)[k]:.1%} of the spectrum")
        return f"dimension {k + 1}" + (f" ({', '.join(details)})" if details else "")
