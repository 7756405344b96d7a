"""Text and tables of text, whatever program wrote them: delimiter and header recognised."""

import csv
import io
import re
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np

from noneuclid._files import DataError, text_bytes
from noneuclid.datasets._layout import (
    Grid,
    filled_up,
    told_delimiter,
    without_empties,
    without_titles,
    without_units,
)
from noneuclid.datasets._written import DECIMAL_COMMA as DECIMAL_COMMA
from noneuclid.datasets._written import Plain, plain
from noneuclid.typing import Array

INDEX_NAMES = {"", "id", "ids", "index", "name", "names", "object", "objects", "sample", "key"}
_KINDS_OF_CLASSES = "species category group diagnosis family"
LABEL_NAMES = {*f"label labels class classes target y {_KINDS_OF_CLASSES}".split()}
SEQUENCE_NAMES = {"sequence", "sequences", "seq", "string", "strings", "word", "words", "dna"}
_NAMES = INDEX_NAMES | LABEL_NAMES | SEQUENCE_NAMES
# sample_id, "sample id", sampleId, id, and what pandas calls an index it has written.
IDENTIFIER = re.compile(r"(?i:(.*[\s_.-])?ids?)|.*[a-z]I[Dd]|(?i:unnamed: \d+(\.\d+)*)")
MISSING = {"", "na", "n/a", "nan", "null", "none", "?", "-", "#n/a"}
# What laboratories and spreadsheets write for the same.
_TELLING = {"n.a.", "n.a", "nd", "n.d.", "n.d", "<na>", "--", "missing", "#div/0!", "#value!"}
MISSING |= _TELLING
_LONGEST_MISSING = 8
_LONGEST_NUMBER = 1000
UTF16 = (b"\xff\xfe", b"\xfe\xff")
_DELIMITERS = ("\t", ";", ",", "|")
# Fewer header numbers than this may rise by chance.
_FEWEST_POSITIONS = 8
# Each is an object of some hundred bytes.
_MOST_COLUMNS = 500_000
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f\ufffd]")


