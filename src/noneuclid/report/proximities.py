"""The analysis of similarities and dissimilarities."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from noneuclid.datasets import Dataset
from noneuclid.report import diagnosis, structure
from noneuclid.report._code import cross_validation, program
from noneuclid.report.blocks import Analysis
from noneuclid.report.classification import ProximityModel, classify
from noneuclid.report.comparison import Settings
from noneuclid.report.model_sections import (
    comparison_finding,
    comparison_section,
    embedding_figure,
    model_section,
    result_rows,
    sparsity_section,
)
from noneuclid.typing import Array

Advance = Callable[[str], None]


def analyze_proximities(data: Dataset, settings: Settings, advance: Advance) -> Analysis:
    """Diagnose a matrix, and classify its objects if they have classes."""
    return analyze_matrix(data, data.X, data.kind, "data.X", settings, advance)


def analyze_matrix(
    data: Dataset,
    P: Array,
    proximity: str,
    expression: str,
    settings: Settings,
    advance: Advance,
    *,
    portable: Callable[[Any], Any] = lambda model: model,
) -> Analysis:
    """The same for objects whose proximities were computed.

    Parameters
    ----------
    data : Dataset
        The objects.
    P : array of shape (n, n)
        Their proximities.
    proximity : {"similarity", "dissimilarity"}
    expression : str
        The Python expression for P, with the dataset called ``data``.
    settings : Settings
    advance : callable
    portable : callable
        Turns the model of the matrix into one that takes objects.
    """
    found = diagnosis.diagnose(P, proximity, random_state=settings.random_state)
    advance("diagnosis")
    sections = diagnosis.sections(data, found)
    findings = [diagnosis.finding(found)]
    code = [f"data = {data.code}", f"X = {expression}", _signature_line(proximity)]
    results = [("signature", str(tuple(found.signature)))]
    if data.labels is None:
        groups = structure.find_groups(P, proximity, settings, advance)
        picture = embedding_figure(data, P, proximity, found, groups.drawn, groups=groups.names)
        D = "X" if proximity == "dissimilarity" else "to_dissimilarity(X)"
        return Analysis(
            _title(data),
            data.understood,
            [structure.finding(data, groups), *findings],
            [*structure.sections(data, groups, picture), *sections],
            program([*code, *structure.groups_code(len(groups.typical), settings, D)]),
            results + structure.result_rows(groups),
        )
    model = classify(P, proximity, data.labels, found, settings, advance)
    findings += [comparison_finding(model.comparison), sparsity_section(model).lead]
    sections += [
        comparison_section(model.comparison, settings),
        model_section(data, P, proximity, found, model),
        sparsity_section(model),
    ]
    return Analysis(
        _title(data),
        data.understood,
        findings,
        sections,
        program(code + _code(model, settings)),
        results + result_rows(model.comparison),
        portable(model.model),
    )


def _title(data: Dataset) -> str:
    return f"{data.source}: {len(data)} {data.noun}"


def _signature_line(proximity: str) -> str:
    S = "X" if proximity == "similarity" else "to_similarity(X)"
    return f"print(signature({S}))"


def _code(found: ProximityModel, settings: Settings) -> list[str]:
    return [
        "",
        *cross_validation(found.score, found.comparison, settings),
        "",
        "best = search.fit(X, data.labels).best_estimator_",
        "for prototype in exemplars(best, 3, names=data.names):",
        "    print(prototype.label, prototype.objects)",
    ]


def with_title(found: Analysis, title: str) -> Analysis:
    """The same under another title."""
    return replace(found, title=title)
