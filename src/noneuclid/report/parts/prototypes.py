"""Models of prototypes that are rows or curves, and what they get wrong."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.metrics import confusion_matrix
from sklearn.preprocessing import StandardScaler

from noneuclid.datasets import Dataset
from noneuclid.prototypes import GMLVQ
from noneuclid.report._numbers import number, percent
from noneuclid.report.blocks import Block, Columns, Facts, Figure, Table
from noneuclid.report.classification import Classified
from noneuclid.report.figures import bars
from noneuclid.report.parts.base import Part, Study
from noneuclid.typing import Array, IntArray

_SHOWN_FEATURES = 15
_SHOWN_VALUES = 3  # more do not fit beside the names
_SHOWN_ERRORS = 15
_SHOWN_CLASSES = 12


def feature_names(data: Dataset) -> list[str]:
    """Names of the columns, numbered where they have none."""
    return data.features or [f"feature {j + 1}" for j in range(data.X.shape[1])]


def prototype_rows(
    names: list[str], nearest: IntArray, typical: list[list[int]], labels: Sequence[str] = ()
) -> list[list[str]]:
    """Number, class if there are any, objects won, and typical objects of every prototype."""
    return [
        [
            str(j + 1),
            *labels[j : j + 1],
            str((nearest == j).sum()),
            ", ".join(names[i] for i in own),
        ]
        for j, own in enumerate(typical)
    ]


def prototype_table(data: Dataset, found: Classified, *, values: bool) -> Table:
    """Prototypes with their typical objects, and their values for a few features."""
    names = data.features or [str(j + 1) for j in range(data.X.shape[1])]
    shown = names[:_SHOWN_VALUES] if values else []
    more = f" The first {len(shown)} features are shown." if len(names) > _SHOWN_VALUES else ""
    rows = prototype_rows(data.names, found.nearest, found.typical, found.labels)
    return Table(
        "Prototypes and their objects",
        ["prototype", "class", f"{data.noun} won", "typical", *shown],
        [[*row, *map(number, w[: len(shown)])] for row, w in zip(rows, found.prototypes)],
        f"Typical are the {data.noun} of the class that are nearest to the prototype; each of "
        f"the {data.noun} is won by the prototype it is nearest to."
        + (f" Values are in the units of the data.{more}" if values else ""),
        "A new object gets the class of the prototype it is nearest to.",
        numeric=(2, *range(4, 4 + len(shown))),
        prototypes=True,
    )


def typical_columns(data: Dataset, typical: list[list[int]], labels: Sequence[str] = ()) -> Columns:
    """The typical objects of all prototypes, nearest first, one per row."""
    pairs = [(j, k, i) for j, own in enumerate(typical) for k, i in enumerate(own)]
    classes = {"class": [labels[j] for j, _, _ in pairs]} if len(labels) else {}
    return {
        "prototype": [j + 1 for j, _, _ in pairs],
        **classes,
        "rank": [k + 1 for _, k, _ in pairs],
        "object": [data.names[i] for _, _, i in pairs],
    }


def model_records(data: Dataset, found: Classified) -> dict[str, Columns]:
    """What models that have not seen an object say of it, and objects typical of its prototypes."""
    predictions = {
        "object": data.names,
        "class": found.y,
        "predicted": found.predicted,
        "recognised": found.y == found.predicted,
        "nearest prototype": found.nearest + 1,
    }
    typical = typical_columns(data, found.typical, found.labels)
    return {"predictions": predictions, "typical objects": typical}


def error_tables(data: Dataset, predicted: Array) -> list[Table]:
    """Confusion of classes, and the objects that were not recognised."""
    y = np.asarray(data.labels)
    classes = np.unique(y)
    wrong = np.flatnonzero(y != predicted)
    names, counts = [str(c) for c in classes], confusion_matrix(y, predicted, labels=classes)
    more = "" if len(wrong) <= _SHOWN_ERRORS else f" (the first {_SHOWN_ERRORS} are shown)"
    confusion = Table(
        "True and predicted classes",
        ["true \\ predicted", *names],
        [[name, *map(str, row)] for name, row in zip(names, counts)],
        "Every object is predicted once, by a model with the chosen parameters that was fitted "
        "without the fold it belongs to (first repetition of the outer folds).",
        f"{len(y) - len(wrong)} of {len(y)} objects are on the diagonal.",
        numeric=tuple(range(1, len(classes) + 1)),
    )
    errors = Table(
        "Objects that were not recognised",
        ["object", "class", "predicted"],
        [[data.names[i], str(y[i]), str(predicted[i])] for i in wrong[:_SHOWN_ERRORS]],
        "The same predictions as in the table above.",
        f"{len(wrong)} objects{more}: worth a look, their class may be wrong or they may lie "
        "between classes.",
    )
    shown = [confusion] if len(classes) <= _SHOWN_CLASSES else []
    return [*shown, errors] if len(wrong) else shown


@dataclass(eq=False)
class RowModel(Part):
    """The best model of prototypes that are rows, and which features count."""

    study: Study
    found: Classified
    title = "The model, its prototypes and relevances"

    def __post_init__(self) -> None:
        self.model = self.found.model

    def code(self) -> list[str]:
        return ["print(best[-1].prototypes_)"]

    def records(self) -> dict[str, Columns]:
        return model_records(self.study.data, self.found)

    def blocks(self) -> list[Block]:
        data, found = self.study.data, self.found
        chosen = "Chosen by cross-validation on all rows, then refitted."
        facts = Facts.of(
            ("Model", found.name, "The best of the models of prototypes."),
            ("Prototypes", str(len(found.labels)), chosen),
        )
        table = prototype_table(data, found, values=True)
        return [facts, table, self._relevances(), *error_tables(data, found.predicted)]

    def _relevances(self) -> Figure:
        """GMLVQ's relevances; of the best model if it is one, otherwise of one fitted for this."""
        data, learner = self.study.data, self.found.learner
        if not isinstance(learner, GMLVQ):
            Z = StandardScaler().fit_transform(data.X)
            learner = GMLVQ(random_state=self.study.seed).fit(Z, self.found.y)
        names = feature_names(data)
        shares = learner.relevance_
        order = np.argsort(-shares, kind="stable")[:_SHOWN_FEATURES]
        half = int(np.searchsorted(np.cumsum(np.sort(shares)[::-1]), 0.5)) + 1
        return bars(
            [names[j] for j in order],
            shares[order],
            title="Relevance of the features",
            xlabel="share in the learned metric",
            reading=f"Most important: {names[order[0]]} ({percent(shares[order[0]])}); "
            f"{half} feature{'s' * (half != 1)} hold{'s' * (half == 1)} half of the metric.",
            how="Diagonal of Ω'Ω over its trace, Ω the matrix GMLVQ learns together with its "
            f"prototypes on standardised features; the {len(order)} largest of {len(names)}.",
        )
