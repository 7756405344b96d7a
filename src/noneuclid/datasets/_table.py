"""Text and tables of text, whatever program wrote them: delimiter and header recognised."""

import csv
import io
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from noneuclid._files import DataError, text_bytes
from noneuclid.datasets._cells import MISSING as MISSING
from noneuclid.datasets._cells import TELLING, number, numbers_of
from noneuclid.datasets._cells import is_missing as is_missing
from noneuclid.datasets._header import IDENTIFIER as IDENTIFIER
from noneuclid.datasets._header import INDEX_NAMES as INDEX_NAMES
from noneuclid.datasets._header import LABEL_NAMES as LABEL_NAMES
from noneuclid.datasets._header import SEQUENCE_NAMES as SEQUENCE_NAMES
from noneuclid.datasets._header import has_header, note_on_counts
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

UTF16 = (b"\xff\xfe", b"\xfe\xff")
_DELIMITERS = ("\t", ";", ",", "|")
# Each is an object of some hundred bytes.
_MOST_COLUMNS = 500_000
_SHOWN = 40
# Cells in quotation marks may hold blanks; R writes \" for a mark inside, others "".
_BLANK_SEPARATED = re.compile(r'(?<!\S)"(?:[^"\\]|""|\\.)*"(?!\S)|\S+')
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
        shown = f" ({cell})" if cell.lower() in TELLING else ""
        return f"{self.file}, line {line}, column {column.name!r}{shown}"


def parse_table(text: str, file: str, decimal: str = "auto") -> Table:
    """Split a text into columns; every row must have as many cells as the first."""
    plain_lines = data_lines(text)
    lines = _whole_rows(plain_lines)
    if not lines:
        raise DataError(f"{file} is empty: it must hold one row per object")
    first = next(iter(lines))
    told = told_delimiter(lines[first])
    if told and len(lines) > 1:
        del lines[first]
    delimiter = told or delimiter_of(list(lines.values())[:50])
    marked = _marked_lines(text, plain_lines, lines)
    rows, notes = _marked_rows(marked, lines, delimiter)
    lines = _commented_header(text, lines, delimiter) | dict(sorted((lines | rows).items()))
    grid = Grid(_cells(lines, delimiter, file), list(lines), notes, is_plain=not told)
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


def _marked_lines(text: str, before: dict[int, str], lines: dict[int, str]) -> dict[int, str]:
    """Lines that begin with ``#`` below the first of a table, and are not inside a cell."""
    if "#" not in text:
        return {}
    found, numbers, k = dict[int, str](), list(before), 0
    for number_of_line, line in enumerate(text.splitlines(), 1):
        k += k < len(numbers) and numbers[k] < number_of_line
        inside = k < len(numbers) and numbers[k] not in lines  # the cell goes on below
        below = k > 0 and not inside and number_of_line > next(iter(lines))
        if below and line.lstrip().startswith("#") and line.count('"') % 2 == 0:
            found[number_of_line] = line
    return found


def _marked_rows(
    marked: dict[int, str], lines: dict[int, str], delimiter: str
) -> tuple[dict[int, str], list[str]]:
    """Those of lines with ``#`` that are rows, as ``#QC1,0.5,0.7``, and what is said of the others.

    A row has the cells of the table, and numbers where all others have them: a sentence with commas
    and a row that was commented out, ``#0.5,0.7``, have not.
    """
    widths = Counter(_width(line, delimiter) for line in lines.values()) if marked else Counter()
    width = max(widths, key=lambda one: (widths[one], one), default=1)
    whole = {k: line for k, line in marked.items() if _width(line, delimiter) == width > 1}
    if not whole:
        return {}, []
    first, *others = (k for k, line in lines.items() if _width(line, delimiter) == width)
    columns = list(zip(*(split_line(lines[k], delimiter) for k in others)))
    numeric = [j for j, cells in enumerate(columns) if all(_may_be_number(c) for c in cells)]
    if delimiter == " " and not numeric:  # so many words are a comment as well
        return {}, []
    found = {
        k: line
        for k, line in whole.items()
        if k > first and all(_may_be_number(split_line(line, delimiter)[j]) for j in numeric)
    }
    left = [line.strip() for k, line in whole.items() if k > first and k not in found]
    several = f"{len(left)} lines that begin" if len(left) > 1 else "a line that begins"
    notes = [f"{several} with # left out as comments: {left[0][:_SHOWN]!r}"] if left else []
    return found, notes


