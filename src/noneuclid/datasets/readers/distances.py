"""Distance matrices of phylogenetic programs: PHYLIP, MEGA, NEXUS; square or triangular."""

import re
from collections.abc import Callable, Iterator

import numpy as np

from noneuclid._files import DataError
from noneuclid.datasets._table import number, text_of
from noneuclid.datasets.content import Content
from noneuclid.datasets.readers.base import DataFile, Reader
from noneuclid.typing import Array

# How many numbers the i-th of n rows has, and which columns they are.
_SHAPES: dict[str, Callable[[int, int], range]] = {
    "square": lambda i, n: range(n),
    "lower": lambda i, n: range(i),
    "lower with diagonal": lambda i, n: range(i + 1),
    "upper": lambda i, n: range(i + 1, n),
    "upper with diagonal": lambda i, n: range(i, n),
}
_STRICT = 10
_COUNT = re.compile(r"\s*(\d{1,6})\s*")
_SUFFIXES = (".phy", ".phylip", ".dist")

Record = tuple[str, list[float]]


class PhylipReader(Reader):
    """The number of objects, then their names and distances; strict or relaxed, wrapped or not."""

    formats = ("phylip",)

    def recognises(self, file: DataFile) -> bool:
        lines = [line for line in text_of(file.head).splitlines() if line.strip()][:2]
        if len(lines) < 2 or file.path.is_dir() or not _COUNT.fullmatch(lines[0]):
            return False
        told = number(lines[1].split()[0]) is None or file.path.suffix.lower() in _SUFFIXES
        return told and all(number(word) is not None for word in lines[1][_STRICT:].split())

    def read(self, file: DataFile) -> Content:
        head, *lines = [line for line in file.text().splitlines() if line.strip()]
        n = int(head)
        if n > len(lines):
            raise DataError(f"{file.name} says it has {n} objects, but has {len(lines)} lines")
        return _first_that_fits(file.name, n, lines, tuple(_SHAPES))


class MegaReader(Reader):
    """A matrix as MEGA exports it: ``#mega``, names with ``#``, and rows of a triangle."""

    formats = ("mega",)

    def recognises(self, file: DataFile) -> bool:
        return text_of(file.head[:64]).lstrip().lower().startswith("#mega")

    def read(self, file: DataFile) -> Content:
        text = re.sub(r"!.*?;", "", file.text(), flags=re.DOTALL)
        lines = [line.strip() for line in text.splitlines()[1:] if line.strip()]
        names = [re.sub(r"\[.*?\]", "", line).strip() for line in lines if "#" in line]
        numbers = [re.sub(r"\[.*?\]", "", line) for line in lines if "#" not in line]
        numbers = [line for line in numbers if line.strip()]
        n = len(names)
        names = [re.sub(r"\s+", "_", name.lstrip("#")) for name in names]
        rows = [line.split() for line in numbers]
        upper = len(rows) > 1 and len(rows[0]) > len(rows[-1])
        # A row without a number is left out of the file: the first, or the last one.
        missing: list[list[str]] = [[]] * (n - len(rows))
        rows = [*rows, *missing] if upper else [*missing, *rows]
        lines = [" ".join([name, *row]) for name, row in zip(names, rows)]
        return _first_that_fits(file.name, n, lines, tuple(_SHAPES))


class NexusReader(Reader):
    """The block of distances of a NEXUS file."""

    formats = ("nexus",)

    def recognises(self, file: DataFile) -> bool:
        return text_of(file.head[:64]).lstrip().lower().startswith("#nexus")

    def read(self, file: DataFile) -> Content:
        text = re.sub(r"\[.*?\]", "", file.text(), flags=re.DOTALL)
        block = re.search(r"begin\s+distances\s*;(.*?)\bend(?:block)?\s*;", text, re.I | re.DOTALL)
        matrix = re.search(r"\bmatrix\b(.*?);", block[1], re.I | re.DOTALL) if block else None
        if block is None or matrix is None:
            raise DataError(f"{file.name} has no block of distances: export them, or give FASTA")
        told = re.search(r"triangle\s*=\s*(\w+)", block[1], re.I)
        shape = told[1].lower() if told else "lower"
        shapes = ["square"] if shape == "both" else [f"{shape} with diagonal", shape]
        if re.search(r"nodiagonal", block[1], re.I):
            shapes.reverse()
        lines = [_unquoted(line) for line in matrix[1].splitlines() if line.strip()]
        n = sum(number(line.split()[0]) is None for line in lines)
        return _first_that_fits(file.name, n, lines, tuple(s for s in shapes if s in _SHAPES))


def _unquoted(line: str) -> str:
    """A name in quotation marks as one word."""
    return re.sub(r"'([^']*)'", lambda found: re.sub(r"\s+", "_", found[1]), line)


def _first_that_fits(file: str, n: int, lines: list[str], shapes: tuple[str, ...]) -> Content:
    """The matrix in the first shape, and the first way to write names, that uses up all lines."""
    for shape in shapes:
        for name_of in (_relaxed, _strict):
            records = list(_records(lines, n, _SHAPES[shape], name_of))
            if len(records) == n and n > 1:
                return _content(file, records, shape)
    raise DataError(
        f"{file} holds neither a square nor a triangular matrix of {n} objects: a row has too many "
        "or too few distances, or one that is no number"
    )


def _content(file: str, records: list[Record], shape: str) -> Content:
    names = [name for name, _ in records]
    P = _matrix(len(names), [row for _, row in records], _SHAPES[shape])
    content = Content(file, P, kind="dissimilarity", names=names, features=names)
    content.place = lambda i, j: f"{file}, distance of {names[i]!r} and {names[j]!r}"
    if shape != "square":
        content.notes.append(f"{shape.split()[0]} triangle")
    return content


def _relaxed(line: str) -> tuple[str, str]:
    name, *rest = line.split(maxsplit=1) or [""]
    return name, "".join(rest)


def _strict(line: str) -> tuple[str, str]:
    return line[:_STRICT].strip(), line[_STRICT:]


def _records(
    lines: list[str],
    n: int,
    columns: Callable[[int, int], range],
    name_of: Callable[[str], tuple[str, str]],
) -> Iterator[Record]:
    """Names with their numbers, over as many lines as they take; fewer if something is wrong."""
    waiting = iter(lines)
    for i in range(n):
        name, rest = name_of(next(waiting, ""))
        row = _numbers(rest)
        while row is not None and len(row) < len(columns(i, n)):
            more = _numbers(next(waiting, "?"))
            row = None if more is None else row + more
        if row is None or not name or len(row) != len(columns(i, n)):
            return
        yield name, row
    if next(waiting, None) is not None:
        yield "", []  # one too many


def _numbers(text: str) -> list[float] | None:
    found = [number(word) for word in text.split()]
    return None if None in found else [value for value in found if value is not None]


def _matrix(n: int, rows: list[list[float]], columns: Callable[[int, int], range]) -> Array:
    P = np.zeros((n, n))
    for i, row in enumerate(rows):
        P[i, columns(i, n)] = row
    square = len(rows[0]) == len(rows[-1]) == n
    return P if square else P + P.T - np.diag(np.diag(P))
