"""Classifying objects by their proximities: comparison, model, exemplars, sparse versions."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import cross_val_predict
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline
from sklearn.svm import SVC

from noneuclid.prototypes import ProximityLVQ, sparsity_front
from noneuclid.proximities import SpectrumCorrection
from noneuclid.report.comparison import (
    Candidate,
    Comparison,
    Score,
    Settings,
    compare,
    search,
)
from noneuclid.report.diagnosis import MatrixDiagnosis, dissimilarities, similarities
from noneuclid.report.figures import Prototypes
from noneuclid.typing import Array, IntArray

_KS = (1, 2, 3, 5, 10)
# Sparse training, too, would take longer than all else.
_METHODS = ("nearest", "hull", "omp", "meb")
_CELLS = {
    "kernel GLVQ": ("glvq", "riesz"),
    "kernel RSLVQ": ("rslvq", "riesz"),
    "relational GLVQ": ("glvq", "coordinates"),
    "relational RSLVQ": ("rslvq", "coordinates"),
}


@dataclass(frozen=True)
class SparsePoint:
    """Mean accuracy of a sparse version over the test sets."""

    method: str
    k: int | None
    n_exemplars: float
    accuracy: float
    sd: float


@dataclass(frozen=True)
class ProximityModel:
    """The best model of prototypes, how it was found, and its sparse versions."""

    comparison: Comparison
    score: Score
    model: ProximityLVQ
    parameters: dict[str, Any]
    predicted: Array
    """Class of every object, predicted by models that have not seen it."""
    nearest: IntArray
    distances: Array
    typical: list[list[int]]
    """The objects of its own class nearest to every prototype."""
    sparse: list[SparsePoint]
    skipped: dict[str, str]
    n_test_sets: int
    """Over which the accuracies of sparse versions are means."""

    def drawn(self, Z: Array) -> Prototypes:
        """The prototypes among objects with the coordinates Z."""
        G = self.model.coefficients_
        labels = [str(label) for label in self.model.prototype_labels_]
        return Prototypes(G @ Z, labels, G, self.nearest, self.distances, self.typical)

    @property
    def full(self) -> SparsePoint:
        """The model as it is, on the same test sets as the sparse ones."""
        return next(point for point in self.sparse if point.method == "full")


def candidates(
    P: Array, proximity: str, y: Array, found: MatrixDiagnosis, settings: Settings
) -> list[Candidate]:
    """Kernel and relational GLVQ and RSLVQ, and two baselines."""
    smallest = int(np.unique(y, return_counts=True)[1].min())
    counts = [1] if settings.quick else [m for m in (1, 3) if m <= smallest // 3] or [1]
    grid: dict[str, list[Any]] = {"n_prototypes": counts}
    if not found.is_euclidean:
        grid["correction"] = ["clip"] if settings.quick else [None, "clip"]
    out = []
    for name, (cost, gradient) in _CELLS.items():
        shape = {"transfer": "sigmoid", "slope": "auto"} if cost == "glvq" else {}
        model = ProximityLVQ(
            cost=cost,  # type: ignore[arg-type]
            proximity=proximity,  # type: ignore[arg-type]
            gradient=gradient,
            random_state=settings.random_state,
            **shape,  # type: ignore[arg-type]
        )
        out.append(Candidate(name, model, grid, P, interpretable=True))
    D = dissimilarities(P, proximity)
    neighbours = [k for k in (1, 3, 5, 9) if k <= smallest]
    out.append(
        Candidate(
            "k nearest neighbours",
            KNeighborsClassifier(metric="precomputed"),
            {"n_neighbors": neighbours[:2] if settings.quick else neighbours},
            np.maximum(D - min(float(D.min()), 0.0), 0.0),
        )
    )
    S = similarities(P, proximity)
    scale = float(np.abs(np.diag(S)).mean()) or 1.0
    steps = [("correction", SpectrumCorrection(method="clip")), ("svm", SVC(kernel="precomputed"))]
    out.append(
        Candidate(
            "support vector machine",
            Pipeline(steps),
            {"svm__C": [1.0, 10.0] if settings.quick else [0.1, 1.0, 10.0, 100.0]},
            S / scale,
        )
    )
    return out


def classify(
    P: Array,
    proximity: str,
    y: Array,
    found: MatrixDiagnosis,
    settings: Settings,
    advance: Callable[[str], None] = lambda what: None,
) -> ProximityModel:
    """Compare models by nested cross-validation, refit the best of prototypes, make it sparse."""
    comparison = compare(candidates(P, proximity, y, found, settings), y, settings, advance)
    score = comparison.best_interpretable
    chosen = search(score.candidate, comparison.inner).fit(P, y)
    advance("best model")
    model = chosen.best_estimator_
    first = comparison.splits[: len(comparison.splits) // settings.repeats]
    predicted = cross_val_predict(clone(model), P, y, cv=first)
    advance("best model")
    D = model.transform(P, self_similarity=_self_similarities(model, P))
    nearest = D.argmin(axis=1)
    sparse, skipped = _sparse(model, P, y, first)
    advance("sparse versions")
    return ProximityModel(
        comparison,
        score,
        model,
        chosen.best_params_,
        predicted,
        nearest,
        D[np.arange(len(D)), nearest],
        typical_objects(D, model.prototype_labels_, y),
        sparse,
        skipped,
        len(first),
    )


def typical_objects(D: Array, labels: Array, y: Array, k: int = 4) -> list[list[int]]:
    """The k objects nearest to every prototype among those of its class."""
    found = []
    for j, label in enumerate(labels):
        members = np.flatnonzero(y == label)
        found.append(members[np.argsort(D[members, j], kind="stable")[:k]].tolist())
    return found


def _self_similarities(model: ProximityLVQ, P: Array) -> Array | None:
    if model.proximity == "dissimilarity":
        return None
    if model.correction is not None:
        P = SpectrumCorrection(method=model.correction).fit_transform(P)
    return np.diag(P)


def _sparse(
    model: ProximityLVQ, P: Array, y: Array, splits: list[tuple[Array, Array]]
) -> tuple[list[SparsePoint], dict[str, str]]:
    measured: dict[tuple[str, int | None], list[tuple[float, float]]] = {}
    skipped: dict[str, str] = {}
    for train, test in splits:
        fitted = clone(model).fit(P[np.ix_(train, train)], y[train])
        front = sparsity_front(
            fitted, P[np.ix_(test, train)], y[test], ks=_KS, epsilons=(), methods=_METHODS
        )
        skipped |= front.skipped
        for point in front.points:
            key = (point.method, point.k)
            measured.setdefault(key, []).append((point.n_exemplars, point.accuracy))
    points = []
    for (method, k), values in measured.items():
        sizes, accuracies = np.array(values).T
        points.append(
            SparsePoint(
                method, k, float(sizes.mean()), float(accuracies.mean()), float(accuracies.std())
            )
        )
    return points, skipped
