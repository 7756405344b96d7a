"""The analysis of rows of features: robust components, outliers, prototypes, relevances."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import RobustScaler, StandardScaler
from sklearn.svm import SVC

from noneuclid.datasets import Dataset
from noneuclid.pca import GeneralizedPCA
from noneuclid.prototypes import GLVQ, GMLVQ
from noneuclid.report import structure
from noneuclid.report._code import cross_validation, program
from noneuclid.report._numbers import listing, number, percent
from noneuclid.report.blocks import Analysis, Block, Fact, Facts, Figure, Section, Table
from noneuclid.report.comparison import Candidate, Settings
from noneuclid.report.figures import Prototypes, bars, scatter
from noneuclid.report.model_sections import (
    comparison_finding,
    comparison_section,
    error_tables,
    result_rows,
)
from noneuclid.report.proximities import Advance
from noneuclid.report.vector_models import VectorModel, classify_rows, prototype_table
from noneuclid.spaces import Euclidean
from noneuclid.typing import Array, IntArray

_SHOWN_OUTLIERS = 10
_SHOWN_FEATURES = 15
# Errors beyond median + 5 MAD·1.4826 hardly occur in normal data.
_FAR = 5.0


@dataclass(frozen=True)
class RobustComponents:
    """Classical and robust components of the same scaled rows."""

    scaler: RobustScaler
    plain: GeneralizedPCA
    robust: GeneralizedPCA
    angle: float
    """Between the first components of both, in degrees."""
    outlyingness: Array
    """The larger of the distances off the robust plane and, within it, off the middle; both in
    robust standard deviations."""

    @property
    def outliers(self) -> IntArray:
        """Rows far off the plane, farthest first."""
        order = np.argsort(-self.outlyingness, kind="stable")
        return order[self.outlyingness[order] > _FAR]


def robust_components(X: Array, random_state: int = 0) -> RobustComponents:
    """Compare classical components with such as outliers hardly move."""
    scaler = RobustScaler().fit(X)
    Z = scaler.transform(X)
    k = min(2, X.shape[1] - 1, len(X) - 1)
    plain = GeneralizedPCA(n_components=k, objective="l2", random_state=random_state).fit(Z)
    robust = GeneralizedPCA(
        n_components=k, objective="l1", n_init=5, random_state=random_state
    ).fit(Z)
    cosine = abs(float(plain.components_[0] @ robust.components_[0]))
    angle = float(np.degrees(np.arccos(min(cosine, 1.0))))
    off = _robust_sd(robust.reconstruction_error(Z)[:, None])
    within = _robust_sd(robust.transform(Z))
    scores = np.maximum(off, within)
    return RobustComponents(scaler, plain, robust, angle, scores)


def _robust_sd(values: Array) -> Array:
    """Distance from the median over 1.4826 times the median absolute deviation, all columns."""
    away = np.abs(values - np.median(values, axis=0))
    spread = 1.4826 * np.median(away, axis=0)
    scaled = np.divide(away, spread, out=np.zeros_like(away), where=spread > 0)
    return np.asarray(np.sqrt((scaled**2).sum(axis=1)))


def analyze_vectors(data: Dataset, settings: Settings, advance: Advance) -> Analysis:
    """Robust components and outliers; prototypes and relevances if there are classes."""
    found = robust_components(data.X, settings.random_state)
    advance("components")
    findings = [_outlier_finding(data, found)]
    results = [
        ("angle of components", f"{number(found.angle)}°"),
        ("outliers", str(len(found.outliers))),
    ]
    model = None
    sections: list[Section] = []
    code = [
        f"data = {data.code}",
        "X = data.X",
        "Z = RobustScaler().fit_transform(X)",
        f"robust = GeneralizedPCA(n_components={len(found.robust.components_)}, objective='l1', "
        f"n_init=5, random_state={settings.random_state}).fit(Z)",
        "print(robust.reconstruction_error(Z).argsort()[::-1][:10])",
    ]
    if data.labels is not None:
        model = classify_rows(data, candidates(data, settings), settings, advance)
        findings.insert(0, comparison_finding(model.comparison))
        results += result_rows(model.comparison)
        sections = [comparison_section(model.comparison, settings), _model_section(data, model)]
        code += ["", *cross_validation(model.score, model.comparison, settings), ""]
        code += ["best = search.fit(X, data.labels).best_estimator_", "print(best[-1].prototypes_)"]
    else:
        Z = found.scaler.transform(data.X)
        D = Euclidean().squared_distance(Z, Z)
        groups = structure.find_groups((D + D.T) / 2, "dissimilarity", settings, advance)
        findings.insert(0, structure.finding(data, groups))
        results += structure.result_rows(groups)
        sections = structure.sections(data, groups, _plane(data, found, groups.drawn, groups.names))
        code += ["D = Euclidean().squared_distance(Z, Z)"]
        code += structure.groups_code(len(groups.typical), settings, "D")
    sections += [_component_section(data, found, model), _outlier_section(data, found)]
    return Analysis(
        f"{data.source}: {len(data)} rows",
        data.understood,
        findings,
        sections,
        program(code),
        results,
        None if model is None else model.model,
    )


def candidates(data: Dataset, settings: Settings) -> list[Candidate]:
    """Models of prototypes on standardised features, and two baselines."""
    y = np.asarray(data.labels)
    smallest = int(np.unique(y, return_counts=True)[1].min())
    counts = [1] if settings.quick else [m for m in (1, 3) if m <= smallest // 3] or [1]
    seed = settings.random_state

    def scaled(name: str, step: Any) -> Pipeline:
        return Pipeline([("scale", StandardScaler()), (name, step)])

    neighbours = [k for k in (1, 3, 5, 9) if k <= smallest]
    grid: dict[str, list[Any]] = {"lvq__n_prototypes": counts}
    C = [1.0, 10.0] if settings.quick else [0.1, 1.0, 10.0, 100.0]
    return [
        Candidate("GLVQ", scaled("lvq", GLVQ(random_state=seed)), grid, data.X, True),
        Candidate(
            "GLVQ, l1", scaled("lvq", GLVQ(space="l1", random_state=seed)), grid, data.X, True
        ),
        Candidate("GMLVQ", scaled("lvq", GMLVQ(random_state=seed)), grid, data.X, True),
        Candidate(
            "k nearest neighbours",
            scaled("knn", KNeighborsClassifier()),
            {"knn__n_neighbors": neighbours},
            data.X,
        ),
        Candidate("support vector machine", scaled("svm", SVC()), {"svm__C": C}, data.X),
    ]


def _outlier_finding(data: Dataset, found: RobustComponents) -> str:
    turned = (
        f"The first component, classical and robust, differs by {number(found.angle)}°"
        if found.angle >= 1
        else "The first component is the same, classical and robust"
    )
    outliers = found.outliers
    if not len(outliers):
        return f"{turned}; no row is far from the others."
    names = listing([data.names[i] for i in outliers], 3)
    return f"{turned}; {len(outliers)} rows are far from the others: {names}."


def _feature_names(data: Dataset) -> list[str]:
    return data.features or [f"feature {j + 1}" for j in range(data.X.shape[1])]


def _component_section(
    data: Dataset, found: RobustComponents, model: VectorModel | None
) -> Section:
    names = _feature_names(data)
    first_plain, first_robust = found.plain.components_[0], found.robust.components_[0]
    if first_plain @ first_robust < 0:
        first_plain = -first_plain
    order = np.argsort(-np.maximum(np.abs(first_plain), np.abs(first_robust)))[:_SHOWN_FEATURES]
    table = Table(
        "The first component: classical and robust",
        ["feature", "classical", "robust", "difference"],
        [
            [
                names[j],
                number(first_plain[j]),
                number(first_robust[j]),
                number(first_robust[j] - first_plain[j]),
            ]
            for j in order
        ],
        "Loadings of unit length on features scaled by median and interquartile range. Classical: "
        "largest variance (l2); robust: largest mean modulus (l1), which outliers hardly turn "
        "(noneuclid.GeneralizedPCA).",
        f"The two directions differ by {number(found.angle)}°.",
        numeric=(1, 2, 3),
    )
    blocks: list[Block] = [table]
    if model is not None:
        drawn = model.drawn(lambda W: found.robust.transform(found.scaler.transform(W)))
        if len(found.robust.components_) > 1:
            blocks.append(_plane(data, found, lambda Z: drawn))
    return Section("Components, with and without outliers", blocks, _outlier_finding(data, found))


def _plane(
    data: Dataset,
    found: RobustComponents,
    place: Callable[[Array], Prototypes],
    groups: Array | None = None,
) -> Figure:
    Z = found.robust.transform(found.scaler.transform(data.X))
    Z = Z if Z.shape[1] > 1 else np.column_stack([Z, np.zeros(len(Z))])
    return scatter(
        Z,
        data.names,
        data.labels if groups is None else groups,
        title="The rows in the plane of the robust components",
        axes=("robust component 1", "robust component 2"),
        reading="Rows near each other are alike in the directions that most rows vary in.",
        how="Projections on the robust components of the rows, scaled by median and interquartile "
        "range.",
        prototypes=place(Z),
        extra=[f"{value:.1f} robust sd away" for value in found.outlyingness],
        word="class" if groups is None else "",
    )


def _outlier_section(data: Dataset, found: RobustComponents) -> Section:
    order = np.argsort(-found.outlyingness, kind="stable")[:_SHOWN_OUTLIERS]
    Z = found.scaler.transform(data.X)
    names = _feature_names(data)
    rows = []
    for i in order:
        j = int(np.abs(Z[i]).argmax())
        label = [] if data.labels is None else [str(data.labels[i])]
        rows.append(
            [
                data.names[i],
                *label,
                f"{found.outlyingness[i]:.1f}",
                f"{names[j]} = {number(data.X[i, j])}",
            ]
        )
    number_column = 1 if data.labels is None else 2
    table = Table(
        "Rows that are far from the others",
        ["row", *([] if data.labels is None else ["class"]), "robust sd", "most unusual"],
        rows,
        "The larger of two distances of the scaled row: off the plane of the robust components, "
        "and "
        "within the plane off the middle; each from the median, over 1.4826 times the median "
        f"absolute deviation. Beyond {_FAR:g} counts as an outlier. Last column: the feature "
        "that is "
        "farthest from its median.",
        f"{len(found.outliers)} of {len(data)} rows are beyond {_FAR:g}.",
        numeric=(number_column,),
    )
    return Section("Outliers, ranked", [table])


def _model_section(data: Dataset, found: VectorModel) -> Section:
    blocks: list[Block] = [
        Facts(
            [
                Fact("Model", found.score.candidate.name, "The best of the models of prototypes."),
                Fact(
                    "Prototypes",
                    str(len(found.labels)),
                    "Chosen by cross-validation on all rows, then refitted.",
                ),
            ]
        ),
        prototype_table(data, found, values=True),
        _relevances(data, found),
    ]
    blocks += error_tables(data, found.predicted)
    return Section("The model, its prototypes and relevances", blocks)


def _relevances(data: Dataset, found: VectorModel) -> Any:
    """GMLVQ's relevances; of the best model if it is one, otherwise of one fitted for this."""
    learner = found.learner
    if not isinstance(learner, GMLVQ):
        Z = StandardScaler().fit_transform(data.X)
        learner = GMLVQ(random_state=0).fit(Z, np.asarray(data.labels))
    names = _feature_names(data)
    order = np.argsort(-learner.relevance_, kind="stable")[:_SHOWN_FEATURES]
    half = int(np.searchsorted(np.cumsum(np.sort(learner.relevance_)[::-1]), 0.5)) + 1
    return bars(
        [names[j] for j in order],
        learner.relevance_[order],
        title="Relevance of the features",
        xlabel="share in the learned metric",
        reading=f"Most important: {names[order[0]]} "
        f"({percent(learner.relevance_[order[0]])}); "
        f"{half} feature{'s' * (half != 1)} hold{'s' * (half == 1)} half of the metric.",
        how="Diagonal of Ω'Ω over its trace, Ω the matrix GMLVQ learns together with its "
        "prototypes "
        f"on standardised features; the {len(order)} largest of {len(names)}.",
    )
