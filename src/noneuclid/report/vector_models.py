"""Models of prototypes for rows: how the best one was found, and what it says."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import Pipeline

from noneuclid.datasets import Dataset
from noneuclid.report._numbers import number
from noneuclid.report.blocks import Table
from noneuclid.report.classification import typical_objects
from noneuclid.report.comparison import Candidate, Comparison, Score, Settings, compare, search
from noneuclid.report.figures import Prototypes
from noneuclid.typing import Array, IntArray


@dataclass(frozen=True)
class VectorModel:
    """The best model of prototypes, fitted on all rows."""

    comparison: Comparison
    score: Score
    model: Any
    parameters: dict[str, Any]
    predicted: Array
    """Class of every row, predicted by models that have not seen it."""
    prototypes: Array
    """In the units of the data."""
    labels: list[str]
    nearest: IntArray
    distances: Array
    typical: list[list[int]]
    """The rows of its own class nearest to every prototype."""

    @property
    def learner(self) -> Any:
        """The model without the scaling before it."""
        return self.model[-1] if isinstance(self.model, Pipeline) else self.model

    def drawn(self, transform: Callable[[Array], Array]) -> Prototypes:
        """The prototypes in the plane a transform gives."""
        return Prototypes(
            transform(self.prototypes)[:, :2],
            self.labels,
            None,
            self.nearest,
            self.distances,
            self.typical,
        )


def classify_rows(
    data: Dataset,
    candidates: Sequence[Candidate],
    settings: Settings,
    advance: Callable[[str], None],
) -> VectorModel:
    """Compare models by nested cross-validation and refit the best one of prototypes."""
    y = np.asarray(data.labels)
    comparison = compare(candidates, y, settings, advance)
    score = comparison.best_interpretable
    chosen = search(score.candidate, comparison.inner).fit(data.X, y)
    advance("best model")
    model = chosen.best_estimator_
    first = comparison.splits[: len(comparison.splits) // settings.repeats]
    predicted = cross_val_predict(clone(model), data.X, y, cv=first)
    advance("best model")
    D = model.transform(data.X)
    learner = model[-1] if isinstance(model, Pipeline) else model
    prototypes = learner.prototypes_
    if isinstance(model, Pipeline):
        prototypes = model[:-1].inverse_transform(prototypes)
    nearest = D.argmin(axis=1)
    return VectorModel(
        comparison,
        score,
        model,
        chosen.best_params_,
        predicted,
        prototypes,
        [str(label) for label in learner.prototype_labels_],
        nearest,
        D[np.arange(len(D)), nearest],
        typical_objects(D, learner.prototype_labels_, y),
    )


def prototype_table(data: Dataset, found: VectorModel, *, values: bool) -> Table:
    """Prototypes with their exemplars, and their values for a few features."""
    names = data.features or [str(j + 1) for j in range(data.X.shape[1])]
    shown = range(min(len(names), 8)) if values else range(0)
    rows = [
        [
            str(j + 1),
            label,
            str(int((found.nearest == j).sum())),
            ", ".join(data.names[i] for i in found.typical[j]),
            *[number(found.prototypes[j, k]) for k in shown],
        ]
        for j, label in enumerate(found.labels)
    ]
    more = f" The first {len(shown)} features are shown." if values and len(names) > 8 else ""
    return Table(
        "Prototypes and their exemplars",
        ["prototype", "class", f"{data.noun} won", "exemplars", *[names[k] for k in shown]],
        rows,
        f"Exemplars are the {data.noun} of the class that are nearest to the prototype; each of "
        "the "
        f"{data.noun} is won by the prototype it is nearest to."
        + (f" Values are in the units of the data.{more}" if values else ""),
        "A new object gets the class of the prototype it is nearest to.",
        numeric=(2, *range(4, 4 + len(shown))),
        prototypes=True,
    )
