"""A model that is compared: how it is judged, fitted, and written down."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import Pipeline
from sklearn.utils.metaestimators import _safe_split

from noneuclid.report._numbers import plus_minus
from noneuclid.report.program import expression
from noneuclid.report.settings import Settings
from noneuclid.search import GeometrySearch, sampled_rows
from noneuclid.search.candidates import in_geometry
from noneuclid.typing import Array, IntArray

Splits = list[tuple[Array, Array]]
# What always guesses it: in the table of models, and a line in their figure, where it is near.
LARGEST = "the largest class"
# Objects of the first round of a race between geometries.
_FIRST_ROUND = 30
# Objects of a fit that only compiles.
_COMPILING = 30


@dataclass(frozen=True)
class Trial:
    """What all candidates are judged on."""

    y: Array
    splits: Splits
    inner: Any
    """The folds that choose parameters, inside of every training set."""
    settings: Settings
    scoring: str = "accuracy"
    groups: Array | None = None
    advance: Callable[[str], None] = lambda what: None

    def folds_of(self, rows: Any) -> Any:
        """The inner folds of some of the objects."""
        if self.groups is None:
            return self.inner
        return list(self.inner.split(rows, self.y[rows], self.groups[rows]))

    def few(self, rows: Any) -> IntArray:
        """As many of the objects as those see who take the square of their number."""
        seed, most = self.settings.random_state, self.settings.max_objects
        return np.asarray(rows)[sampled_rows(self.y[rows], most, random_state=seed)]


@dataclass(frozen=True)
class Candidate:
    """A model, the parameters to choose from, and the data in the form it takes."""

    name: str
    estimator: Any
    grid: dict[str, list[Any]]
    X: Any
    interpretable: bool = False
    code: str = ""
    """The Python expression for the estimator, where its own text does not do."""
    is_linear: bool = True
    """Whether it learns from all objects, however many; otherwise from a sample."""
    choices: str = ""
    """What parameters are chosen from, in words, where the parameters' own text does not do."""

    @property
    def searched(self) -> GeometrySearch | None:
        """The search over geometries that found it, if there was one."""
        return None

    def expanded(self) -> "list[Candidate]":
        """The same as candidates each of which is in one geometry."""
        return [self]

    def rows(self, trial: Trial, training: Any) -> Any:
        """Those of the training objects that it learns from."""
        return training if self.is_linear else trial.few(training)

    def search(self, trial: Trial, rows: Any) -> GridSearchCV:
        """The model with its parameters chosen by the inner folds of some objects."""
        model, cv = clone(self.estimator), trial.folds_of(rows)
        return GridSearchCV(model, self.grid, cv=cv, scoring=trial.scoring)

    def judged(self, trial: Trial) -> "Score":
        """Scores on the test sets of all splits."""
        found, seen = [], 0
        for training, test in trial.splits:
            rows = self.rows(trial, training)
            chosen = self.search(trial, rows)
            parts, seen = [(rows, test)], max(seen, len(rows))
            scores = cross_val_score(chosen, self.X, trial.y, cv=parts, scoring=trial.scoring)
            found.append(scores[0])
            trial.advance(self.name)
        return Score(self, np.array(found), seen)

    def pilot(self, trial: Trial) -> float:
        """About how many seconds it takes to judge: by one fit on as many objects as it sees."""
        rows = self.rows(trial, trial.splits[0][0])
        few, tries = trial.few(rows), int(np.prod([len(v) for v in self.grid.values()]))
        small = _seconds(self.estimator, self.X, trial.y, few)
        whole = small * len(rows) / len(few)
        return len(trial.splits) * (trial.inner.n_splits * tries * small + whole)

    def refitted(self, trial: Trial) -> tuple[Any, dict[str, Any]]:
        """Fitted on all objects, and the parameters that were chosen on them."""
        chosen = self.search(trial, np.arange(len(trial.y))).fit(self.X, trial.y)
        return chosen.best_estimator_, chosen.best_params_

    def program(self, inner: str, scoring: str) -> list[str]:
        """Python for its accuracies; ``outer`` is there already."""
        return [
            f"inner = {inner}",
            f"model = {self.code or expression(self.estimator)}",
            f"search = GridSearchCV(model, {self.grid!r}, cv=inner{scoring})",
            f"scores = cross_val_score(search, X, y, cv=outer{scoring})",
            "best = search.fit(X, y).best_estimator_",
        ]

    def grouped_program(self, inner: str, scoring: str) -> list[str]:
        """The same where objects belong together."""
        return [
            f"inner = {inner}",
            f"model = {self.code or expression(self.estimator)}",
            "def searched(rows):",
            "    parts = list(inner.split(rows, y[rows], groups[rows]))",
            f"    return GridSearchCV(model, {self.grid!r}, cv=parts{scoring})",
            "scores = np.array([",
            f"    cross_val_score(searched(train), X, y, cv=[(train, test)]{scoring})[0]",
            "    for train, test in outer",
            "])",
            "best = searched(np.arange(len(y))).fit(X, y).best_estimator_",
        ]

    def chosen_from(self) -> str:
        """The parameters to choose from, in words."""

        def word(value: Any) -> str:
            short = f"{value:g}" if isinstance(value, float) else str(value)
            return "none" if value is None else short

        grid = self.grid
        return self.choices or "; ".join(
            f"{n.split('__')[-1]}: {', '.join(map(word, grid[n]))}" for n in grid
        )


