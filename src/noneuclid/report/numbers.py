"""Models that predict numbers: nested cross-validation on the same splits."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.compose import TransformedTargetRegressor
from sklearn.cross_decomposition import PLSRegression
from sklearn.dummy import DummyRegressor
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    RepeatedKFold,
    cross_validate,
)
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.metaestimators import _safe_split

from noneuclid.datasets import DataError, Dataset
from noneuclid.prototypes import PrototypeRegressor, ProximityRegressor
from noneuclid.report._numbers import Shown, number
from noneuclid.report.calibration import distances
from noneuclid.report.comparison import Candidate, Settings
from noneuclid.report.matrices import Matrix, matrix_of, train_matrix, train_widths
from noneuclid.report.models import Geometry, geometries
from noneuclid.search import SampledFolds, sampled_rows
from noneuclid.search.candidates import kernel_of
from noneuclid.search.differences import is_clear
from noneuclid.spaces import Euclidean, Lp
from noneuclid.typing import Array

SCORING = "neg_root_mean_squared_error"
# Intervals hold this share of objects.
SHARE = 0.9
_RIDGES = [1e-5, 1e-3, 1e-1]
_MOST_PARTS = 20
Splits = list[tuple[Array, Array]]


@dataclass(frozen=True)
class NumberScore:
    """Errors of one candidate on the test sets of all splits."""

    candidate: Candidate
    errors: Array
    """Root mean squared errors."""
    r2: Array
    n_seen: int = 0
    """How many objects it learned from in the largest training set."""

    @property
    def mean(self) -> float:
        """Mean of the root mean squared errors."""
        return float(self.errors.mean())

    def __str__(self) -> str:
        sd = float(self.errors.std())
        return Shown(f"{number(self.mean)}\xa0±\xa0{number(sd)}", self.mean, sd)


@dataclass(frozen=True)
class Regressed:
    """All candidates on the same splits, and the best model of prototypes."""

    scores: list[NumberScore]
    splits: Splits
    inner_folds: int
    groups: Array | None
    model: Any
    parameters: dict[str, Any]
    y: Array
    predicted: Array
    """For every object, by a model that has not seen it."""
    half_width: float
    """Of intervals that hold the true number for 90 % of such objects."""
    nearest: Array | None = None
    """Distance of every object to the nearest prototype of a model that has not seen it."""

    @property
    def ranked(self) -> list[NumberScore]:
        """Best first."""
        return sorted(self.scores, key=lambda score: score.mean)

    @property
    def best(self) -> NumberScore:
        """The best of the models that show prototypes."""
        return next(score for score in self.ranked if score.candidate.interpretable)

    @property
    def best_baseline(self) -> NumberScore:
        """The best of the others."""
        return next(score for score in self.ranked if not score.candidate.interpretable)

    def difference(self, first: NumberScore, second: NumberScore) -> tuple[float, float]:
        """Mean difference of errors on the same test sets, and its corrected standard error."""
        gaps = first.errors - second.errors
        train, test = self.splits[0]
        factor = 1 / len(gaps) + len(test) / len(train)
        return float(gaps.mean()), float(np.sqrt(gaps.var(ddof=1) * factor))

    def is_clear(self, first: NumberScore, second: NumberScore) -> bool:
        """Whether a difference is more than chance at a level of 5 %, by Student's t."""
        train, test = self.splits[0]
        return is_clear(first.errors - second.errors, len(test) / len(train))


# --- what is compared -------------------------------------------------------------------------


def number_models(data: Dataset, settings: Settings) -> tuple[list[Candidate], Matrix | None]:
    """The models that predict numbers, and the proximities if they are of a matrix."""
    if data.kind == "curves":
        return curve_candidates(data, settings), None
    if data.kind == "vectors":
        return row_candidates(data, settings), None
    if data.kind == "spikes":
        matrix = train_matrix(data, train_widths(data, settings.random_state))
    else:
        matrix = matrix_of(data, settings.random_state, settings.metric)
    return matrix_candidates(matrix, settings), matrix


