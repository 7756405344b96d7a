"""Accuracy against sparsity, over all ways to make a model sparse."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from noneuclid.prototypes._gram import Gram
from noneuclid.prototypes.measures import n_exemplars
from noneuclid.prototypes.proximity import ProximityLVQ
from noneuclid.prototypes.sparse import METHODS, _check, _sparsified


class SparsityPoint(NamedTuple):
    """One sparse version of a model."""

    method: str
    k: int | None
    n_exemplars: float
    accuracy: float
    model: ProximityLVQ


@dataclass(frozen=True)
class SparsityFront:
    """All points, and those that no other point beats in both respects."""

    points: list[SparsityPoint]
    skipped: dict[str, str]
    """Methods that do not apply, and why."""

    @property
    def front(self) -> list[SparsityPoint]:
        """The Pareto front: fewest exemplars first, accuracy rising."""
        best: list[SparsityPoint] = []
        for point in sorted(self.points, key=lambda p: (p.n_exemplars, -p.accuracy)):
            if not best or point.accuracy > best[-1].accuracy:
                best.append(point)
        return best


def sparsity_front(
    model: ProximityLVQ,
    P: ArrayLike,
    y: ArrayLike,
    *,
    ks: Sequence[int] = (1, 2, 3, 5, 10, 20),
    training: ArrayLike | None = None,
) -> SparsityFront:
    """Make the model sparse in every way and to every degree, and measure its accuracy.

    Parameters
    ----------
    model : ProximityLVQ
        Fitted; it is the point with ``method="full"``.
    P : as for ``predict``
        Objects to measure the accuracy on, best such as the model has not seen.
    y : array
        Their labels.
    ks : sequence of int
        Objects per prototype.
    training : array of shape (n, n), optional
        Proximities between the training objects, where the model did not keep them.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from noneuclid.prototypes import KernelRSLVQ, sparsity_front
    >>> X, y = load_iris(return_X_y=True)
    >>> found = sparsity_front(KernelRSLVQ(random_state=0).fit(X, y), X, y, ks=(1, 5))
    >>> found.front[0].n_exemplars <= 1, len(found.points)
    (True, 9)
    """
    check_is_fitted(model)
    y = np.asarray(y)
    gram = Gram(model, training)
    points = [SparsityPoint("full", None, n_exemplars(model), _accuracy(model, P, y), model)]
    skipped: dict[str, str] = {}
    for method in METHODS:
        for k in ks:
            _check(method, k, None)
            try:
                small = _sparsified(model, gram, method, k, None)
            except ValueError as reason:
                skipped[method] = str(reason)
                break
            points.append(
                SparsityPoint(method, k, n_exemplars(small), _accuracy(small, P, y), small)
            )
    return SparsityFront(points, skipped)


def _accuracy(model: ProximityLVQ, P: ArrayLike, y: np.ndarray) -> float:
    return float((model.predict(P) == y).mean())
