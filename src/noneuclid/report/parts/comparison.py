"""Which model classifies best."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from noneuclid.report._numbers import capital, difference, percent
from noneuclid.report.blocks import Block, Figure, Table
from noneuclid.report.candidates import LARGEST
from noneuclid.report.comparison import Comparison, Score, Settings
from noneuclid.report.figures import intervals
from noneuclid.report.parts.base import Part
from noneuclid.search import SampledFolds

# A class of which less is recognised is named at the top.
_MISSED = 0.5
_TOGETHER = "; objects that belong together are never divided"
_BALANCED = "the balanced accuracy is the mean of the shares recognised of every class; "
_PRINTED = 'print(f"{} {{100 * scores.mean():.1f}} ± {{100 * scores.std():.1f}} %")'


@dataclass(eq=False)
class ModelComparison(Part):
    """Accuracies of all models on the same test sets."""

    found: Comparison
    settings: Settings
    recalls: dict[Any, float] = field(default_factory=dict)
    """Share of every class that the best model of prototypes recognises."""
    preparation: str = ""
    """What is done to the data before any model sees them, in a sentence."""
    title = "Which model classifies best?"

    @cached_property
    def sentence(self) -> str:
        own, other = self.found.best_interpretable, self.found.best_baseline
        gap, _ = self.found.difference(own, other)
        words = f"{100 * abs(gap):.1f} points {'more' if gap > 0 else 'less'} than"
        if not self.found.is_clear(own, other):  # too few test sets to tell, or really none
            words = f"not clearly {'better' if gap > 0 else 'worse'} than"
        if abs(gap) < 0.001:
            words = "as well as"
        what = "the objects it has not seen"
        if self.found.scoring != "accuracy":
            what = "a class on average, of objects it has not seen"
        weakest = min(self.recalls, key=self.recalls.__getitem__, default=None)
        missed = ""
        if weakest is not None and self.recalls[weakest] < _MISSED:
            missed = f" Of class {weakest} it recognises {percent(self.recalls[weakest])} only."
        return (
            f"{capital(own.candidate.name)} recognises {own} of {what}, "
            f"{words} the best baseline ({other.candidate.name}, {percent(other.mean)}).{missed}"
        )

    def results(self) -> list[tuple[str, str]]:
        return [(score.candidate.name, str(score)) for score in self.found.ranked]

    def code(self) -> list[str]:
        found, settings, best = self.found, self.settings, self.found.best_interpretable.candidate
        seed, repeats = settings.random_state, settings.repeats
        folds = len(found.splits) // repeats
        scoring = f', scoring="{found.scoring}"' * (found.scoring != "accuracy")
        inner = f"{type(found.inner).__name__}({found.inner.n_splits}, shuffle=True"
        if isinstance(found.inner, SampledFolds):
            inner = f"SampledFolds({found.inner.n_splits}, {found.inner.n_samples}"
        inner = f"{inner}, random_state={seed})"
        if found.groups is None:
            lines = [
                "",
                "y = data.labels",
                f"outer = RepeatedStratifiedKFold(n_splits={folds}, n_repeats={repeats}, "
                f"random_state={seed})",
                "outer = list(outer.split(y, y))",
                *best.program(inner, scoring),
            ]
        else:
            lines = [
                "",
                "import numpy as np",
                "y, groups = data.labels, data.groups",
                "outer = [",
                f"    split for seed in range({seed}, {seed + repeats})",
                f"    for split in StratifiedGroupKFold({folds}, shuffle=True, random_state=seed)"
                ".split(y, y, groups)",
                "]",
                *best.grouped_program(inner, scoring),
            ]
        return [*lines, _PRINTED.format(found.measure)]

    def blocks(self) -> list[Block]:
        shown = self.recalls and self.found.scoring != "accuracy"
        return [self._figure(), self._table(), *([self._classes()] if shown else [])]

    def _classes(self) -> Table:
        return Table(
            "Class by class",
            ["class", "recognised"],
            [[str(label), percent(share)] for label, share in self.recalls.items()],
            f"By {self.found.best_interpretable.candidate.name}, each object by a model that has "
            "not seen it (first repetition of the outer folds).",
            numeric=(1,),
        )

    @property
    def _inner(self) -> str:
        if isinstance(self.found.inner, SampledFolds):
            return f"a sample of {self.found.inner.n_samples:,} of the training objects"
        return "the training objects"

    def _figure(self) -> Figure:
        found = self.found
        ranked = [score for score in found.ranked if score.candidate.name != LARGEST]
        n, repeats = len(found.splits), self.settings.repeats
        close = ranked[-1].mean - found.majority < 0.25
        return intervals(
            [score.candidate.name for score in ranked],
            [score.accuracies for score in ranked],
            strong=[score.candidate.interpretable for score in ranked],
            title=f"{capital(found.measure)} of all models on the same test sets",
            reading=f"{capital(ranked[0].candidate.name)} is best with {ranked[0]}; always "
            f"guessing the largest class gives {percent(found.majority)}.",
            how=f"Nested cross-validation: {n // repeats} stratified folds, {repeats} times ({n} "
            f"test sets, the same for all models{_TOGETHER if found.groups is not None else ''}); "
            f"{_BALANCED if found.scoring != 'accuracy' else ''}parameters are chosen by "
            f"{found.inner.n_splits} inner folds of {self._inner} alone. Dots are test "
            "sets, the large dot is their mean, the bar one standard deviation.",
            reference=(found.majority, "largest class") if close else None,
        )

    def _seen(self, best: Score) -> str:
        if not best.n_seen:
            return ""
        return (
            " Learned from: objects of a training set that the model learned from; those whose "
            "work grows with the square of that number get a random sample, and are tested on all."
        )

    def _table(self) -> Table:
        best, *_ = self.found.ranked
        rows = []
        for score in self.found.ranked:
            gap, error = self.found.difference(score, best)
            to_best = difference(100 * gap, 100 * error)
            one = score.candidate
            what = "prototypes" if one.interpretable else "baseline"
            far = "–" if score is best else to_best
            seen = [f"{score.n_seen:,}"] if score.n_seen else []
            rows.append([one.name, what, str(score), far, *seen, one.chosen_from()])
        seen = ["learned from"] * bool(best.n_seen)
        return Table(
            "All models",
            [
                "model",
                "what it is",
                self.found.measure,
                "to the best (points)",
                *seen,
                "chosen from",
            ],
            rows,
            f"{capital(self.found.measure)}: mean ± standard deviation over the test sets. To the "
            "best: mean difference on the same test sets ± its standard error, corrected for "
            "overlapping training sets (Nadeau and Bengio, 2003). Differences below two standard "
            f"errors may be chance.{self._seen(best)}{self.preparation}",
            numeric=(2, 3, *([4] if best.n_seen else [])),
            strong=(0,),
        )
