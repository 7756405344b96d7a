"""Workbooks: xlsx of Excel and others, ods of LibreOffice and others."""

import re
import warnings
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, time
from functools import partial
from typing import Any
from xml.etree import ElementTree

from noneuclid._files import DataError, check_file, largest_plausible
from noneuclid._memory import readable
from noneuclid.datasets._columns import from_table
from noneuclid.datasets._layout import Grid
from noneuclid.datasets._table import table_of
from noneuclid.datasets.content import Content
from noneuclid.datasets.readers.base import DataFile, Reader

_PIECE = 2**20
_SHOWN = 8
# So many cells may be there for a byte of the workbook, which is what a cell takes at the least.
_FEWEST_CELLS = 2**20
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"

Rows = Iterator[list[str]]


@dataclass
class Sheet:
    """A sheet of a workbook, and a function that gives its rows."""

    name: str
    rows: Callable[[], Rows]
    is_hidden: bool = False


class ExcelReader(Reader):
    """A sheet with one table, as Excel saves it."""

    suffixes = (".xlsx", ".xlsm")
    formats = ("excel", "xlsx")

    def read(self, file: DataFile) -> Content:
        try:
            import openpyxl
        except ImportError:
            raise DataError(f'{file.name} needs openpyxl: pip install "noneuclid[excel]"') from None
        size = _checked(file)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of styles and extensions, which are not read
            book = openpyxl.load_workbook(file.path, read_only=True, data_only=True)
            try:
                sheets = [
                    Sheet(one.title, partial(_excel_rows, one), one.sheet_state != "visible")
                    for one in book.worksheets
                ]
                return _content(file, sheets, size)
            finally:
                book.close()


class OdsReader(Reader):
    """A sheet with one table, as LibreOffice saves it."""

    suffixes = (".ods",)

    def read(self, file: DataFile) -> Content:
        size = _checked(file)
        with zipfile.ZipFile(file.path) as archive:
            if "content.xml" not in archive.namelist():
                raise DataError(f"{file.name} is no sheet of OpenDocument: save it as ods or csv")
            data = archive.read("content.xml")
        sheets = []
        for found in ElementTree.fromstring(data).iter(f"{_TABLE}table"):
            name = found.get(f"{_TABLE}name", "")
            sheets.append(Sheet(name, partial(_ods_rows, found)))
        return _content(file, sheets, size)


def _checked(file: DataFile) -> int:
    """How large a workbook is when it is unpacked; raise if that is not to be done."""
    most = largest_plausible(check_file(file.path))
    size = 0
    try:
        with zipfile.ZipFile(file.path) as archive:
            for member in archive.infolist():
                with archive.open(member) as packed:  # what the directory says may be wrong
                    before = b""
                    while piece := packed.read(_PIECE):
                        size += len(piece)
                        if size > most:
                            raise DataError(
                                f"{file.name} would grow to more than {readable(most)} when it is "
                                "read: save the table as csv"
                            )
                        if b"<!ENTITY" in before[-16:] + piece:
                            raise DataError(f"{file.name} defines entities, as no program does")
                        before = piece
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError) as error:
        ending = file.path.suffix.lower().lstrip(".")
        raise DataError(
            f"{file.name} is no workbook, or damaged ({error}): save it as {ending} once more"
        ) from error
    return size


