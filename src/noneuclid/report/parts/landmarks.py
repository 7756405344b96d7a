"""The model of more objects than all pairs of them are looked at."""

from dataclasses import dataclass
from functools import cached_property

from noneuclid.report._numbers import capital
from noneuclid.report.blocks import Block, Columns, Facts, Table
from noneuclid.report.classification import Classified
from noneuclid.report.parts.base import Part, Study
from noneuclid.report.parts.exemplars import chosen_words
from noneuclid.report.parts.prototypes import error_tables, model_records, prototype_rows


@dataclass(eq=False)
class LandmarkModel(Part):
    """The best model of prototypes, which learned from proximities to landmarks."""

    study: Study
    found: Classified
    title = "The model and its prototypes"

    def __post_init__(self) -> None:
        self.model = self.found.model

    @property
    def n_landmarks(self) -> int:
        """How many objects all others were compared with."""
        return len(self.found.learner.relation_.landmark_indices_)

    @cached_property
    def lead(self) -> str:
        n = len(self.study.data)
        return (
            f"{capital(self.found.name)} with {len(self.found.labels)} prototypes, learned from "
            f"the proximities of all {n:,} {self.study.data.noun} to {self.n_landmarks} landmarks."
        )

    def code(self) -> list[str]:
        return ["print(best.score(X, y))"]

    def records(self) -> dict[str, Columns]:
        return model_records(self.study.data, self.found)

    def blocks(self) -> list[Block]:
        data, found = self.study.data, self.found
        facts = Facts.of(
            ("Model", found.name, "The best of the models of prototypes above."),
            ("Chosen", chosen_words(found.parameters), "By cross-validation, then refitted."),
            (
                "Landmarks",
                str(self.n_landmarks),
                "Random objects; proximities to them give all others (Nystroem), so that the work "
                "grows with the number of objects, not with its square.",
            ),
        )
        table = Table(
            "The prototypes and their objects",
            ["prototype", "class", "objects won", "typical"],
            prototype_rows(data.names, found.nearest, found.typical, found.labels),
            "Typical are the objects of the class that are nearest to the prototype; an object "
            "is won by the prototype it is nearest to.",
            "A new object gets the class of the prototype it is nearest to.",
            numeric=(2,),
        )
        return [facts, table, *error_tables(data, found.predicted)]
