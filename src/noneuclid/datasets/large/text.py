"""Parts of delimited text: blocks of whole rows, however long the file is."""

import gzip
import io
import re
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from noneuclid._files import DataError
from noneuclid._memory import readable
from noneuclid.datasets._cells import MINUS
from noneuclid.datasets._header import FIRST_ROW
from noneuclid.datasets._table import (
    DECIMAL_COMMA,
    MISSING,
    UTF16,
    checked_text,
    data_lines,
    delimiter_of,
    parse_table,
    split_line,
)
from noneuclid.datasets.large.listing import PartFile
from noneuclid.datasets.large.rows import Block, TableRows, other_columns, reading

# What tells how a file is written.
_HEAD = 2**18
_PIECE = 2**22
# Text, decoded, cleaned and as columns, over the bytes of the file.
NEEDS = 8
_QUOTE, _END = ord('"'), ord("\n")
# Lines without data: blank ones, and comments.
_IDLE = re.compile(r"^[^\S\n]*(?:#[^\n]*)?(?:\n|\Z)", re.MULTILINE)
# What a cell may say if it holds nothing; other spellings are found when it is no number.
_NOTHING = [form(word) for word in MISSING for form in (str, str.upper, str.title)] + ["NaN"]


@dataclass(frozen=True)
class Layout:
    """How the rows of a file are written."""

    delimiter: str
    names: tuple[str, ...]
    has_header: bool
    is_closed: bool
    """Whether a delimiter stands at the end of every row, too."""
    has_commas: bool
    """Whether fractions are written with a comma."""
    notes: tuple[str, ...] = ()
    """What is to be said of the first row."""

    @property
    def width(self) -> int:
        """How many cells a row has in the file."""
        return len(self.names) + self.is_closed


def layout_of(part: PartFile) -> Layout | None:
    """How a file is written, by its beginning; None if it holds nothing."""
    data = _beginning(part)
    if not data.strip():
        return None
    with reading(part.name):
        text = checked_text(data, part.name)
        lines = list(data_lines(_plain(text, "")).values())
        if not lines:
            return None
        delimiter = delimiter_of(lines[:50])
        lines = list(data_lines(_plain(text, delimiter)).values())
        table = parse_table("\n".join(lines), part.name)
    if not table.is_plain:
        what = table.notes[0] if table.notes else "a line sep="
        raise DataError(
            f"{part.name}: {what}, which cannot be done by blocks: save the table without that"
        )
    cells = [split_line(line, delimiter) for line in lines]
    names = tuple(column.name for column in table.columns)
    is_closed = all(len(row) > 1 and row[-1] == "" for row in cells)
    has_commas = delimiter != "," and any(DECIMAL_COMMA.fullmatch(c) for row in cells for c in row)
    notes = tuple(note for note in table.notes if note.startswith(FIRST_ROW))
    return Layout(delimiter, names, table.has_header, is_closed, has_commas, notes)


def layout_like(part: PartFile, first: Layout) -> Layout | None:
    """How a further part is written: its header, if the first part has one; None if it is empty."""
    with reading(part.name):
        lines = list(
            data_lines(_plain(checked_text(_beginning(part), part.name), first.delimiter)).values()
        )
    if not lines:
        return None
    cells = split_line(lines[0], first.delimiter)
    names = tuple(cells[: len(cells) - first.is_closed]) if first.has_header else first.names
    if first.has_header and len(names) == len(first.names) - 1 and first.names[0] == "":
        names = ("", *names)
    if first.has_header and sorted(names) != sorted(first.names):
        raise other_columns(part.name, names, "the first part", first.names)
    if len(cells) != first.width and not first.has_header:
        raise DataError(
            f"{part.name} has {len(cells)} columns where the first part has {first.width}: every "
            "part needs the same columns"
        )
    return Layout(first.delimiter, names, first.has_header, first.is_closed, first.has_commas)


