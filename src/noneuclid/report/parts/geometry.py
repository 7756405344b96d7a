"""Which geometry suits the data: what the search over geometries found."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from noneuclid.report._numbers import Shown, percent
from noneuclid.report.blocks import Block, Figure, Table
from noneuclid.report.figures import intervals
from noneuclid.report.parts.base import Part, Study
from noneuclid.search import GeometrySearch
from noneuclid.typing import Array

# p-values above are no evidence.
LEVEL = 0.05
_BY_LEARNER = (
    "Nested cross-validation (noneuclid.GeometrySearch), on the test sets of the models above. In "
    "every training set all geometries race by successive halving, judged by inner folds; those "
    "that come to the last round are fitted on the training set and meet the test set. "
)


def points(value: float) -> str:
    """A difference of shares in points.

    Examples
    --------
    >>> points(0.0123), points(-0.5)
    ('+1.2', '−50.0')
    """
    return f"{100 * value:+.1f}".replace("-", "−")


@dataclass(frozen=True)
class Row:
    """One geometry, under the learner that did best in it."""

    learner: str
    geometry: str
    score: float
    scores: Array
    difference: float
    error: float
    pvalue: float

    @property
    def met(self) -> bool:
        """Whether it came to a test set."""
        return bool(np.isfinite(self.score))

    @property
    def differs(self) -> bool:
        """Whether the difference to the winner is no chance."""
        return bool(self.pvalue < LEVEL)


def best_rows(search: GeometrySearch) -> list[Row]:
    """The geometries in the order of the search, each once; the winner first."""
    table: dict[str, Any] = search.results_
    found: dict[str, Row] = {}
    columns = ("score", "difference", "error", "pvalue")
    for k, scores in enumerate(search.split_scores_):
        score, gap, error, p = (float(table[column][k]) for column in columns)
        learner, geometry = (str(table[name][k]) for name in ("learner", "geometry"))
        row = Row(learner, geometry, score, scores, gap, error, p)
        found.setdefault(geometry, row)
    return list(found.values())


@dataclass(eq=False)
class GeometryPart(Part):
    """The geometries by their scores, with the differences that are no chance."""

    study: Study
    search: GeometrySearch
    measure: str = "accuracy"

    @property
    def title(self) -> str:  # type: ignore[override]
        """Of the section."""
        return f"Which geometry suits the {self.study.data.noun}?"

    @cached_property
    def rows(self) -> list[Row]:
        """The geometries, the winner first."""
        return best_rows(self.search)

    @cached_property
    def sentence(self) -> str:
        first, *others = self.rows
        rivals = [row for row in others if row.met and np.isfinite(row.pvalue)]
        beaten = [row for row in rivals if row.differs and row.difference < 0]
        level = [row for row in rivals if not row.differs]
        better = [row for row in rivals if row.differs and row.difference > 0]
        behind = [row.geometry for row in others if not row.met]
        left = f" Left behind in the races: {'; '.join(behind)}." * bool(behind)
        start = f"The {self.study.data.noun} are recognised best in the {first.geometry} geometry"
        if better:
            names = _listed(better)
            return (
                f"{start} by the inner folds, but {names} did better on the test sets: the choice "
                f"is uncertain.{left}"
            )
        if not rivals:
            return f"{start}: no other one came to the test sets often enough to be compared.{left}"
        if not beaten:
            return f"{start}, but no other one is clearly worse: {_listed(level)}.{left}"
        words = f"{start}. Clearly worse: {_listed(beaten)}"
        return f"{words}{f'. Not clearly: {_listed(level)}' * bool(level)}.{left}"

    def results(self) -> list[tuple[str, str]]:
        return [("geometry", self.rows[0].geometry)]

    def blocks(self) -> list[Block]:
        return [self._figure(), self._table()]

    def _figure(self) -> Figure:
        met = [row for row in self.rows if row.met]
        met.sort(key=lambda row: -row.score)
        first = self.rows[0]
        means = "; ".join(f"{row.geometry} {percent(row.score)}" for row in met)
        return intervals(
            [row.geometry for row in met],
            [row.scores[np.isfinite(row.scores)] for row in met],
            strong=[row is first for row in met],
            xlabel=f"{self.measure} on objects not seen (%)",
            kinds=("chosen", "others"),
            title="The geometries on the same test sets",
            reading=f"Chosen: {first.geometry}. {means}.",
            how=f"{_BY_LEARNER}Dots are test sets, the large dot is their mean, the bar one "
            f"standard deviation.{self.study.sampled}"
            if not self.study.is_large
            else f"{_BY_LEARNER}The races are run on a sample of "
            f"{self.study.settings.max_objects:,} of the objects of every training set.",
        )

    def _table(self) -> Table:
        rows = [
            [
                row.geometry,
                row.learner,
                percent(row.score) if row.met else Shown("left behind", np.nan),
                str(int(np.isfinite(row.scores).sum())),
                "–" if row is self.rows[0] else _difference(row),
                f"{row.pvalue:.2g}" if np.isfinite(row.pvalue) else "–",
            ]
            for row in self.rows
        ]
        return Table(
            "All geometries",
            ["geometry", "learner", self.measure, "test sets", "to the chosen (points)", "p"],
            rows,
            "The chosen one is first: it won the race on all objects. Differences on the same test "
            "sets ± their standard errors, corrected for overlapping training sets; p of Student's "
            "t (Nadeau and Bengio, 2003). Of several numbers of prototypes, the best is shown.",
            f"Differences of p below {LEVEL:g} are hardly chance.",
            numeric=(2, 3, 4, 5),
            strong=(0,),
        )


def _difference(row: Row) -> str:
    if not np.isfinite(row.difference):
        return "–"
    error = f" ± {100 * row.error:.1f}" if np.isfinite(row.error) else ""
    spread = 100 * row.error if error else None
    return Shown(f"{points(row.difference)}{error}", 100 * row.difference, spread)


def _listed(rows: list[Row]) -> str:
    return "; ".join(f"{row.geometry} ({points(row.difference)} points)" for row in rows)
