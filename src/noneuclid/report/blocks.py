"""What a report consists of: plain values, no drawing and no markup decisions."""

from dataclasses import dataclass, field
from typing import Any, ClassVar, TypedDict


@dataclass(frozen=True)
class Fact:
    """One number or word, what it is, and how it was computed."""

    name: str
    value: str
    how: str


@dataclass(frozen=True)
class Facts:
    """Several facts side by side."""

    facts: list[Fact]
    type: ClassVar[str] = "facts"

    @classmethod
    def of(cls, *facts: tuple[str, str, str]) -> "Facts":
        """Facts of their names, values, and how they were computed.

        Parameters
        ----------
        *facts : (str, str, str)
            Name, value, and how it was computed.

        Returns
        -------
        Facts
            In their order.
        """
        return cls([Fact(*one) for one in facts])


@dataclass(frozen=True)
class Prose:
    """A paragraph."""

    text: str
    type: ClassVar[str] = "prose"


@dataclass(frozen=True)
class Table:
    """Rows of text; numbers are aligned to the right."""

    title: str
    columns: list[str]
    rows: list[list[str]]
    how: str
    reading: str = ""
    numeric: tuple[int, ...] = ()
    """Columns that hold numbers."""
    strong: tuple[int, ...] = ()
    """Rows that stand out."""
    prototypes: bool = False
    """Whether row k belongs to prototype k, and is linked to the figure of the objects."""
    type: ClassVar[str] = "table"


@dataclass(frozen=True)
class Figure:
    """A drawing with its title, what one reads from it, and how it was made."""

    title: str
    svg: str
    reading: str
    how: str
    legend: list[tuple[str, str]] = field(default_factory=list)
    """Marks (as SVG) and their names."""
    data: dict[str, Any] | None = None
    """What a person sees when pointing at a mark."""
    hint: str = ""
    type: ClassVar[str] = "figure"


class Words(TypedDict):
    """What every figure says, whoever draws it."""

    title: str
    reading: str
    how: str


Block = Facts | Prose | Table | Figure


@dataclass(frozen=True)
class Section:
    """A question and its answer."""

    title: str
    blocks: list[Block]
    lead: str = ""


@dataclass(frozen=True)
class Analysis:
    """One dataset, analysed."""

    title: str
    understood: str
    findings: list[str]
    sections: list[Section]
    code: str
    results: list[tuple[str, str]] = field(default_factory=list)
    """The main results as name and value, for the terminal."""
    model: Any = None
    """The interpretable model, fitted on all objects; None without one."""
    notes: list[str] = field(default_factory=list)
