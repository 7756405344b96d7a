"""Which model classifies best."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from noneuclid.report._numbers import capital, percent
from noneuclid.report.blocks import Block, Figure, Table
from noneuclid.report.comparison import Comparison, Settings
from noneuclid.report.figures import intervals
from noneuclid.report.parts.base import Part
from noneuclid.report.program import expression


@dataclass(eq=False)
class ModelComparison(Part):
    """Accuracies of all models on the same test sets."""

    found: Comparison
    settings: Settings
    title = "Which model classifies best?"

    @cached_property
    def sentence(self) -> str:
        own, other = self.found.best_interpretable, self.found.best_baseline
        gap, error = self.found.difference(own, other)
        words = f"{100 * abs(gap):.1f} points {'more' if gap > 0 else 'less'} than"
        if abs(gap) < 2 * error or abs(gap) < 0.001:
            words = "as well as"
        return (
            f"{capital(own.candidate.name)} recognises {own} of the objects it has not seen, "
            f"{words} the best baseline ({other.candidate.name}, {percent(other.mean)})."
        )

    def results(self) -> list[tuple[str, str]]:
        return [(score.candidate.name, str(score)) for score in self.found.ranked]

    def code(self) -> list[str]:
        found, settings = self.found, self.settings
        best = found.best_interpretable.candidate
        seed = f"random_state={settings.random_state}"
        folds = len(found.splits) // settings.repeats
        return [
            "",
            f"model = {best.code or expression(best.estimator)}",
            f"choices = {best.grid!r}",
            f"inner = StratifiedKFold({found.inner.n_splits}, shuffle=True, {seed})",
            f"outer = RepeatedStratifiedKFold(n_splits={folds}, n_repeats={settings.repeats}, "
            f"{seed})",
            "search = GridSearchCV(model, choices, cv=inner)",
            "scores = cross_val_score(search, X, data.labels, cv=outer)",
            'print(f"accuracy {100 * scores.mean():.1f} ± {100 * scores.std():.1f} %")',
            "",
            "best = search.fit(X, data.labels).best_estimator_",
        ]

    def blocks(self) -> list[Block]:
        return [self._figure(), self._table()]

    def _figure(self) -> Figure:
        found, ranked = self.found, self.found.ranked
        n, repeats = len(found.splits), self.settings.repeats
        close = ranked[-1].mean - found.majority < 0.25
        return intervals(
            [score.candidate.name for score in ranked],
            [score.accuracies for score in ranked],
            strong=[score.candidate.interpretable for score in ranked],
            title="Accuracy of all models on the same test sets",
            reading=f"{capital(ranked[0].candidate.name)} is best with {ranked[0]}; always "
            f"guessing the largest class gives {percent(found.majority)}.",
            how=f"Nested cross-validation: {n // repeats} stratified folds, {repeats} times ({n} "
            "test sets, the same for all models); parameters are chosen by "
            f"{found.inner.n_splits} inner folds of the training objects alone. Dots are test "
            "sets, the large dot is their mean, the bar one standard deviation.",
            reference=(found.majority, "largest class") if close else None,
        )

    def _table(self) -> Table:
        best, *_ = self.found.ranked
        rows = []
        for score in self.found.ranked:
            gap, error = self.found.difference(score, best)
            to_best = f"{100 * gap:.1f} ± {100 * error:.1f}".replace("-", "−")
            one = score.candidate
            what = "prototypes" if one.interpretable else "baseline"
            far = "–" if score is best else to_best
            rows.append([one.name, what, str(score), far, _choices(one.grid)])
        return Table(
            "All models",
            ["model", "what it is", "accuracy", "to the best (points)", "chosen from"],
            rows,
            "Accuracy: mean ± standard deviation over the test sets. To the best: mean difference "
            "on the same test sets ± its standard error, corrected for overlapping training sets "
            "(Nadeau and Bengio, 2003). Differences below two standard errors may be chance.",
            numeric=(2, 3),
            strong=(0,),
        )


def _choices(grid: dict[str, list[Any]]) -> str:
    def word(value: Any) -> str:
        return "none" if value is None else f"{value:g}" if isinstance(value, float) else str(value)

    return "; ".join(f"{name.split('__')[-1]}: {', '.join(map(word, grid[name]))}" for name in grid)
