"""Numbers as targets: which model predicts best, how well, and by which prototypes."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from sklearn.pipeline import Pipeline

from noneuclid.report._numbers import Shown, capital, number, percent
from noneuclid.report.blocks import Block, Columns, Facts, Figure, Table
from noneuclid.report.figures import agreement, intervals
from noneuclid.report.numbers import SCORING, Regressed
from noneuclid.report.parts.base import Part, Study
from noneuclid.report.parts.prototypes import typical_columns
from noneuclid.report.program import expression
from noneuclid.typing import Array

_SHOWN = 15
_TYPICAL = 4


@dataclass(eq=False)
class NumberComparison(Part):
    """Errors of all models on the same test sets."""

    study: Study
    found: Regressed
    title = "Which model predicts best?"

    @cached_property
    def sentence(self) -> str:
        own, other = self.found.best, self.found.best_baseline
        gap, _ = self.found.difference(own, other)
        words = f"{number(abs(gap))} {'more' if gap > 0 else 'less'} than"
        if not self.found.is_clear(own, other):  # too few test sets to tell, or really none
            words = f"not clearly {'worse' if gap > 0 else 'better'} than"
        if number(own.mean) == number(other.mean):
            words = "as well as"
        mean = next(s for s in self.found.scores if s.candidate.name == "the mean")
        share = percent(float(own.r2.mean()))
        return (
            f"{capital(own.candidate.name)} predicts with an error of {own} (R² {share}), {words} "
            f"the best baseline ({other.candidate.name}, {number(other.mean)}); always "
            f"predicting the mean gives {number(mean.mean)}."
        )

    def results(self) -> list[tuple[str, str]]:
        return [(score.candidate.name, str(score)) for score in self.found.ranked]

    def code(self) -> list[str]:
        found, settings = self.found, self.study.settings
        best, seed = found.best.candidate, settings.random_state
        folds = len(found.splits) // settings.repeats
        inner = f"KFold({found.inner_folds}, shuffle=True, random_state={seed})"
        outer = (
            f"RepeatedKFold(n_splits={folds}, n_repeats={settings.repeats}, random_state={seed})"
        )
        printed = 'print(f"RMSE {scores.mean():.4g} ± {scores.std():.2g}")'
        model = [
            "",
            f"model = {best.code or expression(best.estimator)}",
            f"choices = {best.grid!r}",
        ]
        if found.groups is not None:
            return [*model, *_grouped(found, settings.repeats, seed, folds, printed)]
        return [
            *model,
            f'search = GridSearchCV(model, choices, cv={inner}, scoring="{SCORING}")',
            f"outer = {outer}",
            f'scores = -cross_val_score(search, X, data.target, cv=outer, scoring="{SCORING}")',
            printed,
            "best = search.fit(X, data.target).best_estimator_",
        ]

    def blocks(self) -> list[Block]:
        return [self._figure(), self._table()]

    def _figure(self) -> Figure:
        found, ranked = self.found, self.found.ranked
        n, repeats = len(found.splits), self.study.settings.repeats
        together = "; objects that belong together are never divided" * (found.groups is not None)
        return intervals(
            [score.candidate.name for score in ranked],
            [score.errors for score in ranked],
            strong=[score.candidate.interpretable for score in ranked],
            xlabel="root mean squared error on objects not seen",
            scale=1.0,
            highest=np.inf,
            title="Errors of all models on the same test sets",
            reading=f"{capital(ranked[0].candidate.name)} is best with an error of {ranked[0]}.",
            how=f"Nested cross-validation: {n // repeats} folds, {repeats} times ({n} test sets, "
            f"the same for all models{together}); parameters are chosen by {found.inner_folds} "
            "inner folds of the training objects alone. Dots are test sets, the large dot is their "
            "mean, the bar one standard deviation. Further left is better.",
        )

    def _table(self) -> Table:
        best, *_ = self.found.ranked
        rows = []
        for score in self.found.ranked:
            gap, error = self.found.difference(score, best)
            what = "prototypes" if score.candidate.interpretable else "baseline"
            words = f"{number(gap)} ± {number(error)}"
            far = "–" if score is best else Shown(words, gap, error)
            seen, r2 = f"{score.n_seen:,}", percent(score.r2.mean())
            rows.append([score.candidate.name, what, str(score), r2, far, seen])
        return Table(
            "All models",
            ["model", "what it is", "error (RMSE)", "R²", "to the best", "learned from"],
            rows,
            "Error: root mean squared error, mean ± standard deviation over the test sets. R²: "
            "share of the variance that is explained, mean over the test sets. To the best: mean "
            "difference on the same test sets ± its standard error, corrected for overlapping "
            "training sets (Nadeau and Bengio, 2003). Learned from: objects of a training set that "
            "the model learned from; kernel ridge gets a random sample of many.",
            numeric=(2, 3, 4, 5),
            strong=(0,),
        )


def _grouped(found: Regressed, repeats: int, seed: int, folds: int, printed: str) -> list[str]:
    scoring = f'scoring="{SCORING}"'
    return [
        "import numpy as np",
        "y, groups = data.target, data.groups",
        "def searched(rows):",
        f"    n = min({found.inner_folds}, len(np.unique(groups[rows])))",
        f"    inner = GroupKFold(n, shuffle=True, random_state={seed})",
        "    inner = list(inner.split(rows, groups=groups[rows]))",
        f"    return GridSearchCV(model, choices, cv=inner, {scoring})",
        "scores = []",
        f"for seed in range({seed}, {seed + repeats}):",
        f"    outer = GroupKFold({folds}, shuffle=True, random_state=seed)",
        "    for train, test in outer.split(y, groups=groups):",
        "        split = [(train, test)]",
        f"        scores += list(-cross_val_score(searched(train), X, y, cv=split, {scoring}))",
        "scores = np.array(scores)",
        printed,
        "best = searched(np.arange(len(y))).fit(X, y).best_estimator_",
    ]


@dataclass(eq=False)
class NumberModel(Part):
    """Predicted against true numbers, prototypes, and the worst predictions."""

    study: Study
    found: Regressed
    title = "How well are numbers predicted?"

    def __post_init__(self) -> None:
        self.model = self.found.model
        self.model.half_width_ = self.found.half_width
        self.model.nearest_ = self.found.nearest

    @cached_property
    def lead(self) -> str:
        half = number(self.found.half_width)
        return f"Nine of ten predictions are within {half} of the true number."

    def blocks(self) -> list[Block]:
        found = self.found
        learner = found.model[-1] if isinstance(found.model, Pipeline) else found.model
        facts = Facts.of(
            ("Model", found.best.candidate.name, "The best of the models of prototypes."),
            ("Prototypes", str(len(learner.values_)), "Chosen by cross-validation on all objects."),
            (
                "Interval of 90 %",
                f"± {number(found.half_width)}",
                "The ⌈0.9 (n + 1)⌉-th smallest error of predictions by models that have not seen "
                "the object.",
            ),
        )
        return [facts, self._agreement(), self._prototypes(learner), self._worst()]

    def _agreement(self) -> Figure:
        found, data = self.found, self.study.data
        missed = np.abs(found.y - found.predicted) > found.half_width
        return agreement(
            found.y,
            found.predicted,
            data.names,
            half_width=found.half_width,
            outside=missed.tolist(),
            unit=data.target_name or "number",
            title=f"Predicted and true {self.what}",
            reading=f"{len(found.y) - int(missed.sum())} of {len(found.y)} objects are inside of "
            "their intervals.",
            how="Every object is predicted once, by a model with the chosen parameters that was "
            "fitted without the fold it belongs to (first repetition of the outer folds).",
        )

    @property
    def what(self) -> str:
        """What is predicted."""
        return self.study.data.target_name or "numbers"

    @cached_property
    def typical(self) -> list[list[int]]:
        """The objects nearest to every prototype."""
        order = np.argsort(self.distances, axis=0, kind="stable")
        return order[:_TYPICAL].T.tolist()

    def records(self) -> dict[str, Columns]:
        data, found = self.study.data, self.found
        name = data.target_name or "true"
        predictions = {
            "object": data.names,
            name: found.y,
            "predicted": found.predicted,
            "lower": found.predicted - found.half_width,
            "upper": found.predicted + found.half_width,
        }
        return {"predictions": predictions, "typical objects": typical_columns(data, self.typical)}

    def _prototypes(self, learner: object) -> Table:
        nearest = self.distances.argmin(axis=1)
        rows = []
        for j, value in enumerate(learner.values_):  # type: ignore[attr-defined]
            names = ", ".join(self.study.data.names[i] for i in self.typical[j])
            rows.append([str(j + 1), number(value), str((nearest == j).sum()), names])
        return Table(
            "Prototypes and what they say",
            ["prototype", self.study.data.target_name or "number", "objects won", "typical"],
            rows,
            "A new object gets the mean of these numbers, weighted by how near it is to the "
            "prototypes; they may lie beyond the numbers of the data, as they count together. "
            "Typical are the objects nearest to a prototype.",
            numeric=(1, 2),
        )

    @cached_property
    def distances(self) -> Array:
        """Of all objects to all prototypes."""
        model, X = self.found.model, self.found.best.candidate.X
        if getattr(model, "proximity", "") == "similarity":
            return np.asarray(model.transform(X, self_similarity=model.relation_.diagonal))
        return np.asarray(model.transform(X))

    def _worst(self) -> Table:
        found, data = self.found, self.study.data
        gaps = found.predicted - found.y
        worst = np.argsort(-np.abs(gaps), kind="stable")[:_SHOWN]
        return Table(
            "Worst predictions",
            ["object", "true", "predicted", "difference"],
            [
                [data.names[i], number(found.y[i]), number(found.predicted[i]), number(gaps[i])]
                for i in worst
            ],
            "The same predictions as in the figure above, largest differences first.",
            "Worth a look: the measurement or the number may be wrong.",
            numeric=(1, 2, 3),
        )