def _beginning(part: PartFile) -> bytes:
    """The first rows of a file, whole ones unless the first is longer than what is read."""
    opener: Callable[..., Any] = gzip.open if is_packed(part.path) else open
    with reading(part.name):
        try:
            with opener(part.path, "rb") as file:
                data: bytes = file.read(_HEAD)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise _damaged(part.name, error) from error
    if len(data) < _HEAD or data[:2] in UTF16:
        return data
    cuts = _row_ends(np.frombuffer(data, np.uint8), False)[0]
    return data[: cuts[-1]] if len(cuts) else data


def is_packed(path: Path) -> bool:
    """Whether the file is compressed."""
    return path.name.lower().endswith(".gz")


def _damaged(name: str, error: Exception) -> DataError:
    return DataError(f"{name} is damaged ({error}): save it once more")


# --- blocks -----------------------------------------------------------------------------------


def cuts_of(part: PartFile, most: int) -> list[int]:
    """Where a file is cut into blocks of about so many bytes, at ends of rows outside of quotes."""
    size = part.path.stat().st_size
    if is_packed(part.path) or size <= most:
        return [0, size]
    cuts, position, is_open = [0], 0, False
    with reading(part.name), part.path.open("rb") as file:
        for piece in iter(lambda: file.read(_PIECE), b""):
            if position == 0 and piece[:2] in UTF16:
                return [0, size]
            ends, is_open = _row_ends(np.frombuffer(piece, np.uint8), is_open)
            ends += position
            while (k := int(np.searchsorted(ends, cuts[-1] + most))) < len(ends):
                cuts.append(int(ends[k]))
            position += len(piece)
    if is_open:
        raise _open_quote(part.name)
    return cuts if cuts[-1] == size else [*cuts, size]


def _open_quote(name: str) -> DataError:
    return DataError(
        f"{name} has an odd number of quotation marks, so that nobody can tell where its rows end: "
        "correct it"
    )


def _row_ends(data: np.ndarray, is_open: bool) -> tuple[np.ndarray, bool]:
    """Positions after the ends of lines that lie in no quotes, and whether a quote stays open."""
    ends = data == _END
    quotes = data == _QUOTE
    if quotes.any() or is_open:
        inside = (np.cumsum(quotes) + is_open) % 2 == 1
        ends, is_open = ends & ~inside, bool(inside[-1])
    return np.flatnonzero(ends) + 1, is_open


