"""The analysis of curves: geometries compared, components and prototypes over the grid."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from noneuclid.datasets import Dataset
from noneuclid.pca import HebbianPCA
from noneuclid.prototypes import GLVQ
from noneuclid.report import structure
from noneuclid.report._code import cross_validation, program
from noneuclid.report._numbers import number, percent
from noneuclid.report.blocks import Analysis, Block, Fact, Facts, Figure, Section
from noneuclid.report.comparison import Candidate, Settings
from noneuclid.report.figures import Prototypes, Series, classes_of, lines, scatter
from noneuclid.report.model_sections import (
    comparison_finding,
    comparison_section,
    error_tables,
    result_rows,
)
from noneuclid.report.proximities import Advance
from noneuclid.report.svg import colour
from noneuclid.report.vector_models import VectorModel, classify_rows, prototype_table
from noneuclid.spaces import Euclidean, LeeVerleysen, Lp, Sobolev, Space
from noneuclid.typing import Array, IntArray

_PAIRS = 400
_BACKGROUND = 60


@dataclass(frozen=True)
class Geometry:
    """A space of curves, its name in the report, and the Python expression for it."""

    name: str
    space: Space
    code: str


def geometries(data: Dataset) -> list[Geometry]:
    """The geometries that are compared."""
    grid = data.grid
    if grid is None or np.allclose(np.diff(grid), grid[1] - grid[0], rtol=1e-6):
        sobolev: Space = Sobolev(spacing="unit")
        code = 'Sobolev(spacing="unit")'
    else:
        sobolev = Sobolev(spacing="unit", grid=grid)
        code = 'Sobolev(spacing="unit", grid=data.grid)'
    return [
        Geometry("Euclidean", Euclidean(), "Euclidean()"),
        Geometry("l1", Lp(1), "Lp(1)"),
        Geometry("Sobolev", sobolev, code),
        Geometry("functional", LeeVerleysen(p=1), "LeeVerleysen(p=1)"),
    ]


def analyze_curves(data: Dataset, settings: Settings, advance: Advance) -> Analysis:
    """Compare geometries, and draw components and prototypes as curves."""
    chosen = geometries(data)
    x = np.arange(1.0, data.X.shape[1] + 1) if data.grid is None else data.grid
    components = _components(data, chosen[:3], settings)
    advance("components")
    shares = {g.name: contributions(data, g.space, settings.random_state) for g in chosen}
    advance("contributions")
    sections = [_curves_section(data, x)]
    code = [f"data = {data.code}", "X = data.X"]
    model = None
    findings = [_axis_finding(x, shares)]
    results: list[tuple[str, str]] = []
    if data.labels is not None:
        model = classify_rows(data, candidates(data, chosen, settings), settings, advance)
        findings.insert(0, comparison_finding(model.comparison))
        results = result_rows(model.comparison)
        sections.append(comparison_section(model.comparison, settings))
        sections.append(_model_section(data, x, model))
        code += ["", *cross_validation(model.score, model.comparison, settings), ""]
        code += ["best = search.fit(X, data.labels).best_estimator_", "print(best.prototypes_)"]
    else:
        groups = _groups(data, chosen[2], settings, advance)
        findings.insert(0, structure.finding(data, groups))
        results = structure.result_rows(groups)
        picture = _plane(data, components["Sobolev"], groups.drawn, groups.names)
        sections += structure.sections(data, groups, picture)
        sections[1].blocks.insert(2, _group_curves(data, x, groups))
        code += [f"D = {chosen[2].code}.squared_distance(X, X)"]
        code += structure.groups_code(len(groups.typical), settings, "D")
    sections.append(_axis_section(data, x, shares))
    sections.append(_component_section(data, x, components, model))
    code += [
        f"pca = HebbianPCA(n_components=2, space={chosen[2].code}, random_state=0).fit(X)",
        "print(pca.components_)",
    ]
    title = f"{data.source}: {len(data)} curves"
    return Analysis(
        title,
        data.understood,
        findings,
        sections,
        program(code),
        results,
        None if model is None else model.model,
    )


def _groups(
    data: Dataset, geometry: Geometry, settings: Settings, advance: Advance
) -> structure.Groups:
    D = geometry.space.squared_distance(data.X, data.X)  # type: ignore[attr-defined]
    return structure.find_groups((D + D.T) / 2, "dissimilarity", settings, advance)


def _group_curves(data: Dataset, x: Array, groups: structure.Groups) -> Figure:
    return lines(
        x,
        [Series(f"P{j + 1}", w) for j, w in enumerate(groups.coefficients @ data.X)],
        title="Prototypes as curves",
        axes=(_axis_name(data), "value"),
        reading="Every group has a curve that stands for it.",
        how="Prototypes Σ γ_l x_l of neural gas on the Sobolev distances.",
        background=data.X[_background(len(data))],
        background_colours=[colour(groups.nearest[i]) for i in _background(len(data))],
    )


def candidates(data: Dataset, chosen: list[Geometry], settings: Settings) -> list[Candidate]:
    """GLVQ and nearest neighbours in several geometries, and a support vector machine."""
    y = np.asarray(data.labels)
    smallest = int(np.unique(y, return_counts=True)[1].min())
    counts = [1] if settings.quick else [m for m in (1, 3) if m <= smallest // 3] or [1]
    out = []
    for geometry in chosen[:3]:  # steps in the functional norm are too slow for a report
        model = GLVQ(space=geometry.space, random_state=settings.random_state)
        code = f"GLVQ(space={geometry.code}, random_state={settings.random_state})"
        grid: dict[str, list[Any]] = {"n_prototypes": counts}
        name = f"GLVQ, {geometry.name}"
        out.append(Candidate(name, model, grid, data.X, interpretable=True, code=code))
    neighbours = [k for k in (1, 3, 5, 9) if k <= smallest]
    for geometry in chosen:
        D = geometry.space.squared_distance(data.X, data.X)  # type: ignore[attr-defined]
        nearest = KNeighborsClassifier(metric="precomputed")
        choices = {"n_neighbors": neighbours[:2] if settings.quick else neighbours}
        name = f"k nearest neighbours, {geometry.name}"
        out.append(Candidate(name, nearest, choices, np.maximum(D, 0.0)))
    svm = {"C": [1.0, 10.0] if settings.quick else [0.1, 1.0, 10.0, 100.0]}
    out.append(Candidate("support vector machine, Euclidean", SVC(), svm, data.X))
    return out


def _curves_section(data: Dataset, x: Array) -> Section:
    classes, codes = classes_of(data.labels, len(data))
    chosen = _background(len(data))
    means = [
        Series(name, data.X[codes == k].mean(axis=0), colour=colour(k))
        for k, name in enumerate(classes)
    ] or [Series("mean of all curves", data.X.mean(axis=0))]
    shown = f"{len(chosen)} of {len(data)}" if len(chosen) < len(data) else f"All {len(data)}"
    figure = lines(
        x,
        means,
        title="The curves and their means",
        axes=(_axis_name(data), "value"),
        reading=f"{shown} curves are drawn thin, the mean{'s of the classes' if classes else ''} "
        "thick.",
        how="Values as they are in the file; arithmetic means.",
        background=data.X[chosen],
        background_colours=[colour(codes[i]) for i in chosen] if classes else None,
    )
    facts = Facts(
        [
            Fact("Curves", str(len(data)), "Rows of the file."),
            Fact("Points per curve", str(data.X.shape[1]), "Columns of the file."),
            Fact(
                "Range of the axis",
                f"{number(x[0])} to {number(x[-1])}",
                "From the names of the columns."
                if data.grid is not None
                else "The file gives no positions: points are numbered.",
            ),
        ]
    )
    return Section("The curves", [facts, figure])


def _background(n: int) -> IntArray:
    """The curves that are drawn thin: a few, at random, always the same."""
    return np.sort(np.random.default_rng(0).permutation(n)[:_BACKGROUND])


def _axis_name(data: Dataset) -> str:
    return "number of the point" if data.grid is None else "position on the axis"


def contributions(data: Dataset, space: Any, random_state: int = 0) -> Array:
    r"""Share of every position in the squared distances between curves.

    .. math:: \|v\|^2 = \sum_j v_j J(v)_j \qquad\text{or}\qquad
              \|v\|^2 = \sum_j q_j\,(v_j^2 + v_j'^2), \qquad v = x_i - x_k,

    the second in Sobolev spaces, where the terms of the first are not local. The mean of the
    shares is taken over random pairs of curves, of different classes if there are any. One is the
    share of a position if all count the same.
    """
    rng = np.random.default_rng(random_state)
    i, k = rng.integers(len(data), size=(2, 8 * _PAIRS))
    apart = i != k if data.labels is None else data.labels[i] != data.labels[k]
    V = (data.X[i] - data.X[k])[apart][:_PAIRS]
    parts = _sobolev_parts(V, data.grid) if isinstance(space, Sobolev) else V * space.dual(V)
    totals = parts.sum(axis=1)
    kept = totals > 0
    shares = (parts[kept] / totals[kept, None]).mean(axis=0)
    return shares * data.X.shape[1]


def _sobolev_parts(V: Array, grid: Array | None) -> Array:
    """q (v² + v'²) on an axis of length one."""
    x = np.linspace(0.0, 1.0, V.shape[1]) if grid is None else (grid - grid[0]) / np.ptp(grid)
    return np.asarray(np.gradient(x) * (V**2 + np.gradient(V, x, axis=1) ** 2))


def _axis_finding(x: Array, shares: dict[str, Array]) -> str:
    euclid, sobolev = (_widest(x, shares[name]) for name in ("Euclidean", "Sobolev"))
    return (
        f"The Euclidean distance looks mostly at {euclid[0]} ({percent(euclid[1], 0)} of it "
        "comes from "
        f"there), the Sobolev distance at {sobolev[0]} ({percent(sobolev[1], 0)})."
    )


def _widest(x: Array, shares: Array) -> tuple[str, float]:
    """The window of a fifth of the axis with the largest share, and the share."""
    width = max(len(x) // 5, 1)
    sums = np.convolve(shares, np.ones(width), mode="valid") / len(x)
    start = int(sums.argmax())
    return f"{number(x[start])} to {number(x[start + width - 1])}", float(sums[start])


def _axis_section(data: Dataset, x: Array, shares: dict[str, Array]) -> Section:
    series = [Series(name, values) for name, values in shares.items()]
    of = "curves of different classes" if data.labels is not None else "curves"
    figure = lines(
        x,
        series,
        title="Where distances come from",
        axes=(_axis_name(data), "share (1: all positions alike)"),
        reading=_axis_finding(x, shares),
        how=f"Mean over up to {_PAIRS} random pairs of {of} of v_j J(v)_j / ‖v‖², v their "
        "difference "
        "and J the duality map of the space, times the number of positions. Derivatives of "
        "neighbours may cancel, so that a share is below zero.",
        zero=True,
    )
    return Section("Where the geometries differ along the axis", [figure])


def _components(data: Dataset, chosen: list[Geometry], settings: Settings) -> dict[str, Any]:
    k = min(2, len(data) - 1, data.X.shape[1])
    return {
        g.name: HebbianPCA(n_components=k, space=g.space, random_state=settings.random_state).fit(
            data.X
        )
        for g in chosen
    }


def _component_section(
    data: Dataset, x: Array, components: dict[str, Any], model: VectorModel | None
) -> Section:
    blocks: list[Block] = []
    reference = components["Euclidean"].components_
    for k in range(len(reference)):
        series = []
        for name, pca in components.items():
            w = pca.components_[k] / np.abs(pca.components_[k]).max()
            series.append(Series(name, w if w @ reference[k] >= 0 else -w))
        blocks.append(_component_figure(data, x, k, series))
    pca = components["Sobolev"]
    if len(pca.components_) > 1 and model is not None:
        drawn = model.drawn(pca.transform)
        blocks.append(_plane(data, pca, lambda Z: drawn))
    return Section("Components as curves", blocks)


def _plane(
    data: Dataset,
    pca: HebbianPCA,
    place: Callable[[Array], Prototypes],
    groups: Array | None = None,
) -> Figure:
    Z = pca.transform(data.X)
    Z = Z[:, :2] if Z.shape[1] > 1 else np.column_stack([Z, np.zeros(len(Z))])
    return scatter(
        Z,
        data.names,
        data.labels if groups is None else groups,
        title="The curves in the plane of the first two components (Sobolev)",
        axes=("response to component 1", "response to component 2"),
        reading="Curves near each other are alike in values and derivatives, as far as two "
        "components show it.",
        how="Responses [x − mean, w_k] in the Sobolev space (noneuclid.HebbianPCA).",
        prototypes=place(Z),
        word="class" if groups is None else "",
    )


def _component_figure(data: Dataset, x: Array, k: int, series: list[Series]) -> Figure:
    peaks = [f"{s.name} at {number(x[np.abs(s.y).argmax()])}" for s in series]
    return lines(
        x,
        series,
        title=f"Component {k + 1} in three geometries",
        axes=(_axis_name(data), "component (largest value 1)"),
        reading=f"Largest value: {', '.join(peaks)}.",
        how="Principal components of the centred curves under the product of each space "
        "(noneuclid.HebbianPCA), scaled to the largest value 1 and turned to the same side.",
        zero=True,
    )


def _model_section(data: Dataset, x: Array, found: VectorModel) -> Section:
    classes, codes = classes_of(data.labels, len(data))
    series = [
        Series(
            f"P{j + 1}: {label}",
            found.prototypes[j],
            colour=colour(classes.index(label)),
            dash=("", "8 4", "2 4")[found.labels[:j].count(label) % 3],
        )
        for j, label in enumerate(found.labels)
    ]
    chosen = _background(len(data))
    figure = lines(
        x,
        series,
        title="Prototypes as curves",
        axes=(_axis_name(data), "value"),
        reading="Prototypes are curves themselves (thick); the data are drawn thin behind them.",
        how=f"Prototypes of {found.score.candidate.name}, fitted on all curves with the parameters "
        "chosen by cross-validation.",
        background=data.X[chosen],
        background_colours=[colour(codes[i]) for i in chosen],
    )
    blocks: list[Block] = [figure, prototype_table(data, found, values=False)]
    blocks += error_tables(data, found.predicted)
    lead = f"{found.score.candidate.name} with {len(found.labels)} prototypes."
    return Section("The model and its prototypes", blocks, lead)
