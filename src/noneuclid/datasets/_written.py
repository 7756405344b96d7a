"""Numbers as people write them: 1,234.5 and 1.234,5 and 1 234,5 and 12 %."""

import re
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from noneuclid._files import DataError
from noneuclid.datasets._cells import MINUS, as_python

COMMA, POINT = "comma", "point"
WITH_COMMAS = "commas taken as decimal marks"
DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+(?:[eE][+-]?\d+)?")
# A bound instead of a number: below the limit of detection, say.
BOUND = re.compile(r"[<>≤≥]=?\s*[+-]?\d+(?:[.,]\d+)?(?:[eE][+-]?\d+)?")
_BLANK_GROUPS = re.compile(r"[+-]?\d{1,3}(?:[ \u00a0\u202f'’]\d{3})+(?:[.,]\d+)?")
_BLANKS = re.compile(r"[ \u00a0\u202f'’]")
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")
_COMMAS = re.compile(r"[+-]?(?:\d+,\d*|,\d+)(?:[eE][+-]?\d+)?")
_COMMA_GROUPS = re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?")
_POINT_GROUPS = re.compile(r"[+-]?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d*)?")
_SURE_POINT = re.compile(r"[+-]?\d*\.(?:\d{1,2}|\d{4,})")
_POSITION = re.compile(r"([^\W\d]*[ _]?\d+),(\d+\s?[^\d\s,-]{0,5})")
_LONGEST = 40
# A column with this share of numbers is one of numbers with something wrong in it.
_MOSTLY = 0.8


@dataclass
class Writing:
    """How the cells of one column write numbers."""

    cells: list[str]
    """Without signs for per cent and blanks between thousands."""
    has_percent: bool = False
    has_blanks: bool = False
    decimals: set[str] = field(default_factory=set)
    """What separates fractions, by cells that leave no doubt."""
    doubt: int | None = None
    """The first cell such as 1,234, which may be a thousand or a fraction."""
    unsigned: int | None = None
    """The first number without a sign for per cent, where others have one."""
    pointed: int | None = None
    """The first cell such as 1.234, a thousand where commas separate fractions."""


def plain(columns: list[list[str]], delimiter: str, decimal: str) -> "Plain":
    """Cells of all columns with numbers as Python writes them.

    Parameters
    ----------
    columns : list of list of str
        The cells below a header, column by column.
    delimiter : str
        What separates cells: a semicolon tells that commas separate fractions.
    decimal : {"auto", "comma", "point"}
        What the user said.

    Returns
    -------
    plain : Plain
        New cells of the columns that change, and what is to be said about them.
    """
    tidied = {j: new for j, cells in enumerate(columns) if (new := _tidied(cells)) is not None}
    fortran = [j for j in tidied if "d" in "".join(columns[j]).lower()]
    columns = [tidied.get(j, cells) for j, cells in enumerate(columns)]
    writings = {j: w for j, cells in enumerate(columns) if (w := _writing(cells)) is not None}
    told = set().union(*(w.decimals for w in writings.values()))
    if any(w.doubt is not None for w in writings.values()) and not told:
        told = {POINT} if _has_points(columns) else set()
    if decimal != "auto":
        told = {decimal}
    elif not told and delimiter == ";":
        told = {COMMA}
    known = next(iter(told)) if len(told) == 1 else ""
    found = Plain(known, columns=tidied, fortran=fortran)
    of_points = COMMA in told and decimal == "auto" and _has_points(columns)
    for j, writing in writings.items():
        own = {decimal} if decimal != "auto" else (writing.decimals or told)
        if writing.unsigned is not None:
            found.unsigned[j] = writing.unsigned
        elif writing.doubt is not None and len(own) != 1:
            found.doubts[j] = writing.doubt
        elif own == {COMMA} and writing.pointed is not None and of_points:
            found.mixed[j] = writing.pointed
        elif len(own) < 2:
            found.take(j, writing, next(iter(own), POINT))
    if found.decimal == COMMA and (decimal != "auto" or delimiter != ";" or _sure(writings)):
        for j, cells in enumerate(columns):
            if j not in writings and _are_groups(cells):
                found.columns[j] = [cell.replace(".", "") for cell in cells]
                found.grouped.append(j)
    return found