def text_of(data: bytes) -> str:
    """Text of the beginning of a file; odd characters where it is none."""
    if data[:2] in UTF16:
        return data.decode("utf-16", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")  # spreadsheets


def decode(path: Path) -> str:
    """The text of a file, or an error if it holds none."""
    return checked_text(text_bytes(path), path.name)


def checked_text(data: bytes, file: str) -> str:
    """The text of some bytes of a file, or an error if it holds none."""
    text = text_of(data.rstrip(b"\x1a"))  # how DOS ended a file
    if _CONTROL.search(text):
        raise DataError(
            f"{file} is not a text file: give csv, tsv, txt, xlsx, npy, npz, mat or parquet, "
            "with the ending that says which"
        )
    return text


def words_of(array: Array) -> list[str]:
    """The entries of an array as text; bytes in any usual encoding."""
    values = array.ravel().tolist()
    return [text_of(value) if isinstance(value, bytes) else str(value) for value in values]


def data_lines(text: str) -> dict[int, str]:
    """The lines that are neither empty nor comments, by their numbers."""
    lines = enumerate(text.splitlines(), 1)
    return {k: line for k, line in lines if line.strip() and line.lstrip()[0] != "#"}


@dataclass
class Column:
    """One column: its name, its cells as text, and as numbers if they all are."""

    name: str
    cells: list[str]

    def __post_init__(self) -> None:
        self.numbers = numbers_of(self.cells)  # NaN where a cell is empty; None if a cell is text
        self.is_number = self.numbers is not None
        self.n_distinct = len(set(self.cells))


@dataclass
class Table:
    """Columns of equal length; ``has_header`` tells whether their names were in the file."""

    file: str
    columns: list[Column]
    has_header: bool
    lines: list[int] = field(default_factory=list)
    """Lines of the file that hold the rows of data; by default they count from 1."""
    notes: list[str] = field(default_factory=list)
    """What was done to have it."""
    is_plain: bool = True
    """Whether all lines of the file are in it as they are."""

    def __len__(self) -> int:
        return len(self.columns[0].cells)

    def place(self, row: int, column: Column) -> str:
        """Where a cell is, as a person would look for it, and what it says if it says "n.d."."""
        line = self.lines[row] if self.lines else row + 1
        cell = column.cells[row].strip()
        shown = f" ({cell})" if cell.lower() in _TELLING else ""
        return f"{self.file}, line {line}, column {column.name!r}{shown}"


def parse_table(text: str, file: str, decimal: str = "auto") -> Table:
    """Split a text into columns; every row must have as many cells as the first."""
    lines = _whole_rows(data_lines(text))
    if not lines:
        raise DataError(f"{file} is empty: it must hold one row per object")
    first = next(iter(lines))
    told = told_delimiter(lines[first])
    if told and len(lines) > 1:
        del lines[first]
    delimiter = told or delimiter_of(list(lines.values())[:50])
    lines = _commented_header(text, lines, delimiter) | lines
    grid = Grid(_cells(lines, delimiter, file), list(lines), is_plain=not told)
    return table_of(grid, file, delimiter, decimal)


def _commented_header(text: str, lines: dict[int, str], delimiter: str) -> dict[int, str]:
    """The line above the table, if it is a header that looks like a comment: ``#OTU ID``, a, b."""
    first = next(iter(lines))
    above = text.splitlines()[first - 2].strip() if first > 1 else ""
    if not above.startswith("#") or delimiter == " ":
        return {}
    head, width = above.lstrip("# "), _width(lines[first], delimiter)
    cells = split_line(head, delimiter) if _width(head, delimiter) == width > 1 else []
    words = bool(cells) and all(cell and number(cell) is None for cell in cells)
    is_header = words and any(number(c) is not None for c in split_line(lines[first], delimiter))
    return {first - 1: head} if is_header else {}


def table_of(grid: Grid, file: str, delimiter: str = "", decimal: str = "auto") -> Table:
    """Name the columns of rows of cells, and have numbers as Python writes them."""
    if all(len(row) > 1 and row[-1] == "" for row in grid.rows):  # a delimiter ends every line
        grid.rows = [row[:-1] for row in grid.rows]
    grid.rows = filled_up(grid.rows)
    without_empties(grid)
    without_titles(grid, lambda rows: _is_headed(rows, delimiter, decimal))
    if len(grid.rows) > 1 and len(grid.rows[1]) == len(grid.rows[0]) + 1:
        grid.rows[0] = ["", *grid.rows[0]]  # R leaves the header's corner out
    _refuse_ragged(grid, file)
    if len(grid.rows) == 1 and all(number(cell) is None for cell in grid.rows[0]):
        raise DataError(f"{file} holds one line of words and no data below it")
    without_units(grid)
    rows, written = _plain_rows(grid.rows, delimiter, decimal)
    header = _has_header(rows)
    if not header:
        rows, written = _plain_rows([[], *grid.rows], delimiter, decimal)
    width, body = len(grid.rows[0]), rows[1:]
    names = rows[0] if header else [f"column {j + 1}" for j in range(width)]
    if not body:
        raise DataError(f"{file} holds a header but no data below it")
    columns = [Column(name.strip(), list(cells)) for name, cells in zip(names, zip(*body))]
    table = Table(file, columns, header, grid.lines[header:], is_plain=grid.is_plain)
    for j in (*written.doubts, *written.unsigned):
        place = lambda row, j=j: table.place(row, columns[j])  # noqa: E731
        written.refuse_doubts(j, columns[j].cells, place)
    table.notes = [*grid.notes, *written.notes([column.name for column in columns])]
    return table


def _plain_rows(
    rows: list[list[str]], delimiter: str, decimal: str
) -> tuple[list[list[str]], Plain]:
    """Rows with numbers as Python writes them, except the first, in which only positions change."""
    head, *body = rows
    columns = [list(cells) for cells in zip(*body)]
    written = plain(columns, delimiter, decimal)
    if written.columns:
        columns = [written.columns.get(j, cells) for j, cells in enumerate(columns)]
        body = [list(row) for row in zip(*columns)]
    return [written.header(head, delimiter), *body], written


def _is_headed(rows: list[list[str]], delimiter: str, decimal: str) -> bool:
    """Whether rows of one length begin with a header, perhaps with units below it."""
    if len({len(row) for row in rows}) != 1:
        return False
    grid = Grid(rows, list(range(len(rows))))
    without_units(grid)
    return not grid.is_plain or _has_header(_plain_rows(grid.rows, delimiter, decimal)[0])


def _refuse_ragged(grid: Grid, file: str) -> None:
    width = len(grid.rows[0])
    if width > _MOST_COLUMNS:
        raise DataError(
            f"{file} has {width:,} columns: give one row per object and at most {_MOST_COLUMNS:,} "
            "columns"
        )
    for line, row in zip(grid.lines, grid.rows):
        if len(row) != width:
            raise DataError(
                f"{file}, line {line} has {len(row)} cells where the first row has {width}: "
                "every row needs the same number of columns"
            )


def _whole_rows(lines: dict[int, str]) -> dict[int, str]:
    """Lines joined where a cell in quotation marks goes on in the next one.

    Only if every quotation mark has its pair then: one alone is a mark for inches, say.
    """
    if not any(line.count('"') % 2 for line in lines.values()):
        return lines
    found: dict[int, str] = {}
    first, open_cell = 0, False
    for number, line in lines.items():
        if open_cell:
            found[first] += f" {line}"
        else:
            first = number
            found[first] = line
        open_cell ^= line.count('"') % 2 == 1
    return lines if open_cell else found


def _cells(lines: dict[int, str], delimiter: str, file: str) -> list[list[str]]:
    rows = []
    for number, line in lines.items():
        try:
            rows.append(split_line(line, delimiter))
        except csv.Error as error:
            raise DataError(f"{file}, line {number}: {error}: check its quotation marks") from None
    return rows


def split_line(line: str, delimiter: str) -> list[str]:
    """The cells of a line, without blanks around them."""
    if delimiter == " ":
        return line.split()
    if '"' not in line:  # the reader of csv takes no cell of more than 131,072 letters
        return [cell.strip() for cell in line.split(delimiter)]
    cells = next(csv.reader(io.StringIO(line), delimiter=delimiter, skipinitialspace=True), [])
    return [cell.strip() for cell in cells]


def _width(line: str, delimiter: str) -> int:
    try:
        return len(split_line(line, delimiter))
    except csv.Error:
        return 1


def delimiter_of(lines: list[str]) -> str:
    """The delimiter that divides most lines alike, in as many cells as possible."""
    best, score = " ", (0.0, 0)
    for candidate in (*_DELIMITERS, " "):
        counts = [_width(line, candidate) for line in lines]
        if len(counts) > 2 and (np.diff(counts) == 1).all():  # a triangle
            return candidate
        width = max(set(counts), key=counts.count)
        if width > 1:
            found = (counts.count(width) / len(counts), width if candidate != " " else 2)
            # Commas in cells that tabs or semicolons divide are marks of numbers.
            over = found > score if best not in "\t;" or not score[0] else found[0] > score[0]
            if found[0] >= 0.5 and over:
                best, score = candidate, found
    return best if score[0] else "\t"


def is_missing(cell: str) -> bool:
    """Whether a cell says that there is nothing in it."""
    words = cell.strip()
    return len(words) < _LONGEST_MISSING and words.lower() in MISSING


def number(cell: str) -> float | None:
    """What a cell holds, None if it is no number."""
    try:
        return float(cell) if len(cell) <= _LONGEST_NUMBER else None
    except ValueError:
        return None


def numbers_of(cells: list[str]) -> Array | None:
    """The cells as numbers, NaN where one is empty; None if one is text, or all are empty."""
    try:
        return np.array(cells, dtype=np.float64)
    except ValueError:
        pass
    values = [np.nan if is_missing(cell) else number(cell) for cell in cells]
    if any(value is None for value in values) or all(is_missing(cell) for cell in cells):
        return None
    return np.array(values, dtype=np.float64)


def _has_header(rows: list[list[str]]) -> bool:
    if len(rows) < 2:
        return False
    first, rest = rows[0], rows[1:]
    below = [numbers_of([row[j] for row in rest]) is not None for j in range(len(first))]
    words = [number(cell) is None and not is_missing(cell) for cell in first]
    if any(word and number for word, number in zip(words, below)):
        return True
    if not any(below):  # a table of words: names of columns do not occur in them
        return (
            all(words)
            and len(first) > 1
            and not any(row[j] == cell for row in rest[:200] for j, cell in enumerate(first))
            and any(cell.lower() in _NAMES or IDENTIFIER.fullmatch(cell) for cell in first)
        )
    numeric = [j for j, number in enumerate(below) if number and first[j]]  # a corner may be empty
    return _positions_on_top(rows, numeric)


def _positions_on_top(rows: list[list[str]], numeric: list[int]) -> bool:
    """Whether the first row holds positions that rise or fall (wavelengths, numbers of objects)."""
    if len(rows) == len(numeric):  # a square matrix, complete as it is
        return False
    if len(numeric) < _FEWEST_POSITIONS and len(rows) - 1 != len(numeric):
        return False
    values = [number(rows[0][j]) for j in numeric]
    if any(value is None for value in values):
        return False
    top = np.array(values, float)
    sign = 1 if (top[:-1] < top[1:]).all() else -1
    if not (sign * top[:-1] < sign * top[1:]).all():  # differences of infinite numbers are none
        return False
    below = [[number(row[j]) for j in numeric] for row in rows[1:21]]
    return not any(
        all(a is not None and b is not None and sign * (b - a) > 0 for a, b in pairwise(cells))
        for cells in below
    )
