"""Accuracy against sparsity, over all ways to make a model sparse."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from noneuclid.prototypes._gram import Gram
from noneuclid.prototypes.measures import n_exemplars
from noneuclid.prototypes.proximity import ProximityLVQ
from noneuclid.prototypes.sparse import METHODS, _check, _sparsified
from noneuclid.prototypes.sparse_training import PenaltyPath, check_wanted

_ALL = (*METHODS, "training")


class SparsityPoint(NamedTuple):
    """One sparse version of a model."""

    method: str
    k: int | None
    """Objects per prototype that were asked for."""
    n_exemplars: float
    accuracy: float
    model: ProximityLVQ
    epsilon: float | None = None
    """The accuracy that was asked for."""


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
    epsilons: Sequence[float] = (0.3, 0.1, 0.03, 0.01),
    methods: Sequence[str] = _ALL,
    training: ArrayLike | None = None,
    max_fits: int = 8,
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
    epsilons : sequence of float
        Accuracies of ``"omp"``, as shares of the root of the variance of the training objects,
        and of ``"meb"``.
    methods : sequence of str
        Those of ``sparsify``, and ``"training"``: the model is trained anew, sparsely, by
        ``fit_sparse`` (without sample weights). Default all.
    training : optional
        What the model was fitted on, where it did not keep it.
    max_fits : int, default=8
        How often the model is trained for each of the ``ks`` at most.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from noneuclid.prototypes import KernelRSLVQ, sparsity_front
    >>> X, y = load_iris(return_X_y=True)
    >>> model = KernelRSLVQ(random_state=0).fit(X, y)
    >>> found = sparsity_front(model, X, y, ks=(1, 5), epsilons=(0.1,))
    >>> found.front[0].n_exemplars <= 1, len(found.points)
    (True, 13)
    """
    check_is_fitted(model)
    unknown = [method for method in methods if method not in _ALL]
    if unknown:
        raise ValueError(f"methods (={unknown!r}) must be among {_ALL}")
    check_wanted(ks, max_fits)
    y = np.asarray(y)
    points = [SparsityPoint("full", None, n_exemplars(model), _accuracy(model, P, y), model)]
    skipped: dict[str, str] = {}
    search = _Search(model, training, ks, epsilons, max_fits)
    for method in methods:
        try:
            for k, epsilon, small in search.versions(method):
                accuracy = _accuracy(small, P, y)
                points.append(
                    SparsityPoint(method, k, n_exemplars(small), accuracy, small, epsilon)
                )
        except ValueError as reason:
            skipped[method] = str(reason)
    return SparsityFront(points, skipped)


class _Search:
    """Sparse versions of one model, method by method."""

    def __init__(
        self,
        model: ProximityLVQ,
        training: Any,
        ks: Sequence[int],
        epsilons: Sequence[float],
        max_fits: int,
    ):
        self.model, self.training, self.max_fits = model, training, max_fits
        self.ks, self.epsilons = ks, epsilons
        # Objects a model computed its proximities from are no matrix to take products from.
        precomputed = model._features is not None or model._source.is_precomputed
        self.gram = Gram(model, training if precomputed else None)

    def versions(self, method: str) -> Iterator[tuple[int | None, float | None, ProximityLVQ]]:
        """(k, ε, model) for every degree."""
        if method == "training":
            path = PenaltyPath(self.model, self._objects(), self._labels(), self.max_fits)
            for k in self.ks:
                yield k, None, path.find(float(k))
            return
        for k in self.ks:
            _check(method, k, None)
            yield k, None, _sparsified(self.model, self.gram, method, k, None)
        if method in ("nearest", "hull"):
            return
        unit = float(np.sqrt(self.gram.geometry.scale())) if method == "omp" else 1.0
        for share in self.epsilons:
            _check(method, None, share)
            epsilon = unit * float(share)
            yield None, epsilon, _sparsified(self.model, self.gram, method, None, epsilon)

    def _labels(self) -> np.ndarray:
        return self.model.classes_[self.model._y]

    def _objects(self) -> Any:
        """What the model was fitted on."""
        if self.training is not None:
            return self.training
        objects = self.model._source.objects
        if self.model._features is None and objects is not None:
            return objects
        if "_training" in self.model.__dict__:
            return self.model._training
        raise ValueError(
            "the model did not keep what it was fitted on: pass it as training, to train anew"
        )


def _accuracy(model: ProximityLVQ, P: ArrayLike, y: np.ndarray) -> float:
    return float((model.predict(P) == y).mean())