@dataclass(frozen=True)
class InGeometries(Candidate):
    """One learner in several geometries, of which every training set chooses one."""

    learners: dict[str, Any] = field(default_factory=dict)
    """As the search takes them: of one prototype per class, of several …"""
    geometries: dict[str, Any] = field(default_factory=dict)
    codes: dict[str, str] = field(default_factory=dict)
    """Python expressions for the geometries, where their own text does not do."""
    kind: str = "vectors"
    found: GeometrySearch | None = None
    """Fitted on all objects, once it was judged."""

    @property
    def searched(self) -> GeometrySearch | None:
        """The search over geometries that found it."""
        return self.found

    def expanded(self) -> list[Candidate]:
        """One candidate for every geometry, which chooses how many prototypes it has."""
        counts = [_last(learner).n_prototypes for learner in self.learners.values()]
        first = next(iter(self.learners.values()))
        step = f"{first.steps[-1][0]}__" if isinstance(first, Pipeline) else ""
        few = self.X[:50]
        return [
            Candidate(
                f"{self.name}, {name}",
                in_geometry(first, part, few),
                {f"{step}n_prototypes": counts},
                self.X,
                interpretable=True,
            )
            for name, part in self.geometries.items()
        ]

    def finder(self, trial: Trial) -> GeometrySearch:
        """The search that was not run yet."""
        settings = trial.settings
        large = len(trial.y) > settings.max_objects
        return GeometrySearch(
            estimators=self.learners,
            geometries=self.geometries,
            kind=self.kind,  # type: ignore[arg-type]
            cv=trial.splits,
            inner_cv=trial.inner.n_splits,
            min_samples=_FIRST_ROUND,
            max_samples=settings.max_objects if large else None,
            scoring=trial.scoring,
            random_state=settings.random_state,
        )

    def pilot(self, trial: Trial) -> float:
        """The same, of one fit in every geometry."""
        rows = trial.splits[0][0]
        few = trial.few(rows)
        cost = sum(_seconds(one.estimator, self.X, trial.y, few) for one in self.expanded()) * len(
            self.learners
        )
        whole = cost * len(rows) / len(few) / (len(self.geometries) if len(few) > 90 else 1)
        return len(trial.splits) * (trial.inner.n_splits * cost + whole)

    def judged(self, trial: Trial) -> "Score":
        """Scores of the search on the test sets; the name is that of what it found."""
        found = self.finder(trial).fit(self.X, trial.y, groups=trial.groups)
        for _ in trial.splits:
            trial.advance(self.name)
        inside = found.best_name_
        winner = replace(self, name=inside, estimator=clone(found.best_estimator_), found=found)
        return Score(winner, found.test_scores_, max(len(train) for train, _ in trial.splits))

    def refitted(self, trial: Trial) -> tuple[Any, dict[str, Any]]:
        """The winner of the search."""
        assert self.found is not None
        best = self.found.best_estimator_
        return best, {"geometry": self.found.results_["geometry"][0]}

    def chosen_from(self) -> str:
        """The geometries, in words."""
        return f"geometry: {', '.join(self.geometries)}"

    def program(self, inner: str, scoring: str) -> list[str]:
        """Python for its accuracies; ``outer`` is there already."""
        return [*self._search(scoring), "search.fit(X, y)", *_ENDED]

    def grouped_program(self, inner: str, scoring: str) -> list[str]:
        """The same where objects belong together."""
        return [*self._search(scoring), "search.fit(X, y, groups)", *_ENDED]

    def _search(self, scoring: str) -> list[str]:
        found = self.found
        assert found is not None
        most = f"max_samples={found.max_samples}, " * (found.max_samples is not None)
        learners = ", ".join(f"{n!r}: {expression(m)}" for n, m in self.learners.items())
        parts = ", ".join(
            f"{name!r}: {self.codes.get(name) or expression(part)}"
            for name, part in self.geometries.items()
        )
        return [
            f"learners = {{{learners}}}",
            f"geometries = {{{parts}}}",
            f"search = GeometrySearch(estimators=learners, geometries=geometries, cv=outer, "
            f"inner_cv={found.inner_cv}, min_samples={found.min_samples}, kind={self.kind!r}, "
            f"{most}random_state={found.random_state}{scoring})",
        ]


def _seconds(model: Any, X: Any, y: Array, rows: IntArray) -> float:
    """How long a fit takes, once everything is compiled."""
    for some in (rows[sampled_rows(y[rows], _COMPILING)], rows):
        fitted = clone(model)
        given = _safe_split(fitted, X, y, some)
        start = perf_counter()
        fitted.fit(*given)
    return perf_counter() - start


def _last(model: Any) -> Any:
    return model[-1] if isinstance(model, Pipeline) else model


_ENDED = ["scores = search.test_scores_", "best = search.best_estimator_"]


@dataclass(frozen=True)
class Score:
    """Accuracies of one candidate on the test sets of all splits."""

    candidate: Candidate
    accuracies: Array
    n_seen: int = 0
    """How many objects it learned from in the largest training set."""

    @property
    def mean(self) -> float:
        """Mean accuracy."""
        return float(self.accuracies.mean())

    @property
    def sd(self) -> float:
        """Standard deviation over the test sets."""
        return float(self.accuracies.std())

    def __str__(self) -> str:
        return plus_minus(self.mean, self.sd)