@dataclass
class Plain:
    """Columns with numbers as Python writes them, and what was done to which."""

    decimal: str = ""
    columns: dict[int, list[str]] = field(default_factory=dict)
    grouped: list[int] = field(default_factory=list)
    percent: list[int] = field(default_factory=list)
    doubts: dict[int, int] = field(default_factory=dict)
    """Columns that may be read in two ways, and the row of the first such cell."""
    unsigned: dict[int, int] = field(default_factory=dict)
    """Columns in which some numbers are per cent, and the row of the first that is not."""
    mixed: dict[int, int] = field(default_factory=dict)
    """Columns with decimal commas and points that may be either, and the row of the first."""
    fortran: list[int] = field(default_factory=list)
    has_commas: bool = False
    """Whether commas were taken as decimal marks anywhere."""

    def take(self, j: int, writing: Writing, decimal: str) -> None:
        """Write a column anew."""
        other, mark = (".", ",") if decimal == COMMA else (",", ".")
        groups = _POINT_GROUPS if decimal == COMMA else _COMMA_GROUPS
        cells = []
        for cell in writing.cells:
            if groups.fullmatch(cell):
                if j not in self.grouped:
                    self.grouped.append(j)
                cell = cell.replace(other, "")
            with_comma = _COMMAS.fullmatch(cell) is not None
            self.has_commas |= with_comma and decimal == COMMA
            cells.append(cell.replace(mark, ".") if with_comma else cell)
        self.columns[j] = cells
        if writing.has_blanks and j not in self.grouped:
            self.grouped.append(j)
        if writing.has_percent:
            self.percent.append(j)

    def header(self, cells: list[str], delimiter: str) -> list[str]:
        """The first row, in which positions may have a comma, too."""
        if self.decimal == COMMA:
            return [_POSITION.sub(r"\1.\2", c) if _POSITION.fullmatch(c) else c for c in cells]
        if self.decimal == POINT or delimiter in (",", ""):
            return cells
        return [c.replace(",", ".") if DECIMAL_COMMA.fullmatch(c) else c for c in cells]

    def notes(self, names: list[str]) -> list[str]:
        """What is to be said."""
        said = []
        if self.decimal == COMMA and self.has_commas:
            said.append(WITH_COMMAS)
        if self.grouped:
            said.append(f"marks between thousands taken out of {_listed(self.grouped, names)}")
        if self.percent:
            said.append(f"per cent signs taken off {_listed(self.percent, names)}: 12 % is 12")
        if self.fortran:
            said.append(f"D of exponents taken as E in {_listed(self.fortran, names)}")
        return said

    def refuse_doubts(self, j: int, cells: list[str], place: Callable[[int], str]) -> None:
        """Raise if a column may be read in two ways; ``place`` tells where a row of it is."""
        if j in self.doubts:
            cell = cells[self.doubts[j]]
            as_comma, as_point = cell.replace(",", "."), cell.replace(",", "")
            raise DataError(
                f"{place(self.doubts[j])} holds {cell!r}, which may be {as_comma} or {as_point}, "
                "and nothing else in the table tells: say --decimal comma or --decimal point"
            )
        if j in self.mixed:
            raise DataError(
                f"{place(self.mixed[j])} holds {cells[self.mixed[j]]!r} beside decimal commas, "
                "and other columns have decimal points: write all fractions in one way, or say "
                "--decimal comma if it is a thousand"
            )
        if j in self.unsigned:
            raise DataError(
                f"{place(self.unsigned[j])} holds {cells[self.unsigned[j]]!r} where others are per "
                "cent: write all with the sign, or all without"
            )


