"""An analysis is a list of parts; every part gives what it has to say, once."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from noneuclid._checks import check_choice
from noneuclid._documentation import Documented
from noneuclid.datasets import Dataset
from noneuclid.report.blocks import Analysis, Block, Columns, Section
from noneuclid.report.program import program
from noneuclid.report.settings import Settings
from noneuclid.typing import IntArray

Advance = Callable[[str], None]
Expect = Callable[[float], None]
_KINDS = ("sections", "findings", "results", "code", "records")


@dataclass(frozen=True)
class Study:
    """What an analysis is about, as every part sees it.

    Parameters
    ----------
    data : Dataset
    settings : Settings
    advance : callable
        To be called with what was done after every step of long work.
    model : object, optional
        The interpretable model of the analysis; only parts that are added to an analysis see it.
    expect : callable, optional
        To be called with the seconds that long work will take.
    """

    data: Dataset
    settings: Settings = field(default_factory=Settings)
    advance: Advance = lambda what: None
    model: Any = None
    expect: Expect | None = None

    @property
    def seed(self) -> int:
        """What decides all random choices."""
        return self.settings.random_state

    @property
    def is_large(self) -> bool:
        """Whether there are more objects than all pairs of them are looked at."""
        return len(self.data) > self.settings.max_objects

    @cached_property
    def rows(self) -> IntArray:
        """The objects that are drawn, and of which all pairs are looked at: all, or a sample."""
        return self.data.sampled(self.settings.max_objects, random_state=self.seed)

    @cached_property
    def few(self) -> Dataset:
        """Those objects."""
        return self.data.sample(self.settings.max_objects, random_state=self.seed)

    @property
    def sampled(self) -> str:
        """A sentence about the sample, if there is one."""
        n = len(self.rows)
        noun = self.data.noun
        return f" A random sample of {n:,} of the {len(self.data):,} {noun}." * self.is_large


class Part(Documented):
    """One topic of an analysis. A new one overrides what it has to say.

    Attributes
    ----------
    title : str
        Of its section: a question, or what is shown.
    sentence : str
        What it found: on top of the page, over the section and in the terminal.
    lead : str
        What stands over the section, if that is not the sentence.
    model : object or None
        The interpretable model, fitted on all objects, if the part has it.
    calibration : Calibration or None
        What objects that were held out say about its predictions, if the part has it.

    Examples
    --------
    >>> class Greeting(Part):
    ...     sentence = "Hello."
    >>> compose(Study(Dataset("sequences", ["A", "B"])), [Greeting()]).findings
    ['Hello.']
    """

    title: str = ""
    model: Any = None
    calibration: Any = None

    @cached_property
    def sentence(self) -> str:
        """What was found."""
        return ""

    @cached_property
    def lead(self) -> str:
        """What stands over the section."""
        return self.sentence

    def blocks(self) -> list[Block]:
        """Facts, figures, tables and prose of the section.

        Returns
        -------
        list of Block
            Figures, tables and sentences, from the top of the section to its end.
        """
        return []

    def sections(self) -> list[Section]:
        """The section, if there is anything in it.

        Returns
        -------
        list of Section
            Usually one.
        """
        blocks = self.blocks()
        return [Section(self.title, blocks, self.lead)] if blocks else []

    def findings(self) -> list[str]:
        """The sentence, if there is one.

        Returns
        -------
        list of str
            Sentences.
        """
        return [self.sentence] if self.sentence else []

    def results(self) -> list[tuple[str, str]]:
        """Names and values, in the terminal.

        Returns
        -------
        list of (str, str)
            Pairs.
        """
        return []

    def code(self) -> list[str]:
        """Lines of Python that give the numbers again, of the dataset ``data``.

        Returns
        -------
        list of str
            Empty if there is nothing to repeat.
        """
        return []

    def records(self) -> dict[str, Columns]:
        """What was found about single objects.

        Returns
        -------
        dict of str to dict
            Tables by their names, each as columns of equal length by theirs.
        """
        return {}

    def only(self, *kinds: str) -> "Part":
        """The part with some of its "sections", "findings", "results", "code", "records" only.

        Parameters
        ----------
        *kinds : str
            Of these five words.

        Returns
        -------
        Part
            Silent in all others.
        """
        for kind in kinds:
            check_choice("kinds", kind, _KINDS)
        return _Some(self, kinds)


class _Some(Part):
    """A part that keeps some of its words to itself."""

    def __init__(self, whole: Part, kinds: tuple[str, ...]):
        self.model, self.calibration = whole.model, whole.calibration
        for kind in kinds:
            setattr(self, kind, getattr(whole, kind))


def compose(study: Study, parts: Iterable[Part]) -> Analysis:
    """An analysis: what its parts say, in their order.

    Parameters
    ----------
    study : Study
        Data and settings.
    parts : list of Part
        In the order of the page.

    Returns
    -------
    Analysis
        What all of them found.
    """
    parts = list(parts)
    data = study.data
    models = [part.model for part in parts if part.model is not None]
    code = [f"data = {data.code or '...'}", *(line for part in parts for line in part.code())]
    return Analysis(
        f"{data.source}: {len(data)} {data.noun}",
        data.understood,
        [sentence for part in parts for sentence in part.findings()],
        [section for part in parts for section in part.sections()],
        program(code),
        [row for part in parts for row in part.results()],
        models[0] if models else None,
        records={name: table for part in parts for name, table in part.records().items()},
        data=data,
    )
