"""The model of objects with proximities, its exemplars, and sparser versions of it."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from noneuclid.datasets import Dataset
from noneuclid.displays.scaling import scale_matrix
from noneuclid.displays.style import SPARSE_METHODS
from noneuclid.prototypes import Exemplars, exemplars, n_exemplars
from noneuclid.report._numbers import Shown, capital, number, percent, plus_minus
from noneuclid.report.blocks import Block, Columns, Facts, Figure, Table
from noneuclid.report.classification import Classified, SparseVersions
from noneuclid.report.figures import Series, lines
from noneuclid.report.figures.svg import limits
from noneuclid.report.matrices import Matrix
from noneuclid.report.parts.base import Part
from noneuclid.report.parts.pictures import embedding_picture
from noneuclid.report.parts.prototypes import error_tables, model_records, prototype_rows
from noneuclid.typing import Array

_SHOWN = 5


@dataclass(eq=False)
class ExemplarModel(Part):
    """The best model of prototypes over proximities."""

    data: Dataset
    matrix: Matrix
    found: Classified
    title = "The model and its prototypes"

    def __post_init__(self) -> None:
        self.model = self.matrix.portable(self.found.model, self.data)

    @cached_property
    def lead(self) -> str:
        parts = number(n_exemplars(self.found.learner))
        many = len(self.found.labels)
        name = capital(self.found.name)
        return f"{name} with {many} prototypes; on average {parts} objects make one."

    def code(self) -> list[str]:
        return [
            "for prototype in exemplars(best, 3, names=data.names):",
            "    print(prototype.label, prototype.objects)",
        ]

    def records(self) -> dict[str, Columns]:
        return model_records(self.data, self.found)

    def blocks(self) -> list[Block]:
        found, G = self.found, self.found.learner.coefficients_
        scaling = scale_matrix(self.matrix.S, G)
        picture = embedding_picture(self.data, scaling, found.drawn(scaling.prototypes, G))
        return [self._facts(), picture, self._table(), *error_tables(self.data, found.predicted)]

    def _facts(self) -> Facts:
        found, losses = self.found, self.found.learner.loss_curve_
        chosen = "By cross-validation on all objects, then refitted."
        accuracy = "Mean ± standard deviation over the test sets of the comparison above."
        fell = (
            "Passes over all objects until the mean cost no longer fell; it went from "
            f"{number(losses[0])} to {number(min(losses))}."
        )
        return Facts.of(
            ("Model", found.name, "The best of the models of prototypes above."),
            ("Chosen", chosen_words(found.parameters), chosen),
            ("Accuracy", str(found.score), accuracy),
            ("Epochs", str(found.learner.n_iter_), fell),
        )

    def _table(self) -> Table:
        found, names = self.found, self.data.names
        made = map(_made_of, found.learner.coefficients_, exemplars(found.learner, _SHOWN, names))
        rows = prototype_rows(names, found.nearest, found.typical, found.labels)
        return Table(
            "The prototypes and their objects",
            ["prototype", "class", "objects won", "typical", "made of"],
            [[*row, words] for row, words in zip(rows, made)],
            "Typical are the objects of the class that are nearest to the prototype. The prototype "
            "itself is a combination Σ γ_l ξ_l of objects, its exemplars; shown are the largest "
            "|γ_l| as shares of their sum. An object is won by the prototype it is nearest to.",
            "A new object gets the class of the prototype it is nearest to, so the typical objects "
            "are the reasons for every decision.",
            numeric=(2,),
            prototypes=True,
        )


def _made_of(gamma: Array, one: Exemplars) -> str:
    """The largest parts of a prototype, or that there are none."""
    total, count = np.abs(gamma).sum() or 1.0, int(np.count_nonzero(gamma))
    if count > 2 * _SHOWN and np.abs(gamma).max() / total < 2 / count:
        return f"{count} objects in nearly equal parts"
    shares = [percent(abs(c) / total, 0) for c in one.coefficients]
    return ", ".join(f"{name} ({share})" for name, share in zip(one.objects, shares))


def chosen_words(parameters: dict[str, Any]) -> str:
    """Chosen parameters in words.

    Examples
    --------
    >>> chosen_words({"n_prototypes": 3, "correction": None})
    '3 prototypes per class, no correction'
    """
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


@dataclass(eq=False)
class Sparsity(Part):
    """Sparse versions and the accuracy they cost."""

    found: SparseVersions
    title = "How few exemplars will do?"

    @cached_property
    def sentence(self) -> str:
        full, best = self.found.full, self.found.recommended
        cost = 100 * (full.accuracy - best.accuracy)
        words = f"costs {cost:.1f} points of accuracy" if cost > 0.05 else "costs no accuracy"
        few = number(best.n_exemplars)
        return (
            f"Prototypes of {few} object{'' if few == '1' else 's'} "
            f"({SPARSE_METHODS[best.method]}) instead of {number(full.n_exemplars)}: that {words}."
        )

    @cached_property
    def how(self) -> str:
        """How the versions were made and measured."""
        left_out = "".join(
            f" Left out: {SPARSE_METHODS[method]} ({reason})."
            for method, reason in self.found.skipped.items()
        )
        return (
            "On every training set of the first repetition the model is fitted with the chosen "
            "parameters, its prototypes are replaced by combinations of few objects "
            "(noneuclid.sparsify), and accuracy is measured on the test set; means over the test "
            f"sets.{left_out}"
        )

    def blocks(self) -> list[Block]:
        return [self._figure(), self._table()]

    def _figure(self) -> Figure:
        full, points = self.found.full, self.found.points
        series = []
        for method, name in SPARSE_METHODS.items():
            own = [(p.n_exemplars, 100 * p.accuracy) for p in points if p.method == method]
            if own and method != "full":
                x, y = np.transpose(sorted(own, key=lambda pair: pair[0]))
                series.append(Series(name, y, x, marks=True))
        level = np.full(2, 100 * full.accuracy)
        across = np.array([min(p.n_exemplars for p in points), full.n_exemplars])
        series.append(Series("full model", level, across, dash="6 4", colour="#333333", width=1.6))
        low, high = limits(*(one.y for one in series))
        return lines(
            np.array([1.0, full.n_exemplars]),
            series,
            title="Accuracy of sparse versions",
            axes=("objects per prototype (logarithmic)", "accuracy (%)"),
            reading=self.sentence,
            how=self.how,
            log=True,
            ylim=(low, min(high, 101.5)),
        )

    def _table(self) -> Table:
        rows = []
        for p in sorted(self.found.points, key=lambda p: (-p.n_exemplars, -p.accuracy)):
            points = 100 * (p.accuracy - self.found.full.accuracy)
            gap = Shown(f"{points:+.1f}".replace("-", "−"), points)
            name, size = SPARSE_METHODS[p.method], number(p.n_exemplars)
            rows.append([name, size, plus_minus(p.accuracy, p.sd), gap])
        columns = ["method", "objects per prototype", "accuracy", "to the full model (points)"]
        title = "All sparse versions"
        return Table(title, columns, rows, self.how, numeric=(1, 2, 3), strong=(0,))