def _listed(columns: list[int], names: list[str]) -> str:
    more = f" and {len(columns) - 3} more" if len(columns) > 3 else ""
    return ", ".join(repr(names[j]) for j in sorted(columns)[:3]) + more


def _sure(writings: dict[int, Writing]) -> bool:
    return any(COMMA in writing.decimals for writing in writings.values())


def _has_points(columns: list[list[str]]) -> bool:
    """Whether a number has a point that can only separate a fraction."""
    return any(_SURE_POINT.fullmatch(cell) for cells in columns for cell in cells)


def _are_groups(cells: list[str]) -> bool:
    """Whether all numbers with a point look like thousands: 1.234 beside 12,5 in other columns."""
    pointed = [cell for cell in cells if "." in cell]
    return bool(pointed) and all(_POINT_GROUPS.fullmatch(cell) for cell in pointed)


def _tidied(cells: list[str]) -> list[str] | None:
    """A column of numbers without Fortran's D and printers' minus; None if it has none of them."""
    text = "".join(cells)
    if not any(letter in text for letter in (MINUS, "D", "d")):
        return None
    found = [new if _bare(new := as_python(cell))[1] is not None else cell for cell in cells]
    n_numbers = sum(_bare(cell)[1] is not None for cell in found)
    return found if found != cells and n_numbers >= _MOSTLY * sum(map(bool, cells)) else None


def _writing(cells: list[str]) -> Writing | None:
    """How a column writes numbers; None if it is plain already, or no column of numbers."""
    try:
        deque(map(float, cells), maxlen=0)
        return None  # or text, such as 1_1, which stays as it is
    except ValueError:
        pass
    found = Writing([])
    n_numbers = n_filled = 0
    changed = is_pointed = False
    unsigned = None
    for row, cell in enumerate(cells):
        bare, decimal = _bare(cell)
        found.cells.append(cell if decimal is None else bare)
        n_filled += bool(cell)
        if decimal is None:
            continue
        n_numbers += 1
        if cell.endswith("%"):
            found.has_percent = True
        elif unsigned is None:
            unsigned = row
        found.has_blanks |= bool(_BLANK_GROUPS.fullmatch(cell.rstrip("% ")))
        changed |= bare != cell or "," in bare or bare.count(".") > 1
        is_pointed |= decimal == "" and _SURE_POINT.fullmatch(bare) is not None
        if found.pointed is None and decimal == "" and _POINT_GROUPS.fullmatch(bare):
            found.pointed = row
        if decimal in (COMMA, POINT):
            found.decimals.add(decimal)
        elif decimal == "?" and found.doubt is None:
            found.doubt = row
    if not changed or n_numbers < _MOSTLY * n_filled:
        return None
    if is_pointed and (found.decimals or found.doubt is not None):
        found.decimals.add(POINT)
    if found.decimals:
        found.doubt = None
    found.unsigned = unsigned if found.has_percent else None
    return found


def _bare(cell: str) -> tuple[str, str | None]:
    """A cell without per cent and blanks, and what its marks tell; None if it is no number.

    ``"comma"`` and ``"point"`` are what separates fractions, ``"?"`` a mark that may be either, and
    ``""`` a number without a mark that tells.
    """
    if len(cell) > _LONGEST or not cell or not (cell[-1].isdigit() or cell[-1] in ".,%"):
        return cell, None
    bare = cell.rstrip("%").rstrip() if cell.endswith("%") else cell
    if _BLANK_GROUPS.fullmatch(bare):
        bare = _BLANKS.sub("", bare)
        if "," in bare:
            return bare, COMMA
    if _NUMBER.fullmatch(bare):
        return bare, ""
    if _COMMA_GROUPS.fullmatch(bare):
        sure = "." in bare or bare.count(",") > 1
        return bare, POINT if sure else "?"
    if _POINT_GROUPS.fullmatch(bare) or _COMMAS.fullmatch(bare):
        return bare, COMMA
    return cell, None
