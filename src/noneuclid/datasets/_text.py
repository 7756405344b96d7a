"""Plain text: sequences, spike trains, FASTA, and the .ts format of the UCR archive."""

from pathlib import Path

import numpy as np

from noneuclid.datasets._columns import from_table, refuse_prose
from noneuclid.datasets._content import Content
from noneuclid.datasets._table import decode, parse_table
from noneuclid.datasets.dataset import DataError
from noneuclid.spikes import read_spike_trains
from noneuclid.typing import Array


def read_text(path: Path, wanted: str | None, kind: str) -> Content:
    """A text file without a telling ending: what its lines look like decides."""
    text = decode(path)
    lines = [line for line in text.splitlines() if line.strip() and line.lstrip()[0] != "#"]
    if not lines:
        raise DataError(f"{path.name} is empty: it must hold one object per line")
    if lines[0].startswith(">"):
        return _fasta(lines, path.name)
    if kind == "spikes" or (kind == "auto" and _are_trains(lines)):
        return _spikes(path)
    single = all(len(line.split()) == 1 and "," not in line and ";" not in line for line in lines)
    if kind == "sequences" and (single or "\t" not in lines[0]):
        return Content(path.name, sequences=[line.strip() for line in lines])
    if single and not _all_numbers(lines):
        return Content(path.name, sequences=[line.strip() for line in lines])
    if kind == "auto" and not any("\t" in line for line in lines):
        refuse_prose(lines, path.name)
    return from_table(parse_table(text, path.name), wanted, kind)


def _spikes(path: Path) -> Content:
    try:
        return Content(path.name, trains=read_spike_trains(path), hint="spikes")
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


def _fasta(lines: list[str], file: str) -> Content:
    names: list[str] = []
    parts: list[list[str]] = []
    for line in lines:
        if line.startswith(">"):
            words = line[1:].split()
            names.append(words[0] if words else str(len(names) + 1))
            parts.append([])
        else:
            parts[-1].append(line.strip())
    sequences = ["".join(part) for part in parts]
    for name, sequence in zip(names, sequences):
        if not sequence:
            raise DataError(f"{file}: sequence {name!r} is empty: remove it or fill it in")
    return Content(file, sequences=sequences, names=names, hint="sequences")


def read_ts(path: Path) -> Content:
    """The .ts format of aeon and the UCR archive: univariate series of equal length."""
    head: dict[str, list[str]] = {}
    rows: list[tuple[int, str]] = []
    inside = False
    for number, raw in enumerate(decode(path).splitlines(), 1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        if inside:
            rows.append((number, line))
        elif line.lower().startswith("@data"):
            inside = True
        elif line.startswith("@"):
            name, *values = line[1:].split()
            head[name.lower()] = values
        else:
            raise DataError(f"{path.name}, line {number} stands before @data: {line[:40]!r}")
    if not rows:
        raise DataError(f"{path.name} has no series after @data")
    if _says(head, "timestamps"):
        raise DataError(f"{path.name} holds time stamps: give series on one common grid instead")
    labelled = _says(head, "classlabel") or _says(head, "targetlabel")
    series = [_series(line, number, path.name, labelled) for number, line in rows]
    width = len(series[0][0])
    for (number, _), (points, _) in zip(rows, series):
        if len(points) != width:
            raise DataError(
                f"{path.name}, line {number} has {len(points)} points where the first series has "
                f"{width}: cut or interpolate the series to one length"
            )
    content = Content(path.name, np.array([values for values, _ in series]), hint="curves")
    content.place = lambda row, j: f"{path.name}, line {rows[row][0]}, point {j + 1}"
    if _says(head, "classlabel"):
        content.labels, content.label_name = [label for _, label in series], "@classLabel"
    return content


def _says(head: dict[str, list[str]], name: str) -> bool:
    return bool(head.get(name)) and head[name][0].lower() == "true"


def _series(line: str, number: int, file: str, labelled: bool) -> tuple[Array, str]:
    parts = line.split(":")
    label = parts.pop().strip() if labelled else ""
    if len(parts) != 1:
        raise DataError(
            f"{file}, line {number} holds {len(parts)} channels: give one channel per file"
        )
    cells = [cell.strip() for cell in parts[0].split(",")]
    try:
        return np.array([np.nan if cell == "?" else float(cell) for cell in cells]), label
    except ValueError:
        raise DataError(
            f"{file}, line {number} must hold numbers separated by commas: {parts[0][:40]!r}"
        ) from None
