"""Accuracy against sparsity, over all ways to make a model sparse."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from noneuclid._data import check_is_fitted
from noneuclid.prototypes.classifiers import ProximityLVQ
from noneuclid.prototypes.sparse.measures import n_exemplars
from noneuclid.prototypes.sparse.sparsify import METHODS, Approximations, check_degree
from noneuclid.prototypes.sparse.training import PenaltyPath, check_wanted

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

    Returns
    -------
    SparsityFront
        A point per method and size: exemplars, accuracy, model; and why a method was left out.

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
    """Sparse versions of one classifier, method by method."""

    def __init__(
        self,
        full: ProximityLVQ,
        training: Any,
        ks: Sequence[int],
        epsilons: Sequence[float],
        max_fits: int,
    ):
        self.full, self.training, self.max_fits = full, training, max_fits
        self.ks, self.epsilons = ks, epsilons
        relation = full.relation_
        # Objects a relation computes its proximities from are no matrix to take products from.
        matrix = relation.is_precomputed or relation.n_landmarks is not None
        self.relation = relation.recall(training) if matrix and training is not None else relation

    @cached_property
    def parts(self) -> Approximations:
        """What all degrees of all approximations share."""
        return Approximations(self.relation, self.full.coefficients_, self.full.prototype_members())

    def versions(self, method: str) -> Iterator[tuple[int | None, float | None, ProximityLVQ]]:
        """(k, ε, classifier) for every degree."""
        if method == "training":
            path = PenaltyPath(
                self.full, self._objects(), self.full.training_labels(), self.max_fits
            )
            for k in self.ks:
                yield k, None, path.find(float(k))
            return
        for k in self.ks:
            yield k, None, self._sparse(method, k, None)
        if method in ("nearest", "hull"):
            return
        unit = float(np.sqrt(self.parts.geometry.scale())) if method == "omp" else 1.0
        for share in self.epsilons:
            check_degree(method, None, share)
            yield None, unit * float(share), self._sparse(method, None, unit * float(share))

    def _sparse(self, method: str, k: int | None, epsilon: float | None) -> ProximityLVQ:
        check_degree(method, k, epsilon)
        found = self.parts.approximate(method, k, epsilon)
        return self.full.with_coefficients(*found, self.relation)

    def _objects(self) -> Any:
        """What the classifier was fitted on."""
        if self.training is not None:
            return self.training
        try:
            return self.full.relation_.training()
        except ValueError:
            raise ValueError(
                "the model did not keep what it was fitted on: pass it as training, to train anew"
            ) from None


def _accuracy(found: ProximityLVQ, P: ArrayLike, y: np.ndarray) -> float:
    return float((found.predict(P) == y).mean())
