"""The models that are compared, by kind of data."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from noneuclid.datasets import Dataset
from noneuclid.prototypes import GLVQ, GMLVQ, ProximityLVQ
from noneuclid.proximities import SpectrumCorrection
from noneuclid.report.comparison import Candidate, Settings, outer_folds
from noneuclid.report.matrices import Matrix
from noneuclid.spaces import Euclidean, LeeVerleysen, Lp, Sobolev, Space
from noneuclid.typing import Array

_CELLS = {
    "kernel GLVQ": ("glvq", "riesz"),
    "kernel RSLVQ": ("rslvq", "riesz"),
    "relational GLVQ": ("glvq", "coordinates"),
    "relational RSLVQ": ("rslvq", "coordinates"),
}


@dataclass(frozen=True)
class Geometry:
    """A space of curves, its name in the report, and the Python expression for it."""

    name: str
    space: Space
    code: str

    def distances(self, X: Array) -> Array:
        """Squared distances between all rows."""
        return self.space.squared_distance(X, X)  # type: ignore[attr-defined]


def geometries(data: Dataset) -> list[Geometry]:
    """The geometries of curves that are compared."""
    grid, code = data.grid, 'Sobolev(spacing="unit", grid=data.grid)'
    if grid is None or np.allclose(np.diff(grid), grid[1] - grid[0], rtol=1e-6):
        grid, code = None, 'Sobolev(spacing="unit")'
    return [
        Geometry("Euclidean", Euclidean(), "Euclidean()"),
        Geometry("l1", Lp(1), "Lp(1)"),
        Geometry("Sobolev", Sobolev(spacing="unit", grid=grid), code),
        Geometry("functional", LeeVerleysen(p=1), "LeeVerleysen(p=1)"),
    ]


@dataclass(frozen=True)
class _Choices:
    """Parameters to choose from that the data allow."""

    y: Array
    settings: Settings

    @property
    def smallest(self) -> int:
        return int(np.unique(self.y, return_counts=True)[1].min())

    @property
    def counts(self) -> list[int]:
        """Prototypes per class."""
        most = 0 if self.settings.quick else self.smallest // 3
        return [m for m in (1, 3) if m <= max(most, 1)]

    @property
    def neighbours(self) -> list[int]:
        """As many as the smallest class and every inner training set have."""
        n, folds = len(self.y), outer_folds(self.y, self.settings)
        in_training = self.smallest - -(-self.smallest // folds)
        for k in (folds, max(2, min(self.settings.inner_folds, in_training))):
            n -= -(-n // k)
        return [k for k in (1, 3, 5, 9) if k <= min(self.smallest, n)]

    @property
    def C(self) -> list[float]:
        return [1.0, 10.0] if self.settings.quick else [0.1, 1.0, 10.0, 100.0]

    def nearest(self, name: str, D: Array) -> Candidate:
        """Nearest neighbours by dissimilarities; rounding below zero is taken away."""
        few = self.neighbours[:2] if self.settings.quick else self.neighbours
        baseline = KNeighborsClassifier(metric="precomputed")
        return Candidate(name, baseline, {"n_neighbors": few}, np.maximum(D, 0.0))


def proximity_models(
    matrix: Matrix, y: Array, is_euclidean: bool, settings: Settings
) -> list[Candidate]:
    """Kernel and relational GLVQ and RSLVQ, and two baselines."""
    choices = _Choices(y, settings)
    grid: dict[str, list[Any]] = {"n_prototypes": choices.counts}
    if not is_euclidean:
        grid["correction"] = ["clip"] if settings.quick else [None, "clip"]
    out = []
    for name, (cost, gradient) in _CELLS.items():
        shape = {"transfer": "sigmoid", "slope": "auto"} if cost == "glvq" else {}
        learner = ProximityLVQ(
            cost=cost,  # type: ignore[arg-type]
            proximity=matrix.proximity,
            gradient=gradient,
            random_state=settings.random_state,
            **shape,  # type: ignore[arg-type]
        )
        out.append(Candidate(name, learner, grid, matrix.P, interpretable=True))
    D, S = matrix.D, matrix.S
    out.append(choices.nearest("k nearest neighbours", D - min(float(D.min()), 0.0)))
    steps = [("correction", SpectrumCorrection(method="clip")), ("svm", SVC(kernel="precomputed"))]
    scale = float(np.abs(np.diag(S)).mean()) or 1.0
    grid = {"svm__C": choices.C}
    out.append(Candidate("support vector machine", Pipeline(steps), grid, S / scale))
    return out


def curve_models(data: Dataset, chosen: Sequence[Geometry], settings: Settings) -> list[Candidate]:
    """GLVQ and nearest neighbours in several geometries, and a support vector machine."""
    choices = _Choices(np.asarray(data.labels), settings)
    grid: dict[str, list[Any]] = {"n_prototypes": choices.counts}
    out = []
    for geometry in chosen[:3]:  # steps in the functional norm are too slow for a report
        learner = GLVQ(space=geometry.space, random_state=settings.random_state)
        code = f"GLVQ(space={geometry.code}, random_state={settings.random_state})"
        name = f"GLVQ, {geometry.name}"
        out.append(Candidate(name, learner, grid, data.X, interpretable=True, code=code))
    for geometry in chosen:
        name = f"k nearest neighbours, {geometry.name}"
        out.append(choices.nearest(name, geometry.distances(data.X)))
    out.append(Candidate("support vector machine, Euclidean", SVC(), {"C": choices.C}, data.X))
    return out


def row_models(data: Dataset, settings: Settings) -> list[Candidate]:
    """Models of prototypes on standardised features, and two baselines."""
    choices = _Choices(np.asarray(data.labels), settings)
    seed = settings.random_state

    def candidate(name: str, learner: Any, step: str, **grid: list[Any]) -> Candidate:
        scaled = Pipeline([("scale", StandardScaler()), (step, learner)])
        named = {f"{step}__{key}": values for key, values in grid.items()}
        return Candidate(name, scaled, named, data.X, interpretable=step == "lvq")

    counts = choices.counts
    nearest = KNeighborsClassifier()
    return [
        candidate("GLVQ", GLVQ(random_state=seed), "lvq", n_prototypes=counts),
        candidate("GLVQ, l1", GLVQ(space="l1", random_state=seed), "lvq", n_prototypes=counts),
        candidate("GMLVQ", GMLVQ(random_state=seed), "lvq", n_prototypes=counts),
        candidate("k nearest neighbours", nearest, "knn", n_neighbors=choices.neighbours),
        candidate("support vector machine", SVC(), "svm", C=choices.C),
    ]
