"""What the parts of a file were taken for, what else they could be, and what must be asked."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from noneuclid._files import DataError

NUMBERS = "numbers"
"""What columns are until the kind of the data is known."""

_OF_KIND = {
    "similarity": "similarities to all objects",
    "dissimilarity": "dissimilarities to all objects",
    "curves": "points of curves",
    "vectors": "features",
}
_OTHER_KINDS = {
    "similarity": (("--kind dissimilarity", "how far"), ("--kind vectors", "features")),
    "dissimilarity": (("--plain", "distances, to be squared"), ("--kind vectors", "features")),
    "curves": (("--kind vectors", "features"),),
    "vectors": (("--kind curves", "points of curves"),),
    "spikes": (("--kind sequences", "text"),),
    "sequences": (("--kind spikes", "times, if they are numbers"),),
}
CLASSES = (("--labels COLUMN", "another column or file"), ("--no-labels", "no classes"))
NAMES = (("--id COLUMN", "another column"),)
GROUPS = (("--groups COLUMN", "another column"),)


@dataclass(frozen=True)
class Part:
    """A part of a file, and what it was taken for.

    Parameters
    ----------
    what : str
        The part: columns, rows or records.
    taken_for : str
        What it is, or why it was left out.
    otherwise : tuple of pairs of str
        What can be said on the command line if that is wrong, and what the part is then.
    """

    what: str
    taken_for: str
    otherwise: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Answer:
    """What may be meant: in words, as arguments of ``read_dataset``, and as said to the command."""

    words: str
    said: dict[str, Any]
    flag: str


@dataclass(frozen=True)
class Question:
    """Two or more ways to read a file that give different results.

    Parameters
    ----------
    words : str
        What is not known.
    answers : tuple of Answer
    default : int, optional
        Which of them is taken where nobody can be asked; without it the file is refused.
    """

    words: str
    answers: tuple[Answer, ...]
    default: int | None = None


class Ambiguous(DataError):
    """A file that can be read in several ways; its ``question`` says which."""

    def __init__(self, sentence: str, question: Question):
        super().__init__(sentence)
        self.question = question


class WrongKind(DataError):
    """A file that does not hold objects of the kind that was asked for: what it holds, and advice.

    Who asked for the kind by other means than ``--kind`` has other advice.
    """

    def __init__(self, what: str, remedy: str):
        super().__init__(f"{what}: {remedy}")
        self.what = what


@dataclass
class Ledger:
    """Notes for every column of a table what it is taken for, in the order of the file."""

    columns: Sequence[Any]
    roles: dict[int, tuple[str, tuple[tuple[str, str], ...]]] = field(default_factory=dict)

    def note(self, column: Any, taken_for: str, *otherwise: tuple[str, str]) -> None:
        """Say what a column, or None, is taken for."""
        if column is not None:
            self.roles[id(column)] = (taken_for, otherwise)

    def parts(self) -> list[Part]:
        """Neighbouring columns of one role are one part."""
        known = [(column, *self.roles.get(id(column), (NUMBERS, ()))) for column in self.columns]
        found = []
        for (taken_for, otherwise), several in groupby(known, key=lambda one: one[1:]):
            names = [column.name for column, *_ in several]
            found.append(Part(columns_in_words(names), taken_for, otherwise))
        return found


def columns_in_words(names: Sequence[str]) -> str:
    """Columns by their names.

    Examples
    --------
    >>> columns_in_words(["a"]), columns_in_words(["850", "852", "854"])
    ("column 'a'", "3 columns '850' … '854'")
    """
    if len(names) == 1:
        return f"column {names[0]!r}"
    return f"{len(names)} columns {names[0]!r} … {names[-1]!r}"


def parts_of(found: list[Part], n: int, width: int | None, kind: str, noun: str) -> list[Part]:
    """All parts of a file: its objects, and its columns by what the data turned out to be.

    Parameters
    ----------
    found : list of Part
        What the reader noted; nothing if the format has no columns to be mistaken.
    n : int
        Number of objects.
    width : int, optional
        Number of columns of numbers.
    kind : str
        The kind of :class:`Dataset`.
    noun : str
        What its objects are called.

    Returns
    -------
    parts : list of Part
    """
    if not found and width is not None:
        found = [Part(f"{width} columns", NUMBERS)]
    if not found:
        return [Part(f"{n} entries", noun, _OTHER_KINDS[kind])]
    named = {NUMBERS: (_OF_KIND.get(kind, kind), _OTHER_KINDS[kind])}
    columns = [
        Part(part.what, *named.get(part.taken_for, (part.taken_for, part.otherwise)))
        for part in found
    ]
    return [*columns, Part(f"{n} rows", noun)]


def squared_or_plain() -> Question:
    """Whether dissimilarities are squared distances; the learners take them so."""
    return Question(
        "Are the dissimilarities squared distances?",
        (
            Answer(
                "yes, or they are no distances: take them as they are",
                {"squared": True},
                "--squared",
            ),
            Answer("no, plain distances: square them", {"squared": False}, "--plain"),
        ),
        default=0,
    )


def curves_or_rows(guess: str) -> Question:
    """Whether rows that are neither smooth nor rough are curves."""
    answers = (
        Answer("curves: the order of the columns matters", {"kind": "curves"}, "--kind curves"),
        Answer("rows of features, in any order", {"kind": "vectors"}, "--kind vectors"),
    )
    words = "Neighbouring columns are somewhat alike: what are the rows?"
    return Question(words, answers, default=int(guess == "vectors"))


def which_column(words: str, names: Sequence[str], prefix: str = "") -> Question:
    """Which column holds the classes."""
    answers = [
        Answer(f"column {name!r}", {"labels": prefix + name}, f"--labels {prefix + name!r}")
        for name in names
    ]
    return Question(words, tuple(answers))


def near_or_far() -> Question:
    """Whether numbers of pairs are similarities or dissimilarities."""
    answers = (
        Answer("how near they are: similarities", {"kind": "similarity"}, "--kind similarity"),
        Answer(
            "how far they are: dissimilarities", {"kind": "dissimilarity"}, "--kind dissimilarity"
        ),
    )
    return Question("What do the numbers say of two objects?", answers)


def fill_or_drop() -> Question:
    """What to do about empty cells."""
    answers = (
        Answer("leave their rows out", {"missing": "drop"}, "--missing drop"),
        Answer("fill in means", {"missing": "mean"}, "--missing mean"),
    )
    return Question("Some cells are empty: what to do about them?", answers)


def trains_or_text() -> Question:
    """What lines of numbers are."""
    answers = (
        Answer("every line is a spike train: times of events", {"kind": "spikes"}, "--kind spikes"),
        Answer("text, compared letter by letter", {"kind": "sequences"}, "--kind sequences"),
    )
    return Question("The lines hold numbers, of different lengths: what are they?", answers)


def columns_or_rows(outer: Sequence[str]) -> Question:
    """What the outer names of an object of objects are."""
    shown = f"{outer[0][:20]!r} … {outer[-1][:20]!r}"
    answers = (
        Answer(f"{shown} are columns", {"format": "json-columns"}, "--format json-columns"),
        Answer(f"{shown} are objects", {"format": "json-rows"}, "--format json-rows"),
    )
    return Question("The file has objects in an object: what do the outer names say?", answers)
