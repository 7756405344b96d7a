"""Plain text: FASTA, or without a telling ending a table, sequences or spike trains."""

from collections.abc import Iterator

import numpy as np

from noneuclid.datasets._columns import from_table, refuse_prose
from noneuclid.datasets._table import data_lines, number, parse_table, text_of
from noneuclid.datasets.content import Content
from noneuclid.datasets.dataset import DataError
from noneuclid.datasets.readers.base import DataFile, Reader
from noneuclid.spikes import read_spike_trains

# What files in FASTA are called: without names they are refused, not taken for lines of text.
_FASTA = (".fasta", ".fas", ".fa", ".fna", ".faa", ".ffn", ".frn", ".mpfa")


class FastaReader(Reader):
    """Names after ``>``, and the sequences below them; whatever the ending of the file.

    Lines that begin with ``;`` are comments.
    """

    formats = ("fasta",)

    def recognises(self, file: DataFile) -> bool:
        return next(_fasta_lines(text_of(file.head)), "").startswith(">")

    def read(self, file: DataFile) -> Content:
        names: list[str] = []
        parts: list[list[str]] = []
        for line in _fasta_lines(file.text()):
            if not names and not line.startswith(">"):
                raise _no_fasta(file.name, line)
            if line.startswith(">"):
                names.append(next(iter(line[1:].split()), str(len(names) + 1)))
                parts.append([])
            else:
                parts[-1].append(line.strip())
        if not names:
            raise DataError(f'{file.name} is empty: it must hold names after ">", and sequences')
        sequences = ["".join(part) for part in parts]
        for name, sequence in zip(names, sequences):
            if not sequence:
                raise DataError(f"{file.name}: sequence {name!r} is empty: remove it or fill it in")
        return Content(
            file.name, sequences=sequences, names=names, kind="sequences", is_biological=True
        )


def _fasta_lines(text: str) -> Iterator[str]:
    """The lines of a file in FASTA, without comments."""
    return (line for line in data_lines(text).values() if not line.startswith(";"))


def _no_fasta(file: str, line: str) -> DataError:
    return DataError(
        f'{file} is no FASTA file, since it begins with {line.strip()[:20]!r}: write ">" and a '
        "name above every sequence, or say --format text if every line is one"
    )


class TextReader(Reader):
    """All other files: what the lines look like decides."""

    suffixes = (".txt",)
    formats = ("text",)
    is_fallback = True

    def recognises(self, file: DataFile) -> bool:
        return True

    def read(self, file: DataFile) -> Content:
        text, kind = file.text(), file.kind
        lines = list(data_lines(text).values())
        if not lines:
            raise DataError(f"{file.name} is empty: it must hold one object per line")
        if file.path.suffix.lower() in _FASTA and file.wishes.format == "auto":
            raise _no_fasta(file.name, next(_fasta_lines(text), lines[0]))
        rows = [line.replace(",", " ").replace(";", " ").split() for line in lines]
        numbers = all(number(word) is not None for row in rows for word in row)
        trains = kind == "spikes" and (numbers or not _is_headed_table(text, file.name))
        if trains or (kind == "auto" and numbers and _are_trains(rows)):
            try:
                return Content(file.name, trains=read_spike_trains(file.path), kind="spikes")
            except ValueError as error:
                raise DataError(f"{error}: every line must hold the times of one train") from None
        single = all(len(line.split()) == 1 and not set(",;") & set(line) for line in lines)
        bars = {line.count("|") for line in lines}
        single = single and (len(bars) > 1 or bars == {0})
        said = kind == "sequences" and (single or "\t" not in lines[0])
        if said or (single and not numbers):
            return Content(file.name, sequences=[line.strip() for line in lines])
        if kind == "auto" and not any("\t" in line for line in lines):
            refuse_prose(lines, file.name)
        return from_table(parse_table(text, file.name, file.wishes.decimal), file.wishes)


def _is_headed_table(text: str, file: str) -> bool:
    """Whether a text is a table with names of columns."""
    try:
        return parse_table(text, file).has_header
    except DataError:
        return False


def _are_trains(rows: list[list[str]]) -> bool:
    """Lines of different lengths, each rising."""
    numbers = (np.array([number(word) for word in row], dtype=np.float64) for row in rows)
    # Not by differences: that of two infinite numbers is none.
    rising = all((times[:-1] <= times[1:]).all() for times in numbers)
    return rising and len({len(row) for row in rows}) > 1
