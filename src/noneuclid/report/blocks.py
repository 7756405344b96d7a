"""What a report consists of: plain values, no drawing and no markup decisions."""

from dataclasses import dataclass, field
from typing import Any, ClassVar, TypedDict

from noneuclid.displays.charts import COLUMN, Chart
from noneuclid.report import _notebook as notebook
from noneuclid.report import _tables as tables

Columns = dict[str, Any]
"""A table as its columns by name, all of one length."""


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
    """Rows of text; numbers are aligned to the right.

    Texts made by ``noneuclid.report.number``, ``percent`` … remember their numbers, which
    :meth:`Analysis.table` gives in full.
    """

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

    @property
    def wide(self) -> bool:
        """Whether a phone has no room for its columns; one of numbers alone can be shifted."""
        return len(self.columns) > 3 and len(self.numeric) < len(self.columns) - 1


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
    chart: Chart | None = field(default=None, compare=False, repr=False)
    """The same drawing as a description, for figures of matplotlib."""
    type: ClassVar[str] = "figure"

    def drawn(self, width: float = COLUMN) -> Any:
        """The figure by matplotlib.

        Parameters
        ----------
        width : float, default=89
            In millimetres.

        Returns
        -------
        matplotlib.figure.Figure
        """
        if self.chart is None:
            raise ValueError(
                f"the figure {self.title!r} is known as SVG only: make it with "
                "noneuclid.report.figures, or use its `svg`"
            )
        return self.chart.figure(width)


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


@dataclass(frozen=True, repr=False)
class Analysis:
    """One dataset, analysed: words, figures, tables, a model, and the program that repeats it.

    Examples
    --------
    >>> mine = Table("Sizes", ["class", "share"], [["a", "25 %"]], "Counted.", numeric=(1,))
    >>> found = Analysis("Mine", "3 rows", ["All is well."], [Section("One", [mine])], "print(1)")
    >>> found.tables
    ['Sizes']
    >>> found.table("Sizes")
      class  share
    0     a   0.25
    >>> print(found)
    Mine
    · All is well.
    tables: Sizes
    """

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
    records: dict[str, Columns] = field(default_factory=dict, compare=False)
    """What was found about every object, as columns by name: predictions, groups …"""
    data: Any = field(default=None, compare=False)
    """The dataset, the sample of it that was looked at if it was large."""

    @property
    def tables(self) -> list[str]:
        """Names of the tables: those of the page by their titles, and those of all objects."""
        return [*tables.named(self, "table"), *self.records]

    @property
    def figures(self) -> list[str]:
        """Names of the figures: their titles on the page."""
        return list(tables.named(self, "figure"))

    def table(self, name: str) -> Any:
        """A table with its numbers as numbers, all digits that were computed.

        Parameters
        ----------
        name : str
            One of ``tables``; case and signs do not matter.

        Returns
        -------
        pandas.DataFrame
            Shares are fractions (0.25 for "25 %"); a number with a spread ("0.91 ± 0.02") has a
            second column.
        """
        return tables.frame(self, name)

    def figure(self, name: str, *, width: float = COLUMN) -> Any:
        """A figure of the page for a paper, or to be changed.

        Parameters
        ----------
        name : str
            One of ``figures``; case and signs do not matter.
        width : float, default=89
            In millimetres: 89 is one column of many journals, 183 are two.

        Returns
        -------
        matplotlib.figure.Figure
        """
        return tables.figure_of(self, name).drawn(width)

    def save(self, path: Any) -> None:
        """Write the page, which needs no other file and no network.

        Parameters
        ----------
        path : str or Path
            For instance ``"report.html"``; a file of that name is replaced.
        """
        from noneuclid._writing import write_atomically
        from noneuclid.report.render import render

        write_atomically(path, render(self))

    def export(self, folder: Any, *, width: float = COLUMN, force: bool = False) -> Any:
        """Write everything into a folder: page, figures, tables, predictions, model, program.

        Parameters
        ----------
        folder : str or Path
            Made if it is not there, and replaced if it holds nothing but an earlier export.
        width : float, default=89
            Of the figures, in millimetres.
        force : bool, default=False
            Write into a folder that holds other files, too; these stay.

        Returns
        -------
        Path
            The folder.
        """
        from noneuclid.report.export import export

        return export(self, folder, width=width, force=force)

    def __repr__(self) -> str:
        return notebook.text_of(self)

    def _repr_html_(self) -> str:
        return notebook.html_of(self)