def _content(file: DataFile, sheets: list[Sheet], size: int) -> Content:
    """The table of the sheet that was chosen, or of the only one with data."""
    most = max(_FEWEST_CELLS, size)
    wanted, notes = file.wishes.sheet, []
    if wanted is None:
        filled = {one.name: rows for one in sheets if not one.is_hidden and (rows := _read(one, 2))}
        if not filled:
            raise DataError(f"{file.name} has no sheet with data: it must hold one row per object")
        if len(filled) > 1:
            raise DataError(
                f"{file.name} has {len(filled)} sheets with data ({_listed(list(filled))}): say "
                "which one with --sheet NAME"
            )
        chosen = next(one for one in sheets if one.name in filled)
        hidden = [one.name for one in sheets if one.is_hidden]
        if hidden:
            notes.append(f"hidden sheets left out: {_listed(hidden)}")
    else:
        chosen = _named(sheets, wanted, file.name)
    rows = _read(chosen, most)
    if not rows:
        raise DataError(f"{file.name}: sheet {chosen.name!r} is empty")
    width = max(map(len, rows.values()))
    cells = [row + [""] * (width - len(row)) for row in rows.values()]
    grid = Grid(cells, list(rows))
    if len(sheets) > 1:
        notes.append(f"sheet {chosen.name!r}")
    table = table_of(grid, file.name, decimal=file.wishes.decimal)
    table.notes[:0] = notes
    return from_table(table, file.wishes)


def _named(sheets: list[Sheet], wanted: str, file: str) -> Sheet:
    """The sheet of a name, or else of a number from 1."""
    for one in sheets:
        if one.name == wanted:
            return one
    if wanted.isdecimal() and 0 < int(wanted[:6]) <= len(sheets):
        return sheets[int(wanted) - 1]
    alike = [one for one in sheets if one.name.casefold() == wanted.casefold()]
    if len(alike) == 1:
        return alike[0]
    known = _listed([one.name for one in sheets]) or "none"
    raise DataError(f"--sheet {wanted!r}: {file} has no such sheet (there are {known})")


def _listed(names: list[str]) -> str:
    return ", ".join(names[:_SHOWN]) + ", …" * (len(names) > _SHOWN)


def _read(sheet: Sheet, most: int) -> dict[int, list[str]]:
    """The rows that hold something, by their numbers; a few are enough to know that some do."""
    found: dict[int, list[str]] = {}
    n_cells = 0
    for number, row in enumerate(sheet.rows(), 1):
        while row and not row[-1]:
            row.pop()
        if not row:
            continue
        found[number] = row
        n_cells += len(row)
        if n_cells > most:
            if most <= 2:
                break
            raise ValueError(f"sheet {sheet.name!r} has more cells than a workbook of its size")
    return found


def _text(value: Any) -> str:
    """A cell as text; whole numbers without a point, dates as ISO has them."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, (datetime, time)):
        return value.isoformat()
    return re.sub(r"\s+", " ", str(value)).strip()


def _excel_rows(sheet: Any) -> Rows:
    sheet.reset_dimensions()  # what it says of its size may be wrong, and is made of empty cells
    for row in sheet.iter_rows(values_only=True):
        yield list(map(_text, row))


def _ods_rows(sheet: Any) -> Rows:
    for row in sheet.iter(f"{_TABLE}table-row"):
        cells: list[str] = []
        waiting = 0
        for cell in row:
            if cell.tag not in (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell"):
                continue
            times = _count(cell, "number-columns-repeated")
            value = _ods_text(cell)
            if not value:  # empty cells count only before others
                waiting = min(waiting + times, _FEWEST_CELLS)
                continue
            cells += [""] * waiting + [value] * min(times, _FEWEST_CELLS)
            waiting = 0
        for _ in range(_count(row, "number-rows-repeated") if cells else 1):
            yield list(cells)


def _count(element: Any, name: str) -> int:
    given = element.get(f"{_TABLE}{name}", "1")
    return int(given) if given.isdecimal() and len(given) < 8 else 1


def _ods_text(cell: Any) -> str:
    """The number behind a cell, or else its text."""
    kind = cell.get(f"{_OFFICE}value-type", "")
    if kind in ("float", "percentage", "currency"):
        return str(cell.get(f"{_OFFICE}value", ""))
    if kind == "date":
        return str(cell.get(f"{_OFFICE}date-value", ""))
    paragraphs = ["".join(one.itertext()) for one in cell.iter(f"{_TEXT}p")]
    return re.sub(r"\s+", " ", " ".join(paragraphs)).strip()
