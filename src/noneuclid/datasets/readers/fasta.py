"""FASTA: names after ``>``, and the sequences below them."""

from noneuclid.datasets._decoding import data_lines, text_of
from noneuclid.datasets.content import Content
from noneuclid.datasets.dataset import DataError
from noneuclid.datasets.readers.base import DataFile, Reader


class FastaReader(Reader):
    """Text whose first line begins with ``>``, whatever its ending."""

    def recognises(self, file: DataFile) -> bool:
        """Whether the first line that is neither empty nor a comment begins with ``>``."""
        lines = data_lines(text_of(file.head))
        return bool(lines) and lines[0].startswith(">")

    def read(self, file: DataFile) -> Content:
        """Join the lines of every sequence."""
        names: list[str] = []
        parts: list[list[str]] = []
        for line in data_lines(file.text()):
            if line.startswith(">"):
                words = line[1:].split()
                names.append(words[0] if words else str(len(names) + 1))
                parts.append([])
            else:
                parts[-1].append(line.strip())
        sequences = ["".join(part) for part in parts]
        for name, sequence in zip(names, sequences):
            if not sequence:
                raise DataError(f"{file.name}: sequence {name!r} is empty: remove it or fill it in")
        return Content(file.name, sequences=sequences, names=names, kind="sequences")