def _may_be_number(cell: str) -> bool:
    """Whether it is one, if only with a decimal comma, or nothing."""
    return is_missing(cell) or number(cell.replace(",", ".")) is not None


def table_of(grid: Grid, file: str, delimiter: str = "", decimal: str = "auto") -> Table:
    """Name the columns of rows of cells, and have numbers as Python writes them."""
    if all(len(row) > 1 and row[-1] == "" for row in grid.rows):  # a delimiter ends every line
        grid.rows = [row[:-1] for row in grid.rows]
    grid.rows = filled_up(grid.rows)
    without_empties(grid)
    without_titles(grid, lambda rows: _is_headed(rows, delimiter, decimal))
    _fill_corner(grid, file, delimiter)
    _refuse_ragged(grid, file)
    if len(grid.rows) == 1 and all(number(cell) is None for cell in grid.rows[0]):
        raise DataError(f"{file} holds one line of words and no data below it")
    without_units(grid)
    rows, written = _plain_rows(grid.rows, delimiter, decimal)
    header, counts = has_header(rows), note_on_counts(rows)
    if not header:
        rows, written = _plain_rows([[], *grid.rows], delimiter, decimal)
    width, body = len(grid.rows[0]), rows[1:]
    names = rows[0] if header else [f"column {j + 1}" for j in range(width)]
    if not body:
        raise DataError(f"{file} holds a header but no data below it")
    columns = [Column(name.strip(), list(cells)) for name, cells in zip(names, zip(*body))]
    table = Table(file, columns, header, grid.lines[header:], is_plain=grid.is_plain)
    for j in (*written.doubts, *written.unsigned, *written.mixed):
        place = lambda row, j=j: table.place(row, columns[j])  # noqa: E731
        written.refuse_doubts(j, columns[j].cells, place)
    table.notes = [*grid.notes, *counts, *written.notes([column.name for column in columns])]
    return table


def _fill_corner(grid: Grid, file: str, delimiter: str) -> None:
    """Complete a header that has no cell above the names of rows, as R writes it."""
    head, *body = grid.rows
    if not body or len(body[0]) != len(head) + 1:
        return
    twice, times = Counter(row[0] for row in body).most_common(1)[0]
    if times > 1 and all(len(row) == len(body[0]) for row in body):
        marks = ", or separate cells by semicolons if commas are decimal marks"
        raise DataError(
            f"{file}: rows have one cell more than the header, and their first cells are no names, "
            f"since {twice[:30]!r} is there {times} times: give every column a name"
            f"{marks if delimiter == ',' else ''}"
        )
    grid.rows[0] = ["", *head]


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
    return not grid.is_plain or has_header(_plain_rows(grid.rows, delimiter, decimal)[0])


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
    for k, line in lines.items():
        if open_cell:
            found[first] += f" {line}"
        else:
            first = k
            found[first] = line
        open_cell ^= line.count('"') % 2 == 1
    return lines if open_cell else found


def _cells(lines: dict[int, str], delimiter: str, file: str) -> list[list[str]]:
    rows = []
    for k, line in lines.items():
        try:
            rows.append(split_line(line, delimiter))
        except csv.Error as error:
            raise DataError(f"{file}, line {k}: {error}: check its quotation marks") from None
    return rows


def split_line(line: str, delimiter: str) -> list[str]:
    """The cells of a line, without blanks around them."""
    if delimiter == " " and '"' in line:
        return [_unquoted(cell) for cell in _BLANK_SEPARATED.findall(line)]
    if delimiter == " ":
        return line.split()
    if '"' not in line:  # the reader of csv takes no cell of more than 131,072 letters
        return [cell.strip() for cell in line.split(delimiter)]
    cells = next(csv.reader(io.StringIO(line), delimiter=delimiter, skipinitialspace=True), [])
    return [cell.strip() for cell in cells]


def _unquoted(cell: str) -> str:
    if len(cell) < 2 or not cell[0] == cell[-1] == '"':
        return cell
    return cell[1:-1].replace('\\"', '"').replace('""', '"').strip()


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
