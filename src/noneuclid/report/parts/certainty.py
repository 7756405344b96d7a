"""How sure predictions are, by objects that were held out."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from noneuclid.report._numbers import percent
from noneuclid.report.blocks import Block, Table
from noneuclid.report.calibration import LEVEL, Calibration, Coverage, coverage
from noneuclid.report.parts.base import Part
from noneuclid.typing import Array

_LEVELS = (0.8, 0.9, 0.95, 0.99)


@dataclass(eq=False)
class Certainty(Part):
    """Sets of likely classes at several levels, checked on held-out objects."""

    known: Calibration
    thoughts: Array = field(repr=False)
    title = "How sure are predictions?"

    def __post_init__(self) -> None:
        self.calibration = self.known

    @cached_property
    def levels(self) -> list[Coverage]:
        """The sets at the levels that there are enough objects for."""
        counts = np.bincount(self.known.index) if self.known.by_class else [len(self.known.scores)]
        enough = [level for level in _LEVELS if min(counts) * (1 - level) >= 1]
        return coverage(self.known, self.thoughts, enough or _LEVELS[:1])

    @cached_property
    def lead(self) -> str:
        usual = min(self.levels, key=lambda one: abs(one.level - LEVEL))
        return (
            f"For {percent(usual.single, 0)} of the objects one class alone is likely at the level "
            f"of {percent(usual.level, 0)}."
        )

    def blocks(self) -> list[Block]:
        own = ", each class by its own objects" * self.known.by_class
        rows = [
            [
                percent(one.level, 0),
                *map(percent, (one.right, one.single, one.empty)),
                f"{one.size:.2f}",
            ]
            for one in self.levels
        ]
        return [
            Table(
                "Likely classes of objects the model has not seen",
                ["level", "right class is likely", "one class", "no class", "classes on average"],
                rows,
                "Every object is judged by a model that was fitted without its fold, and compared "
                "with all others of them: a class is likely if the right classes of at least "
                f"one less the level of these fared as badly (conformal prediction{own}). "
                "noneuclid predict tells likely classes and certainties of new objects so.",
                "The second column should be the first, and the fewer classes are likely the "
                "better.",
                numeric=(0, 1, 2, 3, 4),
            )
        ]
