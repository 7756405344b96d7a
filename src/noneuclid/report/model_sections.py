"""A comparison of classifiers and a model of prototypes as parts of a report."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from noneuclid.datasets import Dataset
from noneuclid.prototypes import Exemplars, exemplars, n_exemplars
from noneuclid.proximities import PseudoEuclideanEmbedding
from noneuclid.report._numbers import listing, number, percent, plus_minus
from noneuclid.report.blocks import Block, Fact, Facts, Figure, Section, Table
from noneuclid.report.classification import ProximityModel
from noneuclid.report.comparison import Comparison, Settings
from noneuclid.report.diagnosis import MatrixDiagnosis
from noneuclid.report.figures import Prototypes, Series, intervals, lines, scatter, share_axis
from noneuclid.typing import Array

_SHOWN_EXEMPLARS = 5
_SHOWN_ERRORS = 15
_METHODS = {
    "nearest": "nearest objects",
    "hull": "largest coefficients",
    "omp": "matching pursuit",
    "meb": "enclosing balls",
}


def comparison_section(found: Comparison, settings: Settings) -> Section:
    """Which model classifies best."""
    ranked = found.ranked
    n_splits = len(found.splits)
    how = (
        f"Nested cross-validation: {n_splits // settings.repeats} stratified folds, "
        f"{settings.repeats} times ({n_splits} test sets, the same for all models); parameters are "
        f"chosen by {found.inner.n_splits} inner folds of the training objects alone. Dots are "
        "test "
        "sets, the large dot is their mean, the bar one standard deviation."
    )
    figure = intervals(
        [score.candidate.name for score in ranked],
        [score.accuracies for score in ranked],
        strong=[score.candidate.interpretable for score in ranked],
        title="Accuracy of all models on the same test sets",
        reading=f"{_capital(ranked[0].candidate.name)} is best with "
        f"{plus_minus(ranked[0].mean, ranked[0].sd)}; always guessing the largest class gives "
        f"{percent(found.majority)}.",
        how=how,
        reference=(found.majority, "largest class")
        if ranked[-1].mean - found.majority < 0.25
        else None,
    )
    best = ranked[0]
    rows = []
    for score in ranked:
        gap, error = found.difference(score, best)
        rows.append(
            [
                score.candidate.name,
                "prototypes" if score.candidate.interpretable else "baseline",
                plus_minus(score.mean, score.sd),
                "–" if score is best else f"{100 * gap:.1f} ± {100 * error:.1f}".replace("-", "−"),
                _choices(score.candidate.grid),
            ]
        )
    table = Table(
        "All models",
        ["model", "what it is", "accuracy", "to the best (points)", "chosen from"],
        rows,
        "Accuracy: mean ± standard deviation over the test sets. To the best: mean difference on "
        "the "
        "same test sets ± its standard error, corrected for overlapping training sets (Nadeau and "
        "Bengio, 2003). Differences below two standard errors may be chance.",
        numeric=(2, 3),
        strong=(0,),
    )
    return Section("Which model classifies best?", [figure, table], comparison_finding(found))


def comparison_finding(found: Comparison) -> str:
    """The comparison in one sentence."""
    own, other = found.best_interpretable, found.best_baseline
    gap, error = found.difference(own, other)
    start = (
        f"{_capital(own.candidate.name)} recognises {plus_minus(own.mean, own.sd)} of the objects "
        "it has not seen"
    )
    if abs(gap) < 2 * error or abs(gap) < 0.001:
        return (
            f"{start}, as well as the best baseline ({other.candidate.name}, "
            f"{percent(other.mean)})."
        )
    word = "more" if gap > 0 else "less"
    return (
        f"{start}, {100 * abs(gap):.1f} points {word} than the best baseline "
        f"({other.candidate.name}, {percent(other.mean)})."
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _choices(grid: dict[str, list[Any]]) -> str:
    parts = []
    for name, values in grid.items():
        words = ", ".join(
            "none" if v is None else f"{v:g}" if isinstance(v, float) else str(v) for v in values
        )
        parts.append(f"{name.split('__')[-1]}: {words}")
    return "; ".join(parts)


def embedding_figure(
    data: Dataset,
    P: Array,
    proximity: str,
    found: MatrixDiagnosis,
    place: Callable[[Array], Prototypes],
    *,
    groups: Array | None = None,
) -> Figure:
    """The objects in the two directions of largest eigenvalue, with prototypes."""
    embedding = PseudoEuclideanEmbedding(n_components=min(2, len(P)), proximity=proximity).fit(P)  # type: ignore[arg-type]
    Z = embedding.embedding_
    values = embedding.eigenvalues_
    if Z.shape[1] < 2:
        Z, values = np.column_stack([Z, np.zeros(len(Z))]), np.append(values, 0.0)
    total = float(np.abs(found.values).sum()) or 1.0
    drawn = place(Z)
    share = float(np.abs(values).sum() / total)
    reading = (
        f"The picture shows {percent(share)} of the spectrum: what is near here may still be far "
        "apart in the directions left out."
    )
    if (values < 0).any():
        reading += " One direction is negative: along it, objects that are far apart are alike."
    how = (
        "Classical scaling in pseudo-Euclidean space: coordinates q_k |λ_k|^½ of the two "
        "eigenvalues "
        "of largest modulus; prototypes are the same combinations of these coordinates as of the "
        "objects (noneuclid.PseudoEuclideanEmbedding)."
    )
    return scatter(
        Z,
        data.names,
        data.labels if groups is None else groups,
        title="The objects in two dimensions, with prototypes",
        axes=(share_axis(1, values[0], total), share_axis(2, values[1], total)),
        reading=reading,
        how=how,
        prototypes=drawn,
        word="class" if groups is None else "",
    )


def model_section(
    data: Dataset, P: Array, proximity: str, diagnosis: MatrixDiagnosis, found: ProximityModel
) -> Section:
    """The best model of prototypes, its exemplars, and what it gets wrong."""
    model = found.model
    figure = embedding_figure(data, P, proximity, diagnosis, found.drawn)
    blocks: list[Block] = [_model_facts(found), figure, _exemplar_table(data, found)]
    blocks += error_tables(data, found.predicted)
    lead = (
        f"{_capital(found.score.candidate.name)} with {len(model.prototype_labels_)} prototypes; "
        "on "
        f"average {number(n_exemplars(model))} objects make one."
    )
    return Section("The model and its exemplars", blocks, lead)


def _model_facts(found: ProximityModel) -> Facts:
    return Facts(
        [
            Fact(
                "Model", found.score.candidate.name, "The best of the models of prototypes above."
            ),
            Fact(
                "Chosen",
                chosen_words(found.parameters),
                "By cross-validation on all objects, then refitted.",
            ),
            Fact(
                "Accuracy",
                plus_minus(found.score.mean, found.score.sd),
                "Mean ± standard deviation over the test sets of the comparison above.",
            ),
            Fact(
                "Epochs",
                str(found.model.n_iter_),
                f"Passes over all objects until the mean cost no longer fell; it went from "
                f"{number(found.model.loss_curve_[0])} to {number(min(found.model.loss_curve_))}.",
            ),
        ]
    )


def _exemplar_table(data: Dataset, found: ProximityModel) -> Table:
    rows = []
    for j, one in enumerate(exemplars(found.model, _SHOWN_EXEMPLARS, names=data.names)):
        rows.append(
            [
                str(j + 1),
                str(one.label),
                str(int((found.nearest == j).sum())),
                ", ".join(data.names[i] for i in found.typical[j]),
                _parts(found.model.coefficients_[j], one),
            ]
        )
    return Table(
        "Exemplars of the prototypes",
        ["prototype", "class", "objects won", "exemplars", "made of"],
        rows,
        "Exemplars are the objects of the class that are nearest to the prototype. The prototype "
        "itself "
        "is a combination Σ γ_l ξ_l of objects; shown are the largest |γ_l| as shares of their "
        "sum. An "
        "object is won by the prototype it is nearest to.",
        "A new object gets the class of the prototype it is nearest to, so the exemplars are the "
        "reasons for every decision.",
        numeric=(2,),
        prototypes=True,
    )


def _parts(gamma: Array, one: Exemplars) -> str:
    """The largest parts of a prototype, or that there are none."""
    weights = np.abs(gamma) / (np.abs(gamma).sum() or 1.0)
    count = int(np.count_nonzero(gamma))
    if count > 2 * _SHOWN_EXEMPLARS and weights.max() < 2 / count:
        return f"{count} objects in nearly equal parts"
    total = np.abs(gamma).sum() or 1.0
    return ", ".join(
        f"{name} ({percent(abs(c) / total, 0)})" for name, c in zip(one.objects, one.coefficients)
    )


def chosen_words(parameters: dict[str, Any]) -> str:
    """Chosen parameters in words."""
    words = []
    for name, value in parameters.items():
        short = name.split("__")[-1]
        if short == "n_prototypes":
            words.append(f"{value} prototype{'s' * (value != 1)} per class")
        elif short == "correction":
            words.append("no correction" if value is None else f"{value} correction")
        else:
            words.append(
                f"{short} = {value:g}" if isinstance(value, float) else f"{short} = {value}"
            )
    return ", ".join(words) or "–"


def error_tables(data: Dataset, predicted: Array) -> list[Block]:
    """Confusion of classes, and the objects that were not recognised."""
    y = np.asarray(data.labels)
    classes = np.unique(y)
    blocks: list[Block] = []
    if len(classes) <= 12:
        rows = [
            [str(c), *[str(int(((y == c) & (predicted == d)).sum())) for d in classes]]
            for c in classes
        ]
        right = int((y == predicted).sum())
        blocks.append(
            Table(
                "True and predicted classes",
                ["true \\ predicted", *[str(c) for c in classes]],
                rows,
                "Every object is predicted once, by a model with the chosen parameters that was "
                "fitted "
                "without the fold it belongs to (first repetition of the outer folds).",
                f"{right} of {len(y)} objects are on the diagonal.",
                numeric=tuple(range(1, len(classes) + 1)),
            )
        )
    wrong = np.flatnonzero(y != predicted)
    if len(wrong):
        rows = [[data.names[i], str(y[i]), str(predicted[i])] for i in wrong[:_SHOWN_ERRORS]]
        more = "" if len(wrong) <= _SHOWN_ERRORS else f" (the first {_SHOWN_ERRORS} are shown)"
        blocks.append(
            Table(
                "Objects that were not recognised",
                ["object", "class", "predicted"],
                rows,
                "The same predictions as in the table above.",
                f"{len(wrong)} objects{more}: worth a look, their class may be wrong or they may "
                "lie "
                "between classes.",
            )
        )
    return blocks


def sparsity_section(found: ProximityModel) -> Section:
    """Sparse versions and the accuracy they cost."""
    full = found.full
    methods = [m for m in _METHODS if any(p.method == m for p in found.sparse)]
    series = []
    for method in methods:
        points = sorted(
            (p for p in found.sparse if p.method == method), key=lambda p: p.n_exemplars
        )
        series.append(
            Series(
                _METHODS[method],
                np.array([100 * p.accuracy for p in points]),
                np.array([p.n_exemplars for p in points]),
                marks=True,
            )
        )
    series.append(
        Series(
            "full model",
            np.array([100 * full.accuracy] * 2),
            np.array([min(p.n_exemplars for p in found.sparse), full.n_exemplars]),
            dash="6 4",
            colour="#333333",
            width=1.6,
        )
    )
    best = recommended(found)
    cost = 100 * (full.accuracy - best.accuracy)
    words = f"costs {cost:.1f} points of accuracy" if cost > 0.05 else "costs no accuracy"
    plural = "" if number(best.n_exemplars) == "1" else "s"
    sentence = (
        f"Prototypes of {number(best.n_exemplars)} object{plural} ({_METHODS[best.method]}) "
        "instead of "
        f"{number(full.n_exemplars)}: that {words}."
    )
    figure = lines(
        np.array([1.0, full.n_exemplars]),
        series,
        title="Accuracy of sparse versions",
        axes=("objects per prototype (logarithmic)", "accuracy (%)"),
        reading=sentence,
        how=_sparse_how(found),
        log=True,
    )
    rows = [
        [
            "full model" if p.method == "full" else _METHODS[p.method],
            number(p.n_exemplars),
            plus_minus(p.accuracy, p.sd),
            f"{100 * (p.accuracy - full.accuracy):+.1f}".replace("-", "−"),
        ]
        for p in sorted(found.sparse, key=lambda p: (-p.n_exemplars, -p.accuracy))
    ]
    table = Table(
        "All sparse versions",
        ["method", "objects per prototype", "accuracy", "to the full model (points)"],
        rows,
        _sparse_how(found),
        numeric=(1, 2, 3),
        strong=(0,),
    )
    return Section("How few exemplars will do?", [figure, table], sentence)


def _sparse_how(found: ProximityModel) -> str:
    how = (
        "On every training set of the first repetition the model is fitted with the chosen "
        "parameters, its prototypes are replaced by combinations of few objects "
        "(noneuclid.sparsify), and accuracy is measured on the test set; means over the test sets."
    )
    for method, reason in found.skipped.items():
        how += f" Left out: {_METHODS[method]} ({reason})."
    return how


def recommended(found: ProximityModel) -> Any:
    """The fewest exemplars within one standard error of the full model, or else the best."""
    sparse = [point for point in found.sparse if point.method != "full"]
    enough = found.full.accuracy - found.full.sd / np.sqrt(found.n_test_sets)
    good = [point for point in sparse if point.accuracy >= enough - 1e-12]
    if not good:
        return max(sparse, key=lambda point: (point.accuracy, -point.n_exemplars))
    return min(good, key=lambda point: (point.n_exemplars, -point.accuracy))


def class_list(data: Dataset) -> str:
    """The classes in words."""
    return listing([f"{name} ({count})" for name, count in data.classes.items()], 6)


def result_rows(found: Comparison) -> list[tuple[str, str]]:
    """The comparison for the terminal."""
    return [(score.candidate.name, plus_minus(score.mean, score.sd)) for score in found.ranked]


def join(parts: Sequence[list[Section]]) -> list[Section]:
    """All sections, in order."""
    return [section for part in parts for section in part]
