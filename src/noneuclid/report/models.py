"""The models that are compared, by kind of data."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from noneuclid.datasets import Dataset
from noneuclid.prototypes import GLVQ, GMLVQ, ProximityLVQ
from noneuclid.proximities import NystroemEmbedding, SpectrumCorrection, to_dissimilarity
from noneuclid.report.baselines import discriminant_pls, neighbours_by, neighbours_in
from noneuclid.report.candidates import LARGEST
from noneuclid.report.comparison import Candidate, InGeometries, Settings, outer_folds
from noneuclid.report.matrices import Matrix
from noneuclid.report.program import expression
from noneuclid.search import sampled_rows, usual_geometries
from noneuclid.search.candidates import kernel_of
from noneuclid.spaces import Sobolev, Space
from noneuclid.typing import Array

_CELLS = {
    "kernel GLVQ": ("glvq", "riesz"),
    "kernel RSLVQ": ("rslvq", "riesz"),
    "relational GLVQ": ("glvq", "coordinates"),
    "relational RSLVQ": ("rslvq", "coordinates"),
}
# Geometries of curves and rows: those of a quick look, and those of a thorough one only.
_QUICK_CURVES, _SLOW_CURVES = ["Euclidean", "l1", "Sobolev"], ["Lee–Verleysen"]
_QUICK_ROWS, _SLOW_ROWS = ["Euclidean", "l1"], ["l1.5", "linf"]
# Of objects that are too many for all pairs of them.
LANDMARKS = 200


@dataclass(frozen=True)
class Geometry:
    """A space of curves, its name in the report, and the Python expression for it."""

    name: str
    space: Space
    code: str

    def distances(self, X: Array) -> Array:
        """Squared distances between all rows."""
        return self.space.squared_distance(X, X)  # type: ignore[attr-defined]


def geometries(data: Dataset, settings: Settings | None = None) -> list[Geometry]:
    """The geometries of curves that are compared: Euclidean, l1, Sobolev, and further ones.

    More of them if the settings are not quick, and the slow ones if they are thorough.
    """
    grid = data.grid
    if grid is None or np.allclose(np.diff(grid), grid[1] - grid[0], rtol=1e-6):
        grid = None
    every = usual_geometries("curves")
    found = []
    for name in _names(settings or Settings(), _QUICK_CURVES, _SLOW_CURVES, list(every)):
        space = every[name]
        code = expression(space)
        if isinstance(space, Sobolev):
            code = code.replace("'unit'", '"unit"')
        if grid is not None and isinstance(space, Sobolev):
            space = space.set_params(grid=grid)
            code = f"{code[:-1]}, grid=data.grid)"
        found.append(Geometry(name, space, code))
    return found


def _names(settings: Settings, quick: list[str], slow: list[str], every: list[str]) -> list[str]:
    """Which geometries are tried; the quick ones first."""
    if settings.quick:
        return quick
    more = [name for name in every if name not in quick]
    return [*quick, *(name for name in more if settings.thorough or name not in slow)]


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
        n, folds = min(len(self.y), self.settings.max_objects), outer_folds(self.y, self.settings)
        in_training = self.smallest - -(-self.smallest // folds)
        for k in (folds, max(2, min(self.settings.inner_folds, in_training))):
            n -= -(-n // k)
        return [k for k in (1, 3, 5, 9) if k <= min(self.smallest, n)]

    @property
    def C(self) -> list[float]:
        return [1.0, 10.0] if self.settings.quick else [0.1, 1.0, 10.0, 100.0]

    @property
    def few_neighbours(self) -> list[int]:
        return self.neighbours[:2] if self.settings.quick else self.neighbours

    @property
    def components(self) -> list[int]:
        """Of partial least squares."""
        most = max(1, min(len(self.y) // 4, 15))
        tried = (2, 5, 10) if self.settings.quick else (1, 2, 3, 5, 8, 12)
        return [k for k in tried if k <= most] or [1]

    def glvq(self, step: Any = lambda learner: learner) -> dict[str, Any]:
        """Learners of the search over geometries, by their names."""
        seed = self.settings.random_state
        called = {1: "GLVQ"}
        return {
            called.get(m, f"GLVQ of {m} prototypes"): step(GLVQ(n_prototypes=m, random_state=seed))
            for m in self.counts
        }


def _few(values: Sequence[float]) -> str:
    return ", ".join(f"{value:g}" for value in values)


def _largest_class(X: Any) -> Candidate:
    """What everybody must be better than."""
    return Candidate(LARGEST, DummyClassifier(), {}, X)


def proximity_models(
    matrix: Matrix, y: Array, is_euclidean: bool, settings: Settings
) -> list[Candidate]:
    """Kernel and relational GLVQ and RSLVQ, and baselines."""
    choices = _Choices(y, settings)
    out = _cells(choices, matrix.proximity, is_euclidean, matrix.P)
    D, S = matrix.D, matrix.S
    D = np.maximum(D - min(float(D.min()), 0.0), 0.0)
    nearest = KNeighborsClassifier(metric="precomputed")
    few = {"n_neighbors": choices.few_neighbours}
    out.append(Candidate("k nearest neighbours", nearest, few, D, is_linear=False))
    steps = [("correction", SpectrumCorrection(method="clip")), ("svm", SVC(kernel="precomputed"))]
    scale = float(np.abs(np.diag(S)).mean()) or 1.0
    grid = {"svm__C": choices.C}
    svm = Candidate("support vector machine", Pipeline(steps), grid, S / scale, is_linear=False)
    one = KNeighborsClassifier(1, metric="precomputed")
    first = Candidate("nearest neighbour", one, {}, D, is_linear=False)
    return [*out, svm, first, _largest_class(D)]


def object_models(
    matrix: Matrix, X: Any, y: Array, is_euclidean: bool, settings: Settings
) -> list[Candidate]:
    """The same of more objects than there is room for all pairs of: by landmarks.

    The matrix is that of a sample, X are all objects, or all their proximities.
    """
    choices = _Choices(y, settings)
    m = min(LANDMARKS, len(matrix.P) // 2)
    options: dict[str, Any] = {"metric": matrix.metric, "n_landmarks": m}
    out = _cells(choices, matrix.proximity, is_euclidean, X, **options)
    features = NystroemEmbedding(
        n_landmarks=m,
        metric=matrix.metric,
        proximity=matrix.proximity,
        random_state=settings.random_state,
    )
    linear = LogisticRegression(max_iter=1000)
    steps = [("landmarks", features), ("scale", StandardScaler()), ("linear", linear)]
    name, grid = "logistic regression on landmarks", {"linear__C": choices.C}
    out.append(Candidate(name, Pipeline(steps), grid, X))
    if isinstance(matrix.metric, str) and matrix.metric == "precomputed":
        nearest: Any = KNeighborsClassifier(1, metric="precomputed")
        D = to_dissimilarity(X) if matrix.proximity == "similarity" else X
        X = np.maximum(D - min(float(D.min()), 0.0), 0.0)
    else:
        nearest = neighbours_by(matrix.metric).set_params(knn__n_neighbors=1)
    first = Candidate("nearest neighbour", nearest, {}, X, is_linear=False)
    return [*out, first, _largest_class(X)]


def _cells(
    choices: _Choices, proximity: Any, is_euclidean: bool, X: Any, **options: Any
) -> list[Candidate]:
    grid: dict[str, list[Any]] = {"n_prototypes": choices.counts}
    if not is_euclidean:
        grid["correction"] = ["clip"] if choices.settings.quick else [None, "clip"]
    out = []
    for name, (cost, gradient) in _CELLS.items():
        shape = {"transfer": "sigmoid", "slope": "auto"} if cost == "glvq" else {}
        learner = ProximityLVQ(
            cost=cost,  # type: ignore[arg-type]
            proximity=proximity,
            gradient=gradient,
            random_state=choices.settings.random_state,
            **shape,  # type: ignore[arg-type]
            **options,
        )
        out.append(Candidate(name, learner, grid, X, interpretable=True))
    return out


def curve_models(data: Dataset, chosen: Sequence[Geometry], settings: Settings) -> list[Candidate]:
    """GLVQ in the geometry that a search finds, and baselines, some of them in that geometry."""
    choices = _Choices(np.asarray(data.labels), settings)
    # Those whose distances are quick: of all pairs, again and again.
    X, spaces = data.X, [one.space for one in chosen if one.space.is_hilbert][:3]
    lda = LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto")
    few = X[sampled_rows(choices.y, settings.max_objects, random_state=settings.random_state)]
    kernels = [kernel_of(space).resolve(few) for space in spaces]
    where = ", ".join(one.name for one in chosen if one.space in spaces)
    few_neighbours = choices.few_neighbours[:3]
    nearest: dict[str, list[Any]] = {
        "distances__space": spaces,
        "knn__n_neighbors": few_neighbours,
    }
    named = {one.name: one.space for one in chosen}
    return [
        InGeometries(
            "GLVQ",
            None,
            {},
            X,
            interpretable=True,
            learners=choices.glvq(),
            geometries=named,
            codes={one.name: one.code for one in chosen},
            kind="curves",
        ),
        Candidate(
            "k nearest neighbours",
            neighbours_in(spaces[0]),
            nearest,
            X,
            is_linear=False,
            choices=f"geometry: {where}; n_neighbors: {_few(few_neighbours)}",
        ),
        Candidate(
            "support vector machine",
            SVC(),
            {"kernel": kernels, "C": list(choices.C)},
            X,
            is_linear=False,
            choices=f"geometry: {where}; C: {_few(choices.C)}",
        ),
        Candidate("PLS-DA", discriminant_pls(), {"n_components": choices.components}, X),
        Candidate("linear discriminant analysis", lda, {}, X),
        _largest_class(X),
    ]


def row_models(data: Dataset, settings: Settings) -> list[Candidate]:
    """Models of prototypes on standardised features, and baselines on the same."""
    choices = _Choices(np.asarray(data.labels), settings)
    seed, X = settings.random_state, data.X

    def scaled(learner: Any, step: str = "lvq") -> Pipeline:
        return Pipeline([("scale", StandardScaler()), (step, learner)])

    def candidate(
        name: str, learner: Any, step: str, *, is_linear: bool = True, **grid: list[Any]
    ) -> Candidate:
        named = {f"{step}__{key}": values for key, values in grid.items()}
        lvq = step == "lvq"
        return Candidate(
            name, scaled(learner, step), named, X, interpretable=lvq, is_linear=is_linear
        )

    every = usual_geometries("vectors")
    chosen = {name: every[name] for name in _names(settings, _QUICK_ROWS, _SLOW_ROWS, list(every))}
    linear = LogisticRegression(max_iter=1000)
    return [
        InGeometries(
            "GLVQ",
            None,
            {},
            X,
            interpretable=True,
            learners=choices.glvq(scaled),
            geometries=chosen,
        ),
        candidate("GMLVQ", GMLVQ(random_state=seed), "lvq", n_prototypes=choices.counts),
        candidate(
            "k nearest neighbours",
            KNeighborsClassifier(),
            "knn",
            n_neighbors=choices.neighbours,
            is_linear=False,
        ),
        candidate("support vector machine", SVC(), "svm", C=choices.C, is_linear=False),
        candidate("logistic regression", linear, "linear", C=choices.C),
        _largest_class(X),
    ]