def _plain(text: str, delimiter: str) -> str:
    """One row per line: line breaks in quotes are blanks, blanks before quotes are not there."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if '"' not in text:
        return text
    before = f"(^|[{re.escape(delimiter)}])" if delimiter.strip() else r"(^|[\t;,| ])"
    cell = re.compile(before + r'[^\S\n\t]*("(?:[^"]|"")*")', re.MULTILINE)
    return cell.sub(lambda found: found[1] + found[2].replace("\n", " "), text)


@dataclass(frozen=True)
class TextBlock(Block):
    """Bytes of a file of delimited text, from the beginning of a row to the end of one."""

    part: PartFile
    start: int
    stop: int
    layout: Layout
    order: tuple[int, ...]
    """The cell that holds each column of the table; the keys of folders come after all cells."""
    names: tuple[str, ...]
    """Of the columns of the table."""
    limit: int
    """Bytes that may come out of a packed file."""

    @property
    def name(self) -> str:  # type: ignore[override]
        """That of its part."""
        return self.part.name

    def read(self, numeric: Sequence[int], words: Sequence[int]) -> TableRows:
        """These columns of its lines."""
        import pyarrow as pa

        text = self._text()
        wanted = [*numeric, *words]
        if not text:
            return TableRows(0, dict.fromkeys(wanted, ""), self.names, self._where)
        columns: dict[int, Any]
        try:
            columns = self._parsed(text, wanted, set(numeric))
        except pa.ArrowInvalid as error:
            if "conversion" not in str(error):
                self._refuse_ragged(text)
                raise
            columns = self._parsed(text, wanted, set())  # a cell that Arrow takes for no number
        n = len(next(iter(columns.values())))
        keys = dict(enumerate((value for _, value in self.part.keys), len(self.layout.names)))
        for column in wanted:
            if self.order[column] in keys:
                columns[column] = keys[self.order[column]]
        return TableRows(n, columns, self.names, self._where, self._tidy)

    def _parsed(self, text: str, wanted: Sequence[int], numeric: set[int]) -> dict[int, Any]:
        import pyarrow as pa
        from pyarrow import csv

        layout = self.layout
        cells = {j: self.order[j] for j in wanted if self.order[j] < len(layout.names)} or {-1: 0}
        kinds = {
            str(cell): pa.float64() if j in numeric else pa.string() for j, cell in cells.items()
        }
        data = text.encode("utf-8")
        found = csv.read_csv(
            pa.py_buffer(data),
            csv.ReadOptions(
                column_names=[str(j) for j in range(layout.width)],
                skip_rows_after_names=int(layout.has_header and self.start == 0),
                use_threads=False,
                block_size=max(len(data) + 1, 1024),
            ),
            csv.ParseOptions(delimiter="\t" if layout.delimiter == " " else layout.delimiter),
            csv.ConvertOptions(
                column_types=kinds,
                include_columns=list(kinds),
                null_values=_NOTHING,
                strings_can_be_null=False,
                decimal_point="," if layout.has_commas else ".",
            ),
        )
        return {j: found.column(str(cell)) for j, cell in cells.items()}

    def _tidy(self, cell: str) -> str:
        cell = cell.strip()
        written = cell.replace(MINUS, "-")
        if self.layout.delimiter != "," and DECIMAL_COMMA.fullmatch(written):
            return written.replace(",", ".")
        return cell

    def _text(self) -> str:
        text = checked_text(self._bytes(), self.name)
        if text.count('"') % 2:
            raise _open_quote(self.name)
        text = _IDLE.sub("", _plain(text, self.layout.delimiter))
        if self.layout.delimiter == " ":
            return "\n".join("\t".join(split_line(line, " ")) for line in text.splitlines())
        return text

    def _bytes(self) -> bytes:
        if not is_packed(self.part.path):
            with self.part.path.open("rb") as file:
                file.seek(self.start)
                return file.read(self.stop - self.start)
        try:
            with gzip.open(self.part.path, "rb") as packed:
                data = packed.read(self.limit + 1)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise _damaged(self.name, error) from error
        if len(data) > self.limit:
            raise DataError(
                f"{self.name} holds more than {readable(self.limit)} when it is unpacked, which is "
                "too much for one block: unpack it, or raise --memory-limit"
            )
        return data

    def _refuse_ragged(self, text: str) -> None:
        first = int(self.layout.has_header and self.start == 0)
        delimiter = "\t" if self.layout.delimiter == " " else self.layout.delimiter
        for row, line in enumerate(text.splitlines()[first:]):
            cells = split_line(line, delimiter)
            if len(cells) != self.layout.width:
                raise DataError(
                    f"{self._where(row)} has {len(cells)} cells where the first row has "
                    f"{self.layout.width}: every row needs the same number of columns"
                )

    def _where(self, row: int) -> str:
        """The part and the line of a row of this block."""
        first = int(self.layout.has_header and self.start == 0)
        text = checked_text(self._bytes(), self.name)
        before = 0
        if self.start:
            with self.part.path.open("rb") as file:
                pieces = iter(lambda: file.read(min(_PIECE, self.start - file.tell())), b"")
                before = sum(piece.count(b"\n") for piece in pieces)
        if '"' in text:  # lines may be parts of rows
            return f"{self.name}, row {row + 1} below line {before}"
        lines = list(data_lines(io.StringIO(text, newline=None).read()))
        return f"{self.name}, line {before + lines[row + first]}"