def curve_candidates(data: Dataset, settings: Settings) -> list[Candidate]:
    """Prototypes and kernel ridge in several geometries, partial least squares, and the mean."""
    return [
        *_in_geometries(data, geometries(data)[:3], settings, scaled=False),
        _pls(data.X, scaled=False),
        _mean(data.X),
    ]


def row_candidates(data: Dataset, settings: Settings) -> list[Candidate]:
    """The same on standardised features."""
    chosen = [Geometry("Euclidean", Euclidean(), ""), Geometry("l1", Lp(1), "")]
    return [
        *_in_geometries(data, chosen, settings, scaled=True),
        _pls(data.X, scaled=True),
        _mean(data.X),
    ]


def matrix_candidates(matrix: Matrix, settings: Settings) -> list[Candidate]:
    """Prototypes over proximities, nearest neighbours, and the mean."""
    learner = ProximityRegressor(
        metric="precomputed", proximity=matrix.proximity, random_state=settings.random_state
    )
    D = np.maximum(matrix.D - min(float(matrix.D.min()), 0.0), 0.0)
    nearest = KNeighborsRegressor(metric="precomputed", weights="distance")
    grid = {"n_prototypes": _counts(len(D), settings)}
    return [
        Candidate("prototypes", learner, grid, matrix.P, interpretable=True),
        Candidate("k nearest neighbours", nearest, {"n_neighbors": [1, 3, 5]}, D),
        _mean(matrix.P),
    ]


def _counts(n: int, settings: Settings) -> list[int]:
    """Numbers of prototypes that the data allow."""
    return [m for m in ((5,) if settings.quick else (5, 10, 20)) if 4 * m <= n] or [2]


def _in_geometries(
    data: Dataset, chosen: Sequence[Geometry], settings: Settings, *, scaled: bool
) -> list[Candidate]:
    found, X, seed = [], data.X, settings.random_state
    grid: dict[str, list[Any]] = {"n_prototypes": _counts(len(data), settings)}
    for geometry in chosen:
        learner = PrototypeRegressor(space=geometry.space, random_state=seed)
        code = f"PrototypeRegressor(space={geometry.code}, random_state={seed})" * (not scaled)
        name = f"prototypes, {geometry.name}"
        found.append(_candidate(name, learner, grid, X, scaled, interpretable=True, code=code))
    for geometry in chosen:
        rows = StandardScaler().fit_transform(X) if scaled else X
        some = sampled_rows(np.linspace(0, 0.5, len(X)), settings.max_objects, random_state=seed)
        kernel = kernel_of(geometry.space).resolve(rows[some])
        # It has no intercept: so it predicts differences from the mean.
        ridge = TransformedTargetRegressor(KernelRidge(kernel=kernel), transformer=StandardScaler())
        name = f"kernel ridge, {geometry.name}"
        choices: dict[str, list[Any]] = {"regressor__alpha": _RIDGES}
        found.append(_candidate(name, ridge, choices, X, scaled, is_linear=False))
    return found


def _candidate(
    name: str,
    learner: Any,
    grid: dict[str, list[Any]],
    X: Array,
    scaled: bool,
    *,
    interpretable: bool = False,
    code: str = "",
    is_linear: bool = True,
) -> Candidate:
    if scaled:
        learner = Pipeline([("scale", StandardScaler()), ("model", learner)])
        grid = {f"model__{key}": values for key, values in grid.items()}
    return Candidate(name, learner, grid, X, interpretable, code, is_linear)


