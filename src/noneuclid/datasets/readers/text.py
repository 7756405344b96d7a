"""Plain text without a telling ending: a table, sequences or spike trains."""

from pathlib import Path

import numpy as np

from noneuclid.datasets._columns import from_table, refuse_prose
from noneuclid.datasets._decoding import data_lines
from noneuclid.datasets._table import parse_table
from noneuclid.datasets.content import Content
from noneuclid.datasets.dataset import DataError
from noneuclid.datasets.readers.base import DataFile, Reader
from noneuclid.spikes import read_spike_trains


class TextReader(Reader):
    """All other files: what the lines look like decides."""

    suffixes = (".txt",)
    is_fallback = True

    def recognises(self, file: DataFile) -> bool:
        """Whatever it is."""
        return True

    def read(self, file: DataFile) -> Content:
        """Take the lines for spike trains, sequences or rows of a table."""
        text, kind = file.text(), file.kind
        lines = data_lines(text)
        if not lines:
            raise DataError(f"{file.name} is empty: it must hold one object per line")
        if kind == "spikes" or (kind == "auto" and _are_trains(lines)):
            return _spikes(file.path)
        single = all(len(line.split()) == 1 and not set(",;") & set(line) for line in lines)
        bars = {line.count("|") for line in lines}
        single = single and (len(bars) > 1 or bars == {0})
        if kind == "sequences" and (single or "\t" not in lines[0]):
            return Content(file.name, sequences=[line.strip() for line in lines])
        if single and not _all_numbers(lines):
            return Content(file.name, sequences=[line.strip() for line in lines])
        if kind == "auto" and not any("\t" in line for line in lines):
            refuse_prose(lines, file.name)
        return from_table(parse_table(text, file.name), file.labels, kind)


def _spikes(path: Path) -> Content:
    try:
        return Content(path.name, trains=read_spike_trains(path), kind="spikes")
    except ValueError as error:
        raise DataError(f"{error}: every line must hold the times of one train") from None


def _words(line: str) -> list[str]:
    return line.replace(",", " ").replace(";", " ").split()


def _all_numbers(lines: list[str]) -> bool:
    try:
        for line in lines:
            [float(word) for word in _words(line)]
    except ValueError:
        return False
    return True


def _are_trains(lines: list[str]) -> bool:
    """Lines of numbers, of different lengths, each rising."""
    if not _all_numbers(lines):
        return False
    rows = [np.array(_words(line), dtype=np.float64) for line in lines]
    lengths = {len(row) for row in rows}
    return len(lengths) > 1 and all((np.diff(row) >= 0).all() for row in rows)