def _pls(X: Array, *, scaled: bool) -> Candidate:
    most = min(_MOST_PARTS, X.shape[1], max(len(X) // 3, 1))
    grid = {"n_components": list(range(1, most + 1))}
    return Candidate("partial least squares", PLSRegression(scale=scaled), grid, X)


def _mean(X: Array) -> Candidate:
    return Candidate("the mean", DummyRegressor(), {}, X)


# --- how it is compared -----------------------------------------------------------------------


def folds_of(n: int, settings: Settings, groups: Array | None) -> int:
    """How many folds there are."""
    return max(2, min(settings.folds, n if groups is None else len(np.unique(groups))))


def outer_splits(n: int, settings: Settings, groups: Array | None) -> Splits:
    """The splits all candidates are judged on; no group is divided."""
    folds, seed, repeats = folds_of(n, settings, groups), settings.random_state, settings.repeats
    if groups is None:
        cv = RepeatedKFold(n_splits=folds, n_repeats=repeats, random_state=seed)
        return list(cv.split(np.zeros(n)))
    if len(np.unique(groups)) < 2:
        raise DataError("all objects belong together: there is nothing to test a model on")
    kinds = [GroupKFold(folds, shuffle=True, random_state=seed + r) for r in range(repeats)]
    return [split for cv in kinds for split in cv.split(np.zeros(n), groups=groups)]


def _search(
    candidate: Candidate, rows: Any, groups: Array | None, settings: Settings
) -> GridSearchCV:
    """The candidate with its parameters chosen by folds of the rows."""
    seed, n = settings.random_state, settings.inner_folds
    folds: Any = KFold(n, shuffle=True, random_state=seed)
    if len(rows) > settings.max_objects:
        folds = SampledFolds(n, settings.max_objects, seed)
    if groups is not None:
        n = min(n, len(np.unique(groups[rows])))
        kind: Any = GroupKFold(n, shuffle=True, random_state=seed)
        if len(rows) > settings.max_objects:
            kind = SampledFolds(n, settings.max_objects, seed)
        folds = list(kind.split(rows, groups=groups[rows]))
    return GridSearchCV(clone(candidate.estimator), candidate.grid, cv=folds, scoring=SCORING)


def regress(
    candidates: Sequence[Candidate],
    y: Array,
    settings: Settings,
    advance: Callable[[str], None] = lambda what: None,
    groups: Array | None = None,
) -> Regressed:
    """Compare models by nested cross-validation, and refit the best one of prototypes."""
    splits, seed = outer_splits(len(y), settings, groups), settings.random_state
    scores = []
    for candidate in candidates:
        errors, r2, seen = [], [], 0
        for training, test in splits:
            rows = training
            if not candidate.is_linear:
                few = sampled_rows(y[rows], settings.max_objects, random_state=seed)
                rows = training[few]
            seen = max(seen, len(rows))
            chosen = _search(candidate, rows, groups, settings)
            parts = [(rows, test)]
            found = cross_validate(chosen, candidate.X, y, cv=parts, scoring=[SCORING, "r2"])
            errors.append(-found[f"test_{SCORING}"][0])
            r2.append(found["test_r2"][0])
            advance(candidate.name)
        scores.append(NumberScore(candidate, np.array(errors), np.array(r2), seen))
    best = min((s for s in scores if s.candidate.interpretable), key=lambda s: s.mean).candidate
    chosen = _search(best, np.arange(len(y)), groups, settings).fit(best.X, y)
    first = splits[: len(splits) // settings.repeats]
    predicted, nearest = _held_out(chosen.best_estimator_, best.X, y, first)
    advance("best model")
    misses = np.sort(np.abs(y - predicted))
    rank = min(int(np.ceil((len(y) + 1) * SHARE)), len(y))
    return Regressed(
        scores,
        splits,
        settings.inner_folds,
        groups,
        chosen.best_estimator_,
        chosen.best_params_,
        y,
        predicted,
        float(misses[rank - 1]),
        nearest,
    )


def _held_out(model: Any, X: Any, y: Array, splits: Splits) -> tuple[Array, Array | None]:
    """Of every object, by a model without its fold: the number, and how far its prototypes are."""
    predicted, nearest = np.empty(len(y)), np.full(len(y), np.nan)
    for training, test in splits:
        fitted = clone(model)
        fitted.fit(*_safe_split(fitted, X, y, training))
        new, _ = _safe_split(fitted, X, y, test, training)
        predicted[test] = fitted.predict(new)
        far = distances(fitted, new)
        nearest[test] = np.nan if far is None else far
    return predicted, None if np.isnan(nearest).any() else nearest
